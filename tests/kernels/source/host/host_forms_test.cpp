// Forms of other people's host programs: class templates, what `main` requests of the command line, references, constructors,
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

TEST(HostForms, ClassTemplates) {
  computes_what_is_compiled(R"(
template <typename T> struct Span { T* data; long size; };
template <typename T, int N = 4> class Table {
  T values[N];
  int used = 0;
 public:
  Table(T first) { for (int i = 0; i < N; ++i) values[i] = first + (T)i; used = N; }
  void push(T v) { values[used % N] = v; ++used; }
  T at(int i) const { return values[i % N]; }
  int count() const { return used; }
};
template <int D> struct List { void* places[D][3]; long sizes[3]; unsigned char which[D + 1]; };
template <typename T> long bytes_of(const Span<T>& s) { return s.size * (long)sizeof(T); }
template <typename T, int N> int room(const Table<T, N>& t) { return N * (int)sizeof(T) + t.count(); }
template <typename T> T total(const std::vector<Span<T>>& all) {
  T out = 0;
  for (int i = 0; i < (int)all.size(); ++i) out += all[i].data[0];
  return out;
}
int main() {
  Table<double> t(1.5);
  Table<short, 9> u(3);
  t.push(7.25); u.push(11); u.push(12);
  float h[8] = {2, 3, 5};
  std::vector<Span<float>> spans;
  for (int i = 0; i < 3; ++i) { Span<float> s; s.data = h + i; s.size = 10 + i; spans.push_back(s); }
  List<2> l;
  l.sizes[1] = bytes_of(spans[1]);
  float* d; cudaMalloc(&d, 64); cudaMemcpy(d, h, 32, cudaMemcpyHostToDevice);
  l.places[1][2] = d;
  k<<<u.count(), t.count()>>>(d, t.at(0), t.at(1), (int)u.at(0), (int)u.at(1), room(u), room(t), l.sizes[1],
                              (int)sizeof(List<2>), (int)sizeof(List<7>), total(spans));
  k<<<1, 1>>>((float*)l.places[1][2] + 1, 1);
})");
}

TEST(HostForms, FullSpecialisationsOfClassTemplates) {
  computes_what_is_compiled(R"(
template <typename T, int N = 2> struct Width {
  static const int value = 4;
  T first = 1;
  int n = N;
  int bits() const { return 8 * (int)sizeof(T); }
};
template <> struct Width<double> {
  static const int value = 8;
  int extra[3] = {5, 6, 7}, n = 80;
  int bits() const { return n + extra[1]; }
};
template <> class Width<float, 1 + 2> {
  int hidden = 9;

 public:
  Width(int by) : hidden(by * 9) {}
  int bits() const { return hidden; }
};
template <int N> struct Chain { Chain<N - 1> inner; int n = N; int sum() const { return n + inner.sum(); } };
template <> struct Chain<0> { int sum() const { return 100; } };
template <typename T> struct Named;
template <> struct Named<int> { static int number() { return 11; } int n = 1; };
template <> struct Named<char> { static int number() { return 12; } char n = 2; };
template <typename T> int width_of(const T& t) { return t.bits() + (int)sizeof(T); }
int main() {
  Width<int> a; Width<double> b; Width<double, 2> c; Width<float, 3> d(4); Width<double, 3> e;
  Chain<4> chain;
  Named<int> x; Named<char> y;
  float* p; cudaMalloc(&p, 64);
  c.n = 7;
  k<<<1, 32>>>(p, a.bits(), b.bits(), c.bits(), d.bits(), e.bits(), (int)sizeof(a), (int)sizeof(b), (int)sizeof(d),
               (int)sizeof(e), width_of(c), width_of(a));
  k<<<1, 32>>>(p, chain.sum(), (int)sizeof(chain), x.number(), y.number(), (int)sizeof(y), a.n, e.n, (int)a.first);
})");
}

TEST(HostForms, PartlySpecialisedAndUnknownClassTemplatesStayUnknown) {
  const HostRun r = run_text(R"(
template <typename T> struct Width { int n = 4; };
template <typename T> struct Width<T*> { int n = 8; };
template <int N> struct Deep { Deep<N - 1> inner; int n; };
__global__ void k(int n) {}
int main() {
  Width<double> w; Deep<3> d; d.n = 5;
  k<<<1, 32>>>(w.n);
  k<<<1, 32>>>(d.n);
})");
  ASSERT_EQ(r.launches.size(), 2U);
  EXPECT_EQ(r.launches[0].arguments[0].kind, HostArgument::Kind::unknown) << "it is not reported which one is meant";
}

