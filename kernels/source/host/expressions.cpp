#include <algorithm>

#include <fmt/ranges.h>

#include "kernels/source/host/evaluator.h"
#include "kernels/source/host/number_rules.h"
#include "kernels/source/host/program/enumerators.h"

namespace lanescope::source::host {
namespace {

struct Constant {
  std::string_view name;
  const Type* TypeTable::*type;
  double value;
};
/// Macros of the C library's headers, and two handles of the CUDA runtime.
constexpr Constant constants[] = {{"EXIT_SUCCESS", &TypeTable::int_, 0},
                                  {"EXIT_FAILURE", &TypeTable::int_, 1},
                                  {"RAND_MAX", &TypeTable::int_, 2147483647},
                                  {"INT_MAX", &TypeTable::int_, 2147483647},
                                  {"INT_MIN", &TypeTable::int_, -2147483648.0},
                                  {"UINT_MAX", &TypeTable::u32, 4294967295.0},
                                  {"FLT_MAX", &TypeTable::float_, 3.402823466e38},
                                  {"M_PI", &TypeTable::double_, 3.14159265358979323846},
                                  {"M_PI_2", &TypeTable::double_, 1.57079632679489661923},
                                  {"M_PI_4", &TypeTable::double_, 0.78539816339744830962},
                                  {"M_E", &TypeTable::double_, 2.7182818284590452354},
                                  {"M_LN2", &TypeTable::double_, 0.69314718055994530942},
                                  {"M_LN10", &TypeTable::double_, 2.30258509299404568402},
                                  {"M_SQRT2", &TypeTable::double_, 1.41421356237309504880},
                                  {"M_SQRT1_2", &TypeTable::double_, 0.70710678118654752440},
                                  {"cudaStreamLegacy", &TypeTable::int_, 1},
                                  {"cudaStreamPerThread", &TypeTable::int_, 2}};

}  // namespace

const Expr& without_casts(const Expr& e) {
  const Expr* at = &e;
  while ((at->op == Op::cast || at->op == Op::address) && !at->parts.empty() && at->parts[0] != nullptr)
    at = at->parts[0];
  return *at;
}

/// With the globals above it alone.
std::optional<std::int64_t> Evaluator::constant(const Expr& e) {
  const Position before = at_;
  at_.constant_only = true;
  if (at_.frame == nullptr) at_.frame = &globals_;
  Value v;
  try {
    v = whole(e);
  } catch (const Abandon&) {
    v.unknown = 1;
  } catch (const Stop&) {
    v.unknown = 1;
  }
  at_ = before;
  return v.unknown != 0 ? std::nullopt : std::optional(v.i);
}

Value Evaluator::eval(const Expr& e) {
  budget.step();
  if (at_.eval_depth >= deepest_evaluation) return {.unknown = m.reason("it is nested too deep")};
  ++at_.eval_depth;
  const Value v = eval_in(e);
  --at_.eval_depth;
  return v;
}

Value Evaluator::eval_in(const Expr& e) {
  switch (e.op) {
    case Op::number:
      return e.type->kind == Kind::floating ? real(e.real, e.type) : number(e.whole, e.type);
    case Op::string:
      return text(e);
    case Op::local:
    case Op::global: {
      if (at_.constant_only && e.op == Op::local && e.type != nullptr) return number(e.whole, e.type);
      if (at_.constant_only && e.op == Op::local) return {.unknown = m.reason("a local variable is no constant")};
      const Slot& s = slot_of(e);
      if (s.type == nullptr) return {.unknown = m.reason(fmt::format("`{}` has no value yet", e.text))};
      return m.load({s.address, s.type});
    }
    case Op::name:
      return named(e);
    case Op::this_:
      if (at_.frame->record < 0) return {.unknown = m.reason("`this` is not known")};
      return at_address(at_.frame->self, p.types.pointer_to(p.types.record_type(at_.frame->record)));
    case Op::negate:
    case Op::plus:
    case Op::complement:
    case Op::not_:
      return of_one(e);
    case Op::address: {
      if (e.parts[0]->op == Op::name) return eval(*e.parts[0]);
      const Place at = place(*e.parts[0]);
      if (at.type == nullptr) return {.unknown = at.unknown != 0 ? at.unknown : m.reason("it has no address")};
      Value v = at_address(at.address, p.types.pointer_to(at.type));
      v.unknown = at.unknown;
      return v;
    }
    case Op::dereference: {
      const Value v = value(*e.parts[0]);
      return v.type != nullptr && v.type->kind == Kind::code ? v : load(pointee(v), e.line);
    }
    case Op::index:
    case Op::member:
    case Op::arrow:
      return load(place(e), e.line);
    case Op::before_add:
    case Op::before_subtract:
    case Op::after_add:
    case Op::after_subtract:
      return change(e);
    case Op::both:
    case Op::either:
      return both_or_either(e);
    case Op::assign:
      return assign(e);
    case Op::conditional:
      return conditional(e);
    case Op::comma:
      return eval(*e.parts[0]), eval(*e.parts[1]);
    case Op::call:
      return call(e);
    case Op::cast:
      if (e.parts.empty() || e.parts[0] == nullptr) return {.unknown = m.reason("it is not understood")};
      if (e.parts[0]->op == Op::list && e.type->in_memory()) return made(e.type, braces(*e.parts[0]), e.line);
      if (e.type->kind == Kind::void_) return eval(*e.parts[0]), Value{.type = p.types.void_};
      return m.convert(eval(*e.parts[0]), e.type);
    case Op::size_of:
      return size_of(e);
    case Op::new_:
      return new_object(e);
    case Op::delete_:
      return eval(*e.parts[0]), Value{.type = p.types.void_};
    case Op::lambda: {
      const Address a = m.make(1, Space::code, e.line, 0);
      Closure& made = closures_[a];
      made = {.lambda = &e, .frame = at_.frame, .serial = at_.frame->serial};
      for (const int i : e.captured) {
        const Slot& outer = slot(*at_.frame, i);
        if (outer.type == nullptr) continue;
        Slot held{.type = outer.type, .address = m.make(outer.type->bytes, Space::host, e.line, 0)};
        if (outer.type->in_memory()) m.zero(held.address, held.type);
        store({held.address, held.type}, m.load({outer.address, outer.type}), e.line);
        made.held.emplace_back(i, held);
      }
      return at_address(a, p.types.code);
    }
    case Op::list:
      if (e.parts.size() == 1) return eval(*e.parts[0]);
      for (const Expr* each : e.parts) eval(*each);
      return {.unknown = m.reason("a list has no type of its own")};
    case Op::construct: {
      const bool in_braces = e.text == "{}";
      Initial given{e.more, in_braces, in_braces && !e.more.empty() ? e.more[0] : nullptr};
      if (in_braces && e.more.size() == 1 && e.more[0]->op == Op::list) given.arguments = e.more[0]->parts;
      if (!e.type->is_number() && e.type->kind != Kind::pointer) return made(e.type, given, e.line);
      return given.arguments.empty() ? m.normal(number(0, e.type)) : m.convert(eval(*given.arguments[0]), e.type);
    }
    case Op::launch:
      return launch(e);
    case Op::statements:
      return statements(e);
    case Op::unknown:
      return {.unknown = m.reason(fmt::format("line {} is not understood", e.line))};
    default: {
      const Value a = value(*e.parts[0]), b = value(*e.parts[1]);
      return combined(e.op, a, b, e.line);
    }
  }
}

/// Numbers, addresses, and texts of std::string.
Value Evaluator::combined(Op op, const Value& a, const Value& b, int line) {
  if (!a.is(Kind::text) && !b.is(Kind::text)) return m.arithmetic(op, a, b, line);
  const bool joins = op == Op::add;
  const Type* t = joins ? p.types.text : p.types.bool_;
  if (a.unknown != 0 || b.unknown != 0) return unknown_value(t, a.unknown != 0 ? a.unknown : b.unknown);
  const std::optional<std::string> left = characters_of(a), right = characters_of(b);
  if (!left || !right || (!joins && !is_comparison(op)))
    return unknown_value(t, m.reason(fmt::format("line {} computes with a text that is not known", line)));
  return joins ? text_value(*left + *right, line) : number(compared(op, *left, *right) ? 1 : 0, t);
}

/// Of a std::string, of characters up to a zero, or one character; nullopt: they are unknown.
std::optional<std::string> Evaluator::characters_of(const Value& v) {
  if (!v.known()) return std::nullopt;
  if (v.type == p.types.char_) return std::string(1, static_cast<char>(v.i));
  Address a = v.address();
  if (v.type->kind == Kind::text) {
    if (m.first_unknown(a, 8) != 0) return std::nullopt;
    a = m.word(a);
    if (a == 0) return std::string();
  } else if (v.type->kind != Kind::pointer || v.type->of->bytes != 1) {
    return std::nullopt;
  }
  std::string out;
  for (;; ++a) {
    budget.step();
    char c = 0;
    Reason unknown = 0;
    if (!m.read(a, 1, &c, unknown) || unknown != 0) return std::nullopt;
    if (c == 0) return out;
    out += c;
  }
}

Value Evaluator::text_value(const std::string& characters, int line) {
  const Address a = m.make(characters.size() + 1, Space::characters, line, 0), text = m.temporary(p.types.text);
  if (a == 0 || text == 0) return unknown_value(p.types.text, m.reason("there is too much of it"));
  m.write(a, characters.size() + 1, characters.c_str(), 0);
  m.zero(text, p.types.text);
  m.set_word(text, a);
  return at_address(text, p.types.text);
}

Value Evaluator::text(const Expr& e) {
  Address& a = strings_[e.text];
  if (a == 0) {
    const std::string characters = characters_of_literal(e.text);
    a = m.make(characters.size() + 1, Space::characters, e.line, 0);
    m.write(a, characters.size() + 1, characters.c_str(), 0);
  }
  return at_address(a, p.types.characters);
}

Value Evaluator::of_one(const Expr& e) {
  if (e.op == Op::not_) {
    const Value v = eval(*e.parts[0]);
    const auto t = truth(v);
    return t ? number(*t ? 0 : 1, p.types.bool_)
             : unknown_value(p.types.bool_, v.unknown != 0 ? v.unknown : m.reason("it is no number"));
  }
  Value v = value(*e.parts[0]);
  if (!v.known()) return v;
  if (v.type->is_whole() && v.type->bytes < 4) v = m.convert(v, p.types.int_);
  if (!v.type->is_number())
    return v.type->kind == Kind::pointer ? v : unknown_value(v.type, m.reason("it is no number"));
  if (e.op == Op::negate) v.i = static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(v.i)), v.f = -v.f;
  if (e.op == Op::complement) v.i = ~v.i;
  return m.normal(v);
}

