// Output: the lines that the kernel printed with printf, each with its source line, block and thread; a click moves to the
// step that printed it.

#include "app/gui/panels/panel.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/commands/command.h"
#include "kernels/base/numbers.h"

namespace lanescope::gui {
namespace {

/// "3", "3,1" or "3,1,2": without the last axes where they are 0.
std::string short_index(const trace::Dim3& i) {
  std::string words = std::to_string(i.x);
  if (i.y != 0 || i.z != 0) words += "," + std::to_string(i.y);
  if (i.z != 0) words += "," + std::to_string(i.z);
  return words;
}

/// Text that a font can show: four blanks for a tab, a dot for any other control character.
std::string shown_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\t')
      out += "    ";
    else
      out += static_cast<unsigned char>(c) < 32 || c == 127 ? "·" : std::string(1, c);
  }
  return out;
}

class OutputPanel final : public Panel {
 public:
  std::string title(const App& app) const override {
    if (counted_of_ != app.results.version) {
      counted_of_ = app.results.version;
      counted_ = results::printed_line_count(app.results.summary);
    }
    return counted_ == 0 ? "Output" : "Output " + spaced(counted_);
  }

  std::string subtitle(const App& app) const override {
    if (!app.results.have || app.results.summary.printed.empty() || app.output.filter.empty()) return {};
    return spaced(shown_lines_) + " of " + counted(app.output.count(), "line");
  }

  void choices(App& app, Stage& stage, HeaderRow& row) override {
    if (!app.results.have || app.results.summary.printed.empty()) return;
    filter_below_ = row.room() < stage.px(filter_px + 60);
    if (!filter_below_) filter_field(app, row, filter_px);
  }

  bool typing(const App&) const override { return false; }

  std::string csv(const App& app) const override {
    views::csv::Table table({"launch", "block", "thread", "warp", "lane", "line", "step", "text"});
    for (const results::PrintedLine& l : results::printed_lines(app.results.summary)) {
      const results::PrintedText& p = app.results.summary.printed[l.call];
      table.row(std::to_string(p.launch), std::to_string(p.block), std::to_string(p.warp * 32 + p.lane),
                std::to_string(p.warp), std::to_string(p.lane), app.results.summary.lines.number(p.line),
                p.step < 0 ? std::string() : std::to_string(p.step), std::string(l.text));
    }
    return table.text();
  }

  void body(App& app, Stage& stage, Rectangle area) override {
    if (draw_missing_results(app, stage, area)) return;
    const results::Summary& s = app.results.summary;
    if (s.printed_calls == 0) {
      draw_state(stage, area, "The kernel printed nothing.", "Lines that it prints with printf are listed here.");
      return;
    }
    const std::vector<results::PrintedLine>& lines = app.output.lines(s, app.results.version);
    shown_lines_ = lines.size();
    const float pad = stage.px(14);
    Rectangle list = area;
    if (filter_below_) {
      HeaderRow row(stage, area.x + pad, area.x + area.w - pad + stage.px(6), area.y + stage.px(12));
      filter_field(app, row, (area.w - 2 * pad) / stage.scale);
      list.y += stage.px(30);
    }
    columns_ = columns_of(stage, s, area.x + pad);
    stacked_ = area.x + area.w - pad - columns_.text < stage.px(220);
    if (!stacked_) list.y += caption(stage, {area.x + pad, list.y, area.w - 2 * pad, area.h});
    if (const std::string left_out = results::printed_left_out(s); !left_out.empty())
      list.y += draw_wrapped(stage, stage.fonts.small, {area.x + pad, list.y}, area.w - 2 * pad, stage.theme->warn,
                             left_out + ".") +
                stage.px(4);
    list.h = std::max(area.y + area.h - list.y, 1.0f);
    if (lines.empty()) {
      draw_state(stage, list, "No line matches the filter.", "Clear the filter to see all lines.");
      return;
    }
    draw_rows(app, stage, list, lines);
  }

 private:
  static constexpr float filter_px = 170;
  static constexpr int most_text_lines = 3;
  static constexpr std::size_t most_hint_letters = 1000;

