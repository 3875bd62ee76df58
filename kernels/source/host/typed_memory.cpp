#include "kernels/source/host/memory.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "kernels/source/host/number_rules.h"

namespace lanescope::source::host {

Value TypedMemory::normal(Value v) {
  if (v.type->is_whole()) v.i = cut(v.i, v.type);
  if (v.type->kind == Kind::floating && v.type->bytes < 8) v.f = real_of(bits_of(v.f, v.type), v.type);
  return v;
}

Value TypedMemory::convert(Value v, const Type* to) {
  if (to == nullptr || v.type == to) return v;
  if (v.type == nullptr) return unknown_value(to, v.unknown != 0 ? v.unknown : reason("it has no value"));
  v = decayed(v);
  if (v.unknown != 0) return unknown_value(to, v.unknown);
  switch (to->kind) {
    case Kind::pointer:
    case Kind::code:
      if (v.type->kind == Kind::pointer || v.type->kind == Kind::code || v.type->is_whole()) return v.type = to, v;
      if (v.type->kind == Kind::text) return at_address(word(v.address()), to);
      return unknown_value(to, reason(fmt::format("a {} is no pointer", v.type->name)));
    case Kind::floating:
      if (!v.type->is_number()) return unknown_value(to, reason(fmt::format("a {} is no number", v.type->name)));
      if (to->bytes == 4 && v.type->is_whole())  // rounded once
        return real(v.type->kind == Kind::integer && !v.type->is_signed
                        ? static_cast<float>(static_cast<std::uint64_t>(v.i))
                        : static_cast<float>(v.i),
                    to);
      return normal(real(as_real(v), to));
    case Kind::boolean:
    case Kind::integer:
      return to_whole(v, to);
    case Kind::automatic:
    case Kind::void_:
      return v;
    case Kind::unknown:
      return unknown_value(to, reason(fmt::format("the type {} is not known", to->name)));
    default:
      return to_record(v, to);
  }
}

Value TypedMemory::to_whole(const Value& v, const Type* to) {
  const auto fails = [&] { return unknown_value(to, reason(fmt::format("a {} is no number", v.type->name))); };
  if (to->kind == Kind::boolean) {
    const auto t = truth(v);
    return t ? number(*t ? 1 : 0, to) : fails();
  }
  if (v.type->kind == Kind::pointer || v.type->kind == Kind::code || v.type->is_whole()) return normal(number(v.i, to));
  if (v.type->kind != Kind::floating) return fails();
  if (std::abs(v.f) < 0x1p63) return normal(number(static_cast<std::int64_t>(v.f), to));
  if (v.f >= 0 && v.f < 0x1p64 && to->bytes == 8 && !to->is_signed)
    return number(static_cast<std::int64_t>(static_cast<std::uint64_t>(v.f)), to);
  return unknown_value(to, reason("the number is too large"));
}

Value TypedMemory::to_record(const Value& v, const Type* to) {
  if (v.type->kind == to->kind && v.type->record == to->record) {
    Value same = v;
    same.type = to;
    return same;
  }
  const Address a = temporary(to);
  if (a == 0) return unknown_value(to, reason("there is too much of it"));
  if (to->kind == Kind::record && v.type->is_whole()) zero(a, to);
  if (to == types.dim3 && v.type->is_whole()) {
    const Record& r = types.record(to->record);
    for (std::size_t m = 0; m < r.members.size(); ++m)
      put({a + r.members[m].offset, r.members[m].type}, m == 0 ? v : number(1, types.int_));
    return at_address(a, to);
  }
  if (to->kind == Kind::text && v.type->kind == Kind::pointer) {
    zero(a, to);
    set_word(a, v.address());
    return at_address(a, to);
  }
  return unknown_value(to, reason(fmt::format("a {} is made of a {}", to->name, v.type->name)));
}

Value TypedMemory::load(const Place& p) {
  if (p.type == nullptr) return {.unknown = p.unknown != 0 ? p.unknown : reason("it has no value")};
  if (p.unknown != 0) return unknown_value(p.type, p.unknown);
  if (p.type->in_memory()) return at_address(p.address, p.type);
  if (p.type->kind == Kind::unknown || p.type->kind == Kind::void_ || p.type->kind == Kind::automatic) {
    const Reason why = first_unknown(p.address, 1);
    return unknown_value(p.type, why != 0 ? why : reason(fmt::format("the type {} is not known", p.type->name)));
  }
  std::uint64_t bits = 0;
  Reason unknown = 0;
  if (!read(p.address, p.type->bytes, &bits, unknown))
    return unknown_value(p.type, reason("it is outside of its array"));
  if (unknown != 0) return unknown_value(p.type, unknown);
  return p.type->kind == Kind::floating ? real(real_of(bits, p.type), p.type)
                                        : normal(number(static_cast<std::int64_t>(bits), p.type));
}

void TypedMemory::put(const Place& p, Value v) {
  if (!p.known()) return;
  if (p.type->kind == Kind::unknown || p.type->kind == Kind::void_)
    return poison_all(p.address,
                      v.unknown != 0 ? v.unknown : reason(fmt::format("the type {} is not known", p.type->name)));
  v = convert(v, p.type);
  if (p.type->in_memory() && v.unknown == 0) return copy(p.address, v.address(), p.type->bytes);
  const std::uint64_t bits = p.type->kind == Kind::floating ? bits_of(v.f, p.type) : static_cast<std::uint64_t>(v.i);
  write(p.address, p.type->bytes, p.type->in_memory() ? nullptr : &bits, v.unknown);
  if (p.type->kind == Kind::pointer && v.unknown == 0 && v.i != 0) mark_pointer(p.address);
}

std::uint64_t TypedMemory::word(Address a) {
  std::uint64_t out = 0;
  Reason unknown = 0;
  return read(a, 8, &out, unknown) && unknown == 0 ? out : 0;
}

std::optional<Place> TypedMemory::member(const Place& of, std::string_view name) {
  if (of.type == nullptr || of.type->kind != Kind::record) return std::nullopt;
  const Member* m = types.record(of.type->record).find(name);
  if (m == nullptr) return std::nullopt;
  const Place own{of.address + m->offset, m->type, of.unknown};
  return m->reference ? pointee(load(own)) : own;
}

std::string TypedMemory::text_of(const Value& v) {
  constexpr std::size_t most = 4096;
  std::string out;
  for (Address a = v.address(); out.size() < most; ++a) {
    char c = 0;
    Reason unknown = 0;
    if (!read(a, 1, &c, unknown) || unknown != 0 || c == 0) break;
    out += c;
  }
  return out;
}

Value TypedMemory::allocate(std::uint64_t bytes, Space space, int line, Reason content) {
  const Address a = make(bytes, space, line, content);
  const Type* t = types.pointer_to(types.void_);
  return a == 0 ? unknown_value(t, reason("there are too many allocations")) : at_address(a, t);
}

Address TypedMemory::slot_memory(Slot& s, const Type* t) {
  if (!s.owned || s.type != t || s.address == 0)
    s = {.type = t, .address = make(t->bytes, Space::host, 0, uninitialised), .owned = true};
  return s.address;
}

Address TypedMemory::temporary(const Type* t) {
  const Address a = make(t->bytes, Space::host, 0, 0);
  if (a != 0) temporaries_.push_back(a);
  return a;
}

void TypedMemory::release_temporaries(std::size_t from) {
  for (; temporaries_.size() > from; temporaries_.pop_back()) release(temporaries_.back());
}

// Operators on numbers and addresses, with the conversions that C++ makes.

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
                         reason(fmt::format("line {} computes with a value that is no number", line)));
  const Type* t = common_type(types, op, a.type, b.type);
  if (t == nullptr)
    return unknown_value(
        a.type, reason(is_shift(op) ? "it shifts a value that is no integer" : "floats have no such operation"));
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
    if constexpr (std::is_floating_point_v<T>)
      known = combined(op, of(a), of(b), out);
    else
      known = is_shift(op) ? shifted(op, of(a), b.i, out) : combined(op, of(a), of(b), out);
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
