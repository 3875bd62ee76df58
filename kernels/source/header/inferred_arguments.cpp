// The argument of each parameter of a launch.

#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/base/nearest.h"
#include "kernels/base/text.h"
#include "kernels/source/cxx/number_types.h"
#include "kernels/source/header/completer.h"

namespace lanescope::source {

bool Completer::from_host(ArgumentSpec& a, bool pointer, const FunctionRange& f, const HostLaunch* h, std::size_t at) {
  if (h == nullptr || h->arguments.size() != f.info.parameters.size()) return false;
  const HostArgument& given = h->arguments[at];
  if (given.kind == HostArgument::Kind::unknown) {
    say(fmt::format("Argument {}: unknown in the launch at line {}, because {}.", a.parameter, h->line, given.because));
    return false;
  }
  if (given.kind == HostArgument::Kind::number && !pointer) {
    a.value = given.number;
    if (!given.type.empty()) a.type = given.type;
    say(fmt::format("Argument {}: {}, from the launch at line {}.", a.parameter, given.number, h->line));
    return true;
  }
  if (given.kind == HostArgument::Kind::fields && !pointer) {
    for (const HostField& field : given.fields) {
      FieldSpec m{.value = field.number.value_or(0),
                  .type = field.type,
                  .offset_bytes = field.offset_bytes,
                  .bytes = field.bytes};
      if (field.is_pointer && field.pointer.buffer >= 0) m.value = place_of(field.pointer, field.type, a.parameter, f);
      if (field.is_pointer && !field.is_known) m.value = buffer_of_member(a, field, f);
      if (!field.is_pointer && !field.number)
        pending_members_.push_back({.launch = static_cast<std::size_t>(launch_ - header_.launches.data()),
                                    .argument = at,
                                    .member = a.members.size(),
                                    .name = fmt::format("{}.{}", a.parameter, field.name),
                                    .because = fmt::format("because it is unknown in the launch at line {}", h->line)});
      a.members.push_back(std::move(m));
    }
    a.value = 0.0;
    say(fmt::format("Argument {}: its {} members are those of the launch at line {}.", a.parameter, a.members.size(),
                    h->line));
    return true;
  }
  const bool zero = given.kind == HostArgument::Kind::number && given.number == 0;  // NULL
  if (!pointer || (given.kind != HostArgument::Kind::pointer && !zero)) return false;
  if (zero || given.pointer.buffer < 0) {
    a.value = 0.0;
    say(fmt::format("Argument {}: the null pointer, from the launch at line {}.", a.parameter, h->line));
    return true;
  }
  const BufferSpec* own = buffer(a.parameter);
  if (own != nullptr && !own->inferred) return false;
  a.is_buffer = true;
  a.value = place_of(given.pointer, a.type, a.parameter, f);
  return true;
}

bool Completer::by_default(ArgumentSpec& a, bool pointer, const Parameter& p) {
  if (p.initial.empty()) return false;
  std::string_view text = p.initial;
  double number = 0;
  const bool is_null = text == "nullptr" || text == "NULL" || text == "0";
  if (text == "true" || text == "false") {
    number = text == "true" ? 1 : 0;
  } else if (!is_null) {
    while (!text.empty() && std::string_view("fFuUlL").find(text.back()) != std::string_view::npos)
      text.remove_suffix(1);
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc() || end != text.data() + text.size()) return false;
  }
  if (pointer && !is_null) return false;
  a.value = number;
  say(fmt::format("Argument {}: {}, its default argument.", a.parameter, p.initial));
  return true;
}

std::string Completer::place_of(const HostPointer& pointer, const std::string& type, const std::string& parameter,
                                const FunctionRange& f) {
  const HostBuffer& host = host_.buffers[static_cast<std::size_t>(pointer.buffer)];
  std::string& name = names_[pointer.buffer];
  if (name.empty()) {
    name = parameter;
    if (name.empty() || buffer(name) != nullptr) name = host.name.empty() ? parameter + "_2" : host.name;
    for (int n = 2; buffer(name) != nullptr; ++n)
      name = fmt::format("{}_{}", host.name.empty() ? parameter : host.name, n);
    std::string of = type;
    if (!number_type_in(of) && !host.element_type.empty()) of = host.element_type;
    new_buffer(name, parameter, of, f, host.element_type);
    host_of_[name] = pointer.buffer;
  }
  const BufferSpec* b = buffer(name);
  const std::int64_t elements = pointer.offset_bytes * 8 / std::max(b->element_bits, 1);
  return elements == 0 ? name : fmt::format("{}+{}", name, elements);
}

