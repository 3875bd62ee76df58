// Operations on predicates and on vectors of register parts.

#include "kernels/emulator/lanes/addresses.h"
#include "kernels/emulator/lanes/lane_math.h"
#include "kernels/emulator/lanes/operations.h"

namespace lanescope::emulator {

namespace {

void write_predicate(u8* r, u32 offset, u32 value, u32 mask) {
  u32* p = row<u32>(r, offset);
  *p = (*p & ~mask) | (value & mask);
}
u32 combine(BoolOp op, u32 result, u32 c) {
  switch (op) {
    case BoolOp::none:
      return result;
    case BoolOp::and_:
      return result & c;
    case BoolOp::or_:
      return result | c;
    case BoolOp::xor_:
      return result ^ c;
  }
  return result;
}

struct HalvesCompared {
  u32 low, high;
};
HalvesCompared compare_halves(const u8* r, const Op& op) {
  alignas(64) u32 rows[4][lanes];
  for (int l = 0; l < lanes; ++l) {
    const u32 a = row<u32>(r, op.a)[l], b = row<u32>(r, op.b)[l];
    rows[0][l] = a & 0xffff;
    rows[1][l] = b & 0xffff;
    rows[2][l] = a >> 16;
    rows[3][l] = b >> 16;
  }
  const u8* scratch = reinterpret_cast<const u8*>(rows);
  return {op.compare(scratch, 0, 128), op.compare(scratch, 256, 384)};
}

}  // namespace

void exec_setp(u8* r, const Op& op, u32 mask) {
  const u32 result = op.compare(r, op.a, op.b);
  const u32 c = *row<u32>(r, op.c) ^ op.flip;
  const u32 p = combine(op.bool_op, result, c), q = combine(op.bool_op, ~result, c);
  write_predicate(r, op.d, p, mask);
  if (op.d2 != sink_predicate) write_predicate(r, op.d2, q, mask);
}

void exec_setp_pair(u8* r, const Op& op, u32 mask) {
  const HalvesCompared h = compare_halves(r, op);
  const u32 c = *row<u32>(r, op.c) ^ op.flip;
  write_predicate(r, op.d, combine(op.bool_op, h.low, c), mask);
  write_predicate(r, op.d2, combine(op.bool_op, h.high, c), mask);
}

void exec_set(u8* r, const Op& op, u32 mask) {
  const u32 result = combine(op.bool_op, op.compare(r, op.a, op.b), *row<u32>(r, op.c) ^ op.flip);
  u32* d = row<u32>(r, op.d);
  for (int l = 0; l < lanes; ++l)
    if ((mask >> l & 1) != 0) d[l] = (result >> l & 1) != 0 ? op.immediate : 0;
}

void exec_set_pair(u8* r, const Op& op, u32 mask) {
  const HalvesCompared h = compare_halves(r, op);
  const u32 c = *row<u32>(r, op.c) ^ op.flip;
  const u32 low = combine(op.bool_op, h.low, c), high = combine(op.bool_op, h.high, c);
  u32* d = row<u32>(r, op.d);
  for (int l = 0; l < lanes; ++l)
    if ((mask >> l & 1) != 0)
      d[l] = ((low >> l & 1) != 0 ? op.immediate : 0) | ((high >> l & 1) != 0 ? op.immediate << 16 : 0);
}

void exec_lop3_predicate(u8* r, const Op& op, u32 mask) {
  u32* d = row<u32>(r, op.d);
  u32 result = 0;
  for (int l = 0; l < lanes; ++l) {
    if ((mask >> l & 1) == 0) continue;
    const u32 x = truth_table(row<u32>(r, op.a)[l], row<u32>(r, op.b)[l], row<u32>(r, op.c)[l], op.immediate);
    d[l] = x;
    result |= x != 0 ? 1u << l : 0u;
  }
  const u32 q = *row<u32>(r, op.carry) ^ op.flip;
  if (op.d2 != sink_predicate) write_predicate(r, op.d2, combine(op.bool_op, result, q), mask);
}

void exec_predicates(u8* r, const Op& op, u32 mask) {
  const u32 a = *row<u32>(r, op.a) ^ ((op.flip & 1) != 0 ? all_lanes : 0);
  const u32 b = *row<u32>(r, op.b) ^ ((op.flip & 2) != 0 ? all_lanes : 0);
  write_predicate(r, op.d, truth_table(a, b, *row<u32>(r, op.c), op.immediate), mask);
}

namespace {
void move_halves(u8* r, const MoveOp& m, u32 mask) {
  for (std::size_t i = 0; i < m.parts.size(); ++i) {
    const u32 half = m.whole + 256 * static_cast<u32>(i);
    if (m.parts[i] == 0) continue;
    const u64* const from = row<u64>(r, m.packs ? m.parts[i] : half);
    u64* const to = row<u64>(r, m.packs ? half : m.parts[i]);
    for (int l = 0; l < lanes; ++l)
      if ((mask >> l & 1) != 0) to[l] = from[l];
  }
}
}  // namespace

void exec_pack(u8* r, const Op& op, u32 mask) {
  const MoveOp& m = *op.move;
  if (m.part_bits == 64) return move_halves(r, m, mask);
  const u64 keep = (u64{1} << m.part_bits) - 1;
  for (int l = 0; l < lanes; ++l) {
    if ((mask >> l & 1) == 0) continue;
    u64 whole = 0;
    for (std::size_t i = 0; i < m.parts.size(); ++i) whole |= (row<u32>(r, m.parts[i])[l] & keep) << (i * m.part_bits);
    if (m.whole_bits == 64)
      row<u64>(r, m.whole)[l] = whole;
    else
      row<u32>(r, m.whole)[l] = static_cast<u32>(whole);
  }
}

void exec_unpack(u8* r, const Op& op, u32 mask) {
  const MoveOp& m = *op.move;
  if (m.part_bits == 64) return move_halves(r, m, mask);
  const u64 keep = (u64{1} << m.part_bits) - 1;
  for (int l = 0; l < lanes; ++l) {
    if ((mask >> l & 1) == 0) continue;
    const u64 whole = m.whole_bits == 64 ? row<u64>(r, m.whole)[l] : row<u32>(r, m.whole)[l];
    for (std::size_t i = 0; i < m.parts.size(); ++i)
      if (m.parts[i] != 0) row<u32>(r, m.parts[i])[l] = static_cast<u32>(whole >> (i * m.part_bits) & keep);
  }
}

void exec_cvt_pack(u8* r, const Op& op, u32 mask) {
  const u32 bits = op.immediate;
  const bool is_signed = op.flip != 0;
  const s64 low = is_signed ? -(s64{1} << (bits - 1)) : 0, high = (s64{1} << (is_signed ? bits - 1 : bits)) - 1;
  const u32 keep = (1u << bits) - 1;
  const auto part = [&](u32 x) {
    const s64 v = static_cast<s32>(x);
    return static_cast<u32>(v < low ? low : v > high ? high : v) & keep;
  };
  for (int l = 0; l < lanes; ++l) {
    if ((mask >> l & 1) == 0) continue;
    const u32 above = op.c_bits == 0 || bits == 16 ? 0 : row<u32>(r, op.c)[l] << 2 * bits;
    row<u32>(r, op.d)[l] = above | part(row<u32>(r, op.a)[l]) << bits | part(row<u32>(r, op.b)[l]);
  }
}

void exec_testp(u8* r, const Op& op, u32 mask) {
  u32 result = 0;
  for (int l = 0; l < lanes; ++l) {
    const bool is_64 = op.a_bits == 64;
    const u64 bits = is_64 ? row<u64>(r, op.a)[l] : row<u32>(r, op.a)[l];
    const u64 exponent = is_64 ? bits >> 52 & 0x7ff : bits >> 23 & 0xff;
    const u64 fraction = bits & (is_64 ? (u64{1} << 52) - 1 : 0x7fffffu);
    const u64 top = is_64 ? 0x7ff : 0xff;
    const bool answers[] = {exponent != top,
                            exponent == top && fraction == 0,
                            exponent != top || fraction == 0,
                            exponent == top && fraction != 0,
                            exponent != top && (exponent != 0 || fraction == 0),  // zero counts as normal
                            exponent == 0 && fraction != 0};
    result |= answers[op.immediate] ? 1u << l : 0u;
  }
  write_predicate(r, op.d, result, mask);
}

void exec_isspacep(u8* r, const Op& op, u32 mask) {
  u32 result = 0;
  for (int l = 0; l < lanes; ++l) {
    const u64 a = row<u64>(r, op.a)[l];
    const u32 space = a - shared_window < window_bytes  ? 1
                      : a - local_window < window_bytes ? 2
                      : a >= first_variable_address     ? 3
                                                        : 0;
    const u32 rank = static_cast<u32>(a) >> cluster_rank_shift;  // plus one; of a block of the cluster
    const bool elsewhere = space == 1 && rank != 0 && rank <= most_cluster_blocks && rank - 1 != row<u32>(r, op.b)[l];
    const bool is_meant = op.immediate == 4 ? space == 1 : space == op.immediate && !elsewhere;
    result |= is_meant ? 1u << l : 0u;
  }
  write_predicate(r, op.d, result, mask);
}

}  // namespace lanescope::emulator
