// Which lines and columns of the source are in sight: the current line always is, lines are whole, and the indentation
// stays.

#include "kernels/compile/compile.h"
#include "tests/app/gui/fixture.h"

namespace lanescope::gui {
namespace {

class SourceScroll : public ExplorerTest {
 protected:
  int number(const std::string& name) { return std::stoi(fact(name)); }
  void expect_in_sight(int line) {
    EXPECT_GE(line, number("source.first"));
    EXPECT_LE(line, number("source.last"));
  }
  ExplorerOptions projector(const std::string& file) {
    ExplorerOptions o = options_for(file);
    o.width = 1280, o.height = 800;
    return o;
  }
};

TEST_F(SourceScroll, OpeningShowsTheCurrentLineAndAllColumns) {
  for (const char* name : {"half2_transposes.cu", "shared_transpose_naive.cu", "copy_float.cu"}) {
    frames.reset();
    open(projector(kernel(name)));
    expect_in_sight(number("selection.line"));
    EXPECT_EQ(fact("source.left"), "0");
  }
}

TEST_F(SourceScroll, ANewKernelStartsWhereItsOwnLineIs) {
  open(projector(kernel("half2_transposes.cu")));
  script("wait\nkey Ctrl+E\nkey End\ntype  // long, long, long, long, long, long, long, long, long, long");
  script("key Ctrl+Z\nkey Escape\nkey Ctrl+N\nwait\nexpect file untitled.cu\nexpect source.left 0\nexpect caret 1:1");
  expect_in_sight(number("selection.line"));
  // As much of a short text as there is room for: nothing is empty below that could be above.
  const int lines = LineIndex(app().document.text()).count();
  EXPECT_GE(number("source.last"), lines - 1);
  EXPECT_LE(number("source.first"), 8) << "lines 20 to 24 alone were shown";
}

TEST_F(SourceScroll, ARestoredSessionStandsOnItsLine) {
  ExplorerOptions o = projector(kernel("half2_transposes.cu"));
  o.no_session = false;
  o.session = folder() + "/session.json";
  open(o);
  const int line = number("selection.line");
  ASSERT_GT(line, 40);
  frames->save_session();
  frames.reset();
  o.file.clear();
  open(o);
  EXPECT_EQ(number("selection.line"), line);
  expect_in_sight(line);
}

TEST_F(SourceScroll, TypingALongLineMovesThatLineAlone) {
  open(projector(kernel("half2_transposes.cu")));
  script("key Ctrl+E\nkey End\nexpect source.hidden_columns 0");
  script("type  // a comment so long that the indentation of all lines goes out of sight");
  script("expect source.left 0");
  EXPECT_GT(number("source.hidden_columns"), 10);
  script("key Home\nexpect source.hidden_columns 0\nkey End\nexpect source.hidden_columns not 0");
  script("key Enter\nexpect source.hidden_columns 0\nexpect source.left 0");
}

TEST_F(SourceScroll, AClickInTheShiftedLineFindsItsColumn) {
  open(projector(kernel("half2_transposes.cu")));
  script("key Ctrl+E\nkey End\ntype  // a comment so long that the indentation of all lines goes out of sight");
  const std::string end = fact("caret");
  const int hidden = number("source.hidden_columns");
  ASSERT_GT(hidden, 0);
  // Just after the left edge of the text: the first column in sight.
  const auto item = find_item("Source text");
  ASSERT_TRUE(item);
  const float line_height = std::round(frames->stage().px(20));
  const int row = std::stoi(end) - number("source.first");
  const float letter = frames->stage().fonts.code->GetCharAdvance('0');
  const float text_x = frames->stage().px(42) + letter * 3;
  script("click at " + std::to_string(item->x + text_x + letter * 2.2f) + " " +
         std::to_string(item->y + (static_cast<float>(row) + 0.5f) * line_height));
  EXPECT_EQ(fact("caret"), std::to_string(std::stoi(end)) + ":" + std::to_string(hidden + 3));
}

TEST_F(SourceScroll, TheCurrentLineStaysInSightWhateverTheSize) {
  open(projector(kernel("half2_transposes.cu")));
  const int line = number("selection.line");
  for (const char* change :
       {"key Ctrl++ 6", "key Ctrl+0", "key F5", "key F5", "key F3", "key F4", "key F2", "command view.code_beside",
        "drag item \"splitter 2\" 0 -220", "key Ctrl+H", "key Escape"}) {
    script(change);
    expect_in_sight(line);
  }
}

TEST_F(SourceScroll, SteppingAndGoingToLinesBringThemIntoSight) {
  open(projector(kernel("half2_transposes.cu")));
  for (const char* keys : {"key Home", "key End", "key Shift+Left 9", "key N", "key P"}) {
    script(std::string(keys) + "\nwait");
    expect_in_sight(number("selection.line"));
  }
}

TEST_F(SourceScroll, LinesAreWholeWhereverTheWheelStops) {
  open(projector(kernel("half2_transposes.cu")));
  script("scroll item \"Source text\" 30\nexpect source.first 1\nscroll item \"Source text\" -1");
  const int after = number("source.first");
  EXPECT_GT(after, 1);
  script("scroll item \"Source text\" -100");
  const int lines = LineIndex(app().document.text()).count();
  EXPECT_EQ(number("source.last"), lines);
  script("frames 4\nexpect source.last " + std::to_string(lines));
}

TEST_F(SourceScroll, TheLineOneLooksAtFollowsItsText) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC on this machine";
  open(projector(kernel("half2_transposes.cu")));
  const int line = number("selection.line");
  script("edit uint laneId => \\n\\nuint laneId\nwait\nexpect results.stale no\nexpect selection.line " +
         std::to_string(line + 2));
  expect_in_sight(line + 2);
}

}  // namespace
}  // namespace lanescope::gui
