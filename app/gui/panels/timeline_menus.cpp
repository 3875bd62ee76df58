#include "app/gui/panels/panel.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/base/numbers.h"
#include "viz/views/costs/timeline.h"

namespace lanescope::gui {
namespace {

using views::TimelineSign;

/// One sign of the legend in a box of 13 by 12 pixels, as the timeline draws it.
void draw_sign(const Stage& stage, ImVec2 center, const TimelineSign& sign) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 low{std::round(center.x - stage.px(6.5f)), std::round(center.y - stage.px(6))};
  const ImVec2 high{low.x + stage.px(13), low.y + stage.px(12)};
  if (sign.shape == TimelineSign::Shape::claim) {
    const VerdictIcon icon = sign.verdict == claims::Verdict::holds     ? VerdictIcon::good
                             : sign.verdict == claims::Verdict::differs ? VerdictIcon::bad
                                                                        : VerdictIcon::unknown;
    return draw_verdict_icon(stage, icon, center, stage.px(8));
  }
  if (sign.shape == TimelineSign::Shape::underline)
    return list.AddRectFilled({low.x, high.y - stage.px(3)}, high, to_im(sign.fill));
  if (sign.fill.rgba != 0) list.AddRectFilled(low, high, to_im(sign.fill), stage.px(2));
  const bool meets = sign.shape == TimelineSign::Shape::reconverge;
  if (meets || sign.shape == TimelineSign::Shape::diverge) {
    const float wing = stage.px(meets ? -1.75f : 1.75f);
    for (const float side : {-1.0f, 1.0f})
      list.AddLine({center.x - wing, center.y}, {center.x + wing, center.y + side * stage.px(6)}, to_im(sign.stroke),
                   stage.px(1.4f));
    return;
  }
  if (sign.shape == TimelineSign::Shape::hatched)
    for (const float at : {2.0f, 6.0f, 10.0f})
      list.AddLine({low.x + stage.px(at), high.y - stage.px(1)},
                   {low.x + stage.px(std::min(at + 6, 12.0f)), low.y + stage.px(1)}, to_im(stage.theme->hatch),
                   stage.hairline());
  if (sign.stroke.rgba != 0) list.AddRect(low, high, to_im(sign.stroke), stage.px(2), 0, stage.hairline());
  if (sign.letter != ' ')
    draw_text(stage, stage.fonts.code_small, center, views::text_on(sign.fill), std::string(1, sign.letter),
              TextAlign::center);
}

void iteration_entries(App& app, const Stage& stage, const results::Iteration& at) {
  const results::Summary& s = app.results.summary;
  const int warp = app.navigation.selection.warp;
  const auto go = [&](std::int64_t number) {
    const std::int64_t step =
        results::step_in_iteration(s, app.results.index, at.loop, warp, app.navigation.selection.step, number);
    app.navigation.playing = false;
    if (step >= 0) app.navigation.go_to_step(step);
  };
  const std::string line = " · " + s.lines.words(s.loops[static_cast<std::size_t>(at.loop)].line);
  ImGui::PushID(at.loop);
  const ImVec2 heading = ImGui::GetCursorScreenPos();
  ImGui::Dummy({stage.px(260), stage.px(22)});
  draw_text(stage, stage.fonts.small, {heading.x + stage.px(6), heading.y + stage.px(11)}, stage.theme->text_dim,
            "compiled iteration " + spaced(static_cast<std::uint64_t>(at.number)) + " of " +
                spaced(static_cast<std::uint64_t>(at.of)) + line);
  int number = static_cast<int>(at.number);
  ImGui::SetNextItemWidth(stage.px(130));
  const std::string label = "##Iteration of line " + std::to_string(s.loops[static_cast<std::size_t>(at.loop)].line);
  if (ImGui::InputInt(label.c_str(), &number, 1, 10, ImGuiInputTextFlags_EnterReturnsTrue) || number != at.number)
    go(std::clamp<std::int64_t>(number, 1, at.of));
  if (menu_entry(stage, ("first" + std::string("##") + label).c_str(), at.number == 1)) go(1);
  if (menu_entry(stage, ("last" + std::string("##") + label).c_str(), at.number == at.of)) go(at.of);
  ImGui::PopID();
}

}  // namespace

