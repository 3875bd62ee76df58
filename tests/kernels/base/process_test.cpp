#include "kernels/base/process.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "tests/kernels/base/sleeper.h"

namespace lanescope {
namespace {

using Outcome = Process::Outcome;
using namespace std::chrono_literals;

TEST(Frames, ArriveAsTheyWereSent) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  EXPECT_TRUE(write_frame(ends[1], {}));
  EXPECT_TRUE(write_frame(ends[1], {1, 2, 3}));
  EXPECT_TRUE(write_all(ends[1], {9, 0, 0, 0, 1}));
  ::close(ends[1]);
  EXPECT_EQ(read_frame(ends[0]), Bytes{});
  EXPECT_EQ(read_frame(ends[0]), (Bytes{1, 2, 3}));
  EXPECT_EQ(read_frame(ends[0]), std::nullopt) << "cut off";
  EXPECT_EQ(read_frame(ends[0]), std::nullopt) << "at the end";
  ::close(ends[0]);
}

TEST(Process, ExchangesFramesOfAnySizeWithOneChild) {
  const std::atomic<bool> cancelled = false;
  Process child;
  ASSERT_EQ(child.start({"cat"}), "");
  for (const std::size_t size : {0u, 1u, 65532u, 65533u, 3'000'000u}) {
    const Bytes sent(size, static_cast<std::uint8_t>(size));
    Bytes got;
    for (const Patience& patience : {Patience(20s), Patience(20s, &cancelled)}) {
      EXPECT_EQ(child.exchange(sent, patience, got), Outcome::answered) << size;
      EXPECT_TRUE(got == sent) << size;
    }
  }
  EXPECT_TRUE(child.running());
}

TEST(Process, AnExchangeThatIsNotWantedAnyMoreEnds) {
  Sleeper sleeper;
  Process child;
  ASSERT_EQ(child.start(sleeper.command()), "");
  Bytes answer;
  EXPECT_EQ(child.exchange(Bytes(1'000'000), {20min, sleeper.cancelled()}, answer), Outcome::cancelled);
  EXPECT_TRUE(answer.empty());
  child.kill();
  EXPECT_NE(child.ending().find("signal 9"), std::string::npos);
  EXPECT_TRUE(sleeper.gone());
}

// Whoever looks at the flag only while nothing arrives listens to such a child for ever.
TEST(Process, OneThatNeverStopsTalkingIsCancelledToo) {
  std::atomic<bool> cancelled = false;
  Process child;
  ASSERT_EQ(child.start({"sh", "-c", "while :; do echo; done"}), "");
  std::thread impatient([&] {
    std::this_thread::sleep_for(20ms);
    cancelled = true;
  });
  Bytes answer;
  EXPECT_EQ(child.converse({}, {30s, &cancelled}, answer), Outcome::cancelled);
  impatient.join();
}

TEST(Process, OneThatIsForgottenIsEnded) {
  Sleeper sleeper;
  {
    Process child;
    ASSERT_EQ(child.start(sleeper.command()), "");
    while (!*sleeper.cancelled()) std::this_thread::sleep_for(1ms);
  }
  EXPECT_TRUE(sleeper.gone());
}

// Two threads may talk to children at once, so the signal is held back for the thread that writes and for no other.
TEST(Process, WritingToOneThatHasDiedIsNoSignal) {
  struct sigaction before {
  }, after{};
  ::sigaction(SIGPIPE, nullptr, &before);
  ASSERT_EQ(before.sa_handler, SIG_DFL);
  Process child;
  ASSERT_EQ(child.start({"sh", "-c", "exit 4"}), "");
  Bytes answer;
  EXPECT_EQ(child.exchange(Bytes(1'000'000), 20s, answer), Outcome::ended);
  EXPECT_EQ(child.ending(), "left with status 4 and no answer");
  ::sigaction(SIGPIPE, nullptr, &after);
  EXPECT_EQ(after.sa_handler, SIG_DFL);
  sigset_t held, pending;
  ::pthread_sigmask(SIG_BLOCK, nullptr, &held);
  ::sigpending(&pending);
  EXPECT_EQ(::sigismember(&held, SIGPIPE), 0);
  EXPECT_EQ(::sigismember(&pending, SIGPIPE), 0);
}

TEST(Process, SaysWhatCannotBeStarted) {
  Process child;
  EXPECT_NE(child.start({"/nowhere/at-all"}).find("/nowhere/at-all"), std::string::npos);
  EXPECT_FALSE(child.running());
  EXPECT_NE(child.start({}), "");
}

}  // namespace
}  // namespace lanescope
