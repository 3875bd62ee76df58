#include "kernels/compile/compile_log.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::compile {
namespace {

constexpr std::array<std::string_view, 12> conditions = {"__requires",        "__global_requires", "__assume",
                                                         "__assert",          "__global_assert",   "__invariant",
                                                         "__VERIFIER_assume", "__VERIFIER_assert", "__CPROVER_assume",
                                                         "__CPROVER_assert",  "__ESBMC_assume",    "__ESBMC_assert"};
constexpr std::array<std::string_view, 4> of_several = {"__uniform_int", "__uniform_bool", "__distinct_int",
                                                        "__distinct_bool"};

bool is_of_several(std::string_view name) { return std::ranges::find(of_several, name) != of_several.end(); }

}  // namespace

bool add_annotations(const Diagnostics& errors, std::set<std::string>& names) {
  bool added = false;
  for (const Diagnostic& d : errors) {
    const std::size_t from = d.message.find("identifier \""), to = d.message.find("\" is undefined");
    if (from == std::string::npos || to == std::string::npos || to < from + 12) continue;
    const std::string name = d.message.substr(from + 12, to - from - 12);
    if (std::ranges::find(conditions, name) == conditions.end() && !is_of_several(name)) continue;
    added = names.insert(name).second || added;
  }
  return added;
}

std::string annotations_text(const std::set<std::string>& names) {
  std::string out;
  for (const std::string& n : names)
    out +=
        is_of_several(n) ? fmt::format("#define {}(...) true\n", n) : fmt::format("#define {}(c, ...) assert(c)\n", n);
  return out;
}

Diagnostics annotation_notes(const std::set<std::string>& names, const std::string& file) {
  std::vector<std::string> checked, unchecked;
  for (const std::string& n : names) (is_of_several(n) ? unchecked : checked).push_back(n);
  Diagnostics out;
  const auto say = [&](const std::vector<std::string>& of, std::string_view what) {
    if (!of.empty())
      out.push_back({.file = file,
                     .message = fmt::format("{}: {}", fmt::join(of, ", "), what),
                     .remedy = {},
                     .severity = Severity::note});
  };
  say(checked, "annotations of a verifier, which are checked here as asserts where threads reach them");
  say(unchecked, "annotations of a verifier about several threads, which are taken for true and not checked");
  return out;
}

}  // namespace lanescope::compile
