#pragma once
// A document as a file: HTML, slides as PDF, or the one moment that it has as PNG or SVG.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "app/engine/remote/engine.h"
#include "app/lessons/answer.h"
#include "app/lessons/lesson.h"
#include "kernels/base/diagnostic.h"
#include "viz/page/document.h"

namespace lanescope::handout {

struct WriteOptions {
  std::string theme = "light";  ///< of slides and pictures, "light" or "dark"; HTML has both
  float scale = 2;              ///< pixels of a PNG per unit
};

struct Written {
  std::size_t bytes = 0, steps = 0;
  std::size_t slides = 0;  ///< 0: of HTML
};

/// Errors before a handout of this name is written: its ending, or an unknown theme.
Diagnostics wrong_handout(const std::string& output, const std::string& theme);

/// Errors of a document that is to be a picture: several moments, or none. Empty for the other forms.
Diagnostics wrong_moments(const page::Document& document, const std::string& output);

/// Errors: fonts or parts of the page that are missing, wrong_moments, errors of the file system.
Expected<Written> write(const page::Document& document, const std::string& output, const WriteOptions& options);

// Lessons and bookmarked moments as handouts.

/// Treatment of a moment that shows a movement: a step for each of five positions between before and after, or one step
/// at the position that was saved.
enum class Movements : std::uint8_t { five_positions, as_saved };

/// Every page of a lesson, its moments with their pictures, its questions with the answers that `computer` finds.
/// Moments of one kernel with no text between them are the steps of one player. Errors: all moments that are not found,
/// all questions that have no answer, with file and line.
Expected<page::Document> document_of_lesson(const lessons::Lesson& lesson, lessons::Computer& computer);

/// All moments of a kernel's .moments.toml as the steps of one player. `file`: that file, for errors.
Expected<page::Document> document_of_moments(const std::vector<lessons::SavedMoment>& moments, const std::string& file,
                                             Movements movements = Movements::five_positions);

// A run as a handout: the steps of one warp, line by line, with its registers and the memory that it accesses, and the
// results about the kernel.

struct RunOptions {
  int warp = 0;
  std::size_t most_steps = 200;
  std::string at{};  ///< "58" or "step:120": only this moment; empty: all of them
};

/// Colours of the light and the dark theme.
std::array<page::Colors, page::look_count> page_colors();

/// `text`: the file's. Errors: a warp or a moment that does not exist, a block without a step, an engine that is lost.
/// The document names omitted parts.
Expected<page::Document> document_of_run(engine::Engine& engine, const engine::RunResult& result,
                                         const std::string& text, const RunOptions& options);

}  // namespace lanescope::handout
