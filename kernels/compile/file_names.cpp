#include "kernels/compile/file_names.h"

#include <filesystem>

namespace lanescope::compile {

std::string rename_files(std::string_view ptx, const std::function<std::string(std::string_view)>& rename) {
  std::string out;
  while (!ptx.empty()) {
    const std::size_t stop = std::min(ptx.find('\n'), ptx.size() - 1);
    const std::string_view line = ptx.substr(0, stop + 1);
    ptx.remove_prefix(stop + 1);
    const std::size_t word = line.find_first_not_of(" \t");
    const std::size_t open = line.find('"');
    const std::size_t close = open == std::string_view::npos ? open : line.find('"', open + 1);
    if (word == std::string_view::npos || !line.substr(word).starts_with(".file") || close == std::string_view::npos) {
      out += line;
      continue;
    }
    out += line.substr(0, open + 1);
    out += rename(line.substr(open + 1, close - open - 1));
    out += line.substr(close);
  }
  return out;
}

std::string with_user_names(std::string_view ptx, std::string_view file) {
  std::error_code problem;
  const std::filesystem::path folder = std::filesystem::current_path(problem);
  const std::string mine = (folder / std::filesystem::path(file)).lexically_normal().string();
  return rename_files(ptx, [&](std::string_view name) {
    if (std::filesystem::path(name).lexically_normal().string() == mine) return std::string(file);
    const std::size_t slash = name.rfind('/');
    const std::string_view last = slash == std::string_view::npos ? name : name.substr(slash + 1);
    return std::string(last.starts_with("lanescope-") ? last : name);
  });
}

}  // namespace lanescope::compile
