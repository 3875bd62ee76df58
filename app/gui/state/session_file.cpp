#include "app/gui/state/session_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>

#include "kernels/codec/codec.h"
#include "kernels/resources/resources.h"
#include "kernels/source/options/command_words.h"
#include "kernels/source/options/nvcc_words.h"
#include "viz/views/costs/heat.h"

namespace lanescope::gui {

// The values that the file has as they are, once for writing and reading (kernels/codec).

void describe(auto& a, ViewOptions& v) {
  a("theme", v.theme), a("scale", v.scale), a("presentation", v.presentation);
  a("color_by", v.color_by), a("arrows", v.arrows), a("warps_shown", v.warps_shown), a("families", v.families);
  a("recent", v.recent), a.optional("code_beside", v.code_beside);
  a.optional("memory_arch", v.memory_arch), a.optional("load_path", v.load_path);
}
void describe(auto& a, CompilerChoices& c) { a("added", c.added), a("removed", c.removed), a("nvcc", c.nvcc_command); }
void describe(auto& a, SavedLayout& l) { a("file", l.file), a("text", l.text), a("saved_text", l.saved_text); }
void describe(auto& a, SavedSession& s) {
  a("file", s.file), a("text", s.text), a("saved_text", s.saved_text), a("arch", s.arch), a("seed", s.seed);
  a("step", s.selection.step), a("warp", s.selection.warp), a("line", s.selection.line);
}

namespace {

using Json = codec::json;
constexpr int version = 1;

Json names_of(std::span<const PanelId> panels) {
  Json names = Json::array();
  for (const PanelId id : panels) names.push_back(panel_name(id));
  return names;
}

/// Names that this version does not know are left out.
std::vector<PanelId> panels_from(const Json& names) {
  std::vector<PanelId> panels;
  for (const Json& name : names)
    if (const auto id = panel_named(name.get<std::string>())) panels.push_back(*id);
  return panels;
}

/// Before sessions said which panels they know of, there were these.
constexpr PanelId first_panels[] = {PanelId::source, PanelId::assignment, PanelId::registers, PanelId::global,
                                    PanelId::shared, PanelId::inspector,  PanelId::timeline};

/// A panel that the session's version did not have is as the arrangement has it.
void read_panels(const Json& j, ViewOptions& v) {
  const bool first = !j.contains("panels");
  const std::vector<PanelId> known =
      first ? std::vector<PanelId>(std::begin(first_panels), std::end(first_panels)) : panels_from(j.at("panels"));
  v.hidden = default_hidden(v.arrangement);
  for (const PanelId id : known) v.hidden[static_cast<int>(id)] = false;
  for (const PanelId id : panels_from(j.at("hidden"))) v.hidden[static_cast<int>(id)] = true;
  const Json& shares = j.at("shares");
  // An earlier session has fewer arrangements.
  for (std::size_t i = 0; i < v.shares.size() && i < shares.size(); ++i)
    v.shares[i] = shares.at(i).get<std::decay_t<decltype(v.shares[i])>>();
  if (first) {
    v.shares[static_cast<int>(Arrangement::profile)] = {};  // it had other splits
    return;
  }
  const Json& front = j.at("front");
  for (std::size_t i = 0; i < v.front.size() && i < front.size(); ++i) v.front[i] = panels_from(front.at(i));
}

/// A counter's name; earlier sessions had four by number.
std::string heat_from(const Json& j) {
  constexpr std::array<const char*, 4> by_number{"", "instructions", "global_sectors", "shared_wavefronts"};
  if (j.is_number()) return by_number[std::clamp(j.get<int>(), 0, 3)];
  auto name = j.get<std::string>();
  if (name.starts_with("measured ")) return name;
  const auto known = views::heat_counters();
  return std::any_of(known.begin(), known.end(), [&](const auto& c) { return c.name == name; }) ? name : "";
}

views::WhatIf what_if_from(const Json& j) {
  const auto numbers = j.get<std::array<int, 5>>();
  return bounded({.kind = static_cast<views::WhatIf::Kind>(std::clamp(numbers[0], 0, 2)),
                  .row_words = numbers[1],
                  .padding_words = numbers[2],
                  .unit_words = numbers[3],
                  .rows_per_step = numbers[4]});
}

Json written(const auto& value) { return codec::write<codec::Form::named>(value); }
template <class T>
T read(const Json& json) {
  T value;
  codec::read<codec::Form::named>(json, value);
  return value;
}

// Values that the file has in another form.

Json to_json(const ViewOptions& v) {
  Json out = written(v);
  out["arrangement"] = arrangement_name(v.arrangement);
  out["global_mode"] = global_mode_name(v.global_mode), out["grid_map"] = grid_map_name(v.grid_map);
  out["panels"] = names_of(all_panels), out["hidden"] = Json::array(), out["front"] = Json::array();
  for (const PanelId id : all_panels)
    if (v.hidden[static_cast<int>(id)]) out["hidden"].push_back(panel_name(id));
  for (const auto& panels : v.front) out["front"].push_back(names_of(panels));
  out["shares"] = v.shares, out["heat"] = v.heat, out["label"] = static_cast<int>(v.label);
  out["what_if"] = {static_cast<int>(v.what_if.kind), v.what_if.row_words, v.what_if.padding_words,
                    v.what_if.unit_words, v.what_if.rows_per_step};
  out["compare_counters"] = v.compare_counters ? Json(*v.compare_counters) : Json();
  return out;
}

ViewOptions view_from(const Json& j) {
  auto v = read<ViewOptions>(j);
  v.scale = std::clamp(v.scale, smallest_scale, largest_scale);
  v.label = static_cast<views::LabelMode>(std::clamp(j.at("label").get<int>(), 0, 2));
  v.warps_shown = std::clamp(v.warps_shown, 1, 16);
  if (const auto a = arrangement_named(j.at("arrangement").get<std::string>())) v.arrangement = *a;
  read_panels(j, v);
  v.heat = heat_from(j.at("heat"));
  if (j.value("block_map", false)) v.grid_map = GridMap::threads;  // as earlier sessions have it
  if (const auto map = grid_map_named(j.value("grid_map", ""))) v.grid_map = *map;
  if (const auto mode = global_mode_named(j.value("global_mode", "bytes"))) v.global_mode = *mode;
  if (j.contains("what_if")) v.what_if = what_if_from(j.at("what_if"));
  if (j.contains("compare_counters") && !j.at("compare_counters").is_null())
    v.compare_counters = j.at("compare_counters").get<std::vector<std::string>>();
  return v;
}

/// Typed options come back from a file, which may be of another user.
void keep_to_file_options(SavedSession& session) {
  for (auto& [file, choices] : session.choices) {
    const options::Base base{options::Origin::project_file, std::filesystem::path(file).parent_path(), file};
    const auto refused = [&](const std::vector<std::string>& words) {
      const auto all = options::refused_options(words, base);
      for (const options::RefusedOption& o : all) session.refused.push_back(o.written);
      return !all.empty();
    };
    std::vector<std::string> pasted;
    for (const options::CommandWord& w : options::command_words(choices.nvcc_command).words) pasted.push_back(w.text);
    if (refused(choices.added)) choices.added.clear();
    if (refused(pasted)) choices.nvcc_command.clear();
  }
}

}  // namespace

std::string default_session_path() { return (resources::state_folder() / "session.json").string(); }

Expected<SavedSession> read_session(const std::string& path) {
  const auto text = LS_TRY(read_text(path));
  const auto refused = [&](const std::string& why, const std::string& remedy) {
    return failure(Diagnostic{.file = path, .message = why, .remedy = remedy});
  };
  const Json j = Json::parse(text, nullptr, false);
  if (j.is_discarded() || !j.is_object() || !j.contains("version"))
    return refused("is damaged", "delete it to start with a new session");
  try {
    if (j.at("version").get<int>() > version)
      return refused("was written by a newer lanescope", "use that version, or delete the file");
    auto s = read<SavedSession>(j);
    for (const Json& pin : j.value("pins", Json::array()))
      s.pins.push_back({pin.at(0).get<std::string>(), pin.at(1).get<std::uint64_t>()});
    s.view = view_from(j.at("view"));
    const Json choices_of_files = j.value("compiler_options", Json::object());
    for (const auto& [file, choices] : choices_of_files.items()) s.choices[file] = read<CompilerChoices>(choices);
    keep_to_file_options(s);
    if (j.contains("layout")) s.layout = read<SavedLayout>(j.at("layout"));
    return s;
  } catch (const std::exception& e) {  // of JSON, or codec::Malformed
    return refused(std::string("is damaged: ") + e.what(), "delete it to start with a new session");
  }
}

Expected<void> write_session(const std::string& path, const App& app) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  Json j = written(SavedSession{.file = app.document.file(),
                                .text = app.document.text(),
                                .saved_text = app.document.saved_text(),
                                .arch = app.settings.arch,
                                .seed = app.settings.seed,
                                .selection = app.navigation.selection});
  j["version"] = version, j["view"] = to_json(app.shell.view), j["compiler_options"] = Json::object();
  for (const auto& [file, choices] : app.settings.choices)
    if (!choices.empty()) j["compiler_options"][file] = written(choices);
  for (const auto& [buffer, element] : app.navigation.selection.pins)
    if (buffer >= 0 && static_cast<std::size_t>(buffer) < app.results.summary.buffers.size())
      j["pins"].push_back({app.results.summary.buffers[static_cast<std::size_t>(buffer)].name, element});
  for (const Navigation::NamedPin& pin : app.navigation.named_pins) j["pins"].push_back({pin.buffer, pin.element});
  if (app.designer.is_open())
    j["layout"] = written(SavedLayout{app.designer.file(), app.designer.text(), app.designer.saved_text()});
  return write_text(path, j.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

bool apply_session(App& app, const SavedSession& s, bool with_text) {
  app.shell.view = s.view;
  app.settings.choices = s.choices;
  app.shell.set_theme(s.view.theme);
  if (s.layout) {
    if (const auto restored = app.designer.restore(s.layout->file, s.layout->text, s.layout->saved_text); !restored)
      app.shell.notify(
          {.id = "session",
           .kind = Notice::Kind::warning,
           .text = "The layout of the last session was not restored: " + to_string(restored.error().front()) + "."});
  }
  if (!s.refused.empty())
    app.shell.notify({.id = "session options",
                      .kind = Notice::Kind::warning,
                      .text = fmt::format("Options of the last session were not restored, since a file cannot give {}.",
                                          fmt::join(s.refused, ", "))});
  if (!with_text || (s.text.empty() && s.file.empty())) return false;
  app.editor.restore(s.file, s.text, s.saved_text, s.selection);
  app.navigation.named_pins = s.pins;
  return true;
}

}  // namespace lanescope::gui
