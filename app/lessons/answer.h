#pragma once
// Correct answers. This program computes them itself, as a child process with the arguments of a question and --json,
// so that lessons agree with the command line. The arguments pass allowed_commands.cpp first: the process is this program
// at a calculation or a run, none that a lesson chose, and it opens no lesson.

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/lesson.h"
#include "kernels/base/deadline.h"
#include "kernels/base/diagnostic.h"

namespace lanescope::lessons {

struct Answer {
  std::string text;  ///< as it is shown: "8", "global", "j1 j0 j2 k2 k1" (one row, most significant bit first)
  std::optional<double> number{};  ///< of kind number
};

/// Outputs of the program by its arguments: questions of a lesson often need several values of one run.
struct Asked {
  int status = 0;
  std::string json;
};
/// Computer::program of lanescope itself.
inline constexpr const char* this_program = "/proc/self/exe";
struct Computer {
  /// lanescope. Empty: none, and there are no answers: a program of another kind would start itself without end.
  std::string program{};
  Deadline deadline = std::chrono::seconds(120);
  std::map<std::vector<std::string>, Asked> said{};
};

/// The words of a command, as a shell splits them: blanks, '...' and "...". Error: a quote that is not closed.
Expected<std::vector<std::string>> split_words(std::string_view command);

/// `compute` as arguments: names of the lesson's files and of kernels of the catalogue become paths, {file} becomes
/// `file`. Errors: a command that a lesson may not use; a file that is in neither.
Expected<std::vector<std::string>> arguments_of(const Lesson& lesson, const std::string& compute,
                                                const std::string& file);
/// The program's output for `compute`. Errors: it refused the arguments (status 2 or 3), or wrote no JSON.
Expected<nlohmann::json> computed_json(const Lesson& lesson, const std::string& compute, Computer& computer);

/// Of every kind but code. Errors: the program refused the arguments (status 2 or 3), the path does not exist, the
/// value is no number, none of the choices, or no assignment with that row.
Expected<Answer> compute_answer(const Lesson& lesson, const Question& question, Computer& computer);

/// Whether a reply is right. Error: it is no number, no choice or no row, and so no attempt.
Expected<bool> is_right(const Question& question, const Answer& answer, std::string_view reply);

/// The same for an exercise with a kernel to fix.
struct CodeVerdict {
  bool right = false;
  std::string reason;  ///< why not: the first problem, or the value that is not as needed
  std::string value;   ///< at `at`, where the question names one
};
/// `file`: the kernel as the learner left it. Errors as above.
Expected<CodeVerdict> check_code(const Lesson& lesson, const Question& question, const std::string& file,
                                 Computer& computer);

/// `why` with the answer in it, and facts where they are not yet.
std::string why_words(const Question& question, const Answer& answer,
                      const std::map<std::string, std::string>& facts = {});

// Values in the words of a lesson: {name} stands for what this program computes, as the answers of its questions do,
// and {gpu} for the GPU that the lesson is about. A lesson about a GPU is read again for another one (read_lesson).

/// The text of each fact. Integers from 1,000 on have commas.
using FactValues = std::map<std::string, std::string>;

/// Errors: the program refused a command, or its answer has no such value, and the fact has no text for that case.
Expected<FactValues> compute_facts(const Lesson& lesson, Computer& computer);
/// The lesson with its facts; one without a value is an ellipsis.
Lesson with_facts(Lesson lesson, const FactValues& values);
/// A lesson whose facts are computed.
Expected<Lesson> reported(Lesson lesson, Computer& computer);

/// The GPUs that a lesson can be about, oldest first: those of the table that have caches.
std::vector<std::string> lesson_gpus();
/// The GPU of the table that is meant: "K40" is "Tesla K40". Error: there is none, or it has no caches.
Expected<std::string> lesson_gpu(std::string_view name);
/// The rows of a lesson's choice for every such GPU: its name, then the columns.
Expected<std::vector<std::vector<std::string>>> gpu_rows(const Lesson& lesson, Computer& computer);

/// Calls `each` with every text of the lesson in which facts may stand.
void for_each_text(Lesson& lesson, const std::function<void(std::string&)>& each);
/// Puts `value` where {name} stands. Returns how often that was.
int put_value(std::string& text, std::string_view name, std::string_view value);

// A lesson as its author needs it checked: every moment found in a run, every answer computed, every solution right and
// every kernel to fix wrong.

struct CheckedMoment {
  const SavedMoment* moment = nullptr;
  std::int64_t step = -1;  ///< -1: it was not found
  Diagnostics remarks;     ///< why not; or warnings
};
struct CheckedQuestion {
  const Question* question = nullptr;
  Answer answer;      ///< code: the value of the solution, where one is requested
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

/// Runs each kernel of the moments once for each block and launch that they name, in this process, and this program for
/// each question. The values point into `lesson`.
LessonCheck check_lesson(const Lesson& lesson, Computer& computer);

// The way to one value in JSON, as a list of steps:
//
//   "sectors"        the value of this key of an object
//   "0"              the entry of a list, from 0
//   "line=58"        the first entry of a list that is an object with this value, as text
//   "#"              how many entries a list or an object has
//   "count rule=x"   how many entries of a list have this value

/// Error: the first step that leads nowhere, with what there is instead.
Expected<nlohmann::json> value_at(const nlohmann::json& root, const std::vector<std::string>& path);

/// A number, a text or a truth value as it is shown; numbers with six digits after the first one that counts. Empty: a
/// list, an object or null.
std::string shown(const nlohmann::json& value);

// The commands that `compute` of a lesson may use. A lesson is a foreign file, and it is computed when it is
// opened, without a click. So it may use this program's calculations and runs, by name, and nothing that
// starts a process (--via, --sweep), writes a file (-o, --out, --emit), reads a file outside of the lesson's
// folder, or opens another lesson. Commands that are not in the table are refused, and so are options that
// are not in their row.

enum class Operand : std::uint8_t {
  none,
  kernel,  ///< at most one file of the lesson or kernel of the catalogue, or {file}
  words,   ///< an instruction, a name
};

struct AllowedCommand {
  std::string_view name;
  Operand operand = Operand::none;
  std::string_view flags, values;  ///< options, separated by blanks: without and with a value
};
const std::vector<AllowedCommand>& allowed_commands();

/// Errors of a command that is not allowed; empty: none. Names of files are checked elsewhere (arguments_of).
Diagnostics refused_words(const std::vector<std::string>& words);

/// Whether the word at `index` names the file of an allowed command.
bool is_file_operand(const std::vector<std::string>& words, std::size_t index);

}  // namespace lanescope::lessons
