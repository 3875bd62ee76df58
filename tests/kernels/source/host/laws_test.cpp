// The interpreter against compiled programs, and against texts that are none.

#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include <fmt/format.h>

#include "kernels/source/cxx/outline.h"
#include "tests/kernels/source/host/oracle.h"
#include "tests/kernels/source/host/random_programs.h"

namespace lanescope::source::test {
namespace {

/// Programs in one process: compiling one by one would take minutes.
TEST(HostRunLaw, RandomProgramsDoWhatTheCompiledOnesDo) {
  constexpr std::uint32_t batches = 6, each = 12;
  int launches = 0;
  for (std::uint32_t batch = 0; batch < batches; ++batch) {
    std::string all, main = "int main() {\n";
    std::vector<std::string> programs;
    for (std::uint32_t i = 0; i < each; ++i) {
      const std::string program = random_program(100 * batch + i);
      programs.push_back(program);
      std::string inner = program;
      inner.replace(inner.find("int main() {"), 12, "void body() {");
      // macros are the same in all of them
      all += fmt::format("namespace n{} {{\n{}}}\n#undef MIX\n", i, inner);
      main += fmt::format("  buffers_.clear(); log_ += \"== {0}\\n\"; n{0}::body();\n", i);
    }
    const auto expected = compiled_log(all + main + "}\n");
    if (!expected) GTEST_SKIP() << "there is no g++ here: host programs are not compared with compiled ones";
    std::string got;
    for (std::uint32_t i = 0; i < each; ++i) {
      const HostRun run = run_text(programs[i]);
      launches += static_cast<int>(run.launches.size());
      const std::string mine = log_of(run);
      const std::string mark = fmt::format("== {}\n", i);
      const std::size_t from = expected->find(mark);
      ASSERT_NE(from, std::string::npos);
      const std::size_t first = from + mark.size();
      const std::string theirs = expected->substr(first, expected->find("== ", first) - first);
      std::string notes;
      for (const std::string& n : run.notes) notes += "  " + n + "\n";
      ASSERT_EQ(mine, theirs) << "seed " << 100 * batch + i << "\n" << programs[i] << notes;
    }
  }
  EXPECT_GT(launches, 300);
}

/// Cuts, splices and swaps of tokens: the interpreter ends, whatever the text is.
TEST(HostRunLaw, MutatedProgramsEnd) {
  using Clock = std::chrono::steady_clock;
  std::mt19937 random(11);
  const HostLimits limits{.steps = 60'000, .loop_steps = 20'000, .bytes = 4 << 20};
  std::chrono::duration<double> worst{};
  for (int round = 0; round < 10'000; ++round) {
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
    const auto start = Clock::now();
    const Lexed lexed = lex(text);
    const HostRun run = run_host(lexed, outline(lexed), limits);
    worst = std::max<std::chrono::duration<double>>(worst, Clock::now() - start);
    ASSERT_LE(run.steps, 4 * limits.steps) << text;
    ASSERT_LE(run.launches.size(), limits.launches);
  }
  EXPECT_LT(worst.count(), 2.0);
}

TEST(HostRunLaw, DeepAndLongTextsEnd) {
  const auto repeated = [](const std::string& s, int n) {
    std::string out;
    for (int i = 0; i < n; ++i) out += s;
    return out;
  };
  std::string macros = "#define M0(x) x x\n";
  for (int i = 1; i < 40; ++i) macros += fmt::format("#define M{}(x) M{}(M{}(x))\n", i, i - 1, i - 1);
  const std::string texts[] = {"int main() { int a = " + repeated("(", 900) + "1" + repeated(")", 900) + "; }",
                               "int main() { int a = " + repeated("-", 100'000) + "1; }",
                               "int main() { int a = 1" + repeated(" + 1", 100'000) + "; f<<<a, 1>>>(); }",
                               "int main() { " + repeated("if (1) ", 900) + "; }",
                               "int f(int n) { return f(n + 1) + f(n + 2); } int main() { f(1); }",
                               macros + "int main() { M39(a); }",
                               "int main() { for (;;) for (;;) for (;;) k<<<1, 1>>>(); }",
                               "int main() { int* p = (int*)malloc(1ull << 60); for (long i = 0; i < 1ll << 40; i++) "
                               "p[i] = i; k<<<1, 2>>>(p); }",
                               "struct A { A* a; A() { a = new A(); } }; int main() { A a; }",
                               "int main() { std::vector<std::vector<int>> v(1 << 30, std::vector<int>(1 << 30)); }",
                               "template <int N> int f() { return f<N + 1>(); } int main() { f<0>(); }",
                               "int main() { auto f = [&](auto g) { return g(g); }; f(f); }"};
  for (const std::string& text : texts) {
    const auto start = std::chrono::steady_clock::now();
    (void)run_text(text);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    EXPECT_LT(took.count(), 4.0) << text.substr(0, 200);
  }
}

}  // namespace
}  // namespace lanescope::source::test
