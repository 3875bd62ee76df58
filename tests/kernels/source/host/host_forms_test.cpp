// Forms of other people's host programs: what `main` requests of the command line, references, constructors,
// kernels as values of a template.

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/kernels/source/host/oracle.h"

namespace lanescope::source::test {
namespace {

using Extents = std::array<std::uint32_t, 3>;

std::string kernels_of(const HostRun& run) {
  std::string out;
  for (const HostLaunch& l : run.launches) out += l.kernel + " ";
  return out;
}

TEST(HostForms, MainAsksForItsWords) {
  const std::string text = R"(
__global__ void k(int rows, int cols) {}
void usage(char** argv) { fprintf(stderr, "%s rows cols", argv[0]); exit(1); }
void work(int argc, char** argv) {
  int rows, cols;
  if (argc == 4) {
    rows = atoi(argv[1]);
    cols = strtol(argv[2], NULL, 10) * 2;
  } else {
    usage(argv);
  }
  k<<<rows / 16, 16>>>(rows, cols);
}
int main(int argc, char** argv) { work(argc, argv); })";
  const HostRun r = run_text(text);
  ASSERT_EQ(r.launches.size(), 1U);
  EXPECT_EQ(r.launches[0].grid, (Extents{8, 1, 1}));
  EXPECT_EQ(r.launches[0].arguments[1].number, 256);
  std::string assumed;
  for (const Assumption& a : r.assumed) assumed += sentence_of(a) + "\n";
  EXPECT_NE(assumed.find("Command line: 3 unknown words, because `main` requires them.\n"), std::string::npos)
      << assumed;
  EXPECT_NE(assumed.find("Command line: 128 for each number, because line 7 reads one.\n"), std::string::npos)
      << assumed;
}

TEST(HostForms, AssumedNumbersMakeNoBlockThatNoDeviceTakes) {
  const HostRun r = run_text(R"(
__global__ void k(int n) {}
int main(int argc, char** argv) {
  if (argc != 2) return 1;
  int side = atoi(argv[1]);
  k<<<1, dim3(side, side)>>>(side);
})");
  ASSERT_EQ(r.launches.size(), 1U);
  EXPECT_EQ(r.launches[0].block, (Extents{16, 16, 1}));
  EXPECT_EQ(r.launches[0].arguments[0].number, 16);
  const HostRun t = run_text(R"(
template <typename T, int BLOCK_SIZE> __global__ void k(T* x) {}
template <typename T, int BLOCK_SIZE> void go(T* x) { k<T, BLOCK_SIZE><<<4, dim3(BLOCK_SIZE, BLOCK_SIZE)>>>(x); }
template <typename T, int BLOCK_SIZE> void line(T* x) { k<T, BLOCK_SIZE><<<5, BLOCK_SIZE>>>(x); }
)");
  EXPECT_EQ(kernels_of(t), "k<float,16> k<float,256> ");
  const HostRun own = run_text("__global__ void k() {}\nint main() { k<<<1, dim3(64, 64)>>>(); }\n");
  EXPECT_EQ(own.launches[0].block, (Extents{64, 64, 1})) << "the program's own numbers are its own";
}

TEST(HostForms, WhatNeedsNoWordsIsNotGivenAny) {
  const HostRun r = run_text(R"(
__global__ void k(int n) {}
int main(int argc, char** argv) {
  int n = 48;
  if (argc == 2) n = atoi(argv[1]);
  if (argc > 7) return 1;
  k<<<1, 32>>>(n);
})");
  ASSERT_EQ(r.launches.size(), 1U);
  EXPECT_EQ(r.launches[0].arguments[0].number, 48);
}

TEST(HostForms, LayoutsOfEmptyBasesAndMethodsWithWordsBehindTheirResult) {
  computes_what_is_compiled(R"(
#define HOST inline
struct Empty { int f() { return 1; } };
struct Text : public Empty { int length; char* data; bool HOST ready() { return true; } int inline size() { return length; } };
struct Both : public Empty { Text name; int value; };
struct One : public Empty { int first; Text name; };
struct Two { Text a, b; };
int main() {
  Both b; b.value = 3; b.name.length = 4;
  k<<<b.name.size(), 1>>>((int)sizeof(Empty), (int)sizeof(Text), (int)sizeof(Both), (int)sizeof(One), (int)sizeof(Two),
                          (int)((char*)&b.value - (char*)&b), (int)((char*)&b.name.data - (char*)&b));
})");
}

TEST(HostForms, OperatorsOfAssignmentAreCalled) {
  computes_what_is_compiled(R"(
struct Text {
  int length; char* data; int writes;
  Text() : length(0), data(0), writes(0) {}
  Text& operator=(const char* s) { length = (int)strlen(s); data = (char*)malloc(length + 1); strcpy(data, s); ++writes; return *this; }
  Text& operator=(const Text& o) { length = o.length + 100; writes = o.writes + 10; return *this; }
  int operator()(int i) const { return data[i]; }
};
int main() {
  Text a, b;
  a = "hello";
  b = a;
  k<<<a.length, b.length>>>(a(1), a.writes, b.writes);
})");
}

TEST(HostForms, SharedPointersTakeTwoWords) {
  const HostRun r = run_text(R"(
struct Data { std::shared_ptr<int> owner; float* d; int n; };
struct Table { virtual int f() { return 1; } float* d; };
__global__ void k(Data a) {}
__global__ void g(Table t) {}
int main() {
  Data a; cudaMalloc(&a.d, 64); a.n = 5; Table t; t.d = a.d;
  k<<<1, 1>>>(a); g<<<1, 1>>>(t);
})");
  ASSERT_EQ(r.launches.size(), 2U);
  const std::vector<HostField>& fields = r.launches[0].arguments[0].fields;
  ASSERT_EQ(fields.size(), 4U);
  EXPECT_EQ(fields[2].name, "d");
  EXPECT_EQ(fields[2].offset_bytes, 16U);
  EXPECT_EQ(fields[3].offset_bytes, 24U);
  EXPECT_EQ(r.launches[1].arguments[0].kind, HostArgument::Kind::unknown) << "its members are not where they seem";
}

TEST(HostForms, AKernelTakesAReference) {
  const HostRun r = run_text(R"(
struct Element { int value; float* name; };
__global__ void by_reference(Element& e, const int& n) {}
void go(Element& e) { static int n; by_reference<<<1, 1>>>(e, n); }
int main() {
  Element* e; cudaMallocManaged(&e, sizeof(Element));
  e->value = 10;
  cudaMallocManaged(&e->name, 64);
  go(*e);
})");
  ASSERT_EQ(r.launches.size(), 1U);
  const HostArgument& a = r.launches[0].arguments[0];
  ASSERT_EQ(a.kind, HostArgument::Kind::pointer) << a.because;
  EXPECT_EQ(a.pointer.offset_bytes, 0);
  const HostBuffer& b = r.buffers[static_cast<std::size_t>(a.pointer.buffer)];
  EXPECT_EQ(b.bytes, 16U);
  ASSERT_TRUE(b.contents) << b.because;
  EXPECT_EQ(static_cast<int>((*b.contents)[0]), 10);
}

TEST(HostForms, KernelsAsValuesOfATemplate) {
  EXPECT_EQ(kernels_of(run_text(R"(
template <typename T, int N> __global__ void divide(T* x) {}
template <typename T, int M, typename F> void measure(F f) { f<<<M, 32>>>((T*)nullptr); }
template <typename T, int N> void both() {
  measure<T, 1>(divide<T, N / 8>);
  measure<T, 2>(divide<T, N * 2>);
}
int main() { both<float, 64>(); both<double, 16>(); })")),
            "divide<float,8> divide<float,128> divide<double,2> divide<double,32> ");
}

TEST(HostForms, EnumerationsAreNamedByTheirType) {
  EXPECT_EQ(kernels_of(run_text(R"(
namespace n { enum class Mode { read, write }; }
enum Way { up, down };
template <n::Mode M, int N> __global__ void touch(int* x) {}
template <Way W> __global__ void go(int* x) {}
template <n::Mode M> void all(int* x) { touch<M, 4><<<1, 32>>>(x); }
int main() { all<n::Mode::write>(nullptr); go<down><<<1, 32>>>(nullptr); }
)")),
            "touch<(n::Mode)1,4> go<down> ");
}

TEST(HostForms, AnUnknownLocalIsNoTemplateArgument) {
  EXPECT_EQ(kernels_of(run_text(R"(
template <int N> __global__ void k(int* x) {}
template <typename F> void with(F f) { f(std::integral_constant<int, 3>{}); }
int main() { with([&](auto tag) { constexpr int M = decltype(tag)::value; k<M><<<1, 32>>>(nullptr); }); }
)")),
            "k ");
}

TEST(HostForms, AnExplicitInstantiationSaysTheArguments) {
  EXPECT_EQ(kernels_of(run_text(R"(
template <typename T, int N> __global__ void multiply(T* x) {}
template <typename T, int N> void go(T* x) { multiply<T, N><<<1, N>>>(x); }
template void go<__half, 48>(__half* x);
)")),
            "multiply<__half,48> ");
}

TEST(HostForms, OverloadedKernelsAreToldByTheirParameters) {
  const HostRun r = run_text(R"(
__global__ void fill(const float* a, int n) {}
__global__ void fill(float* a, int n, int value) {}
int main() {
  float* d; cudaMalloc(&d, 64);
  fill<<<1, 16>>>(d, 16, 3);
  int n; cudaMemcpy(&n, d, 4, cudaMemcpyDeviceToHost);
  fill<<<1, 16>>>(d, n);
})");
  ASSERT_EQ(r.launches.size(), 2U);
  EXPECT_EQ(r.launches[1].arguments[1].kind, HostArgument::Kind::unknown) << "the first launch writes it";
}

TEST(HostForms, SideEffectsHappenOnce) {
  computes_what_is_compiled(R"(
int second(const int& x) { return x * 2; }
void both(int& a, int b) { a += b; }
int main() {
  int a[6] = {1, 2, 3, 4, 5, 6}, b[6] = {};
  int* p = a;
  int first = *p++;
  int next = *++p;
  int* q = b;
  p = a;
  for (int i = 0; i < 4; ++i) *q++ = *p++;
  int twice = second(*p++);
  both(a[first++], 7);
  both(*p--, 100);
  int at = (int)(p - a);
  k<<<1, 32>>>(first, next, b[0], b[1], b[3], twice, at, a[1], a[5]);
})");
}

TEST(HostForms, VariablesThatOutliveACallAndPlacesThatCallsReturn) {
  computes_what_is_compiled(R"(
int next() { static int s = 10; static int t[2]; t[1] += 2; return ++s + t[1]; }
int held = 4;
int& place() { return held; }
struct Counter { int& r; int own; Counter(int& x) : r(x), own(1) {} void inc() { r++, own++; } };
struct Pair { int& a; const int& b; };
int main() {
  next(); next();
  std::vector<int> w{1, 7, 9};
  w.front() = 5;
  w.at(1)++;
  w.back() += 3;
  place() = 8;
  place()++;
  int x = 3, y = 2;
  Counter c(x);
  c.inc();
  Pair pair{x, y};
  pair.a += pair.b;
  k<<<1, 32>>>(next(), w[0], w[1], w[2], held, x, c.own, (int)sizeof(Pair));
})");
}

TEST(HostForms, OverloadsVirtualFunctionsAndCaptures) {
  computes_what_is_compiled(R"(
int f(int) { return 1; }
int f(float) { return 2; }
int f(double) { return 3; }
template <typename T> int g(T) { return 1; }
int g(int) { return 2; }
struct Base { virtual int f() { return 3; } int plain() { return f() + 10; } virtual ~Base() {} };
struct Derived : Base { int f() override { return 4; } };
int main() {
  Derived d;
  Base* p = new Derived;
  int j = 7;
  auto changes = [j](int i) mutable { j += i; return j; };
  auto sees = [=] { return j * 2; };
  auto counts = [&](int i) { j += i; };
  int first = changes(1), second = changes(1);
  counts(5);
  k<<<1, 32>>>(f(1), f(1.0f), f(1.0), g(1), g(1.5f), p->f(), d.plain(), p->plain(), first, second, sees(), j);
})");
}

TEST(HostForms, JumpsAndExceptions) {
  computes_what_is_compiled(R"(
int positive(int n) { if (n < 0) throw n; return n; }
int main() {
  int a = 1, b = 0, c = 0, d = 0, i = 0;
  goto skip;
  a = 100;
skip:
  a += 1;
again:
  b += 2;
  if (++i < 5) goto again;
  for (int r = 0; r < 4; ++r)
    for (int s = 0; s < 4; ++s)
      if (r * s == 2) { c = 10 * r + s; goto found; }
found:
  try { throw 5; d = 1; } catch (int e) { d = e; }
  int e = 0;
  for (int n = 3; n > -3; --n) try { e += positive(n); } catch (...) { e += 100; }
  int f = 0;
  switch (3) { case 1 ... 5: f = 4; break; default: f = 9; }
  k<<<1, 32>>>(a, b, c, d, e, f, '\x41', '\101', '\0', '\t', i);
})");
}

TEST(HostForms, ArraysAreDeducedAsArraysByReferences) {
  computes_what_is_compiled(R"(
template <class T> int size_of(const T& x) { return (int)sizeof(x); }
template <class T> int size_of_type(const T& x) { return (int)sizeof(T); }
template <class T> int by_value(T x) { return (int)sizeof(T); }
template <class T, int N> int sum(T (&a)[N]) {
  int s = 0;
  for (int i = 0; i < N; ++i) s += a[i];
  return s * 100 + N;
}
template <class T, size_t N> constexpr size_t length(const T (&)[N]) { return N; }
template <int R, int C> int total(int (&a)[R][C]) {
  int s = 0;
  for (int r = 0; r < R; ++r)
    for (int c = 0; c < C; ++c) s += a[r][c];
  return s + 1000 * R + 100 * C;
}
template <class T> int forwarded(T&& x) { return (int)sizeof(x); }
template <class T, int C> int rows(T a[][C], int n) { return C * n + (int)sizeof(T); }
template <class T> void clear(T& all) { for (int i = 0; i < (int)(sizeof(all) / sizeof(all[0])); ++i) all[i] = 0; }
int overloaded(const char* s) { return 1; }
int overloaded(const std::string& s) { return 2; }
int text_length(const std::string& s) { return (int)s.size(); }
struct S { float v[5]; };
int main() {
  int a[4] = {1, 2, 3, 4}, m[2][3] = {{1, 2, 3}, {4, 5, 6}};
  const float f[7] = {};
  S s{};
  double* p = nullptr;
  sizes<<<1, 1>>>(size_of(a), size_of_type(f), by_value(a), size_of(s.v), size_of(m), size_of(p), size_of(s));
  extents<<<1, 1>>>(sum(a), sum(m[1]), length(f), length(m), total(m), rows(m, 2));
  texts<<<1, 1>>>(length("abc"), size_of("abcd"), overloaded("x"), text_length("four"), by_value("abcdefghi"));
  forwarded<<<1, 1>>>(forwarded(a), forwarded(p), forwarded(3));
  clear(a);
  cleared<<<1, 1>>>(sum(a), a[3]);
}
)");
}

// Functions and lambdas that take any number of arguments, and pass them on.
TEST(HostForms, PacksOfArgumentsArePassedOn) {
  const std::string text = R"(
__global__ void k(unsigned* p, int n) {}
__global__ void one(int n) {}
__global__ void none() {}
template <typename F, typename... A> void run(F f, int threads, A&&... a) { f<<<1, threads>>>(std::forward<A>(a)...); }
template <typename... A> int sum_of_two(int first, A... rest) { return first + last_of(rest...); }
int last_of(int a) { return a; }
template <typename... A> void all(A... a) { none<<<1, 64>>>(a...); }
int main() {
  unsigned* d;
  cudaMalloc(&d, 128);
  run(k, 32, d, 7);
  run(one, 64, 8);
  run(none, 96);
  auto launch = [&](auto... args) { k<<<2, 32>>>(args...); };
  launch(d, 9);
  auto twice = [](auto f, auto&&... args) { f<<<3, 32>>>(args...); f<<<4, 32>>>(args...); };
  twice(one, 10);
  one<<<1, 1>>>(sum_of_two(20, 22));
  all();
})";
  const HostRun r = run_text(text);
  ASSERT_EQ(r.launches.size(), 8U) << kernels_of(r);
  EXPECT_EQ(kernels_of(r), "k one none k one one one none ");
  const auto number = [&](std::size_t launch, std::size_t argument) {
    return r.launches[launch].arguments.at(argument).number;
  };
  EXPECT_EQ(number(0, 1), 7);
  EXPECT_EQ(number(1, 0), 8);
  EXPECT_TRUE(r.launches[2].arguments.empty());
  EXPECT_EQ(r.launches[2].block, (Extents{96, 1, 1}));
  EXPECT_EQ(number(3, 1), 9);
  EXPECT_EQ(r.launches[3].arguments.size(), 2U);
  EXPECT_EQ(number(4, 0), 10);
  EXPECT_EQ(r.launches[5].grid, (Extents{4, 1, 1}));
  EXPECT_EQ(number(6, 0), 42);
  EXPECT_TRUE(r.launches[7].arguments.empty());
}

TEST(HostForms, ConstructorsConvertArguments) {
  const std::string types = R"(
struct Fast {
  int d, m, s;
  Fast(int x = 0) : d(x), m(x * 10), s(-x) {}
  Fast& operator=(int x) { d = x; m = x * 100; s = 5; return *this; }
};
struct Two { int a, b; };
)";
  computes_what_is_compiled(types + R"(
int by_value(Fast f) { return f.m; }
int by_reference(const Fast& f) { return f.m; }
Fast returned(int x) { return x; }
Fast listed(int x) { return {x}; }
int main() {
  int q = 0;
  Fast once(q++), a = q++, b{q++};
  Two two{q++}, three = {q++, q++};
  Fast all[2] = {q++, 2};
  k<<<1, 1>>>(once.m, a.m, b.m, two.a, two.b, three.b, all[0].m, all[1].s, q);
  int n = 7;
  k<<<1, 1>>>(by_value(q++), by_value(n), by_reference(n), by_reference(3), returned(6).m, listed(8).m, q);
  a = 9;
  k<<<1, 1>>>(a.m, a.s);
}
)");
  const HostRun r = run_text(types + R"(
class Hidden {
  float a; int b;
 public:
  __host__ __device__ Hidden(float f) : a(f * 2), b(7) {}
  __host__ __device__ operator int() const { return b; }
  explicit operator float() const { return a; }
  __host__ __device__ friend int operator/(int n, const Hidden& h);
};
__global__ void k(Fast f, Hidden h) {}
int main() { int n = 4; k<<<1, 1>>>(n, 1.5f); }
)");
  ASSERT_EQ(r.launches.size(), 1U);
  const auto members = [&](std::size_t i) {
    std::string out;
    for (const HostField& f : r.launches[0].arguments.at(i).fields) out += fmt::format("{} ", f.number.value_or(-1));
    return out;
  };
  EXPECT_EQ(members(0), "4 40 -4 ");
  EXPECT_EQ(members(1), "3 7 ");
}

TEST(HostForms, DefaultArgumentsOfADeclaration) {
  computes_what_is_compiled(R"(
struct Sizes {
  int scale = 3;
  int of(int n, int factor = 2, int more = 5) const;
  template <class T> T typed(T n, int more = sizeof(T));
};
int split(int n, int by = 4, int first = (1, 2));
int split(float x, int by);
int Sizes::of(int n, int factor, int more) const { return scale * n * factor + more; }
template <class T> T Sizes::typed(T n, int more) { return n + more; }
int main() {
  Sizes s;
  k<<<1, 1>>>(s.of(1), s.of(1, 7), s.of(1, 7, 9), split(100), split(100, 5), split(2.5f, 3));
}
int split(int n, int by, int first) { return n / by + first; }
int split(float x, int by) { return int(x * by); }
)");
}

TEST(HostForms, TraitsOfTypesChooseBranches) {
  computes_what_is_compiled(R"(
#include <type_traits>
template <class T> int number() {
  if constexpr (std::is_same<T, float>::value) return 1;
  else if constexpr (std::is_same_v<T, double*>) return 2;
  else if constexpr (std::is_integral_v<T> && !std::is_floating_point<T>::value) return 3;
  else return std::is_floating_point_v<T> ? 4 : 5;
}
int main() {
  k<<<1, 1>>>(number<float>(), number<double*>(), number<char>(), number<double>(), number<float*>());
}
)");
  // `long` and `long long` are one type here, and so are enumerations and int.
  for (const char* condition : {"std::is_same_v<T, long>", "std::is_same_v<T, const long long>"}) {
    const HostRun r = run_text(fmt::format(R"(
__global__ void k() {{}}
template <class T> void f() {{ if constexpr ({}) k<<<1, 1>>>(); }}
int main() {{ f<long long>(); }})",
                                           condition));
    ASSERT_EQ(r.launches.size(), 1U) << condition;
    EXPECT_FALSE(r.launches[0].certain) << condition;
  }
}

/// Alignments of members, after the braces and by a pragma, and members in the padding of a base.
TEST(HostForms, SizesThatAreNotCertainAreUnknown) {
  for (const char* type :
       {"struct T { char c; alignas(16) int x; char d; };", "struct T { char c; } __attribute__((aligned(16)));",
        "typedef struct { char c; } __attribute__((aligned(8))) T;",
        "#pragma pack(push, 1)\nstruct T { char c; int x; };\n#pragma pack(pop)\n",
        "struct Base { double d; char c; }; struct T : Base { char e; };",
        "struct alignas(16) Base { float f[4]; }; struct T : Base { char e; };"}) {
    const HostRun r =
        run_text(fmt::format("{}\n__global__ void k(int n) {{}}\nint main() {{ k<<<1, 1>>>(sizeof(T)); }}", type));
    ASSERT_EQ(r.launches.size(), 1U) << type;
    EXPECT_EQ(r.launches[0].arguments[0].kind, HostArgument::Kind::unknown) << type;
  }
  computes_what_is_compiled(R"(
struct Base { double d; int a, b; };
struct D : Base { char e; };
struct alignas(16) A { float x; };
struct C { char c; A a; };
int main() { k<<<1, 1>>>((int)sizeof(D), (int)sizeof(A), (int)sizeof(C)); }
)");
}

/// Types here have no const, and references are no types: where these decide, no branch is certain.
TEST(HostForms, QualifiersOfTypesAreNotIgnored) {
  for (const char* call : {"same<const int, int>()", "same<int*, const int*>()", "same<int&, int>()", "whole<int&>()",
                           "same<Fixed, int>()", "of(c)", "of(&c)", "S<const int>::call()", "handed<const int>()"}) {
    const HostRun r = run_text(fmt::format(R"(
__global__ void k() {{}}
using Fixed = const int;
template <class A, class B> void same() {{ if constexpr (std::is_same_v<A, B>) k<<<1, 1>>>(); }}
template <class A> void whole() {{ if (std::is_integral<A>::value) k<<<1, 1>>>(); }}
template <class T> void of(T& x) {{ same<T, int>(); }}
template <class T> void of(T* x) {{ same<T, int>(); }}
template <class T> void handed() {{ same<T, int>(); }}
template <class T> struct S {{ static void call() {{ if constexpr (std::is_same<T, int>::value) k<<<1, 1>>>(); }} }};
int main() {{ const int c = 1; {}; }})",
                                           call));
    EXPECT_TRUE(r.launches.empty() || !r.launches[0].certain) << call;
  }
  computes_what_is_compiled(R"(
#include <type_traits>
template <class A, class B> int same() { return std::is_same_v<A, B> ? 1 : 2; }
template <class T> int of(const T& x, const std::vector<T>& y) { return same<T, float>() + 2 * same<T, double>(); }
template <class T> struct S { static int kind() { return std::is_same<T, int>::value; } };
int main() { k<<<1, 1>>>(same<int, int>(), same<const int, float>(), of(1.0f, std::vector<float>(2)), S<int>::kind()); }
)");
}

TEST(HostForms, InstancesAreNamedAsOutsideOfTheFunction) {
  const HostRun r = run_text(R"(
template <int M, int N> struct Tile { static constexpr int rows = M, columns = N; };
template <class T> __global__ void k(float* p) {}
template <int N, bool B> __global__ void n(float* p) {}
template <class T> void aliases(float* p) {
  using Half = Tile<T::rows / 2, T::columns>;
  typedef unsigned long word;
  using other = word;
  auto kernel = &k<Half>;
  kernel<<<1, 1>>>(p);
  k<word><<<1, 1>>>(p);
  k<other><<<1, 1>>>(p);
}
template <class T> void call(T* kernel, float* p) { kernel<<<1, 1>>>(p); }
template <int A> struct Launcher {
  template <bool B> static void run(float* p) { n<B ? A : A + 1, B><<<1, 1>>>(p); }
};
int main() {
  float* p;
  aliases<Tile<8, 4>>(p);
  call(k<int>, p);
  Launcher<3>::template run<true>(p);
  Launcher<3>::run<false>(p);
  for (int i = 0; i < 2; ++i)
    switch (i) {
      case 0: { using scalar = float; k<scalar><<<1, 1>>>(p); break; }
      default: { using scalar = double; k<scalar><<<1, 1>>>(p); }
    }
})");
  EXPECT_EQ(kernels_of(r),
            "k<Tile<4,4>> k<unsigned long> k<unsigned long> k<int> n<3,true> n<4,false> k<float> k<double> ");
}

}  // namespace
}  // namespace lanescope::source::test
