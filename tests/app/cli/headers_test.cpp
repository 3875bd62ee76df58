// Kernels and claims in headers, through the program itself: every line is named by its own file.

#include <nlohmann/json.hpp>

#include "kernels/compile/compile.h"
#include "tests/app/cli/program.h"

namespace lanescope::cli {
namespace {

using nlohmann::json;

class HeaderFiles : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  }
};

const std::string strangers = "tests/data/strangers/";

TEST_F(HeaderFiles, TheOnlyKernelIsInAHeader) {
  const Result text = run("check " + strangers + "kernel_in_header.cu");
  EXPECT_EQ(text.status, 0) << text.out << text.err;
  EXPECT_NE(text.out.find("device_part.hpp:5: samples holds"), std::string::npos) << text.out;
  const json claim = json::parse(run("check --json " + strangers + "kernel_in_header.cu").out)["claims"][0];
  EXPECT_EQ(claim["line"], 5);
  EXPECT_EQ(claim["file"], strangers + "device_part.hpp");
  EXPECT_EQ(claim["verdict"], "holds");
}

TEST_F(HeaderFiles, ClaimsInAHeaderAreThoseOfTheFile) {
  const json claims = json::parse(run("check --json " + strangers + "claims_in_header.cu").out)["claims"];
  ASSERT_EQ(claims.size(), 2U);
  EXPECT_EQ(claims[0]["variable"], "x");
  EXPECT_EQ(claims[0]["verdict"], "holds");
  EXPECT_FALSE(claims[0].contains("file"));
  EXPECT_EQ(claims[1]["variable"], "samples");
  EXPECT_EQ(claims[1]["verdict"], "unchecked");
  EXPECT_EQ(claims[1]["code"], "kernel-not-launched");
}

TEST_F(HeaderFiles, AKernelInAHeaderIsLaunchedByName) {
  std::string text = slurp(std::string(LANESCOPE_SOURCE_DIR) + "/" + strangers + "claims_in_header.cu");
  text.replace(text.find("\"k2\""), 4, "\"k\"");
  write("k.cu", text);
  write("device_part.hpp", slurp(std::string(LANESCOPE_SOURCE_DIR) + "/" + strangers + "device_part.hpp"));
  const json claims = json::parse(run("check --json '" + path("k.cu") + "'").out)["claims"];
  ASSERT_EQ(claims.size(), 2U);
  EXPECT_EQ(claims[0]["reason"], "not reached: no launch runs the kernel `k2`");
  EXPECT_EQ(claims[1]["variable"], "samples");
  EXPECT_EQ(claims[1]["verdict"], "holds");
}

// No number of a header's line as it is counted inside comes out of any command.
TEST_F(HeaderFiles, NobodySeesUnitLines) {
  const std::string launch =
      "/*\n[lanescope]\nblock = [32, 4]\n[buffers]\np = \"f32 i:128\"\nq = \"f32 i:128 = zeros\"\n*/\n";
  write("k.hpp",
        "#pragma once\n__global__ void k(const float *p, float *q) {\n  __shared__ float s[4][33];\n"
        "  float x = p[threadIdx.y * 32 + threadIdx.x];\n  // x has register assignment:\n"
        "  //   thread: i1 i0 i2 i3 i4\n  //   warp: i6 i5\n  s[threadIdx.y][threadIdx.x] = x;\n"
        "  float y = s[threadIdx.x & 3][threadIdx.x];\n  if (threadIdx.x < 8) q[threadIdx.x * 4 + threadIdx.y] = y * "
        "1.5;\n"
        "  if (y > 1e9) q[threadIdx.x + 1000] = 1;\n}\n");
  write("k.cu", launch + "#include \"k.hpp\"\n");
  for (const std::string command :
       {"check", "check --json", "review", "review --json", "review --sarif", "run", "run --json"}) {
    const Result r = run(command + " '" + path("k.cu") + "'");
    for (const std::string& said : {r.out, r.err})
      EXPECT_EQ(said.find("10000"), std::string::npos) << command << "\n" << said;
    EXPECT_NE((r.out + r.err).find("k.hpp"), std::string::npos) << command << "\n" << r.out << r.err;
  }
  for (const std::string view :
       {"registers", "assignment", "global", "shared", "timeline", "heat", "ptx", "divergence", "traffic-line"}) {
    const Result r = run("render --view " + view + " --at k.hpp:9 -o '" + path("v.json") + "' '" + path("k.cu") + "'");
    EXPECT_EQ(r.status, 0) << view << r.err;
    const json drawn = json::parse(slurp(path("v.json")));
    for (const json& label : drawn["labels"])
      EXPECT_EQ(label.value("text", std::string()).find("10000"), std::string::npos) << view << label;
  }
}

// Headers travel to the worker, which names them as the user does.
TEST_F(HeaderFiles, AWorkerSaysTheSame) {
  for (const std::string file : {"kernel_in_header.cu", "claims_in_header.cu"}) {
    const Result here = run("check --json " + strangers + file);
    const Result there = run(fmt::format("check --json --via '{} worker' {}{}", program, strangers, file));
    EXPECT_EQ(there.status, here.status) << there.err;
    EXPECT_EQ(there.out, here.out);
  }
}

TEST_F(HeaderFiles, SarifNamesTheHeader) {
  write("k.hpp", "__global__ void k(float *p) {\n  p[threadIdx.x] *= 1.5;\n}\n");
  write("k.cu", "/*\n[lanescope]\nblock = 32\n[buffers]\np = \"f32 i:32\"\n*/\n#include \"k.hpp\"\n");
  const json results = json::parse(run("review --sarif '" + path("k.cu") + "'").out)["runs"][0]["results"];
  ASSERT_FALSE(results.empty());
  for (const json& r : results) {
    const json& place = r["locations"][0]["physicalLocation"];
    EXPECT_TRUE(std::string(place["artifactLocation"]["uri"]).ends_with("/k.hpp")) << r;
    EXPECT_LE(place["region"]["startLine"].get<int>(), 3) << r;
  }
}

TEST_F(HeaderFiles, AtALineOfAHeaderThatThereIsNot) {
  const std::string draw =
      "render --view registers -o '" + path("v.svg") + "' " + strangers + "kernel_in_header.cu --at ";
  EXPECT_EQ(run(draw + "device_part.hpp:3").status, 0);
  for (const char* at : {"absent.hpp:3", "device_part.hpp:99", "device_part.hpp:0", "device_part.hpp:x"}) {
    const Result r = run(draw + at);
    EXPECT_EQ(r.status, 2) << at << r.err;
    EXPECT_FALSE(r.err.empty());
  }
}

TEST_F(HeaderFiles, AnnotateNeverWritesIntoThem) {
  const std::string bare =
      "__global__ void k(const unsigned *d, unsigned *q) {\n  unsigned x = d[threadIdx.x];\n  q[threadIdx.x] = x;\n}\n";
  write("k.hpp", bare);
  const std::string main = "/*\n[lanescope]\nblock = 32\n[buffers]\nd = \"u4 t:256\"\n*/\n#include \"k.hpp\"\n";
  write("k.cu", main);
  const Result r = run("annotate --in-place '" + path("k.cu") + "'");
  EXPECT_NE(r.status, 0);
  EXPECT_NE(r.err.find("k.hpp"), std::string::npos) << r.err;
  EXPECT_EQ(slurp(path("k.cu")), main);
  EXPECT_EQ(slurp(path("k.hpp")), bare);
}

}  // namespace
}  // namespace lanescope::cli
