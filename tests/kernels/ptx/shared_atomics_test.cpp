// Which atomics of shared memory the assembler makes into something else, by small programs.

#include "kernels/ptx/value_numbers.h"

#include <gtest/gtest.h>

namespace lanescope::ptx {
namespace {

/// Of the atomic in `body`.
SharedAtomic form_of(const std::string& body) {
  const auto module = parse(
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.shared .align 4 .b8 s[256];\n.reg .pred "
      "%p<3>;\n.reg .b32 %r<9>;\n.reg .f32 %f<9>;\n" +
      body + "ret;\n}\n");
  EXPECT_TRUE(module) << (module ? "" : to_string(module.error().front())) << body;
  if (!module) return SharedAtomic::as_written;
  const Entry& entry = module->entries.at(0);
  const std::vector<SharedAtomic> forms = shared_atomics(entry);
  EXPECT_EQ(forms.size(), entry.code.size());
  SharedAtomic found = SharedAtomic::as_written;
  for (std::size_t i = 0; i < forms.size(); ++i) {
    if (entry.code[i].opcode == "atom" || entry.code[i].opcode == "red")
      found = forms[i];
    else
      EXPECT_EQ(forms[i], SharedAtomic::as_written) << body;
  }
  return found;
}

TEST(SharedAtomics, AnAddOfOneThatNobodyReadsCountsLanes) {
  using enum SharedAtomic;
  EXPECT_EQ(form_of("atom.shared.add.u32 %r1, [%r2], 1;\n"), counts_lanes);
  EXPECT_EQ(form_of("red.shared.add.s32 [%r2], 1;\n"), counts_lanes);
  EXPECT_EQ(form_of("mov.u32 %r3, 1;\natom.shared::cta.add.u32 _, [%r2+4], %r3;\n"), counts_lanes);
  EXPECT_EQ(form_of("mov.u32 %r4, s;\nred.shared.add.s32 [%r4], 1;\n"), counts_lanes);
  EXPECT_EQ(form_of("atom.shared.add.u32 %r1, [%r2], 1;\nst.shared.u32 [%r2], %r1;\n"), as_written);
  EXPECT_EQ(form_of("atom.shared.add.u32 %r1, [%r2], 1;\nsetp.eq.u32 %p1, %r1, 0;\n"), as_written);
  EXPECT_EQ(form_of("atom.shared.add.u32 %r1, [%r2], 1;\nld.shared.u32 %r3, [%r1];\n"), as_written);
  EXPECT_EQ(form_of("atom.shared.add.u32 %r1, [%r2], 2;\n"), as_written);
  EXPECT_EQ(form_of("atom.shared.add.u32 %r1, [%r2], %r3;\n"), as_written);
  EXPECT_EQ(form_of("mov.u32 %r3, 1;\n@%p1 mov.u32 %r3, 2;\nred.shared.add.u32 [%r2], %r3;\n"), as_written);
  EXPECT_EQ(form_of("red.shared.or.b32 [%r2], 1;\n"), as_written);
  EXPECT_EQ(form_of("red.shared.add.u64 [%r2], 1;\n"), as_written);
  EXPECT_EQ(form_of("red.shared.add.f32 [%r2], 0f3F800000;\n"), as_written);
  EXPECT_EQ(form_of("red.global.add.u32 [%r2], 1;\n"), as_written);
}

TEST(SharedAtomics, OneLaneActsForAllAtAVariable) {
  using enum SharedAtomic;
  EXPECT_EQ(form_of("mov.u32 %r4, s;\natom.shared.add.u32 %r1, [%r4], %r3;\n"), one_lane);
  EXPECT_EQ(form_of("atom.shared.max.s32 %r1, [s+8], %r3;\nst.shared.u32 [%r2], %r1;\n"), one_lane);
  EXPECT_EQ(form_of("red.shared.or.b32 [s], %r3;\n"), one_lane);
  EXPECT_EQ(form_of("mov.u32 %r4, s;\nadd.s32 %r4, %r4, %r3;\nred.shared.or.b32 [%r4], %r3;\n"), as_written);
  EXPECT_EQ(form_of("red.shared.add.f32 [s], %f3;\n"), as_written);
  EXPECT_EQ(form_of("atom.shared.exch.b32 %r1, [s], %r3;\n"), as_written);
  EXPECT_EQ(form_of("atom.shared.cas.b32 %r1, [s], %r3, %r2;\n"), as_written);
}

}  // namespace
}  // namespace lanescope::ptx
