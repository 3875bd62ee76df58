#include "viz/views/measured/measured.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/base/numbers.h"
#include "viz/views/base/csv.h"
#include "viz/views/base/table.h"

namespace lanescope::views {
namespace {

constexpr float sass_row_height = 19, offset_width = 52, line_width = 44, sass_value_width = 92;
/// Of the room beside the line numbers: where the PTX begins, if there is one.
constexpr float ptx_share = 0.56f, least_ptx_room = 150;

class SassDrawing {
 public:
  SassDrawing(const Measured& measured, std::span<const std::string> text, const Selection& selection,
              const SassOptions& options, const Theme& theme)
      : measured_(measured), text_(text), selection_(selection), options_(options), theme_(theme) {
    scene_.width = options.width > 0 ? options.width : 680;
    const int count = static_cast<int>(measured.sass.size());
    rows_ = std::min(std::max(options.most_rows, 1), count);
    const int linked = sass_row_of(measured, selection.line);
    const int wanted = options.first >= 0 ? options.first : linked - rows_ / 3;
    first_ = std::clamp(wanted, 0, count - rows_);
    for (const SassRow& row : measured.sass) most_ = std::max(most_, value(row)), total_ += value(row);
    text_x_ = table_margin + offset_width + line_width + 8;
    text_end_ = scene_.width - table_margin - (options.counted ? sass_value_width + 8 : 0);
    const float room = text_end_ - text_x_;
    const bool known = std::ranges::any_of(measured.sass, [](const SassRow& row) { return row.ptx_line > 0; });
    if (!options.counted && known && room * (1 - ptx_share) >= least_ptx_room)
      ptx_x_ = text_x_ + room * ptx_share, text_end_ = ptx_x_ - 10;
  }

  Scene draw() {
    float y = 4;
    if (!options_.note.empty())
      y = draw_paragraph(scene_, options_.note, table_margin, y, scene_.width - 2 * table_margin, theme_.warn,
                         type_px::note);
    y = headings(y);
    for (int n = first_; n < first_ + rows_; ++n) {
      const SassRow& row = measured_.sass[static_cast<std::size_t>(n)];
      const SassRow* before = n > first_ ? &measured_.sass[static_cast<std::size_t>(n) - 1] : nullptr;
      if (before == nullptr || before->function != row.function) y = function_heading(row.function, y);
      const bool begins = before == nullptr || before->line != row.line;
      if (begins) y = source_line(row.line, y);
      draw(row, n, begins, y);
      y += sass_row_height;
    }
    scene_.height = footer(y + 6) + 8;
    return std::move(scene_);
  }

 private:
  std::uint64_t value(const SassRow& row) const { return options_.threads ? row.threads_executed : row.executed; }

  float headings(float y) {
    const auto heading = [&](float x, std::string words, Align align) {
      add_text(scene_, {x, y + 11}, std::move(words), theme_.text_dim, type_px::tiny, Face::sans, align);
    };
    heading(table_margin + offset_width - 8, "offset", Align::right);
    heading(table_margin + offset_width + line_width - 8, "line", Align::right);
    heading(text_x_, "machine instruction", Align::left);
    if (ptx_x_ > 0) heading(ptx_x_, "from this PTX", Align::left);
    if (options_.counted) heading(scene_.width - table_margin, options_.threads ? "threads" : "executed", Align::right);
    return y + 22;
  }

  float function_heading(const std::string& function, float y) {
    const int fits = static_cast<int>((scene_.width - 2 * table_margin) / (type_px::code * mono_advance));
    add_text(scene_, {table_margin, y + 10}, cut(function, fits), theme_.text, type_px::code, Face::mono_bold);
    return y + 20;
  }

  float source_line(int line, float y) {
    if (line <= 0 || static_cast<std::size_t>(line) > text_.size()) return y;
    std::string code = text_[static_cast<std::size_t>(line) - 1];
    code.erase(0, std::min(code.find_first_not_of(" \t"), code.size()));
    const int fits = static_cast<int>((scene_.width - table_margin - text_x_) / (type_px::small * mono_advance));
    if (fits < 4 || code.empty()) return y;
    add_text(scene_, {text_x_, y + sass_row_height / 2}, cut(code, fits), theme_.text_dim, type_px::small, Face::mono);
    return y + sass_row_height;
  }

