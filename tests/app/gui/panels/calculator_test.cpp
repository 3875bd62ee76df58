// The access calculator, as values and as a panel. The oracle is profiling/access itself.

#include "app/gui/model/measurements.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "app/gui/commands/command.h"
#include "tests/app/gui/fixture.h"

namespace lanescope::gui {
namespace {

using access::Shape;

std::string offsets(const access::Access& p) { return fmt::format("{}", fmt::join(p.addresses, " ")); }

TEST(Calculator, EveryShapeIsThePatternOfThatName) {
  for (const Shape shape : access::shapes()) {
    Calculator c;
    c.pick(shape);
    EXPECT_EQ(c.words(), access::name_of(shape));
    EXPECT_EQ(c.problem(), "");
    const auto expected = access::make_pattern(c.spec());
    ASSERT_TRUE(expected) << access::name_of(shape);
    EXPECT_EQ(offsets(c.pattern()), offsets(*expected));
  }
}

TEST(Calculator, BadTextKeepsTheLastGoodPattern) {
  Calculator c;
  c.pick(Shape::formula);
  c.set_formula("lane * 12");
  const std::string good = offsets(c.pattern());
  for (const char* bad : {"lane *", "lane * 4)", "thread", "lane / 0", "lane * 4 - 1000", ""}) {
    c.set_formula(bad);
    EXPECT_NE(c.problem(), "") << bad;
    EXPECT_EQ(offsets(c.pattern()), good) << bad;
    EXPECT_EQ(c.formula_text, bad);
  }
  c.set_formula("lane * 12");
  EXPECT_EQ(c.problem(), "");
  c.set_columns("4 8 sixteen");
  EXPECT_NE(c.problem().find("sixteen"), std::string::npos);
  EXPECT_EQ(offsets(c.pattern()), good);
  c.set_columns("4, 0x8 16");
  EXPECT_EQ(c.pattern().addresses[7], 28u);
  for (const char* bad : {"0x1ffffffff", "all", ""}) {
    c.set_mask(bad);
    EXPECT_NE(c.problem(), "") << bad;
    EXPECT_EQ(c.pattern().mask, 0xffffffffu);
  }
  c.set_mask("0xff");
  EXPECT_EQ(c.problem(), "");
  EXPECT_EQ(c.pattern().mask, 0xffu);
}

TEST(Calculator, EditsStayUntilAShapeIsPicked) {
  Calculator c;
  c.set_offset(5, 4096);
  EXPECT_EQ(c.words(), "edited");
  c.set_width(8);
  c.set_mask("0xf0");
  c.set_space(trace::MemorySpace::shared);
  EXPECT_EQ(c.pattern().addresses[5], 4096u);
  EXPECT_EQ(c.pattern().width_bytes, 8);
  c.set_active(0, true);
  EXPECT_EQ(c.pattern().mask, 0xf1u);
  EXPECT_EQ(c.mask_text, "0x000000f1");
  c.pick(Shape::aligned);
  EXPECT_EQ(c.words(), "aligned");
  EXPECT_EQ(c.pattern().addresses[5], 40u);
}

TEST(Calculator, WavefrontsPlayOnceThrough) {
  Calculator c;
  c.set_space(trace::MemorySpace::shared);
  c.pick(Shape::stride);
  access::PatternSpec spec = c.spec();
  spec.amount = 8;
  c.change(spec);
  const int count = c.wavefront_count();
  EXPECT_EQ(count, static_cast<int>(access::cost(c.pattern()).wavefronts));
  ASSERT_EQ(count, 8);
  c.play(true, 10);
  int seen = 1;
  double now = 10;
  while (c.playing && seen < 100) {
    EXPECT_FALSE(c.advance(now)) << "not before it is due";
    now = c.due();
    EXPECT_TRUE(c.advance(now));
    seen += c.wavefront >= 0;
  }
  EXPECT_EQ(seen, count);
  EXPECT_EQ(c.wavefront, -1);
  c.set_space(trace::MemorySpace::global);
  c.play(true, 0);
  EXPECT_FALSE(c.playing);
}

class CalculatorPanelTest : public ExplorerTest {};

TEST_F(CalculatorPanelTest, NeedsNoKernel) {
  open(options_for("/nowhere/at_all.cu"));
  script(
      "command panel.calculator\nexpect results.have no\nexpect calculator.pattern aligned\nexpect calculator.sectors "
      "4\n"
      "expect scene calculator contains calculator_lane/31");
}

TEST_F(CalculatorPanelTest, PatternsWidthsAndMasksArePicked) {
  open_kernel("copy_float.cu");
  script(R"(
command panel.calculator
click item Pattern
click item stride
expect calculator.pattern stride
expect calculator.sectors 8
click item "Amount more"
expect calculator.sectors 12
click item Amount
key Ctrl+A
type 32
key Enter
expect calculator.sectors 32
click item Space
click item "shared memory"
expect calculator.wavefronts 32
click item Mask
key Ctrl+A
type 0xff
key Enter
expect calculator.mask 0x000000ff
expect calculator.wavefronts 8
click scene calculator calculator_width/8
expect calculator.width 8
click item Direction
)");
}

TEST_F(CalculatorPanelTest, FormulasSayWhatIsWrongAndKeepThePicture) {
  open_kernel("copy_float.cu");
  script(R"(
command panel.calculator
click item Pattern
click item formula
click item Formula
key Ctrl+A
type lane * 256
expect calculator.problem none
expect calculator.sectors 32
expect theme dark
key Ctrl+A
type lane * (4
expect calculator.problem not none
expect calculator.sectors 32
expect scene calculator contains calculator_lane/0
)");
  script("expect text \"" + app().calculator.problem().substr(0, 12) + "\"");
}

TEST_F(CalculatorPanelTest, LanesAreDraggedAndTyped) {
  open_kernel("copy_float.cu");
  script(
      "command panel.calculator\nkey M\ndrag scene calculator calculator_lane/4 100 0\nexpect calculator.pattern "
      "edited");
  const float scale = frames->stage().scenes.at("calculator").scale / frames->stage().scale;
  const auto moved = static_cast<std::uint64_t>(std::lround(100 / scale / 10)) * 4;
  EXPECT_EQ(app().calculator.pattern().addresses[4], 16 + moved);
  script("expect calculator.lane 4\ndrag scene calculator calculator_lane/4 -900 0");
  EXPECT_EQ(app().calculator.pattern().addresses[4], 0u) << "never before the start";
  script("click item Offset\nkey Ctrl+A\ntype 640\nkey Enter");
  EXPECT_EQ(app().calculator.pattern().addresses[4], 640u);
  script(
      "click item \"Lane active\"\nexpect calculator.mask 0xffffffef\nclick scene calculator calculator_lane/4\nexpect "
      "calculator.lane none");
}

TEST_F(CalculatorPanelTest, WavefrontsAreOfSharedMemory) {
  open_kernel("copy_float.cu");
  EXPECT_FALSE(run_command(app(), "calculator.next_wavefront"));
  script(
      "expect remark Only shared memory has wavefronts. Select shared memory first.\ncommand calculator.space\ncommand "
      "calculator.next_wavefront\nexpect calculator.wavefront 0");
}

TEST_F(CalculatorPanelTest, TakesTheAccessOfTheStep) {
  open_kernel("shared_transpose_naive.cu");
  script("expect moment.step not -1");
  ASSERT_TRUE(app().results.moment.access);
  const results::AccessInfo own = *app().results.moment.access;
  script("command panel.calculator\nclick item \"From this step\"\nexpect calculator.pattern step " +
         fact("moment.step"));
  EXPECT_EQ(app().calculator.pattern().mask, own.mask);
  EXPECT_EQ(app().calculator.pattern().addresses, own.addresses);
  EXPECT_EQ(fact(own.space == trace::MemorySpace::shared ? "calculator.wavefronts" : "calculator.sectors"),
            std::to_string(own.space == trace::MemorySpace::shared ? own.cost.wavefronts : own.cost.sectors));
  script(R"(
expect calculator.space shared
expect calculator.wavefronts 32
click item "What if"
click item padding
expect calculator.wavefronts_after 1
click item "Next wavefront"
expect calculator.wavefront 0
command calculator.play
expect calculator.playing yes
command calculator.play
expect calculator.playing no
command calculator.what_if
expect calculator.wavefronts_after 1
command calculator.space
expect calculator.space constant
command calculator.space
expect calculator.space global
)");
}

// The output of `access --path`, in the window: the generation and the path are chosen above the picture.
TEST_F(CalculatorPanelTest, GenerationAndPathAreChosen) {
  open_kernel("copy_float.cu");
  script(R"script(
command panel.calculator
key M
wait
click item Pattern
click item misaligned
wait
expect memory.arch sm_90
expect memory.path each
click item Generation
click item "sm_35 (Kepler)"
wait
expect memory.arch sm_35
expect text 2 transactions, 1 replay · 256 bytes transferred
click item Path
click item read-only
wait
expect memory.path read-only
expect text 12 queries, 5 misses · 160 bytes transferred
click item Path
click item non-caching
wait
expect text 5 segments in 2 transactions, 1 replay · 160 bytes transferred
click item Generation
click item "sm_13 (Tesla)"
wait
expect text 3 transactions: 1 of 32, 1 of 64, 1 of 128 bytes · 224 bytes transferred
expect memory.path non-caching
click item Generation
click item "sm_11 (Tesla)"
wait
expect text 32 transactions: 32 of 32 bytes
click item Generation
click item "that of the GPU"
wait
expect memory.arch sm_90
)script");
}

TEST_F(CalculatorPanelTest, ConstantMemoryTakesTurns) {
  open_kernel("copy_float.cu");
  script(R"(
command panel.calculator
key M
wait
click item Space
click item "constant memory"
wait
expect calculator.space constant
expect calculator.broadcasts 32
expect text 32 broadcasts, 31 replays
click item Pattern
click item broadcast
wait
expect calculator.broadcasts 1
expect text 1 broadcast, no replay
command calculator.space
expect calculator.space global
)");
}

// The next path of the generation, none after the last; a store has one way only.
TEST_F(CalculatorPanelTest, CommandsGoThroughGenerationsAndPaths) {
  open_kernel("copy_float.cu");
  std::set<std::string> archs, paths;
  for (std::size_t n = 0; n <= engine::arch_names().size(); ++n) {
    script("command memory.generation");
    archs.insert(fact("memory.arch"));
  }
  EXPECT_EQ(archs.size(), engine::arch_names().size());
  script("command panel.calculator");
  for (int n = 0; n < 4; ++n) {
    script("command memory.path");
    paths.insert(fact("memory.path"));
  }
  EXPECT_EQ(paths, (std::set<std::string>{"each", "caching", "non-caching", "read-only"}));
}

}  // namespace
}  // namespace lanescope::gui
