#pragma once
// Lessons and bookmarked moments as handouts.

#include <filesystem>
#include <string>
#include <vector>

#include "app/lessons/answer.h"
#include "app/lessons/lesson.h"
#include "viz/page/document.h"

namespace lanescope::handout {

/// Every page of a lesson, its moments with their pictures, its questions with the answers that `computer` finds. Moments of one
/// kernel with no text between them are the steps of one player. Errors: all moments that are not found, all questions
/// that have no answer, with file and line.
Expected<page::Document> document_of_lesson(const lessons::Lesson& lesson, lessons::Computer& computer);

/// All moments of a kernel's .moments.toml as the steps of one player. `file`: that file, for errors.
Expected<page::Document> document_of_moments(const std::vector<lessons::SavedMoment>& moments, const std::string& file);

}  // namespace lanescope::handout
