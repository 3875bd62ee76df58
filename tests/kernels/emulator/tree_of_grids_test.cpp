// Kernels that launch kernels, as nvcc compiled them (tests/data/emulator/launches.cu): random trees of launches against a
// host model that does the same work one after the other, orders that seeds choose, limits and mistakes.

#include <map>

#include <fmt/format.h>

#include "kernels/base/read_file.h"
#include "tests/kernels/emulator/harness.h"
#include "tests/rounds.h"

namespace lanescope::emulator::test {
namespace {

using u32 = std::uint32_t;

const std::string& launches_text() {
  static const std::string text = read_file(LANESCOPE_TEST_DATA_DIR "/emulator/launches.ptx").value_or("");
  return text;
}
const ptx::Module& launching() {
  static const ptx::Module module = module_of(launches_text());
  return module;
}

trace::Launch launch_with(const std::string& kernel, u32 blocks, u32 threads, std::vector<trace::Argument> arguments) {
  trace::Launch l;
  l.kernel = kernel;
  l.grid = {blocks, 1, 1};
  l.block = {threads, 1, 1};
  l.arguments = std::move(arguments);
  return l;
}

/// The line of launches.cu that has this text.
int line_with(const std::string& text) {
  const std::string source = read_file(LANESCOPE_TEST_DATA_DIR "/emulator/launches.cu").value_or("");
  const std::size_t at = source.find(text);
  EXPECT_NE(at, std::string::npos) << text;
  return 1 + static_cast<int>(std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

// ---- random trees

struct TreeNode {
  int cell = 0, first = 0, count = 0, stream = 0, blocks = 1, threads = 1;
};

/// A tree whose nodes with the same cell run one after the other on every device: children of one stream share a cell;
/// one stream of a node and its tail launches have the node's own, since it has written before it launches.
struct LaunchTree {
  std::vector<TreeNode> nodes;
  int cells = 0;
};

LaunchTree random_tree(std::uint64_t seed, std::size_t most) {
  Numbers numbers(seed);
  LaunchTree t;
  t.nodes.push_back({.cell = t.cells++, .blocks = 1 + static_cast<int>(numbers.below(3)), .threads = 33});
  std::vector<int> depth{0};
  for (std::size_t n = 0; n < t.nodes.size() && t.nodes.size() < most; ++n) {
    const int count = depth[n] < 6 ? static_cast<int>(numbers.below(6)) : 0;
    const int inherits = static_cast<int>(numbers.below(3));  // 0: the block's stream; 1, 2: created ones
    std::map<int, int> cell_of_stream{{2, t.nodes[n].cell}, {inherits == 0 ? 0 : 2 + inherits, t.nodes[n].cell}};
    t.nodes[n].first = static_cast<int>(t.nodes.size());
    t.nodes[n].count = count;
    for (int i = 0; i < count; ++i) {
      const int stream = static_cast<int>(numbers.below(5));
      int cell = 0;
      if (stream == 1)
        cell = t.cells++;
      else if (const auto [at, fresh] = cell_of_stream.try_emplace(stream, t.cells); fresh)
        cell = t.cells++;
      else
        cell = at->second;
      t.nodes.push_back({.cell = cell,
                         .stream = stream,
                         .blocks = 1 + static_cast<int>(numbers.below(3)),
                         .threads = 1 + static_cast<int>(numbers.below(40))});
      depth.push_back(depth[n] + 1);
    }
  }
  return t;
}

void run_on_host(const LaunchTree& t, int index, std::vector<u32>& cells) {
  const TreeNode& n = t.nodes[static_cast<std::size_t>(index)];
  u32& cell = cells[static_cast<std::size_t>(n.cell)];
  cell = cell * 31 + static_cast<u32>(index) + 1;
  for (const bool tail : {false, true})
    for (int i = n.first; i < n.first + n.count; ++i)
      if ((t.nodes[static_cast<std::size_t>(i)].stream == 2) == tail) run_on_host(t, i, cells);
}

std::vector<trace::Buffer> tree_buffers(const LaunchTree& t) {
  return {buffer_of("nodes", t.nodes), buffer_of("cells", std::vector<u32>(static_cast<std::size_t>(t.cells))),
          buffer_of("ran", std::vector<u32>(t.nodes.size()))};
}
trace::Launch tree_launch(const LaunchTree& t) {
  return launch_with(
      "node", static_cast<u32>(t.nodes[0].blocks), static_cast<u32>(t.nodes[0].threads),
      {trace::BufferArgument{0, 0}, trace::BufferArgument{1, 0}, trace::BufferArgument{2, 0}, value_of(0)});
}
int index_of(const trace::DeviceLaunch& d) {
  int index = 0;
  std::memcpy(&index, std::get<trace::ValueArgument>(d.launch.arguments[3]).data(), sizeof index);
  return index;
}

TEST(Launches, RandomTreesAreThoseOfTheHostUnderEverySeed) {
  const int launch_line = line_with("node<<<c.blocks");
  const auto trials = static_cast<std::uint64_t>(test_rounds(5));
  std::size_t other_orders = 0, grids = 0;
  for (std::uint64_t trial = 1; trial <= trials; ++trial) {
    const LaunchTree t = random_tree(trial, 60);
    std::vector<u32> cells(static_cast<std::size_t>(t.cells));
    run_on_host(t, 0, cells);
    std::vector<int> first_order;
    for (const std::uint64_t seed : {1, 2, 3, 99}) {
      std::vector<trace::Buffer> buffers = tree_buffers(t);
      const Result result = run_ok(launching(), tree_launch(t), buffers, {.seed = seed});
      ASSERT_EQ(values_of<u32>(buffers[1]), cells) << "tree " << trial << ", seed " << seed;
      const std::vector<u32> ran = values_of<u32>(buffers[2]);
      for (std::size_t i = 0; i < ran.size(); ++i)
        ASSERT_EQ(ran[i], static_cast<u32>(t.nodes[i].blocks * t.nodes[i].threads)) << "every thread ran once";
      ASSERT_EQ(result.grids.size() + 1, t.nodes.size());
      EXPECT_TRUE(result.coverage.whole());
      std::vector<int> order;
      for (const trace::DeviceLaunch& d : result.grids) {
        const int index = index_of(d),
                  parent = d.parent < 0 ? 0 : index_of(result.grids[static_cast<std::size_t>(d.parent)]);
        const TreeNode& p = t.nodes[static_cast<std::size_t>(parent)];
        EXPECT_TRUE(index >= p.first && index < p.first + p.count) << "its parent launched it";
        const TreeNode& n = t.nodes[static_cast<std::size_t>(index)];
        EXPECT_EQ(d.launch.grid.x, static_cast<u32>(n.blocks));
        EXPECT_EQ(d.launch.block.x, static_cast<u32>(n.threads));
        EXPECT_EQ(d.launch.depth, d.parent < 0 ? 1 : result.grids[static_cast<std::size_t>(d.parent)].launch.depth + 1);
        EXPECT_EQ(d.line, launch_line);
        EXPECT_EQ(d.where.block, 0u);
        EXPECT_EQ(d.thread, 0u);
        order.push_back(index);
      }
      if (seed == 1) first_order = order;
      other_orders += order != first_order ? 1 : 0;
      grids += order.size();
      std::vector<trace::Buffer> again_buffers = tree_buffers(t);
      const Result again = run_ok(launching(), tree_launch(t), again_buffers, {.seed = seed});
      ASSERT_EQ(again.grids.size(), result.grids.size());
      for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(index_of(again.grids[i]), order[i]) << "the same run";
      EXPECT_EQ(again.warp_instructions, result.warp_instructions);
    }
  }
  EXPECT_GT(grids, 25 * trials);
  EXPECT_GT(other_orders, trials) << "seeds choose between streams";
}

/// A grid with all its own, by launches that are left.
void run_by_hand(const trace::Launch& launch, std::vector<trace::Buffer>& buffers, const Options& options) {
  const Result result = run_ok(launching(), launch, buffers, options);
  for (const trace::DeviceLaunch& d : result.grids) {
    EXPECT_EQ(d.parent, -1);
    run_by_hand(d.launch, buffers, options);
  }
}

TEST(Launches, LeftOnesRunOneAfterTheOtherToTheSameEnd) {
  for (std::uint64_t trial = 100; trial < 110; ++trial) {
    const LaunchTree t = random_tree(trial, 40);
    std::vector<trace::Buffer> whole = tree_buffers(t), by_hand = tree_buffers(t);
    run_ok(launching(), tree_launch(t), whole);
    run_by_hand(tree_launch(t), by_hand, {.grids = Options::Grids::leave});
    for (std::size_t b = 0; b < whole.size(); ++b) EXPECT_EQ(whole[b].bytes, by_hand[b].bytes);
  }
}

TEST(Launches, IdentitiesAndCheckpointsChangeNothing) {
  const LaunchTree t = random_tree(7, 30);
  std::vector<trace::Buffer> plain = tree_buffers(t), tagged = tree_buffers(t);
  run_ok(launching(), tree_launch(t), plain);
  trace::TagPool pool;
  pool.space = tag_space(tagged);
  run_ok(launching(), tree_launch(t), tagged, {.slice = 0, .tags = &pool});
  for (std::size_t b = 0; b < plain.size(); ++b) EXPECT_EQ(plain[b].bytes, tagged[b].bytes);

  std::vector<trace::Buffer> buffers = tree_buffers(t);
  auto machine = Machine::create(launching(), tree_launch(t), buffers, {});
  ASSERT_TRUE(machine);
  machine->advance(40);
  const auto checkpoint = machine->checkpoint();
  while (machine->advance(1000)) {}
  const auto first = machine->result().grids.size();
  const std::vector<trace::Buffer> ended = buffers;
  machine->restore(*checkpoint);
  while (machine->advance(1)) {}
  for (std::size_t b = 0; b < ended.size(); ++b) EXPECT_EQ(buffers[b].bytes, ended[b].bytes);
  EXPECT_EQ(machine->result().grids.size(), first) << "what was launched after the checkpoint is launched once";
}

/// Memory for parameters grows as kernels are launched; going back gives back what was not there yet.
TEST(Launches, GoingBackGivesTheirParametersBack) {
  const LaunchTree t = random_tree(11, 200);
  std::vector<trace::Buffer> buffers = tree_buffers(t);
  auto machine = Machine::create(launching(), tree_launch(t), buffers, {});
  ASSERT_TRUE(machine);
  std::vector<std::shared_ptr<const Machine::Checkpoint>> checkpoints{machine->checkpoint()};
  while (machine->advance(7)) checkpoints.push_back(machine->checkpoint());
  const std::vector<trace::Buffer> ended = buffers;
  const auto grids = machine->result().grids.size();
  for (auto c = checkpoints.rbegin(); c != checkpoints.rend(); ++c) {
    machine->restore(**c);
    while (machine->advance(1000)) {}
    EXPECT_EQ(machine->result().grids.size(), grids);
    for (std::size_t b = 0; b < ended.size(); ++b) ASSERT_EQ(buffers[b].bytes, ended[b].bytes);
  }
}

// ---- parameters, variables, the runtime

TEST(Launches, ParametersArriveAsTheyArePacked) {
  std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<double>(8))};
  const Result result = run_ok(launching(), launch_with("give", 1, 1, {trace::BufferArgument{0, 0}}), buffers);
  EXPECT_EQ(values_of<double>(buffers[0]), std::vector<double>(8, 3 + 0.5 + 100 + 7));
  ASSERT_EQ(result.grids.size(), 1u);
  EXPECT_EQ(result.grids[0].launch.dynamic_shared_bytes, 64u);
  EXPECT_EQ(ptx::qualified_name(result.grids[0].launch.kernel), "take<double>");
}

TEST(Launches, VariablesOfTheModuleGoFromGridToGrid) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<int>(1))};
    run_ok(launching(), launch_with("in_turn", 1, 1, {trace::BufferArgument{0, 0}}), buffers, {.seed = seed});
    EXPECT_EQ(values_of<int>(buffers[0])[0], 1234) << "the stream's order, then the tail";
  }
}

