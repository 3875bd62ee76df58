#pragma once
// The ends of a conversion: elements for the same thread are gathered into words, and the registers of the destination
// are gathered from the words. The move of words between threads is elsewhere.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/convert/place_map.h"
#include "kernels/convert/word_program.h"
#include "kernels/layout/f2_basis.h"

namespace lanescope::convert {

// Moving elements between slots of registers of one lane: no lane reads from another here.

/// One element: a register and its slot there. `value == nothing`: any element will do.
struct Slot {
  Value value = nothing;
  int slot = 0;
  bool operator==(const Slot&) const = default;
};

/// Builds registers slot by slot. `element_bits` <= 32.
class SlotMover {
 public:
  SlotMover(WordBuilder& builder, int element_bits) : b_(builder), bits_(element_bits) {}

  /// A register whose slot n holds `wanted[n]`.
  Value gather(std::span<const Slot> wanted);

  /// Each register pair (r, r with bit `reg` set) exchanges: slots with bit `slot` set of the first with slots without
  /// it of the second. `words.size()` is a power of two.
  void exchange(std::vector<Value>& words, int slot_bits, int slot, int reg);

  /// Slot n of the result holds slot n ^ by[lane] of `v`.
  Value flip(Value v, int slot_bits, const LaneTable& by);

  int slots_of_a_register() const { return 32 / bits_; }

 private:
  std::uint32_t slots_without(int slot_bits, int slot) const;
  /// The register whose slots are those of one other, permuted by their bits and inverted: an exchange of slot bits at
  /// a time, if that is shorter than the `parts` with the same effect. `nothing`: it is not.
  Value permuted(std::span<const Slot> wanted, std::size_t parts);
  Value with_slot_bits_exchanged(Value v, int slot_bits, int one, int other);
  Value shifted(Value v, int up_slots);

  WordBuilder& b_;
  int bits_;
};

class Travel {
 public:
  /// Words hold at most 2^most_slots elements.
  Travel(WordBuilder& builder, const PlaceMap& map, int most_slots);

  /// The words of a thread, made of its registers.
  std::vector<Value> gather_words(std::vector<Value> registers);
  /// The registers of a thread, made of the words that it read: one for each sum of `word_directions`.
  std::vector<Value> gather_registers(std::vector<Value> words);
  /// Slot n of the result holds slot n ^ by[lane].
  Value flip(Value word, const LaneTable& by) { return mover_.flip(word, map_.slots, by); }

  /// The source of a direction of the destination's places: the word and its thread (lane bits, then warp bits), and
  /// the order of its slots.
  struct Read {
    std::uint64_t word = 0, thread = 0;
    std::uint32_t slots = 0;
  };
  Read reads(std::uint64_t direction) const;

  /// Directions of the destination in which it reads one word and another.
  const std::vector<std::uint64_t>& word_directions() const { return word_directions_; }
  int from_word_bits() const { return static_cast<int>(from_word_directions_.size()); }
  int slot_bits() const { return static_cast<int>(slot_directions_.size()); }
  /// The slot bit of a word that numbers each slot direction.
  const std::vector<int>& positions() const { return position_; }

 private:
  using Basis = layout::F2Basis<std::uint64_t>;

  std::uint64_t column(std::uint64_t place) const;
  std::uint64_t local_part(std::uint64_t place) const;
  std::uint64_t thread_part(std::uint64_t place) const;
  bool is_slot(std::uint64_t v) const;
  void choose_travelling(int most_slots);
  void choose_positions();
  void choose_words();
  std::uint32_t slot_of(std::uint64_t coordinates) const;
  std::optional<std::uint64_t> coordinates_of(std::uint64_t place) const;

  const PlaceMap& map_;
  SlotMover mover_;
  std::vector<std::uint64_t> slot_directions_, word_directions_;  ///< of the destination; coordinates in this order
  std::vector<std::uint64_t> from_slot_directions_, from_word_directions_;
  std::vector<int> position_;
  Basis to_coordinates_, from_coordinates_;
};

}  // namespace lanescope::convert
