#include "viz/views/memory/memory_rows.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "kernels/trace/trace.h"
#include "viz/views/base/draw.h"

namespace lanescope::views {

namespace {

std::set<std::uint64_t> rows_of(const AccessedWords& touched) {
  std::set<std::uint64_t> rows;
  for (const auto& [word, lanes] : touched) rows.insert(word / 32);
  return rows;
}

}  // namespace

std::size_t touched_row_count(const AccessedWords& touched) { return rows_of(touched).size(); }

int RowFit::label_stride() const {
  const float needed = type_px::tiny + 1.5f;
  return std::max(static_cast<int>(std::ceil(needed / (height + gap))), 1);
}

RowFit fit_rows(float room, std::size_t touched_rows, float usual_height, float usual_gap) {
  constexpr float least_pitch = 2.9f, without_gap = 7;
  const float usual = usual_height + usual_gap, touched = static_cast<float>(std::max<std::size_t>(touched_rows, 1));
  const float pitch = std::clamp(room / touched, std::min(least_pitch, usual), usual);
  const float gap = pitch >= usual ? usual_gap : pitch > without_gap ? 1.0f : 0.5f;
  return {.most_rows = std::max(static_cast<int>(room / pitch + 0.01f), 1), .height = pitch - gap, .gap = gap};
}

PinnedWords pinned_words(const std::vector<results::PinnedPlace>& pinned, int buffer) {
  PinnedWords words;
  for (const results::PinnedPlace& p : pinned) {
    const bool shared = p.place.kind == results::JourneyPlace::Kind::shared;
    if (buffer < 0 ? shared : !shared && p.place.buffer == buffer) words.emplace(p.place.byte / 4, p);
  }
  return words;
}

std::set<std::uint64_t> pinned_rows(const PinnedWords& words) {
  std::set<std::uint64_t> rows;
  for (const auto& [word, place] : words) rows.insert(word / 32);
  return rows;
}

std::vector<MemoryRow> memory_rows(const AccessedWords& touched, std::uint64_t rows, int most_rows, std::uint64_t focus,
                                   const std::set<std::uint64_t>& keep) {
  const std::set<std::uint64_t> touched_rows = rows_of(touched);
  const auto room = std::max(static_cast<std::size_t>(std::max(most_rows, 1)), keep.size() + 1);
  const std::vector<std::uint64_t> all(touched_rows.begin(), touched_rows.end());
  const auto at = static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), focus) - all.begin());
  const std::size_t first = all.size() > room ? std::min(at - std::min(at, room / 2), all.size() - room) : 0;
  std::set<std::uint64_t> shown;
  for (const std::uint64_t row : keep)
    if (row < rows) shown.insert(row);
  for (std::size_t n = first; n < all.size() && shown.size() < room; ++n) shown.insert(all[n]);
  if (shown.empty() && rows > 0) shown.insert(0);
  // Neighbours fill what room is left: below first, the way memory is read.
  for (std::uint64_t away = 1; shown.size() < std::min<std::uint64_t>(room, rows) && away < rows; ++away) {
    const std::vector<std::uint64_t> around(shown.begin(), shown.end());
    bool grew = false;
    for (std::uint64_t row : around)
      if (shown.size() < room && row + 1 < rows) grew |= shown.insert(row + 1).second;
    if (!grew && *shown.begin() > 0) shown.insert(*shown.begin() - 1);
  }
  std::vector<MemoryRow> out;
  std::uint64_t next = 0;
  const auto fold = [&](std::uint64_t until) {
    if (next >= until) return;
    const auto first = touched_rows.lower_bound(next), last = touched_rows.lower_bound(until);
    out.push_back({.first = next,
                   .count = until - next,
                   .folded = true,
                   .touched = static_cast<std::uint64_t>(std::distance(first, last))});
  };
  for (std::uint64_t row : shown) {
    fold(row);
    out.push_back({.first = row});
    next = row + 1;
  }
  fold(rows);
  return out;
}

float label_width(const std::vector<MemoryRow>& rows, float text_size, float least) {
  std::uint64_t last = 0;
  for (const MemoryRow& row : rows) last = std::max(last, row.folded ? 0 : row.first * 128);
  return std::clamp(static_cast<float>(columns(spaced(last)) + 1) * text_size * mono_advance + 18, least, 130.0f);
}

