// Exit statuses and reports of runs whose values stand nowhere: what rests on a guess is neither right nor wrong (3), what does
// not rest on it stays what it is, and the guess is named first, once and shortly.

#include <nlohmann/json.hpp>

#include "kernels/compile/compile.h"
#include "tests/app/cli/program.h"

namespace lanescope::cli {
namespace {

using nlohmann::json;

class Assumed : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  }
  struct Reported {
    int status;
    json out;
    std::string err;
  };
  Reported reported(const std::string& command, const std::string& text, const std::string& options = "") {
    write("k.cu", text);
    const Result r = run(command + " --json '" + path("k.cu") + "' " + options);
    return {r.status, json::parse(r.out, nullptr, false), r.err};
  }
  Result words(const std::string& command, const std::string& text) {
    write("k.cu", text);
    return run(command + " '" + path("k.cu") + "'");
  }
  static std::string codes(const json& list) {
    std::string out;
    for (const json& a : list) out += (a.is_object() ? a["code"] : a).get<std::string>() + "; ";
    return out;
  }
  static const json* finding(const json& out, const std::string& rule) {
    for (const json& f : out["findings"])
      if (f["rule"] == rule) return &f;
    return nullptr;
  }
};

const std::string bounds = "__launch_bounds__(64) ";
const std::string shared_edge = "__global__ void " + bounds +
                                "k(int* p) {\n  __shared__ int x[64];\n  x[threadIdx.x + 32] = threadIdx.x;\n"
                                "  p[threadIdx.x] = x[threadIdx.x + 32];\n}\n";

// Static shared memory ends where it ends, for any launcher of the kernel.
TEST_F(Assumed, SharedMemoryThatTheKernelDeclaresIsNotFitted) {
  for (const char* command : {"review", "check", "run"}) {
    const Reported t = reported(command, shared_edge);
    EXPECT_EQ(t.status, 1) << command << t.out << t.err;
    EXPECT_EQ(t.out["faults"][0]["kind"], "out_of_bounds") << t.out;
    EXPECT_FALSE(t.out["faults"][0].contains("assumed")) << t.out["faults"];
    EXPECT_EQ(t.out.dump().find("shared_size"), std::string::npos) << t.out;
  }
  std::string dynamic = shared_edge;
  dynamic.replace(dynamic.find("__shared__ int x[64]"), 20, "extern __shared__ int x[]");
  const Reported t = reported("review", dynamic);
  EXPECT_EQ(t.status, 3) << t.out << t.err;
  EXPECT_NE(codes(t.out["assumed"]["geometry"]).find("shared_size; "), std::string::npos) << t.out["assumed"];
  const Result r = words("review", dynamic);
  EXPECT_NE(r.out.find("dynamic shared memory has 384 bytes"), std::string::npos) << r.out;
}

TEST_F(Assumed, DefaultArgumentsOfLaunches) {
  const Result r = run("run --json tests/data/strangers/default_arguments.cu");
  EXPECT_EQ(r.status, 0) << r.err;
  const json out = json::parse(r.out);
  EXPECT_EQ(out["outputs"]["data"]["values"], json(std::vector<int>(32, 1))) << out["outputs"];
  EXPECT_EQ(out["outputs"]["mark"]["values"], json(std::vector<int>(32, 107))) << out["outputs"];
  EXPECT_FALSE(out.contains("assumed")) << out["assumed"];
}

TEST_F(Assumed, PtxWithTooFewArgumentsIsRefused) {
  write("k.ptx",
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 n)\n{\n"
        "  .reg .u64 %a;\n  .reg .u32 %v;\n  ld.param.u64 %a, [p];\n  ld.param.u32 %v, [n];\n"
        "  st.global.u32 [%a], %v;\n  ret;\n}\n");
  write("few.toml", "args = [\"x\"]\nblock = 32\n[buffers]\nx = \"s32 n:32\"\n");
  const Result few = run("run '" + path("k.ptx") + "' --launch '" + path("few.toml") + "'");
  EXPECT_EQ(few.status, 2) << few.out;
  EXPECT_NE(few.err.find("few.toml:1"), std::string::npos) << few.err;
  EXPECT_NE(few.err.find("there is 1 argument, but k has 2 parameters"), std::string::npos) << few.err;
  write("all.toml", "args = [\"x\", 5]\nblock = 32\n[buffers]\nx = \"s32 n:32\"\n");
  EXPECT_EQ(run("run '" + path("k.ptx") + "' --launch '" + path("all.toml") + "'").status, 0);
}

