// Forms that need more than registers: atomics, barrier objects, bulk copies, matrices, calls through pointers, stacks.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <random>

#include <fmt/format.h>

#include "tests/kernels/emulator/forms/instances_of.h"
#include "tests/kernels/emulator/harness.h"
#include "tests/kernels/emulator/oracle/cases.h"
#include "tests/kernels/emulator/oracle/oracle.h"

namespace lanescope::emulator::test {
namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// A kernel `k(p)` of one buffer.
std::string body_kernel(const std::string& body, const std::string& before = "") {
  return module_head("sm_100a", "9.0") + before + case_entry("k", body);
}

std::vector<u32> run_words(const std::string& text, std::vector<u32> words, u32 threads) {
  const auto module = module_of(text);
  if (module.entries.empty()) return words;
  std::vector<trace::Buffer> buffers{buffer_of("words", words)};
  run_ok(module, launch_of(1, threads, 1), buffers);
  return values_of<u32>(buffers[0]);
}

// ---- atomics

u64 half_result(const std::string& op, const std::string& type, u64 a, u64 b) {
  const Format f = format_of(type);
  const int count = type.ends_with("x2") ? 2 : 1;
  u64 out = 0;
  for (int i = 0; i < count; ++i) {
    const Number x = number_of(a >> 16 * i & 0xffff, f), y = number_of(b >> 16 * i & 0xffff, f);
    const Quad sum = x.value() + y.value();
    const u64 r = op == "add"   ? rounded(sum, 0, false, f, Mode::nearest)
                  : op == "min" ? (x.value() < y.value() ? a : b) >> 16 * i & 0xffff
                                : (x.value() > y.value() ? a : b) >> 16 * i & 0xffff;
    out |= r << 16 * i;
  }
  return out;
}

u64 atomic_result(const Words& w, u64 old, u64 b, u64 c) {
  const std::string& type = w.parts.back();
  static const std::string names[] = {"and", "or", "xor", "exch", "cas", "add", "inc", "dec", "min", "max"};
  std::string op;
  for (const std::string& n : names)
    if (w.has(n)) op = n;
  if (type.starts_with("f16") || type.starts_with("bf16")) return half_result(op, type, old, b);
  if (type == "f32") {
    const float sum = std::bit_cast<float>(static_cast<u32>(old)) + std::bit_cast<float>(static_cast<u32>(b));
    return std::bit_cast<u32>(sum);
  }
  if (type == "f64") return std::bit_cast<u64>(std::bit_cast<double>(old) + std::bit_cast<double>(b));
  const int bits = std::stoi(type.substr(1));
  const u64 keep = bits == 64 ? ~u64{0} : (u64{1} << bits) - 1;
  const auto value = [&](u64 x) {
    using Wide = __int128;
    return type[0] == 's' && (x >> (bits - 1) & 1) != 0 ? Wide{x} - (Wide{1} << bits) : Wide{x};
  };
  if (op == "and") return old & b;
  if (op == "or") return old | b;
  if (op == "xor") return old ^ b;
  if (op == "exch") return b;
  if (op == "cas") return old == b ? c : old;
  if (op == "add") return (old + b) & keep;
  if (op == "inc") return old >= b ? 0 : old + 1;
  if (op == "dec") return old == 0 || old > b ? b : old - 1;
  return (value(old) < value(b)) == (op == "min") ? old : b;
}

/// Every scalar form: what memory held comes back, and what it holds is what the operation says.
TEST(Atomics, AreWhatTheOracleSays) {
  std::mt19937_64 random(5);
  for (const std::string& instance : instances_of("Atomics.AreWhatTheOracleSays")) {
    const Words w = words_of(instance);
    const std::string& type = w.parts.back();
    const bool wide = type == "b128" || w.has("v2") || w.has("v4");
    const bool in_shared = w.has("shared") || w.has("shared::cta");
    for (int trial = 0; trial < 8; ++trial) {
      // Numbers whose sums are exact in every type: small halves in all 16-bit parts.
      const auto some = [&]() -> u64 {
        const bool is_float = type.find('f') != std::string::npos;
        const int n = static_cast<int>(random() % 64);
        if (type == "f32") return std::bit_cast<u32>(static_cast<float>(n));
        if (type == "f64") return std::bit_cast<u64>(static_cast<double>(n));
        const Format f = type.starts_with("bf16") ? bf16_format : f16_format;
        if (is_float) {
          const u64 h = rounded(n, 0, false, f, Mode::nearest), g = rounded(n / 2, 0, false, f, Mode::nearest);
          return h | g << 16 | h << 32 | g << 48;
        }
        return trial % 2 == 0 ? random() : random() & 3;
      };
      std::vector<u32> words(64);
      std::vector<u64> memory(2), b(2), c(2);
      for (int i = 0; i < 2; ++i) memory[i] = some(), b[i] = trial == 3 ? memory[i] : some(), c[i] = some();
      const auto put = [&](std::size_t at, u64 x) {
        words[at] = static_cast<u32>(x), words[at + 1] = static_cast<u32>(x >> 32);
      };
      for (std::size_t i = 0; i < 2; ++i) put(2 * i, memory[i]), put(8 + 2 * i, b[i]), put(12 + 2 * i, c[i]);
      std::string body =
          "ld.global.b64 %b64, [%rd0+32]; ld.global.b64 %c64, [%rd0+48]; cvt.u32.u64 %b32, %b64; cvt.u32.u64 %c32, "
          "%c64;\n"
          "cvt.u16.u64 %b16, %b64; cvt.u16.u64 %c16, %c64; mov.b32 %wa0, %b32; mov.b32 %wa1, %c32; mov.b32 %wa2, %b32; "
          "mov.b32 %wa3, %c32; mov.b64 %d64, 0; mov.b64 %e64, 0;\n"
          "ld.global.v2.b64 {%rd1, %rd2}, [%rd0]; mov.u64 %rd3, shared_bytes; st.shared.v2.b64 [%rd3], {%rd1, %rd2};\n";
      body += in_shared ? "mov.u64 %a64, shared_bytes;\n" : "mov.u64 %a64, %rd0;\n";
      body += instance + ";\n";
      if (w.name == "atom") {
        if (type == "b128")
          body += "mov.b128 {%d64, %e64}, %d128;\n";
        else if (w.has("v4"))
          body += "mov.b64 %d64, {%wd0, %wd1}; mov.b64 %e64, {%wd2, %wd3};\n";
        else if (w.has("v2"))
          body += instance.find("%d16") != std::string::npos ? "mov.b32 %d32, {%d16, %e16}; cvt.u64.u32 %d64, %d32;\n"
                                                             : "mov.b64 %d64, {%d32, %e32};\n";
        else if (instance.find("%d32") != std::string::npos)
          body += "cvt.u64.u32 %d64, %d32;\n";
        else if (instance.find("%d16") != std::string::npos)
          body += "cvt.u64.u16 %d64, %d16;\n";
        body += "st.global.v2.b64 [%rd0+128], {%d64, %e64};\n";
      }
      if (in_shared) body += "ld.shared.v2.b64 {%rd1, %rd2}, [%rd3]; st.global.v2.b64 [%rd0], {%rd1, %rd2};\n";
      const auto got = run_words(body_kernel(body), words, 1);
      const auto word = [&](std::size_t at) { return u64{got[at + 1]} << 32 | got[at]; };
      std::vector<u64> after = memory, before(2);
      if (type == "b128") {
        // The pattern gives {b, c} for the operand and the swap.
        const bool same = memory[0] == b[0] && memory[1] == c[0];
        if (w.has("exch") || same) after = {b[0], c[0]};
        before = memory;
      } else {
        const int bits = type.ends_with("x2") || type == "f32" || type.ends_with("32") ? 32
                         : type.ends_with("64")                                        ? 64
                                                                                       : 16;
        const int count = w.has("v4") ? 4 : w.has("v2") ? 2 : 1;
        const u64 keep = bits == 64 ? ~u64{0} : (u64{1} << bits) - 1;
        for (int e = 0; e < count; ++e) {
          const std::size_t at = static_cast<std::size_t>(e * bits / 64);
          const int shift = e * bits % 64;
          const u64 old = memory[at] >> shift & keep;
          const u64 operand = count == 1 ? b[0] & keep : (e % 2 == 0 ? b[0] : c[0]) & keep;
          const u64 fresh = atomic_result(w, old, operand, c[0] & keep) & keep;
          after[at] = (after[at] & ~(keep << shift)) | fresh << shift;
          before[at] |= old << shift;
        }
      }
      ASSERT_EQ(word(0), after[0]) << instance << std::hex << " " << memory[0] << " " << b[0];
      ASSERT_EQ(word(2), after[1]) << instance;
      if (w.name == "atom") {
        ASSERT_EQ(word(32), before[0]) << instance;
        if (wide) {
          ASSERT_EQ(word(34), before[1]) << instance;
        }
      }
    }
  }
}

// ---- barrier objects and bulk copies

TEST(Mbarriers, CountArrivalsAndBytes) {
  const std::string body = R"(
mov.u32 %m32, shared_bytes; setp.ne.u32 %q, %t, 0; @%q bra others;
mbarrier.init.shared.b64 [%m32], 3;
mbarrier.arrive.shared.b64 %d64, [%m32]; mbarrier.pending_count.b64 %r0, %d64;
mbarrier.test_wait.shared.b64 %p, [%m32], %d64; selp.u32 %r1, 1, 0, %p;
mbarrier.arrive.expect_tx.shared::cta.b64 %e64, [%m32], 48; mbarrier.pending_count.b64 %r2, %e64;
mbarrier.arrive.noComplete.shared.b64 %e64, [%m32], 1;
mbarrier.test_wait.parity.shared::cta.b64 %p, [%m32], 0; selp.u32 %r3, 1, 0, %p;
mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%m32], 48;
mbarrier.try_wait.parity.shared::cta.b64 %p, [%m32], 0; selp.u32 %r4, 1, 0, %p;
mbarrier.try_wait.shared::cta.b64 %p, [%m32], %d64; selp.u32 %r5, 1, 0, %p;
mbarrier.try_wait.parity.shared::cta.b64 %p, [%m32], 1; selp.u32 %r6, 1, 0, %p;
mbarrier.arrive_drop.shared.b64 %d64, [%m32]; mbarrier.arrive.shared.b64 _, [%m32], 2;
mbarrier.try_wait.parity.shared::cta.b64 %p, [%m32], 1; selp.u32 %r7, 1, 0, %p;
mbarrier.arrive.shared.b64 %d64, [%m32]; mbarrier.pending_count.b64 %r8, %d64;
st.global.v4.b32 [%rd0], {%r0, %r1, %r2, %r3}; st.global.v4.b32 [%rd0+16], {%r4, %r5, %r6, %r7};
st.global.b32 [%rd0+32], %r8; mbarrier.inval.shared.b64 [%m32];
mbarrier.init.shared.b64 [%m32], 64;
others:
bar.sync 0;
mul.lo.u32 %r9, %t, 3; mov.u32 %s32, shared_bytes; shl.b32 %r10, %t, 2; add.u32 %s32, %s32, %r10;
st.shared.b32 [%s32+64], %r9;
mbarrier.arrive.shared.b64 %d64, [%m32];
wait:
mbarrier.try_wait.shared::cta.b64 %p, [%m32], %d64; @!%p bra wait;
xor.b32 %r11, %t, 63; shl.b32 %r10, %r11, 2; mov.u32 %s32, shared_bytes; add.u32 %s32, %s32, %r10;
ld.shared.b32 %r12, [%s32+64]; shl.b32 %r10, %t, 2; cvt.u64.u32 %rd1, %r10; add.s64 %rd1, %rd0, %rd1;
st.global.b32 [%rd1+64], %r12;
)";
  const auto got = run_words(body_kernel(body), std::vector<u32>(128), 64);
  EXPECT_EQ((std::vector<u32>(got.begin(), got.begin() + 9)), (std::vector<u32>{3, 0, 2, 0, 1, 1, 0, 1, 2}));
  for (u32 t = 0; t < 64; ++t) ASSERT_EQ(got[16 + t], 3 * (63 - t)) << t;
}

