#include "results/problems.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "kernels/base/enum_size.h"

namespace lanescope::results {
namespace {

using Access = access::ThreadAccess;

bool same_thread(const Access& a, const Access& b) {
  return a.block == b.block && a.warp == b.warp && a.lane == b.lane;
}

std::string thread_words(const Access& a, bool with_block) {
  return (with_block ? fmt::format("block {}, ", a.block) : std::string()) +
         fmt::format("warp {}, lane {}", a.warp, a.lane);
}

/// A whole number where it is a small one, a float where it looks like one, else its bits.
std::string value_words(std::uint32_t bits) {
  const auto whole = static_cast<std::int32_t>(bits);
  if (whole > -1'000'000 && whole < 1'000'000) return std::to_string(whole);
  const float value = std::bit_cast<float>(bits);
  if (std::isfinite(value) && std::abs(value) > 1e-6f && std::abs(value) < 1e9f) return fmt::format("{:.6g}", value);
  return fmt::format("0x{:08x}", bits);
}

bool reads(const Access& a) { return a.does == access::Verb::reads; }

/// The effect of the order. `rows` are of two threads, in their order.
std::string consequence_of(const std::vector<Access>& rows, const std::string& first, const std::string& second) {
  const auto of = [&](const Access& a) -> const std::string& { return same_thread(a, rows.front()) ? first : second; };
  const auto other = std::ranges::find_if(rows, [&](const Access& a) { return !same_thread(a, rows.front()); });
  const auto write = std::ranges::find_if(rows, [](const Access& a) { return !reads(a); });
  if (write == rows.end()) return {};
  bool read_first = true;  // both threads read before either writes, and both write
  for (const bool mine : {true, false}) {
    const auto is = [&](const Access& a) { return same_thread(a, rows.front()) == mine; };
    read_first = read_first && std::any_of(rows.begin(), write, is) &&
                 std::any_of(write, rows.end(), [&](const Access& a) { return is(a) && !reads(a); });
  }
  if (read_first) {
    const auto last = std::find_if(rows.rbegin(), rows.rend(), [](const Access& a) { return !reads(a); });
    const std::string& kept = of(*last);
    return fmt::format("Both read before either wrote: the value of {} replaces that of {}, whose update is lost", kept,
                       kept == first ? second : first);
  }
  const Access &before = *(other - 1), &after = *other;
  if (reads(before) && !reads(after))
    return fmt::format("Here {} read first. Nothing orders the two: in another run it reads what {} writes", of(before),
                       of(after));
  if (!reads(before) && reads(after))
    return fmt::format("Here {} read after the write. Nothing orders the two: in another run it reads the old value",
                       of(after));
  return fmt::format("Here the value of {} stays. Nothing orders the two: in another run that of {} does", of(after),
                     of(before));
}

}  // namespace

Interleaving interleaving_of(const FindingInfo& finding) {
  Interleaving table;
  const std::vector<Access>& rows = finding.interleaving;
  const auto other = std::ranges::find_if(rows, [&](const Access& a) { return !same_thread(a, rows.front()); });
  if (rows.size() < 2 || other == rows.end()) return table;
  const bool with_block = rows.front().block != other->block;
  table.first = thread_words(rows.front(), with_block), table.second = thread_words(*other, with_block);
  for (const Access& a : rows)
    table.rows.push_back({.of_second = !same_thread(a, rows.front()),
                          .does = fmt::format("{} {}", enum_name(a.does), value_words(a.value)),
                          .line = a.line});
  table.consequence = consequence_of(rows, table.first, table.second);
  return table;
}

}  // namespace lanescope::results
