#include "kernels/source/model/assumption.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::source {
namespace {

using Code = Assumption::Code;
using Group = Assumption::Group;

/// `short_form`: {0} name, {1} value. `subject`: {0} name, {1} kernel.
struct CodeWords {
  Code code;
  Group group;
  std::string_view name, short_form, subject, unit;
};
constexpr std::array<CodeWords, 14> code_words = {{
    {Code::grid, Group::geometry, "grid", "the grid is {1}", "Grid", " blocks"},
    {Code::block, Group::geometry, "block", "the block is {1}", "Block", " threads"},
    {Code::shared_size, Group::geometry, "shared_size", "dynamic shared memory has {1} bytes",
     "Dynamic shared memory of {1}", " bytes"},
    {Code::template_arguments, Group::geometry, "template_arguments", "the instance is {1}", "Template instance", ""},
    {Code::condition, Group::geometry, "condition", "{0} is launched", "Launch of {1}", ""},
    {Code::scalar, Group::arguments, "scalar", "{0} is {1}", "Argument {0}", ""},
    {Code::member, Group::arguments, "member", "{0} is {1}", "Argument {0}", ""},
    {Code::buffer_size, Group::arguments, "buffer_size", "`{0}` has {1} elements", "Buffer {0}", " elements"},
    {Code::buffer_part, Group::arguments, "buffer_part", "`{0}` has {1} elements", "Buffer {0}", " elements"},
    {Code::claimed_size, Group::arguments, "claimed_size", "`{0}` has {1} elements", "Buffer {0}", " elements"},
    {Code::command_line, Group::arguments, "command_line", "the command line has {1}", "Command line", ""},
    {Code::contents, Group::contents, "contents", "`{0}` holds {1}", "Contents of {0}", ""},
    {Code::variable, Group::contents, "variable", "`{0}` {1}", "Variable {0}", ""},
    {Code::host_action, Group::contents, "host_action", "the host code at {0} {1}", "Host code, {0}", ""},
}};

const CodeWords& words_for(Code code) { return code_words[static_cast<std::size_t>(code)]; }

constexpr bool in_order() {
  for (std::size_t i = 0; i < code_words.size(); ++i)
    if (static_cast<std::size_t>(code_words[i].code) != i) return false;
  return true;
}
static_assert(in_order());

}  // namespace

Group group_of(Code code) { return words_for(code).group; }
std::string_view name_of(Code code) { return words_for(code).name; }

std::string short_words(const Assumption& a) {
  return fmt::format(fmt::runtime(words_for(a.code).short_form), a.name, a.value);
}

std::string sentence_of(const Assumption& a) {
  const CodeWords& w = words_for(a.code);
  return fmt::format("{}: {}{}{}{}.", fmt::format(fmt::runtime(w.subject), a.name, a.kernel), a.value, w.unit,
                     a.because.empty() ? "" : ", ", a.because);
}

std::vector<std::string> sentences_of(const std::vector<Assumption>& all) {
  std::vector<std::string> out;
  for (const Assumption& a : all)
    if (std::string s = sentence_of(a); std::ranges::find(out, s) == out.end()) out.push_back(std::move(s));
  return out;
}

std::string list_of(const std::vector<Assumption>& all, std::size_t most) {
  std::vector<std::string> each;
  for (const Assumption& a : all)
    if (std::string s = short_words(a); std::ranges::find(each, s) == each.end()) each.push_back(std::move(s));
  const std::size_t shown = each.size() > most ? most : each.size(), left = each.size() - shown;
  std::string out;
  for (std::size_t i = 0; i < shown; ++i) out += (i == 0 ? "" : i + 1 == shown && left == 0 ? " and " : ", ") + each[i];
  return left > 0 ? fmt::format("{} and {} more", out, left) : out;
}

}  // namespace lanescope::source
