#include "app/cli/calculators/calculators.h"

#include <fmt/format.h>

#include "app/design/design.h"
#include "kernels/base/numbers.h"
#include "kernels/base/read_file.h"
#include "kernels/base/text.h"
#include "kernels/base/toml_table.h"
#include "kernels/source/model/buffer.h"

namespace lanescope::cli {
namespace {

Expected<int> bits_of(const std::string& type) {
  if (const int known = source::element_bits(type); known > 0) return known;
  if (const auto bits = number_in<int>(type)) return *bits;
  return failure(fmt::format("the type `{}` is unknown", type),
                 "write a type such as f16 or u8, or a number of bits: 1, 2, 4 ... 128");
}

Diagnostics at(Diagnostics diagnostics, std::string_view where) {
  for (Diagnostic& d : diagnostics) d.file = where;
  return diagnostics;
}

/// `from` with the names that the others have.
Expected<layout::Assignment> renamed(layout::Assignment a, const std::string& rename) {
  for (const std::string& pair : words_between(rename, " ,\n\t")) {
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
  Design d{.name = o.name, .type = o.type, .states = {o.from}, .rename = o.rename, .element = o.element};
  d.states.insert(d.states.end(), o.through.begin(), o.through.end());
  d.states.push_back(o.to);
  d.free = {.lane_order = o.free_lanes, .register_order = o.free_registers};
  d.from_axes = words_between(o.from_axes, " ,\n\t");
  d.to_axes = words_between(o.to_axes, " ,\n\t");
  return std::vector{std::move(d)};
}

/// The conversions of a file: keys at its top, or `[[plan]]` tables.
Expected<std::vector<Design>> read_designs(const std::string& path) {
  const std::string text = LS_TRY(read_typed_file(path));
  const auto root = LS_TRY(parse_toml(text, path, 0, design::designs_remedy));
  std::vector<Design> out;
  Diagnostics wrong;
  const auto read = [&](const toml::table& t) {
    Design a;
    std::string from, to, free, from_axes, to_axes;
    TomlTable reader(t, path);
    const std::pair<const char*, std::string*> texts[] = {
        {"name", &a.name},    {"type", &a.type},     {"from", &from},         {"to", &to},
        {"free", &free},      {"rename", &a.rename}, {"element", &a.element}, {"from_axes", &from_axes},
        {"to_axes", &to_axes}};
    for (const auto& [key, place] : texts) reader.read(key, *place);
    reader.read("plan", a.plan, 1, 1000);
    const bool has_states = reader.has("states");
    if (reader.read("states", a.states) && a.states.size() < 2)
      reader.complain("states", "`states` must be a list of two assignments or more", "write [\"...\", \"...\"]");
    if (!design::is_function_name(a.name))
      reader.complain(t, fmt::format("`{}` is no name of a function", a.name), "use letters, digits and _");
    if (has_states && (!from.empty() || !to.empty()))
      reader.complain(t, "`states` replaces `from` and `to`", "write one or the other");
    if (a.type.empty() || (!has_states && (from.empty() || to.empty())))
      reader.complain(t, "a plan needs type, from and to", "add what is missing");
    if (!has_states) a.states = {from, to};
    a.from_axes = words_between(from_axes, " ,\n\t");
    a.to_axes = words_between(to_axes, " ,\n\t");
    for (const std::string& word : words_between(free, " ,\n\t")) {
      if (word == "lanes")
        a.free.lane_order = true;
      else if (word == "registers")
        a.free.register_order = true;
      else
        reader.complain("free", fmt::format("`{}` cannot be free", word),
                        "write free = \"lanes\", \"registers\" or both");
    }
    std::ranges::move(reader.finish(), std::back_inserter(wrong));
    out.push_back(std::move(a));
  };
  TomlTable top(root, path);
  for (const toml::table* t : top.read_tables("plan")) read(*t);
  if (!top.has("plan")) read(root);
  std::ranges::move(top.finish(false), std::back_inserter(wrong));
  if (!wrong.empty()) return tl::unexpected<Diagnostics>(std::move(wrong));
  return out;
}

}  // namespace lanescope::cli
