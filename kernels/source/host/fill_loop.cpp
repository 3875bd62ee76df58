#include "kernels/source/host/fill_loop.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace lanescope::source::host {

std::optional<FillLoop> FillLoop::of(Evaluator& in, const Stmt& loop) {
  if ((loop.kind != StmtKind::for_ && loop.kind != StmtKind::while_) || loop.first == nullptr || loop.then == nullptr ||
      in.log.certainty.depth > 0 || !in.limits.compiled_loops)
    return std::nullopt;
  FillLoop made(in);
  if (!made.read(loop)) return std::nullopt;
  return made;
}

bool FillLoop::read(const Stmt& loop) {
  note_assigned(*loop.then);
  if (!(loop.kind == StmtKind::for_ && read_head(loop)) && !read_any_head(loop)) return false;
  if (!read_body(*loop.then) || (counter_ < 0 && loop.second != nullptr && !read_step(*loop.second))) return false;
  const auto writes = [&](const Object* o) { return std::ranges::find(stores_, o, &Store::object) != stores_.end(); };
  if (!is_apart()) return false;
  in_order_ = in_order();
  for (Instruction& i : code_)
    if (i.object != nullptr && writes(i.object)) i.run = Code::load_in_order;
  for (const Store& s : stores_) apart_ = apart_ && std::ranges::count(stores_, s.object, &Store::object) == 1;
  widen();
  return !stores_.empty() || in_order_;
}

/// Whether no object that is read or written holds a variable that has a register, and none that is read once is written.
bool FillLoop::is_apart() const {
  const auto holds = [&](const Object* o) {
    return std::ranges::find(loaded_, o) != loaded_.end() || std::ranges::find(held_, o) != held_.end() ||
           std::ranges::find(stores_, o, &Store::object) != stores_.end();
  };
  if (counter_ >= 0 && holds(in_.m.object(counter_at_))) return false;
  for (const auto& [name, v] : variables_)
    if (v.at != 0 && holds(in_.m.object(v.at))) return false;
  return std::ranges::none_of(stores_,
                              [&](const Store& s) { return std::ranges::find(held_, s.object) != held_.end(); });
}

bool FillLoop::in_order() const {
  return changes_ || counter_ < 0 || std::ranges::any_of(loaded_, [&](const Object* o) {
           return std::ranges::find(stores_, o, &Store::object) != stores_.end();
         });
}

void FillLoop::note_assigned(const Stmt& s) {
  for (const Expr* each : {s.first, s.second})
    if (each != nullptr) note_assigned(*each);
  for (const Stmt* each : {s.init, s.then, s.otherwise})
    if (each != nullptr) note_assigned(*each);
  for (const Stmt* each : s.body)
    if (each != nullptr) note_assigned(*each);
  for (const Declared& d : s.declared) {
    declared_.insert(d.slot);
    if (d.initial != nullptr) note_assigned(*d.initial);
  }
}

/// Gives registers to the variables of the code around that the loop assigns: any expression may refer to them.
void FillLoop::take_assigned() {
  for (const auto& [name, e] : assigned_)
    if (name.first == Op::global || !declared_.contains(name.second)) variable(*e);
}

