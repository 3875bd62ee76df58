#include "app/gui/shell/window.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/gui/commands/command.h"
#include "app/gui/model/results.h"
#include "app/gui/panels/lessons/markdown.h"
#include "app/gui/widgets/items.h"
#include "app/lessons/lesson.h"
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
    if (block.gpus)
      out += lessons::gpu_markdown(*app.lecture.lesson(), *block.gpus) + "\n\n";
    else if (block.markdown.empty())
      out.clear();
    else
      out += block.markdown + "\n\n";
  }
  return out;
}

/// Text for the last row of an audience: fonts larger than those of panels. Of the stage no scene.
Stage reading_stage(const Stage& stage, float larger) {
  Stage out{.theme = stage.theme, .fonts = stage.fonts, .scale = stage.scale * larger, .presentation = true};
  const auto font = [&](scene::Face face, float px) {
    return stage.fonts.scene.nearest(face, stage.fonts.body->FontSize / type_px::body * px);
  };
  if (larger <= 1) return out;
  out.fonts.body = font(scene::Face::sans, 18), out.fonts.body_medium = font(scene::Face::sans_bold, 18);
  out.fonts.title = font(scene::Face::sans_bold, 24), out.fonts.code = font(scene::Face::mono, 17);
  return out;
}
constexpr float reading_larger = 18 / type_px::body;

/// The same with plain words as large as a title's.
Stage asking_stage(const Stage& reading) {
  Stage out = reading;
  out.fonts.body_medium = reading.fonts.title;
  return out;
}

bool is_reported(const App& app, const lessons::Question& q) {
  const QuestionState& state = const_cast<App&>(app).lecture.state_of(q);
  return q.kind != lessons::Question::Kind::code && (state.given || state.verdict == QuestionState::Verdict::right);
}

/// "**4 sectors.** 128 bytes wanted, ..." once it is reported; empty: not yet.
std::string answer_words(const App& app, const lessons::Question& q) {
  if (!is_reported(app, q)) return {};
  const lessons::Answer* answer = const_cast<App&>(app).lecture.answer(q);
  if (answer == nullptr) return "The answer is being computed.";
  const std::string unit = q.unit.empty() ? "" : " " + q.unit;
  const std::string why = lessons::why_words(q, *answer);
  return why.starts_with(answer->text) ? why : fmt::format("**{}{}.** {}", answer->text, unit, why);
}

/// The question before this one, which "And on an H200?" or one that follows directly continues from.
std::string asked_before(const App& app, const lessons::Question& q) {
  const lessons::Question* before = nullptr;
  bool directly = false;
  for (const lessons::Block& block : page_of(app)->blocks) {
    if (block.question && &*block.question == &q) break;
    directly = block.question.has_value();
    if (directly) before = &*block.question;
  }
  return before != nullptr && (directly || q.ask.starts_with("And ")) ? before->ask : std::string();
}

std::string question_words(const lessons::Question& q) { return "Before you continue: " + q.ask; }

/// Lines of a wrapped text, and what they take.
float height_of(const Stage& stage, ImFont* font, const std::string& words, float width) {
  if (words.empty()) return 0;
  const auto lines = wrapped_lines(font, words, width);
  return static_cast<float>(lines.size()) * (font->FontSize + stage.px(5)) + stage.px(3);
}

/// The parts of a card that requests, one below the other.
class QuestionCard {
 public:
  QuestionCard(const App& app, const lessons::Question& q)
      : before_(text_before(app, q)), asked_(asked_before(app, q)), answer_(answer_words(app, q)), q_(q) {
    for (const std::string& each : q.choices) choices_ += (choices_.empty() ? "" : "     ") + each;
  }
  /// Height of all; with `leading` also of what leads to the question.
  float height(const Stage& s, float width, bool leading) const {
    const Stage ask = asking_stage(s);
    float all = s.px(24) + markdown_height(ask, width, q_.ask, true);
    if (leading && !before_.empty()) all += markdown_height(s, width, before_) + s.px(10);
    if (!asked_.empty()) all += markdown_height(s, width, asked_);
    if (!choices_.empty()) all += s.px(34);
    if (!answer_.empty()) all += markdown_height(s, width, answer_) + s.px(10);
    return all;
  }
  void draw(const Stage& s, ImVec2 at, float width, bool leading) const {
    const views::Theme& t = *s.theme;
    const Stage ask = asking_stage(s);
    if (leading && !before_.empty()) at.y += draw_markdown(s, at, width, before_) + s.px(10);
    if (!asked_.empty()) at.y += draw_markdown(s, at, width, asked_, {.color = t.text_dim});
    draw_text(s, s.fonts.body_medium, {at.x, at.y + s.px(8)}, t.warn, "Before you continue");
    at.y += s.px(24);
    note_text(q_.ask);
    at.y += draw_markdown(ask, at, width, q_.ask, {.color = t.text, .strong = true});
    if (!choices_.empty()) {
      draw_text(s, s.fonts.body_medium, {at.x, at.y + s.px(12)}, t.accent, choices_, TextAlign::left, width);
      at.y += s.px(34);
    }
    if (!answer_.empty()) draw_markdown(s, {at.x, at.y + s.px(10)}, width, answer_, {.color = t.good});
  }

