// Parts of a header that come from the host code, the launches that run, and suggestions for kernels without a launch.

#include "kernels/source/data/number_format.h"
#include "kernels/source/header/host_choice.h"
#include "kernels/source/header/index_extents.h"
#include "tests/kernels/source/source_files.h"

#include "kernels/source/cxx/outline.h"

namespace lanescope::source {
namespace {

using Extents = std::array<std::uint32_t, 3>;

bool says(const std::vector<std::string>& sentences, const std::string& words) {
  for (const std::string& s : sentences)
    if (s.find(words) != std::string::npos) return true;
  return false;
}

Source read_kernel(const std::string& text, const std::string& kernel) {
  auto s = read("k.cu", text, {.kernel = kernel});
  EXPECT_TRUE(s.has_value()) << (s ? "" : words(s.error()));
  return s ? std::move(*s) : Source{};
}

constexpr const char* pipeline = R"(
template <typename T, int B> __global__ void fill(T* out, int n) {}
__global__ void other(float* q) {}
__global__ void sum(const float* in, float* out, int n) {}
__global__ void unused(float* p, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = threadIdx.y;
  if (x < width && y < height) p[y * width + x] = 1;
}
int main() {
  const int n = 96;
  float h[96], *a, *b, *c;
  for (int i = 0; i < n; i++) h[i] = i * 2;
  cudaMalloc(&a, n * sizeof(float)); cudaMalloc(&b, n * sizeof(float)); cudaMalloc(&c, 4 * n);
  cudaMemcpy(c, h, sizeof h, cudaMemcpyHostToDevice);
  fill<float, 64><<<3, 64>>>(a, n);
  other<<<1, 32>>>(b);
  for (int i = 0; i < 40; ++i) { sum<<<2, 48, 192>>>(a + 8, c, n - 8); std::swap(a, c); }
}
)";

TEST(HostHeader, TheLaunchesOfTheHostCodeRun) {
  const Source s = read_well(pipeline);
  ASSERT_EQ(s.header.launches.size(), 6U);  // 4 of the 40
  EXPECT_EQ(s.header.launches[0].kernel, "fill<float,64>");
  EXPECT_EQ(s.header.launches[1].kernel, "other");
  const LaunchSpec &l = s.header.launches[2], &swapped = s.header.launches[3];
  EXPECT_EQ(l.grid, (Extents{2, 1, 1}));
  EXPECT_EQ(l.block, (Extents{48, 1, 1}));
  EXPECT_EQ(l.dynamic_shared_bytes, 192U);
  EXPECT_EQ(std::get<double>(l.arguments[2].value), 88);
  // the first launch passes `out`, so that this is its name
  EXPECT_EQ(std::get<std::string>(l.arguments[0].value), "out+8");
  EXPECT_EQ(std::get<std::string>(swapped.arguments[1].value), "out");
  EXPECT_EQ(std::get<std::string>(swapped.arguments[0].value), std::get<std::string>(l.arguments[1].value) + "+8");
  ASSERT_EQ(s.header.buffers.size(), 3U);
  EXPECT_EQ(s.header.buffers[0].elements, 96U);
  const BufferSpec& c = s.header.buffers[2];
  ASSERT_EQ(c.initial.kind, Contents::Kind::bytes);
  const auto bytes = contents(c, c.initial, "");
  ASSERT_TRUE(bytes);
  EXPECT_EQ(decode("f32", std::to_integer<std::uint64_t>((*bytes)[14]) << 16 |
                              std::to_integer<std::uint64_t>((*bytes)[15]) << 24),
            6);
  EXPECT_TRUE(says(s.header.inferred, "6 of the 42 of the host code")) << s.header.inferred.back();
  ASSERT_EQ(s.instances.size(), 4U);
  EXPECT_EQ(s.instances[2].kernel, "sum");
  EXPECT_EQ(s.instances[2].launches, 40U);
  EXPECT_EQ(s.instances[3].launches, 0U);
  EXPECT_TRUE(s.instances[0].chosen);
  EXPECT_FALSE(s.instances[3].chosen);
}

/// Macros of -D count for the host code as for the kernels, and a type that is a macro is replaced.
TEST(HostHeader, MacrosOfOptions) {
  const std::string text = R"(
#ifndef COUNT
#define COUNT 96
#endif
#ifndef DATA
#define DATA float
#endif
__global__ void k(DATA* p, int n) {}
template <class T> T* made(int n) { T* p; cudaMalloc(&p, n * sizeof(T)); return p; }
int main() {
  DATA h[COUNT], *d = made<DATA>(COUNT);
  for (int i = 0; i < COUNT; i++) h[i] = i;
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  k<<<COUNT / 4, 4>>>(d, COUNT);
}
)";
  struct Case {
    std::vector<std::string> options;
    const char* type;
    std::uint32_t count;
  };
  const Case cases[] = {{{}, "f32", 96},
                        {{"-DCOUNT=20"}, "f32", 20},
                        {{"-D", "COUNT=8", "-DDATA=short"}, "s16", 8},
                        {{"-DCOUNT=8", "-UCOUNT", "--define-macro=DATA=char"}, "s8", 96},
                        {{"-DCOUNT=8", "-DCOUNT=12", "-DDATA=unsigned long long"}, "u64", 12}};
  for (const Case& c : cases) {
    const auto s = read("k.cu", text, {.options = c.options});
    ASSERT_TRUE(s.has_value()) << words(s.error());
    ASSERT_EQ(s->header.launches.size(), 1U);
    EXPECT_EQ(s->header.launches[0].grid, (Extents{c.count / 4, 1, 1}));
    EXPECT_EQ(std::get<double>(s->header.launches[0].arguments[1].value), c.count);
    ASSERT_EQ(s->header.buffers.size(), 1U);
    EXPECT_EQ(s->header.buffers[0].element_type, c.type);
    ASSERT_EQ(s->header.buffers[0].axes.size(), 1U);
    EXPECT_EQ(s->header.buffers[0].axes[0].extent, c.count);
    for (const std::string& a : s->header.inferred) EXPECT_EQ(a.find("not known"), std::string::npos) << a;
  }
  // a definition in the text is what the compiler takes
  const std::string redefined = R"(#define N 16
__global__ void k(int n) {}
int main() { k<<<N, 32>>>(N); }
)";
  const auto own = read("k.cu", redefined, {.options = {"-DN=4"}});
  ASSERT_TRUE(own.has_value());
  EXPECT_EQ(own->header.launches.at(0).grid, (Extents{16, 1, 1}));
}

