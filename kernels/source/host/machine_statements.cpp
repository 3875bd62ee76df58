#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "kernels/source/host/fill_loop.h"
#include "kernels/source/host/machine.h"

namespace lanescope::source::host {
namespace {

constexpr std::size_t most_loops = 200;
constexpr int deepest_statements = 250, deepest_poison = 250, deepest_leave = 4;

}  // namespace

Flow Machine::execute(const Stmt& s) {
  step();
  if (statement_depth_ >= deepest_statements) return Flow::next;
  const std::size_t before = temporaries_.size();
  ++statement_depth_;
  Flow out = execute_in(s);
  if (pending_ != Flow::next) out = std::exchange(pending_, Flow::next);
  --statement_depth_;
  while (temporaries_.size() > before) {
    memory_.release(temporaries_.back());
    temporaries_.pop_back();
  }
  return out;
}

Flow Machine::execute_in(const Stmt& s) {
  switch (s.kind) {
    case StmtKind::empty:
    case StmtKind::case_:
    case StmtKind::default_:
      return Flow::next;
    case StmtKind::expression:
      if (s.first != nullptr) eval(*s.first);
      return Flow::next;
    case StmtKind::declare:
      for (const Declared& d : s.declared) {
        declare(d);
        if (d.managed) manage(d);
      }
      return Flow::next;
    case StmtKind::block:
      for (const Stmt* each : s.body)
        if (const Flow f = execute(*each); f != Flow::next) return f;
      return Flow::next;
    case StmtKind::if_:
      return if_statement(s);
    case StmtKind::for_:
    case StmtKind::while_:
    case StmtKind::do_:
    case StmtKind::range_for:
      return loop(s);
    case StmtKind::switch_:
      return switch_statement(s);
    case StmtKind::break_:
      return Flow::break_;
    case StmtKind::continue_:
      return Flow::continue_;
    case StmtKind::leave:
      if (never_leave_ || uncertain_ > 0) return Flow::next;
      throw Stop{};
    case StmtKind::return_:
      if (s.first == nullptr) return returned_ = {.type = p_.types.void_}, Flow::return_;
      if (return_reference_) {
        const Place p = place(*s.first);
        returned_ = {.type = p.type, .i = static_cast<std::int64_t>(p.address), .unknown = p.unknown};
        return Flow::return_;
      }
      if (returned_memory_ != 0 && return_type_ != nullptr && return_type_->in_memory()) {
        if (s.first->op == Op::list) {
          construct(returned_memory_, return_type_, s.first->parts, true, s.first, s.line);
        } else {
          store({returned_memory_, return_type_}, eval(*s.first), s.line);
        }
        returned_ = {.type = return_type_, .i = static_cast<std::int64_t>(returned_memory_)};
        return Flow::return_;
      }
      returned_ = decayed(eval(*s.first));
      if (returned_.type != nullptr && returned_.type->in_memory()) {
        // `auto f()`: what is returned has to outlive the statement
        const Address keep = memory_.make(returned_.type->bytes, Space::host, s.line, 0);
        memory_.copy(keep, static_cast<Address>(returned_.i), returned_.type->bytes);
        returned_.i = static_cast<std::int64_t>(keep);
      }
      return Flow::return_;
  }
  return Flow::next;
}

/// Whether it surely leaves the function or the program; so does a call of a function that ends the program.
bool Machine::leaves(const Stmt* s, int calls) {
  if (s == nullptr) return false;
  switch (s->kind) {
    case StmtKind::return_:
      return calls == 0;  // a function that is called goes on behind its call
    case StmtKind::leave:
      return true;
    case StmtKind::block:
      for (const Stmt* each : s->body) {
        if (leaves(each, calls)) return true;
        if (each != nullptr && each->kind == StmtKind::return_) return false;
      }
      return false;
    case StmtKind::expression: {
      if (s->first == nullptr || s->first->op != Op::call || s->first->parts[0]->op != Op::name) return false;
      const std::string_view name = s->first->parts[0]->text;
      if (name == "exit" || name == "abort" || name == "_exit" || name == "quick_exit") return true;
      const auto own = p_.functions.find(name);
      if (own == p_.functions.end() || own->second.size() != 1 || calls >= deepest_leave) return false;
      const int function = own->second.front();
      if (p_.outline.functions[static_cast<std::size_t>(function)].info.is_template) return false;
      static const Bindings none;
      const FunctionBody* body = p_.body(function, none);
      return body != nullptr && leaves(body->body, calls + 1);
    }
    default:
      return false;
  }
}

Flow Machine::if_statement(const Stmt& s) {
  if (s.init != nullptr) execute(*s.init);
  const Value v = s.first != nullptr ? eval(*s.first) : number(1, p_.types.int_);
  const std::optional<bool> taken = truth(v);
  if (taken) {
    const Stmt* branch = *taken ? s.then : s.otherwise;
    if (branch == nullptr) return Flow::next;
    if (never_leave_ && in_main_ && out_.launch_count == 0 && leaves(branch)) {
      note(fmt::format("line {}: this branch ends the program and is passed over", s.line));
      return Flow::next;
    }
    return execute(*branch);
  }
  const Reason why = v.unknown != 0 ? v.unknown : because("it is no number");
  const bool then_leaves = leaves(s.then), otherwise_leaves = leaves(s.otherwise);
  if (then_leaves && !otherwise_leaves) {
    if (s.otherwise != nullptr) return execute(*s.otherwise);
    return Flow::next;
  }
  if (otherwise_leaves && !then_leaves) return execute(*s.then);
  note(fmt::format("line {}: the condition is unknown, because {}", s.line, memory_.words(why)));
  if (s.then != nullptr) uncertain(*s.then, why);
  if (s.otherwise != nullptr) uncertain(*s.otherwise, why);
  return Flow::next;
}

/// Executes what may not happen; what it assigns is unknown then.
void Machine::uncertain(const Stmt& s, Reason why) {
  const Reason before = uncertain_why_;
  ++uncertain_;
  if (uncertain_why_ == 0) uncertain_why_ = why;
  execute(s);
  --uncertain_;
  uncertain_why_ = before;
  poison_assigned(s, why);
}

Flow Machine::loop(const Stmt& s) {
  const std::size_t me = loops_.size();
  if (me >= most_loops) return Flow::next;
  const std::uint64_t budget = begin_loop();
  const Mark before = mark();
  Flow out = Flow::next;
  try {
    out = loop_in(s);
    loops_.resize(me);
  } catch (const Abandon& a) {
    loops_.resize(me);
    if (a.loop != me) throw;
    go_back(before);
    note(fmt::format("line {}: this loop takes more than {} steps and is left; what it assigns is unknown", s.line,
                     budget));
    const Reason why = because(fmt::format("the loop at line {} takes too many steps", s.line));
    poison_assigned(s, why);
    if (s.first != nullptr && s.kind != StmtKind::range_for) poison_assigned(*s.first, why);
    if (s.second != nullptr) poison_assigned(*s.second, why);
  }
  return out;
}

Flow Machine::loop_in(const Stmt& s) {
  if (s.kind == StmtKind::range_for) return range_loop(s);
  if (s.init != nullptr) execute(*s.init);
  // Some thousand elements at once, where the loop is so plain; the tree does the rest.
  if (std::optional<FillLoop> fill = FillLoop::of(*this, s)) fill->run();
  for (bool first = true;; first = false) {
    step();
    if (s.first != nullptr && !(first && s.kind == StmtKind::do_)) {
      const Value v = eval(*s.first);
      const std::optional<bool> goes_on = truth(v);
      if (!goes_on) {
        const Reason why = v.unknown != 0 ? v.unknown : because("it is no number");
        note(fmt::format("line {}: how often this loop runs is unknown, because {}", s.line, memory_.words(why)));
        if (s.then != nullptr && first) uncertain(*s.then, why);
        if (s.then != nullptr && !first) poison_assigned(*s.then, why);
        if (s.second != nullptr) poison_assigned(*s.second, why);
        return Flow::next;
      }
      if (!*goes_on) return Flow::next;
    }
    const Flow f = s.then != nullptr ? execute(*s.then) : Flow::next;
    if (f == Flow::break_) return Flow::next;
    if (f == Flow::return_) return f;
    if (s.second != nullptr) eval(*s.second);
  }
}

Flow Machine::range_loop(const Stmt& s) {
  if (s.init == nullptr || s.init->declared.empty() || s.first == nullptr) return Flow::next;
  const Declared& d = s.init->declared.front();
  Place whole;
  Address first = 0;
  std::uint64_t count = 0;
  const Type* of = nullptr;
  std::vector<Address> listed;
  if (s.first->op == Op::list) {
    for (const Expr* each : s.first->parts) {
      Value v = decayed(eval(*each));
      if (v.type == nullptr) continue;
      of = of == nullptr ? v.type : of;
      const Address a = temporary(of);
      store({a, of}, v, s.line);
      listed.push_back(a);
    }
    count = listed.size();
  } else {
    whole = place(*s.first);
    if (whole.type == nullptr || whole.unknown != 0 ||
        (whole.type->kind != Kind::array && whole.type->kind != Kind::vector)) {
      const Reason why =
          whole.unknown != 0 ? whole.unknown : because(fmt::format("line {} goes over what is no array", s.line));
      declare(d);
      if (s.then != nullptr) uncertain(*s.then, why);
      return Flow::next;
    }
    of = whole.type->of;
    first = whole.type->kind == Kind::array ? whole.address : word(whole.address);
    count = whole.type->kind == Kind::array ? whole.type->count : word(whole.address + 8);
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    step();
    const Address at = listed.empty() ? first + i * of->bytes : listed[i];
    Slot& variable = slot(*frame_, d.slot);
    if (d.reference) {
      variable = {.type = of, .address = at, .owned = false};
    } else {
      const Type* t = d.type->kind == Kind::automatic ? of : d.type;
      store({slot_memory(variable, t), t}, load({at, of}), s.line);
    }
    const Flow f = s.then != nullptr ? execute(*s.then) : Flow::next;
    if (f == Flow::break_) break;
    if (f == Flow::return_) return f;
  }
  return Flow::next;
}

Flow Machine::switch_statement(const Stmt& s) {
  if (s.then == nullptr || s.first == nullptr) return Flow::next;
  const Value v = convert(eval(*s.first), p_.types.i64);
  const std::vector<Stmt*>& body = s.then->body;
  if (v.unknown != 0) {
    note(fmt::format("line {}: which case is taken is unknown, because {}", s.line, memory_.words(v.unknown)));
    const Reason before = uncertain_why_;
    ++uncertain_;
    if (uncertain_why_ == 0) uncertain_why_ = v.unknown;
    for (const Stmt* each : body) execute(*each);
    --uncertain_;
    uncertain_why_ = before;
    poison_assigned(*s.then, v.unknown);
    return Flow::next;
  }
  std::size_t otherwise = body.size();
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (body[i]->kind == StmtKind::default_) otherwise = i;
    if (body[i]->kind != StmtKind::case_ || body[i]->first == nullptr) continue;
    const Value label = convert(eval(*body[i]->first), p_.types.i64);
    if (label.unknown == 0 && label.i == v.i) return body_of_switch(*s.then, i);
  }
  return body_of_switch(*s.then, otherwise);
}

