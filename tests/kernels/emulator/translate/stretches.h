#pragma once
// Random kernels of operations that are translated, with all kinds of others between them: values are corners of every
// type, guards differ between lanes, loops have their own numbers of rounds, addresses are consecutive or not.

#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/kernels/emulator/harness.h"

namespace lanescope::emulator::test {

class RandomStretch {
 public:
  explicit RandomStretch(std::uint64_t seed) : numbers_(seed) {}

  /// A kernel `k(in, out)` for blocks of 64 threads; `in` has 1024 words, `out` `words` for each block.
  static constexpr std::uint32_t words = 64 * 32, threads = 64;
  std::string text() {
    std::string body;
    for (int i = 0; i < 8; ++i) body += fmt::format("ld.global.u32 %r{}, [%rd3+{}];\n", i, i * 256);
    for (int i = 0; i < 4; ++i)
      body += fmt::format("mov.b64 %rd{}, {{%r{}, %r{}}};\nmov.b32 %f{}, %r{};\nmov.b32 %f{}, %r{};\n", 10 + i, 2 * i,
                          2 * i + 1, i, i, 4 + i, 7 - i);
    for (int i = 1; i <= 4; ++i) body += fmt::format("setp.lt.s32 %p{}, %r{}, %r{};\n", i, i, i + 1);
    for (std::uint64_t i = 0, n = 2 + numbers_.below(4); i < n; ++i) loop(body);
    for (int i = 0; i < 8; ++i)
      body +=
          fmt::format("st.global.u32 [%rd4+{}], %r{};\nst.global.f32 [%rd4+{}], %f{};\n", i * 256, i, (8 + i) * 256, i);
    for (int i = 0; i < 4; ++i)
      body += fmt::format(
          "selp.b32 %r9, 1, 0, %p{};\nst.global.u32 [%rd4+{}], %r9;\nmov.b64 {{%r10, %r11}}, "
          "%rd{};\nst.global.u32 [%rd4+{}], %r10;\nst.global.u32 [%rd4+{}], %r11;\n",
          i + 1, (16 + i) * 256, 10 + i, (20 + 2 * i) * 256, (21 + 2 * i) * 256);
    return kernel(
        fmt::format("mov.u32 %r20, %tid.x;\nmul.wide.u32 %rd2, %r20, 4;\nadd.s64 %rd3, %rd0, %rd2;\nmul.wide.u32 "
                    "%rd4, %r63, {};\nadd.s64 %rd4, %rd4, %rd2;\nadd.s64 %rd4, %rd4, %rd1;\nmov.u64 %rd5, "
                    "tile;\ncvt.u32.u64 %r21, %rd5;\nshl.b32 %r22, %r20, 2;\nadd.u32 %r21, %r21, %r22;\nadd.u32 "
                    "%r23, %r21, %r22;\nmul.wide.u32 %rd7, %r20, 16;\nadd.s64 %rd7, %rd7, %rd0;\n",
                    words * 4) +
            body,
        2, ".shared .align 16 .b32 tile[160];\n");
  }

 private:
  const char* any(std::initializer_list<const char*> of) { return of.begin()[numbers_.below(of.size())]; }
  std::string guard() {
    return numbers_.below(4) != 0 ? "" : fmt::format("@{}%p{} ", any({"", "!"}), 1 + numbers_.below(4));
  }
  int reg() { return static_cast<int>(numbers_.below(8)); }
  int wide() { return 10 + static_cast<int>(numbers_.below(4)); }
  std::string operand() {
    return numbers_.below(5) == 0 ? std::to_string(numbers_.below(40)) : fmt::format("%r{}", reg());
  }

  void loop(std::string& body) {
    const bool rounds = numbers_.below(4) != 0;
    const int label = labels_++;
    if (rounds) body += fmt::format("mov.u32 %r30, 0;\nL{}:\n", label);
    for (std::uint64_t i = 0, n = 1 + numbers_.below(14); i < n; ++i) body += guard() + one();
    if (!rounds) return;
    // Some loops have other numbers of rounds in other lanes.
    if (numbers_.below(4) == 0)
      body += "and.b32 %r31, %r20, 31;\nadd.u32 %r31, %r31, 20;\n";
    else
      body += fmt::format("mov.u32 %r31, {};\n", 1 + numbers_.below(60));
    body += fmt::format("add.u32 %r30, %r30, 1;\nsetp.lt.u32 %p5, %r30, %r31;\n@%p5 bra L{};\n", label);
  }

