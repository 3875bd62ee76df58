// Comments of the catalogue: all claims hold, and they are those that a reader derives by hand and that
// annotate writes.

#include <gtest/gtest.h>

#include <map>
#include <regex>

#include "tests/catalogue/expectations.h"
#include "tests/catalogue/support.h"
#include "tests/kernels/source/strip_claims.h"

namespace lanescope::catalogue {
namespace {

/// Derived by hand from each kernel's indexing and steps, claim by claim.
const std::map<std::string, std::vector<std::string>> derived = {
    // 4 accesses of 64 halves a warp, 256 halves a warp: bits of 2*lane + 64*r + 256*warp + s.
    {"half2_transposes",
     {"simd: k0; register: j3 j2; thread: j1 j0 k3 k2 k1; warp: i3 i2 i1 i0",
      "simd: j3; register: k0 j2; thread: j1 j0 k3 k2 k1; warp: i3 i2 i1 i0",
      "simd: j3; register: k0 k3; thread: j1 j0 j2 k2 k1; warp: i3 i2 i1 i0"}},
    {"byte_transpose_s0",
     {"simd: i1 i0; register: i2; thread: k4 k3 k2 k1 k0", "simd: i1 i2; register: i0; thread: k4 k3 k2 k1 k0"}},
    {"byte_transpose_s1",
     {"simd: i1 i0; register: i2; thread: k4 k3 k2 k1 k0", "simd: i2 i0; register: i1; thread: k4 k3 k2 k1 k0"}},
    // A row of 32 nibbles is four words: word number 32*r + lane has k from 8*(lane % 4) on, and i = 8*r + lane/4.
    {"nibble_transpose",
     {"simd: k2 k1 k0; register: i3; thread: i2 i1 i0 k4 k3", "simd: k2 k1 i3; register: k0; thread: i2 i1 i0 k4 k3"}},
    {"bit_transpose",
     {"simd: i4 i3 i2 i1 i0; register: j1 j0; thread: l4 l3 l2 l1 l0",
      "simd: i4 i3 i2 i1 j0; register: j1 i0; thread: l4 l3 l2 l1 l0",
      "simd: j1 i3 i2 i1 j0; register: i4 i0; thread: l4 l3 l2 l1 l0"}},
    {"complex_reim",
     {"simd: ReIm; register: i0; thread: k4 k3 k2 k1 k0; warp: i2 i1",
      "simd: i0; register: ReIm; thread: k4 k3 k2 k1 k0; warp: i2 i1"}},
    {"copy_float", {"thread: i4 i3 i2 i1 i0; warp: i7 i6 i5; block: i9 i8"}},
    {"copy_float2", {"register: i0; thread: i5 i4 i3 i2 i1; warp: i8 i7 i6; block: i10 i9"}},
    {"copy_float4", {"register: i1 i0; thread: i6 i5 i4 i3 i2; warp: i9 i8 i7; block: i11 i10"}},
    // blockIdx.x is j, blockIdx.y counts groups of 32 k; the linear block number is x + 128*y.
    {"pointer_offsets", {"thread: k4 k3 k2 k1 k0; warp: i4 i3 i2 i1 i0; block: k9 k8 k7 k6 k5 j6 j5 j4 j3 j2 j1 j0"}},
    {"shared_transpose_naive",
     {"thread: j4 j3 j2 j1 j0; warp: i4 i3 i2 i1 i0", "thread: i4 i3 i2 i1 i0; warp: j4 j3 j2 j1 j0"}},
    {"shared_transpose_padded",
     {"thread: j4 j3 j2 j1 j0; warp: i4 i3 i2 i1 i0", "thread: i4 i3 i2 i1 i0; warp: j4 j3 j2 j1 j0"}},
    {"shared_transpose_swizzled",
     {"thread: j4 j3 j2 j1 j0; warp: i4 i3 i2 i1 i0", "thread: i4 i3 i2 i1 i0; warp: j4 j3 j2 j1 j0"}},
    {"warp_sum", {"thread: i4 i3 i2 i1 i0"}},
    {"no_comments", {}},
    // Lanes along a row: j holds the lane; along a column: i does. Blocks are numbered x first.
    {"axpy_rows", {"thread: j4 j3 j2 j1 j0; warp: i2 i1 i0; block: i5 i4 i3 j5"}},
    {"axpy_columns", {"thread: i4 i3 i2 i1 i0; warp: j2 j1 j0; block: j5 j4 j3 i5"}},
    {"neighbour_shared", {"thread: i4 i3 i2 i1 i0; warp: i6 i5; block: i7"}},
    {"neighbour_shuffle", {"thread: i4 i3 i2 i1 i0; warp: i6 i5; block: i7"}},
    // x, y and z are the same elements of three arrays.
    {"structure_of_arrays",
     {"thread: i4 i3 i2 i1 i0; warp: i6 i5; block: i8 i7", "thread: i4 i3 i2 i1 i0; warp: i6 i5; block: i8 i7",
      "thread: i4 i3 i2 i1 i0; warp: i6 i5; block: i8 i7"}},
    // The same three coordinates where they lie together: c is the same for all that one variable holds.
    {"array_of_structures",
     {"thread: i4 i3 i2 i1 i0; warp: i6 i5; block: i8 i7", "thread: i4 i3 i2 i1 i0; warp: i6 i5; block: i8 i7",
      "thread: i4 i3 i2 i1 i0; warp: i6 i5; block: i8 i7"}},
    // Grid-stride loops: an iteration is one pass over threads and blocks. Element 256 * block + thread of 64 columns, in
    // passes of 1024.
    {"axpy_grid_stride", {"thread: j4 j3 j2 j1 j0; warp: i1 i0 j5"}},
    {"copy_int", {"thread: i4 i3 i2 i1 i0; warp: i6 i5"}},
    {"copy_int2", {"register: i0; thread: i5 i4 i3 i2 i1; warp: i7 i6"}},
    {"copy_int4", {"register: i1 i0; thread: i6 i5 i4 i3 i2; warp: i8 i7"}},
    {"rmse_private", {"thread: i4 i3 i2 i1 i0; warp: i6 i5", "thread: i4 i3 i2 i1 i0; warp: i6 i5"}},
    {"rmse_modulo", {"thread: i4 i3 i2 i1 i0; warp: i6 i5", "thread: i4 i3 i2 i1 i0; warp: i6 i5"}},
    {"rmse_contiguous", {"thread: i4 i3 i2 i1 i0; warp: i6 i5", "thread: i4 i3 i2 i1 i0; warp: i6 i5"}},
    // One element a thread.
    {"rmse_atomic",
     {"thread: i4 i3 i2 i1 i0; warp: i6 i5; block: i9 i8 i7", "thread: i4 i3 i2 i1 i0; warp: i6 i5; block: i9 i8 i7"}},
    {"blur_once", {"thread: i4 i3 i2 i1 i0; warp: i6 i5; block: i9 i8 i7"}},
    {"blur_twice", {"thread: i4 i3 i2 i1 i0; warp: i6 i5; block: i9 i8 i7"}},
    // Sharing and stencils, races and atomics, global memory. None where no variable holds an element whose number is
    // linear in the bits of lane, warp and block.
    {"downsample_1", {"thread: i4 i3 i2 i1 i0; warp: i6 i5; block: i9 i8 i7"}},
    {"downsample_2", {"thread: i5 i4 i3 i2 i1; warp: i7 i6; block: i9 i8"}},
    {"downsample_4", {"thread: i6 i5 i4 i3 i2; warp: i8 i7; block: i9"}},
    {"blur_shared_static", {"thread: i4 i3 i2 i1 i0; warp: i6 i5; block: i9 i8 i7"}},
    {"blur_shared_dynamic", {"thread: i4 i3 i2 i1 i0; warp: i6 i5; block: i9 i8 i7"}},
    {"blur_scatter", {"thread: i4 i3 i2 i1 i0; warp: i6 i5; block: i9 i8 i7"}},
    {"blur_fused_short", {}},
    {"barrier_in_if", {}},
    {"barrier_in_branches", {}},
    {"shared_separate", {}},
    {"shared_union", {}},
    {"shared_union_overlap", {}},
    {"reverse_shared", {}},
    {"reverse_registers", {}},
    {"reverse_pairs", {"thread: i4 i3 i2 i1 i0; warp: i8 i7 i6 i5"}},
    {"reverse_unsynchronised", {}},
    {"dot_block", {}},
    {"dot_any", {"thread: i4 i3 i2 i1 i0; warp: i6 i5", "thread: i4 i3 i2 i1 i0; warp: i6 i5"}},
    {"dot_two_launches", {"thread: i4 i3 i2 i1 i0; warp: i6 i5", "thread: i4 i3 i2 i1 i0; warp: i6 i5"}},
    {"increment_race", {}},
    {"increment_atomic", {}},
    {"update_race", {}},
    {"update_synchronised", {}},
    {"count_zeros_race", {}},
    {"count_zeros_atomic", {}},
    {"histogram_race", {}},
    {"histogram_atomic", {}},
    {"histogram_shared", {}},
    {"increment_each_lane", {}},
    {"increment_by_ballot", {}},
    {"increment_by_group", {}},
    {"read_aligned", {"thread: i4 i3 i2 i1 i0; warp: i6 i5; block: i8 i7"}},
    {"read_permuted", {"thread: i0 i1 i2 i3 i4; warp: i6 i5; block: i8 i7"}},
    {"read_misaligned", {}},
    {"read_same_word", {"thread: [unused] [unused] [unused] [unused] [unused]; warp: i1 i0; block: i3 i2"}},
    {"read_scattered", {}},
    {"read_strided", {"thread: i10 i9 i8 i7 i6; warp: i12 i11; block: i14 i13"}},
    {"read_may_alias", {"thread: i4 i3 i2 i1 i0; warp: i6 i5; block: i8 i7"}},
    {"read_restrict", {"thread: i4 i3 i2 i1 i0; warp: i6 i5; block: i8 i7"}},
    {"read_ldg", {"thread: i4 i3 i2 i1 i0; warp: i6 i5; block: i8 i7"}},
    {"constant_same", {"thread: i4 i3 i2 i1 i0; warp: i6 i5; block: i8 i7"}},
    {"constant_each", {"thread: i4 i3 i2 i1 i0; warp: i6 i5; block: i8 i7"}},
    {"cache_loads", {"thread: i4 i3 i2 i1 i0; warp: i6 i5; block: i8 i7"}},
    {"cache_stores", {"thread: i4 i3 i2 i1 i0; warp: i6 i5; block: i8 i7"}},
    {"store_line", {"thread: i4 i3 i2 i1 i0; warp: i6 i5; block: i8 i7"}},
    {"store_half_line", {"thread: i4 i3 i2 i1 i0; warp: i6 i5; block: i8 i7"}},
    {"store_three_sectors", {"thread: i4 i3 i2 i1 i0; warp: i6 i5; block: i8 i7"}},
    {"store_same_word", {"thread: i4 i3 i2 i1 i0; warp: i6 i5; block: i8 i7"}},
    {"matrix_add_32x8",
     {"thread: j4 j3 j2 j1 j0; warp: i2 i1 i0; block: i7 i6 i5 i4 i3 j7 j6 j5",
      "thread: j4 j3 j2 j1 j0; warp: i2 i1 i0; block: i7 i6 i5 i4 i3 j7 j6 j5"}},
    {"matrix_add_256x1",
     {"thread: j4 j3 j2 j1 j0; warp: j7 j6 j5; block: i7 i6 i5 i4 i3 i2 i1 i0",
      "thread: j4 j3 j2 j1 j0; warp: j7 j6 j5; block: i7 i6 i5 i4 i3 i2 i1 i0"}},
    {"matrix_add_1x256",
     {"thread: i4 i3 i2 i1 i0; warp: i7 i6 i5; block: j7 j6 j5 j4 j3 j2 j1 j0",
      "thread: i4 i3 i2 i1 i0; warp: i7 i6 i5; block: j7 j6 j5 j4 j3 j2 j1 j0"}},
    {"block_40x2", {"thread: i4 i3 i2 i1 i0; warp: i6 i5"}},
    {"nested_hello", {}},
    {"reduce_nested", {}},
    {"reduce_nested_unsynced", {}},
    {"reduce_tail", {}},
    // Its variables hold weighted sums of elements only, never an element.
    {"blur_fused", {}},
};

/// Arrays that do not fill the launch: threads rest in the last pass of their loop, or in the last warp.
bool has_tail(const std::string& name) {
  return name.starts_with("copy_int") || name.starts_with("dot_") || name == "reverse_pairs" || name == "block_40x2";
}

/// Their last claim is of sums, which it says up to the elements that they sum.
bool ends_in_sums(const std::string& name) { return name.ends_with("_product") || name.starts_with("correlate_"); }
/// Their last claim is of values computed from one element each: keys and labels.
bool ends_in_computed(const std::string& name) {
  return name.starts_with("sort_") || name == "match_any" || name == "group_labelled";
}
/// annotate leaves to the author: sums, and inverted bits of a scalar that is assigned once.
bool has_claims_of_its_own(const std::string& name) { return ends_in_sums(name) || name == "shuffle_variants"; }

class Claims : public ::testing::TestWithParam<std::string> {};

TEST_P(Claims, AllHoldAndNoneIsUnchecked) {
  const results::Summary& s = catalogue_run(GetParam()).summary();
  ASSERT_TRUE(s.ok) << words(s.diagnostics);
  EXPECT_TRUE(s.diagnostics.empty()) << words(s.diagnostics);
  for (const results::ClaimInfo& c : s.claims) {
    EXPECT_EQ(c.result.verdict, claims::Verdict::holds)
        << GetParam() << ":" << c.claim.first_line << " " << c.claim.variable << ": " << c.result.reason.words()
        << c.result.difference;
    EXPECT_FALSE(c.result.for_this_input) << c.claim.first_line;
    const bool last = &c == &s.claims.back();
    EXPECT_EQ(c.result.up_to_sums, last && ends_in_sums(GetParam())) << c.claim.first_line;
    if (!c.result.up_to_sums) {
      EXPECT_EQ(c.result.computed, last && ends_in_computed(GetParam())) << c.claim.first_line;
    }
    EXPECT_EQ(c.result.actual, c.claim.stated) << c.result.actual_words;
    if (!has_tail(GetParam())) {
      EXPECT_EQ(c.result.inactive_places, 0u);
    }
    EXPECT_GT(c.result.places, 0u);
  }
}

TEST_P(Claims, AreWhatAReaderDerives) {
  const auto& table = derived.contains(GetParam()) ? derived : warp_claims();
  const auto expected = table.find(GetParam());
  ASSERT_NE(expected, table.end()) << "derive the claims of " << GetParam() << " by hand";
  std::vector<std::string> stated;
  for (const results::ClaimInfo& c : catalogue_run(GetParam()).summary().claims)
    stated.push_back(layout::print_line(c.claim.stated));
  EXPECT_EQ(stated, expected->second);
}

class Stripped : public ::testing::TestWithParam<std::string> {};

TEST_P(Stripped, AnnotatedIsTheFile) {
  LANESCOPE_NEEDS_NVRTC();
  const std::string text = kernel_text(GetParam());
  const auto source = source::read(kernel_path(GetParam()).string(), text);
  ASSERT_TRUE(source.has_value());
  const std::string bare = source::strip_claims(*source);
  engine::Session session;
  const auto annotated = session.annotate(request_for(GetParam(), bare));
  ASSERT_TRUE(annotated.has_value()) << words(annotated.error());
  if (GetParam() == uncommented_kernel) {
    EXPECT_EQ(bare, text);
    return;
  }
  if (has_claims_of_its_own(GetParam())) {
    EXPECT_LT(annotated->claims_written, static_cast<int>(source->claims.size()));
    const auto whole = session.annotate(request_for(GetParam(), text));
    ASSERT_TRUE(whole.has_value()) << words(whole.error());
    EXPECT_EQ(whole->text, text) << "what the author wrote is complete";
    return;
  }
  EXPECT_EQ(bare == text, source->claims.empty());
  // Of the two ways to write an inverted bit, annotate has the sum.
  EXPECT_EQ(annotated->text, std::regex_replace(text, std::regex("~(i[0-9]+)"), "$1+1"));
  EXPECT_EQ(annotated->claims_written, static_cast<int>(source->claims.size()));
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Claims, ::testing::ValuesIn(kernel_names()),
                         [](const auto& info) { return info.param; });
INSTANTIATE_TEST_SUITE_P(Catalogue, Stripped, ::testing::ValuesIn(kernel_names(4)),
                         [](const auto& info) { return info.param; });

TEST(CataloguePage, NamesEachKernel) {
  const std::string page = read_text(std::filesystem::path(LANESCOPE_SOURCE_DIR) / "docs/catalogue.md");
  for (const std::string& name : kernel_names()) {
    const std::string suffix = "`" + name.substr(name.rfind('_')) + "`";  // "`shared_transpose_naive`, `_padded`"
    EXPECT_TRUE(page.find("`" + name + "`") != std::string::npos || page.find(suffix) != std::string::npos) << name;
  }
}

// The file without comments gets its own, they hold, and they are what a reader derives: p[256*w + 64*r + 2*lane + s],
// then s0 <-> r0, then r1 <-> t4.
TEST(Annotate, WritesTheCommentsThatTheAuthorDidNotWrite) {
  LANESCOPE_NEEDS_NVRTC();
  const std::string name(uncommented_kernel);
  engine::Session session;
  const auto annotated = session.annotate(request_for(name, kernel_text(name)));
  ASSERT_TRUE(annotated.has_value()) << words(annotated.error());
  const engine::Session again = run(request_for(name, annotated->text));
  std::vector<std::string> stated;
  for (const results::ClaimInfo& c : again.summary().claims) {
    stated.push_back(c.claim.variable + " " + layout::print_line(c.claim.stated));
    EXPECT_EQ(c.result.verdict, claims::Verdict::holds) << annotated->text;
  }
  // 128 words of 16-bit pairs a warp: s0 = j0, lane = j5..j1, r1 r0 = i1 i0, w1 w0 = i3 i2.
  const std::vector<std::string> expected = {"a simd: j0; register: i1 i0; thread: j5 j4 j3 j2 j1; warp: i3 i2",
                                             "b simd: i0; register: i1 j0; thread: j5 j4 j3 j2 j1; warp: i3 i2",
                                             "b simd: i0; register: j5 j0; thread: i1 j4 j3 j2 j1; warp: i3 i2"};
  EXPECT_EQ(stated, expected) << annotated->text;
}

}  // namespace
}  // namespace lanescope::catalogue