// One race, four ways to launch it: it is certain only where nothing that it rests on is a guess.
TEST_F(Assumed, ARaceIsCertainWhereNoGuessLeadsToIt) {
  const std::string kernel =
      "__global__ void " + bounds +
      "k(const float* x, float* y, int n) {\n  __shared__ float s[64];\n  if (threadIdx.x < n) s[threadIdx.x] = "
      "x[threadIdx.x];\n  y[threadIdx.x] = s[63 - threadIdx.x];\n}\n";
  const std::string host = "int main() { float *x, *y; cudaMalloc(&x, 256); cudaMalloc(&y, 256); ";
  // The contents are unknown, and nothing depends on them.
  const Reported contents =
      reported("check", kernel + "void fill(float*);\n" + host + "fill(x); k<<<1, 64>>>(x, y, 64); }\n");
  EXPECT_EQ(contents.status, 1) << contents.out << contents.err;
  EXPECT_EQ(codes(contents.out["assumed"]["contents"]), "contents; ") << contents.out["assumed"];
  EXPECT_FALSE(contents.out["races"][0].contains("assumed")) << contents.out["races"];
  // Nothing gives n, which guards the store.
  const Reported scalar =
      reported("check", kernel + "int count();\n" + host + "cudaMemset(x, 0, 256); k<<<1, 64>>>(x, y, count()); }\n");
  EXPECT_EQ(scalar.status, 3) << scalar.out << scalar.err;
  EXPECT_EQ(codes(scalar.out["races"][0]["assumed"]), "n is 64; ") << scalar.out["races"];
  // Nothing launches it: the block is that of its bounds, one block or many, and n is a guess.
  const Reported alone = reported("review", kernel);
  EXPECT_EQ(alone.status, 3) << alone.out << alone.err;
  const json* race = finding(alone.out, "barrier-missing");
  ASSERT_NE(race, nullptr) << alone.out;
  EXPECT_EQ(codes((*race)["assumed"]), "n is 1024; ") << *race;
  const Result text = words("review", kernel);
  EXPECT_NE(text.out.find("error: if n is 1024 (assumed): "), std::string::npos) << text.out;
  // A header gives all of it.
  const Reported known = reported("review",
                                  "/*\n[lanescope]\nblock = 64\nargs = { n = 64 }\n[buffers]\nx = \"f32 i:64\"\n"
                                  "y = \"f32 i:64\"\n*/\n" +
                                      kernel);
  EXPECT_EQ(known.status, 1) << known.out;
  EXPECT_FALSE(known.out.contains("assumed")) << known.out["assumed"];
}

// An effect of a guess is carried through the buffers into later launches.
TEST_F(Assumed, GuessesReachLaterLaunches) {
  const std::string text =
      "__global__ void first(const int* x, int* i) { i[threadIdx.x] = x[threadIdx.x] & 7; }\n"
      "__global__ void second(const int* i, int* y) { y[i[threadIdx.x]] = threadIdx.x; }\n"
      "void fill(int*);\n"
      "int main() { int *x, *i, *y; cudaMalloc(&x, 128); cudaMalloc(&i, 128); cudaMalloc(&y, 128); FILL;\n"
      "  first<<<1, 32>>>(x, i); second<<<1, 32>>>(i, y); }\n";
  const auto with = [&](const std::string& fill) {
    std::string out = text;
    out.replace(out.find("FILL"), 4, fill);
    return reported("check", out);
  };
  const Reported guessed = with("fill(x)"), known = with("cudaMemset(x, 0, 128)");
  EXPECT_EQ(known.status, 1) << known.out << known.err;
  EXPECT_EQ(guessed.status, 3) << guessed.out;
  ASSERT_TRUE(guessed.out.contains("races")) << guessed.out;
  for (const json& race : guessed.out["races"]) EXPECT_EQ(codes(race["assumed"]), "`x` holds iota; ") << race;
}

