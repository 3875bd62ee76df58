#include "profiling/cupti/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

extern char** environ;

namespace lanescope::cupti {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<std::uint8_t> read_all(int fd) {
  std::vector<std::uint8_t> bytes;
  std::uint8_t chunk[1 << 16];
  for (;;) {
    const ssize_t n = ::read(fd, chunk, sizeof chunk);
    if (n > 0) bytes.insert(bytes.end(), chunk, chunk + n);
    if (n == 0 || (n < 0 && errno != EINTR)) return bytes;
  }
}

bool write_all(int fd, const std::vector<std::uint8_t>& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::write(fd, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) done += static_cast<std::size_t>(n);
  }
  return true;
}

/// A pipe whose ends do not leak into children.
struct Pipe {
  int read = -1, write = -1;
  Pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) == 0) read = ends[0], write = ends[1];
  }
  ~Pipe() { close_read(), close_write(); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_read() { close(read); }
  void close_write() { close(write); }

 private:
  static void close(int& fd) {
    if (fd >= 0) ::close(fd);
    fd = -1;
  }
};

/// Starts `command` with `in` and `out` as its standard streams; standard error is ours. Returns 0 or an errno.
int spawn(const std::vector<std::string>& command, int in, int out, pid_t& pid) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in, 0);
  posix_spawn_file_actions_adddup2(&actions, out, 1);
  const int error = posix_spawnp(&pid, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

/// Writes the request and reads the answer until the child closes its end; false when the time is up.
bool converse(Pipe& to, Pipe& from, const std::vector<std::uint8_t>& request, Clock::time_point end,
              std::vector<std::uint8_t>& answer) {
  ::fcntl(to.write, F_SETFL, O_NONBLOCK);
  std::size_t sent = 0;
  std::uint8_t chunk[1 << 16];
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0) return false;
    pollfd ready[2] = {{.fd = from.read, .events = POLLIN, .revents = 0},
                       {.fd = to.write, .events = POLLOUT, .revents = 0}};
    if (::poll(ready, to.write >= 0 ? 2 : 1, static_cast<int>(std::min<long long>(left, 1000))) <= 0) continue;
    if (to.write >= 0 && ready[1].revents != 0) {
      const ssize_t n = ::write(to.write, request.data() + sent, request.size() - sent);
      if (n > 0) sent += static_cast<std::size_t>(n);
      if (sent == request.size() || (n < 0 && errno != EAGAIN && errno != EINTR)) to.close_write();
    }
    if (ready[0].revents == 0) continue;
    const ssize_t n = ::read(from.read, chunk, sizeof chunk);
    if (n > 0) answer.insert(answer.end(), chunk, chunk + n);
    if (n == 0 || (n < 0 && errno != EINTR)) return true;
  }
}

/// Writing to a child that has died must be an error here, not our end.
class IgnoredBrokenPipe {
 public:
  IgnoredBrokenPipe() {
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGPIPE, &ignore, &before_);
  }
  ~IgnoredBrokenPipe() { ::sigaction(SIGPIPE, &before_, nullptr); }
  IgnoredBrokenPipe(const IgnoredBrokenPipe&) = delete;
  IgnoredBrokenPipe& operator=(const IgnoredBrokenPipe&) = delete;

 private:
  struct sigaction before_ {};
};

std::string ending(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("was ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return fmt::format("left with status {} and no answer", WEXITSTATUS(status));
}

}  // namespace

int measure_child(int in_fd, int out_fd) {
  // The answer keeps the stream to itself; what libraries print goes where errors go.
  const int answer_fd = ::dup(out_fd);
  if (answer_fd < 0 || ::dup2(2, out_fd) < 0) return 1;
  const auto request = decode_request(read_all(in_fd));
  const Expected<Measurement> answer = request ? measure(*request) : tl::unexpected(request.error());
  return write_all(answer_fd, encode(answer)) ? 0 : 1;
}

Expected<Measurement> measure_in_child(const std::vector<std::string>& command, const Request& request,
                                       std::chrono::seconds limit) {
  if (command.empty()) return failure("no program was named that measures");
  const IgnoredBrokenPipe guard;
  Pipe to, from;
  pid_t pid = -1;
  if (const int error = spawn(command, to.read, from.write, pid))
    return failure(fmt::format("'{}' cannot be started: {}", command[0], std::strerror(error)));
  to.close_read(), from.close_write();
  std::vector<std::uint8_t> answer;
  const bool in_time = converse(to, from, encode(request), Clock::now() + limit, answer);
  if (!in_time) ::kill(pid, SIGKILL);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
  if (!in_time)
    return failure(fmt::format("the measurement took longer than {} s and was ended", limit.count()),
                   "make the grid smaller, or ask for fewer metrics");
  if (answer.empty()) return failure("the process that measures " + ending(status));
  return decode_answer(answer);
}

}  // namespace lanescope::cupti
