// threads, resources, and what occupancy takes beside a kernel: as a shell sees them.

#include <cmath>
#include <nlohmann/json.hpp>

#include "kernels/compile/compile.h"
#include "profiling/cupti/machine_code.h"
#include "tests/app/cli/program.h"
#include "tests/stand_in_disassembler.h"
#include "viz/views/base/csv.h"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class Costs : public ProgramTest {
 protected:
  json asked(const std::string& arguments, int status = 0) const {
    const Result r = run(arguments + " --json");
    EXPECT_EQ(r.status, status) << arguments << "\n" << r.err;
    return json::parse(r.out, nullptr, false);
  }
};

TEST_F(Costs, ThreadsOfABlockOf40By2) {
  const Result r = run("threads --block 40,2");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.out,
            "40 x 2 threads: 80 in 3 warps; 16 of 96 lanes are idle (16.7 %)\n"
            "  warp 0   lanes 0 to 31: (0,0,0) to (31,0,0)\n"
            "  warp 1   lanes 0 to 7: (32,0,0) to (39,0,0); lanes 8 to 31: (0,1,0) to (23,1,0)\n"
            "  warp 2   lanes 0 to 15: (24,1,0) to (39,1,0); lanes 16 to 31: idle\n");
  const json one = asked("threads --block 40,2 --grid 3,2 --block-index 1,1 --thread 1,1 --tile 8")["thread"];
  EXPECT_EQ(one["in_block"], 41);
  EXPECT_EQ(one["in_grid"], 4 * 80 + 41);
  EXPECT_EQ(one["warp"], 1);
  EXPECT_EQ(one["lane"], 9);
  EXPECT_EQ(one["rank_in_row"], 1);
  EXPECT_EQ(one["tile"], 5);
  EXPECT_EQ(one["rank_in_tile"], 1);
  // Of a file: its launch.
  EXPECT_EQ(asked("threads assets/kernels/block_40x2.cu")["idle_lanes"], 16);
}

TEST_F(Costs, ThreadsThatThereAreNotAreRefused) {
  const std::pair<std::string, std::string> mistakes[] = {
      {"threads", "a kernel file or --block is needed"},
      {"threads --block 2048", "at most 1024"},
      {"threads --block 0", "an extent of 0"},
      {"threads --block 40,2 --thread 40", "has no thread (40,0,0)"},
      {"threads --block 40,2 --grid 2 --block-index 2", "has no block (2,0,0)"},
      {"threads none.cu", "no such file"},
      {"threads --block 32 --tile 3", "--tile"}};
  for (const auto& [arguments, words] : mistakes) {
    const Result r = run(arguments);
    EXPECT_EQ(r.status, 2) << arguments;
    EXPECT_NE(r.err.find(words), std::string::npos) << arguments << ": " << r.err;
  }
}

TEST_F(Costs, TheMapOfABlockIsDrawn) {
  const std::string draw = "render assets/kernels/block_40x2.cu --no-nvrtc --view block -o ";
  ASSERT_EQ(run(draw + path("b.csv")).status, 0);
  const auto table = views::csv::parse(slurp(path("b.csv")));
  ASSERT_EQ(table.size(), 97u);
  EXPECT_EQ(table[1 + 79][2], "0");
  EXPECT_EQ(table[1 + 80][2], "1");
  ASSERT_EQ(run(draw + path("b.svg") + " --tile 8 --label 'rank in its tile'").status, 0);
  EXPECT_NE(slurp(path("b.svg")).find("tiles of 8 threads"), std::string::npos);
  EXPECT_EQ(run(draw + path("b.svg") + " --label nonsense").status, 2);
  EXPECT_EQ(run(draw + path("b.svg") + " --tile 5").status, 2);
}

