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

void Loads::global_range(std::uint64_t address, std::uint64_t bytes, bool reads, bool writes) {
  const auto inside = [&](const Area& a) { return address - a.address < a.bytes; };
  if (last_buffer_ >= buffers_.size() || !inside(buffers_[last_buffer_]))
    last_buffer_ = static_cast<std::size_t>(std::ranges::find_if(buffers_, inside) - buffers_.begin());
  if (last_buffer_ >= unwritten_->size() || (*unwritten_)[last_buffer_].empty()) return;
  trace::Pages<std::uint8_t>& buffer = (*unwritten_)[last_buffer_];
  const std::uint64_t at = address - buffers_[last_buffer_].address;
  if (at >= buffer.size()) return;
  const std::uint64_t count = std::min<std::uint64_t>(bytes, buffer.size() - at);
  if (reads && !any_) any_ = std::memchr(buffer.data() + at, 1, count) != nullptr;
  if (writes) std::memset(buffer.data() + at, 0, count);
}

void Loads::global(const trace::AccessEvent& event, bool reads, bool writes) {
  for (const std::size_t lane : set_bits(event.where.active))
    global_range(event.addresses[lane], static_cast<std::uint64_t>(event.width_bytes), reads, writes);
}

void Loads::on_shuffle(const trace::ShuffleEvent& event) {
  if (any_) return;
  for (const std::size_t lane : set_bits(event.where.active))
    any_ = any_ || (event.where.active >> event.source_lane[lane] & 1) == 0;
}

void Loads::on_barrier_object(const trace::BarrierObjectEvent& event) {
  if (event.kind == trace::BarrierObjectEvent::Kind::init && !trace::is_reserved_shared(event.address))
    touch(blocks_[event.block].shared, event.address, 8, false, true);
}

void Loads::on_bulk_copy(const trace::BulkCopyEvent& event) {
  const auto range = [&](const trace::BulkCopyEvent::Range& r, bool reads, bool writes) {
    if (r.space == trace::MemorySpace::shared)
      touch(blocks_[r.block].shared, r.address, event.bytes, reads, writes);
    else if (some_global_)
      global_range(r.address, event.bytes, reads, writes);
  };
  if (event.reads) range(event.from, true, false);
  range(event.to, event.reduces, true);
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

void Loads::on_remote_access(const trace::RemoteAccessEvent& event) {
  using trace::AccessKind;
  const trace::AccessEvent& a = event.access;
  if (any_ || a.space != trace::MemorySpace::shared) return;
  for (const std::size_t lane : set_bits(a.where.active))
    if (!trace::is_reserved_shared(a.addresses[lane]))
      touch(blocks_[event.blocks[lane]].shared, a.addresses[lane], static_cast<std::uint64_t>(a.width_bytes),
            a.kind != AccessKind::store, a.kind != AccessKind::load);
}

void Loads::block_ended(std::uint32_t block) {
  blocks_.erase(block);
  last_ = nullptr;
}

}  // namespace lanescope::uninitialised
