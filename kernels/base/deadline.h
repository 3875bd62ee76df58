#pragma once
// How long to wait for another process, with a flag that cancels the wait.

#include <atomic>
#include <chrono>
#include <concepts>

namespace lanescope {

struct Deadline {
  std::chrono::milliseconds limit;
  const std::atomic<bool>* cancelled = nullptr;  ///< polled every few milliseconds by the waiting thread

  // A limit alone is the common case, in any unit that milliseconds can show: std::chrono::seconds(20).
  template <class Count, class Unit>
  requires std::convertible_to<std::chrono::duration<Count, Unit>, std::chrono::milliseconds> Deadline(
      std::chrono::duration<Count, Unit> most, const std::atomic<bool>* no_more = nullptr)
      : limit(most), cancelled(no_more) {}
  bool over() const { return cancelled && cancelled->load(std::memory_order_relaxed); }
};

}  // namespace lanescope
