// Lesson: the text of a page, its moments as links, its questions with a place for the answer, and what has been
// answered.

#include "app/gui/panels/panel.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "app/gui/commands/command.h"
#include "app/gui/panels/lessons/markdown.h"
#include "app/gui/widgets/items.h"
#include "app/lessons/lesson.h"

namespace lanescope::gui {
namespace {

using lessons::Question;
using Verdict = QuestionState::Verdict;

class LessonPanel final : public Panel {
 public:
  std::string title(const App& app) const override {
    const lessons::Lesson* lesson = app.lecture.lesson();
    return lesson == nullptr ? "Lessons" : "Lesson " + std::string(lesson->name.substr(0, lesson->name.find('-')));
  }

  std::string subtitle(const App& app) const override {
    const lessons::Lesson* lesson = app.lecture.lesson();
    if (lesson == nullptr) return {};
    return fmt::format("page {} of {} · {} of {} answered", app.lecture.page() + 1, lesson->pages.size(),
                       lessons::answered(app.lecture.lesson_progress(), *lesson), lesson->questions().size());
  }

  void choices(App& app, Stage&, HeaderRow& row) override {
    if (app.lecture.lesson() == nullptr) return;
    const auto press = [&](const char* id, Icon icon, const char* command) {
      if (row.icon(id, icon, hint_of(command))) run_command(app, command);
    };
    press("All lessons", Icon::close, "lesson.close");
    press("Next page", Icon::right, "lesson.next_page");
    press("Previous page", Icon::left, "lesson.previous_page");
  }

  std::string csv(const App&) const override { return {}; }

  void body(App& app, Stage& stage, Rectangle area) override {
    ImGui::SetCursorScreenPos(area.min());
    ImGui::BeginChild("lesson page", {area.w, area.h});
    const lessons::Lesson* lesson = app.lecture.lesson();
    const std::string place = lesson == nullptr ? "" : lesson->name + std::to_string(app.lecture.page());
    if (place != place_) {
      place_ = place;
      ImGui::SetScrollY(0);
    }
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float width = area.w - stage.px(12);
    at_ = {origin.x, origin.y + stage.px(2)};
    stop_y_ = -1;
    width_ = width;
    if (lesson == nullptr)
      list(app, stage);
    else
      page(app, stage, *lesson);
    reveal_stop(app, stage, area, origin.y);
    if (!chosen_gpu_.empty()) app.choose_lesson_gpu(std::exchange(chosen_gpu_, {}));
    ImGui::SetCursorScreenPos({origin.x, at_.y});
    ImGui::Dummy({1, stage.px(16)});
    ImGui::EndChild();
  }

 private:
  /// Another stop than in the last frame is scrolled into sight. `begin`: y of the page on the screen.
  void reveal_stop(const App& app, const Stage& stage, Rectangle area, float begin) {
    if (app.lecture.stop() == revealed_) return;
    revealed_ = app.lecture.stop();
    if (app.lecture.current() == nullptr || stop_y_ < 0) return;
    // A page that was turned is read from its beginning.
    const std::vector<Stop> stops = app.lecture.stops();
    const int here = app.lecture.stop();
    if (here == 0 || stops[static_cast<std::size_t>(here) - 1].page != stops[static_cast<std::size_t>(here)].page)
      return;
    const bool in_sight = stop_y_ >= area.y && stop_y_ + stage.px(150) <= area.y + area.h;
    if (!in_sight) ImGui::SetScrollY(std::max(stop_y_ - begin - stage.px(24), 0.0f));
  }

