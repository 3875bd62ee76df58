// mma.sync on a real GPU against the emulator, where results are exact: integers and bits of any value, and numbers of the
// floating types that are small whole ones, whose sums need no rounding.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "kernels/emulator/emulator.h"
#include "tests/gpu/instrumented.h"
#include "tests/gpu/machine.h"

namespace lanescope::gpu_test {
namespace {

enum class MmaContents { any, halves, bfloats, floats, fp8_e4m3, fp8_e5m2 };

struct MmaShape {
  std::string opcode;
  int a, b, c;  ///< registers
  MmaContents factors = MmaContents::any;
  bool half_results = false;
  int minimal_arch = 80, end_arch = 1000;
};

const std::vector<MmaShape>& mma_shapes() {
  static const std::vector<MmaShape> all{
      {"m8n8k16.row.col.s32.s8.s8.s32", 1, 1, 2},
      {"m16n8k16.row.col.s32.s8.u8.s32", 2, 1, 4},
      {"m16n8k32.row.col.s32.u8.s8.s32", 4, 2, 4},
      {"m16n8k32.row.col.satfinite.s32.s8.s8.s32", 4, 2, 4},
      {"m16n8k32.row.col.s32.s4.s4.s32", 2, 1, 4, MmaContents::any, false, 80, 100},
      {"m16n8k64.row.col.s32.u4.u4.s32", 4, 2, 4, MmaContents::any, false, 80, 100},
      {"m8n8k128.row.col.s32.b1.b1.s32.and.popc", 1, 1, 2, MmaContents::any, false, 80, 100},
      {"m16n8k256.row.col.s32.b1.b1.s32.and.popc", 4, 2, 4, MmaContents::any, false, 80, 100},
      {"m16n8k8.row.col.f32.f16.f16.f32", 2, 1, 4, MmaContents::halves},
      {"m16n8k16.row.col.f32.f16.f16.f32", 4, 2, 4, MmaContents::halves},
      {"m16n8k16.row.col.f16.f16.f16.f16", 4, 2, 2, MmaContents::halves, true},
      {"m16n8k16.row.col.f32.bf16.bf16.f32", 4, 2, 4, MmaContents::bfloats},
      {"m16n8k4.row.col.f32.tf32.tf32.f32", 2, 1, 4, MmaContents::floats},
      {"m16n8k8.row.col.f32.tf32.tf32.f32", 4, 2, 4, MmaContents::floats},
      {"m16n8k32.row.col.f32.e4m3.e4m3.f32", 4, 2, 4, MmaContents::fp8_e4m3, false, 89},
      {"m16n8k32.row.col.f32.e5m2.e5m2.f32", 4, 2, 4, MmaContents::fp8_e5m2, false, 89},
  };
  return all;
}

std::string register_list(char kind, int count) {
  std::string text = "{";
  for (int i = 0; i < count; ++i) text += fmt::format("{}%{}{}", i != 0 ? ", " : "", kind, i);
  return text + "}";
}

/// 16 words of a lane in each of A, B, C, D, one matrix after the other.
std::string mma_ptx(const MmaShape& s, const std::string& arch) {
  std::string text = fmt::format(
      ".version 8.4\n.target {}\n.address_size 64\n.visible .entry product(.param .u64 p0, .param .u64 p1)\n{{\n"
      ".reg .b32 %a<8>, %b<8>, %c<8>, %d<8>, %thread;\n.reg .b64 %in, %out, %at;\nld.param.u64 %in, [p0];\n"
      "ld.param.u64 %out, [p1];\nmov.u32 %thread, %tid.x;\nmul.wide.u32 %at, %thread, 64;\nadd.s64 %in, %in, %at;\n"
      "add.s64 %out, %out, %at;\n",
      arch);
  const std::pair<char, int> parts[] = {{'a', s.a}, {'b', s.b}, {'c', s.c}};
  for (int m = 0; m < 3; ++m)
    for (int i = 0; i < parts[m].second; ++i)
      text += fmt::format("ld.global.b32 %{}{}, [%in+{}];\n", parts[m].first, i, m * 2048 + i * 4);
  text += fmt::format("mma.sync.aligned.{} {}, {}, {}, {};\n", s.opcode, register_list('d', s.c),
                      register_list('a', s.a), register_list('b', s.b), register_list('c', s.c));
  for (int i = 0; i < s.c; ++i) text += fmt::format("st.global.b32 [%out+{}], %d{};\n", i * 4, i);
  return text + "ret;\n}\n";
}

std::uint32_t float_of(int v) {
  const auto f = static_cast<float>(v);
  std::uint32_t bits;
  std::memcpy(&bits, &f, 4);
  return bits;
}
/// A whole number below 8 in a type with so many bits of exponent and mantissa.
std::uint32_t small_of(int v, unsigned exponent, unsigned mantissa) {
  const std::uint32_t f = float_of(v), sign = f >> 31 << (exponent + mantissa);
  if (v == 0) return 0;
  return sign | ((f >> 23 & 255) - 127 + (1u << (exponent - 1)) - 1) << mantissa | (f & 0x7fffff) >> (23 - mantissa);
}

std::uint32_t factor_word(MmaContents contents, std::mt19937_64& random) {
  const auto some = [&] { return static_cast<int>(random() % 15) - 7; };
  const auto pack = [&](unsigned exponent, unsigned mantissa) {
    const unsigned bits = exponent + mantissa + 1;
    std::uint32_t word = 0;
    for (unsigned at = 0; at < 32; at += bits) word |= small_of(some(), exponent, mantissa) << at;
    return word;
  };
  switch (contents) {
    case MmaContents::halves:
      return pack(5, 10);
    case MmaContents::bfloats:
      return pack(8, 7);
    case MmaContents::fp8_e4m3:
      return pack(4, 3);
    case MmaContents::fp8_e5m2:
      return pack(5, 2);
    case MmaContents::floats:
      return float_of(some());
    default:
      return static_cast<std::uint32_t>(random());
  }
}

/// 50 products of each shape: 32 lanes, up to four results each.
TEST(MmaOnGpu, IsWhatTheEmulatorSaysWhereResultsAreExact) {
  LS_NEEDS_GPU();
  const int arch = device().major * 10 + device().minor;
  std::mt19937_64 random(seed());
  for (const MmaShape& s : mma_shapes()) {
    if (arch < s.minimal_arch || arch >= s.end_arch) continue;
    SCOPED_TRACE(s.opcode);
    const std::string ptx = mma_ptx(s, device().arch());
    const auto module = ptx::parse(ptx);
    ASSERT_TRUE(module);
    for (int round = 0; round < 50; ++round) {
      std::vector<trace::Buffer> on_gpu(2);
      on_gpu[0] = {"in", "u32", 32, std::vector<std::byte>(3 * 2048), true};
      on_gpu[1] = {"out", "u32", 32, std::vector<std::byte>(2048), true};
      for (std::size_t i = 0; i < 3 * 512; ++i) {
        std::uint32_t word = factor_word(s.factors, random);
        if (i >= 1024 && s.factors != MmaContents::any)
          word = s.half_results ? factor_word(MmaContents::halves, random) : float_of(static_cast<int>(random() % 100));
        std::memcpy(on_gpu[0].bytes.data() + i * 4, &word, 4);
      }
      std::vector<trace::Buffer> emulated = on_gpu;
      trace::Launch launch;
      launch.kernel = "product";
      launch.grid = {1, 1, 1};
      launch.block = {32, 1, 1};
      for (int i = 0; i < 2; ++i) launch.arguments.emplace_back(std::in_place_type<trace::BufferArgument>, i);
      const auto launcher = Launcher::load(ptx, launch, on_gpu);
      ASSERT_TRUE(launcher) << to_string(launcher.error().front());
      const auto ran = launcher->run(on_gpu);
      ASSERT_TRUE(ran) << to_string(ran.error().front());
      const auto result = emulator::run(*module, launch, emulated, {});
      ASSERT_TRUE(result) << to_string(result.error().front());
      ASSERT_TRUE(result->faults.empty()) << result->faults.front().message;
      ASSERT_EQ(on_gpu[1].bytes, emulated[1].bytes) << "round " << round;
    }
  }
}

}  // namespace
}  // namespace lanescope::gpu_test