  std::string one() {
    switch (numbers_.below(16)) {
      case 0:
      case 1:
        return fmt::format("{} %r{}, {}, {};\n",
                           any({"add.u32", "add.s32", "sub.u32", "mul.lo.u32", "min.u32", "min.s32", "max.u32",
                                "max.s32", "and.b32", "or.b32", "xor.b32", "mul.hi.u32", "div.u32", "rem.s32"}),
                           reg(), fmt::format("%r{}", reg()), operand());
      case 2:
        return fmt::format("{} %r{}, %r{}, {};\n", any({"shl.b32", "shr.u32", "shr.s32", "shr.b32"}), reg(), reg(),
                           operand());
      case 3:
        return fmt::format("{} %r{}, %r{};\n", any({"neg.s32", "abs.s32", "not.b32", "mov.b32", "popc.b32", "clz.b32"}),
                           reg(), reg());
      case 4:
        return fmt::format("{} %r{}, %r{}, %r{}, %r{};\n", any({"mad.lo.u32", "mad.lo.s32", "shf.l.wrap.b32"}), reg(),
                           reg(), reg(), reg());
      case 5:
        return fmt::format("lop3.b32 %r{}, %r{}, %r{}, %r{}, {};\n", reg(), reg(), reg(), reg(), numbers_.below(256));
      case 6:
      case 7:
        return fmt::format("{} %f{}, %f{}, %f{};\n",
                           any({"add.f32", "sub.f32", "mul.f32", "div.rn.f32", "min.f32", "max.f32", "add.ftz.f32",
                                "mul.ftz.f32", "add.rz.f32", "copysign.f32"}),
                           reg(), reg(), reg());
      case 8:
        return fmt::format("{} %f{}, %f{}, %f{}, %f{};\n", any({"fma.rn.f32", "fma.rn.f32", "fma.rn.ftz.f32"}), reg(),
                           reg(), reg(), reg());
      case 9:
        if (numbers_.below(3) == 0)
          return fmt::format("cvt.{}.{} %f{}, %r{};\n", any({"rn.f32", "rz.f32"}), any({"s32", "u32"}), reg(), reg());
        if (numbers_.below(4) == 0)
          return fmt::format("cvt.u16.u32 %h0, %r{};\ncvt.{} %r{}, %h0;\n", reg(), any({"u32.u16", "s32.s16"}), reg());
        return numbers_.below(3) == 0
                   ? fmt::format("mov.b32 %r{}, %f{};\n", reg(), reg())
                   : fmt::format("{} %f{}, %f{};\n",
                                 any({"neg.f32", "abs.f32", "sqrt.rn.f32", "mov.f32", "rcp.rn.f32"}), reg(), reg());
      case 10:
        return fmt::format("{} %rd{}, %rd{}, %rd{};\n",
                           any({"add.u64", "add.s64", "sub.u64", "mul.lo.u64", "mul.lo.s64", "and.b64", "or.b64",
                                "xor.b64", "min.u64"}),
                           wide(), wide(), wide());
      case 11:
        return numbers_.below(2) == 0
                   ? fmt::format("{} %rd{}, %r{}, {};\n", any({"mul.wide.u32", "mul.wide.s32"}), wide(), reg(),
                                 operand())
                   : fmt::format("{} %rd{}, %r{}, %r{}, %rd{};\n", any({"mad.wide.u32", "mad.wide.s32"}), wide(), reg(),
                                 reg(), wide());
      case 12:
        switch (numbers_.below(4)) {
          case 0:
            return fmt::format("{} %rd{}, %rd{}, {};\n", any({"shl.b64", "shr.u64", "shr.s64", "shr.b64"}), wide(),
                               wide(), operand());
          case 1:
            return fmt::format("cvt.u32.u64 %r{}, %rd{};\n", reg(), wide());
          case 2:
            return fmt::format("mov.b64 %rd{}, %rd{};\n", wide(), wide());
          default:
            return fmt::format("{} %rd{}, %r{};\n", any({"cvt.u64.u32", "cvt.s64.s32"}), wide(), reg());
        }
      case 13:
        return comparison();
      case 14:
        return numbers_.below(3) == 0
                   ? fmt::format("selp.b64 %rd{}, %rd{}, %rd{}, %p{};\n", wide(), wide(), wide(), 1 + numbers_.below(4))
               : numbers_.below(2) == 0
                   ? fmt::format("selp.b32 %r{}, %r{}, {}, %p{};\n", reg(), reg(), operand(), 1 + numbers_.below(4))
                   : fmt::format("{}.pred %p{}, %p{}, %p{};\n", any({"and", "or", "xor"}), 1 + numbers_.below(4),
                                 1 + numbers_.below(4), 1 + numbers_.below(4));
      default:
        return access();
    }
  }

