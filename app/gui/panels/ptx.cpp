// PTX: the program as the machine sees it, linked with the source line by line.

#include <algorithm>
#include <cmath>

#include "app/gui/model/steps.h"
#include "app/gui/panels/panel.h"
#include "app/gui/state/glossary.h"
#include "kernels/base/numbers.h"
#include "viz/views/costs/heat.h"

namespace lanescope::gui {
namespace {

constexpr float words_px = 98;                    // of the explanation below
constexpr float row_px = 19, frame_px = 26 + 28;  // of ptx_view: its rows, and what stands above and below them

class PtxPanel final : public Panel {
 public:
  std::string subtitle(const App& app) const override {
    if (!app.results.have) return {};
    return app.results.summary.kernel + " · " + counted(views::ptx_code(app.results.summary).size(), "instruction");
  }

  void body(App& app, Stage& stage, Rectangle area) override {
    if (draw_missing_results(app, stage, area)) return;
    const auto& code = views::ptx_code(app.results.summary);
    // The meaning of the instruction under the mouse, else of the step's, is below if there is room for both.
    const Rectangle words{area.x, area.y + area.h - stage.px(words_px), area.w, stage.px(words_px)};
    const bool explains = area.h > stage.px(2.2f * words_px);
    if (explains) area.h -= stage.px(words_px);
    rows_ = std::max(static_cast<int>((area.h / stage.scale - frame_px) / row_px), 3);
    follow(app);
    last_first_ = std::max(static_cast<int>(code.size()) - rows_, 0);
    first_ = std::clamp(first_, 0, last_first_);
    const std::string& counter = app.shell.view.heat;
    const std::string stamp = scene_stamp(app) + counter + "|" + std::to_string(first_) + "|" + std::to_string(rows_);
    const views::Selection shown = app.navigation.shown();
    const auto make = [&](float width) {
      views::PtxOptions o{.width = width, .first = first_, .most_rows = rows_, .counter = counter};
      return views::ptx_view(app.results.summary, app.results.moment, shown, o, app.shell.theme());
    };
    SceneCanvas::Result result =
        canvas_.draw(app, stage, id(), area, stamp, make,
                     {.zooms = false, .shrink_to_fit = false, .centered = false, .least_fit = 1});
    if (result.clicked && result.clicked->kind == scene::Id::Kind::ptx_row) {
      go_to(app, result.clicked->a);
      result.clicked.reset();
    }
    apply_pointer(app, id(), result);
    if (result.wheel != 0)
      first_ = std::clamp(first_ - static_cast<int>(std::lround(3 * result.wheel)), 0, last_first_);
    draw_thumb(stage, area, static_cast<int>(code.size()));
    const bool pointed = result.hit && result.hit->kind == scene::Id::Kind::ptx_row;
    if (explains)
      explanation(app, stage, words,
                  pointed ? result.hit->a : views::ptx_row_of(app.results.summary, app.results.moment));
  }

 private:
  static void explanation(const App& app, const Stage& stage, Rectangle area, int row) {
    const auto& code = views::ptx_code(app.results.summary);
    const views::Theme& t = *stage.theme;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddLine(area.min(), {area.x + area.w, area.y}, to_im(t.border), stage.hairline());
    if (row < 0 || row >= static_cast<int>(code.size())) {
      draw_text(stage, stage.fonts.small, {area.x, area.y + stage.px(16)}, t.text_dim,
                "Point at an instruction to see what it does.");
      return;
    }
    const explain::Generation generation = shown_generation(app);
    const explain::Explanation e = explain::explain(code[static_cast<std::size_t>(row)].text, generation);
    float y = area.y + stage.px(6);
    list.PushClipRect(area.min(), area.max(), true);
    const std::string does = e.does.empty() ? "There are no words about this instruction here." : e.does;
    y += draw_wrapped(stage, stage.fonts.small, {area.x, y}, area.w, t.text, does) + stage.px(2);
    if (const std::string fma = views::contraction_words(code, row); !fma.empty())
      y += draw_wrapped(stage, stage.fonts.small, {area.x, y}, area.w, t.text_dim, fma) + stage.px(2);
    if (e.route) {
      std::string way = generation.name + ": " + e.route->words();
      if (e.route->transaction_bytes > 0) way += ", in " + e.route->transaction;
      y += draw_wrapped(stage, stage.fonts.small, {area.x, y}, area.w, t.text_dim, way) + stage.px(2);
      if (!e.route->warp.empty())
        y += draw_wrapped(stage, stage.fonts.small, {area.x, y}, area.w, t.text_dim, e.route->warp);
    }
    list.PopClipRect();
  }

  bool in_sight(int row) const { return row >= first_ && row < first_ + rows_; }

  /// The rows stay where they are until the moment or the line looked at has left them.
  void follow(const App& app) {
    const int now = views::ptx_row_of(app.results.summary, app.results.moment);
    if (now != now_) {
      now_ = now;
      if (now >= 0 && !in_sight(now)) first_ = now - rows_ / 2;
    }
    if (app.navigation.selection.line == line_) return;
    line_ = app.navigation.selection.line;
    const auto& code = views::ptx_code(app.results.summary);
    int row = -1;
    for (int pc = static_cast<int>(code.size()) - 1; pc >= 0; --pc) {
      if (code[pc].line != line_) continue;
      if (in_sight(pc)) return;
      row = pc;
    }
    if (row >= 0) first_ = row - rows_ / 3;
  }

  static void go_to(App& app, int row) {
    const results::Summary& s = app.results.summary;
    const int line = views::ptx_code(s)[row].line;
    const std::int64_t step = step_at_instruction(s, row, app.navigation.selection.warp, app.navigation.selection.step);
    app.navigation.playing = false;
    if (step >= 0)
      app.navigation.go_to_step(step);
    else if (line > 0)
      app.navigation.go_to_line(line);
    if (line > 0) app.navigation.selection.line = *(app.navigation.reveal_line = line);
  }

  void draw_thumb(const Stage& stage, Rectangle area, int count) const {
    if (count <= rows_) return;
    const float top = area.y + stage.px(26), height = stage.px(row_px) * static_cast<float>(rows_);
    const float x = area.x + area.w - stage.px(3);
    const float from = top + height * static_cast<float>(first_) / static_cast<float>(count);
    const float to = from + height * static_cast<float>(rows_) / static_cast<float>(count);
    ImGui::GetWindowDrawList()->AddRectFilled({x, from}, {x + stage.px(3), to}, to_im(stage.theme->border),
                                              stage.px(1.5f));
  }

  SceneCanvas canvas_;
  int first_ = 0, rows_ = 1, last_first_ = 0;
  int now_ = -1, line_ = -1;  ///< row of the moment and line selected when last drawn
};

}  // namespace

std::unique_ptr<Panel> make_ptx_panel() { return std::make_unique<PtxPanel>(); }

}  // namespace lanescope::gui
