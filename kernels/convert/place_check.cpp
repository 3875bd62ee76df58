#include "kernels/convert/place_map.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/convert/bits.h"

namespace lanescope::convert {

PlaceCheck::PlaceCheck(const PlaceMap& map, int warps) : map_(map), warps_(warps) {
  const auto element = static_cast<std::uint32_t>(std::min(map.element_bits, 32));
  std::uint64_t free = 0;
  for (int i = 0; i < map.total(); ++i) {
    if (map.roles[index(i)] == Role::free) free |= bit(i);
  }
  const auto part = [&](std::uint64_t place, int first, int bits) {
    return static_cast<std::uint32_t>(place >> first & (bit(bits) - 1));
  };
  const int thread_bits = lane_bits + warps;
  for (std::uint64_t place = 0; place < bit(map.local() + thread_bits); ++place) {
    if ((place & free) != 0) continue;
    const std::uint64_t there = map(place);
    places_.push_back({part(place, map.slots, map.registers), part(place, map.local(), thread_bits),
                       part(place, 0, map.slots) * element, part(there, map.slots, map.registers),
                       part(there, map.local(), thread_bits), part(there, 0, map.slots) * element});
  }
}

std::vector<Register> PlaceCheck::inputs(int pass, std::uint64_t warp) const {
  const std::uint64_t copied_threads = map_.from_copies >> map_.local();
  const std::uint64_t copied_registers = map_.from_copies >> map_.slots & (bit(map_.registers) - 1);
  const std::uint64_t copied_slots = map_.from_copies & (bit(map_.slots) - 1);
  const auto element = static_cast<std::uint64_t>(std::min(map_.element_bits, 32));
  // A bit's number: the bit of the register lowest, then lane, warp and register.
  const int thread_bits = lane_bits + warps_, in_word = lane_bits;
  std::vector<Register> out(std::size_t{1} << map_.registers);
  for (std::uint64_t r = 0; r < out.size(); ++r) {
    if (pass < in_word) {
      std::uint32_t pattern = 0;
      for (std::uint64_t b = 0; b < 32; ++b) {
        const std::uint64_t number = map_.slots == 0 ? b : (b / element & ~copied_slots) * element + b % element;
        pattern |= static_cast<std::uint32_t>(number >> pass & 1) << b;
      }
      out[r] = same_in_all_lanes(pattern);
      continue;
    }
    for (std::uint64_t lane = 0; lane < lanes; ++lane) {
      const std::uint64_t thread = (warp << lane_bits | lane) & ~copied_threads;
      const std::uint64_t number = (r & ~copied_registers) << thread_bits | thread;
      out[r][lane] = has(number, pass - in_word) ? ~0U : 0;
    }
  }
  return out;
}

std::string PlaceCheck::wrong(std::span<const std::vector<Register>> inputs,
                              std::span<const std::vector<Register>> outputs) const {
  const std::uint32_t mask = map_.element_bits >= 32 ? ~0U : (1U << map_.element_bits) - 1;
  for (const Comparison& c : places_) {
    const std::vector<Register>& out = outputs[c.thread >> lane_bits];
    const std::uint32_t wanted = inputs[c.from_thread >> lane_bits][c.from_reg][c.from_thread & (lanes - 1)];
    if (c.reg >= out.size() || ((out[c.reg][c.thread & (lanes - 1)] >> c.shift ^ wanted >> c.from_shift) & mask) != 0)
      return fmt::format("register {}, bit {}, thread {} does not hold what register {}, bit {}, thread {} had", c.reg,
                         c.shift, c.thread, c.from_reg, c.from_shift, c.from_thread);
  }
  return {};
}

}  // namespace lanescope::convert
