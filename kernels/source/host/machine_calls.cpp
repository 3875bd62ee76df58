#include <algorithm>

#include <fmt/format.h>

#include "kernels/base/text.h"
#include "kernels/source/cxx/declaration.h"
#include "kernels/source/host/enumerators.h"
#include "kernels/source/host/machine.h"

namespace lanescope::source::host {
namespace {

constexpr std::uint64_t cost_of_call = 40;      ///< steps: frames and their variables are made
constexpr std::uint64_t cost_of_overload = 20;  ///< steps: whether its parameters fit

}  // namespace

/// A function or kernel as a value.
Value Machine::function_value(std::string_view name, const Expr& e) {
  if (!p_.functions.contains(name)) {
    if (const Enumerator* known = cuda_enumerator(name)) return number(known->value, p_.types.int_);
    if (name == "EXIT_SUCCESS") return number(0, p_.types.int_);
    if (name == "EXIT_FAILURE") return number(1, p_.types.int_);
    if (name == "RAND_MAX") return number(2147483647, p_.types.int_);
    if (name == "INT_MAX") return number(2147483647, p_.types.int_);
    if (name == "INT_MIN") return number(-2147483647 - 1, p_.types.int_);
    if (name == "UINT_MAX") return number(4294967295LL, p_.types.u32);
    if (name == "FLT_MAX") return real(3.402823466e38, p_.types.float_);
    static constexpr std::pair<std::string_view, double> reals[] = {
        {"M_PI", 3.14159265358979323846},    {"M_PI_2", 1.57079632679489661923},   {"M_PI_4", 0.78539816339744830962},
        {"M_E", 2.7182818284590452354},      {"M_LN2", 0.69314718055994530942},    {"M_LN10", 2.30258509299404568402},
        {"M_SQRT2", 1.41421356237309504880}, {"M_SQRT1_2", 0.70710678118654752440}};
    for (const auto& [constant, value] : reals)
      if (name == constant) return real(value, p_.types.double_);
    if (name == "cudaStreamLegacy") return number(1, p_.types.int_);
    if (name == "cudaStreamPerThread") return number(2, p_.types.int_);
    return {.unknown = because(fmt::format("`{}` is not declared in this file", name))};
  }
  const Expr* named = &e;
  std::string source(e.source);
  if (!e.words.empty() && frame_ != nullptr && frame_->bindings != nullptr && !frame_->bindings->empty()) {
    // in a template: whoever calls it has other names
    Expr& own = p_.tree.exprs.emplace_back(e);
    source = std::string(e.source.substr(0, e.source.find('<'))) + "<";
    const std::vector<std::string> words = template_words(e, kernel_named(e.text));
    own.words.clear();
    for (const std::string& word : words) {
      source += (own.words.empty() ? "" : ",") + word;
      own.words.push_back(strings_kept_.emplace_back(word));
    }
    own.more.assign(own.more.size(), nullptr);
    own.source = strings_kept_.emplace_back(source += ">");
    named = &own;
  }
  const auto known = code_.find(source);
  if (known != code_.end()) return {.type = p_.types.code, .i = static_cast<std::int64_t>(known->second)};
  const Address a = memory_.make(1, Space::code, e.line, 0);
  closures_[a] = {.name = e.text, .named = named};
  code_[source] = a;
  return {.type = p_.types.code, .i = static_cast<std::int64_t>(a)};
}

Value Machine::call(const Expr& e) {
  const Expr& callee = *e.parts[0];
  const std::span<Expr* const> arguments(e.parts.data() + 1, e.parts.size() - 1);
  if (callee.op == Op::name) {
    if (const auto own = p_.functions.find(callee.text); own != p_.functions.end()) {
      std::vector<int> callable;
      for (const int f : own->second)
        if (!p_.outline.functions[static_cast<std::size_t>(f)].info.is_kernel) callable.push_back(f);
      if (!callable.empty()) return call_function(callable, callee, arguments, 0, -1, e.line);
    }
    if (frame_->record >= 0) {  // a method of its own structure
      std::vector<int> own;
      for (const int f : p_.types.record(frame_->record).methods)
        if (p_.outline.functions[static_cast<std::size_t>(f)].info.name == callee.text) own.push_back(f);
      if (!own.empty()) return call_function(own, callee, arguments, frame_->self, frame_->record, e.line);
    }
    if (auto v = library(callee.text, arguments, e)) return *v;
    return unknown_call(callee.text, arguments, e.line);
  }
  if (callee.op == Op::member || callee.op == Op::arrow) {
    Place object;
    if (callee.op == Op::arrow && callee.parts[0]->op != Op::this_) {
      const Value v = decayed(eval(*callee.parts[0]));
      object = {static_cast<Address>(v.i), v.type != nullptr ? v.type->of : nullptr, v.unknown};
    } else {
      object = place(*callee.parts[0]);
    }
    return method(object, callee, arguments, e.line);
  }
  const Value v = eval(callee);
  if (v.type != nullptr && v.unknown == 0 && v.type->kind == Kind::code) return call_lambda(v, arguments, e.line);
  if (v.type != nullptr && v.unknown == 0 && v.type->kind == Kind::random)
    return random_call({static_cast<Address>(v.i), v.type}, arguments);
  if (v.type != nullptr && v.unknown == 0 && v.type->kind == Kind::record) {
    Expr operator_name;
    operator_name.op = Op::member;
    operator_name.text = "operator";
    return method({static_cast<Address>(v.i), v.type}, operator_name, arguments, e.line);
  }
  for (const Expr* a : arguments)
    poison_pointee(*a, eval(*a), v.unknown != 0 ? v.unknown : because("an unknown function is called"));
  return {.unknown = v.unknown != 0 ? v.unknown : because(fmt::format("line {} calls what is not known", e.line))};
}

/// A function that is not here: its arguments are evaluated, and what it can write is unknown.
Value Machine::unknown_call(std::string_view name, std::span<Expr* const> arguments, int line) {
  const Reason why = because(fmt::format("`{}`, called at line {}, is not in this file", name, line));
  bool writes = false;
  for (const Expr* a : arguments) {
    const Value v = eval(*a);
    const bool pointer = v.type != nullptr &&
                         (v.type->kind == Kind::pointer || v.type->kind == Kind::vector || v.type->kind == Kind::array);
    writes = writes || pointer;
    poison_pointee(*a, v, why);
  }
  if (writes) note(fmt::format("line {}: `{}` is not in this file; what it may write is unknown", line, name));
  return {.unknown = why};
}

void Machine::poison_pointee(const Expr& argument, const Value& v, Reason why) {
  if (v.type == nullptr || v.unknown != 0) return;
  Address a = 0;
  if (v.type->kind == Kind::pointer || v.type->kind == Kind::array) a = static_cast<Address>(v.i);
  if (v.type->kind == Kind::vector) a = word(static_cast<Address>(v.i));
  Object* o = memory_.object(a);
  if (o == nullptr || o->space == Space::code || o->space == Space::characters) return;
  if (argument.op == Op::string) return;
  memory_.poison_all(a, why);
}

// --- functions of the file ----------------------------------------------------------------------------------------------

/// The name of the function that a value is, as written; empty: it is none.
std::string Machine::function_named(const Value& v) const {
  if (v.unknown != 0 || v.type == nullptr || v.type->kind != Kind::code) return {};
  const auto known = closures_.find(static_cast<Address>(v.i));
  if (known == closures_.end() || known->second.named == nullptr) return {};
  const Expr& e = *known->second.named;
  return std::string(e.source.empty() ? e.text : e.source);
}

Value Machine::call_function(const std::vector<int>& overloads, const Expr& name, std::span<Expr* const> arguments,
                             Address self, int record, int line) {
  std::vector<const Type*> given;
  std::vector<Value> values;
  std::vector<std::size_t> marks;
  for (const Expr* a : arguments) {
    // a list or a lambda is made once the parameter's type is known; what is passed by reference is a place below
    const Value v = a->op == Op::list ? Value{} : decayed(eval(*a));
    values.push_back(v);
    given.push_back(v.type);
  }
  int best = -1;
  const FunctionBody* body = nullptr;
  Bindings* bound = nullptr;
  for (const int f : overloads) {
    const FunctionRange& range = p_.outline.functions[static_cast<std::size_t>(f)];
    const std::size_t most = range.info.parameters.size();
    if (arguments.size() > most && overloads.size() > 1) continue;
    steps_ += cost_of_overload;
    step();
    Bindings bindings;
    if (!deduce(f, name, given, bindings)) continue;
    if (const Bindings* of_class = record >= 0 ? p_.bindings_of(record) : nullptr)
      bindings.insert(bindings.end(), of_class->begin(), of_class->end());
    bindings_.push_back(std::move(bindings));
    body = p_.body(f, bindings_.back(), record);
    if (body == nullptr || body->body == nullptr) {
      bindings_.pop_back();
      body = nullptr;
      continue;
    }
    std::size_t needed = 0;
    bool fits = true;
    for (std::size_t i = 0; i < body->parameters.size(); ++i) {
      const ParameterOf& p = body->parameters[i];
      if (p.initial == nullptr) needed = i + 1;
      if (i >= given.size() || given[i] == nullptr || p.type->kind == Kind::unknown) continue;
      const bool pointer = given[i]->kind == Kind::pointer;
      fits = fits && (pointer == (p.type->kind == Kind::pointer) || p.type->kind == Kind::text ||
                      p.type->kind == Kind::automatic || !p.type->is_number());
      if (overloads.size() > 1 && pointer && p.type->kind == Kind::pointer)
        fits = fits && (given[i]->of == p.type->of || p.type->of == p_.types.void_ || given[i]->of == p_.types.void_);
      if (overloads.size() > 1 && (given[i]->kind == Kind::record || p.type->kind == Kind::record))
        fits = fits && (given[i] == p.type || p.type->kind == Kind::automatic);
      if (overloads.size() > 1 && given[i]->is_number() && p.type->is_number())
        fits = fits && given[i]->kind == p.type->kind;
    }
    if (arguments.size() >= needed && arguments.size() <= body->parameters.size() && (fits || overloads.size() == 1)) {
      best = f;
      bound = &bindings_.back();
      break;
    }
    body = nullptr;
  }
  if (best < 0) return unknown_call(name.text, arguments, line);
  if (depth_ >= limits_.depth) {
    note(fmt::format("line {}: calls are nested deeper than {}", line, limits_.depth));
    return {.unknown = because(fmt::format("line {} calls too deep", line))};
  }
  executed_.insert(best);
  steps_ += cost_of_call;
  Frame& f = frames_.emplace_back();
  f.self = self;
  f.record = record;
  f.bindings = bound;
  f.serial = ++serial_;
  Frame* const caller = frame_;
  for (std::size_t i = 0; i < body->parameters.size(); ++i) {
    const ParameterOf& p = body->parameters[i];
    Slot& s = slot(f, p.slot);
    const Expr* a = i < arguments.size() ? arguments[i] : p.initial;
    if (p.reference && i < arguments.size() && a->op != Op::list) {
      const bool named = a->op == Op::local || a->op == Op::global || a->op == Op::index || a->op == Op::member ||
                         a->op == Op::arrow || a->op == Op::dereference;
      const Place at = named ? place(*a) : Place{};
      if (at.type != nullptr && at.unknown == 0) {
        s = {.type = at.type, .address = at.address, .owned = false};
        continue;
      }
    }
    const Type* t = p.type->kind == Kind::automatic || p.type->kind == Kind::unknown ? nullptr : p.type;
    if (t == nullptr) t = i < given.size() && given[i] != nullptr ? given[i] : p_.types.unknown("parameter");
    const Address memory = slot_memory(s, t);
    if (a == nullptr) continue;
    if (a->op == Op::list) {
      construct(memory, t, a->parts, true, a, line);
    } else if (i < values.size()) {
      if (t->in_memory()) zero(memory, t);
      if (t->kind == Kind::record) note_plain_copy(t, line);
      store({memory, t}, values[i], line);
    } else {
      store({memory, t}, eval(*a), line);
    }
  }
  const Type* const return_before = return_type_;
  const bool reference_before = return_reference_;
  const Address memory_before = returned_memory_;
  return_type_ = body->result;
  return_reference_ = body->result_reference;
  returned_memory_ = 0;
  if (return_type_ != nullptr && return_type_->in_memory() && !return_reference_) {
    returned_memory_ = memory_.make(return_type_->bytes, Space::host, line, 0);
  }
  const Address result = returned_memory_;
  frame_ = &f;
  ++depth_;
  const bool in_main = in_main_;
  in_main_ = false;
  for (const FunctionBody::Initialiser& i : body->initialisers) {
    const Place whole{self, record >= 0 ? p_.types.record_type(record) : nullptr};
    if (const auto m = member(whole, i.member)) construct(m->address, m->type, i.arguments, false, nullptr, line);
  }
  returned_ = {.type = p_.types.void_};
  const bool constant_only = constant_only_;
  constant_only_ = false;
  if (!execute_limited(*body, best, line)) {
    const Reason why = because(fmt::format("`{}`, called at line {}, takes too many steps", name.text, line));
    frame_ = caller;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const bool reference = i < body->parameters.size() && body->parameters[i].reference;
      if (reference && !body->parameters[i].constant) poison_target(*arguments[i], why);
      if (i >= values.size() || values[i].type == nullptr || values[i].unknown != 0) continue;
      std::vector<Address> all;
      if (values[i].type->kind == Kind::pointer) all = reached_from(static_cast<Address>(values[i].i));
      poison_pointee(*arguments[i], values[i], why);
      for (const Address reached : all) memory_.poison_all(reached, why);
    }
    if (self != 0) {
      const std::vector<Address> all = reached_from(self);
      memory_.poison_all(self, why);
      for (const Address reached : all) memory_.poison_all(reached, why);
    }
    poison_globals_of(best, why);
    returned_ = unknown_value(body->result != nullptr ? body->result : p_.types.void_, why);
    if (returned_memory_ != 0) memory_.poison_all(returned_memory_, why);
    if (returned_memory_ != 0) returned_.i = static_cast<std::int64_t>(returned_memory_), returned_.unknown = 0;
  }
  constant_only_ = constant_only;
  Value out = returned_;
  returned_ = {.type = p_.types.void_};
  --depth_;
  in_main_ = in_main;
  frame_ = caller;
  const Type* result_type = body->result;
  const bool by_reference = return_reference_;
  return_type_ = return_before, return_reference_ = reference_before, returned_memory_ = memory_before;
  if (result != 0) temporaries_.push_back(result);
  if (by_reference && out.type != nullptr && out.unknown == 0)
    out = load({static_cast<Address>(out.i), out.type});
  else if (result_type != nullptr && result_type->kind != Kind::automatic && result_type->kind != Kind::unknown &&
           result_type->kind != Kind::void_)
    out = convert(out, result_type);
  f.alive = false;
  for (Slot& s : f.slots)
    if (s.owned) {
      const Object* o = memory_.object(s.address);
      if (o != nullptr && s.address != static_cast<Address>(out.i)) memory_.release(s.address);
      s = {};
    }
  // the last frames that nobody can name any more
  while (!frames_.empty() && !frames_.back().alive && &frames_.back() == &f && closures_.empty()) {
    frames_.pop_back();
    break;
  }
  return out;
}

