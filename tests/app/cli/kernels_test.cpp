// Foreign files: their host code gives the launches, --kernel chooses, and assumptions are reported.

#include <cstring>
#include <nlohmann/json.hpp>

#include "kernels/compile/compile.h"
#include "tests/app/cli/program.h"

namespace lanescope::cli {
namespace {

using nlohmann::json;

constexpr const char* two_kernels = R"(#include <cstdio>
#include <vector>
struct View { float* p; int w, h; };
__constant__ float by[2];
template <int B> __global__ void scale(const float* in, float* out, int n) {
  int i = blockIdx.x * B + threadIdx.x;
  if (i < n) out[i] = by[i % 2] * in[i];
}
__global__ void turn(View v, View to) {
  int i = threadIdx.x;
  to.p[i % v.w * v.h + i / v.w] = v.p[i];
}
__global__ void alone(int* p, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < width) p[i] = i;
  if (threadIdx.x == 31) *(p + (1 << 24)) = 0;
}
#define CHECK(x) do { if ((x) != cudaSuccess) { printf("no\n"); return 1; } } while (0)
int main() {
  const int n = 64;
  std::vector<float> h(n);
  for (int i = 0; i < n; ++i) h[i] = i;
  float *a, *b, factors[2] = {2, 3};
  CHECK(cudaMalloc(&a, n * sizeof(float)));
  CHECK(cudaMalloc(&b, n * sizeof(float)));
  CHECK(cudaMemcpy(a, h.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyToSymbol(by, factors, sizeof factors));
  scale<32><<<n / 32, 32>>>(a, b, n);
  View v = {b, 8, 8}, to = v;
  CHECK(cudaMalloc(&to.p, n * sizeof(float)));
  turn<<<1, n>>>(v, to);
}
)";

class HostCode : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("two.cu", two_kernels);
  }
};

TEST_F(HostCode, KernelsOfHeadersHaveTheirOwnLines) {
  write("deep.cuh", "#pragma once\n\n__global__ void deep(int* p) { *p = 1; }\n");
  write("top.cu", "#include \"deep.cuh\"\n__global__ void top(int* p) { *p = 2; }\n");
  const Result r = run("kernels " + path("top.cu"));
  EXPECT_NE(r.out.find("deep  deep.cuh:3: not launched"), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("top  line 2: not launched"), std::string::npos) << r.out;
  const json all = json::parse(run("kernels --json " + path("top.cu")).out)["kernels"];
  ASSERT_EQ(all.size(), 2U);
  for (const json& k : all) {
    EXPECT_EQ(k["line"], k["kernel"] == "deep" ? 3 : 2) << k;
    EXPECT_EQ(k.contains("file"), k["kernel"] == "deep") << k;
  }
}

/// Three hundred launches of one kernel, then one of another that races.
TEST_F(HostCode, KernelsOfWhichNoLaunchRunsAreNamed) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  const std::string kernels =
      "__global__ void __launch_bounds__(64) a(float* p) { p[threadIdx.x] += 1.0f; }\n"
      "__global__ void __launch_bounds__(64) b(float* p) { __shared__ float s[64]; s[threadIdx.x] = p[threadIdx.x]; "
      "p[threadIdx.x] = s[63 - threadIdx.x]; }\n"
      "int main() {\n  float* p;\n  cudaMalloc(&p, 256);\n  cudaMemset(p, 0, 256);\n";
  write("late.cu", kernels + "  for (int i = 0; i < 300; ++i) a<<<1, 64>>>(p);\n  b<<<1, 64>>>(p);\n}\n");
  const Result listed = run("kernels " + path("late.cu"));
  EXPECT_NE(listed.out.find("a  line 7: 300 launches"), std::string::npos) << listed.out;
  EXPECT_NE(listed.out.find("b  line 8: 1 launch,"), std::string::npos) << listed.out;
  const Result r = run("review " + path("late.cu"));
  EXPECT_EQ(r.status, 3);
  EXPECT_NE(r.out.find("not reviewed: b: no launch of it runs here"), std::string::npos) << r.out;
  const json j = json::parse(run("review --json " + path("late.cu")).out);
  EXPECT_EQ(j["not_run"], json({"b"}));
  EXPECT_EQ(run("review --kernel a " + path("late.cu")).status, 0);
  // A few launches of the first kernel leave room for the second.
  write("early.cu", kernels + "  for (int i = 0; i < 30; ++i) a<<<1, 64>>>(p);\n  b<<<1, 64>>>(p);\n}\n");
  const Result found = run("review " + path("early.cu"));
  EXPECT_EQ(found.status, 1);
  EXPECT_NE(found.out.find("[barrier-missing]"), std::string::npos) << found.out;
  // After a fault nothing runs.
  write("fault.cu", "__global__ void __launch_bounds__(64) far(float* p) { p[threadIdx.x + 5000] = 1; }\n" + kernels +
                        "  far<<<1, 64>>>(p);\n  b<<<1, 64>>>(p);\n}\n");
  const Result fault = run("review " + path("fault.cu"));
  EXPECT_EQ(fault.status, 1);
  EXPECT_NE(fault.out.find("not reviewed: b: no launch of it runs here"), std::string::npos) << fault.out;
}