Flow Machine::body_of_switch(const Stmt& s, std::size_t from) {
  for (std::size_t i = from; i < s.body.size(); ++i) {
    const Flow f = execute(*s.body[i]);
    if (f == Flow::break_) return Flow::next;
    if (f != Flow::next) return f;
  }
  return Flow::next;
}

void Machine::declare(const Declared& d) {
  Frame& f = d.global ? globals_ : *frame_;
  if (d.reference && d.initial != nullptr) {
    const Place p = place(*d.initial);
    slot(f, d.slot) = {.type = p.type, .address = p.address, .owned = false};
    if (p.unknown != 0 || p.type == nullptr) {
      Slot& s = slot(f, d.slot);
      memory_.poison_all(slot_memory(s, p.type != nullptr ? p.type : p_.types.unknown("auto")), p.unknown);
    }
    return;
  }
  const Type* t = d.type;
  if (t->kind == Kind::automatic) {
    const Value v = d.initial != nullptr ? decayed(eval(*d.initial)) : Value{};
    t = v.type == nullptr || v.type->kind == Kind::void_ ? p_.types.unknown("auto") : v.type;
    Slot& s = slot(f, d.slot);
    return store({slot_memory(s, t), t}, v, d.line);
  }
  for (auto extent = d.extents.rbegin(); extent != d.extents.rend(); ++extent) {
    std::uint64_t count = d.initial != nullptr && d.initial->op == Op::list ? d.initial->parts.size() : 0;
    if (d.initial != nullptr && d.initial->op == Op::string) count = d.initial->text.size() - 1;
    if (*extent != nullptr) {
      const Value n = convert(eval(**extent), p_.types.i64);
      count = n.unknown == 0 && n.i >= 0 ? static_cast<std::uint64_t>(n.i) : 0;
    }
    t = p_.types.array_of(t, count);
  }
  Slot& s = slot(f, d.slot);
  const Address a = slot_memory(s, t);
  if (Object* o = memory_.object(a)) {
    o->name = std::string(d.name);
    o->line = d.line;
    if (d.device) o->space = Space::symbol, o->element = t->kind == Kind::array ? t->of : t;
  }
  if (d.global) p_.global_types[static_cast<std::size_t>(d.slot)] = t;
  if (d.initial != nullptr && !d.has_arguments && d.initial->op != Op::list) {
    if (t->kind == Kind::array && d.initial->op == Op::string)
      return construct(a, t, {&d.initial, 1}, false, nullptr, d.line);
    const Value v = eval(*d.initial);
    const bool whole = v.type != nullptr && v.type == t;
    if (t->kind == Kind::pointer || t->is_number() || whole) return store({a, t}, v, d.line);
    return construct(a, t, {&d.initial, 1}, false, nullptr, d.line);
  }
  if (d.initial != nullptr) return construct(a, t, d.initial->parts, true, d.initial, d.line);
  if (d.has_arguments) return construct(a, t, d.arguments, false, nullptr, d.line);
  if (d.global && !d.device) unset_globals_.emplace_back(a, d.name);
  if (d.global || d.device) return zero(a, t);
  memory_.poison_all(a, uninitialised_);
  if (t->kind == Kind::record || t->kind == Kind::vector || t->kind == Kind::text || t->kind == Kind::random ||
      t->kind == Kind::array)
    construct(a, t, {}, false, nullptr, d.line);
}

