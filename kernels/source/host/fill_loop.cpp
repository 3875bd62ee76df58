#include "kernels/source/host/fill_loop.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace lanescope::source::host {
namespace {

constexpr std::size_t most_instructions = 800;

bool is_binary(Op op) { return op >= Op::multiply && op <= Op::or_; }

bool plain_number(const Type* t) {
  return t != nullptr && t->is_number() && (t->kind != Kind::floating || t->bytes >= 4);
}
/// Floats of 8 and 16 bits are converted and stored here, and the tree computes with them.
bool is_narrow(const Type* t) { return t != nullptr && t->kind == Kind::floating && t->bytes < 4; }

}  // namespace

std::optional<FillLoop> FillLoop::of(Evaluator& in, const Stmt& loop) {
  if (loop.kind != StmtKind::for_ || loop.first == nullptr || loop.second == nullptr || loop.then == nullptr ||
      in.log.certainty.depth > 0 || !in.limits.compiled_loops)
    return std::nullopt;
  FillLoop made(in);
  if (!made.read(loop)) return std::nullopt;
  return made;
}

bool FillLoop::read(const Stmt& loop) {
  const bool good =
      read_head(loop) && read_body(*loop.then) && !stores_.empty() && std::ranges::none_of(loaded_, [&](Object* o) {
        return std::ranges::any_of(stores_, [&](const Store& s) { return s.object == o; });
      });
  for (const Store& s : stores_) apart_ = apart_ && std::ranges::count(stores_, s.object, &Store::object) == 1;
  if (good) widen();
  return good;
}

/// Each register gets its lanes; constants are in all of them.
void FillLoop::widen() {
  std::vector<Word> wide(registers_.size() * width);
  for (std::size_t r = 0; r < registers_.size(); ++r)
    std::fill_n(wide.begin() + static_cast<std::ptrdiff_t>(r * width), width, registers_[r]);
  registers_ = std::move(wide);
  for (Instruction& i : code_) i.to *= width, i.a *= width, i.b *= width;
  for (Store& s : stores_) s.places.resize(width);
}

/// `i < n; ++i`, `i += 4`.
bool FillLoop::read_head(const Stmt& loop) {
  const Expr& c = *loop.second;
  const bool once = c.op == Op::before_add || c.op == Op::after_add;
  const bool by = c.op == Op::assign && c.with == Op::add;
  if ((!once && !by) || c.parts.empty() || c.parts[0] == nullptr || c.parts[0]->op != Op::local) return false;
  counter_slot_ = c.parts[0]->slot;
  const Place at = in_.place(*c.parts[0]);
  if (at.unknown != 0 || at.type == nullptr || at.type->kind != Kind::integer) return false;
  counter_at_ = at.address, counter_type_ = at.type;
  if (by) {
    if (!unchanging(*c.parts[1])) return false;
    const Value v = in_.eval(*c.parts[1]);
    if (v.unknown != 0 || v.type == nullptr || !v.type->is_whole() || v.i < 1 || v.i > (1 << 20)) return false;
    step_ = v.i;
  }
  const Value start = in_.m.load(at);
  if (start.unknown != 0) return false;
  now_ = start.i;
  counter_ = fresh(counter_type_);
  if (counter_ < 0) return false;
  condition_ = node(*loop.first);
  body_ = code_.size();
  return condition_ >= 0 && type_of(condition_)->is_whole() && loaded_.empty() && !draws_;
}

bool FillLoop::read_body(const Stmt& body) {
  if (body.kind == StmtKind::empty) return true;
  if (body.kind == StmtKind::expression) return body.first != nullptr && read_store(*body.first) >= 0;
  if (body.kind == StmtKind::declare)
    return std::ranges::all_of(body.declared, [&](const Declared& d) { return read_variable(d); });
  if (body.kind == StmtKind::if_) return read_if(body);
  if (body.kind != StmtKind::block) return false;
  return std::ranges::all_of(body.body, [&](const Stmt* s) { return s == nullptr || read_body(*s); });
}

