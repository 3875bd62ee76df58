// Irregular codes over graphs in CSR form (tests/data/graphs), each with the host code that makes its input,
// in variants by macros: the workers of a vertex (a thread, a warp, a block), grid-stride or not, element
// types, and planted mistakes. The findings of each were decided before it was run: plain accesses that
// conflict are races, also with atomics; writes of the same value are distinguished; right ones have nothing.

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "app/engine/session/session.h"
#include "kernels/compile/compile.h"
#include "world.h"

namespace lanescope::review {
namespace {

using RuleNames = std::set<std::string>;

struct Case {
  const char* file;
  std::vector<std::string> options;
  RuleNames shows;  ///< rules about races and what they leave, errors and warnings; "same-value-writes"; "fault"
};

const RuleNames rules_on_races = {"barrier-missing",  "warp-sync-missing",  "global-unordered", "same-value-writes",
                                  "write-overlap",    "volatile-unordered", "lock-unfenced",    "uninitialised-read",
                                  "copy-not-awaited", "barrier-divergent"};

/// `only_warned`: of warnings, unless a rule makes nothing else.
RuleNames shown(const Case& c, std::string& words, bool only_warned = false) {
  engine::RunRequest request;
  request.file = std::string(LANESCOPE_TEST_DATA_DIR) + "/graphs/" + c.file;
  request.text = file_text(request.file);
  request.review = true;
  request.probed_run = false;
  request.given.words = c.options;
  engine::Session session;
  const results::Summary& s = session.run(request);
  RuleNames rules;
  for (const results::FindingInfo& f : s.findings) {
    if (!rules_on_races.contains(f.rule) || (f.severity == Severity::note && f.rule != "same-value-writes")) continue;
    if (only_warned && f.severity != Severity::warning) continue;
    rules.insert(f.rule);
    words += f.rule + ": " + f.message + "\n";
  }
  if (!s.faults.empty()) rules.insert("fault");
  if (!s.ok && s.faults.empty()) rules.insert("not run");
  for (const Diagnostic& d : s.diagnostics) words += lanescope::to_string(d) + "\n";
  for (const std::string& a : s.inferred) words += a + "\n";
  for (const source::Assumption& a : s.assumed) words += sentence_of(a) + "\n";
  return rules;
}

void all_show(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    std::string name = c.file, words;
    for (const std::string& o : c.options) name += " " + o;
    EXPECT_EQ(shown(c, words), c.shows) << name << "\n" << words;
  }
}

// A plain read in front of an atomic that compares again is a warning, and an error where it decides more.
TEST(GraphCodes, GuardsOfAtomics) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  const RuleNames both{"global-unordered", "warp-sync-missing"};
  std::string words;
  EXPECT_EQ(shown({"push.cu", {"-DGUARD"}, {}}, words, true), both) << words;
  EXPECT_EQ(shown({"rounds.cu", {"-DDISTANCES_GUARDED"}, {}}, words, true), RuleNames{"global-unordered"}) << words;
  EXPECT_NE(words.find("which compares again"), std::string::npos);
  EXPECT_EQ(shown({"push.cu", {"-DPLAIN_MAX"}, {}}, words, true), RuleNames{});
  EXPECT_EQ(shown({"cores.cu", {"-DGUARD"}, {}}, words, true), RuleNames{});
  EXPECT_EQ(shown({"cores.cu", {"-DGUARD"}, {}}, words), both);
}

const std::string warp = "-DWORKER=1", block = "-DWORKER=2", stride = "-DSTRIDE";

TEST(GraphCodes, Reductions) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  all_show({{"pull.cu", {}, {}},
            {"pull.cu", {warp, stride, "-DDATA=short"}, {}},
            {"pull.cu", {block, stride, "-DDATA=char"}, {}},
            {"pull.cu", {block, stride, "-DNO_SYNC"}, {"barrier-missing", "warp-sync-missing"}},
            {"pull.cu", {block, stride, "-DNO_SECOND_SYNC"}, {"barrier-missing", "warp-sync-missing"}},
            {"pull.cu", {block, "-DIN_PLACE"}, {"global-unordered"}},
            {"pull.cu", {"-DIN_PLACE", "-DDATA=char"}, {"global-unordered", "warp-sync-missing"}},
            {"pull.cu", {"-DNO_BOUND", "-DDATA=char"}, {"fault"}},
            {"rank.cu", {"-DDATA=float", "-DSYNC_IN_WARP"}, {}},
            {"rank.cu", {"-DDATA=double", "-DNO_SYNC"}, {"barrier-missing"}},
            {"rank.cu", {"-DDATA=float", "-DNO_SYNC_IN_WARP"}, {"warp-sync-missing"}},
            {"rank.cu", {"-DDATA=float", "-DPLAIN"}, {"global-unordered"}},
            {"neighbours.cu", {warp, stride, "-DDATA=char"}, {}},
            {"neighbours.cu", {warp, "-DDATA=char", "-DNO_SYNCWARP"}, {"warp-sync-missing"}},
            {"neighbours.cu", {warp, stride, "-DNO_SECOND_SYNCWARP"}, {"warp-sync-missing"}}});
}

