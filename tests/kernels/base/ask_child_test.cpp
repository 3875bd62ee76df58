#include "kernels/base/process.h"

#include <gtest/gtest.h>

#include <numeric>

#include "kernels/base/conversation.h"
#include "tests/kernels/base/sleeper.h"

namespace lanescope {
namespace {

using End = ChildReply::End;
using namespace std::chrono_literals;

ChildReply ask_shell(const std::string& script, const Bytes& question, std::chrono::milliseconds limit = 20s) {
  return ask_child({"sh", "-c", script}, question, "the errand", limit);
}

Bytes many(std::size_t count) {
  Bytes bytes(count);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
  return bytes;
}

TEST(AskChild, BringsBackEveryByteOfAnySize) {
  for (const std::size_t size : {1u, 4095u, 65536u, 65537u, 3'000'000u}) {
    const ChildReply reply = ask_shell("cat", many(size));
    EXPECT_EQ(reply.end, End::answered);
    EXPECT_TRUE(reply.answer == many(size)) << size;
  }
}

TEST(AskChild, AChildThatReadsNothingStillAnswers) {
  const ChildReply reply = ask_shell("echo done", many(1'000'000));
  EXPECT_EQ(reply.end, End::answered);
  EXPECT_EQ(std::string(reply.answer.begin(), reply.answer.end()), "done\n");
}

TEST(AskChild, SaysHowAChildEndedWithoutAnswer) {
  const ChildReply left = ask_shell("cat >/dev/null; exit 7", many(10));
  EXPECT_EQ(left.end, End::died);
  EXPECT_EQ(left.problem.message, "the process of the errand exited with status 7 without an answer");
  const ChildReply killed = ask_shell("kill -11 $$", many(10));
  EXPECT_EQ(killed.end, End::died);
  EXPECT_NE(killed.problem.message.find("signal 11"), std::string::npos) << killed.problem.message;
}

TEST(AskChild, EndsOneThatIsLate) {
  const auto start = std::chrono::steady_clock::now();
  const ChildReply reply = ask_shell("exec sleep 30", {}, 200ms);
  EXPECT_EQ(reply.end, End::late);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 15s);
  EXPECT_NE(reply.problem.message.find("0.2 s"), std::string::npos) << reply.problem.message;
}

TEST(AskChild, EndsOneWhoseAnswerIsNotWantedAnyMore) {
  Sleeper sleeper;
  const ChildReply reply = ask_child(sleeper.command(), many(1'000'000), "the errand", {20min, sleeper.cancelled()});
  EXPECT_EQ(reply.end, End::cancelled);
  EXPECT_EQ(reply.problem.message, "the errand was cancelled");
  EXPECT_TRUE(sleeper.gone());
}

TEST(AskChild, StartsNothingThatIsNotWanted) {
  const std::atomic<bool> cancelled = true;
  EXPECT_EQ(ask_child({"/nowhere/at-all"}, {}, "the errand", {20s, &cancelled}).end, End::cancelled);
}

TEST(AskChild, AFlagThatIsNotSetChangesNothing) {
  const std::atomic<bool> cancelled = false;
  const ChildReply reply = ask_child({"cat"}, many(100'000), "the errand", {20s, &cancelled});
  EXPECT_EQ(reply.end, End::answered);
  EXPECT_TRUE(reply.answer == many(100'000));
  EXPECT_EQ(ask_child({"sleep", "30"}, {}, "the errand", {50ms, &cancelled}).end, End::late);
}

TEST(AskChild, SaysWhatCannotBeStarted) {
  const ChildReply reply = ask_child({"/nowhere/at-all"}, {}, "the errand", 1s);
  EXPECT_EQ(reply.end, End::not_started);
  EXPECT_NE(reply.problem.message.find("/nowhere/at-all"), std::string::npos);
  EXPECT_EQ(ask_child({}, {}, "the errand", 1s).end, End::not_started);
}

}  // namespace
}  // namespace lanescope
