// Launches as host code writes them: which kernel, with which sizes and arguments.

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/source/cxx/number_types.h"
#include "kernels/source/host/evaluator.h"
#include "kernels/source/host/program/template_guess.h"

namespace lanescope::source::host {
namespace {

constexpr std::int64_t longest_extent = 0x7fffffff;
constexpr std::int64_t shared_without_attribute = 48 << 10;  ///< bytes of dynamic shared memory

/// Whether a parameter's type keeps the kernel from writing what it points to.
bool points_to_const(std::string_view type) {
  const std::size_t star = type.find_first_of("*[&"), word = type.find("const");
  return star != std::string_view::npos && word != std::string_view::npos && word < star;
}

/// Whether a parameter is an array that is passed by value: std::array, cuda::std::array.
bool takes_array(std::string_view type) {
  return type.find("array<") != std::string_view::npos &&
         type.find_first_of("*&", type.rfind('>')) == std::string_view::npos;
}

std::string_view without_const(std::string_view type) {
  if (type.starts_with("const ")) type.remove_prefix(6);
  return type;
}

}  // namespace

IssuedIn Evaluator::issued_in(std::string_view call, Arguments a, std::size_t stream) {
  IssuedIn in{
      .call = call, .stream = log.default_stream, .asynchronous = call.ends_with("Async") || call.ends_with("set")};
  if (stream >= a.size()) return in;
  in.stream = log.stream_of(by_operator(value(*a[stream]), p.types.pointer_to(p.types.void_), a[stream]->line));
  in.text = a[stream]->source.empty() ? a[stream]->text : a[stream]->source;
  return in;
}

/// The first with so many parameters, else the first that has default arguments for the others, else the first.
int Evaluator::kernel_named(std::string_view name, std::size_t arguments) const {
  const auto found = p.functions.find(name);
  if (found == p.functions.end()) return -1;
  int first = -1, with_defaults = -1;
  for (const int f : found->second) {
    if (!p.function(f).info.is_kernel) continue;
    const std::vector<Parameter>& parameters = p.function(f).info.parameters;
    if (parameters.size() == arguments) return f;
    if (first < 0) first = f;
    if (with_defaults < 0 && arguments < parameters.size() && !parameters[arguments].initial.empty()) with_defaults = f;
  }
  return with_defaults >= 0 ? with_defaults : first;
}

/// The type of a kernel's parameter as written; empty: unknown.
std::string_view Evaluator::parameter_type(int kernel, std::size_t i) const {
  if (kernel < 0 || i >= p.function(kernel).info.parameters.size()) return {};
  return p.function(kernel).info.parameters[i].type;
}

/// The kernel's own name, where it is launched through a pointer.
const Expr* Evaluator::kernel_of(const Expr* name, Reason* why) {
  if (name->op == Op::name) return name;
  const Value v = eval(*name);
  if (why != nullptr) *why = v.unknown;
  const Expr* through = function_of(v);
  return through != nullptr ? through : name;
}

std::optional<std::array<std::uint32_t, 3>> Evaluator::extents(const Value& v, std::string_view what, HostLaunch& l) {
  const auto fail = [&](Reason why) -> std::optional<std::array<std::uint32_t, 3>> {
    l.because.push_back(fmt::format("the {} is unknown, because {}", what, m.words(why)));
    return std::nullopt;
  };
  if (!v.known()) return fail(v.unknown != 0 ? v.unknown : m.reason("it has no value"));
  std::array<std::int64_t, 3> e{1, 1, 1};
  std::vector<Value> numbers{v};
  if (v.type->kind == Kind::record) {
    numbers.clear();
    for (const Member& each : p.types.record(v.type->record).members)
      numbers.push_back(m.load({v.address() + each.offset, each.type}));
    if (numbers.empty() || numbers.size() > 3) return fail(m.reason("it is no dim3"));
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Value n = m.convert(numbers[i], p.types.i64);
    if (n.unknown != 0) return fail(n.unknown);
    e[i] = n.i;
  }
  // Zero is mostly a division that should have rounded up; the launch is shown with an extent that can run.
  if (std::ranges::find(e, 0) != e.end()) {
    const std::string words = fmt::format(
        "the {} is {} x {} x {}: CUDA refuses this launch, and nothing of it runs on a GPU", what, e[0], e[1], e[2]);
    l.because.push_back(fmt::format("{}; the {} taken here is another one", words, what));
    log.error(
        {.code = HostError::Code::call_fails, .line = l.line, .message = words, .remedy = "round the division up"});
    return std::nullopt;
  }
  std::array<std::uint32_t, 3> out{};
  for (std::size_t i = 0; i < 3; ++i) {
    if (e[i] < 1 || e[i] > longest_extent) return fail(m.reason(fmt::format("{} is no extent", e[i])));
    out[i] = static_cast<std::uint32_t>(e[i]);
  }
  return out;
}

std::optional<std::array<std::uint32_t, 3>> Evaluator::extents(const Expr& e, std::string_view what, HostLaunch& l) {
  return extents(e.op == Op::list ? made(p.types.dim3, braces(e), l.line) : eval(e), what, l);
}

Value Evaluator::launch(const Expr& e) {
  Launched l{.launch = {.line = e.line}};
  const Expr* name = kernel_of(e.parts[0], &l.why_unknown);
  if (name->op != Op::name && !name->text.empty()) l.launch.because.push_back("which kernel it launches is unknown");
  if (e.parts.size() > 1) l.launch.grid = extents(*e.parts[1], "grid", l.launch);
  if (e.parts.size() > 2) l.launch.block = extents(*e.parts[2], "block", l.launch);
  const Value bytes = e.parts.size() > 3 ? whole(*e.parts[3]) : number(0, p.types.i64);
  if (bytes.unknown != 0)
    l.launch.because.push_back(fmt::format("the dynamic shared memory is unknown, because {}", m.words(bytes.unknown)));
  else if (bytes.i >= 0 && bytes.i <= 0xffffffffLL)
    l.launch.shared_bytes = static_cast<std::uint32_t>(bytes.i);
  const IssuedIn in = issued_in({}, e.parts, 4);
  const std::vector<Expr*> arguments = without_missing(e.more);
  l.kernel = kernel_named(name->text, arguments.size());
  for (const Expr* a : arguments) pass(*a, l);
  return finish(std::move(l), *name, in, true);
}

/// One argument of a launch, as its parameter takes it.
void Evaluator::pass(const Expr& a, Launched& l) {
  const std::string_view type = parameter_type(l.kernel, l.arguments.size());
  if (type.find('&') != std::string::npos && type.find('*') == std::string::npos) {  // the kernel gets an address
    const Place at =
        names_place(a) ? place(a) : Place{.unknown = m.reason("a reference to a temporary leads to the host")};
    Value v = at_address(at.address, p.types.pointer_to(at.type != nullptr ? at.type : p.types.void_));
    if (!at.known()) v = unknown_value(v.type, at.unknown != 0 ? at.unknown : m.reason("it has no place"));
    l.arguments.emplace_back(v, &a);
    l.given.push_back(at.type);
    return;
  }
  const Type* t = l.kernel >= 0 ? p.type_named(without_const(type)) : nullptr;
  Value v = a.op == Op::list && t != nullptr && t->in_memory() ? made(t, braces(a), l.launch.line) : eval(a);
  if (!takes_array(type)) v = m.decayed(v);
  if (t == nullptr && type.find('*') != std::string_view::npos)
    v = by_operator(v, p.types.pointer_to(p.types.void_), l.launch.line);
  else if (t != nullptr && t->is_number())
    v = by_operator(v, t, l.launch.line);
  if (t != nullptr && converts(v, t)) {
    const Place at{m.temporary(t), t};
    set(at, v, a, l.launch.line);
    v = at_address(at.address, t);
  }
  l.arguments.emplace_back(v, &a);
  l.given.push_back(v.type);
}

/// Default arguments of the kernel after those that are given.
void Evaluator::add_defaults(Launched& l, const Bindings& of_kernel) {
  const std::size_t parameters = p.function(l.kernel).info.parameters.size();
  if (l.arguments.size() >= parameters) return;
  bindings_.push_back(of_kernel);
  const FunctionBody* body = p.body(l.kernel, bindings_.back());
  for (std::size_t i = l.arguments.size(); i < parameters; ++i) {
    const Expr* given = body != nullptr && i < body->parameters.size() ? body->parameters[i].initial : nullptr;
    if (given == nullptr)
      l.arguments.emplace_back(Value{.unknown = m.reason("its default argument is not at the kernel's definition")},
                               nullptr);
    else
      l.arguments.emplace_back(value(*given), given);
  }
}

/// cudaFuncSetAttribute(kernel, attribute, value)
Value Evaluator::set_attribute(Arguments a, int line) {
  constexpr std::int64_t max_dynamic_shared = 8;  // cudaFuncAttributeMaxDynamicSharedMemorySize
  const Expr* name = kernel_of(&without_casts(*a[0]));
  const Value attribute = whole(*a[1]), bytes = whole(*a[2]);
  if (attribute.unknown == 0 && attribute.i != max_dynamic_shared) return number(0, p.types.int_);
  const bool known = attribute.unknown == 0 && bytes.unknown == 0 && log.certainty.depth <= log.certainty.sure;
  if (known && bytes.i > most_shared) {
    log.error({.code = HostError::Code::call_fails,
               .line = line,
               .message = fmt::format("{} bytes of dynamic shared memory are requested; a block has at most {} on an "
                                      "H200: cudaFuncSetAttribute returns cudaErrorInvalidValue",
                                      bytes.i, most_shared),
               .remedy = "use smaller arrays"});
    return number(1, p.types.int_);
  }
  shared_limits_[name->op == Op::name ? std::string(name->text) : std::string()] = known ? bytes.i : most_shared;
  return number(0, p.types.int_);
}

/// A launch with more dynamic shared memory than its kernel may have. In functions that nothing calls the attribute may be
/// set by their callers.
void Evaluator::check_shared(const HostLaunch& l, std::string_view kernel) {
  if (!l.shared_bytes || *l.shared_bytes <= shared_without_attribute || log.certainty.sure > 0 ||
      shared_limits_.contains(""))
    return;
  const auto set = shared_limits_.find(std::string(kernel));
  const std::int64_t limit = set == shared_limits_.end() ? shared_without_attribute : set->second;
  if (*l.shared_bytes <= limit) return;
  log.error(
      {.code = HostError::Code::call_fails,
       .line = l.line,
       .message = fmt::format("this launch has {} bytes of dynamic shared memory, and `{}` may have {}{}: CUDA "
                              "refuses it with cudaErrorInvalidValue, and nothing of it runs",
                              *l.shared_bytes, kernel, limit,
                              set == shared_limits_.end() ? " unless an attribute allows more" : ""),
       .remedy = fmt::format("call cudaFuncSetAttribute({}, cudaFuncAttributeMaxDynamicSharedMemorySize, {}) first",
                             kernel, *l.shared_bytes)});
}

/// A kernel gets an address of memory that it cannot access, or that it uses by a name, too.
void Evaluator::check_argument(Address at, const HostLaunch& l) {
  const Object* o = m.object(at);
  if (o == nullptr || !is_memory(*o)) return;
  const std::string name = o->name.empty() ? fmt::format("memory of line {}", o->line) : fmt::format("`{}`", o->name);
  if (o->freed_at > 0) {
    log.error({.code = HostError::Code::freed_memory,
               .line = l.line,
               .message = fmt::format("the kernel `{}` gets {}, which line {} has freed", l.kernel, name, o->freed_at),
               .remedy = "free it after the last launch that uses it"});
  } else if (o->space == Space::host && !log.pinned.contains(Memory::begin(at))) {
    log.error(
        {.code = HostError::Code::pageable,
         .line = l.line,
         .message = fmt::format("the kernel `{}` gets {}, pageable memory of the host, which only some systems let "
                                "it access (an H200 reported cudaErrorIllegalAddress)",
                                l.kernel, name),
         .remedy = "copy it to memory of cudaMalloc, or allocate it with cudaMallocManaged"});
  } else if (o->space == Space::symbol && graph_.device_names(o->name)) {
    notes.assume(Assumption::Code::host_action, l.line,
                 fmt::format("gives a kernel the address of {}, which counts as an array of its own", name),
                 "functions of the device also use it by its name");
  }
}

/// cudaLaunchKernel(kernel, grid, block, args, bytes, stream), cudaLaunchCooperativeKernel
Value Evaluator::launch_by_pointers(Arguments a, bool cooperative, int line) {
  Launched l{.launch = {.line = line, .cooperative = cooperative}};
  const Expr* name = kernel_of(&without_casts(*a[0]), &l.why_unknown);
  l.kernel = kernel_named(name->text, 0);
  l.launch.grid = extents(eval(*a[1]), "grid", l.launch);
  if (a.size() > 2) l.launch.block = extents(eval(*a[2]), "block", l.launch);
  const Value bytes = a.size() > 4 ? whole(*a[4]) : number(0, p.types.i64);
  if (bytes.unknown == 0 && bytes.i >= 0) l.launch.shared_bytes = static_cast<std::uint32_t>(bytes.i);
  const IssuedIn in = issued_in({}, a, 5);
  const Value list = a.size() > 3 ? value(*a[3]) : Value{};
  const std::size_t count = l.kernel >= 0 && list.known() ? p.function(l.kernel).info.parameters.size() : 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Address at = m.word(list.address() + 8 * i);
    // the pointer has no type: that of the parameter gives it
    const std::string_view type = without_const(parameter_type(l.kernel, i));
    const bool pointer = type.find_first_of("*[") != std::string::npos;
    const Type* t = pointer ? p.types.pointer_to(p.types.void_) : p.type_named(type);
    if (const auto numbers = number_type(type); t == nullptr && numbers && numbers->is_integer())
      t = p.types.integer(static_cast<std::uint64_t>(numbers->bytes), numbers->element_type.front() == 's');
    l.arguments.emplace_back(
        t != nullptr && at != 0 ? m.load({at, t}) : Value{.unknown = m.reason("its type is not known")}, nullptr);
  }
  return finish(std::move(l), *name, in, false);
}