  void draw(const SassRow& row, int n, bool begins, float y) {
    const Id id{.kind = Id::Kind::sass_row, .a = n, .b = row.line};
    const bool linked = row.line > 0 && row.line == selection_.line;
    add_box(scene_, {0, y, scene_.width, sass_row_height}, linked ? theme_.row_highlight : Color{}, id);
    if (linked) add_box(scene_, {2, y + 1, 3, sass_row_height - 2}, theme_.accent, {}, 1);
    const float middle = y + sass_row_height / 2;
    add_text(scene_, {table_margin + offset_width - 8, middle}, fmt::format("{:04x}", row.offset), theme_.text_faint,
             type_px::code, Face::mono, Align::right, id);
    if (begins && row.line > 0)
      add_text(scene_, {table_margin + offset_width + line_width - 8, middle}, std::to_string(row.line),
               linked ? theme_.accent : theme_.text_dim, type_px::code, linked ? Face::mono_bold : Face::mono,
               Align::right, id);
    const float room = text_end_ - text_x_;
    const std::string text = row.text.empty() ? "(no disassembler)" : row.text;
    add_text(scene_, {text_x_, middle}, cut(text, std::max(static_cast<int>(room / (type_px::code * mono_advance)), 4)),
             row.text.empty() || (options_.counted && value(row) == 0) ? theme_.text_faint : theme_.text, type_px::code,
             Face::mono, Align::left, id);
    draw_ptx(row, n, id, middle);
    heat_box(row, id, y);
  }

  /// Once for all instructions in a row that one of the PTX became.
  void draw_ptx(const SassRow& row, int n, const Id& id, float middle) {
    if (ptx_x_ <= 0 || row.ptx.empty()) return;
    const SassRow* before = n > first_ ? &measured_.sass[static_cast<std::size_t>(n) - 1] : nullptr;
    if (before != nullptr && before->ptx_line == row.ptx_line && before->function == row.function) return;
    const int fits = static_cast<int>((scene_.width - table_margin - ptx_x_) / (type_px::small * mono_advance));
    add_text(scene_, {ptx_x_, middle}, cut(row.ptx, std::max(fits, 4)), theme_.text_dim, type_px::small, Face::mono,
             Align::left, id);
  }

  void heat_box(const SassRow& row, const Id& id, float y) {
    if (!options_.counted || value(row) == 0) return;
    const Color fill = heat_color(theme_, static_cast<double>(value(row)) / static_cast<double>(most_));
    const Rect rect{scene_.width - table_margin - sass_value_width, y + 1.5f, sass_value_width, sass_row_height - 3};
    add_box(scene_, rect, fill, {}, 2);
    add_text(scene_, {rect.x + rect.w - 5, y + sass_row_height / 2}, spaced(value(row)), text_on(fill), type_px::code,
             Face::mono, Align::right, id);
  }

  float footer(float y) {
    const std::string_view unit = options_.threads ? "thread instructions" : "warp instructions";
    std::string words =
        fmt::format("instructions {} to {} of {}", first_, first_ + rows_ - 1, spaced(measured_.sass.size()));
    words += options_.counted ? fmt::format(" · {} {} executed", spaced(total_), unit)
                              : fmt::format(" · {}, not run on a GPU", measured_.arch);
    y = draw_paragraph(scene_, words, table_margin, y, scene_.width - 2 * table_margin, theme_.text_dim, type_px::note);
    words.clear();
    for (const OpcodeRow& o : measured_.opcodes) {
      words += !words.empty() ? ", " : options_.counted ? "Executed (and written in the code): " : "Instructions: ";
      words += options_.counted ? fmt::format("{} {} ({})", o.kind, spaced(o.executed), spaced(o.written))
                                : fmt::format("{} {}", o.kind, spaced(o.written));
    }
    if (words.empty()) return y;
    return draw_paragraph(scene_, words + ".", table_margin, y + 2, scene_.width - 2 * table_margin, theme_.text_dim,
                          type_px::note);
  }