TEST(AsyncCopies, InBulkThroughSharedMemory) {
  const std::string body = R"(
mov.u32 %m32, shared_bytes; mov.u32 %s32, shared_bytes; add.u32 %s32, %s32, 256; setp.ne.u32 %q, %t, 0; @%q bra wait;
mbarrier.init.shared.b64 [%m32], 1; mbarrier.arrive.expect_tx.shared::cta.b64 %d64, [%m32], 128;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s32], [%rd0], 128, [%m32];
wait: bar.sync 0;
again: mbarrier.try_wait.parity.shared::cta.b64 %p, [%m32], 0; @!%p bra again;
shl.b32 %r1, %t, 2; add.u32 %r1, %r1, %s32; ld.shared.b32 %r2, [%r1]; add.u32 %r2, %r2, 1; st.shared.b32 [%r1], %r2;
bar.sync 0; @%q bra done;
cp.async.bulk.global.shared::cta.bulk_group [%rd0+128], [%s32], 128;
cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd0+256], [%s32], 128;
cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
done:
)";
  std::vector<u32> words(96);
  for (u32 i = 0; i < 96; ++i) words[i] = i * i;
  const auto got = run_words(body_kernel(body), words, 32);
  for (u32 i = 0; i < 32; ++i) {
    EXPECT_EQ(got[32 + i], i * i + 1);
    EXPECT_EQ(got[64 + i], (64 + i) * (64 + i) + i * i + 1);
  }
}

