#include <algorithm>

#include <fmt/format.h>

#include "kernels/source/cxx/number_types.h"
#include "kernels/source/host/machine.h"
#include "kernels/source/host/program/template_guess.h"

namespace lanescope::source::host {
namespace {

constexpr std::size_t most_fields = 256;
constexpr std::int64_t longest_extent = 0x7fffffff;

/// Whether a parameter's type lets a kernel write what it points to.
bool points_to_const(std::string_view type) {
  const std::size_t star = type.find_first_of("*[&");
  if (star == std::string_view::npos) return false;
  const std::size_t word = type.find("const");
  return word != std::string_view::npos && word < star;
}

bool has_word(std::string_view text, std::string_view word) {
  const Lexed lexed = lex(text);
  for (int i = 0; i < lexed.count(); ++i)
    if (lexed.of(i) == word) return true;
  return false;
}

}  // namespace

/// The first with so many parameters, else the first that has default arguments for the others, else the first.
int Machine::kernel_named(std::string_view name, std::size_t arguments) const {
  const auto found = p_.functions.find(name);
  if (found == p_.functions.end()) return -1;
  int first = -1, with_defaults = -1;
  for (const int f : found->second) {
    const FunctionRange& range = p_.outline.functions[static_cast<std::size_t>(f)];
    if (!range.info.is_kernel) continue;
    const std::vector<Parameter>& parameters = range.info.parameters;
    if (parameters.size() == arguments) return f;
    if (first < 0) first = f;
    if (with_defaults < 0 && arguments < parameters.size() && !parameters[arguments].initial.empty()) with_defaults = f;
  }
  return with_defaults >= 0 ? with_defaults : first;
}

std::optional<std::array<std::uint32_t, 3>> Machine::extents(const Value& v, std::string_view what, HostLaunch& l) {
  const auto fail = [&](Reason why) -> std::optional<std::array<std::uint32_t, 3>> {
    l.because.push_back(fmt::format("the {} is unknown, because {}", what, memory_.words(why)));
    return std::nullopt;
  };
  if (v.unknown != 0 || v.type == nullptr) return fail(v.unknown != 0 ? v.unknown : because("it has no value"));
  std::array<std::int64_t, 3> e{1, 1, 1};
  if (v.type->kind == Kind::record) {
    const Record& r = p_.types.record(v.type->record);
    if (r.members.empty() || r.members.size() > 3) return fail(because("it is no dim3"));
    for (std::size_t m = 0; m < r.members.size(); ++m) {
      const Value each =
          convert(load({static_cast<Address>(v.i) + r.members[m].offset, r.members[m].type}), p_.types.i64);
      if (each.unknown != 0) return fail(each.unknown);
      e[m] = each.i;
    }
  } else {
    const Value n = convert(v, p_.types.i64);
    if (n.unknown != 0) return fail(n.unknown);
    e[0] = n.i;
  }
  std::array<std::uint32_t, 3> out{};
  // Zero is mostly a division that should have rounded up; the launch is shown with an extent that can run.
  if (std::ranges::find(e, 0) != e.end()) {
    l.because.push_back(
        fmt::format("the {} is {} x {} x {}: CUDA refuses this launch (cudaErrorInvalidConfiguration), "
                    "and nothing of it runs on a GPU; the {} taken here is another one",
                    what, e[0], e[1], e[2], what));
    return std::nullopt;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    if (e[i] < 1 || e[i] > longest_extent) return fail(because(fmt::format("{} is no extent", e[i])));
    out[i] = static_cast<std::uint32_t>(e[i]);
  }
  return out;
}

/// The template arguments of a name as they are outside of the template that names it: numbers computed, types by their
/// own names.
std::vector<std::string> Machine::template_words(const Expr& name, int kernel) {
  std::vector<std::string> words;
  const std::vector<TemplateParameter> of_kernel =
      kernel >= 0 ? p_.template_parameters(kernel) : std::vector<TemplateParameter>();
  const Bindings* bound = frame_ != nullptr ? frame_->bindings : nullptr;
  for (std::size_t i = 0; i < name.words.size(); ++i) {
    std::string word(name.words[i]);
    const bool is_type = i < name.types.size() && name.types[i] != nullptr;
    const bool literal = word == "true" || word == "false" || word.front() == '\'';
    if (is_type) {
      bool of_template = false;
      if (bound != nullptr)
        for (const Bound& b : *bound) of_template |= has_word(word, b.name);
      if (of_template) word = name.types[i]->name;
    } else if (p_.constants.contains(word) && i < of_kernel.size() && !of_kernel[i].is_whole && !of_kernel[i].is_flag) {
      // an enumerator, of a parameter that is an enumeration: a number is not converted to it
    } else if (!literal && i < name.more.size() && name.more[i] != nullptr) {
      const Value v = eval(*name.more[i]);
      const bool whole = v.unknown == 0 && v.type != nullptr && v.type->is_whole();
      const auto given = bound != nullptr ? std::ranges::find(*bound, std::string_view(word), &Bound::name)
                                          : Bindings::const_iterator{};
      if (bound != nullptr && given != bound->end()) {
        std::string named = function_named(v);
        if (named.empty() && !whole) named = given->spelled;  // an enumerator of a header that is not read
        if (!named.empty()) word = std::move(named);
      }
      if (whole) word = v.type->kind == Kind::boolean ? (v.i != 0 ? "true" : "false") : std::to_string(v.i);
      if (whole && i < of_kernel.size() && v.type->kind != Kind::boolean) {
        const TemplateParameter& p = of_kernel[i];
        const bool other = !p.is_whole && !p.is_flag && !p.is_type && !p.is_pack && !p.is_template;
        if (other && !p.of.empty() && p.of != "auto") word = fmt::format("({}){}", p.of, word);  // an enumeration
      }
    }
    words.push_back(std::move(word));
  }
  return words;
}

/// "copy<float,4>": template arguments that host code computes as numbers, types by their own names; deduced ones too.
std::string Machine::instance(const Expr& name, int kernel, const std::vector<const Type*>& given, HostLaunch& l) {
  std::string scope(name.source.empty() ? name.text : name.source);
  scope = scope.substr(0, scope.find('<'));
  std::vector<std::string> words = template_words(name, kernel);
  const Bindings* bound = frame_ != nullptr ? frame_->bindings : nullptr;
  if (kernel >= 0 && p_.lexed.is(p_.outline.functions[static_cast<std::size_t>(kernel)].head, "template")) {
    const std::size_t parameters = p_.template_parameters(kernel).size();
    Bindings all;
    if (words.size() < parameters && deduce(kernel, name, given, all))
      for (std::size_t i = words.size(); i < all.size(); ++i) {
        // what the compiler knows better stays away: its own default
        if (all[i].type == nullptr && !all[i].value) break;
        words.push_back(all[i].spelled);
      }
  }
  // parameters of a template that nothing calls have no value
  bool unbound = false;
  for (std::size_t i = 0; i < name.more.size() && i < words.size(); ++i)  // so has a local that nobody knows
    unbound |= name.more[i] != nullptr && name.more[i]->op == Op::local && words[i] == name.more[i]->text;
  if (frame_ != nullptr)
    for (const int f : executed_) {
      if (!p_.outline.functions[static_cast<std::size_t>(f)].info.is_template) continue;
      for (const TemplateParameter& p : p_.template_parameters(f)) {
        const bool has_value = bound != nullptr && std::any_of(bound->begin(), bound->end(),
                                                               [&](const Bound& b) { return b.name == p.name; });
        const bool own = p_.constants.contains(p.name) || p_.globals.contains(p.name) ||
                         p_.type_names.contains(p.name) || p_.macros.defines(p.name);
        for (const std::string& w : words) unbound |= !has_value && !own && has_word(w, p.name);
      }
    }
  if (unbound) {
    l.because.push_back("its template arguments are unknown, because nothing in this file gives them");
    return scope;
  }
  if (words.empty()) return scope;
  if (kernel >= 0) {  // the launch may stand in the kernel's namespace; the compiler is asked for it from outside
    const FunctionRange& f = p_.outline.functions[static_cast<std::size_t>(kernel)];
    const std::string whole = namespaces_around(p_.lexed, f.head) + f.info.name;
    if (("::" + whole).ends_with("::" + scope)) scope = whole;
  }
  return fmt::format("{}<{}>", scope, fmt::join(words, ","));
}

/// Whether a kernel's parameter is an array that is passed by value: std::array, cuda::std::array.
bool Machine::takes_array(int kernel, std::size_t parameter) const {
  if (kernel < 0) return false;
  const auto& parameters = p_.outline.functions[static_cast<std::size_t>(kernel)].info.parameters;
  if (parameter >= parameters.size()) return false;
  const std::string& type = parameters[parameter].type;
  const std::size_t open = type.find("array<");
  return open != std::string::npos && type.find_first_of("*&", type.rfind('>')) == std::string::npos;
}

/// kernel<<<grid, block, bytes, stream>>>(arguments)
Value Machine::launch(const Expr& e) {
  const Expr* name = e.parts[0];
  HostLaunch l{.line = e.line};
  if (name->op != Op::name) {  // through a pointer to a kernel
    const Value v = eval(*name);
    const auto known = v.unknown == 0 ? closures_.find(static_cast<Address>(v.i)) : closures_.end();
    if (known != closures_.end() && known->second.named != nullptr) {
      name = known->second.named;
    } else if (!name->text.empty()) {
      l.because.push_back("which kernel it launches is unknown");
    }
  }
  std::vector<std::pair<Value, const Expr*>> arguments;
  std::vector<const Type*> given;
  const auto size = [&](std::size_t i) { return eval(*e.parts[i]); };
  const auto extents_at = [&](std::size_t i, std::string_view what) -> std::optional<std::array<std::uint32_t, 3>> {
    if (i >= e.parts.size()) return std::nullopt;
    if (e.parts[i]->op != Op::list) return extents(size(i), what, l);
    const Address a = temporary(p_.types.dim3);
    construct(a, p_.types.dim3, e.parts[i]->parts, true, e.parts[i], e.line);
    return extents({.type = p_.types.dim3, .i = static_cast<std::int64_t>(a)}, what, l);
  };
  l.grid = extents_at(1, "grid");
  l.block = extents_at(2, "block");
  if (e.parts.size() > 3) {
    const Value bytes = convert(size(3), p_.types.i64);
    if (bytes.unknown == 0 && bytes.i >= 0 && bytes.i <= 0xffffffffLL) {
      l.shared_bytes = static_cast<std::uint32_t>(bytes.i);
    } else if (bytes.unknown != 0) {
      l.because.push_back(
          fmt::format("the dynamic shared memory is unknown, because {}", memory_.words(bytes.unknown)));
    }
  } else {
    l.shared_bytes = 0;
  }
  const IssuedIn in = issued_in({}, e.parts, 4);
  const int kernel = kernel_named(name->text, e.more.size());
  for (std::size_t i = 0; i < e.more.size(); ++i) {
    const Expr* a = e.more[i];
    Value v;
    const std::vector<Parameter>* parameters =
        kernel >= 0 ? &p_.outline.functions[static_cast<std::size_t>(kernel)].info.parameters : nullptr;
    std::string type = parameters != nullptr && i < parameters->size() ? (*parameters)[i].type : "";
    if (type.find('&') != std::string::npos && type.find('*') == std::string::npos) {  // the kernel gets an address
      const bool named = a->op == Op::local || a->op == Op::global || a->op == Op::index || a->op == Op::member ||
                         a->op == Op::arrow || a->op == Op::dereference;
      const Place at = named ? place(*a) : Place{.unknown = because("a reference to a temporary leads to the host")};
      v = at.type != nullptr && at.unknown == 0
              ? Value{.type = p_.types.pointer_to(at.type), .i = static_cast<std::int64_t>(at.address)}
              : unknown_value(p_.types.pointer_to(at.type != nullptr ? at.type : p_.types.void_),
                              at.unknown != 0 ? at.unknown : because("it has no place"));
      arguments.emplace_back(v, a);
      given.push_back(at.type);
      continue;
    }
    if (a->op == Op::list && kernel >= 0) {
      if (type.starts_with("const ")) type = type.substr(6);
      const auto own = p_.type_names.find(type);
      const Type* t = own != p_.type_names.end() ? own->second : p_.types.named(type);
      if (t != nullptr && t->in_memory()) {
        const Address made = temporary(t);
        construct(made, t, a->parts, true, a, e.line);
        v = {.type = t, .i = static_cast<std::int64_t>(made)};
      }
    }
    if (v.type == nullptr) v = eval(*a);
    if (!takes_array(kernel, i)) v = decayed(v);
    arguments.emplace_back(v, a);
    given.push_back(v.type);
  }
  l.kernel = instance(*name, kernel, given, l);
  Bindings of_kernel;
  if (kernel >= 0) deduce(kernel, *name, given, of_kernel);
  if (kernel >= 0) add_defaults(kernel, of_kernel, arguments);
  record_launch(std::move(l), kernel, std::move(arguments), of_kernel, in);
  return number(0, p_.types.int_);
}

void Machine::add_defaults(int kernel, const Bindings& of_kernel,
                           std::vector<std::pair<Value, const Expr*>>& arguments) {
  const std::size_t parameters = p_.outline.functions[static_cast<std::size_t>(kernel)].info.parameters.size();
  if (arguments.size() >= parameters) return;
  bindings_.push_back(of_kernel);
  const FunctionBody* body = p_.body(kernel, bindings_.back());
  for (std::size_t i = arguments.size(); i < parameters; ++i) {
    const Expr* given = body != nullptr && i < body->parameters.size() ? body->parameters[i].initial : nullptr;
    if (given == nullptr)
      arguments.emplace_back(Value{.unknown = because("its default argument is not at the kernel's definition")},
                             nullptr);
    else
      arguments.emplace_back(decayed(eval(*given)), given);
  }
}

/// cudaLaunchKernel(kernel, grid, block, args, bytes, stream), cudaLaunchKernelEx(&config, kernel, arguments...)
Value Machine::launch_call(std::string_view called, std::span<Expr* const> a, int line) {
  HostLaunch l{.line = line};
  std::vector<std::pair<Value, const Expr*>> arguments;
  const bool ex = called == "cudaLaunchKernelEx";
  IssuedIn in{.call = {}, .stream = default_stream()};
  const Expr* name = a[ex ? 1 : 0];
  while (name->op == Op::cast || name->op == Op::address) {
    if (name->parts.empty() || name->parts[0] == nullptr) break;
    name = name->parts[0];
  }
  if (name->op != Op::name) {
    const Value v = eval(*name);
    const auto known = v.unknown == 0 ? closures_.find(static_cast<Address>(v.i)) : closures_.end();
    if (known != closures_.end() && known->second.named != nullptr) name = known->second.named;
  }
  const int kernel = kernel_named(name->text, ex ? a.size() - 2 : 0);
  std::vector<const Type*> given;
  if (ex) {
    const Value config = decayed(eval(*a[0]));
    const Place at{static_cast<Address>(config.i), p_.types.config};
    if (config.unknown != 0 || config.type == nullptr || config.type->of != p_.types.config) {
      l.because.push_back("the configuration is unknown");
    } else {
      l.grid = extents(load(*member(at, "gridDim")), "grid", l);
      l.block = extents(load(*member(at, "blockDim")), "block", l);
      const Value bytes = load(*member(at, "dynamicSmemBytes")), count = load(*member(at, "numAttrs"));
      if (bytes.unknown == 0) l.shared_bytes = static_cast<std::uint32_t>(bytes.i);
      in.stream = stream_of(load(*member(at, "stream")));
      in.text = "stream";
      const Value attributes = load(*member(at, "attrs"));
      for (std::int64_t i = 0; count.unknown == 0 && attributes.unknown == 0 && i < std::min<std::int64_t>(count.i, 16);
           ++i) {
        const Place attribute{
            static_cast<Address>(attributes.i) + static_cast<std::uint64_t>(i) * attributes.type->of->bytes,
            attributes.type->of};
        const Value id = load(*member(attribute, "id"));
        if (id.unknown != 0 || id.i != 4) continue;
        l.cluster = extents(load(*member(*member(attribute, "val"), "clusterDim")), "cluster", l);
      }
    }
    for (std::size_t i = 2; i < a.size(); ++i) {
      const Value v = decayed(eval(*a[i]));
      arguments.emplace_back(v, a[i]);
      given.push_back(v.type);
    }
  } else {
    if (a.size() > 1) l.grid = extents(eval(*a[1]), "grid", l);
    if (a.size() > 2) l.block = extents(eval(*a[2]), "block", l);
    if (a.size() > 4) {
      const Value bytes = convert(eval(*a[4]), p_.types.i64);
      if (bytes.unknown == 0 && bytes.i >= 0) l.shared_bytes = static_cast<std::uint32_t>(bytes.i);
    } else {
      l.shared_bytes = 0;
    }
    in = issued_in({}, a, 5);
    const Value list = a.size() > 3 ? decayed(eval(*a[3])) : Value{};
    const std::size_t count =
        kernel >= 0 ? p_.outline.functions[static_cast<std::size_t>(kernel)].info.parameters.size() : 0;
    for (std::size_t i = 0; i < count && list.type != nullptr && list.unknown == 0; ++i) {
      const Address at = word(static_cast<Address>(list.i) + 8 * i);
      // the pointer has no type: that of the parameter says what is there
      std::string type = p_.outline.functions[static_cast<std::size_t>(kernel)].info.parameters[i].type;
      const bool pointer = type.find_first_of("*[") != std::string::npos;
      if (type.starts_with("const ")) type = type.substr(6);
      const auto own = p_.type_names.find(type);
      const Type* t = pointer                      ? p_.types.pointer_to(p_.types.void_)
                      : own != p_.type_names.end() ? own->second
                                                   : p_.types.named(type);
      if (const auto numbers = number_type(type); t == nullptr && numbers && numbers->is_integer())
        t = p_.types.integer(static_cast<std::uint64_t>(numbers->bytes), numbers->element_type.front() == 's');
      arguments.emplace_back(
          t != nullptr && at != 0 ? load({at, t}) : Value{.unknown = because("its type is not known")}, nullptr);
    }
  }
  l.kernel = instance(*name, kernel, given, l);
  Bindings of_kernel;
  if (kernel >= 0) deduce(kernel, *name, given, of_kernel);
  record_launch(std::move(l), kernel, std::move(arguments), of_kernel, in);
  return number(0, p_.types.int_);
}

void Machine::record_launch(HostLaunch l, int kernel, std::vector<std::pair<Value, const Expr*>> arguments,
                            const Bindings& of_kernel, const IssuedIn& in) {
  const auto number_named = [&](std::string_view type) -> std::string {
    if (type.starts_with("const ")) type.remove_prefix(6);
    const auto own = p_.type_names.find(type);
    const Type* t = own != p_.type_names.end() ? own->second : nullptr;
    for (const Bound& b : of_kernel)
      if (b.name == type) t = b.type;
    return t != nullptr && t->is_number() ? t->name : std::string();
  };
  ++out_.launch_count;
  if (uncertain_ > 0) {
    l.certain = false;
    if (uncertain_why_ != 0)
      l.because.push_back(fmt::format("whether it is launched is unknown, because {}", memory_.words(uncertain_why_)));
  }
  const bool kept = out_.launches.size() < limits_.launches;
  const std::vector<Parameter>* parameters =
      kernel >= 0 ? &p_.outline.functions[static_cast<std::size_t>(kernel)].info.parameters : nullptr;
  std::set<Address> written, taken;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto& [v, e] = arguments[i];
    const std::string_view type =
        parameters != nullptr && i < parameters->size() ? (*parameters)[i].type : std::string_view();
    const bool writes = !points_to_const(type);
    HostArgument a = argument(v, e != nullptr ? std::string(e->source) : std::string(), type, l.line);
    if (a.kind == HostArgument::Kind::number) a.type = number_named(type);
    const auto touches = [&](Address at, bool itself) {
      if (memory_.object(at) != nullptr) taken.insert(Memory::begin(at));
      if (itself && memory_.object(at) != nullptr) written.insert(Memory::begin(at));
      for (const Address reached : reached_from(at)) written.insert(reached);
    };
    if (v.unknown == 0 && v.type != nullptr) {
      if (v.type->kind == Kind::pointer) touches(static_cast<Address>(v.i), writes);
      if (v.type->kind == Kind::vector) touches(word(static_cast<Address>(v.i)), writes);
      if (a.kind == HostArgument::Kind::fields) {
        std::vector<HostField> layout;
        fields(static_cast<Address>(v.i), v.type, "", 0, layout, true);
        for (const HostField& f : layout)
          if (f.is_pointer) touches(word(static_cast<Address>(v.i) + f.offset_bytes), true);
      }
    }
    if (kept) l.arguments.push_back(std::move(a));
  }
  look_meanwhile(false);
  before_launch(l.line);
  HostOperation operation = issue(in, l.line);
  operation.launch = kept ? static_cast<int>(out_.launches.size()) : -1;
  keep(std::move(operation));
  running_.merge(taken);
  // A grid of more blocks than were answered is not made from the answer.
  l.after_occupancy = l.grid && std::int64_t{(*l.grid)[0]} <= most_resident_;
  written_by_kernel(written, because(fmt::format("the kernel `{}`, launched at line {}, writes it", l.kernel, l.line)));
  if (kept) out_.launches.push_back(std::move(l));
}

