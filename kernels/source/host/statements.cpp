#include <algorithm>
#include <utility>

#include "kernels/source/host/evaluator.h"
#include "kernels/source/host/fill_loop.h"

namespace lanescope::source::host {
namespace {

constexpr std::size_t most_loops = 200;
constexpr int deepest_statements = 250, deepest_leave = 4;

}  // namespace

void Evaluator::go_back(const Mark& mark) {
  m.release_temporaries(mark.temporaries);
  at_ = mark.at;
  log.certainty = mark.certainty;
}

Flow Evaluator::execute(const Stmt& s) {
  budget.step();
  if (at_.statement_depth >= deepest_statements) return Flow::next;
  const std::size_t before = m.temporaries();
  ++at_.statement_depth;
  Flow out = execute_in(s);
  if (pending_ != Flow::next) out = std::exchange(pending_, Flow::next);
  --at_.statement_depth;
  m.release_temporaries(before);
  return out;
}

Flow Evaluator::execute_in(const Stmt& s) {
  switch (s.kind) {
    case StmtKind::empty:
    case StmtKind::label:
    case StmtKind::case_:
    case StmtKind::default_:
      return Flow::next;
    case StmtKind::expression:
      if (s.first != nullptr) eval(*s.first);
      return Flow::next;
    case StmtKind::declare:
      for (const Declared& d : s.declared) {
        declare(d);
        if (d.managed && d.global) log.manage(slot(globals_, d.slot).address);
      }
      return Flow::next;
    case StmtKind::block:
      return block(s, 0);
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
    case StmtKind::goto_:
      if (log.certainty.depth > 0) return Flow::next;
      goto_ = s.text;
      return Flow::goto_;
    case StmtKind::throw_: {
      const Value v = s.first != nullptr ? value(*s.first) : Value{};
      if (log.certainty.depth > 0) return Flow::next;
      if (at_.tries > 0) throw Exception{v};
      if (never_leave) return Flow::next;
      throw Stop{};
    }
    case StmtKind::try_:
      return try_statement(s);
    case StmtKind::leave:
      if (never_leave || log.certainty.depth > 0) return Flow::next;
      throw Stop{};
    case StmtKind::return_:
      return return_statement(s);
  }
  return Flow::next;
}

/// The statements of a block from one on. A `goto` leads to a label of the innermost block around it that has it.
Flow Evaluator::block(const Stmt& s, std::size_t from) {
  for (std::size_t i = from; i < s.body.size(); ++i) {
    const Flow f = execute(*s.body[i]);
    if (f == Flow::next) continue;
    if (f != Flow::goto_) return f;
    const auto label = std::ranges::find_if(
        s.body, [&](const Stmt* each) { return each->kind == StmtKind::label && each->text == goto_; });
    if (label == s.body.end()) return f;
    budget.step();
    i = static_cast<std::size_t>(label - s.body.begin());
  }
  return Flow::next;
}

Flow Evaluator::try_statement(const Stmt& s) {
  const Mark before = mark();
  ++at_.tries;
  try {
    const Flow f = execute(*s.then);
    --at_.tries;
    return f;
  } catch (const Exception& thrown) {
    go_back(before);
    pending_ = Flow::next;
    const auto takes = [&](const Stmt& handler) {
      return handler.declared.empty() || thrown.value.type == nullptr ||
             handler.declared[0].type == thrown.value.type || thrown.value.unknown != 0;
    };
    const Stmt* handler = s.otherwise;
    for (const Stmt* each : s.body)
      if (takes(*each)) {
        handler = each;
        break;
      }
    if (handler == nullptr) throw;
    for (const Declared& d : handler->declared) {
      const Type* t = d.type->kind == Kind::automatic && thrown.value.type != nullptr ? thrown.value.type : d.type;
      const Place at{m.slot_memory(slot(*at_.frame, d.slot), t), t};
      m.poison_all(at.address, m.reason(fmt::format("it is what `catch` at line {} takes", d.line)));
      if (thrown.value.type != nullptr && t == thrown.value.type && !t->in_memory()) store(at, thrown.value, d.line);
    }
    return block(*handler, 0);
  }
}

Flow Evaluator::return_statement(const Stmt& s) {
  if (s.first == nullptr) {
    returned_ = {.type = p.types.void_};
  } else if (at_.return_reference) {
    const Place at = place(*s.first);
    returned_ = {.type = at.type, .i = static_cast<std::int64_t>(at.address), .unknown = at.unknown};
  } else if (at_.returned_memory != 0 && at_.return_type != nullptr && at_.return_type->in_memory()) {
    initialise({at_.returned_memory, at_.return_type}, *s.first, s.line);
    returned_ = at_address(at_.returned_memory, at_.return_type);
  } else {
    returned_ = value(*s.first);
    if (returned_.type != nullptr && returned_.type->in_memory()) {
      // `auto f()`: what is returned has to outlive the statement
      const Address keep = m.make(returned_.type->bytes, Space::host, s.line, 0);
      m.copy(keep, returned_.address(), returned_.type->bytes);
      returned_.i = static_cast<std::int64_t>(keep);
    }
  }
  return Flow::return_;
}

/// Whether it surely leaves the function or the program; so does a call of a function that ends the program.
bool Evaluator::leaves(const Stmt* s, int calls) {
  if (s == nullptr) return false;
  switch (s->kind) {
    case StmtKind::return_:
      return calls == 0;  // a function that is called continues after its call
    case StmtKind::leave:
    case StmtKind::goto_:
    case StmtKind::throw_:
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
      if (const LibraryFunction* f = library_.function(name, s->first->parts.size() - 1);
          f != nullptr && f->ends_program)
        return true;
      const auto own = p.functions.find(name);
      if (own == p.functions.end() || own->second.size() != 1 || calls >= deepest_leave) return false;
      const int function = own->second.front();
      if (p.function(function).info.is_template) return false;
      static const Bindings none;
      const FunctionBody* body = p.body(function, none);
      return body != nullptr && leaves(body->body, calls + 1);
    }
    default:
      return false;
  }
}

