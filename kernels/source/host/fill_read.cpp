// Reads the statements and expressions of filling loops into operations.

#include <algorithm>

#include "kernels/base/text.h"
#include "kernels/source/host/fill_loop.h"

namespace lanescope::source::host {
namespace {

constexpr std::size_t most_instructions = 800;
constexpr std::uint64_t most_bytes_of_variable = 16;

bool is_binary(Op op) { return op >= Op::multiply && op <= Op::or_; }

}  // namespace

bool FillLoop::read_body(const Stmt& body) {
  if (body.kind == StmtKind::empty) return true;
  if (body.kind == StmtKind::expression) return body.first != nullptr && assign(*body.first) >= 0;
  if (body.kind == StmtKind::declare)
    return std::ranges::all_of(body.declared, [&](const Declared& d) { return read_variable(d); });
  if (body.kind == StmtKind::if_) return read_if(body);
  if (body.kind != StmtKind::block) return false;
  return std::ranges::all_of(body.body, [&](const Stmt* s) { return s == nullptr || read_body(*s); });
}

/// A variable of the body.
bool FillLoop::read_variable(const Declared& d) {
  if (d.global || d.reference || d.is_static || d.has_arguments || d.initial == nullptr || d.type == nullptr ||
      !d.extents.empty() || d.initial->op == Op::list)
    return false;
  int value = node(*d.initial);
  if (value >= 0 && d.type->kind != Kind::automatic) value = converted(value, d.type);
  if (value < 0) return false;
  Variable v{.reg = value, .changes = assigned_.contains({Op::local, d.slot})};
  if (v.changes) v.reg = fresh(type_of(value)), changes_ = true;
  v.type = type_of(value);
  variables_[{Op::local, d.slot}] = v;
  return !v.changes || emit({.run = Code::move, .to = v.reg, .a = value});
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

/// A variable that has a register; nullptr: it has none. One of the code around the loop gets it here.
FillLoop::Variable* FillLoop::variable(const Expr& e) {
  if (e.op != Op::local && e.op != Op::global) return nullptr;
  if (const auto known = variables_.find({e.op, e.slot}); known != variables_.end()) return &known->second;
  if (!assigned_.contains({e.op, e.slot}) || (calls_ > 0 && e.op == Op::local)) return nullptr;
  Variable& v = variables_[{e.op, e.slot}];
  const Place at = in_.place(e);
  const Object* o = at.known() ? in_.m.object(at.address) : nullptr;
  if (o == nullptr || o->space != Space::host || o->bytes > most_bytes_of_variable || !plain_number(at.type)) return &v;
  const Value now = in_.m.load(at);
  Word w{.i = now.i};
  if (at.type->kind == Kind::floating) w.f = now.f;
  changes_ = true;
  v = {.reg = constant(at.type, w), .changes = true, .known = now.unknown == 0, .at = at.address, .type = at.type};
  return &v;
}

/// `a[i] = x`, `sum += x`, `++k`. As the tree does it: what is assigned first, then where.
int FillLoop::assign(const Expr& e) {
  const bool changes = e.op >= Op::before_add && e.op <= Op::after_subtract;
  if ((e.op != Op::assign && !changes) || e.parts.empty() || e.parts[0] == nullptr) return -1;
  ++effects_;
  const bool plain = e.op == Op::assign && e.with == Op::assign;
  const Op op = e.op == Op::assign ? e.with : e.op == Op::before_add || e.op == Op::after_add ? Op::add : Op::subtract;
  const int given = changes                        ? constant(in_.p.types.int_, {.i = 1})
                    : e.parts[1]->op == Op::assign ? assign(*e.parts[1])
                                                   : node(*e.parts[1]);
  if (given < 0) return -1;
  const bool after = e.op == Op::after_add || e.op == Op::after_subtract;
  if (Variable* v = variable(*e.parts[0]); v != nullptr) {
    if (v->reg < 0 || !v->changes) return -1;
    const int old = plain ? -1 : node(*e.parts[0]);
    const int value = converted(plain ? given : combination(op, old, given), v->type);
    if (v->at != 0 && when_ < 0) v->known = true;
    return v->known && emit({.run = Code::move, .to = v->reg, .a = value}) ? (after ? old : value) : -1;
  }
  Element to;
  if (!array_of(*e.parts[0], to)) return -1;
  const int draws = draw_count_, effects = effects_;
  const int index = index_of(to);
  if (!plain && (draws != draw_count_ || effects != effects_)) return -1;
  const int old = plain ? -1 : loaded(to, index);
  const int value = converted(plain ? given : combination(op, old, given), to.type);
  return value >= 0 && put_later(to, index, value, e.line) ? (after ? old : value) : -1;
}

bool FillLoop::put_later(const Element& to, int index, int value, int line) {
  Store s{.base = to.base,
          .stride = to.stride,
          .type = to.type,
          .index = index,
          .value = value,
          .line = line,
          .when = when_};
  s.object = in_.m.object(s.base);
  // A variable that the loop computes with may be what it writes to.
  if (s.index < 0 || s.object == nullptr || s.object->space == Space::device || s.object->space == Space::characters ||
      s.object->bytes <= most_bytes_of_variable || !in_.m.follows(s.base) ||
      (counter_ >= 0 && s.object == in_.m.object(counter_at_)))
    return false;
  s.first_byte = in_.m.offset(s.base);
  stores_.push_back(std::move(s));
  return true;
}

/// Expressions with one value in all iterations, and no effects.
bool FillLoop::unchanging(const Expr& e) const {
  switch (e.op) {
    case Op::number:
      return true;
    case Op::size_of:  // of a variable: in a function that is called, its slot means another one here
      return calls_ == 0;
    case Op::global:
      return !has_register(e);
    case Op::name:  // RAND_MAX and its like, or nothing that is known
      return !in_.p.functions.contains(e.text);
    case Op::local:
      return calls_ == 0 && e.slot != counter_slot_ && !has_register(e);
    case Op::negate:
    case Op::plus:
    case Op::complement:
    case Op::cast:
    case Op::member:
      return !e.parts.empty() && e.parts[0] != nullptr && unchanging(*e.parts[0]);
    case Op::arrow:
      return !e.parts.empty() && e.parts[0] != nullptr &&
             ((e.parts[0]->op == Op::this_ && calls_ == 0) || unchanging(*e.parts[0]));
    default:
      return is_binary(e.op) && e.parts.size() == 2 && e.parts[0] != nullptr && e.parts[1] != nullptr &&
             unchanging(*e.parts[0]) && unchanging(*e.parts[1]);
  }
}

/// Notes the objects that an unchanging expression reads, or only those that lead to its place.
void FillLoop::hold(const Expr& e, bool reads) {
  const bool named =
      e.op == Op::local || e.op == Op::global || e.op == Op::member || e.op == Op::arrow || e.op == Op::index;
  if (named && reads) {
    const Place at = in_.place(e);
    if (at.known() && at.type->kind != Kind::array) held_.push_back(in_.m.object(at.address));
  }
  if (e.op == Op::size_of) return;
  for (const Expr* each : e.parts)
    if (each != nullptr && each->op != Op::this_) hold(*each, e.op != Op::member);
}

/// Whether it is, or refers to, a variable that the loop changes.
bool FillLoop::has_register(const Expr& e) const {
  if (assigned_.contains({e.op, e.slot}) || variables_.contains({e.op, e.slot})) return true;
  if (std::ranges::none_of(variables_, [](const auto& v) { return v.second.at != 0; })) return false;
  const Place at = in_.place(e);
  return at.known() && std::ranges::any_of(variables_, [&](const auto& v) {
           return v.second.at != 0 && Memory::begin(v.second.at) == Memory::begin(at.address);
         });
}

/// Of an array whose place in memory does not change.
bool FillLoop::array_of(const Expr& e, Element& out) {
  const Expr* at = &e;
  std::vector<std::string_view> members;
  for (; at->op == Op::member && !at->parts.empty() && at->parts[0] != nullptr; at = at->parts[0])
    members.push_back(at->text);
  if (at->op == Op::dereference && at->parts[0] != nullptr && at->parts[0]->op == Op::add) at = at->parts[0];
  if ((at->op != Op::index && at->op != Op::add) || at->parts.size() < 2 || at->parts[0] == nullptr ||
      at->parts[1] == nullptr)
    return false;
  const Expr& array = *at->parts[0];
  const bool row =
      array.op == Op::index && array.parts.size() == 2 && unchanging(*array.parts[0]) && unchanging(*array.parts[1]);
  if (!row && !unchanging(array)) return false;
  Value v = in_.eval(array);
  if (v.unknown != 0 || v.type == nullptr) return false;
  hold(array);
  if (v.type->kind == Kind::vector)
    v = {.type = in_.p.types.pointer_to(v.type->of), .i = static_cast<std::int64_t>(in_.m.word(v.address()))};
  v = in_.m.decayed(v);
  if (v.type->kind != Kind::pointer || v.type->of == nullptr) return false;
  out = {.base = v.address(), .type = v.type->of, .stride = v.type->of->bytes, .index = at->parts[1]};
  for (auto name = members.rbegin(); name != members.rend(); ++name) {
    if (out.type->kind != Kind::record) return false;
    const Member* member = in_.p.types.record(out.type->record).find(*name);
    if (member == nullptr || member->reference) return false;
    out.base += member->offset, out.type = member->type;
  }
  return out.type->is_number();
}

int FillLoop::index_of(const Element& e) {
  const int index = node(*e.index);
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
  const int effects = effects_;
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
  if (other < 0 || effects != effects_ || type_of(other) != type_of(one) ||
      !emit({.run = Code::move, .to = out, .a = other}))
    return -1;
  code_[unless].skip = static_cast<int>(after - unless);
  code_[after].skip = static_cast<int>(code_.size() - 1 - after);
  return out;
}

int FillLoop::loaded(const Element& from, int index) {
  Object* o = in_.m.object(from.base);
  if (index < 0 || o == nullptr || o->space == Space::device || is_narrow(from.type)) return -1;
  loaded_.push_back(o);
  const int out = fresh(from.type);
  const Instruction load{.run = Code::loading(from.type),
                         .to = out,
                         .a = index,
                         .object = o,
                         .first_byte = in_.m.offset(from.base),
                         .stride = from.stride,
                         .stores = stores_.size(),
                         .type = from.type};
  return emit(load) ? out : -1;
}

int FillLoop::node(const Expr& e) {
  if (unchanging(e)) {
    hold(e);
    const Value v = in_.eval(e);
    if (v.unknown != 0 || v.type == nullptr || !v.type->is_number()) return -1;
    Word w{.i = v.i};
    if (v.type->kind == Kind::floating) w.f = v.f;
    return constant(v.type, w);
  }
  if (e.op == Op::local && e.slot == counter_slot_) return counter_;
  if (const Variable* v = variable(e); v != nullptr) {
    if (v->reg < 0 || !v->known) return -1;
    if (!v->changes) return v->reg;
    const int now = fresh(v->type);  // what it is at this place
    return emit({.run = Code::move, .to = now, .a = v->reg}) ? now : -1;
  }
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
      const int draws = draw_count_ + effects_;  // the second part may be evaluated needlessly, if that changes nothing
      const int a = converted(node(*e.parts[0]), in_.p.types.bool_);
      const int b = a < 0 ? -1 : converted(node(*e.parts[1]), in_.p.types.bool_);
      return draws != draw_count_ + effects_
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
    case Op::before_add:
    case Op::before_subtract:
    case Op::after_add:
    case Op::after_subtract:
      return assign(e);
    case Op::index:
    case Op::member:
    case Op::dereference: {
      Element from;
      return array_of(e, from) ? loaded(from, index_of(from)) : -1;
    }
    default:
      return -1;
  }
}

/// A function of numbers, whose last statement returns: its body is read in place of the call.
int FillLoop::of_file(const Expr& call) {
  const FunctionBody* f = calls_ < most_calls ? in_.plain_function(*call.parts[0]) : nullptr;
  if (f == nullptr || f->parameters.size() != call.parts.size() - 1 || !plain_number(f->result) ||
      f->body->body.empty() || f->body->body.back()->kind != StmtKind::return_ ||
      f->body->body.back()->first == nullptr)
    return -1;
  std::map<Name, Variable> own;
  for (std::size_t i = 0; i < f->parameters.size(); ++i) {
    const ParameterOf& p = f->parameters[i];
    const int value = plain_number(p.type) && !p.reference ? converted(node(*call.parts[i + 1]), p.type) : -1;
    if (value < 0) return -1;
    own[{Op::local, p.slot}] = {.reg = value, .type = p.type};
  }
  const auto is_local = [](const auto& each) { return each.first.first == Op::local; };
  std::map<Name, Variable> outer;  // variables of the caller, whose slots mean others here
  for (const auto& each : variables_)
    if (is_local(each)) outer.insert(each);
  std::erase_if(variables_, is_local);
  const auto assigned = assigned_;
  const auto declared = declared_;
  const int counter = std::exchange(counter_slot_, -1);
  std::erase_if(assigned_, is_local);
  note_assigned(*f->body);
  bool good = true;
  for (auto& [name, v] : own) {
    if (assigned_.contains(name)) {
      const int given = std::exchange(v.reg, fresh(v.type));
      v.changes = changes_ = true;
      good = good && emit({.run = Code::move, .to = v.reg, .a = given});
    }
    variables_[name] = v;
  }
  ++calls_;
  for (const Stmt* s : std::span(f->body->body).first(f->body->body.size() - 1)) good = good && read_body(*s);
  const int out = good ? converted(node(*f->body->body.back()->first), f->result) : -1;
  --calls_;
  std::erase_if(variables_, [&](const auto& each) { return is_local(each); });
  variables_.insert(outer.begin(), outer.end());
  assigned_ = assigned, declared_ = declared, counter_slot_ = counter;
  return out;
}

/// rand(), functions of numbers, and conversions to a float of 16 bits.
int FillLoop::call(const Expr& e) {
  if (e.parts.empty() || e.parts[0] == nullptr || e.parts[0]->op != Op::name) return -1;
  const std::string_view name = e.parts[0]->text;
  if (in_.p.functions.contains(name)) return of_file(e);
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

}  // namespace lanescope::source::host
