// Launches and copies that streams leave without an order: what every command says of them, and its status.

#include <nlohmann/json.hpp>

#include "kernels/compile/compile.h"
#include "tests/app/cli/program.h"

namespace lanescope::cli {
namespace {

using nlohmann::json;

class StreamOrder : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  }
  Result with(const std::string& command, const std::string& text) {
    write("k.cu", text);
    const std::size_t space = command.find(' ');
    return run(command.substr(0, space) + " '" + path("k.cu") + "'" +
               (space < command.size() ? command.substr(space) : ""));
  }
};

const std::string kernels =
    "__global__ void __launch_bounds__(32) fill(float* q) { q[threadIdx.x] = threadIdx.x; }\n"
    "__global__ void __launch_bounds__(32) use(const float* q, float* r) { r[threadIdx.x] = 2 * q[threadIdx.x]; }\n";
const std::string before =
    "int main() {\n  float *q, *r;\n  cudaMalloc(&q, 128);\n  cudaMalloc(&r, 128);\n  cudaStream_t s, t;\n"
    "  cudaStreamCreate(&s);\n  cudaStreamCreate(&t);\n  fill<<<1, 32, 0, s>>>(q);\n";
const std::string hazard = kernels + before + "  use<<<1, 32, 0, t>>>(q, r);\n}\n";  // fill: line 10, use: line 11
const std::string right = kernels + before + "  cudaStreamSynchronize(s);\n  use<<<1, 32, 0, t>>>(q, r);\n}\n";

TEST_F(StreamOrder, IsAnErrorOfReviewAndCheck) {
  const Result review = with("review", hazard);
  EXPECT_EQ(review.status, 1) << review.out << review.err;
  EXPECT_NE(
      review.out.find("k.cu:11: error: `use` (launch 2, line 11, stream `t`) reads element 0 of `q`, which `fill` "
                      "(launch 1, line 10, stream `s`) writes; nothing orders the two"),
      std::string::npos)
      << review.out;
  EXPECT_NE(review.out.find("[stream-order]\n    evidence: block 0, warp 0: 32 of 32 lanes, 4 bytes each, q\n"),
            std::string::npos)
      << review.out;
  EXPECT_NE(review.out.find("1 finding,"), std::string::npos) << review.out;
  const Result check = with("check", hazard);
  EXPECT_EQ(check.status, 1) << check.out << check.err;
  EXPECT_NE(check.out.find("race at line 11: `use` (launch 2"), std::string::npos) << check.out;
  EXPECT_EQ(check.err.find("orders the two; let"), std::string::npos) << "it is reported once: " << check.err;
  for (const char* command : {"review", "check", "run"}) {
    const Result r = with(command, right);
    EXPECT_EQ(r.status, 0) << command << r.out << r.err;
    EXPECT_EQ((r.out + r.err).find("orders"), std::string::npos) << command << r.out << r.err;
  }
}

TEST_F(StreamOrder, CallsThatFailAreWarningsOfRunAndErrorsOfReview) {
  const std::string text = kernels +
                           "int main() {\n  float *q, h[64];\n  cudaMalloc(&q, 128);\n  fill<<<1, 32>>>(q);\n"
                           "  cudaMemcpy(h, q, sizeof h, cudaMemcpyDeviceToHost);\n}\n";
  const std::string words = "`cudaMemcpy` reads 256 bytes from `q`, which has 128 bytes: CUDA returns";
  const Result review = with("review", text);
  EXPECT_EQ(review.status, 1) << review.out << review.err;
  EXPECT_NE(review.out.find("k.cu:7: error: " + words), std::string::npos) << review.out;
  for (const char* command : {"run", "check"}) {
    const Result r = with(command, text);
    EXPECT_EQ(r.status, 0) << command << r.out << r.err;
    EXPECT_NE((r.out + r.err).find("k.cu:7: warning: " + words), std::string::npos) << command << r.out << r.err;
  }
}

/// Three launches of a graph of one kernel, which adds 1.
TEST_F(StreamOrder, AGraphRunsInEachOfItsLaunches) {
  const Result r = with("run --json",
                        "__global__ void add(int* q) { q[threadIdx.x] += 1; }\nint main() {\n  int* q;\n"
                        "  cudaMalloc(&q, 128); cudaMemset(q, 0, 128); cudaStream_t s; cudaStreamCreate(&s);\n"
                        "  cudaGraph_t g; cudaGraphExec_t e; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);\n"
                        "  add<<<1, 32, 0, s>>>(q); cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&e, g, 0);\n"
                        "  for (int i = 0; i < 3; i++) cudaGraphLaunch(e, s);\n}\n");
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_EQ(json::parse(r.out)["outputs"]["q"]["values"], json(std::vector<int>(32, 3))) << r.out;
}

