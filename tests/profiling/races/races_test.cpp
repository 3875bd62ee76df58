// The observer against the oracle, on random programs: every race that it reports is one, and no byte that threads race for is
// left out.

#include "profiling/races/races.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>

#include "kernels/base/set_bits.h"
#include "kernels/emulator/emulator.h"
#include "oracle.h"
#include "profiling/races/unneeded.h"
#include "programs.h"
#include "ready.h"
#include "tests/rounds.h"

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
    const bool touches =
        std::ranges::any_of(std::array{"ld.", "st.", "atom.", "red.", "cp.async.ca.", "cp.async.bulk.shared",
                                       "cp.async.bulk.global", "cp.reduce.async"},
                            [&](const char* o) { return site.text.starts_with(std::string("@%p1 ") + o); });
    out.push_back(touches ? memory.at(next++) : -1);
  }
  EXPECT_EQ(next, memory.size());
  return out;
}

class Log final : public trace::Observer {
 public:
  explicit Log(const std::vector<int>& instructions) : instructions_(instructions) {}
  void on_access(const trace::AccessEvent& e) override {
    if (e.space != trace::MemorySpace::global && e.space != trace::MemorySpace::shared) return;
    const bool source = e.kind == trace::AccessKind::async_copy && e.space == trace::MemorySpace::global;
    for (const std::size_t lane : set_bits(e.where.active))
      accesses.push_back({instructions_[e.where.pc],
                          {static_cast<int>(e.where.block), static_cast<int>(e.where.warp), static_cast<int>(lane)},
                          source});
  }
  void on_remote_access(const trace::RemoteAccessEvent& e) override { on_access(e.access); }
  void on_bulk_copy(const trace::BulkCopyEvent& e) override {
    const Thread thread{static_cast<int>(e.where.block), static_cast<int>(e.where.warp),
                        static_cast<int>(first_bit(e.where.active))};
    if (e.reads) accesses.push_back({instructions_[e.where.pc], thread, true});
    accesses.push_back({instructions_[e.where.pc], thread, false});
  }
  std::vector<Access> accesses;

 private:
  const std::vector<int>& instructions_;
};

class Reported final : public RaceObserver {
 public:
  using RaceObserver::make_rows_from;
  using RaceObserver::RaceObserver;
  std::vector<Race> all, by_volatile;

 protected:
  void occurred(const Race& r) override { all.push_back(r); }
  void occurred_volatile(const Race& r) override { by_volatile.push_back(r); }
};

Access access_of(const Side& s, const std::vector<int>& instructions, const Program& p, const Race& r) {
  const int i = instructions[s.pc];
  const Ins none{.kind = Ins::Kind::nothing};
  const Ins& ins = i >= 0 ? p.code[static_cast<std::size_t>(i)] : none;
  const bool from_shared = ins.kind == Ins::Kind::bulk_store || ins.kind == Ins::Kind::bulk_reduce;
  const bool from_global = ins.is_copy() || ins.kind == Ins::Kind::bulk_load;
  const bool source = (from_shared && r.shared) || (from_global && !r.shared) ||
                      (ins.kind == Ins::Kind::bulk_push && r.owner == s.block);
  return {i, {static_cast<int>(s.block), static_cast<int>(s.warp), static_cast<int>(s.lane)}, source};
}

std::string words(const Access& a) {
  return "instruction " + std::to_string(a.instruction) + " block " + std::to_string(a.thread.block) + " warp " +
         std::to_string(a.thread.warp) + " lane " + std::to_string(a.thread.lane);
}

struct Counts {
  int racy = 0, clean = 0, pairs = 0, same_value = 0, by_volatile = 0, ended = 0;
};

/// Bytes of pairs that are so, of `so`; fails where one is not.
void add_bytes(const std::vector<Race>& reported, const std::map<Pair, bool>& so, const std::vector<int>& instructions,
               const Program& p, std::set<std::tuple<bool, int, int>>& bytes, Counts& counts) {
  for (const Race& r : reported) {
    if (r.missing == Missing::begin || r.missing == Missing::end) continue;  // cluster_races_test.cpp
    Access a = access_of(r.first, instructions, p, r), b = access_of(r.second, instructions, p, r);
    if (b < a) std::swap(a, b);
    bool same = true;
    for (std::size_t i = 0; i < 4; ++i) {
      if ((r.bytes >> i & 1) == 0) continue;
      const int byte = static_cast<int>(r.byte / 4 * 4 + i);
      const auto pair = so.find({a, b, byte});
      ASSERT_NE(pair, so.end()) << "reported, and not so: " << words(a) << ", " << words(b);
      same = same && pair->second;
      bytes.insert({r.shared, r.shared ? static_cast<int>(r.owner) : 0, byte});
    }
    ASSERT_EQ(r.same_value, same) << words(a) << ", " << words(b);
    counts.same_value += r.same_value ? 1 : 0;
  }
}

