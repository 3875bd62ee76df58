#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <tuple>

#include "app/engine/prepare/launch_plan.h"
#include "app/engine/summary/summarize.h"
#include "kernels/source/data/sha256.h"

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

bool agree(double found, double expected, double tolerance) {
  if (found == expected || (std::isnan(found) && std::isnan(expected))) return true;
  return std::abs(found - expected) <= tolerance * std::max(std::abs(found), std::abs(expected));
}

/// A double does not hold every 64-bit integer.
bool same_word(std::span<const std::byte> found, std::span<const std::byte> expected, std::uint64_t element) {
  const std::size_t at = element * 8;
  return std::memcmp(found.data() + at, expected.data() + at, 8) == 0;
}

std::string element_name(const source::BufferSpec& buffer, std::uint64_t element) {
  const auto where = source::coordinates(buffer, element);
  if (!where || where->empty()) return fmt::format("element {}", element);
  return fmt::format("element ({})", fmt::join(*where, ","));
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

Expected<std::optional<std::string>> judge_expectation(const source::Source& source, const source::BufferSpec& buffer,
                                                       std::span<const std::byte> bytes, const std::string& directory) {
  if (!buffer.expected) return std::nullopt;
  if (buffer.expected->kind == source::Contents::Kind::sha256) {
    std::string wanted = buffer.expected->text;
    std::ranges::transform(wanted, wanted.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const std::string found = source::sha256(bytes);
    return found == wanted ? std::string() : fmt::format("its SHA-256 is {}, where {} was expected", found, wanted);
  }
  const auto expected = LS_TRY(described_contents(source, buffer, *buffer.expected, directory));
  if (std::ranges::equal(bytes, expected)) return std::string();

  const bool floating = is_floating(buffer.element_type);
  const double tolerance = floating ? buffer.tolerance : 0;
  std::uint64_t wrong = 0, first = 0, judged = 0;
  for (std::uint64_t i = 0; i < buffer.elements; ++i) {
    if (!source::coordinates(buffer, i)) continue;  // between the rows of the array
    ++judged;
    const bool equal = !floating && buffer.element_bits == 64
                           ? same_word(bytes, expected, i)
                           : agree(element_value(buffer.element_type, bytes, i),
                                   element_value(buffer.element_type, expected, i), tolerance);
    if (equal) continue;
    if (wrong++ == 0) first = i;
  }
  if (wrong == 0) return std::string();
  return fmt::format("{} is {}, where {} was expected; {} of {} elements differ", element_name(buffer, first),
                     element_words(buffer.element_type, bytes, first),
                     element_words(buffer.element_type, expected, first), wrong, judged);
}

}  // namespace lanescope::engine
