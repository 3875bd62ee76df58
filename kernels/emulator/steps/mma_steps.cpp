// mma.sync: D = A * B + C over the registers of a warp.
//
// Which element lies where (PTX ISA, "Matrix multiply-accumulate operation using mma instruction"; one rule covers all dense
// shapes but m8n8k4 of f16). With g = lane / 4, t = lane % 4, and `per` elements of A and B in a register of 32 bits (in
// one register for f64):
//
//   A   register r, part j   row g + 8 * (r % 2), column (k) per * (t + 4 * (r / 2)) + j        (8 rows: r is 0)
//   B   register r, part j   row (k) per * (t + 4 * r) + j, column g
//   C,D element i            row g + 8 * (i / 2), column 2 * t + i % 2
//
// Of a sparse A the stored elements lie so, side by side, and sparse.h says which columns they have.
//
// Scaled blocks: a row y of A has `count` factors, in the bytes from a_byte on of lane 4 (y % 8) + 2 a_thread + y / 8, a column x
// of B those of lane 4 x + b_thread; factor i belongs to the i-th of `count` parts of k.
//
// Numbers: integers are exact (modulo 2^32, or clamped with .satfinite). Products of f16, bf16, tf32 and fp8 are exact, and
// so is their sum up to the rounding of double; it is rounded to f32 or f16 once. In which order and with how many bits
// tensor cores add is not documented, so their results differ in the last bits. f64 adds products in the order of k, each
// fused. tf32 uses the upper 19 bits of its registers.
//
// An element of D depends on its row of A, its column of B and its element of C.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "kernels/emulator/lanes/half_float.h"
#include "kernels/emulator/machine/memory_access.h"
#include "kernels/emulator/steps/matrix_elements.h"
#include "kernels/emulator/steps/sparse.h"
#include "kernels/emulator/steps/steps.h"

