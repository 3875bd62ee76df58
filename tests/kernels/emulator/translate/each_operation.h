#pragma once
// One operation in a loop over corners of every type: its result in all lanes, and in the lanes of a guard.

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "tests/kernels/emulator/harness.h"

namespace lanescope::emulator::test {

/// Opcode, and kinds of the operands, the result first (r: 32 bits, f: float, l: 64 bits, p: predicate).
inline std::vector<std::string> operations_of_their_own() {
  std::vector<std::string> all = {"neg.s32 rr",        "abs.s32 rr",       "not.b32 rr",        "mov.b32 rr",
                                  "cvt.u32.u16 rr",    "cvt.s32.s16 rr",   "cvt.rn.f32.s32 fr", "cvt.rn.f32.u32 fr",
                                  "sqrt.rn.f32 ff",    "neg.f32 ff",       "abs.f32 ff",        "fma.rn.f32 ffff",
                                  "mad.lo.u32 rrrr",   "mad.lo.s32 rrrr",  "mad.lo.u64 llll",   "mad.lo.s64 llll",
                                  "mov.b64 ll",        "shl.b64 llr",      "shr.b64 llr",       "shr.u64 llr",
                                  "shr.s64 llr",       "mul.wide.u32 lrr", "mul.wide.s32 lrr",  "mad.wide.u32 lrrl",
                                  "mad.wide.s32 lrrl", "cvt.u64.u32 lr",   "cvt.s64.s32 lr",    "cvt.u32.u64 rl",
                                  "selp.b32 rrrp",     "selp.b64 lllp",    "not.pred pp"};
  const auto add = [&](std::initializer_list<const char*> names, std::initializer_list<const char*> types,
                       const char* operands) {
    for (const char* name : names)
      for (const char* type : types) all.push_back(fmt::format("{}.{} {}", name, type, operands));
  };
  add({"add", "sub", "mul.lo", "min", "max"}, {"u32", "s32"}, "rrr");
  add({"shr"}, {"u32", "s32", "b32"}, "rrr");
  add({"shl", "and", "or", "xor"}, {"b32"}, "rrr");
  add({"add", "sub", "mul.lo"}, {"u64", "s64"}, "lll");
  add({"and", "or", "xor"}, {"b64"}, "lll");
  add({"add", "sub", "mul", "div.rn", "min", "max"}, {"f32"}, "fff");
  add({"and", "or", "xor"}, {"pred"}, "ppp");
  add({"setp.eq", "setp.ne", "setp.lt", "setp.le", "setp.gt", "setp.ge"}, {"u32", "s32"}, "prr");
  add({"setp.eq", "setp.ne", "setp.lt", "setp.le", "setp.gt", "setp.ge"}, {"u64", "s64"}, "pll");
  add({"setp.eq", "setp.ne", "setp.lt", "setp.le", "setp.gt", "setp.ge", "setp.equ", "setp.neu", "setp.ltu", "setp.leu",
       "setp.gtu", "setp.geu", "setp.num", "setp.nan"},
      {"f32"}, "pff");
  for (int table = 0; table < 256; ++table) all.push_back(fmt::format("lop3.b32 rrrr, {}", table));
  return all;
}

inline constexpr std::uint32_t rounds_of_operation = 48;

/// `operation`: of the list. It has results in %r8, %f8, %rd20, %p3 and with a guard in those after them.
inline std::string text_of_operation(std::string_view operation) {
  const auto blank = operation.find(' ');
  const auto end = std::min(operation.find(',', blank), operation.size());
  const auto one = [&](int guarded) {
    std::string text(operation.substr(0, blank));
    for (auto i = blank + 1; i < end; ++i) {
      const bool result = i == blank + 1;
      const int source = static_cast<int>(i - blank) - 2;
      const auto name = [&](const char* kind, int first_result, int first_source) {
        return fmt::format("{} %{}{}", result ? "" : ",", kind,
                           result ? first_result + guarded : first_source + source);
      };
      const char kind = operation[i];
      text += kind == 'r'   ? name("r", 8, 0)
              : kind == 'f' ? name("f", 8, 0)
              : kind == 'l' ? name("rd", 20, 10)
                            : name("p", 3, 6);
    }
    return text + std::string(operation.substr(end)) + ";\n";
  };
  std::string body =
      "mul.wide.u32 %rd2, %tid, 4;\nadd.s64 %rd3, %rd0, %rd2;\nadd.s64 %rd4, %rd1, %rd2;\nmov.u32 %r30, 0;\nmov.b64 "
      "%rd20, 0;\nmov.b32 %r8, 0;\nmov.b32 %f8, %r8;\nsetp.ne.u32 %p3, %r8, %r8;\nL1:\n"
      "ld.global.u32 %r0, [%rd3];\nld.global.u32 %r1, [%rd3+516];\nld.global.u32 %r2, [%rd3+1032];\n"
      "mov.b32 %f0, %r0;\nmov.b32 %f1, %r1;\nmov.b32 %f2, %r2;\n"
      "mov.b64 %rd10, {%r0, %r1};\nmov.b64 %rd11, {%r1, %r2};\nmov.b64 %rd12, {%r2, %r0};\n"
      "mov.b32 %r9, %r1;\nmov.b32 %f9, %r2;\nmov.b64 %rd21, %rd12;\nsetp.lt.s32 %p1, %r0, %r2;\n"
      "setp.lt.u32 %p4, %r1, %r2;\n";
  for (int p = 6; p < 9; ++p) body += fmt::format("setp.lt.s32 %p{}, %r{}, 0;\n", p, p - 6);
  body += one(0) + "@%p1 " + one(1);
  body +=
      "st.global.u32 [%rd4], %r8;\nst.global.u32 [%rd4+128], %r9;\nst.global.f32 [%rd4+256], %f8;\n"
      "st.global.f32 [%rd4+384], %f9;\nselp.b32 %r12, 1, 2, %p3;\nselp.b32 %r13, 4, 8, %p4;\nor.b32 %r12, %r12, %r13;\n"
      "st.global.u32 [%rd4+512], %r12;\n";
  for (int i = 0; i < 2; ++i)
    body +=
        fmt::format("mov.b64 {{%r14, %r15}}, %rd{};\nst.global.u32 [%rd4+{}], %r14;\nst.global.u32 [%rd4+{}], %r15;\n",
                    20 + i, 640 + 256 * i, 768 + 256 * i);
  body += fmt::format(
      "add.s64 %rd3, %rd3, 128;\nadd.s64 %rd4, %rd4, 1152;\nadd.u32 %r30, %r30, 1;\nsetp.lt.u32 %p5, %r30, {};\n"
      "@%p5 bra L1;\n",
      rounds_of_operation);
  return kernel(body, 2);
}

inline std::vector<trace::Buffer> buffers_of_operation(std::uint64_t seed) {
  static constexpr std::uint32_t corners[] = {
      0,          1,          31,         32,         33,         63,         64,         65,
      0xffffffff, 0x7fffffff, 0x80000000, 0x80000001, 0x0000ffff, 0x00010000, 0x00008000, 0x01000001,
      0x01000003, 0xffffff80, 0xffffff7f, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001, 0x7f800001,
      0x3f800000, 0xbf800000, 0x3f7fffff, 0x00800000, 0x807fffff, 0x7f7fffff, 0x5f000001, 0xcb000000};
  Numbers numbers(seed);
  std::vector<std::uint32_t> in(rounds_of_operation * 32 + 300);
  for (std::uint32_t& w : in)
    w = numbers.below(4) != 0 ? corners[numbers.below(std::size(corners))] : static_cast<std::uint32_t>(numbers.next());
  return {buffer_of("in", in), buffer_of("out", std::vector<std::uint32_t>(rounds_of_operation * 288))};
}

}  // namespace lanescope::emulator::test
