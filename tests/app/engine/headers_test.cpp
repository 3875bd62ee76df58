// A kernel in several files is the same kernel: functions that are moved into headers change no verdict, output, counter
// or finding, and every line is named where it now stands.

#include <map>
#include <random>
#include <regex>
#include <set>

#include "kernels/base/text.h"
#include "kernels/source/cxx/outline.h"
#include "tests/app/engine/support.h"

namespace lanescope::engine::test {
namespace {

namespace fs = std::filesystem;

class Headers : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "lanescope_headers_XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  RunRequest request(const std::string& name, const std::string& text) const {
    RunRequest r;
    r.file = (folder_ / name).string();
    r.text = text;
    r.review = true;
    return r;
  }

  fs::path folder_;
};

/// Where a line of a text in one piece went.
struct Moved {
  std::string file;  ///< "" the kernel's own
  int line = 0;
};

/// Cuts functions of the top level out of a text, into headers that may include each other.
class Splitter {
 public:
  explicit Splitter(unsigned seed) : random_(seed) {}

  std::map<std::string, std::string> headers;
  std::map<int, Moved> moved;  ///< by line of the text in one piece

  std::string split(const std::string& text) {
    std::vector<std::string> lines;
    for (const std::string_view l : split_lines(text)) lines.emplace_back(l);
    const source::Lexed lexed = source::lex(text);
    std::vector<std::pair<int, int>> functions;  // lines that hold one and nothing else
    for (const source::FunctionRange& f : source::outline(lexed).functions) {
      const int first = lexed.token(f.head).line, last = lexed.token(f.close).line;
      const bool alone = (f.head == 0 || lexed.token(f.head - 1).line < first) &&
                         (f.close + 1 >= lexed.count() || lexed.token(f.close + 1).line > last);
      if (!f.member && alone && (functions.empty() || functions.back().second < first))
        functions.emplace_back(first, last);
    }
    return cut("", 1, static_cast<int>(lines.size()), lines, functions, 0);
  }

 private:
  bool chance() { return random_() % 2 == 0; }

  /// The text of `file`, which has these lines of the whole; some functions in them go into headers of their own.
  std::string cut(const std::string& file, int first, int last, const std::vector<std::string>& lines,
                  const std::vector<std::pair<int, int>>& functions, int depth) {
    std::string out;
    int at = 0;
    const auto add = [&](const std::string& line) { out += line + "\n", ++at; };
    for (int n = first; n <= last; ++n) {
      const auto begins = std::ranges::find(functions, n, &std::pair<int, int>::first);
      const bool whole = begins != functions.end() && begins->first == first && begins->second == last;
      if (begins == functions.end() || whole || depth > 3 || !chance()) {
        moved[n] = {file, at + 1};
        add(lines[static_cast<std::size_t>(n) - 1]);
        continue;
      }
      auto ends = begins;  // one function, or several with what stands between them
      while (std::next(ends) != functions.end() && std::next(ends)->second <= last && chance()) ++ends;
      if (begins->first == first && ends->second == last) ends = begins;
      const std::string name =
          (chance() ? "part" : "deep/part") + std::to_string(headers.size() + 1) + (chance() ? ".cuh" : ".hpp");
      headers[name] = "";
      const bool lower_down = file.starts_with("deep/"), below = name.starts_with("deep/");
      const std::string relative = lower_down == below ? name.substr(below ? 5 : 0) : lower_down ? "../" + name : name;
      add("#include \"" + relative + "\"");
      headers[name] = "#pragma once\n";
      const int to = ends->second;
      std::map<int, Moved> kept;
      std::string body = cut(name, n, to, lines, functions, depth + 1);
      for (int k = n; k <= to; ++k)
        if (moved[k].file == name) ++moved[k].line;  // below #pragma once
      headers[name] += body;
      n = to;
    }
    return out;
  }

  std::mt19937 random_;
};

