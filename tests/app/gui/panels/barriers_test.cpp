// Barriers: what the panel shows at a step, and where a click on a row leads.

#include <algorithm>
#include <string>

#include "tests/app/gui/fixture.h"

namespace lanescope::gui {
namespace {

class BarriersPanelTest : public ExplorerTest {};

TEST_F(BarriersPanelTest, AWarpThatWaitsIsARowThatLeadsToItsStep) {
  open_kernel("shared_transpose_padded.cu");
  script("wait\ncommand panel.barriers\nframes 2\nexpect front.barriers yes");
  const results::Summary& s = app().results.summary;
  const auto wait = std::ranges::find_if(s.waits, [](const results::Wait& w) { return w.until > w.from + 1; });
  ASSERT_NE(wait, s.waits.end());
  const auto n = std::to_string(wait - s.waits.begin());
  app().navigation.go_to_step(std::int64_t{wait->from} + 1);
  script("wait\nframes 2\nexpect scene barriers contains wait/" + n);
  script("click scene barriers wait/" + n + "\nwait\nexpect selection.warp " + std::to_string(wait->warp));
  EXPECT_EQ(app().navigation.selection.step, std::int64_t{wait->from});
}

}  // namespace
}  // namespace lanescope::gui
