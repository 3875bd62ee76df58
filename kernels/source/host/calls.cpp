// Calls: functions and lambdas of the file, methods, and rows of the library's table.

#include <algorithm>

#include "kernels/source/host/evaluator.h"
#include "kernels/source/host/library.h"

namespace lanescope::source::host {
namespace {

constexpr std::uint64_t cost_of_call = 40;      ///< steps: frames and their variables are made
constexpr std::uint64_t cost_of_overload = 20;  ///< steps: whether its parameters fit

}  // namespace

std::vector<Expr*> Evaluator::without_missing(Arguments arguments) {
  std::vector<Expr*> out;
  for (Expr* a : arguments)
    if (a == nullptr || a->pack_slot < 0 || slot(*at_.frame, a->pack_slot).type != nullptr) out.push_back(a);
  return out;
}

Value Evaluator::call(const Expr& e) {
  const Expr& callee = *e.parts[0];
  const std::vector<Expr*> given = without_missing(Arguments(e.parts.data() + 1, e.parts.size() - 1));
  const Arguments arguments(given);
  if (callee.op == Op::name) {
    if (callee.type != nullptr && callee.type->kind == Kind::record) {  // Class::method()
      std::vector<int> found;
      int owner = -1;
      for (const int f : p.types.record(callee.type->record).methods)
        if (p.function(f).info.name == callee.text) found.push_back(f), owner = std::max(owner, p.record_of_method(f));
      std::erase_if(found, [&](int f) { return p.record_of_method(f) != owner; });
      const Address self = at_.frame->record >= 0 ? at_.frame->self : 0;
      return call_function(found, callee, arguments, self, callee.type->record, e.line);
    }
    const bool scoped = callee.source.substr(0, callee.source.find('<')).find("::") != std::string_view::npos;
    if (at_.frame->record >= 0 && !scoped) {  // a method of its own structure
      const std::optional<Methods> methods = methods_named(callee.text, at_.frame->record, at_.frame->self);
      if (!methods) return unknown_call(callee.text, arguments, e.line);
      if (!methods->functions.empty())
        return call_function(methods->functions, callee, arguments, at_.frame->self, methods->record, e.line);
    }
    std::vector<int> own;
    if (const auto found = p.functions.find(callee.text); found != p.functions.end())
      std::ranges::copy_if(found->second, std::back_inserter(own),
                           [&](int f) { return !p.function(f).info.is_kernel; });
    p.keep_meant(own, callee);
    if (!own.empty()) return call_function(own, callee, arguments, 0, -1, e.line);
    if (const LibraryFunction* row = library_.function(callee.text, arguments.size())) {
      if (row->waits) log.check_host_stores(true);
      Call library{*this, callee.text, arguments, callee, e.line, {}, row};
      if (const auto v = row->handler(library)) return *v;
    }
    return unknown_call(callee.text, arguments, e.line);
  }
  if (callee.op == Op::member || callee.op == Op::arrow) return method(object_of(callee), callee, arguments, e.line);
  const Value v = eval(callee);
  if (v.is(Kind::code)) return call_code(v, arguments, e.line);
  if (v.is(Kind::random) || v.is(Kind::record))
    return method({v.address(), v.type}, {.op = Op::member, .text = "operator"}, arguments, e.line);
  for (const Expr* a : arguments)
    poison_pointee(*a, eval(*a), v.unknown != 0 ? v.unknown : m.reason("an unknown function is called"));
  return {.unknown = v.unknown != 0 ? v.unknown : m.reason(fmt::format("line {} calls an unknown function", e.line))};
}

/// Whether another structure has its methods.
bool Evaluator::has_derived(int record) const {
  const std::vector<int>& methods = p.types.record(record).methods;
  for (int r = 0; r < p.types.records(); ++r)
    if (r != record && !methods.empty() &&
        std::ranges::find(p.types.record(r).methods, methods.back()) != p.types.record(r).methods.end())
      return true;
  return false;
}

/// The methods that a call of this name means, without those that a structure hides of its base; nullopt: they depend on
/// the type with which the object was made, which is unknown.
std::optional<Evaluator::Methods> Evaluator::methods_named(std::string_view name, int record, Address self) {
  const auto gather = [&] {
    std::vector<int> out;
    for (const int f : p.types.record(record).methods)
      if (p.function(f).info.name == name && (name != "operator" || operator_of(f) == "(")) out.push_back(f);
    return out;
  };
  std::vector<int> found = gather();
  const std::vector<std::string_view>& virtuals = p.types.record(record).virtuals;
  const bool is_virtual = std::ranges::find(virtuals, name) != virtuals.end();
  if (is_virtual && (found.empty() || has_derived(record))) {
    const Object* o = m.object(self);
    const bool known = o != nullptr && o->element != nullptr && o->element->kind == Kind::record && m.offset(self) == 0;
    if (!known) return std::nullopt;
    record = o->element->record;
    found = gather();
  }
  int owner = -1;  // a base is declared before what is derived from it
  for (const int f : found) owner = std::max(owner, p.record_of_method(f));
  std::erase_if(found, [&](int f) { return p.record_of_method(f) != owner; });
  return Methods{std::move(found), record};
}

Value Evaluator::method(const Place& object, const Expr& member, Arguments arguments, int line) {
  if (object.known()) {
    if (object.type->kind == Kind::record) {
      const std::optional<Methods> own = methods_named(member.text, object.type->record, object.address);
      if (!own) return unknown_call(member.text, arguments, line);
      if (!own->functions.empty())
        return call_function(own->functions, member, arguments, object.address, own->record, line);
      if (const auto field = m.member(object, member.text)) {
        if (const Value v = m.load(*field); v.is(Kind::code)) return call_code(v, arguments, line);
        if (field->type->kind == Kind::random || field->type->kind == Kind::record)
          return method(*field, {.op = Op::member, .text = "operator"}, arguments, line);
      }
    }
    Call library{*this, member.text, arguments, member, line, object};
    if (const auto v = library_.method(library)) return *v;
  }
  const Reason why = object.unknown != 0
                         ? object.unknown
                         : m.reason(fmt::format("the method `{}` at line {} is not known", member.text, line));
  note_left_out(member.text, line);
  log.forget_pending();
  for (const Expr* a : arguments) poison_pointee(*a, eval(*a), why);
  return {.unknown = why};
}

/// A call of one of several functions of the file may launch: its launches are missing.
void Evaluator::note_left_out(std::string_view name, int line) {
  if (graph_.may_launch(name))
    notes.assume(Assumption::Code::host_action, line,
                 fmt::format("calls `{}`, which may launch kernels and is left out", name),
                 "which function is meant is unknown");
}

/// A function that is not here: its arguments are evaluated, and what it can write is unknown.
Value Evaluator::unknown_call(std::string_view name, Arguments arguments, int line) {
  log.forget_pending();
  const Reason why = m.reason(fmt::format("`{}`, called at line {}, is not in this file", name, line));
  note_left_out(name, line);
  bool writes = false;
  for (const Expr* a : arguments) {
    const Value v = eval(*a);
    if (const Expr* f = function_of(v)) shared_limits_[std::string(f->text)] = most_shared;  // it may set the attribute
    writes = writes || (v.type != nullptr &&
                        (v.type->kind == Kind::pointer || v.type->kind == Kind::vector || v.type->kind == Kind::array));
    poison_pointee(*a, v, why);
  }
  if (writes)
    notes.add(fmt::format("line {}: `{}` is not in this file; values that it may write are unknown", line, name));
  return {.unknown = why};
}

void Evaluator::poison_pointee(const Expr& argument, const Value& v, Reason why) {
  if (!v.known() || argument.op == Op::string) return;
  if (v.type->kind == Kind::pointer || v.type->kind == Kind::array) poison_contents(v.address(), why);
  if (v.type->kind == Kind::vector) poison_contents(m.word(v.address()), why);
  if (v.type->kind == Kind::random) m.write(v.address(), v.type->bytes, nullptr, why);
}

const FunctionBody* Evaluator::plain_function(const Expr& name) {
  static const Bindings none;
  const auto own = name.op == Op::name ? p.functions.find(name.text) : p.functions.end();
  if (own == p.functions.end() || own->second.size() != 1 || !name.words.empty() || at_.frame->record >= 0)
    return nullptr;
  const FunctionRange& f = p.function(own->second.front());
  if (f.info.is_kernel || f.info.is_template || !f.reference_parameters.empty()) return nullptr;
  const FunctionBody* body = p.body(own->second.front(), none);
  return body != nullptr && body->body != nullptr && !body->result_reference ? body : nullptr;
}

const Expr* Evaluator::lambda_of(const Value& v) const {
  const auto known = closures_.find(v.address());
  return known != closures_.end() ? known->second.lambda : nullptr;
}

const Expr* Evaluator::function_of(const Value& v) const {
  const auto known = v.is(Kind::code) ? closures_.find(v.address()) : closures_.end();
  return known != closures_.end() ? known->second.named : nullptr;
}

// --- functions of the file ----------------------------------------------------------------------------------------------

namespace {

/// Whether an argument of type `given` fits a parameter; `alone`: there is no other overload.
bool fits(const TypeTable& types, const Type* given, const Type* parameter, bool alone) {
  if (given == nullptr || parameter->kind == Kind::unknown) return true;
  const bool pointer = given->kind == Kind::pointer;
  const bool same_kind = pointer == (parameter->kind == Kind::pointer) || parameter->kind == Kind::text ||
                         parameter->kind == Kind::automatic || !parameter->is_number();
  if (alone || !same_kind) return alone || same_kind;
  if (pointer && parameter->kind == Kind::pointer)
    return given->of == parameter->of || parameter->of == types.void_ || given->of == types.void_;
  if (given->kind == Kind::record || parameter->kind == Kind::record)
    return given == parameter || parameter->kind == Kind::automatic;
  return !given->is_number() || !parameter->is_number() || given->kind == parameter->kind;
}

}  // namespace

Evaluator::Chosen Evaluator::chosen(const std::vector<int>& overloads, const Expr& name,
                                    const std::vector<const Type*>& given, int record) {
  const bool alone = overloads.size() == 1;
  Chosen best;
  std::size_t best_exact = 0;
  for (const int f : overloads) {
    const std::vector<TemplateParameter>& of_template = p.template_parameters(f);
    const bool takes_more = std::ranges::any_of(of_template, &TemplateParameter::is_pack);
    if (given.size() > p.function(f).info.parameters.size() && !alone && !takes_more) continue;
    budget.spend(cost_of_overload);
    budget.step();
    Bindings bindings;
    if (!deduce(f, name, given, bindings)) continue;
    if (const Bindings* of_class = record >= 0 ? p.bindings_of(record) : nullptr)
      bindings.insert(bindings.end(), of_class->begin(), of_class->end());
    bindings_.push_back(std::move(bindings));
    const FunctionBody* body = p.body(f, bindings_.back(), record);
    if (body == nullptr || body->body == nullptr) {
      bindings_.pop_back();
      continue;
    }
    const std::vector<ParameterOf>& parameters = body->parameters;
    std::size_t needed = 0;
    bool all = true;
    std::size_t exact = 0;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (parameters[i].initial == nullptr && !parameters[i].in_pack) needed = i + 1;
      if (i >= given.size()) continue;
      const bool decays =
          given[i] != nullptr && given[i]->kind == Kind::array && parameters[i].type->kind != Kind::array;
      const Type* const a = decays ? p.types.pointer_to(given[i]->of) : given[i];
      exact += a == parameters[i].type ? 1 : 0;
      all = all && fits(p.types, a, parameters[i].type, alone);
    }
    if (given.size() < needed || given.size() > parameters.size() || !all) continue;
    exact = 2 * exact + (p.function(f).info.is_template ? 0 : 1);  // of two that fit alike, the one that is no template
    if (best.function < 0 || exact > best_exact) best = {f, body, &bindings_.back()}, best_exact = exact;
    if (alone || best_exact > 2 * given.size()) break;
  }
  return best;
}

