// Where lanes meet: constants, which meet gladly, and atomics, which take turns.

#include "kernels/base/set_bits.h"
#include "profiling/access/lanes.h"

namespace lanescope::access {
namespace {

struct Meetings {
  std::uint32_t addresses = 0, most_lanes = 0;
};

Meetings meetings(const Pattern& pattern) {
  GatheredLanes sorted(pattern);
  sorted.sort();
  Meetings m;
  for (const std::uint64_t* a = sorted.begin(); a != sorted.end();) {
    const std::uint64_t* const next = std::find_if(a, sorted.end(), [&](std::uint64_t b) { return b != *a; });
    ++m.addresses;
    m.most_lanes = std::max(m.most_lanes, static_cast<std::uint32_t>(next - a));
    a = next;
  }
  return m;
}

}  // namespace

ConstantCost constant_cost(const Pattern& pattern) {
  if (pattern.mask == 0) return {};
  const std::uint32_t addresses = meetings(pattern).addresses;
  return {.requests = 1, .words = distinct_pieces(pattern, 2), .broadcasts = addresses, .replays = addresses - 1};
}

AtomicCost global_atomic_cost(const Pattern& pattern, const MemoryModel& model) {
  if (pattern.mask == 0) return {};
  const Meetings m = meetings(pattern);
  const GlobalCost global = global_cost(pattern, model);
  return {.requests = 1,
          .addresses = m.addresses,
          .most_lanes = m.most_lanes,
          .serial_passes = m.most_lanes,
          .sectors = global.sectors,
          .lines = global.lines};
}

AtomicCost shared_atomic_cost(const Pattern& pattern, Turns turns_of, const MemoryModel& model) {
  if (pattern.mask == 0) return {};
  const Meetings m = meetings(pattern);
  AtomicCost cost{.requests = 1, .addresses = m.addresses, .most_lanes = m.most_lanes};
  if (turns_of != Turns::lanes && pattern.width_bytes <= model.bank_bytes) {
    Pattern plain = pattern;
    plain.atomic.reset();
    const SharedCost words = shared_cost(plain, model);
    cost.serial_passes = turns_of == Turns::one ? 1 : words.wavefronts;
    cost.bank_conflicts = cost.serial_passes - 1;
    cost.turns_per_bank = words.turns_per_bank;
    return cost;
  }
  const int word = shift_of(model.bank_bytes), lanes = pattern.width_bytes > model.bank_bytes ? 16 : 32;
  for (int begin = 0; begin < 32; begin += lanes) {
    std::array<std::uint8_t, 32> turns{};  // by bank
    for (const std::size_t lane : set_bits(pattern.mask & lane_range(begin, lanes))) {
      const std::uint64_t a = pattern.addresses[lane];
      const std::uint64_t last = (a + static_cast<std::uint64_t>(pattern.width_bytes) - 1) >> word;
      for (std::uint64_t w = a >> word; w <= last; ++w) ++turns[w & (static_cast<std::uint64_t>(model.banks) - 1)];
    }
    const std::uint32_t most = *std::max_element(turns.begin(), turns.end());
    cost.serial_passes += most;
    cost.bank_conflicts += most > 0 ? most - 1 : 0;
    if (most > *std::max_element(cost.turns_per_bank.begin(), cost.turns_per_bank.end())) cost.turns_per_bank = turns;
  }
  return cost;
}

}  // namespace lanescope::access
