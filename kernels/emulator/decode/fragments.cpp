// wmma, and mma.m8n8k4 of f16: shapes, types and registers.

#include <algorithm>
#include <string_view>

#include "kernels/base/text.h"
#include "kernels/emulator/decode/decoder.h"
#include "kernels/emulator/steps/steps.h"

namespace lanescope::emulator {

using ptx::Operand;
using Kind = Operand::Kind;
using End = FragmentOp::End;

namespace {

struct FragmentShape {
  std::string_view name;
  u32 rows, columns, depth;
};
constexpr FragmentShape fragment_shapes[] = {
    {"m16n16k16", 16, 16, 16}, {"m8n32k16", 8, 32, 16}, {"m32n8k16", 32, 8, 16}, {"m16n16k8", 16, 16, 8},
    {"m8n8k4", 8, 8, 4},       {"m8n8k32", 8, 8, 32},   {"m8n8k128", 8, 8, 128}};

std::optional<End> end_of(std::string_view name) {
  if (name == "f16") return End::half;
  if (name == "f32") return End::single;
  if (name == "s32") return End::integer;
  if (name == "f64") return End::number64;
  return std::nullopt;
}

u32 registers_of_factor(u32 elements, u32 bits) { return std::max(elements * bits / (32 * std::max(bits, 32u)), 1u); }

}  // namespace

bool Decoder::fragment_registers(const Operand& o, std::size_t count, u8 bits, bool is_destination,
                                 std::vector<u32>& rows) {
  const auto one = [&](const Operand& e) { return is_destination ? destination(e, bits) : source(e, bits); };
  if (o.kind != Kind::vector)
    rows.push_back(one(o));
  else
    for (const Operand& e : o.elements) rows.push_back(one(e));
  return rows.size() == count || refuse("it has another number of registers than its shape needs");
}

/// The types that its name has, in their order: f16, tf32, s8, b1, f32, s32, ...
std::vector<std::string_view> Decoder::matrix_types() const {
  std::vector<std::string_view> out;
  for (const std::string& m : instruction_->modifiers)
    if (std::ranges::find(element_names, std::string_view(m), &ElementName::name) != std::end(element_names) ||
        end_of(m).has_value())
      out.push_back(m);
  return out;
}

void Decoder::push_fragments(FragmentOp f, Step step) {
  op_.warp_wide = true;
  op_.parts = constants_.row_of(all_lanes, 32);
  op_.one_part = op_.gathers = true;
  op_.immediate = static_cast<u32>(program_.fragments.size());
  op_.step = step;
  program_.fragments.push_back(std::move(f));
}

bool Decoder::wmma() {
  const auto shape = std::ranges::find_if(fragment_shapes, [&](const FragmentShape& s) { return has(s.name); });
  if (shape == std::end(fragment_shapes)) return refuse("this shape is not supported");
  FragmentOp f;
  f.rows = shape->rows, f.columns = shape->columns, f.depth = shape->depth;
  const std::vector<std::string_view> types = matrix_types();
  const u32 results = f.rows * f.columns / 32;
  const auto end_registers = [&](End e) { return e == End::half ? results / 2 : results; };
  if (has("load") || has("store")) {
    const bool is_load = has("load");
    if (types.size() != 1) return refuse("its type is not known");
    f.role = has("a") ? FragmentOp::Role::a : has("b") ? FragmentOp::Role::b : FragmentOp::Role::c;
    f.a_by_rows = has("row");
    std::size_t count = 0;
    u8 bits = 32;
    if (f.role == FragmentOp::Role::c) {
      const auto end = end_of(types[0]);
      if (!end) return refuse("its type is not known");
      f.c_end = *end;
      count = end_registers(*end);
      bits = *end == End::number64 ? 64 : 32;
    } else {
      const auto e = std::ranges::find(element_names, types[0], &ElementName::name);
      if (e == std::end(element_names)) return refuse("its type is not known");
      f.a_type = f.b_type = e->element;
      bits = e->bits == 64 ? 64 : 32;
      count = types[0] == "f16"
                  ? 8
                  : registers_of_factor((f.role == FragmentOp::Role::a ? f.rows : f.columns) * f.depth, e->bits);
    }
    const std::size_t address = is_load ? 1 : 0;
    std::vector<u32>& rows = f.role == FragmentOp::Role::a ? f.a : f.role == FragmentOp::Role::b ? f.b : f.c;
    if (!fragment_registers(operand(1 - address), count, bits, is_load, rows)) return false;
    MemoryOp m;
    m.kind = is_load ? trace::AccessKind::load : trace::AccessKind::store;
    memory_space(m);
    if (!memory_operand(operand(address), m)) return false;
    const u32 dense = f.role == FragmentOp::Role::a   ? (f.a_by_rows ? f.depth : f.rows)
                      : f.role == FragmentOp::Role::b ? (f.a_by_rows ? f.columns : f.depth)
                                                      : (f.a_by_rows ? f.columns : f.rows);
    f.stride = operand_count() > 2 ? source(operand(2), 32) : constants_.row_of(dense, 32);
    op_.d2 = static_cast<u32>(program_.memory.size());
    program_.memory.push_back(m);
    push_fragments(std::move(f), step_fragment_memory);
    return true;
  }
  if (!has("mma")) return refuse("this operation is not known");
  std::string_view d, a = "f16", b = "f16", c;
  if (types.size() == 2)
    d = types[0], c = types[1];
  else if (types.size() == 4)
    d = types[0], a = types[1], b = types[2], c = types[3];
  else
    return refuse("its types are not known");
  return fragment_product(std::move(f), d, a, b, c);
}

bool Decoder::fragment_product(FragmentOp f, std::string_view d, std::string_view a, std::string_view b,
                               std::string_view c) {
  const auto d_end = end_of(d), c_end = end_of(c);
  const auto ea = std::ranges::find(element_names, a, &ElementName::name);
  const auto eb = std::ranges::find(element_names, b, &ElementName::name);
  if (!d_end || !c_end || ea == std::end(element_names) || eb == std::end(element_names) || ea->bits != eb->bits)
    return refuse("its types are not known");
  f.d_end = *d_end, f.c_end = *c_end, f.a_type = ea->element, f.b_type = eb->element;
  f.clamps = has("satfinite");
  f.rounding = has("rz") ? FE_TOWARDZERO : has("rm") ? FE_DOWNWARD : has("rp") ? FE_UPWARD : FE_TONEAREST;
  if (f.rounding != FE_TONEAREST && f.d_end != End::number64) return refuse("only products of doubles name a rounding");
  if (a == "b1") f.bits = has("and") ? MmaOp::Bits::both : MmaOp::Bits::exclusive;
  const bool quads = f.layout == FragmentOp::Layout::quads;
  if (a != b || (quads && d == "f16" && c == "f32")) return refuse("these types do not go together");
  const u32 results = quads ? 8 : f.rows * f.columns / 32;
  const auto end_registers = [&](End e) { return e == End::half ? results / 2 : results; };
  const u32 a_count = quads ? 2 : a == "f16" ? 8 : registers_of_factor(f.rows * f.depth, ea->bits);
  const u32 b_count = quads ? 2 : a == "f16" ? 8 : registers_of_factor(f.columns * f.depth, ea->bits);
  const u8 bits = ea->bits == 64 ? 64 : 32;
  if (!fragment_registers(operand(0), end_registers(f.d_end), bits, true, f.d) ||
      !fragment_registers(operand(1), a_count, bits, false, f.a) ||
      !fragment_registers(operand(2), b_count, bits, false, f.b) ||
      !fragment_registers(operand(3), end_registers(f.c_end), bits, false, f.c))
    return false;
  push_fragments(std::move(f), step_fragments);
  return true;
}

/// mma.m8n8k4 of f16: four products.
bool Decoder::mma_in_quads() {
  const std::vector<std::string_view> types = matrix_types();
  std::vector<std::string_view> layouts;
  for (const std::string& m : instruction_->modifiers)
    if (m == "row" || m == "col") layouts.push_back(m);
  if (types.size() != 4 || layouts.size() != 2) return refuse("its types are not known");
  FragmentOp f;
  f.layout = FragmentOp::Layout::quads;
  f.rows = f.columns = 8, f.depth = 4;
  f.a_by_rows = layouts[0] == "row", f.b_by_columns = layouts[1] == "col";
  return fragment_product(std::move(f), types[0], types[1], types[2], types[3]);
}

}  // namespace lanescope::emulator
