#include "kernels/emulator/machine/heap.h"

#include <algorithm>

#include "kernels/emulator/lanes/addresses.h"

namespace lanescope::emulator {

namespace {

u64 rounded(u64 bytes, u64 to) { return (bytes + to - 1) / to * to; }
u64 room_of(u64 bytes) { return rounded(std::max<u64>(bytes, 1), Heap::alignment_bytes); }

}  // namespace

Heap::Heap(u64 limit_bytes)
    : limit_(std::min(limit_bytes, heap_window_bytes / 8)),
      range_(std::min(std::max<u64>(u64{64} << 20, 4 * limit_), heap_window_bytes)) {}

std::optional<u64> Heap::allocate(u64 bytes, u64 alignment, int line) {
  if (bytes > limit_ || room_of(bytes) > limit_ - used_) return std::nullopt;
  const u64 room = room_of(bytes);
  alignment = std::max(alignment, alignment_bytes);
  for (const bool again : {false, true}) {
    if (again) {
      std::erase_if(blocks_, [](const HeapBlock& b) { return b.freed; });
      next_ = 0;
      reused_ = true;
    }
    auto past = std::ranges::lower_bound(blocks_, next_, {}, &HeapBlock::at);
    u64 at = rounded(next_ + gap_bytes, alignment);
    for (; past != blocks_.end() && at + room + gap_bytes > past->at; ++past)
      at = rounded(past->at + room_of(past->bytes) + gap_bytes, alignment);
    if (at + room + gap_bytes > range_) continue;
    next_ = at + room;
    used_ += room;
    blocks_.insert(past, {.at = at, .bytes = bytes, .line = line});
    return at;
  }
  return std::nullopt;
}

Heap::Freed Heap::free(u64 at, int line) {
  const auto found = std::ranges::lower_bound(blocks_, at, {}, &HeapBlock::at);
  if (found == blocks_.end() || found->at != at) return Freed::not_allocated;
  if (found->freed) return Freed::twice;
  found->freed = true;
  found->freed_line = line;
  used_ -= room_of(found->bytes);
  return Freed::done;
}

const HeapBlock* Heap::before(u64 at) const {
  const auto after = std::ranges::upper_bound(blocks_, at, {}, &HeapBlock::at);
  return after == blocks_.begin() ? nullptr : &*(after - 1);
}

const HeapBlock* Heap::after(u64 at) const {
  const auto after = std::ranges::upper_bound(blocks_, at, {}, &HeapBlock::at);
  return after == blocks_.end() ? nullptr : &*after;
}

bool Heap::holds(u64 at, u64 bytes) const {
  const HeapBlock* const b = before(at);
  return b != nullptr && !b->freed && at - b->at <= b->bytes && b->bytes - (at - b->at) >= bytes;
}

std::shared_ptr<const HeapState> empty_heap(u64 limit_bytes) {
  return std::make_shared<HeapState>(HeapState{.heap = Heap(limit_bytes == 0 ? default_heap_bytes : limit_bytes)});
}

u64 heap_begin() { return heap_address; }

bool is_heap_address(u64 value) { return value - heap_address < heap_window_bytes; }

}  // namespace lanescope::emulator
