#include "kernels/source/options/gather.h"

#include <random>

#include "kernels/source/options/build_files.h"
#include "kernels/source/options/header_search.h"
#include "kernels/source/options/nvcc_words.h"
#include "tests/kernels/source/options/files.h"

namespace lanescope::options {
namespace {

source::CompileSpec header_with(std::vector<std::string> words) { return {.arch = "", .options = std::move(words)}; }

TEST(GatheredOptions, CountInTheStatedOrder) {
  const Project project;
  const auto file = project.write("src/k.cu", "");
  project.write(".lanescope.toml", "[compile]\ndefine = [\"P=5\", \"X=5\"]\nstandard = \"c++14\"\narch = \"sm_75\"\n");
  project.write(
      "compile_commands.json",
      "[{\"directory\": \"" + project.root.string() +
          "\", \"file\": \"src/k.cu\", \"command\": \"nvcc -DJ=6 -DX=6 -std=c++11 -arch=sm_70 -c src/k.cu\"}]");
  const Given given{.words = {"-DC=3", "-DX=3"},
                    .folder = project.root.string(),
                    .nvcc_command = "nvcc -DN=4 -DX=4 src/k.cu",
                    .window = {"-DW=2", "-DX=2"}};
  // Each origin alone decides X where those before it say nothing of it.
  source::CompileSpec header = header_with({"-DH=1", "-DX=1"});
  std::vector<std::string> values;
  Given less = given;
  const auto value_of_x = [&] {
    const CompileSettings s = with_header(header, file, gather(file, less));
    std::string found;
    for (const UsedOption& o : s.used)
      if (o.value.starts_with("X=")) found += o.value.substr(2);
    return found;
  };
  EXPECT_EQ(value_of_x(), "1");
  header = header_with({"-DH=1"});
  EXPECT_EQ(value_of_x(), "2");
  less.window = {};
  EXPECT_EQ(value_of_x(), "3");
  less.words = {};
  EXPECT_EQ(value_of_x(), "4");
  less.nvcc_command.clear();
  EXPECT_EQ(value_of_x(), "5");
  std::filesystem::remove(project.root / ".lanescope.toml");
  EXPECT_EQ(value_of_x(), "6");
  less.look_around = false;
  EXPECT_EQ(value_of_x(), "");
}

TEST(GatheredOptions, KeepTheirOriginAndPlace) {
  const Project project;
  const auto file = project.write("src/deep/k.cu", "");
  project.folder("common");
  project.write(".lanescope.toml", "[compile]\ninclude = [\n  \"common\",\n]\noptions = [\"--use_fast_math\"]\n");
  const CompileSettings s = gather(file, {.words = {"-DX"}, .folder = project.root.string()});
  ASSERT_EQ(s.used.size(), 3U);
  EXPECT_EQ(s.used[0].origin, Origin::command_line);
  EXPECT_EQ(s.used[1].word, "-I../../common");
  EXPECT_EQ(s.used[1].place, (Place{(project.root / ".lanescope.toml").string(), 3}));
  EXPECT_EQ(s.used[2].place.line, 5);
  EXPECT_TRUE(s.diagnostics.empty());
}

TEST(GatheredOptions, TheWindowTakesAwayAndThatIsSaid) {
  const Project project;
  const auto file = project.write("k.cu", "");
  const CompileSettings s = gather(
      file,
      {.words = {"-DX=1", "-DY=2"}, .folder = project.root.string(), .window = {"-DZ"}, .removed = {"-DX=1", "-DQ"}});
  EXPECT_EQ(words_for_compiler(s), "-DZ -DY=2");
  EXPECT_EQ(reason_for(s, "-DX=1"), "was removed in the panel Options");
}

TEST(GatheredOptions, FollowTheHeadersOwnWordsInItsList) {
  const Project project;
  const auto file = project.write("k.cu", "");
  source::CompileSpec header = header_with({"-DX=1", "-I", "inc"});
  const std::vector<std::string> own = header.options;
  const CompileSettings s = with_header(
      header, file, gather(file, {.words = {"-DX=2", "-DY=2", "-arch=sm_80"}, .folder = project.root.string()}));
  apply(s, header);
  EXPECT_EQ(header.options, (std::vector<std::string>{"-DX=1", "-I", "inc", "-DY=2"}));
  EXPECT_EQ(header.arch, "sm_80");
  header.arch = "sm_90";
  apply(s, header);
  EXPECT_EQ(header.arch, "sm_90");
}

// --- compile_commands.json -----------------------------------------------------------------------------------------------

TEST(CompileCommands, AreFoundBesideAboveAndInBuild) {
  const Project project;
  const auto file = project.write("a/b/k.cu", "");
  EXPECT_FALSE(find_compile_commands(file));
  const auto far = project.write("build/compile_commands.json", "[]");
  EXPECT_EQ(find_compile_commands(file), far);
  const auto near = project.write("a/compile_commands.json", "[]");
  EXPECT_EQ(find_compile_commands(file), near);
  // Not above the root of the project.
  project.folder("a/b/.git");
  EXPECT_FALSE(find_compile_commands(file));
}

TEST(CompileCommands, GiveTheEntryOfTheFile) {
  const Project project;
  const auto file = project.write("src/k.cu", "");
  project.write("src/other/k.cu", "");
  project.folder("inc dir");
  const auto json = project.write("build/compile_commands.json", R"([
    {"directory": "../src", "file": "other/k.cu", "command": "nvcc -DWRONG other/k.cu"},
    {"file": "../src/k.cu", "arguments": ["nvcc", "-DX=a b", "-I../inc dir", "-c", "../src/k.cu"]},
    {"file": "../src/k.cu", "arguments": ["nvcc", "-DSECOND"]}, 7, {"file": 3}, null])");
  const CompileSettings s = read_compile_commands(json, file);
  EXPECT_EQ(words_for_compiler(s), "-I../inc dir -DX=a b");
  ASSERT_EQ(s.remarks.size(), 1U);
  EXPECT_NE(s.remarks[0].find("2 entries"), std::string::npos);
}

TEST(CompileCommands, WhatIsWrongWithThemIsAWarning) {
  const Project project;
  const auto file = project.write("k.cu", "");
  for (const char* text :
       {"", "k.cu", "{\"k.cu\": 1}", "[{\"file\": \"k.cu\"", "[{\"file\": \"k.cu\"}]",
        "[{\"file\": \"k.cu\", \"command\": \"nvcc 'k.cu\"}]", "[{\"file\": \"k.cu\", \"arguments\": [1]}]"}) {
    const CompileSettings s = read_compile_commands(project.write("compile_commands.json", text), file);
    EXPECT_TRUE(s.used.empty()) << text;
    if (std::string_view(text).find("k.cu") == std::string_view::npos) continue;
    ASSERT_EQ(s.diagnostics.size(), 1U) << text;
    EXPECT_EQ(s.diagnostics[0].severity, Severity::warning);
  }
  std::string deep = "[{\"file\": \"k.cu\", \"x\": " + std::string(100'000, '[');
  EXPECT_EQ(read_compile_commands(project.write("compile_commands.json", deep), file).diagnostics.size(), 1U);
}

// --- .lanescope.toml -----------------------------------------------------------------------------------------------------

TEST(ProjectFile, HasFoldersMacrosStandardAndOptions) {
  const Project project;
  const auto file = project.write("src/k.cu", "");
  project.folder("include");
  const auto toml =
      project.write(".lanescope.toml",
                    "[compile]\ninclude = \"include\"\ndefine = { A = 1, B = true, C = \"x y\", D = false }\n"
                    "standard = \"c++20\"\narch = \"sm_80\"\noptions = [\"-Xptxas\", \"-O1\"]\n");
  const CompileSettings s = read_project_file(toml, file);
  EXPECT_TRUE(s.diagnostics.empty());
  EXPECT_EQ(words_for_compiler(s), "-I../include -DA=1 -DB -DC=x y -DD=0 --std=c++20 --ptxas-options=-O1");
  EXPECT_EQ(s.architecture(), "sm_80");
}

TEST(ProjectFile, MistakesAreAtTheirPlace) {
  const Project project;
  const auto file = project.write("k.cu", "");
  struct Case {
    const char* text;
    int line;
    const char* words;
  };
  for (const Case& c :
       {Case{"[compile\n", 1, ""}, Case{"\n[compiel]\n", 2, "there is no key"}, Case{"compile = 3\n", 1, "table"},
        Case{"[compile]\nincludes = []\n", 2, "there is no key"}, Case{"[compile]\ninclude = 3\n", 2, "list"},
        Case{"[compile]\ndefine = [\n1]\n", 3, "list of strings"}, Case{"[compile]\nstandard = 17\n", 2, "string"},
        Case{"[compile]\ndefine = { A = [] }\n", 2, "macro"}, Case{"[launch]\nblock = 32\n", 1, "there is no key"}}) {
    const CompileSettings s = read_project_file(project.write(".lanescope.toml", c.text), file);
    ASSERT_FALSE(s.diagnostics.empty()) << c.text;
    EXPECT_EQ(s.diagnostics[0].severity, Severity::error);
    EXPECT_EQ(s.diagnostics[0].line, c.line) << c.text;
    EXPECT_NE(s.diagnostics[0].message.find(c.words), std::string::npos) << s.diagnostics[0].message;
    EXPECT_EQ(s.diagnostics[0].file, (project.root / ".lanescope.toml").string());
  }
  EXPECT_NE(
      read_project_file(project.write(".lanescope.toml", "[compiel]\n"), file).diagnostics[0].remedy.find("compile"),
      std::string::npos);
}

TEST(ProjectFile, RandomTextsEndInOptionsOrMistakes) {
  const Project project;
  const auto file = project.write("k.cu", "");
  std::mt19937 random(3);
  const std::string_view pieces[] = {"[compile]\n", "include", " = ", "[", "]",       "\"a\"", "\n", "define",
                                     "{",           "}",       "1",   ",", "options", "\\",    "'"};
  for (int round = 0; round < 500; ++round) {
    std::string text;
    for (std::size_t n = random() % 20; n > 0; --n) text += pieces[random() % std::size(pieces)];
    const auto path = project.write(".lanescope.toml", text);
    for (const Diagnostic& d : read_project_file(path, file).diagnostics) EXPECT_FALSE(d.message.empty());
    read_compile_commands(path, file);
  }
}

// --- headers that are missing -----------------------------------------------------------------------------------------------

TEST(HeaderSearch, FindsTheNearest) {
  const Project project;
  const auto file = project.write("samples/one/src/k.cu", "");
  EXPECT_FALSE(find_header_near(file, "helper.h"));
  project.write("third_party/lib/include/helper.h", "");
  ASSERT_TRUE(find_header_near(file, "helper.h"));
  EXPECT_EQ(find_header_near(file, "helper.h")->folder, project.root / "third_party/lib/include");
  project.write("common/helper.h", "");
  project.write("samples/common/helper.h", "");
  const auto found = find_header_near(file, "helper.h");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->folder, project.root / "samples/common");
  ASSERT_EQ(found->others.size(), 2U);
  EXPECT_EQ(
      words_of(*found, file),
      "-I ../../common, where helper.h is (the nearest; also in ../../../common, ../../../third_party/lib/include)");
}

TEST(HeaderSearch, TakesNamesWithFoldersAndStaysInTheProject) {
  const Project project;
  const auto file = project.write("inner/a/k.cu", "");
  project.write("include/lib/x.h", "");
  EXPECT_EQ(find_header_near(file, "lib/x.h")->folder, project.root / "include");
  EXPECT_EQ(words_of(*find_header_near(file, "lib/x.h"), file), "-I ../../include, where lib/x.h is");
  project.folder("inner/.git");
  EXPECT_FALSE(find_header_near(file, "lib/x.h"));
  for (const char* name : {"", "/etc/passwd", "../include/lib/x.h", "lib/../lib/x.h", "lib", "."})
    EXPECT_FALSE(find_header_near(project.root / "k.cu", name)) << name;
}

TEST(HeaderSearch, LooksNoFurtherThanFiveFoldersUp) {
  const Project project;
  std::filesystem::remove(project.root / ".git");
  project.write("0/include/x.h", "");
  EXPECT_TRUE(find_header_near(project.write("0/1/2/3/4/5/k.cu", ""), "x.h"));
  EXPECT_FALSE(find_header_near(project.write("0/1/2/3/4/5/6/k.cu", ""), "x.h"));
}

TEST(HeaderSearch, IsBoundedInAFolderOfThousands) {
  const Project project;
  for (int i = 0; i < 400; ++i) project.folder("third_party/p" + std::to_string(i));
  project.write("third_party/p0/z.h", "");
  const auto file = project.write("k.cu", "");
  find_header_near(file, "no.h");  // ends; the time limit of the test is the check
}

}  // namespace
}  // namespace lanescope::options
