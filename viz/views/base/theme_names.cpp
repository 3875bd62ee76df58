#include "viz/views/base/theme_names.h"

#include "kernels/base/text.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

std::vector<std::string> theme_names() {
  std::vector<std::string> names;
  for (const Theme* theme : themes()) names.emplace_back(theme->name);
  return names;
}

std::string theme_name_of(std::string_view typed) {
  const Theme* theme = find_theme(typed);
  return std::string(theme != nullptr ? theme->name : std::string_view());
}

}  // namespace lanescope::views