TEST(HostHeader, AChosenKernelRunsBehindWhatItReads) {
  const Source s = read_kernel(pipeline, "sum");
  ASSERT_EQ(s.header.launches.size(), 5U);
  EXPECT_EQ(s.header.launches[0].kernel, "fill<float,64>");
  EXPECT_EQ(s.header.launches[1].kernel, "sum");
  EXPECT_EQ(read_kernel(pipeline, "fill<float, 64>").header.launches.size(), 1U);
  EXPECT_EQ(read_kernel(pipeline, "other").header.launches.size(), 1U);
  const auto none = read("k.cu", pipeline, {.kernel = "othr"});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error()[0].message, "there is no kernel `othr` in this file");
  EXPECT_EQ(none.error()[0].remedy, "did you mean `other`?");
}

TEST(HostHeader, AKernelThatNothingLaunchesGetsSizesFromItsText) {
  const Source s = read_kernel(pipeline, "unused");
  ASSERT_EQ(s.header.launches.size(), 1U);
  const LaunchSpec& l = s.header.launches[0];
  EXPECT_EQ(l.block, (Extents{16, 16, 1}));
  EXPECT_EQ(std::get<double>(l.arguments[1].value), 16);
  EXPECT_EQ(std::get<double>(l.arguments[2].value), 16);
  EXPECT_TRUE(says(sentences_of(s.header.assumed), "Argument width: 16"));
  EXPECT_TRUE(says(sentences_of(s.header.assumed), "Grid: 1 x 1 x 1"));
}

TEST(HostHeader, WhatTheHeaderStatesWins) {
  const Source s = read_well(
      "/*\n[lanescope]\nblock = 64\nargs = { n = 5 }\n[buffers]\np = \"f32 i:8 j:16\"\n*/\n"
      "__global__ void f(float* p, int n, int m) {}\n"
      "int main() { float* d; cudaMalloc(&d, 400); f<<<7, 128>>>(d, 100, 9); }\n");
  ASSERT_EQ(s.header.launches.size(), 1U);
  const LaunchSpec& l = s.header.launches[0];
  EXPECT_EQ(l.block, (Extents{64, 1, 1}));
  EXPECT_EQ(l.grid, (Extents{7, 1, 1}));
  EXPECT_EQ(std::get<double>(l.arguments[1].value), 5);
  EXPECT_EQ(std::get<double>(l.arguments[2].value), 9);
  EXPECT_EQ(std::get<std::string>(l.arguments[0].value), "p");
  EXPECT_EQ(s.header.buffers[0].elements, 128U);
}

TEST(HostHeader, StructuresHoldBuffers) {
  const std::string text =
      "struct View { float* p; int w, h; };\n"
      "__global__ void f(View view, int n) { view.p[threadIdx.x % view.w] = n; }\n";
  const Source stated = read_well(
      "/*\n[lanescope]\nblock = 32\nargs = { view = [\"p+4\", 32, 2], n = 3 }\n[buffers]\np = \"f32 i:64\"\n*/\n" +
      text);
  const ArgumentSpec& a = stated.header.launches[0].arguments[0];
  ASSERT_EQ(a.members.size(), 3U);
  EXPECT_EQ(std::get<std::string>(a.members[0].value), "p+4");
  EXPECT_EQ(a.members[2].offset_bytes, 12);
  EXPECT_EQ(a.members[2].type, "int");
  const Source host =
      read_well(text + "int main() { View v; v.w = 8; v.h = 2; cudaMalloc(&v.p, 256); f<<<1, 32>>>(v, 1); }\n");
  const ArgumentSpec& b = host.header.launches[0].arguments[0];
  ASSERT_EQ(b.members.size(), 3U);
  EXPECT_EQ(std::get<double>(b.members[1].value), 8);
  ASSERT_EQ(host.header.buffers.size(), 1U);
  EXPECT_EQ(host.header.buffers[0].elements, 64U);
  const auto wrong = read("k.cu", "/*\n[lanescope]\nargs = { view = [\"absent\", 32, 2], n = 3 }\n*/\n" + text);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error()[0].message, "argument view: there is no buffer `absent`");
  const auto few =
      read("k.cu", "/*\n[lanescope]\nargs = { view = [\"p\", 32], n = 3 }\n[buffers]\np = \"f32 i:64\"\n*/\n" + text);
  ASSERT_FALSE(few);
  EXPECT_NE(few.error()[0].message.find("View has 3 members"), std::string::npos) << few.error()[0].message;
}

