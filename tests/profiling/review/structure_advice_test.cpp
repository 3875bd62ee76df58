// Advice about arrays of structures names three ways, each with the sectors that it takes.

#include <set>

#include "kernels/compile/compile.h"
#include "world.h"

namespace lanescope::review {
namespace {

class StructureAdvice : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  }
  /// Remedies of partial-lines in a kernel of one warp over p[1024] and q[1024].
  static std::vector<std::string> remedies(const std::string& body, const std::string& before = {}) {
    const Reviewed r = reviewed(
        "/*\n[lanescope]\nblock = 32\n[buffers]\np = \"f32 i:1024\"\nq = \"f32 i:1024 = zeros\"\n*/\n" + before +
        "__global__ void __launch_bounds__(32) k(const float *p, float *q)\n{\n"
        "    const unsigned t = threadIdx.x;\n" +
        body + "}\n");
    EXPECT_EQ(r.problem, "");
    std::vector<std::string> out;
    for (const Finding& f : of_rule(r, "partial-lines")) out.push_back(f.remedy);
    return out;
  }
  static bool says(const std::vector<std::string>& all, const std::string& words) {
    return std::ranges::any_of(all, [&](const std::string& s) { return s.find(words) != std::string::npos; });
  }
};

// The figures of the slides: three loads of a 12-byte structure take three times the sectors of its bytes.
TEST_F(StructureAdvice, TwelveBytes) {
  const auto found =
      remedies("    struct S { float x, y, z; };\n    S s = ((const S *)p)[t];\n    q[t] = s.x * s.y + s.z;\n");
  ASSERT_FALSE(found.empty());
  EXPECT_TRUE(says(found, "lanes 12 bytes apart, each with 3 elements in turn, take 36 sectors per warp"))
      << found.front();
  EXPECT_TRUE(says(found, "let neighbouring lanes access neighbouring elements (12 sectors)")) << found.front();
  EXPECT_TRUE(says(found, "shared memory, in whole rows of a warp (12)")) << found.front();
  EXPECT_TRUE(says(found, "`__ldg` or `const __restrict__` (12 of the 36 miss)")) << found.front();
}

// A kernel that takes structures has fields; one that takes numbers has none, with any distance between two lanes.
TEST_F(StructureAdvice, FieldsAreOfStructures) {
  const auto kernel = [](const std::string& type, const std::string& value) {
    const Reviewed r = reviewed(
        "/*\n[lanescope]\nblock = 32\n[buffers]\np = \"u32 i:1024\"\nq = \"u32 i:1024 = zeros\"\n*/\n"
        "struct Pair { int a, b, more[6]; };\n__global__ void __launch_bounds__(32) k(const " +
        type + " *p, int *q)\n{\n    const unsigned t = threadIdx.x;\n    q[t] = " + value + ";\n}\n");
    EXPECT_EQ(r.problem, "");
    const std::vector<Finding> found = of_rule(r, "partial-lines");
    return found.empty() ? std::string() : found.front().remedy;
  };
  const std::string numbers = kernel("int", "p[8 * t] * p[8 * t + 3]");
  EXPECT_NE(numbers.find("lanes 32 bytes apart, each with 2 elements in turn"), std::string::npos) << numbers;
  EXPECT_EQ(numbers.find("structure"), std::string::npos) << numbers;
  EXPECT_EQ(numbers.find("field"), std::string::npos) << numbers;
  const std::string structures = kernel("Pair", "p[t].a * p[t].more[1]");
  EXPECT_NE(structures.find("structures of 32 bytes, 2 fields in turn"), std::string::npos) << structures;
  EXPECT_NE(structures.find("structure of arrays"), std::string::npos) << structures;
}

// One field of three: only an array of its own saves anything.
TEST_F(StructureAdvice, OneFieldOfThree) {
  const auto found = remedies("    q[t] = p[3 * t];\n");
  ASSERT_FALSE(found.empty());
  EXPECT_TRUE(says(found, "lanes 12 bytes apart, each with 1 element in turn, take 12 sectors per warp"))
      << found.front();
  EXPECT_TRUE(says(found, "4 sectors")) << found.front();
  EXPECT_FALSE(says(found, "shared memory")) << found.front();
}

TEST_F(StructureAdvice, StoresHaveNoReadOnlyPath) {
  const auto found = remedies("    float v = p[t];\n    q[5 * t] = v;\n    q[5 * t + 2] = v + 1.0f;\n");
  ASSERT_FALSE(found.empty());
  EXPECT_TRUE(says(found, "lanes 20 bytes apart, each with 2 elements in turn, take 40 sectors per warp"))
      << found.front();
  EXPECT_TRUE(says(found, "collect the elements in shared memory")) << found.front();
  EXPECT_FALSE(says(found, "__ldg")) << found.front();
}

