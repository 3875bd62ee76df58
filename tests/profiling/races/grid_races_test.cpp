// Races across grids that launch grids, against the oracle: on random trees every pair that is reported is one, and no byte that
// threads race for is left out.

#include "profiling/races/grid_races.h"

#include <gtest/gtest.h>

#include <array>

#include "kernels/base/set_bits.h"
#include "kernels/emulator/emulator.h"
#include "oracle.h"
#include "programs.h"
#include "tests/rounds.h"

namespace lanescope::races::test {
namespace {

/// By pc: which instruction of the program it is; -1: none that touches the program's memory.
std::vector<int> instructions_of(const Program& p, const std::vector<trace::CodeSite>& code) {
  std::vector<int> memory, out;
  for (std::size_t i = 0; i < p.code.size(); ++i)
    if (p.code[i].is_access()) memory.push_back(static_cast<int>(i));
  std::size_t next = 0;
  for (const trace::CodeSite& site : code) {
    const bool touches = std::ranges::any_of(std::array{"ld.", "st.", "atom.", "red."}, [&](const char* o) {
      return site.text.starts_with(std::string("@%p1 ") + o);
    });
    out.push_back(touches ? memory.at(next++) : -1);
  }
  EXPECT_EQ(next, memory.size());
  return out;
}

class TreeLog final : public trace::Observer {
 public:
  void begin(int grid, const std::vector<int>& instructions) { grid_ = grid, instructions_ = &instructions; }
  void on_access(const trace::AccessEvent& e) override {
    const int i = (*instructions_)[e.where.pc];
    if (i < 0) return;
    for (const std::size_t lane : set_bits(e.where.active))
      accesses.push_back(
          {i, {static_cast<int>(e.where.block), static_cast<int>(e.where.warp), static_cast<int>(lane), grid_}, false});
  }
  std::vector<Access> accesses;

 private:
  int grid_ = 0;
  const std::vector<int>* instructions_ = nullptr;
};

class GridReports final : public GridRaces {
 public:
  using GridRaces::GridRaces;
  std::vector<GridRace> all;

 protected:
  void occurred(const Race& r) override { all.push_back(in_own_numbers(r)); }
};

std::string words_in_tree(const Access& a) {
  return "grid " + std::to_string(a.thread.grid) + " block " + std::to_string(a.thread.block) + " warp " +
         std::to_string(a.thread.warp) + " lane " + std::to_string(a.thread.lane) + " instruction " +
         std::to_string(a.instruction);
}

/// A tree as it runs.
struct Running {
  const Tree& tree;
  ptx::Module module{};
  std::map<std::string, std::vector<trace::CodeSite>> code{};
  std::vector<std::vector<int>> instructions{};
  std::vector<trace::Buffer> buffers{{"q", "u32", 32, std::vector<std::byte>(memory_bytes), true}};
  std::vector<int> order{};  ///< grids as they ran
  TreeLog log{};

  static int grid_of(const trace::Launch& l) { return std::stoi(l.kernel.substr(1)); }

