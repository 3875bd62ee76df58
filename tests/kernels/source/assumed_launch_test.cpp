// Assumptions of a launch, as values: which there are, and which there are not because the file states the value.

#include <algorithm>

#include "tests/kernels/source/source_files.h"

namespace lanescope::source {
namespace {

using Code = Assumption::Code;

std::string codes_of(const Header& h) {
  std::string out;
  for (const Assumption& a : h.assumed)
    out += fmt::format("{}{}={} ", name_of(a.code), a.name.empty() ? "" : "." + a.name, a.value);
  return out;
}

const Assumption* assumed(const Header& h, Code code, std::string_view name = {}) {
  const auto at = std::ranges::find_if(
      h.assumed, [&](const Assumption& a) { return a.code == code && (name.empty() || a.name == name); });
  return at == h.assumed.end() ? nullptr : &*at;
}

double number(const LaunchSpec& l, std::size_t argument) { return std::get<double>(l.arguments.at(argument).value); }

TEST(Assumed, NothingIsWhereHostCodeGivesEverything) {
  const Source s = read_well(
      "__global__ void k(float* p, int n) { if (threadIdx.x < n) p[threadIdx.x] = 1; }\n"
      "int main() { float* p; cudaMalloc(&p, 128); cudaMemset(p, 0, 128); k<<<2, 32>>>(p, 7); }\n");
  EXPECT_EQ(codes_of(s.header), "");
}

TEST(Assumed, EachGuessIsAValueOfItsOwn) {
  const Source s = read_well("__global__ void k(float* p, int n) { if (threadIdx.x < n) p[threadIdx.x] = 1; }\n");
  for (const Code code : {Code::grid, Code::block, Code::scalar, Code::buffer_size, Code::contents})
    EXPECT_NE(assumed(s.header, code), nullptr) << name_of(code) << ": " << codes_of(s.header);
  ASSERT_NE(assumed(s.header, Code::block), nullptr);
  EXPECT_EQ(assumed(s.header, Code::block)->value, "32 x 1 x 1");
  EXPECT_EQ(sentence_of(*assumed(s.header, Code::block)), "Block: 32 x 1 x 1 threads, from the default: one warp.");
  EXPECT_EQ(short_words(*assumed(s.header, Code::grid)), "the grid is 1 x 1 x 1");
}

// A header leaves values to defaults that are documented, comments and claims state some: neither is a guess.
TEST(Assumed, HeadersCommentsAndClaimsAreNoGuesses) {
  const Source header = read_well(
      "/*\n[lanescope]\n[buffers]\np = \"f32 i:64\"\n*/\n__global__ void k(float* p, int n) { p[threadIdx.x] = n; }\n");
  EXPECT_EQ(codes_of(header.header), "");
  const Source comments = read_well(
      "// gridDim = {4}, blockDim = {64}\n__global__ void k(float* p) { p[blockIdx.x * 64 + threadIdx.x] = 1; }\n");
  EXPECT_EQ(assumed(comments.header, Code::grid), nullptr) << codes_of(comments.header);
  EXPECT_EQ(assumed(comments.header, Code::block), nullptr) << codes_of(comments.header);
  const Source claims = read_well(
      "__global__ void k(const float* p, float* q) {\n  float x = p[threadIdx.x];\n  // x\n  // register:\n"
      "  // thread: i0 i1 i2 i3 i4\n  q[threadIdx.x] = x;\n}\n");
  EXPECT_EQ(assumed(claims.header, Code::block), nullptr) << codes_of(claims.header);
}

TEST(Assumed, GroupsAndNamesOfAllCodes) {
  for (int i = 0; i <= static_cast<int>(Code::host_action); ++i) {
    const Assumption a{.code = static_cast<Code>(i), .kernel = "k", .name = "n", .value = "5", .because = {}};
    EXPECT_LT(static_cast<std::size_t>(group_of(a.code)), assumption_groups.size());
    EXPECT_FALSE(name_of(a.code).empty());
    if (a.code == Code::condition)  // it holds, or there is no launch
      EXPECT_EQ(short_words(a), "n is launched");
    else
      EXPECT_NE(short_words(a).find('5'), std::string::npos) << short_words(a);
    EXPECT_TRUE(sentence_of(a).ends_with('.')) << sentence_of(a);
  }
  const Assumption n{.code = Code::scalar, .kernel = {}, .name = "n", .value = "5", .because = {}};
  const Assumption m{.code = Code::scalar, .launch = 1, .kernel = {}, .name = "m", .value = "6", .because = {}};
  EXPECT_EQ(list_of({n, n, m}, 3), "n is 5 and m is 6");
  EXPECT_EQ(list_of({n, m}, 1), "n is 5 and 1 more");
  EXPECT_EQ(list_of({}, 1), "");
}

TEST(Assumed, DefaultArgumentsOfALaunch) {
  const std::string text =
      "constexpr int four = 4;\n"
      "__global__ void k(int* p, int n = four + 1, float f = 0.5f, int* mark = nullptr, bool b = true) { p[0] = n; }\n"
      "int main() { int *p, *q; cudaMalloc(&p, 128); cudaMalloc(&q, 128); cudaMemset(p, 0, 128); cudaMemset(q, 0, "
      "128);\n"
      "  k<<<1, 32>>>(p); k<<<1, 32>>>(q, 9); k<<<1, 32>>>(p, 3, 2.5f, q, false); }\n";
  const Source s = read_well(text);
  ASSERT_EQ(s.header.launches.size(), 3U);
  const auto at = [&](std::size_t l, std::size_t a) { return number(s.header.launches[l], a); };
  EXPECT_EQ(at(0, 1), 5);
  EXPECT_EQ(at(0, 2), 0.5);
  EXPECT_EQ(at(0, 3), 0);
  EXPECT_EQ(at(0, 4), 1);
  EXPECT_EQ(at(1, 1), 9);
  EXPECT_EQ(at(1, 2), 0.5);
  EXPECT_EQ(at(2, 1), 3);
  EXPECT_EQ(at(2, 2), 2.5);
  EXPECT_EQ(at(2, 4), 0);
  EXPECT_NE(s.header.launches[0].arguments[0].value, s.header.launches[1].arguments[0].value);
  EXPECT_TRUE(s.header.launches[2].arguments[3].is_buffer);
  EXPECT_EQ(codes_of(s.header), "");
  // A header that leaves them out has them, too.
  const Source stated = read_well(
      "/*\n[lanescope]\nargs = [\"p\"]\n[buffers]\np = \"s32 i:8\"\n*/\n"
      "__global__ void k(int* p, int n = 12, int* mark = nullptr) { p[0] = n; }\n");
  EXPECT_EQ(number(stated.header.launches.at(0), 1), 12);
  EXPECT_EQ(number(stated.header.launches.at(0), 2), 0);
}

TEST(Assumed, ConstantsWithCLinkageAreKnown) {
  const Source s = read_well(
      "extern \"C\" const int width = 16;\nextern \"C\" { const int height = 3; }\n"
      "__global__ void k(float* p) { p[threadIdx.x] = 1; }\n"
      "int main() { float* p; cudaMalloc(&p, width * 4); cudaMemset(p, 0, width * 4); k<<<height, width>>>(p); }\n");
  EXPECT_EQ(s.header.launches.at(0).block[0], 16U);
  EXPECT_EQ(s.header.launches.at(0).grid[0], 3U);
  EXPECT_EQ(codes_of(s.header), "");
}

// A launch of no blocks is refused by CUDA, but not one whose number of blocks nothing in the file sets.
TEST(Assumed, VariablesThatNothingSetsHaveNoValue) {
  const std::string text =
      "int blocks; static float* data;\n__global__ void k(float* p) { p[threadIdx.x] = 1; }\n"
      "void go() { k<<<blocks, 64>>>(data); }\n";
  const auto refused = [](const Header& h) {
    return std::ranges::any_of(h.inferred,
                               [](const std::string& w) { return w.find("CUDA refuses") != std::string::npos; });
  };
  const Source unset = read_well(text);
  EXPECT_FALSE(refused(unset.header));
  EXPECT_NE(assumed(unset.header, Code::grid), nullptr) << codes_of(unset.header);
  EXPECT_TRUE(unset.header.launches.at(0).arguments.at(0).is_buffer);
  EXPECT_TRUE(refused(read_well(text + "int main() { go(); }\n").header)) << "here 0 is the value";
}

TEST(Assumed, PointersInStructuresGetBuffers) {
  const std::string kernel =
      "struct View { const float* in; float* out; int n; };\n"
      "__global__ void k(View v) { if (threadIdx.x < v.n) v.out[threadIdx.x] = v.in[threadIdx.x]; }\n";
  for (const std::string& text : {kernel, kernel + "void go(View v) { k<<<1, 32>>>(v); }\n"}) {
    const Source s = read_well(text);
    const std::vector<FieldSpec>& m = s.header.launches.at(0).arguments.at(0).members;
    ASSERT_EQ(m.size(), 3U) << text;
    ASSERT_TRUE(std::holds_alternative<std::string>(m[0].value) && std::holds_alternative<std::string>(m[1].value));
    EXPECT_NE(std::get<std::string>(m[0].value), std::get<std::string>(m[1].value));
    EXPECT_EQ(std::get<double>(m[2].value), 1024) << "the elements of the first buffer";
    EXPECT_NE(assumed(s.header, Code::member, "v.n"), nullptr) << codes_of(s.header);
    EXPECT_NE(assumed(s.header, Code::buffer_size, "v_in"), nullptr) << codes_of(s.header);
  }
}

TEST(Assumed, SizesCountWhatPointersPointTo) {
  const Source s = read_well(
      "__global__ void k(const float4* in, float4* out, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[i] = in[i];\n}\n");
  EXPECT_EQ(s.header.buffers.at(0).elements, 4096U) << "of f32: 1024 float4";
  EXPECT_EQ(number(s.header.launches.at(0), 2), 1024);
}

TEST(Assumed, APitchInBytesIsOne) {
  const auto pitch = [](const std::string& row) {
    const Source s = read_well(
        "__global__ void k(float* p, size_t pitch, int w, int h) {\n"
        "  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;\n"
        "  if (x < w && y < h) " +
        row + " = 1;\n}\n");
    return number(s.header.launches.at(0), 1);
  };
  EXPECT_EQ(pitch("((float*)((char*)p + y * pitch))[x]"), 128);
  EXPECT_EQ(pitch("reinterpret_cast<float*>(reinterpret_cast<char*>(p) + y * pitch)[x]"), 128);
  EXPECT_EQ(pitch("p[y * (pitch / sizeof(float)) + x]"), 128);
  EXPECT_EQ(pitch("p[y * pitch + x]"), 32);
}

// The host sets a flag that the kernel waits for: between launches is too late.
TEST(Assumed, WhatTheHostStoresMeanwhileIsLeftOut) {
  const auto meanwhile = [](const std::string& after) {
    const Source s = read_well(
        "__global__ void k(volatile int* flag, int* out) { while (*flag == 0) {} out[threadIdx.x] = 1; }\n"
        "int main() { int *flag, *out; cudaHostAlloc((void**)&flag, 4, cudaHostAllocMapped); cudaMalloc(&out, 128);\n"
        "  *flag = 0; k<<<1, 32>>>(flag, out); " +
        after + " }\n");
    return assumed(s.header, Code::contents, "flag") != nullptr;
  };
  EXPECT_TRUE(meanwhile("*flag = 1; cudaDeviceSynchronize();"));
  EXPECT_TRUE(meanwhile("*flag = 1;"));
  EXPECT_FALSE(meanwhile("cudaDeviceSynchronize(); *flag = 1;"));
  EXPECT_FALSE(meanwhile("cudaDeviceSynchronize();"));
}

TEST(Assumed, AListOfArgumentsOfPtxIsWhole) {
  const std::string text =
      "/*\n[lanescope]\nargs = [\"p\"]\n[buffers]\np = \"s32 i:8\"\n*/\n"
      "extern \"C\" __global__ void k(float* p, int n) {}\n";
  EXPECT_TRUE(read("k.ptx", text));
  const auto refused = read("k.ptx", text, {.lists_are_whole = true});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().front().message, "there is 1 argument, but k has 2 parameters");
}

}  // namespace
}  // namespace lanescope::source
