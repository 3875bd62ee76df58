// Conditions of the preprocessor. The oracle is the preprocessor of the compiler that builds lanescope: for seeded random
// nests of conditions the same lines are active.

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>

#include "kernels/base/text.h"
#include "kernels/source/cxx/conditionals.h"
#include "tests/kernels/source/source_files.h"

namespace lanescope::source {
namespace {

namespace fs = std::filesystem;

/// Only what the text itself defines, so that both sides know the same.
MacroTable no_macros() { return {}; }

std::string active_text(const std::string& text, MacroTable macros = device_macros()) {
  return evaluate_conditionals("k.cu", text, std::move(macros)).files.front().text;
}

/// "1 4" of lines that are not blank.
std::string lines_left(const std::string& text) {
  std::string out;
  int number = 0;
  for (const std::string_view line : split_lines(text)) {
    ++number;
    if (!is_blank(line)) out += (out.empty() ? "" : " ") + std::to_string(number);
  }
  return out;
}

TEST(Conditionals, LinesAndColumnsStay) {
  const std::string text =
      "#if 0\r\nint a; // \xC3\xA4\n\tint b;\n#else // no\nint c; /* here */\n#endif\n  #  define N 3\nint d;";
  const std::string active = active_text(text);
  ASSERT_EQ(active.size(), text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    ASSERT_EQ(active[i] == '\n', text[i] == '\n') << i;
    ASSERT_TRUE(active[i] == text[i] || active[i] == ' ') << i;
  }
  EXPECT_EQ(active.find("int a"), std::string::npos);
  EXPECT_EQ(active.find("int b"), std::string::npos);
  EXPECT_EQ(active.find("int c; /* here */"), text.find("int c"));
  EXPECT_NE(active.find("#  define N 3\nint d;"), std::string::npos);
  EXPECT_EQ(active.find("#if"), std::string::npos);
}

TEST(Conditionals, WhatDeviceCompilersDefine) {
  const struct {
    const char* condition;
    bool holds;
  } cases[] = {
      {"defined(__CUDACC__) && __CUDA_ARCH__ >= 700", true},
      {"defined __CUDA_ARCH__ && (__CUDA_ARCH__ < 900)", false},
      {"defined(__GNUC__) || defined(_MSC_VER) || defined(__linux__)", false},
      {"__cplusplus > 201402L", true},
      {"CUDART_VERSION >= 11000 && !defined(NDEBUG)", true},
      {"UNKNOWN", false},
      {"!UNKNOWN", true},
      {"true && !false", true},
      {"1 ? 0 : 1", false},
      {"-1 > 0u", true},
      {"(1 << 4 | 3) == 0x13 and 'a' == 97", true},
      {"0 && 1 / 0", false},
      {"1 || 1 / 0", true},
      {"8 >> 1 == 4", true},
      {"__has_include(<nothing/here.h>)", false},
      {"__has_cpp_attribute(nodiscard) >= 201603L && __has_cpp_attribute(fallthrough) == 201603", true},
      {"__has_cpp_attribute(no_such_attribute) || __has_cpp_attribute(gnu::unused)", false},
      {"__has_cpp_attribute(no_unique_address)", false},
      {"defined __has_cpp_attribute && defined(__has_builtin) && !defined __has_embed", true},
      {"0xFFFFFFFFFFFFFFFF == -1 && 1'000 == 1000", true},
  };
  for (const auto& c : cases) EXPECT_EQ(condition(c.condition, device_macros()), std::optional(c.holds)) << c.condition;
  for (const char* none : {"", "__has_builtin(__builtin_expect)", "__has_attribute(unused)", "__has_feature(x)", "1 +",
                           "(1", "F(3)", "1 / 0", "defined", "defined(", "\"a\"", "1 2", "1 ? 2", "0xZ"})
    EXPECT_EQ(condition(none, device_macros()), std::nullopt) << none;
}

TEST(Conditionals, MacrosInConditions) {
  EXPECT_EQ(lines_left(active_text("#define V(a, b) ((a) * 100 + (b))\n#define CUDA V(11, 2)\n#if CUDA > V(11, 1)\n"
                                   "yes\n#else\nno\n#endif\n#undef V\n#ifdef V\nno\n#elif !defined V\nyes\n#endif\n")),
            "1 2 4 8 12");
  EXPECT_EQ(lines_left(active_text("#define A B\n#define B A\n#if A\nno\n#endif\n")), "1 2");
  EXPECT_EQ(lines_left(active_text("#define CAT(a, b) a##b\n#define X1 1\n#if CAT(X, 1)\nyes\n#endif\n")), "1 2 4");
  EXPECT_EQ(lines_left(active_text("#define N \\\n 3\n#if N == \\\n 3\nyes\n#endif\n")), "1 2 5");
  EXPECT_EQ(lines_left(active_text("#if /* one */ 1 // two\nyes\n#endif // three\n")), "1 2 3");
}

/// Names that only the compiler may define: NVRTC refuses a definition that a missing name would bring.
TEST(Conditionals, NamesOfTheCompiler) {
  for (const char* name : {"__has_include", "__has_cpp_attribute", "__has_attribute", "__has_builtin", "__has_feature",
                           "__has_extension", "__FILE__", "__LINE__"}) {
    const std::string word = name;
    EXPECT_EQ(lines_left(active_text("#ifndef " + word + "\n#define " + word + "(x) 0\n#endif\nyes\n")), "4") << word;
    EXPECT_EQ(lines_left(active_text("#ifdef " + word + "\nyes\n#else\nno\n#endif\n")), "2") << word;
  }
  EXPECT_EQ(
      lines_left(active_text("#if 0\n#elifndef __has_cpp_attribute\nno\n#elifdef __has_cpp_attribute\nyes\n#endif\n")),
      "5");
  EXPECT_EQ(lines_left(active_text("#if __has_cpp_attribute(maybe_unused)\nyes\n#else\nno\n#endif\n")), "2");
}

TEST(Conditionals, CommentsAndStringsHideDirectives) {
  EXPECT_EQ(lines_left(active_text("/*\n#if 0\n*/\nyes\n")), "1 2 3 4");
  EXPECT_EQ(lines_left(active_text("const char *s = R\"(\n#if 0\n)\";\nyes\n")), "1 2 3 4");
  EXPECT_EQ(lines_left(active_text("#if 0\ndon't\n/*\n#endif\n*/\n#endif\nyes\n")), "7");
}

TEST(Conditionals, GuardsAndConditionsInDoubtStay) {
  const std::string guarded = "// words\n#ifndef A_H\n#define A_H\nint a;\n#if 0\nint b;\n#endif\n#endif\n";
  EXPECT_EQ(lines_left(active_text(guarded)), "1 2 3 4 8");
  EXPECT_EQ(lines_left(active_text("#if UNKNOWN(3)\nint a;\n#else\nint b;\n#endif\n")), "1 3 4 5");
  EXPECT_EQ(lines_left(active_text("int a;\n#if 0\nint b;\n")), "1 2");
  EXPECT_EQ(lines_left(active_text("int a;\n#endif\nint b;\n")), "1 2 3");
}

TEST(Conditionals, MacrosOfIncludedFiles) {
  const std::map<std::string, std::string> texts = {
      {"a.h", "#ifndef A\n#define A\n#include \"b.h\"\n#define WARPS 4\n#endif\n"},
      {"b.h", "#pragma once\n#if SMALL\n#define TILE 16\n#else\n#define TILE 32\n#endif\n"},
      {"again.h", "#include \"again.h\"\n"}};
  std::vector<std::string> asked;
  const ReadInclude read_include = [&](std::string_view name, bool quoted, std::string_view from) {
    asked.push_back(std::string(from) + (quoted ? " \"" : " <") + std::string(name));
    const auto found = texts.find(std::string(name));
    return found == texts.end() ? std::nullopt : std::optional(IncludedText{found->first, found->second});
  };
  const std::string text =
      "#define SMALL 1\n#include \"a.h\"\n#include <vector>\n#if 0\n#include \"no.h\"\n#endif\n#define H \"b.h\"\n"
      "#include H\n#if TILE == 16 && WARPS == 4 && __has_include(\"a.h\") && !__has_include(\"c.h\")\nyes\n#endif\n"
      "#include \"again.h\"\n";
  const Conditionals all = evaluate_conditionals("k.cu", text, no_macros(), read_include);
  EXPECT_EQ(lines_left(all.files[0].text), "1 2 3 7 8 10 12");
  ASSERT_EQ(all.files.size(), 4U);
  EXPECT_EQ(all.files[1].file, "a.h");
  EXPECT_EQ(all.files[2].file, "b.h");
  EXPECT_EQ(lines_left(all.files[2].text), "1 3");
  EXPECT_EQ(lines_left(all.files[1].text), "1 2 3 4 5");
  std::string includes;
  for (const ActiveInclude& i : all.files[0].includes)
    includes += std::to_string(i.line) + (i.quoted ? "\"" : "<") + i.name + "=" + i.file + " ";
  EXPECT_EQ(includes, "2\"a.h=a.h 3<vector= 8\"b.h=b.h 12\"again.h=again.h ");
  ASSERT_EQ(all.files[1].includes.size(), 1U);
  EXPECT_EQ(asked.front(), "k.cu \"a.h");
  EXPECT_EQ(asked[1], "a.h \"b.h");
  EXPECT_TRUE(all.macros.contains("WARPS"));
}

TEST(Conditionals, OptionsOfCompilers) {
  MacroTable macros = device_macros();
  apply_options(macros,
                std::vector<std::string>{"-DA=3", "-D", "B", "-DF(x)=x+1", "-UNULL", "-std=c++20", "-lineinfo"});
  EXPECT_EQ(condition("A == 3 && B && F(1) == 2 && !defined(NULL) && __cplusplus == 202002L", macros), true);
}

TEST(Conditionals, ClaimsAndKernelsThatDoNotCountAreNone) {
  const Source s = read_well(
      "/*\n[lanescope]\noptions = [\"-DMODE=2\"]\n*/\n#if 0\n}\n__global__ void old(int *p) {}\n#endif\n"
      "__global__ void k(float *p) {\n#if MODE == 2\n  float x = p[threadIdx.x];\n#else\n  int x = 1;\n"
      "  // x has register assignment:\n  //   thread: j4 j3 j2 j1 j0\n#endif\n"
      "  // x has register assignment:\n  //   thread: i4 i3 i2 i1 i0\n  p[threadIdx.x] = x;\n}\n");
  ASSERT_EQ(s.functions.size(), 1U);
  EXPECT_EQ(s.functions[0].name, "k");
  ASSERT_EQ(s.claims.size(), 1U);
  EXPECT_EQ(s.claims[0].first_line, 18);
  EXPECT_GE(s.claims[0].probe, 0);
  EXPECT_EQ(s.device_text.size(), s.text.size());
  EXPECT_EQ(s.device_text.find("old"), std::string::npos);
  EXPECT_EQ(s.active_text.find("int x"), std::string::npos);
}

// --- the compiler's own preprocessor as oracle ---

class Conditions {
 public:
  explicit Conditions(unsigned seed) : random_(seed) {}