/// A variable of the body, which nothing but its declaration sets.
bool FillLoop::read_variable(const Declared& d) {
  if (d.global || d.reference || d.is_static || d.has_arguments || d.initial == nullptr || d.type == nullptr ||
      !d.extents.empty() || d.initial->op == Op::list)
    return false;
  int value = node(*d.initial);
  if (value >= 0 && d.type->kind != Kind::automatic) value = converted(value, d.type);
  if (value < 0) return false;
  variables_[d.slot] = value;
  return true;
}

/// A branch: the flag is set where it is taken.
bool FillLoop::read_branch(const Stmt& body, int& flag) {
  flag = fresh(in_.p.types.bool_);
  if (!emit({.run = Code::move, .to = flag, .a = constant(in_.p.types.bool_, {.i = 1})})) return false;
  flags_.push_back(flag);
  const int before = std::exchange(when_, flag);
  const bool good = read_body(body);
  when_ = before;
  return good;
}

bool FillLoop::read_if(const Stmt& s) {
  if (s.init != nullptr || s.first == nullptr || s.then == nullptr || !s.declared.empty()) return false;
  jumps_ = true;
  const int truth = converted(node(*s.first), in_.p.types.bool_);
  const std::size_t unless = code_.size();
  int flag = -1;
  if (!emit({.run = Code::skip_unless, .a = truth}) || !read_branch(*s.then, flag)) return false;
  const std::size_t after = code_.size();
  if (s.otherwise != nullptr && (!emit({.run = Code::skip}) || !read_branch(*s.otherwise, flag))) return false;
  code_[unless].skip = static_cast<int>((s.otherwise != nullptr ? after : after - 1) - unless);
  if (s.otherwise != nullptr) code_[after].skip = static_cast<int>(code_.size() - 1 - after);
  return true;
}

int FillLoop::read_store(const Expr& e) {
  if (e.op != Op::assign || e.with != Op::assign || e.parts.size() < 2 || e.parts[0] == nullptr) return -1;
  Store s{.when = when_};
  if (!array_of(*e.parts[0], s.base, s.type)) return -1;
  // as the tree does it: what is assigned first, then where
  s.value = e.parts[1]->op == Op::assign ? read_store(*e.parts[1]) : node(*e.parts[1]);
  if (s.value < 0) return -1;
  s.value = converted(s.value, s.type);
  s.index = s.value < 0 ? -1 : index_of(*e.parts[0]);
  s.object = in_.m.object(s.base);
  // A variable that the loop computes with may be what it writes to.
  if (s.index < 0 || s.object == nullptr || s.object->space == Space::device || s.object->space == Space::characters ||
      s.object->bytes <= 16 || !in_.m.follows(s.base) || s.object == in_.m.object(counter_at_))
    return -1;
  s.first_byte = in_.m.offset(s.base);
  s.line = e.line;
  const int value = s.value;
  stores_.push_back(std::move(s));
  return value;
}

namespace {

bool names_a_local(const Expr& e) {
  const auto in = [](const std::vector<Expr*>& all) {
    return std::ranges::any_of(all, [](const Expr* each) { return each != nullptr && names_a_local(*each); });
  };
  return e.op == Op::local || e.op == Op::this_ || in(e.parts) || in(e.more);
}

}  // namespace

std::uint64_t FillLoop::generate(Evaluator& in, const Expr& made, Address at, const Type* of, std::uint64_t count) {
  if (!in.limits.compiled_loops || in.log.certainty.depth > 0 || names_a_local(made) || !plain_number(of) ||
      !in.m.follows(at))
    return 0;
  FillLoop loop(in);
  const int value = loop.converted(loop.node(made), of);
  if (value < 0 || !loop.loaded_.empty()) return 0;
  loop.widen();
  std::uint64_t done = 0;
  for (const std::uint64_t budget = in.budget.left(); done < count && loop.steps_of(done) < budget; ++done) {
    const CRandom before = in.random.c;
    if (!loop.execute(0, loop.code_.size(), 1)) {
      in.random.c = before;
      break;
    }
    const std::uint64_t bits = loop.bits_of(value, of);
    if (!in.m.write(at + done * of->bytes, of->bytes, &bits, 0)) break;
  }
  if (loop.draws_ && done > 0) in.notes.add(std::string(rand_note));
  in.budget.spend(loop.steps_of(done));
  return done;
}

