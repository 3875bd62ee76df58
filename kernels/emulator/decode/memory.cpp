// Loads, stores, atomics and asynchronous copies.

#include <algorithm>

#include "kernels/emulator/decode/decoder.h"
#include "kernels/emulator/steps/steps.h"

namespace lanescope::emulator {

using ptx::Operand;
using ptx::Type;
using Kind = Operand::Kind;
using Scope = Operand::Scope;

void Decoder::push_memory(MemoryOp m, Step step) {
  op_.immediate = static_cast<u32>(program_.memory.size());
  op_.step = step;
  program_.memory.push_back(m);
}

bool Decoder::memory_space(MemoryOp& m) {
  using trace::MemorySpace;
  const auto is = [&](Area area, MemorySpace space) {
    m.area = area;
    m.space = space;
    return true;
  };
  m.of_cluster = has("shared::cluster") || !(has("shared") || has("shared::cta"));
  if (has("shared") || has("shared::cta") || has("shared::cluster")) return is(Area::shared, MemorySpace::shared);
  if (has("local")) return is(Area::local, MemorySpace::local);
  if (has("const")) return is(Area::global, MemorySpace::constant);
  if (has("global")) return is(Area::global, MemorySpace::global);
  if (has("param") || has("param::entry") || has("param::func")) {
    const Operand* address = nullptr;
    for (const Operand& o : instruction_->operands)
      if (o.kind == Kind::address) address = &o;
    const bool kernel_params =
        address != nullptr && ((address->symbol_scope == Scope::param && !entry_.is_function) ||
                               (address->symbol < 0 && !entry_.is_function) || has("param::entry"));
    return is(kernel_params ? Area::global : Area::frame, MemorySpace::param);
  }
  // A generic address that names a variable is one in its space, as ptxas has it.
  for (const Operand& o : instruction_->operands)
    if (o.kind == Kind::address && o.reg < 0 && o.symbol >= 0) {
      const auto* v = o.symbol_scope == Scope::module  ? &program_.module->variables[static_cast<std::size_t>(o.symbol)]
                      : o.symbol_scope == Scope::entry ? &entry_.variables[static_cast<std::size_t>(o.symbol)]
                                                       : nullptr;
      m.of_cluster = false;
      if (v != nullptr && v->space == ptx::Space::shared) return is(Area::shared, MemorySpace::shared);
      if (v != nullptr && v->space == ptx::Space::local) return is(Area::local, MemorySpace::local);
    }
  return is(Area::generic, MemorySpace::global);
}

bool Decoder::memory_operand(const Operand& o, MemoryOp& m) {
  if (o.kind != Kind::address) return refuse("the emulator does not support this form of address");
  if (!o.elements.empty()) return refuse("tensor coordinates are not supported");
  if (o.reg >= 0) {
    m.base = offset_of(o.reg);
    m.base_bits = register_bits(o.reg);
    if (m.base_bits != 32 && m.base_bits != 64) return refuse("an address has 32 or 64 bits");
    m.offset = o.offset;
    return true;
  }
  m.base_bits = 64;
  if (o.symbol >= 0 && moves_with_frame(o)) {
    m.base = function_.frame_row;
    m.offset = static_cast<s64>(address_of(o));
    return true;
  }
  u64 address = static_cast<u64>(o.offset);
  if (o.symbol >= 0) address = address_of(o);
  m.base = constants_.row_of(address, 64);
  return true;
}

bool Decoder::value_operands(const Operand& o, MemoryOp& m, bool is_destination) {
  const auto one = [&](const Operand& e) {
    if (e.kind == Kind::reg) {
      const u8 bits = register_bits(e.reg);
      if (bits == 1 || bits < m.bytes * 8) need(e, static_cast<u8>(m.bytes * 8));
      return std::pair{offset_of(e.reg), bits};
    }
    if (e.kind == Kind::sink || is_destination) return std::pair{sink_row, u8{64}};
    const u8 bits = static_cast<u8>(std::max(32u, m.bytes * 8));
    return std::pair{source(e, bits), bits};
  };
  if (o.kind == Kind::vector) {
    if (o.elements.size() > m.registers.size()) return refuse("vectors of more than 8 elements are not supported");
    m.count = static_cast<u32>(o.elements.size());
    for (std::size_t i = 0; i < o.elements.size(); ++i)
      std::tie(m.registers[i], m.register_bits[i]) = one(o.elements[i]);
  } else {
    std::tie(m.registers[0], m.register_bits[0]) = one(o);
  }
  return true;
}

namespace {

/// Vectors of 256 bits: words of global memory.
bool is_wide_vector(const MemoryOp& m, std::string_view opcode) {
  return opcode != "ldu" && m.bytes >= 4 && (m.area == Area::global || m.area == Area::generic) &&
         m.space == trace::MemorySpace::global;
}

}  // namespace

bool Decoder::load_store() {
  const bool is_load = instruction_->opcode != "st";
  if (has("bulk")) return bulk_copy();
  if (has("async") && !has("release")) return remote_store();
  const Type t = type();
  if (ptx::bits_of(t) < 8 || ptx::bits_of(t) > 128) return refuse("elements of this type are not supported");
  if (is_load && load_parameter()) return true;
  MemoryOp m;
  m.kind = is_load ? trace::AccessKind::load : trace::AccessKind::store;
  m.bytes = std::min(static_cast<u32>(ptx::bits_of(t)) / 8, 8u);
  m.is_signed = t >= Type::s8 && t <= Type::s64;
  m.read_only = has("nc") || instruction_->opcode == "ldu";
  m.polls = has("volatile") || has("relaxed") || has("acquire");
  memory_space(m);
  const Operand& address = operand(is_load ? 1 : 0);
  const Operand& value = operand(is_load ? 0 : 1);
  if (!memory_operand(address, m) || !value_operands(value, m, is_load)) return false;
  if (m.count != (has("v8") ? 8u : has("v4") ? 4u : has("v2") ? 2u : 1u))
    return refuse("its vector has another length");
  if (m.count * m.bytes > (is_wide_vector(m, instruction_->opcode) ? 32u : 16u))
    return refuse("vectors of this size are not supported here");
  if (m.count * m.bytes != 32 && (has("L2::evict_first") || has("L2::evict_normal") || has("L2::evict_last")))
    return refuse("this hint needs 256 bits");
  if (has("async") && value.kind == Kind::reg && m.register_bits[0] != m.bytes * 8)
    return refuse("it needs a register as wide as its type");
  if (t == Type::b128) {
    if (value.kind != Kind::reg || register_bits(value.reg) != 128) return refuse("it needs a register of 128 bits");
    m.count = 2;
    m.registers[1] = m.registers[0] + 256;
    m.register_bits[0] = m.register_bits[1] = 64;
  }
  m.plain_rows = m.count == 1 && (m.bytes == 4 || m.bytes == 8) && m.register_bits[0] == m.bytes * 8;
  push_memory(m, step_memory);
  return true;
}

/// A kernel's scalar parameter at a fixed place is a constant.
bool Decoder::load_parameter() {
  const Operand& address = operand(1);
  if (entry_.is_function || address.kind != Kind::address || address.reg >= 0 || address.symbol_scope != Scope::param ||
      operand(0).kind != Kind::reg || type() == Type::b128)
    return false;
  const Store& params = program_.variables.stores[0];
  const u64 at = address_of(address) - params.base;
  const u8 bits = static_cast<u8>(ptx::bits_of(type()));
  if (at + bits / 8 > params.bytes) return false;
  u64 value = 0;
  for (u32 i = 0; i < bits / 8u; ++i) value |= u64{params.own[at + i]} << (8 * i);
  const bool is_signed = type() >= Type::s8 && type() <= Type::s64;
  if (is_signed && bits < 64 && (value >> (bits - 1) & 1) != 0) value |= ~u64{0} << bits;
  const u8 register_width = register_bits(operand(0).reg);
  if (register_width == 1 || register_width < bits) need(operand(0), bits);
  op_.d = offset_of(operand(0).reg);
  op_.a = constants_.row_of(value, register_width);
  op_.d_bits = op_.a_bits = register_width;
  op_.b_bits = op_.c_bits = 0;
  op_.tag = tag_nothing;
  return set_exec(register_width == 64 ? "mov.b64" : register_width == 16 ? "mov.b16" : "mov.b32");
}

bool Decoder::atomic() {
  static constexpr std::pair<std::string_view, Atomic> names[] = {
      {"add", Atomic::add},  {"min", Atomic::min},   {"max", Atomic::max}, {"and", Atomic::and_}, {"or", Atomic::or_},
      {"xor", Atomic::xor_}, {"exch", Atomic::exch}, {"cas", Atomic::cas}, {"inc", Atomic::inc},  {"dec", Atomic::dec}};
  if (has("async") && !has("release")) return remote_store();
  if (has("async") && has("cluster")) return refuse("its scope is .gpu");
  MemoryOp m;
  for (const auto& [name, atomic] : names)
    if (has(name)) m.atomic = atomic;
  m.has_destination = instruction_->opcode == "atom";
  m.kind = m.has_destination ? trace::AccessKind::atomic : trace::AccessKind::reduction;
  m.type = type();
  if (m.atomic == Atomic::none || ptx::bits_of(m.type) < 16) return false;
  const bool float_type = m.type == Type::f16 || m.type == Type::f16x2 || m.type == Type::bf16 ||
                          m.type == Type::bf16x2 || m.type == Type::f32 || m.type == Type::f64;
  const std::size_t first = m.has_destination ? 1 : 0;
  const bool is_half = float_type && m.type != Type::f32 && m.type != Type::f64;
  const bool is_vector = operand(first + 1).kind == Kind::vector;
  if (float_type && m.atomic != Atomic::add && m.atomic != Atomic::exch &&
      !(is_half && is_vector && (m.atomic == Atomic::min || m.atomic == Atomic::max)))
    return false;
  const std::size_t operands = first + 2 + (m.atomic == Atomic::cas ? 1 : 0) + (has("L2::cache_hint") ? 1 : 0);
  // ptxas 13.0 takes one more operand of .b32 as a cache policy.
  if (operand_count() != operands && (m.type != Type::b32 || operand_count() != operands + 1))
    return refuse("it has another number of operands");
  m.bytes = static_cast<u32>(ptx::bits_of(m.type)) / 8;
  m.unread = is_unread();
  m.polls = !m.unread;
  memory_space(m);
  if (is_vector || m.type == Type::b128) return wide_atomic(m);
  const u8 bits = static_cast<u8>(m.bytes * 8);
  if (!memory_operand(operand(first), m)) return false;
  if (m.has_destination && !value_operands(operand(0), m, true)) return false;
  m.operand = source(operand(first + 1), bits);
  if (m.atomic == Atomic::cas) m.swap = source(operand(first + 2), bits);
  m.turns = turns_of_atomic();
  push_memory(m, step_atomic);
  return true;
}

bool Decoder::is_unread() {
  if (unread_results_.empty()) unread_results_ = ptx::unread_results(entry_);
  return unread_results_[static_cast<std::size_t>(instruction_ - entry_.code.data())];
}

trace::AtomicTurns Decoder::turns_of_atomic() {
  if (shared_atomics_.empty()) shared_atomics_ = ptx::shared_atomics(entry_);
  switch (shared_atomics_[static_cast<std::size_t>(instruction_ - entry_.code.data())]) {
    case ptx::SharedAtomic::counts_lanes:
      return trace::AtomicTurns::words;
    case ptx::SharedAtomic::one_lane:
      return trace::AtomicTurns::one;
    case ptx::SharedAtomic::as_written:
      break;
  }
  return trace::AtomicTurns::lanes;
}

/// Of vectors, and of 128 bits.
bool Decoder::wide_atomic(MemoryOp m) {
  m.unread = false;
  const std::size_t first = m.has_destination ? 1 : 0;
  const Operand &given = operand(first + 1), &swap = operand(m.atomic == Atomic::cas ? first + 2 : first + 1);
  if (!memory_operand(operand(first), m)) return false;
  if (m.type == Type::b128) {
    if (m.atomic != Atomic::exch && m.atomic != Atomic::cas) return false;
    m.bytes = 8, m.count = 2;
    const auto halves = [&](const Operand& o, u32& low, u32& high) {
      if (o.kind != Kind::reg || register_bits(o.reg) != 128) return refuse("it needs registers of 128 bits");
      low = offset_of(o.reg), high = low + 256;
      return true;
    };
    if (!halves(given, m.operands[0], m.operands[1]) || !halves(swap, m.operands[2], m.operands[3])) return false;
    if (m.has_destination && !halves(operand(0), m.registers[0], m.registers[1])) return false;
  } else {
    if (m.atomic != Atomic::add && m.atomic != Atomic::min && m.atomic != Atomic::max) return false;
    m.count = static_cast<u32>(given.elements.size());
    if (m.count > m.operands.size() || m.count * m.bytes > 16) return refuse("vectors of this size are not supported");
    for (u32 e = 0; e < m.count; ++e) m.operands[e] = source(given.elements[e], static_cast<u8>(m.bytes * 8));
    if (m.has_destination) {
      if (operand(0).kind != Kind::vector || operand(0).elements.size() != m.count)
        return refuse("it returns as many elements as it takes");
      for (u32 e = 0; e < m.count; ++e)
        m.registers[e] = destination(operand(0).elements[e], static_cast<u8>(m.bytes * 8));
    }
  }
  push_memory(m, step_wide_atomic);
  return true;
}

/// The copy takes effect where it is issued, so that commit and wait have nothing left to do. A program that reads the
/// data without waiting is not caught by this.
bool Decoder::async_copy() {
  if (has("bulk")) return bulk_copy();
  if (has("mbarrier") && has("arrive")) {  // the copies are done: with .noinc an arrival, else nothing that counts
    BarrierObjectOp o;
    o.kind = has("noinc") ? BarrierObjectOp::Kind::arrive : BarrierObjectOp::Kind::expect;
    o.copies = true;
    memory_space(o.memory);
    o.memory.kind = trace::AccessKind::atomic;
    if (!memory_operand(operand(0), o.memory)) return false;
    op_.immediate = static_cast<u32>(program_.barrier_objects.size());
    program_.barrier_objects.push_back(o);
    op_.step = step_barrier_object;
    return true;
  }
  if (!has("async") || has("reduce")) return false;
  if (has("commit_group") || has("wait_group") || has("wait_all")) return ignore();
  MemoryOp m;
  m.kind = trace::AccessKind::async_copy;
  m.area = Area::shared;
  m.space = trace::MemorySpace::shared;
  if (!memory_operand(operand(0), m)) return false;
  const Operand& from = operand(1);
  MemoryOp global;
  if (!memory_operand(from, global)) return false;
  m.source = global.base;
  m.source_offset = global.offset;
  m.past_l1 = has("cg");
  m.bytes = static_cast<u32>(operand(2).bits);
  if (m.bytes != 4 && m.bytes != 8 && m.bytes != 16) return refuse("copies of this size are not supported");
  const std::size_t least = has("L2::cache_hint") ? 4 : 3;  // the policy is last
  if (operand_count() > least) {
    const Operand& given = operand(3);
    if (given.kind == Kind::reg && register_bits(given.reg) == 1)
      m.ignored = predicate(given, m.ignored_flip), m.may_ignore = true;
    else
      m.source_bytes = source(given, 32);
  }
  push_memory(m, step_async_copy);
  return true;
}

bool Decoder::matrix() {
  if (!has("m8n8") || type() != Type::b16) return refuse("only matrices of 8x8 elements of 16 bits are supported");
  op_.warp_wide = true;
  op_.parts = constants_.row_of(all_lanes, 32);
  op_.one_part = op_.gathers = true;
  if (instruction_->opcode == "movmatrix") {
    if (!has("trans")) return false;
    op_.d = destination(operand(0), 32);
    op_.a = source(operand(1), 32);
    op_.step = step_matrix_move;
    return true;
  }
  MemoryOp m;
  const bool is_load = instruction_->opcode == "ldmatrix";
  m.kind = is_load ? trace::AccessKind::load : trace::AccessKind::store;
  m.matrices = has("x4") ? 4 : has("x2") ? 2 : 1;
  m.transposed = has("trans");
  m.bytes = 4;
  memory_space(m);
  if (m.area == Area::generic) m.space = trace::MemorySpace::shared;
  if (!memory_operand(operand(is_load ? 1 : 0), m) || !value_operands(operand(is_load ? 0 : 1), m, is_load))
    return false;
  if (m.count != m.matrices) return refuse("it needs one register for each matrix");
  push_memory(m, step_matrix_memory);
  return true;
}

}  // namespace lanescope::emulator
