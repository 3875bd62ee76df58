// The launch header: what it may say, and where its mistakes are reported.

#include "kernels/source/header/launch_header.h"
#include "tests/kernels/source/source_files.h"

namespace lanescope::source {
namespace {

constexpr const char* kernel =
    "__global__ void f(const float* p, float* q, int n) { q[threadIdx.x] = p[threadIdx.x] + n; }\n";

Source with_header(const std::string& toml) { return read_well("/* A title.\n[lanescope]\n" + toml + "*/\n" + kernel); }

TEST(LaunchHeader, SaysEverything) {
  const Source s = with_header(
      "grid = [4, 2]\nblock = [32, 16]\ncluster = 2\nshared = 2048\nkernel = \"f\"\nargs = [\"p+8\", \"q\", 3]\narch = "
      "\"sm_80\"\noptions = [\"-DX=1\"]\n"
      "[buffers]\nq = { type = \"f32\", axes = \"i:16 j:12/20\", init = \"random 7\", expect = \"copy of p\", "
      "tolerance = 1e-3, traced = false }\np = \"f32 i:16/20 j:12 = 1.5\"\n");
  ASSERT_TRUE(s.header.present);
  EXPECT_EQ(s.header.title, "A title.");
  ASSERT_EQ(s.header.launches.size(), 1U);
  const LaunchSpec& l = s.header.launches[0];
  EXPECT_EQ(l.grid, (std::array<std::uint32_t, 3>{4, 2, 1}));
  EXPECT_EQ(l.block, (std::array<std::uint32_t, 3>{32, 16, 1}));
  EXPECT_EQ(l.cluster->at(0), 2U);
  EXPECT_EQ(l.dynamic_shared_bytes, 2048U);
  ASSERT_EQ(l.arguments.size(), 3U);
  EXPECT_EQ(std::get<std::string>(l.arguments[0].value), "p+8");
  EXPECT_EQ(l.arguments[0].parameter, "p");
  EXPECT_EQ(l.arguments[0].type, "const float *");
  EXPECT_EQ(std::get<double>(l.arguments[2].value), 3);
  EXPECT_EQ(s.header.compile.arch, "sm_80");
  ASSERT_EQ(s.header.buffers.size(), 2U);
  const BufferSpec& q = s.header.buffers[0];  // in the file's order
  EXPECT_EQ(q.name, "q");
  EXPECT_EQ(q.axes[0].stride_elements, 12U * 20U);
  EXPECT_EQ(q.axes[1].stride_elements, 20U);
  EXPECT_EQ(q.elements, 15U * 240U + 11U * 20U + 1U);
  EXPECT_EQ(q.initial.kind, Contents::Kind::random);
  EXPECT_EQ(q.initial.seed, 7U);
  EXPECT_EQ(q.expected->kind, Contents::Kind::copy_of);
  EXPECT_FALSE(q.traced);
  const BufferSpec& p = s.header.buffers[1];
  EXPECT_EQ(p.elements, 15U * 20U + 12U);
  EXPECT_EQ(p.initial.value, 1.5);
  EXPECT_TRUE(s.header.inferred.empty());
}

TEST(LaunchHeader, LinesOfCommentsWorkToo) {
  const Source s = read_well(std::string("// Title here.\n// [lanescope]\n// block = 64\n//\n// [buffers]\n// p = "
                                         "\"f32 n:64\"\n\n// a comment of its own\n") +
                             kernel);
  EXPECT_EQ(s.header.title, "Title here.");
  EXPECT_EQ(s.header.launches[0].block[0], 64U);
  EXPECT_EQ(s.header.buffers[0].elements, 64U);
  EXPECT_TRUE(s.header.buffers[1].inferred);
  const Source starred = read_well(std::string("/*\n * Title.\n * [lanescope]\n * block = 64\n */\n") + kernel);
  EXPECT_EQ(starred.header.launches[0].block[0], 64U);
}

TEST(LaunchHeader, SeveralLaunchesInheritFromTheFirstTable) {
  const Source s =
      with_header("block = 64\nargs = { n = 7 }\n[[launch]]\ngrid = 2\n[[launch]]\nblock = 128\nargs = { n = 8 }\n");
  ASSERT_EQ(s.header.launches.size(), 2U);
  EXPECT_EQ(s.header.launches[0].block[0], 64U);
  EXPECT_EQ(s.header.launches[0].grid[0], 2U);
  EXPECT_EQ(s.header.launches[1].block[0], 128U);
  EXPECT_EQ(std::get<double>(s.header.launches[0].arguments[2].value), 7);
  EXPECT_EQ(std::get<double>(s.header.launches[1].arguments[2].value), 8);
}

TEST(LaunchHeader, LaunchesNameTheirStreams) {
  EXPECT_EQ(with_header("block = 64\n").header.launches[0].stream, 0U);
  EXPECT_EQ(with_header("stream = 31\n").header.launches[0].stream, most_streams - 1);
  const Source s = with_header("stream = 3\n[[launch]]\n[[launch]]\nstream = 0\n[[launch]]\nstream = 7\n");
  ASSERT_EQ(s.header.launches.size(), 3U);
  EXPECT_EQ(s.header.launches[0].stream, 3U) << "as [lanescope] says";
  EXPECT_EQ(s.header.launches[1].stream, 0U) << "0 is a stream as any other";
  EXPECT_EQ(s.header.launches[2].stream, 7U);
}

TEST(LaunchHeader, MistakesAreReportedWhereTheyStand) {
  struct Case {
    const char* toml;
    int line, column;
    const char* message;
  };
  for (const Case& c :
       {Case{"block = [32, 16\ngrid = 1\n", 4, 1, "launch header"},
        Case{"blok = 32\n", 3, 1, "unknown key `blok`"},
        Case{"block = \"many\"\n", 3, 9, "`block` must be"},
        Case{"block = [64, 64]\n", 3, 9, "4096 threads"},
        Case{"block = 0\n", 3, 9, "positive"},
        Case{"block = [1, 2, 3, 4]\n", 3, 9, "one to three"},
        Case{"[buffers]\np = \"f33 i:4\"\n", 4, 6, "unknown element type `f33`"},
        Case{"[buffers]\np = \"f32 i:4 j\"\n", 4, 14, "`j` is not an axis"},
        Case{"[buffers]\np = \"f32 i:4 i:4\"\n", 4, 14, "two axes are called i"},
        Case{"[buffers]\np = \"f32 i:99999999999999\"\n", 4, 6, "larger than the memory of any GPU"},
        Case{"[buffers]\np = 7\n", 4, 5, "must be a string or a table"},
        Case{"[buffers]\np = { axes = \"i:4\" }\n", 4, 1, "has no type"},
        Case{"[buffers]\np = { type = \"f32\", axs = \"i:4\" }\n", 4, 21, "unknown key `axs`"},
        Case{"[buffers]\np = { type = \"f32\", init = \"noise\" }\n", 4, 28, "`noise` are not valid contents"},
        Case{"[buffers]\np = { type = \"f32\", init = \"copy of q\" }\n", 4, 28, "cannot be an initial value"},
        Case{"[buffers]\np = { type = \"f32\", axes = \"i:4 j:x\" }\n", 4, 34, "axis j has no extent"},
        Case{"shared = -1\n", 3, 10, "number of bytes"},
        Case{"stream = -1\n", 3, 10, "`stream` must be an integer from 0 to 31"},
        Case{"stream = 32\n", 3, 10, "`stream` must be"},
        Case{"stream = 1.0\n", 3, 10, "`stream` must be"},
        Case{"stream = \"1\"\n", 3, 10, "`stream` must be"},
        Case{"stream = [0, 1]\n", 3, 10, "`stream` must be"},
        Case{"stream = 99999999999\n", 3, 10, "`stream` must be"},
        Case{"[[launch]]\nblock = 32\nstream = true\n", 5, 10, "`stream` must be"},
        Case{"[buffers]\nstream = \"f32\"\n[[launch]]\nstrem = 1\n", 6, 1, "unknown key `strem`"},
        Case{"kernel = \"g\"\n", 2, 0, "no kernel `g`"},
        Case{"args = [\"r\"]\n", 2, 0, "no buffer `r`"},
        Case{"args = { m = 1 }\n", 2, 0, "no parameter `m`"},
        Case{"args = [1, 2, 3, 4]\n", 2, 0, "4 arguments"},
        Case{"args = [3]\n", 2, 0, "is a pointer"},
        Case{"options = \"-DX\"\n", 3, 11, "list of strings"}}) {
    const Expected<Source> s = read("k.cu", std::string("/* A title.\n[lanescope]\n") + c.toml + "*/\n" + kernel);
    ASSERT_FALSE(s.has_value()) << c.toml;
    const Diagnostic& d = s.error().front();
    EXPECT_NE(words(s.error()).find(c.message), std::string::npos) << c.toml << words(s.error());
    EXPECT_EQ(d.file, "k.cu");
    EXPECT_EQ(d.line, c.line) << c.toml << words(s.error());
    EXPECT_EQ(d.column, c.column) << c.toml << words(s.error());
  }
}

TEST(LaunchHeader, WhatIsLeftOutIsInferredAndSaid) {
  const Source s = read_well(
      "__global__ void __launch_bounds__(256) f(const int4* in, __nv_bfloat16* out, int n, float scale) { "
      "out[threadIdx.y] = in[n].x; }\n");
  EXPECT_FALSE(s.header.present);
  ASSERT_EQ(s.header.launches.size(), 1U);
  EXPECT_EQ(s.header.launches[0].kernel, "f");
  EXPECT_EQ(s.header.launches[0].block, (std::array<std::uint32_t, 3>{32, 8, 1}));
  ASSERT_EQ(s.header.buffers.size(), 2U);
  EXPECT_EQ(s.header.buffers[0].element_type, "s32");
  EXPECT_EQ(s.header.buffers[1].element_type, "bf16");
  EXPECT_EQ(s.header.buffers[1].initial.kind, Contents::Kind::zeros);
  EXPECT_EQ(std::get<double>(s.header.launches[0].arguments[2].value), 1024);
  EXPECT_EQ(std::get<double>(s.header.launches[0].arguments[3].value), 0);
  EXPECT_GE(s.header.inferred.size(), 6U);
}

}  // namespace
}  // namespace lanescope::source
