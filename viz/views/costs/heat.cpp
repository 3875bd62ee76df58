
#include "viz/views/costs/heat.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/base/numbers.h"
#include "viz/views/base/csv.h"
#include "viz/views/base/draw.h"

namespace lanescope::views {
namespace {

double ratio_of(std::uint64_t a, std::uint64_t b) {
  return b == 0 ? 0.0 : static_cast<double>(a) / static_cast<double>(b);
}

constexpr HeatCounter known[] = {
    {"instructions", "instructions", "warp instructions", false,
     [](const LineCounters& c) { return static_cast<double>(c.instructions); }},
    {"thread_instructions", "thread instructions", "thread instructions", false,
     [](const LineCounters& c) { return static_cast<double>(c.thread_instructions); }},
    {"lanes_per_instruction", "active lanes", "lanes per instruction", true,
     [](const LineCounters& c) { return ratio_of(c.thread_instructions, c.instructions); }},
    {"global_requests", "global requests", "requests", false,
     [](const LineCounters& c) { return static_cast<double>(c.global_requests); }},
    {"global_sectors", "sectors", "sectors of 32 bytes", false,
     [](const LineCounters& c) { return static_cast<double>(c.global_sectors); }},
    {"sectors_per_request", "sectors per request", "sectors per request", true,
     [](const LineCounters& c) { return ratio_of(c.global_sectors, c.global_requests); }},
    {"shared_requests", "shared requests", "requests", false,
     [](const LineCounters& c) { return static_cast<double>(c.shared_requests); }},
    {"shared_wavefronts", "wavefronts", "wavefronts", false,
     [](const LineCounters& c) { return static_cast<double>(c.shared_wavefronts); }},
    {"wavefronts_per_request", "wavefronts per request", "wavefronts per request", true,
     [](const LineCounters& c) { return ratio_of(c.shared_wavefronts, c.shared_requests); }},
    {"bank_conflicts", "bank conflicts", "wavefronts lost", false,
     [](const LineCounters& c) { return static_cast<double>(c.bank_conflicts); }},
    {"shuffles", "shuffles", "warp instructions", false,
     [](const LineCounters& c) { return static_cast<double>(c.shuffles); }},
    {"barriers", "barriers", "warp instructions", false,
     [](const LineCounters& c) { return static_cast<double>(c.barriers); }},
};

const HeatCounter* counter_named(std::string_view name) {
  const auto found = std::find_if(std::begin(known), std::end(known), [&](const auto& c) { return c.name == name; });
  return found == std::end(known) ? nullptr : found;
}

void finish(HeatColumn& column, const Theme& theme) {
  for (const HeatCell& cell : column.cells) column.most = std::max(column.most, cell.value);
  for (HeatCell& cell : column.cells) {
    cell.share = column.most > 0 ? cell.value / column.most : 0;
    cell.fill = heat_color(theme, cell.share);
    cell.ink = text_on(cell.fill);
    cell.words = number_text(cell.value);
  }
}

HeatColumn titled(const HeatCounter& counter) {
  return {.counter = std::string(counter.name),
          .title = std::string(counter.title),
          .unit = std::string(counter.unit),
          .ratio = counter.ratio};
}

constexpr float heat_row_height = 20, heat_heading_height = 26, heat_left = 12, least_line_width = 44;

class HeatDrawing {
 public:
  HeatDrawing(const HeatColumn& column, std::span<const std::string> text, const Selection& selection,
              const HeatOptions& options, const Theme& theme)
      : column_(column), text_(text), selection_(selection), theme_(theme) {
    for (const HeatCell& cell : column.cells) rows_.push_back(&cell);
    if (options.by_value)
      std::stable_sort(rows_.begin(), rows_.end(), [](const auto* a, const auto* b) { return a->value > b->value; });
    left_out_ = rows_.size();
    rows_.resize(std::min(rows_.size(), static_cast<std::size_t>(std::max(options.most_rows, 1))));
    left_out_ -= rows_.size();
    for (const HeatCell* cell : rows_)
      line_width_ =
          std::max(line_width_, static_cast<float>(label_of(*cell).size()) * type_px::code * mono_advance + 20);
    scene_.width = options.width > 0 ? options.width : 560;
    value_width_ = static_cast<float>(std::max(column.widest_columns(), 6) + 1) * type_px::code * mono_advance + 8;
    share_width_ = column.ratio ? 0 : 58;
    bar_width_ = std::clamp(scene_.width * 0.22f, 40.0f, 180.0f);
    bar_x_ = scene_.width - heat_left - share_width_ - value_width_ - bar_width_ - 8;
  }

