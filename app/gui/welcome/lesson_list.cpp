#include "app/gui/welcome/welcome_page.h"

#include <algorithm>
#include <sstream>

#include "kernels/base/read_file.h"
#include "kernels/resources/resources.h"

namespace lanescope::gui {
namespace {

LessonTitle read_title(const std::filesystem::path& folder) {
  LessonTitle lesson{.name = folder.filename().string(), .folder = folder};
  const auto text = read_file((folder / "lesson.md").string());
  if (!text) return lesson;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (lesson.title.empty()) {
      if (line.starts_with("# ")) lesson.title = line.substr(2);
    } else if (line.empty() || line.starts_with('#') || line.starts_with("```")) {
      if (!lesson.summary.empty() || !line.empty()) break;
    } else {
      lesson.summary += (lesson.summary.empty() ? "" : " ") + line;
    }
  }
  std::erase_if(lesson.summary, [](char c) { return c == '*' || c == '`'; });
  return lesson;
}

}  // namespace

std::vector<LessonTitle> lesson_titles(const std::filesystem::path& folder) {
  std::vector<LessonTitle> out;
  std::error_code problem;
  for (const auto& entry : std::filesystem::directory_iterator(folder, problem)) {
    std::error_code unreadable;
    if (!entry.is_directory(unreadable)) continue;
    LessonTitle lesson = read_title(entry.path());
    if (!lesson.title.empty()) out.push_back(std::move(lesson));
  }
  std::ranges::sort(out, {}, &LessonTitle::name);
  return out;
}

const std::vector<LessonTitle>& installed_lessons() {
  static const std::vector<LessonTitle> all = lesson_titles(resources::assets_directory() / "lessons");
  return all;
}

}  // namespace lanescope::gui