/// "line 12" of a text in one piece as the split one says it.
std::string said(const std::string& words, const Splitter& split, const SourceLines& lines, const fs::path& folder) {
  const auto unit = [&](int n) {
    const auto at = split.moved.find(n);
    if (at == split.moved.end()) return n;
    return at->second.file.empty() ? at->second.line
                                   : lines.unit_line((folder / at->second.file).string(), at->second.line);
  };
  std::string out;
  static const std::regex number("(lines? |to |and |, (?=[0-9]+(?:,|;|$)))([0-9]+)");
  std::sregex_iterator it(words.begin(), words.end(), number), end;
  std::size_t copied = 0;
  for (; it != end; ++it) {
    out += words.substr(copied, static_cast<std::size_t>(it->position(0)) - copied) + (*it)[1].str() +
           std::to_string(unit(std::stoi((*it)[2].str())));
    copied = static_cast<std::size_t>(it->position(0) + it->length(0));
  }
  return lines.sentence(out + words.substr(copied));
}

TEST_F(Headers, AProjectsOwnHeaderWhoseNameBeginsLikeTheToolkits) {
  NEEDS_NVRTC();
  write("include/cuda_utils.cuh", R"(
#pragma once
#include <stdio.h>
inline void stop(cudaError_t code) { if (code != cudaSuccess) { fprintf(stderr, "no"); exit(1); } }
#define CEIL_DIV(x, y) (((x) + (y) - 1) / (y))
__device__ inline float least() { return -INFINITY; }
)");
  const std::string text = R"(
#include "cuda_utils.cuh"
__global__ void f(float *x, int n) {
  typedef unsigned __int128 wide;
  wide w = (wide)n << 64;
  x[threadIdx.x] = threadIdx.x < CEIL_DIV(n, 2) ? least() : (float)(unsigned)(w >> 64);
}
int main() { float *d; cudaMalloc(&d, 128); f<<<1, 32>>>(d, 32); stop(cudaGetLastError()); }
)";
  write("src/k.cu", text);
  Session session;
  const results::Summary& s = session.run(request("src/k.cu", text));
  ASSERT_TRUE(s.ok) << test::all_words(s);
}

TEST_F(Headers, AKernelInPiecesIsTheSameKernel) {
  NEEDS_NVRTC();
  int pieces = 0;
  for (const char* name : {"assets/kernels/blur_fused.cu", "assets/kernels/half2_transposes.cu",
                           "tests/data/source/host_and_device.cu", "tests/data/gpu/matrix_transpose.cu",
                           "tests/data/gpu/neighbour_rounds.cu", "tests/data/strangers/template_default.cu"}) {
    const std::string text = text_of(std::string(LANESCOPE_SOURCE_DIR) + "/" + name);
    ASSERT_FALSE(text.empty()) << name;
    Session whole;
    const results::Summary one = whole.run(request("k.cu", text));
    for (unsigned seed = 0; seed < 3; ++seed) {
      Splitter split(seed * 7919 + static_cast<unsigned>(text.size()));
      const std::string main = split.split(text);
      if (split.headers.empty()) continue;
      pieces += static_cast<int>(split.headers.size());
      for (const auto& [header, words] : split.headers) write(header, words);
      Session diverged;
      const results::Summary many = diverged.run(request("k.cu", main));
      ASSERT_TRUE(many.ok == one.ok) << name << seed
                                     << to_string(many.diagnostics.empty() ? Diagnostic{} : many.diagnostics.front());
      const auto unit = [&](int n) {
        const auto at = split.moved.find(n);
        if (n <= 0 || at == split.moved.end()) return n;
        return at->second.file.empty() ? at->second.line
                                       : many.lines.unit_line((folder_ / at->second.file).string(), at->second.line);
      };
      const auto words = [&](const std::string& w) { return said(w, split, many.lines, folder_); };
      std::multiset<std::string> expected, actual;
      for (const results::ClaimInfo& c : one.claims)
        expected.insert(fmt::format("{} {} {} {} {}", unit(c.claim.first_line), c.claim.variable,
                                    claims::to_string(c.result.verdict), words(c.result.difference),
                                    words(c.result.reason.words())));
      for (const results::ClaimInfo& c : many.claims)
        actual.insert(fmt::format("{} {} {} {} {}", c.claim.first_line, c.claim.variable,
                                  claims::to_string(c.result.verdict), c.result.difference, c.result.reason.words()));
      EXPECT_EQ(expected, actual) << name << " " << seed;
      expected.clear(), actual.clear();
      for (const results::FindingInfo& f : one.findings)
        expected.insert(fmt::format("{} {} {}", unit(f.line), f.rule, words(f.message)));
      for (const results::FindingInfo& f : many.findings)
        actual.insert(fmt::format("{} {} {}", f.line, f.rule, f.message));
      EXPECT_EQ(expected, actual) << name << " " << seed;
      expected.clear(), actual.clear();
      const auto counts = [](const results::LineCounters& c) {
        return fmt::format("{} {} {} {} {} {}", c.instructions, c.thread_instructions, c.global_sectors,
                           c.shared_wavefronts, c.bank_conflicts, c.barriers);
      };
      for (const results::LineCounters& c : one.counters)
        expected.insert(fmt::format("{}: {}", unit(c.line), counts(c)));
      for (const results::LineCounters& c : many.counters) actual.insert(fmt::format("{}: {}", c.line, counts(c)));
      EXPECT_EQ(expected, actual) << name << " " << seed;
      ASSERT_EQ(whole.outputs().size(), diverged.outputs().size());
      for (std::size_t i = 0; i < whole.outputs().size(); ++i)
        EXPECT_EQ(whole.outputs()[i].bytes, diverged.outputs()[i].bytes) << name << " " << seed;
      EXPECT_EQ(one.steps, many.steps);
      for (const std::string& sentence : words_of(many.notices))
        EXPECT_EQ(sentence.find(" 1000"), std::string::npos) << sentence;
      for (const auto& [header, ignored] : split.headers) fs::remove(folder_ / header);
    }
  }
  EXPECT_GE(pieces, 6) << "nothing was split";
}