/// cudaLaunchKernelEx(&config, kernel, arguments...)
Value Evaluator::launch_by_configuration(Arguments a, int line) {
  // cudaLaunchAttributeCooperative, cudaLaunchAttributeClusterDimension
  constexpr std::int64_t most_attributes = 16, cooperative = 2, cluster_dimension = 4;
  Launched l{.launch = {.line = line}};
  IssuedIn in{.call = {}, .stream = log.default_stream};
  const Expr* name = kernel_of(&without_casts(*a[1]), &l.why_unknown);
  l.kernel = kernel_named(name->text, a.size() - 2);
  const Value config = value(*a[0]);
  if (!config.known() || config.type->of != p.types.config) {
    l.launch.because.push_back("the configuration is unknown");
    l.launch.cooperative = true;
  } else {
    const Place at = pointee(config);
    const auto field = [&](const Place& of, std::string_view member) { return m.load(*m.member(of, member)); };
    l.launch.grid = extents(field(at, "gridDim"), "grid", l.launch);
    l.launch.block = extents(field(at, "blockDim"), "block", l.launch);
    const Value bytes = field(at, "dynamicSmemBytes"), count = field(at, "numAttrs"), attributes = field(at, "attrs");
    if (bytes.unknown == 0) l.launch.shared_bytes = static_cast<std::uint32_t>(bytes.i);
    in.stream = log.stream_of(field(at, "stream"));
    in.text = "stream";
    const std::int64_t known = count.unknown == 0 && attributes.unknown == 0 ? std::min(count.i, most_attributes) : 0;
    for (std::int64_t i = 0; i < known; ++i) {
      const Type* of = attributes.type->of;
      const Place attribute{attributes.address() + static_cast<std::uint64_t>(i) * of->bytes, of};
      const Value id = field(attribute, "id");
      l.launch.cooperative = l.launch.cooperative || id.unknown != 0 || id.i == cooperative;
      if (id.unknown != 0 || id.i != cluster_dimension) continue;
      l.launch.cluster = extents(field(*m.member(attribute, "val"), "clusterDim"), "cluster", l.launch);
    }
  }
  for (const Expr* each : a.subspan(2)) {
    l.arguments.emplace_back(value(*each), each);
    l.given.push_back(l.arguments.back().first.type);
  }
  return finish(std::move(l), *name, in, false);
}

