// malloc, free and the like of kernels (machine/heap.h).

#include "kernels/emulator/machine/device_heap.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/base/set_bits.h"
#include "kernels/emulator/lanes/addresses.h"
#include "kernels/emulator/machine/control_steps.h"
#include "kernels/emulator/machine/heap.h"
#include "kernels/emulator/machine/system_calls.h"

namespace lanescope::emulator {

namespace {

/// After the last allocation, so that what runs over its end is in the heap.
constexpr u64 heap_margin_bytes = u64{1} << 16;

int line_at(const Running& m, u32 pc) {
  const ptx::Instruction* const i = m.program->instruction_of(pc);
  return i == nullptr ? 0 : i->position.line > 0 ? i->position.line : i->text_line;
}

Store& heap_store(Running& m) { return *std::ranges::find(m.global.stores, true, &Store::is_heap); }

void grow(Store& s, u64 bytes) {
  if (s.bytes >= bytes) return;
  s.own.resize(std::max(bytes, 2 * s.bytes));
  s.data = s.own.data();
  s.bytes = s.own.size();
  if (s.tags.size() < (s.bytes + 3) / 4 && !s.tags.empty()) s.tags.resize((s.bytes + 3) / 4, trace::no_data);
}

/// A checkpoint may share the records.
Heap& own_heap(Running& m) {
  if (m.heap.use_count() != 1) m.heap = std::make_shared<Heap>(*m.heap);
  return *m.heap;
}

std::string of_line(const char* what, int line) { return line > 0 ? fmt::format("{} line {}", what, line) : ""; }

std::string allocation_words(const HeapBlock& b) {
  return b.line > 0 ? fmt::format("the allocation of line {}", b.line) : "an allocation";
}

void heap_progress(Context& c) {
  ++c.machine.acts;
  c.group().polls = 0;
  c.warp.polling = false;
}

}  // namespace

void add_heap_store(Running& m) {
  const HeapState* const before = m.options.heap.get();
  m.heap = before != nullptr ? std::make_shared<Heap>(before->heap) : std::make_shared<Heap>();
  if (!m.program->allocates && m.heap->blocks().empty()) return;
  Store s{.name = "the device heap", .base = heap_address, .is_heap = true};
  if (before != nullptr) s.own = before->bytes;
  s.bytes = s.own.size();
  m.global.stores.push_back(std::move(s));
}

u64 allocate_in_heap(Running& m, u64 bytes, u64 alignment, u32 pc) {
  const auto at = own_heap(m).allocate(bytes, alignment, line_at(m, pc));
  if (!at) return 0;
  grow(heap_store(m), *at + bytes + heap_margin_bytes);
  return heap_address + *at;
}

std::string heap_place_words(const Running& m, u64 address, u64 bytes) {
  const u64 at = address - heap_address;
  const HeapBlock* const b = m.heap->before(at);
  const HeapBlock* const next = m.heap->after(at);
  if (next != nullptr && (b == nullptr || (at >= b->end() && next->at - at < at - b->end()))) {
    const u64 distance = next->at - at;
    const char* const freed = next->freed ? ", which is freed" : "";
    if (distance < bytes) return fmt::format("across the start of {}{}", allocation_words(*next), freed);
    return fmt::format("{} byte{} before the start of {} ({} bytes){}", distance, distance == 1 ? "" : "s",
                       allocation_words(*next), next->bytes, freed);
  }
  if (b == nullptr) return "in the device heap, where nothing is allocated";
  if (b->freed && at < b->end())
    return fmt::format("in memory that is freed{} ({}, {} bytes)", of_line(" in", b->freed_line), allocation_words(*b),
                       b->bytes);
  return after_words(at - b->at, b->bytes, allocation_words(*b)) + (b->freed ? ", which is freed" : "");
}

bool free_in_heap(Context& c, int lane, u64 address) {
  if (address == 0) return true;
  Running& m = c.machine;
  const u64 at = address - heap_address;
  const Heap::Freed freed =
      is_heap_address(address) ? own_heap(m).free(at, line_at(m, c.where.pc)) : Heap::Freed::not_allocated;
  if (freed == Heap::Freed::done) return true;
  const HeapBlock* const b = is_heap_address(address) ? m.heap->before(at) : nullptr;
  std::string what;
  if (freed == Heap::Freed::twice)
    what = fmt::format("frees address {:#x} a second time: {} ({} bytes) is freed{}", address, allocation_words(*b),
                       b->bytes, of_line(" in", b->freed_line));
  else if (b != nullptr && at < b->end())
    what = fmt::format("frees address {:#x}, which is byte {} of {} ({} bytes) and not its start", address, at - b->at,
                       allocation_words(*b), b->bytes);
  else
    what = fmt::format("frees address {:#x}, which malloc or new did not return", address);
  m.fault_at(c, Fault::Kind::heap, lane, address, what);
  return false;
}

std::shared_ptr<const HeapState> heap_left_by(const Running& m) {
  const auto s = std::ranges::find(m.global.stores, true, &Store::is_heap);
  if (s == m.global.stores.end()) return m.options.heap;
  return std::make_shared<HeapState>(HeapState{.heap = *m.heap, .bytes = s->own});
}

Flow step_heap_allocate(Context& c, const Op& op, u32 mask) {
  const SystemCall& call = c.machine.program->system_calls[op.immediate];
  for (const std::size_t l : set_bits(mask)) {
    const int lane = static_cast<int>(l);
    const u64 alignment = call.arguments.size() > 1 ? call_argument(c, call, 1, lane, 8) : Heap::alignment_bytes;
    give_result(c, call, lane, allocate_in_heap(c.machine, call_argument(c, call, 0, lane, 8), alignment, c.where.pc),
                8);
  }
  heap_progress(c);
  return Flow::next;
}

Flow step_heap_free(Context& c, const Op& op, u32 mask) {
  const SystemCall& call = c.machine.program->system_calls[op.immediate];
  for (const std::size_t lane : set_bits(mask))
    if (!free_in_heap(c, static_cast<int>(lane), call_argument(c, call, 0, static_cast<int>(lane), 8)))
      return Flow::faulted;
  heap_progress(c);
  return Flow::next;
}

}  // namespace lanescope::emulator
