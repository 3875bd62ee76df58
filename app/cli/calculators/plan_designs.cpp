#include "app/cli/calculators/calculators.h"

#include <charconv>

#include <toml++/toml.h>

#include <fmt/format.h>

#include "kernels/base/read_file.h"
#include "kernels/source/model/buffer.h"

namespace lanescope::cli {
namespace {

Expected<int> bits_of(const std::string& type) {
  if (const int known = source::element_bits(type); known > 0) return known;
  int bits = 0;
  const auto [end, problem] = std::from_chars(type.data(), type.data() + type.size(), bits);
  if (problem == std::errc() && end == type.data() + type.size()) return bits;
  return failure(fmt::format("the type `{}` is unknown", type),
                 "write a type such as f16 or u8, or a number of bits: 1, 2, 4 ... 128");
}

bool is_identifier(std::string_view s) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !s.empty() && letter(s.front()) &&
         std::ranges::all_of(s, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

Diagnostics at(Diagnostics diagnostics, std::string_view where) {
  for (Diagnostic& d : diagnostics) d.file = where;
  return diagnostics;
}

/// `from` with the names that the others have.
Expected<layout::Assignment> renamed(layout::Assignment a, const std::string& rename) {
  for (const std::string& pair : words_of(rename)) {
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == pair.size())
      return failure(fmt::format("`{}` renames nothing", pair), "write OLD=NEW, for example i0=j0");
    const std::string old_name = pair.substr(0, equals), new_name = pair.substr(equals + 1);
    bool found = false;
    for (auto& row : a.rows) {
      if (!row) continue;
      for (layout::Term& t : *row) {
        if (std::ranges::find(t.names, old_name) == t.names.end()) continue;
        found = true;
        std::vector<std::string> names = t.names;
        std::ranges::replace(names, old_name, new_name);
        t = layout::sum_of(std::move(names), t.constant);
      }
    }
    if (!found) return failure(fmt::format("the source has no logical bit `{}`", old_name), "rename one that it has");
  }
  return a;
}

/// The option that what is wrong was given with.
std::string option_of(DiagnosticCode code) {
  if (code == DiagnosticCode::bits_of_destination) return "--to";
  if (code == DiagnosticCode::bits_of_source) return "--from";
  return code == DiagnosticCode::element_type ? "--type" : "--from, --to";
}

}  // namespace

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    if (c == ' ' || c == ',' || c == '\n' || c == '\t') {
      if (!out.back().empty()) out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  if (out.back().empty()) out.pop_back();
  return out;
}

Expected<convert::Chain> planned(const Design& design, const std::string& file) {
  const auto named = [&](std::string_view key) {
    return file.empty() ? fmt::format("--{}", key) : fmt::format("{}, {}", file, key);
  };
  const Expected<int> bits = bits_of(design.type);
  if (!bits) return tl::unexpected<Diagnostics>(at(bits.error(), named("type")));
  std::vector<layout::Assignment> states;
  for (std::size_t n = 0; n < design.states.size(); ++n) {
    const std::string key = n == 0 ? "from" : n + 1 == design.states.size() ? "to" : "through";
    Expected<layout::Assignment> state = layout::parse(design.states[n]);
    if (state && n == 0) state = renamed(std::move(*state), design.rename);
    if (!state) return tl::unexpected<Diagnostics>(at(state.error(), named(key)));
    states.push_back(std::move(*state));
  }
  Expected<convert::Chain> out = convert::plan_chain(states, *bits, design.free);
  if (out) return out;
  Diagnostics problems = at(out.error(), file);
  for (Diagnostic& d : problems) {
    if (file.empty()) d.file = option_of(d.code);
    if (d.code == DiagnosticCode::bits_of_source || d.code == DiagnosticCode::bits_of_destination)
      d.remedy += " (--rename OLD=NEW, key `rename`)";
  }
  return tl::unexpected<Diagnostics>(std::move(problems));
}

Expected<std::vector<Design>> design_of(const PlanOptions& o) {
  Design d{.name = o.name,
           .type = o.type,
           .states = {o.from},
           .rename = o.rename,
           .free = {},
           .from_axes = {},
           .to_axes = {},
           .element = o.element};
  d.states.insert(d.states.end(), o.through.begin(), o.through.end());
  d.states.push_back(o.to);
  d.free = {.lane_order = o.free_lanes, .register_order = o.free_registers};
  d.from_axes = words_of(o.from_axes);
  d.to_axes = words_of(o.to_axes);
  return std::vector{std::move(d)};
}

/// The conversions of a file: keys at its top, or `[[plan]]` tables.
Expected<std::vector<Design>> read_designs(const std::string& path) {
  const Expected<std::string> text = read_typed_file(path);
  if (!text) return tl::unexpected<Diagnostics>(text.error());
  toml::table root;
  try {
    root = toml::parse(*text);
  } catch (const toml::parse_error& e) {
    return failure(Diagnostic{.file = path,
                              .line = static_cast<int>(e.source().begin.line),
                              .column = static_cast<int>(e.source().begin.column),
                              .message = std::string(e.description()),
                              .remedy = "write TOML: name, type, from and to, or several [[plan]] tables of them"});
  }
  std::vector<Design> out;
  Diagnostics wrong;
  const auto complain = [&](const toml::node& n, std::string message, std::string remedy) {
    wrong.push_back({.file = path,
                     .line = static_cast<int>(n.source().begin.line),
                     .column = static_cast<int>(n.source().begin.column),
                     .message = std::move(message),
                     .remedy = std::move(remedy)});
  };
  const auto read = [&](const toml::table& t) {
    Design a;
    std::string from, to, free, from_axes, to_axes;
    bool has_states = false;
    for (const auto& [key, value] : t) {
      if (key == "states") {
        const toml::array* list = value.as_array();
        has_states = true;
        for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
          if (const auto* s = list->get(i)->as_string())
            a.states.push_back(s->get());
          else
            complain(*list->get(i), "a state must be a string", "write an assignment in quotes");
        }
        if (list == nullptr || list->size() < 2)
          complain(value, "`states` must be a list of two assignments or more", "write [\"...\", \"...\"]");
        continue;
      }
      if (key == "plan") {
        const auto* number = value.as_integer();
        if (number == nullptr || number->get() < 1 || number->get() > 1000)
          complain(value, "`plan` must be a number from 1", "count the plans that the design has");
        else
          a.plan = static_cast<int>(number->get());
        continue;
      }
      std::string* place = key == "name"        ? &a.name
                           : key == "type"      ? &a.type
                           : key == "from"      ? &from
                           : key == "to"        ? &to
                           : key == "free"      ? &free
                           : key == "rename"    ? &a.rename
                           : key == "element"   ? &a.element
                           : key == "from_axes" ? &from_axes
                           : key == "to_axes"   ? &to_axes
                                                : nullptr;
      if (place == nullptr) {
        complain(value, fmt::format("unknown key `{}`", key.str()),
                 "known keys are name, type, from, to, states, free, rename, plan, element, from_axes and to_axes");
      } else if (const auto* s = value.as_string()) {
        *place = s->get();
      } else {
        complain(value, fmt::format("`{}` must be a string", key.str()), "write it in quotes");
      }
    }
    if (!is_identifier(a.name))
      complain(t, fmt::format("`{}` is no name of a function", a.name), "use letters, digits and _");
    if (has_states && (!from.empty() || !to.empty()))
      complain(t, "`states` replaces `from` and `to`", "write one or the other");
    if (a.type.empty() || (!has_states && (from.empty() || to.empty())))
      complain(t, "a plan needs type, from and to", "add what is missing");
    if (!has_states) a.states = {from, to};
    a.from_axes = words_of(from_axes);
    a.to_axes = words_of(to_axes);
    for (const std::string& word : words_of(free)) {
      if (word == "lanes")
        a.free.lane_order = true;
      else if (word == "registers")
        a.free.register_order = true;
      else
        complain(t, fmt::format("`{}` cannot be free", word), "write free = \"lanes\", \"registers\" or both");
    }
    out.push_back(std::move(a));
  };
  if (const toml::node* plans = root.get("plan")) {
    const toml::array* list = plans->as_array();
    if (list == nullptr) complain(*plans, "`plan` must be a list of tables", "write [[plan]] in double brackets");
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
      if (const toml::table* t = list->get(i)->as_table())
        read(*t);
      else
        complain(*list->get(i), "a plan must be a table", "write [[plan]] and its keys below");
    }
  } else {
    read(root);
  }
  if (!wrong.empty()) return tl::unexpected<Diagnostics>(std::move(wrong));
  return out;
}

}  // namespace lanescope::cli