TEST_F(HostCode, KernelsAreListed) {
  const Result r = run("kernels " + path("two.cu"));
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.out,
            "* scale<32>  line 28: 1 launch, grid 2, block 32\n"
            "* turn  line 31: 1 launch, grid 1, block 64\n"
            "  alone  line 13: not launched in this file\n");
}

class HostCodeWithCompiler : public HostCode {
 protected:
  void SetUp() override {
    HostCode::SetUp();
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  }
};

// Contents, constants, structures with pointers and the order of the launches: element 8 * (i % 8) + i / 8 of the
// result is i or 1.5 i, doubled.
TEST_F(HostCodeWithCompiler, TheWholeProgramRuns) {
  const Result r = run("run --json " + path("two.cu"));
  ASSERT_EQ(r.status, 0) << r.out << r.err;
  const Result npy = run("run --out to=" + path("to.npy") + " " + path("two.cu"));
  EXPECT_EQ(npy.status, 0) << npy.out << npy.err;
  const std::string file = slurp(path("to.npy"));
  ASSERT_GE(file.size(), 64 * sizeof(float));
  for (int i = 0; i < 64; ++i) {
    float got = 0;
    std::memcpy(
        &got,
        file.data() + file.size() - 64 * sizeof(float) + static_cast<std::size_t>(i % 8 * 8 + i / 8) * sizeof(float),
        sizeof got);
    ASSERT_EQ(got, static_cast<float>(i * (i % 2 == 0 ? 2 : 3))) << i;
  }
}

TEST_F(HostCodeWithCompiler, AKernelIsChosen) {
  const json chosen = json::parse(run("run --json --kernel scale " + path("two.cu")).out);
  EXPECT_EQ(chosen["kernel"], "scale<32>");
  const json occupancy = json::parse(run("occupancy --json --kernel turn " + path("two.cu")).out);
  EXPECT_EQ(occupancy["kernel"], "turn") << "the launch that is shown is of the chosen kernel";
  const Result none = run("run --kernel tern " + path("two.cu"));
  EXPECT_EQ(none.status, 2);
  EXPECT_NE(none.err.find("did you mean `turn`?"), std::string::npos) << none.err;
}

TEST_F(HostCodeWithCompiler, AFaultSaysFirstWhatWasAssumed) {
  const Result r = run("run --kernel alone " + path("two.cu"));
  EXPECT_EQ(r.status, 3) << r.out << r.err;
  EXPECT_NE(r.err.find("if the block is 32 x 1 x 1"), std::string::npos) << r.err;
  const Result known = run("run " + path("two.cu"));
  EXPECT_EQ((known.out + known.err).find("(assumed)"), std::string::npos) << known.err;
}

TEST_F(HostCodeWithCompiler, SharedMemoryOfTheKernelAndOfTheDriver) {
  const Result r = run("occupancy --kernel turn " + path("two.cu"));
  EXPECT_NE(r.out.find("(0 static, 0 dynamic), with "), std::string::npos) << r.out;
}

}  // namespace
}  // namespace lanescope::cli
