#include "app/gui/panels/lessons/markdown.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "app/gui/widgets/items.h"
#include "kernels/base/text.h"
#include "viz/page/markdown.h"

namespace lanescope::gui {
namespace {

enum class Face : std::uint8_t { plain, bold, emphasis, code };

struct Piece {
  std::string text;
  Face face = Face::plain;
  bool blank_before = false;
};

/// Words with their faces. A mark that is not closed is an ordinary character.
std::vector<Piece> pieces_of(std::string_view text) {
  std::vector<Piece> out;
  Face face = Face::plain;
  bool blank = false, joined = false;
  const auto add = [&](std::string_view letters) {
    if (joined && !blank && !out.empty() && out.back().face == face)
      out.back().text += letters;
    else
      out.push_back({.text = std::string(letters), .face = face, .blank_before = blank});
    blank = false, joined = true;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const std::string_view rest = text.substr(i + 1);
    if (face == Face::code && c != '`') {
      if (c == ' ' || c == '\n')
        blank = true, joined = false;
      else
        add(text.substr(i, 1));
    } else if (c == '`' && (face == Face::code || rest.find('`') != std::string_view::npos)) {
      face = face == Face::code ? Face::plain : Face::code;
      joined = true;
    } else if (c == '*' && rest.starts_with('*') &&
               (face == Face::bold || rest.find("**", 1) != std::string_view::npos)) {
      face = face == Face::bold ? Face::plain : Face::bold;
      ++i;
    } else if (c == '*' && face != Face::bold &&
               (face == Face::emphasis ||
                (!rest.empty() && rest.front() != ' ' && rest.find('*') != std::string_view::npos))) {
      face = face == Face::emphasis ? Face::plain : Face::emphasis;
    } else if (c == ' ' || c == '\n' || c == '\t') {
      blank = true, joined = false;
    } else {
      add(text.substr(i, 1));
    }
  }
  return out;
}

/// Width of the pieces on one line.
float width_of(const Stage& stage, const std::vector<Piece>& pieces) {
  float width = 0;
  for (const Piece& p : pieces)
    width += text_width(p.face == Face::code   ? stage.fonts.code
                        : p.face == Face::bold ? stage.fonts.body_medium
                                               : stage.fonts.body,
                        p.text) +
             (p.blank_before ? text_width(stage.fonts.body, " ") : 0);
  return width;
}

/// From one line to the next.
float pitch_of(const Stage& stage, bool strong) {
  const ImFont* const font = strong ? stage.fonts.body_medium : stage.fonts.body;
  return std::max(stage.px(19), font->FontSize + stage.px(4));
}

float draw_pieces(const Stage& stage, ImVec2 at, float width, const std::vector<Piece>& pieces, MarkdownLook look) {
  const views::Theme& t = *stage.theme;
  const float pitch = pitch_of(stage, look.strong), space = text_width(stage.fonts.body, " ");
  float x = at.x, y = at.y + pitch / 2;
  for (const Piece& p : pieces) {
    ImFont* font = p.face == Face::code   ? stage.fonts.code
                   : p.face == Face::bold ? stage.fonts.body_medium
                                          : stage.fonts.body;
    const float w = text_width(font, p.text);
    if (p.blank_before && x > at.x) x += space;
    if (x > at.x && p.blank_before && x + w > at.x + width) x = at.x, y += pitch;
    if (p.face == Face::code)
      ImGui::GetWindowDrawList()->AddRectFilled({x - stage.px(2), y - pitch * 0.42f},
                                                {x + w + stage.px(2), y + pitch * 0.42f}, to_im(t.background),
                                                stage.px(3));
    draw_text(stage, font, {x, y}, p.face == Face::plain || p.face == Face::bold ? look.color : t.accent, p.text,
              TextAlign::left, p.face == Face::code ? std::max(width - (x - at.x), stage.px(20)) : 0);
    x += w;
  }
  return y + pitch / 2 - at.y;
}

/// Cells that are too wide take several lines.
float draw_table(const Stage& stage, ImVec2 at, float width, const page::MarkdownTable& table) {
  const float gap = stage.px(14), pad = stage.px(4), top = at.y;
  std::vector<float> widths(table.columns(), 0);
  std::vector<std::vector<std::vector<Piece>>> rows;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    rows.emplace_back();
    for (std::size_t c = 0; c < table.columns(); ++c) {
      rows.back().push_back(pieces_of(table.rows[r][c]));
      if (r == 0)
        for (Piece& p : rows.back().back()) p.face = Face::bold;
      widths[c] = std::max(widths[c], width_of(stage, rows.back().back()) + gap);
    }
  }
  widths = page::column_widths(std::move(widths), width);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (const auto& row : rows) {
    float x = at.x, height = 0;
    at.y += pad;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const float room = widths[c] - gap, free = std::max(room - width_of(stage, row[c]), 0.0f);
      height = std::max(height, draw_pieces(stage, {x + (table.right[c] ? free : 0), at.y}, room + 1, row[c],
                                            {.color = stage.theme->text}));
      x += widths[c];
    }
    at.y += height + pad;
    list.AddLine({at.x, at.y}, {std::min(x - gap, at.x + width), at.y}, to_im(stage.theme->border), stage.hairline());
  }
  return at.y - top;
}

