#include "kernels/base/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

#include "kernels/base/standard_streams.h"
#include "kernels/base/visible.h"

namespace lanescope {
namespace {

constexpr std::size_t most_error_bytes = 4096;
constexpr std::size_t most_bytes_at_once = std::size_t{1} << 20;
constexpr auto no_time = std::chrono::milliseconds(0);

void close_fd(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

/// Neither end is inherited by another child. Closed at the end of the scope unless they were taken.
struct Pipe {
  int read = -1, write = -1;
  Pipe() = default;
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() { close_fd(read), close_fd(write); }
  bool open() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    read = ends[0], write = ends[1];
    return true;
  }
};

/// Writing to a child that has ended is an error, not the end of this process. Of this thread only: others may be writing
/// to children of theirs.
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

std::string ending_of(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("was ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return fmt::format("exited with status {}", WEXITSTATUS(status));
}

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of("\n ");
  if (end == std::string::npos) return "";
  const std::size_t newline = text.rfind('\n', end);
  const std::size_t begin = newline == std::string::npos ? 0 : newline + 1;
  return text.substr(begin, end - begin + 1);
}

}  // namespace

Process::~Process() {
  if (running()) collect(no_time);
}

Process::Process(Process&& other) noexcept { *this = std::move(other); }
Process& Process::operator=(Process&& other) noexcept {
  if (this == &other) return *this;
  if (running()) collect(no_time);
  pid_ = std::exchange(other.pid_, -1);
  in_ = std::exchange(other.in_, -1), out_ = std::exchange(other.out_, -1), err_ = std::exchange(other.err_, -1);
  exit_status_ = other.exit_status_;
  keeps_errors_ = other.keeps_errors_;
  errors_ = std::move(other.errors_);
  return *this;
}

Expected<Process> Process::start(const std::vector<std::string>& command, StandardError standard_error,
                                 std::uint64_t most_address_bytes) {
  if (command.empty()) return failure("no program was given");
  Pipe in, out, err;
  if (!in.open() || !out.open() || !err.open())
    return failure(fmt::format("no pipe to a child process: {}", std::strerror(errno)), "close other programs");
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  Process child;
  int error = 0;
  child.pid_ = spawn({.words = words.data(),
                      .in = in.read,
                      .out = out.write,
                      .err = err.write,
                      .most_address_bytes = most_address_bytes},
                     error);
  if (!child.running())
    return failure(fmt::format("'{}' cannot be started: {}", command[0], std::strerror(error)),
                   "check that it exists and is executable");
  child.keeps_errors_ = standard_error == StandardError::kept;
  child.in_ = std::exchange(in.write, -1), child.out_ = std::exchange(out.read, -1);
  child.err_ = std::exchange(err.read, -1);
  for (const int fd : {child.in_, child.out_, child.err_}) ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
  return child;
}

std::ptrdiff_t Process::write_some(std::span<const std::uint8_t> bytes) {
  const NoBrokenPipeSignal guard;
  const ssize_t wrote = ::write(in_, bytes.data(), bytes.size());
  if (wrote >= 0) return wrote;
  return errno == EAGAIN || errno == EINTR ? 0 : -1;
}

bool Process::read_some(Bytes& bytes) {
  read_errors();
  std::array<std::uint8_t, 1 << 16> chunk;
  for (std::size_t read = 0; read < most_bytes_at_once;) {
    const ssize_t got = ::read(out_, chunk.data(), chunk.size());
    if (got == 0) return false;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno == EAGAIN;
    bytes.insert(bytes.end(), chunk.begin(), chunk.begin() + got);
    read += static_cast<std::size_t>(got);
  }
  return true;
}

void Process::read_errors() {
  std::array<char, 1024> chunk;
  ssize_t got = -1;
  while (err_ >= 0 && (got = ::read(err_, chunk.data(), chunk.size())) > 0)
    errors_.append(chunk.data(), static_cast<std::size_t>(got));
  if (got == 0) close_fd(err_);
  if (!keeps_errors_) return pass_on(got == 0);
  if (errors_.size() > most_error_bytes) errors_.erase(0, errors_.size() - most_error_bytes);
}

/// Whole lines, unless a line is very long or its end does not come.
void Process::pass_on(bool all) {
  const std::size_t newline = errors_.rfind('\n');
  std::size_t bytes = newline == std::string::npos ? 0 : newline + 1;
  if (all || errors_.size() - bytes > most_error_bytes) bytes = errors_.size();
  if (bytes > 0) put_error(std::string_view(errors_).substr(0, bytes));
  errors_.erase(0, bytes);
}

void Process::close_input() { close_fd(in_); }
std::string Process::end() { return collect(no_time); }
std::string Process::reap(std::chrono::milliseconds moment) { return collect(moment); }

std::string Process::collect(std::chrono::milliseconds moment) {
  if (!running()) return "was not running";
  close_fd(in_);
  int status = 0;
  pid_t done = 0;
  if (moment > no_time) {
    const auto until = std::chrono::steady_clock::now() + moment;
    while ((done = ::waitpid(pid_, &status, WNOHANG)) == 0 && std::chrono::steady_clock::now() < until)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (done == 0) {
    ::kill(pid_, SIGKILL);
    do done = ::waitpid(pid_, &status, 0);
    while (done < 0 && errno == EINTR);
  }
  read_errors();
  if (!keeps_errors_) pass_on(true);
  close_fd(out_), close_fd(err_);
  pid_ = -1;
  exit_status_ = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  const std::string said = visible(last_line(errors_));
  errors_.clear();
  return ending_of(status) + (said.empty() ? "" : fmt::format(", printing \"{}\"", said));
}

}  // namespace lanescope
