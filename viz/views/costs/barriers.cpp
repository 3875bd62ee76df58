#include "viz/views/costs/warps.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "kernels/base/enum_size.h"
#include "kernels/base/numbers.h"
#include "results/warp_groups.h"
#include "viz/views/base/csv.h"
#include "viz/views/base/drawing.h"
#include "viz/views/base/table.h"

namespace lanescope::views {
namespace {

using BarrierState = BarrierRow::State;

constexpr float barriers_top = 10, barriers_line = 18;
constexpr std::string_view state_words[] = {"not begun", "runs", "waits", "ended"};
constexpr std::string_view wait_kind_words[] = {"barrier", "warp-wide", "mbarrier"};

/// "barrier 0", "mbarrier at byte 64", "warp-wide operation".
std::string short_wait(const Wait& w) {
  if (w.kind == Wait::Kind::block_barrier) return fmt::format("barrier {}", w.object);
  if (w.kind == Wait::Kind::barrier_object) return fmt::format("mbarrier at byte {}", w.object);
  return "warp-wide operation";
}

std::string step_text(std::int64_t step) { return spaced(static_cast<std::uint64_t>(step + 1)); }

/// "0–3, 5".
std::string numbers_words(const std::set<int>& numbers) {
  std::string words;
  for (auto at = numbers.begin(); at != numbers.end();) {
    const int first = *at;
    int last = first;
    for (++at; at != numbers.end() && *at == last + 1; ++at) last = *at;
    words += fmt::format("{}{}", words.empty() ? "" : ", ", first);
    if (last > first) words += fmt::format("{}{}", last == first + 1 ? ", " : "–", last);
  }
  return words;
}

/// The warps that wait at one barrier, in a sentence.
std::string sentence_of(const Summary& summary, const Wait& w, const std::set<int>& warps) {
  std::string words = fmt::format("Warp{} {} wait{} at {}", warps.size() == 1 ? "" : "s", numbers_words(warps),
                                  warps.size() == 1 ? "s" : "", short_wait(w));
  if (w.line > 0) words += ", " + summary.lines.words(w.line);
  if (w.until < 0) return words + ", and never continue" + (warps.size() == 1 ? "s" : "") + " in this record.";
  words += fmt::format(", until step {}", step_text(w.until));
  return w.last_warp < 0 ? words + "." : fmt::format("{}: warp {} arrives last.", words, w.last_warp);
}

class BarriersDrawing : Drawing<BarriersOptions> {
 public:
  BarriersDrawing(const Summary& summary, const StepIndex& index, const Selection& selection,
                  const BarriersOptions& options, const Theme& theme)
      : Drawing{summary, selection, options, theme},
        rows_(barrier_rows(summary, index, selection.step)),
        width_(options.width > 0 ? options.width : 720) {
    scene_.width = width_;
  }

  Scene draw() {
    float y = heading(barriers_top);
    columns(y);
    y += table_heading_height;
    for (const BarrierRow& row : rows_) {
      table_row(row, y);
      y += table_row_height;
    }
    scene_.height = y + barriers_top;
    return std::move(scene_);
  }

 private:
  /// Which barriers are waited at, each in a sentence.
  float heading(float y) {
    const float room = width_ - 2 * table_margin;
    std::string words = barriers_words(summary_, rows_);
    words[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(words[0])));
    words += selection_.step < 0 ? " before the first step" : " after step " + step_text(selection_.step);
    add_text(scene_, {table_margin, y + barriers_line / 2}, std::move(words), theme_.text, type_px::body,
             Face::sans_bold, Align::left, {}, room);
    y += barriers_line + 2;
    std::map<std::tuple<Wait::Kind, std::uint32_t, int, std::int64_t>, std::pair<const Wait*, std::set<int>>> waited;
    for (const BarrierRow& row : rows_) {
      if (row.wait < 0) continue;
      const Wait& w = summary_.waits[static_cast<std::size_t>(row.wait)];
      const int own = w.kind == Wait::Kind::warp_sync ? row.warp : -1;  // each warp has its own
      auto& [first, warps] = waited[{w.kind, w.object, own >= 0 ? own : w.line, w.until}];
      if (first == nullptr) first = &w;
      warps.insert(row.warp);
    }
    for (const auto& [key, group] : waited)
      y = draw_paragraph(scene_, sentence_of(summary_, *group.first, group.second), table_margin, y + 4, room,
                         theme_.text_dim, type_px::note);
    return y + 6;
  }

  void columns(float y) {
    const bool wide = width_ >= 560;
    columns_ = {
        TableColumn{.heading = "warp", .x = 44},
        TableColumn{.heading = "state", .x = 74, .room = 66, .right = false, .face = Face::sans},
        TableColumn{.heading = "at", .x = 146, .room = wide ? 150.0f : 104.0f, .right = false, .face = Face::sans},
        TableColumn{.heading = "line", .x = wide ? 330.0f : 280.0f},
        TableColumn{.heading = "from step", .x = wide ? 410.0f : 346.0f},
        TableColumn{.heading = "to step", .x = wide ? 480.0f : 404.0f}};
    if (wide)
      columns_.push_back({.heading = "last to arrive", .x = 500, .room = 90, .right = false, .face = Face::sans});
    if (width_ >= 700)
      columns_.push_back({.heading = "lanes", .x = 600, .room = width_ - 610, .right = false, .face = Face::sans});
    draw_headings(scene_, columns_, y, theme_);
    add_line(scene_, {table_margin, y + table_heading_height - 2},
             {width_ - table_margin, y + table_heading_height - 2}, theme_.border);
  }