// A larger carveout never leaves fewer blocks; shared memory and L1 together stay what they are.
TEST_F(Costs, ACarveoutDividesSharedMemoryAndL1) {
  int before = 0;
  for (int percent = 0; percent <= 100; percent += 10) {
    const json j =
        asked(fmt::format("occupancy --gpu H200 --registers 32 --threads 128 --shared 20000 --carveout {}", percent));
    const json& split = j["split"];
    EXPECT_EQ(split["carveout_percent"], percent);
    EXPECT_EQ(split["shared_bytes"].get<int>() + split["l1_bytes"].get<int>(), 262144);
    EXPECT_GE(split["shared_bytes"].get<double>(), 2334.72 * percent);
    EXPECT_GE(j["blocks"].get<int>(), before);
    before = j["blocks"].get<int>();
    EXPECT_LE(j["blocks"].get<int>() * 21024, split["shared_bytes"].get<int>());
  }
  EXPECT_EQ(before, 11) << "233,472 bytes for blocks of 20,000 and 1,024, in units of 128";
  const Result none = run("occupancy --gpu P100 --registers 32 --threads 128 --carveout 50");
  EXPECT_EQ(none.status, 2);
  EXPECT_NE(none.err.find("has no carveout"), std::string::npos) << none.err;
}

// The occupancy API of the kernel notes: blocks of 8 bytes a thread.
TEST_F(Costs, SharedMemoryAsAFunctionOfThreads) {
  const std::string kernel = "occupancy --gpu P100 --registers 26 --threads 256 ";
  const json each = asked(kernel + "--shared-per-thread 8"), formula = asked(kernel + "--shared-formula 'threads*8'");
  EXPECT_EQ(each["suggestions"], formula["suggestions"]);
  for (const json& s : each["suggestions"])
    EXPECT_EQ(s["dynamic_shared_bytes"].get<int>(), 8 * s["threads_per_block"].get<int>());
  EXPECT_EQ(asked(kernel + "--shared-per-thread 64")["blocks"], 4) << "65,536 / (256 * 64)";
  EXPECT_EQ(asked(kernel)["suggestions"][0]["blocks_to_fill_the_gpu"], 112);
  EXPECT_EQ(asked(kernel)["most_threads_per_block"], 1024);
  for (const std::string wrong : {"--shared-formula 'lanes*8'", "--shared-formula '-threads'",
                                  "--shared-formula '8/(threads-7)'", "--shared-formula 'threads*8' --shared 4"}) {
    const Result r = run(kernel + wrong);
    EXPECT_EQ(r.status, 2) << wrong;
    EXPECT_FALSE(r.err.empty());
  }
}

// Fermi of the execution notes, with its own numbers in place of the table's: 800 x 92 bytes, 36 warps rounded there.
TEST_F(Costs, LittlesLawTakesOnesOwnNumbers) {
  const auto memory = [&](const std::string& more) {
    return asked("occupancy --gpu Fermi --registers 20 --threads 256 " + more)["in_flight"][1];
  };
  const json table = memory(""), same = memory("--latency 800 --bandwidth 144");
  EXPECT_EQ(table["needed_warps"], same["needed_warps"]);
  EXPECT_EQ(memory("--latency 400")["needed_warps"].get<int>(), std::ceil(400 * 92 / 4 / 32.0 / 16));
  EXPECT_EQ(memory("--bandwidth 288")["needed_warps"].get<int>(), std::ceil(800 * 184 / 4 / 32.0 / 16));
  EXPECT_EQ(memory("--bytes-per-thread 16")["needed_warps"].get<int>(), std::ceil(800 * 92 / 16 / 32.0 / 16));
  const json arithmetic =
      asked("occupancy --gpu Fermi --registers 20 --threads 256 --arithmetic-latency 10")["in_flight"][0];
  EXPECT_EQ(arithmetic["needed_warps"], 10);
}

