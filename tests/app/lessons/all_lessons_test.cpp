// The lessons that come with the program, one test for each: every moment is found, every answer is computed, every
// solution passes and every kernel to fix fails; and what all of them have in common.

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "app/lessons/answer.h"
#include "app/lessons/lesson.h"
#include "kernels/base/read_file.h"
#include "kernels/base/text.h"
#include "kernels/compile/compile.h"
#include "tests/app/lessons/prose_figures.h"

namespace lanescope::lessons {
namespace {

std::vector<std::string> names_of_lessons() {
  std::vector<std::string> names;
  for (const std::filesystem::path& folder : lesson_folders(lessons_directory()))
    names.push_back(folder.filename().string());
  return names;
}

std::string words(const Diagnostics& problems) {
  std::string out;
  for (const Diagnostic& d : problems) out += d.file + ":" + std::to_string(d.line) + ": " + d.message + "\n";
  return out;
}

class EachLesson : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    auto lesson = read_lesson(lessons_directory() / GetParam());
    ASSERT_TRUE(lesson) << words(lesson.error());
    lesson_ = std::move(*lesson);
  }
  Lesson lesson_;
};

TEST_P(EachLesson, HasPagesWithPicturesQuestionsAndNotes) {
  EXPECT_GE(lesson_.pages.size(), 5u);
  EXPECT_LE(lesson_.pages.size(), 9u);
  for (const Page& page : lesson_.pages) {
    EXPECT_FALSE(page.notes.empty()) << page.heading;
    EXPECT_FALSE(page.blocks.empty() || page.blocks.front().markdown.empty()) << page.heading << " begins with words";
  }
  std::map<Question::Kind, int> kinds;
  for (const Question* q : lesson_.questions()) {
    ++kinds[q->kind];
    EXPECT_FALSE(q->hint.empty()) << q->id;
    EXPECT_FALSE(q->why.empty()) << q->id;
    if (q->kind == Question::Kind::code) continue;
    EXPECT_NE(q->why.find("{answer}"), std::string::npos) << q->id;
  }
  EXPECT_GE(lesson_.questions().size(), 4u);
  EXPECT_GE(kinds.size(), 2u);
  EXPECT_GE(kinds[Question::Kind::code], 1);
}

// Lines that move are found by their text; in what comes with the program none has moved.
TEST_P(EachLesson, SaysWhichLineEachMomentShows) {
  EXPECT_GE(lesson_.moments().size(), 4u);
  for (const SavedMoment* m : lesson_.moments()) {
    EXPECT_FALSE(m->caption.empty()) << m->kernel << ":" << m->line;
    EXPECT_FALSE(m->picture.empty()) << m->kernel << ":" << m->line;
    const auto text = read_file(m->kernel);
    ASSERT_TRUE(text) << m->kernel;
    const auto lines = split_lines(*text);
    ASSERT_LE(static_cast<std::size_t>(m->line), lines.size()) << m->kernel;
    EXPECT_EQ(trimmed(lines[static_cast<std::size_t>(m->line) - 1]), m->text) << m->kernel << ":" << m->line;
  }
}

TEST_P(EachLesson, IsRight) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed: NO ANSWER WAS COMPUTED";
  Computer computer{.program = LANESCOPE_PROGRAM};
  const LessonCheck check = check_lesson(lesson_, computer);
  EXPECT_TRUE(check.problems().empty()) << words(check.problems());
  EXPECT_EQ(check.moments.size(), lesson_.moments().size());
  EXPECT_EQ(check.questions.size(), lesson_.questions().size());
  // The words say no number that nothing vouches for.
  for (const std::string& each : unfounded_numbers(with_facts(lesson_, check.facts), check)) ADD_FAILURE() << each;
  // The answer that was computed is taken as a reply, another one is not.
  for (const CheckedQuestion& q : check.questions) {
    if (q.question->kind == Question::Kind::code || !q.wrong.empty()) continue;
    const auto right = is_right(*q.question, q.answer, q.answer.text);
    EXPECT_TRUE(right && *right) << q.question->id << ": " << q.answer.text;
    if (q.question->kind == Question::Kind::number) {
      const auto other = is_right(*q.question, q.answer, std::to_string(*q.answer.number * 2 + 1));
      EXPECT_TRUE(other && !*other) << q.question->id;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, EachLesson, testing::ValuesIn(names_of_lessons()), [](const auto& name) {
  std::string out;
  for (const char c : name.param) out += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return out;
});

/// Numbers in the words of lessons are read as a person reads them.
TEST(Prose, NumbersAreFound) {
  EXPECT_EQ(numbers_in("1,024 floats, 12.5 % of 32. Line 3, p[0,5] and `99`; sm_90, x4 = 7"),
            (std::vector<std::string>{"1024", "12.5", "32", "3", "0", "5", "7"}));
  EXPECT_TRUE(numbers_in("none").empty());
  Lesson lesson;
  lesson.name = "99-x";
  lesson.pages.push_back({.heading = "P", .blocks = {{.markdown = "It takes 977 cycles, 32 lanes."}}, .notes = {}});
  EXPECT_EQ(unfounded_numbers(lesson, {}).size(), 1u);
  LessonCheck check;
  check.facts["cycles"] = "977";
  EXPECT_TRUE(unfounded_numbers(lesson, check).empty());
}

TEST(AllLessons, AreFourteenInTheirOrder) {
  const std::vector<std::string> names = names_of_lessons();
  ASSERT_EQ(names.size(), 14u);
  for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(std::stoul(names[i]), i + 1) << names[i];
  std::set<std::string> titles;
  for (const std::string& name : names) {
    const auto lesson = read_lesson(lessons_directory() / name);
    ASSERT_TRUE(lesson) << words(lesson.error());
    EXPECT_TRUE(titles.insert(lesson->title).second) << lesson->title;
    EXPECT_TRUE(lesson->summary.starts_with("Afterwards you can ")) << lesson->summary;
  }
}

}  // namespace
}  // namespace lanescope::lessons