// ---- matrices

/// Elements are whole numbers from -4 to 4, so that every type holds them and sums are exact.
u64 element_bits(const std::string& type, int v) {
  if (type == "f16" || type == "bf16" || type == "f32" || type == "f64")
    return rounded(v, 0, false, format_of(type), Mode::nearest);
  if (type == "tf32") return rounded(v, 0, false, f32_format, Mode::nearest);
  return static_cast<u64>(static_cast<std::int64_t>(v));
}
int bits_of_type(const std::string& t) {
  return t == "f16" || t == "bf16" ? 16
         : t == "f64"              ? 64
         : t == "s8" || t == "u8"  ? 8
         : t == "s4" || t == "u4"  ? 4
         : t == "b1"               ? 1
                                   : 32;
}
struct Shape {
  int m, n, k;
};
Shape shape_of(const Words& w) {
  for (const std::string& p : w.parts) {
    Shape s{};
    if (std::sscanf(p.c_str(), "m%dn%dk%d", &s.m, &s.n, &s.k) == 3) return s;
  }
  return {};
}

/// Loads A, B and C with wmma.load in every layout that goes with it, multiplies, and stores D.
TEST(Wmma, LoadsMultipliesAndStores) {
  std::mt19937_64 random(11);
  std::size_t products = 0;
  for (const std::string& instance : instances_of("Wmma.LoadsMultipliesAndStores")) {
    const Words w = words_of(instance);
    if (!w.has("mma")) continue;
    const Shape s = shape_of(w);
    std::vector<std::string> types, layouts;
    for (const std::string& p : w.parts) {
      if (p == "row" || p == "col") layouts.push_back(p);
      if (p == "f16" || p == "bf16" || p == "f32" || p == "f64" || p == "tf32" || p == "s32" || p == "s8" ||
          p == "u8" || p == "s4" || p == "u4" || p == "b1")
        types.push_back(p);
    }
    if (types.size() == 2) types = {types[0], "f16", "f16", types[1]};
    ASSERT_EQ(types.size(), 4u) << instance;
    const bool bits = types[1] == "b1";
    for (const std::string c_layout : {"row", "col"}) {
      const auto some = [&](const std::string& type) {
        if (bits && type == "b1") return static_cast<int>(random() % 2);
        const int n = static_cast<int>(random() % 5);
        return type[0] == 'u' || type == "b1" ? n : n - 2;
      };
      std::vector<int> a(s.m * s.k), b(s.k * s.n), c(s.m * s.n);
      for (int& x : a) x = some(types[1]);
      for (int& x : b) x = some(types[2]);
      for (int& x : c) x = some("s32");
      std::vector<u32> words(4096);
      const auto put = [&](u32 byte, const std::string& type, std::size_t index, int v) {
        const int width = bits_of_type(type);
        for (int i = 0; i < width; ++i) {
          const std::size_t bit = byte * 8 + index * static_cast<std::size_t>(width) + static_cast<std::size_t>(i);
          words[bit / 32] |= static_cast<u32>(element_bits(type, v) >> i & 1) << (bit % 32);
        }
      };
      const bool a_rows = layouts[0] == "row", b_rows = layouts[1] == "row", c_rows = c_layout == "row";
      for (int i = 0; i < s.m; ++i)
        for (int k = 0; k < s.k; ++k)
          put(0, types[1], static_cast<std::size_t>(a_rows ? i * s.k + k : k * s.m + i), a[i * s.k + k]);
      for (int k = 0; k < s.k; ++k)
        for (int j = 0; j < s.n; ++j)
          put(4096, types[2], static_cast<std::size_t>(b_rows ? k * s.n + j : j * s.k + k), b[k * s.n + j]);
      for (int i = 0; i < s.m; ++i)
        for (int j = 0; j < s.n; ++j)
          put(8192, types[3], static_cast<std::size_t>(c_rows ? i * s.n + j : j * s.m + i), c[i * s.n + j]);
      std::string shape;
      for (const std::string& p : w.parts)
        if (p.starts_with("m") && p.find('k') != std::string::npos && p != "mma") shape = p;
      const auto load = [&](const std::string& role, const std::string& layout, const std::string& type,
                            std::size_t operand, int at, int stride) {
        std::string registers;
        // The registers of this operand are the ones between its braces.
        std::size_t open = 0;
        for (std::size_t i = 0; i <= operand; ++i) open = instance.find('{', open + 1);
        registers = instance.substr(open, instance.find('}', open) - open + 1);
        return fmt::format("wmma.load.{}.sync.aligned.{}.{}.global.{} {}, [%rd0+{}], {};\n", role, layout, shape, type,
                           registers, at, stride);
      };
      std::string body = load("a", layouts[0], types[1], 1, 0, a_rows ? s.k : s.m) +
                         load("b", layouts[1], types[2], 2, 4096, b_rows ? s.n : s.k) +
                         load("c", c_layout, types[3], 3, 8192, c_rows ? s.n : s.m) + instance + ";\n";
      const std::size_t open = instance.find('{');
      body += fmt::format("wmma.store.d.sync.aligned.{}.{}.global.{} [%rd0+12288], {}, {};\n", c_layout, shape,
                          types[0], instance.substr(open, instance.find('}') - open + 1), c_rows ? s.n : s.m);
      const auto got = run_words(body_kernel(body), words, 32);
      for (int i = 0; i < s.m; ++i)
        for (int j = 0; j < s.n; ++j) {
          int sum = c[i * s.n + j];
          for (int k = 0; k < s.k; ++k)
            sum += !bits          ? a[i * s.k + k] * b[k * s.n + j]
                   : w.has("xor") ? a[i * s.k + k] ^ b[k * s.n + j]
                                  : a[i * s.k + k] & b[k * s.n + j];
          const int width = bits_of_type(types[0]);
          const std::size_t bit = 12288 * 8 + static_cast<std::size_t>((c_rows ? i * s.n + j : j * s.m + i) * width);
          u64 value = got[bit / 32];
          if (width == 64) value |= u64{got[bit / 32 + 1]} << 32;
          if (width == 16) value = value >> (bit % 32) & 0xffff;
          const u64 want = types[0] == "s32" ? static_cast<u32>(sum) : element_bits(types[0], sum);
          // Terms that cancel are -0 where the sum is rounded down (IEEE 754).
          const u64 sign = types[0] == "f64" && sum == 0 && w.has("rm") ? u64{1} << 63 : 0;
          ASSERT_EQ(value & ~sign, want) << instance << " " << c_layout << " at " << i << ", " << j;
        }
      ++products;
    }
  }
  EXPECT_GT(products, 100u);
}

