// What the window sees when the worker behind its pipe is killed: the run and the moment come again.

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "app/engine/wire/messages.h"
#include "app/gui/backend/backend.h"

namespace lanescope::gui {
namespace {

using engine::wire::encode;

class Reconnect : public testing::Test {
 protected:
  void SetUp() override {
    pid_file_ = (std::filesystem::temp_directory_path() / ("lanescope_pid_" + std::to_string(::getpid()))).string();
    backend_ = make_worker_backend("echo $$ > '" + pid_file_ + "'; exec '" LANESCOPE_PROGRAM "' worker");
  }
  void TearDown() override {
    backend_.reset();
    std::filesystem::remove(pid_file_);
  }

  /// One thread that counts for a while, so that there is time to be killed in, and stores.
  static engine::RunRequest request() {
    engine::RunRequest r;
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
  /// Every event until there is an Event, each told to `see` first; nullopt after a minute.
  template <class Event>
  static std::optional<Event> wait(Backend& backend, const std::function<void(const BackendEvent&)>& see = {}) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (std::chrono::steady_clock::now() < until) {
      for (BackendEvent& event : backend.poll()) {
        if (see) see(event);
        if (auto* found = std::get_if<Event>(&event)) return std::move(*found);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return std::nullopt;
  }
  std::optional<results::Moment> moment(Backend& backend, std::uint64_t ticket) const {
    backend.request_moment(ticket, ask_);
    const auto arrived = wait<MomentArrived>(backend);
    EXPECT_TRUE(arrived && arrived->ticket == ticket);
    return arrived ? std::optional(arrived->moment) : std::nullopt;
  }
  static void expect_equal(const std::optional<results::Moment>& a, const std::optional<results::Moment>& b) {
    ASSERT_TRUE(a && b);
    EXPECT_EQ(encode(*a), encode(*b));
  }

  std::string pid_file_;
  std::unique_ptr<Backend> backend_;
  engine::MomentRequest ask_{.step = 17, .families = {}};
};

TEST_F(Reconnect, AWorkerKilledInARunAtRestAndInAMomentChangesNothing) {
  const auto thread = make_thread_backend();
  thread->submit(1, request());
  const auto here = wait<RunFinished>(*thread);
  ASSERT_TRUE(here && here->summary.ok);
  const auto wanted = moment(*thread, 2);

  backend_->submit(1, request());
  bool was_killed = false, told = false;
  const auto there = wait<RunFinished>(*backend_, [&](const BackendEvent& event) {
    const auto* progress = std::get_if<RunProgress>(&event);
    if (progress && !was_killed) kill_worker(), was_killed = true;
    told = told || (progress && progress->stage == "connecting again");
    EXPECT_FALSE(std::holds_alternative<EngineStopped>(event));
  });
  ASSERT_TRUE(there && there->ticket == 1);
  EXPECT_TRUE(was_killed && told);
  EXPECT_EQ(encode(there->summary), encode(here->summary));
  expect_equal(moment(*backend_, 3), wanted);

  kill_worker();
  EXPECT_TRUE(wait<EngineStopped>(*backend_));  // at rest: said, and the next question is answered
  expect_equal(moment(*backend_, 4), wanted);

  kill_worker();
  expect_equal(moment(*backend_, 5), wanted);  // asked before anybody noticed

  backend_->request_moment(6, ask_);
  backend_->poll();  // it is on its way
  kill_worker();
  const auto last = wait<MomentArrived>(*backend_);
  ASSERT_TRUE(last && last->ticket == 6);
  expect_equal(last->moment, wanted);
  EXPECT_FALSE(backend_->busy());
}

}  // namespace
}  // namespace lanescope::gui
