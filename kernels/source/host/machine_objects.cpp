// std::vector, and what a declaration makes: structures, arrays, lists in braces.

#include <algorithm>

#include <fmt/format.h>

#include "kernels/source/host/machine.h"

namespace lanescope::source::host {
namespace {

constexpr std::uint64_t cost_of_object = 60;         ///< steps
constexpr std::uint64_t most_constructed = 1 << 20;  ///< elements of an array of structures

}  // namespace

// --- std::vector ----------------------------------------------------------------------------------------------------------

void Machine::resize(const Place& vector, std::uint64_t elements, int line) {
  const std::uint64_t bytes = vector.type->of->bytes;
  const std::uint64_t count = word(vector.address + 8), capacity = word(vector.address + 16);
  steps_ += 20;
  if (elements > capacity) {
    const bool grows = capacity > 0 && elements < 2 * capacity;
    const std::uint64_t room = grows ? 2 * capacity : elements;
    const Space space = vector.type->device ? Space::device : Space::host;
    Value v = fresh(room * bytes, space, line, 0);
    if (Object* o = memory_.object(static_cast<Address>(v.i))) {
      o->element = vector.type->of;
      if (const Object* own = memory_.object(vector.address)) o->name = own->name;
      if (vector.type->device) buffer_of(*o);
    }
    if (count > 0) memory_.copy(static_cast<Address>(v.i), word(vector.address), std::min(count, elements) * bytes);
    set_word(vector.address, static_cast<std::uint64_t>(v.i));
    set_word(vector.address + 16, room);
  }
  if (elements > count && elements <= capacity)
    memory_.fill(word(vector.address) + count * bytes, std::byte{0}, (elements - count) * bytes, 0);
  set_word(vector.address + 8, elements);
}

Value Machine::vector_method(const Place& v, std::string_view name, std::span<Expr* const> arguments, int line) {
  if (memory_.first_unknown(v.address, 24) != 0) {
    const Reason why = memory_.first_unknown(v.address, 24);
    for (const Expr* a : arguments) eval(*a);
    return {.unknown = why};
  }
  const Type* of = v.type->of;
  const Type* pointer = p_.types.pointer_to(of);
  const std::uint64_t count = word(v.address + 8);
  const auto nothing = Value{.type = p_.types.void_};
  if (name == "size") return number(static_cast<std::int64_t>(count), p_.types.u64);
  if (name == "empty") return number(count == 0 ? 1 : 0, p_.types.bool_);
  if (name == "data" || name == "begin" || name == "cbegin")
    return {.type = pointer, .i = static_cast<std::int64_t>(word(v.address))};
  if (name == "end" || name == "cend")
    return {.type = pointer, .i = static_cast<std::int64_t>(word(v.address) + count * of->bytes)};
  if (name == "front") return load({word(v.address), of});
  if (name == "back") return load({word(v.address) + (count - 1) * of->bytes, of});
  if (name == "at" && arguments.size() == 1) {
    const Value i = convert(eval(*arguments[0]), p_.types.i64);
    return load({word(v.address) + static_cast<std::uint64_t>(i.i) * of->bytes, of, i.unknown});
  }
  if (name == "clear") return set_word(v.address + 8, 0), nothing;
  if (name == "pop_back") return set_word(v.address + 8, count > 0 ? count - 1 : 0), nothing;
  if (name == "reserve" || name == "shrink_to_fit") {
    for (const Expr* a : arguments) eval(*a);
    return nothing;
  }
  if (name == "push_back" || name == "emplace_back") {
    Value x;
    const bool list = arguments.size() != 1 || arguments[0]->op == Op::list;
    if (!list) x = eval(*arguments[0]);
    resize(v, count + 1, line);
    const Address at = word(v.address) + count * of->bytes;
    if (list) {
      const bool braces = arguments.size() == 1;
      construct(at, of, braces ? std::span<Expr* const>(arguments[0]->parts) : arguments, braces,
                braces ? arguments[0] : nullptr, line);
    } else {
      store({at, of}, x, line);
    }
    return nothing;
  }
  if ((name == "resize" || name == "assign") && !arguments.empty()) {
    const Value n = convert(eval(*arguments[0]), p_.types.i64);
    Value x;
    if (arguments.size() > 1) x = eval(*arguments[1]);
    if (n.unknown != 0 || n.i < 0) {
      memory_.poison_all(v.address, n.unknown != 0 ? n.unknown : because("its size is negative"));
      return nothing;
    }
    const std::uint64_t from = name == "assign" ? 0 : count;
    resize(v, static_cast<std::uint64_t>(n.i), line);
    if (arguments.size() > 1)
      for (std::uint64_t i = from; i < static_cast<std::uint64_t>(n.i); ++i) {
        step();
        store({word(v.address) + i * of->bytes, of}, x, line);
      }
    return nothing;
  }
  if (name == "swap" && arguments.size() == 1) {
    const Place other = place(*arguments[0]);
    for (std::uint64_t w = 0; w < 24; w += 8) {
      const std::uint64_t mine = word(v.address + w), theirs = word(other.address + w);
      set_word(v.address + w, theirs), set_word(other.address + w, mine);
    }
    return nothing;
  }
  for (const Expr* a : arguments) eval(*a);
  const Reason why = because(fmt::format("the method `{}` at line {} is not known", name, line));
  memory_.poison_all(word(v.address), why);
  return {.unknown = why};
}

// --- what a declaration makes ---------------------------------------------------------------------------------------------

void Machine::construct(Address at, const Type* t, std::span<Expr* const> arguments, bool list, const Expr* words,
                        int line) {
  if (at == 0) return;
  step();
  if (eval_depth_ >= deepest_evaluation) return memory_.poison_all(at, because("it is nested too deep"));
  ++eval_depth_;
  construct_in(at, t, arguments, list, words, line);
  --eval_depth_;
}

/// By the structure's own `operator new`; nullopt: it has none.
std::optional<Value> Machine::allocated_by_class(const Type* t, std::uint64_t bytes, int line) {
  if (t->kind != Kind::record) return std::nullopt;
  for (const int f : p_.types.record(t->record).methods) {
    const FunctionRange& range = p_.outline.functions[static_cast<std::size_t>(f)];
    bool is_new = false;
    for (int i = range.head; i + 1 < range.open; ++i) is_new |= p_.lexed.is(i, "operator") && p_.lexed.is(i + 1, "new");
    if (!is_new || range.info.parameters.size() != 1) continue;
    Expr size, name;
    size.op = Op::number, size.type = p_.types.u64, size.whole = static_cast<std::int64_t>(bytes);
    name.op = Op::name, name.text = "operator new";
    size.line = name.line = line;
    Expr* argument = &size;
    const Value v = call_function({f}, name, {&argument, 1}, 0, t->record, line);
    return v.type != nullptr && v.type->kind == Kind::pointer ? v : unknown_value(p_.types.pointer_to(t), v.unknown);
  }
  return std::nullopt;
}

void Machine::construct_in(Address at, const Type* t, std::span<Expr* const> arguments, bool list, const Expr* words,
                           int line) {
  switch (t->kind) {
    case Kind::boolean:
    case Kind::integer:
    case Kind::floating:
    case Kind::pointer:
    case Kind::code:
      if (arguments.empty()) {
        if (list) zero(at, t);
        return;
      }
      return store({at, t}, eval(*arguments[0]), line);
    case Kind::array: {
      const std::uint64_t each = t->of->bytes;
      if (arguments.size() == 1 && arguments[0]->op == Op::string) {
        const Value v = eval(*arguments[0]);
        zero(at, t);
        if (const Object* o = memory_.object(static_cast<Address>(v.i)))
          memory_.copy(at, static_cast<Address>(v.i), std::min(o->bytes, t->bytes));
        return;
      }
      if (list || !arguments.empty()) zero(at, t);
      const bool simple = t->of->is_number() || t->of->kind == Kind::pointer;
      // braces that were left out: the numbers fill the rows one after the other
      const Type* inner = t->of;
      while (inner->kind == Kind::array) inner = inner->of;
      const bool flat = list && t->of->kind == Kind::array &&
                        std::none_of(arguments.begin(), arguments.end(),
                                     [](const Expr* e) { return e->op == Op::list || e->op == Op::string; });
      if (flat) {
        for (std::uint64_t i = 0; i < arguments.size() && (i + 1) * inner->bytes <= t->bytes; ++i)
          store({at + i * inner->bytes, inner}, eval(*arguments[i]), line);
        return;
      }
      for (std::uint64_t i = 0; i < t->count; ++i) {
        if (i >= arguments.size() && (simple || i > most_constructed)) return;
        if (i >= arguments.size() && (t->of->kind == Kind::unknown || (t->of->kind == Kind::array && list))) return;
        step();
        const Address element = at + i * each;
        if (i >= arguments.size()) {
          construct(element, t->of, {}, false, nullptr, line);
        } else if (arguments[i]->op == Op::list) {
          construct(element, t->of, arguments[i]->parts, true, arguments[i], line);
        } else {
          construct(element, t->of, arguments.subspan(i, 1), false, nullptr, line);
        }
      }
      return;
    }
    case Kind::record:
      return construct_record(at, t, arguments, list, words, line);
    case Kind::vector:
      return construct_vector(at, t, arguments, list, line);
    case Kind::text:
      zero(at, t);
      if (arguments.size() == 1) {
        const Value v = decayed(eval(*arguments[0]));
        if (v.unknown != 0 || v.type == nullptr) {
          memory_.poison_all(at, v.unknown != 0 ? v.unknown : because("it has no value"));
        } else {
          set_word(at, v.type->kind == Kind::text ? word(static_cast<Address>(v.i)) : static_cast<std::uint64_t>(v.i));
        }
      }
      return;
    case Kind::random:
      zero(at, t);
      for (std::size_t i = 0; i < 2; ++i) {
        const double standard = i == 1 ? 1 : 0;
        const Value v =
            i < arguments.size() ? convert(eval(*arguments[i]), p_.types.double_) : real(standard, p_.types.double_);
        store({at + 8 + 8 * i, p_.types.double_}, v.unknown != 0 ? real(standard, p_.types.double_) : v, line);
      }
      return;
    default:
      for (const Expr* a : arguments) eval(*a);
      memory_.poison_all(at, because(fmt::format("the type {} is not known", t->name)));
  }
}

void Machine::construct_record(Address at, const Type* t, std::span<Expr* const> arguments, bool list,
                               const Expr* words, int line) {
  const Record& r = p_.types.record(t->record);
  if (arguments.size() == 1 && arguments[0]->op != Op::list &&
      (words == nullptr || words->words.empty() || words->words[0].empty())) {
    const Value v = eval(*arguments[0]);
    if (v.type != nullptr && v.type->kind == Kind::record && v.type->record == t->record)
      return store({at, t}, v, line);
    if (v.unknown != 0 && !r.of_file && t != p_.types.dim3) {
      memory_.write(at, t->bytes, nullptr, v.unknown);
      return;
    }
  }
  std::vector<int> constructors;
  const std::string_view own_name = r.of_template.empty() ? std::string_view(r.name) : r.of_template;
  for (const int f : r.methods)
    if (p_.outline.functions[static_cast<std::size_t>(f)].info.name == own_name) constructors.push_back(f);
  if (!r.of_file || list || !arguments.empty() || !constructors.empty()) {
    if (!r.of_file && t == p_.types.dim3) {
      const std::uint32_t ones[3] = {1, 1, 1};
      memory_.write(at, sizeof ones, ones, 0);
    } else if (!r.of_file || list || (!arguments.empty() && constructors.empty())) {
      zero(at, t);
    }
  }
  for (const Member& m : r.members) {
    if (m.initial == nullptr) {
      if (m.type->kind == Kind::vector || m.type->kind == Kind::text ||
          (m.type->kind == Kind::record && arguments.empty()))
        construct(at + m.offset, m.type, {}, false, nullptr, line);
      continue;
    }
    if (m.initial->op == Op::list) {
      construct(at + m.offset, m.type, m.initial->parts, true, m.initial, line);
    } else {
      store({at + m.offset, m.type}, eval(*m.initial), line);
    }
  }
  if (!constructors.empty() && depth_ < limits_.depth) {
    bool fits = false;
    for (const int f : constructors)
      fits |= p_.outline.functions[static_cast<std::size_t>(f)].info.parameters.size() >= arguments.size();
    Expr name;
    name.op = Op::name;
    name.text = own_name;
    name.line = line;
    if (fits) call_function(constructors, name, arguments, at, t->record, line);
    return;
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view named = words != nullptr && i < words->words.size() ? words->words[i] : std::string_view();
    const Member* m = !named.empty() ? r.find(named) : i < r.members.size() ? &r.members[i] : nullptr;
    if (m == nullptr) continue;
    if (arguments[i]->op == Op::list) {
      construct(at + m->offset, m->type, arguments[i]->parts, true, arguments[i], line);
    } else {
      store({at + m->offset, m->type}, eval(*arguments[i]), line);
    }
  }
}

void Machine::construct_vector(Address at, const Type* t, std::span<Expr* const> arguments, bool list, int line) {
  const Place v{at, t};
  zero(at, t);
  if (arguments.empty()) return;
  const bool nested = std::any_of(arguments.begin(), arguments.end(), [](const Expr* e) { return e->op == Op::list; });
  if (list || nested) {
    const std::span<Expr* const> elements = !list && nested ? std::span<Expr* const>(arguments[0]->parts) : arguments;
    resize(v, elements.size(), line);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const Address element = word(at) + i * t->of->bytes;
      if (elements[i]->op == Op::list) {
        construct(element, t->of, elements[i]->parts, true, elements[i], line);
      } else {
        store({element, t->of}, eval(*elements[i]), line);
      }
    }
    return;
  }
  const Value first = decayed(eval(*arguments[0]));
  if (first.unknown != 0 || first.type == nullptr) {
    memory_.poison_all(at, first.unknown != 0 ? first.unknown : because("its size has no value"));
    return;
  }
  if (first.type->kind == Kind::vector) {  // a copy, of the host or of the device
    const auto from = static_cast<Address>(first.i);
    const std::uint64_t count = word(from + 8);
    resize(v, count, line);
    if (first.type->of == t->of) copy_bytes(word(at), word(from), count * t->of->bytes, line);
    return;
  }
  if (first.type->kind == Kind::pointer && arguments.size() == 2) {
    const Value end = decayed(eval(*arguments[1]));
    if (end.unknown != 0 || end.type == nullptr || end.type->kind != Kind::pointer || end.i < first.i) return;
    const std::uint64_t bytes = static_cast<std::uint64_t>(end.i - first.i),
                        each = std::max<std::uint64_t>(t->of->bytes, 1);
    resize(v, bytes / each, line);
    if (first.type->of == t->of) copy_bytes(word(at), static_cast<Address>(first.i), bytes / each * each, line);
    return;
  }
  const Value n = convert(first, p_.types.i64);
  if (n.unknown != 0 || n.i < 0) {
    memory_.poison_all(at, n.unknown != 0 ? n.unknown : because("its size is negative"));
    return;
  }
  resize(v, static_cast<std::uint64_t>(n.i), line);
  const bool records = t->of->kind == Kind::vector || t->of->kind == Kind::record;
  if (arguments.size() < 2 && !records) return;
  Value x;
  if (arguments.size() > 1) x = eval(*arguments[1]);
  if (arguments.size() > 1 && x.unknown == 0 && x.type != nullptr && x.type->is_number() && x.i == 0 && x.f == 0 &&
      t->of->is_number())
    return;
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(n.i) && i < most_constructed * 16; ++i) {
    step();
    if (records) steps_ += cost_of_object;
    const Address element = word(at) + i * t->of->bytes;
    if (arguments.size() > 1) {
      store({element, t->of}, x, line);
    } else {
      construct(element, t->of, {}, false, nullptr, line);
    }
  }
}

}  // namespace lanescope::source::host
