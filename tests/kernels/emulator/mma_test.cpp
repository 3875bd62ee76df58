// mma.sync against a matrix product on the CPU. Which element lies in which register of which lane is written out here per
// shape, element by element, as the PTX ISA lists it; nothing is shared with the emulator.

#include <cmath>
#include <functional>
#include <set>

#include "tests/kernels/emulator/harness.h"

namespace lanescope::emulator::test {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

struct At {
  int row, column;
};
using Place = std::function<At(int group, int thread, int i)>;

struct Product {
  const char* name;
  std::string opcode;
  int rows, depth;
  int element_bits;                ///< of A and B
  int a_elements, b_elements;      ///< of a lane
  Place a, b;                      ///< b: row is k, column is n
  std::function<u32(int)> encode;  ///< a small whole number as an element
  bool is_unsigned = false, is_float = false, half_result = false, bits = false;
};

u32 float_bits(int v) { return __builtin_bit_cast(u32, static_cast<float>(v)); }
u32 to_half(int v) {
  const u32 f = float_bits(v);
  return v == 0 ? 0 : (f >> 16 & 0x8000) | ((f >> 23 & 0xff) - 112) << 10 | (f >> 13 & 0x3ff);
}
u32 to_bfloat(int v) { return float_bits(v) >> 16; }
u32 to_tf32(int v) { return float_bits(v) | 0x1abc; }  // what lies in the low bits does not count
u32 to_e4m3(int v) {
  const u32 f = float_bits(v);
  return v == 0 ? 0 : (f >> 24 & 0x80) | ((f >> 23 & 0xff) - 120) << 3 | (f >> 20 & 7);
}
u32 to_e5m2(int v) {
  const u32 f = float_bits(v);
  return v == 0 ? 0 : (f >> 24 & 0x80) | ((f >> 23 & 0xff) - 112) << 2 | (f >> 21 & 3);
}
u32 whole(int v) { return static_cast<u32>(v); }

At result_place(int rows, int group, int thread, int i) {
  return {rows == 8 || i < 2 ? group : group + 8, thread * 2 + (i & 1)};
}

std::vector<Product> cases() {
  std::vector<Product> out;
  const Place a16 = [](int g, int t, int i) {
    return At{i < 2 || (i >= 4 && i < 6) ? g : g + 8, t * 2 + (i & 1) + (i >= 4 ? 8 : 0)};
  };
  const Place b16 = [](int g, int t, int i) { return At{t * 2 + (i & 1) + (i >= 2 ? 8 : 0), g}; };
  using Encode = u32 (*)(int);
  for (const auto& [type, encode] : {std::pair<const char*, Encode>{"f16", to_half}, {"bf16", to_bfloat}}) {
    const std::string tail = std::string(".row.col.f32.") + type + "." + type + ".f32";
    out.push_back({"m16n8k16", "m16n8k16" + tail, 16, 16, 16, 8, 4, a16, b16, encode, false, true});
    out.push_back({"m16n8k8", "m16n8k8" + tail, 16, 8, 16, 4, 2, a16, b16, encode, false, true});
  }
  out.push_back({"half", "m16n8k16.row.col.f16.f16.f16.f16", 16, 16, 16, 8, 4, a16, b16, to_half, false, true, true});
  const Place a_one = [](int g, int t, int i) { return At{i % 2 == 0 ? g : g + 8, t + (i >= 2 ? 4 : 0)}; };
  const Place b_one = [](int g, int t, int i) { return At{t + 4 * i, g}; };
  out.push_back({"tf32k4", "m16n8k4.row.col.f32.tf32.tf32.f32", 16, 4, 32, 2, 1, a_one, b_one, to_tf32, false, true});
  out.push_back({"tf32k8", "m16n8k8.row.col.f32.tf32.tf32.f32", 16, 8, 32, 4, 2, a_one, b_one, to_tf32, false, true});
  const Place a8 = [](int g, int t, int i) {
    return At{i < 4 || (i >= 8 && i < 12) ? g : g + 8, t * 4 + (i & 3) + (i >= 8 ? 16 : 0)};
  };
  const Place b8 = [](int g, int t, int i) { return At{t * 4 + (i & 3) + (i >= 4 ? 16 : 0), g}; };
  const Place a8_low = [](int g, int t, int i) { return At{g, t * 4 + i}; };
  const Place b8_low = [](int g, int t, int i) { return At{t * 4 + i, g}; };
  for (const char* type : {"s8", "u8"}) {
    const bool u = type[0] == 'u';
    const std::string tail = std::string(".row.col.s32.") + type + "." + type + ".s32";
    out.push_back({"k16", "m16n8k16" + tail, 16, 16, 8, 8, 4, a8, b8, whole, u});
    out.push_back({"k32", "m16n8k32" + tail, 16, 32, 8, 16, 8, a8, b8, whole, u});
    out.push_back({"m8k16", "m8n8k16" + tail, 8, 16, 8, 4, 4, a8_low, b8_low, whole, u});
  }
  out.push_back({"e4m3", "m16n8k32.row.col.f32.e4m3.e4m3.f32", 16, 32, 8, 16, 8, a8, b8, to_e4m3, false, true});
  out.push_back({"e5m2", "m16n8k32.row.col.f32.e5m2.e5m2.f32", 16, 32, 8, 16, 8, a8, b8, to_e5m2, false, true});
  const Place a4 = [](int g, int t, int i) {
    return At{i < 8 || (i >= 16 && i < 24) ? g : g + 8, t * 8 + (i & 7) + (i >= 16 ? 32 : 0)};
  };
  const Place b4 = [](int g, int t, int i) { return At{t * 8 + (i & 7) + (i >= 8 ? 32 : 0), g}; };
  for (const char* type : {"s4", "u4"}) {
    const bool u = type[0] == 'u';
    const std::string tail = std::string(".row.col.s32.") + type + "." + type + ".s32";
    out.push_back({"k32", "m16n8k32" + tail, 16, 32, 4, 16, 8, a4, b4, whole, u});
    out.push_back({"k64", "m16n8k64" + tail, 16, 64, 4, 32, 16, a4, b4, whole, u});
    out.push_back({"m8k32", "m8n8k32" + tail, 8, 32, 4, 8, 8,
                   [](int g, int t, int i) {
                     return At{g, t * 8 + i};
                   },
                   [](int g, int t, int i) {
                     return At{t * 8 + i, g};
                   },
                   whole, u});
  }
  const Place a1 = [](int g, int t, int i) {
    return At{i < 32 || (i >= 64 && i < 96) ? g : g + 8, t * 32 + (i & 31) + (i >= 64 ? 128 : 0)};
  };
  const Place b1 = [](int g, int t, int i) { return At{t * 32 + (i & 31) + (i >= 32 ? 128 : 0), g}; };
  for (const char* op : {"xor", "and"}) {
    const std::string tail = std::string(".row.col.s32.b1.b1.s32.") + op + ".popc";
    out.push_back({op, "m16n8k256" + tail, 16, 256, 1, 128, 64, a1, b1, whole, true, false, false, true});
    out.push_back({op, "m16n8k128" + tail, 16, 128, 1, 64, 32, a1, b1, whole, true, false, false, true});
    out.push_back({op, "m8n8k128" + tail, 8, 128, 1, 32, 32,
                   [](int g, int t, int i) {
                     return At{g, t * 32 + i};
                   },
                   [](int g, int t, int i) {
                     return At{t * 32 + i, g};
                   },
                   whole, true, false, false, true});
  }
  return out;
}

std::string list(const char* prefix, int first, int count) {
  std::string text = "{";
  for (int i = 0; i < count; ++i) text += (i != 0 ? ", " : "") + std::string(prefix) + std::to_string(first + i);
  return text + "}";
}

/// A lane's words lie one after the other in each buffer; D comes out in the same way.
std::string product(const std::string& opcode, int a, int b, int c, int d) {
  std::string text = "mul.lo.u32 %r60, %tid, 64;\ncvt.u64.u32 %rd60, %r60;\n";
  const int first[] = {0, 8, 16};
  const int counts[] = {a, b, c};
  for (int m = 0; m < 3; ++m) {
    text += "add.s64 %rd61, %rd" + std::to_string(m) + ", %rd60;\n";
    for (int i = 0; i < counts[m]; ++i)
      text += "ld.global.u32 %r" + std::to_string(first[m] + i) + ", [%rd61+" + std::to_string(4 * i) + "];\n";
  }
  text += "mma.sync.aligned." + opcode + " " + list("%r", 24, d) + ", " + list("%r", 0, a) + ", " + list("%r", 8, b) +
          ", " + list("%r", 16, c) + ";\nadd.s64 %rd61, %rd3, %rd60;\n";
  for (int i = 0; i < d; ++i)
    text += "st.global.u32 [%rd61+" + std::to_string(4 * i) + "], %r" + std::to_string(24 + i) + ";\n";
  return text;
}

constexpr int words_of_lane = 16;

void put(std::vector<u32>& words, int lane, int bits, int i, u32 value) {
  const int per = 32 / bits;
  const u32 mask = bits == 32 ? ~0u : (1u << bits) - 1;
  words[static_cast<std::size_t>(lane * words_of_lane + i / per)] |= (value & mask) << bits * (i % per);
}

TEST(Mma, IsTheProductOfTheMatricesInTheRegisters) {
  Numbers numbers(11);
  for (const Product& k : cases())
    for (int round = 0; round < 8; ++round) {
      SCOPED_TRACE(k.opcode);
      std::vector<std::vector<int>> a(16, std::vector<int>(256)), b(256, std::vector<int>(8)),
          c(16, std::vector<int>(8));
      const auto some = [&] {
        if (k.bits) return static_cast<int>(numbers.below(2));
        const int v = static_cast<int>(numbers.below(8));
        return k.is_unsigned || numbers.below(2) == 0 ? v : -v;
      };
      for (auto& row : a)
        for (int& v : row) v = some();
      for (auto& row : b)
        for (int& v : row) v = some();
      for (auto& row : c)
        for (int& v : row) v = static_cast<int>(numbers.below(200)) - 100;
      std::vector<u32> in_a(32 * words_of_lane), in_b = in_a, in_c = in_a, out = in_a;
      const int results = k.rows / 4;
      for (int l = 0; l < 32; ++l) {
        for (int i = 0; i < k.a_elements; ++i) {
          const At at = k.a(l / 4, l % 4, i);
          put(in_a, l, k.element_bits, i,
              k.encode(a[static_cast<std::size_t>(at.row)][static_cast<std::size_t>(at.column)]));
        }
        for (int i = 0; i < k.b_elements; ++i) {
          const At at = k.b(l / 4, l % 4, i);
          put(in_b, l, k.element_bits, i,
              k.encode(b[static_cast<std::size_t>(at.row)][static_cast<std::size_t>(at.column)]));
        }
        for (int i = 0; i < results; ++i) {
          const At at = result_place(k.rows, l / 4, l % 4, i);
          const int v = c[static_cast<std::size_t>(at.row)][static_cast<std::size_t>(at.column)];
          if (k.half_result)
            put(in_c, l, 16, i, to_half(v));
          else
            put(in_c, l, 32, i, k.is_float ? float_bits(v) : whole(v));
        }
      }
      std::vector<trace::Buffer> buffers{buffer_of("a", in_a), buffer_of("b", in_b), buffer_of("c", in_c),
                                         buffer_of("d", out)};
      const int per = 32 / k.element_bits, c_words = k.half_result ? results / 2 : results;
      run_ok(module_of(kernel(product(k.opcode, k.a_elements / per, k.b_elements / per, c_words, c_words), 4)),
             launch_of(1, 32, 4), buffers);
      const auto got = values_of<u32>(buffers[3]);
      for (int l = 0; l < 32; ++l)
        for (int i = 0; i < results; ++i) {
          const At at = result_place(k.rows, l / 4, l % 4, i);
          int sum = c[static_cast<std::size_t>(at.row)][static_cast<std::size_t>(at.column)];
          for (int n = 0; n < k.depth; ++n) {
            const int x = a[static_cast<std::size_t>(at.row)][static_cast<std::size_t>(n)];
            const int y = b[static_cast<std::size_t>(n)][static_cast<std::size_t>(at.column)];
            sum += !k.bits ? x * y : std::string(k.name) == "xor" ? x ^ y : x & y;
          }
          const std::size_t word = static_cast<std::size_t>(l * words_of_lane + (k.half_result ? i / 2 : i));
          const u32 value = k.half_result ? got[word] >> 16 * (i % 2) & 0xffff : got[word];
          ASSERT_EQ(value, k.half_result ? to_half(sum) : k.is_float ? float_bits(sum) : whole(sum)) << l << " " << i;
        }
    }
}

TEST(Mma, ClampsWhereItSaysSo) {
  for (const bool clamps : {false, true}) {
    std::vector<u32> a(32 * words_of_lane, 0x7f7f7f7f), c(32 * words_of_lane, 0x7fffff00);
    std::vector<trace::Buffer> buffers{buffer_of("a", a), buffer_of("b", a), buffer_of("c", c), buffer_of("d", a)};
    const std::string opcode = std::string("m16n8k32.row.col") + (clamps ? ".satfinite" : "") + ".s32.s8.s8.s32";
    run_ok(module_of(kernel(product(opcode, 4, 2, 4, 4), 4)), launch_of(1, 32, 4), buffers);
    EXPECT_EQ(values_of<u32>(buffers[3])[0], clamps ? 0x7fffffffu : 0x7fffff00u + 32 * 127 * 127);
  }
}

/// Sums of products that are no whole numbers: within one rounding of the exact sum.
TEST(Mma, RoundsASumOnce) {
  Numbers numbers(5);
  for (int round = 0; round < 50; ++round) {
    std::vector<u32> a(32 * words_of_lane), b = a, c = a;
    for (auto* all : {&a, &b})
      for (u32& w : *all) w = static_cast<u32>(numbers.next()) & 0xbfffbfff;  // no infinities: below 2
    for (u32& w : c) w = __builtin_bit_cast(u32, static_cast<float>(numbers.below(1000)) / 7.0f);
    std::vector<trace::Buffer> buffers{buffer_of("a", a), buffer_of("b", b), buffer_of("c", c), buffer_of("d", a)};
    run_ok(module_of(kernel(product("m16n8k16.row.col.f32.f16.f16.f32", 4, 2, 4, 4), 4)), launch_of(1, 32, 4), buffers);
    const auto value = [](u32 h) {
      const int exponent = static_cast<int>(h >> 10 & 31);
      const double m = h & 0x3ff;
      const double v = exponent == 0 ? std::ldexp(m, -24) : std::ldexp(m + 1024, exponent - 25);
      return (h & 0x8000) != 0 ? -v : v;
    };
    // Element (0, 0): row 0 of A is in lanes 0 to 3, registers 0 and 2; column 0 of B in the same lanes.
    double sum = __builtin_bit_cast(float, c[0]);
    for (std::size_t t = 0; t < 4; ++t)
      for (std::size_t r = 0; r < 2; ++r)
        for (std::size_t j = 0; j < 2; ++j)
          sum += value(a[t * words_of_lane + 2 * r] >> 16 * j & 0xffff) *
                 value(b[t * words_of_lane + r] >> 16 * j & 0xffff);
    ASSERT_EQ(values_of<u32>(buffers[3])[0], __builtin_bit_cast(u32, static_cast<float>(sum)));
  }
}

struct Stored : trace::Observer {
  u64 base = 0;
  std::vector<trace::WordTag> tags = std::vector<trace::WordTag>(32 * words_of_lane);
  void on_access(const trace::AccessEvent& e) override {
    if (e.kind != trace::AccessKind::store) return;
    for (std::size_t l = 0; l < 32; ++l) tags.at((e.addresses[l] - base) / 4) = e.tags[l];
  }
};

TEST(Mma, AnElementDependsOnItsRowItsColumnAndItsSummand) {
  std::vector<u32> zeros(32 * words_of_lane);
  std::vector<trace::Buffer> buffers{buffer_of("a", zeros), buffer_of("b", zeros), buffer_of("c", zeros),
                                     buffer_of("d", zeros)};
  trace::TagPool pool;
  pool.space = tag_space(buffers);
  Stored stored;
  stored.base = place_buffers(buffers)[3];
  Options options;
  options.tags = &pool;
  options.observers = {&stored};
  run_ok(module_of(kernel(product("m16n8k16.row.col.f32.f16.f16.f32", 4, 2, 4, 4), 4)), launch_of(1, 32, 4), buffers,
         options);
  for (int l = 0; l < 32; ++l)
    for (int i = 0; i < 4; ++i) {
      const At at = result_place(16, l / 4, l % 4, i);
      std::set<std::pair<int, u64>> expected{{2, static_cast<u64>(l * words_of_lane + i)}};
      for (int other = 0; other < 32; ++other) {
        for (int r = 0; r < 4; ++r)
          if (other / 4 + (r % 2 == 0 ? 0 : 8) == at.row)
            expected.insert({0, static_cast<u64>(other * words_of_lane + r)});
        for (int r = 0; r < 2; ++r)
          if (other / 4 == at.column) expected.insert({1, static_cast<u64>(other * words_of_lane + r)});
      }
      const auto sources = pool.sources(stored.tags[static_cast<std::size_t>(l * words_of_lane + i)], 0, 32);
      ASSERT_EQ((std::set<std::pair<int, u64>>(sources.begin(), sources.end())), expected) << l << " " << i;
    }
}

TEST(Mma, OfDoublesFusesInTheOrderOfK) {
  struct Shape {
    const char* name;
    int rows, a, b;
  };
  Numbers numbers(3);
  for (const Shape& s :
       {Shape{"m8n8k4", 8, 1, 1}, {"m16n8k4", 16, 2, 1}, {"m16n8k8", 16, 4, 2}, {"m16n8k16", 16, 8, 4}}) {
    SCOPED_TRACE(s.name);
    const auto random = [&] {
      std::vector<double> v(32 * 8);
      for (double& x : v) x = static_cast<double>(numbers.below(1u << 20)) / 977.0 - 500.0;
      return v;
    };
    const auto a = random(), b = random(), c = random();
    std::vector<trace::Buffer> buffers{buffer_of("a", a), buffer_of("b", b), buffer_of("c", c), buffer_of("d", a)};
    const int results = s.rows / 4;
    std::string body = "mul.lo.u32 %r60, %tid, 64;\ncvt.u64.u32 %rd60, %r60;\n";
    const int counts[] = {s.a, s.b, results};
    for (int m = 0; m < 3; ++m) {
      body += "add.s64 %rd61, %rd" + std::to_string(m) + ", %rd60;\n";
      for (int i = 0; i < counts[m]; ++i)
        body += "ld.global.f64 %x" + std::to_string(8 * m + i) + ", [%rd61+" + std::to_string(8 * i) + "];\n";
    }
    body += "mma.sync.aligned." + std::string(s.name) + ".row.col.f64.f64.f64.f64 " + list("%x", 24, results) + ", " +
            list("%x", 0, s.a) + ", " + list("%x", 8, s.b) + ", " + list("%x", 16, results) +
            ";\nadd.s64 %rd61, %rd3, %rd60;\n";
    for (int i = 0; i < results; ++i)
      body += "st.global.f64 [%rd61+" + std::to_string(8 * i) + "], %x" + std::to_string(24 + i) + ";\n";
    run_ok(module_of(kernel(body, 4, ".reg .f64 %x<32>;\n")), launch_of(1, 32, 4), buffers);
    const auto got = values_of<double>(buffers[3]);
    for (int l = 0; l < 32; ++l)
      for (int i = 0; i < results; ++i) {
        const At at = result_place(s.rows, l / 4, l % 4, i);
        double sum = c[static_cast<std::size_t>(8 * l + i)];
        for (int k = 0; k < 4 * s.b; ++k) {
          const int a_lane = at.row % 8 * 4 + k % 4, a_register = s.rows == 8 ? 0 : 2 * (k / 4) + at.row / 8;
          const int b_lane = at.column * 4 + k % 4, b_register = k / 4;
          sum = std::fma(a[static_cast<std::size_t>(8 * a_lane + a_register)],
                         b[static_cast<std::size_t>(8 * b_lane + b_register)], sum);
        }
        ASSERT_EQ(got[static_cast<std::size_t>(8 * l + i)], sum) << l << " " << i;
      }
  }
}

TEST(Mma, WhatIsNotSupportedIsRefusedByName) {
  for (const char* opcode :
       {"m16n8k24.row.col.f32.f16.f16.f32", "m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0"}) {
    std::vector<u32> words(32 * words_of_lane);
    std::vector<trace::Buffer> buffers{buffer_of("a", words), buffer_of("b", words), buffer_of("c", words),
                                       buffer_of("d", words)};
    const auto result = run(module_of(kernel(product(opcode, 2, 2, 8, 8), 4)), launch_of(1, 32, 4), buffers, {});
    ASSERT_TRUE(result);
    ASSERT_FALSE(result->faults.empty()) << opcode;
    EXPECT_EQ(result->faults.front().kind, Fault::Kind::unsupported);
  }
}

}  // namespace
}  // namespace lanescope::emulator::test
