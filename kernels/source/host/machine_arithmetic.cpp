// Operators on numbers and addresses, with the conversions that C++ makes.

#include <algorithm>

#include <fmt/format.h>

#include "kernels/source/host/machine.h"

namespace lanescope::source::host {
namespace {

bool is_comparison(Op op) {
  return op == Op::less || op == Op::greater || op == Op::less_equal || op == Op::greater_equal || op == Op::equal ||
         op == Op::not_equal;
}

template <class T>
bool compared(Op op, T a, T b) {
  switch (op) {
    case Op::less:
      return a < b;
    case Op::greater:
      return a > b;
    case Op::less_equal:
      return a <= b;
    case Op::greater_equal:
      return a >= b;
    case Op::equal:
      return a == b;
    default:
      return a != b;
  }
}

}  // namespace

Value Machine::pointer_arithmetic(Op op, const Value& a, const Value& b) {
  const bool both = a.type->kind == Kind::pointer && b.type->kind == Kind::pointer;
  if (is_comparison(op))
    return number(compared(op, static_cast<std::uint64_t>(a.i), static_cast<std::uint64_t>(b.i)) ? 1 : 0,
                  p_.types.bool_);
  if (both && op == Op::subtract) {
    const auto bytes = static_cast<std::int64_t>(std::max<std::uint64_t>(a.type->of->bytes, 1));
    return number((a.i - b.i) / bytes, p_.types.i64);
  }
  const Value& pointer = a.type->kind == Kind::pointer ? a : b;
  const Value& offset = a.type->kind == Kind::pointer ? b : a;
  if (both || !offset.type->is_whole() || (op != Op::add && op != Op::subtract))
    return unknown_value(pointer.type, because("it is no address"));
  const std::uint64_t bytes = static_cast<std::uint64_t>(offset.i) * pointer.type->of->bytes;
  Value out = pointer;
  out.i = static_cast<std::int64_t>(op == Op::add ? static_cast<std::uint64_t>(pointer.i) + bytes
                                                  : static_cast<std::uint64_t>(pointer.i) - bytes);
  return out;
}

Value Machine::arithmetic(Op op, Value a, Value b, int line) {
  const bool comparison = is_comparison(op);
  if (a.unknown != 0 || b.unknown != 0 || a.type == nullptr || b.type == nullptr) {
    const Reason why = a.unknown != 0 ? a.unknown : b.unknown;
    const Type* t = p_.types.bool_;
    if (!comparison) t = a.type != nullptr && (a.type->kind == Kind::pointer || b.type == nullptr) ? a.type : b.type;
    return unknown_value(t, why != 0 ? why : because("it has no value"));
  }
  if (a.type->kind == Kind::pointer || b.type->kind == Kind::pointer || a.type->kind == Kind::code) {
    if (a.type->kind == Kind::code || b.type->kind == Kind::code) {
      if (comparison) return number(compared(op, a.i, b.i) ? 1 : 0, p_.types.bool_);
      return unknown_value(a.type, because("a function is no number"));
    }
    if (!b.type->is_whole() && b.type->kind != Kind::pointer) return unknown_value(a.type, because("it is no address"));
    return pointer_arithmetic(op, a, b);
  }
  if (!a.type->is_number() || !b.type->is_number())
    return unknown_value(comparison ? p_.types.bool_ : a.type,
                         because(fmt::format("line {} computes with what is no number", line)));
  if (op == Op::left || op == Op::right) {
    if (!a.type->is_whole() || !b.type->is_whole())
      return unknown_value(a.type, because("it shifts what is no integer"));
    Value v = a.type->bytes < 4 ? convert(a, p_.types.int_) : a;
    if (b.i < 0 || b.i >= static_cast<std::int64_t>(8 * v.type->bytes))
      return unknown_value(v.type, because("it shifts too far"));
    if (op == Op::left) {
      v.i = static_cast<std::int64_t>(static_cast<std::uint64_t>(v.i) << b.i);
    } else {
      v.i = v.type->is_signed ? v.i >> b.i : static_cast<std::int64_t>(static_cast<std::uint64_t>(v.i) >> b.i);
    }
    return normal(v);
  }
  if (a.type->kind == Kind::floating || b.type->kind == Kind::floating) {
    const Type* t = a.type->kind != Kind::floating   ? b.type
                    : b.type->kind != Kind::floating ? a.type
                    : a.type->bytes >= b.type->bytes ? a.type
                                                     : b.type;
    const double x = normal(real(as_real(a), t)).f, y = normal(real(as_real(b), t)).f;
    if (comparison) return number(compared(op, x, y) ? 1 : 0, p_.types.bool_);
    switch (op) {
      case Op::add:
        return normal(
            real(t->bytes == 4 ? static_cast<double>(static_cast<float>(x) + static_cast<float>(y)) : x + y, t));
      case Op::subtract:
        return normal(
            real(t->bytes == 4 ? static_cast<double>(static_cast<float>(x) - static_cast<float>(y)) : x - y, t));
      case Op::multiply:
        return normal(
            real(t->bytes == 4 ? static_cast<double>(static_cast<float>(x) * static_cast<float>(y)) : x * y, t));
      case Op::divide:
        return normal(
            real(t->bytes == 4 ? static_cast<double>(static_cast<float>(x) / static_cast<float>(y)) : x / y, t));
      default:
        return unknown_value(t, because("floats have no such operation"));
    }
  }
  const Type* left = a.type->bytes < 4 ? p_.types.int_ : a.type;
  const Type* right = b.type->bytes < 4 ? p_.types.int_ : b.type;
  const Type* t = left->bytes != right->bytes ? (left->bytes > right->bytes ? left : right)
                  : !left->is_signed          ? left
                                              : right;
  a = convert(a, t), b = convert(b, t);
  if (comparison) {
    const bool yes = t->is_signed ? compared(op, a.i, b.i)
                                  : compared(op, static_cast<std::uint64_t>(a.i), static_cast<std::uint64_t>(b.i));
    return number(yes ? 1 : 0, p_.types.bool_);
  }
  const auto x = static_cast<std::uint64_t>(a.i), y = static_cast<std::uint64_t>(b.i);
  std::uint64_t r = 0;
  switch (op) {
    case Op::add:
      r = x + y;
      break;
    case Op::subtract:
      r = x - y;
      break;
    case Op::multiply:
      r = x * y;
      break;
    case Op::and_:
      r = x & y;
      break;
    case Op::or_:
      r = x | y;
      break;
    case Op::xor_:
      r = x ^ y;
      break;
    case Op::divide:
    case Op::remainder:
      if (y == 0) return unknown_value(t, because(fmt::format("line {} divides by zero", line)));
      if (t->is_signed && b.i == -1) {
        r = op == Op::divide ? 0 - x : 0;
      } else if (t->is_signed) {
        r = static_cast<std::uint64_t>(op == Op::divide ? a.i / b.i : a.i % b.i);
      } else {
        r = op == Op::divide ? x / y : x % y;
      }
      break;
    default:
      return unknown_value(t, because("the operation is not known"));
  }
  return normal(number(static_cast<std::int64_t>(r), t));
}

}  // namespace lanescope::source::host