Value Evaluator::both_or_either(const Expr& e) {
  const bool ends = e.op == Op::either;  // the value that decides
  const Value a = eval(*e.parts[0]);
  const auto first = truth(a);
  if (first && *first == ends) return number(*first ? 1 : 0, p.types.bool_);
  const Value b = eval(*e.parts[1]);
  const auto second = truth(b);
  if (second && (first || *second == ends)) return number(*second ? 1 : 0, p.types.bool_);
  const Reason why = a.unknown != 0 ? a.unknown : b.unknown;
  return unknown_value(p.types.bool_, why != 0 ? why : m.reason("it is no number"));
}

Value Evaluator::conditional(const Expr& e) {
  const Value c = eval(*e.parts[0]);
  if (const auto t = truth(c)) return eval(*e.parts[*t ? 1 : 2]);
  const Value other = eval(*e.parts[2]), one = eval(*e.parts[1]);
  const bool same = one.known() && one.type == other.type && other.unknown == 0 && one.type->is_number() &&
                    one.i == other.i && one.f == other.f;
  if (same) return one;
  return unknown_value(one.type != nullptr ? one.type : other.type,
                       c.unknown != 0 ? c.unknown : m.reason("the condition is unknown"));
}

Value Evaluator::size_of(const Expr& e) {
  const Type* t = e.type != nullptr ? e.type : e.parts.empty() ? nullptr : static_type(*e.parts[0]);
  const bool known = t != nullptr && t->kind != Kind::unknown && t->kind != Kind::automatic &&
                     (t->kind != Kind::record || !p.types.record(t->record).has_unknown);
  if (known) return number(static_cast<std::int64_t>(t->bytes), p.types.u64);
  return unknown_value(p.types.u64,
                       m.reason(fmt::format("the size of {} is not known", t != nullptr ? t->name : "it")));
}

