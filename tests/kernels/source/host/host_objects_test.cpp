// Structures of host programs with their methods: within functions and classes, defined outside of their class, virtual,
// converted; and kernels as values: in tables, members, pairs and template arguments.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/kernels/source/host/oracle.h"

namespace lanescope::source::test {
namespace {

/// "a 4x32 7 | b 1x64 |": kernels, grids, blocks, and arguments that are numbers.
std::string launches_of(const HostRun& run) {
  std::string out;
  for (const HostLaunch& l : run.launches) {
    out += fmt::format("{} {}x{}", l.kernel, l.grid ? (*l.grid)[0] : 0, l.block ? (*l.block)[0] : 0);
    for (const HostArgument& a : l.arguments)
      if (a.kind == HostArgument::Kind::number) out += fmt::format(" {}", a.number);
    out += " | ";
  }
  return out;
}

std::string assumed_of(const HostRun& run) {
  std::string out;
  for (const Assumption& a : run.assumed) out += sentence_of(a) + "\n";
  return out;
}

TEST(HostObjects, AlignmentsOfStructures) {
  computes_what_is_compiled(R"(
struct alignas(16) A { float a, b, c; };
struct __attribute__((aligned(2 * 4))) B { char c; };
typedef struct alignas(double) { char x; } C;
template <class T> struct alignas(2 * sizeof(T)) D { T a; char b; };
struct E { char c; A a; char d; };
int main() {
  E* e = (E*)malloc(4 * sizeof(E));
  k<<<1, 1>>>((int)sizeof(A), (int)sizeof(B), (int)sizeof(C), (int)sizeof(D<int>), (int)sizeof(E));
  k<<<1, 1>>>((int)((char*)&e[2].a.b - (char*)e));
}
)");
  const HostRun r = run_text(R"(
struct __align__(8) P { float x; };
struct __attribute__((packed)) Q { char c; int n; };
__global__ void k(int p, int q) {}
int main() { k<<<1, 1>>>(sizeof(P), sizeof(Q)); })");
  ASSERT_EQ(r.launches.size(), 1U);
  EXPECT_EQ(r.launches[0].arguments[0].number, 8);
  EXPECT_EQ(r.launches[0].arguments[1].kind, HostArgument::Kind::unknown);
}

TEST(HostObjects, StructuresInFunctionsHaveMethods) {
  computes_what_is_compiled(R"(
int rows = 5;
struct Shape { int area() { return -1; } };
int blocks(int n) { return n; }
template <class T> int in_template(T first) {
  using Number = T;
  struct Pair { Number a; T b; Number sum() const { return a + b; } };
  Pair p{first, 3};
  return (int)p.sum() * (int)sizeof(Pair);
}
int other() {
  struct Shape { int x; int area() { return x; } };
  Shape s{7};
  return s.area();
}
int main() {
  constexpr int threads = 2 * 32;
  const int twice = threads * 2;
  struct Shape {
    int x = 1, y = 2;
    int sizes[threads / 16];
    Shape() : Shape(3, 4) {}
    Shape(int a, int b) : x(a), y(b) { for (int& s : sizes) s = a; }
    ~Shape() {}
    int area() const { return x * y; }
    Shape times(int k) const { return Shape(x * k, y); }
    int operator()(int i) { return sizes[i] + (i < rows ? twice : 0); }
    static int blocks(int n) { return (n + threads - 1) / threads; }
    int all() const { int rows = 0; for (int s : sizes) rows += s; return rows + blocks(130); }
  };
  Shape s(4, 8);
  struct Base { int v = 2; int doubled() const { return 2 * v; } };
  struct Derived : Base { int tripled() const { return v + doubled(); } };
  typedef struct { int rows[threads / 32]; int total() { return rows[0] + rows[1]; } } Rows;
  struct { int a, b; int sum() { return a + b; } } unnamed = {3, 4};
  Rows r{{5, 6}};
  k<<<s.times(2).area(), Shape().area()>>>(s(1), s(3), Shape::blocks(1000), s.all(), Derived().tripled(), r.total(),
      unnamed.sum(), in_template(1.5), in_template<char>(1), other(), (int)sizeof(Shape), blocks(9));
})");
}

TEST(HostObjects, DestructorsAreNoConstructors) {
  computes_what_is_compiled(R"(
struct Held { int n, m = 4; ~Held() { n = -1; } };
int main() {
  Held a{7};
  struct Local { int n; ~Local() { n = -2; } } b{8};
  k<<<a.n, b.n>>>(a.m);
})");
}

TEST(HostObjects, MethodsOutsideOfTheirClass) {
  computes_what_is_compiled(R"(
class Solver {
 public:
  struct Size { int x, y; int cells() const { return x * y; } };
  enum Mode { fast = 3, slow = 7 };
  Solver(int x, int y);
  ~Solver();
  int step(Mode m);
  static int count(int n);
  Size size() const { return size_; }
 private:
  Size size_;
  int steps_ = 0;
};
template <class T, int N> struct Row {
  struct Part { T at; int width() const { return N * (int)sizeof(T); } };
  T values[N];
  T sum() const;
  Part part(int i) const { return Part{values[i]}; }
};
int step(int n) { return n + 1000; }
Solver::Solver(int x, int y) { size_.x = x; size_.y = y; }
Solver::~Solver() { steps_ = -1; }
int Solver::step(Mode m) { steps_ += m; return steps_ + count(2); }
int Solver::count(int n) { return 10 * n; }
template <class T, int N> T Row<T, N>::sum() const { T s = 0; for (int i = 0; i < N; ++i) s += values[i]; return s; }
int main() {
  Solver s(30, 20);
  Row<int, 3> r{{1, 2, 3}};
  Row<double, 2>::Part p{2.5};
  int a = s.step(Solver::slow), b = s.step(Solver::fast);
  k<<<s.size().cells(), r.sum()>>>(a, b, step(4), r.part(2).at, r.part(0).width(), p.width(), Solver::count(3));
})");
}

TEST(HostObjects, VirtualMethodsAreThoseOfTheObject) {
  const std::string layers = R"(
__global__ void relu(int n) {}
__global__ void bias(int n) {}
struct Layer { virtual ~Layer() = default; virtual void forward(int n) = 0; int all(int n) { forward(n); return n; } };
struct Relu : Layer { void forward(int n) override { relu<<<n, 32>>>(n); } };
struct Bias : Layer { int b; Bias(int v) : b(v) {} void forward(int n) override; };
void Bias::forward(int n) { bias<<<n, b>>>(n); }
)";
  const HostRun r = run_text(layers + R"(
int main() {
  std::vector<std::unique_ptr<Layer>> net;
  net.push_back(std::make_unique<Bias>(64));
  net.push_back(std::make_unique<Relu>());
  for (auto& l : net) l->forward(2);
  Relu one;
  Layer* p = &one;
  p->all(3);
})");
  EXPECT_EQ(launches_of(r), "bias 2x64 2 | relu 2x32 2 | relu 3x32 3 | ");
  EXPECT_EQ(assumed_of(r), "");
  // Which object it is, is not known: that is reported.
  const HostRun unknown =
      run_text(layers + "Layer* chosen(); int main() { Relu r; r.forward(1); chosen()->forward(2); }");
  EXPECT_EQ(launches_of(unknown).find("relu 1x32 1 | "), 0U);
  EXPECT_NE(assumed_of(unknown).find("calls `forward`, which may launch kernels and is left out"), std::string::npos)
      << assumed_of(unknown);
}

TEST(HostObjects, ConversionsOfTheirOwn) {
  const HostRun r = run_text(R"(
__global__ void k(const float* a, float* b, int n) {}
template <typename T> class Array {
 public:
  explicit Array(size_t n) : size_(n) { cudaMalloc(&data_, n * sizeof(T)); }
  operator T*() const { return data_; }
  operator int() const { return (int)size_; }
  T* data() { return data_; }
 private:
  T* data_ = nullptr;
  size_t size_ = 0;
};
struct Stream { cudaStream_t s; Stream() { cudaStreamCreate(&s); } operator cudaStream_t() const { return s; } };
int main() {
  Array<float> a(100), b(200);
  std::vector<float> h(100, 2.0f);
  cudaMemcpy(a, h.data(), 400, cudaMemcpyHostToDevice);
  Stream s;
  float* p = b;
  k<<<4, 64, 0, s>>>(a, b, b);
  k<<<4, 64>>>(p, a.data(), a);
})");
  ASSERT_EQ(r.launches.size(), 2U);
  EXPECT_EQ(launches_of(r), "k 4x64 200 | k 4x64 100 | ");
  EXPECT_EQ(r.launches[0].arguments[1].pointer, (HostPointer{1, 0}));
  EXPECT_EQ(r.launches[1].arguments[0].pointer, (HostPointer{1, 0}));
  EXPECT_EQ(r.launches[1].arguments[1].pointer, (HostPointer{0, 0}));
  ASSERT_NE(r.buffers[0].contents, nullptr) << "a copy to what the array converts to";
  for (const std::string& note : r.notes) EXPECT_EQ(note.find("stream"), std::string::npos) << note;
}

constexpr std::string_view kernels = R"(
__global__ void a(float* x, int n) {}
__global__ void b(float* x, int n) {}
template <int N> __global__ void c(float* x, int n) {}
)";