  std::string comparison() {
    const std::uint64_t p = 1 + numbers_.below(4), q = 1 + numbers_.below(4), c = 1 + numbers_.below(4);
    const std::string to = numbers_.below(3) == 0 && p != q ? fmt::format("%p{}|%p{}", p, q) : fmt::format("%p{}", p);
    std::string with, tail;
    if (numbers_.below(3) == 0) {
      with = fmt::format(".{}", any({"and", "or", "xor"}));
      tail = fmt::format(", {}%p{}", any({"", "!"}), c);
    }
    switch (numbers_.below(3)) {
      case 0:
        return fmt::format("setp.{}{}.{} {}, %r{}, {}{};\n", any({"eq", "ne", "lt", "le", "gt", "ge"}), with,
                           any({"s32", "u32"}), to, reg(), operand(), tail);
      case 1:
        return fmt::format("setp.{}{}.{} {}, %rd{}, %rd{}{};\n", any({"eq", "ne", "lt", "le", "gt", "ge"}), with,
                           any({"s64", "u64"}), to, wide(), wide(), tail);
      default:
        return fmt::format(
            "setp.{}{}.f32 {}, %f{}, %f{}{};\n",
            any({"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"}), with, to,
            reg(), reg(), tail);
    }
  }

  /// At consecutive words of the thread's own, at every second one (%r23), or at an address that changes (%rd6).
  std::string access() {
    const std::uint64_t at = 4 * numbers_.below(8);
    switch (numbers_.below(14)) {
      case 10:
        return fmt::format("ld.global.u32 %r{}, [%rd0+{}];\n", reg(), 4 * numbers_.below(1000));
      case 11:
        return fmt::format("ld.global.v4.f32 {{%f0, %f3, %f1, %f2}}, [%rd7+{}];\n", 16 * numbers_.below(50));
      case 12:  // at places that differ from round to round, often beyond the buffer or not aligned
        return fmt::format(
            "and.b32 %r24, %r{}, {};\nshl.b32 %r24, %r24, {};\ncvt.u64.u32 %rd8, %r24;\nadd.s64 %rd8, "
            "%rd8, %rd0;\nld.global.f32 %f{}, [%rd8+{}];\n",
            reg(), any({"255", "511", "1023"}), numbers_.below(30) == 0 ? 1 : 2, reg(),
            numbers_.below(30) == 0 ? 4000 : 0);
      case 13:
        return fmt::format("ld.global.{} %rd{}, [%rd7+{}];\n", any({"u64", "b64"}), wide(), 8 * numbers_.below(100));
      case 9:  // a warp that reads the same again and again ends its turn
        return fmt::format("ld.volatile.global.u32 %r{}, [%rd3+{}];\n", reg(), 4 * numbers_.below(900));
      case 0:
        return fmt::format("ld.global.u32 %r{}, [%rd3+{}];\n", reg(), 4 * numbers_.below(900));
      case 1:
        return fmt::format("st.global.f32 [%rd4+{}], %f{};\n", 7168, reg());
      case 2:
        return fmt::format("ld.global.f32 %f{}, [%rd4+{}];\n", reg(), 7168);
      case 3:
        return fmt::format("st.shared.u32 [%r21+{}], %r{};\n", at, reg());
      case 4:
        return fmt::format("ld.shared.u32 %r{}, [%r21+{}];\n", reg(), at);
      case 5:
        return fmt::format("ld.shared.f32 %f{}, [%r23+{}];\n", reg(), at);
      case 6:
        return fmt::format("st.shared.f32 [%r23+{}], %f{};\n", at, reg());
      case 7:
        return fmt::format("ld.global.v2.u32 {{%r{}, %r{}}}, [%rd0+{}];\n", 0, 1, 8 * numbers_.below(100));
      default:
        return fmt::format("add.s64 %rd6, %rd3, {};\nld.global.u32 %r{}, [%rd6];\n", 4 * numbers_.below(500), reg());
    }
  }

  Numbers numbers_;
  int labels_ = 0;
};

inline std::vector<trace::Buffer> buffers_of_stretch(std::uint64_t seed, std::uint32_t blocks) {
  Numbers numbers(seed);
  std::vector<std::uint32_t> in(1024), out(std::size_t{blocks} * RandomStretch::words);
  for (std::uint32_t& w : in) {
    static constexpr std::uint32_t floats[] = {0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001, 0x7f800001, 0x80000000,
                                               0x3f800000, 0x00000001, 0x807fffff, 0x7f7fffff, 0xbf000000, 0x00800000};
    const std::uint64_t kind = numbers.below(4);
    w = kind == 0   ? floats[numbers.below(std::size(floats))]
        : kind == 1 ? static_cast<std::uint32_t>(numbers.corner())
        : kind == 2 ? 0x3f000000u + static_cast<std::uint32_t>(numbers.below(1u << 24))
                    : static_cast<std::uint32_t>(numbers.next());
  }
  return {buffer_of("in", in), buffer_of("out", out)};
}

}  // namespace lanescope::emulator::test
