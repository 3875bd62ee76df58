#pragma once
// A real sshd of the test's own on a high port of this machine, with keys that are thrown away.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/app/engine/support.h"
#include "tests/shell_word.h"

namespace lanescope::engine::test {

/// Exit status and standard output.
inline std::pair<int, std::string> shell(const std::string& command) {
  FILE* pipe = ::popen(command.c_str(), "r");
  std::string out;
  char part[4096];
  for (std::size_t n; pipe && (n = std::fread(part, 1, sizeof part, pipe)) > 0;) out.append(part, n);
  const int status = pipe ? ::pclose(pipe) : -1;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, out};
}

/// Children of a process, as /proc has them.
inline std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> out;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string stat = text_of(entry.path() / "stat");
    const std::size_t close = stat.rfind(") ");
    if (close == std::string::npos || std::atoi(stat.c_str() + close + 4) != parent) continue;
    out.push_back(std::atoi(entry.path().filename().c_str()));
  }
  return out;
}

/// `sshd` until the end of its scope. `problem()` says why there is none.
class Daemon {
 public:
  Daemon() : folder_(std::filesystem::temp_directory_path() / fmt::format("lanescope_ssh_{}", ::getpid())) {
    std::filesystem::create_directory(folder_);
    std::filesystem::permissions(folder_, std::filesystem::perms::owner_all);
    problem_ = start();
  }
  ~Daemon() {
    stop();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Daemon(const Daemon&) = delete;
  Daemon& operator=(const Daemon&) = delete;

  const std::string& problem() const { return problem_; }
  const std::filesystem::path& folder() const { return folder_; }
  /// A command of this machine's shell; `command` is one of the shell's at the other end.
  std::string to(const std::string& command) const {
    return fmt::format(
        "ssh -F none -p {} -i {} -o IdentitiesOnly=yes -o BatchMode=yes -o LogLevel=ERROR -o StrictHostKeyChecking=no "
        "-o UserKnownHostsFile=/dev/null 127.0.0.1 {}",
        port_, shell_word((folder_ / "key").string()), shell_word(command));
  }
  /// Cuts every connection, as a network does that goes away. Returns how many there were.
  int cut() const {
    const auto sessions = children_of(pid_);
    for (const pid_t session : sessions) {
      for (const pid_t inner : children_of(session)) ::kill(inner, SIGKILL);
      ::kill(session, SIGKILL);
    }
    return static_cast<int>(sessions.size());
  }

 private:
  std::string start() {
    std::string sshd;
    for (const char* place : {"/usr/sbin/sshd", "/usr/bin/sshd", "/usr/local/sbin/sshd"})
      if (sshd.empty() && ::access(place, X_OK) == 0) sshd = place;
    if (sshd.empty()) return "sshd is not installed";
    for (const char* tool : {"ssh", "ssh-keygen"})
      if (shell(fmt::format("command -v {}", tool)).first != 0) return fmt::format("{} is not installed", tool);
    for (const char* name : {"key", "host"})
      if (shell(fmt::format("ssh-keygen -q -t ed25519 -N '' -f {}", shell_word((folder_ / name).string()))).first != 0)
        return "ssh-keygen makes no key";
    std::filesystem::copy_file(folder_ / "key.pub", folder_ / "authorized");
    // A service script makes this folder before it starts sshd as root. It stays: another test's sshd may need it.
    if (::geteuid() == 0) ::mkdir("/run/sshd", 0755);
    std::mt19937 random(std::random_device{}());
    std::string said;
    for (int attempt = 0; attempt < 5; ++attempt) {
      port_ = 20000 + static_cast<int>(random() % 40000);
      launch(sshd);
      for (int i = 0; i < 100 && running(); ++i) {
        if (shell(to("true") + " 2> " + shell_word((folder_ / "err").string())).first == 0) return "";
        if (text_of(folder_ / "err").find("refused") == std::string::npos) break;  // it is up and refuses every login
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
      }
      stop();
      said = text_of(folder_ / "err") + text_of(folder_ / "log");
      if (said.find("in use") == std::string::npos) break;  // another port would be no better
    }
    return "this user cannot log in over ssh here: " + said;
  }

  void launch(const std::string& sshd) {
    std::ofstream(folder_ / "config") << fmt::format(
        "ListenAddress 127.0.0.1\nPort {0}\nHostKey {1}/host\nAuthorizedKeysFile {1}/authorized\nPidFile none\n"
        "StrictModes no\nUsePAM no\nPasswordAuthentication no\nPermitRootLogin yes\nLogLevel ERROR\n",
        port_, folder_.string());
    const std::string config = (folder_ / "config").string(), log = (folder_ / "log").string();
    pid_ = ::fork();
    if (pid_ != 0) return;
    ::execl(sshd.c_str(), sshd.c_str(), "-D", "-f", config.c_str(), "-E", log.c_str(), nullptr);
    ::_exit(127);
  }

  bool running() { return pid_ > 0 && ::waitpid(pid_, nullptr, WNOHANG) == 0; }

  void stop() {
    if (pid_ <= 0) return;
    cut();
    ::kill(pid_, SIGTERM);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

  std::filesystem::path folder_;
  std::string problem_;
  pid_t pid_ = -1;
  int port_ = 0;
};

}  // namespace lanescope::engine::test
