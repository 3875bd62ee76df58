// Loops that fill arrays, against compiled programs; rand() of the C library; runs that are taken from the cache.

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include <fmt/format.h>

#include "kernels/source/cxx/outline.h"
#include "kernels/source/host/c_random.h"
#include "kernels/source/host/host_run.h"
#include "tests/kernels/source/host/oracle.h"
#include "tests/rounds.h"

namespace lanescope::source::test {
namespace {

class RandomFill {
 public:
  explicit RandomFill(std::uint32_t seed, int most = 300) : random_(seed), most_(most) {}

  /// Statements that allocate, fill and launch.
  std::string program() {
    const std::string type = one({"float", "double", "int", "unsigned", "short", "unsigned char", "long"});
    const std::string counter = one({"int", "unsigned", "size_t", "long"});
    counter_ = counter == "int" || counter == "long" ? "(i % 11)" : "i";
    const int n = 1 + static_cast<int>(random_() % static_cast<unsigned>(most_)),
              step = 1 + static_cast<int>(random_() % 3) % 2 * 2;
    std::string text =
        fmt::format("  {{ const int n = {}; float s = {}.25f; double w[] = {{0.5, -3, 7, 1e9}};\n", n, random_() % 9);
    text += fmt::format("    {0}* h = ({0}*)malloc(n * sizeof({0})); {0}* d; cudaMalloc(&d, n * sizeof({0}));\n", type);
    text += fmt::format("    std::vector<{}> v(n);\n    for (int k = 0; k < n; k++) h[k] = 0;\n", type);
    const std::string place = one({"i", "n - 1 - i", "i / 2"}), value = whole_for(type), other = whole_for(type);
    const std::string body[] = {
        fmt::format("h[{}] = {}; v[i] = {};", place, value, other), fmt::format("h[{}] = v[i] = {};", place, value),
        fmt::format("if ({} && i != 5) h[{}] = {}; else v[i] = {};", one({"i % 3", "i > 7", "n - i"}), place, value,
                    other),
        fmt::format("if (i % 4 == 1 || i > 40) {{ if (i & 2) h[i] = {}; v[i] = {}; }}", value, other),
        fmt::format("double t = {}; const auto u = (int)i % 5; v[i] = t < 100 && t >= 0 ? ({})t : u; h[{}] = u;",
                    expression(2), type, place),
        type == "float" || type == "double"
            ? fmt::format("h[i] = {}({}); v[i] = pow({}, {}) + {}(i * 0.3);",
                          one({"sin", "cosf", "sqrt", "exp", "tanhf"}), one({"i * 0.25f", "i * 0.25", "(float)i", "i"}),
                          one({"1.5f", "2.0", "i"}), one({"0.5f", "2", "0.25"}), one({"sinf", "log", "fabs", "atanf"}))
            : "h[i] = i; v[i] = 1;",
        // in order: what the loop reads it has written before
        fmt::format("h[{}] = {}; v[i] = h[i] + h[n - 1 - i] {} 3;", place, value, one({"+", "-", "*"})),
        fmt::format("h[i] {}= 1; v[n - 1 - i] {}= i % 5 + 1; {}h[i / 2];", one({"+", "-", "*"}), one({"+", "-", "*"}),
                    one({"++", "--"})),
        fmt::format("c {}= 3; g = g * 5u + (unsigned)c; if (i % {}) c = {}; h[i] = c; v[i] = (g >> 16) % 100;",
                    one({"+", "-"}), 1 + random_() % 4, one({"c + 1", "i", "r"})),
        fmt::format("int j = c % n; {0} t = h[i]; h[i] = h[j]; h[j] = t; c{1}; v[j]{1};", type, one({"++", " += 7"})),
        fmt::format(
            "m[{0}][1] = i % 9; q[{1}].y = m[{0}][1] + 2; q[i].x = q[{1}].y; v[i] = q[i].x; h[i] = *(m[{0}] + 1);",
            random_() % 3, one({"i", "n - 1 - i", "i / 2"})),
        "int e = 2; e += i % 3; t0 = e * 2; h[i] = t0; v[c++] = e; t0 = 0;",
        fmt::format("c += next(5, c); h[i] = bounded(next(i % {}, c)); v[i] = bounded((int)(real(0, 90) * 3));",
                    2 + random_() % 5)};
    text += "    int c = 0, t0, m[3][2] = {}; int& r = c; struct { float x; int y; } q[n] = {};\n";
    const std::string& chosen = body[random_() % std::size(body)];
    const std::string from = std::to_string(random_() % 2);
    if (random_() % 4 == 0)
      text +=
          fmt::format("    int i = {}; while (i < n) {{ {} {}; }}\n", from, chosen, one({"i++", "++i", "i = i + 1"}));
    else if (counter != "unsigned" && counter != "size_t" && random_() % 4 == 0)
      text +=
          fmt::format("    for ({} i = n - 1; i >= 0; {}) {{ {} }}\n", counter, one({"i--", "--i", "i -= 2"}), chosen);
    else
      text += fmt::format("    for ({0} i = {1}; i < ({0})n; {2}) {{ {3} }}\n", counter, from,
                          step == 1 ? one({"i++", "++i", "i += 1"}) : "i += 3", chosen);
    text += fmt::format(
        "    cudaMemcpy(d, h, n * sizeof({0}), cudaMemcpyHostToDevice); k<<<1, n>>>(d, (int)(sum(v) > 0));"
        "\n  }}\n",
        type);
    return text;
  }

