// Files as other people write and save them, through the program itself: rows that cannot be read, byte-order marks,
// launches in host code, kernels that take too long.

#include <chrono>
#include <nlohmann/json.hpp>

#include "kernels/compile/compile.h"
#include "tests/app/cli/program.h"

namespace lanescope::cli {
namespace {

using nlohmann::json;

const std::string mark = "\xEF\xBB\xBF";

class Strangers : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  }
};

TEST_F(Strangers, ClaimsWithUnreadRowsAreUnchecked) {
  const std::string file = "tests/data/strangers/unread_rows.cu";
  const Result check = run("check --json " + file);
  EXPECT_EQ(check.status, 3) << check.err;
  const json claims = json::parse(check.out)["claims"];
  ASSERT_EQ(claims.size(), 1U) << check.out;
  EXPECT_EQ(claims[0]["verdict"], "unchecked");
  const std::string reason = claims[0]["reason"];
  for (const char* row : {"3 rows", "line 12 `w0* <-> k7 nonsense`", "line 13 `r <-> nonsense`", "line 14 `xy r1 r0"})
    EXPECT_NE(reason.find(row), std::string::npos) << reason;
  const Result text = run("check " + file), review = run("review " + file);
  for (const Result* r : {&text, &review}) EXPECT_NE(r->out.find(reason), std::string::npos) << r->out;
  EXPECT_NE(review.out.find("claim-unchecked"), std::string::npos) << review.out;
}

// NVRTC 13.0 crashes on this text, others say that there is no such number.
TEST_F(Strangers, ACrashOfTheCompilerIsAnError) {
  write("crash.cu", "template <int a, int b> __global__ void __launch_bounds__(UNKNOWN * a) k(half* q) {}\n");
  const Result r = run("run '" + path("crash.cu") + "'");
  EXPECT_TRUE(r.status == 2 || r.status == 3) << r.status << r.err;  // 3: only the assumed instance is refused
  EXPECT_TRUE(r.err.find("NVRTC was ended by signal") != std::string::npos ||
              r.err.find("UNKNOWN") != std::string::npos)
      << r.err;
}

TEST_F(Strangers, ClaimsInOtherLettersAndFormsHold) {
  for (const char* file : {"byte_bits", "letters_and_dots"}) {
    const Result check = run(std::string("check --json tests/data/strangers/") + file + ".cu");
    EXPECT_EQ(check.status, 0) << check.out << check.err;
    const json out = json::parse(check.out);
    for (const json& claim : out["claims"]) EXPECT_EQ(claim["verdict"], "holds") << claim;
    EXPECT_NE(out["claims"][0]["read_as"].dump().find("b1 b0 are read as bits of the register"), std::string::npos);
  }
}

TEST_F(Strangers, AQuestionHasALineThatDecides) {
  const std::string body =
      "(const unsigned *p, unsigned *q) {\n  unsigned x = p[threadIdx.x];\n  // x has register assignment:\n"
      "  //   thread: ROW\n  q[threadIdx.x] = x;\n}\n";
  const auto kernel = [&](const std::string& name, const std::string& row) {
    std::string text = "__global__ void " + name + body;
    return text.replace(text.find("ROW"), 3, row);
  };
  write("two.cu", "/*\n[lanescope]\nblock = 32\n[buffers]\np = \"u32 i:32\"\nq = \"u32 i:32 = zeros\"\n*/\n" +
                      kernel("k", "a4 a3 a2 a1 a0") + kernel("other", "i0 i1 i2 i3 i4"));
  const Result check = run("check --json '" + path("two.cu") + "'"), text = run("check '" + path("two.cu") + "'");
  const json claims = json::parse(check.out)["claims"];
  ASSERT_EQ(claims.size(), 2U) << check.out;
  EXPECT_EQ(claims[0]["question"], json({{"words", "In which order are the axes of `p`?"},
                                         {"add", "p = \"u32 a:32\""},
                                         {"in_place_of", 5},
                                         {"then", "holds"}}));
  EXPECT_EQ(claims[1]["question"], json({{"words", "How is `other` launched? `--kernel other` runs it alone."},
                                         {"add", "kernel = \"other\""},
                                         {"before_line", 3},
                                         {"then", "differs"}}));
  EXPECT_NE(text.out.find("  question: In which order are the axes of `p`?\n"
                          "  it holds if `p = \"u32 a:32\"` stands in place of line 5\n"),
            std::string::npos)
      << text.out;
  EXPECT_NE(text.out.find("  it differs if `kernel = \"other\"` stands before line 3\n"), std::string::npos)
      << text.out;
  // `x` for `y` does not decide: its values depend on two elements.
  write("open.cu",
        "/*\n[lanescope]\n[buffers]\np = \"u32 i:32\"\n*/\n__global__ void k(unsigned *p) {\n"
        "  unsigned x = p[threadIdx.x] + p[threadIdx.x ^ 1];\n  // y has register assignment:\n"
        "  //   thread: i4 i3 i2 i1 i0\n  p[threadIdx.x] = x;\n}\n");
  const json open = json::parse(run("check --json '" + path("open.cu") + "'").out)["claims"];
  ASSERT_EQ(open.size(), 1U);
  EXPECT_FALSE(open[0].contains("question")) << open;
}

