#include "kernels/ptx/value_numbers.h"

#include <gtest/gtest.h>

namespace lanescope::ptx {
namespace {

TEST(UnreadResults, AreThoseThatNothingNames) {
  const auto module = parse(
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .pred %p<3>;\n.reg "
      ".b32 "
      "%r<9>;\n.reg .b64 %rd<3>;\n"
      "ld.param.u64 %rd0, [p];\n"
      "atom.global.add.u32 %r0, [%rd0], 1;\n"  // 1
      "atom.global.add.u32 %r1, [%rd0], 1;\n"  // 2: stored
      "st.global.u32 [%rd0], %r1;\n"
      "red.global.add.u32 [%rd0], 1;\n"          // 4
      "atom.global.add.u32 %r2, [%rd0], %r2;\n"  // 5: its own operand
      "atom.global.add.u64 %rd1, [%rd0], 1;\n"   // 6: an address
      "ld.global.u32 %r3, [%rd1];\n"
      "atom.global.exch.b32 _, [%rd0], 1;\n"   // 8
      "atom.global.add.u32 %r4, [%rd0], 1;\n"  // 9: in a vector
      "st.global.v2.u32 [%rd0], {%r3, %r4};\n"
      "atom.global.add.u32 %r5, [%rd0], 1;\n"  // 11: a probe shows it
      "// lanescope.probe 0 var=0 off=0 %r5\n"
      "ret;\n}\n");
  ASSERT_TRUE(module.has_value());
  const std::vector<bool> unread = unread_results(module->entries[0]);
  ASSERT_EQ(unread.size(), 14u);
  for (std::size_t i = 0; i < unread.size(); ++i) EXPECT_EQ(unread[i], i == 1 || i == 4 || i == 8) << i;
}

}  // namespace
}  // namespace lanescope::ptx