  Scene draw() {
    scene_.height = heat_heading_height + static_cast<float>(rows_.size()) * heat_row_height + 30;
    heading();
    for (std::size_t n = 0; n < rows_.size(); ++n)
      row(*rows_[n], heat_heading_height + static_cast<float>(n) * heat_row_height);
    footer();
    return std::move(scene_);
  }

 private:
  float value_right() const { return scene_.width - heat_left - share_width_; }

  void heading() {
    const float y = heat_heading_height / 2;
    add_text(scene_, {heat_left + line_width_ - 12, y}, "line", theme_.text_dim, type_px::tiny, Face::sans,
             Align::right);
    add_text(scene_, {value_right(), y}, column_.title, theme_.text_dim, type_px::tiny, Face::sans, Align::right);
    if (!column_.ratio)
      add_text(scene_, {scene_.width - heat_left, y}, "share", theme_.text_dim, type_px::tiny, Face::sans,
               Align::right);
  }

  void row(const HeatCell& cell, float y) {
    const Id id{.kind = Id::Kind::heat_row, .a = cell.line};
    const bool selected = selection_.line == cell.line;
    add_box(scene_, {0, y, scene_.width, heat_row_height}, selected ? theme_.row_highlight : Color{}, id);
    const float middle = y + heat_row_height / 2;
    add_text(scene_, {heat_left + line_width_ - 12, middle}, label_of(cell), theme_.text_dim, type_px::code, Face::mono,
             Align::right, id);
    code(cell, middle, id);
    const float bar = std::max(bar_width_ * static_cast<float>(cell.share), 2.0f);
    add_box(scene_, {bar_x_, y + 4, bar, heat_row_height - 8}, cell.fill, {}, 2);
    add_text(scene_, {value_right(), middle}, cell.words, theme_.text, type_px::code, Face::mono, Align::right, id);
    if (column_.ratio || column_.total <= 0) return;
    add_text(scene_, {scene_.width - heat_left, middle}, fmt::format("{:.1f} %", 100 * cell.value / column_.total),
             theme_.text_dim, type_px::code, Face::mono, Align::right, id);
  }

  // As much of the code as fits, cut before painting.
  void code(const HeatCell& cell, float middle, const Id& id) {
    if (cell.line < 1 || cell.line > static_cast<int>(text_.size())) return;
    std::string_view text = text_[static_cast<std::size_t>(cell.line) - 1];
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    const float room = bar_x_ - heat_left - line_width_ - 12;
    const int fits = static_cast<int>(room / (type_px::code * mono_advance));
    if (fits < 4) return;
    add_text(scene_, {heat_left + line_width_, middle}, cut(text, fits), theme_.text, type_px::code, Face::mono,
             Align::left, id);
  }

  void footer() {
    std::string words = column_.ratio ? fmt::format("{} {} in the whole run", number_text(column_.total), column_.unit)
                                      : fmt::format("{} {} in total", number_text(column_.total), column_.unit);
    if (left_out_ > 0) words += fmt::format(" · {} not shown", counted(left_out_, "more line"));
    add_text(scene_, {heat_left, scene_.height - 15}, std::move(words), theme_.text_dim, type_px::note, Face::sans,
             Align::left, {.kind = Id::Kind::remark}, scene_.width - 2 * heat_left);
  }

