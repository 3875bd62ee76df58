// Code of the compiler's library belongs to the lines that call it, wherever the compiler put it.

#include <map>

#include "kernels/compile/compile.h"
#include "world.h"

namespace lanescope::review {
namespace {

struct LibraryLines : ::testing::Test {
  void SetUp() override {
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  }
};

/// Lines 8 and 9 are the kernel's head, line 11 the first of its body.
std::string library_kernel(const std::string& body) {
  return "/*\n[lanescope]\nblock = 32\n[buffers]\np = \"f32 i:32\"\nq = \"f32 i:32 = zeros\"\n*/\n"
         "extern \"C\" __global__ void __launch_bounds__(32)\nk(const float *p, float *q)\n{\n" +
         body + "}\n";
}

/// Instructions that the findings about double precision speak of, by line.
std::map<int, int> doubles(const Reviewed& r) {
  std::map<int, int> out;
  for (const Finding& f : of_rule(r, "double-precision"))
    for (const auto& [name, number] : f.evidence.numbers)
      if (name == "instructions") out[f.line] += static_cast<int>(number);
  return out;
}

// pow() of doubles is for the most part a function that is called (__internal_accurate_pow), which has no lines.
TEST_F(LibraryLines, AFunctionThatOneLineCallsIsOfThatLine) {
  const Reviewed r = reviewed(
      library_kernel("    double x = p[threadIdx.x];\n    x = pow(x, 2.7);\n    q[threadIdx.x] = (float)x;\n"));
  ASSERT_EQ(r.problem, "");
  const std::map<int, int> lines = doubles(r);
  EXPECT_GE(lines.contains(12) ? lines.at(12) : 0, 60) << words(r);
  for (const auto& [line, count] : lines) EXPECT_GE(line, 11) << words(r);
}

TEST_F(LibraryLines, AFunctionThatTwoLinesCallIsOfBoth) {
  const Reviewed one = reviewed(
      library_kernel("    double x = p[threadIdx.x];\n    x = pow(x, 2.7);\n    q[threadIdx.x] = (float)x;\n"));
  const Reviewed two =
      reviewed(library_kernel("    double x = p[threadIdx.x];\n    x = pow(x, 2.7);\n    x = pow(x + 1, 3.3);\n"
                              "    q[threadIdx.x] = (float)x;\n"));
  ASSERT_EQ(two.problem, "");
  const std::map<int, int> once = doubles(one), both = doubles(two);
  ASSERT_TRUE(both.contains(12) && both.contains(13)) << words(two);
  EXPECT_GE(both.at(12), 60) << words(two);
  EXPECT_GE(both.at(13), 60) << words(two);
  for (const auto& [line, count] : both) EXPECT_GE(line, 11) << words(two);
}

// For any compilation of a call, the kernel's head has no finding.
TEST_F(LibraryLines, NoCallIsBlamedOnTheHead) {
  const std::string head = "    double x = p[threadIdx.x];\n";
  for (const char* call :
       {"x = sin(x);", "x = sqrt(x) / 3;", "x = tgamma(x) + log(x);", "x = fmod(x, 1.5);",
        "printf(\"%f\\n\", x); x = exp(x);", "x = x > 0 ? pow(x, 1.5) : cos(x);", "x = pow(x, 1.5) + pow(x, 2.5);"}) {
    const Reviewed r = reviewed(library_kernel(head + "    " + call + "\n    q[threadIdx.x] = (float)x;\n"));
    ASSERT_EQ(r.problem, "") << call;
    ASSERT_FALSE(doubles(r).empty()) << call;
    for (const Finding& f : r.findings) EXPECT_TRUE(f.line == 0 || f.line >= 11) << call << "\n" << words(r);
  }
}

// A value that was never written, on which the library's code branches.
TEST_F(LibraryLines, AUseInTheLibraryIsOfItsCall) {
  const auto said = [](const std::string& body) {
    const Reviewed r =
        reviewed(library_kernel("    __shared__ double s[64];\n    s[threadIdx.x] = p[threadIdx.x];\n"
                                "    __syncthreads();\n" +
                                body));
    EXPECT_EQ(r.problem, "");
    const auto found = of_rule(r, "uninitialised-read");
    EXPECT_EQ(found.size(), 1u) << words(r);
    return found.empty() ? std::string() : found.front().message;
  };
  const std::string once =
      said("    const double x = s[threadIdx.x + 32];\n    q[threadIdx.x] = (float)pow(x, 2.7);\n");
  EXPECT_NE(once.find("it decides what is executed in line 15;"), std::string::npos) << once;
  const std::string twice = said(
      "    const double x = s[threadIdx.x + 32];\n    double y = pow(2.0 + threadIdx.x, x);\n"
      "    y += pow(1.0 + threadIdx.x, x);\n    q[threadIdx.x] = (float)y;\n");
  for (const char* head : {"in line 8", "in line 9"}) EXPECT_EQ(twice.find(head), std::string::npos) << twice;
}

}  // namespace
}  // namespace lanescope::review
