#include "app/gui/shell/lecture_stage.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/gui/commands/command.h"
#include "app/gui/panels/lessons/markdown.h"
#include "app/gui/state/evidence.h"
#include "app/gui/widgets/items.h"
#include "kernels/base/numbers.h"

namespace lanescope::gui {
namespace {

constexpr float lecture_control_px = 36;
constexpr std::size_t most_stop_dots = 48;

const lessons::Question* question_of(const App& app) {
  return app.lecture.current() == nullptr ? nullptr : app.lecture.current()->question;
}

const lessons::Page* page_of(const App& app) {
  const lessons::Lesson* lesson = app.lecture.lesson();
  return lesson == nullptr ? nullptr : &lesson->pages[static_cast<std::size_t>(app.lecture.page())];
}

std::string title_of(const App& app) {
  if (const lessons::Page* page = page_of(app)) return page->heading;
  const lessons::SavedMoment* m = app.lecture.shown_moment();
  if (m == nullptr || m->name.starts_with("line-")) return app.document.title();
  std::string words = m->name;
  std::ranges::replace_if(
      words, [](char c) { return c == '-' || c == '_'; }, ' ');
  return words;
}

std::string notes_of(const App& app) {
  if (!app.lecture.notes_shown) return {};
  const lessons::SavedMoment* m = app.lecture.shown_moment();
  std::string notes = m == nullptr ? std::string() : m->notes;
  if (const lessons::Page* page = page_of(app); page != nullptr && notes.empty()) notes = page->notes;
  std::ranges::replace(notes, '\n', ' ');
  return notes.empty() ? "No notes for this moment." : notes;
}

/// The paragraphs of the page between the stop before and this question.
std::string text_before(const App& app, const lessons::Question& q) {
  std::string out;
  for (const lessons::Block& block : page_of(app)->blocks) {
    if (block.question && &*block.question == &q) break;
    if (block.markdown.empty())
      out.clear();
    else
      out += block.markdown + "\n\n";
  }
  return out;
}

std::string question_words(const lessons::Question& q) { return "Before you go on: " + q.ask; }

/// Lines of a wrapped text, and what they take.
float height_of(const Stage& stage, ImFont* font, const std::string& words, float width) {
  if (words.empty()) return 0;
  const auto lines = wrapped_lines(font, words, width);
  return static_cast<float>(lines.size()) * (font->FontSize + stage.px(5)) + stage.px(3);
}

}  // namespace

bool shows_lecture(const App& app) {
  return app.shell.view.presentation &&
         (app.lecture.lesson() != nullptr ? app.lecture.current() != nullptr : app.lecture.chosen() >= 0);
}

void draw_lecture_title(App& app, const Stage& stage, Rectangle bar) {
  const views::Theme& t = *stage.theme;
  const float y = bar.y + bar.h / 2 + stage.px(2), edge = stage.px(18);
  const std::size_t count = app.lecture.stops().size();
  const std::string where = fmt::format("{} of {}", app.lecture.stop() + 1, count);
  float right = bar.x + bar.w - edge;
  right -= draw_text(stage, stage.fonts.body, {right, y}, t.text_dim, where, TextAlign::right) + stage.px(24);
  const lessons::SavedMoment* m = app.lecture.shown_moment();
  const ClaimTally claims = tally(app.results.summary);
  // Whether the kernel is well is said wherever its picture is.
  if (m != nullptr && app.results.have && claims.total() > 0) {
    const bool wrong = claims.differs > 0, open = claims.holds < claims.total();
    const std::string words = fmt::format("{} of {} claims hold", claims.holds, claims.total());
    const scene::Color color = wrong ? t.bad : open ? t.warn : t.good;
    const float w = text_width(stage.fonts.small, words) + stage.px(34), h = stage.px(20);
    const ImVec2 low{right - w, y - h / 2}, high{right, y + h / 2};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRect(low, high, to_im(t.border), h / 2, 0, stage.hairline());
    draw_verdict_icon(stage,
                      wrong  ? VerdictIcon::bad
                      : open ? VerdictIcon::unknown
                             : VerdictIcon::good,
                      {low.x + stage.px(14), y}, stage.px(7));
    draw_text(stage, stage.fonts.small, {low.x + stage.px(23), y}, color, words);
    right = low.x - stage.px(16);
  }
  draw_text(stage, stage.fonts.title, {bar.x + edge, y}, t.text, title_of(app), TextAlign::left,
            std::max(right - bar.x - edge, stage.px(40)));
}

bool draw_lecture_card(App& app, Stage& stage, Rectangle area) {
  if (app.lecture.shown_moment() != nullptr) return false;
  const views::Theme& t = *stage.theme;
  const Rectangle bar{area.x, area.y + area.h - stage.px(lecture_control_px), area.w, stage.px(lecture_control_px)};
  const std::string notes = notes_of(app);
  const float notes_height = height_of(stage, stage.fonts.body, notes, area.w - stage.px(40));
  const Rectangle card{area.x, area.y, area.w, std::max(bar.y - area.y - notes_height - stage.px(8), 1.0f)};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(card.min(), card.max(), to_im(t.panel), stage.px(6));
  list.AddRect(card.min(), card.max(), to_im(t.border), stage.px(6), 0, stage.hairline());
  const float width = std::min(card.w - stage.px(80), stage.px(720)), left = card.x + (card.w - width) / 2;
  if (const lessons::Question* q = question_of(app)) {
    std::string choices;
    for (const std::string& each : q->choices) choices += (choices.empty() ? "" : "     ") + each;
    const float own =
        stage.px(30) + height_of(stage, stage.fonts.title, q->ask, width) + (choices.empty() ? 0 : stage.px(40));
    // What leads to the question, where there is room for it.
    std::string before = text_before(app, *q);
    float text = before.empty() ? 0 : markdown_height(stage, width, before) + stage.px(14);
    if (own + text > card.h - stage.px(24)) before.clear(), text = 0;
    float y = card.y + std::max((card.h - own - text) * 0.42f, stage.px(12));
    if (!before.empty()) y += draw_markdown(stage, {left, y}, width, before) + stage.px(14);
    draw_text(stage, stage.fonts.body_medium, {left, y + stage.px(10)}, t.warn, "Before you go on");
    y += stage.px(30);
    note_text(q->ask);
    y += draw_wrapped(stage, stage.fonts.title, {left, y}, width, t.text, q->ask) + stage.px(20);
    draw_text(stage, stage.fonts.title, {left, y}, t.accent, choices, TextAlign::left, width);
  } else if (const lessons::Page* page = page_of(app)) {
    ImGui::PushClipRect(card.min(), card.max(), true);
    float y = card.y + stage.px(24);
    for (const lessons::Block& block : page->blocks)
      if (!block.markdown.empty()) y += draw_markdown(stage, {left, y}, width, block.markdown);
    ImGui::PopClipRect();
  }
  if (!notes.empty())
    draw_wrapped(stage, stage.fonts.body, {area.x + stage.px(18), card.y + card.h + stage.px(4)}, area.w - stage.px(40),
                 t.text_dim, notes);
  draw_lecture_control(app, stage, bar);
  return true;
}

float lecture_words_height(const App& app, const Stage& stage, Rectangle area) {
  const float width = area.w - stage.px(20);
  float height = 0;
  if (const lessons::SavedMoment* m = app.lecture.shown_moment())
    height += height_of(stage, stage.fonts.title, m->caption, width);
  if (const lessons::Question* q = question_of(app))
    height += height_of(stage, stage.fonts.body, question_words(*q), width);
  return height + height_of(stage, stage.fonts.body, notes_of(app), width) + stage.px(4);
}

void draw_lecture_words(const App& app, const Stage& stage, Rectangle area) {
  const views::Theme& t = *stage.theme;
  const float width = area.w - stage.px(20), x = area.x + stage.px(10);
  float y = area.y + stage.px(2);
  const auto put = [&](ImFont* font, scene::Color color, const std::string& words) {
    if (words.empty()) return;
    note_text(words);
    draw_wrapped(stage, font, {x, y}, width, color, words);
    y += height_of(stage, font, words, width);
  };
  if (const lessons::SavedMoment* m = app.lecture.shown_moment()) put(stage.fonts.title, t.text, m->caption);
  if (const lessons::Question* q = question_of(app)) put(stage.fonts.body, t.warn, question_words(*q));
  put(stage.fonts.body, t.text_dim, notes_of(app));
}

void draw_lecture_control(App& app, const Stage& stage, Rectangle bar) {
  const views::Theme& t = *stage.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float y = bar.y + bar.h / 2, edge = stage.px(10);
  const auto press = [&](const char* id, const char* words, Icon icon, float x, const char* command,
                         scene::Color color) {
    ButtonLook look;
    look.icon = icon;
    look.icon_first = icon == Icon::left;
    look.color = color;
    if (button(stage, id, {x, y}, words, hint_of(command), look)) run_command(app, command);
    return button_width(stage, words, look);
  };
  ButtonLook next;
  next.icon = Icon::right;
  const float next_width = button_width(stage, "next", next);
  float left = bar.x + edge;
  left += press("Back", "back", Icon::left, left, "lesson.previous", t.text_dim) + stage.px(16);
  const float right = bar.x + bar.w - edge - next_width;
  press("Next", "next", Icon::right, right, "lesson.next", t.text);
  const lessons::SavedMoment* m = app.lecture.shown_moment();
  if (m != nullptr && app.navigation.selection.share < 1)
    left += draw_text(stage, stage.fonts.small, {left, y}, t.text_dim,
                      fmt::format("{:.1f} of the step", app.navigation.selection.share)) +
            stage.px(16);
  const std::size_t count = app.lecture.stops().size();
  const int here = app.lecture.stop();
  if (count == 0) return;
  const float room = right - stage.px(16) - left, pitch = std::min(room / static_cast<float>(count), stage.px(36));
  // In the middle of the stage where there is room for that.
  const float whole = pitch * static_cast<float>(count);
  const float from = std::max(left, bar.x + (bar.w - whole) / 2);
  ImGui::SetCursorScreenPos({from, bar.y});
  ImGui::InvisibleButton("Stops of the sequence", {std::max(whole, 1.0f), bar.h});
  if (ImGui::IsItemClicked()) {
    const float at = (ImGui::GetMousePos().x - from) / pitch;
    app.lecture.go_to_stop(std::clamp(static_cast<int>(at), 0, static_cast<int>(count) - 1));
  }
  if (count <= most_stop_dots) {
    for (int n = 0; n < static_cast<int>(count); ++n)
      list.AddCircleFilled({from + pitch * (static_cast<float>(n) + 0.5f), y}, stage.px(n == here ? 6.0f : 4.0f),
                           to_im(n == here  ? t.accent
                                 : n < here ? t.text_dim
                                            : t.border));
    return;
  }
  const float half = stage.px(2), x = from + pitch * (static_cast<float>(std::max(here, 0)) + 0.5f);
  list.AddRectFilled({from, y - half}, {from + whole, y + half}, to_im(t.border), half);
  list.AddRectFilled({from, y - half}, {x, y + half}, to_im(t.text_dim), half);
  list.AddCircleFilled({x, y}, stage.px(6), to_im(t.accent));
}

}  // namespace lanescope::gui
