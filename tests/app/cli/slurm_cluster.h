#pragma once
// Debian's Slurm on this machine alone: controller, node and munge of the test's own, in a folder that goes with them.

#include <fmt/format.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tests/app/cli/program.h"

namespace lanescope::cli {

/// Until the end of its scope. `problem()` says why there is none.
class SlurmCluster {
 public:
  SlurmCluster() : folder_(std::filesystem::temp_directory_path() / fmt::format("lanescope_slurm_{}", ::getpid())) {
    std::filesystem::create_directories(folder_ / "state");
    std::filesystem::create_directories(folder_ / "spool");
    problem_ = start();
  }
  ~SlurmCluster() {
    if (!servers_.empty()) (void)std::system("scancel --quiet --user=$(id -un) 2> /dev/null");
    for (auto server = servers_.rbegin(); server != servers_.rend(); ++server) {
      ::kill(*server, SIGTERM);
      for (int i = 0; i < 100 && ::waitpid(*server, nullptr, WNOHANG) == 0; ++i) {
        if (i == 60) ::kill(*server, SIGKILL);
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
      }
    }
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  SlurmCluster(const SlurmCluster&) = delete;
  SlurmCluster& operator=(const SlurmCluster&) = delete;

  const std::string& problem() const { return problem_; }
  const std::filesystem::path& folder() const { return folder_; }

 private:
  static std::string place_of(const char* program) {
    for (const char* folder : {"/usr/sbin/", "/usr/bin/"})
      if (::access((std::string(folder) + program).c_str(), X_OK) == 0) return std::string(folder) + program;
    return {};
  }

  std::string start() {
    for (const char* needed : {"munged", "slurmctld", "slurmd", "srun", "sbatch"})
      if (place_of(needed).empty()) return fmt::format("{} is not installed", needed);
    char name[256] = {};
    ::gethostname(name, sizeof name - 1);
    const std::string host = std::string(name).substr(0, std::string(name).find('.'));
    const passwd* user = ::getpwuid(::geteuid());
    if (user == nullptr) return "this user has no name";
    std::random_device random;
    std::string key;
    for (int i = 0; i < 1024; ++i) key += static_cast<char>(random());
    std::ofstream(file("key"), std::ios::binary) << key;
    std::filesystem::permissions(file("key"), std::filesystem::perms::owner_read);
    serve({place_of("munged"), "--foreground", "--force", "--key-file=" + file("key"), "--socket=" + file("munge"),
           "--pid-file=" + file("munge.pid"), "--log-file=" + file("munge.log"), "--seed-file=" + file("munge.seed")});
    const int port = 20000 + static_cast<int>(random() % 40000);
    std::ofstream(file("slurm.conf")) << fmt::format(
        "ClusterName=lanescope\nSlurmctldHost={0}(127.0.0.1)\nSlurmctldPort={1}\nSlurmdPort={2}\nSlurmUser={3}\n"
        "SlurmdUser={3}\nAuthType=auth/munge\nCryptoType=crypto/munge\nAuthInfo=socket={4}/munge\n"
        "StateSaveLocation={4}/state\nSlurmdSpoolDir={4}/spool\nSlurmctldPidFile={4}/controller.pid\n"
        "SlurmdPidFile={4}/node.pid\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n"
        "SchedulerType=sched/builtin\nSelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\nReturnToService=2\n"
        "MpiDefault=none\nJobAcctGatherType=jobacct_gather/none\nAccountingStorageType=accounting_storage/none\n"
        "NodeName={0} NodeAddr=127.0.0.1 CPUs={5} State=UNKNOWN\nPartitionName=all Nodes=ALL Default=YES State=UP\n",
        host, port, port + 1, user->pw_name, folder_.string(),
        std::max(1L, std::min(2L, ::sysconf(_SC_NPROCESSORS_ONLN))));
    ::setenv("SLURM_CONF", file("slurm.conf").c_str(), 1);
    for (int i = 0; i < 100 && !std::filesystem::exists(file("munge")); ++i) pause();
    serve({place_of("slurmctld"), "-D", "-f", file("slurm.conf")});
    serve({place_of("slurmd"), "-D", "-N", host, "-f", file("slurm.conf")});
    for (int i = 0; i < 200; ++i) {
      if (std::system("sinfo --noheader 2> /dev/null | grep -q idle") == 0) return "";
      pause();
    }
    return "its node does not come up: " + last_words();
  }

  std::string file(const char* name) const { return (folder_ / name).string(); }
  static void pause() { std::this_thread::sleep_for(std::chrono::milliseconds(100)); }
  std::string last_words() const {
    const std::string all = slurp(folder_ / "servers.log");
    return all.substr(all.size() - std::min<std::size_t>(all.size(), 600));
  }

  void serve(std::vector<std::string> command) {
    std::vector<char*> words;
    for (std::string& word : command) words.push_back(word.data());
    words.push_back(nullptr);
    const std::string log = file("servers.log");
    const pid_t pid = ::fork();
    if (pid != 0) {
      servers_.push_back(pid);
      return;
    }
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that is killed leaves no cluster
    for (int fd = 3; fd < 1024; ++fd) ::close(fd);
    std::freopen("/dev/null", "r", stdin);
    std::freopen(log.c_str(), "a", stdout);
    std::freopen(log.c_str(), "a", stderr);
    ::execv(words[0], words.data());
    ::_exit(127);
  }

  std::filesystem::path folder_;
  std::string problem_;
  std::vector<pid_t> servers_;
};

}  // namespace lanescope::cli