TEST(HostHeader, NamesOfInstances) {
  EXPECT_TRUE(names_instance("reduce", "ns::reduce<int,256>"));
  EXPECT_TRUE(names_instance("reduce<int, 256>", "reduce<int,256>"));
  EXPECT_FALSE(names_instance("reduce<int, 128>", "reduce<int,256>"));
  EXPECT_FALSE(names_instance("red", "reduce"));
}

SuggestedSizes suggested(const std::string& body, const std::string& parameters, const Extents& grid,
                         const Extents& block) {
  static std::string text;
  text = "__global__ void k(" + parameters + ") {" + body + "}";
  const Lexed lexed = lex(text);
  return suggested_sizes(lexed, outline(lexed).functions[0], grid, block, {});
}

TEST(SuggestedSizes, GuardsAndIndices) {
  const auto guard = suggested("int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] = 2 * q[3 * i + 1];",
                               "float* p, const float* q, int n", {4, 1, 1}, {64, 1, 1});
  EXPECT_EQ(guard.scalars.at("n"), 256);
  EXPECT_EQ(guard.elements.at("p"), 256U);
  EXPECT_EQ(guard.elements.at("q"), 767U);
  const auto early =
      suggested("int i = threadIdx.x; if (i >= n) return; p[i] = 0;", "float* p, int n", {1, 1, 1}, {48, 1, 1});
  EXPECT_EQ(early.scalars.at("n"), 48);
  const auto matrix = suggested(
      "int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x; float s = 0;\n"
      "if (row < M && col < N) { for (int k = 0; k < 8; ++k) s += a[row * 8 + k] * b[k * N + col]; c[row * N + col] = "
      "s; }",
      "const float* a, const float* b, float* c, int M, int N", {2, 3, 1}, {16, 4, 1});
  EXPECT_EQ(matrix.scalars.at("M"), 12);
  EXPECT_EQ(matrix.scalars.at("N"), 32);
  EXPECT_EQ(matrix.elements.at("a"), 96U);
  EXPECT_EQ(matrix.elements.at("b"), 256U);
  EXPECT_EQ(matrix.elements.at("c"), 384U);
  const auto nothing =
      suggested("int i = f(n); i += 4; p[i] = 0; p[n] = 0; x <<= 3;", "float* p, int n", {1, 1, 1}, {32, 1, 1});
  EXPECT_TRUE(nothing.scalars.empty());
  EXPECT_TRUE(nothing.elements.empty());
}

TEST(SuggestedSizes, RowsThatDoNotOverlap) {
  const auto pitch = suggested("int x = threadIdx.x, y = blockIdx.x; p[y * pitch + x] = 0;", "float* p, int pitch",
                               {4, 1, 1}, {48, 1, 1});
  EXPECT_EQ(pitch.strides.at("pitch"), 48);
  const auto moved =
      suggested("for (int i = 0; i < 8; ++i) store(out + (8 * threadIdx.x + i) * OC + 8 * threadIdx.y + i, 1.0f);",
                "float* out, int OC", {1, 1, 1}, {16, 16, 1});
  EXPECT_EQ(moved.strides.at("OC"), 8 * 15 + 7 + 1);
  const auto looped = suggested("for (int s = 0; s < C; s += 32) q[s] = p[threadIdx.y * C + s + threadIdx.x];",
                                "const float* p, float* q, int C", {1, 1, 1}, {32, 4, 1});
  EXPECT_EQ(looped.scalars.at("C"), 1);
  EXPECT_EQ(looped.strides.at("C"), 32);
  const auto nested = suggested("int c = threadIdx.x, t = blockIdx.x, b = blockIdx.y; p[(b * T + t) * C + c] = 0;",
                                "float* p, int T, int C", {6, 5, 1}, {32, 1, 1});
  EXPECT_EQ(nested.strides.at("C"), 32);
  EXPECT_EQ(nested.strides.at("T"), 6);
  // two at once, a difference, a quotient, a float of no known range: nothing
  const auto nothing = suggested("int x = threadIdx.x; p[x * a + x * b + 3] = 0; p[c - 1 + x] = 0; p[x / e + x] = 0;",
                                 "float* p, int a, int b, int c, int e", {1, 1, 1}, {32, 1, 1});
  EXPECT_TRUE(nothing.strides.empty());
}

}  // namespace
}  // namespace lanescope::source
