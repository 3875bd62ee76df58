// Equal numbers mean equal values.

#include "kernels/ptx/value_numbers.h"

#include <gtest/gtest.h>

#include <random>

#include <fmt/format.h>

namespace lanescope::ptx {
namespace {

std::string numbered_text(const std::string& body) {
  return ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u64 b)\n{\n"
         ".reg .b64 %rd<64>;\n.reg .b32 %r<64>;\n.reg .pred %p<4>;\n" +
         body + "ret;\n}\n";
}

/// The values of registers %rd0, %rd1, ... by their number in the entry.
struct Numbered {
  Module module;
  explicit Numbered(const std::string& body) {
    auto parsed = parse(numbered_text(body));
    EXPECT_TRUE(parsed) << body;
    if (parsed) module = std::move(*parsed);
  }
  const Entry& entry() const { return *module.find_entry("k"); }
  int reg(const std::string& name) const {
    const auto& all = entry().registers;
    return static_cast<int>(std::ranges::find(all, name, &Register::name) - all.begin());
  }
};

// Straight-line programs of whole numbers, each register written once, against their values for random parameters.
TEST(ValueNumbers, EqualNumbersAreEqualValues) {
  std::mt19937 random(5);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  struct Op {
    const char* text;
    std::uint64_t (*of)(std::uint64_t, std::uint64_t);
  };
  static const Op ops[] = {{"add.s64", [](auto x, auto y) { return x + y; }},
                           {"sub.s64", [](auto x, auto y) { return x - y; }},
                           {"mul.lo.u64", [](auto x, auto y) { return x * y; }},
                           {"and.b64", [](auto x, auto y) { return x & y; }},
                           {"xor.b64", [](auto x, auto y) { return x ^ y; }}};
  int equal = 0;
  for (int round = 0; round < 300; ++round) {
    std::string body = "ld.param.u64 %rd0, [a];\nld.param.u64 %rd1, [b];\nld.param.u64 %rd2, [a];\n";
    std::array<std::vector<std::uint64_t>, 3> values;  // of three executions
    for (auto& v : values) {
      const std::uint64_t a = random(), b = random();
      v = {a, b, a};
    }
    for (int i = 3; i < 32; ++i) {
      const int x = below(i), y = below(i), number = below(3) * 4;
      switch (below(4)) {
        case 0:
          body += fmt::format("mov.u64 %rd{}, %rd{};\n", i, x);
          for (auto& v : values) v.push_back(v[static_cast<std::size_t>(x)]);
          break;
        case 1:
          body += fmt::format("add.s64 %rd{}, %rd{}, {};\n", i, x, number - 4);
          for (auto& v : values)
            v.push_back(v[static_cast<std::size_t>(x)] + static_cast<std::uint64_t>(std::int64_t{number} - 4));
          break;
        default: {
          const Op& op = ops[below(5)];
          body += fmt::format("{} %rd{}, %rd{}, %rd{};\n", op.text, i, x, y);
          for (auto& v : values) v.push_back(op.of(v[static_cast<std::size_t>(x)], v[static_cast<std::size_t>(y)]));
        }
      }
    }
    const Numbered n(body);
    const ValueNumbers numbers(n.entry());
    for (std::size_t i = 0; i < 32; ++i)
      for (std::size_t j = 0; j < i; ++j) {
        if (numbers.of_register(n.reg(fmt::format("%rd{}", i))) != numbers.of_register(n.reg(fmt::format("%rd{}", j))))
          continue;
        ++equal;
        for (const auto& v : values) ASSERT_EQ(v[i], v[j]) << i << " " << j << "\n" << body;
      }
  }
  EXPECT_GT(equal, 3000);
}

// The same address computed twice, once for global memory and once generic, with its offset in the register or in the access.
TEST(ValueNumbers, AnAddressComputedTwiceIsOnePlace) {
  const Numbered n(
      "ld.param.u64 %rd0, [a];\nmov.u32 %r0, %tid.x;\n"
      "cvta.to.global.u64 %rd1, %rd0;\nmul.wide.u32 %rd2, %r0, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
      "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd4, %r1, 4;\nadd.s64 %rd5, %rd4, %rd0;\nadd.s64 %rd6, %rd5, 8;\n"
      "mov.u32 %r2, %tid.y;\nmul.wide.u32 %rd7, %r2, 4;\nadd.s64 %rd8, %rd0, %rd7;\n"
      "ld.global.u32 %r3, [%rd3+8];\nld.u32 %r4, [%rd6];\nld.global.u32 %r5, [%rd3];\nld.global.u32 %r6, [%rd8+8];\n");
  ValueNumbers numbers(n.entry());
  std::vector<ValueNumbers::Value> places;
  for (const Instruction& in : n.entry().code)
    if (in.opcode == "ld" && !in.has("param")) places.push_back(numbers.place(in.operands[1]));
  ASSERT_EQ(places.size(), 4u);
  EXPECT_EQ(places[0], places[1]);
  EXPECT_NE(places[0], places[2]);
  EXPECT_NE(places[0], places[3]);
}

// `(x & mask) << shift`, widened, in the three forms: one number where the values are equal for all x, else several.
TEST(ValueNumbers, AScaledIndexIsTheSameInEachForm) {
  std::mt19937 random(9);
  for (int round = 0; round < 200; ++round) {
    const unsigned shift = random() % 8, other_shift = round % 2 == 0 ? shift : random() % 8;
    const std::uint32_t mask = (std::uint32_t{1} << (random() % 20)) - 1;
    const std::uint64_t after = round % 3 == 0 ? std::uint64_t{random() % 256} : std::uint64_t{mask} << other_shift;
    const Numbered n(
        fmt::format("mov.u32 %r0, %tid.x;\nand.b32 %r1, %r0, {0};\n"
                    "mul.wide.u32 %rd0, %r1, {1};\n"
                    "cvt.u64.u32 %rd1, %r1;\nshl.b64 %rd2, %rd1, {2};\n"
                    "shl.b32 %r2, %r0, {3};\ncvt.u64.u32 %rd3, %r2;\nand.b64 %rd4, %rd3, {4};\n",
                    mask, 1u << shift, shift, other_shift, after));
    const ValueNumbers numbers(n.entry());
    const auto of = [&](const char* reg) { return numbers.of_register(n.reg(reg)); };
    EXPECT_EQ(of("%rd0"), of("%rd2"));
    bool equal = true;
    for (int i = 0; i < 200; ++i) {
      const std::uint32_t x = random();
      equal = equal && (std::uint64_t{x & mask} << shift) == ((std::uint64_t{x << other_shift}) & after);
    }
    if (of("%rd0") == of("%rd4")) {
      EXPECT_TRUE(equal) << mask << " " << shift << " " << other_shift << " " << after;
    }
    if (shift == other_shift && after == std::uint64_t{mask} << shift) {
      EXPECT_EQ(of("%rd0"), of("%rd4"));
    }
  }
}

// A value that may differ from one time to the next has a number of its own.
TEST(ValueNumbers, WhatMayChangeIsNotTheSame) {
  for (const char* what : {"ld.volatile.global.u64 %rd{}, [%rd0];\n", "ld.relaxed.gpu.global.u64 %rd{}, [%rd0];\n",
                           "ld.shared.u64 %rd{}, [%rd0];\n", "mov.u64 %rd{}, %clock64;\n",
                           "atom.global.add.u64 %rd{}, [%rd0], 1;\n", "@%p0 add.s64 %rd{}, %rd0, 1;\n"}) {
    const Numbered n("ld.param.u64 %rd0, [a];\nsetp.eq.u64 %p0, %rd0, 0;\n" + fmt::format(fmt::runtime(what), 1) +
                     fmt::format(fmt::runtime(what), 2));
    const ValueNumbers numbers(n.entry());
    EXPECT_NE(numbers.of_register(n.reg("%rd1")), numbers.of_register(n.reg("%rd2"))) << what;
  }
  // Written in two places, as the variable of a loop.
  const Numbered n(
      "ld.param.u64 %rd0, [a];\nmov.u64 %rd1, %rd0;\nL:\nadd.s64 %rd1, %rd1, 4;\nmov.u64 %rd2, %rd0;\nbra L;\n");
  const ValueNumbers numbers(n.entry());
  EXPECT_NE(numbers.of_register(n.reg("%rd1")), numbers.of_register(n.reg("%rd0")));
  EXPECT_EQ(numbers.of_register(n.reg("%rd2")), numbers.of_register(n.reg("%rd0")));
}

}  // namespace
}  // namespace lanescope::ptx
