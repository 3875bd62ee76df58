// wmma, and mma.m8n8k4 of f16: matrices whose elements lie anywhere in the lanes.
//
// With g = lane / 4, t = lane % 4 and `per` elements in a register of 32 bits, wmma's fragments are those of mma.sync, one
// tile of 8 rows (or columns) after the other:
//
//   A   register r, part j   row g + 8 * (r % (M / 8)), column per * (t + 4 * (r / (M / 8))) + j
//   B   register r, part j   column g + 8 * (r / (K / 4 per)), row per * (t + 4 * (r % (K / 4 per))) + j
//   C,D element i            row g + 8 * (i / 2 % (M / 8)), column 2 t + i % 2 + 8 * (i / 2 / (M / 8))
//
// The PTX ISA leaves wmma's fragments open, so programs cannot depend on them. Fragments of f16 have eight registers for
// every shape: where a matrix fills fewer, the others repeat it. mma.m8n8k4 computes four products, one in each group of
// lanes l with equal l / 4 % 4 (PTX ISA, "Matrix Fragments for mma.m8n8k4 with .f16").
//
// Numbers are as in mma_steps.cpp.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <vector>

#include "kernels/base/check.h"
#include "kernels/emulator/machine/memory_access.h"
#include "kernels/emulator/steps/matrix_elements.h"
#include "kernels/emulator/steps/steps.h"

