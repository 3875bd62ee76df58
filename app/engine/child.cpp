#include "app/engine/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

extern char** environ;

namespace lanescope::engine {
namespace {

constexpr std::size_t most_words = 4096;
constexpr auto time_to_leave = std::chrono::milliseconds(200);

struct Pipe {
  int read = -1, write = -1;
  bool open() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    read = ends[0], write = ends[1];
    return true;
  }
};

void close_fd(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

/// Neither an ignored SIGPIPE nor a blocked signal of the caller reaches the child.
struct SpawnSetup {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  SpawnSetup() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnSetup() {
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
  }
};

std::string ending_in_words(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("it was ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return fmt::format("it left with status {}", WEXITSTATUS(status));
}

std::string last_line(const std::string& words) {
  const std::size_t end = words.find_last_not_of("\n ");
  if (end == std::string::npos) return "";
  const std::size_t begin = words.rfind('\n', end);
  return words.substr(begin == std::string::npos ? 0 : begin + 1,
                      end - (begin == std::string::npos ? 0 : begin + 1) + 1);
}

}  // namespace

Child::~Child() {
  if (running()) collect(true);
}

Child::Child(Child&& other) noexcept { *this = std::move(other); }
Child& Child::operator=(Child&& other) noexcept {
  if (this == &other) return *this;
  if (running()) collect(true);
  pid_ = std::exchange(other.pid_, -1);
  in_ = std::exchange(other.in_, -1), out_ = std::exchange(other.out_, -1), err_ = std::exchange(other.err_, -1);
  words_ = std::move(other.words_);
  return *this;
}

Expected<Child> Child::start(const std::vector<std::string>& command) {
  std::signal(SIGPIPE, SIG_IGN);  // a child that ends while we write to it is an answer, not our end
  Pipe in, out, err;
  if (command.empty() || !in.open() || !out.open() || !err.open())
    return failure(fmt::format("no pipe to a worker: {}", std::strerror(errno)), "close other programs");
  SpawnSetup setup;
  posix_spawn_file_actions_adddup2(&setup.actions, in.read, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&setup.actions, out.write, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&setup.actions, err.write, STDERR_FILENO);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);

  Child child;
  const int error =
      ::posix_spawnp(&child.pid_, command[0].c_str(), &setup.actions, &setup.attributes, arguments.data(), environ);
  close_fd(in.read), close_fd(out.write), close_fd(err.write);
  child.in_ = in.write, child.out_ = out.read, child.err_ = err.read;
  if (error != 0) {
    child.pid_ = -1;
    close_fd(child.in_), close_fd(child.out_), close_fd(child.err_);
    return failure(fmt::format("'{}' could not be started: {}", command[0], std::strerror(error)),
                   "check that it exists and may be run");
  }
  for (const int fd : {child.in_, child.out_, child.err_}) ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
  return child;
}

std::ptrdiff_t Child::write_some(std::span<const std::uint8_t> bytes) {
  const ssize_t wrote = ::write(in_, bytes.data(), bytes.size());
  if (wrote >= 0) return wrote;
  return errno == EAGAIN || errno == EINTR ? 0 : -1;
}

bool Child::read_some(std::vector<std::uint8_t>& bytes) {
  read_words();
  std::array<std::uint8_t, 1 << 16> chunk;
  for (;;) {
    const ssize_t got = ::read(out_, chunk.data(), chunk.size());
    if (got > 0)
      bytes.insert(bytes.end(), chunk.begin(), chunk.begin() + got);
    else if (got == 0)
      return false;
    else if (errno != EINTR)
      return errno == EAGAIN;
  }
}

void Child::read_words() {
  std::array<char, 1024> chunk;
  for (ssize_t got = 0; err_ >= 0 && (got = ::read(err_, chunk.data(), chunk.size())) > 0;)
    words_.append(chunk.data(), static_cast<std::size_t>(got));
  if (words_.size() > most_words) words_.erase(0, words_.size() - most_words);
}

std::string Child::end() { return collect(true); }
std::string Child::reap() { return collect(false); }

std::string Child::collect(bool kill_first) {
  if (!running()) return "it was not running";
  close_fd(in_);
  int status = 0;
  pid_t done = 0;
  if (!kill_first) {
    const auto until = std::chrono::steady_clock::now() + time_to_leave;
    while ((done = ::waitpid(pid_, &status, WNOHANG)) == 0 && std::chrono::steady_clock::now() < until)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (done == 0) {
    ::kill(pid_, SIGKILL);
    do done = ::waitpid(pid_, &status, 0);
    while (done < 0 && errno == EINTR);
  }
  read_words();
  close_fd(out_), close_fd(err_);
  pid_ = -1;
  const std::string said = last_line(words_);
  words_.clear();
  return ending_in_words(status) + (said.empty() ? "" : fmt::format(", saying \"{}\"", said));
}

}  // namespace lanescope::engine
