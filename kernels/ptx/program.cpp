#include "kernels/ptx/program.h"

#include <algorithm>
#include <memory>

#include <cxxabi.h>

namespace lanescope::ptx {
std::string qualified_name(const std::string& mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0 || !text) return mangled;
  std::string name = text.get();
  constexpr std::string_view anonymous = "(anonymous namespace)::";
  for (std::size_t at; (at = name.find(anonymous)) != std::string::npos;) name.erase(at, anonymous.size());
  int depth = 0;
  std::size_t begin = 0, end = name.size();
  for (std::size_t i = 0; i < name.size() && end == name.size(); ++i) {
    if (name[i] == '<') ++depth;
    if (name[i] == '>') --depth;
    if (name[i] == ' ' && depth == 0) begin = i + 1;
    if (name[i] == '(' && depth == 0) end = i;
  }
  return name.substr(begin, end - begin);
}

namespace {

/// Every spelling a person would use: with and without template arguments, with and without namespaces.
bool is_spelling_of(std::string_view asked, std::string_view qualified) {
  const std::size_t arguments = qualified.ends_with('>') ? qualified.find('<') : std::string_view::npos;
  const std::string_view plain = qualified.substr(0, arguments);
  if (asked == qualified || asked == plain) return true;
  const std::size_t colons = plain.rfind("::");
  if (colons == std::string_view::npos) return false;
  return asked == qualified.substr(colons + 2) || asked == plain.substr(colons + 2);
}

}  // namespace

bool Instruction::has(std::string_view modifier) const {
  return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

const Entry* Module::find_entry(std::string_view name) const {
  for (const Entry& entry : entries)
    if (entry.name == name) return &entry;
  // Kernels come before functions: a name that is to be launched means the kernel.
  for (const bool functions : {false, true}) {
    const Entry* only = nullptr;
    int count = 0;
    for (const Entry& entry : entries) {
      if (entry.is_function != functions || !is_spelling_of(name, qualified_name(entry.name))) continue;
      only = &entry;
      ++count;
    }
    if (count != 0) return count == 1 ? only : nullptr;
  }
  return nullptr;
}

}  // namespace lanescope::ptx
