// Texts whose kernel our own reader cannot find: the compiler's words, at its line and column.

#include <regex>

#include "kernels/compile/compile.h"
#include "tests/app/cli/program.h"

namespace lanescope::cli {
namespace {

class HiddenKernel : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  }
  /// Line of the first error of this text, with all messages; 0: it has no place.
  std::pair<int, std::string> first_error(const std::string& command, const std::string& text) const {
    write("k.cu", text);
    const Result r = run(command + " " + path("k.cu"));
    EXPECT_EQ(r.status, 2) << command << "\n" << text << r.out << r.err;
    const std::string line = r.err.substr(0, r.err.find('\n'));
    EXPECT_TRUE(line.starts_with(path("k.cu") + ":")) << command << "\n" << text << r.err;
    std::smatch place;
    const std::string rest = line.substr(std::min(line.size(), path("k.cu").size()));
    if (!std::regex_match(rest, place, std::regex(":([0-9]+)(:[0-9]+)?: (.*)"))) return {0, line};
    return {std::stoi(place[1]), r.err};
  }
};

struct BrokenText {
  const char *text, *words;
  int line;
};
const BrokenText broken_texts[] = {
    {"__global__ void k(float* q) { q[0 = 1; }\n", "expected a \"]\"", 1},
    {"__global__ void k(float* q) {\n  q[0] = 1;\n", "expected a \"}\"", 2},
    {"__global__ void k(float* q) {\n  q[0] = (1;\n}\n", "expected a \")\"", 2},
    {"_global_ void k(float* q) {\n  q[threadIdx.x] = 1;\n}\n", "", 1},
    {"__global void k(float* q) { q[0] = 1; }\nint main() { float* q; cudaMalloc(&q, 128); k<<<1, 32>>>(q); }\n", "",
     1},
    {"__global__ void k(float* q)) {\n  q[0] = 1;\n}\n", "", 1},
    {"__global__ void k(float* q) q[0] = 1; }\n", "", 1},
    {"__global__ void k(float* q { q[0] = 1; }\n", "", 1},
    {"extern \"C\" { __global__ void k(float* q) { q[0] = 1; }\n", "expected a \"}\"", 1},
    {"__global__ void k(float* q) {\n  q[0] = 1;\n}}\n", "expected a declaration", 3},
    // Host code beside it, which the compiler was given too, is not what is wrong.
    {"#include <vector>\n__global__ void k(float* q) {\n  q[0 = 1;\n}\nint main() { std::vector<float> v(3); }\n",
     "expected a \"]\"", 3},
    {"#include <vector>\n__global__ void k(float* q) {\n  q[0] = 1;\n}\nint main() { std::vector<float> v(32; }\n",
     "expected a \")\"", 5}};

TEST_F(HiddenKernel, IsToldInTheWordsOfTheCompilerAtItsPlace) {
  for (const BrokenText& m : broken_texts)
    for (const char* command : {"check", "review", "run", "annotate", "resources"}) {
      const auto [line, message] = first_error(command, m.text);
      EXPECT_EQ(line, m.line) << command << "\n" << m.text << message;
      EXPECT_NE(message.find(m.words), std::string::npos) << command << "\n" << m.text << message;
    }
}

TEST_F(HiddenKernel, CommandsThatDoNotCompileNameTheBracketOrTheWord) {
  for (const char* command : {"kernels", "adopt"})
    for (const BrokenText& m : {broken_texts[0], broken_texts[2], broken_texts[3], broken_texts[4], broken_texts[5]}) {
      const auto [line, message] = first_error(command, m.text);
      EXPECT_GT(line, 0) << command << "\n" << m.text;
      EXPECT_TRUE(message.find("is never closed") != std::string::npos ||
                  message.find("closes nothing") != std::string::npos ||
                  message.find("did you mean `__global__`?") != std::string::npos)
          << message;
    }
}

/// Whichever bracket is left out: an error with a line, and never that there is no kernel.
TEST_F(HiddenKernel, NoBracketCanBeLeftOutWithoutAPlace) {
  const std::string whole =
      "__global__ void k(float* q) {\n  for (int i = 0; i < 4; ++i) {\n    q[threadIdx.x + (i * 32)] = f(i)[0];\n  "
      "}\n}\n";
  const std::string helper = "__device__ float table[4];\n__device__ float* f(int) { return table; }\n";
  for (std::size_t at = whole.find_first_of("(){}[]"); at != std::string::npos;
       at = whole.find_first_of("(){}[]", at + 1)) {
    std::string text = helper + whole;
    text.erase(helper.size() + at, 1);
    const auto [line, message] = first_error("check", text);
    EXPECT_GE(line, 3) << text << message;
    EXPECT_EQ(message.find("there is no kernel"), std::string::npos) << text;
  }
}

TEST_F(HiddenKernel, AFileWithoutOneSaysSo) {
  for (const char* text : {"int main() { return 0; }\n", "#include <iostream>\nint main() { std::cout << 1; }\n",
                           "// the __local__ and the global memory\nint __host_only = 3;\n"}) {
    write("k.cu", text);
    EXPECT_NE(run("check " + path("k.cu")).err.find("there is no kernel in this file; "), std::string::npos) << text;
  }
}

/// Several variants in one file, none of which is chosen.
TEST_F(HiddenKernel, AConditionThatLeavesItOutIsNamed) {
  const std::string kernel = "__global__ void k(float* q) { q[threadIdx.x] = 1; }\n";
  const struct {
    std::string text, place, condition;
  } cases[] = {
      {"#ifdef SHUFFLE\n" + kernel + "#endif\n", "k.cu:2:1: ", "`#ifdef SHUFFLE` at line 1"},
      {"#if 0\n#endif\n#if CUDA\n  #if 1\n#endif\n  " + kernel + "#endif\n", "k.cu:6:3: ", "`#if CUDA` at line 3"},
      {"#if 1\n#else\n" + kernel + "#endif\n", "k.cu:3:1: ", "`#else` at line 2"},
      {"\xef\xbb\xbf// __global__\n#ifdef A\n" + kernel + "#endif\n", "k.cu:3:1: ", "`#ifdef A` at line 2"}};
  for (const auto& c : cases) {
    write("k.cu", c.text);
    const std::string err = run("check " + path("k.cu")).err;
    EXPECT_NE(err.find(c.place + "this kernel is left out by the condition " + c.condition), std::string::npos) << err;
  }
  write("k.cu", cases[0].text);
  EXPECT_EQ(run("check " + path("k.cu") + " -- -DSHUFFLE").status, 0);
}

TEST_F(HiddenKernel, WithoutACompilerItsPlaceIsStillTold) {
  write("k.cu", broken_texts[0].text);
  const Result r = run("check --no-nvrtc " + path("k.cu"));
  EXPECT_EQ(r.status, 2);
  EXPECT_NE(r.err.find("k.cu:1:32: this `[` is never closed"), std::string::npos) << r.err;
}

}  // namespace
}  // namespace lanescope::cli