// --- what is assigned somewhere -----------------------------------------------------------------------------------------

void Machine::poison_assigned(const Stmt& s, Reason why) {
  if (poison_depth_ >= deepest_poison) return;
  ++poison_depth_;
  if (s.kind != StmtKind::empty && s.first != nullptr) poison_assigned(*s.first, why);
  if (s.second != nullptr) poison_assigned(*s.second, why);
  for (const Stmt* each : {s.init, s.then, s.otherwise})
    if (each != nullptr) poison_assigned(*each, why);
  for (const Stmt* each : s.body) poison_assigned(*each, why);
  for (const Declared& d : s.declared) {
    if (d.initial != nullptr) poison_assigned(*d.initial, why);
    for (const Expr* each : d.arguments) poison_assigned(*each, why);
  }
  --poison_depth_;
}

void Machine::poison_assigned(const Expr& e, Reason why) {
  if (poison_depth_ >= deepest_poison) return;
  ++poison_depth_;
  if (e.op == Op::assign || e.op == Op::before_add || e.op == Op::before_subtract || e.op == Op::after_add ||
      e.op == Op::after_subtract)
    poison_target(*e.parts[0], why);
  if (e.op == Op::call) {
    const Expr& callee = *e.parts[0];
    const std::string_view name = callee.op == Op::name ? callee.text : std::string_view();
    const bool harmless = name == "printf" || name == "fprintf" || name.starts_with("cudaFree") ||
                          name.starts_with("cudaEvent") || name.starts_with("cudaStream") || name == "free";
    bool by_reference = name.empty() || name == "swap";
    if (const auto own = p_.functions.find(name); own != p_.functions.end() && !globals_only_) {
      for (const int f : own->second) {
        by_reference |= !p_.outline.functions[static_cast<std::size_t>(f)].reference_parameters.empty();
        poison_globals_of(f, why);
      }
    }
    if (callee.op == Op::member && !callee.parts.empty()) poison_target(*callee.parts[0], why);
    for (std::size_t i = 1; i < e.parts.size() && !harmless; ++i) poison_target(*e.parts[i], why, !by_reference);
  }
  for (const Expr* each : e.parts)
    if (each != nullptr) poison_assigned(*each, why);
  for (const Expr* each : e.more)
    if (each != nullptr) poison_assigned(*each, why);
  if ((e.op == Op::lambda || e.op == Op::statements) && e.body != nullptr) poison_assigned(*e.body, why);
  --poison_depth_;
}

