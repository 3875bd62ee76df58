#include "kernels/compile/texts.h"

#include <algorithm>
#include <filesystem>
#include <random>

#include "kernels/base/read_file.h"
#include "kernels/compile/compile.h"
#include "kernels/source/cxx/lexer.h"
#include "tests/kernels/compile/files.h"
#include "tests/kernels/compile/outcomes.h"
#include "tests/kernels/source/source_files.h"

namespace lanescope::compile {
namespace {

/// Every token and preprocessor line with its place.
std::string tokens_of(const source::Lexed& lexed) {
  std::string out;
  for (int i = 0; i < lexed.count(); ++i)
    out += fmt::format("{}:{} {}\n", lexed.token(i).line, lexed.token(i).column, lexed.of(i));
  for (const source::Directive& d : lexed.directives) {
    std::string words(lexed.text.substr(d.offset, d.length));
    words.erase(words.find_last_not_of(" \t\r\n") + 1);
    out += fmt::format("{}:{} {}\n", d.line, d.column, words);
  }
  return out;
}

/// Nothing but comments went, and what is left extends no further.
void expect_the_same_program(const std::string& text) {
  const source::Lexed before = source::lex_plainly(text);
  const std::string bare = without_comments(text);
  if (!before.mistakes.empty()) {
    EXPECT_EQ(bare, text);
    return;
  }
  const source::Lexed after = source::lex_plainly(bare);
  EXPECT_EQ(difference(tokens_of(after), tokens_of(before)), "") << text;
  EXPECT_EQ(std::ranges::count(bare, '\n'), std::ranges::count(text, '\n')) << text;
  EXPECT_EQ(without_comments(bare), bare) << text;
}

TEST(WithoutComments, ByHand) {
  const std::pair<const char*, const char*> cases[] = {
      {"int a;  // one\nint b;", "int a;\nint b;"},
      {"int a; /* one */ int b; /* two */ \n", "int a; /* one */ int b;\n"},
      {"/* one\n two */\nint a;", "\n\nint a;"},
      {"/* one\n two */ int a;", "/* one\n two */ int a;"},
      {"// one \\\nint a;\nint b;", "\n\nint b;"},
      {"#define A \\ // one\nint a;", "#define A \\ // one\nint a;"},
      {"#define A 1 // one\r\nint a;\r\n", "#define A 1\nint a;\r\n"},
      {"const char* s = \"// none\"; // one", "const char* s = \"// none\";"},
      {"auto s = R\"(// none)\"; // one", "auto s = R\"(// none)\";"},
      {"#if 0\nit's // one\n#endif\n", "#if 0\nit's // one\n#endif\n"},  // not well-formed: the compiler's business
      {"int a; /* never closed\n", "int a; /* never closed\n"},
      {"int a; /* one */ // two\nint b;", "int a;\nint b;"},
      {"", ""}};
  for (const auto& [text, bare] : cases) {
    EXPECT_EQ(without_comments(text), bare);
    expect_the_same_program(text);
  }
}

TEST(WithoutComments, OfEveryCatalogueKernelAndOfRandomTexts) {
  int kernels = 0;
  for (const auto& entry : std::filesystem::directory_iterator(LANESCOPE_SOURCE_DIR "/assets/kernels")) {
    if (entry.path().extension() != ".cu") continue;
    const std::string text = read_file(entry.path().string()).value_or("");
    expect_the_same_program(text);
    kernels += without_comments(text).size() < text.size() ? 1 : 0;
  }
  EXPECT_GT(kernels, 100);
  std::mt19937 random(1);
  const char* pieces[] = {"//",    "/*",      "*/",     "\n",    "\n",  "\r\n",  " ", "\t",
                          "\\\n",  "\\",      "int a;", "\"s\"", "\"",  "'c'",   "'", "#",
                          "#if",   "#define", "A",      "R\"(",  ")\"", "x / y", "x", "#line 3 \"f\"\n",
                          "1'000", "...",     "*",      "/"};
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (unsigned left = random() % 16; left > 0; --left) text += pieces[random() % std::size(pieces)];
    expect_the_same_program(text);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace lanescope::compile
