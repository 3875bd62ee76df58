#pragma once
// One instruction over seeded random inputs and corners, against plain C++. It reads %a, %b, %c and writes %d, each with
// its width: "add.s32 %d32, %a32, %b32;". Predicates are %p (result) and %q (second result); %pa is bit 0 of a.

#include <bit>
#include <cmath>
#include <functional>

#include "tests/kernels/emulator/harness.h"

namespace lanescope::emulator::test {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;
using Reference = std::function<u64(u64 a, u64 b, u64 c)>;

struct Case {
  const char* instruction;
  Reference expected;
};

inline std::vector<u64> run_one(const std::string& instruction, const std::vector<u64>& a, const std::vector<u64>& b,
                                const std::vector<u64>& c, std::uint32_t threads) {
  const std::string declarations =
      ".reg .b64 %a64,%b64,%c64,%d64;\n.reg .b32 %a32,%b32,%c32,%d32;\n.reg .b16 %a16,%b16,%c16,%d16;\n.reg .pred "
      "%p,%q,%pa;\n";
  std::string body =
      "mul.wide.u32 %rd10, %tid, 8;\nadd.s64 %rd11, %rd0, %rd10;\nadd.s64 %rd12, %rd1, %rd10;\n"
      "add.s64 %rd13, %rd2, %rd10;\nadd.s64 %rd14, %rd3, %rd10;\n"
      "ld.global.b64 %a64, [%rd11];\nld.global.b64 %b64, [%rd12];\nld.global.b64 %c64, [%rd13];\n";
  for (char x : {'a', 'b', 'c'}) {
    const std::string n(1, x);
    body += "cvt.u32.u64 %" + n + "32, %" + n + "64;\ncvt.u16.u64 %" + n + "16, %" + n + "64;\n";
  }
  body += "and.b32 %r1, %a32, 1;\nsetp.eq.u32 %pa, %r1, 1;\nmov.b64 %d64, 0;\n";
  body += instruction + "\n";
  if (instruction.find("%d32") != std::string::npos) body += "cvt.u64.u32 %d64, %d32;\n";
  if (instruction.find("%d16") != std::string::npos) body += "cvt.u64.u16 %d64, %d16;\n";
  if (instruction.find("%p,") != std::string::npos || instruction.find("%p|") != std::string::npos)
    body += "selp.u64 %d64, 1, 0, %p;\n";
  if (instruction.find("|%q") != std::string::npos) body += "@%q or.b64 %d64, %d64, 2;\n";
  body += "st.global.b64 [%rd14], %d64;\n";
  const auto module = module_of(kernel(body, 4, declarations));
  std::vector<trace::Buffer> buffers{buffer_of("a", a), buffer_of("b", b), buffer_of("c", c),
                                     buffer_of("d", std::vector<u64>(a.size()))};
  run_ok(module, launch_of(1, threads, 4), buffers);
  return values_of<u64>(buffers[3]);
}

inline void check(const std::vector<Case>& cases, u64 limit_a = 0, u64 limit_b = 0, u64 limit_c = 0) {
  for (const Case& test : cases)
    // 96 threads exercise full warps; 90 the masked path of the last one.
    for (u32 threads : {96u, 90u}) {
      Numbers numbers(std::hash<std::string_view>{}(test.instruction) + threads);
      std::vector<u64> a(96), b(96), c(96);
      for (std::size_t i = 0; i < 96; ++i) {
        a[i] = limit_a != 0 ? numbers.below(limit_a) : numbers.corner();
        b[i] = limit_b != 0 ? numbers.below(limit_b) : numbers.corner();
        c[i] = limit_c != 0 ? numbers.below(limit_c) : numbers.corner();
      }
      const auto got = run_one(test.instruction, a, b, c, threads);
      for (std::size_t i = 0; i < 96; ++i) {
        const u64 want = i < threads ? test.expected(a[i], b[i], c[i]) : 0;
        ASSERT_EQ(got[i], want) << test.instruction << std::hex << " a=" << a[i] << " b=" << b[i] << " c=" << c[i];
      }
    }
}

inline float f(u64 x) { return std::bit_cast<float>(static_cast<u32>(x)); }
inline double d(u64 x) { return std::bit_cast<double>(x); }
inline u64 bits(float x) { return std::isnan(x) ? 0x7fffffffu : std::bit_cast<u32>(x); }
/// A NaN is the first operand that is one, made quiet, else what 0/0 gives.
inline u64 bits64(double x, std::initializer_list<u64> operands) {
  if (!std::isnan(x)) return std::bit_cast<u64>(x);
  for (const u64 o : operands)
    if (std::isnan(d(o))) return o | u64{1} << 51;
  return 0xfff8000000000000u;
}

}  // namespace lanescope::emulator::test
