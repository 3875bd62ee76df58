#pragma once
// Progress in the lessons, kept in $XDG_STATE_HOME/lanescope/lessons.json. A question is identified by its id and its
// contents: one that has changed is unanswered again.

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "app/lessons/lesson.h"
#include "kernels/base/diagnostic.h"

namespace lanescope::lessons {

struct QuestionProgress {
  bool right = false;
  int tries = 0;      ///< replies that were judged
  std::string reply;  ///< the last of them
  std::string asked;  ///< question_digest() then
  bool operator==(const QuestionProgress&) const = default;
};

struct LessonProgress {
  std::string page;  ///< heading of the page that was open last
  int page_number = 0;
  std::string gpu;                                    ///< that was chosen last; empty: the lesson's own
  std::map<std::string, QuestionProgress> questions;  ///< by progress_key()
  bool operator==(const LessonProgress&) const = default;
};

struct Progress {
  std::map<std::string, LessonProgress> lessons;  ///< by name
  bool operator==(const Progress&) const = default;
};

/// Changes with everything that the answer depends on, as far as the lesson says it.
std::string question_digest(const Question& question);
/// Its id, with the GPU that it is about: "l1-left on Tesla V100".
std::string progress_key(const Question& question);
/// Progress of a question; none if the question has changed.
QuestionProgress progress_of(const LessonProgress& progress, const Question& question);
void note_reply(LessonProgress& progress, const Question& question, std::string_view reply, bool right);
/// The page that was open last: by its heading, else by its number as far as there are so many.
int page_of(const LessonProgress& progress, const Lesson& lesson);
/// Questions that are answered right.
int answered(const LessonProgress& progress, const Lesson& lesson);

/// The lesson about the GPU that was chosen last; about its own where the table has that one no more.
Expected<Lesson> read_lesson_as_left(const std::filesystem::path& folder, const Progress& progress);

/// lessons.json in lanescope's folder below $XDG_STATE_HOME, or below ~/.local/state.
std::filesystem::path default_progress_path();
/// Where the learner's copies of a lesson's kernels are, beside the progress.
std::filesystem::path work_folder(const std::filesystem::path& progress_path, const Lesson& lesson);
/// No file: no progress. Error: damaged, or of a newer version; nothing is half-loaded.
Expected<Progress> read_progress(const std::filesystem::path& path);
Expected<void> write_progress(const std::filesystem::path& path, const Progress& progress);

/// The learner's copy of the kernel of a question about code, made where there is none yet.
Expected<std::filesystem::path> working_copy(const std::filesystem::path& progress_path, const Lesson& lesson,
                                             const Question& question);

}  // namespace lanescope::lessons
