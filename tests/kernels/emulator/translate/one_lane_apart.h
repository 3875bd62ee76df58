#pragma once
// A hot access whose addresses are consecutive, further apart or equal, until in one round one lane, or each from one
// on, has another address: not aligned, before or beyond the buffer, at one of its ends, or elsewhere in it.

#include <string>

#include <fmt/format.h>

#include "tests/kernels/emulator/harness.h"

namespace lanescope::emulator::test {

inline constexpr int bytes_of_apart = 4096;  ///< of the buffer, and of the shared array

inline std::string text_of_apart(std::uint64_t seed) {
  Numbers numbers(seed);
  const auto below = [&](std::uint64_t n) { return static_cast<int>(numbers.below(n)); };
  const bool shared = below(3) == 0, stores = below(3) == 0;
  struct Form {
    const char *load, *store;
    int bytes, alignment;
  };
  static constexpr Form forms[] = {
      {"ld.{}.u32 %r1, [{}];\n", "st.{}.u32 [{}], %r0;\n", 4, 4},
      {"ld.{}.u64 %rd20, [{}];\n", "st.{}.u64 [{}], %rd21;\n", 8, 8},
      {"ld.{}.v2.u32 {{%r1, %r2}}, [{}];\n", "st.{}.v2.u32 [{}], {{%r0, %r0}};\n", 8, 8},
  };
  const Form& form = forms[below(3)];
  const int stride = below(2) == 0 ? form.bytes : form.bytes * below(3), lane = below(2) == 0 ? 0 : below(32),
            round = 20 + below(20);
  const int first = bytes_of_apart / 2, from_end = bytes_of_apart - first - lane * stride;
  const int elsewhere[] = {form.alignment,
                           -form.alignment,
                           form.alignment / 2,
                           1,
                           form.alignment * 8,
                           first - 31 * stride - form.bytes,
                           first - 31 * stride - form.bytes + form.alignment,
                           from_end - form.bytes,
                           from_end - form.bytes + form.alignment,
                           from_end,
                           -first - lane * stride,
                           -first - lane * stride - form.alignment,
                           1 << 24,
                           -(1 << 24)};
  const int apart = elsewhere[below(std::size(elsewhere))];
  const std::string space = shared ? "shared" : "global", address = shared ? "%r6" : "%rd6";
  std::string body = fmt::format(
      "mov.u32 %r0, %tid;\nmul.wide.u32 %rd2, %tid, {};\nadd.s64 %rd3, %rd0, %rd2;\nadd.s64 %rd3, %rd3, {};\n"
      "mul.lo.u32 %r3, %tid, {};\nmov.u32 %r4, tile;\nadd.u32 %r3, %r3, %r4;\nadd.u32 %r3, %r3, {};\n"
      "mul.wide.u32 %rd4, %tid, 4;\nadd.s64 %rd4, %rd4, %rd1;\nmov.u32 %r30, 0;\nmov.u32 %r7, 0;\nmov.b64 %rd20, 0;\n"
      "mov.u32 %r1, 0;\nmov.u32 %r2, 0;\nL1:\nmov.b64 %rd21, {{%r0, %r30}};\nsetp.{}.u32 %p1, %tid, {};\n"
      "setp.eq.and.u32 %p1, %r30, {}, %p1;\nselp.b64 %rd6, {}, 0, %p1;\nadd.s64 %rd6, %rd6, %rd3;\n"
      "selp.b32 %r6, {}, 0, %p1;\nadd.u32 %r6, %r6, %r3;\n",
      stride, first, stride, first, lane != 0 && below(2) == 0 ? "eq" : "ge", lane, round, apart, apart);
  body += fmt::format(fmt::runtime(stores ? form.store : form.load), space, address);
  body +=
      "mov.b64 {%r8, %r9}, %rd20;\nadd.u32 %r7, %r7, %r8;\nadd.u32 %r7, %r7, %r9;\nadd.u32 %r7, %r7, %r1;\n"
      "add.u32 %r7, %r7, %r2;\nadd.u32 %r0, %r0, 32;\nadd.u32 %r30, %r30, 1;\nsetp.lt.u32 %p2, %r30, 45;\n"
      "@%p2 bra L1;\nst.global.u32 [%rd4], %r7;\n";
  if (shared)
    for (int i = 0; i < bytes_of_apart; i += 128)
      body += fmt::format(
          "add.u32 %r3, %r4, {};\nmad.lo.u32 %r3, %tid, 4, %r3;\nld.shared.u32 %r5, [%r3];\n"
          "st.global.u32 [%rd4+{}], %r5;\n",
          i, 128 + i);
  return kernel(body, 2, fmt::format(".shared .align 16 .b32 tile[{}];\n", bytes_of_apart / 4));
}

inline std::vector<trace::Buffer> buffers_of_apart(std::uint64_t seed) {
  Numbers numbers(seed);
  std::vector<std::uint32_t> in(bytes_of_apart / 4);
  for (std::uint32_t& w : in) w = static_cast<std::uint32_t>(numbers.next());
  return {buffer_of("in", in), buffer_of("out", std::vector<std::uint32_t>(bytes_of_apart / 4 + 32))};
}

}  // namespace lanescope::emulator::test
