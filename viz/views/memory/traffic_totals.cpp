// Global memory over a line of code or a whole run: how often each line and each sector was transferred.

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

#include "viz/views/base/csv.h"
#include "viz/views/base/drawing.h"
#include "viz/views/memory/global.h"
#include "viz/views/memory/memory_rows.h"

namespace lanescope::views {
namespace {

constexpr float totals_row_height = 24, totals_row_gap = 5, totals_fold_height = 16, totals_heading_height = 46,
                totals_footer_height = 84, totals_margin = 12;

/// The transfers drawn of a line: of compute capability 1.x the moves of half warps take the place of those of whole ones.
struct LineMoves {
  std::uint64_t transactions = 0;
  std::array<std::uint64_t, 4> sectors{};
};
LineMoves moves_of(const LineTransfers& line, access::HalfWarps rule) {
  if (rule == access::HalfWarps::none) return {line.transactions, line.sectors};
  const results::HalfWarpMoves& half = line.half_warps[static_cast<std::size_t>(rule) - 1];
  return {half.transactions, half.sectors};
}

struct Sums {
  std::uint64_t transactions = 0, sectors = 0, bytes_wanted = 0;
  std::uint64_t most_transactions = 0, most_sector = 0;
};

Sums line_sums(const AccessTotals& totals, access::HalfWarps rule) {
  Sums sums;
  for (const LineTransfers& line : totals.lines) {
    const LineMoves moves = moves_of(line, rule);
    sums.transactions += moves.transactions;
    sums.bytes_wanted += line.bytes_wanted;
    sums.most_transactions = std::max(sums.most_transactions, moves.transactions);
    for (std::uint64_t count : moves.sectors) {
      sums.sectors += count;
      sums.most_sector = std::max(sums.most_sector, count);
    }
  }
  return sums;
}

class TotalsDrawing : Drawing<TrafficOptions> {
 public:
  TotalsDrawing(const Summary& summary, const AccessTotals& totals, const Selection& selection,
                const TrafficOptions& options, const Theme& theme)
      : Drawing{summary, selection, options, theme},
        totals_(totals),
        rule_(options.memory.half_warps),
        arch_(options.arch),
        sums_(line_sums(totals, rule_)),
        lines_move_(options.memory.cached_load_transaction_bytes != options.memory.uncached_load_transaction_bytes) {
    AccessedWords touched;
    for (const LineTransfers& line : totals.lines) touched[line.line * 32].lanes = 1;
    std::uint64_t lines = totals.lines.empty() ? 0 : totals.lines.back().line + 1;
    if (const BufferInfo* info = buffer_of(summary, totals.buffer)) lines = std::max(lines, (info->bytes + 127) / 128);
    rows_ = memory_rows(touched, lines, options.most_rows, 0, pinned_rows(pinned_words(options.pinned, totals.buffer)));
    scene_.width = options.width > 0 ? options.width : 620;
    left_ = label_width(rows_, type_px::small, 46);
    line_width_ = std::clamp((scene_.width - left_ - totals_margin) * 0.2f, 56.0f, 130.0f);
    sectors_x_ = left_ + line_width_ + 18;
    sector_pitch_ = (scene_.width - totals_margin - sectors_x_) / 4;
  }

  Scene draw() {
    headings();
    float y = totals_heading_height;
    for (const MemoryRow& row : rows_) {
      if (row.folded) {
        draw_fold(scene_, row, "line", {left_, y + 6}, theme_);
        y += totals_fold_height;
      } else {
        line(row.first, y);
        y += totals_row_height + totals_row_gap;
      }
    }
    scene_.height = y + totals_footer_height;
    footer(y + 14);
    return std::move(scene_);
  }