 private:
  std::string one(const std::vector<std::string>& of) { return of[random_() % of.size()]; }
  /// Of a value that the type holds: from a float to an integer it must.
  std::string whole_for(const std::string& type) {
    return type == "float" || type == "double" ? expression(3) : fmt::format("({})({}) % 100", "long", small(3));
  }
  std::string small(int depth) {
    if (depth == 0) return one({counter_, "3", "n", "17u", "(rand() % 5)", "(i > 4 ? 2 : 9)"});
    return fmt::format("({} {} {})", small(depth - 1), one({"+", "*", "&", "|", "^"}), one({counter_, "7", "5", "1u"}));
  }
  std::string expression(int depth) {
    if (depth == 0)
      return one({counter_, "0.5f", "2.25", "n", "s", "(float)rand() / (float)RAND_MAX", "float(rand() % 7)",
                  "w[i % 4]", "(double)i", "3"});
    switch (random_() % 6) {
      case 0:
        return fmt::format("(float)({})", expression(depth - 1));
      case 1:
        return fmt::format("({} < {} ? {} : {})", expression(depth - 1), expression(0), "1.5f", "2.5f");
      case 2:
        return fmt::format("-({})", expression(depth - 1));
      default:
        return fmt::format("({} {} {})", expression(depth - 1), one({"+", "-", "*"}), expression(depth - 1));
    }
  }