/// The globals that a function, or one that it calls, assigns.
void Machine::poison_globals_of(int function, Reason why) {
  static const Bindings none;
  for (const int f : naming_globals(function)) {
    const FunctionBody* body = p_.body(f, none);
    if (body == nullptr || body->body == nullptr) continue;
    const bool before = globals_only_;
    globals_only_ = true;
    poison_assigned(*body->body, why);
    globals_only_ = before;
  }
}

/// A function and those that it calls, as far as they name a global. Their text stays, and a loop asks for it in each
/// iteration: it is looked through once.
const std::vector<int>& Machine::naming_globals(int function) {
  constexpr std::size_t most_visited = 200;
  if (globals_known_ != p_.globals.size()) naming_globals_.clear();
  globals_known_ = p_.globals.size();
  const auto [known, is_new] = naming_globals_.try_emplace(function);
  if (!is_new) return known->second;
  std::set<int> visited{function};
  std::vector<int> open{function};
  while (!open.empty()) {
    const int at = open.back();
    open.pop_back();
    const FunctionRange& f = p_.outline.functions[static_cast<std::size_t>(at)];
    if (f.info.is_kernel) continue;
    bool names_global = false;
    std::set<std::string_view> called;
    out_.tokens_searched += static_cast<std::uint64_t>(f.close - f.open);
    for (int t = f.open; t < f.close; ++t) {
      if (p_.lexed.token(t).kind != TokenKind::identifier) continue;
      names_global |= p_.globals.contains(p_.lexed.of(t));
      called.insert(p_.lexed.of(t));
    }
    if (names_global) known->second.push_back(at);
    for (const std::string_view name : called)
      if (const auto own = p_.functions.find(name); own != p_.functions.end())
        for (const int each : own->second)
          if (visited.size() < most_visited && visited.insert(each).second) open.push_back(each);
  }
  return known->second;
}

