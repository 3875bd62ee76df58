
#include "viz/views/memory/traffic.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "kernels/base/number_words.h"
#include "results/access.h"
#include "viz/views/base/draw.h"
#include "viz/views/base/theme.h"
#include "viz/views/memory/memory_rows.h"

namespace lanescope::views {
namespace {

constexpr float row_height = 22, row_gap = 9, fold_height = 16, heading_height = 30, footer_height = 58, margin = 12;
constexpr float narrow = 620;

enum class Half : std::uint8_t { cached, uncached };

/// Where the two halves of the view lie, each with the same rows.
struct HalfGrid {
  MemoryGrid grid;
  float x = 0, y = 0, width = 0;
};

std::array<HalfGrid, 2> place_halves(const std::vector<MemoryRow>& rows, float wanted, Scene& scene) {
  scene.width = wanted > 0 ? wanted : 780;
  const bool stacked = scene.width < narrow;
  std::uint64_t last = 0;
  for (const MemoryRow& row : rows) last = std::max(last, row.folded ? 0 : row.first * 128);
  std::array<HalfGrid, 2> halves;
  float y = 0;
  for (int n = 0; n < 2; ++n) {
    HalfGrid& half = halves[n];
    half.width = stacked ? scene.width : (scene.width - margin) / 2;
    half.x = n == 1 && !stacked ? half.width + margin : 0;
    half.y = stacked ? y : 0;
    const float label =
        std::clamp(static_cast<float>(columns(spaced(last)) + 1) * type_px::small * mono_advance + 18, 46.0f, 130.0f);
    half.grid.left = half.x + label;
    half.grid.group_gap = n == 0 ? 0 : 3;  // a cached line moves as one piece
    half.grid.word_pitch = std::max((half.width - label - 12 - 3 * half.grid.group_gap) / 32, 4.0f);
    half.grid.row_height = row_height;
    half.grid.width = half.width;
    float top = half.y + heading_height;
    for (const MemoryRow& row : rows) {
      half.grid.tops.push_back(top);
      top += row.folded ? fold_height : row_height + row_gap;
    }
    half.grid.bottom = top;
    y = top + footer_height;
  }
  scene.height = y;
  return halves;
}

void half_heading(Scene& scene, const HalfGrid& half, Half which, const Theme& theme) {
  const bool cached = which == Half::cached;
  const std::string title = cached ? "Cached in L1" : "Not cached";
  add_words(scene, {half.x + margin, half.y + 13}, title, theme.text, type_px::title, Face::sans_bold);
  add_words(scene, {half.x + half.width - margin, half.y + 13},
            cached ? "transactions of 128 bytes" : "sectors of 32 bytes", theme.text_dim, type_px::note, Face::sans,
            Align::right);
}

void fold_words(Scene& scene, const HalfGrid& half, std::size_t n, const MemoryRow& row, const Theme& theme) {
  const float y = half.grid.tops[n] + fold_height / 2 - 3;
  scene.lines.push_back({.id = {},
                         .from = {half.grid.left - 18, y},
                         .to = {half.grid.left - 6, y},
                         .color = theme.border,
                         .width = 1.5f,
                         .dashed = true});
  add_words(scene, {half.grid.left, y},
            row.touched == 0 ? counted(row.count, "line") + " not touched"
                             : fmt::format("{} more, {} touched", counted(row.count, "line"), spaced(row.touched)),
            row.touched == 0 ? theme.text_faint : theme.text, type_px::tiny);
}

/// Used against moved, with the sign and the colour of how good that is.
void verdict_words(Scene& scene, const HalfGrid& half, std::string first, std::uint64_t used, std::uint64_t moved,
                   const Theme& theme) {
  const float y = half.grid.bottom + 12, room = half.width - 2 * margin;
  const Id id{.kind = Id::Kind::remark};
  add_words(scene, {half.x + margin, y}, std::move(first), theme.text, type_px::title, Face::sans_bold, Align::left, id,
            room);
  const std::uint64_t percent = moved == 0 ? 0 : (used * 100 + moved / 2) / moved;
  const Color color = used >= moved ? theme.good : percent >= 50 ? theme.warn : theme.bad;
  add_verdict_sign(scene, {}, {half.x + margin + 4.5f, y + 21}, 8,
                   used >= moved ? claims::Verdict::holds : claims::Verdict::differs, theme);
  scene.boxes.back().fill = color;
  std::string words = fmt::format("{} of {} bytes used ({} %)", spaced(used), spaced(moved), percent);
  if (moved > used) words += fmt::format(" · {} wasted", spaced(moved - used));
  add_words(scene, {half.x + margin + 15, y + 21}, std::move(words), color, type_px::body, Face::sans, Align::left, id,
            room - 15);
}

class TrafficDrawing {
 public:
  TrafficDrawing(const Summary& summary, const AccessInfo& access, const Selection& selection,
                 const TrafficOptions& options, const Theme& theme)
      : summary_(summary),
        access_(access),
        selection_(selection),
        theme_(theme),
        note_(options.note),
        readers_(element_readers(summary)),
        coloring_(readers_, "lane"),
        touched_(touched_words(access)) {
    buffer_ = std::max(access.buffer, 0);
    std::uint64_t words = access.buffer >= 0 && access.buffer < static_cast<int>(summary.buffers.size())
                              ? (summary.buffers[access.buffer].bytes + 3) / 4
                              : 0;
    if (!touched_.empty()) words = std::max(words, touched_.rbegin()->first + 1);
    rows_ = memory_rows(touched_, (words + 31) / 32, options.most_rows);
    halves_ = place_halves(rows_, options.width, scene_);
  }

