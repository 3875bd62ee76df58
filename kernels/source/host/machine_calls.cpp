#include <algorithm>

#include <fmt/format.h>

#include "kernels/base/text.h"
#include "kernels/source/cxx/declaration.h"
#include "kernels/source/host/machine.h"

namespace lanescope::source::host {
namespace {

constexpr std::uint64_t cost_of_call = 40;      ///< steps: frames and their variables are made
constexpr std::uint64_t cost_of_overload = 20;  ///< steps: whether its parameters fit

/// How C++ writes a type, as far as a kernel's template argument needs it.
std::string spelled(const Type* t) { return t->name; }

}  // namespace

/// A function or kernel as a value.
Value Machine::function_value(std::string_view name, const Expr& e) {
  if (!p_.functions.contains(name)) {
    static constexpr std::string_view zeros[] = {"cudaSuccess", "cudaMemcpyHostToHost", "EXIT_SUCCESS", "CUDA_SUCCESS"};
    if (std::find(std::begin(zeros), std::end(zeros), name) != std::end(zeros)) return number(0, p_.types.int_);
    if (name == "cudaMemcpyHostToDevice") return number(1, p_.types.int_);
    if (name == "cudaMemcpyDeviceToHost") return number(2, p_.types.int_);
    if (name == "cudaMemcpyDeviceToDevice") return number(3, p_.types.int_);
    if (name == "cudaMemcpyDefault") return number(4, p_.types.int_);
    if (name == "cudaLaunchAttributeClusterDimension") return number(4, p_.types.int_);
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
    if (name.starts_with("cudaHostAlloc") || name.starts_with("cudaMemAttach") || name.starts_with("cudaStream") ||
        name.starts_with("cudaEvent") || name.starts_with("cudaFuncAttribute") || name.starts_with("cudaFuncCache") ||
        name.starts_with("cudaDevice"))
      return number(0, p_.types.int_);
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

/// What a parameter of a template stands for, where tokens [first, last) of a function's parameter are to be of type `t`.
void Machine::bind_from(const Lexed& l, int first, int last, const Type* t, const TemplateParameter& p, Bound& out) {
  static constexpr std::string_view before[] = {"const", "volatile", "typename", "struct", "class", "::"};
  static constexpr std::string_view behind[] = {"const",        "volatile",   "&",       "&&",
                                                "__restrict__", "__restrict", "restrict"};
  const auto element = [](const Type* of) {
    return of->kind == Kind::pointer || of->kind == Kind::array ? of->of : nullptr;
  };
  while (first < last && t != nullptr) {
    const std::string_view word = l.of(last - 1);
    if (word == "*") {
      t = element(t);
    } else if (word == "]") {
      while (last - 1 > first && !l.is(last - 1, "[")) --last;
      t = element(t);
    } else if (!one_of(word, behind)) {
      break;
    }
    --last;
  }
  while (first < last && (one_of(l.of(first), before) || l.is(first + 1, "::"))) ++first;
  if (first >= last || t == nullptr || t->kind == Kind::unknown) return;
  const std::string_view head = l.of(first);
  if (last - first == 1) {
    if (head == p.name && p.is_type) out.type = t->kind == Kind::array ? p_.types.pointer_to(t->of) : t;
    return;
  }
  if (!l.is(first + 1, "<") || !l.is(last - 1, ">")) return;
  std::vector<std::pair<int, int>> arguments;
  int depth = 0, begun = first + 2;
  for (int i = begun; i < last; ++i) {
    if (l.is(i, "<") || l.is(i, "(")) ++depth;
    const bool ends = i == last - 1 || (l.is(i, ",") && depth == 0);
    if (!ends && (l.is(i, ">") || l.is(i, ")"))) --depth;
    if (!ends) continue;
    arguments.emplace_back(begun, i);
    begun = i + 1;
  }
  const auto is_parameter = [&](std::size_t i) {
    return i < arguments.size() && arguments[i].second - arguments[i].first == 1 && l.of(arguments[i].first) == p.name;
  };
  const auto inner = [&](std::size_t i, const Type* of) {
    if (i < arguments.size()) bind_from(l, arguments[i].first, arguments[i].second, of, p, out);
  };
  if (t->kind == Kind::vector) return inner(0, t->of);
  if (t->kind == Kind::array && head == "array") {
    if (!p.is_type && is_parameter(1)) out.value = static_cast<std::int64_t>(t->count);
    return inner(0, t->of);
  }
  if (t->kind == Kind::pointer) return head.ends_with("_ptr") ? inner(0, t->of) : void();
  const Bindings* own = t->kind == Kind::record ? p_.bindings_of(t->record) : nullptr;
  if (own == nullptr || p_.types.record(t->record).of_template != head) return;
  for (std::size_t i = 0; i + 1 < own->size(); ++i) {  // the last one is its own name
    if ((*own)[i].type != nullptr) {
      inner(i, (*own)[i].type);
    } else if (!p.is_type && is_parameter(i)) {
      out.value = (*own)[i].value;
    }
  }
}

/// Binds the parameters of a function's template: as written, else from the types of its arguments, else by default.
bool Machine::deduce(int function, const Expr& name, const std::vector<const Type*>& given, Bindings& out) {
  const std::vector<TemplateParameter>& parameters = p_.template_parameters(function);
  const FunctionRange& f = p_.outline.functions[static_cast<std::size_t>(function)];
  if (name.words.size() > parameters.size() && (parameters.empty() || !parameters.back().is_pack)) return false;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const TemplateParameter& p = parameters[i];
    Bound b{.name = p.name};
    if (i < name.words.size()) {
      b.type = i < name.types.size() ? name.types[i] : nullptr;
      b.spelled = b.type != nullptr ? spelled(b.type) : std::string(name.words[i]);
      if (b.type == nullptr && i < name.more.size() && name.more[i] != nullptr) {
        const Value given_value = eval(*name.more[i]);
        const Value v = convert(given_value, p_.types.i64);
        const bool word = name.words[i] == "true" || name.words[i] == "false";
        if (const std::string named = function_named(given_value); !named.empty())
          b.spelled = named;
        else if (v.unknown == 0)
          b.value = v.i, b.spelled = word ? b.spelled : std::to_string(v.i);
        else if (frame_ != nullptr && frame_->bindings != nullptr)  // an enumerator of a header, handed on
          for (const Bound& outer : *frame_->bindings)
            if (outer.name == name.words[i] && !outer.spelled.empty()) b.spelled = outer.spelled;
      }
    } else {
      for (std::size_t a = 0; a < f.info.parameters.size() && a < given.size() && b.type == nullptr && !b.value; ++a) {
        const Lexed& words = p_.type_of_parameter(function, a);
        bind_from(words, 0, words.count(), given[a], p, b);
      }
      if (b.type != nullptr) b.spelled = spelled(b.type);
      if (b.value) b.spelled = std::to_string(*b.value);
    }
    if (b.type == nullptr && !b.value && b.spelled.empty() && p.has_default) {
      b.spelled = joined(p_.lexed, p.first, p.last - 1);
      if (p.is_type) {
        b.type = p_.types.named(b.spelled);
        if (const auto own = p_.type_names.find(b.spelled); own != p_.type_names.end()) b.type = own->second;
      } else {
        const Lexed text = lex(b.spelled);
        if (text.count() == 1 && text.token(0).kind == TokenKind::number)
          b.value = std::strtoll(b.spelled.c_str(), nullptr, 0);
        if (b.spelled == "true" || b.spelled == "false") b.value = b.spelled == "true";
        if (const auto c = p_.constants.find(b.spelled); c != p_.constants.end()) b.value = c->second;
      }
    }
    if (b.spelled.empty() && !p.is_pack) return false;
    if (!b.spelled.empty()) out.push_back(std::move(b));
  }
  return true;
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
  const std::size_t me = loops_.size(), held = temporaries_.size();
  const std::uint64_t left = limits_.steps > steps_ ? limits_.steps - steps_ : 0;
  std::uint64_t budget = std::min(limits_.loop_steps, left / 2 + 1000);
  if (out_.launch_count > 0) budget /= 4;
  loops_.push_back({steps_ + std::max<std::uint64_t>(budget, 500)});
  Frame* const frame = frame_;
  const int depth = depth_, eval_depth = eval_depth_, statement_depth = statement_depth_, unsure = uncertain_;
  const Reason unsure_why = uncertain_why_;
  const Type* const return_type = return_type_;
  const bool return_reference = return_reference_;
  const Address returned_memory = returned_memory_;
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
    while (temporaries_.size() > held) {
      memory_.release(temporaries_.back());
      temporaries_.pop_back();
    }
    frame_ = frame, depth_ = depth, eval_depth_ = eval_depth, statement_depth_ = statement_depth;
    uncertain_ = unsure, uncertain_why_ = unsure_why, in_main_ = false, pending_ = Flow::next;
    return_type_ = return_type, return_reference_ = return_reference, returned_memory_ = returned_memory;
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

/// Of `operator=`: "="; of `operator()`: "("; empty for any other function.
std::string_view Machine::operator_of(int function) const {
  const FunctionRange& f = p_.outline.functions[static_cast<std::size_t>(function)];
  for (int t = f.head; t + 1 < f.open; ++t)
    if (p_.lexed.is(t, "operator")) return p_.lexed.of(t + 1);
  return {};
}

/// `object = value` where the structure has an operator of its own for that.
std::optional<Value> Machine::assigned_by_operator(const Place& object, const Expr& right, int line) {
  if (object.type == nullptr || object.unknown != 0 || object.type->kind != Kind::record) return std::nullopt;
  std::vector<int> own;
  for (const int f : p_.types.record(object.type->record).methods) {
    const FunctionRange& range = p_.outline.functions[static_cast<std::size_t>(f)];
    if (operator_of(f) == "=" && range.info.parameters.size() == 1 && range.close > range.open) own.push_back(f);
  }
  if (own.empty() || depth_ >= limits_.depth) return std::nullopt;
  Expr name;
  name.op = Op::member;
  name.text = "operator";
  name.line = line;
  Expr* const argument = const_cast<Expr*>(&right);
  call_function(own, name, {&argument, 1}, object.address, object.type->record, line);
  return load(object);
}

/// Says that a structure with a copy constructor of its own is copied without it.
void Machine::note_plain_copy(const Type* t, int line, int depth) {
  constexpr int deepest_copy = 8;
  while (t != nullptr && t->kind == Kind::array) t = t->of;
  if (t == nullptr || t->kind != Kind::record || depth > deepest_copy) return;
  const Record& r = p_.types.record(t->record);
  const std::string_view own_name = r.of_template.empty() ? std::string_view(r.name) : r.of_template;
  for (const int f : r.methods) {
    const Function& info = p_.outline.functions[static_cast<std::size_t>(f)].info;
    if (info.name != own_name || info.parameters.size() != 1) continue;
    const std::string& type = info.parameters[0].type;
    if (type.find(own_name) != std::string::npos && type.find('&') != std::string::npos &&
        type.find("&&") == std::string::npos)
      return note(fmt::format("line {}: a copy of {} is taken as one of its bytes; its copy constructor is not called",
                              line, r.name));
  }
  for (const Member& m : r.members) note_plain_copy(m.type, line, depth + 1);
}

Value Machine::method(const Place& object, const Expr& member_name, std::span<Expr* const> arguments, int line) {
  const std::string_view name = member_name.text;
  if (object.unknown == 0 && object.type != nullptr) {
    if (object.type->kind == Kind::vector) return vector_method(object, name, arguments, line);
    if (object.type->kind == Kind::record) {
      const Record& r = p_.types.record(object.type->record);
      std::vector<int> own;
      for (const int f : r.methods)
        if (p_.outline.functions[static_cast<std::size_t>(f)].info.name == name &&
            (name != "operator" || operator_of(f) == "("))
          own.push_back(f);
      if (!own.empty()) return call_function(own, member_name, arguments, object.address, object.type->record, line);
      if (const auto m = member(object, name)) {
        const Value v = load(*m);
        if (v.unknown == 0 && v.type->kind == Kind::code) return call_lambda(v, arguments, line);
      }
    }
    if (object.type->kind == Kind::array) {
      if (name == "size") return number(static_cast<std::int64_t>(object.type->count), p_.types.u64);
      if (name == "data" || name == "begin")
        return {.type = p_.types.pointer_to(object.type->of), .i = static_cast<std::int64_t>(object.address)};
      if (name == "end")
        return {.type = p_.types.pointer_to(object.type->of),
                .i = static_cast<std::int64_t>(object.address + object.type->bytes)};
      if (name == "fill" && arguments.size() == 1) {
        const Value v = eval(*arguments[0]);
        for (std::uint64_t i = 0; i < object.type->count; ++i) {
          step();
          store({object.address + i * object.type->of->bytes, object.type->of}, v, line);
        }
        return {.type = p_.types.void_};
      }
    }
    if (object.type->kind == Kind::pointer && name == "get") return load(object);
    if (object.type->kind == Kind::text) {
      if (name == "c_str" || name == "data")
        return {.type = p_.types.characters, .i = static_cast<std::int64_t>(word(object.address))};
      if (name == "size" || name == "length" || name == "empty") {
        const std::string text =
            text_of({.type = p_.types.characters, .i = static_cast<std::int64_t>(word(object.address))});
        return name == "empty" ? number(text.empty() ? 1 : 0, p_.types.bool_)
                               : number(static_cast<std::int64_t>(text.size()), p_.types.u64);
      }
    }
    if (object.type->kind == Kind::random && (name == "seed" || name == "reset")) return {.type = p_.types.void_};
  }
  const Reason why = object.unknown != 0 ? object.unknown
                                         : because(fmt::format("the method `{}` at line {} is not known", name, line));
  for (const Expr* a : arguments) poison_pointee(*a, eval(*a), why);
  return {.unknown = why};
}

}  // namespace lanescope::source::host