namespace lanescope::emulator {

namespace {

constexpr std::size_t most_rows = 16, columns = 8, most_depth = 256;

/// Values of A by rows and of B by columns, each along k.
template <class T>
struct Factors {
  std::array<std::array<T, most_depth>, most_rows> a{};
  std::array<std::array<T, most_depth>, columns> b{};
};

template <class T, class Value>
void read_factors(const u8* registers, const MmaOp& m, Factors<T>& f, Value value) {
  const u32 per = m.per_register(), bits = 32 / per;
  const u32 part = bits == 32 ? ~0u : (1u << bits) - 1;
  for (u32 l = 0; l < lanes; ++l) {
    const u32 g = l / 4, t = l % 4;
    for (u32 r = 0; r < m.a_count; ++r) {
      const u32 word = row<u32>(registers, m.a[r])[l];
      for (u32 j = 0; j < per; ++j)
        f.a[g + 8 * (m.rows == 8 ? 0 : r % 2)][per * (t + 4 * (m.rows == 8 ? r : r / 2)) + j] =
            value(m.a_type, word >> (bits * j) & part);
    }
    for (u32 r = 0; r < m.b_count; ++r) {
      const u32 word = row<u32>(registers, m.b[r])[l];
      for (u32 j = 0; j < per; ++j) f.b[g][per * (t + 4 * r) + j] = value(m.b_type, word >> (bits * j) & part);
    }
  }
}

/// Calls f(lane, element of C and D, row, column) for all of them.
template <class F>
void for_results(const MmaOp& m, F f) {
  for (u32 l = 0; l < lanes; ++l)
    for (u32 i = 0; i < m.rows / 4; ++i) f(l, i, l / 4 + 8 * (i / 2), 2 * (l % 4) + i % 2);
}

/// Calls f(element of A's row, element of B's column) for all that meet, in the order of k.
template <class T, class F>
void for_products(const Factors<T>& f, const MmaOp& m, const SparsePlaces& places, u32 y, u32 x, F each) {
  if (!m.sparse.is)
    for (u32 k = 0; k < m.depth; ++k) each(f.a[y][k], f.b[x][k]);
  else
    for (u32 k = 0; k < m.stored(); ++k) each(f.a[y][k], f.b[x][places.depth[y][k]]);
}

double scale_of(const ScaleOp& s, u32 data, u32 lane, u32 byte, const u8* registers) {
  const u32 bits = row<u32>(registers, data)[lane] >> (8 * byte) & 0xff;
  if (s.is_ue4m3) return small_float(bits & 0x7f, 4, 3, false, true);
  return bits == 0xff ? std::numeric_limits<double>::quiet_NaN() : std::ldexp(1.0, static_cast<int>(bits) - 127);
}

/// The factors in place of 1, for row y and column x.
struct Scales {
  std::array<std::array<double, 4>, most_rows> a;
  std::array<std::array<double, 4>, columns> b;
};
Scales read_scales(const u8* registers, const ScaleOp& s) {
  Scales out{};
  for (u32 i = 0; i < s.count; ++i) {
    for (u32 y = 0; y < most_rows; ++y)
      out.a[y][i] = scale_of(s, s.a_data, 4 * (y % 8) + 2 * s.a_thread + y / 8, s.a_byte + i, registers);
    for (u32 x = 0; x < columns; ++x) out.b[x][i] = scale_of(s, s.b_data, 4 * x + s.b_thread, s.b_byte + i, registers);
  }
  return out;
}

void multiply_scaled(u8* registers, const MmaOp& m, const SparsePlaces& places) {
  Factors<double> f;
  read_factors(registers, m, f, float_of);
  const Scales scales = read_scales(registers, m.scale);
  std::array<std::array<u32, 4>, lanes> results{};
  for_results(m, [&](u32 l, u32 i, u32 y, u32 x) {
    double sum = std::bit_cast<float>(row<u32>(registers, m.c[i])[l]);
    for (u32 e = 0; e < m.stored(); ++e) {
      const u32 k = m.sparse.is ? places.depth[y][e] : e, part = k / (m.depth / m.scale.count);
      sum += f.a[y][e] * scales.a[y][part] * (f.b[x][k] * scales.b[x][part]);
    }
    results[l][i] = std::isnan(sum) ? 0x7fffffffu : std::bit_cast<u32>(static_cast<float>(sum));
  });
  for (u32 r = 0; r < m.d_count; ++r)
    for (u32 l = 0; l < lanes; ++l) row<u32>(registers, m.d[r])[l] = results[l][r];
}

void multiply_floats(u8* registers, const MmaOp& m, const SparsePlaces& places) {
  Factors<double> f;
  read_factors(registers, m, f, float_of);
  std::array<std::array<u32, 4>, lanes> results{};
  for_results(m, [&](u32 l, u32 i, u32 y, u32 x) {
    double sum = m.c_half ? half_to_float(static_cast<u16>(row<u32>(registers, m.c[i / 2])[l] >> (16 * (i % 2))))
                          : std::bit_cast<float>(row<u32>(registers, m.c[i])[l]);
    for_products(f, m, places, y, x, [&](double a, double b) { sum += a * b; });
    if (m.d_half)
      results[l][i / 2] |= u32{float_to_half(double_to_odd_float(sum))} << (16 * (i % 2));
    else
      results[l][i] = std::isnan(sum) ? 0x7fffffffu : std::bit_cast<u32>(static_cast<float>(sum));
  });
  for (u32 r = 0; r < m.d_count; ++r)
    for (u32 l = 0; l < lanes; ++l) row<u32>(registers, m.d[r])[l] = results[l][r];
}

void multiply_integers(u8* registers, const MmaOp& m, const SparsePlaces& places) {
  Factors<s32> f;
  read_factors(registers, m, f, integer_of);
  std::array<std::array<u32, 4>, lanes> results{};
  for_results(m, [&](u32 l, u32 i, u32 y, u32 x) {
    s64 sum = static_cast<s32>(row<u32>(registers, m.c[i])[l]);
    for_products(f, m, places, y, x, [&](s32 a, s32 b) {
      sum += m.bits == MmaOp::Bits::exclusive ? a ^ b : m.bits == MmaOp::Bits::both ? a & b : s64{a} * b;
    });
    if (m.clamps) sum = std::clamp<s64>(sum, std::numeric_limits<s32>::min(), std::numeric_limits<s32>::max());
    results[l][i] = static_cast<u32>(sum);
  });
  for (u32 r = 0; r < m.d_count; ++r)
    for (u32 l = 0; l < lanes; ++l) row<u32>(registers, m.d[r])[l] = results[l][r];
}

void multiply_doubles(u8* registers, const MmaOp& m) {
  Factors<double> f;
  for (u32 l = 0; l < lanes; ++l) {
    for (u32 r = 0; r < m.a_count; ++r)
      f.a[l / 4 + 8 * (m.rows == 8 ? 0 : r % 2)][l % 4 + 4 * (m.rows == 8 ? r : r / 2)] =
          row<double>(registers, m.a[r])[l];
    for (u32 r = 0; r < m.b_count; ++r) f.b[l / 4][l % 4 + 4 * r] = row<double>(registers, m.b[r])[l];
  }
  std::array<std::array<double, 4>, lanes> results{};
  for_results(m, [&](u32 l, u32 i, u32 y, u32 x) {
    double sum = row<double>(registers, m.c[i])[l];
    for (u32 k = 0; k < m.depth; ++k) sum = std::fma(f.a[y][k], f.b[x][k], sum);
    results[l][i] = sum;
  });
  for (u32 r = 0; r < m.d_count; ++r)
    for (u32 l = 0; l < lanes; ++l) row<double>(registers, m.d[r])[l] = results[l][r];
}

/// All words of one register in one lane.
trace::WordTag whole_tag(TagContext& t, u32 offset, u32 words, u32 lane) {
  if (!t.carries(offset, 32)) return trace::no_data;
  trace::WordTag all = t.words(offset)[lane];
  if (words == 2 && t.words(offset)[lanes + lane] != trace::no_data)
    all = t.computed(all, t.words(offset)[lanes + lane]);
  return all;
}

void follow(TagContext& t, const MmaOp& m) {
  const u32 words = m.a_type == MmaOp::Element::f64 ? 2 : 1;
  std::array<trace::WordTag, most_rows> of_row{};
  std::array<trace::WordTag, columns> of_column{};
  const auto add = [&](trace::WordTag& into, trace::WordTag tag) {
    if (tag != trace::no_data) into = t.computed(into, tag);
  };
  for (u32 l = 0; l < lanes; ++l) {
    for (u32 r = 0; r < m.a_count; ++r)
      add(of_row[l / 4 + 8 * (m.rows == 8 ? 0 : r % 2)], whole_tag(t, m.a[r], words, l));
    for (u32 r = 0; r < m.b_count; ++r) add(of_column[l / 4], whole_tag(t, m.b[r], words, l));
  }
  if (m.sparse.is) {
    const auto metadata = sparse_tags(t, m.sparse, 32 / m.per_register(), m.depth);
    for (std::size_t y = 0; y < most_rows; ++y) add(of_row[y], metadata[y]);
  }
  if (m.scale.count != 0) {
    for (u32 y = 0; y < most_rows; ++y)
      add(of_row[y], whole_tag(t, m.scale.a_data, 1, 4 * (y % 8) + 2 * m.scale.a_thread + y / 8));
    for (u32 x = 0; x < columns; ++x) add(of_column[x], whole_tag(t, m.scale.b_data, 1, 4 * x + m.scale.b_thread));
  }
  std::array<std::array<trace::WordTag, 4>, lanes> results{};
  for_results(m, [&](u32 l, u32 i, u32 y, u32 x) {
    const u32 c_register = m.c_half ? i / 2 : i;
    trace::WordTag c = whole_tag(t, m.c[c_register], words, l);
    if (m.c_half && c != trace::no_data) c = t.cut(c, 16 * (i % 2), 16, false);
    trace::WordTag all = trace::no_data;
    add(all, of_row[y]), add(all, of_column[x]), add(all, c);
    if (m.d_half)
      results[l][i / 2] = t.merge(results[l][i / 2], all, 16 * (i % 2), 16);
    else
      results[l][i] = all;
  });
  for (u32 r = 0; r < m.d_count; ++r) {
    t.clear(m.d[r], static_cast<u8>(32 * words), all_lanes);
    u32 any = 0;
    for (u32 l = 0; l < lanes; ++l) any |= results[l][r];
    if (any == 0) continue;
    for (u32 w = 0; w < words; ++w)
      for (u32 l = 0; l < lanes; ++l) t.words(m.d[r])[w * lanes + l] = results[l][r];
    t.mark(m.d[r]);
  }
}

}  // namespace

Flow step_mma(Context& c, const Op& op, u32 mask) {
  const MmaOp& m = c.machine.program->products[op.immediate];
  if (!whole_warp(c, mask)) return Flow::faulted;
  SparsePlaces places;
  if (m.sparse.is && !read_sparse_places(c, m.sparse, 32 / m.per_register(), m.depth, places)) return Flow::faulted;
  if (c.machine.tags()) {
    TagContext t = c.tags();
    follow(t, m);
  }
  if (m.a_type == MmaOp::Element::f64)
    multiply_doubles(c.registers(), m);
  else if (m.scale.count != 0)
    multiply_scaled(c.registers(), m, places);
  else if (m.is_integer())
    multiply_integers(c.registers(), m, places);
  else
    multiply_floats(c.registers(), m, places);
  return Flow::next;
}

}  // namespace lanescope::emulator
