// PTX, divergence and occupancy: what a click means, what follows what.

#include <set>

#include "app/gui/model/steps.h"
#include "tests/app/gui/fixture.h"
#include "viz/views/costs/heat.h"
#include "viz/views/costs/warps.h"

namespace lanescope::gui {
namespace {

class CostPanelsTest : public ExplorerTest {
 protected:
  const results::Summary& summary() { return app().results.summary; }
};

TEST_F(CostPanelsTest, PtxRowsLeadToTheirLineAndStep) {
  open_kernel("shared_transpose_naive.cu");
  script("command panel.ptx\nkey M\nwait\nkey Home\nwait");
  const auto& code = views::ptx_code(summary());
  int reached = 0;
  for (int row = 0; row < static_cast<int>(code.size()); row += 3) {
    const std::string id = "ptx_row/" + std::to_string(row);
    const std::int64_t step = step_at_instruction(summary(), row, 0, app().navigation.selection.step);
    script("click scene ptx " + id + "\nwait");
    if (code[row].line > 0) {
      EXPECT_EQ(app().navigation.selection.line, code[row].line) << row;
    }
    if (step < 0) continue;
    ++reached;
    EXPECT_EQ(app().results.moment.step, step) << row;
    EXPECT_EQ(views::ptx_row_of(summary(), app().results.moment), row);
  }
  EXPECT_GT(reached, 3);
}

TEST_F(CostPanelsTest, PtxBarsTheLineAndFollowsTheMoment) {
  open_kernel("half2_transposes.cu");
  script("command panel.ptx\nwait");
  // The moment's row is in sight wherever one goes, although the program is longer than the panel.
  for (const char* key : {"Home", "End", "Home"}) {
    script("key " + std::string(key) + "\nwait\nkey Shift+Right\nwait");
    const int row = views::ptx_row_of(summary(), app().results.moment);
    if (row >= 0) script("expect scene ptx contains ptx_row/" + std::to_string(row) + "\nexpect text now");
  }
  const auto& code = views::ptx_code(summary());
  const int line = code[code.size() / 2].line;
  ASSERT_GT(line, 0);
  script("line " + std::to_string(line) + "\nwait");
  int bars = 0;
  for (const scene::Box& box : frames->stage().scenes.at("ptx").scene.boxes)
    bars += box.rect.w == 3 && box.fill == app().shell.theme().accent;
  EXPECT_GT(bars, 0);
  EXPECT_LE(bars, std::count_if(code.begin(), code.end(),
                                [&](const auto& site) { return site.line == app().navigation.selection.line; }));
  script("scroll scene ptx ptx_row/" + std::to_string(std::max(views::ptx_row_of(summary(), app().results.moment), 0)) +
         " -9");
}

TEST_F(CostPanelsTest, PtxCountsWhatTheSourceCounts) {
  open_kernel("shared_transpose_naive.cu");
  script("command panel.ptx\nwait\nexpect text not warp instructions in total\nkey H\nexpect heat not none");
  if (!summary().pc_counters.empty()) script("expect text in total");
}

TEST_F(CostPanelsTest, DivergenceLeadsToStepsAndLines) {
  open_kernel("shared_transpose_naive.cu");
  script("command panel.divergence\nwait\nkey Home\nwait");
  std::vector<scene::Id> bars, rows;
  for (const scene::Box& box : frames->stage().scenes.at("divergence").scene.boxes) {
    if (box.id.kind == scene::Id::Kind::divergence_bar) bars.push_back(box.id);
    if (box.id.kind == scene::Id::Kind::divergence_row) rows.push_back(box.id);
  }
  ASSERT_GT(bars.size(), 8u);
  ASSERT_FALSE(rows.empty());
  script("click scene divergence " + scene::to_string(bars[7]) + "\nwait\nexpect moment.step " +
         std::to_string(bars[7].b) + "\nexpect selection.warp " + std::to_string(bars[7].a));
  script("click scene divergence " + scene::to_string(rows[0]) + "\nwait\nexpect selection.line " +
         std::to_string(rows[0].a));
}

TEST_F(CostPanelsTest, DivergenceZoomsAtTheCursor) {
  open_kernel("shared_transpose_naive.cu");
  script("command panel.divergence\nwait");
  const auto bars = [&] {
    std::set<std::int32_t> steps;
    for (const scene::Box& box : frames->stage().scenes.at("divergence").scene.boxes) {
      if (box.id.kind == scene::Id::Kind::divergence_bar && box.id.a == app().navigation.selection.warp)
        steps.insert(box.id.b);
    }
    return steps;
  };
  const auto all = bars();
  ASSERT_GT(all.size(), 8u);
  const std::string middle = "divergence_bar/" + std::to_string(app().navigation.selection.warp) + "/" +
                             std::to_string(*std::next(all.begin(), static_cast<std::ptrdiff_t>(all.size() / 2)));
  script("scroll scene divergence " + middle + " 3");
  EXPECT_LT(bars().size(), all.size());
  script("expect scene divergence contains " + middle + "\nkey 0");
  EXPECT_EQ(bars(), all);
}

TEST_F(CostPanelsTest, OccupancyAsksWhatIf) {
  open_kernel("shared_transpose_naive.cu");
  script("command panel.occupancy\nwait\nexpect occupancy.what_if no");
  const std::string gpu = fact("occupancy.gpu"), registers = fact("occupancy.registers"),
                    threads = fact("occupancy.threads");
  EXPECT_EQ(registers, std::to_string(summary().resources.registers));
  script("click item \"Registers more\"\nexpect occupancy.what_if yes\nexpect occupancy.registers not " + registers);
  script("click item Reset\nexpect occupancy.what_if no\nexpect occupancy.registers " + registers);
  script("click item Threads\nkey Ctrl+A\ntype 96\nkey Enter\nexpect occupancy.threads 96");
  script("command occupancy.reset\nexpect occupancy.threads " + threads);
  script("click item GPU\nclick item \"" + engine::gpu_names().front() + "\"\nexpect occupancy.gpu " +
         engine::gpu_names().front());
}

TEST_F(CostPanelsTest, FewerRegistersAreCompiledAndCompared) {
  open_kernel("shared_transpose_naive.cu");
  script("command panel.occupancy\nkey M\nwait\nclick item \"Recompile with register limits\"\nwait");
  if (!app().occupancy.limits.refused.empty()) GTEST_SKIP() << app().occupancy.limits.refused;
  ASSERT_FALSE(app().occupancy.limits.rows.empty());
  const results::RegisterLimit& own = app().occupancy.limits.rows.front();
  EXPECT_EQ(own.cap, 0);
  if (own.registers < 0) GTEST_SKIP() << own.refused;
  EXPECT_EQ(own.registers, summary().resources.registers);
  script("expect text resident warps\nclick item \"no register limit\"\nexpect occupancy.what_if no");
}

TEST_F(CostPanelsTest, ADotOfACurveIsAWhatIf) {
  open_kernel("shared_transpose_naive.cu");
  script("command panel.occupancy\nkey M\nwait");
  for (const auto& [curve, name] : {std::pair{0, "registers"}, {2, "threads"}, {1, "shared_bytes"}}) {
    std::vector<scene::Id> dots;
    for (const scene::Box& box : frames->stage().scenes.at("occupancy").scene.boxes) {
      if (box.id.kind == scene::Id::Kind::occupancy_point && box.id.a == curve) dots.push_back(box.id);
    }
    ASSERT_GT(dots.size(), 4u);
    const scene::Id& dot = dots[dots.size() * 3 / 4];
    script("click scene occupancy " + scene::to_string(dot) + "\nexpect occupancy." + name + " " +
           std::to_string(dot.b) + "\nexpect occupancy.what_if yes\ncommand occupancy.reset");
  }
}

// The bar of shared memory and L1 is a slider: where it is clicked or dragged to is the carveout.
TEST_F(CostPanelsTest, TheCarveoutIsDraggedAndReset) {
  open_kernel("shared_transpose_naive.cu");
  script("command panel.occupancy\nkey M\nwait\nexpect occupancy.what_if no");
  EXPECT_FALSE(app().occupancy.choice.carveout_percent);
  script("click scene occupancy occupancy_split/60\nexpect occupancy.what_if yes");
  EXPECT_EQ(app().occupancy.choice.carveout_percent, 60);
  const auto at = [&] { return engine::occupancy_info(summary(), app().occupancy.choice)->split->shared_bytes; };
  const int sixty = at();
  script("click item \"Carveout more\"");
  EXPECT_EQ(app().occupancy.choice.carveout_percent, 65);
  EXPECT_GE(at(), sixty);
  script("click scene occupancy occupancy_split/0");
  EXPECT_EQ(app().occupancy.choice.carveout_percent, 0);
  EXPECT_LT(at(), sixty);
  script("click item Reset\nexpect occupancy.what_if no");
  EXPECT_FALSE(app().occupancy.choice.carveout_percent);
  // A GPU whose shared memory is its own has no bar.
  script("click item GPU\nclick item \"Tesla P100\"\nwait");
  for (const scene::Box& box : frames->stage().scenes.at("occupancy").scene.boxes)
    EXPECT_NE(box.id.kind, scene::Id::Kind::occupancy_split);
}

// Little's law with figures of one's own: needed warps follow, as those of the command line do; Reset takes them back.
TEST_F(CostPanelsTest, OwnLatencyAndBandwidthOfLittlesLaw) {
  open_kernel("shared_transpose_naive.cu");
  script("command panel.occupancy\nkey M\nwait\nexpect occupancy.what_if no\nexpect occupancy.memory_cycles 654");
  const auto needed = [&] { return std::stoi(fact("occupancy.memory_warps")); };
  const int own = needed();
  script(
      "click item \"Memory latency\"\nkey Ctrl+A\ntype 1308\nkey Enter\nwait\nexpect occupancy.memory_cycles "
      "1308\nexpect occupancy.what_if yes\nexpect text 1308 cycles");
  EXPECT_NEAR(needed(), 2 * own, 2);
  script("click item Bandwidth\nkey Ctrl+A\ntype 2400\nkey Enter\nwait");
  EXPECT_NEAR(needed(), own, 2);
  script("click item \"Bytes in flight\"\nkey Ctrl+A\ntype 16\nkey Enter\nwait\nexpect text 16 bytes per thread");
  EXPECT_NEAR(needed(), own / 4.0, 2);
  script("click item \"Arithmetic latency more\"\nexpect occupancy.arithmetic_cycles 5");
  script("click item Reset\nwait\nexpect occupancy.what_if no\nexpect occupancy.arithmetic_cycles 4");
  EXPECT_EQ(needed(), own);
}

// The grid's panel shows the threads of a block, too: a click selects the lane, and the inspector says which thread it is.
TEST_F(CostPanelsTest, ThreadsOfTheBlockAreMappedAndSelected) {
  open_kernel("block_40x2.cu");
  script("command view.block_map\nkey M\nwait");
  EXPECT_EQ(app().shell.view.grid_map, GridMap::threads);
  int idle = 0;
  for (const scene::Box& box : frames->stage().scenes.at("grid").scene.boxes)
    idle += box.id.kind == scene::Id::Kind::block_thread && box.hatched;
  EXPECT_EQ(idle, 16);
  script("click scene grid block_thread/1/9/1\nwait");
  ASSERT_TRUE(app().navigation.selection.place);
  EXPECT_EQ(app().navigation.selection.place->warp, 1);
  EXPECT_EQ(app().navigation.selection.place->lane, 9);
  script("command view.block_map\nwait");
  EXPECT_EQ(app().shell.view.grid_map, GridMap::blocks);
  EXPECT_EQ(frames->stage().scenes.at("grid").scene.boxes.front().id.kind, scene::Id::Kind::grid_block);
}

// Grids that launch grids are a tree in the same panel: a click on one shows its launch, and only a run that has some has it.
TEST_F(CostPanelsTest, GridsThatLaunchGridsAreATree) {
  open_kernel("reduce_tail.cu");
  script("command view.launch_tree\nkey M\nwait");
  EXPECT_EQ(app().shell.view.grid_map, GridMap::launches);
  const std::size_t deepest = summary().grids.size() - 1;
  ASSERT_GT(deepest, 2u);
  const int launch = summary().grids[deepest].launch;
  ASSERT_GT(launch, 0);
  EXPECT_NE(summary().recorded_launch, launch);
  script("click scene grid launched_grid/" + std::to_string(deepest) + "\nwait");
  EXPECT_EQ(summary().recorded_launch, launch);
  EXPECT_EQ(summary().block.count(), summary().grids[deepest].block.count());
  open_kernel("block_40x2.cu");
  script("command panel.grid\nwait");
  EXPECT_EQ(frames->stage().scenes.at("grid").scene.boxes.front().id.kind, scene::Id::Kind::grid_block);
}

}  // namespace
}  // namespace lanescope::gui