TEST(HostForms, NamesAreThoseOfTheirScopes) {
  computes_what_is_compiled(R"(
namespace a {
const int n = 4;
int v = 10;
int f(int x) { return x + n; }
enum class Mode { x = 5, y };
enum Plain { low = 1, high };
struct S { int q = 1; };
namespace deep { const int n = 44; int f(int x) { return x * n + v; } }
int of_own() { return n + v + f(1) + S().q + (int)Mode::y + high; }
}
namespace b {
const int n = 8;
int v = 20;
int f(int x) { return x - n; }
enum class Mode { x = 7, y };
enum Plain { low = 11, high };
struct S { int q = 2, z = 3; };
int of_own() { return n + v + f(1) + S().q + (int)Mode::y + high; }
}
namespace { int hidden = 3; }
namespace c { const int alone = 60; int only(int x) { return x + alone; } }
using namespace c;
struct A {
  static int count;
  static const int n = 5;
  static constexpr int twice = n * 2;
  enum { K = 3, L };
  int own() const { return n + K + twice + L; }
};
struct B { static int count; static const int n = 9; enum { K = 6 }; int own() const { return n + K; } };
struct C : B { int more() const { return own() + n + K; } };
int A::count = 30;
int B::count = A::count + 10;
enum class X { one = 1, both = 2 };
enum class Y { one = 11, both = 12 };
int n = 100;
template <class T, int N> struct P {
  static constexpr const int size = 16 / sizeof(T);
  static const int all = size * N;
  T payload[size];
  int sum() const { return size + all + (int)sizeof(payload); }
};
typedef P<float, 3> p4;
int first() { struct Local { int a = 1; }; Local l; return l.a + (int)sizeof(Local); }
int second() { struct Local { double a = 2; int b = 5; }; Local l; return (int)l.a + l.b + (int)sizeof(Local); }
int shadowed(int n) { int v = n + 1; { int n = v * 2; v += n; } return v; }
int main() {
  float* d; cudaMalloc(&d, 64);
  a::S s; b::S t; C c; A own; B other; p4 p;
  k<<<A::n, B::n>>>(d, a::n, b::n, a::v, b::v, a::f(1), b::f(1), a::deep::f(2), a::deep::n, n, ::n, alone, only(1));
  k<<<1, 1>>>(d, (int)a::Mode::x, (int)b::Mode::x, (int)a::high, (int)b::high, (int)a::Plain::low, s.q, t.q,
              (int)sizeof(a::S), (int)sizeof(b::S), a::of_own(), b::of_own(), hidden);
  A::count += 7;
  k<<<1, 1>>>(d, A::count, B::count, A::twice, A::K, B::K, C::K, C::n, own.own(), other.own(), c.more(), (int)X::one,
              (int)Y::both);
  k<<<1, 1>>>(d, p4::size, P<double, 2>::size, P<double, 2>::all, p4::all, p.sum(), first(), second(), shadowed(3));
  n = 7; a::v = 1;
  k<<<1, 1>>>(d, n, a::v, b::v, a::of_own());
})");
}

TEST(HostForms, MethodsCalledByTheirClass) {
  computes_what_is_compiled(R"(
namespace outer { int f(int x) { return 1000 + x; } }
int f(int x) { return 2000 + x; }
struct A {
  static int g() { return 100; }
  static int g(int x) { return n + x; }
  static const int n = 7;
};
struct B {
  static int g() { return 200; }
  int f(int x) { return x; }
  int both() { return ::f(1) + outer::f(2) + f(3) + g() + A::g() + A::g(4); }
};
struct Base {
  int k = 3;
  virtual int value() { return k; }
};
struct Derived : Base {
  int value() override { return Base::value() + 10; }
};
template <class T, int N> struct Launcher {
  static int blocks(int n) { return (n + N - 1) / N * (int)sizeof(T); }
  static void launch(float* d, int n) { k<<<blocks(n), N>>>(d, N, (int)sizeof(T)); }
};
namespace names { struct C { static int g() { return 300; } }; }
int main() {
  float* d; cudaMalloc(&d, 64);
  B b; Derived e;
  k<<<1, 1>>>(d, A::g(), B::g(), A::g(5), b.both(), e.value(), names::C::g());
  Launcher<float, 32>::launch(d, 100);
  Launcher<double, 16>::launch(d, 100);
})");
}

TEST(HostForms, NamesOfUncertainScopesStayUnknown) {
  const HostRun r = run_text(R"(
namespace a { const int n = 4; }
namespace b { const int n = 8; }
__global__ void k(int x) {}
int main() {
#ifdef ONE
  using a::n;
#else
  using b::n;
#endif
  k<<<1, 32>>>(n);
})");
  ASSERT_EQ(r.launches.size(), 1U);
  EXPECT_EQ(r.launches[0].arguments[0].kind, HostArgument::Kind::unknown);
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

/// A name that is declared elsewhere, or a kernel of the same name.
TEST(HostForms, MembersAreNoGlobals) {
  const HostRun r = run_text(R"(
struct F { int d; int s = 5; static constexpr int n = 3; };
__global__ void d(int a, int n) {}
int main() { d<<<1, 1>>>(s, F::n); }
)");
  ASSERT_EQ(r.launches.size(), 1U);
  EXPECT_TRUE(r.launches[0].because.empty());
  EXPECT_EQ(r.launches[0].arguments[0].kind, HostArgument::Kind::unknown);
  EXPECT_EQ(r.launches[0].arguments[1].number, 3);
}

}  // namespace
}  // namespace lanescope::source::test
