// Operators on numbers and addresses, with the conversions that C++ makes.

#include <algorithm>

#include <fmt/format.h>

#include "kernels/source/host/number_rules.h"
#include "kernels/source/host/typed_memory.h"

namespace lanescope::source::host {

Value TypedMemory::pointer_arithmetic(Op op, const Value& a, const Value& b) {
  const bool both = a.type->kind == Kind::pointer && b.type->kind == Kind::pointer;
  if (is_comparison(op))
    return number(compared(op, static_cast<std::uint64_t>(a.i), static_cast<std::uint64_t>(b.i)) ? 1 : 0, types.bool_);
  if (both && op == Op::subtract) {
    const auto bytes = static_cast<std::int64_t>(std::max<std::uint64_t>(a.type->of->bytes, 1));
    return number((a.i - b.i) / bytes, types.i64);
  }
  const Value& pointer = a.type->kind == Kind::pointer ? a : b;
  const Value& offset = a.type->kind == Kind::pointer ? b : a;
  if (both || !offset.type->is_whole() || (op != Op::add && op != Op::subtract))
    return unknown_value(pointer.type, reason("it is no address"));
  const std::uint64_t bytes = static_cast<std::uint64_t>(offset.i) * pointer.type->of->bytes;
  Value out = pointer;
  out.i = static_cast<std::int64_t>(op == Op::add ? static_cast<std::uint64_t>(pointer.i) + bytes
                                                  : static_cast<std::uint64_t>(pointer.i) - bytes);
  return out;
}

Value TypedMemory::arithmetic(Op op, Value a, Value b, int line) {
  const bool comparison = is_comparison(op);
  if (a.unknown != 0 || b.unknown != 0 || a.type == nullptr || b.type == nullptr) {
    const Reason why = a.unknown != 0 ? a.unknown : b.unknown;
    const Type* t = types.bool_;
    if (!comparison) t = a.type != nullptr && (a.type->kind == Kind::pointer || b.type == nullptr) ? a.type : b.type;
    return unknown_value(t, why != 0 ? why : reason("it has no value"));
  }
  if (a.type->kind == Kind::pointer || b.type->kind == Kind::pointer || a.type->kind == Kind::code) {
    if (a.type->kind == Kind::code || b.type->kind == Kind::code) {
      if (comparison) return number(compared(op, a.i, b.i) ? 1 : 0, types.bool_);
      return unknown_value(a.type, reason("a function is no number"));
    }
    if (!b.type->is_whole() && b.type->kind != Kind::pointer) return unknown_value(a.type, reason("it is no address"));
    return pointer_arithmetic(op, a, b);
  }
  if (!a.type->is_number() || !b.type->is_number())
    return unknown_value(comparison ? types.bool_ : a.type,
                         reason(fmt::format("line {} computes with what is no number", line)));
  const Type* t = common_type(types, op, a.type, b.type);
  if (t == nullptr)
    return unknown_value(a.type,
                         reason(is_shift(op) ? "it shifts what is no integer" : "floats have no such operation"));
  a = convert(a, t);
  if (!is_shift(op)) b = convert(b, t);
  if (a.unknown != 0 || b.unknown != 0)
    return unknown_value(comparison ? types.bool_ : t, a.unknown != 0 ? a.unknown : b.unknown);
  return in_type(t, [&]<class T>() -> Value {
    const auto of = [](const Value& v) {
      return std::is_floating_point_v<T> ? static_cast<T>(v.f) : static_cast<T>(v.i);
    };
    if (comparison) return number(compared(op, of(a), of(b)) ? 1 : 0, types.bool_);
    T out{};
    bool known = false;
    if constexpr (std::is_floating_point_v<T>) {
      known = combined(op, of(a), of(b), out);
    } else {
      known = is_shift(op) ? shifted(op, of(a), b.i, out) : combined(op, of(a), of(b), out);
    }
    if (!known)
      return unknown_value(
          t, reason(is_shift(op)                              ? "it shifts too far"
                    : op == Op::divide || op == Op::remainder ? fmt::format("line {} divides by zero", line)
                                                              : "the operation is not known"));
    return normal(std::is_floating_point_v<T> ? real(static_cast<double>(out), t)
                                              : number(static_cast<std::int64_t>(out), t));
  });
}

}  // namespace lanescope::source::host
