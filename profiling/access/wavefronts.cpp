#include "profiling/access/wavefronts.h"

#include <utility>

#include "kernels/base/set_bits.h"
#include "profiling/access/lanes.h"

namespace lanescope::access {
namespace {

/// The wavefronts of lanes that are served together, appended.
void append_group(std::vector<WavefrontGroup>& out, const Pattern& pattern, std::uint32_t lanes,
                  const MemoryModel& model) {
  const int shift = shift_of(model.bank_bytes);
  const auto bank_mask = static_cast<std::uint64_t>(model.banks) - 1;
  const auto for_each_word = [&](auto&& visit) {
    for (const std::size_t lane : set_bits(pattern.mask & lanes)) {
      const std::uint64_t address = pattern.addresses[static_cast<std::size_t>(lane)];
      const std::uint64_t last = (address + static_cast<std::uint64_t>(pattern.width_bytes) - 1) >> shift;
      for (std::uint64_t word = address >> shift; word <= last; ++word) visit(lane, word, word & bank_mask);
    }
  };
  Banks banks;
  for_each_word([&](int, std::uint64_t word, std::uint64_t bank) { banks.add(word, bank); });
  const std::size_t first = out.size();
  out.resize(first + banks.deepest());
  for (std::size_t bank = 0; bank <= bank_mask; ++bank)
    for (std::size_t i = 0; i < banks.counts()[bank]; ++i) out[first + i].words.push_back(banks.word(bank, i));
  for_each_word([&](int lane, std::uint64_t word, std::uint64_t bank) {
    std::size_t i = 0;
    while (banks.word(bank, i) != word) ++i;
    out[first + i].lanes |= 1u << lane;
  });
}

/// Of an atomic whose lanes take turns in their banks: wavefront k serves the k-th lane of each bank.
void append_turns(std::vector<WavefrontGroup>& out, const Pattern& pattern, std::uint32_t lanes,
                  const MemoryModel& model) {
  const int shift = shift_of(model.bank_bytes);
  std::array<std::vector<std::pair<std::uint64_t, std::uint32_t>>, 32> turns;  // words with their lanes, by bank
  std::size_t most = 0;
  for (const std::size_t lane : set_bits(pattern.mask & lanes)) {
    const std::uint64_t first = pattern.addresses[lane];
    const std::uint64_t last = (first + static_cast<std::uint64_t>(pattern.width_bytes) - 1) >> shift;
    for (std::uint64_t word = first >> shift; word <= last; ++word) {
      auto& bank = turns[word & (static_cast<std::uint64_t>(model.banks) - 1)];
      bank.emplace_back(word, 1u << lane);
      most = std::max(most, bank.size());
    }
  }
  for (std::size_t k = 0; k < most; ++k) {
    WavefrontGroup& group = out.emplace_back();
    for (const auto& bank : turns)
      if (k < bank.size()) group.words.push_back(bank[k].first), group.lanes |= bank[k].second;
  }
}

std::vector<WavefrontGroup> groups_of_atomic(Pattern pattern, const MemoryModel& model) {
  std::vector<WavefrontGroup> out;
  const access::Turns turns = *std::exchange(pattern.atomic, std::nullopt);
  const bool wide = pattern.width_bytes > model.bank_bytes;
  if (turns == Turns::lanes || wide) {
    const int lanes = wide ? 16 : 32;
    for (int begin = 0; begin < 32; begin += lanes) append_turns(out, pattern, lane_range(begin, lanes), model);
    return out;
  }
  out = wavefront_groups(pattern, model);
  if (turns == Turns::one && !out.empty()) {  // the lanes all name one address
    out.resize(1);
    out.front().lanes = pattern.mask;
  }
  return out;
}

}  // namespace

std::vector<WavefrontGroup> wavefront_groups(const Pattern& pattern, const MemoryModel& model) {
  std::vector<WavefrontGroup> out;
  if (pattern.mask == 0) return out;
  if (pattern.matrices > 0) {
    Pattern rows = pattern;
    rows.width_bytes = 16, rows.mask = ~0u;
    for (int m = 0; m < pattern.matrices; ++m) append_group(out, rows, lane_range(8 * m, 8), model);
    return out;
  }
  if (pattern.atomic) return groups_of_atomic(pattern, model);
  const int lanes = lanes_served_together(pattern, model);
  for (int begin = 0; begin < 32; begin += lanes) append_group(out, pattern, lane_range(begin, lanes), model);
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

Pattern padded(Pattern pattern, std::uint64_t row_bytes, int pad_words) {
  for (std::uint64_t& a : pattern.addresses) a = padded_offset(a, row_bytes, pad_words);
  return pattern;
}

Pattern swizzled(Pattern pattern, Swizzle swizzle) {
  swizzle.unit_bytes = std::max(swizzle.unit_bytes, static_cast<std::uint64_t>(pattern.width_bytes));
  for (std::uint64_t& a : pattern.addresses) a = swizzled_offset(a, swizzle);
  return pattern;
}

}  // namespace lanescope::access