  const Measured& measured_;
  std::span<const std::string> text_;
  const Selection& selection_;
  const SassOptions& options_;
  const Theme& theme_;
  int rows_ = 0, first_ = 0;
  std::uint64_t most_ = 0, total_ = 0;
  float text_x_ = 0, text_end_ = 0;
  float ptx_x_ = 0;  ///< 0: no column of the PTX
  Scene scene_;
};

/// In place of code that cannot be shown: the reason, the package to install, and available results.
Scene no_code_view(const Measured& measured, const SassOptions& options, const Theme& theme) {
  Scene scene{.width = options.width > 0 ? options.width : 680};
  add_text(scene, {table_margin, 16}, "Machine code", theme.text, type_px::title, Face::sans_bold);
  if (measured.refused.empty()) {
    scene.height = draw_paragraph(scene, "Assembling the kernel and printing its machine code…", table_margin, 32,
                                  scene.width - 2 * table_margin, theme.text_dim, type_px::body) +
                   8;
    return scene;
  }
  Diagnostics why, known;
  for (const Diagnostic& d : measured.refused) (d.severity == Severity::note ? known : why).push_back(d);
  float y = draw_refusals(scene, why, 32, theme);
  if (!known.empty()) {
    add_text(scene, {table_margin, y + 8}, "The machine code without it", theme.text, type_px::body, Face::sans_bold);
    y = draw_refusals(scene, known, y + 20, theme);
  }
  scene.height = y + 4;
  return scene;
}

}  // namespace

Scene sass_view(const Measured& measured, std::span<const std::string> lines_of_text, const Selection& selection,
                const SassOptions& options, const Theme& theme) {
  if (measured.sass.empty() && !options.counted) return no_code_view(measured, options, theme);
  if (measured.sass.empty())
    return refused_view(measured.refused, "Machine code",
                        "Measure instructions to see the machine code and how often each instruction ran.",
                        options.width > 0 ? options.width : 680, theme);
  return SassDrawing(measured, lines_of_text, selection, options, theme).draw();
}

std::string sass_tooltip(const Measured& measured, const Id& id, bool executed) {
  if (id.kind != Id::Kind::sass_row || id.a < 0 || id.a >= static_cast<int>(measured.sass.size())) return {};
  const SassRow& row = measured.sass[static_cast<std::size_t>(id.a)];
  std::string words = fmt::format("{:04x}  {}", row.offset, row.text);
  if (row.line > 0) words += fmt::format("\nline {}", row.line);
  if (row.ptx_line > 0) words += fmt::format("\nline {} of the PTX: {}", row.ptx_line, row.ptx);
  if (!executed) return words;
  words += fmt::format("\n{}, {}", counted(row.executed, "warp instruction"),
                       counted(row.threads_executed, "thread instruction"));
  if (row.executed > 0)
    words += fmt::format(": {:.1f} lanes each",
                         static_cast<double>(row.threads_executed) / static_cast<double>(row.executed));
  return words;
}

int sass_row_of(const Measured& measured, int line) {
  if (line <= 0) return -1;
  const auto found =
      std::find_if(measured.sass.begin(), measured.sass.end(), [&](const SassRow& r) { return r.line == line; });
  return found == measured.sass.end() ? -1 : static_cast<int>(found - measured.sass.begin());
}

std::string sass_csv(const Measured& measured, bool counted) {
  if (!counted) {
    csv::Table code({"function", "offset", "line", "text", "ptx_line", "ptx"});
    for (const SassRow& row : measured.sass)
      code.row(row.function, row.offset, row.line, row.text, row.ptx_line, row.ptx);
    return code.text();
  }
  csv::Table table({"function", "offset", "line", "text", "executed", "threads_executed"});
  for (const SassRow& row : measured.sass)
    table.row(row.function, row.offset, row.line, row.text, row.executed, row.threads_executed);
  return table.text();
}

}  // namespace lanescope::views
