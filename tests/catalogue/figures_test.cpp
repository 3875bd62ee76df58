// Figures that the explanations of the kernels state: each is what the program predicts, and the sentence says it. After
// each figure is its derivation, from the addresses alone.

#include <gtest/gtest.h>

#include "profiling/counters/counters.h"
#include "tests/catalogue/support.h"

namespace lanescope::catalogue {
namespace {

using counters::Counts;

double per(std::uint64_t n, std::uint64_t requests) { return static_cast<double>(n) / static_cast<double>(requests); }
double load_sectors(const Counts& c) { return per(c.global_load.sectors, c.global_load.requests); }
double all_load_sectors(const Counts& c) { return static_cast<double>(c.global_load.sectors); }
double store_sectors(const Counts& c) { return per(c.global_store.sectors, c.global_store.requests); }
double store_lines(const Counts& c) { return per(c.global_store.lines, c.global_store.requests); }
double load_lines(const Counts& c) { return per(c.global_load.lines, c.global_load.requests); }
double loads(const Counts& c) { return static_cast<double>(c.global_load.requests); }
double stores(const Counts& c) { return static_cast<double>(c.global_store.requests); }
double atomics(const Counts& c) { return static_cast<double>(c.global_atomic.requests); }
double atomic_passes(const Counts& c) { return static_cast<double>(c.global_atomic.passes); }
double broadcasts(const Counts& c) { return per(c.constant.broadcasts, c.constant.requests); }
double replays(const Counts& c) { return per(c.constant.replays(), c.constant.requests); }
double bank_conflicts(const Counts& c) {
  return static_cast<double>(c.shared_load.bank_conflicts + c.shared_store.bank_conflicts);
}

struct Figure {
  std::string kernel;
  double (*of)(const Counts&);
  double value;
  std::string sentence{};  ///< of the explanation, line breaks as blanks; empty: it does not state the figure
};

const std::vector<Figure> figures = {
    // 32 lanes, D words apart: 32 D words are 4 D sectors.
    {"downsample_1", load_sectors, 4, "Each load of a warp is 4 sectors, all of their bytes used"},
    {"downsample_2", load_sectors, 8, "each load of a warp is 8 sectors for the bytes of 4"},
    {"downsample_4", load_sectors, 16, "Each load of a warp is 16 sectors for the bytes of 4"},
    {"downsample_2", bank_conflicts, 0, "without bank conflicts"},
    // 8 blocks of 4 warps, and 2 more loads a block, of the thread at either end.
    {"blur_shared_static", loads, 8 * 4 + 8 * 2},
    {"blur_shared_dynamic", loads, 8 * 4 + 8 * 2},
    {"blur_once", loads, 8 * 4 * 3},
    // 4 sectors a warp and one for either end of a block; 4 + 5 + 5, less where the array ends.
    {"blur_shared_static", all_load_sectors, 8 * (4 * 4 + 2), "A third of the sectors is requested"},
    {"blur_once", all_load_sectors, 32 * 14 - 2},
    // 32 warps.
    {"blur_scatter", atomics, 3 * 32, "three for an element, where blur_once has one store"},
    {"blur_once", stores, 32},
    {"blur_once", atomics, 0},
    // One each for 64 bins and 2 blocks: 2 warps of a block have 64 of them.
    {"histogram_shared", atomics, 2 * 2},
    {"histogram_atomic", atomics, 32},
    // One element: both lanes take their turn.
    {"increment_atomic", atomic_passes, 2},
    // 32 warps, one atomic each; the lanes of increment_each_lane take turns.
    {"increment_by_ballot", atomics, 32, "with one atomic for all lanes that need one"},
    {"increment_by_ballot", atomic_passes, 32},
    {"increment_by_group", atomics, 32, "with one atomic for a group of lanes"},
    {"increment_by_group", atomic_passes, 32},
    {"increment_each_lane", atomics, 32},
    // 128 bytes from the start of a line; one word later, they reach into the next line.
    {"read_aligned", load_sectors, 4, "4 sectors of 32 bytes, all of their bytes used"},
    {"read_permuted", load_sectors, 4, "4 sectors, as in read_aligned"},
    {"read_misaligned", load_sectors, 5, "5 sectors in 2 lines instead of the 4 in 1 of read_aligned"},
    {"read_misaligned", load_lines, 2},
    {"read_same_word", load_sectors, 1, "1 sector, whose 32 bytes move for the 4 that are used, an eighth"},
    {"read_scattered", load_sectors, 32, "32 sectors for the bytes of 4, an eighth of what memory moves"},
    {"read_strided", load_sectors, 32, "32 sectors in 32 lines for the bytes of 4 sectors"},
    {"read_strided", load_lines, 32},
    // 16 warps.
    {"read_may_alias", loads, 4 * 16, "4 loads for each thread"},
    {"read_restrict", loads, 16, "1 load for each thread"},
    {"read_ldg", loads, 4 * 16, "4 loads for each thread"},
    {"constant_same", broadcasts, 1, "1 broadcast a load"},
    {"constant_each", broadcasts, 32, "a load takes 32 broadcasts, 31 of them replays"},
    {"constant_each", replays, 31},
    {"cache_loads", load_sectors, 4},
    {"cache_stores", store_sectors, 4},
    {"store_line", store_sectors, 4, "1 request of 4 sectors"},
    {"store_half_line", store_sectors, 2, "1 request of 2 sectors"},
    {"store_three_sectors", store_sectors, 3, "1 request of 3 sectors in 2 lines"},
    {"store_three_sectors", store_lines, 2},
    {"store_same_word", store_sectors, 1, "It is 1 sector"},
    {"matrix_add_32x8", load_sectors, 4, "Each load is 4 sectors"},
    {"matrix_add_256x1", load_sectors, 4, "Each load is 4 sectors"},
    {"matrix_add_1x256", load_sectors, 32, "Each load is 32 sectors, eight times those of matrix_add_256x1"},
};

/// The text above the launch header, on one line.
std::string explanation(const std::string& kernel) {
  std::string text = kernel_text(kernel);
  text.resize(text.find("[lanescope]"));
  std::ranges::replace(text, '\n', ' ');
  return text;
}

class Figures : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Figures, AreWhatTheProgramPredicts) {
  const Figure& f = figures[GetParam()];
  const engine::Session& session = catalogue_run(f.kernel);
  ASSERT_TRUE(session.summary().ok) << words(session.summary().diagnostics);
  EXPECT_EQ(f.of(session.counters().total), f.value) << f.kernel;
  EXPECT_NE(explanation(f.kernel).find(f.sentence), std::string::npos) << f.sentence << "\n" << explanation(f.kernel);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Figures, ::testing::Range(std::size_t{0}, figures.size()), [](const auto& info) {
  return figures[info.param].kernel + "_" + std::to_string(info.param);
});

/// Bytes of static shared memory of the kernel's first launch.
int shared_bytes(const std::string& kernel) { return catalogue_run(kernel).summary().resources.static_shared_bytes; }

TEST(SharedUnion, TakesTwoThirdsOfTheBytes) {
  EXPECT_EQ(shared_bytes("shared_separate"), 1536);
  EXPECT_EQ(shared_bytes("shared_union"), 1024);
  EXPECT_NE(explanation("shared_union").find("1,024 bytes, not 1,536"), std::string::npos);
  EXPECT_NE(explanation("shared_separate").find("1,536 bytes"), std::string::npos);
}

/// How many instructions of the plain program contain `part`.
std::size_t instructions(const std::string& kernel, std::string_view part) {
  const auto& code = catalogue_run(kernel).summary().plain_code;
  return static_cast<std::size_t>(
      std::ranges::count_if(code, [&](const auto& i) { return i.text.find(part) != std::string::npos; }));
}

TEST(ReadOnlyLoads, ArePromisesToTheCompiler) {
  EXPECT_EQ(instructions("read_may_alias", "ld.global.nc"), 0u);
  EXPECT_EQ(instructions("read_may_alias", "ld.global"), 4u);
  EXPECT_EQ(instructions("read_restrict", "ld.global.nc"), 1u);
  EXPECT_EQ(instructions("read_ldg", "ld.global.nc"), 4u) << "a promise alone does not spare the load";
}

TEST(CacheOperators, AreThoseOfTheInstructions) {
  for (const char* op : {"ld.global.ca", "ld.global.cg", "ld.global.cs", "ld.global.lu", "ld.global.cv"})
    EXPECT_EQ(instructions("cache_loads", op), 1u) << op;
  for (const char* op : {"st.global.wb", "st.global.cg", "st.global.cs", "st.global.wt"})
    EXPECT_EQ(instructions("cache_stores", op), 1u) << op;
}

// Pairs that teach by contrast name each other: a kernel that is named by another names it or another one that it names.
TEST(Explanations, NameKernelsThatExist) {
  const std::vector<std::string> names = kernel_names();
  for (const std::string& kernel : names) {
    const std::string text = explanation(kernel);
    std::string word;
    for (const char c : text + " ") {
      if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
        word += c;
        continue;
      }
      if (word.find('_') != std::string::npos && !word.starts_with("__") && word != "coalesced_threads" &&
          !word.starts_with("sm_")) {
        EXPECT_TRUE(std::ranges::binary_search(names, word)) << kernel << " names " << word;
      }
      word.clear();
    }
  }
}

