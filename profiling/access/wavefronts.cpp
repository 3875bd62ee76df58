#include "profiling/access/wavefronts.h"

#include "profiling/access/lanes.h"

namespace lanescope::access {
namespace {

/// The turns of each bank in one group of lanes. A lane touches at most five words (16 bytes, misaligned) in as many
/// banks, so a bank has at most one turn a lane.
class Banks {
 public:
  struct Turn {
    std::uint64_t word;
    std::uint32_t lanes;
  };
  /// `each_lane`: a word has a turn for each of its lanes; else one.
  void add(std::uint64_t word, std::size_t bank, std::uint32_t lane, bool each_lane) {
    Turn* const turns = turns_[bank].data();
    const std::size_t count = counts_[bank];
    for (std::size_t i = 0; !each_lane && i < count; ++i)
      if (turns[i].word == word) return void(turns[i].lanes |= lane);
    turns[count] = {word, lane};
    counts_[bank] = static_cast<std::uint8_t>(count + 1);
    most_ = std::max(most_, static_cast<std::uint32_t>(count) + 1);
  }
  std::uint32_t most() const { return most_; }
  const std::array<std::uint8_t, 32>& counts() const { return counts_; }
  const Turn& turn(std::size_t bank, std::size_t i) const { return turns_[bank][i]; }

 private:
  std::array<std::uint8_t, 32> counts_{};
  std::array<std::array<Turn, 32>, 32> turns_;
  std::uint32_t most_ = 0;
};

/// Every active lane's partner `lane ^ distance` is inactive or reads the same address.
bool partners_agree(const Access& access, std::size_t distance) {
  for (const std::size_t lane : set_bits(access.mask)) {
    const std::size_t partner = lane ^ distance;
    if ((access.mask >> partner & 1) != 0 && access.addresses[lane] != access.addresses[partner]) return false;
  }
  return true;
}

/// Lanes that shared memory serves together, and whether those at one word take turns.
struct Service {
  int lanes = 32;
  bool each_lane = false;
};
Service service_of(const Access& access, const MemoryModel& model) {
  if (access.matrices > 0) return {.lanes = 8};
  const bool wide = access.width_bytes > model.bank_bytes;
  if (trace::is_atomic(access.kind) && (wide || access.turns == AtomicTurns::lanes))
    return {.lanes = wide ? 16 : 32, .each_lane = true};
  const int lanes = std::clamp(model.banks * model.bank_bytes / std::max(access.width_bytes, 1), 1, 32);
  const bool may_merge = model.shared_loads_merge && access.kind == AccessKind::load && lanes < 32;
  return {.lanes = may_merge && (partners_agree(access, 1) || partners_agree(access, 2)) ? lanes * 2 : lanes};
}

/// visit(const Banks&) for each group of lanes that has an active one.
void for_each_group(const Access& access, const MemoryModel& model, auto visit) {
  const Service service = service_of(access, model);
  const int shift = shift_of(model.bank_bytes);
  const auto bank_mask = static_cast<std::uint64_t>(model.banks) - 1;
  for (int begin = 0; begin < 32; begin += service.lanes) {
    const std::uint32_t group = access.mask & lane_range(begin, service.lanes);
    if (group == 0) continue;
    Banks banks;
    for (const std::size_t lane : set_bits(group)) {
      const std::uint64_t first = access.addresses[lane];
      const std::uint64_t last = (first + static_cast<std::uint64_t>(access.width_bytes) - 1) >> shift;
      for (std::uint64_t word = first >> shift; word <= last; ++word)
        banks.add(word, word & bank_mask, 1u << lane, service.each_lane);
    }
    visit(banks);
  }
}

}  // namespace

Cost shared_cost(const Access& access, const MemoryModel& model) {
  Cost cost;
  std::uint32_t groups = 0, most = 0;
  for_each_group(access, model, [&](const Banks& banks) {
    ++groups;
    cost.wavefronts += banks.most();
    if (model.quarter_warps_cost_one_more && access.width_bytes == 16) ++cost.wavefronts;
    if (banks.most() > most) most = banks.most(), cost.turns_per_bank = banks.counts();
  });
  const auto banks = static_cast<std::uint32_t>(model.banks);
  cost.ideal_wavefronts = (distinct_pieces(access, shift_of(model.bank_bytes)) + banks - 1) / banks;
  cost.bank_conflicts = cost.wavefronts - groups;
  return cost;
}

std::vector<WavefrontGroup> wavefront_groups(const Access& access, const MemoryModel& model) {
  std::vector<WavefrontGroup> out;
  for_each_group(access, model, [&](const Banks& banks) {
    const std::size_t first = out.size();
    out.resize(first + banks.most());
    for (std::size_t bank = 0; bank < banks.counts().size(); ++bank)
      for (std::size_t i = 0; i < banks.counts()[bank]; ++i) {
        out[first + i].words.push_back(banks.turn(bank, i).word);
        out[first + i].lanes |= banks.turn(bank, i).lanes;
      }
  });
  return out;
}

std::uint64_t padded_offset(std::uint64_t offset, std::uint64_t row_bytes, int pad_words) {
  return row_bytes == 0 ? offset : offset + offset / row_bytes * 4 * static_cast<std::uint64_t>(pad_words);
}

std::uint64_t swizzled_offset(std::uint64_t offset, const Swizzle& swizzle) {
  const std::uint64_t unit = swizzle.unit_bytes;
  if (swizzle.row_bytes == 0 || unit == 0 || swizzle.rows_per_step == 0) return offset;
  const std::uint64_t units = swizzle.row_bytes / unit;
  const std::uint64_t group = units & (~units + 1);  // the largest power of two that divides the row
  const std::uint64_t changing = std::min(group, std::bit_floor(std::max<std::uint64_t>(128 / unit, 1)));
  const std::uint64_t piece = offset % swizzle.row_bytes / unit;
  if (changing <= 1 || piece >= units) return offset;
  const std::uint64_t row = offset / swizzle.row_bytes / swizzle.rows_per_step;
  return offset - offset % swizzle.row_bytes + (piece ^ (row & (changing - 1))) * unit +
         offset % swizzle.row_bytes % unit;
}

Access padded(Access access, std::uint64_t row_bytes, int pad_words) {
  for (std::uint64_t& a : access.addresses) a = padded_offset(a, row_bytes, pad_words);
  return access;
}

Access swizzled(Access access, Swizzle swizzle) {
  swizzle.unit_bytes = std::max(swizzle.unit_bytes, static_cast<std::uint64_t>(access.width_bytes));
  for (std::uint64_t& a : access.addresses) a = swizzled_offset(a, swizzle);
  return access;
}

}  // namespace lanescope::access