  Id id_of(const BarrierRow& row) const {
    if (row.wait >= 0) return {.kind = Id::Kind::wait, .a = row.wait};
    if (row.step >= 0) return {.kind = Id::Kind::timeline_step, .a = static_cast<int>(row.step)};
    return {.kind = Id::Kind::timeline_row, .a = row.warp};
  }

  void table_row(const BarrierRow& row, float y) {
    std::vector<std::string> cells(columns_.size());
    cells[0] = std::to_string(row.warp);
    cells[1] = entry_for(state_words, row.state);
    if (row.line > 0) cells[3] = summary_.lines.number(row.line);
    if (row.wait >= 0) {
      const Wait& w = summary_.waits[static_cast<std::size_t>(row.wait)];
      cells[2] = short_wait(w);
      cells[4] = step_text(w.from);
      cells[5] = w.until < 0 ? "never" : step_text(w.until);
      if (cells.size() > 6 && w.last_warp >= 0) cells[6] = fmt::format("warp {}", w.last_warp);
    } else if (row.step >= 0) {
      cells[4] = step_text(row.step);
    }
    if (cells.size() > 7 && row.lanes != 0 && row.state != BarrierState::ended) cells[7] = lanes_words(row.lanes);
    const Id id = id_of(row);
    draw_row(scene_, columns_, id, y, cells, row.warp == selection_.warp, theme_);
    sign(row, id, {56, y + 5, 11, 10});
  }

  /// Hatched: waits; filled: runs; an outline: there is nothing to run.
  void sign(const BarrierRow& row, const Id& id, Rect r) {
    const Color barrier = theme_.step(trace::StepKind::barrier);
    if (row.state == BarrierState::waits)
      scene_.boxes.push_back(
          {.id = id, .rect = r, .fill = theme_.cell_empty, .stroke = barrier, .radius = 1.5f, .hatched = true});
    else if (row.state == BarrierState::runs)
      add_box(scene_, r, theme_.step(trace::StepKind::arithmetic), id, 1.5f);
    else
      add_box(scene_, r, {}, id, 1.5f, theme_.border);
  }

  std::vector<BarrierRow> rows_;
  float width_;
  std::vector<TableColumn> columns_;
};

}  // namespace

std::vector<BarrierRow> barrier_rows(const Summary& summary, const StepIndex& index, std::int64_t step) {
  std::vector<std::vector<int>> waits(summary.warps);
  for (std::size_t n = 0; n < summary.waits.size() && std::int64_t{summary.waits[n].from} <= step; ++n) {
    const Wait& w = summary.waits[n];
    if (w.warp < waits.size() && (w.until < 0 || step < w.until)) waits[w.warp].push_back(static_cast<int>(n));
  }
  std::vector<BarrierRow> rows;
  for (int warp = 0; warp < static_cast<int>(summary.warps); ++warp) {
    const auto marks = index.of_warp(warp);
    const std::size_t done = index.before(summary, warp, step + 1);
    BarrierRow row{.warp = warp};
    if (done > 0) {
      const std::uint32_t last = marks[done - 1];
      const TimelineMark& mark = summary.timeline[last];
      row.line = mark.line, row.step = mark.step;
      if (last < summary.active_masks.size()) row.lanes = summary.active_masks[last];
      row.state = done == marks.size() && mark.kind == trace::StepKind::exit ? BarrierState::ended : BarrierState::runs;
    }
    std::uint32_t waiting = 0;
    for (const int n : waits[static_cast<std::size_t>(warp)]) {
      const Wait& w = summary.waits[static_cast<std::size_t>(n)];
      waiting |= w.lanes;
      rows.push_back(
          {.state = BarrierState::waits, .warp = warp, .lanes = w.lanes, .line = w.line, .step = row.step, .wait = n});
    }
    row.lanes &= ~waiting;
    if (waiting == 0 || row.lanes != 0) rows.push_back(row);
  }
  return rows;
}

std::string barriers_words(const Summary& summary, const std::vector<BarrierRow>& rows) {
  std::set<int> warps;
  for (const BarrierRow& row : rows)
    if (row.state == BarrierState::waits) warps.insert(row.warp);
  if (warps.empty()) return "no warp waits";
  return fmt::format("{} of {} wait{}", warps.size(), counted(summary.warps, "warp"), warps.size() == 1 ? "s" : "");
}

Scene barriers_view(const Summary& summary, const StepIndex& index, const Selection& selection,
                    const BarriersOptions& options, const Theme& theme) {
  if (summary.timeline.empty())
    return empty_view(options.width > 0 ? options.width : 720, 90,
                      "There are no steps to show yet. Run the kernel to see which warps wait.", theme);
  return BarriersDrawing(summary, index, selection, options, theme).draw();
}

Scene barriers_view(const Summary& summary, const Selection& selection, const BarriersOptions& options,
                    const Theme& theme) {
  return barriers_view(summary, index_of(summary), selection, options, theme);
}

std::string barriers_csv(const Summary& summary, std::int64_t step) {
  csv::Table table({"warp", "state", "lanes", "kind", "object", "line", "from_step", "to_step", "last_warp"});
  for (const BarrierRow& row : barrier_rows(summary, index_of(summary), step)) {
    const std::string lanes = fmt::format("0x{:08x}", row.lanes);
    const std::string line = row.line > 0 ? summary.lines.number(row.line) : "";
    if (row.wait < 0) {
      table.row(row.warp, entry_for(state_words, row.state), lanes, "", "", line, row.step, "", "");
      continue;
    }
    const Wait& w = summary.waits[static_cast<std::size_t>(row.wait)];
    table.row(row.warp, entry_for(state_words, row.state), lanes, entry_for(wait_kind_words, w.kind), w.object, line,
              w.from, w.until, w.last_warp);
  }
  return table.text();
}

}  // namespace lanescope::views