 private:
  bool halves() const { return rule_ != access::HalfWarps::none; }
  /// "96 transactions on sm_13: 64 of 64, 32 of 128 bytes".
  std::string sizes() const {
    const auto& by_size = totals_.half_warp_sizes[static_cast<std::size_t>(rule_) - 1];
    std::string words;
    for (std::size_t n = 0; n < by_size.size(); ++n)
      if (by_size[n] > 0) words += fmt::format("{}{} of {}", words.empty() ? "" : ", ", spaced(by_size[n]), 32 << n);
    return counted(sums_.transactions, "transaction") + (arch_.empty() ? "" : " on " + arch_) +
           (words.empty() ? "" : ": " + words + " bytes");
  }

  void headings() {
    const std::string buffer = buffer_name(summary_, totals_.buffer, "global memory");
    const std::string scope =
        totals_.code_line > 0 ? summary_.lines.words(totals_.code_line) : std::string("the whole block");
    add_text(scene_, {totals_margin, 13}, fmt::format("{} over {}", buffer, scope), theme_.text, type_px::title,
             Face::sans_bold, Align::left, {.kind = Id::Kind::title}, scene_.width - 2 * totals_margin);
    add_text(scene_, {left_ + line_width_ / 2, 34},
             line_width_ < 90 ? "128 bytes"
             : halves()       ? "transactions of the line"
             : lines_move_    ? "transfers of 128 bytes"
                              : "requests of the line",
             theme_.text_dim, type_px::tiny, Face::sans, Align::center);
    add_text(scene_, {sectors_x_ + 2 * sector_pitch_, 34},
             halves() ? "moves of each 32 bytes" : "transfers of each sector of 32 bytes", theme_.text_dim,
             type_px::tiny, Face::sans, Align::center);
  }

  void line(std::uint64_t number, float y) {
    const auto found = std::lower_bound(totals_.lines.begin(), totals_.lines.end(), number,
                                        [](const LineTransfers& l, std::uint64_t n) { return l.line < n; });
    const LineTransfers none{.line = number};
    const LineTransfers& touches = found != totals_.lines.end() && found->line == number ? *found : none;
    const int buffer = std::max(totals_.buffer, 0), line_number = static_cast<int>(number);
    add_text(scene_, {left_ - 9, y + totals_row_height / 2}, "+" + spaced(number * 128),
             touches.transactions > 0 ? theme_.text : theme_.text_dim, type_px::small, Face::mono, Align::right);
    const LineMoves moves = moves_of(touches, rule_);
    int used = 0;
    for (std::uint32_t bytes : touches.used) used += std::popcount(bytes);
    count_box({.kind = Id::Kind::traffic_line, .a = buffer, .b = line_number},
              {left_, y, line_width_, totals_row_height}, moves.transactions, sums_.most_transactions,
              static_cast<float>(used) / 128);
    for (int sector = 0; sector < 4; ++sector) {
      const Rect rect{sectors_x_ + sector_pitch_ * static_cast<float>(sector), y, sector_pitch_ - 3, totals_row_height};
      const Id id{.kind = Id::Kind::traffic_sector, .a = buffer, .b = line_number, .c = sector};
      count_box(id, rect, moves.sectors[sector], sums_.most_sector,
                static_cast<float>(std::popcount(touches.used[sector])) / 32);
      if (selection_.address && selection_.address->first == totals_.buffer &&
          selection_.address->second / 32 == number * 4 + static_cast<std::uint64_t>(sector)) {
        add_selection(scene_, id, rect, theme_);
      }
    }
  }

  // The count on its heat colour; below it a strip for the bytes, hatched for unrequested ones.
  void count_box(const Id& id, Rect rect, std::uint64_t times, std::uint64_t most, float used) {
    const bool any = times > 0;
    const double share = most == 0 ? 0 : static_cast<double>(times) / static_cast<double>(most);
    const Color fill = any ? heat_color(theme_, share) : theme_.cell_empty;
    add_box(scene_, rect, fill, id, 2);
    if (!any) return;
    if (used < 1)
      scene_.boxes.push_back({.rect = {rect.x + rect.w * used, rect.y + rect.h - 6, rect.w * (1 - used), 6},
                              .fill = theme_.cell_empty,
                              .hatched = true});
    const float y = rect.y + rect.h / 2 - (used < 1 ? 3 : 0);
    add_fitted(scene_, id, {rect.x + rect.w / 2, y}, "×" + spaced(times), text_on(fill), type_px::code, rect.w, 4);
  }

