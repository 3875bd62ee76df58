#pragma once
// Random kernels with divergence, loops of different lengths, shared memory, atomics, shuffles, barriers and probes. Every
// one ends; what it computes means nothing.

#include <string>

#include <fmt/format.h>

#include "tests/kernels/emulator/harness.h"

namespace lanescope::emulator::test {

class RandomProgram {
 public:
  explicit RandomProgram(std::uint64_t seed) : numbers_(seed) {}

  /// A kernel `k` with two buffers of 64 words.
  std::string text() {
    body_ = "and.b32 %r0, %tid, 1023;\nmov.u32 %r1, %r63;\n";
    for (int r = 2; r < 8; ++r)
      body_ += fmt::format("mad.lo.u32 %r{}, %r0, {}, {};\n", r, 3 + 2 * r, numbers_.below(97));
    statements(3 + numbers_.below(6), 0);
    body_ += "and.b32 %r50, %tid, 63;\nmul.wide.u32 %rd40, %r50, 4;\nadd.s64 %rd41, %rd1, %rd40;\n" +
             fmt::format("red.global.add.u32 [%rd41], {};\n", reg());
    return kernel(body_, 2, ".shared .align 4 .b8 s[1024];\n.reg .b32 %c<8>;\n");
  }

 private:
  std::string reg() { return fmt::format("%r{}", numbers_.below(8)); }

  void statements(std::uint64_t count, int depth) {
    for (std::uint64_t i = 0; i < count; ++i) statement(depth);
  }

  void statement(int depth) {
    switch (numbers_.below(depth == 0 ? 10 : 8)) {
      case 0:
      case 1: {
        static constexpr const char* ops[] = {"add.u32", "xor.b32", "mul.lo.u32", "sub.u32", "and.b32"};
        const std::string d = reg();
        body_ += fmt::format("{} {}, {}, {};\n", ops[numbers_.below(5)], d, reg(), reg());
        body_ += fmt::format("// lanescope.probe {0} var={0} off=0 size=4 {1}\n", d[2] - '0', d);
        break;
      }
      case 2:  // lanes diverge, and reconverge
        if (depth < 3) {
          const int label = labels_++;
          body_ += fmt::format("and.b32 %r51, {}, {};\nsetp.eq.u32 %p{}, %r51, 0;\n@%p{} bra L{};\n", reg(),
                               1 + numbers_.below(3), depth, depth, label);
          statements(1 + numbers_.below(3), depth + 1);
          body_ += fmt::format("L{}:\n", label);
        }
        break;
      case 3:
        if (depth < 3) {
          const int label = labels_++;
          body_ += fmt::format("and.b32 %c{0}, {1}, {2};\nL{3}:\n", depth, reg(), 1 + numbers_.below(15), label);
          statements(1 + numbers_.below(3), depth + 1);
          body_ +=
              fmt::format("setp.ne.u32 %p{0}, %c{0}, 0;\nsub.u32 %c{0}, %c{0}, 1;\n@%p{0} bra L{1};\n", depth, label);
        }
        break;
      case 4:
        body_ +=
            fmt::format("and.b32 %r52, {}, 255;\nshl.b32 %r52, %r52, 2;\nst.shared.u32 [s+0], {};\n", reg(), reg());
        body_ += fmt::format("mov.u32 %r53, s;\nadd.u32 %r53, %r53, %r52;\nst.shared.u32 [%r53], {};\n", reg());
        break;
      case 5:
        body_ += fmt::format("and.b32 %r52, {}, 255;\nshl.b32 %r52, %r52, 2;\nmov.u32 %r53, s;\n", reg());
        body_ += fmt::format("add.u32 %r53, %r53, %r52;\nld.shared.u32 {}, [%r53];\n", reg());
        break;
      case 6:
        body_ += address("%rd0") + fmt::format("atom.global.add.u32 {}, [%rd41], {};\n", reg(), reg());
        break;
      case 7:
        body_ += address("%rd1") + fmt::format("ld.global.u32 {}, [%rd41];\n", reg());
        body_ += address("%rd0") + fmt::format("st.global.u32 [%rd41], {};\n", reg());
        break;
      case 8:
        body_ += "bar.sync 0;\n";
        break;
      default:
        body_ += fmt::format("shfl.sync.bfly.b32 {}, {}, {}, 31, -1;\n", reg(), reg(), 1 + numbers_.below(16));
    }
  }

  std::string address(const char* buffer) {
    return fmt::format("and.b32 %r50, {}, 63;\nmul.wide.u32 %rd40, %r50, 4;\nadd.s64 %rd41, {}, %rd40;\n", reg(),
                       buffer);
  }

  Numbers numbers_;
  std::string body_;
  int labels_ = 0;
};

}  // namespace lanescope::emulator::test
