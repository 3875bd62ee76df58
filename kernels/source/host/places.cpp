// Places in memory that expressions name, and stores to them.

#include <algorithm>

#include "kernels/source/host/evaluator.h"

namespace lanescope::source::host {

Slot& Evaluator::slot(Frame& f, int i) {
  static constexpr int most_slots = 100'000;
  i = std::clamp(i, 0, most_slots);
  while (static_cast<int>(f.slots.size()) <= i) f.slots.emplace_back();
  return f.slots[static_cast<std::size_t>(i)];
}

void Evaluator::store(const Place& at, const Value& v, int line) {
  if (!at.known()) return;
  note_store(at.address, at.type->in_memory() ? 0 : at.type->bytes, line);
  if (at.type->kind != Kind::vector) {
    m.put(at, v);
    if (v.known()) own_elements(at.address, at.type, line);
    return;
  }
  const Value from = m.convert(v, at.type);
  if (from.unknown != 0) return m.put(at, from);
  if (from.address() == at.address) return;
  if (const Reason why = m.first_unknown(from.address(), 24); why != 0)
    return void(m.write(at.address, 24, nullptr, why));
  m.copy(at.address, from.address(), 24);
  own_elements(at.address, at.type, line);
}

namespace {

bool holds_vectors(const TypeTable& types, const Type* t) {
  while (t->kind == Kind::array) t = t->of;
  return t->kind == Kind::vector ||
         (t->kind == Kind::record && std::ranges::any_of(types.record(t->record).members, [&](const Member& each) {
            return !each.reference && holds_vectors(types, each.type);
          }));
}

}  // namespace

/// Bytes were copied to `at`: each vector among them gets elements of its own, and so do its elements.
void Evaluator::own_elements(Address at, const Type* t, int line, int depth) {
  constexpr int deepest_copy = 32;
  if (!holds_vectors(p.types, t)) return;
  budget.step();
  if (depth > deepest_copy) return m.fill(at, std::byte{0}, t->bytes, m.reason("it is nested too deep"));
  if (t->kind == Kind::record)
    for (const Member& each : p.types.record(t->record).members)
      if (!each.reference) own_elements(at + each.offset, each.type, line, depth + 1);
  if (t->kind == Kind::array) own_elements_of(at, t->of, t->count, line, depth + 1);
  if (t->kind != Kind::vector || m.first_unknown(at, 24) != 0) return;
  const Address data = m.word(at);
  const std::uint64_t count = m.word(at + 8);
  for (std::uint64_t w = 0; w < 24; w += 8) m.set_word(at + w, 0);
  resize({at, t}, count, line);
  log.copy(m.word(at), data, count * t->of->bytes, line);
  own_elements_of(m.word(at), t->of, count, line, depth + 1);
}

void Evaluator::own_elements_of(Address first, const Type* of, std::uint64_t count, int line, int depth) {
  if (holds_vectors(p.types, of))
    for (std::uint64_t i = 0; i < count; ++i) own_elements(first + i * of->bytes, of, line, depth);
}

void Evaluator::note_store(Address at, std::uint64_t bytes, int line) {
  if (const Object* o = m.object(at); o != nullptr && o->space == Space::device) host_accesses_device(*o, line);
  if (bytes > 0) log.host_accesses(at, bytes, true, line);
}

void Evaluator::host_accesses_device(const Object& o, int line) {
  if (o.by_reference) return;
  log.error({.code = HostError::Code::wrong_side,
             .line = line,
             .message = fmt::format("the host accesses{} memory of the device, which it cannot reach",
                                    o.name.empty() ? "" : fmt::format(" `{}`,", o.name)),
             .remedy = "copy it with cudaMemcpy, or allocate it with cudaMallocManaged"});
}

Value Evaluator::load(const Place& at, int line) {
  const Object* o = at.known() && !at.type->in_memory() ? m.object(at.address) : nullptr;
  if (o != nullptr && o->space == Space::device) host_accesses_device(*o, line);
  if (o != nullptr) log.host_accesses(at.address, at.type->bytes, false, line);
  return m.load(at);
}

Place Evaluator::place(const Expr& e) {
  budget.step();
  if (at_.eval_depth >= deepest_evaluation) return {0, nullptr, m.reason("it is nested too deep")};
  ++at_.eval_depth;
  const Place out = place_in(e);
  --at_.eval_depth;
  return out;
}

Place Evaluator::place_in(const Expr& e) {
  switch (e.op) {
    case Op::local:
    case Op::global: {
      if (at_.constant_only && e.op == Op::local) return {0, nullptr, m.reason("a local variable is no constant")};
      const Slot& s = slot_of(e);
      return {s.address, s.type,
              s.type == nullptr ? m.reason(fmt::format("`{}` has no value yet", e.text)) : Reason{0}};
    }
    case Op::this_:
      return {at_.frame->self, at_.frame->record >= 0 ? p.types.record_type(at_.frame->record) : nullptr};
    case Op::dereference:
      return pointee(value(*e.parts[0]));
    case Op::index:
      return element(e);
    case Op::member:
    case Op::arrow: {
      const Place of = object_of(e);
      if (const auto member = m.member(of, e.text)) return *member;
      Reason why = of.unknown;
      if (why == 0 && of.type != nullptr && of.address != 0) why = m.first_unknown(of.address, 1);
      return {0, nullptr, why != 0 ? why : m.reason(fmt::format("the member `{}` is not known", e.text))};
    }
    case Op::cast:
      if (!e.parts.empty() && e.parts[0] != nullptr && (e.type == nullptr || e.type->in_memory()))
        return place(*e.parts[0]);
      break;
    case Op::before_add:
    case Op::before_subtract:
    case Op::assign:
      return eval(e), place(*e.parts[0]);
    case Op::comma:
      return eval(*e.parts[0]), place(*e.parts[1]);
    case Op::call: {
      const Value v = eval(e);
      if (reference_.call == e.parts[0] && reference_.place.known()) return reference_.place;
      return of_value(v, e.line);
    }
    case Op::conditional:
      if (const auto t = truth(eval(*e.parts[0]))) return place(*e.parts[*t ? 1 : 2]);
      return {0, nullptr, m.reason("the condition is unknown")};
    default:
      break;
  }
  return of_value(eval(e), e.line);
}

/// A value that has no place of its own gets one.
Place Evaluator::of_value(const Value& v, int line) {
  if (!v.known()) return {0, v.type, v.unknown != 0 ? v.unknown : m.reason("it has no value")};
  if (v.type->in_memory()) return {v.address(), v.type};
  const Place out{m.temporary(v.type), v.type};
  store(out, v, line);
  return out;
}

/// `base[i]`
Place Evaluator::element(const Expr& e) {
  Value base = eval(*e.parts[0]);
  const Value i = whole(*e.parts[1]);
  if (base.is(Kind::vector))
    if (const Reason why = m.first_unknown(base.address(), 8); why != 0) return {0, base.type->of, why};
  if (base.is(Kind::vector)) base = at_address(m.word(base.address()), p.types.pointer_to(base.type->of));
  base = m.decayed(base);
  if (base.type == nullptr || base.type->kind != Kind::pointer)
    return {0, nullptr, base.unknown != 0 ? base.unknown : m.reason("it is no array")};
  if (base.unknown == 0 && i.unknown != 0) m.poison_all(base.address(), i.unknown);
  return {base.address() + static_cast<std::uint64_t>(i.i) * base.type->of->bytes, base.type->of,
          base.unknown != 0 ? base.unknown : i.unknown};
}

/// The object of `object.member` and `pointer->member`.
Place Evaluator::object_of(const Expr& member) {
  const Expr& object = *member.parts[0];
  return member.op == Op::arrow && object.op != Op::this_ ? pointee(value(object)) : place(object);
}

}  // namespace lanescope::source::host
