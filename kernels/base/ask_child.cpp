#include "kernels/base/ask_child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

extern char** environ;

namespace lanescope {
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

ChildReply ask_child(const std::vector<std::string>& command, const std::vector<std::uint8_t>& question,
                     const std::string& doing, std::chrono::milliseconds limit) {
  using End = ChildReply::End;
  const auto without = [](End end, std::string message, std::string remedy) {
    return ChildReply{
        .end = end, .answer = {}, .problem = {.file = {}, .message = std::move(message), .remedy = std::move(remedy)}};
  };
  if (command.empty()) return without(End::not_started, doing + " needs a program, and none was named", {});
  const IgnoredBrokenPipe guard;
  Pipe to, from;
  pid_t pid = -1;
  if (const int error = spawn(command, to.read, from.write, pid))
    return without(End::not_started, fmt::format("'{}' cannot be started: {}", command[0], std::strerror(error)), {});
  to.close_read(), from.close_write();
  ChildReply reply;
  const bool in_time = converse(to, from, question, Clock::now() + limit, reply.answer);
  if (!in_time) ::kill(pid, SIGKILL);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
  if (!in_time)
    return without(
        End::late,
        fmt::format("{} took longer than {} s and was ended", doing, static_cast<double>(limit.count()) / 1e3),
        "look for a loop or a barrier that never ends, or raise the time limit");
  if (reply.answer.empty()) return without(End::died, fmt::format("the process of {} {}", doing, ending(status)), {});
  return reply;
}

int answer_parent(const std::function<std::vector<std::uint8_t>(const std::vector<std::uint8_t>&)>& answer, int in_fd,
                  int out_fd) {
  // The answer keeps the stream to itself; what libraries print goes where errors go.
  const int answer_fd = ::dup(out_fd);
  if (answer_fd < 0 || ::dup2(2, out_fd) < 0) return 1;
  return write_all(answer_fd, answer(read_all(in_fd))) ? 0 : 1;
}

}  // namespace lanescope
