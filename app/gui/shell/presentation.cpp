#include "app/gui/shell/window.h"

#include <algorithm>
#include <set>

#include "app/gui/commands/command.h"
#include "app/gui/model/steps.h"
#include "app/gui/widgets/syntax.h"
#include "app/gui/writing/writing.h"
#include "kernels/base/numbers.h"
#include "kernels/base/text.h"
#include "viz/views/movement/movement.h"
#include "viz/views/registers/places.h"

namespace lanescope::gui {
namespace {

constexpr float code_line_px = 22, code_pad_px = 5, caption_px = 44, control_px = 36, gap_between_px = 8;
constexpr std::size_t most_dots = 60;  ///< of the step control; more stops are a plain track

/// Names of the registers that the step wrote, and of how many of their cells.
struct Written {
  std::vector<std::string> names;
  std::size_t lanes = 0;  ///< that hold a value written now
};

Written written_registers(const App& app) {
  Written written;
  std::set<int> lanes;
  for (const results::RegisterGrid& grid : app.results.moment.grids)
    for (int warp = 0; warp < grid.warps; ++warp)
      for (int reg = 0; reg < grid.registers; ++reg) {
        bool any = false;
        for (int part = 0; part < grid.parts; ++part)
          for (int lane = 0; lane < 32; ++lane) {
            if (!grid.at(warp, reg, part, lane).changed) continue;
            any = true;
            lanes.insert((grid.first_warp + warp) * 32 + lane);
          }
        const std::string name = views::register_name(app.results.summary, grid.family, reg, 0, 1);
        if (any && std::find(written.names.begin(), written.names.end(), name) == written.names.end())
          written.names.push_back(name);
      }
  written.lanes = lanes.size();
  return written;
}

std::string listed(const std::vector<std::string>& names) {
  if (names.size() > 4) return names.front() + " … " + names.back();
  std::string text;
  for (std::size_t n = 0; n < names.size(); ++n)
    text += (n == 0 ? "" : n + 1 == names.size() ? " and " : ", ") + names[n];
  return text;
}

std::string registers_caption(const App& app) {
  const Written written = written_registers(app);
  if (written.names.empty()) return "This step writes none of the registers shown.";
  const auto& access = app.results.moment.access;
  const std::string where = " in " + counted(written.lanes, "lane");
  // A loaded value does not come from registers, even if one holds the same element.
  if (access && access->kind == trace::AccessKind::load && access->line == app.results.moment.line)
    return "This line loads " + listed(written.names) + where + " from " +
           (access->space == trace::MemorySpace::shared ? "shared memory." : "global memory.");
  std::string text = "This step writes " + listed(written.names) + where + ".";
  std::size_t across = 0, within = 0;
  for (const results::Move& move : app.results.moment.moves) ++(move.from.lane == move.to.lane ? within : across);
  const auto elements = [](std::size_t n, const char* where) {
    return " " + counted(n, "element") + (n == 1 ? " comes from " : " come from ") + where + ".";
  };
  if (across > 0) text += elements(across, "another lane");
  if (within > 0) text += elements(within, "another register of the same lane");
  return text;
}

std::string access_caption(const App& app, trace::MemorySpace space) {
  std::string note;
  const auto& own = app.results.moment.access;
  const results::AccessInfo* access = space == trace::MemorySpace::global ? app.memory.global_access(note)
                                      : own && own->space == space        ? &*own
                                                                          : nullptr;
  if (access == nullptr)
    return std::string("This step does not access ") +
           (space == trace::MemorySpace::global ? "global memory." : "shared memory.");
  const std::string line = app.results.summary.lines.words(access->line);
  const std::string who = access->kind == trace::AccessKind::load    ? "The load of " + line
                          : access->kind == trace::AccessKind::store ? "The store of " + line
                                                                     : "The access of " + line;
  if (space == trace::MemorySpace::shared) {
    std::string text = who + " takes " + counted(access->cost.wavefronts, "wavefront") + "; " +
                       (access->cost.wavefronts > access->cost.ideal_wavefronts
                            ? std::to_string(access->cost.ideal_wavefronts) + " would be enough."
                            : "none is lost.");
    if (app.memory.wavefront >= 0) text += " Shown: wavefront " + std::to_string(app.memory.wavefront + 1) + ".";
    return text;
  }
  return who + " transfers " + counted(access->cost.sectors, "sector") + " of " +
         counted(access->cost.lines, "cache line") + ": " + spaced(access->cost.bytes_wanted) + " of " +
         counted(access->cost.bytes_moved, "byte") + " are requested.";
}

/// Characters of a piece of code.
int columns_of(std::string_view text) {
  return static_cast<int>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

bool is_code(std::string_view line, bool in_comment) {
  const std::string_view words = trimmed(line);
  if (words.empty() || words.starts_with("//")) return false;
  if (in_comment) return false;
  return !words.starts_with("/*");
}

}  // namespace

NeighbourLines neighbour_lines(std::string_view text, int line) {
  const LineIndex index(text);
  NeighbourLines found;
  bool in_comment = false;
  for (int number = 1; number <= index.count(); ++number) {
    const std::string_view words = index.line(text, number - 1);
    const bool code = is_code(words, in_comment);
    ink_of(words, in_comment);
    if (!code || number == line) continue;
    if (number < line) {
      found.before = number;
    } else {
      found.after = number;
      break;
    }
  }
  return found;
}

std::string presentation_caption(const App& app) {
  if (!app.results.have) return {};
  switch (app.shell.staged) {
    case PanelId::registers:
      return registers_caption(app);
    case PanelId::global:
      return access_caption(app, trace::MemorySpace::global);
    case PanelId::shared:
      return access_caption(app, trace::MemorySpace::shared);
    case PanelId::movement:
      return views::movement_words(app.results.summary, app.results.moment);
    default:
      return {};
  }
}

void Presentation::code(const App& app, const Stage& stage, Rectangle area) const {
  const views::Theme& t = *stage.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(area.min(), area.max(), to_im(t.panel), stage.px(6));
  list.AddRect(area.min(), area.max(), to_im(t.border), stage.px(6), 0, stage.hairline());
  const SourceLines::Place at = app.results.lines.place(std::max(app.navigation.selection.line, 1));
  const std::string& text = at.file > 0 && at.file <= app.results.header_texts.size()
                                ? app.results.header_texts[at.file - 1]
                            : app.results.have ? app.results.text
                                               : app.document.text();
  const int line = at.line;
  const NeighbourLines around = neighbour_lines(text, line);
  const LineIndex index(text);
  if (line > index.count()) return;
  const int shown[] = {around.before, line, around.after};
  // The indentation that all of them share is cut.
  std::size_t indent = std::string_view::npos;
  for (const int n : shown)
    if (n > 0) indent = std::min(indent, index.line(text, n - 1).find_first_not_of(" \t"));
  list.PushClipRect(area.min(), area.max(), true);
  const float height = stage.px(code_line_px), x = area.x + stage.px(62);
  float y = area.y + stage.px(code_pad_px);
  bool in_comment = false;
  for (int n = 1; n < shown[0]; ++n) ink_of(index.line(text, n - 1), in_comment);
  for (const int n : shown) {
    if (n == line)
      list.AddRectFilled({area.x + stage.px(4), y}, {area.x + area.w - stage.px(4), y + height}, to_im(t.row_highlight),
                         stage.px(4));
    if (n > 0) {
      draw_text(stage, stage.fonts.code, {x - stage.px(16), y + height / 2}, n == line ? t.text_dim : t.text_faint,
                std::to_string(n), TextAlign::right);
      const std::string_view all = index.line(text, n - 1);
      const std::string_view words = all.substr(std::min(indent, all.size()));
      const float letter = stage.fonts.code->GetCharAdvance('0');
      const auto draw = [&](std::size_t begin, std::size_t end, scene::Color color) {
        if (end > begin)
          draw_text(stage, stage.fonts.code,
                    {x + letter * static_cast<float>(columns_of(words.substr(0, begin))), y + height / 2}, color,
                    words.substr(begin, end - begin));
      };
      std::size_t at = 0;
      bool inside = in_comment;
      if (n == line)
        for (const InkRun& run : ink_of(words, inside)) {
          draw(at, run.begin, t.text);
          draw(run.begin, run.end, ink_color(run.ink, t));
          at = run.end;
        }
      draw(at, words.size(), n == line ? t.text : t.text_dim);
    }
    y += height;
  }
  list.PopClipRect();
}

void Presentation::find_stops(const App& app) {
  const int warp = app.navigation.selection.warp;
  if (run_ == app.results.version && warp_ == warp) return;
  run_ = app.results.version, warp_ = warp;
  stops_ = line_ends(app.results.summary, warp);
}

/// A dot for each stop, or a plain track; both can be dragged.
void Presentation::track(App& app, const Stage& stage, Rectangle area) {
  if (area.w < stage.px(60) || stops_.empty()) return;
  const views::Theme& t = *stage.theme;
  ImGui::SetCursorScreenPos(area.min());
  ImGui::InvisibleButton("Steps of the presentation", {area.w, area.h});
  const float pitch = area.w / static_cast<float>(stops_.size());
  if (ImGui::IsItemActive()) {
    const auto at = static_cast<std::size_t>(
        std::clamp((ImGui::GetMousePos().x - area.x) / pitch, 0.0f, static_cast<float>(stops_.size() - 1)));
    app.navigation.playing = false;
    if (stops_[at] != app.navigation.selection.step) app.navigation.go_to_step(stops_[at]);
  }
  const auto here = static_cast<std::size_t>(
      std::lower_bound(stops_.begin(), stops_.end(), app.navigation.selection.step) - stops_.begin());
  const auto x_of = [&](std::size_t n) { return area.x + pitch * (static_cast<float>(n) + 0.5f); };
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float y = area.y + area.h / 2;
  if (stops_.size() <= most_dots) {
    for (std::size_t n = 0; n < stops_.size(); ++n)
      list.AddCircleFilled({x_of(n), y}, stage.px(n == here ? 6.0f : 3.5f),
                           to_im(n == here  ? t.accent
                                 : n < here ? t.text_dim
                                            : t.border));
    return;
  }
  const float half = stage.px(2), x = x_of(std::min(here, stops_.size() - 1));
  list.AddRectFilled({area.x, y - half}, {area.x + area.w, y + half}, to_im(t.border), half);
  list.AddRectFilled({area.x, y - half}, {x, y + half}, to_im(t.text_dim), half);
  list.AddCircleFilled({x, y}, stage.px(6), to_im(t.accent));
}

void Presentation::control(App& app, Stage& stage, Rectangle area) {
  const float y = area.y + area.h / 2;
  float x = area.x;
  const auto press = [&](const char* id, const char* words, Icon icon, const char* command) {
    ButtonLook look{.icon = icon,
                    .icon_first = true,
                    .color = stage.theme->text,
                    .refusal = refusal_of(app, *find_command(command))};
    if (button(stage, id, {x, y}, words, hint_of(command), look)) run_command(app, command);
    x += button_width(stage, words, look) + stage.px(4);
  };
  press("Back", "back", Icon::left, "step.previous_line");
  press("Play the lines", "", app.navigation.playing ? Icon::pause : Icon::play, "step.play");
  press("Next", "next", Icon::right, "step.next_line");
  const float left = x + stage.px(10);
  std::string others = "Tab next picture    F5 all panels";
  const StepCount count =
      count_in_warp(app.results.summary, app.navigation.selection.step, app.navigation.selection.warp);
  const std::string where = "step " + std::to_string(count.number) + " of " + std::to_string(count.of) + " · warp " +
                            std::to_string(app.navigation.selection.warp);
  float right = area.x + area.w - stage.px(4);
  right -= draw_text(stage, stage.fonts.small, {right, y}, stage.theme->text_dim, others, TextAlign::right);
  right -= stage.px(18);
  right -= draw_text(stage, stage.fonts.small, {right, y}, stage.theme->text, where, TextAlign::right);
  right -= stage.px(18);
  track(app, stage, {left, area.y, right - left, area.h});
}

void Presentation::draw(App& app, Stage& stage, Panel& panel, Rectangle area) {
  find_stops(app);
  const bool lecture = shows_lecture(app);
  if (lecture && draw_lecture_card(app, stage, area)) return;
  const float gap = stage.px(gap_between_px);
  Rectangle lines{area.x, area.y, area.w, 3 * stage.px(code_line_px) + 2 * stage.px(code_pad_px)};
  const bool code_itself = panel.id() == PanelId::source || panel.id() == PanelId::ptx || panel.id() == PanelId::sass;
  if (code_itself || !app.results.have || area.h < 3 * lines.h) lines.h = 0;
  if (lines.h > 0) code(app, stage, lines);
  const Rectangle bar{area.x, area.y + area.h - stage.px(control_px), area.w, stage.px(control_px)};
  const std::string words = lecture ? std::string() : presentation_caption(app);
  const bool one_line = text_width(stage.fonts.title, words) <= area.w - stage.px(24);
  const float caption = lecture                                              ? lecture_words_height(app, stage, area)
                        : words.empty() || area.h < 5 * stage.px(caption_px) ? 0
                        : one_line                                           ? stage.px(caption_px * 0.6f)
                                                                             : stage.px(caption_px);
  const float top = lines.h > 0 ? lines.y + lines.h + gap : area.y;
  const Rectangle picture{area.x, top, area.w, std::max(bar.y - caption - gap - top, 1.0f)};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(picture.min(), picture.max(), to_im(stage.theme->panel), stage.px(6));
  list.AddRect(picture.min(), picture.max(), to_im(stage.theme->border), stage.px(6), 0, stage.hairline());
  ImGui::SetCursorScreenPos(picture.min());
  ImGui::BeginChild("stage", {picture.w, picture.h}, ImGuiChildFlags_None,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  const float pad = stage.px(8);
  const float title = lecture ? stage.px(4) : stage.px(18);
  if (!lecture) {
    const std::string of = panel.subtitle(app);
    const float name = draw_text(stage, stage.fonts.body_medium, {picture.x + pad, picture.y + pad / 2 + title / 2},
                                 stage.theme->text, panel.title(app));
    draw_text(stage, stage.fonts.small, {picture.x + pad + name + stage.px(12), picture.y + pad / 2 + title / 2},
              stage.theme->text_dim, of, TextAlign::left, std::max(picture.w - name - stage.px(40), 1.0f));
  }
  const Rectangle body{picture.x + pad, picture.y + pad / 2 + title + stage.px(2), std::max(picture.w - 2 * pad, 1.0f),
                       std::max(picture.h - title - pad - stage.px(2), 1.0f)};
  stage.bodies[std::string(panel_name(panel.id()))] = body;
  panel.body(app, stage, body);
  ImGui::EndChild();
  if (lecture) {
    draw_lecture_words(app, stage, {area.x, picture.y + picture.h + stage.px(4), area.w, caption});
    draw_lecture_control(app, stage, bar);
    return;
  }
  if (caption > 0)
    draw_wrapped(stage, stage.fonts.title, {area.x + stage.px(10), picture.y + picture.h + stage.px(4)},
                 area.w - stage.px(20), stage.theme->text, words);
  if (app.results.have) control(app, stage, bar);
}

}  // namespace lanescope::gui