/// `object.data[i]`, `data[i]` in a method: what the member points to is unknown, and the object stays as it is.
bool Machine::poison_behind_member(const Expr& e, Reason why) {
  if (e.op != Op::index && e.op != Op::dereference) return false;
  const Expr* at = e.parts[0];
  while (at->op == Op::cast && !at->parts.empty() && at->parts[0] != nullptr) at = at->parts[0];
  const Expr& pointer = *at;
  for (; at->op == Op::member || at->op == Op::arrow; at = at->parts[0])
    if (at->op == Op::arrow && at->parts[0]->op != Op::this_) return false;
  if (&pointer == at || (at->op != Op::this_ && at->op != Op::local && at->op != Op::global)) return false;
  if (globals_only_ && at->op != Op::global) return true;
  if (at->op == Op::this_ && frame_->self == 0) return false;
  const Place p = place(pointer);
  if (p.type == nullptr || p.unknown != 0) return false;
  if (p.type->kind == Kind::array) return memory_.fill(p.address, std::byte{0}, p.type->bytes, why), true;
  if (p.type->kind != Kind::pointer && p.type->kind != Kind::vector) return false;
  const Address contents = word(p.address);
  if (Object* o = memory_.object(contents); o != nullptr && o->space != Space::code && o->space != Space::characters)
    memory_.poison_all(contents, why);
  return true;
}

/// The variable or array that an expression names: all of it is unknown. `by_value`: only what it points to.
void Machine::poison_target(const Expr& e, Reason why, bool by_value) {
  if (!by_value && poison_behind_member(e, why)) return;
  const Expr* at = &e;
  bool through = false;  // an element of it, or what it points to
  for (int hops = 0; hops < 100; ++hops) {
    if (at->op == Op::index || at->op == Op::dereference || at->op == Op::arrow) {
      through = true;
      at = at->parts[0];
    } else if (at->op == Op::member || at->op == Op::cast || at->op == Op::address || at->op == Op::add ||
               at->op == Op::subtract || at->op == Op::before_add || at->op == Op::after_add || at->op == Op::call) {
      if (at->parts.empty() || at->parts[0] == nullptr) return;
      if (at->op == Op::add || at->op == Op::subtract) through = true;
      at = at->parts[0];
    } else {
      break;
    }
  }
  if (globals_only_ && at->op != Op::global) return;
  if (at->op == Op::this_) {
    if (frame_->self != 0) memory_.poison_all(frame_->self, why);
    return;
  }
  if (at->op != Op::local && at->op != Op::global) return;
  const Slot& s = slot(at->op == Op::global ? globals_ : *frame_, at->slot);
  if (s.type == nullptr) return;
  const auto contents = [&](Address a) {
    if (Object* o = memory_.object(a); o != nullptr && o->space != Space::code && o->space != Space::characters)
      memory_.poison_all(a, why);
  };
  if (s.type->kind == Kind::vector) return contents(word(s.address));
  if (s.type->kind == Kind::pointer) {
    contents(word(s.address));
    if (through || by_value) return;
    memory_.write(s.address, s.type->bytes, nullptr, why);
    return;
  }
  if (s.type->kind == Kind::text || (by_value && &e == at && s.type->is_number())) return;
  if (s.owned) {
    memory_.poison_all(s.address, why);
  } else {
    memory_.write(s.address, s.type->bytes, nullptr, why);
  }
}

}  // namespace lanescope::source::host
