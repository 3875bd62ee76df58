// Loads, stores and cp.async.

#include <bit>
#include <cstring>

#include "kernels/base/set_bits.h"
#include "kernels/emulator/machine/memory_access.h"
#include "kernels/emulator/steps/steps.h"

namespace lanescope::emulator {

namespace {

void set_lane(u8* r, u32 offset, u8 register_bits, int lane, u64 value) {
  if (register_bits == 64)
    row<u64>(r, offset)[lane] = value;
  else
    row<u32>(r, offset)[lane] = static_cast<u32>(register_bits == 16 ? value & 0xffff : value);
}
u64 get_lane(const u8* r, u32 offset, u8 register_bits, int lane) {
  return register_bits == 64 ? row<u64>(r, offset)[lane] : row<u32>(r, offset)[lane];
}
u64 extend(u64 value, u32 bytes, bool is_signed) {
  if (!is_signed || bytes == 8) return value;
  const u32 shift = 64 - bytes * 8;
  return static_cast<u64>(static_cast<s64>(value << shift) >> shift);
}

template <class T>
void load_words(u8* r, u32 offset, const Access& a, u64 element, u32 mask) {
  T* d = row<T>(r, offset);
  if (mask == all_lanes && a.one_store) {
    const u8* const from = a.store->data + element;
    for (std::size_t l = 0; l < lanes; ++l) std::memcpy(&d[l], from + a.at[l], sizeof(T));
    return;
  }
  for (const std::size_t l : set_bits(mask)) {
    std::memcpy(&d[l], a.stores[l]->data + a.at[l] + element, sizeof(T));
  }
}

void load_values(Context& c, const MemoryOp& m, const Access& a, u32 mask) {
  u8* r = c.registers();
  for (u32 e = 0; e < m.count; ++e) {
    const u8 bits = m.register_bits[e];
    if (m.bytes == 4 && bits == 32)
      load_words<u32>(r, m.registers[e], a, e * 4, mask);
    else if (m.bytes == 8 && bits == 64)
      load_words<u64>(r, m.registers[e], a, e * 8, mask);
    else
      for (const std::size_t l : set_bits(mask)) {
        const auto i = static_cast<std::size_t>(l);
        set_lane(r, m.registers[e], bits, l,
                 extend(read_bytes(a.stores[i]->data + a.at[i] + u64{e} * m.bytes, m.bytes), m.bytes, m.is_signed));
      }
  }
}

void store_values(Context& c, const MemoryOp& m, const Access& a, u32 mask) {
  const u8* r = c.registers();
  if (m.bytes == 4 && m.count == 1 && m.register_bits[0] == 32 && a.store != nullptr) {
    const u32* from = row<u32>(r, m.registers[0]);
    for (const std::size_t l : set_bits(mask)) {
      std::memcpy(a.stores[l]->data + a.at[l], &from[l], 4);
    }
    return;
  }
  for (const std::size_t l : set_bits(mask)) {
    const auto i = static_cast<std::size_t>(l);
    for (u32 e = 0; e < m.count; ++e)
      write_bytes(a.stores[i]->data + a.at[i] + u64{e} * m.bytes, get_lane(r, m.registers[e], m.register_bits[e], l),
                  m.bytes);
  }
}

/// Lanes that find another value in memory than the one they have just stored.
u32 lanes_overwritten(Context& c, const MemoryOp& m, const Access& a, u32 mask) {
  if ((mask & (mask - 1)) == 0) return 0;
  const u8* r = c.registers();
  const u64 wanted = m.bytes == 8 ? ~u64{0} : (u64{1} << m.bytes * 8) - 1;
  u32 lost = 0;
  for (const std::size_t l : set_bits(mask))
    for (u32 e = 0; e < m.count; ++e) {
      const u64 own = get_lane(r, m.registers[e], m.register_bits[e], static_cast<int>(l));
      if (read_bytes(a.stores[l]->data + a.at[l] + u64{e} * m.bytes, m.bytes) != (own & wanted)) lost |= 1u << l;
    }
  return lost;
}

void load_tags(TagContext& t, const MemoryOp& m, const Access& a, u32 mask) {
  for (u32 e = 0; e < m.count; ++e) {
    const u32 d = m.registers[e];
    const bool two = m.register_bits[e] == 64;
    u32* low = t.words(d);
    u32 any = 0;
    for (const std::size_t l : set_bits(mask)) {
      const Store& s = *a.stores[l];
      const u64 at = a.at[l] + u64{e} * m.bytes;
      low[l] = read_tag(t, s, at, m.bytes, m.is_signed);
      any |= low[l];
      if (!two) continue;
      low[lanes + l] = m.bytes == 8                 ? s.tag(at / 4 + 1)
                       : m.is_signed && low[l] != 0 ? t.cut(low[l], 31, 1, true)
                                                    : trace::no_data;
      any |= low[lanes + l];
    }
    if (any != 0)
      t.mark(d);
    else if (t.carries(d, 32))
      t.clear(d, m.register_bits[e], mask);
  }
}

void store_tags(TagContext& t, const MemoryOp& m, const Access& a, u32 mask) {
  for (u32 e = 0; e < m.count; ++e) {
    const bool carries = t.carries(m.registers[e], 32);
    const u32* low = t.words(m.registers[e]);
    for (const std::size_t l : set_bits(mask)) {
      Store& s = *a.stores[l];
      const u64 at = a.at[l] + u64{e} * m.bytes;
      write_tag(t, s, at, m.bytes, carries ? low[l] : trace::no_data);
      if (m.bytes == 8) s.set_tag(at / 4 + 1, carries && m.register_bits[e] == 64 ? low[lanes + l] : trace::no_data);
    }
  }
}

void check_address_data(Context& c, const MemoryOp& m, u32 base, u8 bits, u32 mask) {
  TagContext t = c.tags();
  if (m.area == Area::frame) return;
  if (const u32 by = t.lanes_with_data(base, bits, mask); by != 0)
    c.machine.steer(c.where, trace::SteerEvent::What::address, by);
}

/// Identities of a run of words, `words` for each lane, to or from the rows of a register.
void load_run_tags(TagContext& t, const Store& s, u64 first_word, std::size_t words, u32 offset) {
  if (s.tags.empty() && !s.identified) return t.clear(offset, static_cast<u8>(words * 32), all_lanes);
  u32* d = t.words(offset);
  u32 any = 0;
  if (s.tags.empty()) {  // never written: word i is word i
    for (std::size_t w = 0; w < words; ++w)
      for (std::size_t l = 0; l < lanes; ++l)
        d[w * lanes + l] = trace::TagPool::source_word(s.first_word + static_cast<u32>(first_word + l * words + w));
    return t.mark(offset);
  }
  for (std::size_t w = 0; w < words; ++w)
    for (std::size_t l = 0; l < lanes; ++l) any |= d[w * lanes + l] = s.tags[first_word + l * words + w];
  if (any != 0)
    t.mark(offset);
  else
    t.tagged[offset >> 7] = 0;
}
void store_run_tags(TagContext& t, Store& s, u64 first_word, std::size_t words, u32 offset) {
  const bool carries = t.carries(offset, 32);
  if (s.tags.empty() && !s.identified && !carries) return;
  if (s.tags.empty()) s.materialise();
  const u32* from = t.words(offset);
  for (std::size_t w = 0; w < words; ++w)
    for (std::size_t l = 0; l < lanes; ++l)
      s.tags[first_word + l * words + w] = carries ? from[w * lanes + l] : trace::no_data;
}

/// One register of 32 or 64 bits in every lane to or from consecutive words: rows of memory and of registers are the same.
void move_run(Context& c, const MemoryOp& m, const Run& run, bool writes) {
  const u32 offset = m.registers[0];
  u8* const memory = run.store->data + run.at;
  u8* const registers = c.registers() + offset;
  if (c.machine.tags()) {
    TagContext t = c.tags();
    const std::size_t words = m.bytes / 4;
    if (writes)
      store_run_tags(t, *run.store, run.at / 4, words, offset);
    else
      load_run_tags(t, *run.store, run.at / 4, words, offset);
  }
  const std::size_t bytes = std::size_t{m.bytes} * lanes;
  if (writes)
    std::memcpy(memory, registers, bytes);
  else
    std::memcpy(registers, memory, bytes);
}

/// Follows every load and store: counts stores, and notes loads that poll.
void after_access(Context& c, const MemoryOp& m, bool writes, u32 mask) {
  if (writes)
    c.group().polls = 0, ++c.machine.acts;
  else if (m.polls)
    note_poll(c, get_lane(c.registers(), m.registers[0], m.register_bits[0], std::countr_zero(mask)));
}

}  // namespace

Flow step_memory(Context& c, const Op& op, u32 mask) {
  const MemoryOp& m = c.machine.program->memory[op.immediate];
  if (m.plain_rows && mask == all_lanes) {
    const bool writes = m.kind == trace::AccessKind::store;
    if (const Run run = find_run(c, m, writes); run.store != nullptr) {
      if (c.machine.tags()) check_address_data(c, m, m.base, m.base_bits, mask);
      move_run(c, m, run, writes);
      after_access(c, m, writes, mask);
      if (!c.machine.observed()) return Flow::next;
      std::array<u64, lanes> addresses;
      for (u64 l = 0; l < lanes; ++l) addresses[l] = run.first + l * m.bytes;
      report_run(c, m, addresses, run.store->data + run.at, c.machine.tags() ? run.store : nullptr, run.at);
      return Flow::next;
    }
  }
  const u32 width = m.bytes * m.count;
  const bool writes = m.kind == trace::AccessKind::store;
  Access a;
  if (!resolve(c, m, m.base, m.base_bits, m.offset, m.area, width, writes, mask, a)) return Flow::faulted;
  if (c.machine.tags()) {
    check_address_data(c, m, m.base, m.base_bits, mask);
    TagContext t = c.tags();
    if (writes)
      store_tags(t, m, a, mask);
    else
      load_tags(t, m, a, mask);
  }
  if (writes)
    store_values(c, m, a, mask);
  else
    load_values(c, m, a, mask);
  after_access(c, m, writes, mask);
  if (c.machine.observed() && m.area != Area::frame)
    report_moved(c, m, m.kind, a, width, mask, writes ? lanes_overwritten(c, m, a, mask) : 0);
  return Flow::next;
}

Flow step_async_copy(Context& c, const Op& op, u32 mask) {
  const MemoryOp& m = c.machine.program->memory[op.immediate];
  MemoryOp from = m;
  from.space = trace::MemorySpace::global;
  Access to, source;
  // Lanes that copy nothing do not touch global memory, wherever they point.
  std::array<u32, lanes> bytes;
  bytes.fill(m.bytes);
  u32 reading = mask;
  if (m.source_bytes != 0) {
    reading = 0;
    for (std::size_t l = 0; l < lanes; ++l) {
      bytes[l] = std::min(row<u32>(c.registers(), m.source_bytes)[l], m.bytes);
      reading |= bytes[l] != 0 ? mask & 1u << l : 0u;
    }
  }
  if (m.may_ignore) reading &= ~(*row<u32>(c.registers(), m.ignored) ^ m.ignored_flip);
  if (!resolve(c, m, m.base, m.base_bits, m.offset, m.area, m.bytes, true, mask, to)) return Flow::faulted;
  if (reading != 0 && !resolve(c, from, m.source, 64, m.source_offset, Area::global, m.bytes, false, reading, source))
    return Flow::faulted;
  if (c.machine.tags()) {
    check_address_data(c, m, m.base, m.base_bits, mask);
    check_address_data(c, m, m.source, 64, reading);
  }
  for (const std::size_t l : set_bits(mask)) {
    Store& s = *to.stores[l];
    std::memset(s.data + to.at[l], 0, m.bytes);
    if ((reading >> l & 1) != 0) std::memcpy(s.data + to.at[l], source.stores[l]->data + source.at[l], bytes[l]);
    if (!c.machine.tags()) continue;
    for (u32 w = 0; w < m.bytes / 4; ++w)
      s.set_tag(to.at[l] / 4 + w, (reading >> l & 1) != 0 && w * 4 < bytes[l]
                                      ? source.stores[l]->tag(source.at[l] / 4 + w)
                                      : trace::no_data);
  }
  if (c.machine.observed()) {
    if (m.past_l1) source.destinations = to.address;
    if (reading != 0) report_moved(c, from, m.kind, source, m.bytes, reading);
    report_moved(c, m, m.kind, to, m.bytes, mask);
  }
  return Flow::next;
}

}  // namespace lanescope::emulator