TEST_F(Costs, LimitsAreListedWithTheirSources) {
  const json h200 = asked("occupancy --gpu P100 --limits");
  std::map<std::string, json> by_name;
  for (const json& one : h200["limits"]) {
    EXPECT_GE(one["source"].get<std::string>().size(), 5u) << one;
    by_name[one["name"]] = one;
  }
  EXPECT_EQ(by_name["constant memory"]["value"], 65536);
  EXPECT_EQ(by_name["cores (single precision)"]["value"], 3584);
  EXPECT_EQ(by_name["L2"]["value"], 4194304);
  EXPECT_EQ(by_name["warps per multiprocessor"]["value"], 64);
  EXPECT_NEAR(by_name["peak of double precision"]["value"].get<double>(), 56 * 32 * 2 * 1.48, 0.01);
  EXPECT_FALSE(by_name["bandwidth of L2"].contains("value")) << "nothing says it";
  const Result text = run("occupancy --gpu P100 --limits");
  EXPECT_NE(text.out.find("not known"), std::string::npos);
  EXPECT_NE(text.out.find("source: "), std::string::npos);
  EXPECT_EQ(asked("occupancy --arch sm_35 --limits")["generation"], "Kepler");
  EXPECT_EQ(run("occupancy --gpu nonsense --limits").status, 2);
  EXPECT_EQ(run("occupancy assets/kernels/copy_float.cu --limits").status, 2);
}

class CostsWithCompiler : public Costs {
 protected:
  void SetUp() override {
    Costs::SetUp();
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  }
};

TEST_F(CostsWithCompiler, TheFloorOfARegisterLimitIsSaid) {
  const json rows = asked("occupancy assets/kernels/copy_float4.cu --caps 8,64")["caps"];
  ASSERT_EQ(rows.size(), 3u);
  for (const json& row : rows) {
    const bool above = row["cap"] > 0 && row["registers"].get<int>() > row["cap"].get<int>();
    EXPECT_EQ(row.contains("note"), above) << row;
  }
  EXPECT_TRUE(rows[1].contains("note")) << "ptxas keeps more than 8: " << rows[1];
}

// Launch bounds that are no whole number of warps: the largest block is the bound itself, and no smaller one is called
// better.
TEST_F(CostsWithCompiler, SuggestedBlocksGoUpToTheLaunchBounds) {
  for (const int bound : {60, 80, 33}) {
    write("bound.cu", fmt::format("/*\n[lanescope]\nblock = {0}\n\n[buffers]\nq = \"u32 i:{0}\"\n*/\n__global__ void "
                                  "__launch_bounds__({0}) k(unsigned* q) {{ q[threadIdx.x] = threadIdx.x; }}\n",
                                  bound));
    const json answer = asked("occupancy " + path("bound.cu"));
    EXPECT_EQ(answer["most_threads_per_block"], bound);
    ASSERT_FALSE(answer["suggestions"].empty());
    const json& best = answer["suggestions"][0];
    EXPECT_EQ(best["threads_per_block"], bound == 80 ? 64 : bound)
        << "32 blocks of 64 are more than 21 of 80: " << best;
    EXPECT_GE(best["percent"].get<double>(), answer["percent"].get<double>()) << best;
  }
}

// "Finding resource usage of kernels" of the shared slides: 1,536 bytes apart, 1,024 in the union.
TEST_F(CostsWithCompiler, ResourcesAreThoseOfTheSlides) {
  const auto shared = [&](const std::string& file) {
    int most = 0;
    const json answer = asked("resources assets/kernels/" + file);
    for (const json& k : answer["kernels"]) most = std::max(most, k["shared_bytes"].get<int>());
    return most;
  };
  EXPECT_EQ(shared("shared_separate.cu"), 1536);
  EXPECT_EQ(shared("shared_union.cu"), 1024);
  const Result text = run("resources assets/kernels/shared_separate.cu");
  EXPECT_NE(text.out.find("0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads, 1536 bytes smem"),
            std::string::npos)
      << text.out;
  EXPECT_EQ(run("resources none.cu").status, 2);
  EXPECT_EQ(run("resources " + data + "copy.ptx").status, 2);
  EXPECT_EQ(run("resources assets/kernels/shared_union.cu --no-nvrtc").status, 3);
}

// Machine code as text needs nvdisasm; without it, its name is reported and everything else is there.
TEST_F(CostsWithCompiler, WithoutADisassemblerItIsNamed) {
  const Result r = run("resources assets/kernels/shared_union.cu --sass");
  EXPECT_NE(r.out.find(" registers, "), std::string::npos) << r.out;
  if (cupti::find_nvdisasm().empty()) {
    EXPECT_EQ(r.status, 3);
    EXPECT_NE(r.err.find("nvdisasm"), std::string::npos) << r.err;
  } else {
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_NE(r.out.find("EXIT"), std::string::npos) << r.out;
  }
}

