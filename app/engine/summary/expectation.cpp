#include "app/engine/summary/summarize.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "app/engine/prepare/launch_plan.h"
#include "kernels/source/data/sha256.h"

namespace lanescope::engine {
namespace {

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

Expected<std::optional<std::string>> judge_expectation(const source::Source& source, const source::BufferSpec& buffer,
                                                       std::span<const std::byte> bytes, const std::string& directory) {
  if (!buffer.expected) return std::nullopt;
  if (buffer.expected->kind == source::Contents::Kind::sha256) {
    std::string wanted = buffer.expected->text;
    std::ranges::transform(wanted, wanted.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const std::string found = source::sha256(bytes);
    return found == wanted ? std::string() : fmt::format("its SHA-256 is {}, where {} was expected", found, wanted);
  }
  const auto expected = described_contents(source, buffer, *buffer.expected, directory);
  if (!expected) return tl::unexpected(expected.error());
  if (std::ranges::equal(bytes, *expected)) return std::string();

  const bool floating = is_floating(buffer.element_type);
  const double tolerance = floating ? buffer.tolerance : 0;
  std::uint64_t wrong = 0, first = 0, judged = 0;
  for (std::uint64_t i = 0; i < buffer.elements; ++i) {
    if (!source::coordinates(buffer, i)) continue;  // between the rows of the array
    ++judged;
    const bool equal = !floating && buffer.element_bits == 64
                           ? same_word(bytes, *expected, i)
                           : agree(element_value(buffer.element_type, bytes, i),
                                   element_value(buffer.element_type, *expected, i), tolerance);
    if (equal) continue;
    if (wrong++ == 0) first = i;
  }
  if (wrong == 0) return std::string();
  return fmt::format("{} is {}, where {} was expected; {} of {} elements differ", element_name(buffer, first),
                     element_words(buffer.element_type, bytes, first),
                     element_words(buffer.element_type, *expected, first), wrong, judged);
}

}  // namespace lanescope::engine