// A kernel that is not followed (it calls malloc) rests on what is assumed of its own launch, and not of those whose buffers
// it does not get.
TEST_F(Assumed, GuessesOfOneKernelAreNotThoseOfAnother) {
  const std::string first =
      "template <int N> __global__ void __launch_bounds__(32) first(int* p, int m) {\n"
      "  if (threadIdx.x < m) p[threadIdx.x] = N;\n}\n";
  const std::string second =
      "__global__ void __launch_bounds__(32) second(int* q, int* r) {\n  int* x = (int*)malloc(4);\n"
      "  if (x == nullptr) return;\n  x[0] = r[0];\n  q[(threadIdx.x + x[0]) / 2] = threadIdx.x;\n  FREE;\n}\n";
  const auto with = [&](const std::string& r, const std::string& free) {
    std::string text =
        "/*\n[lanescope]\nblock = 32\n[[launch]]\nkernel = \"first\"\nargs = { p = \"p\" }\n[[launch]]\n"
        "kernel = \"second\"\nargs = [\"q\", \"" +
        r +
        "\"]\n[buffers]\np = \"s32 i:32 = zeros\"\n"
        "q = \"s32 i:64 = zeros\"\nr = \"s32 i:32 = zeros\"\n*/\n" +
        first + second;
    return reported("review", text.replace(text.find("FREE"), 4, free));
  };
  const Reported apart = with("r", "free(x)"), leak = with("r", "q[63] = 1"), handed_on = with("p", "free(x)");
  const json* race = finding(apart.out, "warp-sync-missing");
  ASSERT_NE(race, nullptr) << apart.out;
  EXPECT_FALSE(race->contains("assumed")) << *race;
  EXPECT_EQ(apart.status, 1) << apart.out["assumed"];
  const json* leaked = finding(leak.out, "heap-leak");
  ASSERT_NE(leaked, nullptr) << leak.out;
  EXPECT_FALSE(leaked->contains("assumed")) << *leaked;
  race = finding(handed_on.out, "warp-sync-missing");
  ASSERT_NE(race, nullptr) << handed_on.out;
  ASSERT_TRUE(race->contains("assumed")) << "first wrote p: " << handed_on.out;
  EXPECT_NE(codes((*race)["assumed"]).find("m is "), std::string::npos) << *race;
}

TEST_F(Assumed, AClaimThatHoldsRestsOnWhatItsElementsRestOn) {
  const auto kernel = [](const std::string& index) {
    return "__global__ void " + bounds + "k(const float* p, float* q, int pitch) {\n  float x = p[" + index +
           "];\n  // x\n  // register:\n  // thread: i4 i3 i2 i1 i0\n  // warp: i5\n  q[threadIdx.x] = x * pitch;\n}\n";
  };
  const Reported certain = reported("check", kernel("threadIdx.x"));
  EXPECT_EQ(certain.status, 0) << certain.out;
  EXPECT_FALSE(certain.out["claims"][0].contains("rests_on")) << certain.out["claims"];
  const Reported block = reported("check", kernel("blockIdx.x * 64 + threadIdx.x"));
  EXPECT_EQ(block.status, 3) << block.out;
  EXPECT_EQ(codes(block.out["claims"][0]["rests_on"]), "the grid is 1 x 1 x 1; ") << block.out["claims"];
  const Reported stated = reported("check", "// gridDim = {1}\n" + kernel("blockIdx.x * 64 + threadIdx.x"));
  EXPECT_EQ(stated.status, 0) << stated.out;
}

TEST_F(Assumed, OutputsOfARunRestOnEveryGuess) {
  const Result run = words("run", "__global__ void k(int* y, int seed) { y[threadIdx.x] = seed; }\n");
  EXPECT_NE(run.out.find("seed is "), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("ASSUMED: "), std::string::npos) << run.out;
}

TEST_F(Assumed, AReviewWithoutFindingsRestsOnWhatWasGuessed) {
  const std::string kernel =
      "__global__ void " + bounds + "k(float* y, int n) { if (threadIdx.x < n) y[threadIdx.x] = 1; }\n";
  const Reported guessed = reported("review", kernel);
  EXPECT_EQ(guessed.status, 3) << guessed.out;
  EXPECT_TRUE(guessed.out["findings"].empty()) << guessed.out;
  const Result text = words("review", kernel);
  EXPECT_EQ(text.out.find("ASSUMED: "), 0U) << text.out;
  EXPECT_EQ(text.out.find("ASSUMED: ", 1), std::string::npos) << text.out;
  const Reported known = reported("review", kernel +
                                                "int main() { float* y; cudaMalloc(&y, 256); cudaMemset(y, 0, 256);"
                                                " k<<<1, 64>>>(y, 64); }\n");
  EXPECT_EQ(known.status, 0) << known.out;
  EXPECT_FALSE(known.out.contains("assumed")) << known.out["assumed"];
}

