#include "kernels/source/options/nvcc_words.h"

#include <random>
#include <set>

#include "kernels/source/options/build_files.h"
#include "kernels/source/options/command_words.h"
#include "tests/kernels/source/options/files.h"

namespace lanescope::options {
namespace {

class NvccWords : public testing::Test {
 protected:
  CompileSettings read(const std::vector<std::string>& words, Origin origin = Origin::command_line) const {
    return read_words(words, {origin, project_.root, project_.root / "src/k.cu"});
  }
  std::string compiled(const std::vector<std::string>& words) const { return words_for_compiler(read(words)); }

  Project project_;
};

TEST_F(NvccWords, AreTranslatedForNvrtc) {
  project_.folder("src");
  project_.folder("include");
  for (const auto& [words, expected] : std::initializer_list<std::pair<std::vector<std::string>, std::string>>{
           {{"-I", "include"}, "-I../include"},
           {{"-Iinclude"}, "-I../include"},
           {{"--include-path=include"}, "-I../include"},
           {{"-isystem", "include"}, "-I../include"},
           {{"-Iinclude,src"}, "-I../include -I."},
           {{"-D", "X=1"}, "-DX=1"},
           {{"--define-macro", "F(a,b)=a"}, "-DF(a,b)=a"},
           {{"-UX"}, "-UX"},
           {{"-std=gnu++17"}, "--std=c++17"},
           {{"--std", "c++14"}, "--std=c++14"},
           {{"-std=c++2a"}, "--std=c++20"},
           {{"-G"}, "--device-debug"},
           {{"-Xptxas", "-O1,-dlcm=cg"}, "--ptxas-options=-O1 --ptxas-options=-dlcm=cg"},
           {{"-Xptxas=-O1 -v"}, "--ptxas-options=-O1"},
           {{"-maxrregcount", "32"}, "--maxrregcount=32"},
           {{"maxrregcount=32"}, "--maxrregcount=32"},
           {{"dlcm=cg"}, "--ptxas-options=-dlcm=cg"},
           {{"-use_fast_math"}, "--use_fast_math"},
           {{"-fmad", "false"}, "--fmad=false"},
           {{"-Xcudafe", "--diag_suppress=177"}, "--diag-suppress=177"},
           {{"-diag-suppress=177,20012"}, "--diag-suppress=177,20012"},
           {{"-DX=1", "-DX=2"}, "-DX=2"},
           {{"-DX=1", "-UX"}, "-UX"},
           {{"--fmad=true", "--fmad=false"}, "--fmad=false"},
           {{"--not-known=1"}, "--not-known=1"},
       })
    EXPECT_EQ(compiled(words), expected) << shell_text(words);
}

TEST_F(NvccWords, WhatNvrtcHasNoUseForIsNamedWithTheReason) {
  const CompileSettings s = read({"-O3",       "-rdc=true",  "--expt-relaxed-constexpr",
                                  "-lineinfo", "-Xcompiler", "-Wall,-O2",
                                  "-o",        "k",          "-c",
                                  "-lcublas",  "-L/usr/lib", "-march=native",
                                  "-Wall",     "other.cu",   "-ccbin=g++",
                                  "-m64",      "-Ino/such",  "-Xptxas",
                                  "-v",        "src/k.cu"});
  EXPECT_TRUE(s.used.empty()) << words_for_compiler(s);
  for (const auto& [written, part] : std::initializer_list<std::pair<const char*, const char*>>{
           {"-O3", "host code"},
           {"-rdc=true", "whole program"},
           {"--expt-relaxed-constexpr", "not needed"},
           {"-lineinfo", "always given"},
           {"-Xcompiler -Wall,-O2", "host compiler"},
           {"-o k", "files"},
           {"-c", "what nvcc writes"},
           {"-lcublas", "linker"},
           {"-L/usr/lib", "linker"},
           {"-march=native", "host compiler"},
           {"-Wall", "host compiler"},
           {"other.cu", "another file"},
           {"-ccbin=g++", "tools"},
           {"-m64", "host compiler"},
           {"-Ino/such", "no folder"},
           {"-Xptxas -v", "always given"},
           {"src/k.cu", "the file itself"},
       })
    EXPECT_NE(reason_for(s, written).find(part), std::string::npos) << written << ": " << reason_for(s, written);
}

TEST_F(NvccWords, OfSeveralArchitecturesTheNewestIsCompiledFor) {
  for (const auto& [words, arch] : std::initializer_list<std::pair<std::vector<std::string>, std::string>>{
           {{"-arch=sm_80"}, "sm_80"},
           {{"--gpu-architecture", "compute_75"}, "sm_75"},
           {{"-gencode", "arch=compute_70,code=sm_70", "-gencode", "arch=compute_86,code=[sm_86,compute_86]"}, "sm_86"},
           {{"-gencode=arch=compute_90,code=sm_90", "-gencode=arch=compute_90a,code=sm_90a"}, "sm_90a"},
           {{"-arch=compute_80", "-code=sm_86,sm_89"}, "sm_89"},
           {{"--cuda-gpu-arch=sm_70"}, "sm_70"},
           {{"-arch=native"}, ""},
           {{"-arch=all"}, ""},
       }) {
    const CompileSettings s = read(words);
    EXPECT_EQ(s.architecture(), arch) << shell_text(words);
    EXPECT_FALSE(s.used.empty() && s.left_out.empty());
  }
}

TEST_F(NvccWords, FilesOfOptionsAreReadAndCyclesEnd) {
  project_.folder("include");
  project_.write("one.rsp", "-DA=1\n-I \"include\" @two.rsp");
  project_.write("two.rsp", "-DB='x y' @one.rsp --options-file three.rsp");
  project_.write("three.rsp", "-DC");
  const CompileSettings s = read({"@one.rsp", "@none.rsp"});
  EXPECT_EQ(words_for_compiler(s), "-I../include -DA=1 -DB=x y -DC");
  EXPECT_NE(reason_for(s, "@one.rsp").find("includes itself"), std::string::npos);
  EXPECT_NE(reason_for(s, "@none.rsp").find("there is no such file"), std::string::npos);
  // Many files that name each other twice: as deep as allowed, and no further than the words that are allowed.
  for (int i = 0; i < 40; ++i)
    project_.write("n" + std::to_string(i), "@n" + std::to_string(i + 1) + " @n" + std::to_string(i + 1));
  const CompileSettings deep = read({"@n0"});
  EXPECT_TRUE(deep.used.empty());
  EXPECT_LE(deep.left_out.size(), most_words + 2 * (std::size_t{1} << most_nested_files));
}

TEST_F(NvccWords, EveryArgumentOfARandomCommandIsUsedOrNamed) {
  project_.folder("include");
  project_.folder("src");
  const std::vector<std::vector<std::string>> pool = {{"-I", "include"},
                                                      {"-Iinclude"},
                                                      {"-I=nix"},
                                                      {"-DX=1"},
                                                      {"-D", "Y"},
                                                      {"-UX"},
                                                      {"-std=c++17"},
                                                      {"-O3"},
                                                      {"-O"},
                                                      {"-G"},
                                                      {"-g"},
                                                      {"-lineinfo"},
                                                      {"-rdc=true"},
                                                      {"-rdc", "true"},
                                                      {"-arch=sm_80"},
                                                      {"-arch", "sm_90a"},
                                                      {"-code=sm_80,sm_90"},
                                                      {"-gencode", "arch=compute_80,code=sm_80"},
                                                      {"-Xptxas", "-v,-O2"},
                                                      {"-Xptxas=-warn-spills"},
                                                      {"-Xcompiler", "-fPIC"},
                                                      {"-o", "k"},
                                                      {"-c"},
                                                      {"-lfoo"},
                                                      {"-l", "bar"},
                                                      {"-L/usr"},
                                                      {"@none"},
                                                      {"k.cu"},
                                                      {"a.o"},
                                                      {"-maxrregcount=32"},
                                                      {"-maxrregcount", "64"},
                                                      {"--expt-extended-lambda"},
                                                      {"-Wall"},
                                                      {"-fopenmp"},
                                                      {"-march=native"},
                                                      {"--unheard-of"},
                                                      {"-x", "cu"},
                                                      {"-w"},
                                                      {"-Xcudafe", "--display_error_number"},
                                                      {"-ccbin", "g++"},
                                                      {"-"},
                                                      {""},
                                                      {"a b"},
                                                      {"-include", "x.h"},
                                                      {"-diag-suppress=1,2"},
                                                      {"--ftz=true"},
                                                      {"-ftz", "false"},
                                                      {"--restrict"},
                                                      {"-t0"}};
  std::mt19937 random(11);
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::string> words;
    for (std::size_t n = random() % 12; n > 0; --n) {
      const auto& option = pool[random() % pool.size()];
      words.insert(words.end(), option.begin(), option.end());
    }
    if (random() % 4 == 0) words.push_back("-D");  // without its value
    const Origin origin = round % 2 ? Origin::compile_commands : Origin::command_line;
    const CompileSettings s = read(words, origin);
    std::multiset<std::string> named;
    const auto name = [&](const std::string& written) {
      for (const CommandWord& w : command_words(written).words) named.insert(w.text);
    };
    for (const UsedOption& o : s.used) name(o.written);
    for (const LeftOut& o : s.left_out) {
      name(o.written);
      EXPECT_FALSE(o.reason.empty());
    }
    for (const std::string& word : words) EXPECT_TRUE(named.contains(word)) << word << " of " << shell_text(words);
    // The origin of a word that is left out is in a sentence, too.
    std::string all;
    for (const std::string& sentence : sentences(s)) all += sentence;
    for (const LeftOut& o : s.left_out)
      EXPECT_TRUE(o.no_option || all.find(o.written) != std::string::npos) << o.written;
  }
}

TEST_F(NvccWords, TranslatedWordsMeanThemselves) {
  project_.folder("include");
  project_.folder("src");
  const std::vector<std::string> words = {"-I",    "include", "-DX=1",    "-std=c++17",
                                          "-G",    "-Xptxas", "-O1",      "-maxrregcount=32",
                                          "-fmad", "false",   "-Xcudafe", "--diag_suppress=177"};
  const CompileSettings once = read(words);
  std::vector<std::string> translated;
  for (const UsedOption& o : once.used) translated.push_back(o.word);
  const CompileSettings twice =
      read_words(translated, {Origin::header, project_.root / "src", project_.root / "src/k.cu"});
  EXPECT_EQ(words_for_compiler(once), words_for_compiler(twice));
  EXPECT_TRUE(twice.left_out.empty());
}

TEST_F(NvccWords, APastedCommandIsReadWhole) {
  const auto file = project_.write("src/k.cu", "");
  project_.folder("include");
  project_.folder("build");
  const auto pasted = [&](const std::string& text) {
    return read_nvcc_command(text, {Origin::nvcc_command, file.parent_path(), file});
  };
  EXPECT_EQ(words_for_compiler(pasted("nvcc -O3 -I.. k.cu -o foo")), "-I..");
  EXPECT_EQ(words_for_compiler(pasted("nvcc -Iinclude src/k.cu")), "-I../include");
  EXPECT_EQ(words_for_compiler(pasted("/opt/cuda/bin/nvcc -I../include -c ../src/k.cu")), "-I../include");
  EXPECT_EQ(words_for_compiler(pasted("$ nvcc -DX=1 k.cu")), "-DX=1");
  EXPECT_EQ(words_for_compiler(pasted("-DX=1 -DY")), "-DX=1 -DY");
  const CompileSettings s =
      pasted("make clean; CUDA=1 ccache nvcc -DX=1 -I $ROOT/inc -D\"Y=$Z\" \\\n k.cu > log 2>&1 && ./k");
  EXPECT_EQ(words_for_compiler(s), "-DX=1");
  EXPECT_EQ(reason_for(s, "make clean"), "is another command");
  EXPECT_EQ(reason_for(s, "./k"), "is another command");
  EXPECT_EQ(reason_for(s, "CUDA=1 ccache nvcc"), "calls the compiler");
  EXPECT_NE(reason_for(s, "'-DY=$Z'").find("variable"), std::string::npos);
  EXPECT_FALSE(reason_for(s, "-I '$ROOT/inc'").empty());
  ASSERT_EQ(pasted("nvcc 'k.cu").diagnostics.size(), 1U);
}

}  // namespace
}  // namespace lanescope::options
