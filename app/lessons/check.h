#pragma once
// A lesson as its author needs it checked: every moment found in a run, every answer computed, every solution right and
// every kernel to mend wrong.

#include <string>
#include <vector>

#include "app/lessons/answer.h"
#include "app/lessons/facts.h"
#include "app/lessons/lesson.h"

namespace lanescope::lessons {

struct CheckedMoment {
  const SavedMoment* moment = nullptr;
  std::int64_t step = -1;  ///< -1: it was not found
  Diagnostics remarks;     ///< why not; or warnings
};
struct CheckedQuestion {
  const Question* question = nullptr;
  Answer answer;      ///< code: the value of the solution, where one is asked for
  Diagnostics wrong;  ///< empty: it can be answered
};
struct LessonCheck {
  std::vector<CheckedMoment> moments;
  std::vector<CheckedQuestion> questions;
  FactValues facts;
  Diagnostics wrong_facts;
  /// Errors and warnings of all of them.
  Diagnostics problems() const;
};

/// Runs each kernel of the moments once for each block and launch that they name, in this process, and this program for each
/// question. The values point into `lesson`.
LessonCheck check_lesson(const Lesson& lesson, Computer& computer);

}  // namespace lanescope::lessons
