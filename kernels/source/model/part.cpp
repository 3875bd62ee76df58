#include "kernels/source/model/part.h"

#include <algorithm>

namespace lanescope::source {

std::vector<bool> needed_parts(const std::vector<Part>& parts, const std::vector<std::string>& roots) {
  std::vector<bool> out(parts.size(), false);
  std::vector<std::size_t> to_read;
  const auto need = [&](std::size_t i) {
    if (!out[i]) to_read.push_back(i);
    out[i] = true;
  };
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool root = std::any_of(roots.begin(), roots.end(), [&](const std::string& r) {
      const std::string_view bare = std::string_view(r).substr(0, r.find('<'));
      const std::size_t colon = bare.rfind(':');
      return !parts[i].name.empty() && bare.substr(colon == std::string_view::npos ? 0 : colon + 1) == parts[i].name;
    });
    if (root || parts[i].needed) need(i);
  }
  while (!to_read.empty()) {
    const std::size_t at = to_read.back();
    to_read.pop_back();
    for (const int n : parts[at].needs) need(static_cast<std::size_t>(n));
  }
  return out;
}

}  // namespace lanescope::source
