#include "kernels/source/model/part.h"

#include <algorithm>
#include <string_view>

namespace lanescope::source {

bool is_one_of(const Part& part, const std::vector<std::string>& roots) {
  return !part.name.empty() && std::any_of(roots.begin(), roots.end(), [&](const std::string& r) {
    const std::string_view bare = std::string_view(r).substr(0, r.find('<'));
    const std::size_t colon = bare.rfind(':');
    return bare.substr(colon == std::string_view::npos ? 0 : colon + 1) == part.name;
  });
}

std::vector<bool> needed_parts(const std::vector<Part>& parts, const std::vector<std::string>& roots) {
  std::vector<bool> out(parts.size(), false);
  std::vector<std::size_t> to_read;
  const auto need = [&](std::size_t i) {
    if (!out[i]) to_read.push_back(i);
    out[i] = true;
  };
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (parts[i].needed || is_one_of(parts[i], roots)) need(i);
  while (!to_read.empty()) {
    const std::size_t at = to_read.back();
    to_read.pop_back();
    if (parts[at].inside >= 0) need(static_cast<std::size_t>(parts[at].inside));
    for (const int n : parts[at].needs) need(static_cast<std::size_t>(n));
  }
  return out;
}

}  // namespace lanescope::source