TEST(Explanations, OfContrastsNameEachOther) {
  const std::vector<std::vector<std::string>> contrasts = {
      {"downsample_1", "downsample_2", "downsample_4"},
      {"blur_shared_static", "blur_shared_dynamic"},
      {"blur_once", "blur_shared_static"},
      {"blur_once", "blur_scatter"},
      {"blur_fused", "blur_fused_short"},
      {"shared_separate", "shared_union", "shared_union_overlap"},
      {"barrier_in_if", "barrier_in_branches"},
      {"dot_block", "dot_any", "dot_two_launches"},
      {"increment_race", "increment_atomic"},
      {"reduce_nested", "reduce_nested_unsynced"},
      {"reduce_nested", "reduce_tail"},
      {"update_race", "update_synchronised"},
      {"count_zeros_race", "count_zeros_atomic"},
      {"histogram_race", "histogram_atomic"},
      {"histogram_atomic", "histogram_shared"},
      {"increment_each_lane", "increment_by_ballot"},
      {"increment_by_ballot", "increment_by_group"},
      {"read_aligned", "read_permuted"},
      {"read_aligned", "read_misaligned"},
      {"read_aligned", "read_same_word"},
      {"read_scattered", "read_strided"},
      {"read_may_alias", "read_restrict"},
      {"read_may_alias", "read_ldg"},
      {"constant_same", "constant_each"},
      {"cache_loads", "cache_stores"},
      {"store_line", "store_half_line", "store_three_sectors"},
      {"matrix_add_32x8", "matrix_add_256x1", "matrix_add_1x256"},
  };
  for (const std::vector<std::string>& group : contrasts)
    for (const std::string& one : group)
      for (const std::string& other : group)
        if (one != other) {
          EXPECT_NE(explanation(one).find(other), std::string::npos) << one << " does not name " << other;
        }
}

}  // namespace
}  // namespace lanescope::catalogue
