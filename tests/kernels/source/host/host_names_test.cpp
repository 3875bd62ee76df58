// Which declaration a name of a host program means: scopes, class templates and their specialisations, members.

#include <gtest/gtest.h>

#include "tests/kernels/source/host/oracle.h"

namespace lanescope::source::test {
namespace {

TEST(HostNames, ClassTemplates) {
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

TEST(HostNames, FullSpecialisationsOfClassTemplates) {
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

TEST(HostNames, PartlySpecialisedAndUnknownClassTemplatesStayUnknown) {
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

TEST(HostNames, NamesAreThoseOfTheirScopes) {
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
int of_file();
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
namespace a { int of_file() { return ::n * 1000 + n; } }
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
  k<<<1, 1>>>(d, n, a::v, b::v, a::of_own(), a::of_file());
})");
}

TEST(HostNames, MethodsCalledByTheirClass) {
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

TEST(HostNames, NamesOfUncertainScopesStayUnknown) {
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

TEST(HostNames, MembersAreNoGlobals) {
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