  static std::string label_of(const HeatCell& cell) {
    return cell.place.empty() ? std::to_string(cell.line) : cell.place;
  }

  float line_width_ = least_line_width;
  const HeatColumn& column_;
  std::span<const std::string> text_;
  const Selection& selection_;
  const Theme& theme_;
  std::vector<const HeatCell*> rows_;
  std::size_t left_out_ = 0;
  float value_width_ = 0, share_width_ = 0, bar_width_ = 0, bar_x_ = 0;
  Scene scene_;
};

}  // namespace

std::span<const HeatCounter> heat_counters() { return known; }

const HeatCell* HeatColumn::at(int line) const {
  const auto cell =
      std::lower_bound(cells.begin(), cells.end(), line, [](const HeatCell& c, int wanted) { return c.line < wanted; });
  return cell != cells.end() && cell->line == line ? &*cell : nullptr;
}

int HeatColumn::widest_columns() const {
  int widest = 0;
  for (const HeatCell& cell : cells) widest = std::max(widest, columns(cell.words));
  return widest;
}

HeatColumn heat(const Summary& summary, std::string_view name, const Theme& theme) {
  const HeatCounter* counter = counter_named(name);
  if (counter == nullptr) return {};
  HeatColumn column = titled(*counter);
  bool has_total = false;
  for (const LineCounters& line : summary.counters) {
    const double value = counter->value(line);
    if (line.line == 0) {
      column.total = value, has_total = true;
    } else if (value != 0) {
      column.cells.push_back({.line = line.line, .value = value});
      if (summary.lines.in_header(line.line)) column.cells.back().place = summary.lines.number(line.line);
    }
  }
  std::sort(column.cells.begin(), column.cells.end(), [](const auto& a, const auto& b) { return a.line < b.line; });
  if (!has_total && !counter->ratio)
    for (const HeatCell& cell : column.cells) column.total += cell.value;
  finish(column, theme);
  return column;
}

HeatColumn heat_by_pc(const Summary& summary, std::string_view name, const Theme& theme) {
  const HeatCounter* counter = counter_named(name);
  if (counter == nullptr) return {};
  HeatColumn column = titled(*counter);
  for (std::size_t pc = 0; pc < summary.pc_counters.size(); ++pc) {
    const double value = counter->value(summary.pc_counters[pc]);
    if (value == 0) continue;
    column.cells.push_back({.line = static_cast<int>(pc), .value = value});
    if (!counter->ratio) column.total += value;
  }
  finish(column, theme);
  return column;
}

HeatColumn heat(std::span<const LineValue> values, std::string title, std::string unit, const Theme& theme) {
  HeatColumn column{.counter = title, .title = title, .unit = std::move(unit)};
  for (const LineValue& value : values) {
    if (value.value == 0) continue;
    column.cells.push_back({.line = value.line, .value = value.value});
    column.total += value.value;
  }
  std::sort(column.cells.begin(), column.cells.end(), [](const auto& a, const auto& b) { return a.line < b.line; });
  finish(column, theme);
  return column;
}

Scene heat_view(const HeatColumn& column, std::span<const std::string> lines_of_text, const Selection& selection,
                const HeatOptions& options, const Theme& theme) {
  if (column.cells.empty())
    return empty_view(options.width > 0 ? options.width : 560, 90,
                      column.title.empty() ? "No such counter. Choose another one."
                                           : fmt::format("The counter {} is 0 in all lines.", column.title),
                      theme);
  return HeatDrawing(column, lines_of_text, selection, options, theme).draw();
}

std::string to_csv(const HeatColumn& column) {
  csv::Table table({"line", column.counter.empty() ? "value" : column.counter, "share_of_largest"});
  for (const HeatCell& cell : column.cells)
    table.row(cell.place.empty() ? std::to_string(cell.line) : cell.place, cell.value, cell.share);
  return table.text();
}

}  // namespace lanescope::views
