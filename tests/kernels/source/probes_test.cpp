// Where probes may stand, and that taking them out again gives the text they were put into.

#include <algorithm>
#include <random>
#include <sstream>

#include "tests/kernels/source/source_files.h"

namespace lanescope::source {
namespace {

TEST(Probes, StrippingThemGivesTheDeviceText) {
  for (const char* name : {"half2_notes.cu", "packed_bytes.cu", "local_transpose.cu", "pointer_offsets.cu",
                           "host_and_device.cu", "statement_shapes.cu"}) {
    const Source s = read_data(name);
    EXPECT_FALSE(s.probes.empty()) << name;
    EXPECT_EQ(without_any_probe(s.probed_text), s.device_text) << name;
  }
}

TEST(Probes, DroppingOneLeavesTheOthers) {
  const Source s = read_data("half2_notes.cu");
  const std::string fewer = without_probes(s.probed_text, {1, 5});
  const auto has = [](const std::string& text, int id) {
    return text.find(fmt::format("lanescope_read_here({},", id)) != std::string::npos ||
           text.find(fmt::format("lanescope_read<{},", id)) != std::string::npos;
  };
  for (const ProbePoint& p : s.probes) {
    EXPECT_TRUE(has(s.probed_text, p.id)) << p.id;
    EXPECT_EQ(has(fewer, p.id), p.id != 1 && p.id != 5) << p.id;
  }
  EXPECT_EQ(without_any_probe(fewer), s.device_text);
}

TEST(Probes, CutsAreTheSameWithProbesAndWithout) {
  std::mt19937 random(3);
  for (const char* name : {"half2_notes.cu", "host_and_device.cu", "statement_shapes.cu"}) {
    const Source s = read_data(name);
    const auto size = static_cast<std::uint32_t>(s.device_text.size());
    for (int i = 0; i < 50; ++i) {
      std::vector<TextCut> cuts;
      for (int k = 0; k < 4; ++k) {
        const std::uint32_t begin = static_cast<std::uint32_t>(random()) % size;
        const std::uint32_t length = static_cast<std::uint32_t>(random()) % 400;
        cuts.push_back({.begin = begin, .end = std::min(begin + length, size), .stands_for = k % 2 == 0 ? ";" : ""});
      }
      const std::string plain = without_cuts(s.device_text, cuts);
      ASSERT_EQ(plain.size(), s.device_text.size());
      ASSERT_EQ(std::ranges::count(plain, '\n'), std::ranges::count(s.device_text, '\n'));
      ASSERT_EQ(without_any_probe(without_cuts(s.probed_text, cuts)), plain);
    }
  }
}

TEST(Probes, CutsLeaveDirectivesAndSayWhatStoodThere) {
  const std::string text = "void f()\n{\n  a;\n#define X \\\n  1\n#pragma unroll\n  b; }\nint c;\n";
  const auto at = [&](std::string_view w) { return static_cast<std::uint32_t>(text.find(w)); };
  EXPECT_EQ(without_cuts(text, {{.begin = at("{"), .end = at("}") + 1, .stands_for = ";"}}),
            "void f()\n;\n    \n#define X \\\n  1\n              \n      \nint c;\n");
  EXPECT_EQ(without_cuts("a { b { c } d } e", {{.begin = 2, .end = 15, .stands_for = ";"}, {.begin = 6, .end = 11}}),
            "a ;             e");
  EXPECT_EQ(without_cuts("abc", {}), "abc");
}

/// The statement after which each watch probe stands, as the last characters before it.
std::vector<std::string> ends_before_probes(const std::string& body) {
  const Source s = read_well("__global__ void f(int* p, int c) {\n" + body + "\n}\n");
  std::vector<std::string> out;
  for (std::size_t at = s.probed_text.find("\n#line"); at != std::string::npos;
       at = s.probed_text.find("\n#line", at + 1)) {
    if (s.probed_text.substr(at, 60).find("\"lanescope-probe\"") == std::string::npos) continue;
    std::size_t start = s.probed_text.find_last_of('\n', at - 1) + 1;
    std::string line = s.probed_text.substr(start, at - start);
    line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
    out.push_back(line);
  }
  return out;
}

using Ends = std::vector<std::string>;

TEST(Probes, StandBehindWholeStatements) {
  EXPECT_EQ(ends_before_probes("int x = p[0]; p[1] = x;"), (Ends{"int x = p[0];"}));
  EXPECT_EQ(ends_before_probes("int x;\nif (c) x = 1;\np[0] = x;"), (Ends{"if (c) x = 1;"}));
  EXPECT_EQ(ends_before_probes("int x;\nif (c) x = 1; else x = 2;\np[0] = x;"), (Ends{"if (c) x = 1; else x = 2;"}));
  EXPECT_EQ(ends_before_probes("int x;\nif (c) { x = 1; } else { x = 2; }\np[0] = x;"),
            (Ends{"if (c) { x = 1;", "} else { x = 2;"}));
  EXPECT_EQ(ends_before_probes("int x = 0;\n#pragma unroll\nfor (int i = 0; i < 4; ++i) x += i;\np[0] = x;"),
            (Ends{"int x = 0;", "for (int i = 0; i < 4; ++i)", "x += i;"}));
  EXPECT_EQ(ends_before_probes("int x;\ndo x = p[0]; while (x);\np[0] = x;"), (Ends{"do x = p[0]; while (x);"}));
  EXPECT_EQ(ends_before_probes("int x;\ndo { x = p[0]; } while (x);\np[0] = x;"), (Ends{"do { x = p[0];"}));
  EXPECT_EQ(ends_before_probes("int x;\nswitch (c) {\ncase 0: x = 1; break;\ndefault: x = 2;\n}\np[0] = x;"),
            (Ends{"case 0: x = 1;", "default: x = 2;"}));
}

// The variable of a loop has its value of the iteration where the body begins, and only there is it in scope everywhere.
TEST(Probes, TheVariableOfALoopIsWatchedWhereItsBodyBegins) {
  EXPECT_EQ(ends_before_probes("for (int i = c; i < 4; ++i) {\n    p[i] = c;\n}"),
            (Ends{"for (int i = c; i < 4; ++i) {"}));
  EXPECT_EQ(ends_before_probes("for (int i = 0, j = 4; i < j; ++i, --j)\n{\n    p[i] = j;\n}"), (Ends{"{"}));
  // Not where there is no body to stand in, of other heads, and of pointers.
  for (const char* body : {"for (int i = c; i < 4; ++i) p[i] = c;", "if (int i = c) {\n    p[i] = c;\n}",
                           "for (int* q = p; q < p + 4; ++q) {\n    *q = c;\n}"})
    EXPECT_EQ(ends_before_probes(body), Ends{}) << body;
  // A loop in a loop: each its own.
  EXPECT_EQ(ends_before_probes("for (int i = 0; i < c; ++i) {\nfor (int j = 0; j < i; ++j) {\np[j] = i;\n}\n}"),
            (Ends{"for (int i = 0; i < c; ++i) {", "for (int j = 0; j < i; ++j) {"}));
  const Source s = read_well(
      "__global__ void f(int* p, int c) {\n  for (int i = 0; i < c; ++i) {\n    p[i] = 1;\n  }\n  for (int i = 1; i < "
      "c; "
      "++i) {\n    p[i] = 2;\n  }\n}\n");
  ASSERT_EQ(s.variables.size(), 2u) << "two variables of one name";
  EXPECT_EQ(s.variables[0].declared_line, 2);
  EXPECT_EQ(s.variables[1].declared_line, 5);
}

TEST(Probes, WatchOnlyWhatIsRegisterData) {
  const Source s = read_well(
      "__global__ void f(int* p) {\n"
      "  __shared__ int tile[32]; tile[0] = 1;\n"
      "  int* q = p; q += 1;\n"
      "  bool flag = true; int& alias = tile[1]; alias = 3;\n"
      "  static const int table[2] = {1, 2};\n"
      "  auto square = [](int v) { return v * v; };\n"
      "  for (int i = 0; i < 3; ++i) p[i] = square(table[flag]);\n"
      "  float4 v; v.x = 1; uint x[4]; x[threadIdx.x & 3] = 2;\n"
      "  unsigned long long big = 5, other; double d(2.0); auto e{1};\n"
      "}\n");
  std::vector<std::string> names;
  for (const Variable& v : s.variables) names.push_back(v.name);
  EXPECT_EQ(names, (std::vector<std::string>{"v", "x", "big", "d", "e"}));
  EXPECT_EQ(s.variables[2].type, "unsigned long long");
}

TEST(Probes, NeverInALambdaAMacroOrABranchThatDoesNotCount) {
  EXPECT_EQ(ends_before_probes("int x = 0;\nauto g = [&](int a) { int t = a; x = t; return t; };\np[0] = g(1);"),
            (Ends{"int x = 0;", "auto g = [&](int a) { int t = a; x = t; return t; };"}));
  const Source s = read_well(
      "__global__ void f(int* p) {\n  int x = 1;\n#ifdef A\n  if (x) {\n#else\n  if (!x) {\n#endif\n    x = 2;\n  }\n  "
      "p[0] = x;\n}\n");
  std::vector<int> lines;
  for (const ProbePoint& p : s.probes) lines.push_back(p.statement_line);
  EXPECT_EQ(lines, (std::vector<int>{2, 8}));
}

TEST(Probes, CalledFunctionsAndMacrosThatWriteCount) {
  const Source s = read_well(
      "#define SWAP(a, b) { auto t = a; a = b; b = t; }\n"
      "__device__ void load(int& r, const int* p) { r = *p; }\n"
      "__global__ void f(int* p) {\n  int x0, x1;\n  // x has register assignment:\n  //   register: i0\n  load(x0, "
      "p);\n  load(x1, p + 1);\n  SWAP(x0, x1);\n"
      "  int y;\n  asm(\"mov.u32 %0, 1;\" : \"=r\"(y));\n  p[0] = x0 + y;\n}\n");
  ASSERT_EQ(s.claims.size(), 1U);
  ASSERT_GE(s.claims[0].probe, 0) << s.claims[0].unchecked_reason.words();
  EXPECT_EQ(probe_of(s, 0).statement_line, 8);
  EXPECT_TRUE(std::any_of(s.variables.begin(), s.variables.end(), [](const Variable& v) { return v.name == "y"; }));
}

TEST(Probes, ReadOptionsSwitchWatchingOff) {
  const std::string text = file_text(data_path("half2_notes.cu"));
  const Expected<Source> s = read("half2.cu", text, {.watch_probes = false});
  ASSERT_TRUE(s);
  std::size_t of_claims = 0;
  for (const Claim& c : s->claims) of_claims += 1 + c.later_probes.size();
  EXPECT_EQ(s->probes.size(), of_claims);
}

/// Without our directives and what they hold.
std::string braces_of(const std::string& body, const std::string& before = "") {
  const Source s =
      read_well(before + "__global__ void f(int* p) {\n  int x = 1, y = 2;\n  int z[4];\n" + body + "\n}\n");
  EXPECT_EQ(without_any_probe(s.probed_text), s.device_text);
  std::vector<int> all;
  for (const ProbePoint& point : s.probes) all.push_back(point.id);
  std::string none = without_probes(s.probed_text, all);
  EXPECT_EQ(none.find("lanescope_read<1,"), std::string::npos);
  EXPECT_EQ(none.find("lanescope_read_here(1,"), std::string::npos);
  EXPECT_EQ(std::ranges::count(none, '{'), std::ranges::count(none, '}'));
  // The body as a compiler sees it, with each call of a probe replaced by the name that it reads.
  std::string out;
  std::istringstream lines(s.probed_text.substr(s.probed_text.find("int z[4];") + 9));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#line")) continue;
    for (std::size_t at = 0; (at = line.find("lanescope_read_here(", at)) != std::string::npos;) {
      const std::size_t close = line.find(')', at), name = line.rfind(',', close) + 1;
      line = line.substr(0, at) + "?" + line.substr(name, close - name) + line.substr(close + 1);
    }
    for (const char c : line)
      if (c != ' ') out += c;
  }
  return out;
}

std::size_t count_of(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

// A compiler takes time with the square of the instances of a template: none for what is read in place.
TEST(Probes, ReadVariablesInPlace) {
  std::string body = "  float y = 1;\n";
  for (int i = 0; i < 200; ++i) body += "  y = y * 2;\n";
  const Source s = read_well("__global__ void f(float* p) {\n" + body + "  p[0] = y;\n}\n");
  EXPECT_GE(count_of(s.probed_text, "lanescope_read_here("), 200u);
  EXPECT_EQ(count_of(s.probed_text, "\nlanescope_probe_::lanescope_read<"), 0u);
}

// Functions that the compiler may evaluate have no assembler code in them.
TEST(Probes, AreCallsInFunctionsThatTheCompilerMayEvaluate) {
  const Source s = read_well(
      "__device__ constexpr int twice(int a) {\n  int b = 2 * a;\n  if constexpr (sizeof(int) == 4) {\n    b += 1;\n  "
      "}\n"
      "  return b;\n}\nconstexpr int table[] = {1, 2};\n__global__ void f(int* p) {\n  int x = twice(p[0]);\n"
      "  p[1] = x + table[1];\n}\n");
  const std::size_t end = s.probed_text.find("constexpr int table");
  ASSERT_NE(end, std::string::npos);
  const std::size_t begin = s.probed_text.find("twice(int a)");
  const std::string evaluated = s.probed_text.substr(begin, end - begin), after = s.probed_text.substr(end);
  EXPECT_EQ(count_of(evaluated, "lanescope_read_here("), 0u);
  EXPECT_GT(count_of(evaluated, "lanescope_probe_::lanescope_read<"), 0u);
  EXPECT_GT(count_of(after, "lanescope_read_here("), 0u);
  EXPECT_EQ(without_any_probe(s.probed_text), s.device_text);
}

// Each iteration of a loop without braces is seen where it takes what the one before left.
TEST(Probes, StandInTheBodyOfALoopWithoutBraces) {
  EXPECT_EQ(braces_of("for (int i = 0; i < 3; ++i) x += p[i];"), "for(inti=0;i<3;++i){x+=p[i];?x;}}");
  EXPECT_EQ(braces_of("while (x < 9) x = 2 * x, y -= x;"), "while(x<9){x=2*x,y-=x;?x;?y;}}");
  EXPECT_EQ(braces_of("do x *= 3; while (x < 9);"), "do{x*=3;?x;}while(x<9);}");
  EXPECT_EQ(braces_of("for (int i = 0; i < 3; ++i)\n  for (int k = 0; k < 3; ++k) // each\n    x ^= p[k];"),
            "for(inti=0;i<3;++i)for(intk=0;k<3;++k){//eachx^=p[k];?x;}}");
  EXPECT_EQ(braces_of("for (int i = 0; i < 3; ++i)\n    if (i < y) x += p[i];\n    else x -= 1;\n  y = 3;"),
            "for(inti=0;i<3;++i){if(i<y)x+=p[i];elsex-=1;?x;}y=3;?y;}");
  EXPECT_EQ(braces_of("if (y) for (int i = 0; i < 3; ++i) x += p[i]; else x = 4;"),
            "if(y)for(inti=0;i<3;++i){x+=p[i];?x;}elsex=4;?x;}");
  EXPECT_EQ(braces_of("for (int i = 0; i < 3; ++i) if (i) for (int k = 0; k < i; ++k) x += k;"),
            "for(inti=0;i<3;++i)if(i)for(intk=0;k<i;++k){x+=k;?x;}}");
  EXPECT_EQ(braces_of("for (int i = 0; i < 3; ++i) STEP(x, i);", "#define STEP(v, i) v += (i)\n"),
            "for(inti=0;i<3;++i){STEP(x,i);?x;}}");
}

// Once after the loop: an array that is filled. Never where the text does not say where the statement ends.
TEST(Probes, LeaveOtherLoopsAsTheyAre) {
  EXPECT_EQ(braces_of("for (int i = 0; i < 4; ++i) z[i] = p[i];"), "for(inti=0;i<4;++i)z[i]=p[i];?z;}");
  EXPECT_EQ(braces_of("for (int i = 0; i < 3; ++i) { x += p[i]; }"), "for(inti=0;i<3;++i){?i;x+=p[i];?x;}}");
  EXPECT_EQ(braces_of("for (int i = 0; i < 3; ++i) if (i) { x += p[i]; }"), "for(inti=0;i<3;++i)if(i){x+=p[i];?x;}}");
  EXPECT_EQ(braces_of("for (int i = 0; i < 3; ++i) STEP(x)\n  y = x;", "#define STEP(v) v += 1;\n"),
            "for(inti=0;i<3;++i)STEP(x)y=x;?x;?y;}");
  EXPECT_EQ(braces_of("for (int i = 0; i < 3; ++i)\n#pragma diag_default 1\n  x += 1;"),
            "for(inti=0;i<3;++i)#pragmadiag_default1x+=1;?x;}");
}

}  // namespace
}  // namespace lanescope::source
