// Refusals of compiler and assembler, in words that help, at the user's line; and headers that are looked for.

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "kernels/compile/compile_log.h"
#include "tests/kernels/compile/files.h"
#include "tests/kernels/source/source_files.h"

namespace lanescope::compile {
namespace {

using source::read_well;
using source::words;

Diagnostics errors_of(const std::string& text, const std::string& file = "k.cu") {
  const Expected<Outcome> out = compile(read_well(text, file), Variant::plain, {});
  return out ? Diagnostics{} : out.error();
}

struct Refused {
  const char* text;
  int line;
  const char* message;
  const char* remedy;
};

TEST(RemovedFeatures, AreNamedWithTheirReplacementAtTheUsersLine) {
  NEEDS_NVRTC();
  for (const Refused& r : {
           Refused{"__global__ void k(int* p) {\n  p[0] = __shfl(p[1], 0);\n}\n", 2, "`__shfl`", "__shfl_sync"},
           Refused{"__global__ void k(int* p) {\n\n  p[0] = __shfl_down(p[1], 1, 32);\n}\n", 3, "shuffles without",
                   "__shfl_down_sync"},
           Refused{"__global__ void k(float* p) {\n  p[0] += __shfl_xor(p[0], 16);\n}\n", 2, "7.0", "__shfl_xor_sync"},
           Refused{"__global__ void k(int* p) {\n  p[0] = 1;\n  p[1] = __ballot(p[1]);\n}\n", 3, "'.sync'",
                   "__ballot_sync"},
           Refused{"__global__ void k(int* p) {\n  p[0] = __any(p[1]);\n}\n", 2, "'.sync'", "__any_sync"},
           Refused{"texture<float, 1> t;\n__global__ void k(float* p) { p[0] = tex1Dfetch(t, 1); }\n", 1, "references",
                   "cudaTextureObject_t"},
           Refused{"surface<void, 2> t;\n__global__ void k(float* p) { surf2Dread(p, t, 0, 0); }\n", 1, "references",
                   "cudaSurfaceObject_t"},
           Refused{"__global__ void k(int* p) {\n  cudaDeviceSynchronize();\n}\n", 2, "removed in CUDA 13",
                   "a separate kernel"},
           Refused{"__global__ void k(int* p) {\n  p[0] = mul24(p[1], p[2]);\n}\n", 2, "`mul24`", "__mul24"},
           Refused{"__global__ void k(float* p) {\n  p[0] = saturate(p[1]);\n}\n", 2, "`saturate`", "__saturatef"},
       }) {
    const Diagnostics errors = errors_of(r.text);
    ASSERT_FALSE(errors.empty()) << r.text;
    EXPECT_EQ(errors[0].line, r.line) << words(errors);
    EXPECT_EQ(errors[0].file, "k.cu");
    EXPECT_NE(errors[0].message.find(r.message), std::string::npos) << words(errors);
    EXPECT_NE(errors[0].remedy.find(r.remedy), std::string::npos) << words(errors);
  }
}

// Parts that a launch needs must compile; others are left out, which is reported.
/// A header of its own, one that is nowhere, and a declaration that cannot be compiled: three attempts with one folder
/// of precompiled headers, without which NVRTC crashes.
TEST(LeftOut, AttemptsBesideAHeaderOfTheUsers) {
  NEEDS_NVRTC();
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("lanescope_left_out_{}", ::getpid());
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "here.h")
      << "#pragma once\n#include \"absent.h\"\n__device__ inline int here() { return 1; }\n";
  const std::string text =
      "#include \"here.h\"\n#include \"no_one.h\"\n__device__ Nothing broken() { return {}; }\n__global__ void k(int* "
      "p) { "
      "p[0] = here(); }\n";
  for (const Variant v : {Variant::plain, Variant::probed}) {
    const Expected<Outcome> out = compile(read_well(text, (folder / "k.cu").string()), v, {});
    EXPECT_TRUE(out.has_value()) << (out ? "" : words(out.error()));
  }
  std::filesystem::remove_all(folder);
}

TEST(LeftOut, OnlyWhatNoLaunchNeedsAndInWords) {
  NEEDS_NVRTC();
  const std::string twice = "__device__ int twice;\n__device__ float twice;\n__global__ void k(int* p) { p[0] = ";
  const Diagnostics needed = errors_of(twice + "(int)twice; }\n");
  ASSERT_EQ(needed.size(), 1U) << words(needed);
  EXPECT_EQ(needed[0].line, 2);
  EXPECT_EQ(needed[0].severity, Severity::error);
  const std::string through =
      "__device__ int twice;\n__device__ float twice;\n__device__ int f() { return (int)twice; }\n";
  EXPECT_FALSE(errors_of(through + "__global__ void k(int* p) { p[0] = f(); }\n").empty());
  const Expected<Outcome> without = compile(read_well(twice + "1; }\n", "k.cu"), Variant::plain, {});
  ASSERT_TRUE(without);
  ASSERT_EQ(without->compiled.warnings.size(), 1U) << words(without->compiled.warnings);
  const Diagnostic& said = without->compiled.warnings[0];
  EXPECT_EQ(said.line, 2);
  EXPECT_EQ(said.severity, Severity::warning);
  EXPECT_NE(said.message.find("`twice` was left out, which no launch needs"), std::string::npos) << said.message;
  const Expected<Outcome> headless = compile(
      read_well("#include \"absent.h\"\n__global__ void k(int* p) { p[0] = 1; }\n", "k.cu"), Variant::plain, {});
  ASSERT_TRUE(headless);
  ASSERT_EQ(headless->compiled.warnings.size(), 1U);
  EXPECT_NE(headless->compiled.warnings[0].message.find("\"absent.h\" was not found"), std::string::npos);
}

TEST(RemovedFeatures, HeadersAndGroupsOfGrids) {
  NEEDS_NVRTC();
  if (toolchain().include_directory.empty()) GTEST_SKIP() << "no CUDA headers on this machine";
  Diagnostics errors = errors_of(
      "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n__global__ void k(int* p) {\n"
      "  cg::this_multi_grid().sync();\n}\n");
  ASSERT_FALSE(errors.empty());
  EXPECT_EQ(errors[0].line, 4) << words(errors);
  EXPECT_NE(errors[0].message.find("several grids"), std::string::npos);
  errors = errors_of("#include <nvToolsExt.h>\n__global__ void k(int* p) { p[0] = 1; }\n");
  if (!errors.empty()) {  // where no earlier toolkit has it
    EXPECT_EQ(errors[0].line, 1);
    EXPECT_NE(errors[0].remedy.find("nvtx3"), std::string::npos) << words(errors);
  }
}

TEST(RemovedFeatures, OtherErrorsStayAsTheyAre) {
  for (const char* message : {"identifier \"__shfl_dawn\" is undefined", "identifier \"",
                              "class \"x\" has no member \"x\"", "", "texture is a template", "\"__shfl\""}) {
    const Diagnostic d = with_replacement({.file = "k.cu", .line = 3, .message = message, .remedy = "r"});
    EXPECT_EQ(d.message, message);
    EXPECT_EQ(d.remedy, "r");
  }
  EXPECT_EQ(
      with_replacement(
          {.file = "", .message = "identifier \"__shfl\" is undefined", .remedy = "", .severity = Severity::warning})
          .remedy,
      "");
}

TEST(AssemblerErrors, AreAtTheLineOfTheInlinePtx) {
  NEEDS_NVRTC();
  for (const Refused& r : {
           Refused{"__global__ void k(int* p) {\n  int x = p[0];\n  asm(\"foo.bar %0, %1;\" : \"=r\"(x) : \"r\"(x));\n"
                   "  p[1] = x;\n}\n",
                   3, "`foo.bar", "inline PTX"},
           // In an inlined function: its own line.
           Refused{"__device__ int f(int x) {\n  asm(\"add.s32 %0, %1;\" : \"=r\"(x) : \"r\"(x));\n  return x;\n}\n"
                   "__global__ void k(int* p) {\n  p[1] = f(p[0]);\n}\n",
                   2, "Arguments mismatch", "operands"},
           Refused{"__global__ void k(int* p) {\n  p[0] = 1;\n  asm(\"L: bra L;\");\n  asm(\"L: bra L;\");\n}\n", 4,
                   "label", "braces"},
           Refused{"__global__ void k(int* p) {\n"
                   "  asm volatile(\"tcgen05.wait::ld.sync.aligned;\");\n  p[1] = 1;\n}\n",
                   2, "not supported on .target", "--arch"},
           Refused{"__device__ int g(int);\n__global__ void k(int* p) {\n\n  p[0] = g(p[1]);\n}\n", 4, "`g(int)`",
                   "define it"},
       }) {
    const Diagnostics errors = errors_of(r.text);
    ASSERT_EQ(errors.size(), 1U) << r.text << words(errors);
    EXPECT_EQ(errors[0].line, r.line) << words(errors);
    EXPECT_EQ(errors[0].file, "k.cu");
    EXPECT_NE(errors[0].message.find(r.message), std::string::npos) << words(errors);
    EXPECT_NE(errors[0].remedy.find(r.remedy), std::string::npos) << words(errors);
  }
}

TEST(AssemblerErrors, WithoutTheTextAreOfTheWholeFile) {
  const CompileLog log = read_log(
      "ptxas application ptx input, line 900; error   : Unknown modifier '.x'\nptxas fatal   : "
      "Ptx assembly aborted due to errors\n",
      "k.cu", "");
  ASSERT_EQ(log.assembler.size(), 2U);
  EXPECT_EQ(log.assembler[0].ptx_line, 900);
  for (const char* ptx : {"", ".file 1 \"k.cu\"\n", ".loc\n.loc 1\n.loc x y z\n", "\n\n\n"}) {
    const Diagnostics d = assembler_diagnostics(log.assembler, ptx, "k.cu");
    ASSERT_EQ(d.size(), 1U);
    EXPECT_EQ(d[0].line, 0);
    EXPECT_EQ(d[0].message, "ptxas: Unknown modifier '.x'");
  }
}

TEST(MissingHeaders, AreLookedForInTheFoldersAboveAndThatIsSaid) {
  NEEDS_NVRTC();
  const Files files;
  std::filesystem::create_directories(files.folder / ".git");
  files.write("common/helper.h", "#include \"more/inner.h\"\n__device__ int twice(int x) { return inner(2 * x); }\n");
  files.write("third_party/lib/more/inner.h", "__device__ int inner(int x) { return x; }\n");
  const std::string text = "#include \"helper.h\"\n__global__ void k(int* p) { p[0] = twice(p[1]); }\n";
  const std::string file = (files.folder / "src/k.cu").string();
  files.write("src/k.cu", text);
  for (int round = 0; round < 2; ++round) {  // the second one remembers
    const Expected<Outcome> out = compile(read_well(text, file), Variant::plain, {});
    ASSERT_TRUE(out) << words(out.error());
    ASSERT_EQ(out->compiled.assumed.size(), 2U);
    EXPECT_EQ(options::words_of(out->compiled.assumed[0], file), "-I ../common, where helper.h is");
    EXPECT_EQ(options::words_of(out->compiled.assumed[1], file), "-I ../third_party/lib, where more/inner.h is");
    EXPECT_FALSE(store(read_well(text, file), Variant::plain, {}, *out));
  }
  // Remembered headers that are gone are looked for again, edited ones are read again.
  std::filesystem::remove(files.folder / "common/helper.h");
  files.write("include/helper.h", "#include \"more/inner.h\"\n__device__ int thrice(int x) { return inner(3 * x); }\n");
  EXPECT_FALSE(compile(read_well(text, file), Variant::plain, {}));
  files.write("include/helper.h", "#include \"more/inner.h\"\n__device__ int twice(int x) { return inner(5 * x); }\n");
  const Expected<Outcome> out = compile(read_well(text, file), Variant::plain, {});
  ASSERT_TRUE(out) << words(out.error());
  EXPECT_EQ(options::words_of(out->compiled.assumed[0], file), "-I ../include, where helper.h is");
}

// Conditions that tools for verification read are no part of CUDA: they are checked, or said not to be.
TEST(Annotations, AreCompiledAsWhatTheyMean) {
  NEEDS_NVRTC();
  const auto compiled = [](const std::string& text) { return compile(read_well(text), Variant::plain, {}); };
  const auto out = compiled(
      "__global__ void k(int* p, int n) {\n  __requires(n > 0);\n  __assume(__distinct_int(p[threadIdx.x]));\n  "
      "__VERIFIER_assert(n != 7);\n  p[threadIdx.x] = n;\n}\n");
  ASSERT_TRUE(out) << words(out.error());
  EXPECT_NE(out->compiled.ptx.find("__assertfail"), std::string::npos);
  const std::string said = words(out->compiled.warnings);
  EXPECT_NE(said.find("__VERIFIER_assert, __assume, __requires: annotations of a verifier, which are checked"),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("__distinct_int: annotations of a verifier about several threads"), std::string::npos) << said;
  // One's own is kept.
  const auto own = compiled(
      "__device__ void __requires(int) {}\n__global__ void k(int* p, int n) { __requires(n > 0); p[0] = n; }\n");
  ASSERT_TRUE(own) << words(own.error());
  EXPECT_EQ(own->compiled.ptx.find("__assertfail"), std::string::npos);
  EXPECT_TRUE(own->compiled.warnings.empty()) << words(own->compiled.warnings);
  EXPECT_FALSE(compiled("__global__ void k(int* p) { __unheard_of(p[0]); }\n"));
}

// nvcc refuses these as well.
TEST(AmbiguousFunctions, AreRefusedWithACure) {
  NEEDS_NVRTC();
  for (const char* call : {"sqrt(i)", "fmax(f, 0.0)", "floor(i / 2)", "max(i, f)"}) {
    const Diagnostics errors =
        errors_of(std::string("__global__ void k(float* y, float f, int i) { y[0] = ") + call + "; }\n");
    ASSERT_EQ(errors.size(), 1U) << call << words(errors);
    EXPECT_TRUE(errors[0].message.ends_with("matches the argument list")) << errors[0].message;
    EXPECT_NE(errors[0].remedy.find("convert the arguments to one type"), std::string::npos) << errors[0].remedy;
  }
}

TEST(Overloads, KernelsOfOneNameAndAsManyParametersAreRefused) {
  NEEDS_NVRTC();
  const std::string head =
      "/*\n[lanescope]\nkernel = \"k\"\nblock = 32\nargs = [\"p\", 4]\n[buffers]\np = \"f32 i:32\"\n*/\n";
  const Diagnostics errors =
      errors_of(head + "__global__ void k(float* p, int n) {}\n__global__ void k(double* p, int n) {}\n");
  ASSERT_FALSE(errors.empty());
  EXPECT_NE(errors[0].message.find("2 kernels are called `k` and have 2 parameters"), std::string::npos)
      << words(errors);
  EXPECT_TRUE(errors_of(head + "__global__ void k(float* p, int n) {}\n__global__ void k(double* p) {}\n").empty());
}

TEST(SharedMemory, TooMuchIsSaid) {
  NEEDS_NVRTC();
  const Diagnostics errors =
      errors_of("__shared__ float big[1024][1024];\n__global__ void k(float* p) { p[0] = big[threadIdx.x][0]; }\n");
  ASSERT_EQ(errors.size(), 1U) << words(errors);
  EXPECT_NE(errors[0].message.find("`k(float*)` has 4194304 bytes of static shared memory; at most 49152"),
            std::string::npos)
      << words(errors);
  EXPECT_NE(errors[0].remedy.find("dynamic shared memory"), std::string::npos);
  EXPECT_EQ(errors[0].line, 1);
  EXPECT_TRUE(errors[0].message.ends_with("; the largest array is `big` (4 MiB)")) << errors[0].message;
}

TEST(SharedMemory, TheLargestArrayIsNamed) {
  NEEDS_NVRTC();
  const Diagnostics errors = errors_of(
      "__global__ void other() { __shared__ float far[4000]; far[0] = 1; }\n__device__ float* tile() {\n  __shared__ "
      "float a[16], b[64][256];\n  a[threadIdx.x] = 1;\n  return b[a[0] > 0];\n}\n__global__ void k(float* p) {\n  "
      "__shared__ float c[1000];\n  c[threadIdx.x] = 2;\n  p[0] = tile()[threadIdx.x] + c[threadIdx.x + 1];\n}\n");
  ASSERT_FALSE(errors.empty());
  EXPECT_EQ(errors[0].line, 3);
  EXPECT_NE(errors[0].message.find("; the largest array is `b` (65536 bytes)"), std::string::npos) << words(errors);
}

}  // namespace
}  // namespace lanescope::compile
