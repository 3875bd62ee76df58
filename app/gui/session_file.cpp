#include "app/gui/session_file.h"

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace lanescope::gui {
namespace {

using Json = nlohmann::json;
constexpr int version = 1;

Json to_json(const ViewOptions& v) {
  Json hidden = Json::array();
  for (const PanelId id : all_panels) {
    if (v.hidden[static_cast<int>(id)]) hidden.push_back(panel_name(id));
  }
  return {{"theme", v.theme},
          {"scale", v.scale},
          {"presentation", v.presentation},
          {"arrangement", arrangement_name(v.arrangement)},
          {"hidden", hidden},
          {"shares", v.shares},
          {"heat", static_cast<int>(v.heat)},
          {"label", static_cast<int>(v.label)},
          {"color_by", v.color_by},
          {"arrows", v.arrows},
          {"warps_shown", v.warps_shown},
          {"families", v.families},
          {"recent", v.recent}};
}

ViewOptions view_from(const Json& j) {
  ViewOptions v;
  v.theme = j.at("theme").get<std::string>();
  v.scale = std::clamp(j.at("scale").get<float>(), smallest_scale, largest_scale);
  v.presentation = j.at("presentation").get<bool>();
  if (const auto a = arrangement_named(j.at("arrangement").get<std::string>())) v.arrangement = *a;
  for (const Json& name : j.at("hidden")) {
    if (const auto id = panel_named(name.get<std::string>())) v.hidden[static_cast<int>(*id)] = true;
  }
  v.shares = j.at("shares").get<decltype(v.shares)>();
  v.heat = static_cast<Heat>(std::clamp(j.at("heat").get<int>(), 0, heat_count - 1));
  v.label = static_cast<views::LabelMode>(std::clamp(j.at("label").get<int>(), 0, 2));
  v.color_by = j.at("color_by").get<std::string>();
  v.arrows = j.at("arrows").get<bool>();
  v.warps_shown = std::clamp(j.at("warps_shown").get<int>(), 1, 16);
  v.families = j.at("families").get<std::vector<std::string>>();
  v.recent = j.at("recent").get<std::vector<std::string>>();
  return v;
}

}  // namespace

std::string default_session_path() {
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  std::filesystem::path folder = state != nullptr && *state != '\0' ? std::filesystem::path(state)
                                 : home != nullptr                  ? std::filesystem::path(home) / ".local" / "state"
                                                                    : std::filesystem::temp_directory_path();
  return (folder / "lanescope" / "session.json").string();
}

Expected<SavedSession> read_session(const std::string& path) {
  const auto text = read_text(path);
  if (!text) return tl::unexpected(text.error());
  const auto refused = [&](const std::string& why, const std::string& remedy) {
    return failure(Diagnostic{.file = path, .message = why, .remedy = remedy});
  };
  const Json j = Json::parse(*text, nullptr, false);
  if (j.is_discarded() || !j.is_object() || !j.contains("version"))
    return refused("is damaged", "delete it to start afresh");
  try {
    if (j.at("version").get<int>() > version)
      return refused("was written by a newer lanescope", "use that version, or delete the file");
    SavedSession s;
    s.file = j.at("file").get<std::string>();
    s.text = j.at("text").get<std::string>();
    s.saved_text = j.at("saved_text").get<std::string>();
    s.arch = j.at("arch").get<std::string>();
    s.seed = j.at("seed").get<std::uint64_t>();
    s.selection.step = j.at("step").get<std::int64_t>();
    s.selection.warp = j.at("warp").get<int>();
    s.selection.line = j.at("line").get<int>();
    s.view = view_from(j.at("view"));
    return s;
  } catch (const Json::exception& e) {
    return refused(std::string("is damaged: ") + e.what(), "delete it to start afresh");
  }
}

Expected<void> write_session(const std::string& path, const App& app) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  const Json j = {{"version", version},         {"file", app.editing.file()},
                  {"text", app.editing.text()}, {"saved_text", app.editing.saved_text()},
                  {"arch", app.arch},           {"seed", app.seed},
                  {"step", app.selection.step}, {"warp", app.selection.warp},
                  {"line", app.selection.line}, {"view", to_json(app.view)}};
  return write_text(path, j.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

bool apply_session(App& app, const SavedSession& s, bool with_text) {
  app.view = s.view;
  app.set_theme(s.view.theme);
  if (!with_text || (s.text.empty() && s.file.empty())) return false;
  app.restore(s.file, s.text, s.saved_text, s.selection);
  return true;
}

}  // namespace lanescope::gui
