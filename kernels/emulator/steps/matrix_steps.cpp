// ldmatrix, stmatrix, movmatrix: 8x8 matrices of 16-bit elements between rows in shared memory and registers.
//
// Lane l holds two elements of a matrix in one register, in its low (h = 0) and high (h = 1) half (PTX ISA, ldmatrix,
// "matrix fragment layout"):
//   plain   row l / 4,           column 2 * (l % 4) + h
//   trans   row 2 * (l % 4) + h, column l / 4
// Row r of matrix i begins at the address that lane 8 * i + r gives. Elements only move, so identities stay exact.

#include <array>
#include <bit>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "kernels/emulator/machine/memory_access.h"
#include "kernels/emulator/steps/steps.h"

namespace lanescope::emulator {

namespace {

constexpr std::size_t side = 8;

struct Matrix {
  u16 value[side][side] = {};
  trace::WordTag tag[side][side] = {};  ///< of the low half of a word
};

struct Fragment {
  std::array<u32, lanes> value{};
  std::array<trace::WordTag, lanes> tag{};
};

struct Place {
  std::size_t row, column;
};
Place place_of(std::size_t lane, std::size_t half, bool trans) {
  const Place plain{lane / 4, 2 * (lane % 4) + half};
  return trans ? Place{plain.column, plain.row} : plain;
}

Fragment to_registers(const Matrix& m, bool trans, TagContext* t) {
  Fragment f;
  for (std::size_t l = 0; l < lanes; ++l)
    for (std::size_t half = 0; half < 2; ++half) {
      const Place p = place_of(l, half, trans);
      f.value[l] |= u32{m.value[p.row][p.column]} << (16 * half);
      if (t != nullptr) f.tag[l] = t->merge(f.tag[l], m.tag[p.row][p.column], static_cast<u32>(16 * half), 16);
    }
  return f;
}

Matrix from_registers(const u32* values, const trace::WordTag* tags, bool trans, TagContext* t) {
  Matrix m;
  for (std::size_t l = 0; l < lanes; ++l)
    for (std::size_t half = 0; half < 2; ++half) {
      const Place p = place_of(l, half, trans);
      m.value[p.row][p.column] = static_cast<u16>(values[l] >> (16 * half));
      if (t != nullptr && tags != nullptr)
        m.tag[p.row][p.column] = t->cut(tags[l], static_cast<u32>(16 * half), 16, false);
    }
  return m;
}

Matrix read_rows(const Access& a, std::size_t first_lane, TagContext* t) {
  Matrix m;
  for (std::size_t r = 0; r < side; ++r) {
    const Store& s = *a.stores[first_lane + r];
    const u64 at = a.at[first_lane + r];
    std::memcpy(m.value[r], s.data + at, 16);
    for (std::size_t c = 0; c < side && t != nullptr; ++c) m.tag[r][c] = read_tag(*t, s, at + 2 * c, 2, false);
  }
  return m;
}

void write_rows(const Access& a, std::size_t first_lane, const Matrix& m, TagContext* t) {
  for (std::size_t r = 0; r < side; ++r) {
    Store& s = *a.stores[first_lane + r];
    const u64 at = a.at[first_lane + r];
    std::memcpy(s.data + at, m.value[r], 16);
    for (std::size_t c = 0; c < side && t != nullptr; ++c) write_tag(*t, s, at + 2 * c, 2, m.tag[r][c]);
  }
}

void set_fragment(Context& c, u32 offset, const Fragment& f, TagContext* t) {
  std::memcpy(row<u32>(c.registers(), offset), f.value.data(), sizeof f.value);
  if (t == nullptr) return;
  t->clear(offset, 32, all_lanes);
  u32 any = 0;
  for (u32 tag : f.tag) any |= tag;
  if (any == 0) return;
  std::memcpy(t->words(offset), f.tag.data(), sizeof f.tag);
  t->mark(offset);
}

const trace::WordTag* tags_of(TagContext* t, u32 offset) {
  return t != nullptr && t->carries(offset, 32) ? t->words(offset) : nullptr;
}

}  // namespace

/// The hardware leaves open what happens when lanes are missing; nothing sensible does.
bool whole_warp(Context& c, u32 mask) {
  if (mask == all_lanes) return true;
  c.machine.fault_at(
      c, Fault::Kind::unsupported, std::countr_zero(~mask), 0,
      fmt::format("a matrix instruction needs all 32 lanes of the warp; {} are active", std::popcount(mask)));
  return false;
}

Flow step_matrix_memory(Context& c, const Op& op, u32 mask) {
  const MemoryOp& m = c.machine.program->memory[op.immediate];
  const bool writes = m.kind == trace::AccessKind::store;
  const u32 rows = m.matrices == 4 ? all_lanes : (1u << (8 * m.matrices)) - 1;
  Access a;
  if (!whole_warp(c, mask) || !resolve(c, m, m.base, m.base_bits, m.offset, m.area, 16, writes, rows, a))
    return Flow::faulted;
  std::optional<TagContext> tags;
  if (c.machine.tags()) tags.emplace(c.tags());
  TagContext* const t = tags ? &*tags : nullptr;
  if (const u32 by = t != nullptr ? t->lanes_with_data(m.base, m.base_bits, rows) : 0; by != 0)
    c.machine.steer(c.where, trace::SteerEvent::What::address, by);
  std::array<Matrix, 4> matrices;  // all are read before any is written: a destination may be the address register
  for (std::size_t i = 0; i < m.matrices; ++i)
    matrices[i] =
        writes ? from_registers(row<u32>(c.registers(), m.registers[i]), tags_of(t, m.registers[i]), m.transposed, t)
               : read_rows(a, side * i, t);
  for (std::size_t i = 0; i < m.matrices; ++i) {
    if (writes)
      write_rows(a, side * i, matrices[i], t);
    else
      set_fragment(c, m.registers[i], to_registers(matrices[i], m.transposed, t), t);
  }
  c.group().polls = 0;
  if (c.machine.observed()) report_moved(c, m, m.kind, a, 16, rows);
  return Flow::next;
}

Flow step_matrix_move(Context& c, const Op& op, u32 mask) {
  if (!whole_warp(c, mask)) return Flow::faulted;
  std::optional<TagContext> tags;
  if (c.machine.tags()) tags.emplace(c.tags());
  TagContext* const t = tags ? &*tags : nullptr;
  const Matrix m = from_registers(row<u32>(c.registers(), op.a), tags_of(t, op.a), false, t);
  set_fragment(c, op.d, to_registers(m, true, t), t);
  return Flow::next;
}

}  // namespace lanescope::emulator
