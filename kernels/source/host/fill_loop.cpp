#include "kernels/source/host/fill_loop.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace lanescope::source::host {
namespace {

constexpr std::size_t most_nodes = 400;

bool compares(Op op) {
  return op == Op::less || op == Op::greater || op == Op::less_equal || op == Op::greater_equal || op == Op::equal ||
         op == Op::not_equal;
}

bool is_binary(Op op) { return op >= Op::multiply && op <= Op::or_; }

template <class T>
bool holds(Op op, T a, T b) {
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

template <class T>
bool real_result(Op op, T a, T b, double& out) {
  switch (op) {
    case Op::add:
      out = static_cast<double>(a + b);
      return true;
    case Op::subtract:
      out = static_cast<double>(a - b);
      return true;
    case Op::multiply:
      out = static_cast<double>(a * b);
      return true;
    case Op::divide:
      out = static_cast<double>(a / b);
      return true;
    default:
      return false;
  }
}

bool plain_number(const Type* t) {
  return t != nullptr && t->is_number() && (t->kind != Kind::floating || t->bytes >= 4);
}

}  // namespace

std::optional<FillLoop> FillLoop::of(Machine& machine, const Stmt& loop) {
  if (loop.kind != StmtKind::for_ || loop.first == nullptr || loop.second == nullptr || loop.then == nullptr ||
      machine.uncertain_ > 0)
    return std::nullopt;
  FillLoop made(machine);
  if (!made.read(loop)) return std::nullopt;
  return made;
}

bool FillLoop::read(const Stmt& loop) {
  return read_head(loop) && read_body(*loop.then) && !stores_.empty() && std::ranges::none_of(loaded_, [&](Object* o) {
           return std::ranges::any_of(stores_, [&](const Store& s) { return s.object == o; });
         });
}

/// `i < n; ++i`, `i += 4`.
bool FillLoop::read_head(const Stmt& loop) {
  const Expr& c = *loop.second;
  const bool once = c.op == Op::before_add || c.op == Op::after_add;
  const bool by = c.op == Op::assign && c.with == Op::add;
  if ((!once && !by) || c.parts.empty() || c.parts[0] == nullptr || c.parts[0]->op != Op::local) return false;
  counter_slot_ = c.parts[0]->slot;
  const Place at = m_.place(*c.parts[0]);
  if (at.unknown != 0 || at.type == nullptr || at.type->kind != Kind::integer) return false;
  counter_at_ = at.address, counter_type_ = at.type;
  if (by) {
    if (!unchanging(*c.parts[1])) return false;
    const Value v = m_.eval(*c.parts[1]);
    if (v.unknown != 0 || v.type == nullptr || !v.type->is_whole() || v.i < 1 || v.i > (1 << 20)) return false;
    step_ = v.i;
  }
  const Value start = m_.load(at);
  if (start.unknown != 0) return false;
  now_ = start.i;
  condition_ = node(*loop.first);
  return condition_ >= 0 && nodes_[static_cast<std::size_t>(condition_)].type->is_whole() && loaded_.empty() && !draws_;
}

bool FillLoop::read_body(const Stmt& body) {
  if (body.kind == StmtKind::empty) return true;
  if (body.kind == StmtKind::expression) return body.first != nullptr && read_store(*body.first);
  if (body.kind != StmtKind::block) return false;
  return std::ranges::all_of(body.body, [&](const Stmt* s) { return s == nullptr || read_body(*s); });
}

bool FillLoop::read_store(const Expr& e) {
  if (e.op != Op::assign || e.with != Op::assign || e.parts.size() < 2 || e.parts[0] == nullptr) return false;
  Store s;
  if (!element(*e.parts[0], s.base, s.type, s.index)) return false;
  s.value = node(*e.parts[1]);
  if (s.value < 0 || !plain_number(nodes_[static_cast<std::size_t>(s.value)].type)) return false;
  s.value = converted(s.value, s.type);
  s.object = m_.memory_.object(s.base);
  // A variable that the loop computes with may be what it writes to.
  if (s.value < 0 || s.object == nullptr || s.object->space == Space::device || s.object->space == Space::characters ||
      s.object->bytes <= 16 || !m_.memory_.follows(s.base) || s.object == m_.memory_.object(counter_at_))
    return false;
  stores_.push_back(s);
  return true;
}

namespace {

bool names_a_local(const Expr& e) {
  const auto in = [](const std::vector<Expr*>& all) {
    return std::ranges::any_of(all, [](const Expr* each) { return each != nullptr && names_a_local(*each); });
  };
  return e.op == Op::local || e.op == Op::this_ || in(e.parts) || in(e.more);
}

}  // namespace

std::uint64_t FillLoop::generate(Machine& machine, const Expr& made, Address at, const Type* of, std::uint64_t count) {
  if (machine.uncertain_ > 0 || names_a_local(made) || !plain_number(of) || !machine.memory_.follows(at)) return 0;
  FillLoop loop(machine);
  const int value = loop.converted(loop.node(made), of);
  if (value < 0 || !loop.loaded_.empty()) return 0;
  std::uint64_t done = 0;
  for (const std::uint64_t budget = machine.steps_until_check(); done < count && loop.steps_of(done) < budget; ++done) {
    const CRandom before = machine.rand_;
    Number v;
    if (!loop.evaluate(value, v)) {
      machine.rand_ = before;
      break;
    }
    std::uint64_t bits = static_cast<std::uint64_t>(v.i);
    if (of->kind == Kind::floating)
      bits = of->bytes == 8 ? std::bit_cast<std::uint64_t>(v.f) : std::bit_cast<std::uint32_t>(static_cast<float>(v.f));
    if (!machine.memory_.write(at + done * of->bytes, of->bytes, &bits, 0)) break;
  }
  if (loop.draws_ && done > 0) machine.note_random();
  machine.steps_ += loop.steps_of(done);
  return done;
}

/// What has one value in all iterations, and no effects.
bool FillLoop::unchanging(const Expr& e) const {
  switch (e.op) {
    case Op::number:
    case Op::global:
    case Op::size_of:
      return true;
    case Op::local:
      return e.slot != counter_slot_;
    case Op::negate:
    case Op::plus:
    case Op::complement:
    case Op::cast:
    case Op::member:
      return !e.parts.empty() && e.parts[0] != nullptr && unchanging(*e.parts[0]);
    case Op::arrow:
      return !e.parts.empty() && e.parts[0] != nullptr && (e.parts[0]->op == Op::this_ || unchanging(*e.parts[0]));
    default:
      return is_binary(e.op) && e.parts.size() == 2 && e.parts[0] != nullptr && e.parts[1] != nullptr &&
             unchanging(*e.parts[0]) && unchanging(*e.parts[1]);
  }
}

/// An element of an array whose place in memory does not change.
bool FillLoop::element(const Expr& e, Address& base, const Type*& type, int& index) {
  if (e.op != Op::index || e.parts.size() < 2 || e.parts[0] == nullptr || e.parts[1] == nullptr ||
      !unchanging(*e.parts[0]))
    return false;
  Value v = m_.eval(*e.parts[0]);
  if (v.unknown != 0 || v.type == nullptr) return false;
  if (v.type->kind == Kind::vector)
    v = {.type = m_.p_.types.pointer_to(v.type->of),
         .i = static_cast<std::int64_t>(m_.word(static_cast<Address>(v.i)))};
  v = m_.decayed(v);
  if (v.type->kind != Kind::pointer || !plain_number(v.type->of)) return false;
  base = static_cast<Address>(v.i), type = v.type->of;
  index = node(*e.parts[1]);
  if (index < 0 || !nodes_[static_cast<std::size_t>(index)].type->is_whole()) return false;
  index = converted(index, m_.p_.types.i64);
  return index >= 0;
}

int FillLoop::add(Node n) {
  if (nodes_.size() >= most_nodes) return -1;
  nodes_.push_back(n);
  return static_cast<int>(nodes_.size()) - 1;
}

int FillLoop::converted(int n, const Type* to) {
  if (n < 0 || !plain_number(to)) return -1;
  const Type* from = nodes_[static_cast<std::size_t>(n)].type;
  return from == to ? n : add({.does = Does::convert, .type = to, .from = from, .a = n});
}

int FillLoop::arithmetic(Op op, int a, int b) {
  if (a < 0 || b < 0) return -1;
  const Type *x = nodes_[static_cast<std::size_t>(a)].type, *y = nodes_[static_cast<std::size_t>(b)].type;
  if (!plain_number(x) || !plain_number(y)) return -1;
  const auto promoted = [&](const Type* t) { return t->bytes < 4 ? m_.p_.types.int_ : t; };
  if (op == Op::left || op == Op::right) {
    if (!x->is_whole() || !y->is_whole()) return -1;
    const Type* t = promoted(x);
    return add({.does = Does::arithmetic, .op = op, .type = t, .from = t, .a = converted(a, t), .b = b});
  }
  const Type* t = nullptr;
  if (x->kind == Kind::floating || y->kind == Kind::floating) {
    t = x->kind != Kind::floating ? y : y->kind != Kind::floating ? x : x->bytes >= y->bytes ? x : y;
    const bool known = compares(op) || op == Op::add || op == Op::subtract || op == Op::multiply || op == Op::divide;
    if (!known) return -1;
  } else {
    const Type *left = promoted(x), *right = promoted(y);
    t = left->bytes != right->bytes ? (left->bytes > right->bytes ? left : right) : !left->is_signed ? left : right;
  }
  a = converted(a, t), b = converted(b, t);
  if (a < 0 || b < 0) return -1;
  return add(
      {.does = Does::arithmetic, .op = op, .type = compares(op) ? m_.p_.types.bool_ : t, .from = t, .a = a, .b = b});
}

int FillLoop::node(const Expr& e) {
  if (unchanging(e)) {
    const Value v = m_.eval(e);
    if (v.unknown != 0 || !plain_number(v.type)) return -1;
    return add({.does = Does::constant, .type = v.type, .value = {v.i, v.f}});
  }
  if (e.op == Op::local && e.slot == counter_slot_) return add({.does = Does::counter, .type = counter_type_});
  if (is_binary(e.op) && e.parts.size() == 2) return arithmetic(e.op, node(*e.parts[0]), node(*e.parts[1]));
  switch (e.op) {
    case Op::cast: {
      if (e.parts.size() != 1 || e.parts[0] == nullptr || !plain_number(e.type)) return -1;
      return converted(node(*e.parts[0]), e.type);
    }
    case Op::conditional: {
      if (e.parts.size() != 3) return -1;
      const int c = node(*e.parts[0]), a = node(*e.parts[1]), b = node(*e.parts[2]);
      if (c < 0 || a < 0 || b < 0 ||
          nodes_[static_cast<std::size_t>(a)].type != nodes_[static_cast<std::size_t>(b)].type)
        return -1;
      return add({.does = Does::choose,
                  .type = nodes_[static_cast<std::size_t>(a)].type,
                  .from = nodes_[static_cast<std::size_t>(c)].type,
                  .a = a,
                  .b = b,
                  .c = c});
    }
    case Op::call: {
      const bool random = e.parts.size() == 1 && e.parts[0] != nullptr && e.parts[0]->op == Op::name &&
                          e.parts[0]->text == "rand" && !m_.p_.functions.contains("rand");
      if (!random) return -1;
      draws_ = true;
      return add({.does = Does::random, .type = m_.p_.types.int_});
    }
    case Op::index: {
      Node n{.does = Does::load};
      Address base = 0;
      if (!element(e, base, n.type, n.a)) return -1;
      n.value.i = static_cast<std::int64_t>(base);
      Object* o = m_.memory_.object(base);
      if (o == nullptr) return -1;
      loaded_.push_back(o);
      return add(n);
    }
    default:
      return -1;
  }
}

FillLoop::Number FillLoop::cut(Number v, const Type* t) const {
  if (t->kind == Kind::floating) return {0, t->bytes == 4 ? static_cast<double>(static_cast<float>(v.f)) : v.f};
  if (t->kind == Kind::boolean) return {v.i != 0, 0};
  if (t->bytes >= 8) return {v.i, 0};
  const int drop = 64 - 8 * static_cast<int>(t->bytes);
  const auto raised = static_cast<std::uint64_t>(v.i) << drop;
  return {t->is_signed ? static_cast<std::int64_t>(raised) >> drop : static_cast<std::int64_t>(raised >> drop), 0};
}

/// False: C++ gives it no value.
bool FillLoop::compute(const Node& n, Number a, Number b, Number& out) {
  if (n.from->kind == Kind::floating) {
    if (compares(n.op)) return out = {holds(n.op, a.f, b.f) ? 1 : 0, 0}, true;
    out.i = 0;
    return n.from->bytes == 4 ? real_result(n.op, static_cast<float>(a.f), static_cast<float>(b.f), out.f)
                              : real_result(n.op, a.f, b.f, out.f);
  }
  const auto x = static_cast<std::uint64_t>(a.i), y = static_cast<std::uint64_t>(b.i);
  out.f = 0;
  if (compares(n.op))
    return out.i =
               (n.from->is_signed || n.from->kind == Kind::boolean ? holds(n.op, a.i, b.i) : holds(n.op, x, y)) ? 1 : 0,
           true;
  std::uint64_t r = 0;
  switch (n.op) {
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
    case Op::left:
    case Op::right:
      if (b.i < 0 || b.i >= static_cast<std::int64_t>(8 * n.type->bytes)) return false;
      r = n.op == Op::left ? x << b.i : n.type->is_signed ? static_cast<std::uint64_t>(a.i >> b.i) : x >> b.i;
      break;
    case Op::divide:
    case Op::remainder:
      if (y == 0 || (n.from->is_signed && b.i == -1)) return false;
      if (n.from->is_signed)
        r = static_cast<std::uint64_t>(n.op == Op::divide ? a.i / b.i : a.i % b.i);
      else
        r = n.op == Op::divide ? x / y : x % y;
      break;
    default:
      return false;
  }
  out.i = static_cast<std::int64_t>(r);
  return true;
}

bool FillLoop::evaluate(int at, Number& out) {
  const Node& n = nodes_[static_cast<std::size_t>(at)];
  Number a, b;
  switch (n.does) {
    case Does::constant:
      out = n.value;
      return true;
    case Does::counter:
      out = {now_, 0};
      return true;
    case Does::random:
      out = {m_.rand_.next(), 0};
      return true;
    case Does::convert: {
      if (!evaluate(n.a, a)) return false;
      const bool from_real = n.from->kind == Kind::floating;
      if (n.type->kind == Kind::boolean) return out = {from_real ? a.f != 0 : a.i != 0, 0}, true;
      if (n.type->kind == Kind::floating) {
        const bool is_signed = n.from->is_signed || n.from->kind == Kind::boolean;
        if (!from_real)
          a.f = is_signed ? static_cast<double>(a.i) : static_cast<double>(static_cast<std::uint64_t>(a.i));
        return out = cut(a, n.type), true;
      }
      if (from_real) {
        if (!(std::abs(a.f) < 0x1p63)) return false;
        a.i = static_cast<std::int64_t>(a.f);
      }
      return out = cut(a, n.type), true;
    }
    case Does::arithmetic:
      if (n.a < 0 || n.b < 0 || !evaluate(n.a, a) || !evaluate(n.b, b) || !compute(n, a, b, out)) return false;
      if (!compares(n.op)) out = cut(out, n.type);
      return true;
    case Does::choose:
      if (!evaluate(n.c, a)) return false;
      return evaluate((n.from->kind == Kind::floating ? a.f != 0 : a.i != 0) ? n.a : n.b, out);
    case Does::load: {
      if (!evaluate(n.a, a)) return false;
      std::uint64_t bits = 0;
      Reason unknown = 0;
      const Address from = static_cast<Address>(n.value.i) + static_cast<std::uint64_t>(a.i) * n.type->bytes;
      if (!m_.memory_.read(from, n.type->bytes, &bits, unknown) || unknown != 0) return false;
      if (n.type->kind != Kind::floating)
        out = cut({static_cast<std::int64_t>(bits), 0}, n.type);
      else
        out = {0, n.type->bytes == 8 ? std::bit_cast<double>(bits)
                                     : static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)))};
      return true;
    }
    default:
      return false;
  }
}

