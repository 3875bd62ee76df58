// Registers of another width than an instruction takes: refused, as ptxas 13.0 does with each of these. The rows of registers
// are as wide as the registers, so that a caller who read a row of 32 bits as one of 64 would read those of other registers.

#include "tests/kernels/emulator/harness.h"

namespace lanescope::emulator::test {
namespace {

std::string refused_width(const std::string& statement) {
  const auto module = ptx::parse(kernel(statement + "\n", 1), "test.ptx");
  if (!module) return "the parser: " + module.error()[0].message;
  std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<std::uint32_t>(64))};
  const auto result = run(*module, launch_of(1, 32, 1), buffers, {});
  if (!result) return result.error()[0].message;
  return result->faults.empty() ? std::string() : result->faults[0].message;
}

TEST(OperandWidth, OtherRegistersAreRefused) {
  for (const char* statement : {"add.u32 %r1, %h1, %r2;",
                                "add.u16 %h1, %r1, %h2;",
                                "add.u64 %rd1, %r1, %rd2;",
                                "add.u64 %r1, %rd1, %rd2;",
                                "add.u32 %r1, %rd1, %r2;",
                                "mov.u64 %rd1, %tid.x;",
                                "or.u64 %p1, %p2, %p3;",
                                "or.b32 %r1, %p2, %r3;",
                                "selp.u32 %r1, %r2, %r3, %r1;",
                                "shl.b64 %rd1, %rd2, %rd3;",
                                "shl.b16 %h1, %h2, %h3;",
                                "popc.b64 %rd1, %rd2;",
                                "mul.wide.u32 %r1, %r2, %r3;",
                                "setp.lt.u32 %r1, %r2, %r3;",
                                "setp.lt.u32 %p1, %p2, %r3;",
                                "mov.b32 %r1, {%r2, %h1};",
                                "mov.b64 {%r1,%rd2}, %rd1;",
                                "mov.b32 %r1, %h1;",
                                "cvt.u32.u64 %r1, %r2;",
                                "cvt.u64.u64 %r1, %rd2;",
                                "cvt.u32.u32 %h1, %r1;",
                                "ld.global.u32 %h1, [%rd0];",
                                "ld.global.u64 %r1, [%rd0];",
                                "ld.global.u32 %p1, [%rd0];",
                                "st.global.u32 [%rd0], %h1;",
                                "st.global.u64 [%rd0], %r1;",
                                "st.global.v2.u32 [%rd0], {%r1, %p1};",
                                "ld.param.u64 %r1, [p0];",
                                "ld.param.u32 %p1, [p0];",
                                "atom.global.add.u32 %r1, [%rd0], %rd1;",
                                "atom.global.add.u64 %rd1, [%rd0], %r1;",
                                "bar.sync %rd1;",
                                "shfl.sync.idx.b32 %r1, %rd1, %r2, %r3, -1;",
                                "shfl.sync.idx.b32 %rd1, %r1, %r2, %r3, -1;",
                                "vote.sync.ballot.b32 %rd1, %p1, -1;",
                                "vote.sync.any.pred %r1, %p1, -1;",
                                "match.any.sync.b64 %r1, %r2, -1;",
                                "prmt.b32 %r1, %rd1, %r2, %r3;",
                                "fma.rn.f64 %fd1, %fd2, %f1, %fd3;",
                                "lop3.b32 %r1, %r2, %r3, %rd4, 0x80;",
                                "slct.u64.s32 %rd1, %rd2, %r3, %r4;",
                                "add.f16x2 %r1, %h2, %r3;",
                                "isspacep.global %p1, %r1;"}) {
    const std::string said = refused_width(statement);
    EXPECT_TRUE(said.find("is needed") != std::string::npos || said.find("are needed") != std::string::npos ||
                said.find("is no predicate") != std::string::npos || said.find("does not fit") != std::string::npos)
        << statement << ": " << said;
  }
}

TEST(OperandWidth, WiderRegistersOfLoadsStoresAndConversionsAreTaken) {
  for (const char* statement :
       {"mov.u16 %h1, %tid.x;", "mov.u32 %r1, %gridid;", "mov.u64 %rd1, %gridid;", "cvt.u32.u16 %r1, %r2;",
        "cvt.u32.u8 %rd1, %h1;", "cvt.u32.u8 %r1, %r2;", "cvt.rn.f16.f32 %r1, %f1;", "cvt.s8.s32 %h1, %r1;",
        "ld.global.u32 %rd1, [%rd0];", "ld.global.u8 %rd1, [%rd0];", "ld.global.f32 %rd1, [%rd0];",
        "st.global.u8 [%rd0], %rd1;", "st.global.u16 [%rd0], %r1;", "ld.param.u32 %rd1, [p0];",
        "add.f32 %r1, %r2, %r3;"})
    EXPECT_EQ(refused_width(statement), "") << statement;
}

