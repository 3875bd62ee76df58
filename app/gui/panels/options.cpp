// Options: what the compiler is given about this file, each with where it comes from. They can be added, edited and removed,
// and all of that taken back; the file itself is not changed.

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/gui/panels/panel.h"
#include "app/gui/widgets/control_strip.h"
#include "kernels/base/text.h"

namespace lanescope::gui {
namespace {

using options::Origin;
using options::UsedOption;

constexpr float option_row_px = 22;

struct OptionGroup {
  const char* title;
  std::initializer_list<options::Kind> kinds;
};
constexpr OptionGroup option_groups[] = {
    {"Include folders", {options::Kind::include_folder}},
    {"Defines", {options::Kind::define, options::Kind::undefine}},
    {"Standard and architecture", {options::Kind::standard, options::Kind::architecture}},
    {"Other options", {options::Kind::register_limit, options::Kind::other}}};

/// Why it cannot be changed here; empty: it can.
std::string fixed_because(const UsedOption& o) {
  if (o.origin == Origin::header) return "It is in the launch header. Edit it in the source.";
  if (o.origin == Origin::assumed) return "It was found for a header. Add its folder to choose another one.";
  return {};
}

class OptionsPanel final : public Panel {
 public:
  std::string subtitle(const App& app) const override {
    const options::CompileSettings& s = app.results.settings;
    const std::size_t noted = std::ranges::count(s.left_out, false, &options::LeftOut::no_option);
    return noted == 0 ? "" : std::to_string(noted) + " not used";
  }
  bool typing(const App&) const override { return typing_; }

  std::string csv(const App& app) const override {
    views::csv::Table table({"option", "kind", "origin", "file", "line", "not used because"});
    for (const UsedOption& o : app.results.settings.used)
      table.row(o.written, std::string(options::kind_words(o.kind)), std::string(options::origin_words(o.origin)),
                o.place.file, std::to_string(o.place.line), "");
    for (const options::LeftOut& o : app.results.settings.left_out)
      table.row(o.written, "", std::string(options::origin_words(o.origin)), o.place.file, std::to_string(o.place.line),
                o.reason);
    return table.text();
  }

  void body(App& app, Stage& stage, Rectangle area) override {
    if (std::filesystem::path(app.document.file()).extension() == ".ptx")
      return draw_state(stage, area, "A PTX file is compiled already.", "Open a .cu file to choose options.");
    ImGui::SetCursorScreenPos(area.min());
    ImGui::BeginChild("option rows", {area.w, area.h});
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float inset = stage.px(6);
    ControlStrip strip(stage, {area.x + inset, start.y, area.w - 2 * inset, 0});
    controls(app, stage, strip);
    column_ = {area.x + stage.px(12), 0, area.w - stage.px(24), 0};
    y_ = strip.bottom() + stage.px(4);
    change_ = {};
    const options::CompileSettings& s = app.results.settings;
    for (const OptionGroup& g : option_groups) group(stage, s, g);
    not_used(stage, s);
    if (s.used.empty() && s.left_out.empty())
      y_ += draw_wrapped(stage, stage.fonts.small, {column_.x, y_}, column_.w, stage.theme->text_dim,
                         "No options are given. Type them above as nvcc takes them, or write them into .lanescope.toml "
                         "or into the launch header.");
    ImGui::SetCursorScreenPos({area.x, y_});
    ImGui::Dummy({1, stage.px(8)});
    ImGui::EndChild();
    apply(app);
  }

 private:
  struct Change {
    const UsedOption* option = nullptr;
    bool edit = false;
  };

  void controls(App& app, const Stage& stage, ControlStrip& strip) {
    CompilerChoices& mine = app.settings.choices[app.document.file()];
    typing_ = false;
    strip.field("Option", "add", typed_, 210, "Options as nvcc takes them, for example -I include -DX=1 -std=c++17");
    typing_ = typing_ || ImGui::IsItemActive();
    const bool enter = ImGui::IsItemDeactivated() && ImGui::IsKeyPressed(ImGuiKey_Enter);
    const bool none = trimmed(typed_).empty();
    if (strip.press("Add options", "Add", "Compiles with these options, too", none ? "Type an option first." : "") ||
        (enter && !none)) {
      if (const auto added = add_options(mine, typed_); added) {
        typed_.clear();
        app.requests.run();
      } else {
        app.shell.show_status("The options were not added: " + added.error().front().message + ".");
      }
    }
    strip.field("Command", "nvcc", command_, 210, "A whole command from a terminal or a build log: nvcc -O3 -I.. k.cu");
    typing_ = typing_ || ImGui::IsItemActive();
    const bool empty = trimmed(command_).empty();
    if (strip.press("Use command", "Use", "Takes the options of this command",
                    empty ? "Paste an nvcc command first." : "")) {
      mine.nvcc_command = std::exchange(command_, {});
      app.requests.run();
    }
    const Command& reset = *find_command("run.reset_options");
    if (strip.press(reset.title.c_str(), "Reset", hint_of("run.reset_options"), refusal_of(app, reset)))
      run_command(app, "run.reset_options");
    if (!mine.nvcc_command.empty()) strip.sentence("Pasted: " + mine.nvcc_command, stage.theme->text_dim);
  }

