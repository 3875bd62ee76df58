// Work beside the window wakes it when there is a result to take, and not before: the frame of the wake-up
// may be the last one for a long time.

#include <atomic>
#include <chrono>
#include <thread>

#include "app/engine/session/session.h"
#include "app/gui/design/designer.h"
#include "app/gui/design/improvement.h"
#include "app/gui/handout/handout_export.h"
#include "app/gui/lecture/lecture.h"
#include "kernels/compile/compile.h"
#include "tests/app/gui/fixture.h"

namespace lanescope::gui {
namespace {

using namespace std::chrono_literals;

/// The first wake-up holds its thread until the frame has looked.
class FirstWake {
 public:
  std::function<void()> on_event() {
    return [this] {
      if (woken_.exchange(true)) return;
      for (int i = 0; i < 5'000 && !looked_; ++i) std::this_thread::sleep_for(1ms);
    };
  }
  /// Result of `look` in the frame of the wake-up; false: there was none.
  template <class Look>
  bool finds(Look look) {
    for (int i = 0; i < 60'000 && !woken_; ++i) std::this_thread::sleep_for(1ms);
    const bool found = woken_ && look();
    looked_ = true;
    return found;
  }

 private:
  std::atomic<bool> woken_ = false, looked_ = false;
};

class WakeTest : public ExplorerTest {};

TEST_F(WakeTest, ADesignIsPlanned) {
  FirstWake wake;
  Designer designer;
  designer.make_channel = [] { return nullptr; };
  designer.on_event = wake.on_event();
  designer.start_new();
  designer.advance(0);
  ASSERT_TRUE(designer.planning());
  EXPECT_TRUE(wake.finds([&] { return designer.advance(0); }));
  EXPECT_NE(designer.study(), nullptr);
}

TEST_F(WakeTest, ALessonsAnswerIsThere) {
  FirstWake wake;
  Lecture lecture;  // without a program: each answer is a refusal
  lecture.on_event = wake.on_event();
  ASSERT_TRUE(lecture.open(LANESCOPE_TEST_DATA_DIR "/lessons/01-first"));
  const lessons::Question& question = *lecture.lesson()->questions().front();
  lecture.answer(question);
  lecture.advance();
  ASSERT_TRUE(lecture.busy());
  EXPECT_TRUE(wake.finds([&] { return lecture.advance(); }));
}

TEST_F(WakeTest, AHandoutIsWritten) {
  FirstWake wake;
  HandoutExport handout;
  handout.on_event = wake.on_event();
  HandoutExport::Wanted wanted{.what = HandoutExport::What::moments, .path = folder() + "/m.html", .theme = "light"};
  wanted.request.file = folder() + "/none.cu";
  ASSERT_TRUE(handout.begin(wanted));
  EXPECT_TRUE(wake.finds([&] { return handout.advance().has_value(); }));
  EXPECT_TRUE(handout.settled());
}

TEST_F(WakeTest, ABetterPlanIsMade) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  engine::RunRequest request;
  request.file = kernel("half2_transposes.cu");
  request.text = *read_text(request.file);
  engine::Session session;
  const results::Summary& summary = session.run(request);
  const std::vector<std::size_t> claims = assist::claims_between_which(summary);
  ASSERT_GE(claims.size(), 2u);
  FirstWake wake;
  Improvement improvement;
  improvement.on_event = wake.on_event();
  improvement.begin(request, summary, {claims[0], claims[1]});
  ASSERT_TRUE(improvement.planning());
  EXPECT_TRUE(wake.finds([&] { return improvement.advance(); }));
  EXPECT_FALSE(improvement.planning());
}

}  // namespace
}  // namespace lanescope::gui