TEST_F(Strangers, SubarraysOfBlocksAndWarpsAreJudged) {
  const std::string kernel =
      "/* t\n[lanescope]\nblock = [32, 4]\ngrid = [4, 2]\n[buffers]\np = \"f32 i:8 j:4 k:64\"\n"
      "q = \"f32 i:8 j:4 k:64 = zeros\"\n*/\n"
      "// p[i,j,k], shape (8,4,64); each block processes a shape-(8,1,32) subarray.\n"
      "// Each warp processes a shape-(2,1,32) subarray of p.\n"
      "__global__ __launch_bounds__(128) void k(const float *p, float *q) {\n"
      "  unsigned s = blockIdx.x * 64 + blockIdx.y * 32 + threadIdx.x + threadIdx.y * 512;\n"
      "  q[s] = p[s];\n  q[s + 256] = p[s + 256];\n}\n";
  write("right.cu", kernel);
  const Result right = run("review --json '" + path("right.cu") + "'");
  EXPECT_EQ(right.out.find("pointer-offset"), std::string::npos) << right.out;
  const Result holds = run("check --json '" + path("right.cu") + "'");
  EXPECT_EQ(holds.status, 0) << holds.out;
  const json claims = json::parse(holds.out)["claims"];
  ASSERT_EQ(claims.size(), 2U) << holds.out;
  for (const json& claim : claims) {
    EXPECT_EQ(claim["kind"], "subarray");
    EXPECT_EQ(claim["verdict"], "holds") << claim;
  }
  EXPECT_EQ(claims[1]["line"], 10);
  const std::pair<const char*, const char*> wrong[] = {{"(8,1,32)", "(8,1,16)"},
                                                       {"(8,1,32)", "(4,1,32)"},
                                                       {"(2,1,32)", "(1,1,32)"},
                                                       {"(2,1,32)", "(2,1,31)"},
                                                       {"(8,1,32)", "(8,2,16)"}};
  for (const auto& [from, to] : wrong) {
    std::string text = kernel;
    text.replace(text.find(from), std::string(from).size(), to);
    write("wrong.cu", text);
    const Result r = run("review --json '" + path("wrong.cu") + "'");
    EXPECT_NE(r.out.find("pointer-offset-differs"), std::string::npos) << to << r.out;
    EXPECT_EQ(r.status, 1) << to;
    const Result check = run("check --json '" + path("wrong.cu") + "'");
    EXPECT_EQ(check.status, 1) << to << check.out;
    EXPECT_NE(check.out.find("\"difference\""), std::string::npos) << to;
  }
}

