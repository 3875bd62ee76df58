// Hostile lessons that try to do more than a lesson may. Each is refused where it is read, at its line; what gets
// past the reader is refused where it is computed.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <random>

#include "app/lessons/answer.h"
#include "app/lessons/moments_file.h"
#include "app/lessons/progress.h"

namespace lanescope::lessons {
namespace {

namespace fs = std::filesystem;

constexpr const char* kernel_text = "extern \"C\" __global__ void k(float* q) { q[threadIdx.x] = 1; }\n";

class HostileLesson : public ::testing::Test {
 protected:
  HostileLesson() {
    around_ = fs::temp_directory_path() /
              ("lanescope_hostile_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) +
               std::to_string(::getpid()));
    folder_ = around_ / "lesson";
    fs::create_directories(folder_);
    write("k.cu", kernel_text);
    write("../secret.cu", kernel_text);
    write("../secret.moments.toml", "[[moment]]\nname = \"m\"\nline = 1\n");
  }
  ~HostileLesson() override { fs::remove_all(around_); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  Expected<Lesson> read(const std::string& text) const {
    write("lesson.md", "# T\n\nS.\n\n## P\n\n" + text);
    return read_lesson(folder_);
  }
  static std::string fact(const std::string& compute) {
    return "{x}\n\n```facts\n[x]\ncompute = '''" + compute + "'''\nat = [\"x\"]\notherwise = \"none\"\n```\n";
  }
  /// The names of all files around the lesson.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> out;
    for (const auto& each : fs::recursive_directory_iterator(around_))
      if (each.is_regular_file() && each.path().filename() != "lesson.md") {
        std::ifstream in(each.path());
        out[each.path().string()] = std::string(std::istreambuf_iterator<char>(in), {});
      }
    return out;
  }
  fs::path around_, folder_;
};

TEST_F(HostileLesson, IsRefusedAtItsLineAndLeavesNothing) {
  const auto before = files();
  for (const std::string compute : std::initializer_list<const char*>{
           "check k.cu --via 'touch made; cat'",
           "check k.cu --via='touch made; cat'",
           "run k.cu --sweep seed=1,2 --array 'touch made; true'",
           "run k.cu --sweep=seed=1,2",
           "run k.cu --out q=made.npy",
           "run k.cu --array-folder made",
           "run k.cu more.cu",
           "run k.cu --seed --out",
           "run k.cu --nvcc 'nvcc --create-pch=made k.cu'",
           "run k.cu --launch ../secret.toml",
           "run k.cu --engine gpu",
           "check k.cu -- --create-pch=made",
           "check k.cu -- -DX=1",
           "check ../secret.cu",
           "check sub/../../secret.cu",
           "check k.cu -v",
           "measure k.cu -o made",
           "render k.cu --view registers -o made.svg",
           "annotate k.cu -o made",
           "annotate k.cu --in-place",
           "adopt k.cu -o made",
           "handout . -o made.html",
           "lesson .",
           "lesson . --check",
           "lessons",
           "man -o made",
           "icon -o made.svg",
           "worker",
           "child compile",
           "doctor",
           "access --stdin",
           "access --space global -o made.svg",
           "access --space global k.cu",
           "plan designs.toml",
           "plan --from x --to y --type f32 --emit made",
           "plan --from x --to y --type f32 --global made",
           "plan --from x --to y --type f32 --kernel made",
           "plan --from x --to y --type f32 --self-test made",
           "explain ../secret.ptx",
           "explain x.ptx",
           "resources k.cu --sass",
           "--help",
           "",
       }) {
    // A path is looked at where it is computed, everything else where the lesson is read.
    const auto lesson = read(fact(compute));
    Computer computer{.program = LANESCOPE_PROGRAM};
    const Diagnostics wrong = !lesson ? lesson.error() : [&] {
      const auto values = compute_facts(*lesson, computer);
      return values ? Diagnostics{} : values.error();
    }();
    ASSERT_FALSE(wrong.empty()) << compute;
    const Diagnostic& d = wrong.front();
    EXPECT_TRUE(d.file.ends_with("lesson.md") && (d.line == 10 || d.line == 11)) << compute << ": " << to_string(d);
    EXPECT_TRUE(computer.said.empty()) << compute;
  }
  EXPECT_EQ(files(), before);
}

TEST_F(HostileLesson, AQuestionIsReadAsAFactIs) {
  const auto lesson = read(
      "```question\nid = \"a\"\nkind = \"number\"\nask = \"?\"\ncompute = \"run k.cu --out q=x.npy\"\nat = "
      "[\"x\"]\n```\n");
  ASSERT_FALSE(lesson);
  EXPECT_EQ(lesson.error().front().line, 11);
  EXPECT_NE(lesson.error().front().message.find("--out"), std::string::npos);
}

TEST_F(HostileLesson, EveryNameOfAFileStaysInTheFolder) {
  fs::create_symlink(around_ / "secret.cu", folder_ / "link.cu");
  fs::create_symlink(around_ / "secret.moments.toml", folder_ / "k.moments.toml");
  const std::string absolute = (around_ / "secret.cu").string();
  for (const std::string& name : {std::string("../secret.cu"), absolute, std::string("link.cu"),
                                  std::string("./../secret.cu"), "../" + folder_.filename().string() + "/k.cu"}) {
    EXPECT_TRUE(kernel_path(folder_, name).empty()) << name;
    const auto moment = read("```moment\nkernel = \"" + name + "\"\nline = 1\n```\n");
    ASSERT_FALSE(moment) << name;
    EXPECT_NE(moment.error().front().message.find("leads out"), std::string::npos) << name;
    EXPECT_EQ(moment.error().front().line, 8) << name;
    for (const char* key : {"kernel", "solution"}) {
      const std::string other = key == std::string("kernel") ? "solution" : "kernel";
      const auto question = read("```question\nid = \"a\"\nkind = \"code\"\nask = \"?\"\ncompute = \"run {file}\"\n" +
                                 (key + (" = \"" + name)) + "\"\n" + other + " = \"k.cu\"\n```\n");
      ASSERT_FALSE(question) << name;
      EXPECT_EQ(question.error().front().line, 12) << name;
    }
    const auto lesson = read(fact("check " + name));
    ASSERT_TRUE(lesson) << to_string(lesson.error().front());
    EXPECT_FALSE(arguments_of(*lesson, lesson->facts.front().compute, {})) << name;
  }
  EXPECT_EQ(kernel_path(folder_, "k.cu"), folder_ / "k.cu");
  EXPECT_FALSE(read("```moment\nkernel = \"k.cu\"\nname = \"m\"\n```\n"));
  EXPECT_FALSE(moments_of(folder_ / "k.cu"));
}

TEST_F(HostileLesson, TheLessonItselfIsNoLink) {
  write("../notes.md", "# T\n\nS.\n\n## P\n\nhunter2\n");
  fs::create_symlink(around_ / "notes.md", folder_ / "lesson.md");
  ASSERT_FALSE(read_lesson(folder_));
}

TEST_F(HostileLesson, IsNamedByItsFolderAlone) {
  write("lesson.md", "# T\n\nS.\n\n## P\n\nwords\n");
  fs::create_directories(folder_ / "sub");
  for (const fs::path& folder : {folder_, folder_ / "", folder_ / "sub" / "..", folder_ / "."}) {
    const auto lesson = read_lesson(folder);
    ASSERT_TRUE(lesson);
    EXPECT_EQ(lesson->name, "lesson") << folder;
    EXPECT_EQ(work_folder("/state/lessons.json", *lesson), "/state/lessons/lesson");
  }
}

TEST_F(HostileLesson, ComputesNoMoreThanALessonNeeds) {
  std::string text, names;
  for (std::size_t i = 0; i <= most_computed; ++i) {
    text += "[x" + std::to_string(i) + "]\ncompute = \"figures\"\nat = [\"x\"]\n";
    names += "{x" + std::to_string(i) + "} ";
  }
  EXPECT_FALSE(read(names + "\n\n```facts\n" + text + "```\n"));
}

/// Allowed commands neither write nor start anything and open no lesson: no option of the table is one of
/// those, and no mixture of words brings one past it.
TEST(AllowedCommands, HaveNothingThatWritesOrStarts) {
  const std::vector<std::string> dangerous = {"--via",       "--sweep",  "--array",    "--array-folder", "--out",
                                              "-o",          "--output", "--in-place", "--emit",         "--global",
                                              "--self-test", "--stdin",  "--nvcc",     "--launch",       "--engine",
                                              "--",          "-v",       "--sass",     "--jobs",         "--device"};
  std::vector<std::string> pieces = dangerous;
  for (const AllowedCommand& c : allowed_commands()) {
    for (const char* other :
         {"lesson", "lessons", "handout", "render", "annotate", "measure", "worker", "child", "adopt"})
      EXPECT_NE(c.name, other);
    for (const std::string& option : dangerous)
      for (const std::string_view list : {c.flags, c.values})
        EXPECT_EQ((' ' + std::string(list) + ' ').find(' ' + option + ' '), std::string::npos) << c.name << option;
    for (const char* word : {"k.cu", "x", "--json", "--kernel", "--seed", "7", "-5", "--arch", "sm_90", "--no-nvrtc"})
      pieces.emplace_back(word);
  }
  std::mt19937 random(3);
  for (int round = 0; round < 20'000; ++round) {
    std::vector<std::string> words{std::string(allowed_commands()[random() % allowed_commands().size()].name)};
    for (std::size_t n = random() % 6; n > 0; --n) {
      words.push_back(pieces[random() % pieces.size()]);
      if (random() % 8 == 0) words.back() += "=" + pieces[random() % pieces.size()];
    }
    if (!refused_words(words).empty()) continue;
    for (const std::string& word : words)
      for (const std::string& option : dangerous)
        ASSERT_FALSE(word == option || word.starts_with(option + "=")) << ::testing::PrintToString(words);
  }
}

}  // namespace
}  // namespace lanescope::lessons