Value Evaluator::new_object(const Expr& e) {
  const Type* pointer = p.types.pointer_to(e.type);
  const bool many = e.text == "[]";
  std::uint64_t count = 1;
  if (many) {
    const Value n = whole(*e.parts[0]);
    if (n.unknown != 0 || n.i < 0) return unknown_value(pointer, n.unknown);
    count = static_cast<std::uint64_t>(n.i);
  }
  const bool set = many && !e.source.empty();
  const auto own = allocated_by_class(e.type, count * e.type->bytes, e.line);
  const Value v =
      own ? *own : m.allocate(count * e.type->bytes, Space::host, e.line, set ? Reason{0} : m.uninitialised);
  if (v.unknown != 0) return unknown_value(pointer, v.unknown);
  if (Object* o = m.object(v.address())) o->element = e.type;
  if (!many) construct(v.address(), e.type, {e.more}, e.line);
  return {.type = pointer, .i = v.i};
}

/// A function or kernel as a value, or a constant of a header.
Value Evaluator::named(const Expr& e) {
  if (!p.functions.contains(e.text)) {
    if (const Enumerator* known = cuda_enumerator(e.text)) return number(known->value, p.types.int_);
    for (const Constant& c : constants)
      if (c.name == e.text) {
        const Type* t = p.types.*c.type;
        return t->is_whole() ? number(static_cast<std::int64_t>(c.value), t) : real(c.value, t);
      }
    return {.unknown =
                m.reason(p.scopes.several(e.text)
                             ? fmt::format("several scopes declare `{}`, and which one is meant is not certain", e.text)
                             : fmt::format("`{}` is not declared in this file", e.text))};
  }
  // With template arguments as values: where it is called, the names in them mean something else.
  const std::vector<std::string> words = template_words(e, kernel_named(e.text, 0));
  std::string source(e.source.substr(0, words.empty() ? e.source.npos : e.source.find('<')));
  if (!words.empty()) source += fmt::format("<{}>", fmt::join(words, ","));
  Address& a = code_[source];
  if (a == 0) {
    a = m.make(1, Space::code, e.line, 0);
    Expr& named = p.tree.exprs.emplace_back(e);
    named.words.clear();
    for (const std::string& word : words) named.words.push_back(p.tree.texts.emplace_back(word));
    for (Expr*& argument : named.more) {
      const Value v = argument != nullptr ? eval(*argument) : Value{};
      argument = const_cast<Expr*>(function_of(v));
      if (!v.known() || !v.type->is_whole()) continue;
      argument = &p.tree.exprs.emplace_back();
      argument->op = Op::number, argument->type = v.type, argument->whole = v.i;
    }
    named.source = p.tree.texts.emplace_back(source);
    closures_[a] = {.named = &named};
  }
  return at_address(a, p.types.code);
}

