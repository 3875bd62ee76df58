#include "kernels/instrument/block_values.h"

#include <algorithm>
#include <bit>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace lanescope::instrument {

using ptx::Instruction;
using ptx::Operand;
using ptx::Special;
using ptx::Type;
using Kind = Operand::Kind;
using Op = Terms::Op;

bool is_signed(Type t) { return t == Type::s8 || t == Type::s16 || t == Type::s32 || t == Type::s64; }
bool is_whole_number(Type t) { return t >= Type::b8 && t <= Type::s64 && t != Type::b128; }

int BlockValues::bits_of_register(int reg) const {
  return std::max(1, ptx::bits_of(entry_.registers[static_cast<std::size_t>(reg)].type));
}

std::optional<std::uint64_t> BlockValues::constant_of(const Value& v) const {
  return v.known() ? terms_.value_of(v.term) : std::nullopt;
}

Value BlockValues::varying(Term term) const {
  return {.state = Value::State::own, .varies = true, .term = terms_.without_constant(term)};
}

Value BlockValues::special(Special s) {
  switch (s) {
    case Special::ntid_x:
      return constant(launch_.block.x);
    case Special::ntid_y:
      return constant(launch_.block.y);
    case Special::ntid_z:
      return constant(launch_.block.z);
    case Special::nctaid_x:
      return constant(launch_.grid.x);
    case Special::nctaid_y:
      return constant(launch_.grid.y);
    case Special::nctaid_z:
      return constant(launch_.grid.z);
    case Special::ctaid_x:
    case Special::ctaid_y:
    case Special::ctaid_z:
      return {.state = Value::State::own,
              .term = terms_.block(static_cast<int>(s) - static_cast<int>(Special::ctaid_x))};
    case Special::tid_x:
    case Special::tid_y:
    case Special::tid_z:
    case Special::laneid:
    case Special::warpid:
    case Special::nwarpid:
    case Special::lanemask_eq:
    case Special::lanemask_le:
    case Special::lanemask_lt:
    case Special::lanemask_ge:
    case Special::lanemask_gt:
    case Special::dynamic_smem_size:
    case Special::total_smem_size:
    case Special::warp_size:
      return common_value;
    default:
      return other_value;
  }
}

Value BlockValues::value(const Operand& o, int bits) {
  switch (o.kind) {
    case Kind::reg: {
      if (o.reg < 0) return other_value;
      Value v = registers_[static_cast<std::size_t>(o.reg)];
      if (v.state == Value::State::never_written && recording_) v = common_value;
      if (!o.negated || !v.known()) return v;
      v.term = terms_.make({.op = Op::equal, .bits = 1, .from_bits = 1, .a = v.term});
      return bits == 1 ? v : other_value;
    }
    case Kind::immediate:
      return o.is_float ? common_value : constant(low_bits(o.bits, bits));
    case Kind::special:
      return special(o.special);
    case Kind::symbol:
      return common_value;
    case Kind::vector: {
      Value all = common_value;
      for (const Operand& e : o.elements)
        if (!in_common(value(e, bits))) all = other_value;
      return all;
    }
    default:
      return other_value;
  }
}

void BlockValues::assign(const Operand& to, const Value& v) {
  for (const Operand& e : to.elements) assign(e, v);
  for (const int reg : {to.reg, to.second_reg}) {
    if (reg < 0) continue;
    Value& held = registers_[static_cast<std::size_t>(reg)];
    const Value joined = join(held, v);
    if (joined == held) continue;
    held = joined;
    changed_ = true;
  }
}

Value BlockValues::join(const Value& a, const Value& b) const {
  if (a.state == Value::State::never_written || a == b) return b;
  if (b.state == Value::State::never_written) return a;
  if (!a.is_own() || !b.is_own()) return other_value;
  const Value x = varying(a.term), y = varying(b.term);
  return x == y ? x : other_value;
}

bool BlockValues::missing(const Instruction& i) const {
  if (recording_) return false;
  const auto unwritten = [&](auto& self, const Operand& o) -> bool {
    if (o.kind == Kind::reg && o.reg >= 0)
      return registers_[static_cast<std::size_t>(o.reg)].state == Value::State::never_written;
    return std::ranges::any_of(o.elements, [&](const Operand& e) { return self(self, e); });
  };
  return std::any_of(i.operands.begin() + (i.operands.empty() ? 0 : 1), i.operands.end(),
                     [&](const Operand& o) { return unwritten(unwritten, o); });
}