  void run(const trace::Launch& launch, std::uint64_t seed, std::uint32_t slice, GridReports& reported) {
    const int grid = grid_of(launch);
    order.push_back(grid);
    log.begin(grid, instructions[static_cast<std::size_t>(grid)]);
    const auto result = emulator::run(
        module, launch, buffers,
        {.seed = seed, .slice = slice, .observers = {&log, &reported}, .grids = emulator::Options::Grids::leave});
    ASSERT_TRUE(result);
    ASSERT_TRUE(result->faults.empty()) << result->faults.front().message << "\n" << ptx_of(tree);
    ASSERT_EQ(result->grids.size(), tree[static_cast<std::size_t>(grid)].launches.size());
    for (const trace::DeviceLaunch& d : result->grids) {
      reported.begin(d);
      run(d.launch, seed, slice, reported);
    }
  }
};

struct TreeCounts {
  int racy = 0, clean = 0, pairs = 0, ordered = 0;
};

void compare_tree(const Tree& tree, std::uint64_t seed, std::uint32_t slice, TreeCounts& counts) {
  Running running{.tree = tree};
  auto module = ptx::parse(ptx_of(tree), "test.ptx");
  ASSERT_TRUE(module) << to_string(module.error().front()) << ptx_of(tree);
  running.module = std::move(*module);
  for (std::size_t g = 0; g < tree.size(); ++g) {
    const std::string name = "k" + std::to_string(g);
    running.code[name] = emulator::code_sites(running.module, *running.module.find_entry(name), "");
    running.instructions.push_back(instructions_of(tree[g], running.code[name]));
  }
  trace::Launch launch;
  launch.kernel = "k0";
  launch.grid = {blocks, 1, 1};
  launch.block = {static_cast<std::uint32_t>(tree[0].warps) * 32, 1, 1};
  launch.arguments.emplace_back(trace::BufferArgument{0, 0});
  GridReports reported(running.code, {{emulator::place_buffers(running.buffers)[0], memory_bytes}});
  reported.begin(launch);
  running.run(launch, seed, slice, reported);
  if (::testing::Test::HasFatalFailure()) return;
  ASSERT_TRUE(reported.judged());
  const Verdict verdict = judge_tree(tree, running.order, running.log.accesses);
  std::set<std::tuple<bool, int, int>> bytes;
  bool across = false;
  for (const GridRace& g : reported.all) {
    const auto access = [&](const Side& s, std::size_t grid) {
      const int number = running.order.at(grid);
      return Access{running.instructions[static_cast<std::size_t>(number)].at(s.pc),
                    {static_cast<int>(s.block), static_cast<int>(s.warp), static_cast<int>(s.lane), number}};
    };
    Access a = access(g.race.first, g.first), b = access(g.race.second, g.second);
    if (b < a) std::swap(a, b);
    across = across || g.first != g.second;
    ASSERT_EQ(g.race.missing == Missing::grid || (g.first != g.second && g.race.missing == Missing::scope),
              g.first != g.second);
    bool same = true;
    for (std::size_t i = 0; i < 4; ++i) {
      if ((g.race.bytes >> i & 1) == 0) continue;
      const int byte = static_cast<int>(g.race.byte / 4 * 4 + i);
      const auto pair = verdict.pairs.find({a, b, byte});
      ASSERT_NE(pair, verdict.pairs.end())
          << "reported, and not so: " << words_in_tree(a) << ", " << words_in_tree(b) << ", byte " << byte << "\n"
          << ptx_of(tree);
      same = same && pair->second;
      bytes.insert({g.race.shared, g.race.shared ? a.thread.grid * blocks + a.thread.block : 0, byte});
    }
    ASSERT_EQ(g.race.same_value, same) << ptx_of(tree);
  }
  ASSERT_EQ(bytes, verdict.bytes) << "bytes that threads race for\n" << ptx_of(tree);
  // Races reported at the end are those between different grids.
  ASSERT_EQ(!reported.found().empty(), across);
  ++(across ? counts.racy : counts.clean);
  counts.pairs += static_cast<int>(reported.all.size());
}

TEST(GridRaceOracle, TellsExactlyTheBytesThatGridsRaceFor) {
  std::mt19937_64 random(20244);
  const int rounds = test_rounds(400);
  TreeCounts counts;
  for (int i = 0; i < rounds && !HasFatalFailure(); ++i) {
    const Tree tree = random_tree(random);
    SCOPED_TRACE(i);
    compare_tree(tree, random(), i % 3 == 0 ? 0 : 1, counts);
  }
  EXPECT_GT(counts.clean, rounds / 10);
  EXPECT_GT(counts.racy, rounds / 3);
  RecordProperty("clean", counts.clean);
  RecordProperty("racy", counts.racy);
}

}  // namespace
}  // namespace lanescope::races::test
