// Products of matrices: every form against the product that the test computes, element by element, from where the PTX ISA
// says that elements lie.

#include <cstdlib>
#include <random>

#include "tests/kernels/emulator/forms/instances_of.h"
#include "tests/kernels/emulator/harness.h"
#include "tests/kernels/emulator/oracle/products.h"
#include "tests/kernels/emulator/oracle/warpgroups.h"
#include "tests/sample.h"

namespace lanescope::emulator::test {
namespace {

std::vector<std::uint32_t> run_case(const Case& c, const std::string& target) {
  const auto module = module_of(module_of_cases({&c, 1}, target, "9.0"));
  std::vector<trace::Buffer> buffers{buffer_of("words", c.words)};
  trace::Launch launch = launch_of(1, c.threads, 1);
  launch.kernel = "k0";
  run_ok(module, launch, buffers, {.slice = 0});
  return values_of<std::uint32_t>(buffers[0]);
}

void check_products(std::string_view test, std::size_t least) {
  std::mt19937_64 random(7);
  std::size_t shown = 0, checked = 0;
  for (const std::string& instance : instances_of(test)) {
    const ProductCase c = product_case(instance, random, 4);
    const std::string wrong = judge_product(c, run_case(c.run, "sm_120a"));
    ++checked;
    if (!wrong.empty() && ++shown < 30) ADD_FAILURE() << wrong;
  }
  EXPECT_GE(checked, least);
}

TEST(Products, Dense) { check_products("Products.Dense", 100); }
TEST(Products, Sparse) { check_products("Products.Sparse", 90); }

/// Four bits of metadata that have no meaning are an error, whichever lane and chunk they are of.
TEST(Products, SparseWithMetadataOfNoMeaning) {
  std::mt19937_64 random(3);
  for (const std::string& instance : instances_of("Products.Sparse")) {
    const Product p = product_of(instance);
    const bool tf32 = width_of(p.a) == 32;
    if (p.selector != 0 || (p.a != p.b)) continue;
    ProductCase c = product_case(instance, random, 1);
    const int columns = tf32 ? 2 : width_of(p.a) == 4 ? 8 : 4;
    const Chunk at =
        chunk_of(p, static_cast<int>(random() % 16), static_cast<int>(random() % static_cast<unsigned>(p.k / columns)));
    std::uint32_t& word = c.run.words[static_cast<std::size_t>(at.lane * ProductTrial::words + ProductTrial::e_at)];
    static constexpr std::uint32_t equal[] = {0b0000, 0b0101, 0b1010, 0b1111};
    const std::uint32_t bad = tf32 ? 0b1001 : p.ordered && random() % 2 == 0 ? 0b0001 : equal[random() % 4];
    word = (word & ~(15u << at.bit)) | bad << at.bit;
    const auto module = module_of(module_of_cases({&c.run, 1}, "sm_120a", "9.0"));
    std::vector<trace::Buffer> buffers{buffer_of("words", c.run.words)};
    trace::Launch launch = launch_of(1, 32, 1);
    launch.kernel = "k0";
    const auto result = run(module, launch, buffers, {});
    ASSERT_TRUE(result);
    ASSERT_EQ(result->faults.size(), 1u) << instance;
    EXPECT_EQ(result->faults[0].lane, at.lane) << instance;
    EXPECT_NE(result->faults[0].message.find("metadata"), std::string::npos) << result->faults[0].message;
  }
}

TEST(Warpgroups, MultiplyFromSharedMemory) {
  std::mt19937_64 random(5);
  std::size_t shown = 0, checked = 0;
  const std::size_t every = lanescope::test::exhaustive() ? 1 : 17;
  for (const WarpgroupCase& c : warpgroup_cases(random, every)) {
    const std::string wrong = judge_warpgroup(c, run_case(c.run, "sm_90a"));
    ++checked;
    if (!wrong.empty() && ++shown < 30) ADD_FAILURE() << wrong;
  }
  EXPECT_GT(checked, every == 1 ? 2000u : 150u);
}

struct Stores : trace::Observer {
  std::uint64_t base = 0;
  std::map<std::uint64_t, trace::WordTag> tags;  ///< by word of the buffer
  void on_access(const trace::AccessEvent& e) override {
    if (e.kind != trace::AccessKind::store || e.space != trace::MemorySpace::global) return;
    for (std::size_t l = 0; l < 32; ++l) tags[(e.addresses[l] - base) / 4] = e.tags[l];
  }
};

/// An element of D of a sparse product depends on its row of A and that row's metadata, its column of B, and its summand.
TEST(Products, SparseOnesDependOnTheirMetadata) {
  std::mt19937_64 random(2);
  const std::string instance =
      "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%wd0, %wd1, %wd2, %wd3}, {%wa0, %wa1, %wa2, %wa3}, {%wb0, "
      "%wb1, %wb2, %wb3}, {%wc0, %wc1, %wc2, %wc3}, %x32, 1";
  const ProductCase c = product_case(instance, random, 1);
  const auto module = module_of(module_of_cases({&c.run, 1}, "sm_80", "9.0"));
  std::vector<trace::Buffer> buffers{buffer_of("words", c.run.words)};
  trace::TagPool pool;
  pool.space = tag_space(buffers);
  Stores stored;
  stored.base = place_buffers(buffers)[0];
  trace::Launch launch = launch_of(1, 32, 1);
  launch.kernel = "k0";
  Options options;
  options.tags = &pool;
  options.observers = {&stored};
  run_ok(module, launch, buffers, options);
  const auto word = [](int lane, int at) { return static_cast<std::uint64_t>(lane * ProductTrial::words + at); };
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < 4; ++i) {
      const Element e = place_of_d(c.product, "f32", lane, i);
      std::set<std::uint64_t> expected{word(lane, ProductTrial::c_at + i)};
      for (int other = 0; other < 32; ++other) {
        for (int r = 0; r < 4; ++r) {
          if (place_of_a(c.product, other, 2 * r).row == e.row) expected.insert(word(other, r));
          if (place_of_b(c.product, other, 2 * r).column == e.column)
            expected.insert(word(other, ProductTrial::b_at + r));
        }
      }
      for (int chunk = 0; chunk < 8; ++chunk)
        expected.insert(word(chunk_of(c.product, e.row, chunk).lane, ProductTrial::e_at));
      std::set<std::uint64_t> got;
      for (const auto& [buffer, at] :
           pool.sources(stored.tags[c.results_at() + static_cast<std::size_t>(8 * lane + i)], 0, 32))
        got.insert(at);
      ASSERT_EQ(got, expected) << lane << " " << i;
    }
}

}  // namespace
}  // namespace lanescope::emulator::test
