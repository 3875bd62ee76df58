// mma.sync: shapes and types, and the registers of each fragment.

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "kernels/emulator/decode/decoder.h"
#include "kernels/emulator/steps/steps.h"

namespace lanescope::emulator {

using ptx::Operand;
using Kind = Operand::Kind;

namespace {

struct Shape {
  std::string_view name;
  u32 rows, depth;
  u32 least_bits, most_bits;  ///< of an element of A
};
/// Dense shapes with the fragments of mma_steps.cpp.
constexpr Shape shapes[] = {{"m16n8k4", 16, 4, 32, 64},   {"m16n8k8", 16, 8, 16, 64},  {"m16n8k16", 16, 16, 8, 64},
                            {"m16n8k32", 16, 32, 4, 8},   {"m16n8k64", 16, 64, 4, 4},  {"m8n8k4", 8, 4, 64, 64},
                            {"m8n8k16", 8, 16, 8, 8},     {"m8n8k32", 8, 32, 4, 4},    {"m8n8k128", 8, 128, 1, 1},
                            {"m16n8k128", 16, 128, 1, 1}, {"m16n8k256", 16, 256, 1, 1}};

}  // namespace

/// The metadata, and the selector after them. `bits`: of an element; `depth`: of the product.
bool Decoder::sparse_metadata(std::size_t at, u32 bits, u32 depth, SparseOp& out) {
  if (operand(at + 1).kind != Kind::immediate) return refuse("its sparsity selector is no constant");
  out.is = true;
  out.ordered = has("sp::ordered_metadata");
  out.metadata = source(operand(at), 32);
  out.selector = static_cast<u32>(operand(at + 1).bits);
  // Lanes of four that have metadata: one, two or all of them.
  const u32 chunks = depth / (bits == 32 ? 2 : bits == 4 ? 8 : 4);
  const u32 holders = chunks / 4;
  const u32 most = holders == 1 ? 3 : holders == 2 ? 1 : 0;
  return out.selector <= most ||
         refuse(fmt::format("its sparsity selector is {}, the largest is {}", out.selector, most));
}

/// scale-a-data, {byte-id-a, thread-id-a}, scale-b-data, {byte-id-b, thread-id-b}, from operand `at` on.
bool Decoder::block_scales(std::size_t at, ScaleOp& out) {
  const bool four_bits = has("kind::mxf4") || has("kind::mxf4nvf4");
  if (!four_bits && !has("kind::mxf8f6f4")) return refuse("this kind is not known");
  out.is_ue4m3 = has("ue4m3");
  out.count = has("scale_vec::4X") ? 4 : has("scale_vec::2X") ? 2 : has("scale_vec::1X") || !four_bits ? 1 : 2;
  const bool known = four_bits ? out.count >= 2 : out.count == 1;
  if (!known || out.is_ue4m3 != (out.count == 4) || (!out.is_ue4m3 && !has("ue8m0")))
    return refuse("this number of scales is not supported for this kind");
  const auto selector = [&](const Operand& o, u32& byte, u32& thread) {
    if (o.kind != Kind::vector || o.elements.size() != 2 || o.elements[0].kind != Kind::immediate ||
        o.elements[1].kind != Kind::immediate)
      return false;
    byte = static_cast<u32>(o.elements[0].bits), thread = static_cast<u32>(o.elements[1].bits);
    return byte % out.count == 0 && byte + out.count <= 4;
  };
  out.a_data = source(operand(at), 32), out.b_data = source(operand(at + 2), 32);
  if (!selector(operand(at + 1), out.a_byte, out.a_thread) || !selector(operand(at + 3), out.b_byte, out.b_thread) ||
      out.a_thread > 1 || out.b_thread > 3)
    return refuse("its selectors of scales are none that the PTX ISA has");
  return true;
}

bool Decoder::mma() {
  if (has("m8n8k4") && type() != ptx::Type::f64) return mma_in_quads();
  const bool sparse = has("sp") || has("sp::ordered_metadata");
  const auto shape = std::ranges::find_if(shapes, [&](const Shape& s) { return has(s.name); });
  if (shape == std::end(shapes)) return refuse("this shape is not supported");
  std::vector<ElementName> types;
  std::vector<std::string_view> ends;  // of C and D: f32, s32, f16, f64
  // d, a, b, c: the second and the third are those of the factors.
  for (const std::string& m : instruction_->modifiers) {
    const auto known = std::ranges::find(element_names, std::string_view(m), &ElementName::name);
    if (known != std::end(element_names)) types.push_back(*known);
    if (known != std::end(element_names) || m == "f32" || m == "s32") ends.push_back(m);
  }
  if (ends.size() != 4) return refuse("its types are not known");
  const bool scaled = has("block_scale");
  const bool packed = scaled && (has("kind::mxf4") || has("kind::mxf4nvf4"));
  static constexpr ElementName two_in_a_byte{"e2m1", MmaOp::Element::e2m1_packed, 4};
  const auto factor_of = [&](std::string_view name) {
    return packed && name == "e2m1" ? &two_in_a_byte : std::ranges::find(element_names, name, &ElementName::name);
  };
  const ElementName *const a = factor_of(ends[1]), *const b = factor_of(ends[2]);
  if (a == std::end(element_names) || b == std::end(element_names) || a->bits != b->bits ||
      (!sparse && (a->bits < shape->least_bits || a->bits > shape->most_bits)) ||
      (sparse && (shape->rows != 16 || a->bits * shape->depth > 512 || a->bits * shape->depth < 256 || a->bits == 1 ||
                  a->bits == 64)))
    return refuse("this shape is not supported for these types");
  if (!has("row") || !has("col") || instruction_->has("col.col")) return refuse("only .row.col is supported");
  MmaOp m;
  m.rows = shape->rows, m.depth = shape->depth;
  m.a_type = a->element, m.b_type = b->element;
  m.clamps = has("satfinite");
  m.d_half = ends[0] == "f16", m.c_half = ends[3] == "f16";
  if (m.d_half != m.c_half) return refuse("its sums have two types");
  if (m.a_type == MmaOp::Element::b1) m.bits = has("and") ? MmaOp::Bits::both : MmaOp::Bits::exclusive;
  const u32 per = m.per_register();
  if (sparse && !sparse_metadata(4, a->bits, m.depth, m.sparse)) return false;
  if (scaled && (m.c_half || m.d_half)) return refuse("scaled blocks are added to f32");
  if (scaled && !block_scales(sparse ? 6 : 4, m.scale)) return false;
  m.a_count = m.rows * m.stored() / (per * lanes);
  m.b_count = 8 * m.depth / (per * lanes);
  m.c_count = m.rows / 4 / (m.c_half ? 2 : 1);
  m.d_count = m.rows / 4 / (m.d_half ? 2 : 1);
  const u8 bits = m.a_type == MmaOp::Element::f64 ? 64 : 32;
  const auto registers = [&](const Operand& o, u32 count, std::array<u32, 8>& rows, bool is_destination) {
    const auto one = [&](const Operand& e) { return is_destination ? destination(e, bits) : source(e, bits); };
    if (o.kind != Kind::vector) {
      rows[0] = one(o);
      return count == 1;
    }
    if (o.elements.size() != count || count > rows.size()) return false;
    for (std::size_t i = 0; i < count; ++i) rows[i] = one(o.elements[i]);
    return true;
  };
  if (!registers(operand(0), m.d_count, m.d, true) || !registers(operand(1), m.a_count, m.a, false) ||
      !registers(operand(2), m.b_count, m.b, false) || !registers(operand(3), m.c_count, m.c, false))
    return refuse("it has another number of registers than its shape needs");
  op_.warp_wide = true;
  op_.parts = constants_.row_of(all_lanes, 32);
  op_.one_part = op_.gathers = true;
  op_.immediate = static_cast<u32>(program_.products.size());
  op_.step = step_mma;
  program_.products.push_back(m);
  return true;
}

}  // namespace lanescope::emulator
