// Forms of other people's host programs: class templates, what `main` requests of the command line, calls that take too long,
// references, kernels as values of a template, properties of the GPU.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "kernels/source/cxx/outline.h"
#include "kernels/source/host/program/enumerators.h"
#include "tests/kernels/source/host/oracle.h"

namespace lanescope::source::test {
namespace {

using Extents = std::array<std::uint32_t, 3>;

void computes_what_is_compiled(const std::string& program) {
  const auto expected = compiled_log(program);
  if (!expected) GTEST_SKIP() << "there is no g++ here: host programs are not compared with compiled ones";
  const HostRun run = run_text(interpreted_text(program));
  std::string notes;
  for (const std::string& n : run.notes) notes += "  " + n + "\n";
  EXPECT_EQ(log_of(run), *expected) << program << notes;
}

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

TEST(HostForms, SpecialisedAndUnknownClassTemplatesStayUnknown) {
  const HostRun r = run_text(R"(
template <typename T> struct Width { static const int value = 4; int n = 4; };
template <> struct Width<double> { static const int value = 8; int n = 8; };
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

TEST(HostForms, ACallThatTakesTooLongKeepsNothingFromWhatFollows) {
  HostLimits limits;
  limits.steps = 200'000, limits.loop_steps = 100'000;
  const HostRun r = run_text(R"(
int calls = 7, other = 5;
__global__ void k(int* d, int sum, int calls, int other, int first) {}
int reduce(int* x, int n) {
  ++calls;
  if (n == 1) return x[0];
  for (int i = 0; i < n / 2; ++i) x[i] += x[i + n / 2];
  return reduce(x, n / 2);
}
int slow(int n) { return n < 2 ? n : slow(n - 1) + slow(n - 2); }
int main() {
  int h[4] = {1, 2, 3, 4}, *d; cudaMalloc(&d, 16); cudaMemcpy(d, h, 16, cudaMemcpyHostToDevice);
  int sum = reduce(h, 4);
  k<<<1, 32>>>(d, sum, calls, other, h[0]);
  int never = slow(60);
  k<<<2, 32>>>(d, never, calls, other, h[0]);
  int big[2] = {1, 1};
  int later = other + 1;
  k<<<later, 32>>>(d, big[1], calls, other, h[0]);
})",
                             limits);
  ASSERT_EQ(r.launches.size(), 3U);
  EXPECT_EQ(r.launches[0].arguments[1].number, 10);
  EXPECT_EQ(r.launches[0].arguments[2].number, 10);
  EXPECT_EQ(r.launches[1].arguments[1].kind, HostArgument::Kind::unknown);
  EXPECT_EQ(r.launches[2].grid, (Extents{6, 1, 1}));
  EXPECT_EQ(r.launches[2].arguments[4].number, 10);
}

TEST(HostForms, WhatACallThatIsLeftMayWriteIsUnknown) {
  HostLimits limits;
  limits.steps = 100'000, limits.loop_steps = 50'000;
  const HostRun r = run_text(R"(
int count = 1, kept = 2;
struct Pair { int* to; int n; };
__global__ void k(int* d, int a, int b, int c, int e, int f) {}
int spin(int n) { return n < 2 ? n : spin(n - 1) + spin(n - 2); }
void grow(int* x, Pair* p, int& r, int n) {
  n += spin(40);
  x[1] = 9; p->to[0] = 8; r = 7; count = 6;
}
int main() {
  int x[2] = {1, 1}, y[1] = {1}, r = 1, own = 3; Pair p = {y, 1};
  int* d; cudaMalloc(&d, 16);
  grow(x, &p, r, 1);
  k<<<1, 1>>>(d, x[1], y[0], r, count, kept + own);
})",
                             limits);
  ASSERT_EQ(r.launches.size(), 1U);
  for (std::size_t i = 1; i < 5; ++i) EXPECT_EQ(r.launches[0].arguments[i].kind, HostArgument::Kind::unknown) << i;
  EXPECT_EQ(r.launches[0].arguments[5].number, 5);
}

TEST(HostForms, GlobalsThatFunctionsOfALeftLoopAssignAreUnknown) {
  HostLimits limits;
  limits.steps = 50'000, limits.loop_steps = 20'000;
  const HostRun r = run_text(R"(
int turns = 0, constant = 4, table[2];
__global__ void k(int a, int b, int c) {}
void inner() { table[1] = 3; }
void step() { if (turns > 1000000) { turns += 5; } inner(); }
int main() {
  int n = 0;
  while (n < 100000000) { ++n; step(); }
  k<<<1, 1>>>(turns, constant, table[1]);
})",
                             limits);
  ASSERT_EQ(r.launches.size(), 1U);
  EXPECT_EQ(r.launches[0].arguments[0].kind, HostArgument::Kind::unknown);
  EXPECT_EQ(r.launches[0].arguments[1].number, 4);
  EXPECT_EQ(r.launches[0].arguments[2].kind, HostArgument::Kind::unknown);
}

TEST(HostForms, TooManyStepsAreSaid) {
  HostLimits limits;
  limits.steps = 20'000, limits.loop_steps = 20'000;
  std::string text = "__global__ void k(int n) {}\nint main() {\n  int n = 0;\n";
  for (int i = 0; i < 40; ++i) text += "  for (int i = 0; i < 100000; ++i) n = n * 3 + i;\n";
  const HostRun r = run_text(text + "  k<<<1, 1>>>(n);\n}\n", limits);
  std::string notes;
  for (const std::string& n : r.notes) notes += n + "\n";
  EXPECT_TRUE(!r.launches.empty() || notes.find("left out") != std::string::npos) << notes;
}

TEST(HostForms, ALeftLoopThatFillsAMemberLeavesTheObject) {
  const HostRun r = run_text(R"(
template <typename T> class Buffer {
 public:
  T* host; T* device; int size; int table[2];
  void init(int n) { size = n; table[0] = 1; host = (T*)malloc(n * sizeof(T)); for (int i = 0; i < size; ++i) { host[i] = i % 7 ? i : -i; table[1] = i; } }
  void cuda() { cudaMalloc((void**)&device, size * sizeof(T)); cudaMemcpy(device, host, size * sizeof(T), cudaMemcpyHostToDevice); }
};
__global__ void k(float* d, int n, int first) {}
int main() { Buffer<float> b; b.init(200000000); b.cuda(); k<<<b.size / 256, 256>>>(b.device, b.size, b.table[1]); })");
  ASSERT_EQ(r.launches.size(), 1U);
  EXPECT_EQ(r.launches[0].grid, (Extents{781250, 1, 1}));
  ASSERT_EQ(r.buffers.size(), 1U);
  EXPECT_EQ(r.buffers[0].bytes, 800'000'000U);
  EXPECT_FALSE(r.buffers[0].contents);
  EXPECT_EQ(r.launches[0].arguments[2].kind, HostArgument::Kind::unknown) << "the loop assigns it";
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

TEST(HostForms, PropertiesOfTheGpuAreSaid) {
  const HostRun r = run_text(R"(
__global__ void k(int* d) {}
int main() {
  cudaDeviceProp p; cudaGetDeviceProperties(&p, 0);
  int sm, block, grid, active, device;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&sm, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, k, 0, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&active, k, 256, 0);
  int* d; cudaMalloc(&d, 64);
  k<<<p.multiProcessorCount * 2, p.maxThreadsPerBlock / 4>>>(d);
  k<<<sm, block>>>(d);
  k<<<active, p.maxThreadsDim[2]>>>(d);
  k<<<p.clockRate, 32>>>(d);
})");
  ASSERT_EQ(r.launches.size(), 4U);
  EXPECT_EQ(r.launches[0].grid, (Extents{264, 1, 1}));
  EXPECT_EQ(r.launches[0].block, (Extents{256, 1, 1}));
  EXPECT_EQ(r.launches[1].grid, (Extents{132, 1, 1}));
  EXPECT_EQ(r.launches[1].block, (Extents{1024, 1, 1}));
  EXPECT_EQ(r.launches[2].grid, (Extents{8, 1, 1}));
  EXPECT_EQ(r.launches[2].block, (Extents{64, 1, 1}));
  EXPECT_FALSE(r.launches[3].grid) << "what is not in the table is not known";
  std::string notes;
  for (const std::string& n : r.notes) notes += n + "\n";
  EXPECT_NE(notes.find("the GPU has compute capability 9.0 and 132 multiprocessors\n"), std::string::npos) << notes;
  EXPECT_NE(notes.find("multiprocessors; the best block by threads alone\n"), std::string::npos) << notes;
  EXPECT_NE(notes.find("multiprocessors; resident blocks by threads and shared memory alone\n"), std::string::npos)
      << notes;
}

TEST(HostForms, LargeArraysOfZerosAreKnown) {
  const HostRun r = run_text(R"(
__global__ void k(char* a, char* b) {}
int main() {
  char *a, *b; size_t n = 1500000000;
  cudaMalloc(&a, n); cudaMalloc(&b, n);
  cudaMemset(a, 0, n); cudaMemset(b, 1, n);
  k<<<1, 1>>>(a, b);
})");
  ASSERT_EQ(r.buffers.size(), 2U);
  EXPECT_TRUE(r.buffers[0].zeros);
  EXPECT_FALSE(r.buffers[1].zeros);
  EXPECT_FALSE(r.buffers[1].contents);
}

TEST(HostForms, EnumeratorsOfTheToolkitAreNumbers) {
  const HostRun r = run_text(R"(
__global__ void k(int a) {}
int main() {
  CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
  cudaFuncAttribute attribute = cudaFuncAttributeMaxDynamicSharedMemorySize;
  cudaError_t error = cudaErrorInvalidValue;
  k<<<type, attribute>>>(cudaErrorNotReady);
  k<<<error + 1, CUDA_ERROR_INVALID_VALUE + 2>>>(cudaMemcpyDeviceToHost);
  if (error != cudaErrorInvalidValue) k<<<7, 7>>>(0);
})");
  ASSERT_EQ(r.launches.size(), 2U);
  EXPECT_EQ(r.launches[0].grid, (Extents{9, 1, 1}));
  EXPECT_EQ(r.launches[0].block, (Extents{8, 1, 1}));
  EXPECT_EQ(r.launches[0].arguments.at(0).number, 600);
  EXPECT_EQ(r.launches[1].grid, (Extents{2, 1, 1}));
  EXPECT_EQ(r.launches[1].block, (Extents{3, 1, 1}));
  EXPECT_EQ(r.launches[1].arguments.at(0).number, 2);
}

TEST(HostForms, EnumeratorsOfTheFileComeFirst) {
  const HostRun r = run_text(R"(
enum { cudaErrorInvalidValue = 5 };
__global__ void k() {}
int main() { k<<<cudaErrorInvalidValue, 32>>>(); }
)");
  ASSERT_EQ(r.launches.size(), 1U);
  EXPECT_EQ(r.launches[0].grid, (Extents{5, 1, 1}));
}

/// Each value against the headers of the toolkit, by a compiler.
TEST(HostForms, EnumeratorsAreThoseOfTheHeaders) {
  const auto all = host::cuda_enumerators();
  EXPECT_TRUE(std::ranges::is_sorted(all, {}, &host::Enumerator::name));
  EXPECT_EQ(std::ranges::adjacent_find(all, {}, &host::Enumerator::name), all.end());
  EXPECT_EQ(host::cuda_enumerator("cudaErrorInvalid"), nullptr);
  const std::string include = "/usr/local/cuda/include";
  if (!std::filesystem::exists(include + "/cuda.h")) GTEST_SKIP() << "no headers of a toolkit";
  std::string text =
      "#include <cuda.h>\n#include <cuda_runtime_api.h>\n#if CUDA_VERSION >= 13000 && CUDA_VERSION < 14000\n";
  for (const host::Enumerator& e : all)
    text += fmt::format("static_assert((long long)({0}) == {1}, \"{0}\");\n", e.name, e.value);
  for (const std::string_view name : host::cuda_enumerations()) text += fmt::format("{} of_{};\n", name, name);
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("lanescope-enumerators-{}", getpid());
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "e.cpp") << text << "#endif\n";
  const std::string command = fmt::format("c++ -std=c++17 -w -fsyntax-only -isystem '{}' '{}' > '{}' 2>&1", include,
                                          (folder / "e.cpp").string(), (folder / "log").string());
  const bool equal = std::system(command.c_str()) == 0;
  std::ifstream log(folder / "log");
  EXPECT_TRUE(equal) << std::string(std::istreambuf_iterator<char>(log), {}).substr(0, 2000);
  std::filesystem::remove_all(folder);
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

TEST(HostForms, StringsAreComparedAndJoined) {
  computes_what_is_compiled(R"(
#include <string>
#include <cstring>
int kind(const std::string& name) { return name == "fast" ? 1 : name < "m" ? 2 : 3; }
int main() {
  std::string mode = "fast", other = mode + "er";
  std::string s = "abc";
  s += "de";
  s.append("f").push_back('g');
  other += s;
  std::string number = std::to_string(-123), empty;
  k<<<1, 32>>>(mode == "fast" ? 1 : 2, mode != std::string("slow"), (int)s.size(), (int)other.size(), kind("a"), kind(mode),
               kind("z"), (int)number.size(), (int)empty.size(), strcmp(s.c_str(), "abcdefg"), (int)sizeof("a\n"));
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

TEST(HostForms, LargeVectorsOfOneValueAreFilled) {
  const HostRun run = run_text(R"(
__global__ void k(float* x, int n) {}
int main() {
  int n = 1 << 22;
  std::vector<float> v(n, 1.5f), w;
  w.resize(n, 2.5f);
  float* d;
  cudaMalloc(&d, n * 4);
  cudaMemcpy(d, v.data(), n * 4, cudaMemcpyHostToDevice);
  k<<<(n + 255) / 256, 256>>>(d, v[n - 1] == 1.5f && w[n - 1] == 2.5f ? n : 0);
}
)");
  ASSERT_EQ(run.launches.size(), 1U);
  EXPECT_EQ(run.launches[0].grid, (Extents{16384, 1, 1}));
  EXPECT_EQ(run.launches[0].arguments.at(1).number, 1 << 22);
}

TEST(HostForms, WhatALeftLoopGrowsOrDrawsIsUnknown) {
  const auto program = [](std::string_view body) {
    return fmt::format(R"(
__global__ void k(int n) {{}}
void add(std::vector<int>& all, int i) {{ all.push_back(i); }}
int calls() {{ static int n = 0; return ++n; }}
int main() {{
  const int n = 1 << 22;
  std::vector<int> v;
  int c = 0;
  auto count = [&](int i) {{ c += i & 1; }};
  {}
}}
)",
                       body);
  };
  for (const std::string_view body :
       {"for (int i = 0; i < n; ++i) if (i % 3 != 1) v.push_back(i); k<<<1, 32>>>((int)v.size());",
        "for (int i = 0; i < n; ++i) if (i % 3 != 1) add(v, i); k<<<1, 32>>>((int)v.size());",
        "for (int i = 0; i < n; ++i) if (i % 3 != 1) count(i); k<<<1, 32>>>(c);",
        "for (int i = 0; i < n; ++i) if (i % 3 != 1) calls(); k<<<1, 32>>>(calls());",
        "for (int i = 0; i < n; ++i) if (i % 3 != 1) c ^= rand() & i; k<<<1, 32>>>(rand());"}) {
    const HostRun run = run_text(program(body));
    ASSERT_EQ(run.launches.size(), 1U) << body;
    EXPECT_EQ(run.launches[0].arguments.at(0).kind, HostArgument::Kind::unknown) << body;
  }
}

/// Lambdas that call each other are looked through once: each of these calls the one before twice, and itself.
TEST(HostForms, LambdasOfALeftLoopAreLookedThroughOnce) {
  std::string text = "__global__ void k(int n) {}\nint main() {\n  int c = 0;\n  auto f0 = [&](int i) { c += i; };\n";
  for (int f = 1; f < 60; ++f)
    text += fmt::format(
        "  auto f{0} = [&](int i) {{ if (i < 0) {{ f{1}(i); f{1}(i); f{0}(i); f{0}(i); }} c ^= i; }};\n", f, f - 1);
  const HostRun run =
      run_text(text + "  for (int i = 0; i < 100000000; ++i) if (i % 3 != 1) f59(i);\n  k<<<1, 32>>>(c);\n}\n");
  ASSERT_EQ(run.launches.size(), 1U);
  EXPECT_EQ(run.launches[0].arguments.at(0).kind, HostArgument::Kind::unknown);
}

TEST(HostForms, ACopyToAnUnknownPlaceIsAnAssumption) {
  const auto assumed = [](std::string_view copy) {
    return run_text(
               fmt::format(
                   "__device__ int g[8];\n__global__ void k(int* q) {{}}\nint* somewhere();\nint main() {{\n  int "
                   "h[8] = {{}}, *q;\n  cudaMalloc(&q, 32);\n  int* d = somewhere();\n  {}\n  k<<<1, 8>>>(q);\n}}\n",
                   copy))
        .assumed.size();
  };
  EXPECT_EQ(assumed("cudaMemcpy(d, h, 32, cudaMemcpyHostToDevice);"), 1U);
  EXPECT_EQ(assumed("cudaMemcpy(q, h, 32, cudaMemcpyHostToDevice);"), 0U);
  EXPECT_EQ(assumed("cudaMemcpy(d, q, 32, cudaMemcpyDeviceToHost);"), 0U);
}

TEST(HostForms, ArgumentsByValueStayKnownAfterALeftLoop) {
  const HostRun run = run_text(R"(
__global__ void k(int n, int first) {}
int main() {
  const int size = 1 << 22;
  int n = 1000, table[4] = {5, 6, 7, 8};
  std::vector<int> v(size);
  for (int i = 0; i < size; ++i) if (i % 3 != 1) v[i] = std::min(i, n - 1) + std::max(table[i & 3], n);
  k<<<(n + 255) / 256, 256>>>(n, table[0]);
}
)");
  ASSERT_EQ(run.launches.size(), 1U);
  EXPECT_EQ(run.launches[0].grid, (Extents{4, 1, 1}));
  EXPECT_EQ(run.launches[0].arguments.at(0).number, 1000);
  EXPECT_EQ(run.launches[0].arguments.at(1).number, 5);
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

/// The last bit, too: sinf(x) is not sin(x) rounded to a float.
TEST(HostForms, FunctionsOfFloatsAreThoseOfTheLibrary) {
  for (const char* more : {"", "(void)0; "}) {  // filled at once, and by the tree
    std::string body;
    for (const char* f : {"sin", "cos",  "tan",   "exp",  "log",  "sqrt",  "exp2",  "log2", "tanh",  "atan",
                          "erf", "cbrt", "log10", "sinh", "cosh", "log1p", "expm1", "fabs", "floor", "rint"})
      body += fmt::format(
          "  for (int i = 0; i < 40; i++) {{ h[i] = {0}f(i * 0.37f) + {0}f(i * 0.1); h[40 + i] = {0}(i * 0.37f); h[80 "
          "+ i] = "
          "{0}(i * 0.37); {1}}}\n  give(h);\n",
          f, more);
    for (const char* f : {"pow", "atan2", "fmod", "hypot"})
      body += fmt::format(
          "  for (int i = 1; i < 40; i++) {{ h[i] = {0}f(i * 0.37f, 1.3f); h[40 + i] = {0}(i * 0.37f, 1.3f); h[80 + i] "
          "= "
          "{0}(i * 0.37f, 1.3); g[i] = {0}(i * 0.37f, 2); {1}}}\n  give(h); give(g);\n",
          f, more);
    computes_what_is_compiled(
        "void give(float* h) { float* d; cudaMalloc(&d, 480); cudaMemcpy(d, h, 480, cudaMemcpyHostToDevice); k<<<1, "
        "1>>>(d); "
        "}\nint main() {\n  float h[120] = {}, g[120] = {};\n" +
        body + "}\n");
  }
}

TEST(HostForms, EnginesAndDistributionsAreThoseOfTheLibrary) {
  computes_what_is_compiled(R"(
struct Source {
  std::mt19937 engine;
  std::normal_distribution<double> normal{1.5, 2};
  Source(unsigned seed) : engine(seed) {}
  double next() { return normal(engine); }
};
float draw(std::mt19937& g) { std::uniform_real_distribution<float> d(-1, 1); return d(g); }
float drawn_from_copy(std::mt19937 g) { std::uniform_real_distribution<float> d(-1, 1); return d(g); }
template <class T> T random_value() {
  static std::mt19937 g(11);
  static std::uniform_real_distribution<T> d(T(0), T(10));
  return d(g);
}
int main() {
  std::mt19937 a(42), standard;
  std::mt19937_64 b(7);
  std::default_random_engine c(123);
  std::minstd_rand e(9);
  std::uniform_real_distribution<float> real(0.25f, 4);
  std::uniform_real_distribution<> wide(-2, 2);
  std::uniform_int_distribution<int> whole(-5, 17);
  std::uniform_int_distribution<> any;
  std::uniform_int_distribution<size_t> large(10, 1ULL << 40);
  std::uniform_int_distribution<unsigned> natural(1, 6);
  std::normal_distribution<float> normal(0, 1);
  std::normal_distribution<> tall(10, 3);
  std::bernoulli_distribution coin(0.3);
  float* h = (float*)malloc(64); float* d; cudaMalloc(&d, 64);
  for (int i = 0; i < 16; ++i) h[i] = normal(a);
  cudaMemcpy(d, h, 64, cudaMemcpyHostToDevice);
  const double one[] = {real(a), wide(b), (double)whole(c), (double)any(a), (double)large(b), (double)natural(e), normal(c),
                        tall(b), (double)coin(a), (double)a(), (double)c()};
  k<<<1, 1>>>(d, one[0], one[1], one[2], one[3], one[4], one[5], one[6], one[7], one[8], one[9], one[10]);
  Source s(5);
  const double two[] = {draw(a), drawn_from_copy(a), draw(a), s.next(), s.next(), s.next(), (double)standard(),
                        random_value<float>(), random_value<double>()};
  k<<<1, 1>>>(two[0], two[1], two[2], two[3], two[4], two[5], two[6], two[7], two[8]);
  a.seed(3);
  auto more = [&] { return real(a); };
  std::vector<double> v(20);
  std::generate(v.begin(), v.end(), [&]() { return wide(a); });
  const float first = more(), second = more();
  k<<<1, 1>>>(first, second, v[0], v[19]);
}
)");
  const HostRun r = run_text(R"(
__global__ void k(float x, float y) {}
int main() {
  std::random_device device;
  std::mt19937 a(device()), b(1);
  std::uniform_real_distribution<float> d(0, 1);
  float x = d(a);
  std::shuffle((int*)0, (int*)0, b);
  k<<<1, 1>>>(device() % 2, d(b));
})");
  ASSERT_EQ(r.launches.size(), 1U);
  for (const HostArgument& a : r.launches[0].arguments) EXPECT_EQ(a.kind, HostArgument::Kind::unknown) << a.text;
  for (const char* engine : {"std::mt19937", "std::mt19937_64", "std::minstd_rand", "std::default_random_engine"})
    for (const char* distribution : {"normal_distribution<float>", "uniform_int_distribution<int>",
                                     "uniform_int_distribution<size_t>", "uniform_real_distribution<double>"})
      for (const int byte : {0, 0x80, 0xff}) {  // ends with any bytes
        const HostRun ends = run_text(fmt::format(
            "__global__ void k(float x) {{}}\nint main() {{ {} g(1); std::{} d(0, 10); memset(&g, {}, sizeof g);"
            " for (int i = 0; i < 3; ++i) k<<<1, 1>>>(d(g)); memset(&d, {}, sizeof d); k<<<1, 1>>>(d(g)); }}\n",
            engine, distribution, byte, byte));
        EXPECT_EQ(ends.launches.size(), 4U) << engine << distribution << byte;
      }
  EXPECT_EQ(std::ranges::count(r.notes, "the seed of an engine is unknown; here it is the default one"), 1);
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

/// Each function calls all after it, and a loop meets a call of the first under an unknown condition: what the
/// functions may change is in their text, which is looked through once, however often the loop runs.
TEST(HostForms, TextIsLookedThroughOnceHoweverOftenALoopAsks) {
  constexpr int functions = 40;
  const auto program = [](int turns) {
    std::string text = "int g0";
    for (int f = 1; f < functions; ++f) text += fmt::format(", g{}", f);
    text += ";\n__global__ void k(int n) {}\n";
    for (int f = functions - 1; f >= 0; --f) {
      text += fmt::format("void f{0}(int n) {{ g{0}++; if (n) {{", f);
      for (int to = f + 1; to < functions; ++to) text += fmt::format(" f{}(n);", to);
      text += " } }\n";
    }
    return text + fmt::format(
                      "int main() {{ for (int i = 0; i < {}; i++) {{ if (clock() & 1) f0(0); }} k<<<1, 32>>>(g0); }}\n",
                      turns);
  };
  const HostRun few = run_text(program(3)), many = run_text(program(300));
  EXPECT_GT(few.tokens_searched, static_cast<std::uint64_t>(functions));
  EXPECT_EQ(many.tokens_searched, few.tokens_searched);
  EXPECT_GT(many.steps, few.steps);
  EXPECT_LE(few.tokens_searched, static_cast<std::uint64_t>(lex(program(3)).count()));
  ASSERT_EQ(many.launches.size(), 1U);
  EXPECT_EQ(many.launches[0].arguments.at(0).kind, HostArgument::Kind::unknown);
}

}  // namespace
}  // namespace lanescope::source::test