// Near misses: a column, a misaligned row, a scattered access.
TEST_F(StructureAdvice, OthersGetTheGeneralRemedy) {
  for (const std::string body :
       {"    q[t] = p[16 * t];\n", "    q[t] = p[t + 1];\n", "    q[t] = p[(37 * t) % 1024];\n",
        "    q[t] = p[t * t % 512];\n", "    q[t] = p[10 * t] + p[10 * t + 1];\n",
        "    q[t] = p[31 - t + 8];\n    q[t + 32] = p[20 * t];\n"}) {
    EXPECT_FALSE(says(remedies(body), "bytes apart")) << body;
  }
  const auto four = remedies("    q[t] = p[10 * t] + p[10 * t + 1] + p[10 * t + 2] + p[10 * t + 3];\n");
  EXPECT_TRUE(says(four, "lanes 40 bytes apart, each with 4 elements in turn"));
}

// Advice on narrow elements names vector types of bytes and of halves, not those of words.
TEST_F(StructureAdvice, NarrowElementsAreToldTheirOwnTypes) {
  const std::pair<const char*, const char*> all[] = {
      {"    unsigned char *b = (unsigned char *)q + 4 * t;\n    b[0] = 1, b[1] = t, b[2] = 2, b[3] = t + 1;\n",
       "uchar4"},
      {"    unsigned char *b = (unsigned char *)q + 2 * t;\n    b[0] = 1, b[1] = t;\n", "uchar2"},
      {"    unsigned short *b = (unsigned short *)q + 2 * t;\n    b[0] = 1, b[1] = t;\n", "ushort2"},
      {"    q[2 * t] = p[0], q[2 * t + 1] = p[1] + t;\n", "float2, float4"}};
  for (const auto& [body, type] : all) {
    const Reviewed r = reviewed(
        "/*\n[lanescope]\nblock = 32\n[buffers]\np = \"f32 i:64\"\nq = \"f32 i:64 = zeros\"\n*/\n"
        "__global__ void __launch_bounds__(32) k(const float *p, float *q)\n{\n"
        "    const unsigned t = threadIdx.x;\n" +
        std::string(body) + "}\n");
    EXPECT_EQ(r.problem, "");
    const auto found = of_rule(r, "narrow-access");
    ASSERT_FALSE(found.empty()) << body;
    EXPECT_NE(found.front().remedy.find(type), std::string::npos) << body << found.front().remedy;
  }
}

// Where variables are doubles it is not a literal that is to be changed.
TEST_F(StructureAdvice, DoublesThatAreDeclaredAreNotBlamedOnLiterals) {
  const Reviewed r = reviewed(
      "/*\n[lanescope]\nblock = 32\n[buffers]\np = \"f64 i:32\"\nq = \"f64 i:32 = zeros\"\n*/\n"
      "__global__ void __launch_bounds__(32) k(const double *p, double *q)\n{\n"
      "    q[threadIdx.x] = p[threadIdx.x] * 2.0;\n}\n");
  EXPECT_EQ(r.problem, "");
  const auto found = of_rule(r, "double-precision");
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().remedy.find("1.0f"), std::string::npos) << found.front().remedy;
  EXPECT_NE(found.front().remedy.find("declare as float"), std::string::npos) << found.front().remedy;
}

// A kernel of doubles is meant so; a float that becomes a double in between is a question, with any other doubles.
TEST_F(StructureAdvice, DoublesFromEndToEndAreNoted) {
  const auto severities = [](const std::string& declared, const std::string& body) {
    const Reviewed r = reviewed(
        "/*\n[lanescope]\nblock = 32\n[buffers]\np = \"f64 i:64\"\nf = \"f32 i:32\"\n"
        "q = \"f64 i:32 = zeros\"\n*/\n__global__ void __launch_bounds__(32) k(const double "
        "*p, const float *f, double *q)\n{\n" +
        declared + "\n" + body + "\n}\n");
    EXPECT_EQ(r.problem, "");
    std::set<Severity> out;
    for (const Finding& f : of_rule(r, "double-precision")) out.insert(f.severity);
    return out;
  };
  using S = std::set<Severity>;
  const std::string store = "q[threadIdx.x] = ";
  EXPECT_EQ(severities("", store + "p[threadIdx.x] + p[threadIdx.x + 32];"), S{Severity::note});
  EXPECT_EQ(
      severities("double a = p[threadIdx.x], b = p[threadIdx.x + 32], c;", "c = sqrt(a * b) + 1.0;\n" + store + "c;"),
      S{Severity::note});
  EXPECT_EQ(severities("", store + "p[threadIdx.x] + f[threadIdx.x];"), S{Severity::warning});
  EXPECT_EQ(severities("int n = (int)p[threadIdx.x];", "((int *)q)[threadIdx.x] = (int)(threadIdx.x * 1.5);"),
            S{Severity::note});
}

}  // namespace
}  // namespace lanescope::review
