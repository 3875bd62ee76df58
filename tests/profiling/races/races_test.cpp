// The observer against the oracle, on random programs: every race that it tells is one, and no byte that threads race for is
// left out.

#include "profiling/races/races.h"

#include <gtest/gtest.h>

#include <bit>

#include "kernels/base/set_bits.h"
#include "kernels/emulator/emulator.h"
#include "oracle.h"
#include "programs.h"

namespace lanescope::races::test {
namespace {

/// By pc: which instruction of the program it is; -1: none that touches memory.
std::vector<int> instruction_of(const Program& p, const std::vector<trace::CodeSite>& code) {
  std::vector<int> memory;
  for (std::size_t i = 0; i < p.code.size(); ++i)
    if (p.code[i].is_access()) memory.push_back(static_cast<int>(i));
  std::vector<int> out;
  std::size_t next = 0;
  for (const trace::CodeSite& site : code) {
    const bool guarded = site.text.starts_with("@");
    const bool touches = site.kind == trace::StepKind::load || site.kind == trace::StepKind::store ||
                         site.kind == trace::StepKind::atomic;
    out.push_back(guarded && touches ? memory.at(next++) : -1);
  }
  EXPECT_EQ(next, memory.size());
  return out;
}

class Log final : public trace::Observer {
 public:
  explicit Log(const std::vector<int>& instructions) : instructions_(instructions) {}
  void on_access(const trace::AccessEvent& e) override {
    if (e.space != trace::MemorySpace::global && e.space != trace::MemorySpace::shared) return;
    for (const std::size_t lane : set_bits(e.where.active))
      accesses.push_back({instructions_[e.where.pc],
                          {static_cast<int>(e.where.block), static_cast<int>(e.where.warp), static_cast<int>(lane)}});
  }
  std::vector<Access> accesses;

 private:
  const std::vector<int>& instructions_;
};

class Told final : public RaceObserver {
 public:
  using RaceObserver::RaceObserver;
  std::vector<Race> all;

 protected:
  void met(const Race& r) override { all.push_back(r); }
};

Access access_of(const Side& s, const std::vector<int>& instructions) {
  return {instructions[s.pc], {static_cast<int>(s.block), static_cast<int>(s.warp), static_cast<int>(s.lane)}};
}

std::string words(const Access& a) {
  return "instruction " + std::to_string(a.instruction) + " block " + std::to_string(a.thread.block) + " warp " +
         std::to_string(a.thread.warp) + " lane " + std::to_string(a.thread.lane);
}

struct Counts {
  int racy = 0, clean = 0, pairs = 0, same_value = 0;
};

void compare(const Program& p, std::uint64_t seed, std::uint32_t slice, Counts& counts) {
  const std::string text = p.ptx();
  auto module = ptx::parse(text, "test.ptx");
  ASSERT_TRUE(module) << text;
  trace::Launch launch;
  launch.kernel = "k";
  launch.grid = {blocks, 1, 1};
  launch.block = {static_cast<std::uint32_t>(p.warps) * 32, 1, 1};
  launch.arguments.emplace_back(trace::BufferArgument{0, 0});
  std::vector<trace::Buffer> buffers{{"q", "u32", 32, std::vector<std::byte>(memory_bytes), true}};
  const auto code = emulator::code_sites(*module, *module->find_entry("k"), "");
  const auto instructions = instruction_of(p, code);
  Log log(instructions);
  Told told(launch, code, {{emulator::place_buffers(buffers)[0], memory_bytes}});
  const auto result =
      emulator::run(*module, launch, buffers, {.seed = seed, .slice = slice, .observers = {&log, &told}});
  ASSERT_TRUE(result) << text;
  ASSERT_TRUE(result->faults.empty()) << result->faults.front().message << "\n" << text;
  const Verdict verdict = judge(p, log.accesses);
  std::set<std::tuple<bool, int, int>> bytes;
  for (const Race& r : told.all) {
    Access a = access_of(r.first, instructions), b = access_of(r.second, instructions);
    if (b < a) std::swap(a, b);
    bool same = true;
    for (std::size_t i = 0; i < 4; ++i) {
      if ((r.bytes >> i & 1) == 0) continue;
      const int byte = static_cast<int>(r.byte / 4 * 4 + i);
      const auto pair = verdict.pairs.find({a, b, byte});
      ASSERT_NE(pair, verdict.pairs.end()) << "told, and not so: " << words(a) << ", " << words(b) << "\n" << text;
      same = same && pair->second;
      bytes.insert({r.shared, r.shared ? a.thread.block : 0, byte});
    }
    ASSERT_EQ(r.same_value, same) << words(a) << ", " << words(b) << "\n" << text;
    counts.same_value += r.same_value ? 1 : 0;
  }
  ASSERT_EQ(bytes, verdict.bytes) << "bytes that threads race for\n" << text;
  ++(verdict.pairs.empty() ? counts.clean : counts.racy);
  counts.pairs += static_cast<int>(told.all.size());
}

TEST(RaceOracle, TellsExactlyTheBytesThatThreadsRaceFor) {
  std::mt19937_64 random(20241);
  Counts counts;
  for (int i = 0; i < 12'000 && !HasFatalFailure(); ++i) {
    const Program p = random_program(random);
    SCOPED_TRACE(i);
    compare(p, random(), i % 3 == 0 ? 0 : 1, counts);
  }
  // Both kinds are common, or the comparison says little.
  EXPECT_GT(counts.clean, 1000);
  EXPECT_GT(counts.racy, 4000);
  EXPECT_GT(counts.same_value, 1000);
  RecordProperty("clean", counts.clean);
  RecordProperty("racy", counts.racy);
}

}  // namespace
}  // namespace lanescope::races::test
