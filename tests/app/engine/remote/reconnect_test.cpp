// A worker that is killed after its pipe: the run and the moment come again.

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "app/engine/remote/client.h"
#include "app/engine/remote/service.h"
#include "app/engine/wire/messages.h"

namespace lanescope::engine {
namespace {

using wire::encode;

class Reconnect : public testing::Test {
 protected:
  void SetUp() override {
    pid_file_ = (std::filesystem::temp_directory_path() / ("lanescope_pid_" + std::to_string(::getpid()))).string();
    channel_ =
        std::make_unique<Client>(via_options("echo $$ > '" + pid_file_ + "'; exec '" LANESCOPE_PROGRAM "' worker"));
  }
  void TearDown() override {
    channel_.reset();
    std::filesystem::remove(pid_file_);
  }

  /// One thread that counts for a while, so that there is time to be killed in, and stores.
  static RunRequest request() {
    RunRequest r;
    r.file = "/nowhere/count.ptx";
    r.text =
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry count(.param .u64 q)\n{\n.reg .pred %p<2>;\n"
        ".reg .b32 %r<4>;\n.reg .b64 %rd<3>;\nld.param.u64 %rd1, [q];\ncvta.to.global.u64 %rd2, %rd1;\n"
        "mov.u32 %r1, 0;\nAGAIN:\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 300000;\n@%p1 bra AGAIN;\n"
        "st.global.u32 [%rd2], %r1;\nret;\n}\n";
    r.launch_file = "/nowhere/count.toml";
    r.launch_text = "[lanescope]\nblock = 1\nargs = [\"b\"]\n[buffers]\nb = \"u32 i:1 = zeros\"\n";
    return r;
  }

  void kill_worker() const {
    pid_t pid = 0;
    std::ifstream(pid_file_) >> pid;
    ASSERT_GT(pid, 1);
    ASSERT_EQ(::kill(pid, SIGKILL), 0);
  }
  /// Every event until there is a What with its ticket, each shown to `see` first; nullopt after a minute.
  template <class What>
  static std::optional<std::pair<Ticket, What>> wait(Channel& channel,
                                                     const std::function<void(const Event&)>& see = {}) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (std::chrono::steady_clock::now() < until) {
      while (auto event = channel.poll()) {
        if (see) see(*event);
        if (auto* found = std::get_if<What>(&event->what)) return std::pair(event->ticket, std::move(*found));
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return std::nullopt;
  }
  std::optional<results::Moment> moment(Channel& channel) const {
    const Ticket ticket = channel.send<ask::Moment>(ask_);
    const auto arrived = wait<Answered<ask::Moment>>(channel);
    EXPECT_TRUE(arrived && arrived->first == ticket);
    return arrived ? std::optional(arrived->second.value) : std::nullopt;
  }
  static void expect_equal(const std::optional<results::Moment>& a, const std::optional<results::Moment>& b) {
    ASSERT_TRUE(a && b);
    EXPECT_EQ(encode(*a), encode(*b));
  }

  std::string pid_file_;
  std::unique_ptr<Channel> channel_;
  MomentRequest ask_{.step = 17, .families = {}};
};

TEST_F(Reconnect, AWorkerKilledInARunAtRestAndInAMomentChangesNothing) {
  Service service;
  service.send<ask::Run>(request());
  const auto here = wait<Answered<ask::Run>>(service);
  ASSERT_TRUE(here && here->second.value.summary.ok);
  const auto wanted = moment(service);

  const Ticket run = channel_->send<ask::Run>(request());
  bool was_killed = false, reported = false;
  const auto there = wait<Answered<ask::Run>>(*channel_, [&](const Event& event) {
    if (std::holds_alternative<Progress>(event.what) && !was_killed) kill_worker(), was_killed = true;
    reported = reported || (std::holds_alternative<Repeated>(event.what) && event.ticket == run);
    EXPECT_FALSE(std::holds_alternative<Stopped>(event.what));
  });
  ASSERT_TRUE(there && there->first == run);
  EXPECT_TRUE(was_killed && reported);
  EXPECT_EQ(encode(there->second.value.summary), encode(here->second.value.summary));
  expect_equal(moment(*channel_), wanted);

  kill_worker();
  EXPECT_TRUE(wait<Stopped>(*channel_));  // at rest: said, and the next question is answered
  expect_equal(moment(*channel_), wanted);

  kill_worker();
  expect_equal(moment(*channel_), wanted);  // sent before the loss is noticed

  const Ticket last = channel_->send<ask::Moment>(ask_);
  const auto early = channel_->poll();  // it is sent, and may be answered already
  kill_worker();
  if (early && std::holds_alternative<Answered<ask::Moment>>(early->what)) {
    EXPECT_EQ(early->ticket, last);
    expect_equal(std::get<Answered<ask::Moment>>(early->what).value, wanted);
    return;
  }
  const auto arrived = wait<Answered<ask::Moment>>(*channel_);
  ASSERT_TRUE(arrived && arrived->first == last);
  expect_equal(arrived->second.value, wanted);
  EXPECT_FALSE(channel_->busy());
}

}  // namespace
}  // namespace lanescope::engine
