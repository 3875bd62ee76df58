// Reading ends for any text: damaged real files by the thousand, and texts made to be slow. Each case has a time
// limit of its own (watchdog.h). Seeds are fixed. DamagedFiles takes other files and more rounds from the environment:
// LANESCOPE_TEST_SOURCES is folders or files with a ':' between them, LANESCOPE_TEST_ROUNDS a number (five cases each),
// LANESCOPE_TEST_SEED another. LANESCOPE_TEST_LOOPS is the limit of one text (tests/work.h), and texts that took more than 250 are
// written to the folder LANESCOPE_TEST_KEEP, to be timed elsewhere.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "kernels/layout/assignment.h"
#include "kernels/source/cxx/device_part.h"
#include "kernels/source/cxx/structural_macros.h"
#include "kernels/source/host/host_run.h"
#include "kernels/source/notation/allow_comments.h"
#include "kernels/source/notation/comment_claims.h"
#include "kernels/source/notation/pointer_comments.h"
#include "tests/kernels/source/source_files.h"
#include "tests/kernels/source/strip_claims.h"
#include "tests/kernels/source/watchdog.h"
#include "tests/rounds.h"

namespace lanescope::source {
namespace {

namespace fs = std::filesystem;

/// Everything that looks at the text of a .cu file before a compiler does.
/// `included`: the text of every file that it includes; without, the text itself.
void look_at(const std::string& name, const std::string& text, double loops = 1250,
             std::optional<std::string_view> included = std::nullopt) {
  const Watchdog watchdog(name, text, loops);
  const Expected<Source> read_source = read("k.cu", text);
  const Lexed lexed = lex(text);
  const Outline parts = outline(lexed);
  (void)device_part(lexed, parts);
  const Conditionals active = evaluate_conditionals(
      "k.cu", text, device_macros(), [&](std::string_view name, bool, std::string_view) -> std::optional<IncludedText> {
        return IncludedText{.file = name.size() % 2 == 0 ? "k.cu" : std::string(name),
                            .text = std::string(included.value_or(text))};
      });
  ASSERT_EQ(active.files.front().text.size(), text.size()) << name;
  (void)lex(active.files.front().text, active.macros);
  Header header;
  std::vector<LaunchSpec> launches(1);
  if (read_source) {
    ASSERT_EQ(without_any_probe(read_source->probed_text), read_source->device_text) << name;
    header = read_source->header;
    launches = header.launches;
    (void)strip_claims(*read_source);
  }
  (void)run_host(lexed, parts);
  for (const LaunchSpec& launch : launches) (void)pointer_comments(lexed, parts, known_values(lexed, header, launch));
  (void)review_comments(lexed);
  std::string comments;
  for (const CommentLine& l : comment_lines(lexed)) comments += std::string(l.text) + '\n';
  (void)layout::parse(comments);
}

/// Folders with real files: those of the tree, or those that the environment names.
std::vector<fs::path> sources() {
  const fs::path data = fs::path(LANESCOPE_TEST_DATA_DIR);
  std::vector<fs::path> out = {data, data.parent_path().parent_path() / "assets" / "kernels"};
  const char* named = std::getenv("LANESCOPE_TEST_SOURCES");
  if (named == nullptr) return out;
  out.clear();
  for (std::string_view rest = named; !rest.empty();) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (end > 0) out.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

int rounds() { return test_rounds(40); }

std::vector<std::string> corpus() {
  std::vector<fs::path> paths;
  for (const fs::path& folder : sources()) {
    if (fs::is_regular_file(folder)) paths.push_back(folder);
    if (!fs::is_directory(folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const auto extension = entry.path().extension();
      if (extension == ".cu" || extension == ".hpp" || extension == ".cuh") paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const fs::path& path : paths)
    if (std::string text = file_text(path.string()); !text.empty()) texts.push_back(std::move(text));
  return texts;
}

class Damage {
 public:
  explicit Damage(unsigned seed) : random_(seed), texts_(corpus()) {}

  const std::vector<std::string>& texts() const { return texts_; }

  /// A window of some file, of up to about 3,000 bytes; sometimes cut inside of a line; one in sixteen a whole file.
  std::string piece() {
    const std::string& text = texts_[random_() % texts_.size()];
    if (random_() % 16 == 0) return text.substr(0, 100'000);
    const std::size_t at = random_() % 3 == 0 ? 0 : random_() % text.size();
    return text.substr(at, 1 + random_() % 3000);
  }
  std::string cut() { return piece(); }
  std::string splice() {
    std::string out = piece();
    for (unsigned n = 1 + random_() % 4; n > 0; --n)
      out.insert(random_() % (out.size() + 1), piece().substr(0, random_() % 200));
    return out;
  }
  std::string nest() {
    static const std::vector<std::pair<std::string, std::string>> brackets = {{"(", ")"},
                                                                              {"{", "}"},
                                                                              {"[", "]"},
                                                                              {"<", ">"},
                                                                              {"if (1) ", ""},
                                                                              {"a<", ">"},
                                                                              {"namespace n {", "}"},
                                                                              {"struct s {", "}"},
                                                                              {"(int)", ""},
                                                                              {"- ", ""},
                                                                              {"f<<<1,1>>>(", ")"},
                                                                              {"for (;;) {", "}"},
                                                                              {"x = ", ""},
                                                                              {"case 1: ", ""},
                                                                              {"#if 1\n", "\n#endif\n"},
                                                                              {"\n#ifdef A\n", "\n#else\n"},
                                                                              {"template <", ">"},
                                                                              {"requires ", ""},
                                                                              {"struct s : a<b> {", "};"},
                                                                              {"s() : a(1), ", "{}"},
                                                                              {"[&] { ", " }"}};
    const auto& [open, close] = brackets[random_() % brackets.size()];
    const std::size_t times = random_() % 300;
    std::string opened, closed;
    for (std::size_t i = 0; i < times; ++i) opened += open, closed += close;
    std::string out = piece();
    const std::size_t at = random_() % (out.size() + 1);
    out.insert(at, opened);
    out.insert(std::min(out.size(), at + opened.size() + random_() % 100), closed);
    return out;
  }
  std::string shuffle() {
    const std::string text = piece();
    const Lexed lexed = lex(text);
    std::vector<std::string> words;
    for (int i = 0; i < lexed.count(); ++i) words.emplace_back(lexed.of(i));
    for (std::size_t n = random_() % (words.size() + 1); n > 0 && words.size() > 1; --n)
      std::swap(words[random_() % words.size()], words[random_() % words.size()]);
    std::string out;
    for (const std::string& word : words) out += word + (random_() % 8 == 0 ? "\n" : " ");
    return out;
  }
  std::string repeat() {
    const std::string text = piece();
    const std::size_t at = random_() % text.size();
    const std::string word = text.substr(at, 1 + random_() % 40);
    std::string out;
    while (out.size() < 4000) out += word;
    return text.substr(0, at) + out + text.substr(at);
  }

 private:
  std::mt19937 random_;
  std::vector<std::string> texts_;
};

TEST(Endless, DamagedFiles) {
  Damage damage(static_cast<unsigned>(from_environment("LANESCOPE_TEST_SEED", 20251122)));
  ASSERT_GT(damage.texts().size(), 60U);
  struct Kind {
    const char* name;
    std::string (Damage::*make)();
  };
  constexpr Kind kinds[] = {{"cut", &Damage::cut},
                            {"splice", &Damage::splice},
                            {"nest", &Damage::nest},
                            {"shuffle", &Damage::shuffle},
                            {"repeat", &Damage::repeat}};
  double slowest = 0;
  for (int round = 0; round < rounds(); ++round) {
    for (const Kind& kind : kinds) {
      const std::string text = (damage.*kind.make)();
      const Work work;
      look_at(std::string(kind.name) + " " + std::to_string(round), text,
              static_cast<int>(from_environment("LANESCOPE_TEST_LOOPS", 500)));
      const double loops = work.loops();
      slowest = std::max(slowest, loops);
      if (HasFatalFailure()) return;
      if (const char* keep = std::getenv("LANESCOPE_TEST_KEEP"); keep != nullptr && loops > 250)
        std::ofstream(fs::path(keep) / (std::string(kind.name) + std::to_string(round) + ".cu")) << text;
    }
  }
  std::printf("%d damaged texts of %zu files, the slowest in %.0f loops\n", 5 * rounds(), damage.texts().size(),
              slowest);
}

/// Host code that fills millions of elements and launches nothing: it is run twice, and read twice here.
TEST(Endless, LargeFillsWithoutALaunch) {
  look_at("fills", R"(
void initial(float* p, int n) { for (int i = 0; i < n; i++) p[i] = (float)(rand() & 0xFF) / 10.0f; }
void sum(float* a, float* b, float* c, const int n) { for (int i = 0; i < n; i++) { c[i] = a[i] + b[i]; } }
int main() {
  int n = 1 << 22;
  float *a = (float*)malloc(n * sizeof(float)), *b = (float*)malloc(n * sizeof(float)), *c = (float*)malloc(n * sizeof(float));
  initial(a, n);
  initial(b, n);
  sum(a, b, c, n);
}
__global__ void k(float* p) {}
)",
          625);  // most of it is the first access to 100 MB of memory, which takes longer while other programs run
}

/// Tests with many cases are split into parts, so that no test takes long: part p has every `parts`th case.
constexpr std::size_t parts = 4;
class EndlessPart : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Of4, EndlessPart, testing::Range(std::size_t{0}, parts));

TEST_P(EndlessPart, WholeFiles) {
  const std::vector<std::string> texts = corpus();
  ASSERT_GE(texts.size(), parts);
  for (std::size_t i = GetParam(); i < texts.size(); i += parts) {
    if (!lanescope::test::in_sample(i / parts, 3)) continue;
    look_at("whole", texts[i], 1250, "");
    look_at("twice", texts[i] + texts[i], 1250, "");
  }
}

/// Bytes of a text made to be slow, and its limit in loops (tests/work.h): most take a twentieth of it.
const std::size_t long_text = lanescope::test::exhaustive() ? 100'000 : 40'000;
constexpr double long_text_loops = 1500;

/// `text` over and over, `bytes` long.
std::string many(const std::string& text, std::size_t bytes = long_text) {
  std::string out;
  out.reserve(bytes + text.size());
  while (out.size() < bytes) out += text;
  return out;
}

/// The same with a number that counts up in place of each '@'.
std::string counted(const std::string& text, std::size_t bytes = long_text) {
  std::string out;
  for (int n = 0; out.size() < bytes; ++n)
    for (const char c : text) out += c == '@' ? std::to_string(n) : std::string(1, c);
  return out;
}

/// A kernel of one function around `body`.
std::string kernel_text(const std::string& body) { return "__global__ void k(int *p, int *q) {\n" + body + "\n}\n"; }

TEST(Endless, ConstantsBehindOtherWords) {
  for (const char* text : {"static constexpr int N = 32;", "unsigned const N = 4;",
                           "struct s { static const int N = 1; };", "inline static constexpr unsigned long long N = 1;",
                           "extern const int N;", "const", "constexpr x", "typename constant N = 1;"})
    look_at(text, std::string(text) + "\n" + kernel_text("p[0] = N;"));
}

TEST_P(EndlessPart, TextsMadeToBeSlow) {
  const struct {
    const char* name;
    std::string text;
  } cases[] = {
      {"constants in one statement", many("const a = ")},
      {"a chain of assignments", many("a = ")},
      {"const without end", many("const ")},
      {"identifiers", many("a ")},
      {"constants of constants", "const int a0 = 1;\n" + counted("const int b@ = a0 + a0;\nconst int c@ = b@ * b@;\n")},
      {"a host variable that grows", "int main() {" + many("n = n + n;\n") + "k<<<n, 32>>>(); }" + kernel_text("")},
      {"host variables of host variables",
       "int main() {" + counted("int a@ = b + b; b = a@ + a@;\n") + "k<<<b, 32>>>(); }" + kernel_text("")},
      {"macros of macros", counted("#define A@ (A@ + A@ + B)\n", 30'000) + counted("#define B A@ + A@\n", 30'000) +
                               "int main() { k<<<A1, B>>>(); }" + kernel_text("")},
      {"conditions within each other", many("#if 1\n") + many("#endif\n")},
      {"conditions without end", many("#if 0\n")},
      {"a long condition", "#if " + many("1 + ") + "1\n#endif\n" + kernel_text("")},
      {"a deep condition", "#if " + many("(") + "1" + many(")") + "\n#endif\n" + kernel_text("")},
      {"signs in a condition", "#if " + many("!") + "1\n#endif\n" + kernel_text("")},
      {"alternatives in a condition", "#if " + many("1 ? 1 : ") + "1\n#endif\n" + kernel_text("")},
      {"macros that double",
       "#define A0 1\n" + counted("#define A@1 A@ + A@\n", 3'000) +
           "#define B0 x\n#define B1 B0 B0 B0 B0\n#define B2 B1 B1 B1 B1\n#define B3 B2 B2 B2 B2\n"
           "#define B4 B3 B3 B3 B3\n#define B5 B4 B4 B4 B4\n#define B6 B5 B5 B5 B5\n#define B7 B6 B6 B6 "
           "B6\n#define B8 B7 B7 B7 B7\n" +
           many("#if B8\n#endif\n", long_text / 5)},
      {"calls of macros within each other",
       "#define F(x) (x + 1)\n#if " + many("F(") + "1" + many(")") + "\n#endif\n" + kernel_text("")},
      {"macros that bring braces",
       "#define O {{{{{{{{\n#define C }}}}}}}}\n" + many("O ", 100'000) + many("C ", 100'000)},
      {"macros that bring qualifiers", "#define D __device__\n" + counted("D int f@() { return 1; }\n")},
      {"structural macros of structural macros",
       "#define D0 __device__\n" + counted("#define D@1 D@ D@\n", 60'000) + many("D1 D11 int f() {}\n", 20'000)},
      {"the file includes itself", many("#include \"ab\"\n", 20'000) + kernel_text("")},
      {"many other files", counted("#include \"a@\"\n", 4'000) + kernel_text("")},
      {"template parameters", many("template <class T = a<") + many(">> ")},
      {"requirements", "template <class T> " + many("requires (a) && ") + "void f() {}"},
      {"classes without semicolon", many("struct s {} ")},
      {"macros before functions", many("A(1) ")},
      {"functions of one name", counted("__device__ int f(int a@) { return f(a@); }\n")},
      {"functions that all call all", counted("__device__ int f(float a@) { return f(1) + g(2); }\n"
                                              "__device__ int g(float a@) { return f(3); }\n")},
      {"members", "struct s {" + counted("int a@; __device__ int f@() { return a@; }\n") + "};"},
      {"classes within each other", many("struct s { int f() { return 1; } ") + many("};")},
      {"enumerators", "enum E {" + counted("e@, ") + "};" + kernel_text("int a = e1;")},
      {"a host class and those who use it",
       "struct a0 { std::string s; };\n" + counted("struct b@ { a0 x; };\n") + kernel_text("")},
      {"launches that do not close", many("k <<< ")},
      {"launches within launches", many("k<<<1,1>>>( ")},
      {"template arguments before launches", many("> <<< 1 >>> ")},
      {"signs", "int main() { k<<<" + many("- ") + "1, 32>>>(); }" + kernel_text("")},
      {"casts", "int main() { k<<<" + many("(int)") + "1, 32>>>(); }" + kernel_text("")},
      {"parentheses", "int main() { k<<<" + many("(") + "1" + many(")") + ", 32>>>(); }" + kernel_text("")},
      {"braces that belong to nothing", many("{}")},
      {"braces after one class", "struct s " + many("{ int f() {} } ")},
      {"constructors' initialisers", "struct s { s() : " + many("a{1}, ") + "b{} {} };"},
      {"extern blocks", many("extern \"C\" {") + many("}")},
      {"launch bounds", "__global__ void " + many("__launch_bounds__(") + many(")") + " k() {}"},
      {"parameters", "__global__ void k(" + counted("float *a@, ") + "int n) {}"},
      {"less-than", many("a<")},
      {"locals", kernel_text(counted("int a@ = p[@];\n"))},
      {"locals of one name", kernel_text(many("{ int a = p[0]; a += 1; }\n"))},
      {"one local again and again", kernel_text(many("int a = 1; a = 2;\n"))},
      {"functions that call the one before", counted("int f@(int x) { return f(x) + g@(x); }\n")},
      {"nested blocks", kernel_text(many("{ int a = 1;") + many("}"))},
      {"else if", kernel_text("int a = 0;" + many("if (a) a = 1; else "))},
      {"ifs", kernel_text("int a = 0;" + many("if (a) "))},
      {"macro calls", counted("#define M@(x) x\n") + kernel_text("int a;" + counted("M@(a);"))},
      {"one long line", kernel_text("int a = 0;" + many("a = a + 1;"))},
      {"elements of an array", kernel_text("int a[4096];" + counted("a[@] = 1;\n") +
                                           "// a has register assignment:\n// register: " + counted("r@ ", 60) + "\n")},
      {"claims",
       kernel_text("int x = p[0];\n" + many("// x has register assignment:\n// thread: t0 <-> i0\nx += 1;\n"))},
      {"claims of nothing",
       kernel_text(many("{ // y has register assignment:\n// thread: t0 <-> i0\n}\n") + "int y = 1;")},
      {"claims of many", kernel_text(counted("int x@ = 1;\n", 60'000) +
                                     many("// x has register assignment:\n// register: r1 r0 <-> i1 i0\nx0 = 1;\n"))},
      {"registers",
       kernel_text(counted("int x@ = 1;\n", 60'000) + many("// registers: x0..x4000\n// register: i0\np[0] = 1;\n"))},
      {"words on a row", "// simd: " + many("i1 jo ") + "\n"},
      {"arrows", many("// a <-> b\n")},
      {"one comment of arrows", "// x has register assignment:\n" + many("//  a <-> b\n") + kernel_text("int x = 1;")},
      {"rows", many("// thread: t0 <-> i0\n")},
      {"semicolons on a row", "// " + many("simd: i0;") + "\n"},
      {"parentheses on a row", "// simd: i0 " + many("()") + "\n"},
      {"prose", "// " + many("x. ") + "\n// simd: i0\n" + kernel_text("int x = 1;")},
      {"directives with comments that do not close", many("#/*\n")},
      {"raw strings", many("R\"")},
      {"quotes", many("\"\n")},
      {"comments that speak to the review", many("// lanescope: allow x\n") + kernel_text("")},
      {"and their statement", kernel_text("f(" + many("a + // lanescope: allow x\n") + "1);")},
      {"comments of subarrays", many("// each block processes a shape (4,4) subarray\n") + kernel_text("")},
      {"comments of pointers",
       kernel_text(
           many("// block offset\n//   before: shape (4), contiguous\n//   after: shape (2)\np += blockIdx.x;\n"))},
      {"pointers in one statement", kernel_text("int *a = p" + counted(", *a@ = p + @") + ";")},
      {"sentences with a header's word", many("// see [lanescope]\n")},
      {"buffers", "/*\n[lanescope]\n[buffers]\n" + counted("b@ = \"f32\"\n", 60'000) + "*/\n" + kernel_text("")},
      {"axes", "/*\n[lanescope]\n[buffers]\np = \"f32 " + counted("i@:1 ") + "\"\n*/\n" + kernel_text("")},
      {"launches", "/*\n[lanescope]\n" + many("[[launch]]\n") + "*/\n" + kernel_text("")},
      {"toml brackets", "/*\n[lanescope]\nargs = " + many("[") + "\n*/\n" + kernel_text("")},
      {"numbers of lines", many("\n#line 1") + kernel_text("int a = p[0];")},
      {"splices", many("\\\n")},
      {"statements on a line with a claim",
       kernel_text("int x = p[0]; // x has register assignment:\n// simd: i0\n" + many("x = x + 1; "))},
  };
  for (std::size_t i = GetParam(); i < std::size(cases); i += parts)
    look_at(cases[i].name, cases[i].text, long_text_loops);
}

}  // namespace
}  // namespace lanescope::source