/// A branch to what is no label has nowhere to go.
TEST(OperandWidth, BranchesLeadToLabels) {
  for (const char* statement : {"bra %r1;", "bra 3;", "bra %rd0;", "bra.uni p0;", "bra %p1;"}) {
    const std::string said = refused_width(statement);
    EXPECT_TRUE(said.find("no label") != std::string::npos || said.starts_with("the parser")) << statement << said;
  }
  for (const char* statement : {"brx.idx %r1, %r2;", "brx.idx %r1, {%r2, %r3};", "brx.idx %r1, 3;"})
    EXPECT_NE(refused_width(statement), "") << statement;
}

/// ptxas 13.0 takes the low part of a register of 64 bits as the source of a narrower type, but not that of an .f64, and for
/// nothing else.
TEST(OperandWidth, ConversionsTakeTheLowPartOfAWideRegister) {
  constexpr std::pair<const char*, const char*> conversions[] = {
      {"cvt.u16.u32", "%h1"},    {"cvt.u32.u16", "%r3"},    {"cvt.u64.u32", "%rd4"},   {"cvt.s64.s32", "%rd4"},
      {"cvt.u32.u8", "%r3"},     {"cvt.s64.s8", "%rd4"},    {"cvt.rn.f32.s32", "%r3"}, {"cvt.rn.f64.u32", "%rd4"},
      {"cvt.f64.f32", "%rd4"},   {"cvt.rn.f16.f32", "%h1"}, {"cvt.f32.f16", "%r3"},    {"cvt.rzi.s32.f32", "%r3"},
      {"cvt.sat.u8.s32", "%r3"}, {"cvt.s32.u32", "%r3"},    {"cvt.u32.u32", "%r3"},    {"cvt.rn.f32.u8", "%r3"},
      {"cvt.s16.s8", "%h1"}};
  for (const auto& [conversion, result_register] : conversions) {
    const std::string result = result_register;
    // The same of a register of 32 bits that holds the low part; 64 bits of each result, by lane.
    const auto run_with = [&](const std::string& from) {
      std::string text =
          "mov.u32 %r1, %laneid;\ncvt.u64.u32 %rd1, %r1;\nmul.lo.u64 %rd1, %rd1, 0x9e3779b97f4a7c15;\n"
          "xor.b64 %rd1, %rd1, 0x40490fdb40490fdb;\ncvt.u32.u64 %r2, %rd1;\nmov.u64 %rd4, 0;\nmov.u32 %r3, 0;\n"
          "mov.u16 %h1, 0;\n";
      text += std::string(conversion) + " " + result + ", " + from + ";\n";
      if (result == "%h1") text += "cvt.u64.u16 %rd4, %h1;\n";
      if (result == "%r3") text += "cvt.u64.u32 %rd4, %r3;\n";
      text += "mul.wide.u32 %rd2, %r1, 8;\nadd.u64 %rd2, %rd2, %rd0;\nst.global.u64 [%rd2], %rd4;\n";
      const auto module = ptx::parse(kernel(text, 1), "test.ptx");
      EXPECT_TRUE(module) << conversion << (module ? "" : module.error()[0].message);
      std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<std::uint64_t>(32))};
      if (!module) return std::vector<std::uint64_t>();
      run_ok(*module, launch_of(1, 32, 1), buffers, {});
      return values_of<std::uint64_t>(buffers[0]);
    };
    const auto wide = run_with("%rd1"), narrow = run_with("%r2");
    EXPECT_EQ(wide, narrow) << conversion;
    EXPECT_NE(narrow, std::vector<std::uint64_t>(32)) << conversion;
  }
  for (const char* statement : {"cvt.f64.f32 %fd1, %fd2;", "cvt.u32.u32 %r1, %fd1;", "cvt.rn.f32.s32 %f1, %fd1;"})
    EXPECT_NE(refused_width(statement).find("is needed"), std::string::npos) << statement;
}

}  // namespace
}  // namespace lanescope::emulator::test
