// Programs of the builder: the requested words, from as few instructions as possible.

#include "kernels/convert/word_program.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "kernels/convert/planner.h"

namespace lanescope::convert {
namespace {

/// Registers, and what the same instructions make of them when nothing is simplified.
struct Model {
  std::vector<Value> values;
  std::vector<Register> words;
};

TEST(WordProgram, SimplifiedInstructionsMakeTheSameWords) {
  std::mt19937 random(7);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  for (int round = 0; round < 400; ++round) {
    WordBuilder builder(3);
    Model m;
    for (int n = 0; n < 3; ++n) {
      m.values.push_back(builder.input(n));
      for (std::uint32_t& w : m.words.emplace_back()) w = static_cast<std::uint32_t>(random());
    }
    const std::vector<Register> inputs = m.words;
    for (int step = 0; step < 12; ++step) {
      const std::size_t a = below(static_cast<std::uint32_t>(m.values.size()));
      const std::size_t b = below(static_cast<std::uint32_t>(m.values.size()));
      LaneTable table;
      const bool uniform = below(2) == 0, bytes = below(2) == 0;
      const int kind = static_cast<int>(below(4));
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        if (uniform && lane > 0) {
          table[lane] = table[0];
        } else if (kind == 0) {
          table[lane] = static_cast<std::uint32_t>(random()) & 0x7777;
        } else if (kind == 1) {
          table[lane] = bytes ? 8 * below(4) : below(32);
        } else if (bytes) {
          table[lane] = 0xff * (static_cast<std::uint32_t>(random()) & 0x01010101);
        } else {
          table[lane] = static_cast<std::uint32_t>(random());
        }
      }
      const std::uint32_t parity = below(32);
      Register out;
      for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        const std::uint32_t x = m.words[a][lane], y = m.words[b][lane], t = table[lane];
        std::uint32_t v = 0;
        if (kind == 0) {
          for (int byte = 0; byte < 4; ++byte) {
            const std::uint32_t s = t >> (4 * byte) & 7;
            v |= ((s < 4 ? x >> (8 * s) : y >> (8 * (s - 4))) & 0xff) << (8 * byte);
          }
        } else if (kind == 1) {
          v = std::rotl(x, static_cast<int>(t));
        } else if (kind == 2) {
          v = (x & t) | (y & ~t);
        } else {
          v = std::popcount(lane & parity) % 2 != 0 ? y : x;
        }
        out[lane] = v;
      }
      m.values.push_back(kind == 0   ? builder.permute(m.values[a], m.values[b], table)
                         : kind == 1 ? builder.rotate(m.values[a], table)
                         : kind == 2 ? builder.mix(m.values[a], m.values[b], table)
                                     : builder.select(parity, m.values[a], m.values[b]));
      m.words.push_back(out);
    }
    const WordProgram p = builder.finish(m.values);
    ASSERT_LE(p.counts().all(), 12);
    ASSERT_EQ(outputs_of(p, execute(p, inputs)), m.words) << "round " << round;
  }
}

TEST(WordProgram, BitsThatMoveInWholeBytesNeedOnlyPermutes) {
  // One bit of 16 or 8 elements' distance inside the register: two permutes for each pair of registers.
  for (const std::string_view to : {"simd: r0 s3 s2 s1 s0; register: s4; thread: t4 t3 t2 t1 t0",
                                    "simd: s4 r0 s2 s1 s0; register: s3; thread: t4 t3 t2 t1 t0"}) {
    const Expected<Planned> p =
        plan(*layout::parse("simd: s4 s3 s2 s1 s0; register: r0; thread: t4 t3 t2 t1 t0"), *layout::parse(to), 1);
    ASSERT_TRUE(p.has_value());
    EXPECT_EQ(p->plans.front().counts, (Counts{.shuffles = 0, .selects = 0, .permutes = 2, .logic = 0})) << to;
  }
}

/// A slot bit changes places with a lane bit: half of the elements leave their lane, which a permute chooses by lane, and the
/// registers of the destination are one permute each of what stayed and what came.
TEST(WordProgram, AnExchangeOfSlotAndLaneNeedsNoSelect) {
  for (const auto& [bits, slots] : {std::pair{16, "s0"}, {8, "s1 s0"}}) {
    for (int registers = 1; registers <= 5; ++registers) {
      std::string regs;
      for (int r = registers; r-- > 0;) regs += fmt::format(" r{}", r);
      const std::string from = fmt::format("simd: {}; register:{}; thread: t4 t3 t2 t1 t0", slots, regs);
      std::string to = from;
      to.replace(to.find("s0"), 2, "t3");
      to.replace(to.rfind("t3"), 2, "s0");
      const Planned p = *plan(*layout::parse(from), *layout::parse(to), bits);
      const int words = 1 << registers;
      EXPECT_EQ(p.plans.front().counts, (Counts{.shuffles = words / 2, .selects = 0, .permutes = 3 * words / 2})) << to;
      EXPECT_TRUE(p.proved_optimal());
    }
  }
}

TEST(WordProgram, AByteThatIsPermutedTwiceIsPermutedOnce) {
  WordBuilder b(2);
  const Value x = b.input(0), y = b.input(1);
  const Value turned = b.permute(x, x, same_in_all_lanes(0x1032));
  const Value both = b.permute(turned, y, same_in_all_lanes(0x5410));
  const std::array outputs{both};
  EXPECT_EQ(b.finish(outputs).counts().permutes, 1);
}

}  // namespace
}  // namespace lanescope::convert