  void list(App& app, const Stage& stage) {
    if (!listed_) {
      listed_ = true;
      for (const auto& folder : lessons::lesson_folders(lessons::lessons_directory()))
        if (auto lesson = lessons::read_lesson_as_left(folder, app.lecture.progress()))
          lessons_.push_back(std::move(*lesson));
    }
    if (lessons_.empty())
      wrapped(stage, stage.fonts.body, stage.theme->text_dim, "There are no lessons among the assets of this program.");
    for (const lessons::Lesson& lesson : lessons_) {
      const auto known = app.lecture.progress().lessons.find(lesson.name);
      const int answered = known == app.lecture.progress().lessons.end() ? 0 : lessons::answered(known->second, lesson);
      const ImVec2 top = at_;
      at_.y += stage.px(6);
      const float pad = stage.px(8);
      at_.x += pad, width_ -= 2 * pad;
      const float mark = stage.px(70);
      draw_text(stage, stage.fonts.small, {at_.x + width_, at_.y + stage.px(9)},
                answered > 0 ? stage.theme->good : stage.theme->text_dim,
                fmt::format("{} of {}", answered, lesson.questions().size()), TextAlign::right);
      width_ -= mark;
      wrapped(stage, stage.fonts.body_medium, stage.theme->text, lesson.title);
      width_ += mark;
      wrapped(stage, stage.fonts.small, stage.theme->text_dim, lesson.summary);
      at_.x -= pad, width_ += 2 * pad;
      at_.y += stage.px(4);
      ImGui::SetCursorScreenPos(top);
      if (ImGui::InvisibleButton((lesson.title + "###Lesson " + lesson.name).c_str(), {width_, at_.y - top.y}))
        app.open_lesson(lesson.folder);
      if (ImGui::IsItemHovered())
        ImGui::GetWindowDrawList()->AddRect(top, {top.x + width_, at_.y}, to_im(stage.theme->accent), stage.px(5));
    }
  }

  void page(App& app, const Stage& stage, const lessons::Lesson& lesson) {
    const lessons::Page& page = lesson.pages[static_cast<std::size_t>(app.lecture.page())];
    if (app.lecture.page() == 0) {
      wrapped(stage, stage.fonts.small, stage.theme->text_dim, lesson.title + ". " + lesson.summary);
      at_.y += stage.px(8);
    }
    wrapped(stage, stage.fonts.title, stage.theme->text, page.heading);
    at_.y += stage.px(8);
    bool open = false;  // a question is: the caption of the picture that shows its answer waits
    for (const lessons::Block& block : page.blocks) {
      if (block.moment) {
        moment(app, stage, *block.moment, open);
        open = false;
      } else if (block.question) {
        question(app, stage, *block.question);
        const QuestionState& state = app.lecture.state_of(*block.question);
        open = state.verdict == Verdict::none && !state.given;
      } else if (block.gpus) {
        gpus(stage, lesson, *block.gpus);
      }
      if (!block.markdown.empty()) at_.y += draw_markdown(stage, at_, width_, block.markdown);
    }
    at_.y += stage.px(8);
    const bool last = app.lecture.page() + 1 == static_cast<int>(lesson.pages.size());
    if (!last && press(stage, "Turn the page", lesson.pages[static_cast<std::size_t>(app.lecture.page()) + 1].heading,
                       "lesson.next_page", true))
      run_command(app, "lesson.next_page");
    if (last) wrapped(stage, stage.fonts.small, stage.theme->text_dim, "This is the last page.");
  }

  /// The choice of a GPU, and the columns of the chosen one.
  void gpus(const Stage& stage, const lessons::Lesson& lesson, const lessons::GpuChoice& choice) {
    if (!choice.caption.empty()) wrapped(stage, stage.fonts.body_medium, stage.theme->text, choice.caption);
    at_.y += stage.px(4);
    if (press(stage, "GPU of the lesson", lesson.gpu + " ▾", "")) ImGui::OpenPopup("gpus of the lesson");
    if (begin_menu(stage, "gpus of the lesson")) {
      for (const std::string& name : lessons::lesson_gpus())
        if (menu_entry(stage, name.c_str(), name == lesson.gpu)) chosen_gpu_ = name;
      end_menu();
    }
    at_.y += draw_markdown(stage, at_, width_, lessons::gpu_markdown(lesson, choice)) + stage.px(4);
  }

  void wrapped(const Stage& stage, ImFont* font, scene::Color color, std::string_view text) {
    note_text(text);
    at_.y += draw_wrapped(stage, font, at_, width_, color, text);
  }

  /// A button in a row of its own. `words` after an arrow where `forward`.
  bool press(const Stage& stage, const char* id, const std::string& words, const char* command, bool forward = false) {
    ButtonLook look{.pill = true, .color = stage.theme->accent};
    if (forward) look.icon = Icon::right;
    const float height = stage.px(26);
    const bool pressed = button(stage, id, {at_.x, at_.y + height / 2}, words, hint_of(command), look);
    at_.y += height + stage.px(6);
    return pressed;
  }