  static void filter_field(App& app, HeaderRow& row, float width_px) {
    const bool take = std::exchange(app.output.focus_request, false);
    row.field("Filter output", app.output.filter, width_px, "filter: line 9, lane 3, text",
              "Shows only lines with these words. \"line 9\", \"block 2\", \"warp 1\", \"lane 3\" and \"thread 35\" "
              "filter by their place.",
              take);
  }

  struct Columns {
    float line = 0, block = 0, thread = 0, text = 0;  ///< right edges, and the left one of the text
    bool launches = false;
  };

  static Columns columns_of(const Stage& stage, const results::Summary& s, float left) {
    std::size_t line = 5, block = 5, thread = 6;  // their captions
    for (std::size_t i = 0; i < s.printed.size(); i += 1 + s.printed.size() / 4096) {
      line = std::max(line, s.lines.number(s.printed[i].line).size());
      block = std::max(block, short_index(s.printed[i].block_index).size());
      thread = std::max(thread, short_index(s.printed[i].thread_index).size());
    }
    const float digit = text_width(stage.fonts.small, "0"), gap = stage.px(14);
    Columns c{.line = left + digit * static_cast<float>(line)};
    c.block = c.line + gap + digit * static_cast<float>(block);
    c.thread = c.block + gap + digit * static_cast<float>(thread);
    c.text = c.thread + gap;
    c.launches = results::prints_in_several_launches(s);
    return c;
  }

  float caption(const Stage& stage, Rectangle area) const {
    const float height = stage.px(20), y = area.y + height / 2;
    const auto word = [&](float right, const char* name) {
      draw_text(stage, stage.fonts.small, {right, y}, stage.theme->text_faint, name, TextAlign::right);
    };
    word(columns_.line, "line"), word(columns_.block, "block"), word(columns_.thread, "thread");
    draw_text(stage, stage.fonts.small, {columns_.text, y}, stage.theme->text_faint, "text");
    return height;
  }

