#include "profiling/access/wavefronts.h"

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

}  // namespace

std::vector<WavefrontGroup> wavefront_groups(const Pattern& pattern, const MemoryModel& model) {
  std::vector<WavefrontGroup> out;
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