  Scene draw() {
    for (const Half which : {Half::cached, Half::uncached}) {
      const HalfGrid& half = halves_[static_cast<int>(which)];
      half_heading(scene_, half, which, theme_);
      for (std::size_t n = 0; n < rows_.size(); ++n) {
        if (rows_[n].folded)
          fold_words(scene_, half, n, rows_[n], theme_);
        else
          line(half, which, n);
      }
      footer(half, which);
    }
    return std::move(scene_);
  }

 private:
  bool any_touched(std::uint64_t first_word, std::uint64_t words) const {
    const auto at = touched_.lower_bound(first_word);
    return at != touched_.end() && at->first < first_word + words;
  }

  void line(const HalfGrid& half, Half which, std::size_t n) {
    const std::uint64_t number = rows_[n].first;
    const int group = static_cast<int>(which);
    const Id id{.kind = Id::Kind::memory_line, .a = buffer_, .b = static_cast<int>(number), .group = group};
    const float y = half.grid.tops[n];
    const bool moved_line = any_touched(number * 32, 32);
    add_words(scene_, {half.grid.left - 9, y + row_height / 2}, "+" + spaced(number * 128),
              moved_line ? theme_.text : theme_.text_dim, type_px::small, Face::mono, Align::right, id);
    const bool cached = which == Half::cached;
    if (cached) {
      frame(id,
            {half.grid.word_x(0) - 1.5f, y - 1.5f, half.grid.word_x(31) + half.grid.word_pitch - half.grid.left + 2,
             row_height + 3},
            moved_line);
    }
    for (int sector = 0; sector < 4; ++sector) {
      const Id sector_id{
          .kind = Id::Kind::memory_sector, .a = buffer_, .b = static_cast<int>(number), .c = sector, .group = group};
      const bool moved = cached ? moved_line : any_touched(number * 32 + static_cast<std::uint64_t>(sector) * 8, 8);
      const Rect rect{half.grid.word_x(sector * 8) - 1.5f, y - 1.5f, half.grid.word_pitch * 8 + 2, row_height + 3};
      if (!cached) frame(sector_id, rect, moved);
      for (int w = sector * 8; w < sector * 8 + 8; ++w) word(half, group, n, w, moved);
    }
  }

  void frame(const Id& id, Rect rect, bool moved) {
    scene_.boxes.push_back({.id = id,
                            .rect = rect,
                            .fill = {},
                            .stroke = moved ? theme_.accent : theme_.border,
                            .stroke_width = moved ? 1.4f : 1.0f,
                            .radius = 3});
  }

