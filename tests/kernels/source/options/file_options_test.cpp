// Options that a file may give the compiler. The oracle is a list of patterns of its own: for any file, each
// word that would reach the compiler fits one of them.

#include <algorithm>
#include <random>
#include <regex>

#include "kernels/source/options/command_words.h"
#include "kernels/source/options/header_search.h"
#include "kernels/source/options/nvcc_words.h"
#include "tests/kernels/source/options/files.h"

namespace lanescope::options {
namespace {

namespace fs = std::filesystem;

constexpr Origin of_files[] = {Origin::header, Origin::project_file, Origin::compile_commands, Origin::build_file};
constexpr Origin typed[] = {Origin::window, Origin::command_line, Origin::nvcc_command};

bool is_harmless(const std::string& word) {
  static const std::regex patterns(
      "-I[^\\x01-\\x1f]*|-D[^\\x01-\\x1f]*|-U[^\\x01-\\x1f]*|--std=[a-zA-Z_+0-9]*|--maxrregcount=[0-9]*|--device-debug|"
      "--pre-include=.*\\.(h|cuh)|--diag-(suppress|error|warn)=[A-Za-z0-9_.,+-]*|--use_fast_math|"
      "--(ftz|prec-div|prec-sqrt|fmad|Ofast-compile|dopt|device-stack-protector|builtin-move-forward|"
      "builtin-initializer-list)=[A-Za-z0-9_.,+-]*|--(extra-device-vectorization|restrict|disable-warnings|"
      "display-error-number|no-display-error-number|device-int128|device-float128)|"
      "--ptxas-options=-(O[0-9]+|O=[0-9]+|-opt-level=[0-9]+|[df][ls]cm=c[agsv]|[a-z-]+(=(true|false|[0-9]+|c[agsv]|w["
      "bt]))?)");
  return word.empty() || std::regex_match(word, patterns);
}

class FileOptions : public testing::Test {
 protected:
  FileOptions() {
    project_.write("src/k.cu", "");
    project_.write("src/first.h", "");
    project_.write("includes.rsp", "-DFROM_RSP=1 --create-pch=x");
    project_.write("includes.txt", "-DFROM_TEXT=1");
    project_.folder("include");
  }
  Base base(Origin origin) const { return {origin, project_.root, project_.root / "src/k.cu"}; }
  CompileSettings read(const std::vector<std::string>& words, Origin origin) const {
    return read_words(words, base(origin));
  }
  Project project_;
};

TEST_F(FileOptions, HaveAListAndTheRestIsNamed) {
  for (const std::vector<std::string>& words : std::initializer_list<std::vector<std::string>>{
           {"--create-pch=x"},
           {"--use-pch=x"},
           {"--pch-dir=x"},
           {"-Xptxas", "--options-file=/etc/passwd"},
           {"-Xptxas=--options-file=/etc/passwd"},
           {"--ptxas-options=-O1,--output-file=x"},
           {"dlcm=ca --options-file=/etc/passwd"},
           {"-Xptxas", "-O1 -o x"},
           {"maxrregcount=32 --create-pch=x"},
           {"-maxrregcount", "32 --create-pch=x"},
           {"--options-file", "/etc/passwd"},
           {"-optf=/etc/passwd"},
           {"@/etc/passwd"},
           {"@includes.txt"},
           {"-include", "/etc/passwd"},
           {"--pre-include=includes.txt"},
           {"--split-compile=0"},
           {"-DX=1\n#include \"/etc/passwd\""},
           {"--fmad=true --create-pch=x"},
           {"-std=c++17 --create-pch=x"},
           {"-D"},
       })
    for (const Origin origin : of_files) {
      const CompileSettings s = read(words, origin);
      for (const UsedOption& o : s.used) EXPECT_TRUE(is_harmless(o.word)) << o.word;
      const auto refused = refused_options(words, base(origin));
      const bool dropped = origin == Origin::compile_commands || origin == Origin::build_file;
      EXPECT_TRUE(!refused.empty() || (dropped && !s.left_out.empty())) << shell_text(words);
      for (const RefusedOption& o : refused) {
        EXPECT_NE(reason_for(s, o.written), "") << o.written;
        EXPECT_EQ(s.diagnostics.empty(), origin == Origin::header) << o.written;
      }
    }
  EXPECT_EQ(read({"--create-pch=x"}, Origin::project_file).diagnostics.front().severity, Severity::error);
  EXPECT_EQ(read({"-Xptxas", "-o=x"}, Origin::compile_commands).diagnostics.front().severity, Severity::warning);
}

TEST_F(FileOptions, WhatIsOnTheListIsTakenFromEveryOrigin) {
  for (const auto& [words, expected] : std::initializer_list<std::pair<std::vector<std::string>, std::string>>{
           {{"-I", "include"}, "-I../include"},
           {{"-DX=a b"}, "-DX=a b"},
           {{"-UX", "-std=gnu++17"}, "-UX --std=c++17"},
           {{"-maxrregcount", "32"}, "--maxrregcount=32"},
           {{"-Xptxas", "-O1,-dlcm=cg,-v,--warn-on-spills"},
            "--ptxas-options=-O1 --ptxas-options=-dlcm=cg --ptxas-options=--warn-on-spills"},
           {{"dlcm=cg"}, "--ptxas-options=-dlcm=cg"},
           {{"-use_fast_math", "--ftz=true", "-prec-div=false"}, "--use_fast_math --ftz=true --prec-div=false"},
           {{"-diag-suppress=177,20012"}, "--diag-suppress=177,20012"},
           {{"-G"}, "--device-debug"},
           {{"-include", "src/first.h"}, "--pre-include=first.h"},
           {{"@includes.rsp"}, "-DFROM_RSP=1"},
       })
    for (const Origin origin : of_files) EXPECT_EQ(words_for_compiler(read(words, origin)), expected);
}

TEST_F(FileOptions, APersonMayGiveAll) {
  for (const Origin origin : typed) {
    EXPECT_TRUE(refused_options({"--create-pch=x", "-Xptxas", "--options-file=x", "@includes.txt", "--split-compile=0"},
                                base(origin))
                    .empty());
    EXPECT_EQ(words_for_compiler(read({"-Xptxas", "--options-file=x"}, origin)), "--ptxas-options=--options-file=x");
  }
}

/// Words of all kinds, joined and cut at random: no file makes them into one that is not on the list.
TEST_F(FileOptions, NoMixtureGetsPastTheList) {
  const std::vector<std::string> pieces = {"-I",
                                           "include",
                                           "-D",
                                           "X",
                                           "=",
                                           "1",
                                           "--create-pch",
                                           "/etc/passwd",
                                           "-Xptxas",
                                           ",",
                                           " ",
                                           "--options-file",
                                           "@",
                                           "-O1",
                                           "-dlcm",
                                           "ca",
                                           "--std",
                                           "c++17",
                                           "--fmad",
                                           "true",
                                           "-include",
                                           "first.h",
                                           "-optf",
                                           "\n",
                                           "#include",
                                           "-maxrregcount",
                                           "32",
                                           "dlcm=",
                                           "--use-pch",
                                           "-U",
                                           "-gencode",
                                           "arch=compute_90,code=sm_90",
                                           "-arch",
                                           "sm_90",
                                           "--time",
                                           "-o",
                                           "x",
                                           "--pch",
                                           "-Xcompiler",
                                           "'",
                                           "\"",
                                           "includes.rsp",
                                           "-diag-suppress",
                                           "-w"};
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (int round = 0; round < 4000; ++round) {
    std::vector<std::string> words;
    for (std::size_t w = 0, count = 1 + below(5); w < count; ++w) {
      std::string word;
      for (std::size_t p = 0, parts = 1 + below(4); p < parts; ++p) word += pieces[below(pieces.size())];
      words.push_back(word);
    }
    for (const Origin origin : of_files)
      for (const UsedOption& o : read(words, origin).used)
        ASSERT_TRUE(is_harmless(o.word)) << o.word << " of " << shell_text(words);
  }
}

TEST(Projects, HoldWhatLiesInThemAndLinksAreFollowed) {
  const Project project;
  Project outside;
  outside.write("secret", "s");
  outside.write("x.h", "");
  for (const char* name : {"src/k.cu", "data/x.npy", ".ssh/id_rsa", "src/.env"}) project.write(name, "");
  fs::create_symlink(outside.root / "secret", project.root / "src/link.h");
  fs::create_symlink(project.root / "data/x.npy", project.root / "src/near.npy");
  fs::create_symlink(outside.root / "secret", project.root / "Makefile");
  const fs::path root = project_folder(project.root / "src/k.cu");
  EXPECT_EQ(root, project.root);
  EXPECT_TRUE(is_of_folder(project.root / "src/../data/x.npy", root));
  EXPECT_TRUE(is_of_folder(project.root / "src/near.npy", root));
  for (const fs::path& path : {project.root / ".ssh/id_rsa", project.root / "src/.env", project.root / "src/link.h",
                               outside.root / "secret", project.root / "../other", project.root})
    EXPECT_FALSE(is_of_folder(path, root)) << path;
  EXPECT_TRUE(is_header(outside.root / "x.h"));
  EXPECT_TRUE(is_header("/opt/eigen/Eigen/Dense"));
  for (const char* name : {"/etc/passwd", "/home/u/.netrc", "/home/u/notes.txt", "/x/h"}) EXPECT_FALSE(is_header(name));
  EXPECT_FALSE(is_header(project.root / "src/link.h"));
  EXPECT_TRUE(may_include(outside.root / "x.h", root));
  EXPECT_FALSE(may_include(outside.root / "secret", root));
  EXPECT_FALSE(is_found(project.root / "Makefile", root));
}

TEST(Projects, BeginAtTheNearestMark) {
  const Project project;
  project.write("lessons/a/lesson.md", "");
  project.write("lessons/a/k.cu", "");
  EXPECT_EQ(project_folder(project.root / "lessons/a/k.cu"), project.root / "lessons/a");
  EXPECT_EQ(project_folder(project.root / "lessons/k.cu"), project.root);
}

}  // namespace
}  // namespace lanescope::options