void Completer::arguments(LaunchSpec& l, const FunctionRange& f, const HostLaunch* host) {
  launch_ = &l;
  std::vector<ArgumentSpec> given = std::move(l.arguments);
  l.arguments.clear();
  const std::vector<Parameter>& parameters = f.info.parameters;
  const bool positional = !given.empty() && given.front().parameter.empty();
  if (positional && given.size() > parameters.size())
    return wrong(
        place_of(given[parameters.size()], l),
        fmt::format("there are {} arguments, but {} has {} parameters", given.size(), l.kernel, parameters.size()),
        "remove the last ones");
  for (const ArgumentSpec& a : given) {
    if (positional ||
        std::any_of(parameters.begin(), parameters.end(), [&](const Parameter& p) { return p.name == a.parameter; }))
      continue;
    std::vector<std::string> names;
    for (const Parameter& p : parameters) names.push_back(p.name);
    const std::string_view meant = nearest_name(a.parameter, names);
    wrong(place_of(a, l), fmt::format("{} has no parameter `{}`", l.kernel, a.parameter),
          meant.empty() ? fmt::format("its parameters are {}", fmt::join(names, ", "))
                        : fmt::format("did you mean `{}`?", meant));
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    ArgumentSpec a;
    const auto named = std::find_if(given.begin(), given.end(),
                                    [&](const ArgumentSpec& g) { return g.parameter == parameters[i].name; });
    const bool is_given = positional ? i < given.size() : named != given.end();
    if (is_given) a = positional ? given[i] : *named;
    a.parameter = parameters[i].name;
    a.type = parameters[i].type;
    const bool pointer = a.type.find_first_of("*[&") != std::string::npos;
    if (positional && !is_given && wish_.lists_are_whole && parameters[i].initial.empty())
      return wrong(l.place_or_line(l.places.arguments),
                   fmt::format("there {} {} argument{}, but {} has {} parameters", given.size() == 1 ? "is" : "are",
                               given.size(), given.size() == 1 ? "" : "s", l.kernel, parameters.size()),
                   "add the last ones, or give them by name");
    if (!is_given && !from_host(a, pointer, f, host, i) && !by_default(a, pointer, parameters[i])) infer(a, pointer, f);
    if (a.is_buffer) check_buffer(std::get<std::string>(a.value), a, l);
    for (const FieldSpec& m : a.members)
      if (const auto* name = std::get_if<std::string>(&m.value)) check_buffer(*name, a, l);
    if (is_given && !a.members.empty()) known_structure(a, l);
    if (is_given && a.bits.empty() && a.members.empty() && pointer != a.is_buffer &&
        !(pointer && std::get<double>(a.value) == 0)) {
      wrong(place_of(a, l),
            fmt::format("parameter {} of {} is {}", a.parameter, l.kernel, pointer ? "a pointer" : "not a pointer"),
            pointer ? "give it a buffer" : "give it a number");
    }
    l.arguments.push_back(std::move(a));
  }
}

Completer::BufferAndOffset Completer::parts_of(const std::string& text) {
  const std::size_t sign = std::min(text.find_first_of("+-"), text.size());
  return {std::string(trimmed(std::string_view(text).substr(0, sign))),
          std::string(trimmed(std::string_view(text).substr(sign)))};
}

void Completer::known_structure(ArgumentSpec& a, const LaunchSpec& l) {
  for (const HostRecord& r : host_.records) {
    const Lexed type = lex(a.type);
    bool named = false;
    for (int t = 0; t < type.count(); ++t) named = named || type.of(t) == r.name;
    if (!named) continue;
    if (r.fields.size() != a.members.size())
      return wrong(place_of(a, l),
                   fmt::format("argument {}: {} values are given, and {} has {} members", a.parameter, a.members.size(),
                               r.name, r.fields.size()),
                   "give one value for each member, those of inner structures included");
    for (std::size_t i = 0; i < r.fields.size(); ++i) {
      FieldSpec& m = a.members[i];
      if (std::holds_alternative<std::string>(m.value) != r.fields[i].is_pointer &&
          !(r.fields[i].is_pointer && std::get<double>(m.value) == 0))
        return wrong(place_of(a, l),
                     fmt::format("argument {}: its member {} is {}", a.parameter, r.fields[i].name,
                                 r.fields[i].is_pointer ? "a pointer" : "a number"),
                     r.fields[i].is_pointer ? "give it a buffer" : "give it a number");
      m.type = r.fields[i].type, m.offset_bytes = r.fields[i].offset_bytes, m.bytes = r.fields[i].bytes;
    }
    return;
  }
}

void Completer::check_buffer(const std::string& text, const ArgumentSpec& a, const LaunchSpec& l) {
  const auto [name, offset] = parts_of(text);
  if (buffer(name) == nullptr) {
    std::vector<std::string> names;
    for (const BufferSpec& b : header_.buffers) names.push_back(b.name);
    const std::string_view meant = nearest_name(name, names);
    wrong(place_of(a, l), fmt::format("argument {}: there is no buffer `{}`", a.parameter, name),
          meant.empty() ? "add it below [buffers]" : fmt::format("did you mean `{}`?", meant));
  }
  if (!offset.empty() && (offset.size() < 2 || offset.find_first_not_of("0123456789 ", 1) != std::string::npos))
    wrong(place_of(a, l), fmt::format("argument {}: `{}` is not an offset", a.parameter, text),
          "write for example \"p+64\", in elements");
}

