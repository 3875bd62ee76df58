// The interpreter against compiled programs, and against texts that are none.

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include <fmt/format.h>

#include "kernels/source/cxx/outline.h"
#include "tests/kernels/source/host/oracle.h"
#include "tests/kernels/source/host/random_programs.h"
#include "tests/rounds.h"
#include "tests/work.h"

namespace lanescope::source::test {
namespace {

/// Programs in one process: compiling one by one would take minutes. Returns the launches; -1: there is no compiler.
int compare_programs(std::string (*make)(std::uint32_t), std::uint32_t first, std::uint32_t count,
                     bool kernels_compute) {
  int launches = 0;
  std::string all, main = fmt::format("int main() {{\n  kernels_compute_ = {};\n", kernels_compute);
  std::vector<std::string> programs;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string program = make(first + i);
    programs.push_back(program);
    std::string inner = program;
    inner.replace(inner.find("int main() {"), 12, "void body() {");
    // macros are the same in all of them
    all += fmt::format("namespace n{} {{\n{}}}\n#undef MIX\n", i, inner);
    main +=
        fmt::format("  buffers_.clear(); symbols_.clear(); launches_ = 0; log_ += \"== {0}\\n\"; n{0}::body();\n", i);
  }
  const auto expected = compiled_log(all + main + "}\n");
  if (!expected) return -1;
  for (std::uint32_t i = 0; i < count; ++i) {
    const HostRun run = run_text(programs[i]);
    launches += static_cast<int>(run.launches.size());
    const std::string mine = log_of(run, kernels_compute);
    const std::string mark = fmt::format("== {}\n", i);
    const std::size_t from = expected->find(mark);
    if (from == std::string::npos) return ADD_FAILURE() << *expected, launches;
    const std::size_t begin = from + mark.size();
    const std::string theirs = expected->substr(begin, expected->find("== ", begin) - begin);
    std::string notes;
    for (const std::string& n : run.notes) notes += "  " + n + "\n";
    EXPECT_EQ(mine, theirs) << "seed " << first + i << "\n" << programs[i] << notes;
    if (mine != theirs) break;
  }
  return launches;
}

TEST(HostRunLaw, RandomProgramsDoWhatTheCompiledOnesDo) {
  constexpr std::uint32_t each = 36;
  const std::uint32_t batches = lanescope::test::exhaustive() ? 4 : 1;
  int launches = 0;
  for (std::uint32_t batch = 0; batch < batches && !HasFailure(); ++batch) {
    const int made = compare_programs(random_program, 100 * batch, each, false);
    if (made < 0) GTEST_SKIP() << "there is no g++ here: host programs are not compared with compiled ones";
    launches += made;
  }
  EXPECT_GT(launches, 150);
}

/// Operations of the host between launches, with kernels that change their buffers: at every launch each
/// buffer and each variable has the contents that it has in the compiled program.
TEST(HostRunLaw, ChangesBetweenLaunchesAreThoseOfTheCompiledPrograms) {
  constexpr std::uint32_t each = 50;
  const std::uint32_t batches = lanescope::test::exhaustive() ? 4 : 1;
  int launches = 0;
  for (std::uint32_t batch = 0; batch < batches && !HasFailure(); ++batch) {
    const int made = compare_programs(random_sequence, 100 * batch, each, true);
    if (made < 0) GTEST_SKIP() << "there is no g++ here: host programs are not compared with compiled ones";
    launches += made;
  }
  EXPECT_GT(launches, 200);
}

/// Cuts, splices and swaps of tokens: the interpreter ends for any text.
TEST(HostRunLaw, MutatedProgramsEnd) {
  std::mt19937 random(11);
  const HostLimits limits{.steps = 60'000, .loop_steps = 20'000, .bytes = 4 << 20};
  double worst = 0;
  const int rounds = test_rounds(500);
  for (int round = 0; round < rounds; ++round) {
    std::string text = random_program(static_cast<std::uint32_t>(round % 50));
    const std::string other = random_program(static_cast<std::uint32_t>(random() % 50));
    for (int n = 1 + static_cast<int>(random() % 4); n > 0; --n) {
      const std::size_t at = random() % text.size(), length = 1 + random() % 60;
      switch (random() % 6) {
        case 0:
          text.erase(at, length);
          break;
        case 1:
          text.insert(at, other.substr(random() % other.size(), length));
          break;
        case 2:
          text[at] = "(){}[]<>;,*&=+-/%:.\"'#\\0aA"[random() % 26];
          break;
        case 3:
          text.insert(at, std::string(length, "({[<-!*"[random() % 7]));
          break;
        case 4:
          text.insert(at, text.substr(at, length));
          break;
        default:
          text.resize(at);
          break;
      }
      if (text.empty()) text = ";";
    }
    const Work work;
    const Lexed lexed = lex(text);
    const HostRun run = run_host(lexed, outline(lexed), limits);
    worst = std::max(worst, work.loops());
    ASSERT_LE(run.steps, 4 * limits.steps) << text;
    ASSERT_LE(run.launches.size(), limits.launches);
  }
  EXPECT_LT(worst, 500);
}

TEST(HostRunLaw, DeepAndLongTextsEnd) {
  const auto repeated = [](const std::string& s, int n) {
    std::string out;
    for (int i = 0; i < n; ++i) out += s;
    return out;
  };
  // for @ = 2 .. n, with # one less
  const auto doubled = [](std::string_view s, int n) {
    std::string out;
    for (int i = 2; i <= n; ++i)
      for (const char c : s) out += c == '@' ? std::to_string(i) : c == '#' ? std::to_string(i - 1) : std::string(1, c);
    return out;
  };
  const int many = lanescope::test::exhaustive() ? 100'000 : 25'000;
  std::string macros = "#define M0(x) x x\n";
  for (int i = 1; i < 40; ++i) macros += fmt::format("#define M{}(x) M{}(M{}(x))\n", i, i - 1, i - 1);
  const std::string texts[] = {
      "int main() { int a = " + repeated("(", 900) + "1" + repeated(")", 900) + "; }",
      "int main() { int a = " + repeated("-", many) + "1; }",
      "int main() { int a = 1" + repeated(" + 1", many) + "; f<<<a, 1>>>(); }",
      "int main() { " + repeated("if (1) ", 900) + "; }",
      "int f(int n) { return f(n + 1) + f(n + 2); } int main() { f(1); }", macros + "int main() { M39(a); }",
      "int main() { for (;;) for (;;) for (;;) k<<<1, 1>>>(); }",
      "int main() { int* p = (int*)malloc(1ull << 60); for (long i = 0; i < 1ll << 40; i++) "
      "p[i] = i; k<<<1, 2>>>(p); }",
      "struct A { A* a; A() { a = new A(); } }; int main() { A a; }",
      "int main() { std::vector<std::vector<int>> v(1 << 30, std::vector<int>(1 << 30)); }",
      "template <int N> int f() { return f<N + 1>(); } int main() { f<0>(); }",
      "int main() { auto f = [&](auto g) { return g(g); }; f(f); }",
      // structures that hold themselves
      "struct s { s a{}; }; int main() { s x; k<<<1, 1>>>(x); }",
      "struct s { s a; }; int main() { s x; s y = {}; k<<<1, 1>>>(y); }",
      "struct s { s a[2]; int b; }; __global__ void k(s); int main() { s x{}; k<<<1, 1>>>(x); }",
      "struct a; struct b { a x{}; }; struct a { b y{}; }; int main() { b z; }",
      "struct s { std::vector<s> v{{}, {}}; }; int main() { s x; s y{}; }",
      "struct s { std::vector<s> v = std::vector<s>(2); }; int main() { s x; s y{}; }",
      "struct s { s* p = new s{}; }; int main() { s x; s y{}; }",
      "struct s { int a = s{}.a; }; int main() { s x; s y{}; }",
      "struct s : s { s(int) {} s() : x(s()) {} s* x; }; int main() { s x; s y{1}; }",
      // types that are deep or wide
      "struct e1 { int a; };\n" + doubled("struct e@ { e# x{}; };\n", 20'000) +
          "int main() { e20000 x; e2 y; e59 z; e60 u; k<<<1, 1>>>(x, y, z, u); }",
      "struct e1 {};\n" + doubled("struct e@ { e# x, y; };\n", 300) +
          "int main() { e300 x; e60 y; e30 z; e30 u{}; k<<<1, 1>>>(y, z, u); }",
      "struct e1 { int a; };\n" + doubled("struct e@ : e#, e# {};\n", 300) +
          "int main() { e300 x; e60 y{}; e30 z; k<<<1, 1>>>(y, z); }",
      "struct e {}; struct f { e a[1 << 30]; e b[1 << 30]; }; int main() { f x; k<<<1, 1>>>(x); }",
      "int main() { int a" + repeated("[1]", many) + " = {}; k<<<a[0], 1>>>(a); }",
      "struct s { int a" + repeated("[1]", many) + "; }; int main() { s x{}; k<<<1, 1>>>(x); }",
      "int main() { int " + repeated("*", many) + "p = nullptr; k<<<1, 1>>>(p, ***p, p + 1); }",
      "typedef int* q1;\n" + doubled("typedef q#* q@;\n", 5000) +
          "q5000 f(q5000 p) { return p + 1; } int main() { q5000 p = new q4999; k<<<1, 1>>>(f(p), *p, p[1]); }",
      "using q1 = std::vector<int>;\n" + doubled("using q@ = std::vector<q#>;\n", 5000) +
          "int main() { q5000 p; q60 r(3); p.push_back({}); k<<<p.size(), 1>>>(r.data(), p[0]); }",
      // operators that stand before an operand
      "int main() { " + repeated("delete ", many) + "p; }", "int main() { " + repeated("delete[] ", many) + "p; }",
      "int main() { int a = " + repeated("sizeof ", many) + "a; }",
      "int main() { int a = " + repeated("sizeof(", many) + "a" + repeated(")", many) + "; }",
      "int main() { int a = " + repeated("new ", many) + "int; }",
      "int main() { int a = " + repeated("new int[", many) + "1" + repeated("]", many) + "; }",
      "int main() { int a = " + repeated("throw ", many) + "1; }",
      "int main() { int a = " + repeated("1 ? ", many) + "1; }",
      "int main() { return " + repeated("int(", many) + "1" + repeated(")", many) + "; }",
      "int main() { s a" + repeated("{", many) + repeated("}", many) + "; }"};
  for (const std::string& text : texts) {
    const Work work;
    (void)run_text(text);
    EXPECT_LT(work.loops(), 1000) << text.substr(0, 200);
  }
}

}  // namespace
}  // namespace lanescope::source::test