Flow Evaluator::if_statement(const Stmt& s) {
  if (s.init != nullptr) execute(*s.init);
  const Value v = s.first != nullptr ? eval(*s.first) : number(1, p.types.int_);
  if (const std::optional<bool> taken = truth(v)) {
    const Stmt* branch = *taken ? s.then : s.otherwise;
    if (branch == nullptr) return Flow::next;
    if (never_leave && at_.in_main && !log.has_launches() && leaves(branch)) {
      notes.add(fmt::format("line {}: this branch ends the program and is passed over", s.line));
      return Flow::next;
    }
    return execute(*branch);
  }
  const Reason why = v.unknown != 0 ? v.unknown : m.reason("it is no number");
  const bool then_leaves = leaves(s.then), otherwise_leaves = leaves(s.otherwise);
  if (then_leaves && !otherwise_leaves) return s.otherwise != nullptr ? execute(*s.otherwise) : Flow::next;
  if (otherwise_leaves && !then_leaves) return execute(*s.then);
  notes.add(fmt::format("line {}: the condition is unknown, because {}", s.line, m.words(why)));
  for (const Stmt* branch : {s.then, s.otherwise})
    if (branch != nullptr) uncertain(*branch, why, [&] { execute(*branch); });
  return Flow::next;
}

/// Executes what may not happen; what it assigns is unknown then.
template <class F>
void Evaluator::uncertain(const Stmt& s, Reason why, F execute) {
  const Log::Certainty before = log.certainty;
  ++log.certainty.depth;
  if (before.why == 0) log.certainty.why = why;
  execute();
  log.certainty = before;
  poison_assigned(s, why);
  poison_statics(why);
}

Flow Evaluator::loop(const Stmt& s) {
  const std::size_t me = budget.loops();
  if (me >= most_loops) return Flow::next;
  const std::uint64_t steps = budget.begin_loop(log.has_launches());
  const Mark before = mark();
  Flow out = Flow::next;
  try {
    out = s.kind == StmtKind::range_for ? range_loop(s) : loop_in(s);
    budget.end_loops(me);
  } catch (const Exception&) {
    budget.end_loops(me);
    throw;
  } catch (const Abandon& a) {
    budget.end_loops(me);
    if (a.loop != me) throw;
    go_back(before);
    notes.add(fmt::format("line {}: this loop takes more than {} steps and is left; values that it assigns are unknown",
                          s.line, steps));
    const Reason why = m.reason(fmt::format("the loop at line {} takes too many steps", s.line));
    poison_assigned(s, why);
    if (s.first != nullptr && s.kind != StmtKind::range_for) poison_assigned(*s.first, why);
    if (s.second != nullptr) poison_assigned(*s.second, why);
    poison_statics(why);
  }
  return out;
}