  std::mt19937 random_;
  int most_;
  std::string counter_;
};

/// That the loops call.
const std::string functions = R"(
int next(int by, int more) { int old = g % 50; g = g * 5u + (unsigned)by; by = by * 2 + more % 3; return old + by; }
int bounded(int n) { n %= 100; return n < 0 ? -n : n; }
float real(float low, float high) { float part = rand() / (float)RAND_MAX; return low + (high - low) * part; }
)";

/// Compiled operations against the tree: every launch, argument and byte is the same, over thousands of loops.
TEST(FillLoop, CompiledLoopsDoWhatTheTreeDoes) {
  const auto batches = static_cast<std::uint32_t>(test_rounds(15));
  std::uint32_t loops = 0;
  for (std::uint32_t batch = 0; batch < batches; ++batch) {
    std::string body =
        "template <typename T> double sum(std::vector<T>& v) { double s = 0; for (size_t i = 0; i < v.size(); "
        "i++) s += v[i]; return s; }\nunsigned g = 1;\n" +
        functions + "int main() {\n  srand(7);\n";
    for (std::uint32_t i = 0; i < 50; ++i, ++loops)
      body += RandomFill(1000 + 50 * batch + i, i % 4 == 0 ? 300 : 40).program();
    body += "}\n";
    HostLimits limits{.steps = 60'000'000, .loop_steps = 50'000'000};
    const HostRun compiled = run_text(interpreted_text(body), limits);
    limits.compiled_loops = false;
    const HostRun tree = run_text(interpreted_text(body), limits);
    EXPECT_LT(compiled.steps, tree.steps);
    ASSERT_EQ(log_of(compiled), log_of(tree)) << "batch " << batch << "\n" << body;
    EXPECT_EQ(tree.launches.size(), 50u);
  }
  EXPECT_EQ(loops, 50 * batches);
}

TEST(FillLoop, RandomLoopsDoWhatTheCompiledOnesDo) {
  const auto count = static_cast<std::uint32_t>(test_rounds(40));
  std::string body =
      "template <typename T> double sum(std::vector<T>& v) { double s = 0; for (size_t i = 0; i < v.size(); "
      "i++) s += v[i]; return s; }\nunsigned g = 1;\n" +
      functions + "int main() {\n  srand(5);\n";
  for (std::uint32_t i = 0; i < count; ++i) body += RandomFill(i).program();
  body += "}\n";
  const auto expected = compiled_log(body);
  if (!expected) GTEST_SKIP() << "there is no g++ here: host programs are not compared with compiled ones";
  const HostRun run = run_text(interpreted_text(body));
  EXPECT_EQ(run.launches.size(), count);
  EXPECT_EQ(log_of(run), *expected);
}

/// Each of these is done without the tree, and gives the same contents.
TEST(FillLoop, LoopsThatReadWhatTheyWriteAreCompiled) {
  for (const char* loop :
       {"for (int i = 0; i < n; i++) { h[i] = i; u[i] = 2; h[i] = h[i] + u[i]; }",
        "for (int i = 1; i < n; i++) h[i] = h[i - 1] + i % 3;",
        "int s = 0; for (int i = 0; i < n; i++) { s += i; h[i] = s; }",
        "for (int i = 0; i < n; i++) { seed = seed * 1103515245u + 12345u; h[i] = seed >> 16; }",
        "int i = 0; while (i < n) { h[i] = i % 7; i++; }",
        "for (int i = 0; i < n; i++) { int s = i % 9; h[i] = lcg(s, 3) + real() * 10 + s; }",
        "for (int i = 5, k = 0; i < n; i++, k += 1) h[i] = u[k] + k;",
        "for (int i = n - 1; i > 0; i--) { int j = rand() % (i + 1), t = h[i]; h[i] = h[j]; h[j] = t; }",
        "for (int i = 0; i < n; i++) ++u[i % 10]; for (int i = 0; i < n; i++) h[i] = u[i];",
        "for (int i = 0; i < n; i++) { q[i].y = i; q[i].x = q[i].y * 0.5f; } "
        "for (int i = 0; i < n; i++) *(h + i) = q[i].x + q[i].y;",
        "for (int y = 0; y < 40; y++) for (int x = 0; x < 100; x++) m[y][x] = x - y; "
        "for (int y = 0; y < 40; y++) for (int x = 0; x < 100; x++) h[y * 100 + x] = m[y][x];"}) {
    const std::string program = interpreted_text(fmt::format(R"(
struct Point {{ float x; int y; }};
unsigned seed = 42;
int lcg(int by, int s) {{ seed = seed * 5u + by; by = s; return (seed >> 16) + by; }}
float real() {{ return rand() / (float)RAND_MAX; }}
int m[40][100];
int main() {{
  const int n = 4000;
  int *h = (int*)malloc(n * 4), *u = (int*)calloc(n, 4), *d;
  Point* q = (Point*)malloc(n * sizeof(Point));
  memset(h, 1, n * 4);
  {}
  cudaMalloc(&d, n * 4); cudaMemcpy(d, h, n * 4, cudaMemcpyHostToDevice);
  k<<<1, 64>>>(d, u[3], (int)seed);
}})",
                                                             loop));
    const HostRun compiled = run_text(program), tree = run_text(program, {.compiled_loops = false});
    EXPECT_EQ(log_of(compiled), log_of(tree)) << loop;
    EXPECT_LT(compiled.steps, tree.steps / 8) << loop;
  }
}

