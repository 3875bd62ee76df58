#include "profiling/review/unwritten.h"

#include <algorithm>
#include <bit>

#include "kernels/base/set_bits.h"
#include "kernels/trace/reserved_shared.h"

namespace lanescope::review {
namespace {

/// Calls `word(number, bits)` for the 64-byte words that `bytes` bytes from `address` on lie in.
template <class Word>
void for_words(std::uint64_t address, std::uint64_t bytes, const Word& word) {
  while (bytes > 0) {
    const std::uint64_t begin = address % 64, here = std::min(bytes, 64 - begin);
    const std::uint64_t ones = here == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1;
    word(static_cast<std::size_t>(address / 64), ones << begin);
    address += here;
    bytes -= here;
  }
}

}  // namespace

UnwrittenShared::UnwrittenShared(const LaunchReview& launch) {
  for (const trace::CodeSite& site : launch.code) exchanges_.push_back(site.text.find(".exch") != std::string::npos);
}

void UnwrittenShared::access(const trace::AccessEvent& event) {
  using trace::AccessKind;
  if (event.where.pc >= exchanges_.size()) return;
  const bool writes = event.kind != AccessKind::load;
  const bool atomic = event.kind == AccessKind::atomic || event.kind == AccessKind::reduction;
  const bool reads = event.kind == AccessKind::load || (atomic && !exchanges_[event.where.pc]);
  const auto width = static_cast<std::uint64_t>(event.matrix > 0 ? 16 : event.width_bytes);
  if (last_ == nullptr || last_number_ != event.where.block) {
    last_ = &blocks_[event.where.block];
    last_number_ = event.where.block;
  }
  Bits& written = *last_;
  std::uint32_t unwritten = 0;
  for (const std::size_t lane : set_bits(event.where.active)) {
    const std::uint64_t address = event.addresses[lane];
    if (trace::is_reserved_shared(address)) continue;
    for_words(address, width, [&](std::size_t word, std::uint64_t bits) {
      if (word >= written.size()) {
        if (!writes) {
          unwritten |= 1u << lane;
          return;
        }
        written.resize(word + 1, 0);
      }
      if (reads && (written[word] & bits) != bits) unwritten |= 1u << lane;
      if (writes) written[word] |= bits;
    });
  }
  if (!reads) return;
  Reading& r = readings_[event.where.pc];
  ++r.accesses;
  if (unwritten == 0 || r.unwritten++ > 0) return;
  r.first = event.where;
  r.lanes = unwritten;
  r.width_bytes = static_cast<int>(width);
  std::ranges::copy(event.addresses, r.addresses.begin());
}

}  // namespace lanescope::review