void FillLoop::note_assigned(const Expr& e) {
  const bool changes = e.op == Op::assign || (e.op >= Op::before_add && e.op <= Op::after_subtract);
  if (changes && (e.parts[0]->op == Op::local || e.parts[0]->op == Op::global))
    assigned_[{e.parts[0]->op, e.parts[0]->slot}] = e.parts[0];
  for (const std::vector<Expr*>* all : {&e.parts, &e.more})
    for (const Expr* each : *all)
      if (each != nullptr) note_assigned(*each);
  const FunctionBody* called = e.op == Op::call && calls_ < most_calls ? in_.plain_function(*e.parts[0]) : nullptr;
  if (called == nullptr) return;
  const auto outer = std::exchange(assigned_, {});
  const auto declared = declared_;
  ++calls_;
  note_assigned(*called->body);
  --calls_;
  declared_ = declared;
  std::erase_if(assigned_, [](const auto& each) { return each.first.first == Op::local; });
  assigned_.insert(outer.begin(), outer.end());
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

/// `i < n; ++i`, `i += 4`, `i >= 0; --i`.
bool FillLoop::read_head(const Stmt& loop) {
  if (loop.first == nullptr || loop.second == nullptr) return false;
  const Expr& c = *loop.second;
  const bool up = c.op == Op::before_add || c.op == Op::after_add;
  const bool down = c.op == Op::before_subtract || c.op == Op::after_subtract;
  const bool by = c.op == Op::assign && (c.with == Op::add || c.with == Op::subtract);
  if ((!up && !down && !by) || c.parts.empty() || c.parts[0] == nullptr || c.parts[0]->op != Op::local ||
      assigned_.contains({Op::local, c.parts[0]->slot}))
    return false;
  take_assigned();
  const Place at = in_.place(*c.parts[0]);
  if (at.unknown != 0 || at.type == nullptr || at.type->kind != Kind::integer) return false;
  step_ = down ? -1 : 1;
  if (by) {
    if (!unchanging(*c.parts[1])) return false;
    hold(*c.parts[1]);
    const Value v = in_.eval(*c.parts[1]);
    if (v.unknown != 0 || v.type == nullptr || !v.type->is_whole() || v.i < 1 || v.i > (1 << 20)) return false;
    step_ = c.with == Op::add ? v.i : -v.i;
  }
  const Value start = in_.m.load(at);
  if (start.unknown != 0) return false;
  counter_slot_ = c.parts[0]->slot;
  counter_at_ = at.address, counter_type_ = at.type;
  now_ = start.i;
  counter_ = fresh(counter_type_);
  return counter_ >= 0 && read_condition(*loop.first);
}

/// Any condition and any step: they are executed like the body.
bool FillLoop::read_any_head(const Stmt& loop) {
  if (counter_ >= 0 || loop.first == nullptr) return false;
  note_assigned(*loop.first);
  if (loop.second != nullptr) note_assigned(*loop.second);
  take_assigned();
  return read_condition(*loop.first);
}

/// `++i`; `++i, k += 2`
bool FillLoop::read_step(const Expr& e) {
  if (e.op != Op::comma) return assign(e) >= 0;
  return read_step(*e.parts[0]) && read_step(*e.parts[1]);
}

bool FillLoop::read_condition(const Expr& e) {
  condition_ = node(e);
  body_ = code_.size();
  // The condition of the last, uncounted iteration is evaluated again by the tree.
  return condition_ >= 0 && type_of(condition_)->is_whole() && loaded_.empty() && !draws_ && effects_ == 0;
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
  if (value < 0 || !loop.loaded_.empty() || loop.changes_ || std::ranges::count(loop.held_, in.m.object(at)) > 0)
    return 0;
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
          static_cast<std::uint64_t>(s.first_byte) + static_cast<std::uint64_t>(index[i].i) * s.stride;
      if (at >= s.object->bytes || s.type->bytes > s.object->bytes - at) return false;
      s.places[static_cast<std::size_t>(i)] = at;
    }
  }
  return true;
}

std::uint64_t FillLoop::iterations(int lanes) {
  Word* const counter = counter_ >= 0 ? lanes_of(counter_) : nullptr;
  std::int64_t next = now_;
  for (int i = 0; counter != nullptr && i < lanes; ++i) {
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
  before_.clear();
  for (const auto& [name, v] : variables_)
    if (v.at != 0) before_.push_back(*lanes_of(v.reg));
  if (!execute(body_, code_.size(), lanes) || !places(lanes)) {
    if (before) in_.random.c = *before;
    auto was = before_.begin();
    for (const auto& [name, v] : variables_)
      if (v.at != 0) *lanes_of(v.reg) = *was++;
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
  const bool together = !jumps_ && !in_order_ && draw_count_ <= 1;
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
  const auto set = [&](Address at, const Type* type, std::uint64_t bits) { in_.m.write(at, type->bytes, &bits, 0); };
  if (counter_ >= 0) set(counter_at_, counter_type_, static_cast<std::uint64_t>(now_));
  for (const auto& [name, v] : variables_)
    if (v.at != 0) set(v.at, v.type, bits_of(v.reg, v.type));
}

}  // namespace lanescope::source::host
