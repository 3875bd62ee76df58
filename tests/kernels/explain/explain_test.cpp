#include "kernels/explain/explain.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "kernels/base/read_file.h"
#include "kernels/emulator/forms/forms.h"
#include "kernels/ptx/program.h"

namespace lanescope::explain {
namespace {

TEST(Explain, EveryMnemonicOfPtxHasWords) {
  for (const std::string_view name : emulator::mnemonics()) {
    const Explanation e = explain(name);
    // Some say nothing without their first modifiers.
    bool any = !e.does.empty();
    for (const emulator::Form& form : emulator::forms()) {
      if (any) break;
      for (const std::string& instance : emulator::instances(form))
        any = any || (emulator::mnemonic_of(instance) == name && !explain(emulator::opcode_of(instance)).does.empty());
    }
    EXPECT_TRUE(any) << name;
  }
}

/// The last statement of an instance: what comes before sets the scene.
std::string_view statement_of(std::string_view instance) {
  const std::size_t semicolon = instance.rfind(';');
  return semicolon == std::string_view::npos ? instance : instance.substr(semicolon + 1);
}

/// Every instance of every form of PTX ISA 9.0: each modifier and operand has words, and no placeholder is left over.
TEST(Explain, EveryFormOfPtxIsExplainedFully) {
  std::map<std::string, std::string> unknown;
  std::size_t instances = 0;
  for (const emulator::Form& form : emulator::forms()) {
    // Products differ in hundreds of shapes; one in seven of them is enough.
    std::size_t nth = 0;
    for (const std::string& instance : emulator::instances(form)) {
      if (instance.starts_with("wgmma.mma_async") && nth++ % 7 != 0) continue;
      ++instances;
      const Explanation e = explain(statement_of(instance));
      for (const std::string& part : e.unknown()) unknown.emplace(part, instance);
      const Explanation bare = explain(emulator::opcode_of(instance));
      EXPECT_EQ(bare.does.find_first_of("{}[]"), std::string::npos) << instance << "\n" << bare.does;
      EXPECT_FALSE(e.does.empty()) << instance;
    }
  }
  for (const auto& [part, instance] : unknown) ADD_FAILURE() << part << "  in  " << instance;
  EXPECT_GT(instances, 3000u);
}

TEST(Explain, EverySpecialRegisterHasWords) {
  for (int n = 1; n < static_cast<int>(ptx::Special::unknown); ++n) {
    const std::string name(ptx::name_of(static_cast<ptx::Special>(n)));
    if (name.empty()) continue;
    const Explanation e = explain("mov.u32 %r1, " + name + ";");
    EXPECT_TRUE(e.complete()) << name;
    EXPECT_EQ(e.parts.back().words.find("the register"), std::string::npos) << name << ": " << e.parts.back().words;
  }
}

TEST(Explain, NamesTheOperandsAsWritten) {
  EXPECT_EQ(explain("mul.wide.s32 %rd4, %r1, 4;").does,
            "Multiplies %r1 by 4 as 32-bit signed integers and writes the whole product, twice as wide, to %rd4.");
  EXPECT_EQ(explain("@!%p1 setp.geu.f32 %p2, %f1, 0f3F800000;").does,
            "Sets %p2 to true in each thread where %f1 is at least (or one is NaN) 0f3F800000, read as 32-bit floats.");
  EXPECT_EQ(explain("cvt.rn.f16.f32 %rs1, %f1;").does,
            "Converts %f1 from 32-bit floats to 16-bit floats (half), to the nearest value, and writes it to %rs1.");
  EXPECT_EQ(explain("ld.global.nc.L1::no_allocate.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1+16];").does,
            "Loads 16 bytes from global memory at [%rd1+16] into {%f1, %f2, %f3, %f4}.");
  EXPECT_EQ(explain("LDG.E.128.CONSTANT R4, [R2.64+0x10] ;").does,
            "Loads 16 bytes from global memory at [R2.64+0x10] into R4.");
  const Explanation guarded = explain("@!%p1 bra $L__BB0_2;");
  EXPECT_EQ(guarded.parts.front().words, "only threads in which %p1 is false execute it");
  EXPECT_EQ(explain("mov.f32 %f1, 0f40490FDB;").parts.back().words, "the constant 3.1415927");
  EXPECT_EQ(explain("mov.f64 %fd1, 0dBFF0000000000000;").parts.back().words, "the constant -1");
}

/// Words without a row are reported, and never guessed.
TEST(Explain, SaysWhatItDoesNotKnow) {
  EXPECT_EQ(explain("ld.global.zz.f32 %f1, [%rd1];").unknown(), std::vector<std::string>{".zz"});
  EXPECT_TRUE(explain("frobnicate.u32 %r1, %r2;").does.empty());
  EXPECT_FALSE(explain("frobnicate.u32 %r1, %r2;").complete());
  EXPECT_FALSE(explain("XYZZY R1, R2 ;").complete());
  EXPECT_FALSE(explain("LDG.E.QUUX R1, [R2.64] ;").complete());
  EXPECT_FALSE(explain("").complete());
  EXPECT_FALSE(explain("@").complete());
}

TEST(Explain, CommonMachineInstructionsAreExplainedFully) {
  for (const char* line : {"LDG.E.128 R4, [R2.64] ;",
                           "LDG.E.64.CONSTANT R4, desc[UR4][R2.64+0x80] ;",
                           "STG.E [R2.64+0x4], R5 ;",
                           "LDS.128 R8, [R0+UR4] ;",
                           "STS.U16 [R3], R4 ;",
                           "LDSM.16.MT88.4 R12, [R9] ;",
                           "SHFL.BFLY PT, R7, R6, 0x10, 0x1f ;",
                           "IMAD.WIDE R2, R7, R2, c[0x0][0x160] ;",
                           "IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28] ;",
                           "LOP3.LUT R0, R4, 0x1f, RZ, 0xc0, !PT ;",
                           "PRMT R5, R2, 0x5410, R3 ;",
                           "BAR.SYNC.DEFER_BLOCKING 0x0 ;",
                           "@P0 BRA `(.L_x_3) ;",
                           "BSSY B0, `(.L_x_1) ;",
                           "BSYNC B0 ;",
                           "WARPSYNC 0xffffffff ;",
                           "HMMA.16816.F32 R4, R8, R12, R4 ;",
                           "MUFU.RCP R3, R2 ;",
                           "ATOMG.E.ADD.STRONG.GPU PT, R3, [R2.64], R5 ;",
                           "RED.E.ADD.F32.STRONG.GPU [R2.64], R5 ;",
                           "ISETP.GE.U32.AND P0, PT, R0, c[0x0][0x170], PT ;",
                           "IADD3 R2, P0, R4, R5, RZ ;",
                           "S2R R0, SR_TID.X ;",
                           "FFMA.FTZ R3, -R2, |R4|, R5.reuse ;",
                           "EXIT ;",
                           "ULDC.64 UR4, c[0x0][0x118] ;",
                           "LDGSTS.E.BYPASS.128 [R4], [R2.64] ;",
                           "LDGDEPBAR ;",
                           "DEPBAR.LE SB0, 0x1 ;"}) {
    const Explanation e = explain(line);
    EXPECT_EQ(e.set, InstructionSet::sass);
    for (const std::string& part : e.unknown()) ADD_FAILURE() << part << "  in  " << line;
  }
}

/// As many instructions as the parser reads, at the same lines.
TEST(Explain, ReadsTheInstructionsOfModules) {
  for (const char* name : {"assets/kernels/half2_transposes.plain.ptx", "assets/kernels/blur_fused.plain.ptx",
                           "tests/data/ptx/language_sm90.ptx", "tests/data/ptx/language_sm75.ptx",
                           "tests/data/ptx/machine_sm100.ptx", "tests/data/ptx/language_sm90_debug.ptx"}) {
    const auto text = read_file(std::string(LANESCOPE_SOURCE_DIR) + "/" + name);
    ASSERT_TRUE(text) << name;
    const auto module = ptx::parse(*text);
    ASSERT_TRUE(module) << name;
    std::multiset<int> lines;
    for (const ptx::Entry& entry : module->entries)
      for (const ptx::Instruction& i : entry.code)
        if (i.opcode != "lanescope.probe") lines.insert(i.text_line);
    std::multiset<int> read;
    for (const Statement& s : statements_of(*text)) {
      read.insert(s.line);
      const Explanation e = explain(s.text);
      for (const std::string& part : e.unknown())
        ADD_FAILURE() << name << ":" << s.line << " " << part << " in " << s.text;
    }
    EXPECT_EQ(read, lines) << name;
  }
}

/// For any input, it ends, and what it says covers every piece of the text.
TEST(Explain, AnyTextIsCutIntoItsPieces) {
  std::mt19937 random(7);
  const std::string letters = "ldst.global%r1234,[]{}()@!;: +-_|\"/*\nAX";
  for (int round = 0; round < 4000; ++round) {
    std::string text;
    for (int n = static_cast<int>(random() % 40); n > 0; --n) text += letters[random() % letters.size()];
    const Explanation e = explain(text);
    for (const Part& part : e.parts) EXPECT_LE(part.text.size(), text.size() + 1);
    statements_of(text);
  }
}

// Constant memory is only read: an instruction that would write it has no words, while those that read it have.
TEST(Explain, NothingStoresToConstantMemory) {
  const Generation now{.arch = "sm_90", .name = "Hopper", .memory = access::h200_memory()};
  for (const char* text :
       {"st.const.u32 [a], %r1", "st.const.v4.f32 [a], {%f1, %f2, %f3, %f4}", "atom.const.add.u32 %r1, [a], 1",
        "red.const.add.u32 [a], 1", "@%p1 st.const.u8 [a], %rs1"}) {
    const Explanation e = explain(text, now);
    EXPECT_FALSE(e.complete()) << text;
    EXPECT_EQ(e.unknown(), std::vector<std::string>{".const"}) << text;
    EXPECT_FALSE(e.route) << text;
    EXPECT_NE(e.does.find("only read"), std::string::npos) << text;
  }
  for (const char* text : {"ld.const.u32 %r1, [a]", "st.global.u32 [%rd1], %r1", "cvta.const.u64 %rd1, %rd2",
                           "atom.shared.add.u32 %r1, [a], 1"})
    EXPECT_TRUE(explain(text, now).complete()) << text;
}

}  // namespace
}  // namespace lanescope::explain