/// `({ ... })`: the value of its last statement, if that is an expression.
Value Evaluator::statements(const Expr& e) {
  Value out{.type = p.types.void_};
  if (e.body == nullptr || at_.statement_depth >= deepest_evaluation) return out;
  ++at_.statement_depth;
  for (const Stmt* s : e.body->body) {
    if (s == e.body->body.back() && s->kind == StmtKind::expression && s->first != nullptr) {
      out = value(*s->first);
      break;
    }
    if (const Flow flow = execute(*s); flow != Flow::next) {
      pending_ = flow;
      break;
    }
  }
  --at_.statement_depth;
  return out;
}

/// `++x`, `x--` and the like.
Value Evaluator::change(const Expr& e) {
  const Place at = place(*e.parts[0]);
  const Value before = m.load(at);
  const Op op = e.op == Op::before_add || e.op == Op::after_add ? Op::add : Op::subtract;
  const Value after = m.arithmetic(op, before, number(1, p.types.int_), e.line);
  store(at, after, e.line);
  return e.op == Op::before_add || e.op == Op::before_subtract ? m.convert(after, at.type) : before;
}

/// `std::tie(a, b) = value`: each place gets its member, or is unknown.
Value Evaluator::assign_tied(const Expr& tied, const Expr& right) {
  const Value v = eval(right);
  const Record* r = v.known() && v.is(Kind::record) ? &p.types.record(v.type->record) : nullptr;
  const bool matches = r != nullptr && r->members.size() + 1 == tied.parts.size();
  const Reason why = v.unknown != 0 ? v.unknown : m.reason(fmt::format("line {} takes it apart", tied.line));
  for (std::size_t i = 1; i < tied.parts.size(); ++i) {
    if (!names_place(*tied.parts[i])) continue;  // std::ignore
    const Place to = place(*tied.parts[i]);
    const Member* member = matches ? &r->members[i - 1] : nullptr;
    if (member != nullptr)
      store(to, m.load({v.address() + member->offset, member->type}), tied.line);
    else if (to.known())
      m.write(to.address, to.type->bytes, nullptr, why);
  }
  return v;
}