namespace lanescope::emulator {

namespace {

using Element = MmaOp::Element;
using End = FragmentOp::End;
using Role = FragmentOp::Role;

/// Where an element is: row and column of A, B or C.
struct FragmentPlace {
  u32 product = 0, row = 0, column = 0;
};

u32 bits_of_element(Element e) {
  switch (e) {
    case Element::f64:
      return 64;
    case Element::tf32:
      return 32;
    case Element::f16:
    case Element::bf16:
      return 16;
    case Element::s4:
    case Element::u4:
      return 4;
    case Element::b1:
      return 1;
    default:
      return 8;
  }
}
u32 per_register(Element e) { return std::max(1u, 32 / bits_of_element(e)); }

FragmentPlace place_in_quads(const FragmentOp& f, Role role, u32 lane, u32 e) {
  const u32 product = lane / 4 % 4, high = lane < 16 ? 0 : 4, own = lane % 4;
  if (role == Role::a)
    return f.a_by_rows ? FragmentPlace{product, own + high, e} : FragmentPlace{product, e % 4 + high, own};
  if (role == Role::b)
    return f.b_by_columns ? FragmentPlace{product, e, own + high} : FragmentPlace{product, own, e + high};
  return {product, 0, 0};
}

FragmentPlace place_in_c(const FragmentOp& f, End end, u32 lane, u32 e) {
  if (f.layout == FragmentOp::Layout::quads) {
    const u32 product = lane / 4 % 4, high = lane < 16 ? 0 : 4;
    if (end == End::half) return {product, lane % 4 + high, e};
    return {product, (lane & 1) + (e & 2) + high, (e & 4) + (lane & 2) + (e & 1)};
  }
  const u32 tiles = f.rows / 8, pair = e / 2;
  return {0, lane / 4 + 8 * (pair % tiles), 2 * (lane % 4) + e % 2 + 8 * (pair / tiles)};
}

FragmentPlace place_of(const FragmentOp& f, Role role, u32 lane, u32 e) {
  if (f.layout == FragmentOp::Layout::quads) return place_in_quads(f, role, lane, e);
  const u32 g = lane / 4, t = lane % 4;
  const u32 per = per_register(role == Role::a ? f.a_type : f.b_type), j = e % per;
  if (role == Role::a) {
    const u32 tiles = f.rows / 8, r = e / per % (f.rows * f.depth / (32 * per));
    return {0, g + 8 * (r % tiles), per * (t + 4 * (r / tiles)) + j};
  }
  const u32 deep = f.depth / (4 * per), r = e / per % (f.columns * f.depth / (32 * per));
  return {0, per * (t + 4 * (r % deep)) + j, g + 8 * (r / deep)};
}

u32 elements_in_c(const FragmentOp& f) { return f.layout == FragmentOp::Layout::quads ? 8 : f.rows * f.columns / 32; }

/// Elements of one lane's fragment of A or B, from its registers.
template <class F>
void for_factor(const FragmentOp& f, Role role, const u8* registers, F use) {
  const std::vector<u32>& rows = role == Role::a ? f.a : f.b;
  const Element type = role == Role::a ? f.a_type : f.b_type;
  const u32 per = per_register(type), bits = bits_of_element(type), keep = bits >= 32 ? ~0u : (1u << bits) - 1;
  for (u32 l = 0; l < lanes; ++l)
    for (u32 r = 0; r < rows.size(); ++r)
      for (u32 j = 0; j < per; ++j) {
        const u32 word = bits == 64 ? 0 : row<u32>(registers, rows[r])[l];
        use(l, r, place_of(f, role, l, r * per + j), word >> (bits % 32 * j) & keep);
      }
}

template <class T>
struct Matrices {
  const FragmentOp& f;
  std::vector<T> a, b;
  explicit Matrices(const FragmentOp& op)
      : f(op), a(products() * f.rows * f.depth), b(products() * f.depth * f.columns) {}
  std::size_t products() const { return f.layout == FragmentOp::Layout::quads ? 4 : 1; }
  T& a_at(const FragmentPlace& p) { return a[(p.product * f.rows + p.row) * f.depth + p.column]; }
  T& b_at(const FragmentPlace& p) { return b[(p.product * f.columns + p.column) * f.depth + p.row]; }
  const T* row_of(const FragmentPlace& p) const { return &a[(p.product * f.rows + p.row) * f.depth]; }
  const T* column_of(const FragmentPlace& p) const { return &b[(p.product * f.columns + p.column) * f.depth]; }
};

/// Values of C come from registers as `End` says, those of D go into them. All of C is read first.
template <class Sum>
void multiply(const FragmentOp& f, u8* registers, Sum sum) {
  const u32 count = elements_in_c(f);
  std::vector<u64> results(std::size_t{count} * lanes);
  for (u32 l = 0; l < lanes; ++l)
    for (u32 e = 0; e < count; ++e) {
      // Where the types of C and D differ, so may their places: find the element of C that lies there.
      const FragmentPlace p = place_in_c(f, f.d_end, l, e);
      u32 cl = l, ce = e;
      if (f.layout == FragmentOp::Layout::quads && f.c_end != f.d_end)
        for (u32 i = 0; i < lanes * count; ++i) {
          const FragmentPlace q = place_in_c(f, f.c_end, i / count, i % count);
          if (q.product == p.product && q.row == p.row && q.column == p.column) cl = i / count, ce = i % count;
        }
      u64 c = 0;
      switch (f.c_end) {
        case End::half:
          c = row<u32>(registers, f.c[ce / 2])[cl] >> (16 * (ce % 2)) & 0xffff;
          break;
        case End::number64:
          c = row<u64>(registers, f.c[ce])[cl];
          break;
        default:
          c = row<u32>(registers, f.c[ce])[cl];
      }
      results[e * lanes + l] = sum(p, c);
    }
  for (u32 l = 0; l < lanes; ++l)
    for (u32 e = 0; e < count; ++e) {
      const u64 value = results[e * lanes + l];
      if (f.d_end == End::half) {
        u32& word = row<u32>(registers, f.d[e / 2])[l];
        word = e % 2 == 0 ? static_cast<u32>(value) : word | static_cast<u32>(value) << 16;
      } else if (f.d_end == End::number64) {
        row<u64>(registers, f.d[e])[l] = value;
      } else {
        row<u32>(registers, f.d[e])[l] = static_cast<u32>(value);
      }
    }
}

void multiply_floats(const FragmentOp& f, u8* registers) {
  Matrices<double> m(f);
  for_factor(f, Role::a, registers,
             [&](u32, u32, const FragmentPlace& p, u32 bits) { m.a_at(p) = float_of(f.a_type, bits); });
  for_factor(f, Role::b, registers,
             [&](u32, u32, const FragmentPlace& p, u32 bits) { m.b_at(p) = float_of(f.b_type, bits); });
  multiply(f, registers, [&](const FragmentPlace& p, u64 c) -> u64 {
    double sum = f.c_end == End::half ? half_to_float(static_cast<u16>(c)) : std::bit_cast<float>(static_cast<u32>(c));
    const double *a = m.row_of(p), *b = m.column_of(p);
    for (u32 k = 0; k < f.depth; ++k) sum += a[k] * b[k];
    if (f.d_end == End::half) return float_to_half(double_to_odd_float(sum));
    return std::isnan(sum) ? 0x7fffffffu : std::bit_cast<u32>(static_cast<float>(sum));
  });
}

void multiply_integers(const FragmentOp& f, u8* registers) {
  Matrices<s32> m(f);
  for_factor(f, Role::a, registers,
             [&](u32, u32, const FragmentPlace& p, u32 bits) { m.a_at(p) = integer_of(f.a_type, bits); });
  for_factor(f, Role::b, registers,
             [&](u32, u32, const FragmentPlace& p, u32 bits) { m.b_at(p) = integer_of(f.b_type, bits); });
  multiply(f, registers, [&](const FragmentPlace& p, u64 c) -> u64 {
    s64 sum = static_cast<s32>(c);
    const s32 *a = m.row_of(p), *b = m.column_of(p);
    for (u32 k = 0; k < f.depth; ++k)
      sum += f.bits == MmaOp::Bits::exclusive ? a[k] ^ b[k]
             : f.bits == MmaOp::Bits::both    ? a[k] & b[k]
                                              : s64{a[k]} * b[k];
    if (f.clamps) sum = std::clamp<s64>(sum, std::numeric_limits<s32>::min(), std::numeric_limits<s32>::max());
    return static_cast<u32>(sum);
  });
}

/// Fused products in the order of k, each rounded in the named direction: so an H100 does it, in all of 4 times 2,560 elements of
/// random products.
void multiply_doubles(const FragmentOp& f, u8* registers) {
  Matrices<double> m(f);
  for (u32 l = 0; l < lanes; ++l) {
    for (u32 r = 0; r < f.a.size(); ++r) m.a_at(place_of(f, Role::a, l, r)) = row<double>(registers, f.a[r])[l];
    for (u32 r = 0; r < f.b.size(); ++r) m.b_at(place_of(f, Role::b, l, r)) = row<double>(registers, f.b[r])[l];
  }
  const int before = std::fegetround();
  std::fesetround(f.rounding);
  multiply(f, registers, [&](const FragmentPlace& p, u64 c) -> u64 {
    volatile double sum = std::bit_cast<double>(c);  // so that nothing is computed in another mode
    const double *a = m.row_of(p), *b = m.column_of(p);
    for (u32 k = 0; k < f.depth; ++k) sum = std::fma(a[k], b[k], static_cast<double>(sum));
    return std::bit_cast<u64>(static_cast<double>(sum));
  });
  std::fesetround(before);
}

/// Element (row, column) of D depends on its row of A, its column of B and its element of C; said per register.
void follow(TagContext& t, const FragmentOp& f) {
  const u32 words = f.d_end == End::number64 ? 2 : 1;
  std::vector<trace::WordTag> of_row(4 * 32), of_column(4 * 32);
  const auto add = [&](trace::WordTag& into, trace::WordTag tag) {
    if (tag != trace::no_data) into = into == trace::no_data ? t.computed(tag, trace::no_data) : t.computed(into, tag);
  };
  const auto whole = [&](u32 offset, u32 lane) {
    if (!t.carries(offset, 32)) return trace::no_data;
    trace::WordTag all = t.words(offset)[lane];
    if (words == 2) add(all, t.words(offset)[lanes + lane]);
    return all;
  };
  const auto gather = [&](Role role, std::vector<trace::WordTag>& into) {
    const std::vector<u32>& rows = role == Role::a ? f.a : f.b;
    const u32 per = per_register(role == Role::a ? f.a_type : f.b_type);
    for (u32 l = 0; l < lanes; ++l)
      for (u32 r = 0; r < rows.size(); ++r) {
        const trace::WordTag tag = whole(rows[r], l);
        for (u32 j = 0; j < per && tag != trace::no_data; ++j) {
          const FragmentPlace p = place_of(f, role, l, r * per + j);
          add(into[p.product * 32 + (role == Role::a ? p.row : p.column)], tag);
        }
      }
  };
  gather(Role::a, of_row), gather(Role::b, of_column);
  const u32 count = elements_in_c(f), per = f.d_end == End::half ? 2 : 1;
  std::vector<trace::WordTag> results(std::size_t{count} * lanes);
  for (u32 l = 0; l < lanes; ++l)
    for (u32 e = 0; e < count; ++e) {
      const FragmentPlace p = place_in_c(f, f.d_end, l, e);
      trace::WordTag all = trace::no_data;
      add(all, of_row[p.product * 32 + p.row]), add(all, of_column[p.product * 32 + p.column]);
      if (f.c_end == f.d_end) {
        trace::WordTag c = whole(f.c[e / per], l);
        if (per == 2 && c != trace::no_data) c = t.cut(c, 16 * (e % 2), 16, false);
        add(all, c);
      } else {
        for (const u32 offset : f.c) add(all, whole(offset, l));
      }
      trace::WordTag& into = results[e / per * lanes + l];
      into = per == 2 ? t.merge(into, all, 16 * (e % 2), 16) : all;
    }
  for (u32 r = 0; r < f.d.size(); ++r) {
    t.clear(f.d[r], static_cast<u8>(32 * words), all_lanes);
    t.mark(f.d[r]);
    for (u32 w = 0; w < words; ++w)
      for (u32 l = 0; l < lanes; ++l) t.words(f.d[r])[w * lanes + l] = results[r * lanes + l];
  }
}

}  // namespace

Flow step_fragments(Context& c, const Op& op, u32 mask) {
  const FragmentOp& f = c.machine.program->fragments[op.immediate];
  if (!whole_warp(c, mask)) return Flow::faulted;
  if (c.machine.tags()) {
    TagContext t = c.tags();
    follow(t, f);
  }
  if (f.a_type == Element::f64)
    multiply_doubles(f, c.registers());
  else if (f.c_end == End::integer)
    multiply_integers(f, c.registers());
  else
    multiply_floats(f, c.registers());
  return Flow::next;
}

/// wmma.load and wmma.store. Elements of a register that are neighbours in memory are moved as one access.
Flow step_fragment_memory(Context& c, const Op& op, u32 mask) {
  const FragmentOp& f = c.machine.program->fragments[op.immediate];
  const MemoryOp& m = c.machine.program->memory[op.d2];
  if (!whole_warp(c, mask)) return Flow::faulted;
  const bool writes = m.kind == trace::AccessKind::store;
  const std::vector<u32>& registers = f.role == Role::a ? f.a : f.role == Role::b ? f.b : f.c;
  const Element type = f.role == Role::a ? f.a_type : f.b_type;
  u32 bits = bits_of_element(type);
  if (f.role == Role::c) bits = f.c_end == End::half ? 16 : f.c_end == End::number64 ? 64 : 32;
  const u32 per = std::max(1u, 32 / bits);
  const bool by_rows = f.a_by_rows;  // of the matrix in memory
  std::optional<TagContext> tags;
  if (c.machine.tags()) tags.emplace(c.tags());
  u8* const file = c.registers();
  const auto place = [&](u32 lane, u32 e) {
    return f.role == Role::c ? place_in_c(f, f.c_end, lane, e) : place_of(f, f.role, lane, e);
  };
  // Bits from the address to an element.
  const auto bit_of = [&](u32 lane, u32 e) -> u64 {
    const FragmentPlace p = place(lane, e);
    const u64 stride = row<u32>(file, f.stride)[lane];
    return (by_rows ? p.row * stride + p.column : p.column * stride + p.row) * bits;
  };
  u32 unique = static_cast<u32>(registers.size());
  if (f.role == Role::a) unique = std::min(unique, f.rows * f.depth / (32 * per));
  if (f.role == Role::b) unique = std::min(unique, f.columns * f.depth / (32 * per));
  for (u32 r = 0; r < registers.size(); ++r) {
    if (r >= unique) {
      if (writes) break;
      std::memcpy(row<u32>(file, registers[r]), row<u32>(file, registers[r % unique]), 128);
      if (tags) tags->copy(registers[r % unique], registers[r], 32, all_lanes), tags->mark(registers[r]);
      continue;
    }
    const bool together = bits >= 32 || bit_of(0, r * per + 1) == bit_of(0, r * per) + bits;
    const u32 width = together ? std::max(32u, bits) / 8 : std::max(8u, bits) / 8;
    const u32 parts = together ? 1 : per;
    std::array<u32, lanes> words{};
    std::array<trace::WordTag, lanes> word_tags{};
    for (u32 j = 0; j < parts; ++j) {
      u64* const addresses = row<u64>(file, sink_row);
      for (u32 l = 0; l < lanes; ++l)
        addresses[l] = (m.base_bits == 64 ? row<u64>(file, m.base)[l] : row<u32>(file, m.base)[l]) +
                       static_cast<u64>(m.offset) + bit_of(l, r * per + j) / 8;
      Access a;
      if (!resolve(c, m, sink_row, 64, 0, m.area, width, writes, all_lanes, a)) return Flow::faulted;
      for (u32 l = 0; l < lanes; ++l) {
        Store& s = *a.stores[l];
        u8* const at = s.data + a.at[l];
        if (bits == 64) {
          u64& value = row<u64>(file, registers[r])[l];
          if (writes)
            write_bytes(at, value, 8);
          else
            value = read_bytes(at, 8);
          for (u32 w = 0; w < 2 && tags; ++w) {
            if (writes)
              s.set_tag(a.at[l] / 4 + w,
                        tags->carries(registers[r], 64) ? tags->words(registers[r])[w * lanes + l] : 0);
            else
              tags->words(registers[r])[w * lanes + l] = s.tag(a.at[l] / 4 + w);
          }
          continue;
        }
        const u32 shift = together ? 0 : bits * j;
        const u32 whole = row<u32>(file, registers[r])[l];
        const trace::WordTag whole_tag = tags && tags->carries(registers[r], 32) ? tags->words(registers[r])[l] : 0;
        if (writes) {
          write_bytes(at, whole >> shift, width);
          if (tags)
            write_tag(*tags, s, a.at[l], width, together ? whole_tag : tags->cut(whole_tag, shift, bits, false));
        } else {
          words[l] |= static_cast<u32>(read_bytes(at, width)) << shift;
          if (tags) {
            const trace::WordTag part = read_tag(*tags, s, a.at[l], width, false);
            word_tags[l] = together ? part : tags->merge(word_tags[l], part, shift, bits);
          }
        }
      }
      if (c.machine.observed()) {
        MemoryOp shown = m;
        shown.matrices = 0;
        report_moved(c, shown, m.kind, a, width, all_lanes);
      }
    }
    if (writes) continue;
    if (tags) tags->mark(registers[r]);
    if (bits == 64) continue;
    std::memcpy(row<u32>(file, registers[r]), words.data(), sizeof words);
    if (tags) std::memcpy(tags->words(registers[r]), word_tags.data(), sizeof word_tags);
  }
  c.group().polls = 0;
  return Flow::next;
}

}  // namespace lanescope::emulator