/// Evaluates it once: its side effects happen once.
Evaluator::Argument Evaluator::argument(const Expr& e) {
  if (e.op == Op::string) {
    const Value v = value(e);
    return {v, {v.address(), static_type(e)}};
  }
  if (!names_place(e)) return {value(e)};
  if (e.op == Op::dereference) {
    const Value v = value(*e.parts[0]);
    if (v.type != nullptr && v.type->kind == Kind::code) return {v};
    return {m.decayed(m.load(pointee(v))), pointee(v)};
  }
  const Place at = place(e);
  return {m.decayed(m.load(at)), at};
}

/// Puts the arguments into the frame of the function that is called, while that of its caller is current.
void Evaluator::pass(Frame& f, const FunctionBody& body, Arguments arguments, const std::vector<Argument>& values,
                     int line) {
  for (std::size_t i = 0; i < body.parameters.size(); ++i) {
    const ParameterOf& parameter = body.parameters[i];
    const bool given = i < arguments.size();
    if (!given && parameter.in_pack) continue;
    Slot& s = slot(f, parameter.slot);
    const Expr* a = given ? arguments[i] : parameter.initial;
    // A literal is an array for `const T (&)[N]`, not for `const std::string&`.
    const bool array =
        !given || a->op != Op::string || parameter.type->kind == Kind::array || parameter.type == p.types.char_;
    const bool binds = given && !converts(values[i].value, parameter.type) && values[i].place.known();
    if (parameter.reference && array && binds) {
      s = {.type = values[i].place.type, .address = values[i].place.address, .owned = false};
      continue;
    }
    const Type* t = parameter.type;
    if (t->kind == Kind::automatic || t->kind == Kind::unknown)
      t = given && values[i].value.type != nullptr ? values[i].value.type : p.types.unknown("parameter");
    const Place at{m.slot_memory(s, t), t};
    if (a == nullptr) continue;
    if (a->op == Op::list || !given) {
      initialise(at, *a, line);
    } else {
      if (t->in_memory()) m.zero(at.address, t);
      if (t->kind == Kind::record) note_plain_copy(t, line);
      set(at, values[i].value, *a, line);
    }
  }
}

