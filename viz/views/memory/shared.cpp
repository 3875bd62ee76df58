#include "viz/views/memory/banks.h"

#include <algorithm>
#include <bit>
#include <optional>

#include <fmt/format.h>

#include "profiling/access/access.h"
#include "results/problems.h"
#include "viz/views/base/drawing.h"
#include "viz/views/memory/memory_rows.h"

namespace lanescope::views {
namespace {

constexpr float shared_heading_height = 20, shared_row_height = 16, shared_row_gap = 2, shared_fold_height = 16,
                shared_counts_height = 18, shared_footer_height = 68;
constexpr float shared_around = shared_heading_height + shared_counts_height;
/// In a room lower than this the words about the access are left out: title bar and inspector have them.
constexpr float shared_low_room = 300, shared_low_footer_height = 56;

class SharedDrawing : Drawing<SharedOptions> {
 public:
  SharedDrawing(const Summary& summary, const Moment& moment, const Selection& selection, const SharedOptions& options,
                const Theme& theme)
      : Drawing{summary, selection, options, theme},
        lines_(summary.lines),
        moment_(moment),
        note_(options.note),
        fault_(results::fault_at(summary, moment.step)),
        readers_(element_readers(summary)) {
    if (moment.access && moment.access->space == trace::MemorySpace::shared) {
      access_ = &*moment.access;
      touched_ = accessed_words(*access_);
      cost_ = access_->cost;
      atomic_ = trace::is_atomic(access_->kind);
    }
    words_ = std::max<std::uint64_t>(moment.shared.size(), (summary.shared_bytes + 3) / 4);
    if (!touched_.empty()) words_ = std::max(words_, touched_.rbegin()->first + 1);
    color_by_ = options.color_by;
    for (std::size_t b = 0; color_by_.empty() && b < readers_.size(); ++b) {
      const auto axes = varying_axes(readers_[b], static_cast<int>(b), moment.shared_cells);
      if (!axes.empty()) color_by_ = readers_[b].name(axes.front());
    }
    fit_ = {.most_rows = options.most_rows, .height = shared_row_height, .gap = shared_row_gap};
    if (options.height > 0) {
      // Contents are read word by word: rows get lower only where all that are accessed fit so.
      const std::size_t touched = touched_row_count(touched_);
      low_ = options.controlled && options.height < shared_low_room;
      const float room = options.height - shared_around - (low_ ? shared_low_footer_height : shared_footer_height);
      const auto fit = [&](float rows) {
        return fit_rows(std::max(rows, 60.0f), touched, shared_row_height, shared_row_gap);
      };
      fit_ = fit(room);
      if (static_cast<std::uint64_t>(fit_.most_rows) < (words_ + 31) / 32) fit_ = fit(room - shared_fold_height);
    }
    pinned_ = pinned_words(options.pinned, -1);
    rows_ = memory_rows(touched_, (words_ + 31) / 32, fit_.most_rows, 0, pinned_rows(pinned_));
    place_rows(options.width);
  }

  Scene draw() {
    const Coloring coloring(readers_, color_by_);
    scene_.width = grid_.width;
    draw_bank_headings(scene_, {.left = grid_.left, .pitch = grid_.word_pitch, .group = 0}, 2, theme_);
    int run = 0;
    for (std::size_t n = 0; n < rows_.size(); ++n) {
      if (rows_[n].folded) {
        draw_fold(scene_, rows_[n], "row", {grid_.left, grid_.tops[n] + shared_fold_height / 2 - 1}, theme_);
        run = 0;
      } else {
        if (run++ % fit_.label_stride() == 0) row_label(n);
        for (int bank = 0; bank < 32; ++bank) word(n, bank, coloring);
      }
    }
    if (access_ != nullptr)
      draw_bank_conflicts(scene_, cost_, {.left = grid_.left, .pitch = grid_.word_pitch, .group = 0},
                          shared_heading_height - 2, counts_top_, counts_top_, theme_);
    footer();
    return std::move(scene_);
  }

 private:
  void place_rows(float wanted) {
    grid_.left = label_width(rows_, type_px::tiny, 40);
    grid_.width = wanted > 0 ? wanted : 412;
    grid_.word_pitch = std::max((grid_.width - grid_.left - 12) / 32, 5.0f);
    grid_.row_height = fit_.height;
    float y = shared_heading_height;
    for (std::size_t n = 0; n < rows_.size(); ++n) {
      // Counts of conflicts are directly below the last row that is drawn, above a fold that follows it.
      const bool trailing = rows_[n].folded && n + 1 == rows_.size();
      if (trailing) counts_top_ = y, y += shared_counts_height;
      grid_.tops.push_back(y);
      y += rows_[n].folded ? shared_fold_height : fit_.height + fit_.gap;
    }
    if (counts_top_ == 0) counts_top_ = y, y += shared_counts_height;
    grid_.bottom = y;
  }

  void row_label(std::size_t n) {
    add_text(scene_, {grid_.left - 9, grid_.tops[n] + std::max(fit_.height, type_px::tiny) / 2},
             "+" + spaced(rows_[n].first * 128), theme_.text_dim, type_px::tiny, Face::mono, Align::right);
  }

