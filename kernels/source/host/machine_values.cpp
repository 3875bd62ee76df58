#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "kernels/source/data/number_format.h"
#include "kernels/source/host/fp8.h"
#include "kernels/source/host/machine.h"
#include "kernels/source/host/number_rules.h"

namespace lanescope::source::host {

/// An integer cut to its type's width, a float rounded to its type.
Value Machine::normal(Value v) {
  if (v.type->is_whole()) v.i = cut(v.i, v.type);
  if (v.type->kind == Kind::floating && v.type->bytes == 4) v.f = static_cast<float>(v.f);
  if (v.type->kind == Kind::floating && v.type->bytes == 2) {
    const std::string_view name = v.type->device ? "bf16" : "f16";
    v.f = decode(name, encode(name, v.f));
  }
  if (v.type->kind == Kind::floating && v.type->bytes == 1) {
    const Fp8 format = v.type->device ? Fp8::e5m2 : Fp8::e4m3;
    v.f = fp8_value(format, fp8_bits(format, v.f));
  }
  return v;
}

std::optional<bool> Machine::truth(const Value& v) const {
  if (v.unknown != 0 || v.type == nullptr) return std::nullopt;
  if (v.type->kind == Kind::floating) return v.f != 0;
  if (v.type->is_whole() || v.type->kind == Kind::pointer || v.type->kind == Kind::code) return v.i != 0;
  if (v.type->kind == Kind::array) return true;
  return std::nullopt;
}

Value Machine::decayed(Value v) {
  if (v.type != nullptr && v.type->kind == Kind::array) v.type = p_.types.pointer_to(v.type->of);
  return v;
}

Value Machine::convert(Value v, const Type* to) {
  if (to == nullptr || v.type == to) return v;
  if (v.type == nullptr) return unknown_value(to, v.unknown != 0 ? v.unknown : because("it has no value"));
  v = decayed(v);
  if (v.unknown != 0) return unknown_value(to, v.unknown);
  const bool from_address = v.type->kind == Kind::pointer || v.type->kind == Kind::code;
  if (to->kind == Kind::pointer || to->kind == Kind::code) {
    if (from_address || v.type->is_whole()) return v.type = to, v;
    if (v.type->kind == Kind::text)
      return {.type = to, .i = static_cast<std::int64_t>(word(static_cast<Address>(v.i)))};
    return unknown_value(to, because(fmt::format("a {} is no pointer", v.type->name)));
  }
  if (to->kind == Kind::floating) {
    if (!v.type->is_number()) return unknown_value(to, because(fmt::format("a {} is no number", v.type->name)));
    if (to->bytes == 4 && v.type->is_whole())  // rounded once
      return real(v.type->kind == Kind::integer && !v.type->is_signed
                      ? static_cast<float>(static_cast<std::uint64_t>(v.i))
                      : static_cast<float>(v.i),
                  to);
    return normal(real(as_real(v), to));
  }
  if (to->is_whole()) {
    if (to->kind == Kind::boolean) {
      const auto t = truth(v);
      return t ? number(*t ? 1 : 0, to) : unknown_value(to, because(fmt::format("a {} is no number", v.type->name)));
    }
    if (from_address || v.type->is_whole()) return normal(number(v.i, to));
    if (v.type->kind != Kind::floating)
      return unknown_value(to, because(fmt::format("a {} is no number", v.type->name)));
    if (!(std::abs(v.f) < 0x1p63)) {
      if (v.f >= 0 && v.f < 0x1p64 && to->bytes == 8 && !to->is_signed)
        return number(static_cast<std::int64_t>(static_cast<std::uint64_t>(v.f)), to);
      return unknown_value(to, because("the number is too large"));
    }
    return normal(number(static_cast<std::int64_t>(v.f), to));
  }
  if (to->kind == Kind::automatic || to->kind == Kind::void_) return v;
  if (to->in_memory()) {
    if (v.type->kind == to->kind && v.type->record == to->record && v.type->in_memory()) return v.type = to, v;
    if (to->kind == Kind::random && v.type->kind == Kind::random) return v;
    const Address a = temporary(to);
    if (a == 0) return unknown_value(to, because("there is too much of it"));
    if (to->kind == Kind::record && v.type->is_whole()) {  // dim3 from a number
      zero(a, to);
      const Record& r = p_.types.record(to->record);
      for (std::size_t m = 0; m < r.members.size() && to == p_.types.dim3; ++m)
        store({a + r.members[m].offset, r.members[m].type}, m == 0 ? v : number(1, p_.types.int_), 0);
      if (to == p_.types.dim3) return {.type = to, .i = static_cast<std::int64_t>(a)};
    }
    if (to->kind == Kind::text && v.type->kind == Kind::pointer) {
      zero(a, to);
      set_word(a, static_cast<std::uint64_t>(v.i));
      return {.type = to, .i = static_cast<std::int64_t>(a)};
    }
    return unknown_value(to, because(fmt::format("a {} is made of a {}", to->name, v.type->name)));
  }
  return unknown_value(to, because(fmt::format("the type {} is not known", to->name)));
}

Value Machine::eval(const Expr& e) {
  step();
  if (++eval_depth_ > deepest_evaluation) return --eval_depth_, Value{.unknown = because("it is nested too deep")};
  const Value v = eval_in(e);
  --eval_depth_;
  return v;
}

Value Machine::eval_in(const Expr& e) {
  switch (e.op) {
    case Op::number:
      if (e.type->kind == Kind::floating) return real(e.real, e.type);
      return number(e.whole, e.type);
    case Op::string: {
      const auto known = strings_.find(e.text);
      if (known != strings_.end()) return {.type = p_.types.characters, .i = static_cast<std::int64_t>(known->second)};
      std::string text;
      const std::size_t open = std::min(e.text.find('"'), e.text.size() - 1);
      for (std::size_t i = open + 1; i + 1 < e.text.size(); ++i) {
        char c = e.text[i];
        if (c == '\\' && i + 2 < e.text.size())
          c = e.text[++i] == 'n' ? '\n' : e.text[i] == 't' ? '\t' : e.text[i] == '0' ? '\0' : e.text[i];
        text += c;
      }
      const Address a = memory_.make(text.size() + 1, Space::characters, e.line, 0);
      memory_.write(a, text.size() + 1, text.c_str(), 0);
      strings_[e.text] = a;
      return {.type = p_.types.characters, .i = static_cast<std::int64_t>(a)};
    }
    case Op::local:
    case Op::global: {
      if (constant_only_ && e.op == Op::local) return {.unknown = because("a local variable is no constant")};
      const Slot& s = slot(e.op == Op::global ? globals_ : *frame_, e.slot);
      if (s.type == nullptr) return {.unknown = because(fmt::format("`{}` has no value yet", e.text))};
      return load({s.address, s.type});
    }
    case Op::name:
      return function_value(e.text, e);
    case Op::this_:
      if (frame_->record < 0) return {.unknown = because("`this` is not known")};
      return {.type = p_.types.pointer_to(p_.types.record_type(frame_->record)),
              .i = static_cast<std::int64_t>(frame_->self)};
    case Op::negate:
    case Op::plus:
    case Op::complement: {
      Value v = decayed(eval(*e.parts[0]));
      if (v.type == nullptr || v.unknown != 0) return v;
      if (v.type->is_whole() && v.type->bytes < 4) v = convert(v, p_.types.int_);
      if (!v.type->is_number())
        return v.type->kind == Kind::pointer ? v : Value{.type = v.type, .unknown = because("it is no number")};
      if (e.op == Op::negate) v.i = static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(v.i)), v.f = -v.f;
      if (e.op == Op::complement) v.i = ~v.i;
      return normal(v);
    }
    case Op::not_: {
      const Value v = eval(*e.parts[0]);
      const auto t = truth(v);
      return t ? number(*t ? 0 : 1, p_.types.bool_)
               : unknown_value(p_.types.bool_, v.unknown != 0 ? v.unknown : because("it is no number"));
    }
    case Op::address: {
      if (e.parts[0]->op == Op::name) return eval(*e.parts[0]);
      const Place p = place(*e.parts[0]);
      if (p.type == nullptr) return {.unknown = p.unknown != 0 ? p.unknown : because("it has no address")};
      return {.type = p_.types.pointer_to(p.type), .i = static_cast<std::int64_t>(p.address), .unknown = p.unknown};
    }
    case Op::dereference:
      if (const Value v = eval(*e.parts[0]); v.type != nullptr && v.type->kind == Kind::code) return v;
      [[fallthrough]];
    case Op::index:
    case Op::member:
    case Op::arrow:
      return load(place(e));
    case Op::before_add:
    case Op::before_subtract:
    case Op::after_add:
    case Op::after_subtract:
      return change(e);
    case Op::both:
    case Op::either: {
      const Value a = eval(*e.parts[0]);
      const auto first = truth(a);
      if (first && *first == (e.op == Op::either)) return number(*first ? 1 : 0, p_.types.bool_);
      const Value b = eval(*e.parts[1]);
      const auto second = truth(b);
      if (second && (first || *second == (e.op == Op::either))) return number(*second ? 1 : 0, p_.types.bool_);
      const Reason why = a.unknown != 0 ? a.unknown : b.unknown;
      return unknown_value(p_.types.bool_, why != 0 ? why : because("it is no number"));
    }
    case Op::assign:
      return assign(e);
    case Op::conditional: {
      const Value c = eval(*e.parts[0]);
      const auto t = truth(c);
      if (t) return eval(*e.parts[*t ? 1 : 2]);
      Value other = eval(*e.parts[2]);
      const Value one = eval(*e.parts[1]);
      if (one.type == other.type && one.unknown == 0 && other.unknown == 0 && one.type != nullptr &&
          one.type->is_number() && one.i == other.i && one.f == other.f)
        return one;
      return unknown_value(one.type != nullptr ? one.type : other.type,
                           c.unknown != 0 ? c.unknown : because("the condition is unknown"));
    }
    case Op::comma:
      return eval(*e.parts[0]), eval(*e.parts[1]);
    case Op::call:
      return call(e);
    case Op::cast:
      if (e.parts.empty() || e.parts[0] == nullptr) return {.unknown = because("it is not understood")};
      if (e.parts[0]->op == Op::list && e.type->in_memory()) {
        const Address a = temporary(e.type);
        construct(a, e.type, e.parts[0]->parts, true, e.parts[0], e.line);
        return {.type = e.type, .i = static_cast<std::int64_t>(a)};
      }
      if (e.type->kind == Kind::void_) return eval(*e.parts[0]), Value{.type = p_.types.void_};
      return convert(eval(*e.parts[0]), e.type);
    case Op::size_of: {
      const Type* t = e.type != nullptr ? e.type : e.parts.empty() ? nullptr : static_type(*e.parts[0]);
      if (t == nullptr || t->kind == Kind::unknown || t->kind == Kind::automatic)
        return unknown_value(p_.types.u64,
                             because(fmt::format("the size of {} is not known", t != nullptr ? t->name : "it")));
      if (t->kind == Kind::record && p_.types.record(t->record).has_unknown)
        return unknown_value(p_.types.u64, because(fmt::format("the size of {} is not known", t->name)));
      return number(static_cast<std::int64_t>(t->bytes), p_.types.u64);
    }
    case Op::new_: {
      std::uint64_t count = 1;
      if (e.text == "[]") {
        const Value n = convert(eval(*e.parts[0]), p_.types.i64);
        if (n.unknown != 0 || n.i < 0) return unknown_value(p_.types.pointer_to(e.type), n.unknown);
        count = static_cast<std::uint64_t>(n.i);
      }
      const bool set = !e.source.empty() && e.text == "[]";
      Value v;
      if (auto own = allocated_by_class(e.type, count * e.type->bytes, e.line))
        v = *own;
      else
        v = fresh(count * e.type->bytes, Space::host, e.line, set ? Reason{0} : uninitialised_);
      if (v.unknown != 0) return unknown_value(p_.types.pointer_to(e.type), v.unknown);
      if (Object* o = memory_.object(static_cast<Address>(v.i))) o->element = e.type;
      if (e.text != "[]") construct(static_cast<Address>(v.i), e.type, e.more, false, nullptr, e.line);
      return {.type = p_.types.pointer_to(e.type), .i = v.i};
    }
    case Op::delete_:
      return eval(*e.parts[0]), Value{.type = p_.types.void_};
    case Op::lambda: {
      const Address a = memory_.make(1, Space::code, e.line, 0);
      closures_[a] = {.lambda = &e, .frame = frame_, .serial = frame_->serial};
      return {.type = p_.types.code, .i = static_cast<std::int64_t>(a)};
    }
    case Op::list: {
      if (e.parts.size() == 1) return eval(*e.parts[0]);
      for (const Expr* each : e.parts) eval(*each);
      return {.unknown = because("a list has no type of its own")};
    }
    case Op::construct: {
      const Type* t = e.type;
      const bool braces = e.text == "{}";
      const std::span<Expr* const> given = braces && e.more.size() == 1 && e.more[0]->op == Op::list
                                               ? std::span<Expr* const>(e.more[0]->parts)
                                               : std::span<Expr* const>(e.more);
      if (t->is_number() || t->kind == Kind::pointer)
        return given.empty() ? normal(number(0, t)) : convert(eval(*given[0]), t);
      const Address a = temporary(t);
      construct(a, t, given, braces, braces && !e.more.empty() ? e.more[0] : nullptr, e.line);
      return {.type = t, .i = static_cast<std::int64_t>(a)};
    }
    case Op::launch:
      return launch(e);
    case Op::statements:
      return statements(e);
    case Op::unknown:
      return {.unknown = because(fmt::format("line {} is not understood", e.line))};
    default: {
      const Value a = decayed(eval(*e.parts[0])), b = decayed(eval(*e.parts[1]));
      return arithmetic(e.op, a, b, e.line);
    }
  }
}

