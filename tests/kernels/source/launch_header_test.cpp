// The launch header: what it may say, and where its mistakes are reported.

#include "kernels/source/header/launch_header.h"

#include <fmt/format.h>

#include <vector>

#include "tests/kernels/source/source_files.h"

namespace lanescope::source {
namespace {

constexpr const char* plain_kernel =
    "__global__ void f(const float* p, float* q, int n) { q[threadIdx.x] = p[threadIdx.x] + n; }\n";

Source with_header(const std::string& toml) {
  return read_well("/* A title.\n[lanescope]\n" + toml + "*/\n" + plain_kernel);
}

TEST(LaunchHeader, SaysEverything) {
  const Source s = with_header(
      "grid = [4, 2]\nblock = [32, 16]\ncluster = 2\nshared = 2048\nkernel = \"f\"\nargs = [\"p+8\", \"q\", 3]\narch = "
      "\"sm_80\"\noptions = [\"-DX=1\"]\nheap = 513\n"
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
  ASSERT_EQ(s.header.symbols.size(), 1U);
  EXPECT_EQ(s.header.symbols[0].name, "cudaLimitMallocHeapSize");
  EXPECT_EQ(s.header.symbols[0].bytes[1], std::byte{2});
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

/// Words that only a person may give are an error at their line: options for which the compiler writes or
/// reads files, a second line of C++ after a name, data from elsewhere.
TEST(LaunchHeader, SaysNothingThatLeadsOutOfTheProject) {
  for (const auto& [toml, line, said] : std::initializer_list<std::tuple<const char*, int, const char*>>{
           {"options = [\"-DX=1\",\n  \"--create-pch=x\"]\n", 4, "--create-pch=x"},
           {"options = [\"-Xptxas\",\n  \"--options-file=/etc/passwd\"]\n", 3, "--options-file=/etc/passwd"},
           {"options = [\"-Xptxas=-O1,-o=x\"]\n", 3, "-o=x"},
           {"options = [\"@/etc/passwd\"]\n", 3, "@/etc/passwd"},
           {"options = [\"-include\", \"/etc/passwd\"]\n", 3, "/etc/passwd"},
           {"options = [\"-DX=1\\n#include \\\"/etc/passwd\\\"\"]\n", 3, "control character"},
           {"options = [\"-D\"]\n", 3, "needs a value"},
           {"kernel = \"f\\n#include </etc/passwd>\"\n", 3, "no line break"},
           {"[buffers]\np = \"f32 i:4 = /etc/x.npy\"\n", 4, "not in the project"},
           {"[buffers]\np = { type = \"f32\", axes = \"i:4\", init = \"../x.npy\" }\n", 4, "not in the project"},
           {"[buffers]\np = { type = \"f32\", axes = \"i:4\", expect = \".hidden/x.npy\" }\n", 4, "not in the project"},
       }) {
    const auto s = read("/nowhere/k.cu", "/* A title.\n[lanescope]\n" + std::string(toml) + "*/\n" + plain_kernel);
    ASSERT_FALSE(s) << toml;
    EXPECT_EQ(s.error().front().line, line) << words(s.error());
    EXPECT_NE(words(s.error()).find(said), std::string::npos) << words(s.error());
  }
}

TEST(LaunchHeader, LinesOfCommentsWorkToo) {
  const Source s = read_well(std::string("// Title here.\n// [lanescope]\n// block = 64\n//\n// [buffers]\n// p = "
                                         "\"f32 n:64\"\n\n// a comment of its own\n") +
                             plain_kernel);
  EXPECT_EQ(s.header.title, "Title here.");
  EXPECT_EQ(s.header.launches[0].block[0], 64U);
  EXPECT_EQ(s.header.buffers[0].elements, 64U);
  EXPECT_TRUE(s.header.buffers[1].inferred);
  const Source starred = read_well(std::string("/*\n * Title.\n * [lanescope]\n * block = 64\n */\n") + plain_kernel);
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
        Case{"blok = 32\n", 3, 1, "no key `blok` in [lanescope]"}, Case{"block = \"many\"\n", 3, 9, "`block` must be"},
        Case{"block = [64, 64]\n", 3, 9, "4096 threads"}, Case{"block = 0\n", 3, 9, "positive"},
        Case{"block = [1, 2, 3, 4]\n", 3, 9, "one to three"},
        Case{"[buffers]\np = \"f33 i:4\"\n", 4, 6, "unknown element type `f33`"},
        Case{"[buffers]\np = \"f32 i:4 j\"\n", 4, 14, "`j` is not an axis"},
        Case{"[buffers]\np = \"f32 i:4 i:4\"\n", 4, 14, "two axes are called i"},
        Case{"[buffers]\np = \"f32 i:99999999999999\"\n", 4, 6, "larger than the memory of any GPU"},
        Case{"[buffers]\np = 7\n", 4, 5, "must be a string or a table"},
        Case{"[buffers]\np = { axes = \"i:4\" }\n", 4, 1, "has no type"},
        Case{"[buffers]\np = { type = \"f32\", axs = \"i:4\" }\n", 4, 21, "no key `axs` in buffer p"},
        Case{"[buffers]\np = { type = \"f32\", init = \"noise\" }\n", 4, 28, "`noise` are not valid contents"},
        Case{"[buffers]\np = { type = \"f32\", init = \"copy of q\" }\n", 4, 28, "cannot be an initial value"},
        Case{"[buffers]\np = { type = \"f32\", axes = \"i:4 j:x\" }\n", 4, 33, "axis j has no extent"},
        Case{"shared = -1\n", 3, 10, "number of bytes"},
        Case{"stream = -1\n", 3, 10, "`stream` of [lanescope] must be a whole number from 0 to 31"},
        Case{"stream = 32\n", 3, 10, "`stream` of ["}, Case{"stream = 1.0\n", 3, 10, "`stream` of ["},
        Case{"stream = \"1\"\n", 3, 10, "`stream` of ["}, Case{"stream = [0, 1]\n", 3, 10, "`stream` of ["},
        Case{"stream = 99999999999\n", 3, 10, "`stream` of ["},
        Case{"[[launch]]\nblock = 32\nstream = true\n", 5, 10, "`stream` of ["},
        Case{"[buffers]\nstream = \"f32\"\n[[launch]]\nstrem = 1\n", 6, 1, "no key `strem` in [[launch]]"},
        Case{"heap = 0\n", 3, 8, "`heap` of [lanescope] must be a whole number from 1 to 4294967296"},
        Case{"heap = \"64MiB\"\n", 3, 8, "`heap` of [lanescope] must be a whole number from 1 to 4294967296"},
        Case{"options = \"-DX\"\n", 3, 11, "list of strings"},
        // what the kernel does not have
        Case{"kernel = \"g\"\n", 3, 10, "no kernel `g`"},
        Case{"block = 32\n[[launch]]\ngrid = 2\n[[launch]]\nkernel = \"g\"\n", 7, 10, "no kernel `g`"},
        Case{"args = [\"r\"]\n", 3, 9, "no buffer `r`"}, Case{"args = { m = 1 }\n", 3, 10, "no parameter `m`"},
        Case{"args = { n = 1, q = 2 }\n", 3, 17, "parameter q of f is a pointer"},
        Case{"args = [0, 0,\n        2, 3, 4]\n", 4, 12, "5 arguments"}, Case{"args = [3]\n", 3, 9, "is a pointer"},
        Case{"args = [\"p\", \"q\", \"p\"]\n[buffers]\np = \"f32\"\nq = \"f32\"\n", 3, 19, "is not a pointer"},
        Case{"[[launch]]\nblock = 32\n[[launch]]\nargs = [1, 2, 3, 4]\n", 6, 18, "4 arguments"},
        Case{"shared = 2000000\n", 3, 10, "more than any block has"},
        // offsets
        Case{"args = [\"p+33\"]\n[buffers]\np = \"f32 i:32\"\n", 3, 9, "`p+33` is beyond the end of p, which has 32"},
        Case{"args = [\"p+99999999999999999999\"]\n[buffers]\np = \"f32 i:32\"\n", 3, 9, "beyond the end of p"},
        Case{"args = [\"p+99999\"]\n[buffers]\np = \"f32\"\n", 3, 9, "beyond the end of p, which has 1024"},
        Case{"args = [\"p-1\"]\n[buffers]\np = \"f32 i:32\"\n", 3, 9, "before the first element"},
        Case{"args = [\"p+x\"]\n[buffers]\np = \"f32 i:32\"\n", 3, 9, "not an offset"},
        Case{"args = [\"p+\"]\n[buffers]\np = \"f32 i:32\"\n", 3, 9, "not an offset"},
        // a buffer that is not passed, while a parameter has none
        Case{"[buffers]\np = \"f32 i:32\"\nr = \"f32 i:32\"\n", 5, 1, "no launch passes the buffer `r`"},
        Case{"args = [\"in\"]\n[buffers]\n  in = \"f32 i:32\"\n  qq = { type = \"f32\" }\n", 6, 3,
             "the parameter q has no"},
        // numbers that their elements cannot hold
        Case{"[buffers]\np = \"u8 i:4 = 300\"\n", 4, 15, "300 does not fit into u8"},
        Case{"[buffers]\np = \"f16 i:4 = 1e6\"\n", 4, 16, "is too large for f16"},
        Case{"[buffers]\np = \"f16 i:4 = 1e-9\"\n", 4, 16, "is too small for f16"},
        Case{"[buffers]\np = \"s8 i:4 = -129\"\n", 4, 15, "-129 does not fit into s8"},
        Case{"[buffers]\np = \"u32 i:4 = 1.5\"\n", 4, 16, "not a whole number"},
        Case{"[buffers]\np = \"u32 i:4 = nan\"\n", 4, 16, "not a whole number"},
        Case{"[buffers]\np = \"s64 i:4 = 9007199254740993\"\n", 4, 16, "too many digits"},
        Case{"[buffers]\np = { type = \"b1\", axes = \"i:4\", init = 2 }\n", 4, 41, "2 does not fit into b1"},
        Case{"[buffers]\np = { type = \"u8\", axes = \"i:2\", init = [1, 256] }\n", 4, 45, "256 does not fit into u8"},
        Case{"[buffers]\np = { type = \"u8\", axes = \"i:2\", init = \"constant 256\" }\n", 4, 41, "256 does not fit"},
        Case{"[buffers]\np = { type = \"s64\", init = [\"0x123456789abcdef01\"] }\n", 4, 29, "no element of 64"},
        Case{"[buffers]\np = { type = \"u8\", init = [1, true] }\n", 4, 31, "their bits only"},
        Case{"[buffers]\np = { type = \"u8\", tolerance = 0.1 }\n", 4, 32, "no meaning for u8"},
        Case{"[buffers]\np = \"f32 i:4 = copy of p\"\n", 4, 16, "cannot be an initial value"},
        Case{"[buffers]\np = \"f32 i:2 = [1, x]\"\n", 4, 16, "`x` is not a number"},
        Case{"[buffers]\np = \"f32 i:2 = []\"\n", 4, 16, "the list is empty"},
        Case{"[buffers]\np = \"u8 i:2 = [1, 300]\"\n", 4, 15, "300 does not fit into u8"}}) {
    const Expected<Source> s = read("k.cu", std::string("/* A title.\n[lanescope]\n") + c.toml + "*/\n" + plain_kernel);
    ASSERT_FALSE(s.has_value()) << c.toml;
    const Diagnostic& d = s.error().front();
    EXPECT_NE(words(s.error()).find(c.message), std::string::npos) << c.toml << words(s.error());
    EXPECT_EQ(d.file, "k.cu");
    EXPECT_EQ(d.line, c.line) << c.toml << words(s.error());
    EXPECT_EQ(d.column, c.column) << c.toml << words(s.error());
  }
}

TEST(LaunchHeader, TheShortFormTakesAList) {
  const Source s = with_header("[buffers]\np = \"f32 i:4 = [1, -2.5, 3e2, 4,]\"\nq = \"u8 = [7, 8, 9]\"\n");
  EXPECT_EQ(s.header.buffers[0].initial.kind, Contents::Kind::values);
  EXPECT_EQ(s.header.buffers[0].initial.values, (std::vector<double>{1, -2.5, 300, 4}));
  EXPECT_EQ(s.header.buffers[1].initial.values, (std::vector<double>{7, 8, 9}));
  EXPECT_EQ(s.header.buffers[1].elements, 3U) << "a list says how long its buffer is";
}

// Each number that fits is kept, at the ends of every type's range.
TEST(LaunchHeader, NumbersThatFitAreKept) {
  struct Range {
    const char *type, *least, *largest;
  };
  for (const Range& r :
       {Range{"b1", "0", "1"}, Range{"u4", "0", "15"}, Range{"s4", "-8", "7"}, Range{"u8", "0", "255"},
        Range{"s8", "-128", "127"}, Range{"u16", "0", "65535"}, Range{"s16", "-32768", "32767"},
        Range{"f16", "-65504", "65519"}, Range{"bf16", "-3e38", "1e-40"}, Range{"u32", "0", "4294967295"},
        Range{"s32", "-2147483648", "2147483647"}, Range{"f32", "-inf", "nan"}, Range{"u64", "0", "9007199254740992"},
        Range{"s64", "-9007199254740992", "9e18"}, Range{"f64", "-1e308", "0.1"}})
    for (const char* value : {r.least, r.largest}) {
      const Expected<Source> s = read(
          "k.cu", fmt::format("/*\n[lanescope]\n[buffers]\np = \"{} n:4 = {}\"\n*/\n{}", r.type, value, plain_kernel));
      EXPECT_TRUE(s.has_value()) << r.type << " " << value << words(s.error());
    }
}

TEST(LaunchHeader, ABufferThatOnlyAnExpectationNamesIsUsed) {
  const Source s = with_header(
      "[buffers]\np = \"f32 i:4\"\nmodel = \"f32 i:4 = [1, 2, 3, 4]\"\nq = { type = \"f32\", axes = \"i:4\", init = "
      "\"zeros\", expect = \"copy of model\" }\n");
  EXPECT_TRUE(s.notes.empty()) << words(s.notes);
  const Source spare = with_header("[buffers]\np = \"f32 i:4\"\nq = \"f32 i:4\"\nspare = \"f32 i:4\"\n");
  ASSERT_EQ(spare.notes.size(), 1U);
  EXPECT_EQ(to_string(spare.notes[0]),
            "k.cu:6:1: warning: no launch passes the buffer `spare`; name it in args, or remove it");
}

TEST(LaunchHeader, MisspeltNamesGetTheNearestOne) {
  const auto remedy = [](const std::string& toml) {
    const Expected<Source> s = read(
        "k.cu", "/*\n[lanescope]\n" + toml + "*/\n__global__ void transpose(const float* source, float* target) {}\n");
    return s ? std::string() : s.error().front().remedy;
  };
  EXPECT_EQ(remedy("kernel = \"transpos\"\n"), "did you mean `transpose`?");
  EXPECT_EQ(remedy("args = { sorce = 0 }\n"), "did you mean `source`?");
  EXPECT_EQ(remedy("args = [\"surce\"]\n[buffers]\nsource = \"f32 i:4\"\ntarget = \"f32 i:4\"\n"),
            "did you mean `source`?");
  EXPECT_EQ(remedy("[buffers]\nsource = \"f32 i:4\"\ntargte = \"f32 i:4\"\n"),
            "call the buffer `target`, or name it in args");
}

// Comments that their authors take for a launch header.
TEST(NearHeader, IsReportedWithWhatToWrite) {
  struct Case {
    const char* text;  ///< before the kernel
    int line, column;
    Severity severity;
    const char *message, *remedy;
  };
  for (const Case& c :
       {Case{"/* lanescope\nblock = 64\n*/\n", 1, 4, Severity::error, "`lanescope` is not [lanescope]",
             "write [lanescope] in its place"},
        Case{"/*\n[Lanescope]\nblock = 64\n*/\n", 2, 1, Severity::error, "`[Lanescope]` is not [lanescope]",
             "write [lanescope] in its place"},
        Case{"// [[lanescope]]\n// block = [64, 1]\n", 1, 4, Severity::error, "is not [lanescope]", "in its place"},
        Case{"// A title.\n// [lanscope]\n// block = 64\n", 2, 4, Severity::error, "is not [lanescope]",
             "in its place"},
        Case{"/*\n * [ lanescope ]\n * block = 64\n */\n", 2, 4, Severity::error, "is not [lanescope]", "in its place"},
        Case{"/*\n[[launch]]\nblock = 64\n*/\n", 2, 1, Severity::error, "`[[launch]]` is not [lanescope]",
             "write a line [lanescope] above it"},
        Case{"/*\n[launch]\nblock = 64\n*/\n", 2, 1, Severity::error, "`[launch]` is not [lanescope]",
             "[[launch]] is for several"},
        Case{"/*\n[buffers.p]\ntype = \"u32\"\n*/\n", 2, 1, Severity::error, "is not [lanescope]", "above it"},
        Case{"/* lanescope */\n", 1, 4, Severity::warning, "`lanescope` is not [lanescope]", "in its place"},
        Case{"/*\n[buffers]\n*/\n", 2, 1, Severity::warning, "is not [lanescope]", "above it"},
        Case{"// A copy.\n// block = 64\n", 2, 4, Severity::warning, "`block = 64` is not read",
             "write a line [lanescope] above it"},
        Case{"/*\n[buffers]\np = \"f32 i:32\"\n[lanescope]\nblock = 64\n*/\n", 2, 1, Severity::error,
             "`[buffers]` is above the line [lanescope]", "move it below"},
        Case{"/*\nblock = 64\n[lanescope]\n*/\n", 2, 1, Severity::error, "`block = 64` is above the line [lanescope]",
             "move it below"},
        Case{"// [lanescope]\n// block = 64\n\n// [buffers]\n// p = \"f32 i:32\"\n", 4, 4, Severity::warning,
             "the launch header begins at line 1", "one launch header"},
        Case{"struct S {};\n/*\n[lanescope]\nblock = 64\n*/\n", 3, 1, Severity::error, "there is code above it",
             "to the beginning of the file"}}) {
    const Expected<Source> s = read("k.cu", std::string(c.text) + plain_kernel);
    EXPECT_EQ(s.has_value(), c.severity == Severity::warning) << c.text;
    const Diagnostics& all = s ? s->notes : s.error();
    ASSERT_EQ(all.size(), 1U) << c.text << words(all);
    EXPECT_EQ(all[0].file, "k.cu");
    EXPECT_EQ(all[0].line, c.line) << c.text;
    EXPECT_EQ(all[0].column, c.column) << c.text;
    EXPECT_EQ(all[0].severity, c.severity) << c.text;
    EXPECT_NE(all[0].message.find(c.message), std::string::npos) << words(all);
    EXPECT_NE(all[0].remedy.find(c.remedy), std::string::npos) << words(all);
  }
}

TEST(NearHeader, IsNotSeenInWhatIsNone) {
  for (const char* text :
       {"// lanescope: expect bank-conflict\n", "// This file is for lanescope, which reads it.\n",
        "// x[launch] is not a table\n", "// blockDim = {32,16}\n", "// the block = 64 threads of a warp pair\n",
        "// x = 64\n", "/* block = 64; grid = 2; */\n", "// [0] first\n// [1] second\n", "// (a) launch\n",
        "/* [note] */\n", "int a;\n// lanescope\n// launch\n", "int a;\n// block = 64\n", "//\n/**/\n"}) {
    const Source s = read_well(std::string(text) + plain_kernel);
    EXPECT_TRUE(s.notes.empty()) << text << words(s.notes);
    EXPECT_FALSE(s.header.present);
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
  EXPECT_EQ(std::get<double>(s.header.launches[0].arguments[3].value), 1);
  EXPECT_GE(s.header.inferred.size() + s.header.assumed.size(), 6U);
}

}  // namespace
}  // namespace lanescope::source
