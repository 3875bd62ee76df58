// Where claims bind, and the words when they do not.

#include "tests/kernels/source/source_files.h"

namespace lanescope::source {
namespace {

constexpr const char* rows = "// register: i1 i0\n// thread: i6 i5 i4 i3 i2\n";

Source kernel(const std::string& body) { return read_well("__global__ void f(int* p, int c) {\n" + body + "\n}\n"); }

TEST(Binding, ArraysFilledByALoopAreReadBehindIt) {
  const Source s = kernel(std::string("int x[4];\n// x has the register assignment:\n") + rows +
                          "for (int i = 0; i < 4; ++i) {\n  x[i] = p[i];\n}\np[0] = x[0];");
  ASSERT_EQ(s.claims.size(), 1U);
  EXPECT_EQ(registers_of(s, 0), "x");
  EXPECT_EQ(probe_of(s, 0).line, 9);
}

TEST(Binding, ArraysFilledOneByOneNeedAllElements) {
  const Source s = kernel(std::string("int x[4];\n// x has the register assignment:\n") + rows +
                          "x[0] = 1; x[1] = 2; x[2] = 3;\nx[3] = 4;\np[0] = x[0];");
  ASSERT_EQ(s.claims.size(), 1U);
  EXPECT_EQ(probe_of(s, 0).statement_line, 7);
}

TEST(Binding, InsideALoopTheProbeIsInsideToo) {
  const Source s = kernel(std::string("for (int n = 0; n < c; ++n) {\n  int x0 = p[0], x1 = p[1], x2 = p[2], x3 = "
                                      "p[3];\n  // x has register assignment:\n") +
                          rows + "  p[n] = x0 + x1 + x2 + x3;\n}");
  ASSERT_GE(s.claims.at(0).probe, 0);
  EXPECT_EQ(probe_of(s, 0).statement_line, 3);
}

TEST(Binding, ClaimsAboveADeviceFunctionSpeakOfItsParameters) {
  const Source s =
      read_well(std::string("// x has register assignment:\n") + rows +
                "template <class T>\n__device__ void g(T& x0, T& x1, T& x2, T& x3) {\n  T t = x0; x0 = x1; x1 = "
                "t;\n}\n__global__ void f(int* p) { int a=p[0],b=1,c=2,d=3; g(a, b, c, d); p[0] = a; }\n");
  ASSERT_EQ(s.claims.size(), 1U);
  EXPECT_EQ(registers_of(s, 0), "x0 x1 x2 x3");
  EXPECT_EQ(s.variables.at(0).function, "g");
  EXPECT_EQ(probe_of(s, 0).line, 6);
}

TEST(Binding, RegistersCanBeListed) {
  for (const char* list : {"registers: d c b a", "registers: d, c, b, a"}) {
    const Source s = kernel(std::string("int a = p[0], b = p[1], c1 = 0, d = p[3]; { int c = c1;\n// ") + list + "\n" +
                            rows + "p[0] = a + b + c + d; }");
    ASSERT_EQ(s.claims.size(), 1U);
    EXPECT_EQ(registers_of(s, 0), "d c b a") << s.claims[0].unchecked_reason.words();
  }
  EXPECT_EQ(registers_of(
                kernel(std::string("int4 v = *(int4*)p;\n") + rows + "// registers: v.x v.y v.z v.w\np[0] = v.x;"), 0),
            "v");
  EXPECT_EQ(
      registers_of(kernel(std::string("int z[4] = {1,2,3,4};\n// registers: z[0..3]\n") + rows + "p[0] = z[0];"), 0),
      "z");
  EXPECT_EQ(
      registers_of(kernel(std::string("int z0=1, z1=1, z2=1, z3=1;\n// registers: z0..z3\n") + rows + "p[0] = z0;"), 0),
      "z0 z1 z2 z3");
}

TEST(Binding, TwoFunctionsMayUseTheSameNames) {
  const std::string body = std::string("{ int x0 = p[0], x1 = 1, x2 = 2, x3 = 3;\n// x has register assignment:\n") +
                           rows + "p[0] = x0; }\n";
  const Source s = read_well("__global__ void f(int* p) " + body + "__global__ void g(int* p) " + body);
  ASSERT_EQ(s.claims.size(), 2U);
  EXPECT_NE(s.claims[0].registers, s.claims[1].registers);
  EXPECT_EQ(s.variables.at(static_cast<std::size_t>(s.claims[1].registers[0])).function, "g");
}

TEST(Binding, UncheckedHasItsReason) {
  struct Case {
    std::string body, reason;
  };
  for (const Case& c :
       {Case{std::string("// x has register assignment:\n") + rows + "int x0, x1, x2, x3; p[0] = 1;", "never assigned"},
        Case{std::string("int y = p[0];\n// 'z' has register assignment:\n") + rows + "p[0] = y;", "no variable `z`"},
        Case{std::string("int x0 = p[0], x1 = p[1];\n// x has register assignment:\n") + rows + "p[0] = x0 + x1;",
             "4 registers"},
        Case{std::string("// Layout here:\n") + rows + "p[0] = 1;", "names no variable"}}) {
    const Source s = kernel(c.body);
    ASSERT_EQ(s.claims.size(), 1U);
    EXPECT_EQ(s.claims[0].probe, -1);
    EXPECT_NE(s.claims[0].unchecked_reason.words().find(c.reason), std::string::npos)
        << s.claims[0].unchecked_reason.words();
  }
  const Source host =
      read_well(std::string("#include <cstdio>\n__global__ void f(int* p) { p[0] = 1; }\nint main() {\n  int x0 = 1, "
                            "x1 = 1, x2 = 1, x3 = 1;\n  // x has register assignment:\n") +
                rows + "  return x0; }\n");
  EXPECT_NE(host.claims.at(0).unchecked_reason.words().find("host code"), std::string::npos);
}

TEST(Binding, MisspeltRowsLeaveTheirClaimUncheckedAndAreNotedAtTheirPlace) {
  struct Case {
    const char* row;
    int column;
  };
  for (const Case& c : {Case{"// regsiter: i1 i0", 4}, Case{"// register: r1 r0 <-> i1", -1},
                        Case{"// register: r1 q0 <-> i1 i0", -1}, Case{"// register: i1 i0 1i", -1}}) {
    const Source s = read_well(
        std::string("__global__ void f(int* p) {\nint x = p[0];\n// x has register assignment:\n// simd: k0\n") +
        c.row + "\np[0] = x; }\n");
    ASSERT_EQ(s.claims.size(), 1U) << c.row;
    EXPECT_EQ(s.claims[0].probe, -1) << c.row;
    EXPECT_NE(s.claims[0].unchecked_reason.words().find(std::string("line 5 `") + (c.row + 3)), std::string::npos)
        << s.claims[0].unchecked_reason.words();
    ASSERT_FALSE(s.notes.empty()) << c.row;
    EXPECT_EQ(s.notes.front().line, 5) << c.row;
    EXPECT_EQ(s.notes.front().file, "k.cu");
    EXPECT_EQ(s.notes.front().severity, Severity::warning);
    if (c.column > 0) {
      EXPECT_EQ(s.notes.front().column, c.column) << words(s.notes);
    }
    EXPECT_FALSE(s.notes.front().remedy.empty());
  }
}

TEST(Binding, ProseIsNoRow) {
  for (const char* prose :
       {"// thread: see the table below", "// register pressure: 32 registers is the limit",
        "// Note: warp 0 loads, warp 1 waits", "// after: shape (32,32), strides (128*1024, 1)",
        "// Thread with t2=0 keeps its y0, receives partner's y0 into y1", "// block: this one is special"}) {
    const Expected<Source> s =
        read("k.cu", std::string("__global__ void f(int* p) {\nint x = p[0];\n") + prose + "\np[0] = x; }\n");
    ASSERT_TRUE(s.has_value()) << prose << ": " << words(s.error());
    EXPECT_TRUE(s->claims.empty()) << prose;
  }
}

}  // namespace
}  // namespace lanescope::source
