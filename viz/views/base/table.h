#pragma once
// Rows and columns inside a scene, and the text in place of a part that was not measured.

#include <span>
#include <string>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "viz/views/base/draw.h"

namespace lanescope::views {

inline constexpr float table_margin = 12, table_row_height = 20, table_heading_height = 24;

/// Words are cut where the next column begins.
struct TableColumn {
  std::string heading{};
  float x = 0;        ///< left edge, or right edge where `right`
  float room = 0;     ///< 0: as much as there is
  bool right = true;  ///< numbers
  Face face = Face::mono;
};

void draw_headings(Scene& scene, std::span<const TableColumn> columns, float y, const Theme& theme);
/// One row with `id`; `cells` may be fewer than the columns.
void draw_row(Scene& scene, std::span<const TableColumn> columns, const Id& id, float y,
              std::span<const std::string> cells, bool selected, const Theme& theme);

/// `text` cut between words into lines that are no wider than `width`.
std::vector<std::string> wrapped(std::string_view text, float width, float size_px);
/// Lines of a paragraph below `y`; returns where they end.
float draw_paragraph(Scene& scene, std::string_view text, float x, float y, float width, Color color, float size_px);

/// Why parts were not measured, each with its remedy, below `y`; returns where they end.
float draw_refusals(Scene& scene, const Diagnostics& refused, float y, const Theme& theme);
/// A whole view of a missing part: `title` ("Stalls"), the reason and the remedy. Where nothing was refused:
/// `sentence`.
Scene refused_view(const Diagnostics& refused, std::string title, const std::string& sentence, float width,
                   const Theme& theme);

}  // namespace lanescope::views