Value Evaluator::finish(Launched l, const Expr& name, const IssuedIn& in, bool defaults) {
  HostLaunch& out = l.launch;
  if (l.kernel < 0 && name.op != Op::name)
    notes.assume(Assumption::Code::host_action, out.line, "launches a kernel that is unknown, which is left out",
                 l.why_unknown != 0 ? m.words(l.why_unknown) : "no function is known there");
  out.kernel = instance(name, l);
  Bindings of_kernel;
  if (l.kernel >= 0) deduce(l.kernel, name, l.given, of_kernel);
  if (l.kernel >= 0 && defaults) add_defaults(l, of_kernel);
  if (log.certainty.depth > 0) {
    out.certain = false;
    if (log.certainty.why != 0)
      out.because.push_back(fmt::format("whether it is launched is unknown, because {}", m.words(log.certainty.why)));
  }
  check_shared(out, l.kernel >= 0 ? std::string_view(p.function(l.kernel).info.name) : std::string_view(name.text));
  std::set<Address> written, taken;
  const auto touches = [&](Address at, bool itself) {
    if (m.object(at) != nullptr) taken.insert(Memory::begin(at));
    if (m.object(at) != nullptr && itself) written.insert(Memory::begin(at));
    for (const Address reached : log.reached_from(at)) written.insert(reached);
  };
  for (std::size_t i = 0; i < l.arguments.size(); ++i) {
    const auto& [v, e] = l.arguments[i];
    const std::string_view type = parameter_type(l.kernel, i);
    const bool writes = !points_to_const(type);
    HostArgument a = log.argument(v, e != nullptr ? std::string(e->source) : std::string(), type, out.line);
    if (a.kind == HostArgument::Kind::number) {
      const Type* t = p.own_type(without_const(type));
      for (const Bound& b : of_kernel)
        if (b.name == without_const(type)) t = b.type;
      if (t != nullptr && t->is_number()) a.type = t->name;
    }
    if (v.is(Kind::pointer)) check_argument(v.address(), out), touches(v.address(), writes);
    if (v.is(Kind::vector)) touches(m.word(v.address()), writes);
    if (a.kind == HostArgument::Kind::fields) {
      std::vector<HostField> layout;
      log.fields(v.address(), v.type, "", 0, layout, true);
      for (const HostField& f : layout)
        if (f.is_pointer) {
          const Address to = m.word(v.address() + f.offset_bytes);
          if (const Object* o = m.object(to); o != nullptr && of_device(*o)) check_argument(to, out);
          touches(to, true);
        }
    }
    out.arguments.push_back(std::move(a));
  }
  log.perform(in, [this, l = std::move(out), taken = std::move(taken),
                   written = std::move(written)](const IssuedIn& now) { log.launch(l, taken, written, now); });
  return number(0, p.types.int_);
}