TEST(HostObjects, KernelsInTables) {
  const HostRun r = run_text(std::string(kernels) + R"(
typedef void (*kernel_t)(float*, int);
using Kernel = void (*)(float*, int);
typedef void kernel_fn(float*, int);
struct Test { const char* name; void (*kernel)(float*, int); int block; };
void run_all(const Test* tests, int count, float* d) {
  for (int i = 0; i < count; i++) tests[i].kernel<<<i + 1, tests[i].block>>>(d, i);
}
void one(void (*kernel)(float*, int), float* d) { kernel<<<1, 2>>>(d, 3); }
void by_type(kernel_fn* kernel, float* d) { kernel<<<1, 4>>>(d, 5); }
void of_table(void (*table[])(float*, int), int which, float* d) { table[which]<<<1, 6>>>(d, 7); }
int main() {
  float* d;
  cudaMalloc(&d, 4000);
  kernel_t kernels[] = {a, b, c<4>};
  for (int i = 0; i < (int)(sizeof(kernels) / sizeof(kernels[0])); i++) kernels[i]<<<1, 32 << i>>>(d, i);
  Test tests[] = {{"a", a, 64}, {"b", b, 128}};
  run_all(tests, 2, d);
  one(a, d);
  by_type(b, d);
  void (*table[2])(float*, int) = {a, b};
  of_table(table, 1, d);
  void (**first)(float*, int) = &table[0];
  (*first)<<<1, 8>>>(d, 9);
  std::array<Kernel, 2> all{c<1>, c<2>};
  for (Kernel k : all) k<<<1, 10>>>(d, 11);
})");
  EXPECT_EQ(launches_of(r),
            "a 1x32 0 | b 1x64 1 | c<4> 1x128 2 | a 1x64 0 | b 2x128 1 | a 1x2 3 | b 1x4 5 | b 1x6 7 | a 1x8 9 | "
            "c<1> 1x10 11 | c<2> 1x10 11 | ");
  EXPECT_EQ(assumed_of(r), "");
}