TEST(Launches, TheRuntimeAnswersWhatItIsAsked) {
  std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<int>(3))};
  run_ok(launching(), launch_with("ask", 1, 1, {trace::BufferArgument{0, 0}}), buffers);
  EXPECT_EQ(values_of<int>(buffers[0]), (std::vector<int>{0, 1, 5}));
}

Result run_wrong(int grid, int block, u32 shared, std::uint64_t stream, std::vector<int>* out = nullptr) {
  std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<int>(4))};
  auto result = run(
      launching(),
      launch_with("wrong", 1, 1,
                  {trace::BufferArgument{0, 0}, value_of(grid), value_of(block), value_of(shared), value_of(stream)}),
      buffers, {});
  if (out != nullptr) *out = values_of<int>(buffers[0]);
  return result ? *result : Result{};
}

TEST(Launches, WhatNoDeviceLaunchesIsRefusedAtItsLine) {
  std::vector<int> out;
  const Result right = run_wrong(1, 1, 0, 0, &out);
  EXPECT_TRUE(right.faults.empty());
  EXPECT_EQ(out, (std::vector<int>{1, 0, 0, 0}));
  ASSERT_EQ(right.printed.size(), 1u);
  EXPECT_EQ(right.printed[0].text, "invalid argument cudaErrorInvalidValue\n");
  struct Case {
    int grid, block;
    u32 shared;
    std::uint64_t stream;
    const char* says;
  };
  for (const Case& c :
       {Case{0, 32, 0, 0, "`mark<<<0, 32>>>` cannot be launched: the launch has no threads"},
        Case{1, 1025, 0, 0, "the block has 1025 threads"}, Case{1, 1, 1u << 20, 0, "bytes of shared memory"},
        Case{1, 1, 0, 77, "stream 0x4d, which no thread of this grid created"}}) {
    const Result r = run_wrong(c.grid, c.block, c.shared, c.stream);
    ASSERT_EQ(r.faults.size(), 1u) << c.says;
    EXPECT_EQ(r.faults[0].kind, Fault::Kind::launch);
    EXPECT_EQ(r.faults[0].line, line_with("mark<<<grid, block"));
    EXPECT_NE(r.faults[0].message.find(c.says), std::string::npos) << r.faults[0].message;
    EXPECT_FALSE(r.faults[0].remedy.empty());
    EXPECT_TRUE(r.grids.empty());
  }
}

