// Launches that are not written in the file: instances of templates, blocks, and the host code of other files.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "kernels/source/source.h"

namespace lanescope::source {
namespace {

Source unstated_source(const std::string& text, const std::string& file = "k.cu") {
  auto source = read(file, text);
  if (!source) {
    ADD_FAILURE() << source.error().front().message << "\n" << text;
    return {};
  }
  return std::move(*source);
}

std::string unstated_words(const Header& h) {
  std::string all;
  for (const std::string& s : h.inferred) all += s + "\n";
  for (const std::string& s : sentences_of(h.assumed)) all += s + "\n";
  return all;
}

// The extents of a product of matrices that are not given hold whole tiles of the instance that is launched.
TEST(AssumedLaunch, ExtentsOfAProductHoldItsTiles) {
  const std::string kernel =
      "template <int BM, int BN, int BK> __global__ void gemm(const float* A, const float* B, float* C, int M, int N, "
      "int K) {\n"
      "  C[blockIdx.x * BM * N + threadIdx.x] = A[K] + B[N];\n}\n"
      "void go(const float* a, const float* b, float* c, int m, int n, int k, int grid) {\n"
      "  gemm<TILES><<<grid, 64>>>(a, b, c, m, n, k);\n}\n";
  const auto sizes = [&](const std::string& tiles) {
    std::string text = kernel;
    text.replace(text.find("TILES"), 5, tiles);
    std::vector<double> out;
    const Source source = unstated_source(text);
    if (source.header.launches.empty()) return out;
    for (const ArgumentSpec& a : source.header.launches.front().arguments)
      if (!a.is_buffer) out.push_back(std::get<double>(a.value));
    return out;
  };
  EXPECT_EQ(sizes("128, 64, 8"), (std::vector<double>{128, 128, 128}));
  EXPECT_EQ(sizes("64, 256, 16"), (std::vector<double>{256, 256, 256}));
  EXPECT_EQ(sizes("8, 8, 8").at(0), 32);
}

TEST(AssumedLaunch, InstancesOfTemplates) {
  const struct {
    const char *text, *kernel;
  } cases[] = {
      {"template <typename T> __global__ void k(T* p) {}", "k<float>"},
      {"template <typename T, typename IndexType> __global__ void k(T* p, IndexType n) {}", "k<float,int>"},
      {"template <class T, int N, bool flag> __global__ void k(T* p) {}", "k<float,4,false>"},
      {"template <int BLOCK_SIZE, unsigned TILE_DIM> __global__ void k(float* p) {}", "k<256,16>"},
      {"template <typename T = double, int N = 8> __global__ void k(T* p) {}", "k<>"},
      {"template <typename T, int N = 8> __global__ void k(T* p) {}", "k<float>"},
      {"template <int kWarpSize = 32> __global__ void k(float* p) {}", "k<>"},
      {"template <typename T, int N> __global__ void k(T* p) {}\ntemplate __global__ void k<double, 7>(double* p);",
       "k<double, 7>"},
      {"namespace a { namespace b { template <typename T> __global__ void k(T* p) {} } }", "a::b::k<float>"},
      {"namespace a { int x; } template <typename T> __global__ void k(T* p) {}", "k<float>"},
      // given by its launcher
      {"template <typename T> __global__ void k(T* p) {}\nint main() { double* d; cudaMalloc(&d, 80); k<<<1, 8>>>(d); "
       "}",
       "k<double>"},
      {"template <typename T, int N> __global__ void k(T* p) {}\n"
       "template <typename T, int N = 3> void go(T* d) { k<T, N><<<1, N>>>(d); }\n"
       "int main() { short* d; cudaMalloc(&d, 80); go(d); }",
       "k<short,3>"},
      {"#define GO(n) k<(n), true><<<1, 32>>>(d)\ntemplate <int N, bool B> __global__ void k(float* p) {}\n"
       "template <const int STAGES = 2> void go(float* d) { GO(STAGES); }",
       "k<2,true>"},
      {"enum Op { READ, WRITE }; template <Op op> __global__ void k(float* p) {}\n"
       "int main() { float* d; cudaMalloc(&d, 80); k<WRITE><<<1, 8>>>(d); }",
       "k<WRITE>"},
  };
  for (const auto& c : cases) {
    const Source s = unstated_source(c.text);
    ASSERT_FALSE(s.header.launches.empty()) << c.text;
    EXPECT_EQ(s.header.launches[0].kernel, c.kernel) << c.text << "\n" << unstated_words(s.header);
    EXPECT_NE(unstated_words(s.header).find("nstance"), std::string::npos) << c.text;
  }
}

TEST(AssumedLaunch, WhereThereIsNoTellingNothingIsGuessed) {
  for (const char* text : {"template <typename... T> __global__ void k(T*... p) {}",
                           "template <template <class> class C> __global__ void k(float* p) {}",
                           "template <typename BinaryOp> __global__ void k(float* p, BinaryOp op) {}",
                           "enum E { a }; template <E e> __global__ void k(float* p) {}"})
    EXPECT_EQ(unstated_source(text).header.launches.at(0).kernel, "k") << text;
}

TEST(AssumedLaunch, BlocksOfSharedArrays) {
  using Extents = std::array<std::uint32_t, 3>;
  const struct {
    const char* body;
    Extents block;
  } cases[] = {
      {"__shared__ float t[32][33]; t[threadIdx.y][threadIdx.x] = 0;", {32, 32, 1}},
      {"__shared__ float t[TS][TS]; t[threadIdx.y][threadIdx.x] = 0;", {16, 16, 1}},
      {"__shared__ float t[TS * TS]; t[threadIdx.y * TS + threadIdx.x] = 0;", {16, 16, 1}},
      {"__shared__ float t[8][32]; t[threadIdx.y][threadIdx.x] = 0;", {32, 8, 1}},
      {"__shared__ float t[256]; t[threadIdx.x] = 0;", {256, 1, 1}},
      {"__shared__ float t[4096]; t[threadIdx.x] = 0;", {32, 1, 1}},
      {"__shared__ float t[3]; t[threadIdx.x % 3] = 0;", {32, 1, 1}},
      {"p[threadIdx.y * 16 + threadIdx.x] = 0;", {16, 16, 1}},
      {"p[threadIdx.x] = 0;", {32, 1, 1}},
  };
  for (const auto& c : cases) {
    const Source s = unstated_source(std::string("#define TS 16\n__global__ void k(float* p) { ") + c.body + " }");
    EXPECT_EQ(s.header.launches.at(0).block, c.block) << c.body;
    EXPECT_FALSE(s.header.assumed.empty());
  }
}

TEST(AssumedLaunch, ScalarsByTheirNames) {
  const Source s =
      unstated_source("__global__ void k(float* p, int width, int mode, float pitch) { p[width * mode] = pitch; }");
  const auto& a = s.header.launches.at(0).arguments;
  EXPECT_EQ(std::get<double>(a.at(1).value), 32);
  EXPECT_EQ(std::get<double>(a.at(2).value), 0);
  EXPECT_EQ(std::get<double>(a.at(3).value), 1);  // a factor of 0 would hide what a kernel computes
}

// As tools and people write launches in comments: with braces, or one number for one axis.
TEST(AssumedLaunch, NumbersInComments) {
  using Extents = std::array<std::uint32_t, 3>;
  const struct {
    const char* comment;
    Extents block, grid;
  } cases[] = {
      {"//--gridDim=4 --blockDim=64", {64, 1, 1}, {4, 1, 1}},
      {"// --blockDim=[16,16] --gridDim=[2,3,1]", {16, 16, 1}, {2, 3, 1}},
      {"// blockDim = 96, gridDim = 2;", {96, 1, 1}, {2, 1, 1}},
      {"// blockDim = 32 * n", {32, 1, 1}, {1, 1, 1}},
      {"// blockDim = 32n, gridDim = 8x8", {32, 1, 1}, {1, 1, 1}},
      {"// --blockDim=2024 --gridDim=3", {32, 1, 1}, {3, 1, 1}},  // more than a block can have
  };
  for (const auto& c : cases) {
    const Source s = unstated_source(std::string(c.comment) + "\n__global__ void k(float* p) { p[threadIdx.x] = 0; }");
    EXPECT_EQ(s.header.launches.at(0).block, c.block) << c.comment;
    EXPECT_EQ(s.header.launches.at(0).grid, c.grid) << c.comment;
  }
}

TEST(AssumedLaunch, BuffersOfNamedTypes) {
  const Source s = unstated_source(
      "typedef int number;\ntypedef unsigned short half_word;\nusing wide = double;\nusing alias = number;\ntypedef "
      "struct "
      "{ int x; } other;\n__global__ void k(number* a, const half_word* b, wide* c, alias* d, other* e) {}");
  std::vector<std::string> types;
  for (const auto& b : s.header.buffers) types.push_back(b.element_type);
  EXPECT_EQ(types, (std::vector<std::string>{"s32", "u16", "f64", "s32", "f32"}));
}

class SiblingFolder {
 public:
  SiblingFolder()
      : path_(std::filesystem::temp_directory_path() / ("lanescope_sibling_" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~SiblingFolder() { std::filesystem::remove_all(path_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

TEST(AssumedLaunch, ThatOfAFileBesideIt) {
  const SiblingFolder folder;
  const std::string text =
      "#include \"scale.h\"\n__global__ void scale(float* p, int n) { if (threadIdx.x < n) p[threadIdx.x] *= 2; }\n"
      "void run(float* d, int n) {\n  scale<<<n / 64, 64>>>(d, n);\n}\n";
  const std::string file = folder.write("scale.cu", text);
  EXPECT_EQ(unstated_source(text, file).header.launches.at(0).arguments.at(1).is_buffer, false);
  EXPECT_EQ(unstated_source(text, file).header.launches.at(0).block[0], 64u) << "its own, with what is known";
  folder.write("a_test.cpp", "int main() { return 0; }\n");
  folder.write(
      "main.cpp",
      "#include \"scale.h\"\n\nint main() {\n  const int n = 640;\n  float* d;\n  cudaMalloc(&d, n * sizeof(float));\n"
      "  run(d, n);\n}\n");
  const Source s = unstated_source(text + "// changed\n", file);
  const LaunchSpec& l = s.header.launches.at(0);
  EXPECT_EQ(l.grid[0], 10u);
  EXPECT_EQ(std::get<double>(l.arguments.at(1).value), 640);
  ASSERT_EQ(s.header.buffers.size(), 1u);
  EXPECT_EQ(s.header.buffers[0].elements, 640u);
  EXPECT_NE(unstated_words(s.header).find("Host code: that of main.cpp"), std::string::npos)
      << unstated_words(s.header);
  EXPECT_NE(unstated_words(s.header).find("from the launch at line 4."), std::string::npos) << unstated_words(s.header);
  EXPECT_NE(unstated_words(s.header).find("allocation at line 6 of main.cpp"), std::string::npos)
      << unstated_words(s.header);
}

TEST(AssumedLaunch, SizesOfTheCallInTheMakefile) {
  const SiblingFolder folder;
  const std::string text =
      "#include <cstdlib>\n__global__ void add(float* p, float by) { p[blockIdx.x * 64 + threadIdx.x] += by; }\n"
      "int main(int argc, char** argv) {\n  if (argc != 3) return 1;\n  int n = std::atoi(argv[1]);\n  float* d;\n"
      "  cudaMalloc(&d, n * sizeof(float));\n  add<<<n / 64, 64>>>(d, atof(argv[2]));\n}\n";
  const std::string file = folder.write("add.cu", text);
  EXPECT_EQ(unstated_source(text, file).header.launches.at(0).grid[0], 2u) << "128, for want of a better number";
  folder.write("Makefile", "program = add\n$(program): add.cu\n\tnvcc add.cu -o $@\nrun:\n\t./$(program) 6400 1.5\n");
  const Source s = unstated_source(text, file);
  EXPECT_EQ(s.header.launches.at(0).grid[0], 100u);
  EXPECT_EQ(std::get<double>(s.header.launches.at(0).arguments.at(1).value), 1.5);
  EXPECT_EQ(s.header.buffers.at(0).elements, 6400u);
  EXPECT_NE(unstated_words(s.header).find("`main` is called with 6400 1.5, as Makefile line 5 does"), std::string::npos)
      << unstated_words(s.header);
}

TEST(AssumedLaunch, HeadersNearbyAreReadWithTheFile) {
  const SiblingFolder folder;
  std::filesystem::create_directories(std::filesystem::path(folder.write("x", "")).parent_path() / "common");
  folder.write("common/warps.h",
               "#define THREADS_OF(n) (32 * (n))\ninline int up(int a, int b) { return (a + b - 1) / b; }\n");
  const std::string text =
      "#include \"warps.h\"\n#include \"nowhere_at_all.h\"\n__global__ void k(float* p) {}\n"
      "int main() { float* d; cudaMalloc(&d, 4000); k<<<up(1000, 128), THREADS_OF(4)>>>(d); }\n";
  const Source s = unstated_source(text, folder.write("k.cu", text));
  EXPECT_EQ(s.header.launches.at(0).block[0], 128u);
  EXPECT_EQ(s.header.launches.at(0).grid[0], 8u);
  ASSERT_EQ(s.found_headers.size(), 1u);
  EXPECT_EQ(s.found_headers[0].name, "warps.h");
  EXPECT_TRUE(s.options.empty()) << "those that were given";
}

TEST(AssumedLaunch, RowsAreAsLongAsTheirIndexNeeds) {
  const Source s = unstated_source(
      "__global__ void tile(float* out, int OC, int seq_len, int num_heads) {\n"
      "  float* at = out + blockIdx.x * seq_len * num_heads;\n"
      "  for (int j = 0; j < 4; ++j) at[threadIdx.y * OC + 4 * threadIdx.x + j] = 1;\n}\n");
  const LaunchSpec& l = s.header.launches.at(0);
  EXPECT_EQ(std::get<double>(l.arguments.at(1).value), 0) << "of `at` nothing is known";
  EXPECT_EQ(std::get<double>(l.arguments.at(2).value), 256);
  EXPECT_EQ(std::get<double>(l.arguments.at(3).value), 1);
  const Source own = unstated_source(
      "__global__ void tile(float* out, int OC) {\n"
      "  for (int j = 0; j < 4; ++j) out[threadIdx.y * OC + 4 * threadIdx.x + j] = 1;\n}\n");
  EXPECT_EQ(own.header.launches.at(0).block[0], 16u);
  EXPECT_EQ(std::get<double>(own.header.launches.at(0).arguments.at(1).value), 64);
  EXPECT_NE(
      unstated_words(own.header).find("Argument OC: 64, so that the rows that it is the length of do not overlap."),
      std::string::npos)
      << unstated_words(own.header);
}

TEST(AssumedLaunch, LoopsRunSomeTimes) {
  const Source s = unstated_source(
      "__global__ void dot(const float* a, const float* b, float* c, int depth, int rows) {\n"
      "  float sum = 0;\n  for (int i = 0; i < depth; ++i) sum += a[i] * b[i];\n"
      "  if (threadIdx.x < rows) c[threadIdx.x] = sum;\n}\n");
  const LaunchSpec& l = s.header.launches.at(0);
  EXPECT_EQ(std::get<double>(l.arguments.at(3).value), 32) << unstated_words(s.header);
  EXPECT_EQ(std::get<double>(l.arguments.at(4).value), 32) << "as many as there are threads";
}

// A comment that names the axes counts before one that only gives their extents, wherever the two are.
TEST(AssumedLaunch, AShapeWithNamesCounts) {
  const std::string unnamed = "// 'p' and 'q' point to shape (4,64) arrays.\n", named = "// p[a,b], shape (4,64)\n",
                    kernel = "__global__ void k(float *p, float *q) { q[threadIdx.x] = p[threadIdx.x]; }\n";
  const struct {
    std::string text, p, q;
  } cases[] = {
      {unnamed + named, "ab", "ij"},
      {named + unnamed, "ab", "ij"},
      {unnamed + "// the array after p: p[a,b], shape (4,64)\n", "ab", "ij"},
      {unnamed + "// p[a,b] has shape (8,32), q[c,d] shape (16,16).\n", "ab", "cd"},
      {unnamed + "// p[a,b,c], shape (4,64)\n", "ij", "ij"},
      {unnamed, "ij", "ij"},
  };
  for (const auto& c : cases) {
    const Source s = unstated_source(c.text + kernel);
    std::string axes[2];
    for (std::size_t b = 0; b < 2; ++b)
      for (const Axis& a : s.header.buffers.at(b).axes) axes[b] += a.name;
    EXPECT_EQ(axes[0], c.p) << c.text;
    EXPECT_EQ(axes[1], c.q) << c.text;
  }
}

TEST(AssumedLaunch, AKernelThatAnotherFileLaunches) {
  const SiblingFolder folder;
  const std::string text = "__global__ void fill(float* p) { p[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n";
  const std::string file = folder.write("fill.cuh.cu", text);
  folder.write(
      "main.cu",
      "#include \"fill.cuh.cu\"\nint main() {\n  float* d;\n  cudaMalloc(&d, 4096);\n  fill<<<8, 128>>>(d);\n}\n");
  const Source s = unstated_source(text, file);
  EXPECT_EQ(s.header.launches.at(0).grid[0], 8u);
  EXPECT_EQ(s.header.launches.at(0).block[0], 128u);
  EXPECT_NE(unstated_words(s.header).find("from the launch at line 5 of main.cu"), std::string::npos)
      << unstated_words(s.header);
}

// Tutorials keep a program for each step in one folder, with the same names.
TEST(AssumedLaunch, AFileWithAKernelOfThatNameLaunchesItsOwn) {
  const SiblingFolder folder;
  const std::string text = "__global__ void fill(float* p) { p[threadIdx.x] = 1; }\n";
  const std::string file = folder.write("step2.cu", text);
  const std::string main = "int main() {\n  float* d;\n  cudaMalloc(&d, 4096);\n  fill<<<8, 128>>>(d);\n}\n";
  folder.write("step1.cu", text + main);
  EXPECT_EQ(unstated_source(text, file).header.launches.at(0).block[0], 32u);
  folder.write("test.cu", "__global__ void fill(float* p);\n" + main);
  EXPECT_EQ(unstated_source(text, file).header.launches.at(0).block[0], 128u);
}

// Of kernels that nothing calls the first with a claim runs, for claims of any kind.
TEST(AssumedLaunch, AKernelWithClaims) {
  const struct {
    const char *comment, *inside;
  } cases[] = {
      {"", "  // x has register assignment:\n  //   thread: i4 i3 i2 i1 i0\n"},
      {"", "  // each thread computes 4 elements of p\n"},
      {"// each thread computes 4 elements of p\n", ""},
      {"", "  __shared__ float s[4][8];  // [m][k]\n  s[0][threadIdx.x % 8] = x;\n"},
  };
  const std::string callers =
      "void f(float* p, int n) { a<<<n, 64>>>(p); }\nvoid g(float* p, int n) { b<<<n, 96>>>(p); }\n";
  for (const auto& c : cases) {
    const std::string text = "__global__ void a(float* p) { p[threadIdx.x] = 1; }\n" + std::string(c.comment) +
                             "__global__ void b(float* p) {\n  float x = p[threadIdx.x];\n" + c.inside +
                             "  p[threadIdx.x] = x + 1;\n}\n";
    const Source alone = unstated_source(text);
    EXPECT_EQ(alone.header.launches.at(0).kernel, "b") << text;
    EXPECT_NE(unstated_words(alone.header).find("Kernel: b, the first of the file with claims."), std::string::npos);
    const Source called = unstated_source(text + callers);
    ASSERT_EQ(called.header.launches.size(), 1u);
    EXPECT_EQ(called.header.launches[0].block[0], 96u) << text;
  }
  EXPECT_EQ(
      unstated_source("__global__ void a(float* p) {}\n__global__ void b(float* p) {}\n").header.launches.at(0).kernel,
      "a");
}

}  // namespace
}  // namespace lanescope::source
