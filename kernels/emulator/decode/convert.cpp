// cvt: numbers of ordinary types, two at once, and the formats of few bits.

#include <algorithm>
#include <array>

#include "kernels/base/text.h"
#include "kernels/emulator/decode/decoder.h"
#include "kernels/emulator/lanes/operations.h"

namespace lanescope::emulator {

using ptx::Operand;
using ptx::Type;
using Kind = Operand::Kind;

namespace {
u8 width_of(Type t) { return static_cast<u8>(ptx::bits_of(t)); }
bool is_whole(Type t) { return (t >= Type::b8 && t <= Type::b64) || (t >= Type::u8 && t <= Type::s64); }
bool is_signed_whole(Type t) { return t >= Type::s8 && t <= Type::s64; }

struct SmallName {
  std::string_view name;
  SmallFormat format;
  u32 count;
};
constexpr SmallName small_names[] = {
    {"f32", SmallFormat::f32, 1},     {"f16", SmallFormat::f16, 1},      {"f16x2", SmallFormat::f16, 2},
    {"bf16", SmallFormat::bf16, 1},   {"bf16x2", SmallFormat::bf16, 2},  {"tf32", SmallFormat::tf32, 1},
    {"e4m3x2", SmallFormat::e4m3, 2}, {"e5m2x2", SmallFormat::e5m2, 2},  {"e2m3x2", SmallFormat::e2m3, 2},
    {"e3m2x2", SmallFormat::e3m2, 2}, {"e2m1x2", SmallFormat::e2m1, 2},  {"e4m3x4", SmallFormat::e4m3, 4},
    {"e5m2x4", SmallFormat::e5m2, 4}, {"e2m3x4", SmallFormat::e2m3, 4},  {"e3m2x4", SmallFormat::e3m2, 4},
    {"e2m1x4", SmallFormat::e2m1, 4}, {"ue8m0x2", SmallFormat::ue8m0, 2}};
const SmallName* small_name(Type t) {
  const auto found = std::ranges::find(small_names, ptx::name_of(t), &SmallName::name);
  return found == std::end(small_names) ? nullptr : found;
}
bool is_packed_small(Type t) { return t >= Type::e4m3x2 && t <= Type::e2m1x4; }
}  // namespace

/// Whether a format of few bits, random bits or a finite limit is involved: what find_conversion() does not know.
bool Decoder::is_small_conversion() const {
  return type(0) == Type::tf32 || is_packed_small(type(0)) || is_packed_small(type(1)) || has("satfinite") || has("rs");
}

bool Decoder::cvt_small() {
  const SmallName *to = small_name(type(0)), *from = small_name(type(1));
  if (to == nullptr || from == nullptr) return false;
  SmallConversion c{.to = to->format, .from = from->format, .count = std::max(to->count, from->count)};
  using Rounding = SmallConversion::Rounding;
  c.rounding = has("rz")    ? Rounding::zero
               : has("rp")  ? Rounding::up
               : has("rna") ? Rounding::away
               : has("rs")  ? Rounding::random
                            : Rounding::nearest;
  c.relu = has("relu"), c.finite = has("satfinite");
  op_.d_bits = std::max<u8>(8, width_of(type(0)));
  op_.d = destination(operand(0), op_.d_bits, Fit::wider);
  std::vector<const Operand*> sources;
  if (operand(1).kind == Kind::vector)
    for (const Operand& o : operand(1).elements) sources.push_back(&o);
  else
    for (std::size_t i = 1; i + (has("rs") ? 1 : 0) < operand_count(); ++i) sources.push_back(&operand(i));
  const std::size_t wanted = from->count == 1 ? c.count : 1;
  if (sources.size() != wanted) return missing_ = true, false;
  u32* const rows[] = {&op_.a, &op_.b, &op_.c, &op_.d2};
  const u8 bits = std::max<u8>(8, width_of(type(1)));
  for (std::size_t i = 0; i < sources.size(); ++i) *rows[i] = source(*sources[i], bits, Fit::wider);
  op_.a_bits = bits;
  op_.b_bits = wanted > 1 ? bits : 0;
  op_.c_bits = wanted > 2 ? bits : 0;
  if (has("rs")) op_.carry = source(operand(operand_count() - 1), 32);
  op_.immediate = c.packed();
  op_.exec = exec_small_floats;
  op_.tag = has("rs") || wanted > 2 ? tag_computed_of_five : tag_computed;
  return true;
}

namespace {

enum class Rounding { none, allowed, allowed_to_integers, needed, needed_to_integers };

/// Which roundings a conversion has, as ptxas 13.0 takes them.
Rounding rounding_of(Type to, Type from) {
  if (is_whole(to)) return is_whole(from) ? Rounding::none : Rounding::needed_to_integers;
  if (is_whole(from)) return Rounding::needed;
  if (to == from) return Rounding::allowed_to_integers;
  if (from == Type::bf16 || (from == Type::f16 && to == Type::bf16)) return Rounding::allowed;
  return width_of(to) > width_of(from) ? Rounding::none : Rounding::needed;
}

}  // namespace

/// Whether the conversion has the roundings and .ftz that it must or may have.
bool Decoder::cvt_fits() {
  const bool rounds = has("rn") || has("rz") || has("rm") || has("rp") || has("rna") || has("rs");
  const bool to_integers = has("rni") || has("rzi") || has("rmi") || has("rpi");
  const bool packed =
      small_name(type(0)) != nullptr && (is_packed_small(type(0)) || is_packed_small(type(1)) || operand_count() > 2);
  const Rounding r = packed ? Rounding::needed : rounding_of(type(0), type(1));
  if ((r == Rounding::needed && !rounds) || (r == Rounding::needed_to_integers && !to_integers))
    return refuse("it needs a rounding");
  if ((rounds && r != Rounding::needed && r != Rounding::allowed) ||
      (to_integers && r != Rounding::needed_to_integers && r != Rounding::allowed_to_integers))
    return refuse("this conversion has no such rounding");
  const bool to_signed = is_signed_whole(type(0)), from_signed = is_signed_whole(type(1));
  const bool always_fits = is_whole(type(0)) && is_whole(type(1)) &&
                           (to_signed == from_signed ? width_of(type(0)) >= width_of(type(1))
                                                     : to_signed && width_of(type(0)) > width_of(type(1)));
  if (has("sat") && always_fits) return refuse("every number fits, so that .sat has no meaning");
  return !has("ftz") || (!packed && (type(0) == Type::f32 || type(1) == Type::f32)) ||
         refuse("this conversion has no .ftz");
}

bool Decoder::cvt() {
  if (has("pack")) return cvt_pack();
  if (!cvt_fits()) return false;
  if (is_small_conversion()) return cvt_small();
  if (operand_count() > 2) return cvt_pair();
  const Type to = type(0), from = type(1);
  const u8 in = width_of(from);
  const u8 out = operand(0).kind == Kind::reg ? register_bits(operand(0).reg) : std::max<u8>(32, width_of(to));
  if (out < width_of(to)) return refuse("its result does not fit into the register");
  op_.d = destination(operand(0), out);
  op_.d_bits = out;
  // ptxas takes the low part of a wider register, but not that of an .f64.
  const bool wide = operand(1).kind == Kind::reg && register_bits(operand(1).reg) == 64 && in <= 32 &&
                    entry_.registers[static_cast<std::size_t>(operand(1).reg)].type != Type::f64;
  op_.a_bits = wide ? 64 : in;
  op_.a = source(operand(1), op_.a_bits, Fit::wider);
  op_.b_bits = op_.c_bits = 0;
  u32 flags = has("rz") || has("rzi")   ? convert_rz
              : has("rm") || has("rmi") ? convert_rm
              : has("rp") || has("rpi") ? convert_rp
                                        : convert_rn;
  if (has("rni") || has("rzi") || has("rmi") || has("rpi")) flags |= convert_to_integral;
  if (has("sat")) flags |= convert_sat;
  if (has("ftz")) flags |= convert_ftz;
  if (has("relu")) flags |= convert_relu;
  if (wide) flags |= convert_wide_source;
  if (has("scaled::n2::ue8m0")) return false;
  op_.immediate = flags | u32{out} << convert_register_shift;
  op_.exec = find_conversion(to, from);
  if (op_.exec == nullptr) return false;
  op_.tag = tag_computed;
  if (is_whole(to) && is_whole(from) && !has("sat")) {
    // Source bits that the result keeps: the narrower of the two widths, extended by the sign of the type it passes.
    op_.rule = width_of(to) <= in ? (is_signed_whole(to) ? BitRule::extend_s : BitRule::extend_u)
                                  : (is_signed_whole(from) ? BitRule::extend_s : BitRule::extend_u);
    op_.c_bits = 0;
    op_.d2 = std::min(width_of(to), in);
    op_.tag = tag_bits;
    if (wide) return true;
    const bool plain_widen = in == 32 && out == 64 && width_of(to) == 64;
    if (plain_widen) op_.exec = find_lane_operation(is_signed_whole(from) ? "widen.s32" : "widen.u32");
    if (in == 64 && out == 32 && width_of(to) == 32) op_.exec = find_lane_operation("low.b64");
    if (in == 16 && out == 32 && width_of(to) == 32)
      op_.exec = find_lane_operation(is_signed_whole(from) ? "widen.s16" : "widen.u16");
    if (in == 32 && out == 16 && width_of(to) == 16) op_.exec = find_lane_operation("low.b32");
    if (in == out && width_of(to) == in) op_.tag = tag_copy;
  }
  return true;
}

/// Two clamped integers side by side, b below a; what a third operand holds moves up to make room.
bool Decoder::cvt_pack() {
  const Type to = type(0);
  const bool known = one_of(ptx::name_of(to), {"u16", "s16", "u8", "s8", "u4", "s4", "u2", "s2"});
  if (!known || type(1) != Type::s32 || !has("sat")) return false;
  const bool third = operand_count() > 3;
  set_operands(32, 32, 32, third ? 32 : 0);
  op_.immediate = static_cast<u32>(ptx::bits_of(to));
  op_.flip = ptx::name_of(to)[0] == 's' ? 1 : 0;
  op_.exec = exec_cvt_pack;
  op_.tag = tag_computed;
  return true;
}

bool Decoder::cvt_pair() {
  if (operand_count() != 3 || type(1) != Type::f32) return false;
  op_.exec = convert_pair_exec(type(0));
  if (op_.exec == nullptr) return false;
  set_operands(32, 32, 32);
  op_.immediate = (has("rz") ? convert_rz : convert_rn) | (has("relu") ? u32{convert_relu} : 0u);
  op_.tag = tag_convert_pair;
  return true;
}

}  // namespace lanescope::emulator
