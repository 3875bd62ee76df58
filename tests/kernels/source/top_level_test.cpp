// Code that real files have between their kernels: the functions around each form are found, and its own.

#include "kernels/source/cxx/structural_macros.h"
#include "tests/kernels/source/source_files.h"

namespace lanescope::source {
namespace {

/// "f g k" of the functions found, kernels with a star.
std::string functions_of(const std::string& text) {
  const Lexed lexed = lex(text);
  std::string out;
  for (const FunctionRange& f : outline(lexed).functions)
    out += (out.empty() ? "" : " ") + f.info.name + (f.info.is_kernel ? "*" : "");
  return out;
}

TEST(TopLevel, HeadsOfFunctions) {
  const struct {
    const char* text;
    const char* functions;
  } cases[] = {
      {"template<bool Debug = false> __device__ inline void f(float &x) { x = x; }", "f"},
      {"template<class T = X<(3>2)>, int N = sizeof(T) < 4 ? 1 : 2> __global__ void k(T *p) {}", "k*"},
      {"template <typename T, typename = std::enable_if_t<(sizeof(T) > 4) && true>> __device__ T f(T a) { return a; }",
       "f"},
      {"template <int N> requires (N > 2) && C<N> __device__ auto f() -> int { return N; }", "f"},
      {"template <class T> __device__ int f(T t) requires requires (T x) { x.y(); } { return 1; }", "f"},
      {"namespace a::b { namespace { inline namespace v1 { __global__ void k() {} } } }", "k*"},
      {"extern \"C\" { __global__ void k() {} }\nextern \"C\" __global__ void l() {}", "k* l*"},
      {"struct X { __device__ X() : a(1), b{2} {} ~X() {} int g() const { return a; } int a, b; };", "X X g"},
      {"struct X { X(); __device__ float f(int) const; };\nX::X() : a(1), b{2}, base<int>(3) {}\n"
       "__device__ float X::f(int i) const { return i; }",
       "X f"},
      {"template <class T> struct Y<T*> : public Z<T> { __device__ T operator()(int i) const noexcept { return i; } };",
       "operator"},
      {"__device__ float3 operator+(float3 a, float3 b) { return a; }\nstruct S { __device__ operator float() { return "
       "1; }"
       " __device__ S& operator=(const S& o) { return *this; } S(const S&) = default; S() = delete; };",
       "operator operator operator"},
      {"auto square = [] __device__ (int x) { return x * x; };\n__global__ void k() { auto f = [&](int y) { return y; "
       "}; }",
       "k*"},
      {"void f() try { g(); } catch (int) { h(); } catch (...) {}\n__global__ void k() {}", "f k*"},
      {"__device__ static inline int f() { return 1; }\nstatic __device__ __noinline__ int g() { return 1; }", "f g"},
      {"__launch_bounds__(256, 2) __global__ void k() {}\n__global__ void __launch_bounds__(128) l() {}\n"
       "__global__ __launch_bounds__(max(1, 2)) void m() {}",
       "k* l* m*"},
      {"[[nodiscard]] __device__ int f() { return 1; }\n__attribute__((noinline)) __device__ int g() { return 2; }",
       "f g"},
      {"int table[2] = {1, 2};\nint x{3};\nint (*fp[])(int) = {a, b};\nvoid (*h)(int) = 0;\n__global__ void k() {}",
       "k*"},
      {"enum class E : int { a, b = 3 };\nstruct P { int a : 3; int b; } p, *q;\ntypedef struct { int x; } T;\n"
       "__global__ void k() {}",
       "k*"},
      {"union U { float f; int i; };\nstruct A { struct B { __device__ int f() { return 1; } } b; int g() { return 2; "
       "} };",
       "f g"},
      {"struct make { int x; };\nstruct make build(int n) { return {n}; }\nauto later(int a) -> decltype(a + 1) { "
       "return a; }",
       "build later"},
      {"BENCHMARK(words)\n__global__ void k() {}\nREGISTER(a, b);\n__global__ void l() {}", "k* l*"},
      {"TEST(Some, Words) { int x; }\n__global__ void k() {}", "TEST k*"},
      {"static_assert(sizeof(int) == 4, \"{\");\nusing A = B<int>;\nusing namespace std;\nnamespace c = d;\n"
       "__global__ void k() {}",
       "k*"},
      {"const char *s = R\"x({ \" )\" })x\";\nint n = 1'000'000;\nchar c = '{';\n__global__ void k() {}", "k*"},
      {"template <> __global__ void k<float>(float *p) {}\ntemplate __global__ void k<int>(int *);\n"
       "template <class T> using V = W<T, (1 > 0)>;\n__global__ void l() {}",
       "k* l*"},
      {"__global__ void k(const float *p, int (&a)[3], void (*f)(int), T<a, (b < c)> t = {}) {}", "k*"},
      {"struct S {\npublic:\n  S() {}\nprotected:\n  template <class T> __device__ void f(T t) { }\nfriend int g(S) { "
       "return 1; }\n};",
       "S f g"},
      {"__global__ void k(float *p)\n\\\n{\n}\nint main (int argc, char ** argv)\n{\n}\n", "k* main"},
      {"class X final : public A<1>, private B { int f() override { return 1; } };\n__constant__ float c[3];\n"
       "__global__ void k() {}",
       "f k*"},
      {"__global__ void k();\n__device__ int f(int a,\n int b);\n__global__ void k() {}", "k*"},
  };
  for (const auto& c : cases) EXPECT_EQ(functions_of(c.text), c.functions) << c.text;
}

TEST(TopLevel, MacrosThatDecideWhatTheTextIs) {
  const struct {
    const char* text;
    const char* functions;
  } cases[] = {
      {"#define DEVICE __device__ __forceinline__\nDEVICE int f() { return 1; }", "f"},
      {"#define BEGIN namespace a { namespace b {\n#define END } }\nBEGIN\n__global__ void k() {}\nEND\n__global__ "
       "void l() {}",
       "k* l*"},
      {"#define KERNEL(name) extern \"C\" __global__ void name\nKERNEL(k)(float *p) { p[0] = 1; }", "k*"},
      {"#define NAME(a, b) a##_##b\n#define GLOBAL(t) __global__ void NAME(k, t)\nGLOBAL(int)(int *p) {}", "k_int*"},
      {"#define OPEN {\n__global__ void k() OPEN }\n__global__ void l() {}", "k* l*"},
      {"#define IN __device__\n#define IN2 IN inline\nIN2 int f() { return 1; }\n#undef IN2\n#define IN2\nIN2 int g() "
       "{ return 1; }",
       "f g"},
      {"#define OP(name, op) __device__ int name(int a, int b) { return a op b; }\nOP(add, +)\nOP(sub, -)\n__global__ "
       "void k() {}",
       "add sub k*"},
      {"#define EMPTY\nEMPTY __global__ EMPTY void k() {}", "k*"},
      {"#define F(x) F(x) {\nF(1) }\n__global__ void k() {}", "F k*"},
  };
  for (const auto& c : cases) EXPECT_EQ(functions_of(c.text), c.functions) << c.text;
  const Lexed lexed = lex("#define DEVICE __device__ inline\nDEVICE int f() { return 1; }\n");
  const Outline parts = outline(lexed);
  ASSERT_EQ(parts.functions.size(), 1U);
  EXPECT_TRUE(parts.functions[0].info.is_device);
  EXPECT_TRUE(parts.functions[0].annotated);
  EXPECT_EQ(parts.functions[0].info.first_line, 2);
  EXPECT_TRUE(lex("#define END }\nnamespace a {\nEND\n").balanced);
}

TEST(TopLevel, LoopsThatMacrosOpen) {
  const Source s = read_well(
      "#define LOOP(i, n) for (int i = threadIdx.x; i < (n); i += blockDim.x)\n"
      "__global__ void k(float *p, int n) {\n  LOOP(i, n) {\n    float x = p[i];\n"
      "    // x has register assignment:\n    //   thread: i4 i3 i2 i1 i0\n    p[i] = x;\n  }\n  float y = p[0];\n}\n");
  ASSERT_EQ(s.claims.size(), 1U);
  ASSERT_GE(s.claims[0].probe, 0);
  EXPECT_EQ(probe_of(s, 0).statement_line, 4);
  EXPECT_EQ(without_any_probe(s.probed_text), s.device_text);
}

TEST(TopLevel, MacrosOfHeadersCount) {
  const MacroTable known =
      evaluate_conditionals("a.h", "#define DEVICE __device__\n#define BEGIN namespace a {\n").macros;
  const Lexed lexed = lex("BEGIN DEVICE int f() { return 1; } }", known);
  const Outline parts = outline(lexed);
  ASSERT_EQ(parts.functions.size(), 1U);
  EXPECT_TRUE(parts.functions[0].info.is_device);
  EXPECT_TRUE(lexed.balanced);
}

TEST(TopLevel, DeclarationsKnowTheirNames) {
  const Lexed lexed =
      lex("int a, *b = f(1, 2), c[3];\nstruct S { int x; } s;\nenum { one, two = 2 };\ntypedef int (*fn)(int);\n"
          "using A = int;\nint (*table[])(int) = {g, h};\nvoid later(int);\nnamespace n = m;\ntypedef struct T { int "
          "y; } U;\n");
  std::string out;
  for (const TopDeclaration& d : outline(lexed).declarations) {
    if (d.member) continue;
    for (const int t : d.names) out += std::string(lexed.of(t)) + " ";
    out += "| ";
  }
  EXPECT_EQ(out, "a b c | S s | one two | fn | A | table | later | n | T U | ");
}

}  // namespace
}  // namespace lanescope::source
