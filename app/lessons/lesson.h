#pragma once
// A lesson: a folder with lesson.md, kernels of its own where the catalogue has none, and *.moments.toml. lesson.md is
// Markdown; `# Title` and one paragraph come first, each `## Heading` begins a page, and fenced blocks of TOML are
// moments, questions and notes. docs/lessons.md describes all of it.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/lessons/moments_file.h"
#include "kernels/base/diagnostic.h"
#include "kernels/base/enum_size.h"

namespace lanescope::lessons {

/// A question whose answer this program computes (answer.h).
struct Question {
  enum class Kind : std::uint8_t {
    number,
    choice,  ///< one of `choices`
    row,     ///< one row of a register assignment, in any notation
    code     ///< a kernel to fix
  };
  std::string id;  ///< unique in the lesson
  Kind kind = Kind::number;
  std::string ask;
  std::string compute;                 ///< arguments of this program; {file}: the kernel as the learner left it
  std::vector<std::string> at;         ///< the path of the answer in its JSON (json_path.h)
  std::string unit, hint, why;         ///< why: shown after the answer, with {answer} replaced
  std::string row;                     ///< "thread"
  std::string kernel, solution, want;  ///< code: the file to fix, the fixed one, "<= 64"
  std::vector<std::string> choices;
  std::string gpu{};      ///< that `compute` names as {gpu}; empty: it does not
  std::string written{};  ///< `ask` with the names of its facts; empty: it has none
  int line = 0;           ///< of lesson.md

  bool operator==(const Question&) const = default;
};
constexpr std::string_view kind_name(Question::Kind kind) { return enum_name(kind); }

/// A value that the text names as {name}: computed as answers are (facts.h), never written down.
struct Fact {
  std::string name, compute;
  std::vector<std::string> at;
  std::string as;                                          ///< "KiB" or "MiB" of bytes; empty: as it is
  std::vector<std::pair<std::string, std::string>> words;  ///< texts for values: {"true", "by default"}
  std::optional<std::string> otherwise;                    ///< if the value is not available
  int line = 0;                                            ///< of lesson.md
};

/// The choice of the GPU for {gpu}, with its columns.
struct GpuChoice {
  std::string caption;
  std::vector<std::pair<std::string, std::string>> columns;  ///< heading and value; values have facts in them
};

/// One of the four.
struct Block {
  std::string markdown;
  std::optional<SavedMoment> moment{};
  std::optional<Question> question{};
  std::optional<GpuChoice> gpus{};
  int line = 0;  ///< of lesson.md, where it begins
};

struct Page {
  std::string heading;
  std::vector<Block> blocks;
  std::string notes;  ///< for the presenter
  int line = 0;
};

struct Lesson {
  std::string name;  ///< of its folder
  std::string title, summary;
  std::filesystem::path folder;
  std::vector<Page> pages;
  std::vector<Fact> facts;
  std::string gpu;  ///< that it is about; empty: of none in particular

  std::vector<const Question*> questions() const;
  std::vector<const SavedMoment*> moments() const;
};

/// Facts and questions that one lesson computes at most.
inline constexpr std::size_t most_computed = 256;

/// Reads lesson.md of a folder and the moments that it names; runs nothing. Kernels of moments become paths, {gpu} the
/// name of `gpu`, a GPU of the table, or of the lesson's own where that is empty; facts are still to be computed
/// (facts.h). Errors: all that is wrong, with line and column of lesson.md.
Expected<Lesson> read_lesson(const std::filesystem::path& folder, std::string_view gpu = {});

/// A kernel of the lesson's folder, else of the catalogue. Empty: there is none; a name that leads out of the lesson's
/// folder, by itself or by a link, is none.
std::filesystem::path kernel_path(const std::filesystem::path& lesson_folder, std::string_view kernel);
/// The error for a name for which kernel_path() is empty.
Diagnostic no_kernel(const std::filesystem::path& lesson_folder, std::string_view kernel);
/// A regular file in the lesson's folder, links followed. Empty: there is none.
std::filesystem::path lesson_file(const std::filesystem::path& lesson_folder, std::string_view name);

std::filesystem::path lessons_directory();
/// Folders with a lesson.md below `folder`, by name.
std::vector<std::filesystem::path> lesson_folders(const std::filesystem::path& folder);
/// The folder of a lesson: its path, its name ("08-shuffles"), the part after the number, or the number alone. Error:
/// there is none.
Expected<std::filesystem::path> find_lesson(std::string_view name, const std::filesystem::path& folder);

// The columns of a lesson's choice of a GPU for the chosen one, as a Markdown table.

std::string gpu_markdown(const Lesson& lesson, const GpuChoice& choice);

}  // namespace lanescope::lessons
