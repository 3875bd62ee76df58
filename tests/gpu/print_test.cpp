// Prints of a kernel on a GPU against its prints in the emulator: the same lines, in any order.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "kernels/base/text.h"
#include "kernels/emulator/emulator.h"
#include "tests/gpu/instrumented.h"
#include "tests/gpu/machine.h"

namespace lanescope::gpu_test {
namespace {

std::string zero_ended(const std::string& name, const std::string& text) {
  std::string out = fmt::format(".global .align 1 .b8 {}[{}] = {{", name, text.size() + 1);
  for (const char c : text) out += fmt::format("{},", static_cast<int>(static_cast<unsigned char>(c)));
  return out + "0};\n";
}

/// Every thread prints its number as an integer, a long one, a double and a string beside them, in each format.
std::string printing_ptx(const std::string& arch, const std::vector<std::string>& formats) {
  std::string text = fmt::format(
      ".version 8.0\n.target {}\n.address_size 64\n"
      ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n",
      arch);
  for (std::size_t i = 0; i < formats.size(); ++i) text += zero_ended(fmt::format("f{}", i), formats[i]);
  text += zero_ended("s", "a string");
  text +=
      ".visible .entry print(.param .u64 p)\n{\n.local .align 8 .b8 depot[32];\n.reg .b32 %r<8>;\n.reg .b64 %rd<16>;\n"
      ".reg .f64 %fd<4>;\nmov.u64 %rd1, depot;\ncvta.local.u64 %rd1, %rd1;\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, "
      "%ctaid.x;\n"
      "mov.u32 %r3, %ntid.x;\nmad.lo.u32 %r1, %r2, %r3, %r1;\nmul.lo.u32 %r4, %r1, 7919;\nst.local.u32 [depot], %r4;\n"
      "mul.wide.u32 %rd2, %r4, 1000003;\nst.local.u64 [depot+8], %rd2;\ncvt.rn.f64.u32 %fd1, %r4;\n"
      "mul.f64 %fd1, %fd1, 0dBF8EB851EB851EB8;\nst.local.f64 [depot+16], %fd1;\nmov.u64 %rd3, s;\n"
      "cvta.global.u64 %rd3, %rd3;\nst.local.u64 [depot+24], %rd3;\n";
  for (std::size_t i = 0; i < formats.size(); ++i)
    text += fmt::format(
        "mov.u64 %rd4, f{};\ncvta.global.u64 %rd4, %rd4;\n{{ .param .b64 p0; st.param.b64 [p0], %rd4; .param .b64 p1; "
        "st.param.b64 [p1], %rd1; .param .b32 r0;\ncall.uni (r0), vprintf, (p0, p1); ld.param.b32 %r5, [r0]; }}\n",
        i);
  return text + "ret;\n}\n";
}

std::vector<std::string> sorted_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (const std::string_view line : split_lines(text)) lines.emplace_back(line);
  std::ranges::sort(lines);
  return lines;
}

TEST(PrintOnGpu, TheSameLinesAsInTheEmulator) {
  LS_NEEDS_GPU();
  const std::string ptx =
      printing_ptx(device().arch(), {"%d %lld %f %s\n", "%5d|%-20lld|%+.3e|%12s\n", "%x %llX %g %.3s\n",
                                     "%hd %lli %10.2f %s%%\n", "%#o %llu %a %-10s|\n", "%08u %20lld %G %s\n"});
  trace::Launch launch;
  launch.kernel = "print";
  launch.grid = {3, 1, 1};
  launch.block = {96, 1, 1};
  launch.arguments.emplace_back(std::in_place_type<trace::BufferArgument>, 0);
  std::vector<trace::Buffer> buffers{{"p", "u32", 32, std::vector<std::byte>(256), true}};
  const auto module = ptx::parse(ptx);
  ASSERT_TRUE(module);
  const auto emulated = emulator::run(*module, launch, buffers, {});
  ASSERT_TRUE(emulated);
  for (const emulator::Fault& f : emulated->faults) ADD_FAILURE() << f.message;
  std::string expected;
  for (const emulator::Printed& p : emulated->printed) expected += p.text;
  const auto launcher = Launcher::load(ptx, launch, buffers);
  ASSERT_TRUE(launcher) << to_string(launcher.error().front());
  ::testing::internal::CaptureStdout();
  const auto ran = launcher->run(buffers);
  std::fflush(stdout);
  const std::string printed = ::testing::internal::GetCapturedStdout();
  ASSERT_TRUE(ran) << to_string(ran.error().front());
  EXPECT_EQ(sorted_lines(printed), sorted_lines(expected));
}

}  // namespace
}  // namespace lanescope::gpu_test