/// Two names of one variable, and arrays that lead to a variable.
TEST(FillLoop, VariablesOfSeveralNamesAreOne) {
  computes_what_is_compiled(R"(
int main() {
  int x = 1, *h = (int*)malloc(400), *d;
  int& same = x;
  int* to = &x;
  for (int i = 0; i < 30; i++) { h[i] = same; x += 2; }
  for (int i = 30; i < 60; i++) { h[i] = x; same = same + i; }
  for (int i = 60; i < 99; i++) { x++; h[i] = to[0]; }
  int last;
  for (int i = 0; i < 9; i++) last = h[i] = i;
  h[99] = last + same;
  cudaMalloc(&d, 400); cudaMemcpy(d, h, 400, cudaMemcpyHostToDevice);
  k<<<1, 1>>>(d, x, last);
})");
}

TEST(FillLoop, SizesInCalledFunctionsAreThoseOfTheirVariables) {
  computes_what_is_compiled(R"(
int f(double x) { int t = sizeof(x); return t + (int)x; }
int main() {
  int n = 64, *h = (int*)calloc(n, 4), *d;
  char c = 1;
  for (int i = 0; i < n; i++) h[i] = f(i) + sizeof(c);
  cudaMalloc(&d, 256); cudaMemcpy(d, h, 256, cudaMemcpyHostToDevice);
  k<<<1, 1>>>(d, h[9]);
})");
}

/// Other names of an element: a pointer to a structure, references, also as bound, step and counter.
TEST(FillLoop, StoresChangeWhatElseIsReadOfTheirArray) {
  computes_what_is_compiled(R"(
struct P { int x, y; };
int main() {
  int n = 64, *h = (int*)calloc(n, 4), *d;
  P* p = (P*)calloc(n, 8);
  P* q = &p[0];
  q->x = 5;
  for (int i = 0; i < n; i++) p[i].x = q->x + 1;
  int &r = h[0], &bound = h[40], &step = h[7];
  r = 5, bound = 50, step = 1;
  for (int i = 0; i < n; i++) h[i] = r + 1;
  cudaMalloc(&d, 256); cudaMemcpy(d, h, 256, cudaMemcpyHostToDevice);
  k<<<1, 1>>>(d, p[0].x, p[63].x);
  bound = 50;
  for (int i = 0; i < bound; i++) h[i] = 7 + i;
  step = 1;
  for (int i = 0; i < n; i += step) h[i] = 3;
  cudaMemcpy(d, h, 256, cudaMemcpyHostToDevice);
  k<<<1, 1>>>(d, h[0], h[63]);
  P s{1, 2}, *of_s = &s;
  int& x = s.x;
  for (int i = 0; i < n; i++) { x += i; h[i] = of_s->x; }
  int i = 0, *to = &i;
  for (i = 0; i < n; i++) h[i] += to[0];
  cudaMemcpy(d, h, 256, cudaMemcpyHostToDevice);
  k<<<1, 1>>>(d, h[0], h[63]);
})");
}

TEST(FillLoop, ConditionsAreEvaluatedOncePerIteration) {
  computes_what_is_compiled(R"(
int g = 1;
int bump(int n) { g += 1; return n; }
int main() {
  int n = 64, *h = (int*)malloc(256), *d;
  for (int i = 0; i < bump(n); i++) h[i] = g;
  for (int i = 0; i < n && bump(1); i++) h[i] += i;
  cudaMalloc(&d, 256); cudaMemcpy(d, h, 256, cudaMemcpyHostToDevice);
  k<<<1, 1>>>(d, g);
})");
}