TEST(GraphCodes, UpdatesOfNeighbours) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  const RuleNames both{"global-unordered", "warp-sync-missing"};
  all_show({{"push.cu", {"-DDATA=double", warp}, {}},
            {"push.cu", {"-DMAX", "-DDATA=unsigned long long", block, stride}, {}},
            {"push.cu", {"-DPLAIN_SUM", "-DDATA=char"}, both},
            {"push.cu", {"-DGUARD", warp}, both},
            {"push.cu", {"-DVOLATILE_GUARD"}, {}},
            {"push.cu", {"-DPLAIN_MAX", "-DDATA=short"}, both},
            {"push.cu", {"-DMARK"}, {"same-value-writes"}},
            {"triangles.cu", {block, stride}, {}},
            {"triangles.cu", {block, "-DNO_SECOND_SYNC"}, {}},
            {"triangles.cu", {block, stride, "-DNO_SECOND_SYNC"}, {"barrier-missing"}},
            {"triangles.cu", {"-DPLAIN"}, both},
            {"cores.cu", {warp}, {}},
            {"cores.cu", {"-DPLAIN"}, both},
            {"lock.cu", {}, {}},
            {"lock.cu", {stride}, {}}});
}

TEST(GraphCodes, CountsAndLists) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  const RuleNames both{"global-unordered", "warp-sync-missing"};
  all_show({{"count.cu", {"-DEDGE", block}, {}},
            {"count.cu", {"-DWARP_TOTAL", stride}, {}},
            {"count.cu", {"-DBLOCK_TOTAL", warp, stride}, {}},
            {"count.cu", {"-DPLAIN"}, both},
            {"count.cu", {"-DPLAIN_READ", warp}, {"global-unordered"}},
            {"count.cu", {"-DBLOCK_TOTAL", "-DPLAIN"}, {"barrier-missing", "warp-sync-missing"}},
            {"count.cu", {"-DBLOCK_TOTAL", "-DNO_SYNC_INIT"}, {"barrier-missing", "warp-sync-missing"}},
            {"count.cu", {"-DBLOCK_TOTAL", "-DNO_SYNC_END"}, {"barrier-missing", "warp-sync-missing"}},
            {"worklist.cu", {"-DAGGREGATED", stride}, {}},
            {"worklist.cu", {"-DCAPACITY=20"}, {"fault"}},
            {"worklist.cu", {"-DPLAIN"}, {"global-unordered", "warp-sync-missing", "write-overlap"}}});
}

TEST(GraphCodes, Rounds) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  const RuleNames both{"global-unordered", "warp-sync-missing"};
  const RuleNames with_mark{"global-unordered", "warp-sync-missing", "same-value-writes"};
  all_show({{"union_find.cu", {"-DATOMIC", warp}, {}},
            {"union_find.cu", {"-DRELAXED"}, {}},
            {"union_find.cu", {}, both},
            {"union_find.cu", {"-DATOMIC", "-DFLATTEN"}, both},
            {"rounds.cu", {"-DLABELS_PULL"}, {"same-value-writes"}},
            {"rounds.cu", {"-DLABELS_PULL_IN_PLACE"}, with_mark},
            {"rounds.cu", {"-DLABELS_PUSH", block, stride}, {}},
            {"rounds.cu", {"-DLEVELS"}, with_mark},
            {"rounds.cu", {"-DLEVELS_CAS", warp}, {}},
            {"rounds.cu", {"-DDISTANCES"}, {}},
            {"rounds.cu", {"-DDISTANCES_IN_PLACE"}, both},
            {"rounds.cu", {"-DCOLOURS"}, {"same-value-writes"}},
            {"rounds.cu", {"-DCOLOURS_IN_PLACE"}, with_mark}});
}

}  // namespace
}  // namespace lanescope::review