/// Products of whole numbers below 2^29 are exact in 64 bits, and so is each sum before it is rounded to 53.
TEST(Wmma, RoundsEachFusedProductOfDoublesInTheNamedDirection) {
  std::mt19937_64 random(12);
  const auto some = [&] { return static_cast<std::int64_t>(random() >> 34) - (std::int64_t{1} << 29); };
  std::vector<u32> words(1024);
  std::array<std::int64_t, 32> a{}, b{};  // 8 rows and 8 columns along k
  std::array<std::int64_t, 64> c{};
  const auto put = [&](std::size_t byte, std::int64_t value) {
    const auto bits = std::bit_cast<u64>(static_cast<double>(value));
    words[byte / 4] = static_cast<u32>(bits), words[byte / 4 + 1] = static_cast<u32>(bits >> 32);
  };
  for (std::size_t i = 0; i < 32; ++i) put(8 * i, a[i] = some()), put(256 + 8 * i, b[i] = some());
  for (std::size_t i = 0; i < 64; ++i) put(512 + 8 * i, c[i] = some());
  int inexact = 0;
  const std::pair<std::string, Mode> directions[] = {
      {"rn", Mode::nearest}, {"rz", Mode::zero}, {"rm", Mode::down}, {"rp", Mode::up}};
  for (const auto& [direction, mode] : directions) {
    const std::string body = fmt::format(
        "wmma.load.a.sync.aligned.row.m8n8k4.global.f64 {{%la0}}, [%rd0], 4;\n"
        "wmma.load.b.sync.aligned.col.m8n8k4.global.f64 {{%lb0}}, [%rd0+256], 4;\n"
        "wmma.load.c.sync.aligned.row.m8n8k4.global.f64 {{%lc0, %lc1}}, [%rd0+512], 8;\n"
        "wmma.mma.sync.aligned.row.col.m8n8k4.{}.f64.f64.f64.f64 {{%ld0, %ld1}}, {{%la0}}, {{%lb0}}, {{%lc0, %lc1}};\n"
        "wmma.store.d.sync.aligned.row.m8n8k4.global.f64 [%rd0+1024], {{%ld0, %ld1}}, 8;\n",
        direction);
    const auto got = run_words(body_kernel(body), words, 32);
    for (std::size_t i = 0; i < 64; ++i) {
      auto want = static_cast<double>(c[i]);
      for (std::size_t k = 0; k < 4; ++k) {
        const std::int64_t exact = static_cast<std::int64_t>(want) + a[i / 8 * 4 + k] * b[i % 8 * 4 + k];
        want = std::bit_cast<double>(rounded(exact, 0, false, f64_format, mode));
        inexact += static_cast<std::int64_t>(want) != exact ? 1 : 0;
      }
      ASSERT_EQ(std::bit_cast<double>(got[256 + 2 * i] | u64{got[257 + 2 * i]} << 32), want) << direction << " " << i;
    }
  }
  EXPECT_GT(inexact, 400);
}

