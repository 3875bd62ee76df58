// The files of a source, one tab each above the text: the file itself, then the headers with something to look at.

#include <algorithm>
#include <set>

#include "app/gui/commands/command.h"
#include "app/gui/panels/source/source_panel.h"
#include "app/gui/state/app.h"

namespace lanescope::gui {
namespace {

constexpr float tab_row_px = 26;

/// Files with code that runs, claims, problems or messages, and the one that is shown.
std::vector<std::size_t> files_to_show(const App& app) {
  const SourceLines& lines = app.results.lines;
  std::set<std::size_t> files = {0, app.navigation.shown_file};
  const auto add = [&](int line) {
    if (line > 0) files.insert(lines.place(line).file);
  };
  for (const results::Problem& p : app.results.problems) add(p.line);
  if (app.results.have) {
    for (const auto* code : {&app.results.summary.code, &app.results.summary.plain_code})
      for (const trace::CodeSite& site : *code) add(site.line), add(site.inner_line);
    for (const results::ClaimInfo& c : app.results.summary.claims) add(c.claim.first_line);
  }
  std::erase_if(files, [&](std::size_t file) { return file > app.results.header_texts.size(); });
  return {files.begin(), files.end()};
}

std::string own_name(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

}  // namespace

float SourcePanel::draw_file_tabs(App& app, const Stage& stage, Rectangle area) {
  if (app.results.header_texts.empty()) return 0;
  if (tabs_of_ != app.results.version || tab_files_.empty()) tab_files_ = files_to_show(app);
  tabs_of_ = app.results.version;
  const std::size_t shown = app.navigation.shown_file;
  if (std::ranges::find(tab_files_, shown) == tab_files_.end()) tab_files_ = files_to_show(app);
  if (tab_files_.size() < 2) return 0;
  const float height = stage.px(tab_row_px), middle = area.y + height / 2;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(area.min(), {area.x + area.w, area.y + height},
                     to_im(views::mixed(*stage.theme, views::Mixed::overlay)));
  list.PushClipRect(area.min(), {area.x + area.w, area.y + height}, true);
  const std::string open_words = "Open this file", open_hint = hint_of("file.open_header");
  const float open_width = shown == 0 ? 0 : text_width(stage.fonts.small, open_words) + stage.px(20);
  const float room = area.w - open_width - stage.px(8);
  float x = area.x + stage.px(6);
  for (const std::size_t file : tab_files_) {
    const SourceFileLines& f = app.results.lines.files[file];
    const std::string name = file == 0 ? own_name(f.path) : f.name;
    const float width = std::min(text_width(stage.fonts.small, name) + stage.px(20), std::max(room, stage.px(60)));
    if (x + width > area.x + room) break;  // the command passes through all of them
    ImGui::SetCursorScreenPos({x, area.y});
    if (ImGui::InvisibleButton((name + "##file " + std::to_string(file)).c_str(), {width, height}))
      app.navigation.shown_file = file;
    const bool hovered = ImGui::IsItemHovered();
    if (hovered)
      tooltip(stage, f.path + (file == 0 ? "" : "\nIncluded by the file; shown read-only.") + "\n" +
                         hint_of("edit.next_file"));
    const bool chosen = file == shown;
    if (chosen)
      list.AddRectFilled({x, area.y + height - stage.px(2)}, {x + width, area.y + height}, to_im(stage.theme->accent));
    draw_text(stage, stage.fonts.small, {x + stage.px(10), middle},
              chosen || hovered ? stage.theme->text : stage.theme->text_dim, name);
    x += width;
  }
  if (shown != 0) {
    const float left = area.x + area.w - open_width - stage.px(4);
    ImGui::SetCursorScreenPos({left, area.y});
    if (ImGui::InvisibleButton(open_words.c_str(), {open_width, height})) run_command(app, "file.open_header");
    const bool hovered = ImGui::IsItemHovered();
    if (hovered) tooltip(stage, open_hint);
    draw_text(stage, stage.fonts.small, {left + stage.px(10), middle},
              hovered ? stage.theme->text : stage.theme->accent, open_words);
  }
  list.PopClipRect();
  return height;
}

}  // namespace lanescope::gui