  void word(const HalfGrid& half, int group, std::size_t n, int w, bool moved) {
    const std::uint64_t number = rows_[n].first * 32 + static_cast<std::uint64_t>(w);
    const Id id{.kind = Id::Kind::memory_word, .a = buffer_, .b = static_cast<int>(number), .group = group};
    const Rect rect = half.grid.word(n, w);
    const auto found = touched_.find(number);
    const bool whole = found != touched_.end() && found->second.bytes() == 4;
    scene_.boxes.push_back({.id = id,
                            .rect = rect,
                            .fill = moved && !whole ? theme_.cell_plain : theme_.cell_empty,
                            .stroke = {},
                            .radius = 1.5f,
                            .hatched = moved && !whole});
    if (selection_.address && selection_.address->first == buffer_ && selection_.address->second / 4 == number) {
      add_selection(scene_, id, rect, theme_, 1.5f);
    }
    if (found == touched_.end()) return;
    const WordPainter painter{.theme = theme_, .coloring = coloring_, .buffer = buffer_, .element_bits = 32};
    painter.paint(scene_, rect, number, found->second);
    lane_number(id, rect, found->second);
  }

  void lane_number(const Id& id, Rect rect, const TouchedWord& touched) {
    if (touched.bytes() < 4 || touched.lanes_of_byte[0] != touched.lanes) return;
    const int lanes = std::popcount(touched.lanes), lane = std::countr_zero(touched.lanes);
    const std::string text = lanes == 1 ? std::to_string(lane) : fmt::format("×{}", lanes);
    const float size = std::min(type_px::micro, (rect.w - 0.5f) / (mono_advance * static_cast<float>(columns(text))));
    scene_.labels.push_back({.id = id,
                             .at = center(rect),
                             .text = text,
                             .color = theme_.ramp_text[Theme::ramp_index(lane, 32)],
                             .face = Face::mono,
                             .size = size,
                             .align = Align::center,
                             .max_width = rect.w,
                             .min_scale = smallest_type / size});
  }

  void footer(const HalfGrid& half, Half which) {
    const bool cached = which == Half::cached;
    const std::uint64_t units = cached ? access_.lines : access_.sectors, moved = units * (cached ? 128 : 32);
    verdict_words(
        scene_, half,
        fmt::format("{} · {} moved", counted(units, cached ? "transaction" : "sector"), counted(moved, "byte")),
        access_.bytes_wanted, moved, theme_);
    if (which == Half::uncached) {
      add_words(scene_, {half.x + margin, half.grid.bottom + 52}, "hatched: moved, but no lane asked for it",
                theme_.text_dim, type_px::tiny, Face::sans, Align::left, {}, half.width - 2 * margin);
    } else {
      add_words(scene_, {half.x + margin, half.grid.bottom + 52}, access_words(access_, note_), theme_.text_dim,
                type_px::tiny, Face::sans, Align::left, {}, half.width - 2 * margin);
    }
  }

  const Summary& summary_;
  const AccessInfo& access_;
  const Selection& selection_;
  const Theme& theme_;
  std::string note_;
  std::vector<ElementReader> readers_;
  Coloring coloring_;
  TouchedWords touched_;
  int buffer_ = 0;
  std::vector<MemoryRow> rows_;
  std::array<HalfGrid, 2> halves_;
  Scene scene_;
};

}  // namespace

Scene traffic_view(const Summary& summary, const Moment& moment, const Selection& selection,
                   const TrafficOptions& options, const Theme& theme) {
  const bool accessed = moment.access && moment.access->space == trace::MemorySpace::global &&
                        (options.buffer < 0 || options.buffer == moment.access->buffer);
  if (!accessed) {
    return empty_view(options.width > 0 ? options.width : 780, 160,
                      "This step does not touch global memory. Step to a load or store to compare what it moves.",
                      theme);
  }
  return TrafficDrawing(summary, *moment.access, selection, options, theme).draw();
}

}  // namespace lanescope::views