TEST_F(Strangers, LayoutsOfMemoryAreJudged) {
  const std::string kernel =
      "/* t\n[lanescope]\nblock = [32, 8]\n[buffers]\np = \"f32 i:8 j:32\"\nq = \"f32 i:8 j:32 = zeros\"\n*/\n"
      "__global__ __launch_bounds__(256) void k(const float *p, float *q) {\n  __shared__ float E[8][33];\n"
      "  E[threadIdx.y][threadIdx.x] = p[32 * threadIdx.y + threadIdx.x];\n  __syncthreads();\n"
      "  // shared: float E[8][33], (i, j)\n"
      "  q[32 * threadIdx.y + threadIdx.x] = E[threadIdx.y][threadIdx.x];\n}\n";
  write("layout.cu", kernel);
  const Result right = run("check --json '" + path("layout.cu") + "'");
  EXPECT_EQ(right.status, 0) << right.out;
  EXPECT_EQ(json::parse(right.out)["claims"][0]["kind"], "memory");
  EXPECT_EQ(json::parse(right.out)["claims"][0]["stated"], "(i, j), strides (33, 1)");
  std::string wrong = kernel;
  wrong.replace(wrong.find("// shared: float E[8][33]"), 25, "// shared: float E[8][32]");
  write("layout.cu", wrong);
  for (const char* command : {"check", "review"}) {
    const Result r = run(std::string(command) + " '" + path("layout.cu") + "'");
    EXPECT_EQ(r.status, 1) << r.out;
    EXPECT_NE(r.out.find("the stride of i is 33 elements, not 32"), std::string::npos) << r.out;
  }
}

TEST_F(Strangers, PlainWordsMarkAFindingAsIntended) {
  const std::string kernel =
      "/* t\n[lanescope]\nblock = 32\n[buffers]\np = \"f32 i:64\"\nq = \"f32 i:32\"\n*/\n"
      "__global__ __launch_bounds__(32) void k(const float *p, float *q) {\n  //WORDS\n"
      "  float x = p[2 * threadIdx.x];\n  q[threadIdx.x] = x;\n}\n";
  const std::pair<const char*, int> cases[] = {
      {" why not", 1}, {" uncoalesced, but only once", 0}, {" bank conflict on purpose", 1}};
  for (const auto& [words, status] : cases) {
    std::string text = kernel;
    text.replace(text.find("WORDS"), 5, words);
    write("words.cu", text);
    const Result r = run("review '" + path("words.cu") + "'");
    EXPECT_EQ(r.status, status) << words << r.out;
    EXPECT_NE(r.out.find("partial-lines"), std::string::npos) << r.out;
    EXPECT_EQ(r.out.find("intended, as line 9 says: \"uncoalesced, but only once\"") != std::string::npos, status == 0);
  }
}

TEST_F(Strangers, ConstantsBehindOtherWordsEnd) {
  for (const char* command : {"check", "review"}) {
    const Result r = run(std::string(command) + " --max-seconds 60 tests/data/strangers/constexpr_after_static.cu");
    EXPECT_LE(r.status, 1) << command << r.out << r.err;  // the review requests launch bounds
    EXPECT_EQ(r.err.find("timeout"), std::string::npos) << command << r.err;
  }
}

TEST_F(Strangers, EveryDeclaratorOfALaunchIsRead) {
  write("k.cu",
        "__global__ void k(float *q) { q[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n"
        "int main() { float *q; cudaMalloc(&q, 4096); dim3 grid(8), block(128); k<<<grid, block>>>(q); }\n");
  const Result r = run("run --json '" + path("k.cu") + "'");
  ASSERT_EQ(r.status, 0) << r.err;
  const json out = json::parse(r.out);
  EXPECT_NE(out["inferred"].dump().find("Block: 128 x 1 x 1 threads"), std::string::npos) << out["inferred"];
  EXPECT_NE(out["inferred"].dump().find("Grid: 8 x 1 x 1 blocks"), std::string::npos) << out["inferred"];
}

TEST_F(Strangers, AnAssertionThatHoldsAndAnInstructionThatIsNotReachedDoNotMatter) {
  for (const char* file : {"assertion.cu", "unreached_mma.cu"}) {
    const Result r = run(std::string("check tests/data/strangers/") + file);
    EXPECT_EQ(r.status, 0) << r.out << r.err;
    EXPECT_NE(r.out.find(": x holds\n1 claim: 1 holds"), std::string::npos) << r.out;
  }
}