Value Evaluator::assign(const Expr& e) {
  const Expr &left = *e.parts[0], &right = *e.parts[1];
  if (e.with == Op::assign && ties(left)) return assign_tied(left, right);
  if (e.with != Op::assign) {
    const Value v = value(right);
    const Place at = place(left);
    const Value whole = combined(e.with, m.decayed(m.load(at)), v, e.line);
    store(at, whole, e.line);
    return m.convert(whole, at.type);
  }
  if (right.op == Op::list) {
    const Place at = place(left);
    if (at.known()) construct(at.address, at.type, braces(right), e.line);
    return m.load(at);
  }
  if (const Type* t = static_type(left); t != nullptr && t->kind == Kind::record)
    if (const auto done = assigned_by_operator(place(left), right, e.line)) return *done;
  const Value v = eval(right);
  const Place at = place(left);
  if (at.type != nullptr && at.type->kind == Kind::pointer && v.known())
    if (Object* o = m.object(v.address()); o != nullptr && o->name.empty() && o->space != Space::code)
      o->name = std::string(left.text);
  store(at, v, e.line);
  return at.type != nullptr && at.type->in_memory() ? m.load(at) : m.convert(v, at.type);
}

const Type* Evaluator::static_type(const Expr& e) {
  switch (e.op) {
    case Op::local:
    case Op::global:
      return slot_of(e).type;
    case Op::number:
    case Op::cast:
    case Op::construct:
      return e.type;
    case Op::string:
      return p.types.array_of(p.types.char_, characters_of_literal(e.text).size() + 1);
    case Op::dereference:
    case Op::index: {
      const Type* t = static_type(*e.parts[0]);
      return t != nullptr ? t->of : nullptr;
    }
    case Op::member:
    case Op::arrow: {
      const bool own = e.parts[0]->op == Op::this_;
      const Type* t =
          own ? at_.frame->record >= 0 ? p.types.record_type(at_.frame->record) : nullptr : static_type(*e.parts[0]);
      if (t != nullptr && e.op == Op::arrow && t->kind == Kind::pointer) t = t->of;
      if (t == nullptr || t->kind != Kind::record) return nullptr;
      const Member* member = p.types.record(t->record).find(e.text);
      return member == nullptr ? nullptr : member->reference ? member->type->of : member->type;
    }
    default:
      return nullptr;
  }
}

}  // namespace lanescope::source::host
