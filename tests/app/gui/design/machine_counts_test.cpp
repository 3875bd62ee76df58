// Machine instructions of a kernel, and the same by nvdisasm where it is installed.

#include "app/gui/design/improvement.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "kernels/base/process.h"
#include "kernels/compile/compile.h"
#include "profiling/cupti/machine_code.h"

namespace lanescope::gui {
namespace {

namespace fs = std::filesystem;

constexpr const char* kernel_of_counts = R"(/*
[lanescope]
block = 32
kernel = "turn"

[buffers]
p = "u32 i:32"
*/
extern "C" __global__ void other(unsigned *p) { p[threadIdx.x] = 1; }
extern "C" __global__ void turn(unsigned *p) {
  const unsigned x = p[threadIdx.x], y = __shfl_xor_sync(~0u, x, 1);
  p[threadIdx.x] = threadIdx.x % 2 ? __byte_perm(x, y, 0x5410) : __byte_perm(x, y, 0x7632);
}
)";

TEST(MachineCountsOfKernels, AreOfTheKernelThatTheHeaderLaunches) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "SKIPPED, no NVRTC";
  const auto counts = machine_counts("turn.cu", kernel_of_counts, "sm_90", {});
  ASSERT_TRUE(counts) << to_string(counts.error().front());
  EXPECT_EQ(counts->shuffles, 1);
  EXPECT_GE(counts->permutes + counts->selects, 2);
  EXPECT_GT(counts->all, 8);
  std::string wrong = kernel_of_counts;
  wrong.replace(wrong.find("~0u"), 3, "~0u +*");
  EXPECT_FALSE(machine_counts("turn.cu", wrong, "sm_90", {}));
}

TEST(MachineCountsOfKernels, AreThoseOfTheDisassembler) {
  const std::string disassembler = cupti::find_nvdisasm();
  const fs::path assembler = fs::path(disassembler).parent_path() / "ptxas";
  if (disassembler.empty() || !fs::exists(assembler) || !compile::toolchain().nvrtc)
    GTEST_SKIP() << "SKIPPED, needs NVRTC, ptxas and nvdisasm";
  const auto source = source::read("turn.cu", kernel_of_counts, {.watch_probes = false, .options = {}});
  ASSERT_TRUE(source);
  const auto compiled = compile::compile(*source, compile::Variant::plain, {.arch = "sm_90", .extra = {}});
  ASSERT_TRUE(compiled);
  const fs::path ptx = fs::path(testing::TempDir()) / "machine_counts.ptx",
                 cubin = fs::path(testing::TempDir()) / "machine_counts.cubin";
  std::ofstream(ptx) << compiled->compiled.ptx;
  ask_child({assembler.string(), "-arch=" + compiled->compiled.arch, "-o", cubin.string(), ptx.string()}, {}, "ptxas",
            std::chrono::seconds(60));
  std::stringstream bytes;
  bytes << std::ifstream(cubin, std::ios::binary).rdbuf();
  const auto lines = cupti::disassemble(bytes.str());
  ASSERT_TRUE(lines) << to_string(lines.error().front());
  for (const auto& [name, counts] : compile::machine_counts(bytes.str())) {
    int shuffles = 0, selects = 0, permutes = 0;
    for (const cupti::SassLine& line : *lines) {
      if (line.function != name) continue;
      const cupti::SassKind kind = cupti::kind_of(line.text);
      shuffles += kind == cupti::SassKind::shuffle, selects += kind == cupti::SassKind::select;
      permutes += kind == cupti::SassKind::permute;
    }
    EXPECT_EQ(counts.shuffles, shuffles) << name;
    EXPECT_EQ(counts.selects, selects) << name;
    EXPECT_EQ(counts.permutes, permutes) << name;
  }
}

}  // namespace
}  // namespace lanescope::gui
