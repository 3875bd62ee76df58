#include <algorithm>

#include <fmt/format.h>

#include "kernels/source/cxx/declaration.h"
#include "kernels/source/host/machine.h"

namespace lanescope::source::host {
namespace {

constexpr std::uint64_t most_constructed = 1 << 20;  ///< elements of an array of structures

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
    if (name == "M_PI") return real(3.14159265358979323846, p_.types.double_);
    if (name.starts_with("cudaHostAlloc") || name.starts_with("cudaMemAttach") || name.starts_with("cudaStream") ||
        name.starts_with("cudaEvent") || name.starts_with("cudaFuncAttribute") || name.starts_with("cudaFuncCache") ||
        name.starts_with("cudaDevice"))
      return number(0, p_.types.int_);
    return {.unknown = because(fmt::format("`{}` is not declared in this file", name))};
  }
  const auto known = code_.find(e.source);
  if (known != code_.end()) return {.type = p_.types.code, .i = static_cast<std::int64_t>(known->second)};
  const Address a = memory_.make(1, Space::code, e.line, 0);
  closures_[a] = {.name = e.text, .named = &e};
  code_[std::string(e.source)] = a;
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

/// Binds the parameters of a function's template: as written, else from the types of its arguments, else by default.
bool Machine::deduce(int function, const Expr& name, const std::vector<const Type*>& given, Bindings& out) {
  const std::vector<TemplateParameter> parameters = p_.template_parameters(function);
  const FunctionRange& f = p_.outline.functions[static_cast<std::size_t>(function)];
  if (name.words.size() > parameters.size() && (parameters.empty() || !parameters.back().is_pack)) return false;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const TemplateParameter& p = parameters[i];
    Bound b{.name = p.name};
    if (i < name.words.size()) {
      b.type = i < name.types.size() ? name.types[i] : nullptr;
      b.spelled = b.type != nullptr ? spelled(b.type) : std::string(name.words[i]);
      if (b.type == nullptr && i < name.more.size() && name.more[i] != nullptr) {
        const Value v = convert(eval(*name.more[i]), p_.types.i64);
        const bool word = name.words[i] == "true" || name.words[i] == "false";
        if (v.unknown == 0) b.value = v.i, b.spelled = word ? b.spelled : std::to_string(v.i);
      }
    } else if (p.is_type) {
      for (std::size_t a = 0; a < f.info.parameters.size() && a < given.size() && b.type == nullptr; ++a) {
        if (given[a] == nullptr) continue;
        const Lexed pattern = lex(f.info.parameters[a].type);
        int stars = 0;
        bool here = false, vector = false;
        for (int t = 0; t < pattern.count(); ++t) {
          stars += pattern.is(t, "*") || (pattern.is(t, "[") ? 1 : 0);
          here |= pattern.of(t) == p.name;
          vector |= pattern.is(t, "vector") || pattern.is(t, "device_vector") || pattern.is(t, "host_vector");
        }
        if (!here) continue;
        const Type* t = given[a];
        if (t->kind == Kind::array) t = p_.types.pointer_to(t->of);
        if (vector && t->kind == Kind::vector) t = t->of;
        for (; stars > 0 && t != nullptr; --stars) t = t->kind == Kind::pointer ? t->of : nullptr;
        if (t != nullptr && t->kind != Kind::unknown) b.type = t;
      }
      if (b.type != nullptr) b.spelled = spelled(b.type);
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
    Bindings bindings;
    if (!deduce(f, name, given, bindings)) continue;
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
  execute(*body->body);
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

Value Machine::method(const Place& object, const Expr& member_name, std::span<Expr* const> arguments, int line) {
  const std::string_view name = member_name.text;
  if (object.unknown == 0 && object.type != nullptr) {
    if (object.type->kind == Kind::vector) return vector_method(object, name, arguments, line);
    if (object.type->kind == Kind::record) {
      const Record& r = p_.types.record(object.type->record);
      std::vector<int> own;
      for (const int f : r.methods)
        if (p_.outline.functions[static_cast<std::size_t>(f)].info.name == name) own.push_back(f);
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

// --- std::vector ----------------------------------------------------------------------------------------------------------

void Machine::resize(const Place& vector, std::uint64_t elements, int line) {
  const std::uint64_t bytes = vector.type->of->bytes;
  const std::uint64_t count = word(vector.address + 8), capacity = word(vector.address + 16);
  if (elements > capacity) {
    const bool grows = capacity > 0 && elements < 2 * capacity;
    const std::uint64_t room = grows ? 2 * capacity : elements;
    const Space space = vector.type->device ? Space::device : Space::host;
    Value v = fresh(room * bytes, space, line, 0);
    if (Object* o = memory_.object(static_cast<Address>(v.i))) {
      o->element = vector.type->of;
      if (const Object* own = memory_.object(vector.address)) o->name = own->name;
      if (vector.type->device) buffer_of(*o);
    }
    if (count > 0) memory_.copy(static_cast<Address>(v.i), word(vector.address), std::min(count, elements) * bytes);
    set_word(vector.address, static_cast<std::uint64_t>(v.i));
    set_word(vector.address + 16, room);
  }
  if (elements > count && elements <= capacity)
    memory_.fill(word(vector.address) + count * bytes, std::byte{0}, (elements - count) * bytes, 0);
  set_word(vector.address + 8, elements);
}

Value Machine::vector_method(const Place& v, std::string_view name, std::span<Expr* const> arguments, int line) {
  if (memory_.first_unknown(v.address, 24) != 0) {
    const Reason why = memory_.first_unknown(v.address, 24);
    for (const Expr* a : arguments) eval(*a);
    return {.unknown = why};
  }
  const Type* of = v.type->of;
  const Type* pointer = p_.types.pointer_to(of);
  const std::uint64_t count = word(v.address + 8);
  const auto nothing = Value{.type = p_.types.void_};
  if (name == "size") return number(static_cast<std::int64_t>(count), p_.types.u64);
  if (name == "empty") return number(count == 0 ? 1 : 0, p_.types.bool_);
  if (name == "data" || name == "begin" || name == "cbegin")
    return {.type = pointer, .i = static_cast<std::int64_t>(word(v.address))};
  if (name == "end" || name == "cend")
    return {.type = pointer, .i = static_cast<std::int64_t>(word(v.address) + count * of->bytes)};
  if (name == "front") return load({word(v.address), of});
  if (name == "back") return load({word(v.address) + (count - 1) * of->bytes, of});
  if (name == "at" && arguments.size() == 1) {
    const Value i = convert(eval(*arguments[0]), p_.types.i64);
    return load({word(v.address) + static_cast<std::uint64_t>(i.i) * of->bytes, of, i.unknown});
  }
  if (name == "clear") return set_word(v.address + 8, 0), nothing;
  if (name == "pop_back") return set_word(v.address + 8, count > 0 ? count - 1 : 0), nothing;
  if (name == "reserve" || name == "shrink_to_fit") {
    for (const Expr* a : arguments) eval(*a);
    return nothing;
  }
  if (name == "push_back" || name == "emplace_back") {
    Value x;
    const bool list = arguments.size() != 1 || arguments[0]->op == Op::list;
    if (!list) x = eval(*arguments[0]);
    resize(v, count + 1, line);
    const Address at = word(v.address) + count * of->bytes;
    if (list) {
      const bool braces = arguments.size() == 1;
      construct(at, of, braces ? std::span<Expr* const>(arguments[0]->parts) : arguments, braces,
                braces ? arguments[0] : nullptr, line);
    } else {
      store({at, of}, x, line);
    }
    return nothing;
  }
  if ((name == "resize" || name == "assign") && !arguments.empty()) {
    const Value n = convert(eval(*arguments[0]), p_.types.i64);
    Value x;
    if (arguments.size() > 1) x = eval(*arguments[1]);
    if (n.unknown != 0 || n.i < 0) {
      memory_.poison_all(v.address, n.unknown != 0 ? n.unknown : because("its size is negative"));
      return nothing;
    }
    const std::uint64_t from = name == "assign" ? 0 : count;
    resize(v, static_cast<std::uint64_t>(n.i), line);
    if (arguments.size() > 1)
      for (std::uint64_t i = from; i < static_cast<std::uint64_t>(n.i); ++i) {
        step();
        store({word(v.address) + i * of->bytes, of}, x, line);
      }
    return nothing;
  }
  if (name == "swap" && arguments.size() == 1) {
    const Place other = place(*arguments[0]);
    for (std::uint64_t w = 0; w < 24; w += 8) {
      const std::uint64_t mine = word(v.address + w), theirs = word(other.address + w);
      set_word(v.address + w, theirs), set_word(other.address + w, mine);
    }
    return nothing;
  }
  for (const Expr* a : arguments) eval(*a);
  const Reason why = because(fmt::format("the method `{}` at line {} is not known", name, line));
  memory_.poison_all(word(v.address), why);
  return {.unknown = why};
}

// --- what a declaration makes ---------------------------------------------------------------------------------------------

void Machine::construct(Address at, const Type* t, std::span<Expr* const> arguments, bool list, const Expr* words,
                        int line) {
  if (at == 0) return;
  switch (t->kind) {
    case Kind::boolean:
    case Kind::integer:
    case Kind::floating:
    case Kind::pointer:
    case Kind::code:
      if (arguments.empty()) {
        if (list) zero(at, t);
        return;
      }
      return store({at, t}, eval(*arguments[0]), line);
    case Kind::array: {
      const std::uint64_t each = t->of->bytes;
      if (arguments.size() == 1 && arguments[0]->op == Op::string) {
        const Value v = eval(*arguments[0]);
        zero(at, t);
        if (const Object* o = memory_.object(static_cast<Address>(v.i)))
          memory_.copy(at, static_cast<Address>(v.i), std::min(o->bytes, t->bytes));
        return;
      }
      if (list || !arguments.empty()) zero(at, t);
      const bool simple = t->of->is_number() || t->of->kind == Kind::pointer;
      // braces that were left out: the numbers fill the rows one after the other
      const Type* inner = t->of;
      while (inner->kind == Kind::array) inner = inner->of;
      const bool flat = list && t->of->kind == Kind::array &&
                        std::none_of(arguments.begin(), arguments.end(),
                                     [](const Expr* e) { return e->op == Op::list || e->op == Op::string; });
      if (flat) {
        for (std::uint64_t i = 0; i < arguments.size() && (i + 1) * inner->bytes <= t->bytes; ++i)
          store({at + i * inner->bytes, inner}, eval(*arguments[i]), line);
        return;
      }
      for (std::uint64_t i = 0; i < t->count; ++i) {
        if (i >= arguments.size() && (simple || i > most_constructed)) return;
        if (i >= arguments.size() && (t->of->kind == Kind::unknown || (t->of->kind == Kind::array && list))) return;
        step();
        const Address element = at + i * each;
        if (i >= arguments.size()) {
          construct(element, t->of, {}, false, nullptr, line);
        } else if (arguments[i]->op == Op::list) {
          construct(element, t->of, arguments[i]->parts, true, arguments[i], line);
        } else {
          construct(element, t->of, arguments.subspan(i, 1), false, nullptr, line);
        }
      }
      return;
    }
    case Kind::record:
      return construct_record(at, t, arguments, list, words, line);
    case Kind::vector:
      return construct_vector(at, t, arguments, list, line);
    case Kind::text:
      zero(at, t);
      if (arguments.size() == 1) {
        const Value v = decayed(eval(*arguments[0]));
        if (v.unknown != 0 || v.type == nullptr) {
          memory_.poison_all(at, v.unknown != 0 ? v.unknown : because("it has no value"));
        } else {
          set_word(at, v.type->kind == Kind::text ? word(static_cast<Address>(v.i)) : static_cast<std::uint64_t>(v.i));
        }
      }
      return;
    case Kind::random:
      zero(at, t);
      for (std::size_t i = 0; i < 2; ++i) {
        const double standard = i == 1 ? 1 : 0;
        const Value v =
            i < arguments.size() ? convert(eval(*arguments[i]), p_.types.double_) : real(standard, p_.types.double_);
        store({at + 8 + 8 * i, p_.types.double_}, v.unknown != 0 ? real(standard, p_.types.double_) : v, line);
      }
      return;
    default:
      for (const Expr* a : arguments) eval(*a);
      memory_.poison_all(at, because(fmt::format("the type {} is not known", t->name)));
  }
}

void Machine::construct_record(Address at, const Type* t, std::span<Expr* const> arguments, bool list,
                               const Expr* words, int line) {
  const Record& r = p_.types.record(t->record);
  if (arguments.size() == 1 && arguments[0]->op != Op::list &&
      (words == nullptr || words->words.empty() || words->words[0].empty())) {
    const Value v = eval(*arguments[0]);
    if (v.type != nullptr && v.type->kind == Kind::record && v.type->record == t->record)
      return store({at, t}, v, line);
    if (v.unknown != 0 && !r.of_file && t != p_.types.dim3) {
      memory_.write(at, t->bytes, nullptr, v.unknown);
      return;
    }
  }
  std::vector<int> constructors;
  for (const int f : r.methods)
    if (p_.outline.functions[static_cast<std::size_t>(f)].info.name == r.name) constructors.push_back(f);
  if (!r.of_file || list || !arguments.empty() || !constructors.empty()) {
    if (!r.of_file && t == p_.types.dim3) {
      const std::uint32_t ones[3] = {1, 1, 1};
      memory_.write(at, sizeof ones, ones, 0);
    } else if (!r.of_file || list || (!arguments.empty() && constructors.empty())) {
      zero(at, t);
    }
  }
  for (const Member& m : r.members) {
    if (m.initial == nullptr) {
      if (m.type->kind == Kind::vector || m.type->kind == Kind::text ||
          (m.type->kind == Kind::record && arguments.empty()))
        construct(at + m.offset, m.type, {}, false, nullptr, line);
      continue;
    }
    if (m.initial->op == Op::list) {
      construct(at + m.offset, m.type, m.initial->parts, true, m.initial, line);
    } else {
      store({at + m.offset, m.type}, eval(*m.initial), line);
    }
  }
  if (!constructors.empty() && depth_ < limits_.depth) {
    bool fits = false;
    for (const int f : constructors)
      fits |= p_.outline.functions[static_cast<std::size_t>(f)].info.parameters.size() >= arguments.size();
    Expr name;
    name.op = Op::name;
    name.text = r.name;
    name.line = line;
    if (fits) call_function(constructors, name, arguments, at, t->record, line);
    return;
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view named = words != nullptr && i < words->words.size() ? words->words[i] : std::string_view();
    const Member* m = !named.empty() ? r.find(named) : i < r.members.size() ? &r.members[i] : nullptr;
    if (m == nullptr) continue;
    if (arguments[i]->op == Op::list) {
      construct(at + m->offset, m->type, arguments[i]->parts, true, arguments[i], line);
    } else {
      store({at + m->offset, m->type}, eval(*arguments[i]), line);
    }
  }
}

void Machine::construct_vector(Address at, const Type* t, std::span<Expr* const> arguments, bool list, int line) {
  const Place v{at, t};
  zero(at, t);
  if (arguments.empty()) return;
  const bool nested = std::any_of(arguments.begin(), arguments.end(), [](const Expr* e) { return e->op == Op::list; });
  if (list || nested) {
    const std::span<Expr* const> elements = !list && nested ? std::span<Expr* const>(arguments[0]->parts) : arguments;
    resize(v, elements.size(), line);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const Address element = word(at) + i * t->of->bytes;
      if (elements[i]->op == Op::list) {
        construct(element, t->of, elements[i]->parts, true, elements[i], line);
      } else {
        store({element, t->of}, eval(*elements[i]), line);
      }
    }
    return;
  }
  const Value first = decayed(eval(*arguments[0]));
  if (first.unknown != 0 || first.type == nullptr) {
    memory_.poison_all(at, first.unknown != 0 ? first.unknown : because("its size has no value"));
    return;
  }
  if (first.type->kind == Kind::vector) {  // a copy, of the host or of the device
    const auto from = static_cast<Address>(first.i);
    const std::uint64_t count = word(from + 8);
    resize(v, count, line);
    if (first.type->of == t->of) memory_.copy(word(at), word(from), count * t->of->bytes);
    return;
  }
  if (first.type->kind == Kind::pointer && arguments.size() == 2) {
    const Value end = decayed(eval(*arguments[1]));
    if (end.unknown != 0 || end.type == nullptr || end.type->kind != Kind::pointer || end.i < first.i) return;
    const std::uint64_t bytes = static_cast<std::uint64_t>(end.i - first.i),
                        each = std::max<std::uint64_t>(t->of->bytes, 1);
    resize(v, bytes / each, line);
    if (first.type->of == t->of) memory_.copy(word(at), static_cast<Address>(first.i), bytes / each * each);
    return;
  }
  const Value n = convert(first, p_.types.i64);
  if (n.unknown != 0 || n.i < 0) {
    memory_.poison_all(at, n.unknown != 0 ? n.unknown : because("its size is negative"));
    return;
  }
  resize(v, static_cast<std::uint64_t>(n.i), line);
  const bool records = t->of->kind == Kind::vector || t->of->kind == Kind::record;
  if (arguments.size() < 2 && !records) return;
  Value x;
  if (arguments.size() > 1) x = eval(*arguments[1]);
  if (arguments.size() > 1 && x.unknown == 0 && x.type != nullptr && x.type->is_number() && x.i == 0 && x.f == 0 &&
      t->of->is_number())
    return;
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(n.i) && i < most_constructed * 16; ++i) {
    step();
    const Address element = word(at) + i * t->of->bytes;
    if (arguments.size() > 1) {
      store({element, t->of}, x, line);
    } else {
      construct(element, t->of, {}, false, nullptr, line);
    }
  }
}

}  // namespace lanescope::source::host