void BlockValues::refuse(std::string why) {
  if (!recording_ || !refused_.empty()) return;
  const int line = entry_.code[at_].position.line;
  refused_ = line > 0 ? fmt::format("line {}: {}", line, why) : std::move(why);
}

void BlockValues::guard(BlockGuard g) {
  if (!recording_) return;
  const bool watched = g.kind != BlockGuard::Kind::same;
  for (const Operand* o : {&g.at_a, &g.at_b})
    if (watched && !(o->kind == Kind::reg && o->reg >= 0) && o->kind != Kind::immediate)
      return refuse("an operand that is no register depends on the number of the block");
  g.instruction = static_cast<std::uint32_t>(at_);
  guards_.push_back(std::move(g));
}

void BlockValues::steer(const Value& v, const char* what) {
  if (v.common() || v.state == Value::State::never_written) return;
  if (v.known()) {
    if (!terms_.value_of(v.term)) guard({.kind = BlockGuard::Kind::same, .a = v.term});
  } else {
    refuse(fmt::format("{} depends on data, or on the number of the block", what));
  }
}

Value BlockValues::node(Op op, int bits, bool signs, Term a, Term b) {
  return {.state = Value::State::own,
          .term = terms_.make({.op = op, .bits = static_cast<std::uint8_t>(bits), .is_signed = signs, .a = a, .b = b})};
}

Value BlockValues::product(const Operand& x, const Operand& y, int bits, bool wide, bool signs) {
  const Value a = value(x, bits), b = value(y, bits);
  const int out = wide ? 2 * bits : bits;
  const Op op = wide ? Op::multiply_wide : Op::multiply;
  if (a.known() && b.known()) return node(op, out, signs, a.term, b.term);
  if (in_common(a) && in_common(b)) return common_value;
  const bool left = constant_of(b).has_value();
  const auto factor = left ? constant_of(b) : constant_of(a);
  const Value& of = left ? a : b;
  if (!factor || !of.is_own()) return other_value;
  const Value t = node(op, out, signs, of.term, (left ? b : a).term);
  if (wide)
    guard({.kind = BlockGuard::Kind::step,
           .a = of.term,
           .result = t.term,
           .bits = bits,
           .result_bits = out,
           .is_signed = signs,
           .numerator = signs ? static_cast<std::uint64_t>(signed_value(*factor, bits)) : *factor,
           .at_a = left ? x : y,
           .at_b = number(0)});
  return varying(t.term);
}

Value BlockValues::sum(const Value& a, const Value& b, int bits) {
  if (!a.is_own() || !b.is_own()) return other_value;
  const Value t = node(Op::add, bits, false, a.term, b.term);
  return a.varies || b.varies ? varying(t.term) : t;
}

Value BlockValues::negated(const Value& v, int bits) {
  if (!v.is_own()) return other_value;
  const Value t = node(Op::multiply, bits, false, v.term, terms_.constant(low_bits(~std::uint64_t{0}, bits)));
  return v.varies ? varying(t.term) : t;
}

Value BlockValues::stepping(const Operand& x, const Value& v, BlockGuard g) {
  g.kind = BlockGuard::Kind::step;
  g.a = v.term, g.at_a = x, g.at_b = number(0);
  const Term result = g.result;
  guard(std::move(g));
  return varying(result);
}

Value BlockValues::shifted_right(const Instruction& i, int bits, bool signs) {
  const Value a = value(i.operands[1], bits), by = value(i.operands[2], 32);
  if (a.known() && by.known()) return node(Op::shift_right, bits, signs, a.term, by.term);
  if (in_common(a) && in_common(by)) return common_value;
  const auto k = constant_of(by);
  if (!a.is_own() || !k || *k >= static_cast<std::uint64_t>(std::min(bits, 63))) return other_value;
  const std::uint64_t divisor = std::uint64_t{1} << *k;
  return stepping(i.operands[1], a,
                  {.result = node(Op::shift_right, bits, signs, a.term, by.term).term,
                   .bits = bits,
                   .result_bits = bits,
                   .is_signed = signs,
                   .multiple = divisor,
                   .denominator = divisor});
}

