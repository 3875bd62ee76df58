// The shared memory view: 32 banks across, rows of 128 bytes down; what lies there, who touches it, and which banks are
// asked for several rows at once.

#include "viz/views/memory/shared.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "profiling/access/access.h"
#include "results/access.h"
#include "results/moment.h"
#include "results/summary.h"
#include "viz/views/base/draw.h"
#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"
#include "viz/views/memory/memory_rows.h"

namespace lanescope::views {
namespace {

constexpr float heading_height = 20, row_height = 16, row_gap = 2, fold_height = 16, counts_height = 18,
                footer_height = 68;

class SharedDrawing {
 public:
  SharedDrawing(const Summary& summary, const Moment& moment, const Selection& selection, const SharedOptions& options,
                const Theme& theme)
      : moment_(moment), selection_(selection), theme_(theme), note_(options.note), readers_(element_readers(summary)) {
    if (moment.access && moment.access->space == trace::MemorySpace::shared) {
      access_ = &*moment.access;
      touched_ = touched_words(*access_);
      cost_ = access::shared_cost(pattern_of(*access_));
    }
    words_ = std::max<std::uint64_t>(moment.shared.size(), (summary.shared_bytes + 3) / 4);
    if (!touched_.empty()) words_ = std::max(words_, touched_.rbegin()->first + 1);
    color_by_ = options.color_by;
    for (std::size_t b = 0; color_by_.empty() && b < readers_.size(); ++b) {
      const auto axes = varying_axes(readers_[b], static_cast<int>(b), moment.shared_cells);
      if (!axes.empty()) color_by_ = readers_[b].name(axes.front());
    }
    rows_ = memory_rows(touched_, (words_ + 31) / 32, options.most_rows);
    place_rows(options.width);
  }

  Scene draw() {
    const Coloring coloring(readers_, color_by_);
    scene_.width = grid_.width;
    scene_.height = grid_.bottom + footer_height;
    bank_headings();
    for (std::size_t n = 0; n < rows_.size(); ++n) {
      if (rows_[n].folded) {
        fold_line(n);
      } else {
        row_label(n);
        for (int bank = 0; bank < 32; ++bank) word(n, bank, coloring);
      }
    }
    if (access_ != nullptr) conflicts();
    footer();
    return std::move(scene_);
  }

 private:
  void place_rows(float wanted) {
    std::uint64_t last = 0;
    for (const MemoryRow& row : rows_) last = std::max(last, row.folded ? 0 : row.first * 128);
    grid_.left =
        std::clamp(static_cast<float>(columns(spaced(last)) + 1) * type_px::tiny * mono_advance + 18, 40.0f, 130.0f);
    grid_.width = wanted > 0 ? wanted : 412;
    grid_.word_pitch = std::max((grid_.width - grid_.left - 12) / 32, 5.0f);
    grid_.row_height = row_height;
    float y = heading_height;
    for (std::size_t n = 0; n < rows_.size(); ++n) {
      // Counts of conflicts stand right below the last row that is drawn, a fold after it below them.
      const bool trailing = rows_[n].folded && n + 1 == rows_.size();
      if (trailing) counts_top_ = y, y += counts_height;
      grid_.tops.push_back(y);
      y += rows_[n].folded ? fold_height : row_height + row_gap;
    }
    if (counts_top_ == 0) counts_top_ = y, y += counts_height;
    grid_.bottom = y;
  }

