// Options of the compiler as a shell gives them, and as files around a kernel do.

#include <nlohmann/json.hpp>

#include "kernels/compile/compile.h"
#include "tests/app/cli/program.h"

namespace lanescope::cli {
namespace {

using nlohmann::json;

constexpr const char* optional_kernel = R"(#include "helper.h"
#ifndef X
#error X is not defined
#endif
__global__ void k(int* p) { p[threadIdx.x] = twice(threadIdx.x) + X; }
)";

class CompilerOptions : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
    for (const char* folder : {".git", "src", "common", "other"}) std::filesystem::create_directories(folder_ / folder);
    write("src/k.cu", optional_kernel);
    write("common/helper.h", "__device__ int twice(int x) { return 2 * x; }\n");
    write("other/helper.h", "__device__ int twice(int x) { return 3 * x; }\n");
  }
  /// Whose text the kernel was compiled from: element 1 of p is 2 or 3, and X.
  std::string digest(const std::string& more) const {
    const Result r = run("run --json " + path("src/k.cu") + more);
    return r.status == 0 ? json::parse(r.out)["outputs"]["p"]["sha256"].get<std::string>() : r.err + r.out;
  }
};

TEST_F(CompilerOptions, StandBehindTwoDashesForEveryCommand) {
  for (const std::string& command : std::vector<std::string>{"check", "review", "run", "occupancy", "annotate",
                                                             "render --view heat -o " + path("h.svg")}) {
    const Result r = run(command + " " + path("src/k.cu") + " -- -DX=1 -I " + path("common"));
    EXPECT_EQ(r.status, command == "review" ? 3 : 0) << command << r.err << r.out;  // the block is guessed
    EXPECT_EQ(r.err.find("error"), std::string::npos) << command << r.err;
  }
  EXPECT_NE(run("check " + path("src/k.cu")).err.find("k.cu:3:"), std::string::npos);
  EXPECT_NE(digest(" -- -DX=1 -I" + path("common")), digest(" -- -DX=2 -I" + path("common")));
  EXPECT_NE(digest(" -- -DX=1 -I" + path("common")), digest(" -- -DX=1 -I" + path("other")));
}

TEST_F(CompilerOptions, OfAPastedCommandAndOfTheProjectAreTheSame) {
  const std::string expected = digest(" -- -DX=1 -I" + path("common"));
  EXPECT_EQ(digest(" --nvcc 'nvcc -O3 -I../common -DX=1 k.cu -o k'"), expected);
  write(".lanescope.toml", "[compile]\ninclude = \"common\"\ndefine = { X = 1 }\n");
  EXPECT_EQ(digest(""), expected);
  EXPECT_NE(digest(" -- -DX=5"), expected);
  std::filesystem::remove(path(".lanescope.toml"));
  write("compile_commands.json", "[{\"directory\": \"" + folder_.string() +
                                     "\", \"file\": \"src/k.cu\", \"command\": \"nvcc -DX=1 -Icommon -c src/k.cu\"}]");
  EXPECT_EQ(digest(""), expected);
}

TEST_F(CompilerOptions, AreListedWithTheirOrigin) {
  write(".lanescope.toml", "[compile]\ndefine = [\"X=1\", \"Y\"]\n");
  const Result r = run("check -v " + path("src/k.cu") + " -- -DX=2 -O3");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_NE(r.out.find("option: -DX=2 (define; command line)"), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("option: -DY (define; "), std::string::npos);
  EXPECT_NE(r.out.find("option not used: -DX=1 (-DX=2 counts (command line)"), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("option not used: -O3"), std::string::npos);
  EXPECT_NE(r.out.find("note: "), std::string::npos);
  EXPECT_NE(r.out.find("inferred: -I ../common, where helper.h is (the nearest; also in ../other)"), std::string::npos)
      << r.out;
}

TEST_F(CompilerOptions, AMistakeInTheProjectFileIsAtItsPlace) {
  write(".lanescope.toml", "[compile]\ndefines = []\n");
  const Result r = run("check " + path("src/k.cu"));
  EXPECT_EQ(r.status, 2);
  EXPECT_NE(r.err.find(".lanescope.toml:2:1: there is no key `defines`"), std::string::npos) << r.err;
  // A file that was not named only brings a warning.
  std::filesystem::remove(path(".lanescope.toml"));
  write("compile_commands.json", "[{\"file\": \"src/k.cu\"");
  EXPECT_EQ(run("check " + path("src/k.cu") + " -- -DX=1").status, 0);
}

TEST_F(CompilerOptions, AFileMayStillStandBehindTwoDashes) {
  EXPECT_EQ(run("check -- " + path("src/k.cu") + " -DX=1").status, 0);
  EXPECT_EQ(run("occupancy --registers 32 --threads 64 -- -DX").status, 2);
  EXPECT_EQ(run("check -- -no-such.cu").status, 2);
}

TEST_F(CompilerOptions, ReachAWorkerWithTheHeadersThatTheyFind) {
  const std::string here = digest(" -- -DX=1");
  EXPECT_EQ(digest(" --via '" + std::string(program) + " worker' -- -DX=1"), here);
  write(".lanescope.toml", "[compile]\ninclude = \"other\"\ndefine = { X = 1 }\n");
  const std::string project = digest("");
  EXPECT_NE(project, here);
  EXPECT_EQ(digest(" --via '" + std::string(program) + " worker'"), project);
}

TEST_F(CompilerOptions, ALaunchFileWithoutATableIsOneFromItsTop) {
  // The second parameter is a pointer by what the launch says alone: nothing reads through it.
  write("k.ptx",
        ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u64 b)\n{\n"
        ".reg .b64 %rd<3>;\n.reg .b32 %r<2>;\nld.param.u64 %rd1, [a];\nld.param.u64 %rd2, [b];\nmov.u32 %r1, 7;\n"
        "st.global.u32 [%rd1], %r1;\nret;\n}\n");
  const std::string rest = "[buffers]\np = \"u32 n:4 = zeros\"\nq = \"u32 n:4\"\n";
  write("with.toml", "[lanescope]\nblock = 1\nargs = [\"p\", \"q\"]\n" + rest);
  write("without.toml", "block = 1\nargs = [\"p\", \"q\"]\n" + rest);
  const Result with = run("run --json " + path("k.ptx") + " --launch " + path("with.toml"));
  const Result without = run("run --json " + path("k.ptx") + " --launch " + path("without.toml"));
  EXPECT_EQ(with.status, 0) << with.err;
  EXPECT_EQ(without.status, 0) << without.err;
  EXPECT_EQ(with.out, without.out);
  // The word in a name or a comment states no arguments.
  write("named.toml", "block = 1 # without args\n[buffers]\na = \"u32 n:4 = zeros\"\nargs_left = \"u32 n:4\"\n");
  write("plain.toml", "block = 1\n[buffers]\na = \"u32 n:4 = zeros\"\nb_left = \"u32 n:4\"\n");
  EXPECT_EQ(run("run " + path("k.ptx") + " --launch " + path("named.toml")).status,
            run("run " + path("k.ptx") + " --launch " + path("plain.toml")).status);
}

}  // namespace
}  // namespace lanescope::cli
