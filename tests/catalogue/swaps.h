#pragma once
// Claims with two physical bits exchanged, and whether that changed what they say.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "kernels/layout/assignment.h"

namespace lanescope::catalogue {

struct Swap {
  layout::PhysicalBit a, b;
  layout::Assignment stated;  ///< with what a and b hold exchanged
};

inline layout::Term& term_of(layout::Assignment& assignment, layout::PhysicalBit bit) {
  return (*assignment.row(bit.place))[static_cast<std::size_t>(bit.index)];
}

inline std::vector<layout::PhysicalBit> physical_bits(const layout::Assignment& assignment) {
  std::vector<layout::PhysicalBit> bits;
  for (int p = 0; p < layout::place_count; ++p)
    for (int i = 0; i < assignment.bits(static_cast<layout::Place>(p)); ++i)
      bits.push_back({static_cast<layout::Place>(p), i});
  return bits;
}

/// Every exchange of two terms, within rows and across them.
inline std::vector<Swap> swaps(const layout::Assignment& assignment) {
  const auto bits = physical_bits(assignment);
  std::vector<Swap> out;
  for (std::size_t i = 0; i < bits.size(); ++i)
    for (std::size_t j = i + 1; j < bits.size(); ++j) {
      Swap s{bits[i], bits[j], assignment};
      std::swap(term_of(s.stated, s.a), term_of(s.stated, s.b));
      out.push_back(std::move(s));
    }
  return out;
}

/// Whether two statements with the same rows put every element in the same places: the places of an element are those
/// where each sum bit has the element's parity and each junk bit is 0. Walks all elements in the order of a Gray code.
inline bool same_relation(const layout::Assignment& a, const layout::Assignment& b) {
  const auto bits = physical_bits(a);
  if (bits != physical_bits(b)) return false;
  std::vector<std::string> names = layout::logical_bits(a);
  for (const std::string& name : layout::logical_bits(b))
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  struct Places {
    std::uint64_t fixed = 0, at = 0;        ///< bits that the element decides, and their value
    std::vector<std::uint64_t> flipped_by;  ///< by logical bit
  };
  const auto places = [&](layout::Assignment of) {
    Places p;
    p.flipped_by.resize(names.size());
    for (std::size_t k = 0; k < bits.size(); ++k) {
      const layout::Term& term = term_of(of, bits[k]);
      if (term.role == layout::Term::Role::unused) continue;
      p.fixed |= std::uint64_t{1} << k;
      if (term.constant) p.at |= std::uint64_t{1} << k;
      for (const std::string& name : term.names)
        p.flipped_by[static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin())] |=
            std::uint64_t{1} << k;
    }
    return p;
  };
  Places pa = places(a), pb = places(b);
  if (pa.fixed != pb.fixed) return false;
  for (std::uint64_t n = 1;; ++n) {
    if (pa.at != pb.at) return false;
    const auto flip = static_cast<std::size_t>(std::countr_zero(n));
    if (flip >= names.size()) return true;
    pa.at ^= pa.flipped_by[flip];
    pb.at ^= pb.flipped_by[flip];
  }
}

}  // namespace lanescope::catalogue