TEST_F(Strangers, AnInstructionThatIsReachedIsNamedAndTheClaimBeforeItIsJudged) {
  std::string text = slurp(std::string(LANESCOPE_SOURCE_DIR) + "/tests/data/strangers/unreached_mma.cu");
  text.replace(text.find("go = 0"), 6, "go = 1");
  const std::string mma = "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc {%0,%1}, {%2}, {%3}, {%0,%1};";
  const std::string texture =
      "{ .reg .b32 %%x<2>; .reg .b64 %%t; cvt.u64.u32 %%t, %3; tex.1d.v4.s32.s32 {%0, %1, %%x0, %%x1}, [%%t, {%2}]; }";
  ASSERT_NE(text.find(mma), std::string::npos);
  text.replace(text.find(mma), mma.size(), texture);
  write("k.cu", text);
  const Result r = run("check '" + path("k.cu") + "'");
  EXPECT_EQ(r.status, 3) << r.out << r.err;
  EXPECT_NE(r.out.find("line 17: x holds"), std::string::npos) << r.out;
  EXPECT_NE(r.err.find(":19: "), std::string::npos) << r.err;
  EXPECT_NE(r.err.find("the emulator does not support `tex.1d"), std::string::npos) << r.err;
  EXPECT_EQ(run("run '" + path("k.cu") + "'").status, 3);
}

TEST_F(Strangers, WhatAKernelPrintsIsShown) {
  write("k.cu",
        "/*\n[lanescope]\nblock = 4\n[buffers]\np = \"f32 i:4\"\n*/\n"
        "__global__ void k(float *p) {\n  printf(\"%d \", threadIdx.x);\n  if (threadIdx.x == 2) printf(\"\\n%g|\\n\", "
        "p[2]);\n}\n");
  const Result plain = run("run '" + path("k.cu") + "'");
  EXPECT_EQ(plain.status, 0) << plain.err;
  EXPECT_NE(plain.out.find("0 1 2 3 \n2|\n\np  f32"), std::string::npos) << plain.out;
  const Result places = run("run -v '" + path("k.cu") + "'");
  EXPECT_NE(places.out.find("block (0,0,0), thread (2,0,0), warp 0, lane 2, line 9: 2|\n"), std::string::npos)
      << places.out;
  const json out = json::parse(run("run --json '" + path("k.cu") + "'").out);
  ASSERT_EQ(out["printed"].size(), 5u);
  EXPECT_EQ(out["printed"][4]["text"], "\n2|\n");
  EXPECT_EQ(out["printed"][4]["lane"], 2);
  EXPECT_EQ(out["printed"][4]["line"], 9);
  EXPECT_NE(run("check '" + path("k.cu") + "'").out.find("the kernel printed 2 lines"), std::string::npos);
}

TEST_F(Strangers, AByteOrderMarkChangesNothing) {
  const std::string text = slurp(std::string(LANESCOPE_SOURCE_DIR) + "/tests/data/strangers/axis_of_3_warps.cu");
  ASSERT_FALSE(text.empty());
  const std::string wrong = "__global__ void k(float *q) { q[0] = nothing; }\n";
  for (const std::string& each : {text, wrong}) {
    write("k.cu", each);
    const Result plain = run("check '" + path("k.cu") + "'");
    write("k.cu", mark + each);
    const Result marked = run("check '" + path("k.cu") + "'");
    EXPECT_EQ(plain, marked) << plain.out << plain.err << marked.out << marked.err;
  }
}

