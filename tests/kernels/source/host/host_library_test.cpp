// The C++ library and the CUDA runtime as host programs see them: strings, <random>, functions of numbers, enumerators, properties
// of the GPU.

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

TEST(HostLibrary, PropertiesOfTheGpuAreSaid) {
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

TEST(HostLibrary, LargeArraysOfZerosAreKnown) {
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

TEST(HostLibrary, EnumeratorsOfTheToolkitAreNumbers) {
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

TEST(HostLibrary, EnumeratorsOfTheFileComeFirst) {
  const HostRun r = run_text(R"(
enum { cudaErrorInvalidValue = 5 };
__global__ void k() {}
int main() { k<<<cudaErrorInvalidValue, 32>>>(); }
)");
  ASSERT_EQ(r.launches.size(), 1U);
  EXPECT_EQ(r.launches[0].grid, (Extents{5, 1, 1}));
}

/// Each value against the headers of the toolkit, by a compiler.
TEST(HostLibrary, EnumeratorsAreThoseOfTheHeaders) {
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

TEST(HostLibrary, StringsAreComparedAndJoined) {
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

TEST(HostLibrary, NoWordsOnTheCommandLineAreNoOptions) {
  const HostRun r = run_text(R"(
__global__ void k(int n) {}
int main(int argc, char** argv) {
  int n = 5, c;
  while ((c = getopt(argc, argv, "n:")) != -1)
    if (c == 'n') n = atoi(optarg);
  const char* size = getenv("SIZE");
  if (size) n = atoi(size);
  k<<<1, 1>>>(n);
})");
  ASSERT_EQ(r.launches.size(), 1U);
  EXPECT_TRUE(r.launches[0].certain);
  EXPECT_EQ(r.launches[0].arguments[0].number, 5);
}

TEST(HostLibrary, TuplesAreTakenApart) {
  computes_what_is_compiled(R"(
#include <tuple>
std::tuple<int, float, int> sizes(int n) { return std::make_tuple(n / 3, n * 0.5f, n); }
std::tuple<int, int> listed(int n) { return {n, n + 1}; }
std::pair<int, int> both(int n) { return std::make_pair(n, 2 * n); }
int main() {
  auto [a, b, c] = sizes(30);
  auto t = sizes(12);
  std::get<2>(t) += 5;
  int x = 1, y = 2, z = 3;
  std::tie(x, y) = listed(7);
  std::tie(std::ignore, z) = both(4);
  std::tuple<int, char> given(8, 'b');
  k<<<1, 1>>>(a, b, c, std::get<0>(t), std::get<1>(t), std::get<2>(t));
  k<<<1, 1>>>(x, y, z, std::get<1>(both(3)), std::get<1>(given));
}
)");
  // A place that is tied has no old value after what is not known.
  const HostRun r = run_text(R"(
__global__ void k(int a, int b, int c) {}
int main() {
  int x = 1, y = 2, z = 3;
  std::tie(x, y) = elsewhere(7);
  for (int i = 0; i < elsewhere(1); ++i) std::tie(z, x) = std::make_tuple(1, 2);
  k<<<1, 1>>>(x, y, z);
})");
  ASSERT_EQ(r.launches.size(), 1U);
  for (const HostArgument& a : r.launches[0].arguments) EXPECT_EQ(a.kind, HostArgument::Kind::unknown);
}

TEST(HostLibrary, LargeVectorsOfOneValueAreFilled) {
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

TEST(HostLibrary, ACopyToAnUnknownPlaceIsAnAssumption) {
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

/// The last bit, too: sinf(x) is not sin(x) rounded to a float.
TEST(HostLibrary, FunctionsOfFloatsAreThoseOfTheLibrary) {
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

TEST(HostLibrary, EnginesAndDistributionsAreThoseOfTheLibrary) {
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

}  // namespace
}  // namespace lanescope::source::test
