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

namespace {

/// Itanium C++ ABI, 5.1: a name is written as its length and its letters; those of namespaces stand before it.
bool is_mangled(std::string_view entry, std::string_view name) {
  if (!entry.starts_with("_Z")) return false;
  entry.remove_prefix(2);
  while (!entry.empty() && !is_digit(entry.front()) && (entry.front() == 'N' || entry.front() == 'L'))
    entry.remove_prefix(1);
  while (!entry.empty() && is_digit(entry.front())) {
    std::size_t length = 0;
    for (; !entry.empty() && is_digit(entry.front()) && length < entry.size(); entry.remove_prefix(1))
      length = length * 10 + static_cast<std::size_t>(entry.front() - '0');
    const std::string_view part = entry.substr(0, length);
    if (part == name) return true;
    entry.remove_prefix(part.size());
  }
  return false;
}

}  // namespace

std::string find_entry(std::string_view ptx, std::string_view name) {
  std::string found;
  for (const std::string& entry : entries_of(ptx)) {
    if (entry == name) return entry;
    if (!is_mangled(entry, name)) continue;
    if (!found.empty()) return {};
    found = entry;
  }
  return found;
}

}  // namespace lanescope::compile
