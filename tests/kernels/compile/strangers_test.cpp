// Files as other people write them: host code and its libraries stand between the kernels, in the file and in its
// headers. Code that no kernel needs does not stop one; code that a kernel does need is never lost without a message.

#include <algorithm>

#include <fmt/format.h>

#include "kernels/compile/texts.h"
#include "tests/kernels/compile/files.h"
#include "tests/kernels/source/source_files.h"

namespace lanescope::compile {
namespace {

using source::read_well;
using source::words;

struct Tried {
  std::string errors, warnings;
  std::string ptx;
};

/// Both variants, from a file in a folder of its own.
Tried tried(const Files& files, const std::string& text, const std::vector<std::string>& options = {}) {
  files.write("k.cu", text);
  const std::string path = (files.folder / "k.cu").string();
  Expected<source::Source> s = source::read(path, text, {.options = options});
  if (!s) return {.errors = words(s.error()), .warnings = {}, .ptx = {}};
  const Expected<Both> both = compile_both(*s, {.extra = options});
  if (!both) return {.errors = words(both.error()), .warnings = {}, .ptx = {}};
  return {.errors = {}, .warnings = words(both->plain.compiled.warnings), .ptx = both->plain.compiled.ptx};
}
Tried tried(const std::string& text) {
  const Files files;
  return tried(files, text);
}

constexpr const char* strangers_kernel = "__global__ void k(int* p) { p[threadIdx.x] = 1; }\n";

TEST(StrangersFiles, HeadersOfHostLibrariesAreNotNeeded) {
  NEEDS_NVRTC();
  for (const char* header : {"cublas_v2.h", "cublasLt.h", "cufft.h", "curand.h", "cusparse.h", "cusolverDn.h",
                             "getopt.h", "sys/time.h", "arpa/inet.h", "stdarg.h", "cuda_gl_interop.h", "nvml.h",
                             "mpi.h", "random", "type_traits", "nowhere/to/be/found.hpp"}) {
    const Files files;
    files.write("common.h", fmt::format("#pragma once\n#include <{0}>\n#include \"{0}\"\n", header));
    EXPECT_EQ(tried(files, std::string("#include \"common.h\"\n") + strangers_kernel).errors, "") << header;
  }
}

TEST(StrangersFiles, TypesOfHostLibrariesServeDeviceCode) {
  NEEDS_NVRTC();
  EXPECT_EQ(tried("#include <cufft.h>\n#include <cufftXt.h>\n"
                  "__device__ cufftComplex twice(cufftComplex a) { return cuCaddf(a, a); }\n"
                  "__global__ void k(cufftComplex* p, cufftReal* q, cufftDoubleComplex* r) {\n"
                  "  p[0] = twice(p[1]); q[0] = p[0].x; r[0].x = 1; }\n")
                .errors,
            "");
  EXPECT_EQ(
      tried("#include <cublas_v2.h>\n__global__ void k(cuComplex* p, __half* h) { p[0].x = __half2float(h[0]); }\n")
          .errors,
      "");
}

/// The device functions of cuRAND, whose header takes types from that of the host functions.
TEST(StrangersFiles, RandomNumbersInKernels) {
  NEEDS_NVRTC();
  const std::string code =
      "__global__ void k(float* p, unsigned* q, curandStatePhilox4_32_10_t* kept, curandDirectionVectors32_t* v) {\n"
      "  curandState s; curand_init(7, threadIdx.x, 0, &s);\n"
      "  p[threadIdx.x] = curand_uniform(&s) + curand_normal(&s) + curand_log_normal(&s, 0, 1);\n"
      "  curand_init(7, threadIdx.x, 0, kept + threadIdx.x);\n"
      "  float4 four = curand_uniform4(kept + threadIdx.x);\n"
      "  curandStateSobol32_t t; curand_init(v[0], 3, &t);\n"
      "  q[threadIdx.x] = curand_poisson(kept + threadIdx.x, 4.0) + curand(&t) + (four.x < 1); }\n";
  const Tried without = tried("#include <curand_kernel.h>\n" + std::string(strangers_kernel));
  if (without.errors.find("curand_kernel.h") != std::string::npos) GTEST_SKIP() << "no cuRAND here";
  EXPECT_EQ(without.errors, "");
  EXPECT_EQ(tried("#include <curand_kernel.h>\n" + code).errors, "");
  EXPECT_EQ(tried("#include <curand.h>\n#include \"curand_kernel.h\"\n" + code).errors, "");
}

TEST(StrangersFiles, HostFunctionsOfHeadersAreNotNeeded) {
  NEEDS_NVRTC();
  const Files files;
  files.write(
      "common.h",
      "#pragma once\n"
      "template <class T>\nvoid __check__(T code) { if (code) fprintf(stderr, \"x\"); }\n"
      "inline double seconds() { struct timeval tp; struct timezone tz; gettimeofday(&tp, &tz); return tp.tv_sec; }\n"
      "static void fill(float* p, int n) { srand(1); for (int i = 0; i < n; ++i) p[i] = rand(); }\n"
      "struct Timer { cudaEvent_t a; Timer() { cudaEventCreate(&a); } };\n"
      "__device__ void other(int* p) { undefined_here(p); }\n"
      "__device__ inline int two() { return 2; }\n");
  const Tried t = tried(files,
                        "#include \"common.h\"\n__global__ void k(int* p) { p[0] = two(); }\n"
                        "int main() { k<<<1, 1>>>(0); }\n");
  EXPECT_EQ(t.errors, "");
  EXPECT_NE(t.warnings.find("common.h:7: warning: `other` was left out, which no launch needs"), std::string::npos)
      << t.warnings;
}

// A class that the kernel takes has a constructor for the host.
constexpr const char* text_class =
    "struct Text {\n  int length;\n  char* data;\n  Text() : length(0), data(0) {}\n"
    "  Text(const char* s) : length(0) {\n    grow(strlen(s));\n  }\n  void grow(int n) { data = (char*)malloc_of(n); "
    "}\n"
    "  __device__ int size() const { return length; }\n};\n";

TEST(StrangersFiles, AHostConstructorOfANeededClassIsDeclaredOnly) {
  NEEDS_NVRTC();
  const Tried t = tried(std::string(text_class) + "__global__ void k(Text t, int* p) { p[0] = t.size(); }\n");
  EXPECT_EQ(t.errors, "");
  EXPECT_NE(t.warnings.find("k.cu:5: warning: the body of `Text` was left out, which no launch calls"),
            std::string::npos)
      << t.warnings;
}

TEST(StrangersFiles, ABodyThatAKernelCallsIsNotLost) {
  NEEDS_NVRTC();
  const Tried t = tried(std::string(text_class) + "__global__ void k(int* p) { Text t(\"abc\"); p[0] = t.size(); }\n");
  EXPECT_NE(t.errors.find("k.cu:6:"), std::string::npos) << t.errors;
  EXPECT_NE(t.errors.find("strlen"), std::string::npos) << t.errors;
  EXPECT_NE(tried("__device__ int f(int x) { return g(x); }\n__global__ void k(int* p) { p[0] = f(1); }\n")
                .errors.find("k.cu:1:"),
            std::string::npos);
}

TEST(StrangersFiles, AHeaderOfOthersWithAnErrorInItGoesWhereNothingNeedsIt) {
  NEEDS_NVRTC();
  const Files files;
  // A folder that looks like the toolkit's is left to the compiler.
  files.write("lib/cub/cub.cuh", "");
  files.write("lib/outer.h", "#include \"inner.h\"\n");
  files.write("lib/inner.h", "struct A { int n; };\ninline int broken(FILE* f) { return 1; }\n");
  const Tried t = tried(files, std::string("#include <outer.h>\n") + strangers_kernel, {"-Ilib"});
  EXPECT_EQ(t.errors, "");
  EXPECT_NE(t.warnings.find("header \"outer.h\" was left out"), std::string::npos) << t.warnings;
  const Tried needed = tried(files, "#include <outer.h>\n__global__ void k(A* p) {}\n", {"-Ilib"});
  EXPECT_NE(needed.errors.find("inner.h:2"), std::string::npos) << needed.errors;
}

TEST(StrangersFiles, APieceOfCodeIsNeverLeftOut) {
  NEEDS_NVRTC();
  const Files files;
  files.write("piece.inc", "\np[0] = unheard_of;\n");
  const Tried broken = tried(files, "__global__ void k(int* p) {\n#include \"piece.inc\"\n}\n");
  EXPECT_NE(broken.errors.find("piece.inc:2"), std::string::npos) << broken.errors << broken.warnings;
  const Tried missing = tried(files, "__global__ void k(int* p) {\n#include \"gone.inc\"\n}\n");
  EXPECT_NE(missing.errors.find("k.cu:2"), std::string::npos) << missing.errors << missing.warnings;
  files.write("outer.inc", "#include \"gone.inc\"\n");
  const Tried within =
      tried(files, "__device__ int t[] = {\n#include \"outer.inc\"\n};\n__global__ void k(int* p) { p[0] = t[0]; }\n");
  EXPECT_NE(within.errors.find("gone.inc"), std::string::npos) << within.errors << within.warnings;
}

TEST(StrangersFiles, AnErrorStandsAtItsPlaceNotWhereItIsMissed) {
  NEEDS_NVRTC();
  const Files files;
  files.write("h.h", "\ninline __device__ int g() {\n  return missing_in_header;\n}\n");
  const Tried t = tried(files, "#include \"h.h\"\n__global__ void k(int* p) { p[0] = g(); }\n");
  EXPECT_NE(t.errors.find("h.h:3:"), std::string::npos) << t.errors;
  EXPECT_EQ(std::ranges::count(t.errors, '\n'), 1) << t.errors;
}

// A header that one of two compiles at a time answers with nothing is still missed by the other.
TEST(StrangersFiles, AMissingHeaderIsSaidHoweverManyCompilesThereAre) {
  NEEDS_NVRTC();
  for (int i = 0; i < 10; ++i) {
    const Files files;
    const Tried t = tried(
        files, fmt::format("#include \"a{}\x1d.h\"\n__global__ void k(int* p) {{ int x = p[1]; p[0] = x + N; }}\n", i));
    EXPECT_NE(t.errors.find("cannot open source file"), std::string::npos) << t.errors;
    EXPECT_NE(t.errors.find("\"N\""), std::string::npos) << t.errors;
  }
}

TEST(StrangersFiles, AKernelOfANamespaceIsFoundWhateverItIsCalled) {
  NEEDS_NVRTC();
  EXPECT_EQ(tried("namespace fp16 {\n__global__ void k32(int* p) { p[0] = 1; }\n}\nvoid run(int* p) { fp16::k32<<<1, "
                  "1>>>(p); }\n")
                .errors,
            "");
  EXPECT_EQ(
      tried("namespace fp16 {\n__global__ void k32(int* p) { p[0] = 1; }\nvoid run(int* p) { k32<<<1, 1>>>(p); }\n}\n")
          .errors,
      "");
  EXPECT_EQ(tried("namespace a { namespace { __global__ void k(int* p) { p[0] = 1; }\nvoid run(int* p) { k<<<1, "
                  "1>>>(p); }\n} }\n")
                .errors,
            "");
}

TEST(StrangersFiles, MacrosOfTheirsDoNotReachIntoProbes) {
  NEEDS_NVRTC();
  std::string macros;
  for (const char* name : {"SIZE", "ID", "VAR", "OFF", "MORE", "T", "w", "words", "emit", "read", "value"})
    macros += fmt::format("#define {} 256\n", name);
  const Tried t = tried(macros + "__global__ void k(int* p) { int x = p[SIZE]; p[0] = x; }\n");
  EXPECT_EQ(t.errors, "");
}

TEST(StrangersFiles, OldHabitsAreTaken) {
  NEEDS_NVRTC();
  EXPECT_EQ(tried("__global__ void k(int* p) { register int x = p[0]; register unsigned long long y, z; y = z = x; "
                  "p[1] = y + z; }\n")
                .errors,
            "");
  EXPECT_EQ(tried("extern \"C\"__global__ void k(int* p) { p[0] = 1; }\n").errors, "");
}

TEST(StrangersFiles, TheCppLibraryServesDeviceCode) {
  NEEDS_NVRTC();
  if (toolchain().include_directory.empty()) GTEST_SKIP() << "the toolkit has no headers";
  EXPECT_EQ(tried("#include <limits>\n#include <type_traits>\n#include <algorithm>\n#include <cmath>\n"
                  "template <class T> __device__ T low() {\n"
                  "  static_assert(std::is_same<T, float>::value || std::is_integral_v<T>, \"\");\n"
                  "  return std::numeric_limits<T>::lowest();\n}\n"
                  "__global__ void k(float* p, int* q) { p[0] = low<float>(); q[0] = std::min(low<int>(), q[1]);\n"
                  "  p[1] = std::sqrt(p[2]); }\n")
                .errors,
            "");
}

TEST(StrangersFiles, CubServesDeviceCode) {
  NEEDS_NVRTC();
  if (toolchain().include_directory.empty()) GTEST_SKIP() << "the toolkit has no headers";
  for (const char* header : {"cub/cub.cuh", "cub/cub/cub.cuh"}) {
    const Tried t = tried(fmt::format("#include <{}>\n", header) +
                          "__global__ void k(int* p) {\n  using Reduce = cub::BlockReduce<int, 64>;\n"
                          "  __shared__ typename Reduce::TempStorage s;\n  int sum = Reduce(s).Sum(p[threadIdx.x]);\n"
                          "  if (threadIdx.x == 0) p[0] = sum;\n}\n");
    EXPECT_EQ(t.errors, "") << header;
  }
}

TEST(StrangersFiles, StatementsInBracketsAreExpressions) {
  EXPECT_EQ(without_gnu_forms("int a = ({ int t = f(x); t + 1; });"),
            "int a = ([&](){ int t = f(x); return t + 1; }());");
  EXPECT_EQ(without_gnu_forms("#define M(x) ({ \\\n  __typeof__(x) y = (x); \\\n  y * y; })\n"),
            "#define M(x) ([&](){ \\\n  decltype  (x) y = (x); \\\n  return y * y; }())\n");
  EXPECT_EQ(without_gnu_forms("g(({ ({ 1; }) + 2; }))"), "g(([&](){ return ([&](){ return 1; }()) + 2; }()))");
  EXPECT_EQ(without_gnu_forms("({ if (a) { b(); } c; })"), "([&](){ if (a) { b(); } return c; }())");
  EXPECT_EQ(without_gnu_forms("return (T2){ a, b };"), "return  T2 { a, b };");
  EXPECT_EQ(without_gnu_forms("x = f((int2) {1, 2}, -(ns::V){3});"), "x = f( int2  {1, 2}, - ns::V {3});");
  EXPECT_EQ(without_gnu_forms("y = ({ int2 t = (int2){1, 2}; t.x; });"),
            "y = ([&](){ int2 t =  int2 {1, 2}; return t.x; }());");
  EXPECT_EQ(without_gnu_forms("  # define one (T2){ 1, -1 }\n"), "  # define one  T2 { 1, -1 }\n");
  // what is none of these stays: lists, lambdas, comments, literals, no end
  for (const char* same :
       {"f({1, 2});", "f({});", "g([](int a) { return a; });", "// ({ 1; })", "\"({ 1; })\"", "({ 1;",
        "x(\n{\n  int t;\n}", "if (a) { b(); }", "void f(int2) {}", "g([](T) { return 1; });", "a = b(c) {",
        "operator()(T) {}", "#define f(x) {}", "a\nb (c) {", "char c = '(', d = '{'; int n = 1'000;"})
    EXPECT_EQ(without_gnu_forms(same), same);
  NEEDS_NVRTC();
  const Tried t = tried(
      "#define least(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ < b_ ? a_ : b_; })\n"
      "__global__ void k(int* p) { for (int i = 0; i <= least(7, 2 * (int)threadIdx.x); ++i) p[i] = least(i, 3); }\n");
  EXPECT_EQ(t.errors, "");
  EXPECT_EQ(tried("__device__ float2 turned(float2 v) { return (float2){ -v.y, v.x }; }\n"
                  "__global__ void k(float2* p) { p[0] = turned((float2){1.0f, 2.0f}); }\n")
                .errors,
            "");
  const Tried wrong = tried("__global__ void k(int* p) { p[0] = ; }\n");
  EXPECT_NE(wrong.errors.find("k.cu:1:36: expected an expression"), std::string::npos) << wrong.errors;
}

// Builtins of GNU C that nvcc 13.0 takes in device code, and those that it refuses there.
TEST(StrangersFiles, BuiltinsOfGnuHaveCudasNames) {
  EXPECT_EQ(without_gnu_forms("p[0] = __builtin_popcount(x);"), "p[0] = __popc            (x);");
  EXPECT_EQ(without_gnu_forms("__builtin_clz_of(x), a__builtin_clz(x)"), "__builtin_clz_of(x), a__builtin_clz(x)");
  NEEDS_NVRTC();
  for (const char* taken : {"__builtin_popcount(x)", "__builtin_popcountll(x)", "__builtin_clz(x)", "__builtin_ffs(x)",
                            "__builtin_sqrtf(1.0f)", "__builtin_fmaf(1.0f, 2.0f, 3.0f)", "__builtin_expect(x, 1)",
                            "(__builtin_memset(&x, 0, 4), x)", "(__builtin_memcpy(&x, p, 4), x)"})
    EXPECT_EQ(tried(fmt::format("__global__ void k(int* p) {{ int x = p[1]; p[0] = {}; }}\n", taken)).errors, "")
        << taken;
  for (const char* refused : {"__builtin_ctz(x)", "__builtin_bswap32(x)"})
    EXPECT_NE(tried(fmt::format("__global__ void k(int* p) {{ int x = p[1]; p[0] = {}; }}\n", refused)).errors, "")
        << refused;
}

// nvcc defines the host's macros in both passes.
TEST(StrangersFiles, TheHostsMacrosAreDefined) {
  NEEDS_NVRTC();
  const Tried t = tried(
      "#if !defined(__linux__) || !defined(__unix__)\n#error \"unknown system\"\n#endif\n"
      "#if defined(_MSC_VER)\n#define ALIGNED __declspec(align(16))\n#elif defined(__GNUC__)\n"
      "#define ALIGNED __attribute__((aligned(16)))\n#else\n#error \"unknown compiler\"\n#endif\n"
      "#if !defined(__x86_64__) && !defined(__aarch64__)\n#error \"unknown processor\"\n#endif\n"
      "struct ALIGNED S { int a; };\n__global__ void k(int* p) { p[0] = sizeof(S); }\n");
  EXPECT_EQ(t.errors, "");
}

TEST(StrangersFiles, FloatingConstantsOfClasses) {
  NEEDS_NVRTC();
  for (const char* member :
       {"static const float pi = 3.25f;", "const static double pi = 3.25;", "static const T pi = static_cast<T>(3.25);",
        "static const int n = 3; static const\n  float pi = n + 0.25f;"})
    EXPECT_EQ(tried(fmt::format("template <class T> struct Shape {{\n  {}\n}};\n"
                                "__global__ void k(float* p) {{ p[0] = Shape<float>::pi; }}\n",
                                member))
                  .errors,
              "")
        << member;
  const Tried refused = tried(
      "struct Pair { float a, b; };\nstruct S {\n  static const Pair pi = {1, 2};\n};\n"
      "__global__ void k(float* p) { p[0] = S::pi.a; }\n");
  EXPECT_NE(refused.errors.find("in-class initializer"), std::string::npos) << refused.errors;
}

TEST(StrangersFiles, DesignatorsAreTaken) {
  NEEDS_NVRTC();
  const std::string text =
      "struct Note { int code, line; float value; };\n"
      "__global__ void k(Note* n) {\n  n[threadIdx.x] = Note{\n    .code = 3, .line = __LINE__, .value = 0.5f};\n}\n";
  EXPECT_EQ(tried(text).errors, "");
  const Files files;
  EXPECT_NE(tried(files, text, {"-std=c++14"}).errors + "x", "") << "the standard that is requested stays";
}

TEST(StrangersFiles, MembersThatOwnHostMemoryAreCompiled) {
  NEEDS_NVRTC();
  const Tried t = tried(
      "#include <memory>\n"
      "template <class T> struct Mailbox {\n  std::shared_ptr<T> keep;\n  T* device;\n"
      "  Mailbox() : keep(new T()), device(keep.get()) {}\n};\n"
      "__global__ void k(Mailbox<int> m) { *m.device = 1; }\n");
  EXPECT_EQ(t.errors, "");
}

TEST(StrangersFiles, APartOfAnotherFileSaysSo) {
  NEEDS_NVRTC();
  const Files files;
  files.write("main.cu", "#define N 4\n#include \"k.cu\"\n");
  files.write("bodies.cuh", "\n__device__ int elsewhere(int x)\n{ return x; }\n");
  const Tried part = tried(files, "__global__ void k(int* p) { p[0] = N; }\n");
  EXPECT_NE(part.errors.find("it is a part of another one, which includes it (`main.cu` line 2); open that one"),
            std::string::npos)
      << part.errors;
  std::filesystem::remove(files.folder / "main.cu");
  const Tried call =
      tried(files, "__device__ int elsewhere(int x);\n__global__ void k(int* p) { p[0] = elsewhere(1); }\n");
  EXPECT_NE(call.errors.find("its body is in `bodies.cuh` line 2"), std::string::npos) << call.errors;
}

}  // namespace
}  // namespace lanescope::compile
