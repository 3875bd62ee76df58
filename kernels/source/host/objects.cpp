// Objects that declarations, casts and `new` make: numbers, arrays, structures, std::vector, std::string.

#include <algorithm>

#include "kernels/source/host/evaluator.h"
#include "kernels/source/host/std_random.h"

namespace lanescope::source::host {
namespace {

constexpr std::uint64_t cost_of_object = 60;         ///< steps
constexpr std::uint64_t most_constructed = 1 << 20;  ///< elements of an array of structures

std::string_view name_of(const Record& r) { return r.of_template.empty() ? std::string_view(r.name) : r.of_template; }

bool is_list(const Expr* e) { return e->op == Op::list; }

}  // namespace

void Evaluator::construct(Address at, const Type* t, const Initial& initial, int line) {
  if (at == 0) return;
  budget.step();
  if (at_.eval_depth >= deepest_evaluation) return m.poison_all(at, m.reason("it is nested too deep"));
  ++at_.eval_depth;
  construct_in(at, t, initial, line);
  --at_.eval_depth;
}

void Evaluator::initialise(const Place& at, const Expr& e, int line) {
  if (is_list(&e)) return construct(at.address, at.type, braces(e), line);
  set(at, eval(e), e, line);
}

/// The value `v` of the expression `e`, which a constructor may convert.
void Evaluator::set(const Place& at, const Value& v, const Expr& e, int line) {
  if (at.known() && v.is(Kind::record) && (at.type->is_number() || at.type->kind == Kind::pointer))
    return store(at, by_operator(v, at.type, line), line);
  if (!at.known() || !converts(v, at.type)) return store(at, v, line);
  Expr* const argument = const_cast<Expr*>(&e);
  const Argument evaluated{.value = v};
  construct_record(at.address, at.type, {{&argument, 1}}, line, &evaluated);
}

Value Evaluator::made(const Type* t, const Initial& initial, int line) {
  const Address a = m.temporary(t);
  construct(a, t, initial, line);
  return at_address(a, t);
}

void Evaluator::construct_in(Address at, const Type* t, const Initial& initial, int line) {
  const Arguments& arguments = initial.arguments;
  switch (t->kind) {
    case Kind::boolean:
    case Kind::integer:
    case Kind::floating:
    case Kind::pointer:
    case Kind::code:
      if (!arguments.empty()) return store({at, t}, eval(*arguments[0]), line);
      if (initial.list) m.zero(at, t);
      return;
    case Kind::array:
      return construct_array(at, t, initial, line);
    case Kind::record:
      return construct_record(at, t, initial, line);
    case Kind::vector:
      return construct_vector(at, t, initial, line);
    case Kind::text:
      m.zero(at, t);
      if (arguments.size() == 1) {
        const Value v = value(*arguments[0]);
        if (!v.known()) return m.poison_all(at, v.unknown != 0 ? v.unknown : m.reason("it has no value"));
        m.set_word(at, v.type->kind == Kind::text ? m.word(v.address()) : v.address());
      }
      return;
    case Kind::random: {
      std::vector<Value> given;
      for (const Expr* a : arguments) given.push_back(eval(*a));
      if (given.size() == 1 && given[0].is(Kind::random)) return store({at, t}, given[0], line);  // a copy
      notes.add(std::string(note_of_random(t, given)));
      return start_random(m, at, t, given);
    }
    default:
      for (const Expr* a : arguments) eval(*a);
      m.poison_all(at, m.reason(fmt::format("the type {} is not known", t->name)));
  }
}

void Evaluator::construct_array(Address at, const Type* t, const Initial& initial, int line) {
  const Arguments& arguments = initial.arguments;
  const Type* of = t->of;
  if (arguments.size() == 1 && arguments[0]->op == Op::string) {
    const Value v = eval(*arguments[0]);
    m.zero(at, t);
    if (const Object* o = m.object(v.address())) m.copy(at, v.address(), std::min(o->bytes, t->bytes));
    return;
  }
  if (initial.list || !arguments.empty()) m.zero(at, t);
  // braces that were left out: the numbers fill the rows one after the other
  const Type* inner = of;
  while (inner->kind == Kind::array) inner = inner->of;
  const bool flat = initial.list && of->kind == Kind::array && std::ranges::none_of(arguments, [](const Expr* e) {
                      return e->op == Op::list || e->op == Op::string;
                    });
  if (flat) {
    for (std::uint64_t i = 0; i < arguments.size() && (i + 1) * inner->bytes <= t->bytes; ++i)
      store({at + i * inner->bytes, inner}, eval(*arguments[i]), line);
    return;
  }
  const bool stays = of->is_number() || of->kind == Kind::pointer || of->kind == Kind::unknown ||
                     (of->kind == Kind::array && initial.list);
  for (std::uint64_t i = 0; i < t->count; ++i) {
    const bool given = i < arguments.size();
    if (!given && (stays || i > most_constructed)) return;
    budget.step();
    const Address element = at + i * of->bytes;
    construct(element, of,
              !given                  ? Initial{}
              : is_list(arguments[i]) ? braces(*arguments[i])
                                      : Initial{arguments.subspan(i, 1)},
              line);
  }
}

/// Whether a constructor makes the structure `to` of a number or pointer.
bool Evaluator::converts(const Value& v, const Type* to) const {
  return to->kind == Kind::record && to != p.types.dim3 && v.type != nullptr &&
         (v.type->is_number() || v.type->kind == Kind::pointer || v.type->kind == Kind::text);
}

/// `evaluated`: the only argument.
void Evaluator::construct_record(Address at, const Type* t, const Initial& initial, int line,
                                 const Argument* evaluated) {
  const Arguments& arguments = initial.arguments;
  const Expr* words = initial.words;
  const Record& r = p.types.record(t->record);
  std::vector<Argument> values;
  if (arguments.size() == 1 && !is_list(arguments[0]) &&
      (words == nullptr || words->words.empty() || words->words[0].empty())) {
    const Value& v = values.emplace_back(evaluated != nullptr ? *evaluated : argument(*arguments[0])).value;
    if (v.type != nullptr && v.type->kind == Kind::record && v.type->record == t->record)
      return store({at, t}, v, line);
    if (v.unknown != 0 && !r.of_file && t != p.types.dim3) {
      m.write(at, t->bytes, nullptr, v.unknown);
      return;
    }
  }
  std::vector<int> constructors;
  for (const int f : r.methods)
    if (p.function(f).info.name == name_of(r)) constructors.push_back(f);
  if (t == p.types.dim3) {
    const std::uint32_t ones[3] = {1, 1, 1};
    m.write(at, sizeof ones, ones, 0);
  } else if (!r.of_file || initial.list || (!arguments.empty() && constructors.empty())) {
    m.zero(at, t);
  }
  for (const Member& each : r.members) {
    const Place member{at + each.offset, each.type};
    if (each.reference)
      each.initial != nullptr ? bind(at, each, *each.initial) : m.poison_all(member.address, m.uninitialised);
    else if (each.initial != nullptr)
      initialise(member, *each.initial, line);
    else if (each.type->kind == Kind::vector || each.type->kind == Kind::text ||
             (each.type->kind == Kind::record && arguments.empty()))
      construct(member.address, member.type, {}, line);
  }
  if (!constructors.empty() && at_.depth < limits.depth) {
    Expr name;
    name.op = Op::name;
    name.text = name_of(r);
    name.line = line;
    if (std::ranges::any_of(constructors,
                            [&](int f) { return p.function(f).info.parameters.size() >= arguments.size(); })) {
      const Value done = values.empty() ? call_function(constructors, name, arguments, at, t->record, line)
                                        : call_evaluated(constructors, name, arguments, values, at, t->record, line);
      if (done.unknown != 0) m.write(at, t->bytes, nullptr, done.unknown);
    }
    return;
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view named = words != nullptr && i < words->words.size() ? words->words[i] : std::string_view();
    const Member* member = !named.empty() ? r.find(named) : i < r.members.size() ? &r.members[i] : nullptr;
    if (member != nullptr && member->reference)
      bind(at, *member, *arguments[i]);
    else if (member != nullptr && !values.empty() && (member->type->is_number() || member->type->kind == Kind::pointer))
      store({at + member->offset, member->type}, values[0].value, line);
    else if (member != nullptr)
      initialise({at + member->offset, member->type}, *arguments[i], line);
  }
}

/// A member that is a reference.
void Evaluator::bind(Address object, const Member& reference, const Expr& to) {
  const Place at = place(to);
  m.put({object + reference.offset, reference.type},
        at.known() ? at_address(at.address, reference.type) : unknown_value(reference.type, at.unknown));
}

void Evaluator::construct_vector(Address at, const Type* t, const Initial& initial, int line) {
  const Arguments& arguments = initial.arguments;
  const Place v{at, t};
  const std::uint64_t each = t->of->bytes;
  m.zero(at, t);
  if (arguments.empty()) return;
  const bool nested = std::ranges::any_of(arguments, is_list);
  if (initial.list || nested) {
    const Arguments elements = !initial.list && nested ? Arguments(arguments[0]->parts) : arguments;
    resize(v, elements.size(), line);
    for (std::size_t i = 0; i < elements.size(); ++i) initialise({m.word(at) + i * each, t->of}, *elements[i], line);
    return;
  }
  const Value first = value(*arguments[0]);
  if (!first.known()) return m.poison_all(at, first.unknown != 0 ? first.unknown : m.reason("its size has no value"));
  if (first.type->kind == Kind::vector) {  // a copy, of the host or of the device
    if (const Reason why = m.first_unknown(first.address(), 24); why != 0) return void(m.write(at, 24, nullptr, why));
    if (first.type->of == t->of) return store(v, first, line);
    resize(v, m.word(first.address() + 8), line);
    return;
  }
  if (first.type->kind == Kind::pointer && arguments.size() == 2) {
    const Value end = value(*arguments[1]);
    if (!end.is(Kind::pointer) || end.i < first.i) return;
    const std::uint64_t count = static_cast<std::uint64_t>(end.i - first.i) / std::max<std::uint64_t>(each, 1);
    resize(v, count, line);
    if (first.type->of != t->of) return;
    log.copy(m.word(at), first.address(), count * each, line);
    own_elements_of(m.word(at), t->of, count, line);
    return;
  }
  const Value n = m.convert(first, p.types.i64);
  if (n.unknown != 0 || n.i < 0) return m.poison_all(at, n.unknown != 0 ? n.unknown : m.reason("its size is negative"));
  const auto count = static_cast<std::uint64_t>(n.i);
  resize(v, count, line);
  const bool filled = arguments.size() > 1, records = t->of->kind == Kind::vector || t->of->kind == Kind::record;
  if (!filled && !records) return;
  if (filled) return fill(v, 0, count, eval(*arguments[1]), line);
  if (!follows(m.word(at), line)) return;
  for (std::uint64_t i = 0; i < std::min(count, most_constructed * 16); ++i) {
    budget.step();
    budget.spend(cost_of_object);
    construct(m.word(at) + i * each, t->of, {}, line);
  }
}

/// Elements [first, last) of a vector get a value.
void Evaluator::fill(const Place& vector, std::uint64_t first, std::uint64_t last, const Value& x, int line) {
  const Type* of = vector.type->of;
  const Address data = m.word(vector.address);
  const auto element = [&](std::uint64_t i) { return Place{data + i * of->bytes, of}; };
  if (first >= last) return;
  if (x.known() && x.type->is_number() && x.i == 0 && x.f == 0 && of->is_number()) {
    // what resize() has added is zero
    const Object* o = m.object(data);
    if (o != nullptr && o->data.empty() && o->all_known()) return;
  }
  if (!follows(data, line)) return;
  const bool plain = of->is_number() || of->kind == Kind::pointer;
  for (std::uint64_t i = first; i < last; ++i) {
    budget.step();
    if (!plain) budget.spend(cost_of_object);
    store(element(i), x, line);
    if (!plain || i > first) continue;
    for (std::uint64_t done = 1; done < last - first; done *= 2)  // of numbers the rest are copies
      m.copy(element(first + done).address, element(first).address, std::min(done, last - first - done) * of->bytes);
    return;
  }
}

bool Evaluator::follows(Address a, int line) {
  const Object* o = m.object(a);
  if (o == nullptr || m.follows(a)) return true;
  notes.add(fmt::format("line {}: {} bytes are more than what is followed; the contents are unknown", line, o->bytes));
  m.poison_all(a, m.reason("it is larger than what is followed"));
  return false;
}

void Evaluator::resize(const Place& vector, std::uint64_t elements, int line) {
  const std::uint64_t bytes = vector.type->of->bytes;
  const std::uint64_t count = m.word(vector.address + 8), capacity = m.word(vector.address + 16);
  budget.spend(20);
  if (elements > capacity) {
    const bool grows = capacity > 0 && elements < 2 * capacity;
    const std::uint64_t room = grows ? 2 * capacity : elements;
    const Space space = vector.type->device ? Space::device : Space::host;
    const Value v = m.allocate(room * bytes, space, line, 0);
    if (Object* o = m.object(v.address())) {
      o->element = vector.type->of;
      if (const Object* own = m.object(vector.address)) o->name = own->name;
      o->by_reference = vector.type->device;
      if (vector.type->device) log.buffer_of(*o);
    }
    if (count > 0) m.copy(v.address(), m.word(vector.address), std::min(count, elements) * bytes);
    m.set_word(vector.address, v.address());
    m.set_word(vector.address + 16, room);
  }
  if (elements > count && elements <= capacity)
    m.fill(m.word(vector.address) + count * bytes, std::byte{0}, (elements - count) * bytes, 0);
  m.set_word(vector.address + 8, elements);
}

// --- structures with operators of their own ---------------------------------------------------------------------------

/// Of `operator=`: "="; of `operator()`: "("; empty for any other function.
std::string_view Evaluator::operator_of(int function) const {
  const FunctionRange& f = p.function(function);
  for (int t = f.head; t + 1 < f.open; ++t)
    if (p.lexed.is(t, "operator")) return p.lexed.of(t + 1);
  return {};
}

/// By the structure's own `operator new`; nullopt: it has none.
std::optional<Value> Evaluator::allocated_by_class(const Type* t, std::uint64_t bytes, int line) {
  if (t->kind != Kind::record) return std::nullopt;
  for (const int f : p.types.record(t->record).methods) {
    if (operator_of(f) != "new" || p.function(f).info.parameters.size() != 1) continue;
    Expr size, name;
    size.op = Op::number, size.type = p.types.u64, size.whole = static_cast<std::int64_t>(bytes);
    name.op = Op::name, name.text = "operator new";
    size.line = name.line = line;
    Expr* argument = &size;
    const Value v = call_function({f}, name, {&argument, 1}, 0, t->record, line);
    return v.type != nullptr && v.type->kind == Kind::pointer ? v : unknown_value(p.types.pointer_to(t), v.unknown);
  }
  return std::nullopt;
}

/// As a structure's own conversion operator makes it: the one to `to` of several (nullptr: to a pointer). `v`: there is none.
Value Evaluator::by_operator(const Value& v, const Type* to, int line) {
  if (!v.is(Kind::record) || at_.depth >= limits.depth) return v;
  std::vector<int> found;
  for (const int f : p.types.record(v.type->record).methods) {
    const std::string_view of = operator_of(f);
    const bool converts = !of.empty() && is_word_start(of.front()) && of != "new" && of != "delete" && of != "co_await";
    if (converts && p.function(f).info.parameters.empty()) found.push_back(f);
  }
  const Bindings* bound = p.bindings_of(v.type->record);
  if (found.size() > 1)
    std::erase_if(found, [&](int f) {
      const FunctionBody* body = p.body(f, bound != nullptr ? *bound : Bindings{}, v.type->record);
      const Kind wanted = to != nullptr ? to->kind : Kind::pointer;
      return body == nullptr || body->result == nullptr || body->result->kind != wanted;
    });
  if (found.size() != 1) return v;
  const Expr name{.op = Op::name, .line = line, .text = "operator"};
  return call_function(found, name, {}, v.address(), v.type->record, line);
}

/// `object = value`, if the structure has an operator of its own for that.
std::optional<Value> Evaluator::assigned_by_operator(const Place& object, const Expr& right, int line) {
  if (!object.known() || object.type->kind != Kind::record || at_.depth >= limits.depth) return std::nullopt;
  std::vector<int> own;
  for (const int f : p.types.record(object.type->record).methods) {
    const FunctionRange& range = p.function(f);
    if (operator_of(f) == "=" && range.info.parameters.size() == 1 && range.close > range.open) own.push_back(f);
  }
  if (own.empty()) return std::nullopt;
  Expr name{.op = Op::member, .line = line, .text = "operator"};
  Expr* const argument = const_cast<Expr*>(&right);
  call_function(own, name, {&argument, 1}, object.address, object.type->record, line);
  return m.load(object);
}

/// Reports that a structure with a copy constructor of its own is copied without it.
void Evaluator::note_plain_copy(const Type* t, int line, int depth) {
  constexpr int deepest_copy = 8;
  while (t != nullptr && t->kind == Kind::array) t = t->of;
  if (t == nullptr || t->kind != Kind::record || depth > deepest_copy) return;
  const Record& r = p.types.record(t->record);
  for (const int f : r.methods) {
    const Function& info = p.function(f).info;
    if (info.name != name_of(r) || info.parameters.size() != 1) continue;
    const std::string& type = info.parameters[0].type;
    const bool reference = type.find('&') != std::string::npos && type.find("&&") == std::string::npos;
    if (reference && type.find(name_of(r)) != std::string::npos)
      return notes.assume(Assumption::Code::host_action, line, fmt::format("copies the bytes of {}", r.name),
                          "its copy constructor is not called");
  }
  for (const Member& each : r.members) note_plain_copy(each.type, line, depth + 1);
}

}  // namespace lanescope::source::host
