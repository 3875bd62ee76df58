#include "app/lessons/lesson.h"

#include <fmt/format.h>

namespace lanescope::lessons {

std::string gpu_markdown(const Lesson& lesson, const GpuChoice& choice) {
  std::string table = "| " + lesson.gpu + " | |\n|---|---|\n";
  for (const auto& [heading, value] : choice.columns) table += fmt::format("| {} | {} |\n", heading, value);
  return table;
}

}  // namespace lanescope::lessons
