// wgmma: D = A * B + D (or A * B) of four warps, with B, and mostly A, in shared memory.
//
// Warp w of the four computes rows 16 (w % 4) to 16 (w % 4) + 15 of D on its own, so the warps need not wait for each
// other; the product is taken where it is issued. With g = lane / 4 and t = lane % 4, element i of a lane's D is at row
// g + 8 (i / 2 % 2) of these, column 2 t + i % 2 + 8 (i / 4). A in registers is as for mma.sync with 16 rows.
// Of a sparse A the stored elements lie so, side by side, in registers and in memory; sparse.h says which columns they have.
//
// A descriptor (PTX ISA, "Matrix Descriptor Format") says where a matrix is in shared memory:
//
//   bits  0..13   address / 16
//   bits 16..29   leading byte offset / 16 (L)
//   bits 32..45   stride byte offset / 16 (S)
//   bits 62..63   swizzle: 0 none, 1 of 128 bytes, 2 of 64, 3 of 32 (W)
//
// Of the element in row (A) or column (B) n, at depth k, with T elements in 16 bytes, the byte offset is
//
//   k by k, no swizzle    16 (n % 8) + S (n / 8) + L (k / T) + k % T
//   k by k, swizzled      W (n % 8) + S (n / 8) + k
//   n by n, no swizzle    16 (k % 8) + L (k / 8) + S (n / T) + n % T
//   n by n, swizzled      W (k % 8) + S (k / 8) + L (n / W) + n % W
//
// (k and n in bytes where they stand alone), and a swizzle replaces bits 4.. of the address by their XOR with bits 7...

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "kernels/emulator/machine/memory_access.h"
#include "kernels/emulator/steps/matrix_elements.h"
#include "kernels/emulator/steps/sparse.h"
#include "kernels/emulator/steps/steps.h"

namespace lanescope::emulator {

namespace {

using Element = MmaOp::Element;

u64 place_in_shared(u64 descriptor, u32 n, u32 k, u32 element_bytes, bool by_k) {
  const u64 start = (descriptor & 0x3fff) << 4, leading = (descriptor >> 16 & 0x3fff) << 4,
            stride = (descriptor >> 32 & 0x3fff) << 4;
  const u32 swizzle = static_cast<u32>(descriptor >> 62);
  const u32 width = swizzle == 0 ? 16 : 256u >> swizzle;  // bytes
  const u32 per_vector = 16 / element_bytes, per_width = width / element_bytes;
  u64 offset = 0;
  if (by_k)
    offset = swizzle == 0
                 ? 16 * (n % 8) + stride * (n / 8) + leading * (k / per_vector) + u64{k % per_vector} * element_bytes
                 : u64{width} * (n % 8) + stride * (n / 8) + u64{k} * element_bytes;
  else
    offset =
        swizzle == 0
            ? 16 * (k % 8) + leading * (k / 8) + stride * (n / per_vector) + u64{n % per_vector} * element_bytes
            : u64{width} * (k % 8) + stride * (k / 8) + leading * (n / per_width) + u64{n % per_width} * element_bytes;
  const u64 address = start + offset;
  if (swizzle == 0) return address;
  return address ^ ((address >> 7 & (width / 16 - 1)) << 4);
}

u32 bits_of_factor(Element e) {
  switch (e) {
    case Element::f16:
    case Element::bf16:
      return 16;
    case Element::tf32:
      return 32;
    case Element::b1:
      return 1;
    default:
      return 8;
  }
}

/// The matrix that a descriptor means: `rows` x depth values. False after a fault.
struct InShared {
  Context& c;
  u64 descriptor;
  Element type;
  bool by_k;
  u32 depth;
  std::vector<u64>* words;  ///< that are read, for observers; nullptr: there are none

