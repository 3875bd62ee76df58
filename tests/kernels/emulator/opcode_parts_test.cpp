// Instructions with a part or an operand that they do not have are refused by name; those of compilers are known.

#include <filesystem>

#include "kernels/base/read_file.h"
#include "kernels/emulator/decode/decoder.h"
#include "tests/kernels/emulator/harness.h"

namespace lanescope::emulator::test {
namespace {

std::string refusal(const std::string& statement) {
  const auto module = ptx::parse(kernel(statement + "\n", 1), "test.ptx");
  if (!module) return "the parser: " + module.error()[0].message;
  std::vector<trace::Buffer> buffers{buffer_of("out", std::vector<std::uint32_t>(64))};
  const auto result = run(*module, launch_of(1, 32, 1), buffers, {});
  if (!result) return result.error()[0].message;
  return result->faults.empty() ? std::string() : result->faults[0].message;
}

TEST(OpcodeParts, AMisspeltOneIsRefusedByName) {
  const struct {
    const char *statement, *part;
  } cases[] = {{"ld.globul.u32 %r0, [%rd0];", "globul"},
               {"st.global.v3.u32 [%rd0], %r0;", "v3"},
               {"ld.global.nx.u32 %r0, [%rd0];", "nx"},
               {"atom.global.add.sys_wide.u32 %r0, [%rd0], 1;", "sys_wide"},
               {"red.global.addd.add.u32 [%rd0], 1;", "addd"},
               {"shfl.sync.butterfly.b32 %r0, %r1, 1, 31, -1;", "butterfly"},
               {"bar.sink 0;", "sink"},
               {"vote.sync.balot.b32 %r0, %p1, -1;", "balot"},
               {"redux.sync.plus.u32 %r0, %r1, -1;", "plus"},
               {"mov.fast.u32 %r0, %r1;", "fast"},
               {"cvta.to.globul.u64 %rd1, %rd0;", "globul"},
               {"setp.equal.u32 %p1, %r0, %r1;", "equal"},
               {"membar.grid;", "grid"},
               {"prefetch.globall.L2 [%rd0];", "globall"},
               {"bra.uniform done; done:", "uniform"}};
  for (const auto& c : cases) {
    const std::string said = refusal(c.statement);
    EXPECT_TRUE(said.find(std::string("`.") + c.part + "` is not known here") != std::string::npos ||
                said.find("does not support") != std::string::npos)
        << c.statement << ": " << said;
  }
}

TEST(OpcodeParts, AMissingOperandIsRefused) {
  for (const char* statement :
       {"ld.global.u32 %r0;", "st.global.u32 [%rd0];", "add.u32 %r0, %r1;", "add.u32 %r0;", "mad.lo.u32 %r0, %r1, %r2;",
        "add.u32 %r0, %r1, %r2, %r3;", "neg.s32 %r0, %r1, %r2;", "addc.u32 %r0, %r1;", "sqrt.rn.f32 %f0;",
        "shfl.sync.bfly.b32 %r0, %r1;", "setp.eq.u32 %p1, %r0;", "mov.u32 %r0;", "selp.b32 %r0, %r1, %r2;",
        "atom.global.add.u32 %r0, [%rd0];", "bra;", "vote.sync.ballot.b32 %r0;", "cvt.u32.u64 %r0;",
        "lop3.b32 %r0, %r1, %r2;", "and.pred %p1, %p2;"})
    EXPECT_NE(refusal(statement), "") << statement;
}

TEST(OpcodeParts, ThoseOfCompilersAreKnown) {
  int instructions = 0;
  for (const char* folder : {"/assets/kernels", "/tests/data"})
    for (const auto& file : std::filesystem::recursive_directory_iterator(std::string(LANESCOPE_SOURCE_DIR) + folder)) {
      if (file.path().extension() != ".ptx") continue;
      const auto module = ptx::parse(read_file(file.path().string()).value_or(""));
      if (!module) continue;
      for (const ptx::Entry& entry : module->entries)
        for (const ptx::Instruction& i : entry.code) {
          ++instructions;
          if (i.opcode == "cp" && i.has("bulk")) continue;  // tensor copies are refused by their own words
          EXPECT_EQ(unknown_part(i), "") << file.path() << ":" << i.text_line;
        }
    }
  EXPECT_GT(instructions, 1000);
}

}  // namespace
}  // namespace lanescope::emulator::test
