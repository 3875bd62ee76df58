// Machine code as text: what a disassembler prints, what kind an instruction is, which line it comes from.

#include "profiling/cupti/machine_code.h"

#include <gtest/gtest.h>

#include <tuple>

#include "profiling/cupti/child.h"
#include "profiling/cupti/interfaces.h"
#include "tests/stand_in_disassembler.h"

namespace lanescope::cupti {
namespace {

constexpr std::string_view text_of_two_functions = R"(
	.headerflags	@"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_64BIT_ADDRESS EF_CUDA_SM90"
	.elftype	@"ET_EXEC"

//--------------------- .text.first               --------------------------
	.section	.text.first,"ax",@progbits
	.align	128
        .global         first
        .type           first,@function
        .size           first,(.L_x_1 - first)
first:
.text.first:
        /*0000*/                   LDC R1, c[0x0][0x28] ;
        /*0010*/              @!P0 LDG.E.128.CONSTANT R4, desc[UR4][R2.64] ;
        /*0020*/                   STS.64 [R5], R4 ;
.L_x_0:
        /*0030*/                   BRA `(.L_x_0);
	.section	.nv.constant0.first,"a",@progbits
        .byte 0x00
	.section	.text._Z6secondPf,"ax",@progbits
        /*0000*/                   SHFL.BFLY PT, R3, R0, 0x10, 0x1f ;
)";

TEST(Disassembly, ReadsFunctionsOffsetsAndText) {
  const auto code = parse_disassembly(text_of_two_functions);
  ASSERT_EQ(code.size(), 5u);
  EXPECT_EQ(code[1], (SassLine{.function = "first",
                               .offset = 16,
                               .text = "@!P0 LDG.E.128.CONSTANT R4, desc[UR4][R2.64]",
                               .line = 0,
                               .file = {}}));
  EXPECT_EQ(code[3].offset, 48u);
  EXPECT_EQ(code[4].function, "_Z6secondPf");
  EXPECT_EQ(code[4].text, "SHFL.BFLY PT, R3, R0, 0x10, 0x1f");
}

// As nvdisasm -c -gi -gp prints it: the line that gives the origin of an instruction holds until the next one, and a
// line of the PTX may change alone.
TEST(Disassembly, ReadsPlacesInSourceAndPtx) {
  const auto code = parse_disassembly(test::StandInDisassembler::output);
  ASSERT_EQ(code.size(), 15u);
  const std::string file = "/tmp/x/copy_float4.cu";
  const auto place = [&](std::size_t n) { return std::tuple(code[n].file, code[n].line, code[n].ptx_line); };
  EXPECT_EQ(place(0), std::tuple(file, 12, 20));
  EXPECT_EQ(place(2), std::tuple(file, 15, 37));
  EXPECT_EQ(place(3), std::tuple(file, 15, 20)) << "the PTX line alone changed";
  EXPECT_EQ(place(8), std::tuple(file, 23, 40));
  EXPECT_EQ(place(10), std::tuple(file, 23, 41));
  EXPECT_EQ(code[8].text, "LDG.E.128 R8, desc[UR4][R2.64]");
  for (const SassLine& l : code) EXPECT_TRUE(l.callers.empty());
}

TEST(Disassembly, CallersOfInlinedFunctionsAreTheInnermostFirst) {
  const auto code = parse_disassembly(
      "\t.section\t.text.f,\"ax\",@progbits\n"
      "\t//## File \"/lib/a \\\"b.h\", line 43 inlined at \"/lib/c.h\", line 7\n"
      "\t//## File \"/lib/c.h\", line 7 inlined at \"k.cu\", line 288\n"
      "\t//## File \"k.cu\", line 288\n"
      "\t//## File \".nv_debug_ptx_txt\", line 99\n"
      "        /*0000*/                   MOV R1, R2 ;\n"
      "\t//## File \"k.cu\", line 290\n"
      "        /*0010*/                   MOV R1, R3 ;\n"
      "\t//## File \"k.cu\", line\n\t//## File\n\t//## File \"k.cu\", line 999999999999999\n"
      "        /*0020*/                   EXIT ;\n"
      "\t.section\t.text.g,\"ax\",@progbits\n"
      "        /*0000*/                   EXIT ;\n");
  ASSERT_EQ(code.size(), 4u);
  EXPECT_EQ(code[0].line, 43);
  EXPECT_EQ(code[0].callers,
            (std::vector<SourcePlace>{{.file = "/lib/c.h", .line = 7}, {.file = "k.cu", .line = 288}}));
  EXPECT_EQ(code[0].ptx_line, 99);
  EXPECT_EQ(code[1].line, 290);
  EXPECT_TRUE(code[1].callers.empty());
  EXPECT_EQ(code[3].line, 0) << "another function";
  EXPECT_EQ(code[3].ptx_line, 0);
}

TEST(Disassembly, TextWithoutInstructionsHasNone) {
  for (const char* text : {"", "nonsense", "/*0000*/ MOV R1, R2 ;", ".section .text.f,\n/*zz*/ MOV ;\n/*0010*/ MOV"})
    EXPECT_TRUE(parse_disassembly(text).empty()) << text;
}

TEST(SassKinds, FollowTheMnemonicNotItsSuffixes) {
  struct Case {
    const char* text;
    SassKind kind;
  };
  const Case cases[] = {{"LDG.E.128 R4, [R2.64]", SassKind::global_load},
                        {"@P3 LDG.E.U8 R4, [R2.64]", SassKind::global_load},
                        {"LDG.E.64.CONSTANT R4, desc[UR4][R2.64]", SassKind::global_load},
                        {"LDGSTS.E.BYPASS.128 [R5], [R2.64]", SassKind::async_copy},
                        {"LDGDEPBAR", SassKind::fence},
                        {"LDSM.16.M88.4 R4, [R8]", SassKind::matrix_load},
                        {"LDSM.16.MT88 R4, [R8]", SassKind::matrix_load},
                        {"LDS R4, [R8]", SassKind::shared_load},
                        {"STS.U16 [R8], R4", SassKind::shared_store},
                        {"ATOMS.POPC.INC.32 RZ, [R8+URZ]", SassKind::shared_atomic},
                        {"REDG.E.ADD.F32.FTZ.RN.STRONG.GPU [R2], R5", SassKind::reduction},
                        {"REDUX.SUM UR4, R3", SassKind::vote},
                        {"@P0 RED.E.ADD.STRONG.GPU [R2.64], R5", SassKind::reduction},
                        {"ULDC.64 UR4, c[0x0][0x118]", SassKind::constant_load},
                        {"BAR.SYNC.DEFER_BLOCKING 0x0", SassKind::barrier},
                        {"HMMA.16816.F32 R4, R8, R2, R4", SassKind::matrix_multiply},
                        {"HGMMA.64x64x16.F32 R24, gdesc[UR4], R24", SassKind::matrix_multiply},
                        {"FFMA R4, R5, R6, R4", SassKind::other},
                        {"EXIT", SassKind::branch},
                        {"", SassKind::other},
                        {"@P0", SassKind::other}};
  for (const Case& c : cases) EXPECT_EQ(kind_of(c.text), c.kind) << c.text << " is " << kind_name(kind_of(c.text));
}

TEST(SassKinds, HaveNames) {
  for (std::size_t i = 0; i < sass_kinds; ++i) EXPECT_FALSE(kind_name(static_cast<SassKind>(i)).empty()) << i;
}

TEST(Disassembly, WithoutADisassemblerSaysSo) {
  if (!find_nvdisasm().empty()) GTEST_SKIP() << "SKIPPED, nvdisasm is here";
  const auto none = disassemble("not a cubin");
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().front().message.find("nvdisasm"), std::string::npos);
  EXPECT_FALSE(none.error().front().remedy.empty());
}

TEST(SourcePlace, OfWhatIsNoMachineCodeIsUnknown) { EXPECT_EQ(source_place("not a cubin", "f", 0), SourcePlace{}); }

TEST(SassReport, SumsByLineAndByFunction) {
  const auto row = [](std::uint32_t offset, int line, const char* function, double a, double b) {
    return SassRow{.offset = offset, .line = line, .file = "k.cu", .function = function, .values = {a, b}};
  };
  SassReport r{.device = {}, .chip = {}, .metrics = {"a", "b"}, .unknown = {}, .rows = {}, .code = {}, .no_code = {}};
  r.rows = {row(0, 7, "f", 1, 10), row(16, 3, "f", 2, 20), row(32, 7, "f", 4, 40), row(0, 7, "g", 8, 80)};
  EXPECT_EQ(r.total("b"), 150);
  EXPECT_EQ(r.total("a", "f"), 7);
  EXPECT_EQ(r.total("c"), std::nullopt);
  const auto lines = by_line(r);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].line, 3);
  EXPECT_EQ(lines[1].values, (std::vector<double>{13, 130}));
}

TEST(SassReport, CountsOfSeveralKernelsAddUp) {
  const auto row = [](std::uint32_t offset, const char* function, double value) {
    return SassRow{.offset = offset, .line = 1, .file = {}, .function = function, .values = {value}};
  };
  SassReport all{.metrics = {"a"}, .rows = {row(0, "called", 1), row(16, "k2", 2)}, .dropped = 1};
  add_counts(all, {.metrics = {"a"}, .rows = {row(0, "k1", 4), row(0, "called", 8)}, .dropped = 2});
  EXPECT_EQ(all.rows, (std::vector<SassRow>{row(0, "called", 9), row(0, "k1", 4), row(16, "k2", 2)}));
  EXPECT_EQ(all.dropped, 3u);
}

TEST(SassReport, TheDefaultSetHasNoIdealMetric) {
  for (const std::string& name : default_sass_metrics()) EXPECT_FALSE(name.ends_with("_ideal")) << name;
}

}  // namespace
}  // namespace lanescope::cupti
