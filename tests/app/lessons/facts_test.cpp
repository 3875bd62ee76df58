// Values in the words of lessons, and the GPU that a lesson is about.

#include "app/lessons/answer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "app/lessons/progress.h"
#include "profiling/occupancy/gpu_table.h"

namespace lanescope::lessons {
namespace {

namespace fs = std::filesystem;

Computer fact_computer() {
  Computer c;
  c.program = LANESCOPE_PROGRAM;
  return c;
}

std::string reported_words(const Diagnostics& all) {
  std::string out;
  for (const Diagnostic& d : all) out += to_string(d) + "\n";
  return out;
}

class Facts : public ::testing::Test {
 protected:
  Facts() {
    folder_ = fs::temp_directory_path() / ("lanescope_facts_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  ~Facts() override { fs::remove_all(folder_); }
  Expected<Lesson> read(const std::string& text, std::string_view gpu = {}) const {
    std::ofstream(folder_ / "lesson.md") << "# T\n\nSummary.\n\n## About {gpu}\n\n" << text;
    return read_lesson(folder_, gpu);
  }
  fs::path folder_;
};

const std::string choice =
    "```gpu\ndefault = \"V100\"\ncaption = \"All\"\ncolumns = [\"shared memory: {shared}\"]\n```\n";
const std::string shared =
    "```facts\n[shared]\ncompute = \"occupancy --limits --gpu {gpu}\"\nat = [\"limits\", \"name=shared memory per "
    "multiprocessor\", \"value\"]\nas = \"KiB\"\n```\n";
const std::string question =
    "```question\nid = \"q\"\nkind = \"number\"\nask = \"How many on a {gpu}?\"\ncompute = \"occupancy --limits --gpu "
    "{gpu}\"\nat = [\"limits\", \"name=multiprocessors\", \"value\"]\nwhy = \"{answer}, and {shared}.\"\n```\n";

TEST_F(Facts, StandInTheTextForTheGpuThatIsChosen) {
  for (const auto& [gpu, name, kib, count] :
       {std::tuple{"", "Tesla V100", "96 KiB", "80"}, {"K40", "Tesla K40", "48 KiB", "15"}}) {
    const auto lesson = read("It has {shared} of {other}.\n\n" + choice + shared + question, gpu);
    ASSERT_TRUE(lesson) << reported_words(lesson.error());
    EXPECT_EQ(lesson->gpu, name);
    EXPECT_EQ(lesson->pages[0].heading, std::string("About ") + name);
    EXPECT_EQ(lesson->questions()[0]->ask, std::string("How many on a ") + name + "?");
    EXPECT_EQ(lesson->questions()[0]->gpu, name);
    Computer c = fact_computer();
    EXPECT_EQ(compute_answer(*lesson, *lesson->questions()[0], c)->text, count);
    // Not computed yet: it is seen that something is missing.
    EXPECT_EQ(with_facts(*lesson, {}).pages[0].blocks[0].markdown, "It has … of {other}.");
    const auto said = reported(*lesson, c);
    ASSERT_TRUE(said) << reported_words(said.error());
    EXPECT_EQ(said->pages[0].blocks[0].markdown, std::string("It has ") + kib + " of {other}.");
    EXPECT_EQ(said->pages[0].blocks[1].gpus->columns[0].second, kib);
    EXPECT_EQ(said->questions()[0]->why, std::string("{answer}, and ") + kib + ".");
  }
  Computer c = fact_computer();
  const auto rows = gpu_rows(*read(choice + shared + question), c);
  ASSERT_TRUE(rows) << reported_words(rows.error());
  const std::vector<std::string> names = lesson_gpus();
  ASSERT_EQ(rows->size(), names.size());
  for (std::size_t n = 0; n < rows->size(); ++n) EXPECT_EQ((*rows)[n][0], names[n]);
}

TEST_F(Facts, WhatIsWrongIsSaidWithItsPlace) {
  const std::string all = choice + shared + question;
  const struct {
    std::string text, gpu, words;
  } cases[] = {
      {all, "Voodoo 2", "`Voodoo 2` is not in the table"},
      {shared + question, "", "has no choice of a GPU"},
      {choice + choice + shared + question, "", "one choice of a GPU"},
      {all + "```facts\n[unused]\ncompute = \"figures\"\nat = [\"x\"]\n```\n", "",
       "nothing in the lesson names {unused}"},
      {all + "```facts\n[shared]\ncompute = \"figures\"\nat = [\"x\"]\n```\n", "", "another fact `shared`"},
      {all + "{x}\n\n```facts\n[x]\nat = [\"x\"]\n```\n", "", "needs `compute`"},
      {all + "{x}\n\n```facts\n[x]\ncompute = \"figures\"\nat = [\"x\"]\nas = \"pounds\"\n```\n", "", "unit of bytes"},
      {all + "{x}\n\n```facts\n[x]\ncompute = \"figures\"\nat = [\"x\"]\nwords = [\"yes\"]\n```\n", "", "no colon"},
      {all + "{gpu}\n\n```facts\n[gpu]\ncompute = \"figures\"\nat = [\"x\"]\n```\n", "", "stands for something else"},
      {all + "```facts\nx = 3\n```\n", "", "is no fact"},
  };
  for (const auto& each : cases) {
    const auto lesson = read(each.text, each.gpu);
    ASSERT_FALSE(lesson) << each.text;
    EXPECT_NE(reported_words(lesson.error()).find(each.words), std::string::npos) << reported_words(lesson.error());
  }
  // A lesson about no GPU is not read about one.
  std::ofstream(folder_ / "lesson.md") << "# T\n\nSummary.\n\n## P\n\nWords.\n";
  ASSERT_FALSE(read_lesson(folder_, "H200"));
  EXPECT_NE(reported_words(read_lesson(folder_, "H200").error()).find("about no GPU"), std::string::npos);
  // A way that leads nowhere, and a command that is refused, are errors and no blanks.
  for (const auto& [compute, at, said] : {std::tuple{"occupancy --limits --gpu {gpu}", "nothing", "leads nowhere"},
                                          {"access --width nine", "x", "lanescope access --width nine"}}) {
    const auto lesson = read(choice + shared + "{x}\n\n```facts\n[x]\ncompute = \"" + std::string(compute) +
                             "\"\nat = [\"" + at + "\"]\n```\n" + question);
    ASSERT_TRUE(lesson) << reported_words(lesson.error());
    Computer c = fact_computer();
    const auto values = compute_facts(*lesson, c);
    ASSERT_FALSE(values);
    EXPECT_NE(reported_words(values.error()).find(said), std::string::npos) << reported_words(values.error());
    EXPECT_NE(reported_words(values.error()).find("lesson.md"), std::string::npos);
  }
}

TEST_F(Facts, AnswersAreKeptForEachGpu) {
  const std::string all = choice + shared + question;
  const Lesson v100 = *read(all), k40 = *read(all, "K40");
  LessonProgress progress;
  note_reply(progress, *v100.questions()[0], "80", true);
  EXPECT_EQ(answered(progress, v100), 1);
  EXPECT_EQ(answered(progress, k40), 0);
  note_reply(progress, *k40.questions()[0], "15", true);
  EXPECT_EQ(answered(progress, v100), 1);
  EXPECT_EQ(answered(progress, k40), 1);
  // Figures in what is queried may change; what is written stays the same question.
  const Lesson asked = *read(
      "```question\nid = \"q\"\nkind = \"number\"\nask = \"Half of {shared}?\"\ncompute = \"figures\"\nat = "
      "[\"x\"]\n```\n" +
      choice + shared);
  const Lesson known = with_facts(asked, {{"shared", "96 KiB"}});
  EXPECT_EQ(known.questions()[0]->ask, "Half of 96 KiB?");
  EXPECT_EQ(question_digest(*known.questions()[0]), question_digest(*asked.questions()[0]));
  // The GPU that was chosen last is kept; one that the table has no more gives the lesson's own.
  Progress kept;
  progress.gpu = "Tesla K40";
  kept.lessons[v100.name] = progress;
  const fs::path path = folder_ / "lessons.json";
  ASSERT_TRUE(write_progress(path, kept));
  EXPECT_EQ(*read_progress(path), kept);
  EXPECT_EQ(read_lesson_as_left(folder_, kept)->gpu, "Tesla K40");
  kept.lessons[v100.name].gpu = "Voodoo 2";
  EXPECT_EQ(read_lesson_as_left(folder_, kept)->gpu, "Tesla V100");
}

/// The page about a GPU, for every GPU of the table: each answer is computed, and is what the table of GPUs gives by itself.
TEST(HierarchyLesson, IsRightForEveryGpu) {
  const fs::path folder = find_lesson("01", lessons_directory()).value();
  Computer c = fact_computer();
  std::map<std::string, std::set<std::string>> seen;
  for (const occupancy::Gpu& gpu : occupancy::gpu_table()->gpus) {
    const auto lesson = read_lesson(folder, gpu.name);
    if (gpu.arch.memory.half_warps != access::HalfWarps::none) {
      ASSERT_FALSE(lesson) << gpu.name;
      EXPECT_NE(reported_words(lesson.error()).find("no caches"), std::string::npos);
      continue;
    }
    ASSERT_TRUE(lesson) << reported_words(lesson.error());
    const auto facts = compute_facts(*lesson, c);
    ASSERT_TRUE(facts) << reported_words(facts.error());
    for (const auto& [name, value] : *facts) seen[name].insert(value);
    EXPECT_EQ(facts->at("multiprocessors"), std::to_string(gpu.multiprocessors)) << gpu.name;
    EXPECT_EQ(facts->at("shared"), fmt::format("{} KiB", gpu.arch.shared.per_multiprocessor_bytes / 1024)) << gpu.name;
    const access::MemoryModel& memory = gpu.arch.memory;
    int about = 0;
    for (const Question* q : lesson->questions()) {
      if (q->gpu.empty()) continue;
      ++about;
      EXPECT_NE(q->ask.find(gpu.name), std::string::npos) << q->ask;
      const auto answer = compute_answer(*lesson, *q, c);
      ASSERT_TRUE(answer) << gpu.name << " " << reported_words(answer.error());
      seen[q->id].insert(answer->text);
      if (q->id == "way-of-a-load") {
        EXPECT_EQ(answer->text, memory.global_loads_in_l1 ? "L1" : "registers") << gpu.name;
        EXPECT_EQ(facts->at("l1_by_default").find("only on request") == std::string::npos, memory.global_loads_in_l1);
      }
      // Bytes 4 to 131 of a line: in pieces of so many bytes.
      if (q->id == "one-word-off-through-l1") {
        const int piece = memory.cached_load_transaction_bytes;
        EXPECT_EQ(answer->text, std::to_string((131 / piece + 1) * piece)) << gpu.name;
        EXPECT_NE(facts->at("piece_through_l1").find(std::to_string(piece) + " bytes"), std::string::npos) << gpu.name;
      }
      if (q->id == "blocks-with-48-kib") {
        const auto& has = gpu.arch.shared;
        const int unit = has.allocation_unit_bytes, each = 48 * 1024 + has.reserved_per_block_bytes;
        const int by_shared = has.per_multiprocessor_bytes / ((each + unit - 1) / unit * unit);
        EXPECT_EQ(answer->text, std::to_string(by_shared)) << gpu.name;
      }
    }
    EXPECT_EQ(about, 3);
  }
  // They change with the GPU, and what may be unknown is known of some.
  for (const char* name : {"way-of-a-load", "one-word-off-through-l1", "blocks-with-48-kib", "sizes", "together", "l2",
                           "piece_through_l1", "registers", "generation", "arch"})
    EXPECT_GE(seen[name].size(), 2u) << name;
}

}  // namespace
}  // namespace lanescope::lessons