Value Evaluator::call_function(const std::vector<int>& overloads, const Expr& name, Arguments arguments, Address self,
                               int record, int line) {
  std::vector<Argument> values;  // a list is made once the parameter's type is known
  for (const Expr* a : arguments) values.push_back(a->op == Op::list ? Argument{} : argument(*a));
  return call_evaluated(overloads, name, arguments, values, self, record, line);
}

Value Evaluator::call_evaluated(const std::vector<int>& overloads, const Expr& name, Arguments arguments,
                                const std::vector<Argument>& values, Address self, int record, int line) {
  std::vector<const Type*> given;
  for (const auto& [value, place] : values) {
    const bool array = place.known() && place.type->kind == Kind::array;
    given.push_back(array ? place.type : value.type);
  }
  reference_ = {};
  const auto [function, body, bound] = chosen(overloads, name, given, record);
  if (function < 0) return unknown_call(name.text, arguments, line);
  if (at_.depth >= limits.depth) {
    notes.add(fmt::format("line {}: calls are nested deeper than {}", line, limits.depth));
    return {.unknown = m.reason(fmt::format("line {} calls too deep", line))};
  }
  executed_.insert(function);
  budget.spend(cost_of_call);
  Frame& f = frames_.emplace_back(Frame{.self = self, .record = record, .bindings = bound, .serial = ++serial_});
  pass(f, *body, arguments, values, line);
  const Position before = at_;
  const Type* const result = body->result;
  const bool in_memory = result != nullptr && result->in_memory() && !body->result_reference;
  const Address memory = in_memory ? m.make(result->bytes, Space::host, line, 0) : 0;
  at_.frame = &f;
  at_.return_type = result, at_.return_reference = body->result_reference, at_.returned_memory = memory;
  at_.in_main = false;
  ++at_.depth;
  for (const FunctionBody::Initialiser& i : body->initialisers) {
    const Place whole{self, record >= 0 ? p.types.record_type(record) : nullptr};
    const Member* own = record >= 0 ? p.types.record(record).find(i.member) : nullptr;
    std::vector<int> others;  // `Shape() : Shape(3, 4)`, `Derived() : Base(1)`
    for (const int each : record >= 0 && own == nullptr ? p.types.record(record).methods : std::vector<int>())
      if (p.function(each).info.name == i.member) others.push_back(each);
    if (!others.empty())
      call_function(others, {.op = Op::name, .line = line, .text = i.member}, i.arguments, self, record, line);
    else if (own != nullptr && own->reference && i.arguments.size() == 1)
      bind(self, *own, *i.arguments[0]);
    else if (const auto member = m.member(whole, i.member))
      construct(member->address, member->type, {i.arguments}, line);
  }
  returned_ = {.type = p.types.void_};
  at_.constant_only = false;
  if (!execute_limited(*body, function, line)) {
    const Reason why = m.reason(fmt::format("`{}`, called at line {}, takes too many steps", name.text, line));
    at_.frame = before.frame;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const bool reference = i < body->parameters.size() && body->parameters[i].reference;
      if (reference && !body->parameters[i].constant) poison_target(*arguments[i], why);
      const Value& v = values[i].value;
      if (!v.known()) continue;
      std::vector<Address> all;
      if (v.type->kind == Kind::pointer) all = log.reached_from(v.address());
      poison_pointee(*arguments[i], v, why);
      for (const Address reached : all) m.poison_all(reached, why);
    }
    if (self != 0) log.poison_reached(self, why);
    poison_globals_of(function, why);
    poison_statics(why);
    if (graph_.draws(function)) random.c_unknown = why;
    returned_ = unknown_value(result != nullptr ? result : p.types.void_, why);
    if (memory != 0) m.poison_all(memory, why), returned_ = at_address(memory, result);
  }
  Value out = std::exchange(returned_, {.type = p.types.void_});
  at_ = before;
  if (memory != 0) m.keep_until_statement_ends(memory);
  reference_ = {};
  if (body->result_reference && out.known())
    reference_ = {.call = &name, .place = {out.address(), out.type}}, out = m.load(reference_.place);
  else if (result != nullptr && result->kind != Kind::automatic && result->kind != Kind::unknown &&
           result->kind != Kind::void_)
    out = m.convert(out, result);
  f.alive = false;
  for (Slot& s : f.slots)
    if (s.owned) {
      if (m.object(s.address) != nullptr && s.address != out.address()) m.release(s.address);
      s = {};
    }
  if (&frames_.back() == &f && closures_.empty()) frames_.pop_back();  // nothing can name it any more
  return out;
}