  void bank_headings() {
    add_words(scene_, {grid_.left - 9, 10}, "bank", theme_.text_dim, type_px::tiny, Face::sans, Align::right);
    for (int bank = 0; bank < 32; ++bank) {
      const Id id{.kind = Id::Kind::bank_heading, .a = bank};
      scene_.boxes.push_back(
          {.id = id, .rect = {grid_.word_x(bank), 2, grid_.word_pitch - 1, 16}, .fill = {}, .stroke = {}});
      const bool marked = bank % 8 == 0;
      const float size =
          std::min(type_px::tiny, std::max(grid_.word_pitch / (2 * mono_advance + 0.2f), marked ? 8.0f : 4.0f));
      scene_.labels.push_back({.id = id,
                               .at = {grid_.word_x(bank) + grid_.word_pitch / 2 - 0.5f, 10},
                               .text = std::to_string(bank),
                               .color = marked ? theme_.text : theme_.text_dim,
                               .face = marked ? Face::mono_bold : Face::mono,
                               .size = size,
                               .align = Align::center,
                               .min_scale = marked ? 0.0f : 7.5f / size});
    }
  }

  void fold_line(std::size_t n) {
    const MemoryRow& row = rows_[n];
    const float y = grid_.tops[n] + fold_height / 2 - 1;
    const std::string text = row.touched == 0
                                 ? counted(row.count, "row") + " not touched"
                                 : fmt::format("{} more, {} touched", counted(row.count, "row"), spaced(row.touched));
    scene_.lines.push_back({.id = {},
                            .from = {grid_.left - 18, y},
                            .to = {grid_.left - 6, y},
                            .color = theme_.border,
                            .width = 1.5f,
                            .dashed = true});
    add_words(scene_, {grid_.left, y}, text, row.touched == 0 ? theme_.text_faint : theme_.text, type_px::tiny);
  }

  void row_label(std::size_t n) {
    add_words(scene_, {grid_.left - 9, grid_.tops[n] + row_height / 2}, "+" + spaced(rows_[n].first * 128),
              theme_.text_dim, type_px::tiny, Face::mono, Align::right);
  }

  const Cell* content(std::uint64_t number) const {
    return number < moment_.shared_cells.size() ? &moment_.shared_cells[number] : nullptr;
  }