TEST(HostObjects, KernelsInPairsAndPartsOfVariables) {
  const HostRun r = run_text(std::string(kernels) + R"(
using Kernel = void (*)(float*, int);
struct Case { int blocks; Kernel kernel; };
int main() {
  float* d;
  cudaMalloc(&d, 4000);
  std::vector<std::pair<std::string, Kernel>> table = {{"one", a}, {"two", b}};
  for (const auto& [name, kernel] : table) kernel<<<1, 32>>>(d, 1);
  for (auto& each : table) each.second<<<2, 32>>>(d, 2);
  auto [blocks, threads] = std::make_pair(16, 64);
  a<<<blocks, threads>>>(d, 3);
  Case one{4, b};
  auto& [count, kernel] = one;
  count = 5;
  kernel<<<one.blocks, 1>>>(d, count);
  int rows[2] = {6, 7};
  auto [x, y] = rows;
  a<<<x, y>>>(d, 4);
})");
  EXPECT_EQ(launches_of(r), "a 1x32 1 | b 1x32 1 | a 2x32 2 | b 2x32 2 | a 16x64 3 | b 5x1 5 | a 6x7 4 | ");
}

TEST(HostObjects, KernelsAsTemplateArguments) {
  const HostRun r = run_text(std::string(kernels) + R"(
template <auto kernel, class T> void run(T* d) { kernel<<<2, 64>>>(d, 1); }
template <void (*K)(float*, int)> void by_pointer(float* d) { K<<<3, 64>>>(d, 2); }
template <int N, void (*K)(float*, int)> void go(float* d) { K<<<N, 64>>>(d, N); c<N><<<1, N>>>(d, N); }
void call(void (*f)(float*), float* d) { f(d); }
int main() {
  float* d;
  cudaMalloc(&d, 4000);
  run<a>(d);
  run<c<8>>(d);
  by_pointer<b>(d);
  call(go<4, b>, d);
  call(go<5, c<6>>, d);
})");
  EXPECT_EQ(launches_of(r), "a 2x64 1 | c<8> 2x64 1 | b 3x64 2 | b 4x64 4 | c<4> 1x4 4 | c<6> 5x64 5 | c<5> 1x5 5 | ");
}

