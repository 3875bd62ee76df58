#pragma once
// The map of a conversion: for each place of the destination, the place of the source that holds its element.
//
// Both places are numbers written in bits: element slots of a 32-bit register lowest (2^slots elements), then
// registers, then the 5 bits of the lane, then warp bits, then block bits. The map is F2-affine, because both
// assignments are. An element of 64 or 128 bits lies in 2 or 4 registers: the lowest register bits number its words.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/convert/word_program.h"
#include "kernels/layout/affine_map.h"
#include "kernels/layout/assignment.h"

namespace lanescope::convert {

/// The role of one bit of a destination place.
enum class Role : std::uint8_t {
  moves,  ///< it chooses between elements
  copy,   ///< both values hold the same elements
  free,   ///< places where it is 1 hold nothing, or do not exist
};

struct PlaceMap {
  int element_bits = 32;
  int slots = 0;      ///< bits; 2^slots elements in a 32-bit register at most
  int registers = 0;  ///< bits; the larger of source and destination
  int word_bits = 0;  ///< of `registers`: 1 for 64-bit elements, 2 for 128-bit ones
  int warps = 0, blocks = 0;
  int from_registers = 0, to_registers = 0;  ///< bits, words included

  std::vector<std::uint64_t> columns;  ///< for each bit of a destination place; 0 where the bit is a copy
  std::uint64_t constant = 0;
  std::vector<Role> roles;        ///< of the same bits
  std::uint64_t from_bits = 0;    ///< bits of a source place that exist and may be 1
  std::uint64_t from_copies = 0;  ///< of those: bits that change nothing, both values hold the same elements

  std::vector<std::string> names;           ///< logical bits
  std::vector<std::uint64_t> from_columns;  ///< element at each bit of a source place: bit n is names[n]
  std::uint64_t from_constant = 0;

  int local() const { return slots + registers; }
  int lane(int bit) const { return local() + bit; }
  int total() const { return local() + 5 + warps + blocks; }
  std::uint64_t lane_mask() const { return std::uint64_t{31} << local(); }
  std::uint64_t operator()(std::uint64_t place) const;
  /// The element at a place of the source.
  std::uint64_t element_at(std::uint64_t from_place) const;
  /// Whether every element stays in its warp.
  bool within_warps() const;
  /// Whether each bit of the destination is one bit of the source, or a copy, or free.
  bool is_permutation() const;
};

/// The map from `to` to `from`. A row that `to` leaves out stays as it is in `from`. Errors: element widths other than
/// 1, 2, 4, ..., 128; more simd bits than a register has room for; rows that are no map; other logical bits on one side
/// than on the other; more than 8 register bits.
Expected<PlaceMap> place_map(const layout::Assignment& from, const layout::Assignment& to, int element_bits);

// Whether a conversion is right: every bit of every register of the source is given its number, one bit of the number
// at a time, the conversion is executed on them, and every place of the destination is compared.

class PlaceCheck {
 public:
  /// Of the first 2^warps warps.
  PlaceCheck(const PlaceMap& map, int warps);

  /// Executions after which every bit was distinguished from every other.
  int passes() const { return 2 * lane_bits + map_.registers + warps_; }
  /// Registers of a warp of the source. Copies hold the same.
  std::vector<Register> inputs(int pass, std::uint64_t warp) const;
  /// The first wrong output of all warps, in words; "" if all are right.
  std::string wrong(std::span<const std::vector<Register>> inputs,
                    std::span<const std::vector<Register>> outputs) const;

 private:
  struct Comparison {
    std::uint32_t reg, thread, shift, from_reg, from_thread, from_shift;
  };
  const PlaceMap& map_;
  int warps_;
  std::vector<Comparison> places_;
};

// The assignment of the registers at each stage of a program.

/// The assignment at each stage, found by running the program on the numbers of the elements. nullopt if a register was
/// never made, if several words make an element, or if no assignment describes it. Warps and blocks stay as `from` has
/// them; nullopt, too, where the other rows depend on theirs.
std::vector<std::optional<layout::Assignment>> states_of(const WordProgram& program, const PlaceMap& map,
                                                         const layout::Assignment& from);

}  // namespace lanescope::convert