TEST_F(Strangers, AnnotateKeepsTheByteOrderMark) {
  const std::string text =
      "__global__ void k(const float *p, float *q) {\n  float x = p[threadIdx.x];\n  q[threadIdx.x] = x;\n}\n";
  write("k.cu", text);
  const Result plain = run("annotate '" + path("k.cu") + "'");
  ASSERT_EQ(plain.status, 0) << plain.err;
  ASSERT_NE(plain.out, text);
  write("k.cu", mark + text);
  ASSERT_EQ(run("annotate --in-place '" + path("k.cu") + "'").status, 0);
  EXPECT_EQ(slurp(path("k.cu")), mark + plain.out);
}

TEST_F(Strangers, HeadersWithAByteOrderMark) {
  write("h.h", mark + "__device__ inline float twice(float x) { return 2 * x; }\n");
  write("k.cu", mark + "#include \"h.h\"\n__global__ void k(float *q) { q[threadIdx.x] = twice(threadIdx.x); }\n");
  const Result r = run("run '" + path("k.cu") + "'");
  EXPECT_EQ(r.status, 0) << r.err;
}

TEST_F(ProgramTest, PtxWithAByteOrderMark) {
  for (const char* name : {"copy.ptx", "copy.toml"})
    write(name, mark + slurp(std::string(LANESCOPE_SOURCE_DIR) + "/tests/data/engine/" + name));
  const Result r = run("run '" + path("copy.ptx") + "' --launch '" + path("copy.toml") + "'");
  EXPECT_EQ(r.status, 0) << r.err;
}

TEST_F(Strangers, WhatTakesTooLongIsEndedAndNamed) {
  // Templates of four numbers: millions of them, in a compiler that cannot be stopped.
  write("k.cu",
        "template <int A, int B, int C, int D> struct s {\n"
        "  static constexpr unsigned v = s<A - 1, B, C, D>::v +\n"
        "    s<A, B - 1, C, D>::v + s<A, B, C - 1, D>::v +\n"
        "    s<A, B, C, D - 1>::v;\n};\n"
        "template <int B, int C, int D> struct s<0, B, C, D> { static constexpr unsigned v = 1; };\n"
        "template <int A, int C, int D> struct s<A, 0, C, D> { static constexpr unsigned v = 1; };\n"
        "template <int A, int B, int D> struct s<A, B, 0, D> { static constexpr unsigned v = 1; };\n"
        "template <int A, int B, int C> struct s<A, B, C, 0> { static constexpr unsigned v = 1; };\n"
        "__global__ void k(unsigned *q) { q[0] = s<45, 45, 45, 45>::v; }\n");
  using Clock = std::chrono::steady_clock;
  for (const char* command : {"check", "review", "run", "annotate"}) {
    const auto begun = Clock::now();
    const Result r = run(std::string(command) + " --json --max-seconds 1 '" + path("k.cu") + "'");
    EXPECT_LT(Clock::now() - begun, std::chrono::seconds(20)) << command;
    EXPECT_EQ(r.status, 3) << command << r.out << r.err;
    EXPECT_NE(r.err.find("compiling was stopped after 1 s"), std::string::npos) << command << r.err;
    EXPECT_NE(r.out.find("compiling was stopped after 1 s"), std::string::npos) << command << r.out;
  }
  write("endless.cu", "__global__ void __launch_bounds__(32) k(volatile int *q) { while (q[0] == 0) q[1] = 0; }\n");
  for (const char* command : {"review", "annotate"}) {
    const Result r =
        run(std::string(command) + " --max-seconds 2 --max-steps 100000000000 '" + path("endless.cu") + "'");
    EXPECT_EQ(r.status, 3) << command << r.out << r.err;
    const bool cut = (r.err + r.out).find("1 of 1 block ran, not to its end") != std::string::npos;
    EXPECT_TRUE(cut || r.err.find("was stopped after 2 s") != std::string::npos) << command << r.err;
  }
}