void search_field(App& app, HeaderRow& row) {
  StepSearch& search = app.search;
  const auto remark = [&](const std::string& words) {
    if (!words.empty()) app.shell.show_status(words);
  };
  const std::string none = search.text.empty() ? "Type what to find first." : search.problem();
  if (row.icon("Next found step", Icon::right, hint_of("search.next"), none)) run_command(app, "search.next");
  if (row.icon("Previous found step", Icon::left, hint_of("search.previous"), none))
    run_command(app, "search.previous");
  const std::string count = search.problem().empty() ? search.count_words() : "?";
  if (!count.empty()) row.words(count);
  row.gap(4);
  const std::string key = key_of("search.steps");
  const bool take = std::exchange(search.focus_request, false);
  const std::string hint =
      !search.problem().empty() ? search.problem() : "Finds steps in words, for example: shared store with a conflict";
  if (row.field("Search steps", search.text, 172, "search steps  (" + key + ")", hint, take)) {
    remark(search.go_on());
    search.focus_request = true;  // Enter again continues
  }
}

void inline_legend(const App& app, const Stage& stage, HeaderRow& row, float room) {
  const std::vector<TimelineSign> signs = views::timeline_signs(app.results.summary, *stage.theme);
  float width = 0;
  for (const TimelineSign& sign : signs) width += text_width(stage.fonts.small, sign.word) / stage.scale + 13 + 4 + 12;
  if (width > room) return;
  for (auto sign = signs.rbegin(); sign != signs.rend(); ++sign) {
    row.words(std::string(sign->word));
    row.gap(7);
    draw_sign(stage, {row.left(), row.y()}, *sign);
    row.gap(18);
  }
}

void legend_menu(const App& app, const Stage& stage) {
  if (!begin_menu(stage, "legend")) return;
  const float line = stage.px(22);
  const auto entry = [&](std::string_view word, std::string_view meaning, auto draw) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::Dummy({stage.px(540), line - ImGui::GetStyle().ItemSpacing.y});
    const float y = at.y + (line - ImGui::GetStyle().ItemSpacing.y) / 2;
    draw(ImVec2{at.x + stage.px(12), y});
    draw_text(stage, stage.fonts.small, {at.x + stage.px(28), y}, stage.theme->text, word);
    draw_text(stage, stage.fonts.small, {at.x + stage.px(132), y}, stage.theme->text_dim, meaning, TextAlign::left,
              stage.px(408));
  };
  for (const TimelineSign& sign : views::timeline_signs(app.results.summary, *stage.theme))
    entry(sign.word, sign.meaning, [&](ImVec2 at) { draw_sign(stage, at, sign); });
  const auto ink = [&](scene::Color color) {
    return [&, color](ImVec2 at) {
      ImGui::GetWindowDrawList()->AddRectFilled({at.x - stage.px(6), at.y - stage.px(1.5f)},
                                                {at.x + stage.px(6), at.y + stage.px(1.5f)}, to_im(color));
    };
  };
  entry("found", "a step that the search finds, above the ruler", ink(stage.theme->accent));
  if (!app.results.summary.loops.empty())
    entry("bracket", "the iteration of the loop around this step", ink(stage.theme->text));
  entry("stacked colours", "many steps in one column: the shares of their kinds", [&](ImVec2 at) {
    const auto band = [&](float top, float bottom, trace::StepKind kind) {
      ImGui::GetWindowDrawList()->AddRectFilled({at.x - stage.px(6), at.y + stage.px(top)},
                                                {at.x + stage.px(6), at.y + stage.px(bottom)},
                                                to_im(stage.theme->step(kind)));
    };
    band(-6, -2, trace::StepKind::load), band(-2, 1, trace::StepKind::store), band(1, 6, trace::StepKind::arithmetic);
  });
  end_menu();
}

void iteration_menu(App& app, const Stage& stage, const std::vector<results::Iteration>& around) {
  if (!begin_menu(stage, "iteration")) return;
  const results::Summary& s = app.results.summary;
  for (const results::Iteration& at : around) iteration_entries(app, stage, at);
  const int warp = app.navigation.selection.warp;
  for (const int loop : results::loops_of(s, app.results.index, warp)) {
    if (std::ranges::any_of(around, [&](const results::Iteration& at) { return at.loop == loop; })) continue;
    const std::string words = "loop of " + s.lines.words(s.loops[static_cast<std::size_t>(loop)].line);
    if (!menu_entry(stage, words.c_str(), false)) continue;
    const std::int64_t step =
        results::step_in_iteration(s, app.results.index, loop, warp, app.navigation.selection.step, 1);
    if (step >= 0) app.navigation.go_to_step(step);
  }
  end_menu();
}

}  // namespace lanescope::gui
