#include "app/lessons/lesson.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/lessons/answer.h"
#include "app/lessons/progress.h"

namespace lanescope::lessons {
namespace {

namespace fs = std::filesystem;

const fs::path first_lesson = LANESCOPE_TEST_DATA_DIR "/lessons/01-first";

Computer computer() {
  Computer c;
  c.program = LANESCOPE_PROGRAM;
  return c;
}

class LessonFolder : public ::testing::Test {
 protected:
  LessonFolder() {
    folder_ = fs::temp_directory_path() /
              ("lanescope_lesson_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) +
               std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  ~LessonFolder() override { fs::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  Expected<Lesson> read(const std::string& text) const {
    write("lesson.md", text);
    return read_lesson(folder_);
  }
  fs::path folder_;
};

TEST(Lesson, IsReadWhole) {
  const auto lesson = read_lesson(first_lesson);
  ASSERT_TRUE(lesson) << to_string(lesson.error().front());
  EXPECT_EQ(lesson->name, "01-first");
  EXPECT_EQ(lesson->title, "A first lesson");
  ASSERT_EQ(lesson->pages.size(), 3U);
  EXPECT_EQ(lesson->pages[0].heading, "Sectors");
  EXPECT_EQ(lesson->pages[0].notes, "Draw a line on the board first.");
  EXPECT_EQ(lesson->pages[0].blocks.size(), 4U);
  EXPECT_EQ(lesson->questions().size(), 4U);
  ASSERT_EQ(lesson->moments().size(), 2U);
  EXPECT_TRUE(lesson->moments()[0]->kernel.ends_with("assets/kernels/half2_transposes.cu"));
  EXPECT_TRUE(lesson->moments()[1]->kernel.ends_with("01-first/broken.cu"));
  EXPECT_EQ(lesson->questions()[3]->line, 74);
}

TEST_F(LessonFolder, SaysWhatIsWrongAndWhere) {
  const std::string head = "# T\n\nSummary.\n\n## P\n\n";
  const std::string question =
      "```question\nid = \"a\"\nkind = \"number\"\nask = \"?\"\ncompute = \"figures\"\nat = [\"x\"]\n";
  const struct {
    std::string text;
    int line;
    const char* words;
  } cases[] = {
      {"text\n# T\n\nS.\n\n## P\n", 1, "text above the title"},
      {"# T\n\n## P\n", 1, "does not state its goals"},
      {"# T\n\nS.\n", 1, "no page"},
      {head + "```question\nid = 3\n```\n", 8, "must be a string"},
      {head + "```question\nid = \n```\n", 8, ""},
      {head + question + "hin = \"?\"\n```\n", 13, "no key `hin`"},
      {head + question + "want = \"<= 3\"\n```\n", 13, "no meaning"},
      {head + question + "```\n\n" + question + "```\n", 16, "another question `a`"},
      {head + "```moment\nkernel = \"none.cu\"\nline = 3\n```\n", 8, "no kernel `none.cu`"},
      {head + "```moment\nkernel = \"half2_transposes.cu\"\n```\n", 8, "needs a `line`, or the `name`"},
      {head + "```moment\nkernel = \"half2_transposes.cu\"\nname = \"nowhere\"\n```\n", 9, "no moment `nowhere`"},
      {head + "```notes\nno end\n", 7, "has no end"},
      {head + "```question\nid = \"a\"\nkind = \"row\"\nask = \"?\"\ncompute = \"figures\"\nat = [\"x\"]\nrow = "
              "\"lanes\"\n```\n",
       13, "row of an assignment"},
      {head + "```question\nid = \"a\"\nkind = \"choice\"\nask = \"?\"\ncompute = \"figures\"\nat = [\"x\"]\nchoices = "
              "[\"1\"]\n```\n",
       13, "two `choices`"},
      {head + "```question\nid = \"a\"\nkind = \"code\"\nask = \"?\"\ncompute = \"check k.cu\"\nkernel = "
              "\"k.cu\"\nsolution = \"k.cu\"\n```\n",
       11, "computes with the learner's file"},
  };
  for (const auto& c : cases) {
    const auto lesson = read(c.text);
    ASSERT_FALSE(lesson) << c.text;
    const bool found = std::ranges::any_of(lesson.error(), [&](const Diagnostic& d) {
      return d.line == c.line && d.message.find(c.words) != std::string::npos && d.file.ends_with("lesson.md");
    });
    EXPECT_TRUE(found) << c.text << to_string(lesson.error().front());
  }
}

TEST_F(LessonFolder, MomentsAreFoundByName) {
  write("half2_transposes.moments.toml", "[[moment]]\nname = \"exchange\"\nline = 53\ncaption = \"saved\"\n");
  const auto lesson =
      read("# T\n\nS.\n\n## P\n\n```moment\nkernel = \"half2_transposes.cu\"\nname = \"exchange\"\n```\n");
  ASSERT_TRUE(lesson) << to_string(lesson.error().front());
  EXPECT_EQ(lesson->moments()[0]->line, 53);
  EXPECT_EQ(lesson->moments()[0]->caption, "saved");
}

TEST_F(LessonFolder, AKernelThatIsRightAlreadyIsNoQuestion) {
  write("k.cu", "__global__ void k(float *p) { p[threadIdx.x] = 1; }\n");
  const auto lesson = read(
      "# T\n\nS.\n\n## P\n\n```question\nid = \"a\"\nkind = \"code\"\nask = \"?\"\ncompute = \"kernels "
      "{file}\"\nkernel = \"k.cu\"\nsolution = \"k.cu\"\n```\n");
  ASSERT_TRUE(lesson) << to_string(lesson.error().front());
  Computer c = computer();
  const LessonCheck check = check_lesson(*lesson, c);
  ASSERT_EQ(check.problems().size(), 1U);
  EXPECT_NE(check.problems().front().message.find("is right already"), std::string::npos);
}

TEST(Lesson, IsCheckedWhole) {
  const auto lesson = read_lesson(first_lesson);
  ASSERT_TRUE(lesson);
  Computer c = computer();
  const LessonCheck check = check_lesson(*lesson, c);
  for (const Diagnostic& d : check.problems()) ADD_FAILURE() << to_string(d);
  ASSERT_EQ(check.questions.size(), 4U);
  EXPECT_EQ(check.questions[0].answer.text, "8");
  EXPECT_EQ(check.questions[2].answer.text, "j1 j0 j2 k2 k1");
  for (const CheckedMoment& m : check.moments) EXPECT_GE(m.step, 0);
}

/// The output of the command line is the answer; a refusal is an error with the question's line.
TEST(Answer, IsWhatTheProgramPrints) {
  const auto lesson = read_lesson(first_lesson);
  ASSERT_TRUE(lesson);
  Question q = *lesson->questions()[0];
  Computer c = computer();
  const auto answer = compute_answer(*lesson, q, c);
  ASSERT_TRUE(answer) << to_string(answer.error().front());
  FILE* pipe = ::popen(LANESCOPE_PROGRAM " access --space global --op ld --width 4 --pattern stride:2 --json", "r");
  std::string printed;
  char buffer[4096];
  for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) printed.append(buffer, got);
  ASSERT_EQ(::pclose(pipe), 0);
  EXPECT_EQ(*answer->number, nlohmann::json::parse(printed)["sectors"].get<double>());

  const auto refused = [&](auto change) {
    Question changed = q;
    change(changed);
    const auto got = compute_answer(*lesson, changed, c);
    EXPECT_FALSE(got);
    if (got) return std::string();
    EXPECT_EQ(got.error().front().line, q.line);
    return got.error().front().message;
  };
  EXPECT_NE(refused([](Question& x) { x.compute = "access --width nine"; }).find("status 2"), std::string::npos);
  EXPECT_NE(refused([](Question& x) { x.compute = "check nowhere.cu"; }).find("nowhere.cu"), std::string::npos);
  EXPECT_NE(refused([](Question& x) { x.at = {"sector"}; }).find("leads nowhere"), std::string::npos);
  EXPECT_NE(refused([](Question& x) { x.at = {"op"}; }).find("is no number"), std::string::npos);
  EXPECT_NE(refused([](Question& x) { x.compute = "access 'open"; }).find("not closed"), std::string::npos);
  EXPECT_NE(refused([](Question& x) {
              x.kind = Question::Kind::choice, x.choices = {"1", "2"};
            }).find("none of the choices"),
            std::string::npos);
}

TEST(Answer, RightAndWrongRepliesAreToldApart) {
  const auto says = [](const Question& q, const Answer& a, const char* reply) {
    const auto right = is_right(q, a, reply);
    return !right ? "unclear" : *right ? "right" : "wrong";
  };
  Question number;
  number.unit = "sectors";
  const Answer eight{.text = "8", .number = 8};
  for (const char* reply : {"8", " 8 ", "8 sectors", "8 sector", "8.0", "16/2", "0x8"})
    EXPECT_STREQ(says(number, eight, reply), "right") << reply;
  for (const char* reply : {"7", "8.001", "80", "-8"}) EXPECT_STREQ(says(number, eight, reply), "wrong") << reply;
  for (const char* reply : {"", "eight", "8 lines", "8 8", "nan", "1/0"})
    EXPECT_STREQ(says(number, eight, reply), "unclear") << reply;
  const Answer large{.text = "65536", .number = 65536};
  for (const char* reply : {"65536", "65 536", "65,536"}) EXPECT_STREQ(says(number, large, reply), "right") << reply;
  const Answer third{.text = "0.6666667", .number = 2.0 / 3};
  for (const char* reply : {"2/3", "0.667", "0.67"}) EXPECT_STREQ(says(number, third, reply), "right") << reply;
  for (const char* reply : {"0.7", "1", "0.6"}) EXPECT_STREQ(says(number, third, reply), "wrong") << reply;

  Question row;
  row.kind = Question::Kind::row, row.row = "thread";
  const Answer bits{.text = "j1 j0 j2 k2 k1"};
  for (const char* reply :
       {"j1 j0 j2 k2 k1", "  j1   j0 j2 k2 k1", "thread: j1 j0 j2 k2 k1", "t4 t3 t2 t1 t0 <-> j1 j0 j2 k2 k1",
        "t0 t1 t2 t3 t4 <-> k1 k2 j2 j0 j1", "lane: j1 j0 j2 k2 k1"})
    EXPECT_STREQ(says(row, bits, reply), "right") << reply;
  for (const char* reply : {"j1 j0 k3 k2 k1", "k1 k2 j2 j0 j1", "j1 j0 j2 k2", "j1 j0 j2 k2 k1+j0"})
    EXPECT_STREQ(says(row, bits, reply), "wrong") << reply;
  for (const char* reply : {"", "register: j1 j0 j2 k2 k1", "thread:"})
    EXPECT_STREQ(says(row, bits, reply), "unclear") << reply;

  Question choice;
  choice.kind = Question::Kind::choice, choice.choices = {"1", "8"};
  EXPECT_STREQ(says(choice, {.text = "8"}, "8"), "right");
  EXPECT_STREQ(says(choice, {.text = "8"}, "1"), "wrong");
  EXPECT_STREQ(says(choice, {.text = "8"}, "2"), "unclear");
}

TEST_F(LessonFolder, CodeIsJudgedByRunningIt) {
  const auto lesson = read_lesson(first_lesson);
  ASSERT_TRUE(lesson);
  const Question& q = *lesson->questions()[3];
  Computer c = computer();
  const auto broken = check_code(*lesson, q, (first_lesson / "broken.cu").string(), c);
  ASSERT_TRUE(broken) << to_string(broken.error().front());
  EXPECT_FALSE(broken->right);
  EXPECT_EQ(broken->reason, "32 sectors, and <= 16 is needed");
  const auto mended = check_code(*lesson, q, (first_lesson / "mended.cu").string(), c);
  ASSERT_TRUE(mended) << to_string(mended.error().front());
  EXPECT_TRUE(mended->right);
  EXPECT_EQ(mended->value, "16");
  write("wrong.cu", "__global__ void copy(const float *p, float *q) { q[0] = nothing; }\n");
  const auto wrong = check_code(*lesson, q, (folder_ / "wrong.cu").string(), c);
  ASSERT_TRUE(wrong) << to_string(wrong.error().front());
  EXPECT_FALSE(wrong->right);
  EXPECT_NE(wrong->reason.find("nothing"), std::string::npos) << wrong->reason;
}

TEST(JsonPath, LeadsToOneValue) {
  const nlohmann::json root = {
      {"claims", {{{"line", 58}, {"verdict", "holds"}}, {{"line", 63}, {"verdict", "differs"}}}},
      {"n", {1, 2.5, true}}};
  const auto at = [&](std::vector<std::string> path) {
    const auto value = value_at(root, path);
    return value ? shown(*value) : "error: " + value.error().front().message;
  };
  EXPECT_EQ(at({"claims", "line=63", "verdict"}), "differs");
  EXPECT_EQ(at({"claims", "0", "line"}), "58");
  EXPECT_EQ(at({"claims", "#"}), "2");
  EXPECT_EQ(at({"claims", "count verdict=holds"}), "1");
  EXPECT_EQ(at({"claims", "count verdict=nothing"}), "0");
  EXPECT_EQ(at({"n", "1"}), "2.5");
  EXPECT_EQ(at({"n", "2"}), "true");
  EXPECT_TRUE(at({"claims", "count verdct=holds"}).starts_with("error"));
  EXPECT_TRUE(at({"claims", "2"}).starts_with("error"));
  EXPECT_TRUE(at({"n", "0", "x"}).starts_with("error"));
  EXPECT_TRUE(at({"none"}).starts_with("error"));
}

TEST_F(LessonFolder, ProgressSurvivesARestartAndAChangedLesson) {
  auto lesson = read_lesson(first_lesson);
  ASSERT_TRUE(lesson);
  Progress progress;
  LessonProgress& p = progress.lessons[lesson->name];
  p.page = "A row", p.page_number = 1;
  const Question &number = *lesson->questions()[0], &row = *lesson->questions()[2];
  note_reply(p, number, "9", false);
  note_reply(p, number, "8", true);
  note_reply(p, row, "j0 \"x\"\n", false);
  const fs::path file = folder_ / "state" / "lessons.json";
  ASSERT_TRUE(write_progress(file, progress));
  const auto read = read_progress(file);
  ASSERT_TRUE(read) << to_string(read.error().front());
  EXPECT_EQ(*read, progress);
  const LessonProgress& now = read->lessons.at(lesson->name);
  EXPECT_EQ(progress_of(now, number).tries, 2);
  EXPECT_TRUE(progress_of(now, number).right);
  EXPECT_EQ(answered(now, *lesson), 1);
  EXPECT_EQ(page_of(now, *lesson), 1);

  // A page is put before it, the first question requests something else, another one is gone.
  lesson->pages.insert(lesson->pages.begin(), Page{.heading = "New", .blocks = {}, .notes = {}});
  lesson->pages[1].blocks[1].question->compute += " --mask 0xff";
  lesson->pages[2].blocks.clear();
  EXPECT_EQ(page_of(now, *lesson), 2);
  EXPECT_EQ(answered(now, *lesson), 0);
  EXPECT_EQ(progress_of(now, *lesson->questions()[0]).tries, 0);
  lesson->pages.resize(1);
  EXPECT_EQ(page_of(now, *lesson), 0);

  std::ofstream(file) << "{\"version\": 1, \"lessons\": {\"x\": 3}}";
  EXPECT_FALSE(read_progress(file));
  std::ofstream(file) << "{\"version\": 99, \"lessons\": {}}";
  EXPECT_FALSE(read_progress(file));
  EXPECT_TRUE(read_progress(folder_ / "none.json"));
}

TEST_F(LessonFolder, AWorkingCopyIsMadeOnce) {
  const auto lesson = read_lesson(first_lesson);
  ASSERT_TRUE(lesson);
  const Question& q = *lesson->questions()[3];
  const auto copy = working_copy(folder_ / "lessons.json", *lesson, q);
  ASSERT_TRUE(copy) << to_string(copy.error().front());
  std::ofstream(*copy) << "mine";
  const auto again = working_copy(folder_ / "lessons.json", *lesson, q);
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, *copy);
  EXPECT_EQ(fs::file_size(*again), 4U);
}

}  // namespace
}  // namespace lanescope::lessons
