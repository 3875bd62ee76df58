#include "app/design/design.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/base/numbers.h"
#include "kernels/base/text.h"
#include "kernels/base/toml_table.h"

namespace lanescope::design {
namespace {

/// All keys that are read. A chain is written by `states`, else `from` and `to`.
constexpr std::string_view keys[] = {"name", "type", "from", "to", "states"};
bool has_key(const Design& d, std::string_view key) {
  const bool end = key == "from" || key == "to";
  return d.is_chain() ? !end : key != "states";
}

std::string* value_of(Design& d, std::string_view key) {
  return key == "name" ? &d.name : key == "type" ? &d.type : key == "from" ? &d.from : key == "to" ? &d.to : nullptr;
}

/// Where one design stands: lines from 0, one past its end.
struct Stretch {
  std::size_t first = 0, last = 0;
};

struct Parsed {
  std::vector<Design> designs;
  std::vector<Stretch> stretches;
  std::vector<std::vector<std::pair<std::string, toml::source_region>>> values;  ///< by key
};

/// The text after "# steps:" and the like; nullopt: the line is another one.
std::optional<std::pair<std::string_view, std::string_view>> note_of(std::string_view line) {
  line = trimmed(line);
  if (!line.starts_with('#')) return std::nullopt;
  line = trimmed(line.substr(1));
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view name = line.substr(0, colon);
  if (name != "steps" && name != "memory" && name != "shared") return std::nullopt;
  return std::pair{name, trimmed(line.substr(colon + 1))};
}

std::optional<SharedForm> parse_shared(std::string_view text) {
  const auto parts = words_between(text, " \t");
  if (parts.size() != 3) return std::nullopt;
  SharedForm form{.kind = parts[0] == "padding"   ? SharedForm::Kind::padding
                          : parts[0] == "swizzle" ? SharedForm::Kind::swizzle
                                                  : SharedForm::Kind::plain};
  if (form.kind == SharedForm::Kind::plain) return std::nullopt;
  const auto number = [](std::string_view t, int low, int high) -> std::optional<int> {
    const auto n = number_in<int>(t);
    return n && *n >= low && *n <= high ? n : std::nullopt;
  };
  const auto row = number(parts[1], 1, 4096), other = number(parts[2], 1, 32);
  if (!row || !other) return std::nullopt;
  form.row_words = *row;
  (form.kind == SharedForm::Kind::padding ? form.padding_words : form.unit_words) = *other;
  if (form.kind == SharedForm::Kind::swizzle && (*other & (*other - 1)) != 0) return std::nullopt;
  return form;
}

/// Comments that the designer writes. One that it cannot read is an ordinary comment.
void read_note(std::string_view name, std::string_view value, Design& d) {
  if (name == "memory") {
    d.memory = words_between(value, " \t");
  } else if (name == "shared") {
    if (const auto form = parse_shared(value)) d.shared = *form;
  } else {
    // Of a chain: leg by leg, with | between them.
    std::vector<std::vector<Exchange>> legs(1);
    for (std::string_view rest = value; !trimmed(rest).empty();) {
      const std::size_t end = std::min(rest.find_first_of(",|"), rest.size());
      if (const std::string_view word = trimmed(rest.substr(0, end)); !word.empty()) {
        const auto step = parse_exchange(word);
        if (!step) return;
        legs.back().push_back(*step);
      }
      if (end < rest.size() && rest[end] == '|') legs.emplace_back();
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    d.steps = std::move(legs.front());
    for (std::size_t n = 1; n < legs.size() && n <= d.later.size(); ++n) d.later[n - 1].steps = std::move(legs[n]);
  }
}

std::vector<std::string> notes_of(const Design& d) {
  std::vector<std::string> out;
  const auto words = [](const std::vector<Exchange>& exchanges) {
    std::vector<std::string> steps;
    for (const Exchange& e : exchanges) steps.push_back(to_string(e));
    return fmt::format("{}", fmt::join(steps, ", "));
  };
  std::string steps = words(d.steps);
  bool any = !d.steps.empty();
  for (const ChainState& state : d.later) {
    steps += " | " + words(state.steps);
    any = any || !state.steps.empty();
  }
  if (any) out.push_back("# steps: " + steps);
  if (!d.memory.empty()) out.push_back(fmt::format("# memory: {}", fmt::join(d.memory, " ")));
  if (d.shared.kind == SharedForm::Kind::padding)
    out.push_back(fmt::format("# shared: padding {} {}", d.shared.row_words, d.shared.padding_words));
  if (d.shared.kind == SharedForm::Kind::swizzle)
    out.push_back(fmt::format("# shared: swizzle {} {}", d.shared.row_words, d.shared.unit_words));
  return out;
}

/// The value of a key.
std::string toml_value(const Design& design, std::string_view key) {
  Design d = design;
  if (key != "states") return toml_string(*value_of(d, key));
  std::vector<std::string> states;
  for (const std::string& s : d.states()) states.push_back(toml_string(s));
  return fmt::format("[{}]", fmt::join(states, ", "));
}

Expected<Parsed> parse_text(std::string_view text, const std::string& file) {
  const auto root = LS_TRY(parse_toml(text, file, 0, designs_remedy));
  Parsed out;
  Diagnostics wrong;
  const auto read = [&](const toml::table& t, bool top) {
    Design d;
    TomlTable reader(t, file);
    for (const std::string_view key : keys)
      if (key != "states") reader.read(key, *value_of(d, key));
    if (std::vector<std::string> states; reader.read("states", states)) {
      if (states.size() < 2)
        reader.complain("states", "`states` must be a list of two strings or more",
                        "write register assignments in quotes");
      states.resize(std::max<std::size_t>(states.size(), 2));
      d.from = states[0], d.to = states[1];
      for (std::size_t n = 2; n < states.size(); ++n) d.later.push_back({states[n], {}});
    }
    for (const char* end : {"from", "to"})
      if (!reader.has(end) && !reader.has("states"))
        reader.complain(end, fmt::format("a layout design needs `{}`", end), "add the key with a register assignment");
    std::ranges::move(reader.finish(false), std::back_inserter(wrong));
    std::vector<std::pair<std::string, toml::source_region>> values;
    for (const std::string_view key : keys)
      if (const toml::node* value = t.get(key)) values.emplace_back(std::string(key), value->source());
    out.designs.push_back(std::move(d));
    out.values.push_back(std::move(values));
    const std::size_t first = top ? 0 : t.source().begin.line - 1;
    if (!out.stretches.empty()) out.stretches.back().last = first;
    out.stretches.push_back({first, split_lines(text).size()});
  };
  if (const toml::node* plans = root.get("plan")) {
    TomlTable top(root, file);
    const auto tables = top.read_tables("plan");
    for (const toml::table* t : tables) read(*t, false);
    if (plans->is_array() && tables.empty())
      top.complain("plan", "there is no layout design in it", "write [[plan]] and its keys below");
    std::ranges::move(top.finish(false), std::back_inserter(wrong));
  } else {
    read(root, true);
  }
  if (!wrong.empty()) return tl::unexpected<Diagnostics>(std::move(wrong));
  const auto lines = split_lines(text);
  for (std::size_t n = 0; n < out.designs.size(); ++n)
    for (std::size_t l = out.stretches[n].first; l < std::min(out.stretches[n].last, lines.size()); ++l)
      if (const auto note = note_of(lines[l])) read_note(note->first, note->second, out.designs[n]);
  return out;
}

/// The text with the values and notes of one design changed where they stand; nullopt where that fails.
std::optional<std::string> changed_in_place(std::string_view text, const Parsed& parsed, std::size_t which,
                                            const Design& design) {
  std::string out(text);
  const Design& wanted = design;
  struct Change {
    std::size_t begin, end;
    std::string text;
  };
  std::vector<Change> changes;
  for (const auto& [key, region] : parsed.values[which]) {
    const Design& before = parsed.designs[which];
    const auto begin = byte_at(text, region.begin.line, region.begin.column),
               end = byte_at(text, region.end.line, region.end.column);
    if (!begin || !end || *begin >= *end) return std::nullopt;
    if (!has_key(wanted, key)) {  // the line goes, and with it a comment after the value
      const std::size_t line = text.rfind('\n', *begin);
      changes.push_back({line == std::string_view::npos ? 0 : line + 1,
                         std::min(text.find('\n', *end), text.size() - 1) + 1, std::string()});
    } else if (toml_value(before, key) != toml_value(wanted, key)) {
      changes.push_back({*begin, *end, toml_value(wanted, key)});
    }
  }
  std::ranges::sort(changes, std::greater<>(), &Change::begin);
  for (const Change& c : changes) out.replace(c.begin, c.end - c.begin, c.text);
  // Keys that it left out, and the notes: before its first key. Values may have become shorter, never fewer lines apart
  // from that, so the lines are looked for again.
  // Where the ends gave way to a list of states, or that to the ends, they are added first.
  bool form_changes = false;
  for (const auto& [key, region] : parsed.values[which]) form_changes = form_changes || !has_key(wanted, key);
  if (form_changes) {
    std::string added;
    for (const std::string_view key : keys) {
      const bool known = std::ranges::any_of(parsed.values[which], [&](const auto& v) { return v.first == key; });
      if (has_key(wanted, key) && !known && key != "name" && key != "type")
        added += fmt::format("{} = {}\n", key, toml_value(wanted, key));
    }
    std::size_t at = out.size();
    for (const Change& c : changes)
      if (c.text.empty()) at = std::min(at, c.begin);
    out.insert(at, added);
  }
  const auto again = parse_text(out, {});
  if (!again || again->designs.size() != parsed.designs.size()) return std::nullopt;
  std::vector<std::string> lines;
  for (const std::string_view line : split_lines(out)) lines.emplace_back(line);
  const Stretch stretch = again->stretches[which];
  std::size_t first_key = stretch.last;
  std::vector<std::string> missing;
  for (const std::string_view key : keys) {
    const auto& values = again->values[which];
    const auto at = std::ranges::find(values, key, [](const auto& v) { return std::string_view(v.first); });
    if (at == values.end()) {
      if (has_key(wanted, key) && toml_value(Design{}, key) != toml_value(wanted, key))
        missing.push_back(fmt::format("{} = {}", key, toml_value(wanted, key)));
    } else {
      first_key = std::min<std::size_t>(first_key, at->second.begin.line - 1);
    }
  }
  const Design& now = again->designs[which];
  const bool notes_differ = notes_of(now) != notes_of(wanted) || now.steps != wanted.steps ||
                            now.memory != wanted.memory || now.shared != wanted.shared;
  std::vector<std::string> notes = notes_differ ? notes_of(wanted) : std::vector<std::string>();
  std::string result;
  for (std::size_t l = 0; l < lines.size(); ++l) {
    if (l == first_key)
      for (const auto& added : {notes, missing})
        for (const std::string& line : added) result += line + "\n";
    const bool own = l >= stretch.first && l < stretch.last;
    if (own && notes_differ && note_of(lines[l])) continue;
    result += lines[l];
    if (l + 1 < lines.size() || out.ends_with('\n')) result += '\n';
  }
  return result;
}

}  // namespace

Expected<std::vector<Design>> read_designs(std::string_view text, const std::string& file) {
  auto parsed = LS_TRY(parse_text(text, file));
  return std::move(parsed.designs);
}

std::string text_of(const Design& design) {
  std::string out = "# A layout design: lanescope plan FILE reads it, too.\n";
  for (const std::string& note : notes_of(at_leg(design, 0))) out += note + "\n";
  const Design whole = at_leg(design, 0);
  for (const std::string_view key : keys)
    if (has_key(whole, key)) out += fmt::format("{} = {}\n", key, toml_value(whole, key));
  return out;
}

std::string with_design(std::string_view text, std::size_t which, const Design& shown) {
  const Design design = at_leg(shown, 0);
  const auto parsed = parse_text(text, {});
  if (!parsed || which >= parsed->designs.size()) return text_of(design);
  if (parsed->designs[which] == design) return std::string(text);
  const auto changed = changed_in_place(text, *parsed, which, design);
  if (changed) {
    const auto check = read_designs(*changed);
    if (check && check->size() == parsed->designs.size() && (*check)[which] == design) return *changed;
  }
  if (parsed->designs.size() == 1) return text_of(design);
  // Several: all are written again, none is lost.
  std::string out = "# Layout designs: lanescope plan FILE reads them, too.\n";
  for (std::size_t n = 0; n < parsed->designs.size(); ++n) {
    const Design& d = n == which ? design : parsed->designs[n];
    out += "\n[[plan]]\n";
    for (const std::string& note : notes_of(d)) out += note + "\n";
    for (const std::string_view key : keys)
      if (has_key(d, key)) out += fmt::format("{} = {}\n", key, toml_value(d, key));
  }
  return out;
}

bool is_design_file(std::string_view path) { return path.ends_with(".layout") || path.ends_with(".toml"); }

}  // namespace lanescope::design