bool is_item(std::string_view line) {
  line = without_indent(line);
  if (line.starts_with("- ") || line.starts_with("* ")) return true;
  const std::size_t digits = line.find_first_not_of("0123456789");
  return digits != 0 && digits != std::string_view::npos && line.substr(digits).starts_with(". ");
}

}  // namespace

float draw_markdown(const Stage& stage, ImVec2 at, float width, std::string_view text) {
  return draw_markdown(stage, at, width, text, {.color = stage.theme->text});
}

float draw_markdown(const Stage& stage, ImVec2 at, float width, std::string_view text, MarkdownLook look) {
  const float gap = stage.px(9), top = at.y;
  note_text(text);
  const std::vector<std::string_view> lines = split_lines(text);
  for (std::size_t i = 0; i < lines.size();) {
    if (is_blank(lines[i])) {
      ++i;
      continue;
    }
    if (trimmed(lines[i]).starts_with("```")) {
      const float pitch = std::max(stage.px(17), stage.fonts.code->FontSize + stage.px(2));
      std::size_t end = i + 1;
      while (end < lines.size() && !trimmed(lines[end]).starts_with("```")) ++end;
      const float height = pitch * static_cast<float>(end - i - 1) + stage.px(10);
      ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + width, at.y + height}, to_im(stage.theme->background),
                                                stage.px(4));
      float y = at.y + stage.px(5) + pitch / 2;
      for (std::size_t l = i + 1; l < end; ++l, y += pitch)
        draw_text(stage, stage.fonts.code, {at.x + stage.px(8), y}, stage.theme->text, lines[l], TextAlign::left,
                  width - stage.px(16));
      at.y += height + gap;
      i = end + 1;
      continue;
    }
    if (const auto table = page::table_at(std::span(lines).subspan(i))) {
      at.y += draw_table(stage, at, width, *table) + gap;
      i += table->lines;
      continue;
    }
    // A paragraph, or an item with the lines that belong to it.
    const bool item = is_item(lines[i]);
    std::string words(trimmed(lines[i]));
    std::size_t next = i + 1;
    while (next < lines.size() && !is_blank(lines[next]) && !is_item(lines[next]) &&
           !trimmed(lines[next]).starts_with("```") && !page::table_at(std::span(lines).subspan(next)))
      words += " " + std::string(trimmed(lines[next++]));
    i = next;
    float indent = 0;
    if (item) {
      const std::size_t end = words.find(' ');
      const bool bullet = words[0] == '-' || words[0] == '*';
      const std::string mark = bullet ? std::string() : words.substr(0, end);
      words = words.substr(end + 1);
      indent = stage.px(18);
      const ImVec2 middle{at.x + stage.px(4), at.y + pitch_of(stage, look.strong) / 2};
      if (bullet)
        ImGui::GetWindowDrawList()->AddCircleFilled({middle.x + stage.px(3), middle.y}, stage.px(2),
                                                    to_im(stage.theme->text_dim));
      else
        draw_text(stage, stage.fonts.body, middle, stage.theme->text_dim, mark);
    }
    std::vector<Piece> pieces = pieces_of(words);
    if (look.strong)
      for (Piece& p : pieces)
        if (p.face == Face::plain) p.face = Face::bold;
    at.y += draw_pieces(stage, {at.x + indent, at.y}, width - indent, pieces, look);
    const bool list_goes_on = item && i < lines.size() && is_item(lines[i]);
    at.y += list_goes_on ? stage.px(3) : gap;
  }
  return at.y - top;
}

float markdown_height(const Stage& stage, float width, std::string_view text, bool strong) {
  ImGui::PushClipRect({0, 0}, {0, 0}, false);
  const float height = draw_markdown(stage, {0, 0}, width, text, {.color = stage.theme->text, .strong = strong});
  ImGui::PopClipRect();
  return height;
}

}  // namespace lanescope::gui
