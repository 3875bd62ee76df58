#include "kernels/compile/compile_options.h"

#include <fmt/format.h>

#include "kernels/base/text.h"

namespace lanescope::compile {

int architecture_number(std::string_view name) {
  if (name.starts_with("sm_"))
    name.remove_prefix(3);
  else if (name.starts_with("compute_"))
    name.remove_prefix(8);
  else
    return 0;
  int number = 0;
  std::size_t digits = 0;
  while (digits < name.size() && is_digit(name[digits])) number = 10 * number + (name[digits++] - '0');
  if (digits < 2 || digits > 3 || name[0] == '0') return 0;
  const std::string_view kind = name.substr(digits);
  return kind.empty() || kind == "a" || kind == "f" ? number : 0;
}

Diagnostics wrong_architecture(const std::string& file, const std::string& name) {
  if (architecture_number(name) > 0) return {};
  return {{.file = file,
           .message = fmt::format("there is no architecture '{}'", name),
           .remedy = "write it as in sm_90 or sm_90a"}};
}

}  // namespace lanescope::compile
