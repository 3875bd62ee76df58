#pragma once
// Random conversions: assignments of the same elements to other places.

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "kernels/layout/affine_map.h"

namespace lanescope::convert {

struct Pair {
  layout::Assignment from, to;
  int element_bits = 32;
};

enum class Kind : std::uint8_t { permutation, linear, spare };  ///< spare: with [unused] and [junk] bits

class RandomPairs {
 public:
  explicit RandomPairs(unsigned seed) : random_(seed) {}

  int any(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }

  /// Inside a block of 2^warps warps; `element_bits` up to 128, up to `most_registers` register bits.
  Pair pair(Kind kind, int element_bits, int most_registers, int warps = 0) {
    int slots = 0;
    while (element_bits << (slots + 1) <= 32) ++slots;
    if (any(4) == 0 && slots > 0) slots = any(slots + 1);
    const int registers = any(most_registers + 1);
    std::vector<std::string> names;
    for (int i = 0; i < slots + registers + 5 + warps; ++i)
      names.push_back(fmt::format("{}{}", i % 2 == 0 ? 'i' : 'j', i / 2));
    Pair out{.from = {}, .to = {}, .element_bits = element_bits};
    out.from = side(kind, names, slots, warps, element_bits);
    out.to = side(kind, names, slots, warps, element_bits);
    return out;
  }

 private:
  layout::Assignment side(Kind kind, std::vector<std::string> names, int slots, int warps, int element_bits) {
    std::ranges::shuffle(names, random_);
    std::vector<layout::Term> terms;
    for (const std::string& n : names) terms.push_back(layout::sum_of({n}, kind == Kind::linear && any(4) == 0));
    if (kind == Kind::linear) {
      // Sums of rows keep the relation one to one.
      for (int n = any(6); n > 0; --n) {
        const auto a = static_cast<std::size_t>(any(static_cast<int>(terms.size())));
        const auto b = static_cast<std::size_t>(any(static_cast<int>(terms.size())));
        if (a == b) continue;
        std::vector<std::string> sum = terms[a].names;
        sum.insert(sum.end(), terms[b].names.begin(), terms[b].names.end());
        terms[a] = layout::sum_of(std::move(sum), terms[a].constant != terms[b].constant);
      }
    }
    if (kind == Kind::spare) {
      for (int n = 1 + any(2); n > 0; --n) {
        layout::Term t;
        t.role = any(2) == 0 ? layout::Term::Role::unused : layout::Term::Role::junk;
        terms.insert(terms.begin() + any(static_cast<int>(terms.size()) + 1), t);
      }
    }
    // Lanes take the last five; a register row may have grown.
    const int room = element_bits > 32 ? 0 : slots;
    layout::Assignment a;
    std::size_t next = 0;
    const auto row = [&](layout::Place place, std::size_t count) {
      a.row(place).emplace();
      for (; count > 0; --count) a.row(place)->push_back(terms[next++]);
    };
    row(layout::Place::simd, static_cast<std::size_t>(room));
    row(layout::Place::reg, terms.size() - static_cast<std::size_t>(room) - 5 - static_cast<std::size_t>(warps));
    row(layout::Place::thread, 5);
    if (warps > 0) row(layout::Place::warp, static_cast<std::size_t>(warps));
    return a;
  }

  std::mt19937 random_;
};

}  // namespace lanescope::convert
