#include "kernels/source/options/folders.h"

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

}  // namespace lanescope::options
