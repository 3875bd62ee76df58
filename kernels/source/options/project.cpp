#include "kernels/source/options/header_search.h"

namespace lanescope::options {
std::vector<std::filesystem::path> folders_above(const std::filesystem::path& file, std::size_t most) {
  namespace fs = std::filesystem;
  std::error_code problem;
  std::vector<fs::path> out;
  fs::path folder = fs::weakly_canonical(fs::absolute(file, problem), problem).parent_path();
  if (folder.empty()) folder = fs::absolute(file, problem).lexically_normal().parent_path();
  while (out.size() < most && !folder.empty()) {
    out.push_back(folder);
    if (fs::exists(folder / ".git", problem) || folder == folder.root_path()) break;
    folder = folder.parent_path();
  }
  return out;
}

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