  void moment(App& app, const Stage& stage, const lessons::SavedMoment& m, bool before_answer) {
    const Stop* here = app.lecture.current();
    const bool shown = here != nullptr && here->moment == &m;
    const ImVec2 top = at_;
    if (shown) stop_y_ = top.y;
    const float pad = stage.px(10);
    at_.x += pad, width_ -= 2 * pad, at_.y += stage.px(7);
    const std::string file = std::filesystem::path(m.kernel).filename().string();
    wrapped(stage, stage.fonts.small, stage.theme->accent,
            fmt::format("{} {}, line {}", shown ? "shown:" : "show", file, m.line));
    const bool waits = before_answer && !shown;
    if (!m.caption.empty())
      wrapped(stage, stage.fonts.body, waits ? stage.theme->text_dim : stage.theme->text,
              waits ? "Answer first, then look." : m.caption);
    at_.x -= pad, width_ += 2 * pad, at_.y += stage.px(7);
    ImDrawList& drawing = *ImGui::GetWindowDrawList();
    ImGui::SetCursorScreenPos(top);
    const std::string name = fmt::format("Show {} line {}", file, m.line);
    ImGui::PushID(&m);
    if (ImGui::InvisibleButton(name.c_str(), {width_, at_.y - top.y})) {
      const std::vector<Stop> stops = app.lecture.stops();
      const auto at = std::ranges::find(stops, &m, &Stop::moment);
      if (at != stops.end()) app.lecture.go_to_stop(static_cast<int>(at - stops.begin()));
    }
    const bool hovered = ImGui::IsItemHovered();
    ImGui::PopID();
    drawing.AddRect(top, {top.x + width_, at_.y}, to_im(shown || hovered ? stage.theme->accent : stage.theme->border),
                    stage.px(5), 0, stage.hairline());
    if (shown) drawing.AddRectFilled(top, {top.x + stage.px(3), at_.y}, to_im(stage.theme->accent), stage.px(2));
    at_.y += stage.px(9);
  }

  void question(App& app, const Stage& stage, const Question& q) {
    QuestionState& state = app.lecture.state_of(q);
    const views::Theme& t = *stage.theme;
    const float edge = stage.px(12), top = at_.y;
    const Stop* here = app.lecture.current();
    if (here != nullptr && here->moment == nullptr && here->question == &q) stop_y_ = top;
    at_.x += edge, width_ -= edge;
    ImGui::PushID(q.id.c_str());
    at_.y += draw_markdown(stage, at_, width_, q.ask, {.color = t.text, .strong = true});
    at_.y += stage.px(6);
    if (q.kind == Question::Kind::choice)
      choice(app, stage, q, state);
    else if (q.kind == Question::Kind::code)
      code(app, stage, q, state);
    else
      field(app, stage, q, state);
    verdict(app, stage, q, state);
    ImGui::PopID();
    at_.x -= edge, width_ += edge;
    const scene::Color bar = state.verdict == Verdict::right   ? t.good
                             : state.verdict == Verdict::wrong ? t.bad
                                                               : t.warn;
    ImGui::GetWindowDrawList()->AddRectFilled({at_.x, top}, {at_.x + stage.px(3), at_.y}, to_im(bar), stage.px(2));
    at_.y += stage.px(12);
  }

  void field(App& app, const Stage& stage, const Question& q, QuestionState& state) {
    ImGui::PushFont(q.kind == Question::Kind::row ? stage.fonts.code : stage.fonts.body);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(stage.px(8), stage.px(5)));
    ImGui::SetCursorScreenPos(at_);
    const float height = ImGui::GetFrameHeight();
    ButtonLook look{.pill = true, .color = stage.theme->accent};
    const float check = button_width(stage, "Check", look) + stage.px(8);
    const float unit = q.unit.empty() ? 0 : text_width(stage.fonts.body, q.unit) + stage.px(10);
    const float wanted = q.kind == Question::Kind::row ? stage.px(220) : stage.px(90);
    const float width = std::max(std::min(wanted, width_ - check - unit), stage.px(60));
    ImGui::SetNextItemWidth(width);
    const std::string label = "##Answer " + q.id;
    const char* empty = q.kind == Question::Kind::row ? "j1 j0 k2 ..." : "";
    bool entered = ImGui::InputTextWithHint(label.c_str(), empty, &state.typed, ImGuiInputTextFlags_EnterReturnsTrue);
    ImGui::PopStyleVar();
    ImGui::PopFont();
    float x = at_.x + width + stage.px(8);
    const float y = at_.y + height / 2;
    if (!q.unit.empty()) x += draw_text(stage, stage.fonts.body, {x, y}, stage.theme->text_dim, q.unit) + stage.px(10);
    if (x + check > at_.x + width_ + stage.px(8)) at_.y += height, x = at_.x;
    entered |= button(stage, ("Check " + q.id).c_str(), {x, at_.y + height / 2}, "Check",
                      "Compares it with the computed answer", look);
    at_.y += height + stage.px(6);
    if (entered) app.lecture.reply(q, state.typed);
  }

