// Host programs by hand, each beside the compiled program, and what is unknown in them.

#include <cstring>

#include <gtest/gtest.h>

#include "tests/kernels/source/host/oracle.h"

namespace lanescope::source::test {
namespace {

using Extents = std::array<std::uint32_t, 3>;

void same_as_compiled(const std::string& program) {
  const auto expected = compiled_log(program);
  if (!expected) GTEST_SKIP() << "there is no g++ here: host programs are not compared with compiled ones";
  const HostRun run = run_text(interpreted_text(program));
  std::string notes;
  for (const std::string& n : run.notes) notes += "  " + n + "\n";
  EXPECT_EQ(log_of(run), *expected) << program << notes;
}

TEST(HostRun, OneLaunch) {
  same_as_compiled(R"(
int main() {
  const int n = 1 << 10;
  float *h = (float*)malloc(n * sizeof(float)), *d;
  for (int i = 0; i < n; ++i) h[i] = i * 0.5f;
  cudaMalloc((void**)&d, n * sizeof(float));
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  dim3 block(32, 8);
  k<<<(n + 255) / 256, block, 2 * sizeof(double)>>>(d, n, 3);
})");
}

HostRun run_with(const std::string& text, const std::vector<std::string>& command_line) {
  const Lexed lexed = lex(text);
  return run_host(lexed, outline(lexed), {}, command_line);
}

TEST(HostRun, TheSizeOfTheDeviceHeapIsSetBeforeALaunch) {
  const HostRun run = run_with(
      "__global__ void k() {}\nint main() {\n  cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20);\n"
      "  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64ull << 20);\n  k<<<1, 32>>>();\n}\n",
      {});
  ASSERT_EQ(run.symbols.size(), 1U);
  EXPECT_EQ(run.symbols[0].name, "cudaLimitMallocHeapSize");
  EXPECT_EQ(run.symbols[0].line, 4);
  EXPECT_EQ(run.symbols[0].launches_before, 0U);
  ASSERT_TRUE(run.symbols[0].contents);
  std::uint64_t bytes = 0;
  ASSERT_EQ(run.symbols[0].contents->size(), sizeof bytes);
  std::memcpy(&bytes, run.symbols[0].contents->data(), sizeof bytes);
  EXPECT_EQ(bytes, std::uint64_t{64} << 20);
}

TEST(HostRun, MainGetsTheCommandLine) {
  const std::string text =
      "__global__ void k(int n, float f) {}\n"
      "int main(int argc, char** argv) {\n"
      "  if (argc != 3) return 1;\n"
      "  int n = atoi(argv[1]);\n"
      "  k<<<n / 32, argc * 16>>>(n, atof(argv[2]));\n"
      "}\n";
  const HostRun run = run_with(text, {"320", "0.25"});
  ASSERT_EQ(run.launches.size(), 1U);
  EXPECT_TRUE(run.with_command_line);
  EXPECT_EQ(run.launches[0].grid, (Extents{10, 1, 1}));
  EXPECT_EQ(run.launches[0].block, (Extents{48, 1, 1}));
  EXPECT_EQ(run.launches[0].arguments[0].number, 320);
  EXPECT_EQ(run.launches[0].arguments[1].number, 0.25);
  const HostRun other = run_with(text, {"320"});  // main refuses these words
  ASSERT_EQ(other.launches.size(), 1U);
  EXPECT_FALSE(other.with_command_line);
  EXPECT_EQ(other.launches[0].arguments[0].number, 128);
}

std::string instances_of(const std::string& text) {
  std::string out;
  for (const HostLaunch& l : run_with(text, {}).launches) out += l.kernel + " ";
  return out;
}

TEST(HostRun, CallersThatNobodyCallsGoBeforeWhatTheyCall) {
  EXPECT_EQ(instances_of("template <int ROWS, int STAGE> __global__ void scale(float* x) {}\n"
                         "template <const int ROWS, const int STAGE> void launch_scale(float* x) {\n"
                         "  scale<ROWS, STAGE><<<1, ROWS * 2>>>(x);\n"
                         "}\n"
                         "void scale_any(float* x, int d, int stages) {\n"
                         "  if (stages > 1) {\n"
                         "    switch (d) { case 32: launch_scale<32, 2>(x); break; case 64: launch_scale<64, 2>(x); }\n"
                         "  } else {\n"
                         "    launch_scale<96, 1>(x);\n"
                         "  }\n"
                         "}\n"),
            "scale<32,2> scale<64,2> scale<96,1> ");
  // it has no given arguments: what its names suggest, as before
  EXPECT_EQ(instances_of("template <int DIM> __global__ void s(float* x) {}\n"
                         "template <int DIM> void go(float* x) { s<DIM><<<1, DIM>>>(x); }\n"),
            "s<16> ");
  // two that call each other are both taken, and it ends
  EXPECT_EQ(instances_of("__global__ void s(float* x) {}\nvoid b(float* x, int n);\n"
                         "void a(float* x, int n) { s<<<1, 32>>>(x); if (n > 0) b(x, n - 1); }\n"
                         "void b(float* x, int n) { if (n > 0) a(x, n - 1); }\n")
                .substr(0, 2),
            "s ");
}

TEST(HostRun, ATemplateIsGivenAFunction) {
  EXPECT_EQ(
      instances_of(
          "typedef void (*step_fn)(float*);\n"
          "__device__ void halve(float* x) { *x *= 0.5f; }\n"
          "__device__ void twice(float* x) { *x *= 2; }\n"
          "template <step_fn F> __global__ void apply(float* x) { F(x); }\n"
          "template <step_fn F> void go(float* x) { apply<F><<<1, 32>>>(x); }\n"
          "template <step_fn G> void go_on(float* x) { go<G>(x); }\n"
          "int main() { float* d; cudaMalloc(&d, 128); go<halve>(d); go_on<twice>(d); apply<halve><<<1, 1>>>(d); }"
          "\n"),
      "apply<halve> apply<twice> apply<halve> ");
}

/// The enumeration is a library's, which is not read: its enumerator moves to the compiler as it is written.
TEST(HostRun, ATemplateIsGivenAnEnumeratorOfALibrary) {
  EXPECT_EQ(
      instances_of("#include <cub/block/block_scan.cuh>\nusing namespace cub;\n"
                   "template <int N, BlockScanAlgorithm HOW> __global__ void prefix(int* v) {}\n"
                   "template <int N, BlockScanAlgorithm HOW> void test(int* v) { prefix<N, HOW><<<1, N>>>(v); }\n"
                   "template <BlockScanAlgorithm FORM> void both(int* v) { test<32, FORM>(v); test<64, FORM>(v); }\n"
                   "int main() { int* v; cudaMalloc(&v, 512); test<128, BLOCK_SCAN_RAKING>(v);\n"
                   "  both<BLOCK_SCAN_WARP_SCANS>(v); }\n"),
      "prefix<128,BLOCK_SCAN_RAKING> prefix<32,BLOCK_SCAN_WARP_SCANS> prefix<64,BLOCK_SCAN_WARP_SCANS> ");
}

/// The compiler is requested instances from outside of every namespace.
TEST(HostRun, ALaunchInTheNamespaceOfItsKernel) {
  const std::string kernel =
      "namespace waves { inline namespace v2 { namespace {\n"
      "template <int W, int H> __global__ void level(int* v) {}\n}\n"
      "template <int W> void go(int* v) { level<W, 2><<<1, W>>>(v); } }\n";
  const std::string whole = "waves::v2::level<64,2> ";
  EXPECT_EQ(instances_of(kernel + "}\nint main() { int* v; cudaMalloc(&v, 512); waves::go<64>(v); }\n"), whole);
  EXPECT_EQ(instances_of(kernel + "void all(int* v) { go<64>(v); }\n}\n"), whole);
  EXPECT_EQ(
      instances_of(kernel + "}\nint main() { int* v; cudaMalloc(&v, 512); waves::v2::level<64, 2><<<1, 64>>>(v); }\n"),
      whole + "waves::v2::level<4,2> ");
  EXPECT_EQ(instances_of("namespace a { namespace b { template <int N> __global__ void k(int* v) {} } }\n"
                         "namespace a { void go(int* v) { b::k<8><<<1, 8>>>(v); } }\n"
                         "int main() { int* v; cudaMalloc(&v, 512); a::go(v); }\n"),
            "a::b::k<8> ");
}

TEST(HostRun, PointersAreSwapped) {
  same_as_compiled(R"(
int main() {
  int *a, *b;
  cudaMalloc(&a, 64); cudaMalloc(&b, 64);
  cudaMemset(a, 1, 64);
  for (int i = 0; i < 5; i++) {
    step<<<1, 16>>>(a, b, i);
    std::swap(a, b);
  }
  int* t = a; a = b; b = t;
  last<<<1, 16>>>(a + 4, b);
})");
}

TEST(HostRun, FunctionsReferencesAndPointers) {
  same_as_compiled(R"(
#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { fprintf(stderr, "no"); exit(1); } } while (0)
#define CEIL(a, b) (((a) + (b) - 1) / (b))
struct View { int* p; int w, h; };
static const int TILE = 16;
enum Mode { slow, fast = 7, faster };
int ceil_div(int a, int b = 4) { return (a + b - 1) / b; }
void grow(int& n, int* m) { n += 3; *m = n * 2; }
template <typename T> void fill(T* p, int n, T first) { for (int i = 0; i < n; ++i) p[i] = first + (T)i; }
template <int N> void go(int* d) { k<<<N, N / 2>>>(d, N); }
void run(int* d, Mode m) {
  switch (m) {
    case slow: go<8>(d); break;
    case fast: go<64>(d); break;
    default: go<2>(d);
  }
}
int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 100, m = 0;
  grow(n, &m);
  std::vector<int> h(m);
  fill(h.data(), (int)h.size(), 7);
  h.push_back(n);
  View v;
  v.w = 5; v.h = ceil_div(v.w);
  CHECK(cudaMalloc(&v.p, h.size() * sizeof(int)));
  CHECK(cudaMemcpy(v.p, h.data(), h.size() * sizeof(int), cudaMemcpyHostToDevice));
  run(v.p, fast);
  run(v.p, slow);
  run(v.p, faster);
  auto launch = [&](int blocks) { k<<<blocks, TILE>>>(v.p, v.w * v.h); };
  launch(CEIL(m, TILE));
  for (int threads : {32, 64, 128}) k<<<1, threads>>>(v.p, threads);
})");
}

/// Each declarator has stars of its own, as a member as well as a variable.
TEST(HostRun, MembersDeclaredTogether) {
  same_as_compiled(R"(
struct Graph { int n, m, *offsets, *targets, **rows; char *name, letter; };
template <typename T> T* on_device(const T* host, int count) {
  T* d;
  cudaMalloc(&d, count * sizeof(T));
  cudaMemcpy(d, host, count * sizeof(T), cudaMemcpyHostToDevice);
  return d;
}
int main() {
  Graph g;
  g.n = 10; g.m = 0;
  g.offsets = (int*)malloc((g.n + 1) * sizeof(int));
  g.targets = (int*)malloc(3 * g.n * sizeof(int));
  unsigned state = 7;
  for (int v = 0; v < g.n; v++) {
    g.offsets[v] = g.m;
    for (int e = v % 3; e >= 0; e--) state = state * 1664525u + 1013904223u, g.targets[g.m++] = (state >> 8) % g.n;
  }
  g.offsets[g.n] = g.m;
  g.rows = &g.targets;
  g.letter = 'x';
  int *offsets = on_device(g.offsets, g.n + 1), *targets = on_device(g.rows[0], g.m);
  k<<<sizeof(g), sizeof(*g.targets)>>>(offsets, targets, g.m + g.letter);
})");
}

TEST(HostRun, WhatTheDeviceComputesIsUnknown) {
  const HostRun r = run_text(R"(
__global__ void f(const int* a, int* sum) {}
int main() {
  int *a, *s, h = 4;
  cudaMalloc(&a, 64); cudaMalloc(&s, 4);
  f<<<2, 8>>>(a, s);
  cudaMemcpy(&h, s, 4, cudaMemcpyDeviceToHost);
  f<<<h, 16>>>(a, s);
  if (h > 3) f<<<3, 16>>>(a, s);
})");
  ASSERT_EQ(r.launches.size(), 3U);
  EXPECT_EQ(r.launches[0].grid, (Extents{2, 1, 1}));
  EXPECT_FALSE(r.launches[1].grid);
  EXPECT_EQ(r.launches[1].block, (Extents{16, 1, 1}));
  ASSERT_FALSE(r.launches[1].because.empty());
  EXPECT_EQ(r.launches[1].because[0], "the grid is unknown, because the kernel `f`, launched at line 6, writes it");
  EXPECT_TRUE(r.launches[1].certain);
  EXPECT_FALSE(r.launches[2].certain);
  EXPECT_EQ(r.launches[2].grid, (Extents{3, 1, 1}));
}

TEST(HostRun, InstancesOfTemplates) {
  const HostRun r = run_text(R"(
template <typename T, int B, bool V> __global__ void reduce(const T* in, T* out, int n) {}
template <class T> __global__ void scale(T* p, T by) {}
template <int B> void call(float* p) { reduce<float, B / 2, true><<<1, B>>>(p, p, 4); }
int main() {
  float* p; cudaMalloc(&p, 4096);
  reduce<int, 256, true><<<4, 256>>>((const int*)p, (int*)p, 7);
  call<64>(p);
  scale<<<1, 32>>>(p, 2.0f);
})");
  ASSERT_EQ(r.launches.size(), 3U);
  EXPECT_EQ(r.launches[0].kernel, "reduce<int,256,true>");
  EXPECT_EQ(r.launches[1].kernel, "reduce<float,32,true>");
  EXPECT_EQ(r.launches[2].kernel, "scale<float>");
}

TEST(HostRun, StructuresByValue) {
  const HostRun r = run_text(R"(
struct Extent { int w, h; };
struct View { float* p; Extent e; float scale; };
__global__ void f(View v, const float* q) {}
int main() {
  View v; cudaMalloc(&v.p, 400);
  v.e = {20, 5}; v.scale = 0.5f;
  v.p += 10;
  f<<<1, 32>>>(v, nullptr);
})");
  ASSERT_EQ(r.launches.size(), 1U);
  const HostArgument& a = r.launches[0].arguments[0];
  ASSERT_EQ(a.kind, HostArgument::Kind::fields);
  ASSERT_EQ(a.fields.size(), 4U);
  EXPECT_EQ(a.fields[0].pointer, (HostPointer{0, 40}));
  EXPECT_EQ(a.fields[1].name, "e.w");
  EXPECT_EQ(a.fields[1].number, 20);
  EXPECT_EQ(a.fields[3].offset_bytes, 16U);
  EXPECT_EQ(a.fields[3].number, 0.5);
  EXPECT_EQ(r.launches[0].arguments[1].pointer.buffer, -1);
}

TEST(HostRun, OtherWaysToLaunch) {
  const HostRun r = run_text(R"(
__global__ void f(int* p, int n) {}
int main() {
  int *p, n = 12;
  cudaMallocManaged(&p, 48);
  void* args[] = {&p, &n};
  cudaLaunchKernel((void*)f, dim3(3), dim3(4, 2), args, 16, 0);
  cudaLaunchConfig_t c = {};
  c.gridDim = 8; c.blockDim = dim3(64);
  cudaLaunchAttribute at[1];
  at[0].id = cudaLaunchAttributeClusterDimension;
  at[0].val.clusterDim.x = 2; at[0].val.clusterDim.y = 1; at[0].val.clusterDim.z = 1;
  c.attrs = at; c.numAttrs = 1;
  cudaLaunchKernelEx(&c, f, p + 2, n + 1);
})");
  ASSERT_EQ(r.launches.size(), 2U);
  EXPECT_EQ(r.launches[0].kernel, "f");
  EXPECT_EQ(r.launches[0].block, (Extents{4, 2, 1}));
  EXPECT_EQ(r.launches[0].shared_bytes, 16U);
  EXPECT_EQ(r.launches[0].arguments[0].pointer, (HostPointer{0, 0}));
  EXPECT_EQ(r.launches[0].arguments[1].number, 12);
  EXPECT_EQ(r.launches[1].grid, (Extents{8, 1, 1}));
  EXPECT_EQ(r.launches[1].cluster, (Extents{2, 1, 1}));
  EXPECT_EQ(r.launches[1].arguments[0].pointer, (HostPointer{0, 8}));
  EXPECT_EQ(r.launches[1].arguments[1].number, 13);
}

TEST(HostRun, LongLoopsAreLeft) {
  const HostRun r = run_text(R"(
__global__ void f(float* p, int n, int m) {}
int main() {
  int n = 1 << 24, m = 0;
  float *h = new float[n], *d;
  for (int i = 0; i < n; ++i) { h[i] = i; m += i; }
  cudaMalloc(&d, n * sizeof(float));
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  f<<<n / 256, 256>>>(d, n, m);
  while (true) ++m;
  f<<<1, 1>>>(d, n, m);
})",
                             {.compiled_loops = false});
  ASSERT_EQ(r.launches.size(), 2U);
  EXPECT_EQ(r.launches[0].grid, (Extents{65536, 1, 1}));
  EXPECT_EQ(r.launches[0].arguments[1].number, 1 << 24);
  EXPECT_EQ(r.launches[0].arguments[2].kind, HostArgument::Kind::unknown);
  ASSERT_EQ(r.buffers.size(), 1U);
  EXPECT_FALSE(r.buffers[0].contents);
  EXPECT_EQ(r.buffers[0].bytes, std::uint64_t{4} << 24);
  EXPECT_NE(r.buffers[0].because.find("line 6"), std::string::npos) << r.buffers[0].because;
}

