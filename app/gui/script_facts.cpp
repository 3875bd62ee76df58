// What scripts can ask about.

#include <fmt/format.h>

#include <functional>
#include <map>

#include "app/gui/navigate.h"
#include "app/gui/script.h"

namespace lanescope::gui {
namespace {

std::string yes(bool b) { return b ? "yes" : "no"; }
std::string panel_or_none(const std::optional<PanelId>& id) { return id ? std::string(panel_name(*id)) : "none"; }

constexpr const char* overlay_names[] = {"none", "palette", "kernels", "open_path", "save_path", "help", "discard"};
constexpr const char* label_names[] = {"element", "value", "tag"};

using Fact = std::function<std::string(const App&, const Stage&)>;

const std::map<std::string, Fact, std::less<>>& facts() {
  static const std::map<std::string, Fact, std::less<>> table{
      {"selection.step", [](const App& a, const Stage&) { return std::to_string(a.selection.step); }},
      {"selection.line", [](const App& a, const Stage&) { return std::to_string(a.selection.line); }},
      {"selection.warp", [](const App& a, const Stage&) { return std::to_string(a.selection.warp); }},
      {"selection.family", [](const App& a, const Stage&) { return std::to_string(a.selection.family); }},
      {"selection.place",
       [](const App& a, const Stage&) {
         const auto& p = a.selection.place;
         return p ? fmt::format("{}/{}/{}/{}/{}", p->family, p->warp, p->reg, p->part, p->lane) : std::string("none");
       }},
      {"selection.element",
       [](const App& a, const Stage&) {
         const auto& e = a.selection.element;
         return e ? fmt::format("{}/{}", e->first, e->second) : std::string("none");
       }},
      {"selection.address",
       [](const App& a, const Stage&) {
         const auto& e = a.selection.address;
         return e ? fmt::format("{}/{}", e->first, e->second) : std::string("none");
       }},
      {"hovered",
       [](const App& a, const Stage&) { return a.hovered ? scene::to_string(*a.hovered) : std::string("none"); }},
      {"moment.step", [](const App& a, const Stage&) { return std::to_string(a.moment.step); }},
      {"moment.moves", [](const App& a, const Stage&) { return std::to_string(a.moment.moves.size()); }},
      {"results.have", [](const App& a, const Stage&) { return yes(a.results.have); }},
      {"results.running", [](const App& a, const Stage&) { return yes(a.results.running); }},
      {"results.failed", [](const App& a, const Stage&) { return yes(a.results.failed); }},
      {"results.stale", [](const App& a, const Stage&) { return yes(a.stale()); }},
      {"results.claims",
       [](const App& a, const Stage&) {
         const ClaimTally t = tally(a.results.summary);
         return fmt::format("{} hold, {} differ, {} unchecked", t.holds, t.differs, t.unchecked);
       }},
      {"results.steps", [](const App& a, const Stage&) { return std::to_string(a.results.summary.steps); }},
      {"results.error_line",
       [](const App& a, const Stage&) {
         return std::to_string(a.results.diagnostics.empty() ? 0 : a.results.diagnostics.front().line);
       }},
      {"results.message",
       [](const App& a, const Stage&) {
         return a.results.diagnostics.empty() ? std::string("none") : a.results.diagnostics.front().message;
       }},
      {"file", [](const App& a, const Stage&) { return a.editing.title(); }},
      {"edited", [](const App& a, const Stage&) { return yes(a.editing.edited()); }},
      {"undo",
       [](const App& a, const Stage&) { return a.editing.can_undo() ? a.editing.undo_name() : std::string("none"); }},
      {"redo",
       [](const App& a, const Stage&) { return a.editing.can_redo() ? a.editing.redo_name() : std::string("none"); }},
      {"theme", [](const App& a, const Stage&) { return a.view.theme; }},
      {"scale", [](const App& a, const Stage&) { return fmt::format("{:g}", a.view.scale); }},
      {"font.px", [](const App&, const Stage& s) { return fmt::format("{:g}", s.fonts.body->FontSize); }},
      {"presentation", [](const App& a, const Stage&) { return yes(a.view.presentation); }},
      {"arrangement", [](const App& a, const Stage&) { return std::string(arrangement_name(a.view.arrangement)); }},
      {"maximised", [](const App& a, const Stage&) { return panel_or_none(a.view.maximised); }},
      {"active", [](const App& a, const Stage&) { return std::string(panel_name(a.active_panel)); }},
      {"label", [](const App& a, const Stage&) { return std::string(label_names[static_cast<int>(a.view.label)]); }},
      {"colour",
       [](const App& a, const Stage&) { return a.view.color_by.empty() ? std::string("automatic") : a.view.color_by; }},
      {"heat", [](const App& a, const Stage&) { return std::string(heat_name(a.view.heat)); }},
      {"playing", [](const App& a, const Stage&) { return yes(a.playing); }},
      {"overlay", [](const App& a, const Stage&) { return std::string(overlay_names[static_cast<int>(a.overlay)]); }},
      {"notice",
       [](const App& a, const Stage&) { return a.notices.empty() ? std::string("none") : a.notices.back().text; }},
      {"remark",
       [](const App& a, const Stage&) { return a.remark_text.empty() ? std::string("none") : a.remark_text; }},
  };
  return table;
}

}  // namespace

std::optional<std::string> script_fact(const Frames& frames, std::string_view name) {
  auto& f = const_cast<Frames&>(frames);
  if (name == "typing") return yes(f.window().typing());
  if (name.starts_with("hidden.")) {
    const auto id = panel_named(name.substr(7));
    return id ? std::optional(yes(f.app().view.hidden[static_cast<int>(*id)])) : std::nullopt;
  }
  if (name.starts_with("zoom.")) {
    const auto at = f.stage().scenes.find(name.substr(5));
    return at == f.stage().scenes.end() ? std::nullopt : std::optional(fmt::format("{:.3f}", at->second.scale));
  }
  const auto at = facts().find(name);
  return at == facts().end() ? std::nullopt : std::optional(at->second(f.app(), f.stage()));
}

std::vector<std::string> script_fact_names() {
  std::vector<std::string> names;
  for (const auto& [name, fact] : facts()) names.push_back(name);
  return names;
}

}  // namespace lanescope::gui
