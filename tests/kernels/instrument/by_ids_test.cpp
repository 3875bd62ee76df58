// Verdicts by element ids against verdicts by identities: the same, or unchecked with a reason; never the opposite. Over
// the claims of the catalogue, over what really is at every probe, over seeded false claims, and over kernels made to
// mislead.

#include <algorithm>
#include <filesystem>
#include <random>
#include <set>

#include <fmt/format.h>

#include "kernels/instrument/by_ids.h"
#include "kernels/instrument/slice.h"
#include "tests/catalogue/swaps.h"
#include "tests/kernels/claims/forms.h"
#include "tests/kernels/instrument/misleading.h"
#include "tests/kernels/instrument/support.h"

namespace lanescope::instrument::test {
namespace {

using claims::ClaimResult;
using claims::Verdict;

struct Score {
  int claims = 0, decided = 0, settled_by_tags = 0;
};

/// The law.
Score compare_verdicts(const Compiled& c, const IdSettings& settings = {}) {
  const std::vector<ClaimResult> tags = by_tags(c);
  const IdAnswer ids = by_ids(c, settings);
  Score score;
  EXPECT_EQ(tags.size(), ids.results.size());
  for (std::size_t n = 0; n < std::min(tags.size(), ids.results.size()); ++n) {
    const ClaimResult &t = tags[n], &i = ids.results[n];
    ++score.claims;
    score.settled_by_tags += t.verdict != Verdict::unchecked ? 1 : 0;
    score.decided += i.verdict != Verdict::unchecked ? 1 : 0;
    if (i.verdict == Verdict::unchecked) {
      EXPECT_FALSE(i.reason.empty()) << c.program.name << " claim " << n;
      continue;
    }
    EXPECT_EQ(i.verdict, t.verdict) << c.program.name << ", " << c.source.claims[n].variable << " at probe "
                                    << c.source.claims[n].probe << ": " << layout::print_line(c.source.claims[n].stated)
                                    << "; tags: " << t.reason.words() << t.difference << "; ids: " << i.difference;
    EXPECT_EQ(i.difference, t.difference) << c.program.name << " claim " << n;
    EXPECT_EQ(i.actual_words, t.actual_words) << c.program.name << " claim " << n;
  }
  return score;
}

// --- more claims than the author wrote ------------------------------------------------------------------------------

/// Adds claims of the actual contents at each probe, one variable at a time.
void claim_what_is_there(Compiled& c) {
  const Program& p = c.program;
  std::vector<trace::Buffer> buffers = p.buffers;
  trace::TagPool pool;
  pool.space = emulator::tag_space(buffers);
  std::vector<int> bytes(c.source.variables.size());
  for (const ptx::Entry& e : p.module.entries)
    for (const ptx::Probe& probe : e.probes) bytes.at(static_cast<std::size_t>(probe.variable)) = probe.value_bytes;
  claims::Collector collector(c.source, pool, bytes, {});
  ASSERT_TRUE(emulator::run(p.module, p.launch, buffers, {.tags = &pool, .observers = {&collector}}));
  std::vector<source::Claim> more;
  for (const source::ProbePoint& probe : c.source.probes) {
    if (probe.claim >= 0) continue;
    for (const int variable : probe.variables) {
      const claims::Real real = collector.real_at(probe.id, {variable}, 0, 0);
      if (!real.assignment) continue;
      source::Claim claim;
      claim.variable = c.source.variables.at(static_cast<std::size_t>(variable)).name;
      claim.registers = {variable};
      claim.stated = *real.assignment;
      claim.probe = probe.id;
      more.push_back(claim);
    }
  }
  c.source.claims.insert(c.source.claims.end(), more.begin(), more.end());
}

using Place = std::pair<std::size_t, std::size_t>;  ///< row, bit

std::vector<Place> places(const layout::Assignment& a) {
  std::vector<Place> out;
  for (std::size_t r = 0; r < a.rows.size(); ++r)
    for (std::size_t b = 0; a.rows[r] && b < a.rows[r]->size(); ++b) out.emplace_back(r, b);
  return out;
}

/// One thing changed; nullopt where nothing can be.
std::optional<layout::Assignment> mutant(const layout::Assignment& stated, std::mt19937_64& random) {
  const std::vector<Place> all = places(stated);
  if (all.size() < 2) return std::nullopt;
  layout::Assignment a = stated;
  const auto term = [&](const Place& p) -> layout::Term& { return (*a.rows[p.first])[p.second]; };
  const Place x = all[random() % all.size()], y = all[random() % all.size()];
  if (term(x).role != layout::Term::Role::sum || term(y).role != layout::Term::Role::sum) return std::nullopt;
  switch (random() % 3) {
    case 0:
      std::swap(term(x), term(y));
      break;
    case 1:
      term(x).constant = !term(x).constant;
      break;
    default: {
      std::vector<std::string> names = term(x).names;
      names.insert(names.end(), term(y).names.begin(), term(y).names.end());
      const layout::Term sum = layout::sum_of(names);
      if (x == y || sum.names.empty()) return std::nullopt;
      term(x) = sum;
    }
  }
  return a == stated ? std::nullopt : std::optional(a);
}

int add_mutants(Compiled& c, std::uint64_t seed, int each) {
  std::mt19937_64 random(seed);
  std::vector<source::Claim> more;
  for (const source::Claim& claim : c.source.claims)
    for (int n = 0; n < each && claim.probe >= 0; ++n)
      if (auto wrong = mutant(claim.stated, random)) {
        more.push_back(claim);
        more.back().stated = *wrong;
      }
  c.source.claims.insert(c.source.claims.end(), more.begin(), more.end());
  return static_cast<int>(more.size());
}

/// 4096 blocks of one kernel, 60 times over, are more than a test needs.
void shrink(Compiled& c) {
  trace::Dim3& grid = c.program.launch.grid;
  if (grid.count() > 64) grid = {std::min(grid.x, 4u), std::min(grid.y, 2u), 1};
}

class ByIdsCatalogue : public ::testing::TestWithParam<std::string> {};

TEST_P(ByIdsCatalogue, AgreesWithIdentities) {
  Compiled c = compiled(GetParam(), compile::Variant::probed);
  shrink(c);
  const std::size_t own = c.source.claims.size();
  const Score written = compare_verdicts(c);
  claim_what_is_there(c);
  const std::size_t there = c.source.claims.size() - own;
  const int wrong = add_mutants(c, 20261120, 3);
  const Score all = compare_verdicts(c);
  RecordProperty("written", fmt::format("{} of {}", written.decided, written.claims));
  fmt::print("{:<26} written {:>2}/{:<2} all {:>3}/{:<3} (tags settle {}; {} real, {} false)\n", c.program.name,
             written.decided, written.claims, all.decided, all.claims, all.settled_by_tags, there, wrong);
  // Everything that is moved and not computed is decided. Not of kernels that compute keys, labels or sums, or where data
  // decide who goes where; nor of those with cooperative groups, where nothing is decided: whether it could be is open.
  static const std::set<std::string> undecided = {"warp_sum",          "warp_sum_down",         "broadcast_voted",
                                                  "correlate_1bit",    "correlate_4bit",        "group_coalesced",
                                                  "group_grid_sync",   "group_labelled",        "group_reduce",
                                                  "group_tiles",       "ldmatrix_product",      "match_any",
                                                  "mma_product",       "reduce_template",       "reduce_unrolled4",
                                                  "reduce_unrolled8",  "reduce_unrolled_fully", "reduce_unrolled_warp",
                                                  "scan_predicate",    "scan_shared",           "scan_shuffle",
                                                  "sort_block",        "sort_shared",           "sort_shuffle",
                                                  "structures_direct", "structures_shared",     "structures_shuffle",
                                                  "wgmma_product"};
  if (!undecided.contains(c.program.name)) {
    EXPECT_EQ(written.decided, written.settled_by_tags);
    EXPECT_EQ(all.decided, all.settled_by_tags);
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, ByIdsCatalogue, ::testing::ValuesIn(catalogue(4)),
                         [](const auto& info) { return std::filesystem::path(info.param).stem().string(); });

TEST(ByIdsPieces, GridsWatchedInPiecesSayTheSame) {
  Compiled c = compiled(LANESCOPE_SOURCE_DIR "/assets/kernels/copy_float4.cu", compile::Variant::probed);
  add_mutants(c, 3, 4);
  const IdAnswer whole = by_ids(c);
  const IdAnswer pieces = by_ids(c, {.record_bytes = std::uint64_t{12} << 10});
  EXPECT_GT(pieces.runs, whole.runs);
  EXPECT_EQ(pieces.records, whole.records);
  ASSERT_EQ(pieces.results.size(), whole.results.size());
  for (std::size_t n = 0; n < whole.results.size(); ++n) {
    EXPECT_EQ(pieces.results[n].verdict, whole.results[n].verdict);
    EXPECT_EQ(pieces.results[n].places, whole.results[n].places);
  }
  for (const ClaimResult& r : by_ids(c, {.record_bytes = 64}).results) EXPECT_EQ(r.verdict, Verdict::unchecked);
}

// --- ids ------------------------------------------------------------------------------------------------------------

TEST(Ids, NameEveryBitAndNothingElse) {
  std::mt19937_64 random(5);
  for (const std::uint32_t words : {1u, 3u, 64u, 5000u}) {
    const trace::TagSpace space{{{0, words, 32, true}, {words, 7, 8, true}, {words + 7, 9, 1, true}}};
    const Ids ids(space, {true, false, true}, random(), 40);
    std::vector<std::uint32_t> seen(static_cast<std::size_t>(ids.runs()));
    const auto show = [&](auto word_of) {
      for (int r = 0; r < ids.runs(); ++r) seen[static_cast<std::size_t>(r)] = word_of(r);
    };
    for (int trial = 0; trial < 50; ++trial) {
      const auto a = static_cast<std::uint32_t>(random() % words),
                 b = words + 7 + static_cast<std::uint32_t>(random() % 9);
      const int by = static_cast<int>(random() % 32);
      std::uint32_t found = 0;
      show([&](int r) { return ids.content(r, b); });
      EXPECT_TRUE(ids.whole_word(seen, found) && found == b);
      show([&](int r) { return std::rotl(ids.content(r, a), by); });
      EXPECT_EQ(ids.whole_word(seen, found), by == 0);
      for (int bit = 0; bit < 32; ++bit) {
        const Ids::Bit got = ids.bit(seen, bit);
        EXPECT_TRUE(got.origin == Ids::Origin::source && !got.inverted);
        EXPECT_EQ(got.source_bit, a * 32ull + static_cast<unsigned>(bit - by + 32) % 32);
      }
      show([&](int r) { return ~ids.content(r, a); });
      EXPECT_TRUE(ids.bit(seen, by).origin == Ids::Origin::source && ids.bit(seen, by).inverted);
      EXPECT_EQ(ids.bit(seen, by).source_bit, a * 32ull + static_cast<unsigned>(by));
      const auto unknown = [&](auto word_of) {
        show(word_of);
        for (int bit = 0; bit < 32; ++bit) EXPECT_EQ(ids.bit(seen, bit).origin, Ids::Origin::unknown);
      };
      unknown([&](int r) { return ids.content(r, a) ^ ids.content(r, b); });
      unknown([&](int r) { return ids.content(r, a) ^ ids.content(r, b) ^ std::rotl(ids.content(r, a), 3); });
      unknown([&](int r) { return ids.content(r, a) & ids.content(r, b); });
      unknown([&](int r) { return ids.content(r, words + 2); });  // carries no ids: a stranger
      show([&](int) { return 0x12345678u; });
      for (int bit = 0; bit < 32; ++bit) EXPECT_EQ(ids.bit(seen, bit).origin, Ids::Origin::constant);
    }
  }
}

// --- kernels made to mislead ----------------------------------------------------------------------------------------

class Misleading : public ::testing::TestWithParam<Misled> {};

TEST_P(Misleading, NeverTheOppositeOfTheTruth) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  const Misled& wanted = GetParam();
  const Compiled c = compiled("misleading.cu", compile::Variant::probed, source_of(wanted));
  ASSERT_EQ(c.source.claims.size(), 1u);
  const ClaimResult t = by_tags(c).at(0);
  const IdAnswer ids = by_ids(c);
  const ClaimResult i = ids.results.at(0);
  EXPECT_EQ(t.verdict, wanted.tags) << t.reason.words() << t.difference;
  EXPECT_EQ(i.verdict, wanted.ids) << i.reason.words() << i.difference;
  EXPECT_NE(i.reason.words().find(wanted.reason), std::string::npos) << i.reason.words();
  if (i.verdict != Verdict::unchecked && t.for_this_input) {
    EXPECT_TRUE(i.for_this_input);
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Misleading, ::testing::ValuesIn(misleading),
                         [](const auto& info) { return std::string(info.param.name); });

// --- claims as people write them ------------------------------------------------------------------------------------

class ByIdsForms : public ::testing::TestWithParam<claims::Form> {};

/// The verdict of identities, or none with its reason.
TEST_P(ByIdsForms, SayTheSameOrNothing) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  Compiled c = compiled("form.cu", compile::Variant::probed, claims::text_of(GetParam()));
  ASSERT_EQ(c.source.claims.size(), 1u);
  for (const catalogue::Swap& swap : catalogue::swaps(c.source.claims[0].stated)) {
    c.source.claims.push_back(source::Claim(c.source.claims[0]));
    c.source.claims.back().stated = swap.stated;
  }
  const std::vector<ClaimResult> tags = by_tags(c);
  const IdAnswer ids = by_ids(c);
  ASSERT_EQ(ids.results.size(), tags.size());
  EXPECT_EQ(claims::verdict_words(tags[0]), GetParam().verdict);
  for (std::size_t n = 0; n < tags.size(); ++n) {
    const ClaimResult& r = ids.results[n];
    if (r.verdict == Verdict::unchecked) {
      EXPECT_FALSE(r.reason.empty());
    } else {
      EXPECT_EQ(claims::verdict_words(r), claims::verdict_words(tags[n])) << r.difference << tags[n].reason.words();
      EXPECT_EQ(r.outside_places, tags[n].outside_places);
    }
  }
  const bool sums = tags[0].up_to_sums;
  EXPECT_EQ(ids.results[0].verdict == Verdict::unchecked, sums) << ids.results[0].reason.words();
}

INSTANTIATE_TEST_SUITE_P(Kernels, ByIdsForms, ::testing::ValuesIn(claims::forms),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(ByIdsEngine, AnEngineThatFailsLeavesEverythingUnchecked) {
  const Compiled c = compiled(LANESCOPE_SOURCE_DIR "/assets/kernels/half2_transposes.cu", compile::Variant::probed);
  IdQuestion q{&c.program.module, &c.source, c.program.launch, c.program.buffers, {}, {}};
  const IdAnswer a = judge_by_ids(q, [](const auto&, const auto&, const auto&) -> Expected<instrument::Run> {
    return failure("the driver refuses the PTX");
  });
  ASSERT_FALSE(a.results.empty());
  for (const ClaimResult& r : a.results) {
    EXPECT_EQ(r.verdict, Verdict::unchecked);
    EXPECT_EQ(r.reason.words(), "engine cannot: the driver refuses the PTX");
  }
}

}  // namespace
}  // namespace lanescope::instrument::test
