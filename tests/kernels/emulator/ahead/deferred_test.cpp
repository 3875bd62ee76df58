// Atomic operations whose result is not read: blocks that access them run beside each other, and memory is that of one core.

#include <bit>
#include <cstring>

#include "tests/kernels/emulator/ahead/busy_blocks.h"

namespace lanescope::emulator::test {
namespace {

/// The word of `out` that a value chooses among `words` is at %rd43.
std::string bin(const std::string& value, std::uint64_t words) {
  return fmt::format("rem.u32 %r10, {}, {};\nmul.wide.u32 %rd43, %r10, 8;\nadd.s64 %rd43, %rd1, %rd43;\n", value,
                     words);
}

std::uint32_t word_of(const trace::Buffer& b, std::size_t word) {
  std::uint32_t out = 0;
  std::memcpy(&out, b.bytes.data() + word * 4, 4);
  return out;
}

TEST(Deferred, AHistogramIsCountedOnAllCores) {
  for (const char* add : {"red.global.add.u32 [%rd43], 1;\n", "atom.global.add.u32 %r20, [%rd43], 1;\n",
                          "atom.add.s32 %r20, [%rd43], 1;\n", "red.global.add.u64 [%rd43], 1;\n"}) {
    const auto [ahead, one] = same(busy() + bin("%r1", 7) + add, {}, "", Observed::no_values_of_atomics);
    EXPECT_EQ(ahead.discarded, 0u) << add;
    EXPECT_GT(ahead.blocks, 2 * blocks) << add;
    const auto before = two_buffers();
    std::uint32_t sum = 0;
    for (std::size_t bin = 0; bin < 7; ++bin) sum += word_of(one.buffers[1], 2 * bin) - word_of(before[1], 2 * bin);
    EXPECT_EQ(sum, blocks * threads) << add;
  }
}

TEST(Deferred, SumsOfFloatsAreThoseOfTheOrderOfBlocks) {
  for (const std::uint64_t seed : {1u, 5u}) {
    const auto [ahead, one] =
        same(busy() + bin("%r1", 3) + "cvt.rn.f32.u32 %f1, %r1;\nred.global.add.f32 [%rd43], %f1;\n", {.seed = seed},
             "", Observed::no);
    EXPECT_EQ(ahead.discarded, 0u);
  }
}

TEST(Deferred, AResultThatIsReadOrWatchedComesInOrder) {
  const std::string add = bin("%r1", 7) + "atom.global.add.u32 %r20, [%rd43], 1;\n";
  EXPECT_GT(same(busy() + add, {}, "", Observed::all).first.discarded, 0u) << "the log has values";
  EXPECT_GT(same(busy() + add + "add.u32 %r21, %r20, 1;\n", {}, "", Observed::no).first.discarded, 0u);
  EXPECT_GT(
      same(busy() + add + "setp.eq.u32 %p2, %r20, 4294967295;\n@%p2 trap;\n", {}, "", Observed::no).first.discarded,
      0u);
}

TEST(Deferred, TheLastBlockAddsUp) {
  // Each block adds to a sum and takes a ticket; the last one stores the sum elsewhere.
  const auto [ahead, one] = same(busy() +
                                     "red.global.add.u32 [%rd1], %r1;\nmembar.gl;\nbar.sync 0;\nmov.u32 %r8, "
                                     "%tid.x;\nsetp.ne.u32 %p2, %r8, 0;\n@%p2 bra L2;\natom.global.inc.u32 %r9, "
                                     "[%rd1+8], 299;\nsetp.ne.u32 %p3, %r9, 299;\n@%p3 bra L2;\nld.global.u32 %r10, "
                                     "[%rd1];\nst.global.u32 [%rd1+16], %r10;\nL2:\n",
                                 {}, "", Observed::no);
  EXPECT_TRUE(one.result.faults.empty());
}

TEST(Deferred, RandomOperationsOnSharedWords) {
  // All operations and types at a few words that all blocks touch, among them some loads and stores of whole words and parts.
  static constexpr const char* operations[] = {
      "add.u32 [%rd43], %r1",         "add.s32 [%rd43+4], %r1",       "add.u32 [%rd43], 0",
      "add.u64 [%rd43], %rd45",       "min.u32 [%rd43], %r1",         "max.s32 [%rd43+4], %r1",
      "min.s64 [%rd43], %rd45",       "and.b32 [%rd43], %r1",         "or.b64 [%rd43], %rd45",
      "xor.b32 [%rd43+4], %r1",       "inc.u32 [%rd43], 1000",        "dec.u32 [%rd43], 1000",
      "add.f32 [%rd43], %f1",         "add.f64 [%rd43], %fd1",        "add.noftz.f16 [%rd43+2], %h1",
      "add.noftz.f16x2 [%rd43], %r1", "add.noftz.bf16 [%rd43+4], %h1"};
  static constexpr const char* others[] = {
      "atom.global.exch.b32 %r{}, [%rd43], %r1;\n",      "atom.global.cas.b32 %r{}, [%rd43], %r1, 7;\n",
      "atom.global.add.u32 %r{}, [%rd43], %r1;\n",       "atom.global.max.u32 %r{}, [%rd43+4], %r1;\n",
      "atom.global.cas.b32 %r{}, [%rd43+4], 0, %tid;\n", "atom.add.u32 %r{}, [%rd43], 3;\n"};
  static constexpr const char* rare[] = {"st.global.u32 [%rd43], %r1;\n",
                                         "st.global.u8 [%rd43+1], %r1;\n",
                                         "st.global.u64 [%rd43], %rd45;\n",
                                         "ld.global.u32 %r14, [%rd43];\nadd.u32 %r1, %r1, %r14;\n",
                                         "ld.global.u16 %r14, [%rd43+4];\nadd.u32 %r1, %r1, %r14;\n",
                                         "atom.global.add.u32 %r14, [%rd43], 5;\nadd.u32 %r1, %r1, %r14;\n"};
  AheadCounts sum;
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    SCOPED_TRACE(seed);
    Numbers numbers(seed);
    std::string body = busy(2) +
                       "cvt.u64.u32 %rd45, %r1;\ncvt.rn.f32.s32 %f1, %r1;\ncvt.f64.f32 %fd1, %f1;\ncvt.u16.u32 %h1, "
                       "%r1;\n";
    const std::uint64_t kinds = 1 + numbers.below(4), words = 1 + numbers.below(600);
    std::array<std::uint64_t, 4> chosen{};
    for (std::uint64_t& c : chosen) c = numbers.below(std::size(operations) + std::size(others));
    for (std::uint64_t i = 0, n = 2 + numbers.below(6); i < n; ++i) {
      body += bin(numbers.below(2) == 0 ? "%r1" : "%tid", words);
      const std::uint64_t one = chosen[numbers.below(kinds)];
      const std::uint64_t again = 1 + numbers.below(2);
      for (std::uint64_t k = 0; k < again; ++k)
        body += one < std::size(operations)
                    ? fmt::format("red.global.{};\n", operations[one])
                    : fmt::format(fmt::runtime(others[one - std::size(operations)]), 20 + 2 * i + k);
      body += "mad.lo.u32 %r1, %r1, 5, %r63;\ncvt.u64.u32 %rd45, %r1;\n";
      if (numbers.below(8) != 0) continue;
      body += fmt::format("rem.u32 %r11, %r63, {};\nsetp.ne.u32 %p6, %r11, 5;\n@%p6 bra M{};\n{}M{}:\n",
                          1 + numbers.below(90), i, rare[numbers.below(std::size(rare))], i);
    }
    const auto [ahead, one] = same(body, {.seed = 1 + seed % 3, .slice = static_cast<std::uint32_t>(seed % 2)}, "",
                                   seed % 4 == 0 ? Observed::no_values_of_atomics : Observed::no);
    EXPECT_TRUE(one.result.faults.empty());
    sum.blocks += ahead.blocks, sum.discarded += ahead.discarded;
  }
  EXPECT_GT(sum.blocks, 12 * blocks) << "of 48 runs";
  EXPECT_GT(sum.discarded, 8u);
}

TEST(Deferred, VectorsAnd128BitsAreDoneInOrder) {
  for (const char* body :
       {"red.global.add.v2.f32 [%rd43], {%f1, %f1};\n", "red.global.add.noftz.v4.f16 [%rd43], {%h1, %h1, %h1, %h1};\n"})
    same(busy(3) + "cvt.rn.f32.u32 %f1, %r1;\ncvt.u16.u32 %h1, %r1;\n" + bin("%r1", 5) + body, {}, "", Observed::no);
}

}  // namespace
}  // namespace lanescope::emulator::test