void Evaluator::run_body(const Stmt& body) {
  if (execute(body) == Flow::goto_)
    notes.add(
        fmt::format("`goto {}` leads into a statement and is not followed; what comes after it is left out", goto_));
}

/// Executes the body of a function that launches nothing, like a loop, up to a budget: what it computes must not keep from
/// what comes after it. False: it was left, and everything is as before the body but memory.
bool Evaluator::execute_limited(const FunctionBody& body, int function, int line) {
  if (limited_ || budget.loops() > 0 || graph_.may_launch(function)) return run_body(*body.body), true;
  const std::uint64_t steps = budget.begin_loop(log.has_launches());
  const Mark before = mark();
  limited_ = true;
  bool whole = true;
  try {
    run_body(*body.body);
  } catch (const Exception&) {
    limited_ = false;
    budget.end_loops(0);
    throw;
  } catch (const Abandon& a) {
    limited_ = false;
    if (a.loop != 0) throw;
    whole = false;
    go_back(before);
    pending_ = Flow::next;
    notes.add(
        fmt::format("line {}: this call takes more than {} steps and is left; its results are unknown", line, steps));
  }
  limited_ = false;
  budget.end_loops(0);
  return whole;
}

Value Evaluator::call_code(const Value& code, Arguments arguments, int line) {
  const auto found = closures_.find(code.address());
  if (found == closures_.end()) return unknown_call("a function pointer", arguments, line);
  if (const Expr* named = found->second.named; named != nullptr) {
    const auto own = p.functions.find(named->text);
    if (own == p.functions.end()) return unknown_call(named->text, arguments, line);
    return call_function(own->second, *named, arguments, 0, -1, line);
  }
  Closure& closure = found->second;
  const Expr& lambda = *closure.lambda;
  if (lambda.body == nullptr || closure.frame == nullptr || !closure.frame->alive ||
      closure.frame->serial != closure.serial)
    return unknown_call("a lambda", arguments, line);
  const bool takes_pack = !lambda.words.empty() && lambda.words.back().ends_with("...");
  if (takes_pack && arguments.size() > lambda.slots.size()) return unknown_call("a lambda", arguments, line);
  if (at_.depth >= limits.depth) return {.unknown = m.reason(fmt::format("line {} calls too deep", line))};
  std::vector<Value> values;
  std::vector<Place> places;
  for (std::size_t i = 0; i < lambda.slots.size(); ++i) {
    const bool reference = i < lambda.words.size() && lambda.words[i].starts_with('&') && i < arguments.size() &&
                           names_place(*arguments[i]);
    places.push_back(reference && i < arguments.size() ? place(*arguments[i]) : Place{});
    values.push_back(!reference && i < arguments.size() ? value(*arguments[i]) : Value{});
  }
  const Position before = at_;
  at_.frame = closure.frame;
  // While it runs, names mean what it holds.
  struct Exchange {
    Closure& closure;
    const bool outermost;
    void swap() const {
      for (auto& [i, s] : closure.held) std::swap(closure.frame->slots[static_cast<std::size_t>(i)], s);
    }
    explicit Exchange(Closure& c) : closure(c), outermost(!c.runs) {
      closure.runs = true;
      if (outermost) swap();
    }
    ~Exchange() {
      if (outermost) swap(), closure.runs = false;
    }
  } const exchange(closure);
  for (std::size_t i = 0; i < lambda.slots.size(); ++i) {
    Slot& s = slot(*at_.frame, lambda.slots[i]);
    if (i >= arguments.size() && lambda.words[i].ends_with("...")) {
      s = {};
      continue;
    }
    if (places[i].known()) {
      s = {.type = places[i].type, .address = places[i].address, .owned = false};
      continue;
    }
    const Type* t = lambda.types[i];
    if (t->kind == Kind::automatic || t->kind == Kind::unknown)
      t = values[i].type != nullptr ? values[i].type : p.types.unknown("auto");
    if (!s.owned) s = {};
    store({m.slot_memory(s, t), t}, values[i], line);
  }
  at_.return_type = nullptr, at_.return_reference = false, at_.returned_memory = 0;
  returned_ = {.type = p.types.void_};
  ++at_.depth;
  execute(*lambda.body);
  at_ = before;
  return returned_;
}