/// The pairs that are reported as a number are no more than those of the oracle. Of a copy that is not awaited there are
/// two reports: that nothing waits for it, and what is missing besides.
void compare_numbers(const std::vector<Race>& reported, const std::map<Pair, bool>& so,
                     const std::vector<int>& instructions) {
  std::map<std::tuple<int, int, bool>, std::uint64_t> counted;
  std::map<std::pair<int, int>, std::uint64_t> all;
  for (const Race& r : reported) {
    if (r.missing == Missing::begin || r.missing == Missing::end) continue;
    const auto [low, high] = std::minmax(instructions[r.first.pc], instructions[r.second.pc]);
    counted[{low, high, r.missing == Missing::completion}] += r.times;
  }
  std::set<std::pair<Access, Access>> pairs;
  for (const auto& [pair, same] : so) pairs.insert({pair.a, pair.b});
  for (const auto& [a, b] : pairs) ++all[std::minmax(a.instruction, b.instruction)];
  for (const auto& [of, number] : counted) {
    const auto& [low, high, copied] = of;
    ASSERT_LE(number, (all[{low, high}])) << "instructions " << low << ", " << high;
  }
}

/// `rows_from`: lanes of an access that make a row.
void compare(const Program& p, std::uint64_t seed, std::uint32_t slice, int rows_from, Counts& counts) {
  const std::string text = p.ptx();
  std::optional<Ready> run = ready(p, text);
  ASSERT_TRUE(run) << text;
  const std::vector<trace::CodeSite>& code = run->code;
  const auto instructions = instruction_of(p, code);
  Log log(instructions);
  Reported reported(run->launch, code, run->areas());
  reported.make_rows_from(rows_from);
  const auto result = emulator::run(run->module, run->launch, run->buffers,
                                    {.seed = seed, .slice = slice, .observers = {&log, &reported}});
  ASSERT_TRUE(result) << text;
  if (!result->faults.empty()) {
    // Shared memory of a block that has ended, which is what may happen without a last barrier of the cluster.
    ASSERT_TRUE(p.cluster > 1 && result->faults.front().message.find("has exited") != std::string::npos)
        << result->faults.front().message << "\n"
        << text;
    ++counts.ended;
    return;
  }
  const Verdict verdict = judge(p, log.accesses);
  SCOPED_TRACE(text);
  std::set<std::tuple<bool, int, int>> bytes, by_volatile;
  add_bytes(reported.all, verdict.pairs, instructions, p, bytes, counts);
  add_bytes(reported.by_volatile, verdict.volatile_pairs, instructions, p, by_volatile, counts);
  if (::testing::Test::HasFatalFailure()) return;
  compare_numbers(reported.races(), verdict.pairs, instructions);
  compare_numbers(reported.volatile_pairs(), verdict.volatile_pairs, instructions);
  if (::testing::Test::HasFatalFailure()) return;
  // Where a race is reported at the same byte, the pair may be hidden after it.
  by_volatile.insert(bytes.begin(), bytes.end());
  ASSERT_TRUE(std::ranges::includes(by_volatile, verdict.volatile_bytes)) << "not reported";
  counts.by_volatile += verdict.volatile_pairs.empty() ? 0 : 1;
  ASSERT_EQ(bytes, verdict.bytes) << "bytes that threads race for\n" << text;
  ++(verdict.pairs.empty() ? counts.clean : counts.racy);
  counts.pairs += static_cast<int>(reported.all.size());
}

