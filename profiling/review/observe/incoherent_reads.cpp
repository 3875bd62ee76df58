#include "profiling/review/observe/incoherent_reads.h"

#include <algorithm>
#include <limits>

#include "kernels/base/set_bits.h"

namespace lanescope::review {
namespace {

/// Bytes of a piece: words, where elements consist of whole ones.
std::uint64_t piece_bytes(int element_bits) { return element_bits % 32 == 0 ? 4 : element_bits % 16 == 0 ? 2 : 1; }

}  // namespace

IncoherentReads::IncoherentReads(const LaunchReview& launch, std::size_t budget_bytes)
    : launch_(launch), buffers_(launch.buffers.size()), budget_bytes_(budget_bytes) {
  std::vector<bool> loads;
  for (const trace::CodeSite& site : launch.code) loads.push_back(site.text.find("ld.global.nc") != std::string::npos);
  if (std::ranges::find(loads, true) != loads.end() && loads.size() < std::numeric_limits<std::uint16_t>::max())
    loads_ = std::move(loads);
}

bool IncoherentReads::make_room(Pieces& pieces, std::uint64_t buffer_bytes) {
  if (!pieces.loaded.empty()) return true;
  const std::size_t count = buffer_bytes + 1, needed = 2 * count * sizeof(std::uint16_t);
  if (needed > budget_bytes_) return false;
  budget_bytes_ -= needed;
  pieces.loaded.resize(count), pieces.written.resize(count);
  return true;
}

void IncoherentReads::access(const trace::AccessEvent& event, int buffer) {
  using Kind = trace::AccessKind;
  if (loads_.empty() || buffer < 0) return;
  const bool loads = event.kind == Kind::load && event.where.pc < loads_.size() && loads_[event.where.pc];
  const bool writes = event.kind == Kind::store || event.kind == Kind::atomic || event.kind == Kind::reduction;
  if (!loads && !writes) return;
  Pieces& pieces = buffers_[static_cast<std::size_t>(buffer)];
  (loads ? pieces.any_loaded : pieces.any_written) = true;
  if (pieces.given_up) return;
  const LaunchReview::Buffer& b = launch_.buffers[static_cast<std::size_t>(buffer)];
  const std::uint64_t piece = piece_bytes(b.element_bits);
  if (!make_room(pieces, b.bytes / piece)) {
    pieces.given_up = true;
    return;
  }
  const auto width = static_cast<std::uint64_t>(event.width_bytes);
  const auto own = static_cast<std::uint16_t>(event.where.pc + 1);
  for (const std::size_t lane : set_bits(event.where.active)) {
    const std::uint64_t byte = event.addresses[lane] - b.address;
    if (width % piece != 0 || byte % piece != 0) {  // not the stated elements of the buffer
      pieces.given_up = true;
      return;
    }
    for (std::uint64_t n = byte / piece; n < (byte + width) / piece && n < pieces.loaded.size(); ++n) {
      std::uint16_t& mine = (loads ? pieces.loaded : pieces.written)[n];
      if (mine == 0) mine = own;
      const std::uint16_t other = (loads ? pieces.written : pieces.loaded)[n];
      if (other == 0) continue;
      const std::uint32_t load_pc = loads ? event.where.pc : other - 1u;
      const std::uint32_t write_pc = loads ? other - 1u : event.where.pc;
      Found& f = found_[{load_pc, write_pc}];
      if (f.times++ == 0)
        f = {.load_pc = load_pc,
             .write_pc = write_pc,
             .buffer = buffer,
             .byte = n * piece,
             .later = event.where,
             .load_first = !loads,
             .lane = static_cast<int>(lane),
             .times = 1};
    }
  }
}

std::vector<int> IncoherentReads::not_compared() const {
  std::vector<int> out;
  for (std::size_t n = 0; n < buffers_.size(); ++n)
    if (buffers_[n].given_up && buffers_[n].any_loaded && buffers_[n].any_written) out.push_back(static_cast<int>(n));
  return out;
}

}  // namespace lanescope::review
