// mbarrier objects, and bulk copies, which complete the bytes that such an object expects.
//
// The PTX ISA leaves the contents of an object open. Here, from the lowest bit:
//
//   20 bits   arrivals of each phase
//   20 bits   arrivals still missing in this phase
//   22 bits   bytes still missing in this phase, signed
//    1 bit    (bit 63) parity of this phase
//
// A phase is complete when neither arrivals nor bytes are missing. mbarrier.arrive returns the object as it was, which is
// what test_wait compares. Copies take effect where they are issued, so no wait is needed.

#include <bit>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "kernels/base/set_bits.h"
#include "kernels/emulator/lanes/addresses.h"
#include "kernels/emulator/lanes/lane_math.h"
#include "kernels/emulator/machine/memory_access.h"
#include "kernels/emulator/steps/steps.h"

namespace lanescope::emulator {

namespace {

struct BarrierObject {
  u32 expected = 0, pending = 0;
  s32 bytes = 0;
  bool parity = false;

  static BarrierObject of(u64 bits) {
    const u32 missing = static_cast<u32>(bits >> 40 & 0x3fffff);
    return {static_cast<u32>(bits & 0xfffff), static_cast<u32>(bits >> 20 & 0xfffff),
            static_cast<s32>(missing << 10) >> 10, bits >> 63 != 0};
  }
  u64 bits() const {
    return u64{expected & 0xfffff} | u64{pending & 0xfffff} << 20 | u64{static_cast<u32>(bytes) & 0x3fffff} << 40 |
           u64{parity} << 63;
  }
  void finish() {
    if (pending != 0 || bytes != 0) return;
    parity = !parity;
    pending = expected;
  }
};

/// The object at one lane's place.
class ObjectAt {
 public:
  ObjectAt(const Access& a, std::size_t lane) : store_(a.stores[lane]), at_(a.at[lane]), data_(store_->data + at_) {
    u64 bits;
    std::memcpy(&bits, data_, 8);
    before = bits;
    object = BarrierObject::of(bits);
  }
  void write() const {
    const u64 bits = object.bits();
    std::memcpy(data_, &bits, 8);
    if (!store_->tags.empty() || store_->identified)
      for (u64 w = 0; w < 2; ++w) store_->set_tag(at_ / 4 + w, trace::no_data);
  }
  BarrierObject object;
  u64 before = 0;