  void title(const Stage& stage, const std::string& words) {
    y_ += stage.px(6);
    draw_text(stage, stage.fonts.body_medium, {column_.x, y_ + stage.px(10)}, stage.theme->text, words, TextAlign::left,
              column_.w);
    y_ += stage.px(option_row_px);
  }

  void group(const Stage& stage, const options::CompileSettings& s, const OptionGroup& g) {
    bool any = false;
    for (const UsedOption& o : s.used) {
      if (std::ranges::find(g.kinds, o.kind) == g.kinds.end()) continue;
      if (!any) title(stage, g.title);
      any = true;
      row(stage, o);
    }
  }

  /// "-I../common            project file line 3   edit  x"
  void row(const Stage& stage, const UsedOption& o) {
    const float middle = y_ + stage.px(option_row_px) / 2;
    const std::string fixed = fixed_because(o);
    float right = column_.x + column_.w;
    ButtonLook close;
    close.icon = Icon::close;
    close.refusal = fixed;
    right -= button_width(stage, "", close);
    if (button(stage, ("Remove " + o.written).c_str(), {right, middle}, "", "Compiles without it", close))
      change_ = {&o, false};
    ButtonLook edit{.refusal = fixed};
    right -= button_width(stage, "Edit", edit);
    if (button(stage, ("Edit " + o.written).c_str(), {right, middle}, "Edit", "Takes it into the field above", edit))
      change_ = {&o, true};
    std::string where(options::origin_words(o.origin));
    if (o.place.line > 0) where += " line " + std::to_string(o.place.line);
    const float room = right - column_.x - stage.px(20);
    const float own = std::min(text_width(stage.fonts.code_small, o.written), room * 0.6f);
    draw_text(stage, stage.fonts.code_small, {column_.x + stage.px(8), middle}, stage.theme->text, o.written,
              TextAlign::left, std::max(own, stage.px(40)) + 1);
    draw_text(stage, stage.fonts.small, {right - stage.px(6), middle}, stage.theme->text_dim, where, TextAlign::right,
              std::max(room - own, stage.px(40)));
    ImGui::SetCursorScreenPos({column_.x, y_});
    ImGui::Dummy({std::max(room, 1.0f), stage.px(option_row_px)});
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip))
      tooltip(stage, o.written + "\n" + options::place_words(o.origin, o.place));
    y_ += stage.px(option_row_px);
  }

  void not_used(const Stage& stage, const options::CompileSettings& s) {
    bool any = false;
    for (const options::LeftOut& o : s.left_out) {
      if (o.no_option) continue;
      if (!any) title(stage, "Not used");
      any = true;
      y_ += draw_wrapped(stage, stage.fonts.small, {column_.x + stage.px(8), y_ + stage.px(2)}, column_.w - stage.px(8),
                         stage.theme->text_dim,
                         o.written + ": " + o.reason + " (" + std::string(options::origin_words(o.origin)) + ")") +
            stage.px(4);
    }
  }

  void apply(App& app) {
    if (change_.option == nullptr) return;
    const UsedOption option = *change_.option;
    if (change_.edit) typed_ = option.written;
    change_ = {};
    if (!remove_option(app.settings.choices[app.document.file()], option))
      return app.shell.show_status("'" + option.written + "' could not be removed.");
    app.requests.run();
  }

  std::string typed_, command_;
  bool typing_ = false;
  Rectangle column_;
  float y_ = 0;
  Change change_;
};

}  // namespace

std::unique_ptr<Panel> make_options_panel() { return std::make_unique<OptionsPanel>(); }

}  // namespace lanescope::gui
