// Host code is blanked, lines and columns stay.

#include "tests/kernels/source/source_files.h"

namespace lanescope::source {
namespace {

TEST(DevicePart, HostCodeIsBlankedInPlace) {
  const Source s = read_data("host_and_device.cu");
  EXPECT_TRUE(s.has_host_code);
  ASSERT_EQ(s.device_text.size(), s.text.size());
  for (std::size_t i = 0; i < s.text.size(); ++i) {
    if (s.device_text[i] != s.text[i]) {
      ASSERT_EQ(s.device_text[i], ' ');
    }
    ASSERT_EQ(s.device_text[i] == '\n', s.text[i] == '\n');
  }
  for (const char* gone : {"main", "<iostream>", "reference", "vector", "namespace std", "<cstdio>", "<<<"})
    EXPECT_EQ(s.device_text.find(gone), std::string::npos) << gone;
  for (const char* kept :
       {"scale", "helper", "twice", "struct Pair", "constexpr int kWidth", "<cstdint>", "#define CHECK"})
    EXPECT_NE(s.device_text.find(kept), std::string::npos) << kept;
}

TEST(DevicePart, DeviceOnlyFilesStayAsTheyAre) {
  for (const char* name : {"half2_notes.cu", "packed_bytes.cu", "statement_shapes.cu"}) {
    const Source s = read_data(name);
    EXPECT_FALSE(s.has_host_code) << name;
    EXPECT_EQ(s.device_text, s.text) << name;
  }
}

/// The rest of the device text, with one space for consecutive blanks.
std::string left_of(const std::string& text) {
  const Source s = read_well(text);
  EXPECT_EQ(s.device_text.size(), s.text.size());
  std::string out;
  for (const char c : s.device_text) {
    const bool blank = c == ' ' || c == '\n';
    if (!blank || (!out.empty() && out.back() != ' ')) out += blank ? ' ' : c;
  }
  return out;
}

TEST(DevicePart, HostCodeDoesNotStopDeviceCode) {
  const std::string kernel = "__global__ void k(float *p) { p[0] = f(1); }";
  const struct {
    const char* name;
    const char* kept;
    const char* host;
  } cases[] = {
      {"a string", "__device__ float f(float x) { return x; }", "const char *name = \"words\";"},
      {"an array of strings", "__device__ float f(float x) { return x; }",
       "static const char *names[] = {\"a\", \"b\"};"},
      {"a table of functions", "__device__ float f(float x) { return x; }", "void (*table[])() = {&run, 0};"},
      {"a host variable", "__device__ float f(float x) { return x; }", "int verbose = 1;"},
      {"a class of the host", "__device__ float f(float x) { return x; }",
       "class Timer { cudaEvent_t a; Timer() : a(0) {} float read(); };\nfloat Timer::read() { return 1; }\n"
       "static Timer timer;\nvoid use(Timer &t) { t.read(); }"},
      {"what uses a class that went", "__device__ float f(float x) { return x; }",
       "struct Log { std::string s; };\nusing Logs = Log;\nLogs all;\ntypedef Log *Pointer;"},
      {"a function with host types", "float f(float x) { return x; }",
       "std::vector<float> g(const std::vector<float> &v) { return v; }\ntemplate <class T> void h() { std::cout << 1; "
       "}"},
      {"main and a launch", "template <bool B = true> __device__ float f(float x) { return x; }",
       "int main() { k<<<1, 32>>>(0); }"},
      {"an instance of a host template", "__device__ float f(float x) { return x; }",
       "template <class T> void launch(T *p) { k<<<1, 32>>>(p); }\ntemplate void launch<float>(float *);"},
      {"a lambda of the host", "__device__ float f(float x) { return x; }",
       "auto print = [](int x) { std::cout << x; };\nstd::function<void()> later = [] { exit(1); };"},
      {"a library", "__device__ float f(float x) { return x; }",
       "using namespace std;\nvoid sort_all() { thrust::sort(a, b); }\nvoid mul(cublasHandle_t h) {}"},
  };
  for (const auto& c : cases) {
    const std::string kept = c.kept, host = c.host;
    EXPECT_EQ(left_of(host + "\n" + kept + "\n" + kernel), kept + " " + kernel) << c.name;
    EXPECT_EQ(left_of(kept + "\n" + kernel + "\n" + host), kept + " " + kernel + " ") << c.name;
  }
}

TEST(DevicePart, WhatDeviceCodeNeedsStays) {
  for (const char* text : {
           "constexpr int N = 4; static int helper(int x) { return x + N; } __global__ void k(int *p) { p[0] = "
           "helper(1); }",
           "struct P { float x; __device__ float f() const { return x; } }; __global__ void k(P p, float *q) { q[0] = "
           "p.f(); }",
           "typedef float real; using R = real; template <class T> struct W { T v; }; __global__ void k(W<R> w) {}",
           "__device__ int a; __device__ int *const table[2] = {&a, &a}; __constant__ const char *c = \"x\"; "
           "__global__ void "
           "k() {}",
           "enum { rows = 4 }; #define CALL(x) twice(x)\nint twice(int x) { return 2 * x; } __global__ void k(int *p) "
           "{ p[0] = "
           "CALL(rows); }",
           "namespace n { template <class T> T one() { return T(1); } } using namespace n; __global__ void k(int *p) { "
           "p[0] = "
           "one<int>(); }",
           "static const float weights[] = {1, 2, 3}; __global__ void k(float *p) { p[0] = weights[threadIdx.x]; }",
           "struct A; struct B { A *a; }; __global__ void k(B b) {}",
       }) {
    std::string spaced(text);
    if (const std::size_t hash = spaced.find(" #define"); hash != std::string::npos) spaced[hash] = '\n';
    const Source s = read_well(spaced);
    EXPECT_EQ(s.device_text, s.text);
    EXPECT_FALSE(s.has_host_code) << text;
  }
}

TEST(DevicePart, HostMembersGoOutOfClassesThatDeviceCodeNeeds) {
  EXPECT_EQ(left_of("struct V { float x; void print() const { std::cout << x; } void save(const std::string &s); "
                    "friend std::ostream &operator<<(std::ostream &o, const V &v); __device__ float get() const { "
                    "return x; } };\n"
                    "void V::save(const std::string &s) { FILE *f = 0; }\n"
                    "__global__ void k(V v, float *p) { p[0] = v.get(); }"),
            "struct V { float x; __device__ float get() const { return x; } }; "
            "__global__ void k(V v, float *p) { p[0] = v.get(); }");
}

TEST(DevicePart, WhatIsSaidToBeOfTheHostGoes) {
  EXPECT_EQ(left_of("struct V { float x; float __host__ sum() const { return total(x); } __host__ void save(); "
                    "__host__ __device__ float get() const { return x; } };\n"
                    "__host__ void report(V v) { total(v.x); }\n"
                    "__global__ void k(V v, float *p) { p[0] = v.get(); }"),
            "struct V { float x; __host__ __device__ float get() const { return x; } }; "
            "__global__ void k(V v, float *p) { p[0] = v.get(); }");
}

TEST(DevicePart, ANameWithUnderscoresIsAFunctionWhereABodyFollows) {
  EXPECT_EQ(
      left_of("template <class T>\nvoid __check__(T code, int line) { exit(code); }\nvoid fill(int *p) { srand(1); }\n"
              "void __attribute__((noinline)) __my_attribute__(3) g() { srand(2); }\n"
              "__global__ void __launch_bounds__(32) k(int *p) { p[0] = 1; }"),
      "__global__ void __launch_bounds__(32) k(int *p) { p[0] = 1; }");
}

// `struct` is no name that one declaration shares with another.
TEST(DevicePart, AStructureWithoutANameIsCalledByItsTypedef) {
  EXPECT_EQ(left_of("typedef struct { FILE *file; int n; } Loader;\ntypedef struct { int n; } Params;\n"
                    "__global__ void k(Params p, int *q) { struct Local { int n; } l; l.n = p.n; q[0] = l.n; }"),
            "typedef struct { int n; } Params; "
            "__global__ void k(Params p, int *q) { struct Local { int n; } l; l.n = p.n; q[0] = l.n; }");
}

// A kernel's `p.next` says nothing of a class that the kernel does not know.
TEST(DevicePart, AMemberIsMeantWhereItsClassIsKnown) {
  EXPECT_EQ(left_of("struct Loader { FILE *file; int next; void reset() { fseek(file, 0); } };\n"
                    "struct Node { int next; __device__ int reset() { return next; } };\n"
                    "__global__ void k(Node *p, int *q) { int next = p->reset(); q[0] = next + p->next; }"),
            "struct Node { int next; __device__ int reset() { return next; } }; "
            "__global__ void k(Node *p, int *q) { int next = p->reset(); q[0] = next + p->next; }");
}

TEST(DevicePart, FunctionsOfAClassArePartsOfTheirOwn) {
  const Source s = read_well(
      "struct S {\n  int n;\n  S() : n(0) { a(); }\n  ~S() { b(); }\n  __device__ int f() { return n; }\n"
      "  __device__ int g() { return h(); }\n};\n"
      "__global__ void k(S s, int *p) { p[0] = s.f(); }\n");
  const std::vector<bool> needed = needed_parts(s.parts, {"k"});
  std::string out;
  for (std::size_t i = 0; i < s.parts.size(); ++i) {
    const Part& p = s.parts[i];
    out += p.name + (p.inside >= 0 ? " in " + s.parts[static_cast<std::size_t>(p.inside)].name : "") +
           (p.implicit ? " implicit" : "") + (needed[i] ? " needed" : "") + " " +
           s.device_text.substr(p.body_begin, p.body_end - p.body_begin) + "\n";
  }
  EXPECT_EQ(out,
            "S needed \nS in S implicit needed : n(0) { a(); }\nS in S implicit needed { b(); }\n"
            "f in S needed { return n; }\ng in S { return h(); }\nk needed { p[0] = s.f(); }\n");
}

TEST(DevicePart, PartsKnowWhatTheyNeed) {
  const Source s = read_well(
      "__device__ int f(int x) { return x; }\n__device__ int g(int x) {\n  return f(x);\n}\n"
      "__global__ void k(int *p) { p[0] = g(1); }\n__global__ void other(int *p) { p[0] = unknown(1); }\n"
      "using namespace absent;\nnamespace n {\n__global__ void l(int *p) { p[0] = f(1); }\n}\n");
  std::string out;
  const auto needed = [&](const std::string& kernel) {
    const std::vector<bool> all = needed_parts(s.parts, {kernel});
    std::string names;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i]) names += s.parts[i].name + " ";
    return names;
  };
  EXPECT_EQ(needed("k"), "f g k ");
  EXPECT_EQ(needed("n::l<int>"), "f l ");
  ASSERT_EQ(s.parts.size(), 6U);
  EXPECT_EQ(s.parts[1].first_line, 2);
  EXPECT_EQ(s.parts[1].last_line, 4);
}

TEST(DevicePart, FunctionsAreListed) {
  const Source s = read_data("statement_shapes.cu");
  const auto named = [&](const std::string& n) {
    for (const Function& f : s.functions) {
      if (f.name == n) return f;
    }
    return Function{};
  };
  EXPECT_TRUE(named("shapes").is_kernel);
  EXPECT_TRUE(named("shapes").is_template);
  EXPECT_EQ(named("shapes").launch_bounds, (std::vector<std::string>{"128", "2"}));
  ASSERT_EQ(named("shapes").parameters.size(), 4U);
  EXPECT_EQ(named("shapes").parameters[0].name, "in");
  EXPECT_EQ(named("shapes").parameters[3].name, "mode");
  EXPECT_TRUE(named("half_of").is_device);
  EXPECT_TRUE(named("plain").is_kernel);
  EXPECT_FALSE(named("exchange").name.empty());
}

}  // namespace
}  // namespace lanescope::source