 private:
  Store* store_;
  u64 at_;
  u8* data_;
};

void set_predicate(Context& c, u32 offset, std::size_t lane, bool value) {
  u32& p = *row<u32>(c.registers(), offset);
  p = (p & ~(1u << lane)) | (u32{value} << lane);
  if (c.machine.tags()) *row<u32>(c.warp.tags.data(), offset) &= ~(1u << lane);
}

bool resolve_object(Context& c, const MemoryOp& m, u32 mask, Access& a) {
  return resolve(c, m, m.base, m.base_bits, m.offset, m.area, 8, true, mask, a);
}

void report_object(Context& c, std::size_t lane, u32 block, u64 address, trace::BarrierObjectEvent::Kind kind,
                   bool completes, bool passes, bool copies) {
  trace::BarrierObjectEvent e;
  e.where = c.where;
  e.where.active = 1u << lane;
  e.kind = kind;
  e.block = block;
  e.address = address;
  e.completes = completes;
  e.passes = passes;
  e.copies = copies;
  for (trace::Observer* o : c.machine.options.observers) o->on_barrier_object(e);
}

/// In whose shared memory a lane's object is.
u32 owner_of(Context& c, const Access& a, std::size_t lane) {
  return c.machine.owner_of(*a.stores[lane], c.block).index;
}

trace::BarrierObjectEvent::Kind event_kind(BarrierObjectOp::Kind kind) {
  using Kind = BarrierObjectOp::Kind;
  using Reported = trace::BarrierObjectEvent::Kind;
  switch (kind) {
    case Kind::init:
      return Reported::init;
    case Kind::inval:
      return Reported::inval;
    case Kind::arrive:
    case Kind::arrive_drop:
      return Reported::arrive;
    case Kind::expect:
      return Reported::expect;
    case Kind::complete:
      return Reported::complete;
    default:
      return Reported::test;
  }
}

u64 word_at(Context& c, u32 offset, u8 bits, std::size_t lane) {
  return bits == 64 ? row<u64>(c.registers(), offset)[lane] : row<u32>(c.registers(), offset)[lane];
}

}  // namespace

Flow step_barrier_object(Context& c, const Op& op, u32 mask) {
  const BarrierObjectOp& o = c.machine.program->barrier_objects[op.immediate];
  using Kind = BarrierObjectOp::Kind;
  if (o.kind == Kind::pending_count) {
    for (const std::size_t l : set_bits(mask))
      row<u32>(c.registers(), o.destination)[l] = BarrierObject::of(row<u64>(c.registers(), o.token)[l]).pending;
    if (c.machine.tags()) c.tags().clear(o.destination, 32, mask);
    return Flow::next;
  }
  Access a;
  if (!resolve_object(c, o.memory, mask, a)) return Flow::faulted;
  const bool waits = o.kind == Kind::test || o.kind == Kind::test_parity;
  for (const std::size_t l : set_bits(mask)) {
    ObjectAt at(a, l);
    BarrierObject& b = at.object;
    const bool parity = b.parity;
    const u32 count = o.count == 0 ? 1 : row<u32>(c.registers(), o.count)[l];
    const u32 bytes = o.bytes == 0 ? 0 : row<u32>(c.registers(), o.bytes)[l];
    switch (o.kind) {
      case Kind::init:
        b = {.expected = count, .pending = count};
        break;
      case Kind::inval:
        b = {};
        break;
      case Kind::expect:
        b.bytes += static_cast<s32>(bytes);
        break;
      case Kind::complete:
        b.bytes -= static_cast<s32>(bytes);
        b.finish();
        break;
      case Kind::arrive:
      case Kind::arrive_drop:
        b.bytes += static_cast<s32>(bytes);
        if (count > b.pending) {
          c.machine.fault_at(c, Fault::Kind::unsupported, static_cast<int>(l), a.address[l],
                             fmt::format("arrives {} times at a barrier object that waits for {} more arrivals in this "
                                         "phase",
                                         count, b.pending));
          return Flow::faulted;
        }
        if (o.kind == Kind::arrive_drop) b.expected -= count;
        b.pending -= count;
        b.finish();
        break;
      case Kind::test:
        set_predicate(c, o.destination, l, b.parity != (row<u64>(c.registers(), o.token)[l] >> 63 != 0));
        break;
      case Kind::test_parity:
        set_predicate(c, o.destination, l, b.parity != ((row<u32>(c.registers(), o.token)[l] & 1) != 0));
        break;
      case Kind::pending_count:
        break;
    }
    const bool passes = waits && (*row<u32>(c.registers(), o.destination) >> l & 1) != 0;
    const bool completes = o.kind != Kind::init && o.kind != Kind::inval && b.parity != parity;
    if (!waits) at.write();
    if (c.machine.observed())
      report_object(c, l, owner_of(c, a, l), a.address[l], event_kind(o.kind), completes, passes, o.copies);
    if (waits) continue;
    if (o.destination != 0) {
      row<u64>(c.registers(), o.destination)[l] = at.before;
      if (c.machine.tags()) c.tags().clear(o.destination, 64, 1u << l);
    }
  }
  if (waits) {
    const std::size_t first = static_cast<std::size_t>(std::countr_zero(mask));
    const bool done = (*row<u32>(c.registers(), o.destination) >> first & 1) != 0;
    if (!done) note_poll(c, ObjectAt(a, first).before);
  } else {
    c.group().polls = 0;
    ++c.machine.acts;
  }
  return Flow::next;
}

namespace {

/// A lane's range of memory.
struct Range {
  Store* store = nullptr;
  u64 at = 0;
};

bool find_range(Context& c, const MemoryOp& m, bool writes, std::size_t lane, u32 bytes, Range& out) {
  Access a;
  if (!resolve(c, m, m.base, m.base_bits, m.offset, m.area, 16, writes, 1u << lane, a)) return false;
  out = {a.stores[lane], a.at[lane]};
  if (out.store->bytes - out.at >= bytes) return true;
  c.machine.fault_at(c, Fault::Kind::out_of_bounds, static_cast<int>(lane), a.address[lane],
                     fmt::format("a bulk copy of {} bytes reaches beyond the end of {}", bytes, out.store->name));
  return false;
}

/// A barrier object that receives bytes.
struct Reported {
  u64 address = 0;
  u32 block = 0;
};

void report_bulk(Context& c, const BulkOp& b, std::size_t lane, const Range& to, const Range* from, u32 bytes,
                 std::optional<Reported> object) {
  const auto place = [&](const Range& r) {
    if (!r.store->is_shared) return trace::BulkCopyEvent::Range{trace::MemorySpace::global, r.store->base + r.at};
    return trace::BulkCopyEvent::Range{trace::MemorySpace::shared, r.at, c.machine.owner_of(*r.store, c.block).index};
  };
  trace::BulkCopyEvent e;
  e.where = c.where;
  e.where.active = 1u << lane;
  e.to = place(to);
  e.reads = from != nullptr;
  if (e.reads) e.from = place(*from);
  e.reduces = b.to.atomic != Atomic::none;
  e.bytes = bytes;
  e.has_object = object.has_value();
  if (object) e.object = object->address, e.object_block = object->block;
  for (trace::Observer* o : c.machine.options.observers) o->on_bulk_copy(e);
}

void copy_range(Context& c, const Range& to, const Range& from, u32 bytes) {
  std::memmove(to.store->data + to.at, from.store->data + from.at, bytes);
  if (!c.machine.tags()) return;
  std::vector<trace::WordTag> tags;
  for (u32 w = 0; w < bytes / 4; ++w) tags.push_back(from.store->tag(from.at / 4 + w));
  for (u32 w = 0; w < bytes / 4; ++w) to.store->set_tag(to.at / 4 + w, tags[w]);
}

void reduce_range(Context& c, const MemoryOp& how, const Range& to, const Range& from, u32 bytes) {
  for (u32 i = 0; i < bytes; i += how.bytes) {
    u8* const d = to.store->data + to.at + i;
    const u64 operand = read_bytes(from.store->data + from.at + i, how.bytes);
    write_bytes(d, combine_atomic(how, read_bytes(d, how.bytes), operand, 0, false), how.bytes);
  }
  if (!c.machine.tags()) return;
  TagContext t = c.tags();
  for (u32 w = 0; w < bytes / 4; ++w)
    to.store->set_tag(to.at / 4 + w, t.computed(to.store->tag(to.at / 4 + w), from.store->tag(from.at / 4 + w)));
}

}  // namespace

namespace {

/// A copy of one lane to the same place of several blocks of the cluster, each with a barrier object of its own there.
bool copy_to_blocks(Context& c, const BulkOp& b, std::size_t lane, u32 bytes) {
  const u64 to = word_at(c, b.to.base, b.to.base_bits, lane) + static_cast<u64>(b.to.offset);
  const u64 object = word_at(c, b.barrier.base, b.barrier.base_bits, lane) + static_cast<u64>(b.barrier.offset);
  Range from;
  if (bytes != 0 && !find_range(c, b.from, false, lane, bytes, from)) return false;
  for (const std::size_t rank : set_bits(row<u32>(c.registers(), b.blocks)[lane] & 0xffff)) {
    Block* const other = c.machine.block_of_cluster(c.block, static_cast<u32>(rank));
    if (other == nullptr) {
      c.machine.fault_at(c, Fault::Kind::out_of_bounds, static_cast<int>(lane), 0,
                         fmt::format("a bulk copy to block {} of the cluster, which has {} blocks that run", rank,
                                     c.machine.cluster_blocks()));
      return false;
    }
    Store& s = other->shared;
    const auto inside = [&](u64 address, u64 count, u64& at) {
      at = (address & cluster_offset_mask) - s.base;
      if (at <= s.bytes && s.bytes - at >= count) return true;
      c.machine.fault_at(c, Fault::Kind::out_of_bounds, static_cast<int>(lane), address,
                         fmt::format("a bulk copy of {} bytes, {}", bytes, after_words(at, s.bytes, s.name)));
      return false;
    };
    u64 at = 0;
    if (!inside(to, bytes, at)) return false;
    const Range there{&s, at};
    if (bytes != 0) copy_range(c, there, from, bytes);
    if (!inside(object, 8, at)) return false;
    if (c.machine.observed() && bytes != 0) report_bulk(c, b, lane, there, &from, bytes, Reported{at, other->index});
    u64 bits;
    std::memcpy(&bits, s.data + at, 8);
    BarrierObject o = BarrierObject::of(bits);
    const bool parity = o.parity;
    o.bytes -= static_cast<s32>(bytes);
    o.finish();
    bits = o.bits();
    std::memcpy(s.data + at, &bits, 8);
    if (c.machine.observed())
      report_object(c, lane, other->index, at, trace::BarrierObjectEvent::Kind::complete, o.parity != parity, false,
                    false);
  }
  return true;
}

}  // namespace

Flow step_bulk_copy(Context& c, const Op& op, u32 mask) {
  const BulkOp& b = c.machine.program->bulk_copies[op.immediate];
  for (const std::size_t l : set_bits(mask)) {
    const u32 bytes = static_cast<u32>(word_at(c, b.bytes, 32, l));
    if (bytes % 16 != 0) {
      c.machine.fault_at(c, Fault::Kind::misaligned, static_cast<int>(l), 0,
                         fmt::format("a bulk copy of {} bytes, which is not a multiple of 16", bytes));
      return Flow::faulted;
    }
    if (b.blocks != 0) {
      if (!copy_to_blocks(c, b, l, bytes)) return Flow::faulted;
      continue;
    }
    Range to, from;
    if (bytes != 0) {
      if (!find_range(c, b.to, true, l, bytes, to)) return Flow::faulted;
      if (b.fills) {
        std::memset(to.store->data + to.at, 0, bytes);
        if (c.machine.tags())
          for (u32 w = 0; w < bytes / 4; ++w) to.store->set_tag(to.at / 4 + w, trace::no_data);
      } else {
        if (!find_range(c, b.from, false, l, bytes, from)) return Flow::faulted;
        if (b.to.atomic == Atomic::none)
          copy_range(c, to, from, bytes);
        else
          reduce_range(c, b.to, to, from, bytes);
      }
    }
    Access a;
    if (b.completes && !resolve_object(c, b.barrier, 1u << l, a)) return Flow::faulted;
    if (c.machine.observed() && bytes != 0)
      report_bulk(c, b, l, to, b.fills ? nullptr : &from, bytes,
                  b.completes ? std::optional(Reported{a.address[l], owner_of(c, a, l)}) : std::nullopt);
    if (!b.completes) continue;
    ObjectAt at(a, l);
    const bool parity = at.object.parity;
    at.object.bytes -= static_cast<s32>(bytes);
    at.object.finish();
    at.write();
    if (c.machine.observed())
      report_object(c, l, owner_of(c, a, l), a.address[l], trace::BarrierObjectEvent::Kind::complete,
                    at.object.parity != parity, false, false);
  }
  c.group().polls = 0;
  return Flow::next;
}

/// st.async and red.async: one or more words of a register each, then the object's bytes.
Flow step_remote_store(Context& c, const Op& op, u32 mask) {
  const BulkOp& b = c.machine.program->bulk_copies[op.immediate];
  const u32 width = b.to.bytes * b.to.count;
  Access a, object;
  if (!resolve(c, b.to, b.to.base, b.to.base_bits, b.to.offset, b.to.area, width, true, mask, a) ||
      !resolve_object(c, b.barrier, mask, object))
    return Flow::faulted;
  for (const std::size_t l : set_bits(mask)) {
    for (u32 e = 0; e < b.to.count; ++e) {
      u8* const at = a.stores[l]->data + a.at[l] + u64{e} * b.to.bytes;
      const u64 value = word_at(c, b.to.registers[e], b.to.bytes == 8 ? 64 : 32, l);
      write_bytes(
          at, b.to.atomic == Atomic::none ? value : combine_atomic(b.to, read_bytes(at, b.to.bytes), value, 0, false),
          b.to.bytes);
    }
    if (c.machine.tags()) {
      TagContext t = c.tags();
      for (u32 w = 0; w < width / 4; ++w) {
        const u32 from = b.to.registers[w * 4 / b.to.bytes];
        const u32 word = b.to.bytes == 8 ? w % 2 : 0;
        const trace::WordTag tag = t.carries(from, 32) ? t.words(from)[word * lanes + l] : trace::no_data;
        const trace::WordTag old = a.stores[l]->tag(a.at[l] / 4 + w);
        a.stores[l]->set_tag(a.at[l] / 4 + w, b.to.atomic == Atomic::none ? tag : t.computed(old, tag));
      }
    }
    const Reported reported{object.address[l], owner_of(c, object, l)};
    if (c.machine.observed()) report_bulk(c, b, l, {a.stores[l], a.at[l]}, nullptr, width, reported);
    ObjectAt at(object, l);
    const bool parity = at.object.parity;
    at.object.bytes -= static_cast<s32>(width);
    at.object.finish();
    at.write();
    if (c.machine.observed())
      report_object(c, l, reported.block, reported.address, trace::BarrierObjectEvent::Kind::complete,
                    at.object.parity != parity, false, false);
  }
  c.group().polls = 0;
  return Flow::next;
}

}  // namespace lanescope::emulator
