#include "app/lessons/moments_file.h"

#include <algorithm>
#include <functional>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/lessons/lesson.h"
#include "app/lessons/notation.h"
#include "kernels/base/enum_size.h"
#include "kernels/base/nearest.h"
#include "kernels/base/read_file.h"
#include "kernels/base/text.h"
#include "kernels/base/write_file.h"
#include "viz/views/base/panels.h"

namespace lanescope::lessons {
namespace {

constexpr const char* moments_remedy = "write TOML: [[moment]], and its keys below";

/// A moment as a list of keys and what stands after them, in the order of the file; values that are the default are left
/// out, but for what says where it is.
std::vector<std::pair<std::string, std::string>> written(const SavedMoment& m) {
  const SavedMoment none;
  std::vector<std::pair<std::string, std::string>> out;
  const auto text = [&](const char* key, const std::string& value) {
    if (!value.empty()) out.emplace_back(key, toml_string(value));
  };
  const auto number = [&](const char* key, auto value, auto usual, bool always = false) {
    if (always || value != usual) out.emplace_back(key, fmt::format("{}", value));
  };
  const auto list = [&](const char* key, const std::vector<std::string>& values) {
    std::vector<std::string> words;
    for (const std::string& value : values) words.push_back(toml_string(value));
    if (!words.empty()) out.emplace_back(key, fmt::format("[{}]", fmt::join(words, ", ")));
  };
  // The shortest digits that read as the same float; TOML needs a point.
  const auto real = [&](const char* key, float value, float usual) {
    if (value == usual) return;
    std::string digits = fmt::format("{}", value);
    if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
    out.emplace_back(key, digits);
  };
  text("name", m.name);
  number("line", m.line, 0, true);
  text("text", m.text);
  number("nth", m.nth, none.nth);
  number("visit", m.visit, 0, true);
  number("instruction", m.instruction, none.instruction);
  number("launch", m.launch, none.launch);
  number("block", m.block, none.block);
  number("warp", m.warp, none.warp);
  real("share", m.share, none.share);
  text("picture", m.picture);
  text("arrangement", m.arrangement);
  list("panels", m.panels);
  text("colour", m.colour);
  text("label", m.label);
  real("zoom", m.zoom, none.zoom);
  text("select", m.select);
  list("pins", m.pins);
  text("caption", m.caption);
  text("notes", m.notes);
  return out;
}

std::string text_of(const SavedMoment& m) {
  std::string out = "[[moment]]\n";
  for (const auto& [key, value] : written(m)) out += fmt::format("{} = {}\n", key, value);
  return out;
}

bool is_comment(std::string_view line) { return trimmed(line).starts_with('#'); }

/// One moment of a file: its text with the comments directly above it, and where its values stand in that.
struct Chunk {
  SavedMoment moment;
  std::string text;
  std::map<std::string, std::pair<std::size_t, std::size_t>> values;  ///< by key: bytes of `text`
};

struct Chunks {
  std::string above;  ///< the first moment
  std::vector<Chunk> moments;
};

/// Nothing: it cannot be taken apart.
std::optional<Chunks> chunks_of(std::string_view text) {
  const auto moments = read_moments(text, {}, {});
  const auto root = parse_toml(text, {}, 0, moments_remedy);
  if (!moments || !root) return std::nullopt;
  const toml::array* list = (*root)["moment"].as_array();
  Chunks out;
  std::vector<std::size_t> starts;  // of each chunk
  const std::vector<std::string_view> lines = split_lines(text);
  const auto start_of = [&](std::size_t line) {
    return line < lines.size() ? static_cast<std::size_t>(lines[line].data() - text.data()) : text.size();
  };
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    std::size_t line = list->get(i)->source().begin.line - 1;
    while (line > 0 && is_comment(lines[line - 1])) --line;
    starts.push_back(start_of(line));
  }
  if (!starts.empty() && starts.front() > text.size()) return std::nullopt;
  out.above = std::string(text.substr(0, starts.empty() ? text.size() : starts.front()));
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::size_t end = i + 1 < starts.size() ? starts[i + 1] : text.size();
    if (end < starts[i]) return std::nullopt;
    Chunk chunk{.moment = (*moments)[i], .text = std::string(text.substr(starts[i], end - starts[i]))};
    for (const auto& [key, value] : *list->get(i)->as_table()) {
      const auto from = byte_at(text, value.source().begin.line, value.source().begin.column),
                 to = byte_at(text, value.source().end.line, value.source().end.column);
      if (!from || !to || *from < starts[i] || *to > end || *from >= *to) return std::nullopt;
      chunk.values[std::string(key.str())] = {*from - starts[i], *to - starts[i]};
    }
    out.moments.push_back(std::move(chunk));
  }
  return out;
}

