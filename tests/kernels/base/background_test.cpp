#include "kernels/base/background.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>

namespace lanescope {
namespace {

using namespace std::chrono_literals;

/// Waits for at most 20 s.
template <class Condition>
bool comes_true(Condition condition) {
  for (int i = 0; i < 20'000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(1ms);
  }
  return false;
}

// A frame that a wake-up causes looks at once, and perhaps never again.
TEST(Background, TheResultIsThereAtTheWakeUp) {
  for (int i = 0; i < 200; ++i) {
    Background<int> work;
    std::atomic<bool> woken = false, looked = false;
    work.start([i](const std::stop_token&) { return i; },
               [&] {
                 woken = true;
                 comes_true([&] { return looked.load(); });
               });
    ASSERT_TRUE(comes_true([&] { return woken.load(); }));
    const std::optional<int> result = work.take();
    looked = true;
    ASSERT_EQ(result, i);
    EXPECT_FALSE(work.running());
    EXPECT_EQ(work.take(), std::nullopt) << "it is taken once";
  }
}

TEST(Background, NothingIsTakenBeforeTheEnd) {
  Background<std::unique_ptr<std::string>> work;
  EXPECT_FALSE(work.running());
  EXPECT_FALSE(work.take());
  std::atomic<bool> go = false;
  work.start(
      [&](const std::stop_token&) {
        comes_true([&] { return go.load(); });
        return std::make_unique<std::string>("done");
      },
      nullptr);
  EXPECT_TRUE(work.running());
  EXPECT_FALSE(work.take());
  go = true;
  std::optional<std::unique_ptr<std::string>> result;
  ASSERT_TRUE(comes_true([&] { return (result = work.take()).has_value(); }));
  EXPECT_EQ(**result, "done");
}

TEST(Background, CancelledWorkStopsAndIsDropped) {
  std::atomic<int> ended = 0;
  const auto until_stopped = [&](const std::stop_token& stop) {
    comes_true([&] { return stop.stop_requested(); });
    return ++ended;
  };
  {
    Background<int> work;
    work.start(until_stopped, nullptr);
    work.cancel();
    EXPECT_EQ(ended, 1);
    EXPECT_FALSE(work.running());
    EXPECT_FALSE(work.take());
    work.start(until_stopped, nullptr);
    work.start([](const std::stop_token&) { return 7; }, nullptr);
    EXPECT_EQ(ended, 2) << "new work ends the work before";
    std::optional<int> result;
    ASSERT_TRUE(comes_true([&] { return (result = work.take()).has_value(); }));
    EXPECT_EQ(result, 7);
    work.start(until_stopped, nullptr);
  }
  EXPECT_EQ(ended, 3) << "so does the end of its owner";
}

TEST(Background, AnExceptionOfTheWorkIsThrownWhereItIsTaken) {
  Background<int> work;
  std::atomic<bool> woken = false;
  work.start([](const std::stop_token&) -> int { throw std::runtime_error("no memory"); }, [&] { woken = true; });
  ASSERT_TRUE(comes_true([&] { return woken.load(); }));
  EXPECT_THROW(work.take(), std::runtime_error);
  EXPECT_FALSE(work.running());
}

}  // namespace
}  // namespace lanescope
