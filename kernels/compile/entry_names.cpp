#include "kernels/compile/texts.h"

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

/// The last name of a mangled one, template arguments and parameters left out; empty where it is none. Itanium C++ ABI,
/// 5.1: a name is written as its length and its letters; those of namespaces stand before it, all between N and E.
std::string_view last_name(std::string_view entry) {
  if (!entry.starts_with("_Z")) return {};
  std::size_t at = 2;
  const bool nested = at < entry.size() && entry[at] == 'N';
  if (nested) ++at;
  std::string_view out;
  while (at < entry.size()) {
    if (entry[at] == 'L') ++at;  // of this file alone
    std::size_t length = 0, digits = 0;
    for (; at + digits < entry.size() && is_digit(entry[at + digits]) && digits < 5; ++digits)
      length = 10 * length + static_cast<std::size_t>(entry[at + digits] - '0');
    if (digits == 0 || at + digits + length > entry.size()) return out;
    out = entry.substr(at + digits, length);
    at += digits + length;
    if (!nested) return out;
  }
  return out;
}

}  // namespace

namespace {

std::size_t parameters_of(std::string_view ptx, std::string_view entry) {
  std::size_t at = ptx.find(".entry " + std::string(entry) + "(");
  if (at == std::string_view::npos) return 0;
  const std::string_view list = ptx.substr(at, ptx.find(')', at) - at);
  std::size_t out = 0;
  for (at = list.find(".param "); at != std::string_view::npos; at = list.find(".param ", at + 1)) ++out;
  return out;
}

}  // namespace

std::string find_entry(std::string_view ptx, std::string_view name, std::size_t parameters) {
  std::vector<std::string> found;
  for (const std::string& entry : entries_of(ptx)) {
    if (entry == name) return entry;
    if (last_name(entry) == name) found.push_back(entry);
  }
  if (found.size() > 1)
    std::erase_if(found, [&](const auto& entry) { return parameters_of(ptx, entry) != parameters; });
  return found.size() == 1 ? found.front() : "";
}

}  // namespace lanescope::compile
