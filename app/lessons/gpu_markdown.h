#pragma once
// What a lesson's choice of a GPU says of the chosen one, as a table of Markdown.

#include <string>

#include "app/lessons/lesson.h"

namespace lanescope::lessons {

std::string gpu_markdown(const Lesson& lesson, const GpuChoice& choice);

}  // namespace lanescope::lessons
