#include "profiling/uninitialised/loads.h"

#include <algorithm>
#include <cstring>

#include "kernels/base/set_bits.h"
#include "kernels/trace/reserved_shared.h"

namespace lanescope::uninitialised {

Loads::Loads(const std::vector<Area>& buffers, UnwrittenBytes* unwritten) : buffers_(buffers), unwritten_(unwritten) {
  if (unwritten_ != nullptr)
    some_global_ = std::ranges::any_of(*unwritten_, [](const auto& bytes) { return !bytes.empty(); });
}

void Loads::touch(Written& written, std::uint64_t at, std::uint64_t bytes, bool reads, bool writes) {
  if (at + bytes > written.size()) {
    any_ = any_ || reads;
    if (!writes) return;
    written.resize((at + bytes + 4095) / 4096 * 4096, 0);
  }
  std::uint8_t* const first = written.data() + at;
  if (reads && !any_) any_ = std::memchr(first, 0, bytes) != nullptr;
  if (writes) std::memset(first, 1, bytes);
}

void Loads::global(const trace::AccessEvent& event, bool reads, bool writes) {
  const auto width = static_cast<std::uint64_t>(event.width_bytes);
  std::size_t b = 0;
  for (const std::size_t lane : set_bits(event.where.active)) {
    const std::uint64_t address = event.addresses[lane];
    const auto inside = [&](const Area& a) { return address - a.address < a.bytes; };
    if (b >= buffers_.size() || !inside(buffers_[b]))
      b = static_cast<std::size_t>(std::ranges::find_if(buffers_, inside) - buffers_.begin());
    if (b >= unwritten_->size() || (*unwritten_)[b].empty()) continue;
    const std::uint64_t at = address - buffers_[b].address;
    std::uint8_t* const first = (*unwritten_)[b].data() + at;
    const std::uint64_t bytes = std::min<std::uint64_t>(width, (*unwritten_)[b].size() - at);
    if (reads && !any_) any_ = std::memchr(first, 1, bytes) != nullptr;
    if (writes) std::memset(first, 0, bytes);
  }
}

void Loads::on_access(const trace::AccessEvent& event) {
  using trace::AccessKind;
  using trace::MemorySpace;
  const bool copies = event.kind == AccessKind::async_copy;
  const bool atomic = event.kind == AccessKind::atomic || event.kind == AccessKind::reduction;
  const bool reads = atomic || event.kind == AccessKind::load || (copies && event.space == MemorySpace::global);
  const bool writes = atomic || event.kind == AccessKind::store || (copies && event.space == MemorySpace::shared);
  if (event.space == MemorySpace::global) {
    if (some_global_) global(event, reads, writes);
    return;
  }
  if (any_ || (event.space != MemorySpace::shared && event.space != MemorySpace::local)) return;
  if (last_ == nullptr || last_number_ != event.where.block) {
    last_ = &blocks_[event.where.block];
    last_number_ = event.where.block;
  }
  const auto width = static_cast<std::uint64_t>(event.width_bytes);
  if (event.space == MemorySpace::shared) {
    for (const std::size_t lane : set_bits(event.where.active))
      if (!trace::is_reserved_shared(event.addresses[lane]))
        touch(last_->shared, event.addresses[lane], width, reads, writes);
    return;
  }
  Written& local = last_->local[event.where.warp];
  for (const std::size_t lane : set_bits(event.where.active))
    for (std::uint64_t byte = 0; byte < width; ++byte)
      touch(local, (event.addresses[lane] + byte) * 32 + lane, 1, reads, writes);
}

void Loads::block_ended(std::uint32_t block) {
  blocks_.erase(block);
  last_ = nullptr;
}

}  // namespace lanescope::uninitialised