TEST(HostRun, LaunchesOfFunctionsThatNothingCalls) {
  const HostRun r = run_text(
      "__global__ void f(float* p, int n) {}\n"
      "void wrap(float* p, int n) { f<<<(n + 255) / 256, 256>>>(p, n); }\n");
  ASSERT_EQ(r.launches.size(), 1U);
  EXPECT_FALSE(r.launches[0].called);
  EXPECT_FALSE(r.launches[0].grid);
  EXPECT_EQ(r.launches[0].block, (Extents{256, 1, 1}));
}

TEST(HostRun, EarlyReturnsForMissingArguments) {
  const HostRun r = run_text(
      "__global__ void f(int n) {}\n"
      "int main(int argc, char** argv) { if (argc < 2) { printf(\"usage\"); return 1; }\n"
      " int n = atoi(argv[1]); f<<<4, 128>>>(n); }\n");
  ASSERT_EQ(r.launches.size(), 1U);
  EXPECT_EQ(r.launches[0].block, (Extents{128, 1, 1}));
  EXPECT_EQ(r.launches[0].arguments[0].number, 128) << "and it is reported";
  EXPECT_TRUE(std::any_of(r.assumed.begin(), r.assumed.end(), [](const Assumption& a) {
    return a.code == Assumption::Code::command_line &&
           sentence_of(a) == "Command line: 128 for each number, because line 3 reads one.";
  }));
}