// A program of that name that prints what nvdisasm prints: its instructions come out under their lines of the source
// and beside the PTX, of the machine code that it was given.
TEST_F(CostsWithCompiler, WithADisassemblerTheCodeIsPrintedBesideSourceAndPtx) {
  const test::StandInDisassembler program(folder_);
  if (cupti::find_nvdisasm() != (folder_ / "bin/nvdisasm").string()) GTEST_SKIP() << "nvdisasm itself is on PATH";
  const std::string file = "assets/kernels/copy_float4.cu";
  const Result r = run("resources " + file + " --sass");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(slurp(program.seen()), "ELF") << "the disassembler was given machine code";
  EXPECT_EQ(slurp(program.calls()).substr(0, 10), "-c -gi -gp");
  EXPECT_NE(r.out.find("   23      q[i] = x;\n           0x0080  LDG.E.128 R8, desc[UR4][R2.64]"), std::string::npos)
      << r.out;
  EXPECT_NE(r.out.find("  // ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd6];"), std::string::npos)
      << "line 40 of the PTX that was assembled\n"
      << r.out;
  const json j = asked("resources " + file + " --sass");
  ASSERT_EQ(j["sass"].size(), 13u) << "without the NOP after the last instruction";
  EXPECT_EQ(j["sass"][8]["text"], "LDG.E.128 R8, desc[UR4][R2.64]");
  EXPECT_EQ(j["sass"][8]["line"], 23);
  EXPECT_EQ(j["sass"][8]["ptx_line"], 40);
  EXPECT_TRUE(j["sass"][8]["ptx"].get<std::string>().starts_with("ld.global.v4")) << j["sass"][8];
  // The same as a picture, which needs no GPU.
  EXPECT_EQ(run("render " + file + " --view sass -o " + path("code.svg")).status, 0);
  const std::string picture = slurp(path("code.svg"));
  for (const char* words : {"STG.E.128", "st.global.v4.u32", "from this PTX", "q[i] = x;", "not run on a GPU"})
    EXPECT_NE(picture.find(words), std::string::npos) << words;
  EXPECT_EQ(run("render " + file + " --view sass -o " + path("code.csv")).status, 0);
  EXPECT_EQ(slurp(path("code.csv")).substr(0, 38), "function,offset,line,text,ptx_line,ptx");
}

TEST_F(CostsWithCompiler, ADisassemblerThatKnowsNoPlacesIsAskedForTheCodeAlone) {
  const test::StandInDisassembler program(folder_, false);
  if (cupti::find_nvdisasm() != (folder_ / "bin/nvdisasm").string()) GTEST_SKIP() << "nvdisasm itself is on PATH";
  const json j = asked("resources assets/kernels/copy_float4.cu --sass");
  EXPECT_EQ(j["sass"].size(), 13u);
  EXPECT_FALSE(j["sass"][8].contains("ptx"));
  const std::string calls = slurp(program.calls());
  EXPECT_NE(calls.find("\n-c /"), std::string::npos) << calls;
}

TEST_F(CostsWithCompiler, APictureOfMachineCodeWithoutADisassemblerSaysWhatToInstall) {
  if (!cupti::find_nvdisasm().empty()) GTEST_SKIP() << "nvdisasm is installed";
  const Result r = run("render assets/kernels/copy_float4.cu --view sass -o " + path("code.svg"));
  EXPECT_EQ(r.status, 3);
  EXPECT_NE(r.err.find("install nvdisasm"), std::string::npos) << r.err;
  const std::string picture = slurp(path("code.svg"));
  for (const char* words : {"nvdisasm", "CUDA Toolkit", "The machine code without it", "14 registers"})
    EXPECT_NE(picture.find(words), std::string::npos) << words << "\n" << picture;
}

}  // namespace
}  // namespace lanescope::cli
