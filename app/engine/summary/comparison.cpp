#include "app/engine/summary/summarize.h"

#include <fmt/format.h>

#include <map>
#include <tuple>

namespace lanescope::engine {
namespace {

/// (space, what, bytes per lane) -> how many instructions.
using Kinds = std::map<std::tuple<std::string, std::string, int>, int>;

std::string what_of(const ptx::Instruction& i) {
  if (i.opcode == "ld" || i.opcode == "ldu") return "load";
  if (i.opcode == "st") return "store";
  if (i.opcode == "atom" || i.opcode == "red") return "atomic";
  return "";
}

std::map<int, Kinds> memory_instructions(const ptx::Entry& entry) {
  std::map<int, Kinds> lines;
  for (const ptx::Instruction& i : entry.code) {
    const std::string what = what_of(i);
    if (what.empty() || i.has("param") || i.has("const") || i.types.empty()) continue;
    const std::string space = i.has("shared") ? "shared" : i.has("local") ? "local" : "global";
    const int elements = i.has("v4") ? 4 : i.has("v2") ? 2 : i.has("v8") ? 8 : 1;
    ++lines[i.position.line][{space, what, elements * ptx::bits_of(i.types.front()) / 8}];
  }
  return lines;
}

std::string in_words(const Kinds& kinds) {
  std::string text;
  for (const auto& [kind, count] : kinds) {
    const auto& [space, what, bytes] = kind;
    text += fmt::format("{}{} {}-byte {} {}{}", text.empty() ? "" : " and ", count, bytes, space, what,
                        count == 1 ? "" : "s");
  }
  return text.empty() ? "no memory instruction" : text;
}

}  // namespace

std::vector<results::Notice> memory_differences(const ptx::Entry& plain, const ptx::Entry& probed) {
  const auto in_plain = memory_instructions(plain), in_probed = memory_instructions(probed);
  std::map<int, std::pair<Kinds, Kinds>> lines;
  for (const auto& [line, kinds] : in_plain) lines[line].first = kinds;
  for (const auto& [line, kinds] : in_probed) lines[line].second = kinds;
  // An inlined function's or a hoisted instruction may count for another line; the accesses are the same.
  Kinds all_plain, all_probed;
  for (const auto& [line, both] : lines) {
    for (const auto& [kind, count] : both.first) all_plain[kind] += count;
    for (const auto& [kind, count] : both.second) all_probed[kind] += count;
  }
  if (all_plain == all_probed) return {};
  std::vector<results::Notice> notices;
  for (const auto& [line, both] : lines) {
    if (both.first == both.second) continue;
    notices.push_back(coded<results::NoticeCode::memory_instructions_differ>(
        line > 0 ? fmt::format("line {}", line) : "code without a source line", in_words(both.first),
        in_words(both.second)));
  }
  return notices;
}

}  // namespace lanescope::engine