/// Executes the body of a function that launches nothing, like a loop, up to a budget: what it computes must not keep from
/// what comes behind it. False: it was left, and everything is as before the body but memory.
bool Machine::execute_limited(const FunctionBody& body, int function, int line) {
  if (limited_ || !loops_.empty() || may_launch(function)) return execute(*body.body), true;
  const std::size_t me = loops_.size();
  const std::uint64_t budget = begin_loop();
  const Mark before = mark();
  limited_ = true;
  bool whole = true;
  try {
    execute(*body.body);
  } catch (const Abandon& a) {
    if (a.loop != me) {
      limited_ = false;
      throw;
    }
    whole = false;
    go_back(before);
    in_main_ = false, pending_ = Flow::next;
    note(fmt::format("line {}: this call takes more than {} steps and is left; what it computes is unknown", line,
                     budget));
  }
  limited_ = false;
  loops_.resize(me);
  return whole;
}

Value Machine::call_lambda(const Value& code, std::span<Expr* const> arguments, int line) {
  const auto found = closures_.find(static_cast<Address>(code.i));
  if (found == closures_.end()) return unknown_call("a function pointer", arguments, line);
  const Closure closure = found->second;
  if (closure.named != nullptr) {
    const auto own = p_.functions.find(closure.name);
    if (own == p_.functions.end()) return unknown_call(closure.name, arguments, line);
    return call_function(own->second, *closure.named, arguments, 0, -1, line);
  }
  const Expr& lambda = *closure.lambda;
  if (lambda.body == nullptr || closure.frame == nullptr || !closure.frame->alive ||
      closure.frame->serial != closure.serial)
    return unknown_call("a lambda", arguments, line);
  if (depth_ >= limits_.depth) return {.unknown = because(fmt::format("line {} calls too deep", line))};
  std::vector<Value> values;
  std::vector<Place> places;
  for (std::size_t i = 0; i < lambda.slots.size(); ++i) {
    const bool reference = i < lambda.words.size() && lambda.words[i] == "&";
    places.push_back(reference && i < arguments.size() ? place(*arguments[i]) : Place{});
    values.push_back(!reference && i < arguments.size() ? decayed(eval(*arguments[i])) : Value{});
  }
  Frame* const caller = frame_;
  const Type* const return_before = return_type_;
  const bool reference_before = return_reference_;
  const Address memory_before = returned_memory_;
  frame_ = closure.frame;
  for (std::size_t i = 0; i < lambda.slots.size(); ++i) {
    Slot& s = slot(*frame_, lambda.slots[i]);
    if (places[i].type != nullptr && places[i].unknown == 0) {
      s = {.type = places[i].type, .address = places[i].address, .owned = false};
      continue;
    }
    const Type* t = lambda.types[i];
    if (t->kind == Kind::automatic || t->kind == Kind::unknown)
      t = values[i].type != nullptr ? values[i].type : p_.types.unknown("auto");
    if (!s.owned) s = {};
    store({slot_memory(s, t), t}, values[i], line);
  }
  return_type_ = nullptr, return_reference_ = false, returned_memory_ = 0;
  returned_ = {.type = p_.types.void_};
  ++depth_;
  execute(*lambda.body);
  --depth_;
  const Value out = returned_;
  frame_ = caller;
  return_type_ = return_before, return_reference_ = reference_before, returned_memory_ = memory_before;
  return out;
}

}  // namespace lanescope::source::host