TEST(RaceOracle, TellsExactlyTheBytesThatThreadsRaceFor) {
  std::mt19937_64 random(20241);
  const int rounds = test_rounds(1'000);
  Counts counts;
  for (int i = 0; i < rounds && !HasFatalFailure(); ++i) {
    const Program p = random_program(random);
    SCOPED_TRACE(i);
    compare(p, random(), i % 3 == 0 ? 0 : 1, 1 + i % 2 * 7, counts);
  }
  // Both kinds are common, or the comparison says little.
  EXPECT_GT(counts.clean, rounds / 12);
  EXPECT_GT(counts.racy, rounds / 3);
  EXPECT_GT(counts.same_value, rounds / 12);
  EXPECT_GT(counts.by_volatile, rounds / 24);
  RecordProperty("clean", counts.clean);
  RecordProperty("racy", counts.racy);
}

TEST(RaceOracle, TellsExactlyTheBytesThatAsynchronousCopiesRaceFor) {
  std::mt19937_64 random(20242);
  const int rounds = test_rounds(1'000);
  Counts counts;
  for (int i = 0; i < rounds && !HasFatalFailure(); ++i) {
    const Program p = random_program(random, true);
    SCOPED_TRACE(i);
    compare(p, random(), i % 3 == 0 ? 0 : 1, 1 + i % 2 * 7, counts);
  }
  EXPECT_GT(counts.clean, rounds / 24);
  EXPECT_GT(counts.racy, rounds / 3);
  RecordProperty("clean", counts.clean);
  RecordProperty("racy", counts.racy);
}

TEST(RaceOracle, TellsExactlyTheBytesThatBulkCopiesRaceFor) {
  const int rounds = test_rounds(300);
  std::mt19937_64 random(20245);
  Counts counts;
  for (int i = 0; i < rounds && !HasFatalFailure(); ++i) {
    const Program p = random_bulk_program(random);
    SCOPED_TRACE(i);
    compare(p, random(), i % 3 == 0 ? 0 : 1, 1 + i % 2 * 7, counts);
  }
  EXPECT_GT(counts.clean, rounds / 20);
  EXPECT_GT(counts.racy, rounds / 4);
  EXPECT_LT(counts.ended, rounds / 4);
  RecordProperty("clean", counts.clean);
  RecordProperty("racy", counts.racy);
  RecordProperty("ended", counts.ended);
}

// By leaving the barrier out of the program that the oracle judges: does any pair lose its order?
TEST(UnneededBarriers, AreThoseWithoutWhichTheOracleFindsNoOtherPair) {
  std::mt19937_64 random(20243);
  int needed = 0, unneeded = 0, racy = 0;
  const int rounds = test_rounds(1'000);
  for (int i = 0; i < rounds && !HasFailure(); ++i) {
    const Program p = random_program(random, i % 4 == 0);
    SCOPED_TRACE(i);
    const std::string text = p.ptx();
    std::optional<Ready> run = ready(p, text);
    ASSERT_TRUE(run) << text;
    const std::vector<trace::CodeSite>& code = run->code;
    const auto instructions = instruction_of(p, code);
    const auto places = barriers_of(p, code);
    if (places.empty()) continue;
    std::vector<std::vector<std::uint32_t>> pcs;
    for (const auto& [instruction, pc] : places) pcs.push_back({pc});
    Log log(instructions);
    Unneeded observer(run->launch, code, run->areas(), pcs);
    const auto result =
        emulator::run(run->module, run->launch, run->buffers, {.seed = random(), .observers = {&log, &observer}});
    ASSERT_TRUE(result && result->faults.empty()) << text;
    std::set<std::size_t> found;
    for (const Unneeded::Found& f : observer.found()) found.insert(places[f.place].first);
    const Verdict plain = judge(p, log.accesses);
    if (!plain.pairs.empty()) {
      EXPECT_TRUE(found.empty()) << text;
      ++racy;
      continue;
    }
    const Verdict whole = judge(p, log.accesses, true);
    for (const auto& [instruction, pc] : places) {
      Program without = p;
      without.code[instruction].kind = Ins::Kind::nothing;
      const bool changes = judge(without, log.accesses, true).pairs != whole.pairs;
      // A barrier of a warp to which no lane comes is never executed.
      const auto& masks = p.code[instruction].masks;
      const bool comes = p.code[instruction].kind == Ins::Kind::barrier || p.code[instruction].others_too ||
                         std::any_of(masks.begin(), masks.end(), [](std::uint32_t m) { return m != 0; });
      EXPECT_EQ(found.contains(instruction), comes && !changes) << "instruction " << instruction << "\n" << text;
      ++(changes ? needed : unneeded);
    }
  }
  EXPECT_GT(needed, rounds / 40);
  EXPECT_GT(unneeded, rounds / 12);
  EXPECT_GT(racy, rounds / 12);
}

}  // namespace
}  // namespace lanescope::races::test
