// Machine instructions of a kernel, with the real assembler and a disassembler that prints what the test says.

#include "app/gui/design/machine_counts.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "kernels/compile/compile.h"

namespace lanescope::gui {
namespace {

constexpr const char* kernel_of_counts = R"(/*
[lanescope]
block = 32

[buffers]
p = "u32 i:32"
*/
extern "C" __global__ void turn(unsigned *p) { p[threadIdx.x] = __shfl_xor_sync(~0u, p[threadIdx.x], 1); }
)";

class MachineCountsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    old_path_ = std::getenv("PATH") == nullptr ? "" : std::getenv("PATH");
    folder_ = std::filesystem::temp_directory_path() / ("lanescope_sass_test_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    for (const char* toolkit : {"/usr/local/cuda/bin/ptxas", "/usr/bin/ptxas"})
      if (std::filesystem::exists(toolkit)) assembler_ = toolkit;
    if (assembler_.empty() || !compile::toolchain().nvrtc) GTEST_SKIP() << "SKIPPED, no ptxas or no NVRTC";
  }
  void TearDown() override {
    ::setenv("PATH", old_path_.c_str(), 1);
    std::filesystem::remove_all(folder_);
  }
  void put_tools(bool with_assembler) {
    std::ofstream(folder_ / "nvdisasm") << "#!/bin/sh\ncat <<'END'\n"
                                           "\t.section\t.text.turn,\"ax\",@progbits\n"
                                           "        /*0000*/                   SHFL.BFLY PT, R3, R0, 0x1, 0x1f ;\n"
                                           "        /*0010*/              @!P0 SEL R4, R2, R3, P1 ;\n"
                                           "        /*0020*/                   SEL R5, R2, R3, P1 ;\n"
                                           "        /*0030*/                   PRMT R6, R5, 0x5410, R4 ;\n"
                                           "        /*0040*/                   NOP ;\n"
                                           "\t.section\t.text.other,\"ax\",@progbits\n"
                                           "        /*0000*/                   SHFL.BFLY PT, R3, R0, 0x1, 0x1f ;\n"
                                           "END\n";
    std::filesystem::permissions(folder_ / "nvdisasm", std::filesystem::perms::owner_all);
    if (with_assembler) std::filesystem::create_symlink(assembler_, folder_ / "ptxas");
    ::setenv("PATH", (folder_.string() + ":" + old_path_).c_str(), 1);
  }

  std::filesystem::path folder_;
  std::string old_path_, assembler_;
};

TEST_F(MachineCountsTest, AreOfTheKernelThatTheHeaderLaunches) {
  put_tools(true);
  const auto counts = machine_counts("turn.cu", kernel_of_counts, "sm_90", {});
  ASSERT_TRUE(counts) << to_string(counts.error().front());
  EXPECT_EQ(counts->shuffles, 1);
  EXPECT_EQ(counts->selects, 2);
  EXPECT_EQ(counts->permutes, 1);
  EXPECT_EQ(counts->all, 4) << "without NOP";
}

TEST_F(MachineCountsTest, AMissingToolAndAMistakeAreSaid) {
  put_tools(false);
  const auto no_assembler = machine_counts("turn.cu", kernel_of_counts, "sm_90", {});
  ASSERT_FALSE(no_assembler);
  EXPECT_NE(no_assembler.error().front().message.find("ptxas"), std::string::npos);
  std::filesystem::create_symlink(assembler_, folder_ / "ptxas");
  std::string wrong = kernel_of_counts;
  wrong.replace(wrong.find("~0u"), 3, "~0u +");
  EXPECT_FALSE(machine_counts("turn.cu", wrong, "sm_90", {}));
}

}  // namespace
}  // namespace lanescope::gui