/// `({ ... })`: the value of its last statement, where that is an expression.
Value Machine::statements(const Expr& e) {
  const Value nothing{.type = p_.types.void_};
  if (e.body == nullptr || statement_depth_ >= deepest_evaluation) return nothing;
  ++statement_depth_;
  Value out = nothing;
  for (const Stmt* s : e.body->body) {
    const bool last = s == e.body->body.back();
    if (last && s->kind == StmtKind::expression && s->first != nullptr) {
      out = decayed(eval(*s->first));
      break;
    }
    if (const Flow flow = execute(*s); flow != Flow::next) {
      pending_ = flow;
      break;
    }
  }
  --statement_depth_;
  return out;
}

/// `++x`, `x--` and the like.
Value Machine::change(const Expr& e) {
  const Place p = place(*e.parts[0]);
  const Value before = load(p);
  const Op op = e.op == Op::before_add || e.op == Op::after_add ? Op::add : Op::subtract;
  const Value after = arithmetic(op, before, number(1, p_.types.int_), e.line);
  store(p, after, e.line);
  return e.op == Op::before_add || e.op == Op::before_subtract ? convert(after, p.type) : before;
}

Value Machine::assign(const Expr& e) {
  const Expr& right = *e.parts[1];
  if (e.with != Op::assign) {
    const Value v = decayed(eval(right));
    const Place p = place(*e.parts[0]);
    const Value whole = arithmetic(e.with, decayed(load(p)), v, e.line);
    store(p, whole, e.line);
    return convert(whole, p.type);
  }
  if (right.op == Op::list) {
    const Place p = place(*e.parts[0]);
    if (p.type != nullptr && p.unknown == 0) construct(p.address, p.type, right.parts, true, &right, e.line);
    return load(p);
  }
  if (const Type* t = static_type(*e.parts[0]); t != nullptr && t->kind == Kind::record)
    if (const auto done = assigned_by_operator(place(*e.parts[0]), right, e.line)) return *done;
  const Value v = eval(right);
  const Place p = place(*e.parts[0]);
  if (p.type != nullptr && p.type->kind == Kind::pointer && v.unknown == 0 && v.type != nullptr) {
    if (Object* o = memory_.object(static_cast<Address>(v.i));
        o != nullptr && o->name.empty() && o->space != Space::code)
      o->name = e.parts[0]->text.empty() ? std::string() : std::string(e.parts[0]->text);
  }
  store(p, v, e.line);
  return p.type != nullptr && p.type->in_memory() ? load(p) : convert(v, p.type);
}

/// The type of an expression that is not evaluated (sizeof), as far as that takes no evaluation.
const Type* Machine::static_type(const Expr& e) {
  switch (e.op) {
    case Op::local:
    case Op::global:
      return slot(e.op == Op::global ? globals_ : *frame_, e.slot).type;
    case Op::number:
    case Op::cast:
    case Op::construct:
      return e.type;
    case Op::string:
      return p_.types.array_of(p_.types.char_, e.text.size() - 1);
    case Op::dereference:
    case Op::index: {
      const Type* t = static_type(*e.parts[0]);
      return t != nullptr ? t->of : nullptr;
    }
    case Op::member:
    case Op::arrow: {
      const Type* t = e.parts[0]->op == Op::this_
                          ? (frame_->record >= 0 ? p_.types.record_type(frame_->record) : nullptr)
                          : static_type(*e.parts[0]);
      if (t != nullptr && e.op == Op::arrow && t->kind == Kind::pointer) t = t->of;
      if (t == nullptr || t->kind != Kind::record) return nullptr;
      const Member* m = p_.types.record(t->record).find(e.text);
      return m != nullptr ? m->type : nullptr;
    }
    default:
      return nullptr;
  }
}

}  // namespace lanescope::source::host
