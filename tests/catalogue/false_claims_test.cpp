// Every claim of the catalogue made false in every way that exchanges two bits: each must be found out, and what is
// reported to be really there must be what the comment said before.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/engine/prepare/execution.h"
#include "app/engine/prepare/launch_plan.h"
#include "kernels/compile/compile.h"
#include "tests/catalogue/support.h"
#include "tests/catalogue/swaps.h"
#include "tests/sample.h"

namespace lanescope::catalogue {
namespace {

using claims::ClaimResult;
using claims::Verdict;

std::vector<std::filesystem::path> claimed_files() {
  std::vector<std::filesystem::path> files;
  for (const std::string& name : kernel_names()) {
    const auto source = source::read(kernel_path(name).string(), kernel_text(name));
    if (!source || !source->claims.empty()) files.push_back(kernel_path(name));
  }
  for (const char* name : {"notes_half2.cu", "notes_bytes.cu"})
    files.push_back(std::filesystem::path(LANESCOPE_TEST_DATA_DIR) / "catalogue" / name);
  return files;
}

struct False {
  std::size_t original = 0;  ///< claim of the file
  Swap swap;
};

/// A file's claims and all their false variants, bound to the same probes, judged over one run.
struct Judged {
  source::Source source;
  std::size_t written = 0;  ///< claims of the file; the false ones follow
  std::vector<False> variants;
  int equivalent = 0, left_out = 0;
  std::vector<ClaimResult> results;
};

/// Judging 4 million places takes a third of a second a claim, and half a million a tenth of that: of such files every 97th or
/// 13th variant is tried, unless LANESCOPE_EXHAUSTIVE is set. All were found out when this was written.
bool tried(std::size_t variant, const layout::Assignment& stated) {
  const std::size_t bits = physical_bits(stated).size();
  return bits < 15 || test::in_sample(variant, bits < 20 ? 13 : 97);
}

void add_variants(Judged& j) {
  j.written = j.source.claims.size();
  std::size_t variant = 0;
  for (std::size_t c = 0; c < j.written; ++c)
    for (Swap& swap : swaps(j.source.claims[c].stated)) {
      if (same_relation(j.source.claims[c].stated, swap.stated)) {
        ++j.equivalent;
        continue;
      }
      if (!tried(variant++, swap.stated)) {
        ++j.left_out;
        continue;
      }
      source::Claim claim = j.source.claims[c];
      claim.stated = swap.stated;
      j.source.claims.push_back(std::move(claim));
      j.variants.push_back({c, std::move(swap)});
    }
}

/// Runs the probed program, stored or compiled.
void judge(Judged& j) {
  const auto made = compile::compile(j.source, compile::Variant::probed, {});
  ASSERT_TRUE(made.has_value()) << words(made.error());
  auto module = ptx::parse(made->compiled.ptx, "probed");
  ASSERT_TRUE(module.has_value()) << words(module.error());
  engine::Program program{.module = std::move(*module), .launches = {}, .user_file = j.source.file};
  auto launches = engine::make_launches(j.source, program.module, made->compiled.entry_names);
  ASSERT_TRUE(launches.has_value()) << words(launches.error());
  program.launches = std::move(*launches);
  auto buffers = engine::make_buffers(j.source, std::filesystem::path(j.source.file).parent_path().string());
  ASSERT_TRUE(buffers.has_value()) << words(buffers.error());
  const engine::ProbedRun run = engine::run_probed(program, j.source, std::move(*buffers), {});
  ASSERT_TRUE(run.faults.empty() && run.refused.empty());
  ASSERT_FALSE(run.launches.empty());
  j.results = run.launches.front()->collector->judge();
  // Where a file launches its kernel twice, each launch finds the same.
  for (std::size_t launch = 1; launch < run.launches.size(); ++launch) {
    if (program.launches[launch].kernel != program.launches.front().kernel) continue;
    const auto again = run.launches[launch]->collector->judge();
    ASSERT_EQ(again.size(), j.results.size());
    for (std::size_t c = 0; c < again.size(); ++c) EXPECT_EQ(again[c].verdict, j.results[c].verdict) << c;
  }
}

void expect_found_out(const Judged& j, const False& variant, const ClaimResult& result) {
  const layout::Assignment& truth = j.source.claims[variant.original].stated;
  const std::string where = fmt::format("{}: claim of line {}, {} and {} exchanged", j.source.file,
                                        j.source.claims[variant.original].first_line, layout::to_string(variant.swap.a),
                                        layout::to_string(variant.swap.b));
  // A comment that names no variable may mean another one: then its reason is what else were the difference.
  const source::Claim& original = j.source.claims[variant.original];
  const std::string guess = fmt::format("if `{}` is meant, it differs: ", original.variable);
  EXPECT_EQ(result.verdict, original.assumed.empty() ? Verdict::differs : Verdict::unchecked)
      << where << result.reason.words();
  EXPECT_TRUE(original.assumed.empty() || result.reason.words().starts_with(guess)) << where << result.reason.words();
  ASSERT_TRUE(result.actual.has_value()) << where << result.actual_words;
  EXPECT_EQ(*result.actual, truth) << where << "\nreported: " << layout::print_line(*result.actual);
  const std::string a = layout::to_string(variant.swap.a), b = layout::to_string(variant.swap.b);
  // Of sums a place is named after it; a bit that holds nothing is no partner of a swap, and both are distinguished.
  const std::string said = original.assumed.empty()
                               ? result.difference
                               : result.reason.words().substr(std::min(guess.size(), result.reason.words().size()));
  EXPECT_TRUE(said.starts_with(a + " and " + b + " are swapped") ||
              said.starts_with(b + " and " + a + " are swapped") ||
              (said.find(a + " is unused (") != std::string::npos && said.find(b + " holds ") != std::string::npos) ||
              (said.find(b + " is unused (") != std::string::npos && said.find(a + " holds ") != std::string::npos))
      << where << ": " << said;
  EXPECT_TRUE(result.first_failure.has_value()) << where;
}

class FalseClaims : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(FalseClaims, AreAllFoundOut) {
  const std::string text = read_text(GetParam());
  Judged j;
  auto source = source::read(GetParam().string(), text);
  ASSERT_TRUE(source.has_value()) << words(source.error());
  if (!compile::find_stored(*source, compile::Variant::probed, {})) LANESCOPE_NEEDS_NVRTC();
  j.source = std::move(*source);
  add_variants(j);
  ASSERT_NO_FATAL_FAILURE(judge(j));
  ASSERT_EQ(j.results.size(), j.source.claims.size());
  for (std::size_t c = 0; c < j.written; ++c)
    EXPECT_EQ(j.results[c].verdict, Verdict::holds) << j.source.claims[c].first_line;
  for (std::size_t v = 0; v < j.variants.size() && !HasFatalFailure(); ++v)
    expect_found_out(j, j.variants[v], j.results[j.written + v]);
  RecordProperty("claims", static_cast<int>(j.written));
  RecordProperty("false_variants", static_cast<int>(j.variants.size()));
  RecordProperty("equivalent", j.equivalent);
  fmt::print("{:<30} {} claims: {} swaps equivalent, {} false and found out, {} not tried\n",
             GetParam().stem().string(), j.written, j.equivalent, j.variants.size(), j.left_out);
}

std::string stem_of(const ::testing::TestParamInfo<std::filesystem::path>& info) { return info.param.stem().string(); }
INSTANTIATE_TEST_SUITE_P(Catalogue, FalseClaims, ::testing::ValuesIn(claimed_files()), stem_of);

/// The file with the rows of claim `c` rewritten.
std::string with_rows(const source::Source& source, std::size_t c, const layout::Assignment& rows) {
  std::string out, line;
  const source::Claim& claim = source.claims[c];
  int number = 0;
  for (std::size_t at = 0; at < source.text.size();) {
    const std::size_t end = source.text.find('\n', at) + 1;
    ++number;
    if (number < claim.first_line || number > claim.last_line) out += source.text.substr(at, end - at);
    if (number == claim.first_line) {
      const std::string printed = layout::print(rows);
      for (std::size_t row = 0; row < printed.size();) {
        const std::size_t stop = std::min(printed.find('\n', row), printed.size());
        out += "    //   " + printed.substr(row, stop - row) + "\n";
        row = stop + 1;
      }
    }
    at = end;
  }
  return out;
}

// The same through the text, for a few: written into the file, compiled and run from there.
TEST(FalseClaimsInTheText, AreFoundOut) {
  LANESCOPE_NEEDS_NVRTC();
  for (const char* name : {"half2_transposes", "byte_transpose_s0", "shared_transpose_swizzled", "copy_float4"}) {
    const auto source = source::read(kernel_path(name).string(), kernel_text(name));
    ASSERT_TRUE(source.has_value());
    for (std::size_t c = 0; c < source->claims.size(); ++c) {
      const std::vector<Swap> all = swaps(source->claims[c].stated);
      const Swap& swap = all[(c * 37 + 5) % all.size()];
      engine::RunRequest request = request_for(name, with_rows(*source, c, swap.stated));
      request.plain_run = false;
      const engine::Session session = run(request);
      const auto& claims = session.summary().claims;
      ASSERT_EQ(claims.size(), source->claims.size()) << words(session.summary().diagnostics);
      for (std::size_t k = 0; k < claims.size(); ++k) {
        EXPECT_EQ(claims[k].result.verdict, k == c ? Verdict::differs : Verdict::holds)
            << name << ":" << claims[k].claim.first_line;
        EXPECT_EQ(claims[k].result.actual, source->claims[k].stated) << name << ":" << claims[k].claim.first_line;
      }
    }
  }
}

// The judge of judges: what counts as the same statement.
TEST(SameRelation, IsDecidedPlaceByPlace) {
  const auto parsed = [](const char* text) { return layout::parse(text).value(); };
  EXPECT_TRUE(same_relation(parsed("simd: k0; register: j1 j0"), parsed("simd: k0; register: j1 j0")));
  EXPECT_FALSE(same_relation(parsed("simd: k0; register: j1 j0"), parsed("simd: k0; register: j0 j1")));
  EXPECT_FALSE(same_relation(parsed("simd: k0; register: j1 j0"), parsed("simd: j0; register: j1 k0")));
  EXPECT_FALSE(same_relation(parsed("register: j1+1 j0"), parsed("register: j1 j0+1")));
  EXPECT_FALSE(same_relation(parsed("register: [junk] j0"), parsed("register: j0 [junk]")));
  EXPECT_FALSE(same_relation(parsed("register: [unused] [junk]"), parsed("register: [junk] [unused]")));
  const auto broadcast = parsed("register: [unused] [unused] j0");
  int same = 0;
  for (const Swap& s : swaps(broadcast)) same += same_relation(broadcast, s.stated);
  EXPECT_EQ(same, 1);
  EXPECT_EQ(swaps(broadcast).size(), 3u);
}

}  // namespace
}  // namespace lanescope::catalogue
