#include "kernels/emulator/machine/memory_access.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "kernels/base/check.h"
#include "kernels/base/set_bits.h"
#include "kernels/emulator/lanes/addresses.h"
#include "kernels/emulator/machine/device_heap.h"
#include "kernels/emulator/machine/global_view.h"
#include "kernels/trace/trace.h"

namespace lanescope::emulator {

namespace {

bool out_of_bounds(Context& c, const MemoryOp& m, int lane, u64 address, u32 bytes, const std::string& where) {
  c.machine.fault_at(
      c, Fault::Kind::out_of_bounds, lane, address,
      fmt::format("{} of {} bytes at address {:#x}, {}", trace::kind_words(m.kind), bytes, address, where));
  return false;
}

/// The store after one lane's address, and the place in it; nullptr after a fault.
Store* find_store(Context& c, const MemoryOp& m, Area area, int lane, u64 address, u32 bytes, bool writes, u64& at) {
  if (area == Area::generic) {
    if (address - shared_window < window_bytes)
      return find_store(c, m, Area::shared, lane, address - shared_window, bytes, writes, at);
    if (address - local_window < window_bytes)
      return find_store(c, m, Area::local, lane, address - local_window, bytes, writes, at);
    area = Area::global;
  }
  const u32 rank = static_cast<u32>(address >> cluster_rank_shift);  // plus one
  if (area == Area::shared && m.of_cluster && rank != 0 && rank <= 0xff && c.machine.cluster_blocks() > 1) {
    Block* const other = c.machine.block_of_cluster(c.block, rank - 1);
    if (other == nullptr) {
      out_of_bounds(c, m, lane, address, bytes,
                    rank > c.machine.cluster_blocks()
                        ? fmt::format("of block {} of a cluster of {}", rank - 1, c.machine.cluster_blocks())
                        : fmt::format("of block {} of the cluster, which has exited", rank - 1));
      return nullptr;
    }
    Store& s = other->shared;
    at = (address & cluster_offset_mask) - s.base;
    if (at <= s.bytes && s.bytes - at >= bytes) return &s;
    out_of_bounds(c, m, lane, address, bytes,
                  after_words((address & cluster_offset_mask) - s.base, s.bytes,
                              fmt::format("the shared memory of block {} of the cluster", rank - 1)));
    return nullptr;
  }
  if (area == Area::shared) {
    for (Store* s : {&c.block.shared, &c.block.reserved}) {
      at = address - s->base;
      if (at <= s->bytes && s->bytes - at >= bytes) return s;
    }
    const Store& s = c.block.shared;
    out_of_bounds(c, m, lane, address, bytes,
                  s.bytes == 0 ? "but the block has no shared memory"
                  : address < s.base
                      ? fmt::format("in the {} bytes before the block's shared memory, which are reserved", s.base)
                      : after_words(address - s.base, s.bytes, "shared memory"));
    return nullptr;
  }
  if (area == Area::local || area == Area::frame) {
    const u32 per_lane = c.machine.program->local_bytes;
    at = static_cast<u64>(lane) * per_lane + address;
    if (address <= per_lane && per_lane - address >= bytes) return &c.warp.local;
    out_of_bounds(c, m, lane, address, bytes, fmt::format("beyond the thread's local memory ({} bytes)", per_lane));
    return nullptr;
  }
  Store* s = c.machine.global.find(address, bytes);
  if (s == nullptr) {
    out_of_bounds(c, m, lane, address, bytes, c.machine.global.nearest(address));
    return nullptr;
  }
  at = address - s->base;
  if (s->is_heap && !c.machine.heap->holds(at, bytes)) {
    out_of_bounds(c, m, lane, address, bytes, heap_place_words(c.machine, address, bytes));
    return nullptr;
  }
  if (writes && !s->writable) {
    out_of_bounds(c, m, lane, address, bytes, s->name + " cannot be written");
    return nullptr;
  }
  return s;
}

void compute_addresses(Context& c, u32 base, u8 base_bits, s64 offset, Access& out) {
  const u8* r = c.registers();
  if (base_bits == 64) {
    const u64* b = row<u64>(r, base);
    for (std::size_t l = 0; l < lanes; ++l) out.address[l] = b[l] + static_cast<u64>(offset);
  } else {
    const u32* b = row<u32>(r, base);
    for (std::size_t l = 0; l < lanes; ++l) out.address[l] = static_cast<u32>(b[l] + static_cast<u32>(offset));
  }
}

bool find_stores(Context& c, const MemoryOp& m, u32 base, u8 base_bits, s64 offset, Area area, u32 bytes, bool writes,
                 u32 mask, Access& out) {
  compute_addresses(c, base, base_bits, offset, out);
  out.space = m.space;
  const int first = std::countr_zero(mask);
  u64 low_bits = 0;
  if (mask == all_lanes)
    for (u64 a : out.address) low_bits |= a;
  else
    for (const std::size_t l : set_bits(mask)) low_bits |= out.address[l];
  if ((low_bits & (bytes - 1)) != 0)
    for (const std::size_t l : set_bits(mask)) {
      const u64 address = out.address[static_cast<std::size_t>(l)];
      if ((address & (bytes - 1)) == 0) continue;
      c.machine.fault_at(c, Fault::Kind::misaligned, l, address,
                         fmt::format("{} of {} bytes at address {:#x}, which is not a multiple of {}",
                                     trace::kind_words(m.kind), bytes, address, bytes));
      return false;
    }
  if (area == Area::global || area == Area::shared) {  // all lanes in one store, as nearly always
    u64 low = ~u64{0}, high = 0;
    for (std::size_t l = 0; l < lanes; ++l) {
      const bool on = (mask >> l & 1) != 0;
      low = std::min(low, on ? out.address[l] : low);
      high = std::max(high, on ? out.address[l] : high);
    }
    Store* s = &c.block.shared;
    if (area == Area::global)
      s = high - low < (u64{1} << 40) ? c.machine.global.find(low, high - low + bytes) : nullptr;
    else if (low < s->base || high - s->base > s->bytes || s->bytes - (high - s->base) < bytes)
      s = nullptr;
    if (s != nullptr && s->is_heap && !c.machine.heap->holds(low - s->base, high - low + bytes)) s = nullptr;
    if (s != nullptr && (s->writable || !writes)) {
      out.store = s;
      out.one_store = true;
      out.stores.fill(s);
      for (std::size_t l = 0; l < lanes; ++l) out.at[l] = out.address[l] - s->base;
      if (area == Area::shared) out.address = out.at;
      return true;
    }
  }
  for (const std::size_t l : set_bits(mask)) {
    Store* known = out.store;
    const u64 inside = known != nullptr ? out.address[l] - known->base : 0;
    if (known != nullptr && area == Area::global && !known->is_heap && inside < known->bytes &&
        known->bytes - inside >= bytes) {
      out.at[l] = inside;
      out.stores[l] = known;
      continue;
    }
    Store* s = find_store(c, m, area, static_cast<int>(l), out.address[l], bytes, writes, out.at[l]);
    if (s == nullptr) return false;
    out.stores[l] = s;
    out.elsewhere = out.elsewhere || (s->is_shared && s != &c.block.shared);
    if (static_cast<int>(l) == first) out.store = s;
  }
  if (area == Area::generic) {  // what the event shows: the space that was really touched, and the address inside it
    const Store* s = out.store;
    out.space = s->is_shared || s == &c.block.reserved ? trace::MemorySpace::shared
                : s == &c.warp.local                   ? trace::MemorySpace::local
                                                       : trace::MemorySpace::global;
    if (out.space == trace::MemorySpace::local)
      for (u64& a : out.address) a = static_cast<u32>(a);
  }
  if (out.space == trace::MemorySpace::shared) {
    for (u64& a : out.address) a = static_cast<u32>(a - c.block.shared.base);
    // An address that mapa has made says the block's rank as well.
    for (const std::size_t l : set_bits(mask))
      if (out.stores[l]->is_shared) out.address[l] = out.at[l];
  }
  return true;
}

/// It adds a whole number to each word.
bool adds_words(const MemoryOp& m) {
  return m.atomic == Atomic::add && (m.type == ptx::Type::u32 || m.type == ptx::Type::s32);
}

/// Blocks that run ahead: lanes that are in global memory are led to their pages of the view.
bool find_pages(Context& c, const MemoryOp& m, u32 bytes, bool writes, u32 mask, Access& out) {
  const AddressSpace& space = c.machine.global;
  const bool reads = !writes || m.kind != trace::AccessKind::store;
  const Store* const begin = space.stores.data();
  const Store* const end = begin + space.stores.size();
  const bool defers = m.unread && c.machine.defers_atomics;
  bool one_page = true;
  const int first = std::countr_zero(mask);
  for (const std::size_t l : set_bits(mask)) {
    Store* s = out.stores[l];
    if (s >= begin && s < end && s->writable) {
      s = defers
              ? c.machine.view->touch_unread(space, *s, out.at[l], bytes, adds_words(m) && !c.machine.logs_all_atomics)
              : c.machine.view->touch(space, *s, out.at[l], bytes, reads, writes);
      if (s == nullptr) return c.machine.wait_for_turn(), false;
      out.stores[l] = s;
      out.at[l] %= GlobalView::page_bytes;
    }
    if (static_cast<int>(l) == first) out.store = s;
    one_page = one_page && s == out.store;
  }
  out.one_store = out.one_store && one_page;
  return true;
}

}  // namespace

bool resolve(Context& c, const MemoryOp& m, u32 base, u8 base_bits, s64 offset, Area area, u32 bytes, bool writes,
             u32 mask, Access& out) {
  if (!find_stores(c, m, base, base_bits, offset, area, bytes, writes, mask, out)) return false;
  return c.machine.view == nullptr || (area != Area::global && area != Area::generic) ||
         find_pages(c, m, bytes, writes, mask, out);
}

Run find_run(Context& c, const MemoryOp& m, bool writes) {
  if (m.area != Area::global && m.area != Area::shared) return {};
  const u8* r = c.registers();
  u64 differ = 0, first = 0;
  if (m.base_bits == 64) {
    const u64* b = row<u64>(r, m.base);
    for (u64 l = 0; l < lanes; ++l) differ |= b[l] ^ (b[0] + l * m.bytes);
    first = b[0] + static_cast<u64>(m.offset);
  } else {
    const u32* b = row<u32>(r, m.base);
    u32 differ_32 = 0;
    for (u32 l = 0; l < lanes; ++l) differ_32 |= b[l] ^ (b[0] + l * m.bytes);
    differ = differ_32;
    first = static_cast<u32>(b[0] + static_cast<u32>(m.offset));
  }
  const u64 extent = u64{m.bytes} * lanes;
  if (differ != 0 || (first & (m.bytes - 1)) != 0) return {};
  if (m.area == Area::shared) {
    Store& s = c.block.shared;
    const u64 at = first - s.base;
    return at <= s.bytes && s.bytes - at >= extent ? Run{&s, at, at} : Run{};
  }
  Store* s = c.machine.global.find(first, extent);
  if (s == nullptr || (writes && !s->writable)) return {};
  if (s->is_heap && !c.machine.heap->holds(first - s->base, extent)) return {};
  if (c.machine.view == nullptr || !s->writable) return {s, first, first - s->base};
  Store* const page = c.machine.view->touch(c.machine.global, *s, first - s->base, extent, !writes, writes);
  return page != nullptr ? Run{page, first, (first - s->base) % GlobalView::page_bytes} : Run{};
}

u64 read_bytes(const u8* from, u32 bytes) {
  switch (bytes) {
    case 1:
      return *from;
    case 2: {
      u16 v;
      std::memcpy(&v, from, 2);
      return v;
    }
    case 4: {
      u32 v;
      std::memcpy(&v, from, 4);
      return v;
    }
    default: {
      u64 v;
      std::memcpy(&v, from, 8);
      return v;
    }
  }
}

void write_bytes(u8* to, u64 value, u32 bytes) {
  switch (bytes) {
    case 1:
      *to = static_cast<u8>(value);
      break;
    case 2: {
      const u16 v = static_cast<u16>(value);
      std::memcpy(to, &v, 2);
      break;
    }
    case 4: {
      const u32 v = static_cast<u32>(value);
      std::memcpy(to, &v, 4);
      break;
    }
    default:
      std::memcpy(to, &value, 8);
  }
}

trace::WordTag read_tag(TagContext& t, const Store& s, u64 at, u32 bytes, bool is_signed) {
  const trace::WordTag word = s.tag(at / 4);
  if (bytes >= 4 || word == trace::no_data) return word;
  return t.cut(word, static_cast<u32>(at % 4) * 8, bytes * 8, is_signed);
}

void write_tag(TagContext& t, Store& s, u64 at, u32 bytes, trace::WordTag tag) {
  if (bytes >= 4) return s.set_tag(at / 4, tag);
  const trace::WordTag old = s.tag(at / 4);
  if (old == trace::no_data && tag == trace::no_data) return;
  s.set_tag(at / 4, t.merge(old, tag, static_cast<u32>(at % 4) * 8, bytes * 8));
}

namespace {

constexpr std::size_t most_words = 16;  // eight elements of 8 bytes

struct Moved {
  alignas(64) std::array<u32, most_words * lanes> values;
  alignas(64) std::array<trace::WordTag, most_words * lanes> tags;
};

}  // namespace

void report_access(Context& c, const MemoryOp& m, trace::AccessKind kind, const Access& access, u32 width, u32 mask,
                   std::span<const u32> values, std::span<const trace::WordTag> tags, u32 overwritten, u32 deferred) {
  trace::AccessEvent e;
  e.where = c.where;
  e.where.active = mask;
  e.space = access.space;
  e.kind = kind;
  e.width_bytes = static_cast<int>(width);
  e.read_only = m.read_only;
  e.matrix = static_cast<int>(m.matrices);
  e.addresses = access.address;
  e.values = values;
  e.tags = tags;
  e.overwritten = overwritten;
  e.deferred = deferred;
  e.turns = m.turns;
  e.destinations = access.destinations;
  if (!access.elsewhere) {
    for (trace::Observer* o : c.machine.options.observers) o->on_access(e);
    return;
  }
  std::array<u32, lanes> blocks{};
  for (const std::size_t l : set_bits(mask)) blocks[l] = c.machine.owner_of(*access.stores[l], c.block).index;
  for (trace::Observer* o : c.machine.options.observers) o->on_remote_access({e, blocks});
}

void report_moved(Context& c, const MemoryOp& m, trace::AccessKind kind, const Access& a, u32 width, u32 mask,
                  u32 overwritten) {
  const u32 words = (width + 3) / 4;
  LS_CHECK_LE(words, most_words);
  Moved moved;
  const std::size_t count = std::size_t{words} * lanes, tag_count = c.machine.tags() ? count : 0;
  if (mask != all_lanes) {
    std::fill_n(moved.values.begin(), count, 0u);
    std::fill_n(moved.tags.begin(), tag_count, trace::no_data);
  }
  for (const std::size_t l : set_bits(mask)) {
    const Store& s = *a.stores[l];
    const u64 at = a.at[l];
    if (width < 4) {
      moved.values[l] = static_cast<u32>(read_bytes(s.data + at, width));
      if (tag_count == 0) continue;
      TagContext t = c.tags();
      moved.tags[l] = read_tag(t, s, at, width, false);
      continue;
    }
    for (u32 w = 0; w < words; ++w) std::memcpy(&moved.values[w * lanes + l], s.data + at + u64{w} * 4, 4);
    for (u32 w = 0; w < words && tag_count != 0; ++w) moved.tags[w * lanes + l] = s.tag(at / 4 + w);
  }
  report_access(c, m, kind, a, width, mask, {moved.values.data(), count}, {moved.tags.data(), tag_count}, overwritten);
}

void report_run(Context& c, const MemoryOp& m, std::span<const u64> addresses, const u8* memory, const Store* tagged,
                u64 at) {
  trace::AccessEvent e{.where = {c.where.step, c.where.block, c.where.warp, c.where.pc, all_lanes},
                       .space = m.space,
                       .kind = m.kind,
                       .width_bytes = static_cast<int>(m.bytes),
                       .read_only = m.read_only,
                       .is_run = true,
                       .addresses = addresses};
  const auto report = [&] {
    for (trace::Observer* o : c.machine.options.observers) o->on_access(e);
  };
  if (m.bytes == 4 && tagged == nullptr && reinterpret_cast<std::uintptr_t>(memory) % alignof(u32) == 0) {
    e.values = {reinterpret_cast<const u32*>(memory), lanes};
    return report();
  }
  Moved moved;
  const std::size_t words = m.bytes / 4, count = words * lanes, tag_count = tagged != nullptr ? count : 0;
  for (std::size_t w = 0; w < words; ++w)
    for (std::size_t l = 0; l < lanes; ++l) std::memcpy(&moved.values[w * lanes + l], memory + (l * words + w) * 4, 4);
  for (std::size_t w = 0; w < words && tag_count != 0; ++w)
    for (std::size_t l = 0; l < lanes; ++l) moved.tags[w * lanes + l] = tagged->tag(at / 4 + l * words + w);
  e.values = {moved.values.data(), count};
  e.tags = {moved.tags.data(), tag_count};
  report();
}

void note_poll(Context& c, u64 value) {
  Group& g = c.group();
  if (g.poll_pc == g.pc && g.poll_value == value) {
    ++g.polls;
    return;
  }
  g.poll_pc = g.pc;
  g.poll_value = value;
  g.polls = 0;
  ++c.machine.acts;
  c.warp.polling = false;
}

}  // namespace lanescope::emulator