// ---- control

TEST(Control, CallsThroughPointersAndRegistersAndTheStack) {
  const std::string functions = R"(
.func (.param .b32 r) twice(.param .b32 x) { .reg .b32 %a; ld.param.b32 %a, [x]; add.u32 %a, %a, %a; st.param.b32 [r], %a; ret; }
.func (.param .b32 r) square(.param .b32 x) { .reg .b32 %a; ld.param.b32 %a, [x]; mul.lo.u32 %a, %a, %a; st.param.b32 [r], %a; ret; }
.func (.reg .b32 r) sum_to(.reg .b32 x)
{
.reg .pred %p; .reg .b32 %y; .local .align 8 .b32 kept[4]; .reg .b64 %at;
mov.u64 %at, kept; st.local.b32 [%at+4], x; setp.eq.u32 %p, x, 0; mov.b32 r, 0; @%p ret;
sub.u32 %y, x, 1; call (r), sum_to, (%y); ld.local.b32 %y, [%at+4]; add.u32 r, r, %y; ret;
}
.global .align 8 .u64 table[2] = {twice, square};
)";
  const std::string body = R"(
and.b32 %r0, %t, 1; mul.wide.u32 %rd1, %r0, 8; mov.u64 %rd2, table; add.s64 %rd2, %rd2, %rd1; ld.global.u64 %rd3, [%rd2];
{ .param .b32 ca; .param .b32 cr; st.param.b32 [ca], %t;
prototype: .callprototype (.param .b32 _) _ (.param .b32 _);
call (cr), %rd3, (ca), prototype; ld.param.b32 %r1, [cr]; }
and.b32 %r2, %t, 7; call (%r3), sum_to, (%r2);
stacksave.u64 %rd4; mov.u64 %rd5, 64; alloca.u64 %rd6, %rd5; st.local.b32 [%rd6+8], %r3; sub.s64 %rd7, %rd4, %rd6;
alloca.u64 %rd8, %rd5, 128; st.local.b32 [%rd8], %r1; ld.local.b32 %r4, [%rd6+8]; stackrestore.u64 %rd4; stacksave.u64 %rd9;
cvt.u32.u64 %r5, %rd7; sub.s64 %rd9, %rd9, %rd4; cvt.u32.u64 %r6, %rd9; add.u32 %r5, %r5, %r6;
shl.b32 %r7, %t, 4; cvt.u64.u32 %rd1, %r7; add.s64 %rd1, %rd0, %rd1; st.global.v4.b32 [%rd1], {%r1, %r3, %r4, %r5};
)";
  const auto got = run_words(body_kernel(body, functions), std::vector<u32>(128), 32);
  for (u32 t = 0; t < 32; ++t) {
    const u32 n = t & 7;
    EXPECT_EQ(got[4 * t], (t & 1) == 0 ? 2 * t : t * t) << t;
    EXPECT_EQ(got[4 * t + 1], n * (n + 1) / 2) << t;
    EXPECT_EQ(got[4 * t + 2], n * (n + 1) / 2) << t;
    EXPECT_EQ(got[4 * t + 3], 64u) << t;
  }
}

