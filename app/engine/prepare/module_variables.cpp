#include "app/engine/prepare/prepare.h"

#include <algorithm>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "kernels/base/enum_size.h"
#include "kernels/source/cxx/declaration.h"

namespace lanescope::engine {
namespace {

std::string_view last_part(std::string_view name) {
  const std::size_t at = name.rfind("::");
  return at == std::string_view::npos ? name : name.substr(at + 2);
}

/// Variables of the module that a name of the host code may mean: "more" is that of filt::more, too.
std::vector<std::size_t> meant(const ptx::Module& module, std::string_view name) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < module.variables.size(); ++i) {
    const ptx::Variable& v = module.variables[i];
    if (v.space != ptx::Space::global && v.space != ptx::Space::constant) continue;
    const std::string called = source::variable_name(v.name);
    if (called == name) return {i};
    if (last_part(called) == name) out.push_back(i);
  }
  return out;
}

/// The type of its elements: as the source declares them, else words of the PTX.
std::string element_type(const ptx::Variable& v, const std::string& declared) {
  const auto fits = [&](std::string_view type) {
    const int bits = source::element_bits(type);
    return bits > 0 && (v.bytes * 8) % static_cast<std::uint64_t>(bits) == 0;
  };
  if (!declared.empty() && fits(declared)) return declared;
  std::string own(ptx::name_of(v.type));
  if (own.starts_with('b')) own[0] = 'u';
  return fits(own) ? own : "u8";
}

source::BufferSpec spec_of(const ptx::Variable& v, std::string name, const std::string& declared, int line) {
  source::BufferSpec spec{.name = std::move(name), .element_type = element_type(v, declared)};
  spec.element_bits = source::element_bits(spec.element_type);
  spec.axes = {{.name = "n", .extent = v.bytes * 8 / static_cast<std::uint64_t>(spec.element_bits)}};
  std::vector<std::byte> bytes = v.initial;
  bytes.resize(v.bytes);
  spec.initial.kind = source::Contents::Kind::bytes;
  spec.initial.bytes = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  spec.traced = false;
  spec.inferred = true;
  spec.variable = v.name;
  spec.line = line;
  return spec;
}

}  // namespace

Diagnostics buffers_for_variables(source::Source& source, const ptx::Module& module) {
  Diagnostics wrong;
  std::set<std::string> passed;
  const auto pass = [&](const std::string& place) { passed.insert(place.substr(0, place.find_first_of("+- "))); };
  for (const source::LaunchSpec& l : source.header.launches)
    for (const source::ArgumentSpec& a : l.arguments) {
      if (a.is_buffer) pass(std::get<std::string>(a.value));
      for (const source::FieldSpec& m : a.members)
        if (const auto* place = std::get_if<std::string>(&m.value)) pass(*place);
    }
  for (source::BufferSpec& b : source.header.buffers) {
    if (passed.contains(b.name)) continue;
    const auto v = std::ranges::find_if(module.variables, [&](const ptx::Variable& v) {
      return v.name == b.name && (v.space == ptx::Space::global || v.space == ptx::Space::constant);
    });
    if (v == module.variables.end()) continue;
    b.variable = v->name;
    const std::uint64_t bytes = (b.elements * static_cast<std::uint64_t>(b.element_bits) + 7) / 8;
    if (bytes != v->bytes)
      wrong.push_back({.file = source.file,
                       .line = b.line,
                       .column = b.column,
                       .message = fmt::format("the buffer `{}` has {} bytes, the variable of that name {}", b.name,
                                              bytes, v->bytes),
                       .remedy = "give it as many elements as the variable has"});
    if (b.initial.line > 0 || !v->addresses.empty()) continue;
    std::vector<std::byte> initial = v->initial;
    initial.resize(v->bytes);
    b.initial.kind = source::Contents::Kind::bytes;
    b.initial.bytes = std::make_shared<const std::vector<std::byte>>(std::move(initial));
  }
  return wrong;
}

void set_symbols(const source::Header& header, ptx::Module& module) {
  for (const source::SymbolSpec& s : header.symbols) {
    const std::vector<std::size_t> variables = meant(module, s.name);
    if (variables.size() != 1) continue;  // add_variables() reports
    ptx::Variable& v = module.variables[variables.front()];
    if (v.bytes < s.offset_bytes || s.bytes.size() > v.bytes - s.offset_bytes) continue;
    v.initial.resize(v.bytes);
    std::copy(s.bytes.begin(), s.bytes.end(), v.initial.begin() + static_cast<std::ptrdiff_t>(s.offset_bytes));
  }
}

