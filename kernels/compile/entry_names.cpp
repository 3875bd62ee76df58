#include "kernels/compile/entry_names.h"

#include <algorithm>

#include "kernels/base/text.h"

namespace lanescope::compile {

std::vector<std::string> entries_of(std::string_view ptx) {
  std::vector<std::string> out;
  constexpr std::string_view word = ".entry ";
  for (std::size_t at = ptx.find(word); at != std::string_view::npos; at = ptx.find(word, at + 1)) {
    const std::size_t start = at + word.size();
    out.emplace_back(ptx.substr(start, ptx.find_first_of("( \t\r\n", start) - start));
  }
  return out;
}

std::string find_entry(std::string_view ptx, std::string_view name) {
  // Itanium C++ ABI, 5.1: a name is written as its length and its letters; those of a namespace stand before it.
  const std::string mangled = std::to_string(name.size()) + std::string(name);
  std::string found;
  for (const std::string& entry : entries_of(ptx)) {
    if (entry == name) return entry;
    const std::size_t at = entry.find(mangled);
    const bool digit_before = at != std::string::npos && at > 0 && is_digit(entry[at - 1]);
    if (!entry.starts_with("_Z") || at == std::string::npos || digit_before) continue;
    if (!found.empty()) return {};
    found = entry;
  }
  return found;
}

}  // namespace lanescope::compile