  void draw_rows(App& app, const Stage& stage, Rectangle area, const std::vector<results::PrintedLine>& lines) {
    ImGui::SetCursorScreenPos(area.min());
    ImGui::BeginChild("output rows", {area.w, area.h});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    text_lines_ = stacked_ ? lines_for(stage, lines, area.w - 2 * stage.px(14)) : 1;
    const float height = stage.px(stacked_ ? 22 + 18 * static_cast<float>(text_lines_) : 20);
    int pressed = -1;
    if (app.output.chosen >= 0 && revealed_ != app.output.chosen) {
      revealed_ = app.output.chosen;
      const auto at = std::ranges::find_if(
          lines, [&](const results::PrintedLine& l) { return static_cast<int>(l.call) == revealed_; });
      const float top = static_cast<float>(at - lines.begin()) * height;
      if (at != lines.end() && (top < ImGui::GetScrollY() || top + height > ImGui::GetScrollY() + area.h))
        ImGui::SetScrollY(std::max(top - area.h / 3, 0.0f));
    }
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(lines.size()), height);
    while (clipper.Step())
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
        if (row(app, stage, area, lines[static_cast<std::size_t>(i)], i, height))
          pressed = static_cast<int>(lines[static_cast<std::size_t>(i)].call);
    ImGui::PopStyleVar();
    ImGui::EndChild();
    if (pressed < 0) return;
    app.shell.active_panel = id();
    revealed_ = pressed;  // it is in sight
    app.show_printed(pressed);
  }

  /// How many lines the longest text takes, up to most_text_lines: all rows are of one height.
  static int lines_for(const Stage& stage, const std::vector<results::PrintedLine>& lines, float width) {
    std::size_t longest = 0;
    for (const results::PrintedLine& l : lines) longest = std::max(longest, l.text.size());
    const float letters = std::max(width / text_width(stage.fonts.code_small, "0"), 1.0f);
    if (static_cast<float>(longest) <= letters) return 1;
    // A line that ends at a word has some letters less.
    return std::clamp(static_cast<int>(std::ceil(static_cast<float>(longest) / (0.85f * letters))), 2, most_text_lines);
  }

  /// The text in the lines that a row has; the last one ends with an ellipsis where there is more. True: there is more.
  bool text_of(const Stage& stage, ImVec2 at, float width, scene::Color ink, const std::string& text) const {
    ImFont* font = stage.fonts.code_small;
    const std::vector<std::string_view> parts = wrapped_lines(font, text, width);
    const auto room = static_cast<std::size_t>(text_lines_);
    for (std::size_t n = 0; n < std::min(parts.size(), room); ++n) {
      const bool rest = n + 1 == room && parts.size() > room;
      const std::string_view words =
          rest ? std::string_view(text).substr(static_cast<std::size_t>(parts[n].data() - text.data())) : parts[n];
      draw_text(stage, font, {at.x, at.y + stage.px(11 + 18 * static_cast<float>(n))}, ink, words, TextAlign::left,
                width);
    }
    return parts.size() > room;
  }

  bool row(const App& app, const Stage& stage, Rectangle area, const results::PrintedLine& line, int number,
           float height) const {
    const results::Summary& s = app.results.summary;
    const results::PrintedText& p = s.printed[line.call];
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const std::string label = "printed " + std::to_string(number + 1);
    const bool pressed = ImGui::InvisibleButton(label.c_str(), {area.w, height});
    const bool hovered = ImGui::IsItemHovered(), chosen = static_cast<int>(line.call) == app.output.chosen;
    const bool now = p.step >= 0 && p.step == app.navigation.selection.step;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (chosen || now) {
      list.AddRectFilled(at, {at.x + area.w, at.y + height}, to_im(stage.theme->row_highlight));
      if (now) list.AddRectFilled(at, {at.x + stage.px(3), at.y + height}, to_im(stage.theme->accent));
    }
    const scene::Color dim = hovered ? stage.theme->accent : stage.theme->text_dim;
    const scene::Color ink = hovered ? stage.theme->accent : stage.theme->text;
    const float right = at.x + area.w - stage.px(14);
    const std::string text = shown_text(line.text);
    bool cut = false;
    if (stacked_) {
      const float left = area.x + stage.px(14), width = std::max(right - left, 1.0f);
      cut = text_of(stage, {left, at.y}, width, ink, text);
      draw_text(stage, stage.fonts.small, {left, at.y + height - stage.px(12)}, dim, place_words(s.lines, p),
                TextAlign::left, width);
    } else {
      const float y = at.y + height / 2;
      const auto cell = [&](float end, const std::string& text) {
        draw_text(stage, stage.fonts.small, {end, y}, dim, text, TextAlign::right);
      };
      cell(columns_.line, p.line > 0 ? s.lines.number(p.line) : "");
      cell(columns_.block, short_index(p.block_index));
      cell(columns_.thread, short_index(p.thread_index));
      draw_text(stage, stage.fonts.code_small, {columns_.text, y}, ink, text, TextAlign::left,
                std::max(right - columns_.text, 1.0f));
      cut = text_width(stage.fonts.code_small, text) > right - columns_.text;
    }
    if (hovered) {
      ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip))
        tooltip(stage, (cut ? text.substr(0, most_hint_letters) + "\n" : "") + hint(s, p));
    }
    return pressed;
  }

  static std::string place_words(const SourceLines& lines, const results::PrintedText& p) {
    return (p.line > 0 ? lines.words(p.line) + " · " : "") + "block " + short_index(p.block_index) + " · thread " +
           short_index(p.thread_index);
  }

  std::string hint(const results::Summary& s, const results::PrintedText& p) const {
    std::string words = results::printed_place_words(p, s.lines, columns_.launches);
    words[0] = 'B';
    if (columns_.launches) words[0] = 'L';
    if (p.launch != s.recorded_launch)
      return words + ".\nIts launch is not the one that is shown: a click moves to the line.";
    if (p.block != s.recorded_block) return words + ".\nA click records this block and moves to the step.";
    return words + (p.step >= 0 ? ".\nA click moves to the step." : ".\nA click moves to the line.");
  }

  mutable std::uint64_t counted_of_ = ~std::uint64_t{0};  ///< version of the results
  mutable std::size_t counted_ = 0;
  Columns columns_;
  std::size_t shown_lines_ = 0;
  int revealed_ = -1;
  int text_lines_ = 1;         ///< of a row's text
  bool filter_below_ = false;  ///< the title bar has no room for the filter
  bool stacked_ = false;       ///< too narrow for columns: the place stands below the text
};

}  // namespace

std::unique_ptr<Panel> make_output_panel() { return std::make_unique<OutputPanel>(); }

}  // namespace lanescope::gui