void FillLoop::run() {
  const std::uint64_t budget = m_.steps_until_check();
  struct Write {
    Address at = 0;
    std::uint64_t bits = 0;
  };
  std::vector<Write> writes(stores_.size());
  CRandom before = m_.rand_;
  std::uint64_t done = 0;
  for (; steps_of(done) < budget; ++done) {
    Number v;
    if (!evaluate(condition_, v) || v.i == 0) break;
    if (draws_) before = m_.rand_;
    bool good = true;
    for (std::size_t s = 0; s < stores_.size() && good; ++s) {
      const Store& store = stores_[s];
      Number index, value;
      // as the tree does it: what is assigned first, then where
      good = evaluate(store.value, value) && evaluate(store.index, index);
      if (!good) break;
      const auto offset = static_cast<std::uint64_t>(m_.memory_.offset(store.base)) +
                          static_cast<std::uint64_t>(index.i) * store.type->bytes;
      good = offset < store.object->bytes && store.type->bytes <= store.object->bytes - offset;
      std::uint64_t bits = static_cast<std::uint64_t>(value.i);
      if (store.type->kind == Kind::floating)
        bits = store.type->bytes == 8 ? std::bit_cast<std::uint64_t>(value.f)
                                      : std::bit_cast<std::uint32_t>(static_cast<float>(value.f));
      writes[s] = {store.base + static_cast<std::uint64_t>(index.i) * store.type->bytes, bits};
    }
    if (!good) {
      m_.rand_ = before;
      break;
    }
    for (std::size_t s = 0; s < stores_.size(); ++s)
      m_.memory_.write(writes[s].at, stores_[s].type->bytes, &writes[s].bits, 0);
    now_ = cut({static_cast<std::int64_t>(static_cast<std::uint64_t>(now_) + static_cast<std::uint64_t>(step_)), 0},
               counter_type_)
               .i;
  }
  if (done == 0) return;
  if (draws_) m_.note_random();
  m_.steps_ += steps_of(done);
  std::uint64_t bits = static_cast<std::uint64_t>(now_);
  m_.memory_.write(counter_at_, counter_type_->bytes, &bits, 0);
}

}  // namespace lanescope::source::host