// --- functions that nothing calls ---------------------------------------------------------------------------------------

void Evaluator::globals() {
  at_.frame = &globals_;
  const auto is_read = [&](const TopDeclaration& d) {  // a class in a class
    int open = d.first;
    while (open < d.last && !p.lexed.is(open, "{")) ++open;
    return d.member && d.kind == TopDeclaration::Kind::type && p.read_classes.contains(open);
  };
  const auto of_objects = [&](const TopDeclaration& d) {  // members that each object has
    bool once = !d.member || d.kind != TopDeclaration::Kind::variable;
    for (int t = d.first; t < d.last && !once; ++t) once = p.lexed.is(t, "static") || p.lexed.is(t, "constexpr");
    return !once;
  };
  for (const TopDeclaration& d : p.outline.declarations)
    for (const Stmt* s : of_objects(d) || is_read(d) ? std::vector<Stmt*>() : p.declaration(d.first, d.last)) try {
        if (s != nullptr) execute(*s);
      } catch (const Abandon&) {
      } catch (const Stop&) {}
}

void Evaluator::root(int function, const Bindings& bindings, bool is_main, Reason parameter, const Prepare& prepare) {
  const int record = p.record_of_method(function);
  const FunctionBody* body = p.body(function, bindings, record);
  if (body == nullptr || body->body == nullptr) return;
  executed_.insert(function);
  log.streams.host_waits_for_all();  // of another root, which is another run
  Frame& f = frames_.emplace_back(Frame{.record = record, .bindings = &bindings, .serial = ++serial_});
  if (record >= 0) f.self = m.make(p.types.record(record).bytes, Space::host, 0, parameter);
  for (std::size_t i = 0; i < body->parameters.size(); ++i) {
    const Type* t = body->parameters[i].type;
    if (t->kind == Kind::unknown || t->kind == Kind::automatic) t = p.types.unknown("parameter");
    const Place at{m.slot_memory(slot(f, body->parameters[i].slot), t), t};
    m.poison_all(at.address, parameter);
    if (prepare) prepare(i, at);
  }
  at_ = {.frame = &f, .in_main = is_main};
  log.certainty = {};
  if (!is_main)
    log.certainty = {.depth = 1,
                     .sure = 1,
                     .why = m.reason(fmt::format("nothing in this file calls `{}`", p.function(function).info.name))};
  budget.end_loops(0);
  try {
    run_body(*body->body);
  } catch (const Abandon&) {
  } catch (const Stop&) {}
  log.certainty = {};
  budget.end_loops(0);
  f.alive = false;
}

}  // namespace lanescope::source::host
