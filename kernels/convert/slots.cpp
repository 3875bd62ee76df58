#include "kernels/convert/travel.h"

#include <algorithm>
#include <bit>
#include <map>

#include "kernels/base/check.h"

namespace lanescope::convert {
namespace {

/// The bytes of slot `n`.
std::uint32_t slot_mask(int n, int bits) {
  const std::uint32_t ones = bits == 32 ? ~0U : (1U << bits) - 1;
  return ones << (n * bits);
}

}  // namespace

/// Mask of the slots whose number has bit `slot` clear.
std::uint32_t SlotMover::slots_without(int slot_bits, int slot) const {
  std::uint32_t out = 0;
  for (int n = 0; n < 1 << slot_bits; ++n)
    if ((n >> slot & 1) == 0) out |= slot_mask(n, bits_);
  return out;
}

Value SlotMover::shifted(Value v, int up_slots) {
  return b_.rotate(v, same_in_all_lanes(static_cast<std::uint32_t>(up_slots * bits_) & 31));
}

Value SlotMover::with_slot_bits_exchanged(Value v, int slot_bits, int one, int other) {
  const int low = std::min(one, other), high = std::max(one, other), up = (1 << high) - (1 << low);
  std::uint32_t risen = 0, sunk = 0;  // slots that get theirs from below, from above
  for (int n = 0; n < 1 << slot_bits; ++n) {
    const bool has_low = (n >> low & 1) != 0, has_high = (n >> high & 1) != 0;
    if (has_high && !has_low) risen |= slot_mask(n, bits_);
    if (!has_high && has_low) sunk |= slot_mask(n, bits_);
  }
  const Value some = b_.mix(shifted(v, up), v, same_in_all_lanes(risen));
  return b_.mix(shifted(v, -up), some, same_in_all_lanes(sunk));
}

Value SlotMover::permuted(std::span<const Slot> wanted, std::size_t parts) {
  const auto size = static_cast<unsigned>(wanted.size());
  if (static_cast<int>(size) != slots_of_a_register() || wanted[0].value == nothing) return nothing;
  const int slot_bits = std::countr_zero(size);
  std::vector<int> from(static_cast<std::size_t>(slot_bits));  // the bit that each slot bit is read from
  for (int i = 0; i < slot_bits; ++i) {
    const auto moved = static_cast<unsigned>(wanted[std::size_t{1} << i].slot ^ wanted[0].slot);
    if (!std::has_single_bit(moved)) return nothing;
    from[static_cast<std::size_t>(i)] = std::countr_zero(moved);
  }
  for (unsigned n = 0; n < size; ++n) {
    int slot = wanted[0].slot;
    for (int i = 0; i < slot_bits; ++i) slot ^= (n >> i & 1) != 0 ? 1 << from[static_cast<std::size_t>(i)] : 0;
    if (wanted[n].value != wanted[0].value || wanted[n].slot != slot) return nothing;
  }
  std::vector<std::pair<int, int>> exchanges;
  for (int i = 0; i < slot_bits; ++i) {
    const auto at = std::ranges::find(from, i);
    if (at == from.end()) return nothing;
    const int j = static_cast<int>(at - from.begin());
    if (j == i) continue;
    exchanges.emplace_back(i, j);
    std::swap(from[static_cast<std::size_t>(i)], from[static_cast<std::size_t>(j)]);
  }
  const std::size_t flips = static_cast<std::size_t>(std::popcount(static_cast<unsigned>(wanted[0].slot)));
  if (4 * exchanges.size() + 3 * flips >= 2 * parts) return nothing;
  // The slots of the source are inverted first; then the exchanges, the last one first.
  Value v = flip(wanted[0].value, slot_bits, same_in_all_lanes(static_cast<std::uint32_t>(wanted[0].slot)));
  for (std::size_t n = exchanges.size(); n-- > 0;)
    v = with_slot_bits_exchanged(v, slot_bits, exchanges[n].first, exchanges[n].second);
  return v;
}

Value SlotMover::gather(std::span<const Slot> wanted) {
  LS_CHECK_LE(static_cast<int>(wanted.size()), slots_of_a_register());
  Value out = nothing;
  if (bits_ < 8) {
    // Elements of one register that go equally far go together.
    std::map<std::pair<Value, int>, std::uint32_t> parts;
    for (int n = 0; n < static_cast<int>(wanted.size()); ++n) {
      const Slot& s = wanted[static_cast<std::size_t>(n)];
      if (s.value != nothing) parts[{s.value, (n - s.slot) & (slots_of_a_register() - 1)}] |= slot_mask(n, bits_);
    }
    if (const Value whole = permuted(wanted, parts.size()); whole != nothing) return whole;
    for (const auto& [part, mask] : parts) out = b_.mix(shifted(part.first, part.second), out, same_in_all_lanes(mask));
    return out;
  }
  // Bytes: one permute for each register after the first.
  const int bytes = bits_ / 8;
  std::vector<Value> values;
  for (const Slot& s : wanted)
    if (s.value != nothing && std::ranges::find(values, s.value) == values.end()) values.push_back(s.value);
  const auto selectors = [&](Value fresh) {
    std::uint32_t out_selectors = 0x3210;  // what is there stays
    for (int n = 0; n < static_cast<int>(wanted.size()); ++n) {
      const Slot& s = wanted[static_cast<std::size_t>(n)];
      if (s.value != fresh) continue;
      for (int k = 0; k < bytes; ++k) {
        const int at = 4 * (n * bytes + k);
        out_selectors = (out_selectors & ~(0xFU << at)) | static_cast<std::uint32_t>(s.slot * bytes + k + 4) << at;
      }
    }
    return out_selectors;
  };
  if (values.size() >= 2) {
    // The first two in one permute.
    std::uint32_t both = selectors(values[1]);
    for (int n = 0; n < static_cast<int>(wanted.size()); ++n) {
      const Slot& s = wanted[static_cast<std::size_t>(n)];
      if (s.value != values[0]) continue;
      for (int k = 0; k < bytes; ++k) {
        const int at = 4 * (n * bytes + k);
        both = (both & ~(0xFU << at)) | static_cast<std::uint32_t>(s.slot * bytes + k) << at;
      }
    }
    out = b_.permute(values[0], values[1], same_in_all_lanes(both));
    for (std::size_t i = 2; i < values.size(); ++i)
      out = b_.permute(out, values[i], same_in_all_lanes(selectors(values[i])));
  } else if (values.size() == 1) {
    out = b_.permute(values[0], values[0], same_in_all_lanes(selectors(values[0])));
  }
  return out;
}

void SlotMover::exchange(std::vector<Value>& words, int slot_bits, int slot, int reg) {
  const std::size_t step = std::size_t{1} << reg;
  const int distance = 1 << slot;
  const std::uint32_t low = slots_without(slot_bits, slot);
  for (std::size_t r = 0; r < words.size(); ++r) {
    if ((r & step) != 0) continue;
    const Value first = words[r], second = words[r | step];
    if (bits_ < 8) {
      words[r] = b_.mix(first, shifted(second, distance), same_in_all_lanes(low));
      words[r | step] = b_.mix(shifted(first, -distance), second, same_in_all_lanes(low));
      continue;
    }
    std::vector<Slot> one, other;
    for (int n = 0; n < 1 << slot_bits; ++n) {
      const bool upper = (n & distance) != 0;
      one.push_back(upper ? Slot{second, n ^ distance} : Slot{first, n});
      other.push_back(upper ? Slot{second, n} : Slot{first, n ^ distance});
    }
    words[r] = gather(one);
    words[r | step] = gather(other);
  }
}

Value SlotMover::flip(Value v, int slot_bits, const LaneTable& by) {
  if (v == nothing || by == LaneTable{}) return v;
  if (bits_ >= 8) {
    const int bytes = bits_ / 8;
    LaneTable selectors;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      selectors[lane] = 0x3210;
      for (int n = 0; n < 1 << slot_bits; ++n)
        for (int k = 0; k < bytes; ++k) {
          const int at = 4 * (n * bytes + k);
          const std::uint32_t from = (static_cast<std::uint32_t>(n) ^ by[lane]) * static_cast<std::uint32_t>(bytes) +
                                     static_cast<std::uint32_t>(k);
          selectors[lane] = (selectors[lane] & ~(0xFU << at)) | from << at;
        }
    }
    return b_.permute(v, v, selectors);
  }
  for (int slot = 0; slot < slot_bits; ++slot) {
    LaneTable keep;  // all ones where the lane does not flip this bit
    bool any = false;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const bool flips = (by[lane] >> slot & 1) != 0;
      keep[lane] = flips ? 0 : ~0U;
      any = any || flips;
    }
    if (!any) continue;
    const Value swapped =
        b_.mix(shifted(v, -(1 << slot)), shifted(v, 1 << slot), same_in_all_lanes(slots_without(slot_bits, slot)));
    v = b_.mix(v, swapped, keep);
  }
  return v;
}

}  // namespace lanescope::convert
