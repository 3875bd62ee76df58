#pragma once
// A child that never answers, and a caller whose deadline passes as soon as it runs.

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace lanescope {

class Sleeper {
 public:
  /// The first child that runs command() sleeps; any later one does `afterwards`, a line of sh.
  explicit Sleeper(std::string afterwards = "exit 3")
      : afterwards_(std::move(afterwards)),
        file_(std::filesystem::temp_directory_path() /
              ("lanescope_sleeper_" + std::to_string(::getpid()) + "_" + std::to_string(std::random_device{}()))),
        impatient_([this] { cancel_when_it_runs(); }) {}
  ~Sleeper() {
    ended_ = true;
    impatient_.join();
    std::filesystem::remove(file_);
  }
  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;

  std::vector<std::string> command() const {
    // The file appears whole: what reads it never sees a part of the number.
    return {
        "sh", "-c",
        "if test -e \"$0\"; then " + afterwards_ + "; fi; echo $$ >\"$0.part\"; mv \"$0.part\" \"$0\"; exec sleep 30",
        file_.string()};
  }
  const std::atomic<bool>* cancelled() const { return &cancelled_; }

  /// It ran, and there is no such process now, not even a zombie.
  testing::AssertionResult gone() const {
    pid_t pid = 0;
    if (!(std::ifstream(file_) >> pid) || pid <= 0) return testing::AssertionFailure() << "it has never run";
    if (::kill(pid, 0) == 0 || errno != ESRCH) return testing::AssertionFailure() << pid << " is still there";
    return testing::AssertionSuccess();
  }

 private:
  void cancel_when_it_runs() {
    while (!ended_ && !std::filesystem::exists(file_)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    cancelled_ = true;
  }

  std::string afterwards_;
  std::filesystem::path file_;
  std::atomic<bool> cancelled_ = false, ended_ = false;
  std::thread impatient_;  // last: it looks at what is above
};

}  // namespace lanescope