Value BlockValues::divided(const Instruction& i, int bits, bool signs) {
  const Value a = value(i.operands[1], bits), b = value(i.operands[2], bits);
  if (in_common(a) && in_common(b) && !(a.known() && b.known())) return common_value;
  const auto q = constant_of(b);
  const bool divides = i.opcode == "div";
  if (!a.is_own() || !q || *q == 0 || signed_value(*q, bits) <= 0) return other_value;
  const Value t = node(divides ? Op::divide : Op::remainder, bits, signs, a.term, b.term);
  if (a.known()) return t;
  return stepping(i.operands[1], a,
                  {.result = divides ? t.term : 0,
                   .bits = bits,
                   .result_bits = bits,
                   .is_signed = signs,
                   .non_negative = true,
                   .multiple = *q,
                   .numerator = divides ? 1u : 0u,
                   .denominator = divides ? *q : 1});
}

Value BlockValues::bitwise(const Instruction& i, int bits) {
  Value a = value(i.operands[1], bits), b = value(i.operands[2], bits);
  const Op op = i.opcode == "and" ? Op::bit_and : i.opcode == "or" ? Op::bit_or : Op::bit_xor;
  if (a.known() && b.known()) return node(op, bits, false, a.term, b.term);
  if (in_common(a) && in_common(b)) return common_value;
  if (!a.is_own() || !b.is_own()) return other_value;
  if (bits == 1) {
    for (const Value& v : {a, b})
      if (v.known()) steer(v, "a condition");
    return common_value;
  }
  const bool swapped = in_common(a);
  const Operand &x = i.operands[swapped ? 2 : 1], &y = i.operands[swapped ? 1 : 2];
  if (swapped) std::swap(a, b);
  if (!in_common(b)) return other_value;
  const auto c = constant_of(b);
  if (op == Op::bit_and) {
    if (!c) return other_value;
    const std::uint64_t rest = low_bits(~*c, bits);
    const bool clears_low = (rest & (rest + 1)) == 0;  // all bits from some bit on remain
    const int low = clears_low ? std::bit_width(rest) : std::bit_width(*c);
    if (low > 63) return other_value;
    return stepping(x, a,
                    {.result = clears_low ? a.term : 0,
                     .bits = bits,
                     .result_bits = bits,
                     .in_range = false,
                     .multiple = std::uint64_t{1} << low,
                     .numerator = clears_low ? 1u : 0u});
  }
  guard({.kind = BlockGuard::Kind::apart, .a = a.term, .bits = bits, .at_a = x, .at_b = y});
  return varying(a.term);
}

bool BlockValues::integer_arithmetic(const Instruction& i) {
  const Type type = i.types.empty() ? Type::none : i.types.back();
  if ((!is_whole_number(type) && type != Type::pred) || i.has("cc") || i.has("sat") || i.operands.size() < 2)
    return false;
  const int bits = ptx::bits_of(type);
  const bool signs = is_signed(type), wide = i.has("wide");
  const std::string_view op = i.opcode;
  const auto operand = [&](std::size_t n) { return value(i.operands[n], bits); };
  Value out;
  if (op == "and" || op == "or" || op == "xor")
    out = bitwise(i, bits);
  else if (type == Type::pred)
    return false;
  else if (op == "add")
    out = sum(operand(1), operand(2), bits);
  else if (op == "sub")
    out = sum(operand(1), negated(operand(2), bits), bits);
  else if (op == "neg")
    out = negated(operand(1), bits);
  else if (op == "not")
    out = sum(negated(operand(1), bits), constant(low_bits(~std::uint64_t{0}, bits)), bits);
  else if ((op == "mul" || op == "mad") && !i.has("hi"))
    out = product(i.operands[1], i.operands[2], bits, wide, signs);
  else if (op == "shl" && constant_of(value(i.operands[2], 32)))
    out = shifted_left(operand(1), value(i.operands[2], 32), bits);
  else if (op == "shr")
    out = shifted_right(i, bits, signs);
  else if (op == "div" || op == "rem")
    out = divided(i, bits, signs);
  else if ((op == "min" || op == "max") && operand(1).known() && operand(2).known())
    out = node(op == "min" ? Op::minimum : Op::maximum, bits, signs, operand(1).term, operand(2).term);
  else
    return false;
  if (op == "mad") out = sum(out, value(i.operands[3], wide ? 2 * bits : bits), wide ? 2 * bits : bits);
  assign(i.operands[0], out);
  return true;
}

Value BlockValues::shifted_left(const Value& a, const Value& by, int bits) {
  if (!a.is_own()) return other_value;
  const Value t = node(Op::shift_left, bits, false, a.term, by.term);
  return a.varies ? varying(t.term) : t;
}

}  // namespace lanescope::instrument
