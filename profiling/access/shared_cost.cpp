#include "kernels/base/set_bits.h"
#include "profiling/access/lanes.h"

namespace lanescope::access {
namespace {

/// Every active lane's partner `lane ^ distance` is inactive or reads the same address.
bool partners_agree(const Pattern& pattern, int distance) {
  for (int lane = 0; lane < 32; ++lane) {
    const int partner = lane ^ distance;
    const bool both = (pattern.mask >> lane & 1) && (pattern.mask >> partner & 1);
    if (both &&
        pattern.addresses[static_cast<std::size_t>(lane)] != pattern.addresses[static_cast<std::size_t>(partner)])
      return false;
  }
  return true;
}

void add_words(Banks& banks, const Pattern& pattern, std::uint32_t lanes, int word_shift, std::uint64_t bank_mask) {
  for (const std::size_t lane : set_bits(pattern.mask & lanes)) {
    const std::uint64_t address = pattern.addresses[lane];
    const std::uint64_t last = (address + static_cast<std::uint64_t>(pattern.width_bytes) - 1) >> word_shift;
    for (std::uint64_t word = address >> word_shift; word <= last; ++word) banks.add(word, word & bank_mask);
  }
}

}  // namespace

int lanes_served_together(const Pattern& pattern, const MemoryModel& model) {
  const int lanes = std::clamp(model.banks * model.bank_bytes / std::max(pattern.width_bytes, 1), 1, 32);
  const bool may_merge = model.shared_loads_merge && pattern.direction == Direction::load && lanes < 32;
  return may_merge && (partners_agree(pattern, 1) || partners_agree(pattern, 2)) ? lanes * 2 : lanes;
}

namespace {

SharedCost cost_of_words(const Pattern& pattern, const MemoryModel& model) {
  SharedCost cost;
  const int lanes = lanes_served_together(pattern, model), word = shift_of(model.bank_bytes);
  const auto banks_of_model = static_cast<std::uint32_t>(model.banks);
  std::uint32_t groups = 0, deepest = 0;
  for (int begin = 0; begin < 32; begin += lanes) {
    const std::uint32_t group = lane_range(begin, lanes);
    if (!(pattern.mask & group)) continue;
    Banks banks;
    add_words(banks, pattern, group, word, banks_of_model - 1);
    ++groups;
    cost.wavefronts += banks.deepest();
    if (model.quarter_warps_cost_one_more && pattern.width_bytes == 16) ++cost.wavefronts;
    if (banks.deepest() > deepest) {
      deepest = banks.deepest();
      cost.turns_per_bank = banks.counts();
    }
  }
  cost.ideal_wavefronts = (distinct_pieces(pattern, word) + banks_of_model - 1) / banks_of_model;
  cost.bank_conflicts = cost.wavefronts - groups;
  cost.bytes_requested = static_cast<std::uint32_t>(std::popcount(pattern.mask) * pattern.width_bytes);
  return cost;
}

SharedCost cost_of_matrices(const Pattern& pattern, const MemoryModel& model) {
  const std::span<const std::uint64_t> rows = pattern.addresses;
  const MatrixCost m = matrix_cost(rows.first(8 * static_cast<std::size_t>(std::min(pattern.matrices, 4))), model);
  return {.wavefronts = m.wavefronts,
          .ideal_wavefronts = m.ideal_wavefronts,
          .bank_conflicts = m.bank_conflicts,
          .bytes_requested = static_cast<std::uint32_t>(std::popcount(pattern.mask) * pattern.width_bytes),
          .turns_per_bank = m.words_per_bank};
}

SharedCost cost_of_atomic(Pattern pattern, const MemoryModel& model) {
  const AtomicCost a = shared_atomic_cost(pattern, *pattern.atomic, model);
  pattern.atomic.reset();
  SharedCost cost = cost_of_words(pattern, model);
  cost.wavefronts = a.serial_passes;
  cost.bank_conflicts = a.bank_conflicts;
  cost.bytes_requested = a.addresses * static_cast<std::uint32_t>(pattern.width_bytes);
  cost.turns_per_bank = a.turns_per_bank;
  return cost;
}

}  // namespace

SharedCost shared_cost(const Pattern& pattern, const MemoryModel& model) {
  if (pattern.mask == 0) return {};
  SharedCost cost = pattern.matrices > 0 ? cost_of_matrices(pattern, model)
                    : pattern.atomic     ? cost_of_atomic(pattern, model)
                                         : cost_of_words(pattern, model);
  cost.requests = 1;
  return cost;
}

MatrixCost matrix_cost(std::span<const std::uint64_t> rows, const MemoryModel& model) {
  MatrixCost cost;
  const std::size_t matrices = std::min<std::size_t>(rows.size() / 8, 4);
  for (std::size_t m = 0; m < matrices; ++m) {
    Pattern eight{.width_bytes = 16, .mask = 0xffu};
    std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(m * 8), 8, eight.addresses.begin());
    Banks banks;
    add_words(banks, eight, 0xffu, shift_of(model.bank_bytes), static_cast<std::uint64_t>(model.banks) - 1);
    if (banks.deepest() > *std::ranges::max_element(cost.words_per_bank)) cost.words_per_bank = banks.counts();
    cost.wavefronts_per_matrix[m] = banks.deepest();
    cost.wavefronts += banks.deepest();
  }
  if (matrices == 0) return cost;
  Pattern all{.width_bytes = 16, .mask = lane_range(0, static_cast<int>(matrices) * 8)};
  std::copy_n(rows.begin(), matrices * 8, all.addresses.begin());
  const auto banks = static_cast<std::uint32_t>(model.banks);
  cost.requests = 1;
  cost.ideal_wavefronts = (distinct_pieces(all, shift_of(model.bank_bytes)) + banks - 1) / banks;
  cost.bank_conflicts = cost.wavefronts - static_cast<std::uint32_t>(matrices);
  return cost;
}

}  // namespace lanescope::access
