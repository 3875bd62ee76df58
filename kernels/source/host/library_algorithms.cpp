// Algorithms of the C++ library and of Thrust over arrays.

#include <algorithm>

#include "kernels/source/host/fill_loop.h"
#include "kernels/source/host/library.h"

namespace lanescope::source::host {
namespace {

constexpr std::int64_t most_elements = 1 << 26;

/// begin(v), size(v) and the like: the method of the name.
std::optional<Value> of_container(Call& c) {
  Call method{c.in, c.name, {}, c.callee, c.line, c.place(0)};
  return method.object.known() ? library_method(method) : std::nullopt;
}

std::optional<Value> swap_places(Call& c) {
  const Place x = c.place(0), y = c.place(1);
  if (!x.known() || !y.known() || x.type != y.type) {
    for (const Expr* each : c.arguments)
      c.in.poison_target(*each, c.reason(fmt::format("line {} swaps unknown objects", c.line)));
    return c.nothing();
  }
  const Address hold = c.in.m.temporary(x.type);  // byte by byte, so that unknown bytes stay unknown
  c.in.m.copy(hold, x.address, x.type->bytes);
  c.in.m.copy(x.address, y.address, x.type->bytes);
  c.in.m.copy(y.address, hold, x.type->bytes);
  return c.nothing();
}

/// The elements of the first two arguments: pointers to the first and after the last one, or a pointer and a number.
struct Range {
  Address at = 0;
  const Type* of = nullptr;
  std::uint64_t bytes = 1, count = 0;  ///< of an element; elements
};
std::optional<Range> range_of(Call& c, bool by_count) {
  const Value first = c.value(0), second = c.value(1);
  if (!first.is(Kind::pointer) || !second.known()) {
    const Reason why = first.unknown != 0 ? first.unknown : second.unknown;
    c.poison_all(why != 0 ? why : c.reason(fmt::format("line {} fills an unknown range", c.line)));
    return std::nullopt;
  }
  const std::uint64_t bytes = std::max<std::uint64_t>(first.type->of->bytes, 1);
  const std::int64_t span = by_count ? second.i : (second.i - first.i) / static_cast<std::int64_t>(bytes);
  return Range{first.address(), first.type->of, bytes,
               static_cast<std::uint64_t>(std::clamp<std::int64_t>(span, 0, most_elements))};
}

std::optional<Value> copy_elements(Call& c) {
  const auto from = range_of(c, c.name == "copy_n");
  if (!from || c.size() < 3) return c.nothing();
  const Value to = c.value(2);
  if (to.is(Kind::pointer) && to.type->of == from->of) {
    c.in.log.copy(to.address(), from->at, from->count * from->bytes, c.line);
    c.in.own_elements_of(to.address(), from->of, from->count, c.line);
  } else {
    c.in.poison_pointee(c.expr(2), to, c.reason(fmt::format("line {} copies to another type", c.line)));
  }
  return c.nothing();
}

/// How many elements a lambda of one `return` has made at once.
std::uint64_t generated_at_once(Call& c, const Value& code, const Range& to) {
  const Expr* lambda = c.in.lambda_of(code);
  const Stmt* body = lambda != nullptr ? lambda->body : nullptr;
  while (body != nullptr && body->kind == StmtKind::block && body->body.size() == 1) body = body->body.front();
  const bool plain = body != nullptr && body->kind == StmtKind::return_ && body->first != nullptr &&
                     lambda->slots.empty() && (lambda->type == nullptr || lambda->type->kind == Kind::automatic);
  return plain ? FillLoop::generate(c.in, *body->first, to.at, to.of, to.count) : 0;
}

/// fill, fill_n, generate, generate_n, iota, sequence: each element gets its value.
std::optional<Value> fill_elements(Call& c) {
  const bool generated = c.name.starts_with("generate"), counts = c.name == "iota" || c.name == "sequence";
  const auto to = range_of(c, c.name == "fill_n" || c.name == "generate_n");
  if (!to || (to->count > 0 && !c.in.follows(to->at, c.line))) return c.nothing();
  Value x = c.size() > 2 ? c.value(2) : c.name == "sequence" ? c.integer(0) : Value{};
  const std::uint64_t most = c.in.budget.spent() + c.in.limits.steps / 4;  // the rest of the run has to continue
  for (std::uint64_t i = generated && x.known() ? generated_at_once(c, x, *to) : 0; i < to->count; ++i) {
    if (c.in.budget.spent() > most) {
      const Reason why = c.reason(fmt::format("line {} fills more elements than are followed", c.line));
      c.in.m.fill(to->at + i * to->bytes, std::byte{0}, (to->count - i) * to->bytes, why);
      break;
    }
    c.in.budget.step();
    c.in.store({to->at + i * to->bytes, to->of}, generated ? c.in.call_code(x, {}, c.line) : x, c.line);
    if (counts) x = c.in.m.arithmetic(Op::add, x, c.integer(1), c.line);
  }
  return c.nothing();
}

std::optional<Value> make_pair(Call& c) {
  const Value first = c.value(0), second = c.value(1);
  if (first.type == nullptr || second.type == nullptr) return std::nullopt;
  const Type* t = c.types().pair_of(first.type, second.type);
  const Value out = at_address(c.in.m.temporary(t), t);
  c.in.m.zero(out.address(), t);
  for (const auto& [name, v] : {std::pair("first", first), std::pair("second", second)})
    c.in.store(*c.in.m.member({out.address(), t}, name), v, c.line);
  return out;
}

std::optional<Value> make_tuple(Call& c) {
  std::vector<Value> values;
  std::vector<const Type*> types;
  for (std::size_t i = 0; i < c.size(); ++i) {
    types.push_back(values.emplace_back(c.value(i)).type);
    if (types.back() == nullptr) return std::nullopt;
  }
  const Type* t = c.types().tuple_of(types);
  if (t == nullptr) return std::nullopt;
  const Value out = at_address(c.in.m.temporary(t), t);
  c.in.m.zero(out.address(), t);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Member& member = c.types().record(t->record).members[i];
    c.in.store({out.address() + member.offset, member.type}, values[i], c.line);
  }
  return out;
}

/// std::get<1>(x) of a tuple or a pair.
std::optional<Value> get_member(Call& c) {
  const Expr* index = c.callee.more.empty() ? nullptr : c.callee.more.front();
  const Value of = c.in.eval(c.expr(0)), i = index != nullptr ? c.in.whole(*index) : Value{.unknown = 1};
  if (of.unknown != 0 || !of.is(Kind::record) || i.unknown != 0) return std::nullopt;
  const Record& r = c.types().record(of.type->record);
  const bool known = (r.name.starts_with("std::tuple<") || r.name.starts_with("std::pair<")) && i.i >= 0 &&
                     static_cast<std::size_t>(i.i) < r.members.size();
  if (!known) return std::nullopt;
  const Member& member = r.members[static_cast<std::size_t>(i.i)];
  const Place at{of.address() + member.offset, member.type};
  c.in.returns_reference(c.callee, at);
  return c.in.m.load(at);
}

}  // namespace

std::span<const LibraryFunction> algorithm_functions() {
  static constexpr LibraryFunction rows[] = {
      {"begin cbegin end cend data size", 1, 1, of_container},
      {"swap", 2, 2, swap_places},
      {"make_pair", 2, 2, make_pair},
      {"make_tuple", 1, TypeTable::most_in_tuple, make_tuple},
      {"get", 1, 1, get_member},
      {"copy copy_n", 2, 255, copy_elements},
      {"fill fill_n iota sequence generate generate_n", 2, 255, fill_elements},
  };
  return rows;
}

}  // namespace lanescope::source::host