TEST_F(StreamOrder, IsInJsonAndSarif) {
  const json all = json::parse(with("review --json", hazard).out);
  const auto at = std::ranges::find(all["findings"], "stream-order", [](const json& f) { return f["rule"]; });
  ASSERT_NE(at, all["findings"].end()) << all;
  const json& f = *at;
  EXPECT_EQ(f["severity"], "error");
  EXPECT_EQ(f["line"], 11);
  EXPECT_EQ(f["evidence"]["buffer"], "q");
  EXPECT_EQ(f["evidence"]["lanes"], "0xffffffff");
  EXPECT_EQ(f["evidence"]["numbers"]["byte"], 0);
  EXPECT_NE(f["evidence"]["instruction"].get<std::string>().find("ld.global"), std::string::npos) << f;
  EXPECT_FALSE(f.contains("assumed")) << f;
  EXPECT_FALSE(all.contains("diagnostics")) << all["diagnostics"];
  const json check = json::parse(with("check --json", hazard).out);
  ASSERT_EQ(check["races"].size(), 1u) << check;
  EXPECT_EQ(check["races"][0]["line"], 11);
  const json log = json::parse(with("review --sarif", hazard).out);
  const json& results = log["runs"][0]["results"];
  EXPECT_TRUE(std::ranges::any_of(results, [](const json& r) {
    return r["ruleId"] == "stream-order" && r["level"] == "error" &&
           r["locations"][0]["physicalLocation"]["region"]["startLine"] == 11;
  })) << results;
}

TEST_F(StreamOrder, ObeysCommentsAndFailOn) {
  std::string allowed = hazard;
  allowed.insert(allowed.find("(q, r);\n}") + 7, "  // lanescope: allow stream-order");
  for (const char* command : {"review", "check", "run"}) {
    const Result r = with(command, allowed);
    EXPECT_EQ(r.status, 0) << command << r.out << r.err;
    EXPECT_EQ((r.out + r.err).find("orders"), std::string::npos) << command << r.out << r.err;
  }
  const Result expected = with("review", "// lanescope: expect stream-order\n" + hazard);
  EXPECT_EQ(expected.status, 0) << expected.out;
  EXPECT_NE(expected.out.find("[stream-order, expected]"), std::string::npos) << expected.out;
  EXPECT_EQ(with("review --fail-on error", hazard).status, 1);
}

/// Where a guess leads to the bytes, the hazard is not certain.
TEST_F(StreamOrder, RestsOnTheAssumptionsOfBothLaunches) {
  for (const char* guessed : {"fill", "use"}) {
    std::string text = hazard;
    const std::string head = std::string(guessed) == "fill" ? "fill(float* q" : "use(const float* q, float* r";
    text.replace(text.find(head), head.size(), head + ", int n");
    const std::string body = std::string(guessed) == "fill" ? "{ q[threadIdx.x] =" : "{ r[threadIdx.x] =";
    text.replace(text.find(body), 2, "{ if (threadIdx.x < n) ");
    const std::string call = std::string(guessed) == "fill" ? ">>>(q);" : ">>>(q, r);";
    text.replace(text.find(call), call.size(), call.substr(0, call.size() - 2) + ", count());");
    const Result r = with("review --json", "int count();\n" + text);
    EXPECT_EQ(r.status, 3) << guessed << r.out << r.err;
    const json all = json::parse(r.out);
    const auto at = std::ranges::find(all["findings"], "stream-order", [](const json& f) { return f["rule"]; });
    ASSERT_NE(at, all["findings"].end()) << all;
    ASSERT_TRUE(at->contains("assumed")) << guessed << *at;
    EXPECT_NE((*at)["assumed"][0].get<std::string>().find("n is "), std::string::npos) << *at;
    EXPECT_EQ(with("check", "int count();\n" + text).status, 3) << guessed;
  }
}

TEST_F(StreamOrder, OfTheHeaderIsTheSame) {
  const std::string header =
      "/*\n[lanescope]\n[[launch]]\nkernel = \"fill\"\nblock = 32\nargs = [\"q\"]\n[[launch]]\nkernel = \"use\"\n"
      "block = 32\nstream = 1\nargs = [\"q\", \"r\"]\n[buffers]\nq = \"f32 i:32 = zeros\"\nr = \"f32 i:32 = "
      "zeros\"\n*/\n";
  const Result review = with("review", header + kernels);
  EXPECT_EQ(review.status, 1) << review.out << review.err;
  EXPECT_NE(review.out.find("k.cu:7: error: `use` (launch 2, line 7, stream `1`) reads element 0 of `q`"),
            std::string::npos)
      << review.out;
  EXPECT_EQ(with("check", header + kernels).status, 1);
}

}  // namespace
}  // namespace lanescope::cli
