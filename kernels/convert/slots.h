#pragma once
// Moving elements between slots of registers of one lane: no lane reads from another here.

#include <span>
#include <vector>

#include "kernels/convert/word_program.h"

namespace lanescope::convert {

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

}  // namespace lanescope::convert
