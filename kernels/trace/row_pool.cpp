#include "kernels/trace/record_log.h"

#include <algorithm>
#include <array>
#include <bit>

#include "kernels/base/check.h"
#include "kernels/base/set_bits.h"

namespace lanescope::trace {

namespace {

using u32 = std::uint32_t;
constexpr std::size_t row_lanes = 32, lane_bits = 5, recent_blocks = 1u << 12;
constexpr u32 power_lanes = 1u << 0 | 1u << 1 | 1u << 2 | 1u << 4 | 1u << 8 | 1u << 16;
enum Form : u32 { zero, same, stepped, summed, exored, listed };
using Row = std::array<u32, row_lanes>;

void expand_stepped(u32 first, u32 step, Row& out) {
  for (u32 l = 0; l < row_lanes; ++l) out[l] = first + l * step;
}
void expand_summed(u32 first, const u32* d, Row& out) {
  out[0] = first;
  for (std::size_t b = 0; b < lane_bits; ++b)
    for (std::size_t l = 0; l < std::size_t{1} << b; ++l) out[(std::size_t{1} << b) + l] = out[l] + d[b];
}
void expand_exored(u32 first, const u32* d, Row& out) {
  out[0] = first;
  for (std::size_t b = 0; b < lane_bits; ++b)
    for (std::size_t l = 0; l < std::size_t{1} << b; ++l) out[(std::size_t{1} << b) + l] = out[l] ^ d[b];
}

bool agrees(const Row& guess, const u32* row, u32 mask) {
  u32 differ = 0;
  for (std::size_t l = 0; l < row_lanes; ++l) differ |= (mask >> l & 1) != 0 ? guess[l] ^ row[l] : 0;
  return differ == 0;
}

struct Encoded {
  std::array<u32, RowPool::most_rows / 8 + RowPool::most_rows * row_lanes> words;
  std::size_t count = 0;
  void add(u32 w) { words[count++] = w; }
};

/// Appends what the row's form needs and names the form.
Form encode(const u32* row, u32 mask, Encoded& out) {
  u32 any = 0;
  for (std::size_t l = 0; l < row_lanes; ++l) any |= (mask >> l & 1) != 0 ? row[l] : 0;
  if (any == 0) return zero;
  const auto first = static_cast<u32>(std::countr_zero(mask));
  const u32 rest = mask & (mask - 1);
  Row guess;
  u32 step = 0;
  if (rest != 0) {
    const auto second = static_cast<u32>(std::countr_zero(rest));
    step = static_cast<u32>(static_cast<std::int32_t>(row[second] - row[first]) /
                            static_cast<std::int32_t>(second - first));
  }
  const u32 at_zero = row[first] - first * step;
  expand_stepped(at_zero, step, guess);
  if (agrees(guess, row, mask)) {
    out.add(at_zero);
    if (step == 0) return same;
    out.add(step);
    return stepped;
  }
  if ((mask & power_lanes) == power_lanes) {
    std::array<u32, lane_bits> d;
    for (const Form form : {summed, exored}) {
      for (std::size_t b = 0; b < lane_bits; ++b)
        d[b] = form == summed ? row[std::size_t{1} << b] - row[0] : row[std::size_t{1} << b] ^ row[0];
      form == summed ? expand_summed(row[0], d.data(), guess) : expand_exored(row[0], d.data(), guess);
      if (!agrees(guess, row, mask)) continue;
      out.add(row[0]);
      for (u32 x : d) out.add(x);
      return form;
    }
  }
  for (const std::size_t lane : set_bits(mask)) out.add(row[lane]);
  return listed;
}

/// Returns the words that it used.
std::size_t decode(u32 form, const u32* from, u32 mask, u32* row) {
  Row out{};
  std::size_t used = 0;
  switch (form) {
    case zero:
      break;
    case same:
      out.fill(from[0]);
      used = 1;
      break;
    case stepped:
      expand_stepped(from[0], from[1], out);
      used = 2;
      break;
    case summed:
      expand_summed(from[0], from + 1, out);
      used = 6;
      break;
    case exored:
      expand_exored(from[0], from + 1, out);
      used = 6;
      break;
    default:
      if (mask == 0xffffffffu) {
        std::copy_n(from, row_lanes, out.begin());
        used = row_lanes;
      } else {
        for (const std::size_t lane : set_bits(mask)) out[lane] = from[used++];
      }
  }
  for (std::size_t l = 0; l < row_lanes; ++l) row[l] = (mask >> l & 1) != 0 ? out[l] : 0;
  return used;
}

u32 hash_of(std::span<const u32> block) {
  std::uint64_t h = block.size();
  for (u32 w : block) h = (h ^ w) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
  return static_cast<u32>(h >> 16);
}

}  // namespace

u32 RowPool::put(std::span<const u32> rows, u32 mask) {
  const std::size_t count = rows.size() / row_lanes, headers = (count + 7) / 8;
  LS_CHECK(count * row_lanes == rows.size() && count <= most_rows);
  if (mask == 0) return 0;
  Encoded block{.count = headers};
  std::fill_n(block.words.begin(), headers, 0u);
  u32 any = zero;
  for (std::size_t r = 0; r < count; ++r) {
    const Form form = encode(rows.data() + r * row_lanes, mask, block);
    block.words[r / 8] |= form << (r % 8 * 4);
    any |= form;
  }
  if (any == zero) return 0;
  return keep({block.words.data(), block.count});
}

u32 RowPool::keep(std::span<const u32> block) {
  if (recent_.empty()) recent_.resize(recent_blocks);
  const u32 hash = hash_of(block);
  Recent& recent = recent_[hash % recent_blocks];
  if (recent.hash == hash && recent.words == block.size() && std::equal(block.begin(), block.end(), at(recent.handle)))
    return recent.handle;
  if (chunk_words - used_ < block.size()) {
    used_ = chunks_.empty() ? 1 : 0;  // handle 0 is taken
    chunks_.push_back(std::make_unique_for_overwrite<u32[]>(chunk_words));
  }
  const u32 handle = static_cast<u32>(chunks_.size() - 1) * chunk_words + used_;
  std::ranges::copy(block, chunks_.back().get() + used_);
  used_ += static_cast<u32>(block.size());
  recent = {hash, handle, static_cast<u32>(block.size())};
  return handle;
}

void RowPool::get(u32 handle, u32 mask, std::span<u32> rows) const {
  if (handle == 0) {
    std::ranges::fill(rows, 0u);
    return;
  }
  const std::size_t count = rows.size() / row_lanes;
  const u32* headers = at(handle);
  const u32* from = headers + (count + 7) / 8;
  for (std::size_t r = 0; r < count; ++r)
    from += decode(headers[r / 8] >> (r % 8 * 4) & 15, from, mask, rows.data() + r * row_lanes);
}

std::size_t RowPool::bytes() const {
  return chunks_.size() * chunk_words * sizeof(u32) + recent_.size() * sizeof(Recent);
}

}  // namespace lanescope::trace