TEST(Launches, FunctionsOfTheRuntimeThatAreNotThereAreNamed) {
  std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<int>(1))};
  const auto result = run(launching(), launch_with("copies", 1, 1, {trace::BufferArgument{0, 0}}), buffers, {});
  ASSERT_TRUE(result);
  ASSERT_EQ(result->faults.size(), 1u);
  EXPECT_EQ(result->faults[0].kind, Fault::Kind::unsupported);
  EXPECT_NE(result->faults[0].message.find("`cudaMemsetAsync` in device code"), std::string::npos)
      << result->faults[0].message;
}

// ---- limits

TEST(Launches, GridsNestTwentyFourDeep) {
  for (const int most : {24, 25}) {
    std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<int>(32))};
    const auto result =
        run(launching(), launch_with("deep", 1, 1, {trace::BufferArgument{0, 0}, value_of(0), value_of(most)}), buffers,
            {});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->grids.size(), 24u);
    EXPECT_EQ(values_of<int>(buffers[0])[24], 25) << "what came before the limit stands";
    if (most == 24) {
      EXPECT_TRUE(result->faults.empty());
      continue;
    }
    ASSERT_EQ(result->faults.size(), 1u);
    EXPECT_EQ(result->faults[0].kind, Fault::Kind::launch);
    EXPECT_EQ(result->faults[0].line, line_with("if (depth < most) deep"));
    for (const char* words : {"nested 25 deep", "24", "cudaErrorLaunchMaxDepthExceeded"})
      EXPECT_NE(result->faults[0].message.find(words), std::string::npos) << result->faults[0].message;
  }
}