/// The chunk's text with another moment's values.
std::string changed(const Chunk& chunk, const SavedMoment& wanted) {
  if (chunk.moment == wanted) return chunk.text;
  std::string text = chunk.text;
  const auto before = written(chunk.moment), after = written(wanted);
  const auto value_in = [](const auto& keys, const std::string& key) -> const std::string* {
    const auto at = std::ranges::find(keys, key, [](const auto& k) -> const std::string& { return k.first; });
    return at == keys.end() ? nullptr : &at->second;
  };
  struct Change {
    std::size_t from, to;
    std::string text;
  };
  std::vector<Change> changes;
  std::size_t last_value = 0;
  for (const auto& [key, range] : chunk.values) {
    const std::string *old = value_in(before, key), *now = value_in(after, key);
    const bool same = old == now || (old != nullptr && now != nullptr && *old == *now);
    if (now != nullptr || same) last_value = std::max(last_value, range.second);
    if (same) continue;
    if (now != nullptr) {
      changes.push_back({range.first, range.second, *now});
    } else {  // the whole line goes
      const std::size_t from = text.rfind('\n', range.first), to = text.find('\n', range.second);
      changes.push_back({from == std::string::npos ? 0 : from + 1, to == std::string::npos ? text.size() : to + 1, {}});
    }
  }
  std::string added;
  for (const auto& [key, value] : after)
    if (!chunk.values.contains(key)) added += fmt::format("{} = {}\n", key, value);
  if (!added.empty()) {
    const std::size_t end = text.find('\n', last_value);
    const std::size_t at = end == std::string::npos ? text.size() : end + 1;
    changes.push_back({at, at, (end == std::string::npos ? "\n" : "") + added});
  }
  std::ranges::stable_sort(changes, std::greater<>(), &Change::from);
  for (const Change& c : changes) text.replace(c.from, c.to - c.from, c.text);
  return text;
}

}  // namespace

std::filesystem::path moments_path(const std::filesystem::path& kernel) {
  std::filesystem::path path = kernel;
  return path.replace_extension(".moments.toml");
}

bool is_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) { return is_word(c) || c == '-'; });
}

