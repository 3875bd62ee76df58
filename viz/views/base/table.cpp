#include "viz/views/base/table.h"

#include <algorithm>

#include "kernels/base/text.h"

namespace lanescope::views {

void draw_headings(Scene& scene, std::span<const TableColumn> columns, float y, const Theme& theme) {
  for (const TableColumn& c : columns)
    add_text(scene, {c.x, y + table_heading_height / 2}, c.heading, theme.text_dim, type_px::tiny, Face::sans,
             c.right ? Align::right : Align::left);
}

void draw_row(Scene& scene, std::span<const TableColumn> columns, const Id& id, float y,
              std::span<const std::string> cells, bool selected, const Theme& theme) {
  add_box(scene, {0, y, scene.width, table_row_height}, selected ? theme.row_highlight : Color{}, id);
  for (std::size_t n = 0; n < cells.size() && n < columns.size(); ++n) {
    const TableColumn& c = columns[n];
    const bool mono = c.face == Face::mono || c.face == Face::mono_bold;
    const float advance = type_px::code * (mono ? mono_advance : 0.62f);
    const std::string text = c.room > 0 ? cut(cells[n], std::max(static_cast<int>(c.room / advance), 2)) : cells[n];
    add_text(scene, {c.x, y + table_row_height / 2}, text, theme.text, type_px::code, c.face,
             c.right ? Align::right : Align::left, id);
  }
}

std::vector<std::string> wrapped(std::string_view text, float width, float size_px) {
  return lanescope::wrapped(text, [&](const std::string& line) { return sans_width(line, size_px) * 1.06f <= width; });
}

float draw_paragraph(Scene& scene, std::string_view text, float x, float y, float width, Color color, float size_px) {
  for (std::string& line : wrapped(text, width, size_px)) {
    add_text(scene, {x, y + size_px * 0.7f}, std::move(line), color, size_px, Face::sans, Align::left,
             {.kind = Id::Kind::remark}, width);
    y += size_px * 1.45f;
  }
  return y;
}

float draw_refusals(Scene& scene, const Diagnostics& refused, float y, const Theme& theme) {
  const float width = scene.width - 2 * table_margin;
  std::vector<std::string> said;  // parts that fail alike say so once
  for (const Diagnostic& d : refused) {
    const std::string text = d.message + "\n" + d.remedy;
    if (std::find(said.begin(), said.end(), text) != said.end()) continue;
    said.push_back(text);
    const bool note = d.severity == Severity::note;
    y = draw_paragraph(scene, d.message + (d.message.ends_with('.') ? "" : "."), table_margin, y, width,
                       note ? theme.text_dim : theme.text, type_px::body);
    if (!d.remedy.empty())
      y = draw_paragraph(scene, "To do: " + d.remedy + (d.remedy.ends_with('.') ? "" : "."), table_margin, y + 1, width,
                         theme.text_dim, type_px::body);
    y += 8;
  }
  return y;
}

Scene refused_view(const Diagnostics& refused, std::string title, const std::string& sentence, float width,
                   const Theme& theme) {
  Scene scene{.width = width};
  add_text(scene, {table_margin, 16}, std::move(title) + ": not measured", theme.text, type_px::title, Face::sans_bold);
  if (refused.empty())
    scene.height =
        draw_paragraph(scene, sentence, table_margin, 32, width - 2 * table_margin, theme.text_dim, type_px::body) + 8;
  else
    scene.height = draw_refusals(scene, refused, 32, theme) + 4;
  return scene;
}

}  // namespace lanescope::views
