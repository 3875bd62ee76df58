// Blocks of a cluster that reach each other's shared memory, against the oracle: every race that is reported is one, no byte that
// threads race for is left out, and exactly those accesses are reported for which the other block may not be there.
//

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>

#include "kernels/base/set_bits.h"
#include "kernels/emulator/emulator.h"
#include "oracle.h"
#include "profiling/races/races.h"
#include "profiling/races/unneeded.h"
#include "programs.h"
#include "ready.h"
#include "tests/rounds.h"

namespace lanescope::races::test {
namespace {

/// By pc: which instruction of the program it is, if it touches memory or arrives elsewhere; else -1.
std::vector<int> instructions_of_cluster(const Program& p, const std::vector<trace::CodeSite>& code) {
  std::vector<int> out;
  std::size_t next = 0;
  const auto is_reported = [&](const Ins& i) {
    return i.is_access() || (i.kind == Ins::Kind::arrive && i.remote != 0);
  };
  for (const trace::CodeSite& site : code) {
    const bool reported =
        std::ranges::any_of(std::array{"ld.", "st.", "atom.", "red.", "cp.async.ca.", "mbarrier.arrive.release.cluster",
                                       "mbarrier.arrive.release.cta", "mbarrier.arrive.shared::cluster"},
                            [&](const char* o) { return site.text.starts_with(std::string("@%p1 ") + o); });
    while (reported && next < p.code.size() && !is_reported(p.code[next])) ++next;
    out.push_back(reported ? static_cast<int>(next++) : -1);
  }
  return out;
}

class ClusterLog final : public trace::Observer {
 public:
  ClusterLog(const Program& program, const std::vector<int>& instructions)
      : program_(program), instructions_(instructions) {}
  void on_access(const trace::AccessEvent& e) override {
    if (e.space != trace::MemorySpace::global && e.space != trace::MemorySpace::shared) return;
    const bool source = e.kind == trace::AccessKind::async_copy && e.space == trace::MemorySpace::global;
    for (const std::size_t lane : set_bits(e.where.active)) accesses.push_back(of(e.where, lane, source));
  }
  void on_remote_access(const trace::RemoteAccessEvent& e) override {
    for (const std::size_t lane : set_bits(e.access.where.active)) {
      accesses.push_back(of(e.access.where, lane, false));
      reaches.push_back({accesses.back(), static_cast<int>(e.blocks[lane])});
    }
  }
  void on_barrier_object(const trace::BarrierObjectEvent& e) override {
    if (e.block == e.where.block) return;
    const Access access = of(e.where, first_bit(e.where.active), false);
    const bool to_block = access.instruction >= 0 && program_.code[static_cast<std::size_t>(access.instruction)].cta;
    reaches.push_back({access, static_cast<int>(e.block), !to_block});
  }
  std::vector<Access> accesses;
  std::vector<Reach> reaches;

 private:
  Access of(const trace::Where& w, std::size_t lane, bool source) const {
    return {instructions_[w.pc], {static_cast<int>(w.block), static_cast<int>(w.warp), static_cast<int>(lane)}, source};
  }
  const Program& program_;
  const std::vector<int>& instructions_;
};

class ClusterReports final : public RaceObserver {
 public:
  using RaceObserver::RaceObserver;
  std::vector<Race> all;