std::string free_name(const std::vector<SavedMoment>& moments, std::string_view wanted) {
  std::string name;
  for (const char c : wanted) {
    if (is_word(c) || c == '-')
      name += c;
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  while (name.ends_with('-')) name.pop_back();
  if (name.empty()) name = "moment";
  const auto taken = [&](const std::string& n) {
    return std::ranges::any_of(moments, [&](const SavedMoment& m) { return m.name == n; });
  };
  if (!taken(name)) return name;
  for (int n = 2;; ++n)
    if (const std::string numbered = fmt::format("{}-{}", name, n); !taken(numbered)) return numbered;
}

std::string name_of_new(const std::vector<SavedMoment>& moments, const SavedMoment& m) {
  std::string name = fmt::format("line-{}", m.line);
  std::vector<const SavedMoment*> alike;
  for (const SavedMoment& each : moments)
    if (each.line == m.line || each.name.starts_with(name + "-") || each.name == name) alike.push_back(&each);
  // A part is added where it differs from one that is alike so far.
  const auto part = [&](const auto& of, const std::string& words) {
    const bool tells = std::ranges::any_of(alike, [&](const SavedMoment* each) { return of(*each) != of(m); });
    if (!tells) return;
    name += "-" + words;
    std::erase_if(alike, [&](const SavedMoment* each) { return of(*each) != of(m); });
  };
  part([](const SavedMoment& x) { return x.picture; }, m.picture.empty() ? "registers" : m.picture);
  part([](const SavedMoment& x) { return x.visit; }, fmt::format("visit-{}", m.visit + 1));
  part([](const SavedMoment& x) { return x.warp; }, fmt::format("warp-{}", m.warp));
  part([](const SavedMoment& x) { return x.block; }, fmt::format("block-{}", m.block));
  part([](const SavedMoment& x) { return std::max(x.launch, 0); }, fmt::format("launch-{}", std::max(m.launch, 0)));
  part([](const SavedMoment& x) { return x.instruction; },
       m.instruction < 0 ? "end" : fmt::format("instruction-{}", m.instruction + 1));
  part([](const SavedMoment& x) { return x.share; }, fmt::format("{:.0f}-percent", m.share * 100));
  part([](const SavedMoment& x) { return x.select; }, m.select.empty() ? "plain" : m.select);
  part([](const SavedMoment& x) { return x.pins; },
       m.pins.empty() ? "no-pins" : fmt::format("{}", fmt::join(m.pins, "-")));
  part([](const SavedMoment& x) { return x.colour + " " + x.label; },
       m.colour.empty() && m.label.empty() ? "automatic" : m.colour + "-" + m.label);
  return free_name(moments, name);
}

void read_moment_keys(TomlTable& reader, SavedMoment& m) {
  reader.read("name", m.name);
  reader.read("line", m.line, 1);
  reader.read("text", m.text);
  reader.read("nth", m.nth, 0);
  reader.read("visit", m.visit, 0);
  reader.read("instruction", m.instruction, 0);
  reader.read("launch", m.launch, 0);
  reader.read("block", m.block);
  reader.read("warp", m.warp, 0);
  reader.read("share", m.share, 0, 1);
  reader.read("picture", m.picture);
  reader.read("arrangement", m.arrangement);
  reader.read("panels", m.panels);
  reader.read("colour", m.colour);
  reader.read("label", m.label);
  reader.read("zoom", m.zoom, 0.01F, 1000);
  reader.read("select", m.select);
  reader.read("pins", m.pins);
  reader.read("caption", m.caption);
  reader.read("notes", m.notes);
  m.text = std::string(trimmed(m.text));
  std::vector<std::string> pictures;
  for (const views::PanelId id : all_of<views::PanelId>)
    if (views::is_picture(id)) pictures.emplace_back(enum_name(id));
  if (!m.picture.empty() && !one_of(m.picture, pictures))
    reader.complain("picture", fmt::format("there is no picture `{}`", m.picture),
                    did_you_mean(m.picture, pictures, fmt::format("one of {}", fmt::join(pictures, ", "))));
  for (const std::string& panel : m.panels)
    if (!one_of(panel, pictures))
      reader.complain("panels", fmt::format("there is no panel `{}`", panel),
                      did_you_mean(panel, pictures, fmt::format("some of {}", fmt::join(pictures, ", "))));
  if (!m.arrangement.empty() && !one_of(m.arrangement, views::arrangement_names))
    reader.complain("arrangement", fmt::format("there is no arrangement `{}`", m.arrangement),
                    fmt::format("one of {}", fmt::join(views::arrangement_names, ", ")));
  if (!m.label.empty() && !enum_named<views::LabelMode>(m.label))
    reader.complain("label", fmt::format("there is no label `{}`", m.label),
                    fmt::format("one of {}", fmt::join(enum_names<views::LabelMode>, ", ")));
  if (!m.name.empty() && !is_name(m.name))
    reader.complain("name", fmt::format("`{}` is no name", m.name), "use letters, digits, - and _");
  for (const std::string& pin : m.pins)
    if (const auto read = parse_elements(pin); !read)
      reader.complain("pins", read.error().front().message, read.error().front().remedy);
  if (const auto read = parse_selection(m.select); !read)
    reader.complain("select", read.error().front().message, read.error().front().remedy);
}

Expected<std::vector<SavedMoment>> read_moments(std::string_view text, const std::string& file,
                                                const std::string& kernel) {
  const auto root = LS_TRY(parse_toml(text, file, 0, moments_remedy));
  Diagnostics wrong;
  std::vector<SavedMoment> out;
  TomlTable top(root, file);
  for (const toml::table* table : top.read_tables("moment")) {
    TomlTable reader(*table, file);
    SavedMoment m{.kernel = kernel};
    read_moment_keys(reader, m);
    if (!reader.has("name")) reader.complain("name", "a moment needs a `name`", "add one of letters, digits, - and _");
    if (!reader.has("line"))
      reader.complain("line", "a moment needs a `line`", "add the number of a line of the kernel");
    if (!m.name.empty() && std::ranges::any_of(out, [&](const SavedMoment& o) { return o.name == m.name; }))
      reader.complain("name", fmt::format("there is another moment `{}`", m.name), "names are unique in a file");
    std::ranges::move(reader.finish(), std::back_inserter(wrong));
    out.push_back(std::move(m));
  }
  std::ranges::move(top.finish(), std::back_inserter(wrong));
  if (!wrong.empty()) return tl::unexpected(std::move(wrong));
  return out;
}

Expected<std::vector<SavedMoment>> moments_of(const std::filesystem::path& kernel) {
  const std::filesystem::path path = moments_path(kernel);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::vector<SavedMoment>{};
  if (real_path(path).filename() != path.filename() && !is_of_folder(path, real_path(path.parent_path())))
    return failure(Diagnostic{.file = path.string(),
                              .message = "this is a link to a file of another name, outside of the kernel's folder",
                              .remedy = "put the moments themselves there"});
  const auto text = LS_TRY(read_file(path.string()));
  return read_moments(text, path.string(), kernel.string());
}

std::string with_moments(std::string_view before, const std::vector<SavedMoment>& moments) {
  std::vector<SavedMoment> wanted = moments;
  for (SavedMoment& m : wanted) m.kernel.clear();
  std::string fresh, kept;
  for (const SavedMoment& m : wanted) fresh += (fresh.empty() ? "" : "\n") + text_of(m);
  const auto chunks = chunks_of(before);
  if (!chunks) return fresh;
  kept = chunks->above;
  const auto ended = [](std::string& text, const char* end) {
    if (!text.empty() && !text.ends_with(end)) text += text.ends_with('\n') ? "\n" : end;
  };
  for (const SavedMoment& m : wanted) {
    const auto same = std::ranges::find(chunks->moments, m.name, [](const Chunk& c) { return c.moment.name; });
    ended(kept, "\n\n");
    kept += same == chunks->moments.end() ? text_of(m) : changed(*same, m);
  }
  while (kept.ends_with("\n\n")) kept.pop_back();
  const auto again = read_moments(kept, {}, {});
  return again && *again == wanted ? kept : fresh;
}

Expected<void> write_moments(const std::filesystem::path& kernel, const std::vector<SavedMoment>& moments) {
  const std::filesystem::path path = moments_path(kernel);
  std::error_code ignored;
  const auto before =
      LS_TRY(std::filesystem::exists(path, ignored) ? read_file(path.string()) : Expected<std::string>(""));
  if (const auto readable = read_moments(before, path.string(), {}); !readable) return tl::unexpected(readable.error());
  return write_file(path.string(), with_moments(before, moments));
}

}  // namespace lanescope::lessons
