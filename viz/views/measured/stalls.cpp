#include "viz/views/measured/measured.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "kernels/base/numbers.h"
#include "viz/views/base/csv.h"
#include "viz/views/base/table.h"

namespace lanescope::views {
namespace {

constexpr float stalls_bar_height = 22, stalls_line_width = 44, total_width = 112;

struct StalledLine {
  int line = 0;
  std::uint64_t samples = 0;
  std::vector<std::uint64_t> by_reason;  ///< as stall_totals()
};

std::vector<StalledLine> stalled_lines(const Measured& measured, const std::vector<StallTotal>& totals) {
  std::map<int, StalledLine> lines;
  for (const StallRow& row : measured.stalls) {
    StalledLine& line = lines[row.line];
    line.line = row.line, line.samples += row.samples;
    line.by_reason.resize(totals.size());
    const auto at = std::find_if(totals.begin(), totals.end(), [&](const auto& t) { return t.reason == row.reason; });
    line.by_reason[static_cast<std::size_t>(at - totals.begin())] += row.samples;
  }
  std::vector<StalledLine> out;
  for (auto& [number, line] : lines)
    if (line.samples > 0) out.push_back(std::move(line));
  return out;
}

class StallsDrawing {
 public:
  StallsDrawing(const Measured& measured, std::span<const std::string> text, const Selection& selection,
                const StallsOptions& options, const Theme& theme)
      : measured_(measured),
        text_(text),
        selection_(selection),
        options_(options),
        theme_(theme),
        totals_(stall_totals(measured)),
        lines_(stalled_lines(measured, totals_)) {
    scene_.width = options.width > 0 ? options.width : 760;
    named_ = std::min(static_cast<int>(totals_.size()), std::max(options.most_reasons, 1));
    for (const StallTotal& t : totals_) all_ += t.samples, idle_ += t.idle;
    for (const StalledLine& l : lines_) most_ = std::max(most_, l.samples);
    left_out_ = lines_.size();
    std::stable_sort(lines_.begin(), lines_.end(), [](const auto& a, const auto& b) { return a.samples > b.samples; });
    lines_.resize(std::min(lines_.size(), static_cast<std::size_t>(std::max(options.most_lines, 1))));
    if (options.by_line)
      std::sort(lines_.begin(), lines_.end(), [](const auto& a, const auto& b) { return a.line < b.line; });
    left_out_ -= lines_.size();
    bar_x_ = table_margin + stalls_line_width;
    if (!text_.empty() && scene_.width >= 620) bar_x_ += (scene_.width - bar_x_) * 0.42f;
  }

  Scene draw() {
    add_text(scene_, {table_margin, 14}, "Stall reasons", theme_.text, type_px::title, Face::sans_bold);
    float y = draw_paragraph(scene_,
                             fmt::format("{} on {}{}; the share of samples is the share of time.",
                                         counted(all_, "sample"), measured_.device, idle_text()),
                             table_margin, 28, scene_.width - 2 * table_margin, theme_.text_dim, type_px::note);
    if (!options_.note.empty())
      y = draw_paragraph(scene_, options_.note, table_margin, y, scene_.width - 2 * table_margin, theme_.warn,
                         type_px::note);
    y += 6;
    for (const StalledLine& line : lines_) {
      draw(line, y);
      y += stalls_bar_height;
    }
    if (left_out_ > 0) {
      add_text(scene_, {table_margin, y + 10}, counted(left_out_, "line") + " with fewer samples not shown",
               theme_.text_faint, type_px::tiny);
      y += 20;
    }
    scene_.height = legend(y + 10) + 8;
    return std::move(scene_);
  }

 private:
  std::string idle_text() const {
    if (idle_ == 0) return {};
    return fmt::format(", {:.1f} % of them in cycles without an issued instruction",
                       100 * static_cast<double>(idle_) / static_cast<double>(all_));
  }
  Color color(int reason) const { return reason < named_ ? theme_.axis(reason, named_) : theme_.cell_plain; }