 protected:
  void occurred(const Race& r) override { all.push_back(r); }
};

Access side_of(const Side& s, const std::vector<int>& instructions, const Program& p, bool shared) {
  const int i = instructions[s.pc];
  const bool source = i >= 0 && p.code[static_cast<std::size_t>(i)].is_copy() && !shared;
  return {i, {static_cast<int>(s.block), static_cast<int>(s.warp), static_cast<int>(s.lane)}, source};
}

std::string side_words(const Access& a) {
  return "instruction " + std::to_string(a.instruction) + " block " + std::to_string(a.thread.block) + " warp " +
         std::to_string(a.thread.warp) + " lane " + std::to_string(a.thread.lane);
}

std::string lifetime_words(const std::set<std::pair<int, Thread>>& accesses) {
  std::string text;
  for (const auto& [instruction, thread] : accesses) text += side_words({instruction, thread}) + "\n";
  return text;
}

struct ClusterCounts {
  int racy = 0, clean = 0, begin = 0, end = 0, ended = 0, between_blocks = 0, relaxed = 0;
};

void compare_cluster(const Program& p, std::uint64_t seed, std::uint32_t slice, ClusterCounts& counts) {
  const std::string text = p.ptx();
  std::optional<Ready> run = ready(p, text);
  ASSERT_TRUE(run) << text;
  const std::vector<trace::CodeSite>& code = run->code;
  const auto instructions = instructions_of_cluster(p, code);
  ClusterLog log(p, instructions);
  ClusterReports reported(run->launch, code, run->areas());
  const auto result = emulator::run(run->module, run->launch, run->buffers,
                                    {.seed = seed, .slice = slice, .observers = {&log, &reported}});
  ASSERT_TRUE(result) << result.error().front().message << "\n" << text;
  if (!result->faults.empty()) {
    // The block had ended before the access came, which is what may happen without a last barrier.
    ASSERT_NE(result->faults.front().message.find("has exited"), std::string::npos) << result->faults.front().message;
    ++counts.ended;
    return;
  }
  const Verdict verdict = judge(p, log.accesses);
  const Lifetimes wanted = lifetimes(p, log.accesses, log.reaches);
  Lifetimes found;
  std::set<std::tuple<bool, int, int>> bytes;
  for (const Race& r : reported.all) {
    Access a = side_of(r.first, instructions, p, r.shared), b = side_of(r.second, instructions, p, r.shared);
    if (r.missing == Missing::begin || r.missing == Missing::end) {
      (r.missing == Missing::begin ? found.begin : found.end).insert({a.instruction, a.thread});
      continue;
    }
    counts.between_blocks += r.shared && a.thread.block != b.thread.block ? 1 : 0;
    counts.relaxed += r.missing == Missing::unrelaxed ? 1 : 0;
    if (b < a) std::swap(a, b);
    bool same = true;
    for (std::size_t i = 0; i < 4; ++i) {
      if ((r.bytes >> i & 1) == 0) continue;
      const int byte = static_cast<int>(r.byte / 4 * 4 + i);
      const auto pair = verdict.pairs.find({a, b, byte});
      ASSERT_NE(pair, verdict.pairs.end()) << "reported, and not so: " << side_words(a) << ", " << side_words(b) << "\n"
                                           << text;
      same = same && pair->second;
      bytes.insert({r.shared, r.shared ? static_cast<int>(r.owner) : 0, byte});
    }
    ASSERT_EQ(r.same_value, same) << side_words(a) << ", " << side_words(b) << "\n" << text;
  }
  ASSERT_EQ(bytes, verdict.bytes) << "bytes that threads race for\n" << text;
  ASSERT_EQ(found.begin, wanted.begin) << "reported:\n"
                                       << lifetime_words(found.begin) << "so:\n"
                                       << lifetime_words(wanted.begin) << text;
  ASSERT_EQ(found.end, wanted.end) << "reported:\n"
                                   << lifetime_words(found.end) << "so:\n"
                                   << lifetime_words(wanted.end) << text;
  ++(verdict.pairs.empty() ? counts.clean : counts.racy);
  counts.begin += wanted.begin.empty() ? 0 : 1;
  counts.end += wanted.end.empty() ? 0 : 1;
}

TEST(ClusterRaceOracle, TellsExactlyWhatBlocksOfAClusterRaceFor) {
  const int rounds = test_rounds(250);
  std::mt19937_64 random(20244);
  ClusterCounts counts;
  for (int i = 0; i < rounds && !HasFatalFailure(); ++i) {
    const Program p = random_cluster_program(random);
    SCOPED_TRACE(i);
    compare_cluster(p, random(), i % 3 == 0 ? 0 : 1, counts);
  }
  // Each kind is common, or the comparison says little.
  EXPECT_GT(counts.clean, rounds / 20);
  EXPECT_GT(counts.racy, rounds / 4);
  EXPECT_GT(counts.begin, rounds / 20);
  EXPECT_GT(counts.end, rounds / 20);
  EXPECT_GT(counts.between_blocks, rounds / 2);
  EXPECT_GT(counts.relaxed, rounds / 50);
  EXPECT_LT(counts.ended, rounds / 4);
  for (const auto& [name, value] : std::map<std::string, int>{{"clean", counts.clean},
                                                              {"racy", counts.racy},
                                                              {"begin", counts.begin},
                                                              {"end", counts.end},
                                                              {"ended", counts.ended},
                                                              {"between_blocks", counts.between_blocks},
                                                              {"relaxed", counts.relaxed}})
    RecordProperty(name, value);
}

// A barrier that is called unneeded can be left out: by the oracle no pair loses its order, and shared memory of other blocks
// is there whenever it is accessed. And all such barriers are found.
TEST(UnneededBarriersOfClusters, AreThoseWithoutWhichTheOracleFindsNothingElse) {
  const int rounds = test_rounds(100);
  std::mt19937_64 random(20246);
  int needed = 0, unneeded = 0, of_cluster = 0, of_cluster_needed = 0, judged = 0;
  for (int n = 0; n < rounds && !HasFailure(); ++n) {
    Program p = random_cluster_program(random);
    // Few accesses, or nearly every program races and nothing is judged; a last barrier, so that blocks are there.
    for (Ins& i : p.code)
      if (i.is_access() && random() % 3 != 0) i = Ins{.kind = Ins::Kind::nothing};
    for (const Ins::Kind k : {Ins::Kind::cluster_arrive, Ins::Kind::cluster_wait}) p.code.push_back({.kind = k});
    for (const Ins::Kind k : {Ins::Kind::cluster_wait, Ins::Kind::cluster_arrive})
      p.code.insert(p.code.begin(), Ins{.kind = k});
    SCOPED_TRACE(n);
    const std::string text = p.ptx();
    std::optional<Ready> run = ready(p, text);
    ASSERT_TRUE(run) << text;
    const std::vector<trace::CodeSite>& code = run->code;
    const auto instructions = instructions_of_cluster(p, code);
    const auto places = barriers_of(p, code);
    std::vector<std::vector<std::uint32_t>> pcs;
    for (const auto& [instruction, pc] : places) pcs.push_back({pc});
    ClusterLog log(p, instructions);
    Unneeded observer(run->launch, code, run->areas(), pcs);
    const auto result =
        emulator::run(run->module, run->launch, run->buffers, {.seed = random(), .observers = {&log, &observer}});
    ASSERT_TRUE(result && result->faults.empty()) << text;
    std::set<std::size_t> found;
    for (const Unneeded::Found& f : observer.found()) found.insert(places[f.place].first);
    const auto is_there = [&](const Lifetimes& l) { return l.begin.empty() && l.end.empty(); };
    const Verdict plain = judge(p, log.accesses);
    if (!plain.pairs.empty() || !is_there(lifetimes(p, log.accesses, log.reaches))) {
      EXPECT_TRUE(found.empty()) << text;
      continue;
    }
    ++judged;
    const Verdict whole = judge(p, log.accesses, true);
    for (const auto& [instruction, pc] : places) {
      Program without = p;
      without.code[instruction].kind = Ins::Kind::nothing;
      const bool cluster = p.code[instruction].kind == Ins::Kind::cluster_arrive;
      for (std::size_t wait = instruction; cluster; ++wait)
        if (p.code[wait].kind == Ins::Kind::cluster_wait) {
          without.code[wait].kind = Ins::Kind::nothing;
          break;
        }
      const bool changes = judge(without, log.accesses, true).pairs != whole.pairs ||
                           !is_there(lifetimes(without, log.accesses, log.reaches));
      const auto& masks = p.code[instruction].masks;
      const bool comes = p.code[instruction].kind != Ins::Kind::warp_sync || p.code[instruction].others_too ||
                         std::any_of(masks.begin(), masks.end(), [](std::uint32_t m) { return m != 0; });
      EXPECT_EQ(found.contains(instruction), comes && !changes) << "instruction " << instruction << "\n" << text;
      ++(changes ? needed : unneeded);
      of_cluster += cluster && !changes ? 1 : 0;
      of_cluster_needed += cluster && changes ? 1 : 0;
    }
  }
  EXPECT_GT(judged, rounds / 10);
  EXPECT_GT(needed, rounds / 50);
  EXPECT_GT(unneeded, rounds / 5);
  EXPECT_GT(of_cluster, rounds / 10);
  EXPECT_GT(of_cluster_needed, rounds / 100);
  for (const auto& [name, value] : std::map<std::string, int>{{"judged", judged},
                                                              {"needed", needed},
                                                              {"unneeded", unneeded},
                                                              {"of_cluster", of_cluster},
                                                              {"of_cluster_needed", of_cluster_needed}})
    RecordProperty(name, value);
}

}  // namespace
}  // namespace lanescope::races::test