  /// Lines "@N" and conditions around them, in any order of nesting.
  std::string text() {
    out_ = "#define F(a) ((a) + 1)\n#define G(a, b) (a < b)\n#define SELF SELF\n#define CAT(a, b) a##b\n";
    line_ = 5;
    block(0);
    return out_;
  }

 private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  void add(const std::string& line) {
    out_ += line + "\n";
    ++line_;
  }
  std::string name() { return std::string(1, static_cast<char>('A' + pick(6))); }
  /// Within a macro's argument `defined` has no meaning that compilers agree on.
  std::string argument(int depth) {
    in_argument_ = true;
    return value(depth);
  }
  std::string condition_text() {
    in_argument_ = false;
    return value(0);
  }
  std::string value(int depth) {
    switch (pick(depth > 3 ? 4 : 11)) {
      case 0:
        return std::to_string(pick(5));
      case 1:
        return name();
      case 2:
        return in_argument_ ? name() : "defined(" + name() + ")";
      case 3:
        return in_argument_ || pick(2) != 0 ? "SELF" : "defined " + name();
      case 4:
        return "!" + value(depth + 1);
      case 5:
        return "(" + value(depth + 1) + ")";
      case 6:
        return "F(" + argument(depth + 1) + ")";
      case 7:
        return "G(" + argument(depth + 1) + ", " + argument(depth + 1) + ")";
      case 8:
        return "(" + value(depth + 1) + " ? " + value(depth + 1) + " : " + value(depth + 1) + ")";
      default: {
        constexpr const char* operators[] = {
            "+", "-", "*", "<", ">", "<=", ">=", "==", "!=", "&&", "||", "&", "|", "^", "<<", ">>", "%", "/"};
        const unsigned op = pick(18);  // what is divided by is no zero: that is an error, after which compilers differ
        return value(depth + 1) + " " + operators[op] + " " + (op > 15 || pick(3) == 0 ? "2" : value(depth + 1));
      }
    }
  }
  void block(int depth) {
    for (unsigned n = 1 + pick(5); n > 0; --n) {
      const unsigned kind = pick(8);
      if (kind < 3) {
        add("@" + std::to_string(line_));
      } else if (kind == 3) {
        add("#define " + name() + " " + (pick(2) != 0 ? std::to_string(pick(4)) : name()));
      } else if (kind == 4) {
        add("#undef " + name());
      } else if (depth < 4) {
        const unsigned head = pick(4);
        add(head == 0 ? "#ifdef " + name() : head == 1 ? "# ifndef " + name() : "#if " + condition_text());
        block(depth + 1);
        for (unsigned more = pick(3); more > 0; --more) {
          add("#elif " + condition_text());
          block(depth + 1);
        }
        if (pick(2) != 0) {
          add("#else");
          block(depth + 1);
        }
        add("#endif");
      }
    }
  }