TEST(Launches, AsManyWaitAsTheLimitSays) {
  const auto launched = [](int n, const Options& options) {
    std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<int>(4096))};
    const auto result =
        run(launching(), launch_with("many", 33, 64, {trace::BufferArgument{0, 0}, value_of(n)}), buffers, options);
    const std::vector<int> out = values_of<int>(buffers[0]);
    for (int i = 0; i < n && result && result->faults.empty(); ++i) EXPECT_EQ(out[static_cast<std::size_t>(i)], i + 1);
    return result ? *result : Result{};
  };
  EXPECT_EQ(launched(2048, {}).grids.size(), 2048u);
  const Result over = launched(2049, {});
  ASSERT_EQ(over.faults.size(), 1u);
  EXPECT_EQ(over.faults[0].kind, Fault::Kind::launch);
  EXPECT_EQ(over.faults[0].line, line_with("if (i < n) mark"));
  for (const char* words : {"launch 2049 that waits", "cudaErrorLaunchPendingCountExceeded"})
    EXPECT_NE(over.faults[0].message.find(words), std::string::npos) << over.faults[0].message;
  EXPECT_TRUE(launched(2049, {.pending_launches = 2100}).faults.empty());
  EXPECT_EQ(launched(4, {.pending_launches = 3}).faults.size(), 1u);
}