/// The tree continues a loop from the iteration at which the fill loop stops.
TEST(FillLoop, StopsWhereTheTreeHasToSayWhatIsWrong) {
  const std::string program = R"(int main() {
  int *h = (int*)malloc(64 * 4), *d; cudaMalloc(&d, 64 * 4);
  for (int i = 0; i < 64; i++) h[i] = 100 / (i + 1 - 64 * (i == 40 ? 0 : 0));
  for (int i = 0; i < 64; i++) h[i] = h[i];
  cudaMemcpy(d, h, 64 * 4, cudaMemcpyHostToDevice);
  k<<<1, 64>>>(d, 1);
})";
  const auto expected = compiled_log(program);
  if (!expected) GTEST_SKIP() << "there is no g++ here: host programs are not compared with compiled ones";
  EXPECT_EQ(log_of(run_text(interpreted_text(program))), *expected);
  const HostRun zero =
      run_text(interpreted_text("int main() { int *h = (int*)malloc(64), *d; cudaMalloc(&d, 64); for (int i = 0; i < "
                                "16; i++) h[i] = 8 / (8 - i);\n"
                                " cudaMemcpy(d, h, 64, cudaMemcpyHostToDevice); k<<<1, 16>>>(d, 1); }"));
  ASSERT_EQ(zero.buffers.size(), 1u);
  EXPECT_FALSE(zero.buffers[0].contents);
  EXPECT_NE(zero.buffers[0].because.find("divides by zero"), std::string::npos) << zero.buffers[0].because;
}

/// Four million elements are within the steps of a run, and the array holds them.
TEST(FillLoop, LargeArraysAreFilled) {
  const HostRun run = run_text(interpreted_text(
      "int main() { const int n = 1 << 22; float *h = (float*)malloc(n * 4), *d; cudaMalloc(&d, n * 4);\n"
      " for (int i = 0; i < n; i++) h[i] = (i % 1000) * 0.5f;\n"
      " cudaMemcpy(d, h, n * 4, cudaMemcpyHostToDevice); k<<<n / 256, 256>>>(d, n); }"));
  ASSERT_EQ(run.buffers.size(), 1u);
  ASSERT_TRUE(run.buffers[0].contents) << run.buffers[0].because;
  float value = 0;
  std::memcpy(&value, run.buffers[0].contents->data() + 4 * 4'000'123, 4);
  EXPECT_EQ(value, 61.5f);
  EXPECT_LT(run.steps, 2'000'000u);
}

/// Arrays of 128 MiB, as many examples have them, are known where nothing but their own bytes has to be recorded.
TEST(FillLoop, ArraysThatAreFilledInOrderNeedTheirOwnBytesOnly) {
  const HostRun run = run_text(interpreted_text(
      "int main() { const int n = 1 << 25; float *x = (float*)malloc(n * 4), *y = new float[n], *a, *b;\n"
      " cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4);\n"
      " for (int i = 0; i < n; i++) { x[i] = 2.0; y[i] = i; }\n"
      " cudaMemcpy(a, x, n * 4, cudaMemcpyHostToDevice); cudaMemcpy(b, y, n * 4, cudaMemcpyHostToDevice);\n"
      " k<<<n / 256, 256>>>(a, b, n); }"));
  ASSERT_EQ(run.buffers.size(), 2u);
  for (int b = 0; b < 2; ++b) {
    ASSERT_TRUE(run.buffers[b].contents) << run.buffers[b].because;
    std::vector<float> values(run.buffers[b].contents->size() / 4);
    std::memcpy(values.data(), run.buffers[b].contents->data(), 4 * values.size());
    for (std::size_t i = 0; i < values.size(); i += 997)
      ASSERT_EQ(values[i], b == 0 ? 2.0f : static_cast<float>(i)) << b << " " << i;
  }
  EXPECT_LT(run.steps, 2'500'000u);
}

