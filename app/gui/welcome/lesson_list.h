#pragma once
// The lessons that come with the program, as the welcome page names them: folders of assets/lessons with a lesson.md.

#include <filesystem>
#include <string>
#include <vector>

namespace lanescope::gui {

struct LessonTitle {
  std::string name;     ///< of the folder
  std::string title;    ///< the first heading
  std::string summary;  ///< the paragraph behind it, without line breaks
  std::filesystem::path folder{};
};

/// In the order of their names; a folder without a title is left out.
std::vector<LessonTitle> lesson_titles(const std::filesystem::path& folder);
/// Those of the assets, read once.
const std::vector<LessonTitle>& installed_lessons();

}  // namespace lanescope::gui