constexpr const char* claim = R"(  // x has register assignment:
  //   simd:   t2 t1 t0
  //   thread: t7 t6 t5 t4 t3
)";
const std::string launch = "/*\n[lanescope]\nblock = 32\n[buffers]\nd = \"u4 t:256\"\nq = \"u32 i:32 = zeros\"\n*/\n";
const std::string kernel =
    std::string("__global__ void k(const unsigned *d, unsigned *q) {\n  unsigned x = d[threadIdx.x];\n") + claim +
    "  q[threadIdx.x] = x;\n}\n";

TEST_F(Headers, TwiceInCirclesAndByTwoNamesIsOnce) {
  NEEDS_NVRTC();
  write("a.hpp", "#pragma once\n#include \"deep/b.hpp\"\n" + kernel);
  write("deep/b.hpp", "#pragma once\n#include \"../a.hpp\"\n#include \"../deep/../deep/b.hpp\"\n#define B 1\n");
  Session s;
  const auto& summary =
      s.run(request("k.cu", launch + "#include \"a.hpp\"\n#include \"deep/b.hpp\"\n#include \"a.hpp\"\n"));
  ASSERT_TRUE(summary.ok);
  EXPECT_EQ(summary.lines.files.size(), 3U);
  ASSERT_EQ(summary.claims.size(), 1U);
  EXPECT_EQ(summary.claims[0].result.verdict, claims::Verdict::holds);
  EXPECT_EQ(summary.lines.words(summary.claims[0].claim.first_line), "a.hpp:6");
}

TEST_F(Headers, AreFoundInFoldersOfOptions) {
  NEEDS_NVRTC();
  write("inc/a.hpp", kernel);
  const std::string with_option =
      "/*\n[lanescope]\nblock = 32\noptions = [\"-Iinc\"]\n[buffers]\nd = \"u4 t:256\"\nq = \"u32 i:32 = zeros\"\n*/\n";
  for (const char* include : {"#include \"a.hpp\"\n", "#include <a.hpp>\n"}) {
    Session s;
    const auto& summary = s.run(request("k.cu", with_option + include));
    ASSERT_TRUE(summary.ok) << include;
    ASSERT_EQ(summary.claims.size(), 1U);
    EXPECT_EQ(summary.claims[0].result.verdict, claims::Verdict::holds);
    EXPECT_EQ(summary.lines.words(summary.claims[0].claim.first_line), "inc/a.hpp:4");
  }
}