/// Floats of 8 and 16 bits are those of the tree.
TEST(FillLoop, NarrowFloatsAreRoundedAsTheTreeDoesIt) {
  for (const char* type : {"half", "__nv_bfloat16", "__nv_fp8_e4m3", "__nv_fp8_e5m2"})
    for (const char* value :
         {"2.0", "i * 0.37f", "(float)rand() / RAND_MAX", "i - 300", "(i % 7) * 1e-7", "1e30 * i", "u"}) {
      const std::string made = type == std::string("half")            ? fmt::format("__float2half({})", value)
                               : type == std::string("__nv_bfloat16") ? fmt::format("__float2bfloat16({})", value)
                                                                      : fmt::format("({})({})", type, value);
      const std::string text = interpreted_text(
          fmt::format("int main() {{ const int n = 1000; {0} *h = ({0}*)malloc(n * sizeof({0})), *g = new {0}[n], *d, "
                      "*e; unsigned u = "
                      "77777;\n cudaMalloc(&d, n * sizeof({0})); cudaMalloc(&e, n * sizeof({0}));\n"
                      " for (int i = 0; i < n; i++) h[i] = {1};\n for (int i = 0; i < n; i++) g[i] = {2};\n"
                      " cudaMemcpy(d, h, n * sizeof({0}), cudaMemcpyHostToDevice); cudaMemcpy(e, g, n * sizeof({0}), "
                      "cudaMemcpyHostToDevice); k<<<1, n>>>(d, e); }}",
                      type, value, made));
      const HostRun compiled = run_text(text), tree = run_text(text, {.compiled_loops = false});
      ASSERT_EQ(compiled.buffers.size(), 2u);
      for (int b = 0; b < 2; ++b) {
        ASSERT_TRUE(compiled.buffers[b].contents) << text;
        ASSERT_TRUE(tree.buffers[b].contents) << text;
        EXPECT_EQ(*compiled.buffers[b].contents, *tree.buffers[b].contents) << b << text;
      }
      EXPECT_LT(3 * compiled.steps, tree.steps) << text;
    }
}

TEST(CRandom, IsThatOfTheLibrary) {
#ifdef __GLIBC__
  for (const std::uint32_t seed : {0u, 1u, 2u, 42u, 2019u, 0x80000000u, 0xffffffffu}) {
    srand(seed);
    host::CRandom mine(seed);
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(mine.next(), rand()) << seed << " " << i;
  }
#else
  GTEST_SKIP() << "another C library";
#endif
}

TEST(HostCache, AnEditWithinAKernelTakesTheRunAgain) {
  const auto read = [](const std::string& text) {
    const Lexed lexed = lex(text);
    return cached_host_run(lexed, outline(lexed));
  };
  const std::string head = "__global__ void k(int* p) { p[0] = ", tail = "; }\nint main() { k<<<";
  const std::size_t before = host_cache_hits();
  EXPECT_EQ(read(head + "1" + tail + "7, 32>>>(0); }").launches.at(0).grid->at(0), 7u);
  EXPECT_EQ(host_cache_hits(), before);
  EXPECT_EQ(read(head + "2 + p[1]" + tail + "7, 32>>>(0); }").launches.at(0).grid->at(0), 7u);
  EXPECT_EQ(host_cache_hits(), before + 1);
  EXPECT_EQ(read(head + "1" + tail + "8, 32>>>(0); }").launches.at(0).grid->at(0), 8u);
  EXPECT_EQ(read("#define N 3\n" + head + "1" + tail + "N, 32>>>(0); }").launches.at(0).grid->at(0), 3u);
  EXPECT_EQ(read("#define N 4\n" + head + "1" + tail + "N, 32>>>(0); }").launches.at(0).grid->at(0), 4u);
  EXPECT_EQ(host_cache_hits(), before + 1);
  EXPECT_EQ(read(head + "1;\n\n" + tail + "8, 32>>>(0); }").launches.at(0).line, 4) << "lines are those of the text";
}

}  // namespace
}  // namespace lanescope::source::test
