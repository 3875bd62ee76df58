#pragma once
// A register assignment says which element of a logical array sits at which place of the hardware.
//
// A place is a number written in bits: which simd part of the register (s), which register of the array (r), which
// thread of the warp (t), which warp of the block (w), which block (b). An element is a set of coordinates written in
// bits: i3 is bit 3 of axis i. An assignment is an F2-affine relation between the two: every physical bit equals the
// XOR of some logical bits, and perhaps of the constant 1.
//
//   registers of a 4x4 array of 8-bit elements in one thread:      simd: j1 j0    register: i1 i0
//
//             s=0    s=1    s=2    s=3
//     r=0    (0,0)  (0,1)  (0,2)  (0,3)      s1 = j1, s0 = j0, r1 = i1, r0 = i0
//     r=1    (1,0)  (1,1)  (1,2)  (1,3)
//     r=2    (2,0)  (2,1)  (2,2)  (2,3)      the XOR swizzle of the same array reads   simd: j1+i1 j0+i0
//     r=3    (3,0)  (3,1)  (3,2)  (3,3)      and puts element (1,0) at r=1, s=1
//
// TODO(layout): the essay goes on: why two directions exist, what a missing row means, unused, junk, what it is not.

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"

namespace lanescope::layout {

/// The rows of the notation, innermost first. Text prints them in this order.
enum class Place : std::uint8_t { simd, reg, thread, warp, block };
inline constexpr int place_count = 5;
/// "simd", "register", "thread", "warp", "block".
std::string_view row_name(Place place);
/// 's', 'r', 't', 'w', 'b'.
char row_letter(Place place);

struct PhysicalBit {
  Place place = Place::simd;
  int index = 0;  ///< bit 0 is the least significant
  auto operator<=>(const PhysicalBit&) const = default;
};
std::string to_string(PhysicalBit bit);  ///< "r1"

/// What one physical bit holds.
struct Term {
  enum class Role : std::uint8_t {
    sum,     ///< the XOR of `names`, and of 1 when `constant`
    unused,  ///< changing this bit changes nothing: the same elements, broadcast
    junk,    ///< places where this bit is 1 hold nothing of the array
  };
  Role role = Role::sum;
  std::vector<std::string> names;  ///< logical bits ("i3", "ReIm"), sorted, no repeats; empty unless role is sum
  bool constant = false;
  bool operator==(const Term&) const = default;
};

/// The sum of `names` (any order; a name that comes twice cancels) and of 1 when `constant`.
Term sum_of(std::vector<std::string> names, bool constant = false);

/// A row that is absent claims nothing about its physical bits. A row that is present and empty says there is one
/// place only (for instance a single register).
struct Assignment {
  std::array<std::optional<std::vector<Term>>, place_count> rows;  ///< indexed by Place; bit 0 first inside a row

  bool operator==(const Assignment&) const = default;
  const std::optional<std::vector<Term>>& row(Place p) const { return rows[static_cast<int>(p)]; }
  std::optional<std::vector<Term>>& row(Place p) { return rows[static_cast<int>(p)]; }
  /// Number of bits in a row; 0 when absent.
  int bits(Place p) const { return row(p) ? static_cast<int>(row(p)->size()) : 0; }
};

/// Every logical bit named, sorted by axis and then by bit.
std::vector<std::string> logical_bits(const Assignment& a);

/// A logical bit name apart: "i3" is bit 3 of axis "i"; "ReIm" is bit 0 of axis "ReIm" (an axis of two).
struct LogicalBit {
  std::string axis;
  int bit = 0;
  auto operator<=>(const LogicalBit&) const = default;
};
LogicalBit split_name(std::string_view name);
/// The order of `Term::names`: by axis, then by bit number, so that i2 comes before i10.
bool name_less(std::string_view a, std::string_view b);

// --- notation -------------------------------------------------------------------------------------------------------

/// Parses every form of the notation: rows on lines or separated by ';', `t1 t0 <-> j1 j0`, bare right-hand sides,
/// remarks such as "(unchanged)", LSB-first rows that name their physical bits, sums `i5+i0`, constants `i5+1` or `~i5`,
/// `[unused]`, `[junk]`. Leading `//` and `*` of comment lines are accepted. Errors carry line and column in `text`
/// (both 1-based) and name the row.
Expected<Assignment> parse(std::string_view text);

/// One row ("register:  r1 r0 <-> j3 j2") or nullopt when the line is not a row of the notation at all.
std::optional<Expected<std::pair<Place, std::vector<Term>>>> parse_row(std::string_view line);

/// Most significant bit first, one row a line, columns aligned; parse(print(a)) == a.
/// `with_left_side` writes `t1 t0 <-> j1 j0`, otherwise only the right-hand sides.
std::string print(const Assignment& a, bool with_left_side = true);
/// The same on one line: "simd: k0; register: j3 j2".
std::string print_line(const Assignment& a);
std::string print(const Term& term);

// --- comparison -----------------------------------------------------------------------------------------------------

struct BitDifference {
  PhysicalBit bit;
  std::optional<Term> stated;  ///< nullopt: the row has no such bit
  std::optional<Term> real;
};

/// The physical bits on which `real` is not what `stated` says. Rows absent from `stated` are not compared.
/// Empty exactly when every place agrees.
std::vector<BitDifference> compare(const Assignment& stated, const Assignment& real);
/// In words: "r1 and r0 are swapped", "s0 holds k0, not j3; r1 holds j3, not k0", "t2 is inverted".
std::string describe(const std::vector<BitDifference>& differences);

}  // namespace lanescope::layout
