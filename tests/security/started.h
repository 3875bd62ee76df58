#pragma once
// The program with its children, in a session of their own, and what of them is left.

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/app/cli/program.h"

namespace lanescope::security {

using Clock = std::chrono::steady_clock;

/// A text of /proc; empty: the process is gone.
inline std::string proc_text(pid_t pid, const std::string& name) {
  return cli::slurp(fmt::format("/proc/{}/{}", pid, name));
}

/// The words of its line in /proc/PID/stat after the name: state, parent, group, session, ...
inline std::vector<std::string> stat_words(pid_t pid) {
  const std::string text = proc_text(pid, "stat");
  std::istringstream rest(text.substr(std::min(text.rfind(')') + 2, text.size())));
  std::vector<std::string> words;
  for (std::string word; rest >> word;) words.push_back(word);
  return words;
}
inline double cpu_seconds(pid_t pid) {
  const auto words = stat_words(pid);
  return words.size() < 13
             ? 0
             : (std::stod(words[11]) + std::stod(words[12])) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

class Started {
 public:
  /// `command`: of the shell, which becomes the program (exec); both of its output streams are one pipe.
  explicit Started(const std::string& command) {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::setsid();
      ::dup2(ends[1], STDOUT_FILENO), ::dup2(ends[1], STDERR_FILENO);
      ::execl("/bin/sh", "sh", "-c", ("exec " + command).c_str(), nullptr);
      ::_exit(127);
    }
    ::close(ends[1]);
    out_ = ends[0];
  }
  Started(const Started&) = delete;
  Started& operator=(const Started&) = delete;
  ~Started() {
    for (const pid_t each : others()) ::kill(each, SIGKILL);
    if (status_ < 0) ::kill(pid_, SIGKILL), wait();
    ::close(out_);
  }

  pid_t pid() const { return pid_; }
  /// Processes of its session beside it, those that have ended left out.
  std::vector<pid_t> others() const {
    std::vector<pid_t> out;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
      const std::string name = entry.path().filename().string();
      if (name.find_first_not_of("0123456789") != std::string::npos) continue;
      const auto pid = static_cast<pid_t>(std::stol(name));
      const auto words = stat_words(pid);
      if (pid != pid_ && words.size() > 13 && words[3] == std::to_string(pid_) && words[0] != "Z") out.push_back(pid);
    }
    return out;
  }
  /// A child that `fits`; 0: none comes within a minute.
  template <class Fits>
  pid_t child_that(Fits fits) const {
    for (const auto end = Clock::now() + std::chrono::minutes(1); Clock::now() < end;) {
      for (const pid_t each : others())
        if (fits(each)) return each;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return 0;
  }

  /// Output of it and its children up to the end of the stream; "no end" if the stream does not end.
  std::string read_to_end(std::chrono::seconds deadline = std::chrono::seconds(60)) {
    std::string text;
    for (const auto end = Clock::now() + deadline; Clock::now() < end;) {
      pollfd ready{.fd = out_, .events = POLLIN, .revents = 0};
      if (::poll(&ready, 1, 100) <= 0) continue;
      char chunk[4096];
      const ssize_t got = ::read(out_, chunk, sizeof chunk);
      if (got <= 0) return text;
      text.append(chunk, static_cast<std::size_t>(got));
    }
    return "no end";
  }
  int wait() {
    if (status_ < 0) ::waitpid(pid_, &status_, 0);
    return status_;
  }
  /// Whether all children are gone, some time after it is.
  bool alone() const {
    for (const auto end = Clock::now() + std::chrono::seconds(20); Clock::now() < end;) {
      if (others().empty()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

 private:
  pid_t pid_ = -1;
  int out_ = -1, status_ = -1;
};

}  // namespace lanescope::security