  void word(std::size_t n, int bank, const Coloring& coloring) {
    const std::uint64_t number = rows_[n].first * 32 + static_cast<std::uint64_t>(bank);
    if (number >= words_) return;
    const Id id{.kind = Id::Kind::shared_word, .a = static_cast<int>(number)};
    const Rect rect = grid_.word(n, bank);
    Box box{.id = id, .rect = rect, .fill = theme_.cell_empty, .stroke = {}, .radius = 1.5f};
    Color text = theme_.text;
    const auto found = touched_.find(number);
    const bool touched = found != touched_.end();
    const Cell* cell = content(number);
    if (cell != nullptr && cell->defined && cell->buffer >= 0 &&
        cell->kind != static_cast<int>(trace::ElementTag::Kind::mixed)) {
      const int ramp =
          Theme::ramp_index(coloring.of_element(cell->buffer, cell->element), coloring.count(cell->buffer));
      // What this step does not touch steps back, so that the access stands out.
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
    if (touched) lane_number(id, rect, found->second, text);
  }

  void lane_number(const Id& id, Rect rect, const TouchedWord& touched, Color color) {
    const int lanes = std::popcount(touched.lanes);
    const std::string text = lanes == 1 ? std::to_string(std::countr_zero(touched.lanes)) : fmt::format("×{}", lanes);
    const float size = std::min(type_px::micro, (rect.w - 0.5f) / (mono_advance * static_cast<float>(columns(text))));
    scene_.labels.push_back({.id = id,
                             .at = center(rect),
                             .text = text,
                             .color = color,
                             .face = Face::mono,
                             .size = size,
                             .align = Align::center,
                             .max_width = rect.w,
                             .min_scale = smallest_type / size});
  }

  bool selected(const Cell* cell, std::uint64_t number) const {
    if (selection_.address && selection_.address->first < 0 && selection_.address->second / 4 == number) return true;
    return selection_.element && cell != nullptr && cell->defined && cell->buffer == selection_.element->first &&
           cell->element == selection_.element->second;
  }

  // A frame around each bank that several rows are asked of, with their number below it.
  void conflicts() {
    const float top = heading_height - 2, bottom = counts_top_;
    for (int bank = 0; bank < 32; ++bank) {
      const int rows = cost_.words_per_bank[bank];
      if (rows < 2) continue;
      const Rect column{grid_.word_x(bank) - 1.5f, top, grid_.word_pitch + 2, bottom - top};
      scene_.outlines.push_back({.id = {.kind = Id::Kind::bank_heading, .a = bank},
                                 .rect = column,
                                 .fill = {},
                                 .stroke = theme_.bad,
                                 .stroke_width = 1.4f,
                                 .radius = 3});
      scene_.labels.push_back({.id = {.kind = Id::Kind::bank_heading, .a = bank},
                               .at = {column.x + column.w / 2, bottom + 8},
                               .text = std::to_string(rows),
                               .color = theme_.bad,
                               .face = Face::mono_bold,
                               .size = std::min(type_px::tiny, column.w / (2 * mono_advance)),
                               .align = Align::center});
    }
  }

  void footer() {
    const float y = grid_.bottom + 12, room = scene_.width - 24;
    const Id id{.kind = Id::Kind::remark};
    if (access_ == nullptr) {
      return add_words(scene_, {12, y},
                       "This step does not touch shared memory. Step to a load or store to see its banks.",
                       theme_.text_dim, type_px::note, Face::sans, Align::left, id, room);
    }
    const auto busiest = std::max_element(cost_.words_per_bank.begin(), cost_.words_per_bank.end());
    std::string words =
        fmt::format("{}, ideal {}", counted(access_->wavefronts, "wavefront"), access_->ideal_wavefronts);
    const bool conflict = access_->wavefronts > access_->ideal_wavefronts;
    if (conflict && *busiest > 1) {
      words += fmt::format(" · bank {} serves {} rows", busiest - cost_.words_per_bank.begin(), *busiest);
    }
    add_words(scene_, {12, y}, std::move(words), theme_.text, type_px::title, Face::sans_bold, Align::left, id, room);
    add_verdict_sign(scene_, {}, {16.5f, y + 20}, 8, conflict ? claims::Verdict::differs : claims::Verdict::holds,
                     theme_);
    const std::string verdict =
        conflict ? fmt::format("{}-way conflict, {} lost", *busiest, counted(access_->bank_conflicts, "wavefront"))
                 : std::string("no bank conflict");
    add_words(scene_, {27, y + 20}, verdict, conflict ? theme_.bad : theme_.good, type_px::body, Face::sans,
              Align::left, id, room - 15);
    add_words(scene_, {12, y + 40}, access_words(*access_, note_), theme_.text_dim, type_px::note, Face::sans,
              Align::left, id, room);
  }

  const Moment& moment_;
  const Selection& selection_;
  const Theme& theme_;
  std::string note_;
  std::vector<ElementReader> readers_;
  const AccessInfo* access_ = nullptr;
  access::SharedCost cost_;
  TouchedWords touched_;
  std::uint64_t words_ = 0;
  std::string color_by_;
  std::vector<MemoryRow> rows_;
  MemoryGrid grid_;
  float counts_top_ = 0;
  Scene scene_;
};

}  // namespace

Scene shared_view(const Summary& summary, const Moment& moment, const Selection& selection,
                  const SharedOptions& options, const Theme& theme) {
  const bool accessed = moment.access && moment.access->space == trace::MemorySpace::shared;
  if (summary.shared_bytes == 0 && moment.shared.empty() && !accessed) {
    return empty_view(options.width > 0 ? options.width : 412, 160, "This kernel uses no shared memory.", theme);
  }
  if (accessed && (options.wavefront >= 0 || options.what_if.kind != WhatIf::Kind::none))
    return banks_view(*moment.access, selection, options, theme);
  return SharedDrawing(summary, moment, selection, options, theme).draw();
}

}  // namespace lanescope::views
