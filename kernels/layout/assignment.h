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
// Because XOR is addition over F2, every question about such a table is linear algebra on a handful of columns instead
// of a look-up of each place: the swizzle above is the columns r0 -> (i0, j0), r1 -> (i1, j1), s0 -> j0, s1 -> j1, and
// the element at r=3, s=1 is the XOR of three columns, (3, 3^1) = (3,2).
//
// Why the text and the map run opposite ways. The text answers "which physical bit is this?", one physical bit at a
// time: r0 = i5+i0 is what a programmer who wrote a select-swap needs to say, and a row can be written without knowing
// the others. So a `Term` is a physical bit as a sum of logical bits. Computation runs the other way, from place to
// element (`AffineMap`, `to_map`), because a place holds at most one element, while an element may sit at many places
// (broadcast) or at none. The two are inverse to each other only when the rows form a bijection; `to_map` and
// `from_map` say what happens otherwise.
//
// Stated and unstated bits:
//  - a row that is absent claims nothing: the notes leave out what stays as it was;
//  - a row that is present and empty (`simd: -`, or nothing after the colon) claims that there is a single place;
//  - `[unused]` claims that the bit changes nothing: both values hold the same elements (a broadcast);
//  - `[junk]` claims that places where the bit is 1 hold nothing of the array. A bit that is always 0 says the same,
//    therefore the notation has no constant `0`, and a sum that cancels to a constant is refused;
//  - `[any]` claims nothing about one bit of a row that says something about others, as an absent row does of all of its bits;
//  - the same logical bits may stand twice: with r0 = i0 and t0 = i0 the places with r0 != t0 hold nothing. That is a
//    relation, so it parses and compares, but it is no map (`why_no_map`).
//
// Not covered: addresses (strides that are no power of two belong to pointer offsets), and it
// has no `+` of integers: i5+i0 is one bit. A layout in which i+1 follows i across a row of 48 is not an assignment.

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
  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy takes the generated comparison with 0 for a pointer
  auto operator<=>(const PhysicalBit&) const = default;
};
std::string to_string(PhysicalBit bit);  ///< "r1"

/// The contents of one physical bit.
struct Term {
  enum class Role : std::uint8_t {
    sum,     ///< the XOR of `names`, and of 1 when `constant`
    unused,  ///< changing this bit changes nothing: the same elements, broadcast
    junk,    ///< places where this bit is 1 hold nothing of the array
    unsaid,  ///< nothing is claimed about this bit; written `[any]`
  };
  Role role = Role::sum;
  /// Logical bits ("i3", "ReIm"), sorted by `name_less`, no repeats (`sum_of` makes it so). Empty unless role is sum,
  /// and then never empty: the notation has no constants (a bit that is always 0 is junk).
  std::vector<std::string> names;
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
  auto operator<=>(const LogicalBit&) const = default;  // NOLINT(modernize-use-nullptr): as above
};
LogicalBit split_name(std::string_view name);
/// The order of `Term::names`: by axis, then by bit number, so that i2 comes before i10.
bool name_less(std::string_view a, std::string_view b);

// --- notation -------------------------------------------------------------------------------------------------------

/// Parses every form of the notation: rows on lines or separated by ';', `t1 t0 <-> j1 j0`, bare right-hand sides,
/// remarks such as "(unchanged)" at the end of a row, rows in any bit order that name their physical bits on the left,
/// sums `i5+i0` or `i5^i0`, constants `i5+1` or `~i5`, `[unused]`, `[junk]`. Row names in any case, also `reg`, `lane`
/// and plurals; `<->`, `<=>` and the double-headed arrows of Unicode. Leading `//`, `/*` and `*` of comment lines are
/// accepted, and inside comments so are lines of prose. Any identifier is a logical bit; one that reads like a mistyped
/// bit of an axis that the row names is refused (`jo` beside `j1`). A row of nothing but a remark stays absent.
/// Errors carry line and column in `text` (both 1-based) and name the row; all mistakes are reported, not the first.
Expected<Assignment> parse(std::string_view text);

/// One row ("register:  r1 r0 <-> j3 j2") or nullopt when the line is not a row of the notation at all. For lines found
/// in comments, which are mostly plain English, hence stricter than `parse`: a line is a row when its left side names
/// physical bits, or when every word after the colon looks like a logical bit (`i3`, `ReIm`, `[unused]`, or among those
/// a short name such as `pol`). When most words do and some do not, it is a near miss: an error on line 1 of `line`.
std::optional<Expected<std::pair<Place, std::vector<Term>>>> parse_row(std::string_view line);

/// The resemblance of a comment line to a row: an arrow between words that are no sentence (`xy <-> q9`), or a row's
/// name and a colon.
enum class RowLook : std::uint8_t { none, name, arrow };
RowLook look_of_row(std::string_view line);

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
