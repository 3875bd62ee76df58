#pragma once
// Lessons and bookmarked moments as handouts.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/lessons/answer.h"
#include "app/lessons/lesson.h"
#include "viz/page/document.h"

namespace lanescope::handout {

/// What a moment becomes that shows a movement: a step for each of five positions between before and after, or one step at the
/// position that was saved.
enum class Movements : std::uint8_t { five_positions, as_saved };

/// Every page of a lesson, its moments with their pictures, its questions with the answers that `computer` finds. Moments of one
/// kernel with no text between them are the steps of one player. Errors: all moments that are not found, all questions
/// that have no answer, with file and line.
Expected<page::Document> document_of_lesson(const lessons::Lesson& lesson, lessons::Computer& computer);

/// All moments of a kernel's .moments.toml as the steps of one player. `file`: that file, for errors.
Expected<page::Document> document_of_moments(const std::vector<lessons::SavedMoment>& moments, const std::string& file,
                                             Movements movements = Movements::five_positions);

}  // namespace lanescope::handout