/// Expressions with one value in all iterations, and no effects.
bool FillLoop::unchanging(const Expr& e) const {
  switch (e.op) {
    case Op::number:
    case Op::global:
    case Op::size_of:
      return true;
    case Op::name:  // RAND_MAX and its like, or nothing that is known
      return !in_.p.functions.contains(e.text);
    case Op::local:
      return e.slot != counter_slot_ && !variables_.contains(e.slot);
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

/// `a[i]`, of an array whose place in memory does not change.
bool FillLoop::array_of(const Expr& e, Address& base, const Type*& type) {
  if (e.op != Op::index || e.parts.size() < 2 || e.parts[0] == nullptr || e.parts[1] == nullptr ||
      !unchanging(*e.parts[0]))
    return false;
  Value v = in_.eval(*e.parts[0]);
  if (v.unknown != 0 || v.type == nullptr) return false;
  if (v.type->kind == Kind::vector)
    v = {.type = in_.p.types.pointer_to(v.type->of), .i = static_cast<std::int64_t>(in_.m.word(v.address()))};
  v = in_.m.decayed(v);
  if (v.type->kind != Kind::pointer || v.type->of == nullptr || !v.type->of->is_number()) return false;
  base = v.address(), type = v.type->of;
  return true;
}

int FillLoop::index_of(const Expr& e) {
  const int index = node(*e.parts[1]);
  return index < 0 || !type_of(index)->is_whole() ? -1 : converted(index, in_.p.types.i64);
}

int FillLoop::fresh(const Type* type) {
  if (registers_.size() >= most_instructions || type == nullptr || !type->is_number()) return -1;
  registers_.push_back({});
  types_.push_back(type);
  return static_cast<int>(registers_.size()) - 1;
}

bool FillLoop::emit(const Instruction& i) {
  if (i.run == nullptr || i.to < 0 || i.a < 0 || i.b < 0 || code_.size() >= most_instructions) return false;
  code_.push_back(i);
  return true;
}

int FillLoop::constant(const Type* type, Word value) {
  const int out = fresh(type);
  if (out >= 0) registers_[static_cast<std::size_t>(out)] = value;
  return out;
}

int FillLoop::converted(int reg, const Type* to) {
  if (reg < 0 || to == nullptr || !to->is_number()) return -1;
  const Type* from = type_of(reg);
  if (from == to) return reg;
  if (is_narrow(to)) {
    if (from->kind != Kind::floating) reg = converted(reg, in_.p.types.double_);
    const int out = fresh(to);
    return reg >= 0 && emit({.run = Code::narrow, .to = out, .a = reg, .type = to}) ? out : -1;
  }
  const int out = fresh(to);
  return emit({.run = Code::conversion(from, to), .to = out, .a = reg}) ? out : -1;
}

int FillLoop::combination(Op op, int a, int b) {
  if (a < 0 || b < 0 || is_narrow(type_of(a)) || is_narrow(type_of(b))) return -1;
  const Type* t = common_type(in_.p.types, op, type_of(a), type_of(b));
  if (t == nullptr) return -1;
  a = converted(a, t);
  if (!is_shift(op)) b = converted(b, t);
  const int out = fresh(is_comparison(op) ? in_.p.types.bool_ : t);
  return emit({.run = Code::operation(op, t), .to = out, .a = a, .b = b}) ? out : -1;
}

int FillLoop::of_one(Op op, int a) {
  if (a < 0 || is_narrow(type_of(a))) return -1;
  const TypeTable& types = in_.p.types;
  if (op == Op::not_) return combination(Op::equal, converted(a, types.bool_), constant(types.bool_, {.i = 0}));
  if (type_of(a)->is_whole()) {
    a = converted(a, common_type(types, Op::add, type_of(a), type_of(a)));
    if (a < 0 || op == Op::plus) return a;
    const int other = constant(type_of(a), {.i = op == Op::negate ? 0 : cut(-1, type_of(a))});
    return op == Op::negate ? combination(Op::subtract, other, a) : combination(Op::xor_, a, other);
  }
  if (op != Op::negate) return op == Op::plus ? a : -1;
  const int out = fresh(type_of(a));
  return emit({.run = Code::negate, .to = out, .a = a}) ? out : -1;
}

/// Only what is chosen is evaluated.
int FillLoop::choice(const Expr& e) {
  if (e.parts.size() != 3) return -1;
  jumps_ = true;
  const int truth = converted(node(*e.parts[0]), in_.p.types.bool_);
  const std::size_t unless = code_.size();
  if (!emit({.run = Code::skip_unless, .a = truth})) return -1;
  const int one = node(*e.parts[1]);
  if (one < 0) return -1;
  const int out = fresh(type_of(one));
  if (!emit({.run = Code::move, .to = out, .a = one})) return -1;
  const std::size_t after = code_.size();
  if (!emit({.run = Code::skip})) return -1;
  const int other = node(*e.parts[2]);
  if (other < 0 || type_of(other) != type_of(one) || !emit({.run = Code::move, .to = out, .a = other})) return -1;
  code_[unless].skip = static_cast<int>(after - unless);
  code_[after].skip = static_cast<int>(code_.size() - 1 - after);
  return out;
}

int FillLoop::element(const Expr& e) {
  Address base = 0;
  const Type* type = nullptr;
  if (!array_of(e, base, type) || is_narrow(type)) return -1;
  const int index = index_of(e);
  Object* o = in_.m.object(base);
  if (index < 0 || o == nullptr) return -1;
  loaded_.push_back(o);
  const int out = fresh(type);
  const Instruction load{.run = Code::loading(type),
                         .to = out,
                         .a = index,
                         .object = o,
                         .first_byte = in_.m.offset(base),
                         .bytes = static_cast<std::uint32_t>(type->bytes)};
  return emit(load) ? out : -1;
}

int FillLoop::node(const Expr& e) {
  if (unchanging(e)) {
    const Value v = in_.eval(e);
    if (v.unknown != 0 || v.type == nullptr || !v.type->is_number()) return -1;
    Word w{.i = v.i};
    if (v.type->kind == Kind::floating) w.f = v.f;
    return constant(v.type, w);
  }
  if (e.op == Op::local && e.slot == counter_slot_) return counter_;
  if (e.op == Op::local && variables_.contains(e.slot)) return variables_[e.slot];
  if (is_binary(e.op) && e.parts.size() == 2) {
    const int a = node(*e.parts[0]);
    return a < 0 ? -1 : combination(e.op, a, node(*e.parts[1]));
  }
  switch (e.op) {
    case Op::cast:
      if (e.parts.size() != 1 || e.parts[0] == nullptr) return -1;
      return converted(node(*e.parts[0]), e.type);
    case Op::construct:  // float(rand())
      return e.more.size() == 1 && e.more[0] != nullptr && e.text != "{}" ? converted(node(*e.more[0]), e.type) : -1;
    case Op::conditional:
      return choice(e);
    case Op::both:
    case Op::either: {
      const int draws = draw_count_;  // the second part may be evaluated needlessly, if that changes nothing
      const int a = converted(node(*e.parts[0]), in_.p.types.bool_);
      const int b = a < 0 ? -1 : converted(node(*e.parts[1]), in_.p.types.bool_);
      return draws != draw_count_
                 ? -1
                 : converted(combination(e.op == Op::both ? Op::and_ : Op::or_, a, b), in_.p.types.bool_);
    }
    case Op::negate:
    case Op::plus:
    case Op::complement:
    case Op::not_:
      return e.parts.empty() || e.parts[0] == nullptr ? -1 : of_one(e.op, node(*e.parts[0]));
    case Op::call:
      return call(e);
    case Op::index:
      return element(e);
    default:
      return -1;
  }
}

/// rand(), functions of numbers, and conversions to a float of 16 bits.
int FillLoop::call(const Expr& e) {
  if (e.parts.empty() || e.parts[0] == nullptr || e.parts[0]->op != Op::name) return -1;
  const std::string_view name = e.parts[0]->text;
  if (in_.p.functions.contains(name)) return -1;
  if (e.parts.size() == 2 && e.parts[1] != nullptr) {
    if (one_of(name, {"__float2half", "__double2half", "__float2half_rn"}))
      return converted(node(*e.parts[1]), in_.p.types.half);
    if (name == "__float2bfloat16") return converted(node(*e.parts[1]), in_.p.types.named("__nv_bfloat16"));
  }
  const std::size_t count = e.parts.size() - 1;
  const LibraryFunction* f = count == 1 || count == 2 ? in_.library_function(name, count) : nullptr;
  if (f != nullptr && (count == 1 ? f->of_one != nullptr : f->of_two != nullptr)) {
    int a = node(*e.parts[1]), b = count == 2 ? node(*e.parts[2]) : a;
    if (a < 0 || b < 0) return -1;
    const TypeTable& types = in_.p.types;
    const bool floats = type_of(a) == types.float_ && type_of(b) == types.float_;
    const Type* t = f->is_narrow(name, floats) ? types.float_ : types.double_;
    a = converted(a, t), b = converted(b, t);
    const int out = fresh(t);
    return emit({.run = Code::function, .to = out, .a = a, .b = b, .type = t, .function = f}) ? out : -1;
  }
  if (e.parts.size() != 1 || name != "rand" || in_.random.c_unknown != 0) return -1;
  draws_ = true;
  ++draw_count_;
  const int out = fresh(in_.p.types.int_);
  return emit({.run = Code::draw, .to = out}) ? out : -1;
}

bool FillLoop::execute(std::size_t first, std::size_t last, int lanes) {
  Word* const registers = registers_.data();
  for (std::size_t at = first; at < last; ++at) {
    const Instruction& i = code_[at];
    const int skip = i.run(registers, i, *this, lanes);
    if (skip < 0) return false;
    at += static_cast<std::size_t>(skip);
  }
  return true;
}

std::uint64_t FillLoop::bits_of(int reg, const Type* type, int lane) const {
  const Word& w = registers_[static_cast<std::size_t>(reg * width + lane)];
  if (type->kind != Kind::floating) return static_cast<std::uint64_t>(w.i);
  return host::bits_of(w.f, type);
}

/// An element, at a byte of the object.
void FillLoop::put(Store& store, std::uint64_t at, std::uint64_t bits) {
  in_.m.write(store.base - static_cast<std::uint64_t>(store.first_byte) + at, store.type->bytes, &bits, 0);
}

/// All lanes of a store, into bytes that are there.
template <class T>
void FillLoop::put_all(Store& store, int lanes) {
  Object& o = *store.object;
  std::byte* const bytes = o.data.own();
  const bool narrow = is_narrow(store.type);
  T v{};
  const Word* const from = lanes_of(store.value);
  for (int i = 0; i < lanes; ++i) {
    if (narrow && (i == 0 || std::bit_cast<std::uint64_t>(from[i].f) != std::bit_cast<std::uint64_t>(from[i - 1].f)))
      v = static_cast<T>(host::bits_of(from[i].f, store.type));
    if (!narrow) v = std::is_floating_point_v<T> ? static_cast<T>(from[i].f) : static_cast<T>(from[i].i);
    const std::uint64_t at = store.places[static_cast<std::size_t>(i)];
    std::memcpy(bytes + at, &v, sizeof v);
    store.first = std::min(store.first, at), store.last = std::max(store.last, at + sizeof v);
  }
  for (int i = 0; i < lanes && !o.all_known(); ++i) in_.m.know(o, store.places[static_cast<std::size_t>(i)], sizeof(T));
}

/// Whether the bytes are there, and put_all() needs no memory to record that they are known.
bool FillLoop::ready(const Store& store, int lanes) const {
  const Object& o = *store.object;
  if (o.data.empty() || o.data.shared() || !o.pointers.empty()) return false;
  if (o.all_known() || !o.shadow.empty()) return true;
  for (int i = 0; i < lanes; ++i)
    if (store.places[static_cast<std::size_t>(i)] > o.known_to + static_cast<std::uint64_t>(i) * store.type->bytes)
      return false;
  return true;
}

/// Where each store goes; false: outside of its array.
bool FillLoop::places(int lanes) {
  for (Store& s : stores_) {
    if (!stores(s)) continue;
    const Word* const index = lanes_of(s.index);
    for (int i = 0; i < lanes; ++i) {
      const std::uint64_t at =
          static_cast<std::uint64_t>(s.first_byte) + static_cast<std::uint64_t>(index[i].i) * s.type->bytes;
      if (at >= s.object->bytes || s.type->bytes > s.object->bytes - at) return false;
      s.places[static_cast<std::size_t>(i)] = at;
    }
  }
  return true;
}

std::uint64_t FillLoop::iterations(int lanes) {
  Word* const counter = lanes_of(counter_);
  std::int64_t next = now_;
  for (int i = 0; i < lanes; ++i) {
    counter[i].i = next;
    next = cut(static_cast<std::int64_t>(static_cast<std::uint64_t>(next) + static_cast<std::uint64_t>(step_)),
               counter_type_);
  }
  if (!execute(0, body_, lanes)) return 0;
  const Word* const goes_on = lanes_of(condition_);
  for (int i = 0; i < lanes; ++i)
    if (goes_on[i].i == 0) return 0;
  for (const int flag : flags_) lanes_of(flag)->i = 0;
  const std::optional<CRandom> before = draws_ ? std::optional(in_.random.c) : std::nullopt;
  if (!execute(body_, code_.size(), lanes) || !places(lanes)) {
    if (before) in_.random.c = *before;
    return 0;
  }
  now_ = next;
  if (apart_ && std::ranges::all_of(stores_, [&](const Store& s) { return !stores(s) || ready(s, lanes); })) {
    for (Store& s : stores_)
      if (!stores(s))
        continue;
      else if (s.type->kind == Kind::floating && !is_narrow(s.type))
        s.type->bytes == 4 ? put_all<float>(s, lanes) : put_all<double>(s, lanes);
      else if (s.type->bytes <= 2)
        s.type->bytes == 1 ? put_all<std::uint8_t>(s, lanes) : put_all<std::uint16_t>(s, lanes);
      else
        s.type->bytes == 4 ? put_all<std::uint32_t>(s, lanes) : put_all<std::uint64_t>(s, lanes);
    return static_cast<std::uint64_t>(lanes);
  }
  for (int i = 0; i < lanes; ++i)
    for (Store& s : stores_)
      if (stores(s)) put(s, s.places[static_cast<std::size_t>(i)], bits_of(s.value, s.type, i));
  return static_cast<std::uint64_t>(lanes);
}

void FillLoop::run() {
  const std::uint64_t budget = in_.budget.left();
  const bool together = !jumps_ && draw_count_ <= 1;
  int alone = width / 2;  // a short loop never gets to many at once
  std::uint64_t done = 0;
  while (steps_of(done) < budget) {
    std::uint64_t more = 0;
    if (together && alone == 0) {
      more = iterations(width);
      if (more == 0) alone = width;  // the last ones, or up to the one that cannot be done here
    }
    if (more == 0) {
      more = iterations(1);
      if (alone > 0) --alone;
    }
    if (more == 0) break;
    done += more;
  }
  for (Store& s : stores_)
    if (s.last > 0) {
      s.object->touch(s.first, s.last - s.first, 0);
      in_.note_store(Memory::begin(s.base) + s.first, s.last - s.first, s.line);
    }
  if (done == 0) return;
  if (draws_) in_.notes.add(std::string(rand_note));
  in_.budget.spend(steps_of(done));
  std::uint64_t bits = static_cast<std::uint64_t>(now_);
  in_.m.write(counter_at_, counter_type_->bytes, &bits, 0);
}

}  // namespace lanescope::source::host