HostPointer Machine::pointer(Address a) {
  Object* o = memory_.object(a);
  if (o == nullptr || o->space == Space::code || o->space == Space::characters) return {};
  return {.buffer = buffer_of(*o), .offset_bytes = memory_.offset(a)};
}

HostArgument Machine::argument(const Value& v, const std::string& text, std::string_view type, int line) {
  HostArgument out{.text = text};
  if (v.unknown != 0 || v.type == nullptr) {
    out.because = memory_.words(v.unknown);
    if (out.because.empty()) out.because = "it has no value";
    return out;
  }
  if (v.type->is_number()) {
    out.kind = HostArgument::Kind::number;
    out.number = as_real(v);
    const auto numbers = number_type(type);
    if (numbers && numbers->is_integer() && v.type->kind == Kind::floating)
      out.number = static_cast<double>(static_cast<std::int64_t>(v.f));
    return out;
  }
  if (v.type->kind == Kind::pointer || (v.type->kind == Kind::vector && v.type->device)) {
    const Address a = v.type->kind == Kind::vector ? word(static_cast<Address>(v.i)) : static_cast<Address>(v.i);
    Object* o = memory_.object(a);
    out.kind = HostArgument::Kind::pointer;
    if (o == nullptr) return out;
    if (o->element == nullptr && v.type->of != p_.types.void_) o->element = v.type->of;
    out.pointer = pointer(a);
    if (out.pointer.buffer >= 0) tell_reached(a, line);
    return out;
  }
  const bool record = v.type->kind == Kind::record && !p_.types.record(v.type->record).has_unknown;
  if (record || (v.type->kind == Kind::array && !v.type->hollow)) {
    out.kind = HostArgument::Kind::fields;
    fields(static_cast<Address>(v.i), v.type, "", 0, out.fields, false);
    for (const HostField& f : out.fields)
      if (f.is_pointer && f.pointer.buffer >= 0) tell_reached(word(static_cast<Address>(v.i) + f.offset_bytes), line);
    return out;
  }
  out.because = fmt::format("a {} cannot be passed by value here", v.type->name);
  return out;
}