Flow Evaluator::loop_in(const Stmt& s) {
  if (s.init != nullptr) execute(*s.init);
  // Some thousand elements at once, where the loop is so plain; the tree does the rest.
  if (std::optional<FillLoop> fill = FillLoop::of(*this, s)) fill->run();
  for (bool first = true;; first = false) {
    budget.step();
    if (s.first != nullptr && !(first && s.kind == StmtKind::do_)) {
      const Value v = eval(*s.first);
      const std::optional<bool> goes_on = truth(v);
      if (!goes_on) {
        const Reason why = v.unknown != 0 ? v.unknown : m.reason("it is no number");
        notes.add(fmt::format("line {}: how often this loop runs is unknown, because {}", s.line, m.words(why)));
        if (s.then != nullptr && first) uncertain(*s.then, why, [&] { execute(*s.then); });
        if (s.then != nullptr && !first) poison_assigned(*s.then, why);
        if (s.second != nullptr) poison_assigned(*s.second, why);
        return Flow::next;
      }
      if (!*goes_on) return Flow::next;
    }
    const Flow f = s.then != nullptr ? execute(*s.then) : Flow::next;
    if (f == Flow::break_) return Flow::next;
    if (f == Flow::return_ || f == Flow::goto_) return f;
    if (s.second != nullptr) eval(*s.second);
  }
}

Flow Evaluator::range_loop(const Stmt& s) {
  if (s.init == nullptr || s.init->declared.empty() || s.first == nullptr) return Flow::next;
  const Declared& d = s.init->declared.front();
  Address first = 0;
  std::uint64_t count = 0;
  const Type* of = nullptr;
  std::vector<Address> listed;
  if (s.first->op == Op::list) {
    for (const Expr* each : s.first->parts) {
      const Value v = value(*each);
      if (v.type == nullptr) continue;
      of = of == nullptr ? v.type : of;
      listed.push_back(m.temporary(of));
      store({listed.back(), of}, v, s.line);
    }
    count = listed.size();
  } else {
    Place whole = place(*s.first);
    if (whole.known() && whole.type->kind == Kind::vector) whole.unknown = m.first_unknown(whole.address, 24);
    if (!whole.known() || (whole.type->kind != Kind::array && whole.type->kind != Kind::vector)) {
      const Reason why = whole.unknown != 0
                             ? whole.unknown
                             : m.reason(fmt::format("line {} iterates over a value that is no array", s.line));
      declare(d);
      if (s.then != nullptr) uncertain(*s.then, why, [&] { execute(*s.then); });
      return Flow::next;
    }
    const bool array = whole.type->kind == Kind::array;
    of = whole.type->of;
    first = array ? whole.address : m.word(whole.address);
    count = array ? whole.type->count : m.word(whole.address + 8);
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    budget.step();
    const Address at = listed.empty() ? first + i * of->bytes : listed[i];
    Slot& variable = slot(*at_.frame, d.slot);
    if (d.reference) {
      variable = {.type = of, .address = at, .owned = false};
    } else {
      const Type* t = d.type->kind == Kind::automatic ? of : d.type;
      store({m.slot_memory(variable, t), t}, m.load({at, of}), s.line);
    }
    bind_parts(d);
    const Flow f = s.then != nullptr ? execute(*s.then) : Flow::next;
    if (f == Flow::break_) break;
    if (f == Flow::return_ || f == Flow::goto_) return f;
  }
  return Flow::next;
}

Flow Evaluator::switch_statement(const Stmt& s) {
  if (s.then == nullptr || s.first == nullptr) return Flow::next;
  const Value v = whole(*s.first);
  const std::vector<Stmt*>& body = s.then->body;
  if (v.unknown != 0) {
    notes.add(fmt::format("line {}: which case is taken is unknown, because {}", s.line, m.words(v.unknown)));
    uncertain(*s.then, v.unknown, [&] {
      for (const Stmt* each : body) execute(*each);
    });
    return Flow::next;
  }
  std::size_t otherwise = body.size();
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (body[i]->kind == StmtKind::default_) otherwise = i;
    if (body[i]->kind != StmtKind::case_ || body[i]->first == nullptr) continue;
    const Value label = whole(*body[i]->first);
    const Value last = body[i]->second != nullptr ? whole(*body[i]->second) : label;
    if (label.unknown == 0 && last.unknown == 0 && label.i <= v.i && v.i <= last.i) return body_of(*s.then, i);
  }
  return body_of(*s.then, otherwise);
}

/// The statements of a switch, from a label on.
Flow Evaluator::body_of(const Stmt& s, std::size_t from) {
  for (std::size_t i = from; i < s.body.size(); ++i) {
    const Flow f = execute(*s.body[i]);
    if (f != Flow::next) return f == Flow::break_ ? Flow::next : f;
  }
  return Flow::next;
}

