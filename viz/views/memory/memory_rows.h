#pragma once
// Common parts of the global and shared views: which words an access touches, and which rows of 128 bytes to show.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "results/journey.h"
#include "viz/scene/scene.h"
#include "viz/views/base/elements.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

/// A row of 128 bytes, or a run of rows that is folded into one thin line.
struct MemoryRow {
  std::uint64_t first = 0, count = 1;
  bool folded = false;
  std::uint64_t touched = 0;  ///< rows of a folded run that the access touches
};
/// At most `most_rows` unfolded rows: the touched ones first, then their neighbours. Where not all touched rows fit, those
/// around the row `focus`. Rows of `keep` are never folded, however many they are.
std::vector<MemoryRow> memory_rows(const AccessedWords& touched, std::uint64_t rows, int most_rows,
                                   std::uint64_t focus = 0, const std::set<std::uint64_t>& keep = {});
/// Words of a buffer (-1: of shared memory) in which elements lie that are followed.
using PinnedWords = std::map<std::uint64_t, results::PinnedPlace>;
PinnedWords pinned_words(const std::vector<results::PinnedPlace>& pinned, int buffer);
std::set<std::uint64_t> pinned_rows(const PinnedWords& words);
/// Rows of 128 bytes that are touched.
std::size_t touched_row_count(const AccessedWords& touched);

/// How high rows are, and how many there are room for.
struct RowFit {
  int most_rows = 16;
  float height = 0, gap = 0;
  /// Offsets stand beside every n-th row where rows are lower than their text.
  int label_stride() const;
};
/// In `room` pixels: rows of the usual height, or lower ones where only then all touched rows fit (2.9 px at least).
RowFit fit_rows(float room, std::size_t touched_rows, float usual_height, float usual_gap);

/// Room at the left for the offsets of rows ("+1 024"), in type of this size.
float label_width(const std::vector<MemoryRow>& rows, float text_size, float least);
/// A folded run as one dashed line: "3 lines not accessed"; `unit`: "line".
void draw_fold(scene::Scene&, const MemoryRow& row, std::string_view unit, scene::Point at, const Theme&,
               float room = 0);
/// The lane that accesses a word, or how many lanes do: "7", "×32". `word`: its number; where words are too narrow for two
/// digits, every second, fourth or eighth is labelled.
void draw_lanes(scene::Scene&, const scene::Id&, scene::Rect, std::uint64_t word, const AccessedWord&, Color);
/// "12.5", "100": with a tenth where there is one.
std::string percent_text(std::uint64_t part, std::uint64_t whole);
/// "64 of 128 bytes used (50 %) · 64 unrequested".
std::string bytes_used_text(std::uint64_t requested, std::uint64_t transferred);
/// Requested bytes of those transferred, with a sign and a colour for their share, in as many lines as they need. Returns
/// how much lower than `at` the last one is.
float draw_bytes_used(scene::Scene&, scene::Point at, float room, std::uint64_t requested, std::uint64_t transferred,
                      const Theme&);

/// "load of line 12 · warp 0 · 32 of 32 lanes · 4 bytes each", after a note if there is one:
/// "evidence of bank-conflict · load of line 12 · ...".
std::string access_text(const AccessInfo& access, const SourceLines& lines, const std::string& note = {});

/// Columns and vertical places of the rows, 32 words across.
struct MemoryGrid {
  float left = 0, word_pitch = 0, group_gap = 0, row_height = 0, width = 0;
  std::vector<float> tops;  ///< one per row
  float bottom = 0;
  float word_x(int word) const {
    const int sector = word / 8;
    return left + word_pitch * static_cast<float>(word) + group_gap * static_cast<float>(sector);
  }
  scene::Rect word(std::size_t row, int word) const { return {word_x(word), tops[row], word_pitch - 1, row_height}; }
};

/// Draws the fill of one word: split where its bytes belong to different elements or lanes.
struct WordPainter {
  const Theme& theme;
  const Coloring& coloring;
  int buffer = -1, element_bits = 32;

  int ramp_of_lane(int lane) const { return Theme::ramp_index(lane, 32); }
  int ramp_of_element(std::uint64_t element) const {
    return Theme::ramp_index(coloring.of_element(buffer, element), coloring.count(buffer));
  }
  /// Ramp position for `byte` of word number `word`, touched by `lanes`.
  int ramp_of_byte(std::uint64_t word, int byte, std::uint32_t lanes) const;
  void paint(scene::Scene& scene, scene::Rect rect, std::uint64_t word, const AccessedWord& touched) const;
};

}  // namespace lanescope::views
