// Options out of a Makefile or a CMakeLists.txt, as far as these can be known without running them.

#include "kernels/source/options/build_files.h"

#include <random>

#include "kernels/source/options/gather.h"
#include "tests/kernels/source/options/files.h"

namespace lanescope::options {
namespace {

std::string said(const std::vector<BuildWord>& words) {
  std::string out;
  for (const BuildWord& w : words) out += (out.empty() ? "" : " ") + w.text + (w.known ? "" : "?");
  return out;
}
std::string of_make(std::string_view text, std::string_view file = "main.cu") {
  return said(words_of_makefile(text, file));
}
std::string of_cmake(std::string_view text, std::string_view file = "main.cu") {
  return said(words_of_cmake(text, file));
}

TEST(Makefiles, GiveTheWordsOfTheRecipeThatCallsNvcc) {
  EXPECT_EQ(of_make("CC = nvcc\nCFLAGS := -DMKX=4 -O3 -I../common \\\n  -U Y -D 'A=b c'\n"
                    "main: main.o\n\t$(CC) $(CFLAGS) $< -o $@\n"),
            "-DMKX=4 -I../common -UY -DA=b c");
  EXPECT_EQ(of_make("all:\n\tnvcc -DX=1 main.cu\n"), "-DX=1");
  EXPECT_EQ(of_make("all:\n\tg++ -DX=1 main.cpp\n"), "");
  EXPECT_EQ(of_make("CFLAGS = -DX=1\n"), "") << "it is not used";
  EXPECT_EQ(of_make("N = $(M)\nM = 3\nall:\n\tnvcc -DX=$(N) -DY=$${HOME} main.cu # -DZ\n"), "-DX=3 -DY=${HOME}");
}

TEST(Makefiles, TheRecipeThatNamesTheFileGoesBeforeOthers) {
  const std::string text =
      "%.o: %.cu\n\tnvcc -DANY -c $<\n"
      "other: other.cu\n\tnvcc -DOTHER other.cu\n"
      "own: main.cu common.h\n\tnvcc -DOWN $^ -o own\n";
  EXPECT_EQ(of_make(text), "-DOWN");
  EXPECT_EQ(of_make(text, "third.cu"), "-DANY");
  EXPECT_EQ(of_make("other: other.cu\n\tnvcc -DOTHER other.cu\n"), "");
  EXPECT_EQ(of_make("x:\n\tnvcc -DX notmain.cu\n"), "");
}

TEST(Makefiles, ConditionsCountWhereTheyAreDecided) {
  const std::string text =
      "DEBUG = no\nOPT = yes\nF = -DA\n"
      "ifeq ($(DEBUG),yes)\nF += -DDEBUG\nelse\nF += -DRELEASE\nendif\n"
      "ifeq \"$(OPT)\" \"yes\"\nF += -DO\nendif\n"
      "ifneq ($(shell uname),Linux)\nF += -DMAC\nendif\n"
      "ifdef UNHEARD_OF\nF += -DU\nendif\n"
      "all:\n\tnvcc $(F) -I$(HOME)/x main.cu\n";
  EXPECT_EQ(of_make(text), "-DA -DRELEASE -DO -I?/x? -DMAC? -DU?");
}

std::string call_of(std::string_view makefile) {
  const MakeCall call = call_of_makefile(makefile);
  std::string out = std::to_string(call.line) + ":";
  for (const std::string& w : call.words) out += " [" + w + "]";
  return out;
}

TEST(Makefiles, TheTargetRunSaysWhatMainGets) {
  EXPECT_EQ(call_of("prog = shift\nWITH =\nrun: $(prog)\n\t$(WITH) ./$(prog) 12 0.5 'a b' | tee log\n"),
            "4: [12] [0.5] [a b]");
  EXPECT_EQ(call_of("N = 64\nrun:\n\techo go\n\t./x -n $(N)\n\t./x 9\n"), "4: [-n] [64]") << "the first call";
  EXPECT_EQ(call_of("run:\n\t./x $(UNHEARD_OF)\n"), "0:") << "a word that is not known";
  EXPECT_EQ(call_of("ifdef FAST\nrun:\n\t./x 1\nendif\n"), "0:") << "it is unknown whether it counts";
  EXPECT_EQ(call_of("test:\n\t./x 5\nrun: x\n"), "0:");
  EXPECT_EQ(call_of("run:\n\t./x\n"), "2:");
}

TEST(Makefiles, WordsOfTheCallAreThoseOfTheFileThatItNames) {
  const Project files;
  files.write("Makefile", "source = a.cu main.cu\nrun:\n\t./main 7 100\n");
  files.write("a.cu", "");
  EXPECT_EQ(command_line_nearby(files.root / "a.cu").words, (std::vector<std::string>{"7", "100"}));
  EXPECT_EQ(command_line_nearby(files.root / "a.cu").place, "Makefile line 3");
  EXPECT_TRUE(command_line_nearby(files.root / "b.cu").words.empty()) << "it names another file";
  EXPECT_TRUE(command_line_nearby(files.root / "nowhere/a.cu").words.empty());
}

TEST(CmakeLists, GiveTheWordsOfTheTargetThatHasTheFile) {
  EXPECT_EQ(of_cmake("add_definitions(-DA -Wall)\nadd_compile_definitions(B=2)\n"
                     "include_directories(${CMAKE_CURRENT_SOURCE_DIR}/../common)\n"
                     "add_executable(one main.cu) # -DX\nadd_executable(two other.cu)\n"
                     "target_compile_definitions(one PRIVATE C=3)\ntarget_compile_definitions(two PRIVATE D)\n"
                     "target_include_directories(one PUBLIC inc)\nset(CMAKE_CUDA_FLAGS \"-O3 -DE -G\")\n"),
            "-DA -DB=2 -I./../common -DC=3 -Iinc -DE");
  EXPECT_EQ(of_cmake("add_some_benchmark(\n  NAME x\n  SOURCES main.cu\n  COMPILE_OPTIONS -DMKX=4)\n"), "-DMKX=4");
  EXPECT_EQ(of_cmake("set(N 5)\nif(X)\nadd_definitions(-DP)\nendif()\nadd_definitions(-DN=${N} -DM=${M})\n"),
            "-DP? -DN=5 -DM=${M}?");
}

TEST(CmakeLists, FoldersOfTheProjectAndDefaultsAreKnown) {
  EXPECT_EQ(of_cmake("include_directories(${PROJECT_SOURCE_DIR}/a)\nproject(sgemm LANGUAGES CUDA)\n"
                     "include_directories(\"${PROJECT_SOURCE_DIR}/b\" ${CMAKE_SOURCE_DIR}/c ${sgemm_SOURCE_DIR}/d)\n"),
            "-I${PROJECT_SOURCE_DIR}/a? -I./b -I./c -I./d");
  const std::string use = "add_definitions(-DN=${N})\n";
  EXPECT_EQ(of_cmake("if(NOT N)\nset(N 86)\nendif()\n" + use), "-DN=86");
  EXPECT_EQ(of_cmake("if((NOT DEFINED N) OR (N STREQUAL \"\"))\nset(N 86)\nendif()\n" + use), "-DN=86");
  EXPECT_EQ(of_cmake("set(N 5)\nif(NOT N)\nset(N 86)\nendif()\n" + use), "-DN=5") << "it has a value";
  for (const char* unknown :
       {"if(N)\nset(N 86)\nendif()\n", "if(NOT M)\nset(N 86)\nendif()\n", "if(NOT N AND M)\nset(N 86)\nendif()\n",
        "if(NOT N)\nelse()\nset(N 86)\nendif()\n", "if(NOT N)\nif(M)\nset(N 86)\nendif()\nendif()\n",
        "if(M)\nif(NOT N)\nset(N 86)\nendif()\nendif()\n", "if(NOT)\nset(N 86)\nendif()\n"})
    EXPECT_EQ(of_cmake(unknown + use), "-DN=${N}?") << unknown;
}

TEST(BuildFiles, NeverHangOrCrash) {
  std::mt19937 random(7);
  const std::string_view pieces[] = {"$(",     "${", ")", "}",    "=",   "A",    "ifeq",          "\n",    "\t",
                                     "nvcc ",  "-D", "$", "(",    "\"",  ",",    "\\\n",          "endif", "else",
                                     "define", "#",  " ", "set(", "if(", "$(A)", "A = $(A)$(A)\n"};
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    for (int k = 0; k < 40; ++k) text += pieces[random() % std::size(pieces)];
    words_of_makefile(text, "main.cu");
    words_of_cmake(text, "main.cu");
  }
  // Doubled at each line.
  std::string text = "A0 = -Dxxxxxxxx\n";
  for (int i = 1; i < 60; ++i) {
    const std::string before = "$(A" + std::to_string(i - 1) + ")";
    text += "A" + std::to_string(i) + " = " + before + before + "\n";
  }
  words_of_makefile(text + "all:\n\tnvcc $(A59) main.cu\n", "main.cu");
}

TEST(BuildFiles, AreUsedAndSaidAndCountLeast) {
  const Project project;
  const auto file = project.write("k/main.cu", "");
  project.folder("common");
  project.write("k/Makefile", "all:\n\tnvcc -DX=1 -DY=2 -I../common -I$(HOME) -O3 main.cu\n");
  const CompileSettings s = gather(file, {.words = {"-DX=9"}});
  EXPECT_EQ(s.words_beside_header(), (std::vector<std::string>{"-DX=9", "-DY=2", "-I../common"})) << table(s);
  std::string all;
  for (const std::string& sentence : sentences(s)) all += sentence + "\n";
  EXPECT_NE(all.find("Makefile gives the options -DY=2 -I../common"), std::string::npos) << all;
  EXPECT_NE(all.find("-I?"), std::string::npos) << all;
  EXPECT_NE(table(s).find("Makefile line 2"), std::string::npos) << table(s);
  // A list of commands that has the file says all there is to say.
  project.write("k/compile_commands.json",
                R"([{"directory": ".", "file": "main.cu", "command": "nvcc -DZ=1 -c main.cu"}])");
  EXPECT_EQ(gather(file, {}).words_beside_header(), (std::vector<std::string>{"-DZ=1"}));
  EXPECT_TRUE(gather(file, {.look_around = false}).used.empty());
}

}  // namespace
}  // namespace lanescope::options
