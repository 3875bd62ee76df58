#pragma once
// A published set of conversions inside a warp: 14 blocked layouts of a square tile, every ordered pair of them
// (triton-lang/triton, python/test/gluon/test_lowerings.py, the warp-local layouts).

#include <array>
#include <bit>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "kernels/layout/assignment.h"

namespace lanescope::convert {

/// Elements side by side in a thread and threads side by side in a warp, rows first.
struct Blocked {
  std::array<int, 2> per_thread, threads;
};

inline constexpr std::array<Blocked, 14> warp_local_layouts = {{
    {{1, 1}, {32, 1}},
    {{1, 1}, {16, 2}},
    {{1, 1}, {8, 4}},
    {{1, 1}, {4, 8}},
    {{1, 1}, {2, 16}},
    {{1, 1}, {1, 32}},
    {{32, 1}, {1, 32}},
    {{16, 1}, {2, 16}},
    {{1, 4}, {32, 1}},
    {{1, 4}, {16, 2}},
    {{1, 4}, {8, 4}},
    {{1, 4}, {4, 8}},
    {{1, 4}, {2, 16}},
    {{1, 4}, {1, 32}},
}};

/// The assignment of a square tile of 2^bits rows i and columns j; columns are dealt out first. The lowest `simd` bits of
/// the register's number are simd bits.
inline layout::Assignment blocked(const Blocked& b, int bits, int simd) {
  std::array<int, 2> next = {0, 0};  // the next bit of i and of j
  std::vector<std::string> registers, lanes;
  const auto deal = [&](std::vector<std::string>& row, int axis, int count) {
    for (int n = 0; n < count; ++n) {
      int& at = next[static_cast<std::size_t>(axis)];
      const bool beyond = at >= bits;
      if (beyond && &row == &registers) continue;
      row.push_back(beyond ? "[unused]" : fmt::format("{}{}", axis == 0 ? 'i' : 'j', at++));
    }
  };
  for (const int axis : {1, 0})
    deal(registers, axis, std::countr_zero(static_cast<unsigned>(b.per_thread[static_cast<std::size_t>(axis)])));
  for (const int axis : {1, 0})
    deal(lanes, axis, std::countr_zero(static_cast<unsigned>(b.threads[static_cast<std::size_t>(axis)])));
  for (const int axis : {1, 0}) deal(registers, axis, bits - next[static_cast<std::size_t>(axis)]);
  const auto row = [](std::string_view name, std::vector<std::string> terms) {
    return fmt::format("{}: {}", name, fmt::join(terms.rbegin(), terms.rend(), " "));
  };
  std::string text;
  if (simd > 0) text = row("simd", {registers.begin(), registers.begin() + simd}) + "; ";
  return *layout::parse(text + row("register", {registers.begin() + simd, registers.end()}) + "; " +
                        row("thread", lanes));
}

}  // namespace lanescope::convert
