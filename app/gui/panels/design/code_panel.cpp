// Generated code: what would be written, whether it passed its check, and what differs from the last export.

#include <algorithm>

#include "app/gui/commands/command.h"
#include "app/gui/panels/design/design_panels.h"
#include "app/gui/widgets/control_strip.h"
#include "app/gui/widgets/items.h"
#include "kernels/base/text.h"

namespace lanescope::gui {
namespace {

class CodePanel final : public Panel {
 public:
  std::string subtitle(const App& app) const override {
    const Designer& d = app.designer;
    if (!d.is_open() || lines_.empty()) return {};
    const auto count = [&](design::DiffLine::Kind kind) {
      return std::ranges::count(lines_, kind, &design::DiffLine::kind);
    };
    using Kind = design::DiffLine::Kind;
    if (!compared_) return std::to_string(lines_.size()) + " lines";
    const auto added = count(Kind::added), removed = count(Kind::removed);
    return added + removed == 0
               ? "as exported"
               : "+" + std::to_string(added) + " −" + std::to_string(removed) + " lines · since the last export";
  }

  void choices(App& app, Stage& stage, HeaderRow& row) override {
    Designer& d = app.designer;
    if (!d.is_open()) return;
    drop_down(row, stage, "Code form", "show",
              d.step() > 0       ? "step"
              : d.preview_kernel ? "kernel file"
                                 : "function",
              hint_of("design.code"), [&] {
                const auto entry = [&](const char* words, bool chosen, bool kernel) {
                  if (!menu_entry(stage, words, chosen)) return;
                  d.preview_kernel = kernel;
                  if (d.step() > 0) d.choose_step(0);
                  ++d.version;
                };
                entry("function", d.step() == 0 && !d.preview_kernel, false);
                entry("kernel file", d.step() == 0 && d.preview_kernel, true);
              });
  }

  void body(App& app, Stage& stage, Rectangle area) override {
    if (draw_missing_layout(app, stage, area, id())) return;
    Designer& d = app.designer;
    ControlStrip strip(stage, {area.x, area.y, area.w, 0});
    const auto press = [&](const char* words, const char* command) {
      if (strip.press(words, words, hint_of(command), refusal_of(app, *find_command(command))))
        run_command(app, command);
    };
    press("Export function…", "design.export");
    press("Export kernel…", "design.export_kernel");
    press("Open kernel", "design.open_kernel");
    verdict(app, stage, strip);
    const float used = strip.bottom() - area.y + stage.px(4);
    update(d);
    text(stage, {area.x, area.y + used, area.w, std::max(area.h - used, 1.0f)});
  }

  std::string csv(const App&) const override { return {}; }

 private:
  static void verdict(App& app, const Stage& stage, ControlStrip& strip) {
    const CodeCheck c = app.designer.check();
    using State = CodeCheck::State;
    if (c.state == State::none) return;
    const char* sign = c.state == State::right     ? "● "
                       : c.state == State::wrong   ? "■ "
                       : c.state == State::running ? ""
                                                   : "○ ";
    strip.sentence(sign + c.words, c.state == State::right     ? stage.theme->good
                                   : c.state == State::wrong   ? stage.theme->bad
                                   : c.state == State::running ? stage.theme->text_dim
                                                               : stage.theme->warn);
  }

  /// The text on show, compared with the last export of the same form.
  void update(const Designer& d) {
    if (seen_ == d.version) return;
    seen_ = d.version;
    const design::Study* s = d.study();
    std::string now;
    const CodeForm form = d.preview_kernel ? CodeForm::kernel : CodeForm::header;
    if (d.step() > 0) {
      const auto n = static_cast<std::size_t>(d.step()) - 1;
      if (s != nullptr && n < s->steps.size()) now = s->steps[n].code;
    } else {
      now = form == CodeForm::kernel ? d.kernel() : d.header();
    }
    if (now.empty() && d.planning()) return;  // the last code stays until there is another
    const auto last = d.last_export.find(form);
    compared_ = d.step() == 0 && last != d.last_export.end();
    lines_ = design::difference(compared_ ? last->second : now, now);
    if (now.empty()) lines_.clear();
  }

  void text(const Stage& stage, Rectangle area) const {
    if (lines_.empty())
      return draw_state(stage, area, "There is no code.", "A design without mistakes has a plan, and a plan its code.");
    ImGui::SetCursorScreenPos(area.min());
    ImGui::BeginChild("code text", {area.w, area.h}, ImGuiChildFlags_None, ImGuiWindowFlags_HorizontalScrollbar);
    const float pitch = stage.px(17);
    const ImVec2 top = ImGui::GetCursorScreenPos();
    const float left = stage.px(compared_ ? 16.0f : 2.0f);
    float widest = 0;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float clip_top = area.y - pitch, clip_bottom = area.y + area.h + pitch;
    for (std::size_t n = 0; n < lines_.size(); ++n) {
      const design::DiffLine& line = lines_[n];
      widest = std::max(widest, static_cast<float>(line.text.size()));
      const float y = top.y + (static_cast<float>(n) + 0.5f) * pitch;
      if (y < clip_top || y > clip_bottom) continue;
      using Kind = design::DiffLine::Kind;
      const scene::Color mark = line.kind == Kind::added ? stage.theme->good : stage.theme->bad;
      if (line.kind != Kind::same) {
        list.AddRectFilled({top.x, y - pitch / 2}, {top.x + stage.px(2), y + pitch / 2}, to_im(mark));
        draw_text(stage, stage.fonts.code_small, {top.x + stage.px(5), y}, mark, line.kind == Kind::added ? "+" : "−");
      }
      const bool comment = trimmed(line.text).starts_with("//");
      const std::string words(line.text);
      const scene::Color ink = line.kind == Kind::removed ? stage.theme->text_faint
                               : comment                  ? stage.theme->text_dim
                                                          : stage.theme->text;
      list.AddText(stage.fonts.code_small, stage.fonts.code_small->FontSize,
                   {top.x + left, y - stage.fonts.code_small->FontSize / 2}, to_im(ink), words.c_str());
      if (recording()) note_text(words);
    }
    const float letter = text_width(stage.fonts.code_small, "0");
    ImGui::Dummy({left + stage.px(8) + widest * letter, static_cast<float>(lines_.size()) * pitch});
    ImGui::EndChild();
  }

  std::vector<design::DiffLine> lines_;
  bool compared_ = false;
  std::uint64_t seen_ = ~std::uint64_t{0};
};

}  // namespace

std::unique_ptr<Panel> make_code_panel() { return std::make_unique<CodePanel>(); }

}  // namespace lanescope::gui