  void footer(float y) {
    const float room = scene_.width - 2 * totals_margin;
    const Id id{.kind = Id::Kind::remark};
    const std::uint64_t moved = sums_.sectors * 32, moved_in_lines = sums_.transactions * 128;
    add_text(scene_, {totals_margin, y},
             halves() ? fmt::format("{} · {}", counted(totals_.requests, "request"), sizes())
                      : fmt::format("{} · {} · {}", counted(totals_.requests, "request"),
                                    counted(sums_.transactions, lines_move_ ? "transaction" : "line request"),
                                    counted(sums_.sectors, "sector")),
             theme_.text, type_px::title, Face::sans_bold, Align::left, id, room);
    const auto share = [&](std::string_view name, std::uint64_t all) {
      return fmt::format("{}: {} of {} bytes used ({} %)", name, spaced(sums_.bytes_wanted), spaced(all),
                         percent_text(sums_.bytes_wanted, all));
    };
    add_text(scene_, {totals_margin, y + 20},
             share(halves() ? "in these transactions" : "in sectors of 32 bytes", moved), theme_.text, type_px::note,
             Face::sans, Align::left, id, room);
    if (lines_move_)
      add_text(scene_, {totals_margin, y + 38}, share("in transactions of 128 bytes", moved_in_lines), theme_.text_dim,
               type_px::note, Face::sans, Align::left, id, room);
    add_text(scene_, {totals_margin, y + 56}, "hatched: share of unrequested bytes", theme_.text_dim, type_px::tiny,
             Face::sans, Align::left, {}, room);
  }

  const AccessTotals& totals_;
  access::HalfWarps rule_ = access::HalfWarps::none;
  std::string arch_;
  Sums sums_;
  bool lines_move_ = false;  ///< where L1 holds a load: Fermi and Kepler
  std::vector<MemoryRow> rows_;
  float left_ = 0, line_width_ = 0, sectors_x_ = 0, sector_pitch_ = 0;
};

}  // namespace

Scene traffic_totals_view(const Summary& summary, const AccessTotals& totals, const Selection& selection,
                          const TrafficOptions& options, const Theme& theme) {
  if (totals.requests == 0)
    return empty_view(options.width > 0 ? options.width : 620, 160,
                      summary.lines.in_header(totals.code_line)
                          ? fmt::format("{} does not access this buffer.", summary.lines.words(totals.code_line))
                      : totals.code_line > 0 ? fmt::format("Line {} does not access this buffer.", totals.code_line)
                                             : std::string("The block does not access this buffer."),
                      theme);
  return TotalsDrawing(summary, totals, selection, options, theme).draw();
}

std::string to_csv(const Summary& summary, const AccessTotals& totals, access::HalfWarps rule) {
  csv::Table table({"buffer", "line_offset_bytes", "sector",
                    rule == access::HalfWarps::none ? "transactions_of_128_bytes" : "transactions", "sector_moves",
                    "bytes_used"});
  const std::string name = buffer_name(summary, totals.buffer);
  for (const LineTransfers& line : totals.lines) {
    const LineMoves moves = moves_of(line, rule);
    for (std::size_t sector = 0; sector < 4; ++sector) {
      if (moves.sectors[sector] == 0) continue;
      table.row(name, line.line * 128, sector, moves.transactions, moves.sectors[sector],
                std::popcount(line.used[sector]));
    }
  }
  return table.text();
}

}  // namespace lanescope::views
