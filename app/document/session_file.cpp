#include "app/document/session_file.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/document/file_io.h"

namespace lanescope::document {
namespace {

using nlohmann::json;

constexpr const char* remedy = "delete it, or keep it for the version that wrote it; nothing of it was used";

json to_json(const SavedSelection& s) {
  json out = {{"step", s.step}, {"line", s.line}, {"family", s.family}, {"warp", s.warp}, {"block", s.block}};
  if (s.element) out["element"] = {s.element->first, s.element->second};
  return out;
}

SavedSelection selection_from(const json& j) {
  SavedSelection s;
  j.at("step").get_to(s.step), j.at("line").get_to(s.line), j.at("family").get_to(s.family);
  j.at("warp").get_to(s.warp), j.at("block").get_to(s.block);
  if (j.contains("element")) s.element = {j["element"].at(0).get<int>(), j["element"].at(1).get<std::uint64_t>()};
  return s;
}

/// A positive share or scale; NaN and the like would break every layout after it.
float positive(const json& j, const char* name, float most) {
  const float value = j.at(name).get<float>();
  if (!(value > 0) || value > most) throw std::out_of_range(fmt::format("'{}' is {}", name, value));
  return value;
}

SavedSession session_from(const json& j) {
  SavedSession s;
  j.at("file").get_to(s.file), j.at("arrangement").get_to(s.arrangement), j.at("theme").get_to(s.theme);
  s.scale = positive(j, "scale", 8);
  s.selection = selection_from(j.at("selection"));
  for (const json& p : j.at("panels"))
    s.panels.push_back({p.at("name").get<std::string>(), p.at("visible").get<bool>(), positive(p, "share", 1e6f)});
  return s;
}

}  // namespace

std::string to_text(const SavedSession& s) {
  json panels = json::array();
  for (const PanelState& p : s.panels) panels.push_back({{"name", p.name}, {"visible", p.visible}, {"share", p.share}});
  const json out = {{"version", SavedSession::version}, {"file", s.file},   {"arrangement", s.arrangement},
                    {"theme", s.theme},                 {"scale", s.scale}, {"selection", to_json(s.selection)},
                    {"panels", std::move(panels)}};
  return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

Expected<SavedSession> session_from_text(const std::string& text, const std::string& path) {
  const auto refuse = [&](std::string why) { return failure({.file = path, .message = std::move(why), .remedy = remedy}); };
  const json parsed = json::parse(text, nullptr, false);
  if (parsed.is_discarded() || !parsed.is_object()) return refuse("the session file is damaged: it is not whole JSON");
  const auto version = parsed.find("version");
  if (version == parsed.end() || !version->is_number_integer()) return refuse("the session file is damaged: it has no version");
  if (version->get<std::int64_t>() > SavedSession::version)
    return refuse(fmt::format("the session file is of version {}; this lanescope reads up to version {}", version->get<std::int64_t>(), SavedSession::version));
  try {
    return session_from(parsed);
  } catch (const std::exception& e) {
    return refuse(fmt::format("the session file is damaged: {}", e.what()));
  }
}

Expected<SavedSession> read_session(const std::string& path) {
  auto text = read_text(path);
  if (!text) return tl::unexpected(text.error());
  return session_from_text(*text, path);
}

Expected<void> write_session(const std::string& path, const SavedSession& session) { return write_file(path, to_text(session)); }

}  // namespace lanescope::document
