#include "kernels/base/read_file.h"

#include <algorithm>
#include <string_view>

#include "kernels/base/text.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view header_endings[] = {".h",   ".hh",  ".hpp", ".hxx", ".h++", ".H",   ".cuh", ".inl",
                                               ".inc", ".ipp", ".tpp", ".tcc", ".txx", ".ixx", ".def", ".impl",
                                               ".cu",  ".cpp", ".cc",  ".cxx", ".c++", ".c",   ".C"};

bool begins_with_capital(const fs::path& name) {
  const std::string text = name.string();
  return !text.empty() && text.front() >= 'A' && text.front() <= 'Z';
}

/// cuda/std/atomic of the toolkit has no ending.
bool is_below_toolkit(const fs::path& file) {
  constexpr int most_folders = 8;
  std::error_code problem;
  fs::path folder = file.parent_path();
  for (int up = 0; up < most_folders && folder != folder.parent_path(); ++up, folder = folder.parent_path())
    for (const char* name : {"cuda_runtime_api.h", "cuda/std/version"})
      if (fs::is_regular_file(folder / name, problem)) return true;
  return false;
}

}  // namespace

fs::path real_path(const fs::path& path) {
  std::error_code problem;
  const fs::path absolute = fs::absolute(path, problem);
  fs::path found = fs::weakly_canonical(absolute, problem);
  return problem ? absolute.lexically_normal() : found;
}

bool is_of_folder(const fs::path& file, const fs::path& folder) {
  const fs::path inside = real_path(file).lexically_relative(folder);
  return !inside.empty() && std::ranges::none_of(inside, [](const fs::path& part) {
    return part.string().starts_with('.');  // ".." leads out
  });
}

bool is_header(const fs::path& file) {
  const fs::path path = real_path(file);
  const std::string ending = path.extension().string();
  if (!ending.empty()) return one_of(ending, header_endings) || is_below_toolkit(path);
  return (begins_with_capital(path.filename()) && begins_with_capital(path.parent_path().filename())) ||
         is_below_toolkit(path);
}

}  // namespace lanescope
