// Moments: what was bookmarked of this kernel, in the order in which it is presented, and the words that go with each.

#include "app/gui/panels/panel.h"

#include <imgui_stdlib.h>

#include <algorithm>

#include <fmt/format.h>

#include "app/gui/commands/command.h"
#include "app/gui/widgets/items.h"

namespace lanescope::gui {
namespace {

class MomentsPanel final : public Panel {
 public:
  std::string title(const App& app) const override {
    const std::size_t count = app.lecture.moments().size();
    return count == 0 ? "Moments" : fmt::format("Moments {}", count);
  }

  void choices(App& app, Stage&, HeaderRow& row) override {
    if (row.icon("Bookmark", Icon::to_last, hint_of("moment.bookmark"))) run_command(app, "moment.bookmark");
  }

  std::string csv(const App&) const override { return {}; }

  void body(App& app, Stage& stage, Rectangle area) override {
    const auto& moments = app.lecture.moments();
    if (moments.empty())
      return draw_state(stage, area, "No moment of this kernel is bookmarked.",
                        key_of("moment.bookmark") + " keeps the step on show, its picture and the selection.");
    ImGui::SetCursorScreenPos(area.min());
    ImGui::BeginChild("moments list", {area.w, area.h});
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    float y = origin.y;
    for (int n = 0; n < static_cast<int>(moments.size()); ++n) {
      y += row(app, stage, {origin.x, y, area.w - stage.px(10), stage.px(40)}, n);
      if (n == app.lecture.chosen()) y += edit(app, stage, {origin.x, y, area.w - stage.px(10), 0}, n);
    }
    ImGui::SetCursorScreenPos({origin.x, y});
    ImGui::Dummy({1, stage.px(10)});
    ImGui::EndChild();
  }

 private:
  float row(App& app, const Stage& stage, Rectangle area, int n) {
    const lessons::SavedMoment& m = app.lecture.moments()[static_cast<std::size_t>(n)];
    const bool chosen = n == app.lecture.chosen();
    ImGui::SetCursorScreenPos(area.min());
    if (ImGui::InvisibleButton((m.name + "###Moment " + m.name).c_str(), {area.w, area.h})) app.lecture.choose(n);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (chosen || ImGui::IsItemHovered())
      list.AddRectFilled(area.min(), area.max(), to_im(stage.theme->row_highlight), stage.px(4));
    const float left = area.x + stage.px(8), number = stage.px(24);
    draw_text(stage, stage.fonts.small, {left + stage.px(14), area.y + stage.px(12)}, stage.theme->text_dim,
              std::to_string(n + 1), TextAlign::right);
    std::string where = fmt::format("line {} · {}", m.line, m.picture.empty() ? "registers" : m.picture);
    float place = text_width(stage.fonts.small, where) + stage.px(12);
    // The name comes first: it says the line, mostly.
    if (text_width(stage.fonts.body_medium, m.name) > area.w - number - place - stage.px(16)) where.clear(), place = 0;
    draw_text(stage, stage.fonts.body_medium, {left + number, area.y + stage.px(12)}, stage.theme->text, m.name,
              TextAlign::left, std::max(area.w - number - place - stage.px(16), stage.px(30)));
    draw_text(stage, stage.fonts.small, {area.x + area.w - stage.px(6), area.y + stage.px(12)}, stage.theme->text_dim,
              where, TextAlign::right);
    draw_text(stage, stage.fonts.small, {left + number, area.y + stage.px(29)}, stage.theme->text_dim,
              m.caption.empty() ? m.text : m.caption, TextAlign::left, area.w - number - stage.px(16));
    return area.h + stage.px(2);
  }

  /// Fields of the chosen one; what is typed is kept when the field is left, or Enter is pressed.
  float edit(App& app, const Stage& stage, Rectangle area, int n) {
    const lessons::SavedMoment& m = app.lecture.moments()[static_cast<std::size_t>(n)];
    const std::string key = fmt::format("{}/{}/{}", app.document.file(), n, m.name);
    if (key != edited_) edited_ = key, name_ = m.name, caption_ = m.caption, notes_ = m.notes;
    float y = area.y + stage.px(4);
    const float left = area.x + stage.px(32), width = std::max(area.w - stage.px(40), stage.px(60));
    bool done = false;
    ImGui::PushFont(stage.fonts.body);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(stage.px(6), stage.px(4)));
    const auto field = [&](const char* label, const char* hint, std::string& text) {
      ImGui::SetCursorScreenPos({left, y});
      ImGui::SetNextItemWidth(width);
      ImGui::InputTextWithHint((std::string("##") + label).c_str(), hint, &text);
      done |= ImGui::IsItemDeactivatedAfterEdit();
      y += ImGui::GetFrameHeight() + stage.px(4);
    };
    field("Moment name", "name", name_);
    field("Moment caption", "caption: text for the class", caption_);
    field("Moment notes", "notes: for the presenter", notes_);
    ImGui::PopStyleVar();
    ImGui::PopFont();
    float x = left;
    for (const auto& [id, words, command] :
         {std::tuple{"Move up", "up", "moment.earlier"}, std::tuple{"Move down", "down", "moment.later"},
          std::tuple{"Delete moment", "delete", "moment.delete"}}) {
      ButtonLook look{.pill = true};
      if (button(stage, id, {x, y + stage.px(13)}, words, hint_of(command), look)) {
        run_command(app, command);
        done = false;
        edited_.clear();
        return y + stage.px(30) - area.y;
      }
      x += button_width(stage, words, look) + stage.px(6);
    }
    if (done) keep(app, n);
    return y + stage.px(34) - area.y;
  }

  void keep(App& app, int n) {
    std::vector<lessons::SavedMoment> all = app.lecture.moments();
    lessons::SavedMoment& m = all[static_cast<std::size_t>(n)];
    m.caption = caption_, m.notes = notes_;
    if (name_ != m.name) {
      std::vector<lessons::SavedMoment> others = all;
      others.erase(others.begin() + n);
      m.name = lessons::free_name(others, name_);
    }
    app.lecture.save_moments(std::move(all));
    edited_.clear();
  }

  std::string edited_, name_, caption_, notes_;
};

}  // namespace

std::unique_ptr<Panel> make_moments_panel() { return std::make_unique<MomentsPanel>(); }

}  // namespace lanescope::gui