TEST(HostRun, WhatIsNotInThisFile) {
  const HostRun r = run_text(R"(
#include "helper.h"
__global__ void f(float* p, float* q, int n) {}
int main() {
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  int n = 64;
  float *h = (float*)malloc(n * 4), *g = (float*)calloc(n, 4), *p, *q;
  read_them("x.bin", h, n);
  checkCudaErrors(cudaMalloc((void **)&p, n * sizeof(float)));
  checkCudaErrors(cudaMalloc((void **)&q, n * sizeof(float)));
  cudaMemcpy(p, h, n * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(q, g, n * 4, cudaMemcpyHostToDevice);
  f<<<prop.clockRate, n>>>(p, q, n);
})");
  ASSERT_EQ(r.launches.size(), 1U);
  EXPECT_FALSE(r.launches[0].grid);
  EXPECT_EQ(r.launches[0].block, (Extents{64, 1, 1}));
  ASSERT_EQ(r.buffers.size(), 2U);
  EXPECT_EQ(r.buffers[0].name, "p");
  EXPECT_EQ(r.buffers[0].element_type, "f32");
  EXPECT_FALSE(r.buffers[0].contents);
  ASSERT_TRUE(r.buffers[1].contents);
  EXPECT_EQ(*r.buffers[1].contents, std::vector<std::byte>(256));
}

TEST(HostRun, Symbols) {
  const HostRun r = run_text(R"(
__constant__ float c[4];
__global__ void f(float* p) {}
int main() { float h[4] = {1, 2, 3, 4}; cudaMemcpyToSymbol(c, h, sizeof(h)); f<<<1, 4>>>(nullptr); })");
  ASSERT_EQ(r.symbols.size(), 1U);
  EXPECT_EQ(r.symbols[0].name, "c");
  ASSERT_TRUE(r.symbols[0].contents);
  EXPECT_EQ(r.symbols[0].contents->size(), 16U);
}

TEST(HostRun, StatementExpressions) {
  same_as_compiled(R"(
#define CHECK(x) ({ cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "no"); exit(1); } e_; })
#define MOST(a, b) ({ auto a_ = (a); auto b_ = (b); a_ > b_ ? a_ : b_; })
int value(int x) { int y = ({ if (x > 3) return 77; x * 2; }); return y + 1; }
int main() {
  int* d; CHECK(cudaMalloc(&d, 64));
  const int n = MOST(3, 5) + ({ int s = 0; for (int i = 0; i < 4; ++i) s += i; s; });
  k<<<n, ({ 32; })>>>(d, value(2), value(9), MOST(1.5f, 0.5f));
})");
}

TEST(HostRun, WholeNumbersBecomeFloatsInOneRounding) {
  same_as_compiled(R"(
int main() {
  long long a = (1LL << 60) + (1LL << 36) + 1; unsigned long long b = ~0ULL - 5; float* d; cudaMalloc(&d, 64);
  float f = a, g = b, h[4];
  for (long long i = 0; i < 4; ++i) h[i] = a + i * 3;
  cudaMemcpy(d, h, 16, cudaMemcpyHostToDevice);
  k<<<1, 1>>>(d, f, g);
})");
}

TEST(HostRun, ArraysByValueAndOwningPointers) {
  const HostRun r = run_text(R"(
__global__ void f(std::array<float, 2> a, float* d, std::array<float*, 2> both) {}
int main() {
  std::array<float, 2> a = {1.5f, 2}; std::array<float*, 2> both;
  auto h = std::make_unique<float[]>(4);
  for (int i = 0; i < 4; ++i) h[i] = i;
  float* d; cudaMalloc(&d, 16); cudaMemcpy(d, h.get(), 16, cudaMemcpyHostToDevice);
  both[0] = d; both[1] = d + 2;
  dim3 grid = h[1] > 0 ? dim3(2, 3) : dim3(1);
  f<<<grid, 1>>>(a, d, both);
})");
  ASSERT_EQ(r.launches.size(), 1U);
  EXPECT_EQ(r.launches[0].grid, (Extents{2, 3, 1}));
  const std::vector<HostArgument>& a = r.launches[0].arguments;
  ASSERT_EQ(a.size(), 3U);
  ASSERT_EQ(a[0].fields.size(), 2U) << a[0].because;
  EXPECT_EQ(a[0].fields[1].number, 2.0);
  ASSERT_EQ(a[2].fields.size(), 2U) << a[2].because;
  EXPECT_EQ(a[2].fields[1].pointer, (HostPointer{.buffer = a[1].pointer.buffer, .offset_bytes = 8}));
  EXPECT_TRUE(r.buffers[static_cast<std::size_t>(a[1].pointer.buffer)].contents);
}

}  // namespace
}  // namespace lanescope::source::test
