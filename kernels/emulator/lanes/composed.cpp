// Operations made of those on rows of 32-bit words: on pairs of floats in 64 bits, of three operands, with signs apart, and
// of halves that are widened first.

#include <array>
#include <cstring>

#include "kernels/emulator/lanes/lane_math.h"
#include "kernels/emulator/lanes/operations.h"

namespace lanescope::emulator {

namespace {

/// Rows of its own for an operation: d, a, b, c.
struct Scratch {
  alignas(64) std::array<std::array<u32, lanes>, 4> rows{};
  void run(Exec inner, const Op& like, bool has_c) {
    Op op = like;
    op.d = 0, op.a = 128, op.b = 256, op.c = 384;
    op.d_bits = op.a_bits = op.b_bits = 32;
    op.c_bits = has_c ? 32 : 0;
    inner(reinterpret_cast<u8*>(rows.data()), op, all_lanes);
  }
};

/// d = ±(factor * factor) ± b, rounded once.
template <class Word>
void exec_contracted(u8* r, const Op& op, u32 mask) {
  const ComposedOp& m = *op.composed;
  alignas(64) std::array<std::array<Word, lanes>, 4> rows;
  const auto copy = [&](std::size_t to, u32 from, u64 sign) {
    for (std::size_t l = 0; l < lanes; ++l) rows[to][l] = row<Word>(r, from)[l] ^ static_cast<Word>(sign);
  };
  copy(1, m.factors[0], m.sign), copy(2, m.factors[1], 0), copy(3, op.b, m.other_sign);
  Op fma = op;
  fma.d = 0, fma.a = sizeof rows[0], fma.b = 2 * sizeof rows[0], fma.c = 3 * sizeof rows[0];
  fma.c_bits = op.b_bits;
  m.inner(reinterpret_cast<u8*>(rows.data()), fma, all_lanes);
  for (std::size_t l = 0; l < lanes; ++l)
    if ((mask >> l & 1) != 0) row<Word>(r, op.d)[l] = rows[0][l];
}

template <class Word>
void keep(u8* r, u32 from, u32 to, u32 mask) {
  for (std::size_t l = 0; l < lanes; ++l)
    if ((mask >> l & 1) != 0) row<Word>(r, to)[l] = row<Word>(r, from)[l];
}

}  // namespace

void exec_composed(u8* r, const Op& op, u32 mask) {
  const ComposedOp& m = *op.composed;
  if (m.kind == ComposedOp::Kind::contracted)
    return op.d_bits > 32 ? exec_contracted<u64>(r, op, mask) : exec_contracted<u32>(r, op, mask);
  if (m.kind == ComposedOp::Kind::keeps_factors) {
    const auto keep_row = op.d_bits > 32 ? keep<u64> : keep<u32>;
    keep_row(r, op.a, m.factors[0], mask);
    keep_row(r, op.b, m.factors[1], mask);
    return m.inner(r, op, mask);
  }
  const u32 sources[] = {op.a, op.b, op.c};
  const auto sign_bits = static_cast<u32>(m.sign);
  Scratch s;
  const auto words = [&](std::size_t operand) { return row<u32>(r, sources[operand]); };
  const auto write = [&](auto value) {
    for (std::size_t l = 0; l < lanes; ++l)
      if ((mask >> l & 1) != 0) row<u32>(r, op.d)[l] = value(l);
  };
  switch (m.kind) {
    case ComposedOp::Kind::pairs_of_64: {
      std::array<std::array<u32, lanes>, 2> out;
      for (u32 half = 0; half < 2; ++half) {
        for (std::size_t i = 0; i < (op.c_bits != 0 ? 3u : 2u); ++i)
          for (std::size_t l = 0; l < lanes; ++l)
            s.rows[i + 1][l] = static_cast<u32>(row<u64>(r, sources[i])[l] >> (32 * half));
        s.run(m.inner, op, op.c_bits != 0);
        out[half] = s.rows[0];
      }
      for (std::size_t l = 0; l < lanes; ++l)
        if ((mask >> l & 1) != 0) row<u64>(r, op.d)[l] = u64{out[1][l]} << 32 | out[0][l];
      return;
    }
    case ComposedOp::Kind::three:
      for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t l = 0; l < lanes; ++l) s.rows[i + 1][l] = words(i)[l] & ~sign_bits;
      s.run(m.inner, op, false);
      s.rows[1] = s.rows[0];
      for (std::size_t l = 0; l < lanes; ++l) s.rows[2][l] = words(2)[l] & ~sign_bits;
      s.run(m.inner, op, false);
      return write([&](std::size_t l) { return s.rows[0][l]; });
    case ComposedOp::Kind::signs_apart: {
      std::array<u32, lanes> sign;
      for (std::size_t l = 0; l < lanes; ++l) {
        sign[l] = (words(0)[l] ^ words(1)[l]) & sign_bits;
        for (std::size_t i = 0; i < 2; ++i) s.rows[i + 1][l] = words(i)[l] & ~sign_bits;
      }
      s.run(m.inner, op, false);
      // A NaN has no sign: it is the canonical one.
      const u32 halves = sign_bits & 0x8000u, canonical_nan = halves != 0 ? 0x7fffu : 0x7fffffffu;
      return write([&](std::size_t l) {
        const u32 d = s.rows[0][l];
        if (halves == 0) return d == canonical_nan ? d : d | sign[l];
        const u32 low = d & 0xffffu, high = d >> 16;
        return (low == canonical_nan ? low : low | (sign[l] & 0xffffu)) |
               (high == canonical_nan ? high : high | sign[l] >> 16) << 16;
      });
    }
    case ComposedOp::Kind::contracted:
    case ComposedOp::Kind::keeps_factors:
      return;  // above
    case ComposedOp::Kind::widened:
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t l = 0; l < lanes; ++l) {
          const u32 word = words(i)[l];
          const auto half = static_cast<u16>(word);
          s.rows[i + 1][l] = (m.widened >> i & 1) == 0
                                 ? word
                                 : __builtin_bit_cast(u32, m.is_bfloat ? bfloat_to_float(half) : half_to_float(half));
        }
      s.run(m.inner, op, op.c_bits != 0);
      return write([&](std::size_t l) { return s.rows[0][l]; });
  }
}

}  // namespace lanescope::emulator
