// Launches as host code states them, and that nothing is guessed where it does not state them in constants.

#include <gtest/gtest.h>

#include <random>

#include "kernels/source/cxx/outline.h"
#include "kernels/source/host/host_run.h"
#include "tests/kernels/source/source_files.h"

namespace lanescope::source {
namespace {

using Extents = std::array<std::uint32_t, 3>;

std::vector<HostLaunch> host_launches(const Lexed& lexed) { return run_host(lexed, outline(lexed)).launches; }

HostLaunch only(const std::string& text) {
  const std::vector<HostLaunch> all = host_launches(lex(text));
  EXPECT_EQ(all.size(), 1U) << text;
  return all.empty() ? HostLaunch{} : all[0];
}

TEST(HostLaunch, ConstantsOfTheText) {
  const HostLaunch l = only(
      "#define BLOCK 256\nint main() {\n const int n = 1 << 20; float *d; cudaMalloc((void**)&d, n * sizeof(float));\n"
      " dim3 block(32, BLOCK / 32);\n f<<<(n + BLOCK - 1) / BLOCK, block, 2 * sizeof(double)>>>(d, n, 3);\n}\n");
  EXPECT_EQ(l.kernel, "f");
  EXPECT_EQ(l.line, 5);
  EXPECT_EQ(l.grid, (Extents{4096, 1, 1}));
  EXPECT_EQ(l.block, (Extents{32, 8, 1}));
  EXPECT_EQ(l.shared_bytes, 16U);
  ASSERT_EQ(l.arguments.size(), 3U);
  EXPECT_EQ(l.arguments[0].kind, HostArgument::Kind::pointer);
  EXPECT_EQ(l.arguments[1].number, 1 << 20);
  EXPECT_EQ(l.arguments[2].number, 3);
}

// As an editor formats them.
TEST(HostLaunch, BlanksWithinTheAngles) {
  for (const char* text :
       {"void g() { f << <4, 32 >> > (1); }", "void g() { f<< <4, 32>> >(1); }", "void g() { f < < <4, 32 > > >(1); }",
        "#define EXPORT\n#define Q __host__\nEXPORT Q void g() { f << <4, 32 >> > (1); }"}) {
    const HostLaunch l = only(text);
    EXPECT_EQ(l.kernel, "f") << text;
    EXPECT_EQ(l.grid, (Extents{4, 1, 1})) << text;
    EXPECT_EQ(l.block, (Extents{32, 1, 1})) << text;
    ASSERT_EQ(l.arguments.size(), 1U) << text;
  }
  const Lexed other = lex("friend S& operator<< <T>(S&, T); int x = a << b < c;");
  for (int i = 0; i < other.count(); ++i) EXPECT_FALSE(other.is(i, "<<<")) << i;
}

TEST(HostLaunch, Dim3InItsForms) {
  EXPECT_EQ(only("void g() { f<<<dim3(2, 3, 4), 8>>>(); }").grid, (Extents{2, 3, 4}));
  EXPECT_EQ(only("void g() { dim3 b = dim3(8, 4); f<<<1, b>>>(); }").block, (Extents{8, 4, 1}));
  EXPECT_EQ(only("void g() { dim3 b{16, 2}; f<<<1, b>>>(); }").block, (Extents{16, 2, 1}));
  EXPECT_EQ(only("void g() { dim3 b(16, 2); f<<<b.x * b.y, 1>>>(); }").grid, (Extents{32, 1, 1}));
}

TEST(HostLaunch, EveryDeclaratorOfADeclaration) {
  const struct {
    const char* declared;
    Extents grid, block;
  } cases[] = {
      {"dim3 g(8), b(128);", {8, 1, 1}, {128, 1, 1}},
      {"dim3 g = dim3(8), b{128};", {8, 1, 1}, {128, 1, 1}},
      {"dim3 g{8, 2}, *p = &g, b(4, 32);", {8, 2, 1}, {4, 32, 1}},
      {"dim3 *p, g(2), a[2], b = dim3(64, 2, 1);", {2, 1, 1}, {64, 2, 1}},
      {"const dim3 g(8), b = g;", {8, 1, 1}, {8, 1, 1}},
      {"dim3 g, b(32);", {1, 1, 1}, {32, 1, 1}},
      {"dim3 g = {8, 2}, b = 64;", {8, 2, 1}, {64, 1, 1}},
      {"int g = 4, b = 5;", {4, 1, 1}, {5, 1, 1}},
      {"int g(4), *q = nullptr, b{g * 8};", {4, 1, 1}, {32, 1, 1}},
      {"unsigned int const g = 4, b = g << 3;", {4, 1, 1}, {32, 1, 1}},
      {"size_t n = 1 << 10, b = 256, g = (n + b - 1) / b;", {4, 1, 1}, {256, 1, 1}},
      {"dim3 b(32), g(8); g.x = 4; b.y = 2;", {4, 1, 1}, {32, 2, 1}},
      {"dim3 g(1), b(1); g = dim3(8); b = g;", {8, 1, 1}, {8, 1, 1}},
      {"for (int g = 4, b = 32; g < 5; ++g) ", {4, 1, 1}, {32, 1, 1}},
  };
  for (const auto& c : cases) {
    const HostLaunch l = only(std::string("int main() { ") + c.declared + " f<<<g, b>>>(); }");
    EXPECT_EQ(l.grid, c.grid) << c.declared;
    EXPECT_EQ(l.block, c.block) << c.declared;
  }
}

TEST(HostLaunch, RandomDeclarations) {
  std::mt19937 random(9);
  for (int round = 0; round < 2000; ++round) {
    std::string text = "int main() { dim3 ";
    std::vector<Extents> meant;
    for (unsigned n = 1 + random() % 6, i = 0; i < n; ++i) {
      Extents e{1, 1, 1};
      const unsigned dimensions = 1 + random() % 3;
      std::string list;
      for (unsigned d = 0; d < dimensions; ++d) {
        e[d] = 1 + random() % 64;
        list += (d > 0 ? ", " : "") + (random() % 2 ? std::to_string(e[d]) : std::to_string(2 * e[d]) + " / (1 + 1)");
      }
      const std::string name = "d" + std::to_string(i);
      const unsigned form = random() % 4;
      text += (i > 0 ? ", " : "") + (random() % 4 ? "" : "*p" + std::to_string(i) + " = &d0, ") + name;
      text += form == 0   ? "(" + list + ")"
              : form == 1 ? "{" + list + "}"
              : form == 2 ? " = dim3(" + list + ")"
                          : " = dim3{" + list + "}";
      meant.push_back(e);
    }
    text += ";";
    for (std::size_t i = 0; i < meant.size(); ++i)
      text += " f<<<d" + std::to_string(i) + ", d" + std::to_string(meant.size() - 1 - i) + ">>>();";
    const std::vector<HostLaunch> all = host_launches(lex(text + "}"));
    ASSERT_EQ(all.size(), meant.size()) << text;
    for (std::size_t i = 0; i < meant.size(); ++i) {
      ASSERT_EQ(all[i].grid, meant[i]) << text;
      ASSERT_EQ(all[i].block, meant[meant.size() - 1 - i]) << text;
    }
  }
}

TEST(HostLaunch, WhatChangesAVariableIsFollowed) {
  EXPECT_EQ(only("void g() { int n = 4; n += 2; f<<<n, 32>>>(); }").grid, (Extents{6, 1, 1}));
  EXPECT_EQ(host_launches(lex("void g() { for (int i = 1; i < 5; ++i) f<<<i, 32>>>(); }"))[2].grid, (Extents{3, 1, 1}));
  EXPECT_FALSE(only("const int n = 4; void g(int n) { f<<<n, 32>>>(); }").grid);
  EXPECT_FALSE(only("void g() { dim3 b(32); b.x = h(); f<<<1, b>>>(); }").block);
  EXPECT_FALSE(only("dim3 b(32); void g(dim3 b) { f<<<1, b>>>(); }").block);
  EXPECT_FALSE(only("void g() { dim3 b(0xffffffff); f<<<1, b>>>(); }").block);
}

TEST(HostLaunch, MacrosOfMacros) {
  EXPECT_EQ(only("#define TILE 8\n#define BLOCK (TILE * TILE)\nvoid g() { f<<<1, BLOCK / 2>>>(); }").block,
            (Extents{32, 1, 1}));
  EXPECT_FALSE(only("#define A B\n#define B A\nvoid g() { f<<<1, A>>>(); }").block);
}

TEST(HostLaunch, InstancesOfTemplates) {
  EXPECT_EQ(only("void g() { f<float, 4><<<1, 32>>>(); }").kernel, "f<float,4>");
}

TEST(HostLaunch, WhatIsNoConstantStaysUnknown) {
  EXPECT_FALSE(only("int g(int n) { f<<<n, 32>>>(n); }").grid);
  EXPECT_FALSE(only("void g() { f<<<blocks(7), 32>>>(); }").grid);
  EXPECT_FALSE(only("void g() { int a = a; f<<<a, 32>>>(); }").grid);
  EXPECT_FALSE(only("void g() { f<<<1 / 0, 32>>>(); }").grid);
  EXPECT_TRUE(host_launches(lex("a << < b; x <<< y; z>>>w;")).empty());
}

TEST(HostLaunch, CompletesAHeader) {
  const Source s = read_well(
      "__global__ void f(int* p, int n) { if (threadIdx.x < n) p[threadIdx.x] = n; }\n"
      "int main() { const int n = 96; int* d; cudaMalloc(&d, n * sizeof(int)); f<<<3, 64>>>(d, n / 2); }\n");
  EXPECT_EQ(s.header.launches[0].grid, (Extents{3, 1, 1}));
  EXPECT_EQ(s.header.launches[0].block, (Extents{64, 1, 1}));
  EXPECT_EQ(std::get<double>(s.header.launches[0].arguments[1].value), 48);
  EXPECT_EQ(s.header.buffers[0].elements, 96U);
}

}  // namespace
}  // namespace lanescope::source
