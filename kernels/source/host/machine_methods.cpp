// Methods and operators of the structures and containers of host code.

#include <algorithm>

#include <fmt/format.h>

#include "kernels/base/text.h"
#include "kernels/source/cxx/declaration.h"
#include "kernels/source/host/machine.h"

namespace lanescope::source::host {

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
      return assume(Assumption::Code::host_action, line, fmt::format("copies the bytes of {}", r.name),
                    "its copy constructor is not called");
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
