// Integer constants and the sizes of types, against wide arithmetic and against the compiler's own.

#include "kernels/source/cxx/constant_expression.h"

#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kernels/base/english.h"
#include "kernels/source/cxx/macros.h"
#include "kernels/source/cxx/number_types.h"
#include "kernels/source/cxx/outline.h"
#include "kernels/source/host/host_run.h"

namespace lanescope::source {
namespace {

std::optional<std::int64_t> n_is_7(std::string_view name) {
  return name == "n"        ? std::optional<std::int64_t>(7)
         : name == "grid.x" ? std::optional<std::int64_t>(9)
                            : std::nullopt;
}
ConstantValue value(std::string_view text) { return constant_value(text, n_is_7); }

TEST(ConstantValue, AsInCpp) {
  const std::pair<const char*, std::int64_t> cases[] = {
      {"1+2*3", 7},
      {"-(1+2)*3", -9},
      {"10-4-3", 3},
      {"1<<3+1", 16},
      {"256>>2>>1", 32},
      {"0x10u", 16},
      {"0b101", 5},
      {"010", 8},
      {"1'000ULL", 1000},
      {"n%4*grid.x", 27},
      {"- - +n", 7},
      {"(size_t)n*(unsigned long)2", 14},
      {"-7/2", -3},
      {"-7%2", -1},
      {"-9223372036854775807-1", std::numeric_limits<std::int64_t>::min()},
      {"sizeof(float)*sizeof(int*)", 32},
      {"sizeof(uint4)+sizeof(unsigned long long int)", 24}};
  for (const auto& [text, expected] : cases) {
    const ConstantValue v = value(text);
    ASSERT_TRUE(v) << text << ": " << v.error();
    EXPECT_EQ(*v, expected) << text;
  }
}

TEST(ConstantValue, WhatHasNoValue) {
  for (const char* text : {"",
                           "m",
                           "n.x",
                           "1+",
                           "*1",
                           "(1",
                           "1)",
                           "()",
                           "1 2",
                           "1/0",
                           "1%0",
                           "1<<63",
                           "1<<-1",
                           "1.5",
                           "08",
                           "0x",
                           "0b2",
                           "n+\"a\"",
                           "18446744073709551616",
                           "0xffffffffffffffff",
                           "9223372036854775807+1",
                           "-9223372036854775807-2",
                           "sizeof n",
                           "sizeof()",
                           "sizeof(thing)",
                           "(-9223372036854775807-1)/-1",
                           "3037000500*3037000500",
                           "(int)"})
    EXPECT_FALSE(value(text)) << text;
}

TEST(ConstantValue, DeepAndLongExpressionsEnd) {
  EXPECT_EQ(value(std::string(90, '(') + "n" + std::string(90, ')')), 7);
  EXPECT_FALSE(value(std::string(900, '(') + "n" + std::string(900, ')')));
  std::string sum = "1";
  for (int i = 0; i < 100'000; ++i) sum += "+1";
  EXPECT_EQ(value(sum), 100'001);
  std::string signs;
  for (int i = 0; i < 100'000; ++i) signs += "- ";
  EXPECT_EQ(value(signs + "1"), 1);
}

/// A random expression and its value; nullopt where C++ would not define it in 64 bits.
struct Random {
  std::mt19937_64 engine;
  std::string text;
  std::uint64_t below(std::uint64_t n) { return engine() % n; }

  std::optional<std::int64_t> make(int depth) {
    if (depth == 0 || below(5) == 0) {
      const auto v = static_cast<std::int64_t>(engine() >> (1 + below(63)));
      text += std::to_string(v);
      return v;
    }
    text += "(";
    const std::optional<std::int64_t> a = make(depth - 1);
    constexpr std::string_view operations[] = {"+", "-", "*", "/", "%", "<<", ">>"};
    const std::string_view op = operations[below(std::size(operations))];
    text += fmt::format(" {} ", op);
    std::optional<std::int64_t> b;
    if (op == "<<" || op == ">>") {
      b = static_cast<std::int64_t>(below(66));
      text += std::to_string(*b);
    } else {
      b = make(depth - 1);
    }
    text += ")";
    if (!a || !b) return std::nullopt;
    __int128 v = 0;
    if ((op == "/" || op == "%") && *b == 0) return std::nullopt;
    if ((op == "<<" || op == ">>") && *b > 62) return std::nullopt;
    if (op == "+") v = static_cast<__int128>(*a) + *b;
    if (op == "-") v = static_cast<__int128>(*a) - *b;
    if (op == "*") v = static_cast<__int128>(*a) * *b;
    if (op == "/") v = static_cast<__int128>(*a) / *b;
    if (op == "%") v = static_cast<__int128>(*a) % *b;
    if (op == "<<") v = static_cast<__int128>(*a) * (static_cast<__int128>(1) << *b);
    if (op == ">>") v = static_cast<__int128>(*a) >> *b;
    if (v != static_cast<std::int64_t>(v)) return std::nullopt;
    return static_cast<std::int64_t>(v);
  }
};

TEST(ConstantValue, AsWideArithmetic) {
  Random r{.engine = std::mt19937_64(std::random_device{}()), .text = {}};
  int defined = 0;
  for (int i = 0; i < 5000; ++i) {
    r.text.clear();
    const std::optional<std::int64_t> expected = r.make(4);
    const ConstantValue v = value(r.text);
    ASSERT_EQ(v.has_value(), expected.has_value()) << r.text << (v ? "" : ": " + v.error());
    if (!expected) continue;
    ASSERT_EQ(*v, *expected) << r.text;
    ++defined;
  }
  EXPECT_GT(defined, 500);
}

TEST(NumberTypes, SizesAreTheCompilersOwn) {
  const std::pair<const char*, std::size_t> cases[] = {{"char", sizeof(char)},
                                                       {"unsigned char", sizeof(unsigned char)},
                                                       {"short int", sizeof(short)},
                                                       {"unsigned", sizeof(unsigned)},
                                                       {"long long unsigned int", sizeof(unsigned long long)},
                                                       {"const volatile long", sizeof(long)},
                                                       {"std::uint16_t", sizeof(std::uint16_t)},
                                                       {"size_t", sizeof(std::size_t)},
                                                       {"bool", sizeof(bool)},
                                                       {"double", sizeof(double)}};
  for (const auto& [text, bytes] : cases) {
    ASSERT_TRUE(number_type(text)) << text;
    EXPECT_EQ(number_type(text)->bytes, static_cast<int>(bytes)) << text;
  }
  for (const char* text :
       {"", "void", "float*", "float &", "thing", "unsigned thing", "Array<float, 4>", "longlong", "int5", "const"})
    EXPECT_FALSE(number_type(text)) << text;
}

TEST(NumberTypes, VectorsHoldTheirNumbersOneBehindAnother) {
  for (const char* base : {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double"}) {
    const std::string scalar = base[0] == 'u' ? "unsigned " + std::string(base + 1) : base;
    const std::optional<NumberType> one = number_type(scalar);
    ASSERT_TRUE(one) << scalar;
    for (int n = 1; n <= 4; ++n) {
      const std::optional<NumberType> all = number_type(base + std::to_string(n));
      ASSERT_TRUE(all) << base << n;
      EXPECT_EQ(all->element_type, one->element_type) << base << n;
      EXPECT_EQ(all->bytes, n * one->bytes) << base << n;
      EXPECT_EQ(all->numbers, n) << base << n;
    }
  }
  EXPECT_EQ(number_type("__half2")->bytes, 4);
  EXPECT_EQ(number_type("longlong2")->bytes, 16);
}

TEST(NumberTypes, OfWhatPointersPointTo) {
  const std::pair<const char*, const char*> cases[] = {{"const unsigned char*__restrict__", "u8"},
                                                       {"float4*", "f32"},
                                                       {"const __nv_bfloat162 *", "bf16"},
                                                       {"Array<ushort4, 8>*", "u16"},
                                                       {"unsigned long long*", "u64"},
                                                       {"int[]", "s32"}};
  for (const auto& [text, element] : cases) {
    ASSERT_TRUE(number_type_in(text)) << text;
    EXPECT_EQ(number_type_in(text)->element_type, element) << text;
  }
  EXPECT_FALSE(number_type_in("void*"));
}

TEST(HostLaunch, SizesOfEveryVectorAndWordAreKnown) {
  const auto bytes = [](const std::string& expression) {
    const std::string text = "void f() { char* p; cudaMalloc(&p, " + expression + "); k<<<1, 32>>>(p); }";
    const Lexed lexed = lex(text);
    const HostRun run = run_host(lexed, outline(lexed));
    return run.buffers.size() == 1 ? run.buffers[0].bytes : 0;
  };
  EXPECT_EQ(bytes("1024 * sizeof(uint4)"), 16384u);
  EXPECT_EQ(bytes("1024 * sizeof(unsigned long long int)"), 8192u);
  EXPECT_EQ(bytes("1024 * sizeof(__nv_bfloat16)"), 2048u);
  EXPECT_EQ(bytes("0xffffffffffffffff"), 0u) << "more than 64 bits with a sign hold";
}

TEST(Macros, NamesBodiesAndParameters) {
  const Lexed lexed = lex("#define N 4\n  #  define F(x) x\n#define\n#undef N\n#define EMPTY\n#ifdef N\n#endif\n");
  const std::vector<Macro> all = macros(lexed);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].name, "N");
  EXPECT_EQ(all[0].body, " 4");
  EXPECT_EQ(all[1].name, "F");
  EXPECT_TRUE(all[1].like_function && !all[0].like_function && !all[2].like_function);
  EXPECT_EQ(all[2].name, "EMPTY");
}

TEST(English, WordsThatAreNoNames) {
  for (const char* word : {"the", "The", "and", "now", "of"}) EXPECT_TRUE(is_english(word)) << word;
  for (const char* word : {"", "i", "a", "x", "tile", "ReIm", "there"}) EXPECT_FALSE(is_english(word)) << word;
}

}  // namespace
}  // namespace lanescope::source
