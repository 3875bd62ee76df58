#include "kernels/source/options/project.h"

#include "kernels/source/options/folders.h"

namespace lanescope::options {

namespace fs = std::filesystem;

fs::path project_folder(const fs::path& kernel) {
  const std::vector<fs::path> folders = folders_above(kernel);
  std::error_code problem;
  for (const fs::path& folder : folders)
    if (fs::exists(folder / ".git", problem) || fs::exists(folder / "lesson.md", problem)) return folder;
  return folders.empty() ? real_path(kernel).parent_path() : folders.front();
}

bool is_found(const fs::path& file, const fs::path& project) {
  std::error_code problem;
  if (!fs::is_regular_file(file, problem)) return false;
  const fs::path path = real_path(file);
  return path.filename() == file.filename() || is_of_folder(path, project);
}

}  // namespace lanescope::options
