// Variables that begin with addresses: strings, tables of pointers.

#include "tests/kernels/emulator/harness.h"

namespace lanescope::emulator::test {
namespace {

TEST(InitialAddresses, LeadToTheirVariables) {
  std::string text = kernel(
      "ld.global.u64 %rd1, [names+8];\nld.u8 %r0, [%rd1];\nld.global.u64 %rd2, [names];\nld.u8 %r1, [%rd2+1];\n"
      "ld.global.u64 %rd3, [names+16];\nld.global.u32 %r2, [%rd3];\nmul.lo.u32 %r1, %r1, 1000;\nadd.u32 %r0, %r0, "
      "%r1;\n"
      "mul.lo.u32 %r2, %r2, 1000000;\nadd.u32 %r0, %r0, %r2;\n"
      "mov.u64 %rd4, n;\nand.b64 %rd4, %rd4, 65280;\nshr.u64 %rd4, %rd4, 8;\ncvt.u32.u64 %r3, %rd4;\n"
      "ld.global.u8 %r4, [part];\nsub.u32 %r3, %r3, %r4;\nadd.u32 %r0, %r0, %r3;\n" +
          out_address + store_r0,
      1);
  text.insert(
      header.size(),
      ".global .align 1 .b8 one[4] = {65, 66, 67, 0};\n.global .align 1 .b8 two[2] = {90, 0};\n"
      ".global .align 4 .u32 n = 5;\n.global .align 8 .u64 names[3] = {generic(one), generic(two), generic(n)};\n"
      ".global .align 1 .b8 part[1] = {0xFF00(n)};\n");
  const auto module = module_of(text);
  std::vector<trace::Buffer> buffers = {buffer_of<std::uint32_t>("p", std::vector<std::uint32_t>(32))};
  run_ok(module, launch_of(1, 32, 1), buffers);
  EXPECT_EQ(values_of<std::uint32_t>(buffers[0])[3], 90U + 66U * 1000 + 5U * 1000000);
}

}  // namespace
}  // namespace lanescope::emulator::test