TEST(Launches, LimitsOfARunLeaveGridsAndSaySo) {
  const auto many = launch_with("many", 1, 64, {trace::BufferArgument{0, 0}, value_of(64)});
  std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<int>(64))};
  const Result whole = run_ok(launching(), many, buffers);
  EXPECT_TRUE(whole.coverage.whole());
  buffers = {buffer_of("out", std::vector<int>(64))};
  const Result cut = run_ok(launching(), many, buffers, {.max_steps = whole.warp_instructions / 2});
  EXPECT_FALSE(cut.coverage.whole());
  EXPECT_GT(cut.coverage.grids_left, 0u);
  EXPECT_EQ(cut.grids.size() + cut.coverage.grids_left, 64u);
  EXPECT_NE(trace::words_of(cut.coverage).find(fmt::format("{} grids", cut.coverage.grids_left)), std::string::npos);
  const std::vector<int> out = values_of<int>(buffers[0]);
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count_if(out, [](int v) { return v != 0; })), cut.grids.size());
  std::atomic<bool> cancel{true};
  EXPECT_EQ(run(launching(), many, buffers, {.cancel = &cancel})->faults.at(0).kind, Fault::Kind::cancelled);
}

TEST(Launches, AGridThatWaitsForItsChildIsADeadlock) {
  std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<int>(1))};
  const auto result =
      run(launching(), launch_with("waits", 1, 1, {trace::BufferArgument{0, 0}}), buffers, {.max_steps = 2'000'000});
  ASSERT_TRUE(result);
  ASSERT_EQ(result->faults.size(), 1u);
  EXPECT_EQ(result->faults[0].kind, Fault::Kind::deadlock) << result->faults[0].message;
  EXPECT_NE(result->faults[0].message.find("begin when it has ended"), std::string::npos) << result->faults[0].message;
}

TEST(Launches, AFaultOfAChildNamesItsGrid) {
  std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<int>(2))};
  const auto result =
      run(launching(), launch_with("many", 1, 4, {trace::BufferArgument{0, 0}, value_of(4)}), buffers, {});
  ASSERT_TRUE(result);
  ASSERT_EQ(result->faults.size(), 1u);
  EXPECT_EQ(result->faults[0].kind, Fault::Kind::out_of_bounds);
  EXPECT_EQ(result->faults[0].line, line_with("__global__ void mark"));
  EXPECT_NE(result->faults[0].message.find(
                fmt::format("grid `mark`, launched in line {} by block 0, thread 2", line_with("if (i < n) mark"))),
            std::string::npos)
      << result->faults[0].message;
}

}  // namespace
}  // namespace lanescope::emulator::test