/// The numbers and pointers of a structure. `layout_only`: without their values.
void Machine::fields(Address at, const Type* t, const std::string& name, std::uint32_t offset,
                     std::vector<HostField>& out, bool layout_only) {
  if (out.size() >= most_fields || t->hollow) return;
  if (t->kind == Kind::record) {
    for (const Member& m : p_.types.record(t->record).members)
      fields(at, m.type, name.empty() ? std::string(m.name) : fmt::format("{}.{}", name, m.name),
             offset + static_cast<std::uint32_t>(m.offset), out, layout_only);
    return;
  }
  if (t->kind == Kind::array) {
    for (std::uint64_t i = 0; i < t->count && out.size() < most_fields; ++i)
      fields(at, t->of, fmt::format("{}[{}]", name, i), offset + static_cast<std::uint32_t>(i * t->of->bytes), out,
             layout_only);
    return;
  }
  HostField f{.name = name,
              .type = t->kind == Kind::pointer && t->of->kind == Kind::pointer ? "void*" : t->name,
              .offset_bytes = offset,
              .bytes = static_cast<std::uint32_t>(t->bytes),
              .is_pointer = t->kind == Kind::pointer};
  if (!layout_only) {
    const Value v = load({at + offset, t});
    f.is_known = v.unknown == 0;
    if (v.unknown == 0 && f.is_pointer) {
      Object* o = memory_.object(static_cast<Address>(v.i));
      if (o != nullptr && o->element == nullptr) o->element = t->of;
      f.pointer = pointer(static_cast<Address>(v.i));
    } else if (v.unknown == 0 && t->is_number()) {
      f.number = as_real(v);
    }
  }
  out.push_back(std::move(f));
}

}  // namespace lanescope::source::host