 private:
  std::string before_, asked_, answer_, choices_;
  const lessons::Question& q_;
};

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
  // The state of the kernel is shown wherever its picture is.
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
  const Stage large = reading_stage(stage, reading_larger), plain = reading_stage(stage, 1);
  const float width = std::min(card.w - stage.px(80), stage.px(880)), left = card.x + (card.w - width) / 2;
  const float room = card.h - stage.px(24);
  ImGui::PushClipRect(card.min(), card.max(), true);
  if (const lessons::Question* q = question_of(app)) {
    const QuestionCard asked(app, *q);
    // As large as there is room for; what leads to the question comes first.
    const Stage* s = &large;
    bool leading = true;
    if (asked.height(*s, width, leading) > room) s = &plain;
    if (asked.height(*s, width, leading) > room) leading = false, s = &large;
    if (asked.height(*s, width, leading) > room) s = &plain;
    const float y = card.y + std::max((card.h - asked.height(*s, width, leading)) * 0.42f, stage.px(12));
    asked.draw(*s, {left, y}, width, leading);
  } else if (const lessons::Page* page = page_of(app)) {
    float heights = 0;
    for (const lessons::Block& block : page->blocks)
      if (!block.markdown.empty()) heights += markdown_height(large, width, block.markdown);
    const Stage& s = heights <= room ? large : plain;
    float y = card.y + stage.px(24);
    for (const lessons::Block& block : page->blocks)
      if (!block.markdown.empty()) y += draw_markdown(s, {left, y}, width, block.markdown);
  }
  ImGui::PopClipRect();
  if (!notes.empty())
    draw_wrapped(stage, stage.fonts.body, {area.x + stage.px(18), card.y + card.h + stage.px(4)}, area.w - stage.px(40),
                 t.text_dim, notes);
  draw_lecture_control(app, stage, bar);
  return true;
}

float lecture_words_height(const App& app, const Stage& stage, Rectangle area) {
  const float width = area.w - stage.px(20);
  const Stage large = reading_stage(stage, reading_larger);
  float height = 0;
  if (const lessons::SavedMoment* m = app.lecture.shown_moment())
    height += height_of(stage, large.fonts.body_medium, m->caption, width);
  if (const lessons::Question* q = question_of(app)) {
    height += height_of(stage, stage.fonts.title, question_words(*q), width);
    if (const std::string answer = answer_words(app, *q); !answer.empty())
      height += markdown_height(stage, width, answer);
  }
  return height + height_of(stage, stage.fonts.body, notes_of(app), width) + stage.px(4);
}

void draw_lecture_words(const App& app, const Stage& stage, Rectangle area) {
  const views::Theme& t = *stage.theme;
  const Stage large = reading_stage(stage, reading_larger);
  const float width = area.w - stage.px(20), x = area.x + stage.px(10);
  float y = area.y + stage.px(2);
  const auto put = [&](ImFont* font, scene::Color color, const std::string& words) {
    if (words.empty()) return;
    note_text(words);
    draw_wrapped(stage, font, {x, y}, width, color, words);
    y += height_of(stage, font, words, width);
  };
  if (const lessons::SavedMoment* m = app.lecture.shown_moment()) put(large.fonts.body_medium, t.text, m->caption);
  if (const lessons::Question* q = question_of(app)) {
    put(stage.fonts.title, t.warn, question_words(*q));
    if (const std::string answer = answer_words(app, *q); !answer.empty())
      y += draw_markdown(stage, {x, y}, width, answer, {.color = t.good});
  }
  put(stage.fonts.body, t.text_dim, notes_of(app));
}

void draw_lecture_control(App& app, const Stage& stage, Rectangle bar) {
  const views::Theme& t = *stage.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float y = bar.y + bar.h / 2, edge = stage.px(10);
  const auto press = [&](const char* id, const char* words, Icon icon, float x, const char* command,
                         scene::Color color) {
    ButtonLook look{.icon = icon, .icon_first = icon == Icon::left, .color = color};
    if (button(stage, id, {x, y}, words, hint_of(command), look)) run_command(app, command);
    return button_width(stage, words, look);
  };
  const float next_width = button_width(stage, "next", {.icon = Icon::right});
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