TEST_F(Headers, ErrorsStandAtTheirOwnLines) {
  NEEDS_NVRTC();
  write("a.hpp", "#pragma once\n__device__ int f(int i) {\n  return i + absent;\n}\n");
  Session s;
  const auto& summary = s.run(request("k.cu", "#include \"a.hpp\"\n__global__ void k(int *p) { p[0] = f(1); }\n"));
  EXPECT_FALSE(summary.ok);
  ASSERT_FALSE(summary.diagnostics.empty());
  EXPECT_EQ(summary.diagnostics[0].file, (folder_ / "a.hpp").string());
  EXPECT_EQ(summary.diagnostics[0].line, 3);
  EXPECT_EQ(summary.diagnostics[0].column, 14);
  const auto& missing = s.run(request("k.cu", "#include \"absent.hpp\"\n__global__ void k(int *p) { p[0] = 1; }\n"));
  ASSERT_FALSE(missing.diagnostics.empty());
  EXPECT_EQ(missing.diagnostics[0].line, 1);
  EXPECT_NE(missing.diagnostics[0].message.find("absent.hpp"), std::string::npos);
}

TEST_F(Headers, AFaultStandsAtItsOwnLine) {
  NEEDS_NVRTC();
  write("a.hpp", "#pragma once\n\n__device__ __noinline__ void f(int *p, int i) {\n  p[i] = 1;\n}\n");
  Session s;
  const auto& summary =
      s.run(request("k.cu",
                    "/*\n[lanescope]\nblock = 32\n[buffers]\np = \"s32 i:32\"\n*/\n#include \"a.hpp\"\n"
                    "__global__ void k(int *p) { f(p, threadIdx.x + 1000); }\n"));
  ASSERT_EQ(summary.faults.size(), 1U);
  EXPECT_EQ(summary.lines.words(summary.faults[0].line), "a.hpp:4");
  ASSERT_FALSE(summary.diagnostics.empty());
  EXPECT_EQ(summary.diagnostics[0].file, (folder_ / "a.hpp").string());
  EXPECT_EQ(summary.diagnostics[0].line, 4);
}

// A piece of a function is the compiler's business, and it still gets the file as it is.
TEST_F(Headers, PiecesOfCodeAreLeftToTheCompiler) {
  NEEDS_NVRTC();
  write("body.inc", "  q[threadIdx.x] = x;\n");
  write("table.inc", "1, 2, 3\n");
  const std::string text = launch + "__device__ int t[] = {\n#include \"table.inc\"\n};\n" +
                           "__global__ void k(const unsigned *d, unsigned *q) {\n  unsigned x = d[threadIdx.x];\n" +
                           claim + "#include \"body.inc\"\n}\n";
  Session s;
  const auto& summary = s.run(request("k.cu", text));
  ASSERT_TRUE(summary.ok) << to_string(summary.diagnostics.front());
  EXPECT_TRUE(summary.lines.files.empty());
  ASSERT_EQ(summary.claims.size(), 1U);
  EXPECT_EQ(summary.claims[0].result.verdict, claims::Verdict::holds);
}

TEST_F(Headers, HostCodeInThemIsCut) {
  NEEDS_NVRTC();
  write("a.hpp",
        "#pragma once\n#include <vector>\n#include <iostream>\n"
        "inline std::vector<int> host() { std::cout << 1; return {}; }\n" +
            kernel);
  Session s;
  const auto& summary = s.run(request("k.cu", launch + "#include \"a.hpp\"\nint main() { host(); }\n"));
  ASSERT_TRUE(summary.ok) << to_string(summary.diagnostics.front());
  ASSERT_EQ(summary.claims.size(), 1U);
  EXPECT_EQ(summary.lines.words(summary.claims[0].claim.first_line), "a.hpp:8");
}

// Only the file that was named is ever written.
TEST_F(Headers, CommentsAreNotWrittenIntoThem) {
  NEEDS_NVRTC();
  const std::string bare =
      "__global__ void k(const unsigned *d, unsigned *q) {\n  unsigned x = d[threadIdx.x];\n"
      "  q[threadIdx.x] = x;\n}\n";
  write("a.hpp", bare);
  Session s;
  const auto refused = s.annotate_whole(request("k.cu", launch + "#include \"a.hpp\"\n"));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().front().message.find("a.hpp"), std::string::npos);
  EXPECT_EQ(text_of((folder_ / "a.hpp").string()), bare);
}

}  // namespace
}  // namespace lanescope::engine::test