  template <class T, class Value>
  bool read(u32 first, u32 count, std::vector<T>& values, std::vector<trace::WordTag>* tags, Value value) {
    const u32 bits = bits_of_factor(type), bytes = std::max(1u, bits / 8);
    const Store& s = c.block.shared;
    values.resize(std::size_t{count} * depth);
    if (tags != nullptr) tags->assign(count, trace::no_data);
    std::optional<TagContext> t;
    if (tags != nullptr) t.emplace(c.tags());
    for (u32 n = 0; n < count; ++n)
      for (u32 k = 0; k < depth; ++k) {
        const u32 unit = bits == 1 ? k / 8 : k;
        const u64 address = place_in_shared(descriptor, first + n, unit, bytes, by_k);
        const u64 at = address - s.base;
        if (at >= s.bytes || s.bytes - at < bytes) {
          c.machine.fault_at(c, Fault::Kind::out_of_bounds, 0, address,
                             fmt::format("a matrix descriptor names the shared address {:#x}, which is outside of the "
                                         "block's shared memory ({} bytes)",
                                         address, s.bytes));
          return false;
        }
        if (words != nullptr && (words->empty() || words->back() != (at & ~u64{3}))) words->push_back(at & ~u64{3});
        const u64 raw = read_bytes(s.data + at, bytes);
        values[std::size_t{n} * depth + k] = value(static_cast<u32>(bits == 1 ? raw >> (k % 8) & 1 : raw));
        if (tags == nullptr) continue;
        const trace::WordTag tag = s.tag(at / 4);
        if (tag != trace::no_data) (*tags)[n] = t->computed((*tags)[n], tag);
      }
    return true;
  }
};

void report_reads(Context& c, const WarpgroupOp& w, u32 stored, std::vector<u64>& words) {
  std::ranges::sort(words);
  words.erase(std::unique(words.begin(), words.end()), words.end());
  trace::MatrixReadEvent e;
  e.where = c.where;
  e.words = words;
  if (w.a_registers[0] == 0) e.a_bytes = u64{16} * stored * bits_of_factor(w.a_type) / 8;
  e.b_bytes = u64{w.columns} * w.depth * bits_of_factor(w.b_type) / 8;
  for (trace::Observer* o : c.machine.options.observers) o->on_matrix_read(e);
}

template <class T, class Value, class Finish>
bool multiply(Context& c, const WarpgroupOp& w, bool adds, Value value, Finish finish) {
  const u32 stored = w.sparse.is ? w.depth / 2 : w.depth;
  std::vector<T> a(std::size_t{16} * stored), b;
  std::vector<trace::WordTag> of_row(16, trace::no_data), of_column;
  const bool tags = c.machine.tags();
  std::vector<u64> words;
  std::vector<u64>* const watched = c.machine.options.observers.empty() ? nullptr : &words;
  u8* const r = c.registers();
  const u32 first_row = 16 * (c.warp.index % 4);
  const auto a_value = [&](u32 bits) { return value(w.a_type, bits); };
  const auto b_value = [&](u32 bits) { return value(w.b_type, bits); };
  if (w.a_registers[0] != 0) {
    const u32 bits = bits_of_factor(w.a_type), per = 32 / bits, keep = bits == 32 ? ~0u : (1u << bits) - 1;
    for (u32 l = 0; l < lanes; ++l)
      for (u32 i = 0; i < 4; ++i) {
        const u32 word = row<u32>(r, w.a_registers[i])[l];
        const u32 y = l / 4 + 8 * (i % 2);
        for (u32 j = 0; j < per; ++j)
          a[y * stored + per * (l % 4 + 4 * (i / 2)) + j] = a_value(word >> (bits * j) & keep);
        if (!tags) continue;
        TagContext t = c.tags();
        if (t.carries(w.a_registers[i], 32)) of_row[y] = t.computed(of_row[y], t.words(w.a_registers[i])[l]);
      }
  } else {
    InShared m{c, row<u64>(r, w.a_descriptor)[0], w.a_type, !w.a_transposed, stored, watched};
    if (!m.read(first_row, 16, a, tags ? &of_row : nullptr, a_value)) return false;
  }
  SparsePlaces places;
  const u32 bits = bits_of_factor(w.a_type);
  if (w.sparse.is && !read_sparse_places(c, w.sparse, bits, w.depth, places)) return false;
  if (w.sparse.is && tags) {
    TagContext t = c.tags();
    const auto metadata = sparse_tags(t, w.sparse, bits, w.depth);
    for (std::size_t y = 0; y < 16; ++y)
      if (metadata[y] != trace::no_data) of_row[y] = t.computed(of_row[y], metadata[y]);
  }
  InShared m{c, row<u64>(r, w.b_descriptor)[0], w.b_type, !w.b_transposed, w.depth, watched};
  if (!m.read(0, w.columns, b, tags ? &of_column : nullptr, b_value)) return false;
  if (watched != nullptr) report_reads(c, w, stored, words);
  const u32 count = w.columns / 2;
  std::optional<TagContext> t;
  if (tags) t.emplace(c.tags());
  for (u32 l = 0; l < lanes; ++l)
    for (u32 e = 0; e < count; ++e) {
      const u32 y = l / 4 + 8 * (e / 2 % 2), x = 2 * (l % 4) + e % 2 + 8 * (e / 4);
      const u32 shift = w.half ? 16 * (e % 2) : 0;
      u32& word = row<u32>(r, w.d[w.half ? e / 2 : e])[l];
      const u32 old = w.half ? word >> shift & 0xffff : word;
      const u8* const columns = w.sparse.is ? places.depth[y].data() : nullptr;
      const u32 result = finish(&a[y * stored], &b[std::size_t{x} * w.depth], columns, adds ? old : 0);
      word = w.half ? (word & ~(0xffffu << shift)) | result << shift : result;
      if (!t) continue;
      const u32 offset = w.d[w.half ? e / 2 : e];
      const bool carried = adds && t->carries(offset, 32);
      trace::WordTag c_tag = carried ? t->words(offset)[l] : trace::no_data;
      if (w.half) c_tag = t->cut(c_tag, shift, 16, false);
      const trace::WordTag all = t->computed(of_row[y], of_column[x], c_tag);
      trace::WordTag& into = t->words(offset)[l];
      into = w.half ? t->merge(t->carries(offset, 32) ? into : trace::no_data, all, shift, 16) : all;
      t->mark(offset);
    }
  return true;
}

/// Calls each(element of A's row, element of B's column) for all that meet, in the order of k. `columns`: of the elements
/// of A where it is sparse.
template <class T, class F>
void for_products(const WarpgroupOp& w, const T* a, const T* b, const u8* columns, F each) {
  if (columns == nullptr)
    for (u32 k = 0; k < w.depth; ++k) each(a[k], b[k]);
  else
    for (u32 k = 0; k < w.depth / 2; ++k) each(a[k], b[columns[k]]);
}

}  // namespace

Flow step_warpgroup(Context& c, const Op& op, u32 mask) {
  const WarpgroupOp& w = c.machine.program->warpgroups[op.immediate];
  if (!whole_warp(c, mask)) return Flow::faulted;
  for (const u32 descriptor : {w.a_descriptor, w.b_descriptor})
    if (descriptor != 0 && (row<u64>(c.registers(), descriptor)[0] >> 49 & 7) != 0) {
      c.machine.fault_at(c, Fault::Kind::unsupported, 0, 0,
                         "the emulator does not support matrix descriptors with a base offset");
      return Flow::faulted;
    }
  const bool adds = ((*row<u32>(c.registers(), w.adds) ^ w.adds_flip) & 1) != 0;
  bool done = false;
  if (w.is_integer) {
    done = multiply<s32>(c, w, adds, integer_of, [&](const s32* a, const s32* b, const u8* columns, u32 old) {
      s64 sum = static_cast<s32>(old);
      for_products(w, a, b, columns, [&](s32 x, s32 y) { sum += w.a_type == Element::b1 ? x & y : s64{x} * y; });
      if (w.clamps) sum = std::clamp<s64>(sum, std::numeric_limits<s32>::min(), std::numeric_limits<s32>::max());
      return static_cast<u32>(sum);
    });
  } else {
    const double sign = (w.a_negated != w.b_negated) ? -1 : 1;
    done = multiply<double>(c, w, adds, float_of, [&](const double* a, const double* b, const u8* columns, u32 old) {
      double sum = w.half ? half_to_float(static_cast<u16>(old)) : std::bit_cast<float>(old);
      for_products(w, a, b, columns, [&](double x, double y) { sum += sign * x * y; });
      if (w.half) return u32{float_to_half(double_to_odd_float(sum))};
      return std::isnan(sum) ? 0x7fffffffu : std::bit_cast<u32>(static_cast<float>(sum));
    });
  }
  return done ? Flow::next : Flow::faulted;
}

}  // namespace lanescope::emulator