  void draw(const StalledLine& line, float y) {
    const Id id{.kind = Id::Kind::stall_row, .a = line.line};
    const bool selected = line.line > 0 && line.line == selection_.line;
    add_box(scene_, {0, y, scene_.width, stalls_bar_height}, selected ? theme_.row_highlight : Color{}, id);
    const float middle = y + stalls_bar_height / 2;
    add_text(scene_, {table_margin + stalls_line_width - 12, middle}, line.line > 0 ? std::to_string(line.line) : "–",
             theme_.text_dim, type_px::code, Face::mono, Align::right, id);
    const float text_room = bar_x_ - table_margin - stalls_line_width - 12;
    if (text_room > 40 && line.line > 0 && static_cast<std::size_t>(line.line) <= text_.size()) {
      std::string code = text_[static_cast<std::size_t>(line.line) - 1];
      code.erase(0, std::min(code.find_first_not_of(" \t"), code.size()));
      add_text(scene_, {table_margin + stalls_line_width, middle},
               cut(code, static_cast<int>(text_room / (type_px::code * mono_advance))), theme_.text, type_px::code,
               Face::mono, Align::left, id);
    }
    bar(line, y);
    add_text(scene_, {scene_.width - table_margin, middle},
             fmt::format("{} · {:.1f} %", spaced(line.samples),
                         100 * static_cast<double>(line.samples) / static_cast<double>(all_)),
             theme_.text, type_px::code, Face::mono, Align::right, id);
  }

  void bar(const StalledLine& line, float y) {
    const float room = scene_.width - table_margin - total_width - 12 - bar_x_;
    const float scale = room / static_cast<float>(std::max<std::uint64_t>(most_, 1));
    float x = bar_x_;
    std::uint64_t rest = 0;
    for (int r = 0; r < static_cast<int>(line.by_reason.size()); ++r) {
      const std::uint64_t samples = line.by_reason[static_cast<std::size_t>(r)];
      if (r >= named_) rest += samples;
      if (r < named_ && samples > 0) x = part(line.line, r, samples, x, y, scale);
    }
    if (rest > 0) part(line.line, named_, rest, x, y, scale);
  }

  float part(int line, int reason, std::uint64_t samples, float x, float y, float scale) {
    const float wide = static_cast<float>(samples) * scale;
    const Id id{.kind = Id::Kind::stall_bar, .a = line, .b = reason};
    const Color fill = color(reason);
    scene_.boxes.push_back({.id = id,
                            .rect = {x, y + 3, std::max(wide - 1, 0.5f), stalls_bar_height - 6},
                            .fill = fill,
                            .hatched = reason >= named_});
    if (reason < named_ && wide >= 14)
      add_text(scene_, {x + wide / 2, y + stalls_bar_height / 2}, std::to_string(reason + 1), text_on(fill),
               type_px::tiny, Face::mono, Align::center, id);
    return x + wide;
  }

  float legend(float y) {
    for (int r = 0; r < named_; ++r) {
      const StallTotal& t = totals_[static_cast<std::size_t>(r)];
      y = legend_row(r, std::to_string(r + 1), t.reason, t.words, t.samples, y);
    }
    std::uint64_t rest = 0;
    for (std::size_t r = static_cast<std::size_t>(named_); r < totals_.size(); ++r) rest += totals_[r].samples;
    if (rest > 0)
      y = legend_row(named_, "", "other reasons", counted(totals_.size() - static_cast<std::size_t>(named_), "reason"),
                     rest, y);
    return y;
  }

