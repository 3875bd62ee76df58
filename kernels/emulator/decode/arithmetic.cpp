// Integer, bit and floating-point arithmetic: the key of the operation, the widths of its operands, and the rule by
// which identities follow.

#include "kernels/base/text.h"
#include "kernels/emulator/decode/decoder.h"
#include "kernels/emulator/lanes/operations.h"
#include "kernels/ptx/names.h"

namespace lanescope::emulator {

using ptx::Operand;
using ptx::Type;

namespace {

bool is_float(Type t) { return t == Type::f32 || t == Type::f64 || t == Type::f16 || t == Type::bf16; }
bool is_pair(Type t) { return t == Type::f16x2 || t == Type::bf16x2 || t == Type::u16x2 || t == Type::s16x2; }
bool is_signed(Type t) { return t == Type::s8 || t == Type::s16 || t == Type::s32 || t == Type::s64; }

}  // namespace

/// Refuses an instruction with fewer or more sources than its opcode has.
bool Decoder::has_sources(std::size_t least, std::size_t most) {
  if (operand_count() <= least) return missing_ = true, false;
  return operand_count() <= most + 1 || refuse("there are too many operands");
}

bool Decoder::arithmetic() {
  const auto number = static_cast<std::size_t>(instruction_ - entry_.code.data());
  const bool contracts = !function_.contractions.empty();
  if (contracts && function_.contractions[number].product >= 0) return contracted(function_.contractions[number]);
  if (has("cc")) return carry_arithmetic();
  if (type() == Type::f32x2 || has("xorsign") || instruction_->types.size() > 1 ||
      (one_of(instruction_->opcode, {"min", "max"}) && operand_count() == 4))
    return composed_arithmetic();
  const Type t = type();
  const std::string& opcode = instruction_->opcode;
  const std::size_t needed = one_of(opcode, {"mad", "fma", "sad", "mad24"})  ? 3
                             : one_of(opcode, {"neg", "abs", "sqrt", "rcp"}) ? 1
                                                                             : 2;
  if (!has_sources(needed, needed)) return false;
  const u8 bits = static_cast<u8>(ptx::bits_of(t));
  const bool wide = has("wide");
  const std::size_t sources = operand_count() - 1;
  // mad of floats is fma; `rn` is what the tables mean where no rounding is named.
  std::string key = key_without({"rn", "noftz"});
  if (opcode == "mad" && is_float(t)) key.replace(0, 3, "fma");
  if (!set_exec(key)) return false;
  const u8 out = wide ? static_cast<u8>(bits * 2) : bits;
  set_operands(out, bits, sources > 1 ? bits : 0, sources > 2 ? (wide ? out : bits) : 0);
  if (is_pair(t))
    op_.tag = tag_computed_halves;
  else if (is_float(t))
    op_.tag = tag_computed;
  else if (has("sat"))
    op_.tag = tag_computed;
  else if (opcode == "add")
    set_rule(BitRule::add);
  else if (opcode == "sub")
    set_rule(BitRule::sub);
  else if (opcode == "neg")
    set_rule(BitRule::neg);
  else if (opcode == "mul" && has("lo"))
    set_rule(BitRule::mul_lo);
  else if (opcode == "mul" && has("hi"))
    set_rule(is_signed(t) ? BitRule::mul_hi_s : BitRule::mul_hi_u);
  else if (opcode == "mul")
    set_rule(is_signed(t) ? BitRule::mul_wide_s : BitRule::mul_wide_u);
  else if (opcode == "mad" && has("lo"))
    set_rule(BitRule::mad_lo);
  else if (opcode == "mad" && wide)
    set_rule(is_signed(t) ? BitRule::mad_wide_s : BitRule::mad_wide_u);
  if (contracts && function_.contractions[number].copies) {
    const u32 rows = function_.factors.at(static_cast<int>(number));
    compose({.kind = ComposedOp::Kind::keeps_factors, .inner = op_.exec, .factors = {rows, rows + row_bytes(bits)}});
  }
  return true;
}

void Decoder::compose(ComposedOp m) {
  program_.composed.push_back(m);
  op_.composed = &program_.composed.back();
  op_.exec = exec_composed;
}

/// A sum of which ptxas makes an fma with the factors of a product. Identities are those of the sum.
bool Decoder::contracted(const ptx::Contraction& c) {
  const ptx::Instruction& product = entry_.code[static_cast<std::size_t>(c.product)];
  const Type t = type();
  const u8 bits = static_cast<u8>(ptx::bits_of(t));
  if (!has_sources(2, 2)) return false;
  const bool keeps = function_.contractions[static_cast<std::size_t>(c.product)].copies;
  const bool subtracts = instruction_->opcode == "sub";
  const bool minus_product = c.negated != (subtracts && c.operand == 2), minus_other = subtracts && c.operand == 1;
  const Operand& other = operand(static_cast<std::size_t>(3 - c.operand));
  u32 factors[2];
  for (u32 i = 0; i < 2; ++i)
    factors[i] = keeps ? function_.factors.at(c.product) + i * row_bytes(bits) : source(product.operands[i + 1], bits);
  if (!set_exec(std::string("fma") + (has("ftz") ? ".ftz" : "") + (has("sat") ? ".sat" : "") + "." +
                std::string(ptx::name_of(t))))
    return false;
  op_.d = destination(operand(0), bits);
  op_.d_bits = op_.a_bits = op_.b_bits = bits;
  op_.tag = is_pair(t) ? tag_computed_halves : tag_computed;
  if (!keeps && !minus_product && !minus_other) {
    op_.a = factors[0], op_.b = factors[1], op_.c = source(other, bits);
    op_.c_bits = bits;
    return true;
  }
  op_.a = source(operand(static_cast<std::size_t>(c.operand)), bits), op_.b = source(other, bits);
  op_.c_bits = 0;
  const u64 sign = bits == 64 ? u64{1} << 63 : is_pair(t) ? 0x80008000u : u64{1} << (bits - 1);
  compose({.kind = ComposedOp::Kind::contracted,
           .inner = op_.exec,
           .sign = minus_product ? sign : 0,
           .other_sign = minus_other ? sign : 0,
           .factors = {factors[0], factors[1]}});
  return true;
}

/// add.f32x2, min.xorsign.abs.f32, min of three, add.f32.bf16.
bool Decoder::composed_arithmetic() {
  const std::string& opcode = instruction_->opcode;
  const Type t = type();
  ComposedOp m;
  std::string key = opcode;
  for (const std::string& part : instruction_->modifiers)
    if (ptx::type_of(part) == Type::none && !one_of(part, {"rn", "xorsign", "abs"})) key += "." + part;
  const std::size_t sources = one_of(opcode, {"fma"}) || operand_count() == 4 ? 3 : 2;
  if (!has_sources(sources, sources)) return false;
  u8 bits = 32;
  if (t == Type::f32x2) {
    m.kind = ComposedOp::Kind::pairs_of_64;
    key += ".f32";
    bits = 64;
  } else if (instruction_->types.size() == 2 && t == Type::f32 && (type(1) == Type::f16 || type(1) == Type::bf16)) {
    m.kind = ComposedOp::Kind::widened;
    m.widened = opcode == "fma" ? 3 : 1;
    m.is_bfloat = type(1) == Type::bf16;
    key += ".f32";
  } else if (instruction_->types.size() == 1 && has("xorsign") && sources == 2) {
    m.kind = ComposedOp::Kind::signs_apart;
    m.sign = t == Type::f32 ? 0x80000000u : ptx::bits_of(t) == 16 ? 0x8000u : 0x80008000u;
    key += "." + std::string(ptx::name_of(t));
    bits = static_cast<u8>(ptx::bits_of(t));
  } else if (t == Type::f32 && instruction_->types.size() == 1 && sources == 3) {
    m.kind = ComposedOp::Kind::three;
    m.sign = has("abs") ? 0x80000000u : 0;
    key += ".f32";
  } else {
    return false;
  }
  if (!set_exec(key)) return false;
  m.inner = op_.exec;
  const bool widens = m.kind == ComposedOp::Kind::widened;
  set_operands(bits, widens ? 16 : bits, widens && sources == 3 ? 16 : bits, sources == 3 ? bits : 0);
  compose(m);
  op_.tag = is_pair(t) ? tag_computed_halves : tag_computed;
  return true;
}

bool Decoder::carry_arithmetic() {
  const std::size_t needed = instruction_->opcode.starts_with("mad") ? 3 : 2;
  if (!has_sources(needed, needed)) return false;
  const u8 bits = static_cast<u8>(ptx::bits_of(type()));
  const bool is_64 = bits == 64;
  std::string key = instruction_->opcode;
  if (has("lo")) key += ".lo";
  if (has("hi")) key += is_signed(type()) ? ".hi.s" : ".hi.u";
  if (has("sat")) key += ".sat";
  if (has("cc")) key += ".cc";
  op_.exec = find_carry_operation(key + (is_64 ? ".64" : ".32"));
  if (op_.exec == nullptr) return false;
  set_operands(bits, bits, bits, operand_count() > 3 ? bits : 0);
  op_.carry = function_.carry;
  op_.d2 = function_.carry_tags;
  op_.immediate = (instruction_->opcode.ends_with('c') ? u32{carry_reads} : 0u) | (has("cc") ? u32{carry_writes} : 0u);
  op_.tag = tag_carry;
  return true;
}

bool Decoder::special_function() {
  const Type t = type();
  const u8 bits = static_cast<u8>(ptx::bits_of(t));
  if (!set_exec(key_without({"approx", "rn"}))) return false;
  set_operands(bits, bits);
  op_.tag = is_pair(t) ? tag_computed_halves : tag_computed;
  return true;
}

bool Decoder::logic() {
  const std::string& opcode = instruction_->opcode;
  const bool is_not = opcode == "not";
  const u32 table = opcode == "and" ? 0xc0 : opcode == "or" ? 0xfc : opcode == "xor" ? 0x3c : 0x0f;
  op_.immediate = table;
  if (type() == Type::pred) {
    u32 flip_a = 0, flip_b = 0;
    op_.a = predicate(operand(1), flip_a);
    op_.b = is_not ? always : predicate(operand(2), flip_b);
    op_.c = always;
    op_.d = predicate_destination(operand(0));
    op_.flip = (flip_a != 0 ? 1u : 0u) | (flip_b != 0 ? 2u : 0u);
    op_.exec = exec_predicates;
    op_.tag = tag_predicates;
    return true;
  }
  if (!set_exec(opcode + ".b" + std::to_string(ptx::bits_of(type())))) return false;
  const u8 bits = static_cast<u8>(ptx::bits_of(type()));
  set_operands(bits, bits, is_not ? 0 : bits);
  set_rule(BitRule::lop3);
  return true;
}

bool Decoder::lop3() {
  if (!set_exec("lop3.b32")) return false;
  set_operands(32, 32, 32, 32);
  op_.immediate = static_cast<u32>(operand(4).bits) & 0xff;
  set_rule(BitRule::lop3);
  if (has("and") || has("or")) {  // d|p: p shows whether d is not 0, combined with a predicate
    op_.bool_op = has("and") ? BoolOp::and_ : BoolOp::or_;
    op_.d2 = second_predicate(operand(0));
    op_.carry = predicate(operand(5), op_.flip);
    op_.exec = exec_lop3_predicate;
    op_.tag = tag_lop3_predicate;
  }
  return true;
}

bool Decoder::shift() {
  const std::string& opcode = instruction_->opcode;
  const u8 bits = static_cast<u8>(ptx::bits_of(type()));
  if (!set_exec(key_without({}))) return false;
  if (opcode == "bmsk") {
    set_operands(32, 32, 32);
    op_.tag = tag_computed;
  } else if (opcode == "szext") {
    set_operands(32, 32, 32);
    op_.immediate = has("wrap") ? 1 : 0;
    set_rule(is_signed(type()) ? BitRule::szext_s : BitRule::szext_u);
  } else if (opcode == "shf") {
    set_operands(32, 32, 32, 32);
    const bool wrap = has("wrap");
    set_rule(has("l") ? (wrap ? BitRule::shf_l_wrap : BitRule::shf_l_clamp)
                      : (wrap ? BitRule::shf_r_wrap : BitRule::shf_r_clamp));
  } else if (opcode == "bfe") {
    set_operands(bits, bits, 32, 32);
    set_rule(is_signed(type()) ? BitRule::bfe_s : BitRule::bfe_u);
  } else {
    set_operands(bits, bits, 32);
    set_rule(opcode == "shl" ? BitRule::shl : is_signed(type()) ? BitRule::shr_s : BitRule::shr_u);
  }
  return true;
}

bool Decoder::prmt() {
  static constexpr std::string_view modes[] = {"", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16"};
  op_.immediate = 0;
  for (u32 i = 1; i < std::size(modes); ++i)
    if (has(modes[i])) op_.immediate = i;
  if (!set_exec("prmt.b32")) return false;
  set_operands(32, 32, 32, 32);
  set_rule(BitRule::prmt);
  return true;
}

bool Decoder::bfi() {
  const u8 bits = static_cast<u8>(ptx::bits_of(type()));
  if (!set_exec("bfi.b" + std::to_string(bits))) return false;
  set_operands(bits, bits, bits, 32);
  op_.d2 = source(operand(4), 32);
  set_rule(BitRule::bfi);
  return true;
}

bool Decoder::unary_count() {
  const u8 bits = static_cast<u8>(ptx::bits_of(type()));
  const std::string& opcode = instruction_->opcode;
  if (!set_exec(key_without({}))) return false;
  const bool same_width = opcode == "brev" || opcode == "cnot";
  set_operands(same_width ? bits : 32, bits);
  if (opcode == "brev") set_rule(BitRule::brev);
  return true;
}

bool Decoder::dot_product() {
  if (!set_exec(key_without({"lo", "hi"}))) return false;
  op_.immediate = has("hi") ? 1 : 0;
  set_operands(32, 32, 32, 32);
  return true;
}

}  // namespace lanescope::emulator
