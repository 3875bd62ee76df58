#pragma once
// One thread for slow tasks beside the main work: one at a time, and of those that wait only the newest.

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace lanescope::engine {

class SideThread {
 public:
  /// Replaces an task that waits; one that is going on is finished first. The thread lives from the first one to the
  /// end of the process.
  void start(std::function<void()> task) {
    const std::lock_guard lock(mutex_);
    waiting_ = std::move(task);
    if (!running_) std::thread([this] { work(); }).detach();
    running_ = true;
    ready_.notify_one();
  }

 private:
  void work() {
    for (;;) {
      std::unique_lock lock(mutex_);
      ready_.wait(lock, [this] { return static_cast<bool>(waiting_); });
      const std::function<void()> task = std::exchange(waiting_, {});
      lock.unlock();
      task();
    }
  }

  std::mutex mutex_;
  std::condition_variable ready_;
  std::function<void()> waiting_;
  bool running_ = false;
};

}  // namespace lanescope::engine
