#pragma once
// Work on a thread of its own, whose result is taken in a later frame.
//
//   Background<Plan> planning;
//   planning.start([sheet](std::stop_token) { return plan_of(sheet); }, wake);
//   ...
//   if (auto plan = planning.take()) show(*plan);
//
// `wake` is called after the result is stored, so that the frame that it causes finds it. (A task of std::async that
// wakes at its end wakes before its future is ready; a frame in between finds nothing, sleeps again, and is not woken.)

#include <chrono>
#include <exception>
#include <functional>
#include <future>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

namespace lanescope {

template <class T>
class Background {
 public:
  /// Replaces and ends earlier work. `work`: called with a std::stop_token. `wake`: called on the thread of the work;
  /// optional.
  void start(auto work, std::function<void()> wake) {
    cancel();
    std::promise<T> promise;
    result_ = promise.get_future();
    thread_ = std::jthread([work = std::move(work), wake = std::move(wake),
                            promise = std::move(promise)](const std::stop_token& stop) mutable {
      try {
        promise.set_value(work(stop));
      } catch (...) {
        promise.set_exception(std::current_exception());
      }
      if (wake) wake();
    });
  }

  /// Work was started, and its result has not been taken.
  bool running() const { return result_.valid(); }

  /// The result, once. An exception of the work is thrown here.
  std::optional<T> take() {
    if (!result_.valid() || result_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return std::nullopt;
    return result_.get();
  }

  /// Requests the work to stop, waits for its end, and drops its result.
  void cancel() {
    thread_ = {};
    result_ = {};
  }

 private:
  std::future<T> result_;
  std::jthread thread_;  ///< last: it is joined before the other members are destroyed
};

}  // namespace lanescope