void draw_fold(Scene& scene, const MemoryRow& row, std::string_view unit, Point at, const Theme& theme, float room) {
  add_line(scene, {at.x - 18, at.y}, {at.x - 6, at.y}, theme.border, 1.5f, {}, true);
  add_text(scene, at,
           row.touched == 0 ? counted(row.count, unit) + " not accessed"
                            : fmt::format("{} more, {} accessed", counted(row.count, unit), spaced(row.touched)),
           row.touched == 0 ? theme.text_faint : theme.text, type_px::tiny, Face::sans, Align::left, {}, room);
}

void draw_lanes(Scene& scene, const Id& id, Rect rect, std::uint64_t word, const AccessedWord& touched, Color color) {
  if (rect.h < 7.5f) return;
  const int lanes = std::popcount(touched.lanes);
  std::string text = lanes == 1 ? std::to_string(std::countr_zero(touched.lanes)) : fmt::format("×{}", lanes);
  const float widest = mono_advance * static_cast<float>(lanes == 1 ? 2 : columns(text));
  std::uint64_t stride = 1;
  while (stride < 8 && static_cast<float>(stride) * rect.w < widest * (smallest_type + 0.5f) + 1) stride *= 2;
  if (word % stride != 0) return;
  const float size = std::min(type_px::micro, (static_cast<float>(stride) * rect.w - 0.5f) / widest);
  add_text(scene, center(rect), std::move(text), color, size, Face::mono, Align::center, id,
           static_cast<float>(stride) * rect.w, smallest_type / size);
}

std::string percent_text(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "0";
  const std::uint64_t tenths = (part * 1000 + whole / 2) / whole;
  return tenths % 10 == 0 ? spaced(tenths / 10) : fmt::format("{}.{}", spaced(tenths / 10), tenths % 10);
}

std::string bytes_used_text(std::uint64_t requested, std::uint64_t transferred) {
  std::string words = fmt::format("{} of {} bytes used ({} %)", spaced(requested), spaced(transferred),
                                  percent_text(requested, transferred));
  if (requested < transferred) words += fmt::format(" · {} unrequested", spaced(transferred - requested));
  return words;
}

float draw_bytes_used(Scene& scene, Point at, float room, std::uint64_t requested, std::uint64_t transferred,
                      const Theme& theme) {
  const bool all = requested >= transferred;
  const Color color = all ? theme.good : requested * 2 >= transferred ? theme.warn : theme.bad;
  add_verdict_sign(scene, {}, {at.x + 4.5f, at.y}, 8, all ? claims::Verdict::holds : claims::Verdict::differs, theme);
  scene.boxes.back().fill = color;
  return add_broken(scene, {at.x + 15, at.y}, bytes_used_text(requested, transferred), color, type_px::body, room - 15,
                    16, {.kind = Id::Kind::remark});
}

std::string access_text(const AccessInfo& access, const SourceLines& lines, const std::string& note) {
  std::string words = note.empty() ? std::string() : note + " · ";
  words += fmt::format("{} ", trace::kind_words(access.kind));
  if (access.line > 0) words += fmt::format("of {} ", lines.words(access.line));
  words += fmt::format("· warp {} · {} of 32 lanes · {} each", access.warp, std::popcount(access.mask),
                       counted(access.width_bytes, "byte"));
  return access.on_gpu ? words + " · recorded on the GPU" : words;
}

int WordPainter::ramp_of_byte(std::uint64_t word, int byte, std::uint32_t lanes) const {
  if (coloring.by() == Coloring::By::lane || buffer < 0) return ramp_of_lane(std::countr_zero(lanes));
  return ramp_of_element((word * 32 + static_cast<std::uint64_t>(byte) * 8) / static_cast<std::uint64_t>(element_bits));
}

void WordPainter::paint(scene::Scene& scene, scene::Rect rect, std::uint64_t word, const AccessedWord& touched) const {
  int first = 0;
  while (first < 4) {
    if (touched.lanes_of_byte[first] == 0) {
      ++first;
      continue;
    }
    const int ramp = ramp_of_byte(word, first, touched.lanes_of_byte[first]);
    int last = first + 1;
    while (last < 4 && touched.lanes_of_byte[last] == touched.lanes_of_byte[first] &&
           ramp_of_byte(word, last, touched.lanes_of_byte[last]) == ramp) {
      ++last;
    }
    const float unit = rect.w / 4;
    add_box(scene, {rect.x + unit * static_cast<float>(first), rect.y, unit * static_cast<float>(last - first), rect.h},
            theme.ramp[ramp], {}, 1.5f);
    first = last;
  }
}

}  // namespace lanescope::views
