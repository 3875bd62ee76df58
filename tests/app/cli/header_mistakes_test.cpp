// Mistakes of a launch header and of a launch file, through every command that reads one: at their own line and column,
// in the file that they are in; and what was accepted in silence.

#include <nlohmann/json.hpp>

#include "kernels/compile/compile.h"
#include "tests/app/cli/program.h"

namespace lanescope::cli {
namespace {

using nlohmann::json;

class HeaderMistakes : public ProgramTest {
 protected:
  /// A kernel below these lines of a comment; the first of them is line 2.
  std::string kernel(const std::string& header) const {
    write("k.cu", "/*\n" + header +
                      "\n*/\n__global__ void __launch_bounds__(64) k(const float *p, float *q, int n)\n"
                      "{\n    float x = p[threadIdx.x];\n    q[threadIdx.x] = x + n;\n}\n");
    return path("k.cu");
  }
  static bool has_compiler() { return compile::toolchain().nvrtc; }
};

struct Mistake {
  const char* header;
  int line, column;
  const char* words;
};

void expect_said(const std::string& what, const std::string& out, const std::string& file, const Mistake& m) {
  int found = 0;
  const json answer = json::parse(out);
  for (const json& d : answer.value("diagnostics", json::array())) {
    if (d.at("message").get<std::string>().find(m.words) == std::string::npos) continue;
    ++found;
    EXPECT_EQ(d.value("file", ""), file) << what;
    EXPECT_EQ(d.value("line", 0), m.line) << what << d;
    EXPECT_EQ(d.value("column", 0), m.column) << what << d;
    EXPECT_FALSE(d.value("remedy", "").empty()) << what << d;
  }
  EXPECT_EQ(found, 1) << what << answer;
}

TEST_F(HeaderMistakes, AreAtTheirOwnLineAndColumn) {
  for (const Mistake& m :
       {Mistake{"[lanescope]\nblock = 32\nkernel = \"kk\"", 4, 10, "no kernel `kk`"},
        Mistake{"[lanescope]\nblock = 32\nargs = [\"p\", \"q\",\n  1, 2]\n[buffers]\np = \"f32\"\nq = \"f32\"", 5, 6,
                "4 arguments"},
        Mistake{"[lanescope]\ncluster = 3\ngrid = 4", 3, 11, "not a multiple of the cluster's 3"},
        Mistake{"[lanescope]\ncluster = [4, 8]\ngrid = [4, 8]", 3, 11, "a cluster of 32 blocks"},
        Mistake{"[lanescope]\nblock = 32\n  shared = 300000", 4, 12, "300000 bytes of dynamic shared memory"},
        Mistake{"[lanescope]\nblock = 32\n[[launch]]\nshared = 300000", 5, 10, "300000 bytes of dynamic"},
        Mistake{"[lanescope]\n[buffers]\np = { type = \"f32\", axes = \"i:32\", init = [1, 2] }", 4, 43,
                "32 elements, but the list has 2"},
        Mistake{"[lanescope]\n[buffers]\np = \"f32 i:3 = [1, 2]\"", 4, 16, "3 elements, but the list has 2"},
        Mistake{"[lanescope]\n[buffers]\np = \"f32 i:32 = none.npy\"", 4, 17, "none.npy"},
        Mistake{"[lanescope]\nargs = [\"p+99999\"]\n[buffers]\np = \"f32 i:64\"", 3, 9, "beyond the end of p"},
        Mistake{"[lanescope]\n[buffers]\np = \"f32 i:64\"\nr = \"f32 i:64\"", 5, 1, "no launch passes the buffer `r`"},
        Mistake{"[lanescope]\n[buffers]\np = \"u8 i:64 = 300\"", 4, 16, "300 does not fit into u8"},
        Mistake{"[lanescope]\n[buffers]\np = \"f16 i:64 = 1e6\"", 4, 17, "too large for f16"},
        Mistake{"lanescope\nblock = 32", 2, 1, "`lanescope` is not [lanescope]"},
        Mistake{"[[launch]]\nblock = 32", 2, 1, "`[[launch]]` is not [lanescope]"}}) {
    const std::string file = kernel(m.header);
    for (const std::string command : {"run", "check", "review"}) {
      const Result r = run(command + " --json " + file);
      EXPECT_EQ(r.status, 2) << command << " " << m.header << r.err;
      expect_said(command + " " + m.header, r.out, file, m);
    }
  }
}

TEST_F(HeaderMistakes, OfOptionsAndNamesAreTheCompilersWordsAtTheirPlace) {
  if (!has_compiler()) GTEST_SKIP() << "NVRTC is not installed";
  for (const Mistake& m :
       {Mistake{"[lanescope]\noptions = [\"-DX=1\",\n   \"--no-such-option\"]", 4, 4, "--no-such-option"},
        Mistake{"[lanescope]\noptions = [\"-DX=1\", \"-std=c++99\"]", 3, 21, "std"},
        Mistake{"[lanescope]\noptions = [\"-DX=1\"]\nkernel = \"k<float>\"", 4, 10, "`k<float>` is not a kernel"},
        Mistake{"[lanescope]\noptions = [\"-DX=1\"]\nblock = 128", 4, 9, "the block has 128 threads"},
        Mistake{"[lanescope]\noptions = [\"-DX=1\"]\nargs = { n = 1.5 }", 4, 10, "1.5 is not a whole number"},
        Mistake{"[lanescope]\noptions = [\"-DX=1\"]\nargs = { n = 5e9 }", 4, 10, "does not fit the 4 bytes"}}) {
    const std::string file = kernel(m.header);
    for (const std::string command : {"run", "check"}) {
      const Result r = run(command + " --json " + file);
      EXPECT_EQ(r.status, 2) << command << " " << m.header << r.err;
      expect_said(command + " " + m.header, r.out, file, m);
    }
  }
}

TEST_F(HeaderMistakes, AWarningAboutANearHeaderIsInEveryCommand) {
  if (!has_compiler()) GTEST_SKIP() << "NVRTC is not installed";
  write("w.cu", "// lanescope\n__global__ void __launch_bounds__(32) k(float *p) { p[threadIdx.x] += 1; }\n");
  for (const std::string command : {"run", "check", "review", "occupancy"}) {
    const Result r = run(command + " " + path("w.cu"));
    EXPECT_NE(r.err.find("w.cu:1:4: warning: this comment is no launch header: `lanescope` is not [lanescope]; write "
                         "[lanescope] in its place"),
              std::string::npos)
        << command << r.out << r.err;
  }
}

class LaunchFile : public ProgramTest {
 protected:
  /// copy.ptx with a word replaced.
  std::string ptx(const std::string& from, const std::string& to) const {
    std::string text = slurp(std::filesystem::path(LANESCOPE_SOURCE_DIR) / data / "copy.ptx");
    if (!from.empty()) {
      const std::size_t at = text.find(from);
      EXPECT_NE(at, std::string::npos) << from;
      text.replace(at, from.size(), to);
    }
    write("k.ptx", text);
    return path("k.ptx");
  }
};

TEST_F(LaunchFile, IsTakenByEveryCommandThatRunsAKernel) {
  const std::string arguments = " " + copy;
  for (const std::string command : {"run", "check", "review --json"}) {
    const Result r = run(command + arguments);
    EXPECT_LE(r.status, 1) << command << r.err;
    EXPECT_EQ(r.err.find("--launch"), std::string::npos) << command << r.err;
  }
  const Result drawn = run("render --view timeline -o " + path("t.svg") + arguments);
  EXPECT_EQ(drawn.status, 0) << drawn.err;
  const Result missing = run("check " + data + "copy.ptx --launch " + path("none.toml"));
  EXPECT_EQ(missing.status, 2);
  EXPECT_NE(missing.err.find("none.toml: there is no such file"), std::string::npos) << missing.err;
}

TEST_F(LaunchFile, MistakesAreAtItsOwnLineAndColumnWithATableOrWithout) {
  for (const std::string head : {"", "[lanescope]\n", "# a comment\n[lanescope]\n"}) {
    const int above = static_cast<int>(std::count(head.begin(), head.end(), '\n'));
    for (const Mistake& m :
         {Mistake{"block = 64\nkernel = \"g\"\n", 2, 10, "no kernel `g`"},
          Mistake{"blok = 64\n", 1, 1, "no key `blok`"},
          Mistake{"args = [\"a\",\n  \"b\", 48]\n[buffers]\na = \"u32 i:64\"\n", 2, 3, "there is no buffer `b`"},
          Mistake{"args = [\"a\", \"b\", 4.5]\n[buffers]\na = \"u32 i:64\"\nb = \"u32 i:64\"\n", 1, 19,
                  "not a whole number"},
          Mistake{"options = [\"*/\"]\nblock = 64\nargs = [\"a\", \"b\", 1, 2]\n[buffers]\na = \"u32\"\nb = \"u32\"\n",
                  3, 22, "4 arguments"},
          Mistake{"shared = 300000\n", 1, 10, "300000 bytes"}}) {
      write("l.toml", head + m.header);
      const Result r = run("run --json " + data + "copy.ptx --launch " + path("l.toml"));
      EXPECT_EQ(r.status, 2) << head << m.header << r.err;
      Mistake moved = m;
      moved.line += above;
      expect_said(head + m.header, r.out, path("l.toml"), moved);
    }
  }
}

TEST_F(LaunchFile, BlocksAreThoseThatTheKernelAsksFor) {
  const std::string close = "    .param .u32 copy_param_2\n)\n";
  const auto with = [&](const std::string& directive) { return ptx(close, close + directive + "\n"); };
  write("none.toml", "args = [\"a\", \"b\", 48]\n[buffers]\na = \"u32 i:64\"\nb = \"u32 i:64\"\n");
  const auto run_with = [&](const std::string& directive, const std::string& block) {
    write("l.toml", block + "\nargs = [\"a\", \"b\", 48]\n[buffers]\na = \"u32 i:64\"\nb = \"u32 i:64\"\n");
    return run("run " + with(directive) + " --launch " + path("l.toml"));
  };
  EXPECT_NE(run_with(".reqntid 16, 4, 1", "").out.find("Block: 16 x 4 x 1 threads, from .reqntid"), std::string::npos);
  EXPECT_NE(run_with(".maxntid 64", "").out.find("Block: 64 x 1 x 1 threads, from .maxntid"), std::string::npos);
  EXPECT_NE(run_with("", "").out.find("Block: 32 x 1 x 1 threads, from the default"), std::string::npos);
  EXPECT_EQ(run_with(".maxntid 16, 4", "block = 64").status, 0) << "the product of the extents counts";
  struct Case {
    const char *directive, *header, *words;
  };
  for (const Case& c :
       {Case{".maxntid 32", "block = 64", "l.toml:1:9: the block has 64 threads, but 'copy' allows 32"},
        Case{".reqntid 16, 4", "block = 64",
             "l.toml:1:9: the block is 64 x 1 x 1, but 'copy' requires exactly 16 x 4 x 1"},
        Case{".reqnctapercluster 2", "grid = 3", "l.toml:1:8: the grid is 3 x 1 x 1, which is no multiple"},
        Case{".reqnctapercluster 2", "cluster = 1",
             "l.toml:1:11: the cluster is 1 x 1 x 1, but 'copy' requires exactly 2"},
        Case{".maxclusterrank 1", "cluster = 2\ngrid = 2",
             "l.toml:1:11: the cluster has 2 blocks, but 'copy' allows 1"},
        Case{".explicitcluster", "block = 32", "'copy' requires a launch with a cluster"}}) {
    const Result r = run_with(c.directive, c.header);
    EXPECT_EQ(r.status, 2) << c.directive << r.err;
    EXPECT_NE(r.err.find(c.words), std::string::npos) << c.directive << r.err;
  }
  const Result bounded = run("review " + with(".maxntid 64"));
  EXPECT_EQ(bounded.out.find("missing-launch-bounds"), std::string::npos) << bounded.out;
}

/// Whether one line has the words and, before them, the place.
bool said_at(const std::string& all, const std::string& place, const std::string& words) {
  const std::size_t at = all.find(words), line = at == std::string::npos ? at : all.rfind('\n', at);
  const std::size_t begin = line == std::string::npos ? 0 : line + 1;
  return at != std::string::npos && all.substr(begin, at - begin).find(place) != std::string::npos;
}

TEST_F(LaunchFile, PtxThatIsMisspeltIsRefusedOrSaid) {
  const std::string launch = " --launch " + data + "copy.toml";
  const Result part = run("run " + ptx("ld.global.u32", "ld.globul.u32") + launch);
  EXPECT_NE(part.status, 0);
  EXPECT_TRUE(said_at(part.err, "k.ptx:24: ", "`ld.globul.u32`: `.globul` is not known here")) << part.err;
  const Result operand = run("run " + ptx("st.global.u32 [%rd7], %r3", "st.global.u32 [%rd7]") + launch);
  EXPECT_NE(operand.status, 0);
  EXPECT_TRUE(said_at(operand.err, "k.ptx:26: ", "`st.global.u32`: an operand is missing")) << operand.err;
  const Result version = run("run " + ptx(".version 8.0", ".version 99.0") + launch);
  EXPECT_EQ(version.status, 0) << version.err;
  EXPECT_NE(version.err.find("k.ptx:1: warning: PTX version 99.0 is newer than any that lanescope has"),
            std::string::npos)
      << version.err;
  const Result target = run("run " + ptx("sm_90", "banana") + launch);
  EXPECT_EQ(target.status, 2);
  EXPECT_NE(target.err.find("k.ptx:2: expected a target such as sm_90, found 'banana'"), std::string::npos)
      << target.err;
}

TEST_F(LaunchFile, ThemesAreTakenAsTheHelpSpellsThem) {
  for (const char* theme : {"\"high contrast\"", "high-contrast", "Light"}) {
    const Result r = run(std::string("render --view timeline --theme ") + theme + " -o " + path("t.svg") + " " + copy);
    EXPECT_EQ(r.status, 0) << theme << r.err;
  }
  EXPECT_EQ(run("render --view timeline --theme \"high contrast\" -o " + path("a.svg") + " " + copy).status, 0);
  EXPECT_EQ(run("render --view timeline --theme high-contrast -o " + path("b.svg") + " " + copy).status, 0);
  EXPECT_EQ(slurp(path("a.svg")), slurp(path("b.svg")));
}

// Mistakes in the header's contents are reported whether or not the code compiles.
TEST_F(LaunchFile, ContentsAreDiagnosedBesideAnErrorOfTheCompiler) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  for (const auto& [contents, said] : {std::pair{"u32 i:4 = [1, 2, 3]", "3"}, std::pair{"u8 i:4 = 300", "300"},
                                       std::pair{"u32 i:4 = there_is_no.npy", "there_is_no.npy"}}) {
    write("k.cu", std::string("/*\n[lanescope]\nblock = 4\n[buffers]\np = \"") + contents +
                      "\"\n*/\n__global__ void __launch_bounds__(4) k(unsigned *p)\n{\n    p[0] = nonsense;\n}\n");
    for (const char* command : {"run ", "check ", "review "}) {
      const Result r = run(command + path("k.cu"));
      EXPECT_EQ(r.status, 2) << command << r.err;
      const std::size_t header = r.err.find("k.cu:5:"), code = (r.err + r.out).find("k.cu:9");
      EXPECT_NE(header, std::string::npos) << command << contents << r.err;
      EXPECT_NE(r.err.find(said), std::string::npos) << command << r.err;
      // A number out of range is refused where the header is read: nothing is compiled then.
      if (std::string(said) != "300") {
        EXPECT_NE(code, std::string::npos) << command << r.err << r.out;
      }
    }
  }
}

}  // namespace
}  // namespace lanescope::cli
