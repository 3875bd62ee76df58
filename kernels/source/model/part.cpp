#include "kernels/source/model/part.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "kernels/base/text.h"

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
  std::map<int, std::vector<std::size_t>> waiting;  // members by the class that is not needed yet
  const auto need = [&](std::size_t i) {
    std::vector<std::size_t> all = {i};
    while (!all.empty()) {
      const std::size_t at = all.back();
      all.pop_back();
      if (out[at]) continue;
      to_read.push_back(at);
      out[at] = true;
      if (const auto members = waiting.find(static_cast<int>(at)); members != waiting.end())
        all.insert(all.end(), members->second.begin(), members->second.end());
    }
  };
  std::vector<std::string_view> arguments;  // names in `copy<Square, 4>`
  for (const std::string& r : roots)
    for (std::size_t at = std::min(r.find('<'), r.size()); at < r.size();) {
      std::size_t end = at;
      while (end < r.size() && is_word(r[end])) ++end;
      if (end > at) arguments.push_back(std::string_view(r).substr(at, end - at));
      at = std::max(end, at + 1);
    }
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (parts[i].needed || is_one_of(parts[i], roots) ||
        std::ranges::find(arguments, std::string_view(parts[i].name)) != arguments.end())
      need(i);
  while (!to_read.empty()) {
    const std::size_t at = to_read.back();
    to_read.pop_back();
    if (parts[at].inside >= 0) need(static_cast<std::size_t>(parts[at].inside));
    for (const int n : parts[at].needs) {
      const int around = parts[static_cast<std::size_t>(n)].inside;
      if (around >= 0 && !out[static_cast<std::size_t>(around)])
        waiting[around].push_back(static_cast<std::size_t>(n));
      else
        need(static_cast<std::size_t>(n));
    }
  }
  return out;
}

}  // namespace lanescope::source