  const Cell* content(std::uint64_t number) const {
    return number < moment_.shared_cells.size() ? &moment_.shared_cells[number] : nullptr;
  }

  void word(std::size_t n, int bank, const Coloring& coloring) {
    const std::uint64_t number = rows_[n].first * 32 + static_cast<std::uint64_t>(bank);
    if (number >= words_) return;
    const Id id{.kind = Id::Kind::shared_word, .a = static_cast<int>(number)};
    const Rect rect = grid_.word(n, bank);
    Box box{.id = id, .rect = rect, .fill = theme_.cell_empty, .radius = 1.5f};
    Color text = theme_.text;
    const auto found = touched_.find(number);
    const bool touched = found != touched_.end();
    const Cell* cell = content(number);
    if (cell != nullptr && cell->defined && cell->buffer >= 0 &&
        cell->kind != static_cast<int>(trace::ElementTag::Kind::mixed)) {
      const int ramp =
          Theme::ramp_index(coloring.of_element(cell->buffer, cell->element), coloring.count(cell->buffer));
      // Words that this step does not access are dimmed.
      box.fill = touched || access_ == nullptr ? theme_.ramp[ramp] : mix(theme_.panel, theme_.ramp[ramp], 0.30);
      text = theme_.ramp_text[ramp];
    } else if (cell != nullptr && cell->defined) {
      box.fill = theme_.cell_plain;
      box.hatched = cell->kind == static_cast<int>(trace::ElementTag::Kind::mixed);
    } else if (touched) {
      const int ramp = Theme::ramp_index(std::countr_zero(found->second.lanes), 32);
      box.fill = theme_.ramp[ramp], text = theme_.ramp_text[ramp];
    }
    scene_.boxes.push_back(box);
    if (selected(cell, number)) add_selection(scene_, id, rect, theme_, 1.5f);
    if (pinned_.contains(number)) add_pin(scene_, id, rect, theme_);
    if (touched) draw_lanes(scene_, id, rect, number, found->second, text);
  }

  bool selected(const Cell* cell, std::uint64_t number) const {
    if (selection_.address && selection_.address->first < 0 && selection_.address->second / 4 == number) return true;
    return selection_.element && cell != nullptr && cell->defined && cell->buffer == selection_.element->first &&
           cell->element == selection_.element->second;
  }

  void footer() {
    const float y = grid_.bottom + 12, room = scene_.width - 24;
    const Id id{.kind = Id::Kind::remark};
    const auto sentence = [&](float at, const std::string& text, std::optional<Color> color = {}) {
      return at + add_broken(scene_, {12, at}, text, color.value_or(theme_.text_dim), type_px::note, room, 15, id);
    };
    float last = y;
    if (access_ == nullptr && fault_ != nullptr) {
      last = sentence(y, "■ The run ends at this step: " + results::fault_words(*fault_), theme_.bad);
    } else if (access_ == nullptr) {
      last = sentence(y, "This step does not access shared memory. Go to a load or store to see its banks.");
    } else {
      std::string more;
      const auto busiest = std::max_element(cost_.turns_per_bank.begin(), cost_.turns_per_bank.end());
      if (!low_ && cost_.wavefronts > cost_.ideal_wavefronts && *busiest > 1)
        more = fmt::format(
            " · bank {} {}", busiest - cost_.turns_per_bank.begin(),
            atomic_ ? fmt::format("takes {} turns", *busiest) : fmt::format("is accessed in {} rows", *busiest));
      last = y + draw_wavefronts(scene_, {12, y}, room, cost_, atomic_, more, id, theme_);
      if (!low_) last = sentence(last + 20, access_text(*access_, lines_, note_));
    }
    scene_.height = std::max(grid_.bottom + (low_ ? 0 : shared_footer_height), last + 12);
  }

  const SourceLines& lines_;
  const Moment& moment_;
  std::string note_;
  const results::FaultInfo* fault_ = nullptr;  ///< of this step
  std::vector<ElementReader> readers_;
  const AccessInfo* access_ = nullptr;
  access::Cost cost_;
  bool atomic_ = false;
  AccessedWords touched_;
  PinnedWords pinned_;
  std::uint64_t words_ = 0;
  std::string color_by_;
  RowFit fit_;
  bool low_ = false;  ///< the room
  std::vector<MemoryRow> rows_;
  MemoryGrid grid_;
  float counts_top_ = 0;
};

}  // namespace

Scene shared_view(const Summary& summary, const Moment& moment, const Selection& selection,
                  const SharedOptions& options, const Theme& theme) {
  const bool accessed = moment.access && moment.access->space == trace::MemorySpace::shared;
  if (summary.shared_bytes == 0 && moment.shared.empty() && !accessed)
    return empty_view(options.width > 0 ? options.width : 412, 160, "This kernel uses no shared memory.", theme);
  if (accessed && (options.wavefront >= 0 || options.what_if.kind != WhatIf::Kind::none)) {
    SharedOptions with_lines = options;
    with_lines.lines = summary.lines;
    return banks_view(*moment.access, selection, with_lines, theme);
  }
  return SharedDrawing(summary, moment, selection, options, theme).draw();
}

}  // namespace lanescope::views
