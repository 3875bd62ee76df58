#include "kernels/base/conversation.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <random>
#include <thread>

#include "tests/kernels/base/sleeper.h"

namespace lanescope {
namespace {

using namespace std::chrono_literals;

Process started(const std::vector<std::string>& command) {
  auto child = Process::start(command);
  EXPECT_TRUE(child) << command.front();
  return child ? std::move(*child) : Process();
}

TEST(Frames, ArriveAsTheyWereSent) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  EXPECT_TRUE(write_frame(ends[1], {}));
  EXPECT_TRUE(write_frame(ends[1], {1, 2, 3}));
  EXPECT_TRUE(write_all(ends[1], {9, 0, 0, 0, 0, 1}));
  ::close(ends[1]);
  EXPECT_EQ(read_frame(ends[0]), Bytes{});
  EXPECT_EQ(read_frame(ends[0]), (Bytes{1, 2, 3}));
  EXPECT_EQ(read_frame(ends[0]), std::nullopt) << "cut off";
  EXPECT_EQ(read_frame(ends[0]), std::nullopt) << "at the end";
  ::close(ends[0]);
}

// However a stream is cut into pieces, the same frames come out.
TEST(Frames, AreCutFromAnyPieces) {
  std::mt19937 random(1);
  const std::vector<Frame> sent = {{7, {1, 2, 3}}, {0, {}}, {255, Bytes(70'000, 9)}, {7, {4}}};
  Bytes stream;
  for (const Frame& frame : sent) {
    const Bytes bytes = packed_frame(frame.kind, frame.payload);
    stream.insert(stream.end(), bytes.begin(), bytes.end());
  }
  for (int trial = 0; trial < 50; ++trial) {
    FrameCutter frames;
    std::size_t at = 0, got = 0;
    while (at < stream.size()) {
      const std::size_t piece = std::min<std::size_t>(1 + random() % (1 + random() % 30'000), stream.size() - at);
      frames.feed({stream.data() + at, piece});
      at += piece;
      while (const auto frame = frames.next()) {
        ASSERT_LT(got, sent.size());
        EXPECT_EQ(frame->kind, sent[got].kind);
        EXPECT_TRUE(frame->payload == sent[got].payload);
        ++got;
      }
    }
    EXPECT_EQ(got, sent.size());
    EXPECT_EQ(frames.broken(), "");
  }
}

TEST(Frames, OfUnknownKindOrTooLongBreakTheStreamBeforeTheirPayload) {
  FrameCutter kinds(100, [](std::uint8_t kind) { return kind == 1; });
  kinds.feed(packed_frame(2, Bytes(50)));
  EXPECT_FALSE(kinds.next());
  EXPECT_NE(kinds.broken().find("unknown kind 2"), std::string::npos);
  FrameCutter length(100);
  length.feed(Bytes{101, 0, 0, 0, 1});
  EXPECT_FALSE(length.next());
  EXPECT_NE(length.broken().find("101"), std::string::npos);
}

TEST(Process, ExchangesFramesOfAnySizeWithOneChild) {
  const std::atomic<bool> cancelled = false;
  Process child = started({"cat"});
  for (const std::size_t size : {0u, 1u, 65532u, 65533u, 3'000'000u}) {
    const Bytes sent(size, static_cast<std::uint8_t>(size));
    Bytes got;
    for (const Deadline& deadline : {Deadline(20s), Deadline(20s, &cancelled)}) {
      EXPECT_EQ(exchange(child, sent, deadline, got), Outcome::answered) << size;
      EXPECT_TRUE(got == sent) << size;
    }
  }
  EXPECT_TRUE(child.running());
}

TEST(Process, AnExchangeThatIsNotWantedAnyMoreEnds) {
  Sleeper sleeper;
  Process child = started(sleeper.command());
  Bytes answer;
  EXPECT_EQ(exchange(child, Bytes(1'000'000), {20min, sleeper.cancelled()}, answer), Outcome::cancelled);
  EXPECT_TRUE(answer.empty());
  EXPECT_NE(child.end().find("signal 9"), std::string::npos);
  EXPECT_TRUE(sleeper.gone());
}

// A loop that checks the flag only without input reads such a child for ever.
TEST(Process, OneThatNeverStopsTalkingIsCancelledToo) {
  std::atomic<bool> cancelled = false;
  Process child = started({"sh", "-c", "while :; do echo; done"});
  std::thread impatient([&] {
    std::this_thread::sleep_for(20ms);
    cancelled = true;
  });
  Bytes answer;
  EXPECT_EQ(converse(child, {}, {30s, &cancelled}, answer), Outcome::cancelled);
  impatient.join();
}

TEST(Process, OneThatIsForgottenIsEnded) {
  Sleeper sleeper;
  {
    const Process child = started(sleeper.command());
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
  Process child = started({"sh", "-c", "exit 4"});
  Bytes answer;
  EXPECT_EQ(exchange(child, Bytes(1'000'000), 20s, answer), Outcome::ended);
  EXPECT_EQ(child.reap(), "exited with status 4");
  ::sigaction(SIGPIPE, nullptr, &after);
  EXPECT_EQ(after.sa_handler, SIG_DFL);
  sigset_t held, pending;
  ::pthread_sigmask(SIG_BLOCK, nullptr, &held);
  ::sigpending(&pending);
  EXPECT_EQ(::sigismember(&held, SIGPIPE), 0);
  EXPECT_EQ(::sigismember(&pending, SIGPIPE), 0);
}

TEST(Process, SaysWhatCannotBeStarted) {
  const auto nowhere = Process::start({"/nowhere/at-all"});
  ASSERT_FALSE(nowhere);
  EXPECT_NE(nowhere.error().front().message.find("/nowhere/at-all"), std::string::npos);
  EXPECT_FALSE(Process::start({}));
}

TEST(Process, TellsTheLastLineOfAStandardErrorThatIsKept) {
  auto child =
      Process::start({"sh", "-c", "echo first >&2; echo 'no such file ' >&2; exit 5"}, Process::StandardError::kept);
  ASSERT_TRUE(child);
  Bytes none;
  while (child->read_some(none)) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(child->reap(), "exited with status 5, printing \"no such file\"");
  EXPECT_EQ(child->end(), "was not running");
}

// A child that exits does so by itself; one that only closes its output is ended.
TEST(Process, OneThatClosesItsStreamAndStaysIsEnded) {
  Process child = started({"sh", "-c", "exec >&-; exec sleep 30"});
  Bytes none;
  while (child.read_some(none)) std::this_thread::sleep_for(1ms);
  EXPECT_NE(child.reap().find("signal 9"), std::string::npos);
}

// The caller of a reading loop looks at its clock between two calls, for any output of a child.
TEST(Process, ReadsALimitedAmountAtOnce) {
  Process child = started({"yes"});
  Bytes bytes;
  EXPECT_TRUE(child.read_some(bytes));
  EXPECT_LT(bytes.size(), std::size_t{4} << 20);
}

TEST(Process, AChildHasTheSignalsOfAFreshProcess) {
  sigset_t blocked, before;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
  Process child = started({"sh", "-c", "kill -TERM $$; echo survived"});
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  Bytes said;
  while (child.read_some(said)) std::this_thread::sleep_for(1ms);
  EXPECT_TRUE(said.empty());
  EXPECT_NE(child.reap().find("signal 15"), std::string::npos);
}

}  // namespace
}  // namespace lanescope