TEST_F(Strangers, APartIsCheckedThroughTheFileThatIncludesIt) {
  write("part.cu",
        "__global__ void other(num *p) { p[threadIdx.x] = 0; }\n"
        "// shared: not here\n"
        "__global__ void fill(num *p) { p[blockIdx.x * WIDE + threadIdx.x] = WIDE; }\n");
  write("main.cu",
        "typedef float num;\n#define WIDE 64\n#include \"part.cu\"\n"
        "int main() {\n  num *d;\n  cudaMalloc(&d, 5 * WIDE * sizeof(num));\n  other<<<1, WIDE>>>(d);\n"
        "  fill<<<5, WIDE>>>(d);\n}\n");
  const Result check = run("check --json '" + path("part.cu") + "'");
  EXPECT_EQ(check.status, 0) << check.out << check.err;
  const std::string all = check.out;
  EXPECT_NE(all.find("it was compiled as a part of"), std::string::npos) << all;
  const Result text = run("check '" + path("part.cu") + "'");
  EXPECT_NE(text.out.find("Kernel: other, from the launch at line 7."), std::string::npos) << text.out;
  const Result outputs = run("run --json --kernel fill '" + path("part.cu") + "'");
  EXPECT_EQ(outputs.status, 0) << outputs.out << outputs.err;
  EXPECT_NE(outputs.out.find("it was compiled as a part of"), std::string::npos) << outputs.out;
  // with a second includer it is unknown which is meant
  write("second.cu", "typedef double num;\n#define WIDE 32\n#include \"part.cu\"\nint main() {}\n");
  const Result two = run("check '" + path("part.cu") + "'");
  EXPECT_EQ(two.status, 2);
  EXPECT_NE(two.err.find("it is a part of another one"), std::string::npos) << two.err;
}

TEST_F(Strangers, AnnotateFitsSizesAsCheckDoes) {
  write("far.cu",
        "__global__ void far(const float *p, float *q) {\n  float x = p[threadIdx.x * 4096];\n"
        "  q[threadIdx.x * 4096] = x;\n}\n");
  const Result r = run("annotate '" + path("far.cu") + "' -o '" + path("out.cu") + "'");
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_EQ((r.out + r.err).find("beyond"), std::string::npos) << r.out << r.err;
  EXPECT_NE(r.out.find("1 assignment comment"), std::string::npos) << r.out << r.err;
}

TEST_F(Strangers, OnlyThePartsClaimsCountThere) {
  const std::string claim = "  // x has register assignment:\n  //   thread: t4 t3 t2 t1 t0 <-> i4 i3 i2 i1 i0\n";
  write("half.cu", "__global__ void one(const num *p, num *q) {\n  num x = p[threadIdx.x];\n" + claim +
                       "  q[threadIdx.x] = x;\n}\n");
  write("main.cu",
        "typedef float num;\n#include \"half.cu\"\n__global__ void two(const num *p, num *q) {\n"
        "  num x = p[threadIdx.x ^ 1];\n" +
            claim +
            "  q[threadIdx.x] = x;\n}\n"
            "int main() { float *a, *b; cudaMalloc(&a, 128); cudaMalloc(&b, 128); one<<<1, 32>>>(a, b); two<<<1, "
            "32>>>(a, b); }\n");
  EXPECT_NE(run("check '" + path("main.cu") + "'").status, 0) << "the other one's claim is false";
  const Result part = run("check --json '" + path("half.cu") + "'");
  EXPECT_EQ(part.status, 0) << part.out << part.err;
  const json out = json::parse(part.out);
  ASSERT_EQ(out["claims"].size(), 1U) << part.out;
  EXPECT_EQ(out["claims"][0]["verdict"], "holds");
  const auto findings = [&](const std::string& file) {
    std::set<std::string> rules;
    const json all = json::parse(run("review --json '" + path(file) + "'").out);
    for (const json& f : all["findings"]) rules.insert(f["rule"].get<std::string>());
    return rules;
  };
  EXPECT_TRUE(findings("main.cu").contains("claim-differs"));
  EXPECT_FALSE(findings("half.cu").contains("claim-differs"));
  EXPECT_TRUE(findings("half.cu").contains("missing-launch-bounds"));
  const json log = json::parse(run("review --sarif '" + path("half.cu") + "'").out);
  EXPECT_NE(log.dump().find("half.cu"), std::string::npos);
}

}  // namespace
}  // namespace lanescope::cli