void Evaluator::declare(const Declared& d) {
  if (!d.is_static) {
    declare_in(d);
    return bind_parts(d);
  }
  Slot& s = slot(*at_.frame, d.slot);
  const auto [kept, first] = statics_.try_emplace(&d);
  if (first) {
    declare_in(d);
    kept->second = s;
    kept->second.owned = false;  // it outlives the call
  }
  s = kept->second;
}

/// The names of `auto [a, b]`, whose variable is there.
void Evaluator::bind_parts(const Declared& d) {
  const Slot whole = slot(*at_.frame, d.slot);
  for (std::size_t i = 0; i < d.parts.size(); ++i) {
    std::optional<Place> part;
    if (whole.type != nullptr && whole.type->kind == Kind::record &&
        i < p.types.record(whole.type->record).members.size())
      part = m.member({whole.address, whole.type}, p.types.record(whole.type->record).members[i].name);
    else if (whole.type != nullptr && whole.type->kind == Kind::array && i < whole.type->count)
      part = Place{whole.address + i * whole.type->of->bytes, whole.type->of};
    Slot& s = slot(*at_.frame, d.parts[i]);
    s = {};
    if (part && part->known())
      s = {.type = part->type, .address = part->address, .owned = false};
    else
      m.poison_all(m.slot_memory(s, p.types.unknown("auto")), m.reason(fmt::format("line {} takes it apart", d.line)));
  }
}

void Evaluator::poison_statics(Reason why) {
  for (const auto& [declared, s] : statics_) m.poison_all(s.address, why);
}

void Evaluator::declare_in(const Declared& d) {
  Frame& f = d.global ? globals_ : *at_.frame;
  if (d.reference && d.initial != nullptr) {
    const Place at = place(*d.initial);
    Slot& s = slot(f, d.slot);
    s = {.type = at.type, .address = at.address, .owned = false};
    if (!at.known()) m.poison_all(m.slot_memory(s, at.type != nullptr ? at.type : p.types.unknown("auto")), at.unknown);
    return;
  }
  const Type* t = d.type;
  if (t->kind == Kind::automatic) {
    const Value v = d.initial == nullptr ? Value{} : d.parts.empty() ? value(*d.initial) : eval(*d.initial);
    t = v.type == nullptr || v.type->kind == Kind::void_ ? p.types.unknown("auto") : v.type;
    return store({m.slot_memory(slot(f, d.slot), t), t}, v, d.line);
  }
  for (auto extent = d.extents.rbegin(); extent != d.extents.rend(); ++extent) {
    std::uint64_t count = d.initial != nullptr && d.initial->op == Op::list ? d.initial->parts.size() : 0;
    if (d.initial != nullptr && d.initial->op == Op::string) count = characters_of_literal(d.initial->text).size() + 1;
    if (*extent != nullptr) {
      const Value n = whole(**extent);
      count = n.unknown == 0 && n.i >= 0 ? static_cast<std::uint64_t>(n.i) : 0;
    }
    t = p.types.array_of(t, count);
  }
  const Address a = m.slot_memory(slot(f, d.slot), t);
  if (Object* o = m.object(a)) {
    o->name = std::string(d.name);
    o->line = d.line;
    if (t->kind == Kind::record && !p.types.record(t->record).virtuals.empty()) o->element = t;
    if (d.device) o->space = Space::symbol, o->element = t->kind == Kind::array ? t->of : t;
  }
  if (d.global) p.global_types[static_cast<std::size_t>(d.slot)] = t;
  if (d.initial != nullptr && !d.has_arguments && d.initial->op != Op::list) {
    const bool characters = t->kind == Kind::array && d.initial->op == Op::string;
    const Value v = characters ? Value{} : eval(*d.initial);
    if (!characters && (t->kind == Kind::pointer || t->is_number() || v.type == t || converts(v, t)))
      return set({a, t}, v, *d.initial, d.line);
    return construct(a, t, {{&d.initial, 1}}, d.line);
  }
  if (d.initial != nullptr) return construct(a, t, braces(*d.initial), d.line);
  if (d.has_arguments) return construct(a, t, {d.arguments}, d.line);
  if (d.global && !d.device) unset_globals.emplace_back(a, d.name);
  if (d.global || d.device || d.is_static) return m.zero(a, t);
  m.poison_all(a, m.uninitialised);
  if (t->in_memory()) construct(a, t, {}, d.line);
}

}  // namespace lanescope::source::host