TEST_F(Assumed, UncheckedClaimsAreThreeInAReviewAsInACheck) {
  const std::string text = "/*\n[lanescope]\nblock = 32\n[buffers]\np = \"f32 i:32\"\n*/\n__global__ void " + bounds +
                           "k(float* p) {\n  float x = p[threadIdx.x] + p[threadIdx.x ^ 1];\n"
                           "  // x has register assignment:\n"
                           "  //   thread: i4 i3 i2 i1 i0\n  __syncwarp();\n  p[threadIdx.x] = x + 1;\n}\n";
  for (const char* command : {"review", "check"})
    EXPECT_EQ(reported(command, text).status, 3) << reported(command, text).out;
}

// A fault names what it rests on once; a device that was queried forty times is one fact.
TEST_F(Assumed, AFaultNamesItsGuessesShortly) {
  std::string text =
      "__global__ void k(int* p, int n) { p[n * 100000000LL + threadIdx.x] = 1; }\nint unknown();\n"
      "int main() {\n  int v; int* p; cudaMalloc(&p, 128); cudaMemset(p, 0, 128);\n";
  for (int i = 0; i < 20; ++i) text += "  cudaDeviceGetAttribute(&v, cudaDevAttrMultiProcessorCount, 0);\n";
  text += "  k<<<1, 32>>>(p, unknown() + 1);\n}\n";
  const Result r = words("run", text);
  if (r.status == 0) return;  // n is taken as 0
  EXPECT_EQ(r.status, 3) << r.err;
  EXPECT_NE(r.err.find("if n is "), std::string::npos) << r.err;
  EXPECT_LT(r.err.size(), 600U) << r.err;
  EXPECT_EQ(r.err.find("compute capability"), std::string::npos) << r.err;
  EXPECT_EQ(r.out.find("compute capability"), r.out.rfind("compute capability")) << r.out;
}

TEST_F(Assumed, AKernelThatWaitsForTheHostIsNoDeadlock) {
  const std::string text =
      "__global__ void k(volatile int* flag, int* out) { while (*flag == 0) {} out[threadIdx.x] = 1; }\n"
      "int main() { int *flag, *out; cudaHostAlloc((void**)&flag, 4, cudaHostAllocMapped); cudaMalloc(&out, 128);\n"
      "  *flag = 0; k<<<1, 32>>>(flag, out); SET cudaDeviceSynchronize(); }\n";
  const auto with = [&](const std::string& set) {
    std::string out = text;
    out.replace(out.find("SET"), 3, set);
    return reported("check", out);
  };
  const Reported set = with("*flag = 1;"), unset = with("");
  EXPECT_EQ(unset.status, 1) << unset.out << unset.err;
  EXPECT_EQ(set.status, 3) << set.out << set.err;
  EXPECT_EQ(codes(set.out["faults"][0]["assumed"]), "`flag` holds its contents at the launch; ") << set.out["faults"];
}

// The occupancy that CUDA reports to the host code and the one that the launch is held against are one.
TEST_F(Assumed, ACooperativeLaunchOfAsManyBlocksAsFitFits) {
  const std::string text =
      "#include <cooperative_groups.h>\n__global__ void k(float* p) {\n  __shared__ float s[12288];\n"
      "  s[threadIdx.x] = p[threadIdx.x];\n  cooperative_groups::this_grid().sync();\n"
      "  p[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x ^ 1];\n}\n"
      "int main() { int sms, per; float* p; cudaMalloc(&p, 1 << 20); cudaMemset(p, 0, 1 << 20);\n"
      "  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);\n"
      "  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per, k, 64, 0);\n"
      "  void* args[] = {&p};\n  cudaLaunchCooperativeKernel((void*)k, GRID, 64, args); }\n";
  const auto with = [&](const std::string& grid) {
    std::string out = text;
    out.replace(out.find("GRID"), 4, grid);
    return reported("run", out);
  };
  const Reported fits = with("sms * per"), large = with("5000");
  EXPECT_NE(fits.status, 2) << fits.err;
  EXPECT_EQ(fits.err.find("too large"), std::string::npos) << fits.err;
  EXPECT_EQ(large.status, 2) << large.err;
}

TEST_F(Assumed, ALaunchWithoutAResultIsTold) {
  const std::string kernel = "__global__ void k(float* p, int n) { if (threadIdx.x > n) p[threadIdx.x] = 1; }\n";
  const std::string host = "int main() { float* p; cudaMalloc(&p, 4096); cudaMemset(p, 0, 4096); k<<<1, 32>>>(p, ";
  const std::string words = "it has no visible result";
  EXPECT_NE(reported("run", kernel + host + "1000); }\n").out["notices"].dump().find(words), std::string::npos);
  EXPECT_EQ(reported("run", kernel + host + "10); }\n").out.dump().find(words), std::string::npos);
}

}  // namespace
}  // namespace lanescope::cli