  std::mt19937 random_;
  std::string out_;
  int line_ = 1;
  bool in_argument_ = false;
};

TEST(Conditionals, SameLinesAsTheCompilersPreprocessor) {
  const fs::path folder = fs::temp_directory_path() / ("lanescope-conditions-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  constexpr int rounds = 400;
  std::string expected_all, got_all;
  Conditions conditions(12);
  // All texts in one run of the preprocessor, each with the macros of its own.
  std::string together;
  std::vector<std::string> texts;
  for (int i = 0; i < rounds; ++i) {
    texts.push_back(conditions.text());
    for (const char* m : {"A", "B", "C", "D", "E", "F", "G", "SELF", "CAT"})
      together += "#undef " + std::string(m) + "\n";
    together += "text @" + std::to_string(i) + "\n" + texts.back();
  }
  const std::string path = (folder / "all.cpp").string(), result = (folder / "out").string();
  std::ofstream(path) << together;
  const std::string command = "g++ -E -w '" + path + "' > '" + result + "' 2> /dev/null";
  [[maybe_unused]] const int status = std::system(command.c_str());
  std::map<int, std::vector<std::string>> expected;
  int text = -1;
  for (const std::string_view line : split_lines(file_text(result))) {
    if (line.starts_with("text @"))
      ++text;
    else if (line.starts_with("@"))
      expected[text].emplace_back(line);
  }
  fs::remove_all(folder);
  ASSERT_EQ(text, rounds - 1) << "g++ was not found";
  std::size_t active = 0, inactive = 0;
  for (int i = 0; i < rounds; ++i) {
    std::vector<std::string> got;
    const auto count = [](const std::string& s) {
      return static_cast<std::size_t>(std::count(s.begin(), s.end(), '@'));
    };
    const std::string left = active_text(texts[static_cast<std::size_t>(i)], no_macros());
    for (const std::string_view line : split_lines(left))
      if (line.starts_with("@")) got.emplace_back(line);
    EXPECT_EQ(got, expected[i]) << texts[static_cast<std::size_t>(i)];
    active += got.size();
    inactive += count(texts[static_cast<std::size_t>(i)]) - got.size();
  }
  EXPECT_GT(active, 1000U);
  EXPECT_GT(inactive, 1000U);
}

}  // namespace
}  // namespace lanescope::source
