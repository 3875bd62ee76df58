#pragma once
// What is right. Answers are computed by this program itself, as a child process with the arguments that a question names
// and --json, so that what a lesson teaches is what the command line says. The arguments pass allowed_commands.h first: the
// process is this program at a calculation or a run, none that a lesson chose, and it opens no lesson.

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/lessons/lesson.h"
#include "kernels/base/diagnostic.h"
#include "kernels/base/patience.h"

namespace lanescope::lessons {

struct Answer {
  std::string text;  ///< as it is shown: "8", "global", "j1 j0 j2 k2 k1" (one row, most significant bit first)
  std::optional<double> number{};  ///< of kind number
};

/// What the program said, by its arguments: questions of a lesson often ask for several values of one run.
struct Asked {
  int status = 0;
  std::string json;
};
/// Computer::program of lanescope itself.
inline constexpr const char* this_program = "/proc/self/exe";
struct Computer {
  /// lanescope. Empty: none, and there are no answers: a program of another kind would start itself without end.
  std::string program{};
  Patience patience = std::chrono::seconds(120);
  std::map<std::vector<std::string>, Asked> said{};
};

/// The words of a command, as a shell splits them: blanks, '...' and "...". Error: a quote that is not closed.
Expected<std::vector<std::string>> split_words(std::string_view command);

/// `compute` as arguments: names of the lesson's files and of kernels of the catalogue become paths, {file} becomes `file`.
/// Errors: what a lesson may not say; a file that is in neither.
Expected<std::vector<std::string>> arguments_of(const Lesson& lesson, const std::string& compute,
                                                const std::string& file);
/// What the program says to `compute`. Errors: it refused the arguments (status 2 or 3), or wrote no JSON.
Expected<nlohmann::json> computed_json(const Lesson& lesson, const std::string& compute, Computer& computer);

/// Of every kind but code. Errors: the program refused the arguments (status 2 or 3), the way leads nowhere, the value is no
/// number, none of the choices, or no assignment with that row.
Expected<Answer> compute_answer(const Lesson& lesson, const Question& question, Computer& computer);

/// Whether a reply is right. Error: it is no number, no choice or no row, and so no attempt.
Expected<bool> is_right(const Question& question, const Answer& answer, std::string_view reply);

/// The same of a kernel that was to be mended.
struct CodeVerdict {
  bool right = false;
  std::string reason;  ///< why not: the first problem, or the value that is not as wanted
  std::string value;   ///< at `at`, where the question names one
};
/// `file`: the kernel as the learner left it. Errors as above.
Expected<CodeVerdict> check_code(const Lesson& lesson, const Question& question, const std::string& file,
                                 Computer& computer);

/// `why` with the answer in it, and facts where they are not yet.
std::string why_words(const Question& question, const Answer& answer,
                      const std::map<std::string, std::string>& facts = {});

}  // namespace lanescope::lessons