void add_variables(Prepared& out) {
  const bool plain = !out.plain.module.entries.empty();
  const ptx::Module& module = plain ? out.plain.module : out.probed.module;
  source::Source& source = *out.source;
  for (const source::SymbolSpec& s : source.header.symbols)
    if (meant(module, s.name).size() > 1)
      out.diagnostics.push_back(
          {.file = source.file,
           .message =
               fmt::format("several variables are called `{}`: copies of the host code to them are left out", s.name),
           .remedy = "give them different names",
           .severity = Severity::warning});
  const std::string& text = source.unit_text.empty() ? source.device_text : source.unit_text;
  const source::Lexed lexed = source::lex(text);
  const std::vector<source::DeviceVariable> declared = source::device_variables(lexed);
  for (const ptx::Variable& v : module.variables) {
    const bool device = v.space == ptx::Space::global || v.space == ptx::Space::constant;
    if (!device || v.bytes == 0 || !v.addresses.empty()) continue;
    const std::string called = source::variable_name(v.name);
    const auto at = std::ranges::find(declared, last_part(called), &source::DeviceVariable::name);
    if (called.empty() || at == declared.end()) continue;  // tables and strings of the compiler's
    const auto taken = [&](const std::string& name) {
      return std::ranges::find(source.header.buffers, name, &source::BufferSpec::name) != source.header.buffers.end();
    };
    source::BufferSpec spec = spec_of(v, taken(called) ? "__device__ " + called : called, at->element_type, 0);
    if (taken(spec.name) || !source::lay_out(spec).empty()) continue;
    out.buffers.push_back({.name = spec.name,
                           .element_type = spec.element_type,
                           .element_bits = spec.element_bits,
                           .bytes = *spec.initial.bytes,
                           .traced = false,
                           .variable = spec.variable});
    source.header.buffers.push_back(std::move(spec));
  }
}

namespace {

/// -1: there is no such buffer.
int buffer_named(const Prepared& out, const ptx::Module& module, const source::HostStep& step, bool source) {
  const auto named = [&](const std::string& name, auto member) {
    for (std::size_t i = 0; i < out.buffers.size(); ++i)
      if (out.buffers[i].*member == name) return static_cast<int>(i);
    return -1;
  };
  if (source) return named(step.from, &trace::Buffer::name);
  if (!step.to_variable) return named(step.to, &trace::Buffer::name);
  const std::vector<std::size_t> variables = meant(module, step.to);
  return variables.size() == 1 ? named(module.variables[variables.front()].name, &trace::Buffer::variable) : -1;
}

trace::HostStep::Kind kind_of(source::HostStep::Kind kind) {
  return *enum_named<trace::HostStep::Kind>(enum_name(kind));
}

}  // namespace

void add_steps(Prepared& out) {
  const bool plain = !out.plain.module.entries.empty();
  const ptx::Module& module = plain ? out.plain.module : out.probed.module;
  const std::vector<source::LaunchSpec>& specs = out.source->header.launches;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    std::vector<trace::HostStep> before;
    for (const source::HostStep& s : specs[i].before) {
      const bool has_source = s.kind == source::HostStep::Kind::copy || s.kind == source::HostStep::Kind::address;
      const int to = buffer_named(out, module, s, false), from = has_source ? buffer_named(out, module, s, true) : 0;
      if (to < 0 || from < 0) {
        out.diagnostics.push_back(
            {.file = out.source->file,
             .message = fmt::format("before launch {}: {}, which is left out: there is no `{}` in "
                                    "the compiled program",
                                    i + 1, s.words, to < 0 ? s.to : s.from),
             .severity = Severity::warning});
        continue;
      }
      before.push_back({.kind = kind_of(s.kind),
                        .to = {to, s.to_offset_bytes},
                        .from = {from, s.from_offset_bytes},
                        .bytes = s.bytes,
                        .value = s.value,
                        .contents = s.contents ? *s.contents : std::vector<std::byte>()});
    }
    for (Program* program : {&out.plain, &out.probed})
      if (i < program->launches.size() && !before.empty()) program->launches[i].before = before;
  }
}

}  // namespace lanescope::engine