void Completer::offsets(const LaunchSpec& l) {
  for (const ArgumentSpec& a : l.arguments) {
    std::vector<std::string> places;
    if (a.is_buffer) places.push_back(std::get<std::string>(a.value));
    for (const FieldSpec& m : a.members)
      if (const auto* place = std::get_if<std::string>(&m.value)) places.push_back(*place);
    for (const std::string& place : places) offset(place, a, l);
  }
}

void Completer::offset(const std::string& place, const ArgumentSpec& a, const LaunchSpec& l) {
  auto [name, offset] = parts_of(place);
  const BufferSpec* b = buffer(name);
  if (b == nullptr || offset.empty()) return;
  if (offset.front() == '-') {
    wrong(place_of(a, l),
          fmt::format("argument {}: `{}{}` is before the first element of {}", a.parameter, name, offset, name),
          "offsets count from the buffer's first element");
    return;
  }
  std::erase_if(offset, [](char c) { return c == ' ' || c == '+'; });
  std::uint64_t elements = 0;
  const auto [end, problem] = std::from_chars(offset.data(), offset.data() + offset.size(), elements);
  if (problem != std::errc() || end != offset.data() + offset.size() || elements > b->elements)
    wrong(place_of(a, l),
          fmt::format("argument {}: `{}+{}` is beyond the end of {}, which has {} elements", a.parameter, name, offset,
                      name, b->elements),
          "offsets are in elements");
}

std::set<std::string> Completer::passed_buffers() const {
  std::set<std::string> used;
  for (const LaunchSpec& l : header_.launches)
    for (const ArgumentSpec& a : l.arguments) {
      if (a.is_buffer) used.insert(parts_of(std::get<std::string>(a.value)).name);
      for (const FieldSpec& m : a.members)
        if (const auto* place = std::get_if<std::string>(&m.value)) used.insert(parts_of(*place).name);
    }
  return used;
}

void Completer::unused_buffers() {
  std::set<std::string> used = passed_buffers();
  std::vector<std::string> assumed;
  for (const BufferSpec& b : header_.buffers) {
    if (b.inferred && used.contains(b.name)) assumed.push_back(b.name);
    if (b.expected && b.expected->kind == Contents::Kind::copy_of) used.insert(b.expected->text);
  }
  for (const BufferSpec& b : header_.buffers) {
    if (b.inferred || used.contains(b.name)) continue;
    if (std::ranges::find(wish_.variables, b.name) != wish_.variables.end()) continue;
    if (assumed.empty()) {
      wrong({b.line, b.column}, fmt::format("no launch passes the buffer `{}`", b.name),
            "name it in args, or remove it", Severity::warning);
      continue;
    }
    const std::string_view near = nearest_name(b.name, assumed);
    const std::string meant(near.empty() ? std::string_view(assumed.front()) : near);
    wrong({b.line, b.column},
          fmt::format("no launch passes the buffer `{}`, and the parameter {} has no buffer", b.name, meant),
          fmt::format("call the buffer `{}`, or name it in args", meant));
  }
}

std::string Completer::buffer_of_member(const ArgumentSpec& a, const HostField& field, const FunctionRange& f) {
  std::string stem = fmt::format("{}_{}", a.parameter, field.name);
  std::ranges::replace_if(
      stem, [](char c) { return !is_word(c); }, '_');
  std::string name = stem;
  for (int n = 2; buffer(name) != nullptr; ++n) name = fmt::format("{}_{}", stem, n);
  new_buffer(name, a.parameter, field.type, f, "");
  return name;
}

bool Completer::infer_structure(ArgumentSpec& a, const FunctionRange& f) {
  const Lexed type = lex(a.type);
  const auto record = std::ranges::find_if(host_.records, [&](const HostRecord& r) {
    for (int t = 0; t < type.count(); ++t)
      if (type.of(t) == r.name) return !r.fields.empty();
    return false;
  });
  if (record == host_.records.end()) return false;
  for (const HostField& field : record->fields) {
    FieldSpec m{.value = 0.0, .type = field.type, .offset_bytes = field.offset_bytes, .bytes = field.bytes};
    if (field.is_pointer) m.value = buffer_of_member(a, field, f);
    if (!field.is_pointer)
      pending_members_.push_back({.launch = static_cast<std::size_t>(launch_ - header_.launches.data()),
                                  .argument = launch_->arguments.size(),
                                  .member = a.members.size(),
                                  .name = fmt::format("{}.{}", a.parameter, field.name),
                                  .because = {}});
    a.members.push_back(std::move(m));
  }
  a.value = 0.0;
  return true;
}

void Completer::infer(ArgumentSpec& a, bool pointer, const FunctionRange& f) {
  if (!pointer && !header_.present && infer_structure(a, f)) return;
  if (!pointer) {
    a.value = 0.0;
    scalars_.push_back(a.parameter);
    return;
  }
  a.is_buffer = true;
  a.value = a.parameter;
  if (buffer(a.parameter) == nullptr) new_buffer(a.parameter, a.parameter, a.type, f, "");
}

}  // namespace lanescope::source
