#include "kernels/base/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace lanescope {
namespace {

constexpr std::size_t length_bytes = 4;
/// How long nothing may happen before the clock, or the flag that ends our patience, is looked at again.
constexpr std::chrono::milliseconds look_at_clock{1000}, look_at_flag{10};

void close_end(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

/// Writing to a child that has died must be an error here, not our end. Of this thread only: others may be writing to
/// children of theirs.
class NoBrokenPipeSignal {
 public:
  NoBrokenPipeSignal() {
    ::sigemptyset(&broken_pipe_);
    ::sigaddset(&broken_pipe_, SIGPIPE);
    sigset_t pending;
    ::sigpending(&pending);
    was_pending_ = ::sigismember(&pending, SIGPIPE) == 1;
    ::pthread_sigmask(SIG_BLOCK, &broken_pipe_, &before_);
  }
  ~NoBrokenPipeSignal() {
    constexpr timespec at_once{};
    while (!was_pending_ && ::sigtimedwait(&broken_pipe_, nullptr, &at_once) < 0 && errno == EINTR) {}
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoBrokenPipeSignal(const NoBrokenPipeSignal&) = delete;
  NoBrokenPipeSignal& operator=(const NoBrokenPipeSignal&) = delete;

 private:
  sigset_t broken_pipe_{}, before_{};
  bool was_pending_ = false;
};

Bytes framed(const Bytes& bytes) {
  Bytes out;
  out.reserve(bytes.size() + length_bytes);
  for (std::size_t i = 0; i < length_bytes; ++i) out.push_back(static_cast<std::uint8_t>(bytes.size() >> (8 * i)));
  out.insert(out.end(), bytes.begin(), bytes.end());
  return out;
}

std::uint32_t length_of(const std::uint8_t* bytes) {
  std::uint32_t length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) length |= static_cast<std::uint32_t>(bytes[i]) << (8 * i);
  return length;
}

bool read_exactly(int fd, std::uint8_t* into, std::size_t bytes) {
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t n = ::read(fd, into + done, bytes - done);
    if (n == 0 || (n < 0 && errno != EINTR)) return false;
    if (n > 0) done += static_cast<std::size_t>(n);
  }
  return true;
}

}  // namespace

Bytes read_all(int fd) {
  Bytes bytes;
  std::uint8_t chunk[1 << 16];
  for (;;) {
    const ssize_t n = ::read(fd, chunk, sizeof chunk);
    if (n > 0) bytes.insert(bytes.end(), chunk, chunk + n);
    if (n == 0 || (n < 0 && errno != EINTR)) return bytes;
  }
}

bool write_all(int fd, const Bytes& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::write(fd, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) done += static_cast<std::size_t>(n);
  }
  return true;
}

std::optional<Bytes> read_frame(int fd) {
  std::array<std::uint8_t, length_bytes> head{};
  if (!read_exactly(fd, head.data(), head.size())) return std::nullopt;
  const std::uint32_t length = length_of(head.data());
  if (length > frame_limit_bytes) return std::nullopt;
  Bytes bytes(length);
  if (!read_exactly(fd, bytes.data(), bytes.size())) return std::nullopt;
  return bytes;
}

bool write_frame(int fd, const Bytes& bytes) {
  return bytes.size() <= frame_limit_bytes && write_all(fd, framed(bytes));
}

int take_answer_stream(int out_fd) {
  const int answer_fd = ::dup(out_fd);
  if (answer_fd < 0 || ::dup2(STDERR_FILENO, out_fd) >= 0) return answer_fd;
  ::close(answer_fd);
  return -1;
}

std::string Process::start(const std::vector<std::string>& command) {
  if (command.empty()) return "no program was named";
  int in[2], out[2];  // none of the ends leaks into other children
  if (::pipe2(in, O_CLOEXEC) != 0) return std::strerror(errno);
  if (::pipe2(out, O_CLOEXEC) != 0) {
    ::close(in[0]), ::close(in[1]);
    return std::strerror(errno);
  }
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  const int error = posix_spawnp(&pid_, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(in[0]), ::close(out[1]);
  to_ = in[1], from_ = out[0];
  if (!error) {
    ::fcntl(to_, F_SETFL, O_NONBLOCK);
    return "";
  }
  pid_ = -1;
  close_streams();
  return fmt::format("'{}' cannot be started: {}", command[0], std::strerror(error));
}

Process::~Process() {
  close_streams();
  if (!running()) return;
  ::kill(pid_, SIGKILL);
  ending();
}

void Process::close_streams() { close_end(to_), close_end(from_); }

void Process::kill() const {
  if (running()) ::kill(pid_, SIGKILL);
}

std::string Process::ending() {
  close_streams();
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {}
  pid_ = -1;
  if (WIFSIGNALED(status))
    return fmt::format("was ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return fmt::format("left with status {} and no answer", WEXITSTATUS(status));
}

/// Waits until something can be written or read and does it; an outcome where there is nothing more to wait for. A child
/// that reads no more still may have an answer.
std::optional<Process::Outcome> Process::move(const Bytes& out, std::size_t& sent, Bytes& in, const Waiting& waiting) {
  const auto most = waiting.patience.cancelled ? look_at_flag : look_at_clock;
  for (;;) {
    if (waiting.patience.over()) return Outcome::cancelled;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(waiting.end - Clock::now());
    if (left.count() <= 0) return Outcome::late;
    const bool writing = to_ >= 0 && sent < out.size();
    pollfd ready[2] = {{.fd = from_, .events = POLLIN, .revents = 0}, {.fd = to_, .events = POLLOUT, .revents = 0}};
    if (::poll(ready, writing ? 2 : 1, static_cast<int>(std::min(left, most).count())) <= 0) continue;
    if (writing && ready[1].revents != 0) {
      const ssize_t n = ::write(to_, out.data() + sent, out.size() - sent);
      if (n > 0) sent += static_cast<std::size_t>(n);
      if (n < 0 && errno != EAGAIN && errno != EINTR) close_end(to_);
    }
    if (ready[0].revents != 0) {
      std::uint8_t chunk[1 << 16];
      const ssize_t n = ::read(from_, chunk, sizeof chunk);
      if (n > 0) in.insert(in.end(), chunk, chunk + n);
      if (n == 0 || (n < 0 && errno != EINTR)) return Outcome::ended;
    }
    return std::nullopt;
  }
}

Process::Outcome Process::converse(const Bytes& request, const Patience& patience, Bytes& answer) {
  const NoBrokenPipeSignal guard;
  const Waiting waiting{.end = Clock::now() + patience.limit, .patience = patience};
  std::size_t sent = 0;
  for (;;) {
    if (sent == request.size()) close_end(to_);
    if (const auto over = move(request, sent, answer, waiting))
      return *over == Outcome::ended ? Outcome::answered : *over;
  }
}

Process::Outcome Process::exchange(const Bytes& request, const Patience& patience, Bytes& answer) {
  const NoBrokenPipeSignal guard;
  const Waiting waiting{.end = Clock::now() + patience.limit, .patience = patience};
  const Bytes out = framed(request);
  std::size_t sent = 0;
  Bytes in;
  for (;;) {
    const bool headed = in.size() >= length_bytes;
    if (headed && length_of(in.data()) > frame_limit_bytes) return Outcome::ended;
    if (headed && in.size() >= length_bytes + length_of(in.data())) break;
    if (const auto over = move(out, sent, in, waiting)) return *over;
  }
  answer.assign(in.begin() + length_bytes, in.end());
  return Outcome::answered;
}

}  // namespace lanescope
