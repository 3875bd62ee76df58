// Methods of std::vector, arrays, std::string, smart pointers and <random>.

#include <algorithm>
#include <cmath>

#include "kernels/base/text.h"
#include "kernels/source/host/library.h"
#include "kernels/source/host/std_random.h"

namespace lanescope::source::host {
namespace {

std::optional<Value> random_method(Call& c) {
  if (c.name == "operator" && c.size() <= 1) {
    Place engine;
    if (c.size() == 1 && names_place(c.expr(0))) engine = c.place(0);
    return next_random(c.in.m, c.object, engine);
  }
  if (c.name == "seed") {
    std::vector<Value> given;
    for (const Expr* a : c.arguments) given.push_back(c.in.eval(*a));
    c.in.notes.add(std::string(note_of_random(c.object.type, given)));
    start_random(c.in.m, c.object.address, c.object.type, given);
    return c.nothing();
  }
  const Reason why = c.reason(fmt::format("the method `{}` at line {} is not known", c.name, c.line));
  c.in.m.write(c.object.address, c.object.type->bytes, nullptr, why);
  return std::nullopt;
}

std::optional<Value> array_method(Call& c) {
  const Type* t = c.object.type;
  const Type* pointer = c.types().pointer_to(t->of);
  if (c.name == "size") return c.count(t->count);
  if (one_of(c.name, {"data", "begin", "cbegin"})) return at_address(c.object.address, pointer);
  if (one_of(c.name, {"end", "cend"})) return at_address(c.object.address + t->bytes, pointer);
  if (c.name != "fill" || c.size() != 1) return std::nullopt;
  const Value v = c.eval(0);
  for (std::uint64_t i = 0; i < t->count; ++i) {
    c.in.budget.step();
    c.in.store({c.object.address + i * t->of->bytes, t->of}, v, c.line);
  }
  return c.nothing();
}

std::optional<Value> text_method(Call& c) {
  TypedMemory& m = c.in.m;
  const Value whole = at_address(c.object.address, c.types().text);
  const auto unknown = [&](Reason why) { return Value{.unknown = why}; };
  if (const Reason why = m.first_unknown(c.object.address, 8); why != 0) return c.eval_all(), unknown(why);
  if (one_of(c.name, {"c_str", "data"})) return at_address(m.word(c.object.address), c.types().characters);
  const std::optional<std::string> text = c.in.characters_of(whole);
  if (one_of(c.name, {"size", "length", "empty"})) {
    if (!text) return unknown(c.reason("its characters are not known"));
    return c.name == "empty" ? number(text->empty() ? 1 : 0, c.types().bool_) : c.count(text->size());
  }
  if (one_of(c.name, {"append", "push_back"}) && c.size() == 1) {
    const Value more = c.value(0);
    const std::optional<std::string> end = c.in.characters_of(more);
    if (text && end)
      m.put(c.object, c.in.text_value(*text + *end, c.line));
    else
      m.poison_all(c.object.address, more.unknown != 0 ? more.unknown : c.reason("its characters are not known"));
    c.in.returns_reference(c.callee, c.object);
    return whole;
  }
  if (c.name == "clear") return m.put(c.object, c.in.text_value("", c.line)), c.nothing();
  static constexpr std::string_view only_read[] = {
      "compare", "find", "rfind",    "substr",        "at",           "front",       "back",      "begin",   "end",
      "cbegin",  "cend", "capacity", "find_first_of", "find_last_of", "starts_with", "ends_with", "reserve", "copy"};
  if (!one_of(c.name, only_read))
    m.poison_all(c.object.address, c.reason(fmt::format("the method `{}` at line {} is not known", c.name, c.line)));
  return std::nullopt;
}

Value vector_method(Call& c) {
  const Place& v = c.object;
  TypedMemory& m = c.in.m;
  if (const Reason why = m.first_unknown(v.address, 24); why != 0) {
    c.eval_all();
    return {.unknown = why};
  }
  const Type* of = v.type->of;
  const Address data = m.word(v.address);
  const std::uint64_t count = m.word(v.address + 8);
  const auto element = [&](std::uint64_t i) { return Place{m.word(v.address) + i * of->bytes, of}; };
  const auto at = [&](std::uint64_t i) { return at_address(data + i * of->bytes, c.types().pointer_to(of)); };
  if (c.name == "size") return c.count(count);
  if (c.name == "empty") return number(count == 0 ? 1 : 0, c.types().bool_);
  if (one_of(c.name, {"data", "begin", "cbegin"})) return at(0);
  if (one_of(c.name, {"end", "cend"})) return at(count);
  const auto refer = [&](const Place& at) {
    c.in.returns_reference(c.callee, at);
    return m.load(at);
  };
  if (c.name == "front") return refer(element(0));
  if (c.name == "back") return refer(element(count - 1));
  if (c.name == "at" && c.size() == 1) {
    const Value i = c.whole(0);
    Place place = element(static_cast<std::uint64_t>(i.i));
    place.unknown = i.unknown;
    return refer(place);
  }
  if (c.name == "clear") return m.set_word(v.address + 8, 0), c.nothing();
  if (c.name == "pop_back") return m.set_word(v.address + 8, count > 0 ? count - 1 : 0), c.nothing();
  if (one_of(c.name, {"reserve", "shrink_to_fit"})) return c.eval_all(), c.nothing();
  if (one_of(c.name, {"push_back", "emplace_back"})) {
    const bool one = c.size() == 1, list = one && c.expr(0).op == Op::list;
    const Value x = one && !list ? c.eval(0) : Value{};
    c.in.resize(v, count + 1, c.line);
    if (one && !list)
      c.in.store(element(count), x, c.line);
    else
      c.in.construct(element(count).address, of, list ? braces(c.expr(0)) : Initial{c.arguments}, c.line);
    return c.nothing();
  }
  if (one_of(c.name, {"resize", "assign"}) && c.size() > 0) {
    const Value n = c.whole(0), x = c.size() > 1 ? c.eval(1) : Value{};
    if (n.unknown != 0 || n.i < 0) {
      m.poison_all(v.address, n.unknown != 0 ? n.unknown : c.reason("its size is negative"));
      return c.nothing();
    }
    c.in.resize(v, static_cast<std::uint64_t>(n.i), c.line);
    if (c.size() > 1) c.in.fill(v, c.name == "assign" ? 0 : count, static_cast<std::uint64_t>(n.i), x, c.line);
    return c.nothing();
  }
  if (c.name == "swap" && c.size() == 1) {
    const Place other = c.place(0);
    if (const Reason why = other.known() ? m.first_unknown(other.address, 24) : other.unknown; why != 0)
      return m.poison_all(v.address, why), c.nothing();
    for (std::uint64_t w = 0; w < 24; w += 8) {
      const std::uint64_t mine = m.word(v.address + w), theirs = m.word(other.address + w);
      m.set_word(v.address + w, theirs), m.set_word(other.address + w, mine);
    }
    return c.nothing();
  }
  c.eval_all();
  const Reason why = c.reason(fmt::format("the method `{}` at line {} is not known", c.name, c.line));
  m.poison_all(data, why);
  if (!one_of(c.name, {"capacity", "max_size", "rbegin", "rend", "crbegin", "crend"}))
    m.write(v.address, 24, nullptr, why);
  return {.unknown = why};
}

}  // namespace

std::optional<Value> library_method(Call& c) {
  switch (c.object.type->kind) {
    case Kind::vector:
      return vector_method(c);
    case Kind::array:
      return array_method(c);
    case Kind::text:
      return text_method(c);
    case Kind::pointer:
      return c.name == "get" ? std::optional(c.in.m.load(c.object)) : std::nullopt;
    case Kind::random:
      return random_method(c);
    default:
      return std::nullopt;
  }
}

}  // namespace lanescope::source::host