  void choice(App& app, const Stage& stage, const Question& q, QuestionState& state) {
    float x = at_.x;
    const float height = stage.px(26);
    for (const std::string& each : q.choices) {
      ButtonLook look{.pill = true, .color = state.typed == each ? stage.theme->text : stage.theme->accent};
      const float width = button_width(stage, each, look);
      if (x > at_.x && x + width > at_.x + width_) x = at_.x, at_.y += height + stage.px(4);
      if (button(stage, ("Choice " + each).c_str(), {x, at_.y + height / 2}, each, "Chooses this answer", look))
        app.lecture.reply(q, each);
      x += width + stage.px(6);
    }
    at_.y += height + stage.px(6);
  }

  void code(App& app, const Stage& stage, const Question& q, const QuestionState& state) {
    const bool open = app.lecture.question_about(app.document.file()) == &q;
    if (!open && press(stage, ("Edit " + q.kernel).c_str(), "Edit " + q.kernel, "panel.source")) app.edit_code(q);
    if (open && state.verdict != Verdict::computing &&
        press(stage, ("Check " + q.id).c_str(), "Check the kernel", "lesson.check_code"))
      app.check_code();
  }

  void verdict(App& app, const Stage& stage, const Question& q, QuestionState& state) {
    const views::Theme& t = *stage.theme;
    const auto said = [&](VerdictIcon icon, scene::Color color, const std::string& words) {
      draw_verdict_icon(stage, icon, {at_.x + stage.px(8), at_.y + stage.px(10)}, stage.px(8));
      at_.x += stage.px(22), width_ -= stage.px(22);
      wrapped(stage, stage.fonts.body_medium, color, words);
      at_.x -= stage.px(22), width_ += stage.px(22);
    };
    switch (state.verdict) {
      case Verdict::none:
        break;
      case Verdict::computing:
        wrapped(stage, stage.fonts.small, t.text_dim, "The answer is being computed.");
        break;
      case Verdict::unclear:
        said(VerdictIcon::unknown, t.warn, as_sentence(state.words));
        break;
      case Verdict::wrong:
        said(VerdictIcon::bad, t.bad,
             state.words.empty() ? "Not right." : as_sentence("Not right yet: " + state.words));
        break;
      case Verdict::right:
        said(VerdictIcon::good, t.good, "Right.");
        break;
    }
    const lessons::Answer none;
    const bool right = state.verdict == Verdict::right;
    const lessons::Answer* answer = q.kind == Question::Kind::code ? &none
                                    : right || state.given         ? app.lecture.answer(q)
                                                                   : nullptr;
    if ((right || state.given) && answer != nullptr) {
      if (state.given && !right)
        wrapped(stage, stage.fonts.body, t.text, fmt::format("The answer: {} {}", answer->text, q.unit));
      if (!q.why.empty())
        at_.y += draw_markdown(stage, {at_.x, at_.y + stage.px(2)}, width_, lessons::why_words(q, *answer));
      return;
    }
    if (state.hint && !q.hint.empty())
      at_.y += draw_markdown(stage, at_, width_, "Hint: " + q.hint, {.color = t.text_dim});
    if (state.verdict != Verdict::wrong || q.kind == Question::Kind::code) return;
    at_.y += stage.px(4);
    if (press(stage, ("Show the answer " + q.id).c_str(), "Show the answer", "")) state.given = true;
  }

  ImVec2 at_{0, 0};
  float width_ = 0;
  float stop_y_ = -1;  ///< of the stop that one is at, on the screen; below 0: it is on no page
  int revealed_ = -1;
  std::string place_;
  std::string chosen_gpu_;  ///< taken when all of the lesson as it was is drawn
  bool listed_ = false;
  std::vector<lessons::Lesson> lessons_;
};

}  // namespace

std::unique_ptr<Panel> make_lesson_panel() { return std::make_unique<LessonPanel>(); }

}  // namespace lanescope::gui