TEST(HostObjects, AnUnknownKernelIsLeftOutInWords) {
  const HostRun r = run_text(std::string(kernels) + R"(
void (*chosen(const char* name))(float*, int);
int main() {
  float* d;
  cudaMalloc(&d, 4000);
  auto k = chosen("fast");
  k<<<1, 32>>>(d, 1);
  a<<<2, 32>>>(d, 1);
})");
  EXPECT_NE(assumed_of(r).find("launches a kernel that is unknown, which is left out"), std::string::npos)
      << assumed_of(r);
}

TEST(HostObjects, CopiesHaveElementsOfTheirOwn) {
  computes_what_is_compiled(R"(
#include <algorithm>
#include <tuple>
#include <utility>
struct S { std::vector<int> v; int n; int* p; };
struct Tree { std::vector<S> of; std::vector<int> rows[2]; };
S copy_of(const S& s) { return s; }
int changed(S s) { s.v[1] = 70; s.p[0] += 1; return s.v[1]; }
int main() {
  int shared = 1;
  S a; a.v = {1, 2, 3}; a.n = 4; a.p = &shared;
  S b = a, c;
  c = a;
  b.v[1] = 9; b.n = 8; c.v[1] = 10; b.p[0] = 5;
  S e = copy_of(a); e.v[1] = 11;
  int f = changed(a);
  k<<<1, 1>>>(a.v[1], a.n, b.v[1], c.v[1], e.v[1], f, shared);
  std::pair<int, std::vector<int>> p(1, a.v);
  auto q = p; q.second[1] = 7;
  auto [x, y] = p; y[1] = 6;
  auto t = std::make_tuple(1, std::vector<int>{4, 5});
  auto u = t; std::get<1>(u)[1] = 30;
  k<<<1, 1>>>(p.second[1], q.second[1], y[1], std::get<1>(t)[1], x);
  std::vector<std::vector<int>> m(2, a.v), o = m, w(2);
  o[0][1] = 5;
  std::vector<std::vector<int>> z(m.begin(), m.end());
  z[1][1] = 40;
  std::copy(m.begin(), m.end(), w.begin()); w[1][0] = 41;
  k<<<1, 1>>>(m[0][1], m[1][1], o[0][1], z[1][1], w[1][0], m[1][0]);
  Tree g; g.of.push_back(a); g.of.push_back(b); g.rows[1] = a.v;
  Tree h = g; h.of[1].v[1] = 50; h.rows[1][0] = 51;
  for (S each : g.of) each.v[0] = 52;
  k<<<1, 1>>>(g.of[1].v[1], g.rows[1][0], g.of[0].v[0], h.of[1].v[1], h.rows[1][0], a.v[1]);
}
)");
}

}  // namespace
}  // namespace lanescope::source::test