/// "copy<float,4>": template arguments that host code computes as numbers, types by their own names; deduced ones too.
std::string Evaluator::instance(const Expr& name, Launched& l) {
  std::string scope = written(name);
  scope = scope.substr(0, scope.find('<'));
  std::vector<std::string> words = template_words(name, l.kernel);
  if (l.kernel >= 0 && p.lexed.is(p.function(l.kernel).head, "template")) {
    Bindings all;
    if (words.size() < p.template_parameters(l.kernel).size() && deduce(l.kernel, name, l.given, all))
      for (std::size_t i = words.size(); i < all.size(); ++i) {
        // what the compiler finds better stays away: its own default
        if (all[i].type == nullptr && !all[i].value) break;
        words.push_back(all[i].spelled);
      }
  }
  if (unbound(name, words)) {
    l.launch.because.push_back("its template arguments are unknown, because nothing in this file gives them");
    return scope;
  }
  if (words.empty()) return scope;
  if (l.kernel >= 0) {  // the launch may stand in the kernel's namespace; the compiler gets the name from outside
    const FunctionRange& f = p.function(l.kernel);
    const std::string whole = namespaces_around(p.lexed, f.head) + f.info.name;
    if (("::" + whole).ends_with("::" + scope)) scope = whole;
  }
  return fmt::format("{}<{}>", scope, fmt::join(words, ","));
}

/// Whether a word names an unknown local, or a parameter of a template that nothing calls: these have no value.
bool Evaluator::unbound(const Expr& name, const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < name.more.size() && i < words.size(); ++i)
    if (name.more[i] != nullptr && name.more[i]->op == Op::local && words[i] == name.more[i]->text) return true;
  if (at_.frame == nullptr || words.empty()) return false;
  const Bindings* bound = at_.frame->bindings;
  for (const int f : executed_) {
    if (!p.function(f).info.is_template) continue;
    for (const TemplateParameter& t : p.template_parameters(f)) {
      const bool has_value = (bound != nullptr && std::ranges::find(*bound, t.name, &Bound::name) != bound->end()) ||
                             p.constants.contains(t.name) || p.globals.contains(t.name) ||
                             p.type_names.contains(t.name) || p.macros.defines(t.name);
      if (!has_value && std::ranges::any_of(words, [&](const std::string& w) { return has_word(w, t.name); }))
        return true;
    }
  }
  return false;
}

}  // namespace lanescope::source::host