  float legend_row(int reason, std::string number, const std::string& name, const std::string& words,
                   std::uint64_t samples, float y) {
    const Id id{.kind = Id::Kind::stall_reason, .a = reason};
    const Color fill = color(reason);
    scene_.boxes.push_back({.id = id, .rect = {0, y, scene_.width, 20}});
    scene_.boxes.push_back(
        {.rect = {table_margin, y + 3, 18, 14}, .fill = fill, .radius = 2, .hatched = reason >= named_});
    add_text(scene_, {table_margin + 9, y + 10}, std::move(number), text_on(fill), type_px::tiny, Face::mono,
             Align::center, id);
    add_text(scene_, {table_margin + 26, y + 10}, cut(name, 20), theme_.text, type_px::code, Face::mono, Align::left,
             id);
    const float words_x = table_margin + 26 + 21 * type_px::code * mono_advance;
    const float room = scene_.width - table_margin - 62 - words_x;
    add_text(scene_, {words_x, y + 10}, cut(words, std::max(static_cast<int>(room / (type_px::note * 0.58f)), 4)),
             theme_.text_dim, type_px::note, Face::sans, Align::left, id);
    add_text(scene_, {scene_.width - table_margin, y + 10},
             fmt::format("{:.1f} %", 100 * static_cast<double>(samples) / static_cast<double>(all_)), theme_.text,
             type_px::code, Face::mono, Align::right, id);
    return y + 20;
  }

  const Measured& measured_;
  std::span<const std::string> text_;
  const Selection& selection_;
  const StallsOptions& options_;
  const Theme& theme_;
  std::vector<StallTotal> totals_;
  std::vector<StalledLine> lines_;
  int named_ = 0;
  std::uint64_t all_ = 0, idle_ = 0, most_ = 0;
  std::size_t left_out_ = 0;
  float bar_x_ = 0;
  Scene scene_;
};

}  // namespace

std::vector<StallTotal> stall_totals(const Measured& measured) {
  std::map<std::string, StallTotal> totals;
  for (const StallRow& row : measured.stalls) {
    StallTotal& t = totals[row.reason];
    t.reason = row.reason, t.words = row.words, t.samples += row.samples, t.idle += row.idle;
  }
  std::vector<StallTotal> out;
  for (auto& [name, total] : totals)
    if (total.samples > 0) out.push_back(std::move(total));
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.samples > b.samples; });
  return out;
}

Scene stalls_view(const Measured& measured, std::span<const std::string> lines_of_text, const Selection& selection,
                  const StallsOptions& options, const Theme& theme) {
  if (stall_totals(measured).empty())
    return refused_view(measured.refused, "Stalls", "Sample stalls on the GPU to see the stall reasons of each line.",
                        options.width > 0 ? options.width : 760, theme);
  return StallsDrawing(measured, lines_of_text, selection, options, theme).draw();
}

std::string stall_tooltip(const Measured& measured, const Id& id) {
  const bool bar = id.kind == Id::Kind::stall_bar;
  if (!bar && id.kind != Id::Kind::stall_reason) return {};
  const std::vector<StallTotal> totals = stall_totals(measured);
  const int reason = bar ? id.b : id.a;
  if (reason < 0 || reason >= static_cast<int>(totals.size())) return {};
  const StallTotal& total = totals[static_cast<std::size_t>(reason)];
  std::uint64_t samples = bar ? 0 : total.samples, idle = bar ? 0 : total.idle;
  for (const StallRow& row : measured.stalls)
    if (bar && row.line == id.a && row.reason == total.reason) samples += row.samples, idle += row.idle;
  std::string words = fmt::format("{}: {}", total.reason, counted(samples, "sample"));
  if (bar && id.a > 0) words += fmt::format(" in line {}", id.a);
  words += "\n" + total.words;
  if (idle > 0) words += fmt::format("\n{} of them in cycles without an issued instruction", spaced(idle));
  return words;
}

std::string stalls_csv(const Measured& measured) {
  std::uint64_t all = 0;
  std::uint64_t idle = 0;
  for (const StallRow& row : measured.stalls) all += row.samples, idle += row.idle;
  csv::Table table({"line", "reason", "words", "samples", "share_of_all", "idle_samples"});
  for (const StallRow& row : measured.stalls)
    table.row(row.line, row.reason, row.words, row.samples,
              all == 0 ? 0.0 : static_cast<double>(row.samples) / static_cast<double>(all),
              idle == 0 ? std::string() : std::to_string(row.idle));
  return table.text();
}

}  // namespace lanescope::views