TEST(Registers, OfVectorsAndTheirParts) {
  const std::string body = R"(
.reg .v4 .b32 %v; .reg .v2 .b64 %w<2>;
ld.global.v4.b32 %v, [%rd0]; add.u32 %v.x, %v.y, %v.w; mov.b32 %v.g, %v.b; mov.b64 %w1.x, 5; mov.b64 %w1.y, {%v.x, %v.y};
st.global.v4.b32 [%rd0], %v; st.global.v2.b64 [%rd0+16], %w1;
)";
  const auto got = run_words(body_kernel(body), {1, 2, 3, 4, 0, 0, 0, 0}, 1);
  EXPECT_EQ(got, (std::vector<u32>{6, 3, 3, 4, 5, 0, 6, 3}));
}

/// As an H200: the address is one in the space of the variable.
TEST(Memory, GenericAddressesThatNameAVariable) {
  const std::string body = R"(
.shared .align 16 .b32 s[8]; .local .align 16 .b32 l[8];
st.shared.u32 [s+4], 99; st.local.u32 [l+4], 98;
ld.u32 %r1, [s+4]; ld.u32 %r2, [l+4]; st.u32 [s+8], 7; st.u32 [l+8], 8; atom.add.u32 %r3, [s+4], 1; red.add.u32 [s+4], 5;
ld.shared.u32 %r4, [s+8]; ld.local.u32 %r5, [l+8]; ld.volatile.u32 %r6, [s+4]; st.shared.u32 [s], s+4; ld.u32 %r7, [s];
mov.u32 %r8, s; sub.u32 %r7, %r7, %r8;
st.global.v4.b32 [%rd0], {%r1, %r2, %r3, %r4}; st.global.v4.b32 [%rd0+16], {%r5, %r6, %r7, %r1};
)";
  EXPECT_EQ(run_words(body_kernel(body), std::vector<u32>(8), 1), (std::vector<u32>{99, 98, 99, 7, 8, 105, 4, 99}));
}

TEST(Registers, OfVectorsAsParametersAndResults) {
  const std::string turn =
      ".func (.reg .v4 .b32 r, .reg .b32 n) turn(.reg .v2 .b32 a, .reg .b32 k, .reg .v2 .b32 b) {\n"
      "mov.b32 r.x, b.y; mov.b32 r.y, b.x; add.u32 r.z, a.x, k; sub.u32 r.w, a.y, k; mov.b32 n, 9; ret; }\n";
  const std::string body = R"(
.reg .v4 .b32 %v; .reg .v2 .b32 %a, %b; .reg .b32 %n;
ld.global.v2.b32 %a, [%rd0]; ld.global.v2.b32 %b, [%rd0+8]; mov.b32 %n, 10;
call (%v, %n), turn, (%a, %n, %b);
st.global.v4.b32 [%rd0], %v; st.global.b32 [%rd0+16], %n;
)";
  EXPECT_EQ(run_words(body_kernel(body, turn), {1, 12, 3, 4, 0}, 1), (std::vector<u32>{4, 3, 11, 2, 9}));
}

}  // namespace
}  // namespace lanescope::emulator::test
