#include "viz/page/slides.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/base/text.h"
#include "viz/page/markdown.h"
#include "viz/paint/paint.h"

namespace lanescope::page {
namespace {

using scene::Color;
using scene::Face;
using scene::Point;
using scene::Scene;

constexpr float margin = 48, inner_width = slide_width - 2 * margin, bottom = slide_height - 48;
constexpr float title_size = 24, text_size = 20, code_size = 17, table_size = 15, line_height = 1.5f;
constexpr float most_zoom = 1.6f;  ///< of a picture

Point scaled(Point p, Point at, float scale) { return {at.x + p.x * scale, at.y + p.y * scale}; }

Scene empty_slide() { return Scene{.width = slide_width, .height = slide_height}; }

/// A picture as a part of a slide.
void place(const Scene& from, Scene& to, Point at, float scale) {
  const auto box = [&](scene::Box b) {
    const Point corner = scaled({b.rect.x, b.rect.y}, at, scale);
    b.rect = {corner.x, corner.y, b.rect.w * scale, b.rect.h * scale};
    b.radius *= scale, b.stroke_width *= scale;
    return b;
  };
  for (const scene::Box& b : from.boxes) to.boxes.push_back(box(b));
  for (scene::Line l : from.lines) {
    l.from = scaled(l.from, at, scale), l.to = scaled(l.to, at, scale), l.width *= scale;
    to.lines.push_back(l);
  }
  for (scene::Label l : from.labels) {
    if (scale < l.min_scale) continue;
    l.at = scaled(l.at, at, scale), l.size *= scale, l.max_width *= scale, l.min_scale = 0;
    to.labels.push_back(std::move(l));
  }
  for (const scene::Box& b : from.outlines) to.outlines.push_back(box(b));
  for (scene::Arrow a : from.arrows) {
    a.from = scaled(a.from, at, scale), a.to = scaled(a.to, at, scale), a.width *= scale;
    to.arrows.push_back(std::move(a));
  }
  to.groups = from.groups;
}

class Deck {
 public:
  Deck(const Document& document, Look look) : document_(document), look_(look), colors_(document.of(look)) {}

  std::vector<Scene> all() {
    title_slide();
    for (const Section& section : document_.sections) {
      heading_ = section.heading.empty() ? document_.title : section.heading;
      for (const Block& each : section.blocks) std::visit([&](const auto& b) { block(b); }, each);
      close();
    }
    return std::move(slides_);
  }

  Scene moment() {
    for (const Section& section : document_.sections)
      for (const Block& each : section.blocks)
        if (const auto* player = std::get_if<Player>(&each); player != nullptr && !player->steps.empty()) {
          step(*player, player->steps.front(), {});
          return std::move(slides_.front());
        }
    return {};
  }

 private:
  // --- one slide
  Scene& open(const std::string& title, const std::string& right = {}) {
    slides_.push_back(empty_slide());
    const float room = right.empty() ? 0 : paint::text_width(Face::sans, 16, right) + 24;
    label({margin, 42}, title, colors_.text, Face::sans_bold, title_size, inner_width - room);
    if (!right.empty())
      slides_.back().labels.push_back({.at = {slide_width - margin, 42},
                                       .text = right,
                                       .color = colors_.text_dim,
                                       .size = 16,
                                       .align = scene::Align::right});
    y_ = 84;
    return slides_.back();
  }
  void label(Point at, std::string text, Color color, Face face, float size, float room = 0) {
    slides_.back().labels.push_back(
        {.at = at, .text = std::move(text), .color = color, .face = face, .size = size, .max_width = room});
  }

  // --- text that flows from slide to slide
  void close() { flowing_ = false; }
  void need(float height) {
    if (flowing_ && y_ + height <= bottom) return;
    open(heading_);
    flowing_ = true;
  }
  void flow_line(const std::string& text, float indent, Face face, float size, Color color) {
    const float height = size * line_height;
    need(height);
    label({margin + indent, y_ + height / 2}, text, color, face, size, inner_width - indent);
    y_ += height;
  }
  void flow(std::string_view text, float indent, Face face, float size, Color color, const std::string& mark = {}) {
    bool first = true;
    for (const std::string& each : wrapped(text, [&](const std::string& line) {
           return paint::text_width(face, size, line) <= inner_width - indent;
         })) {
      flow_line(each, indent, face, size, color);
      if (first && !mark.empty())
        label({margin + indent - 26, y_ - size * line_height / 2}, mark, colors_.text_dim, Face::sans, size);
      first = false;
    }
  }

  void block(const Text& text) {
    int number = 0;
    for (const Paragraph& p : paragraphs_of(text.markdown)) {
      std::string words;
      for (const Run& run : p.runs) words += run.text;
      number = p.kind == Paragraph::Kind::numbered ? number + 1 : 0;
      const float indent = static_cast<float>(p.depth) * 28 + 28;
      switch (p.kind) {
        case Paragraph::Kind::plain:
          flow(words, 0, Face::sans, text_size, colors_.text);
          break;
        case Paragraph::Kind::heading:
          flow(words, 0, Face::sans_bold, text_size, colors_.text);
          break;
        case Paragraph::Kind::bullet:
          flow(words, indent, Face::sans, text_size, colors_.text, "•");
          break;
        case Paragraph::Kind::numbered:
          flow(words, indent, Face::sans, text_size, colors_.text, fmt::format("{}.", number));
          break;
        case Paragraph::Kind::code:
          code_block(words);
          break;
        case Paragraph::Kind::table:
          block(*p.table);
          break;
      }
      y_ += 10;
    }
  }

  void code_block(const std::string& text) {
    for (const std::string_view line : split_lines(text))
      flow_line(std::string(line), 16, Face::mono, code_size, colors_.text);
  }

  void block(const Table& table) {
    std::vector<bool> right(table.headings.size(), !table.words);
    if (!right.empty()) right[0] = false;
    need(3 * table_size * line_height);
    flow_line(table.caption, 0, Face::sans_bold, 17, colors_.text);
    rows_of(table.headings, table.rows, right);
  }

  /// Rows below each other, cells that are too wide in several lines; a slide begins with the headings again.
  void rows_of(const std::vector<std::string>& headings, const std::vector<std::vector<std::string>>& rows,
               const std::vector<bool>& right) {
    constexpr float gap = 20, line = table_size * line_height;
    std::vector<float> widths(headings.size(), 0);
    const auto measure = [&](const std::vector<std::string>& row) {
      for (std::size_t n = 0; n < std::min(row.size(), widths.size()); ++n)
        widths[n] = std::max(widths[n], paint::text_width(Face::sans, table_size, row[n]) + gap);
    };
    measure(headings);
    for (const auto& row : rows) measure(row);
    widths = column_widths(std::move(widths), inner_width);
    const auto lines_of = [&](const std::vector<std::string>& row) {
      std::vector<std::vector<std::string>> cells;
      for (std::size_t n = 0; n < std::min(row.size(), widths.size()); ++n)
        cells.push_back(wrapped(row[n], [&](const std::string& words) {
          return paint::text_width(Face::sans, table_size, words) <= widths[n] - gap + 1;
        }));
      return cells;
    };
    const auto height_of = [&](const std::vector<std::vector<std::string>>& cells) {
      std::size_t most = 1;
      for (const auto& cell : cells) most = std::max(most, cell.size());
      return static_cast<float>(most) * line + 4;
    };
    const auto put = [&](const std::vector<std::vector<std::string>>& cells, Color color) {
      float x = margin;
      for (std::size_t n = 0; n < cells.size(); ++n) {
        float y = y_ + line / 2;
        for (const std::string& words : cells[n]) {
          slides_.back().labels.push_back({.at = {right[n] ? x + widths[n] - gap / 2 : x, y},
                                           .text = words,
                                           .color = color,
                                           .size = table_size,
                                           .align = right[n] ? scene::Align::right : scene::Align::left,
                                           .max_width = widths[n] - gap / 2});
          y += line;
        }
        x += widths[n];
      }
      y_ += height_of(cells);
    };
    const auto head = lines_of(headings);
    need(height_of(head) + line);
    put(head, colors_.text_dim);
    for (const auto& row : rows) {
      const auto cells = lines_of(row);
      if (y_ + height_of(cells) > bottom) need(height_of(cells)), put(head, colors_.text_dim);
      put(cells, colors_.text);
    }
    y_ += 16;
  }

  void block(const MarkdownTable& table) {
    const auto plain = [](const std::vector<std::string>& cells) {
      std::vector<std::string> out;
      for (const std::string& cell : cells) {
        out.emplace_back();
        for (const Run& run : runs_of(cell)) out.back() += run.text;
      }
      return out;
    };
    std::vector<std::vector<std::string>> rows;
    for (const auto& row : std::span(table.rows).subspan(1)) rows.push_back(plain(row));
    rows_of(plain(table.rows[0]), rows, table.right);
  }

  // --- steps
  void block(const Player& player) {
    close();
    for (std::size_t n = 0; n < player.steps.size(); ++n)
      step(player, player.steps[n],
           player.steps.size() > 1 ? fmt::format("step {} of {}", n + 1, player.steps.size()) : std::string());
    close();
  }

  const SourceFile* file_of(const Player& player, int line) const {
    if (player.source < 0 || line <= 0) return nullptr;
    for (const SourceFile& file : document_.sources[static_cast<std::size_t>(player.source)].files)
      if (line >= file.first_line && line < file.first_line + static_cast<int>(file.lines.size())) return &file;
    return nullptr;
  }

  /// The line with its neighbours.
  void code(const Player& player, const Step& step) {
    const SourceFile* file = file_of(player, step.line);
    if (file == nullptr) return;
    constexpr float height = 26;
    const int current = step.line - file->first_line;
    const int first = std::max(0, current - 1), last = std::min(static_cast<int>(file->lines.size()) - 1, current + 1);
    Scene& slide = slides_.back();
    slide.boxes.push_back({.rect = {margin, y_ - 6, inner_width, height * static_cast<float>(last - first + 1) + 12},
                           .fill = colors_.background,
                           .stroke = colors_.border,
                           .radius = 6});
    for (int n = first; n <= last; ++n, y_ += height) {
      if (n == current) {
        slide.boxes.push_back({.rect = {margin + 1, y_, inner_width - 2, height}, .fill = colors_.row_highlight});
        slide.boxes.push_back({.rect = {margin + 1, y_, 4, height}, .fill = colors_.accent});
      }
      const Color color = n == current ? colors_.text : colors_.text_dim;
      slide.labels.push_back({.at = {margin + 52, y_ + height / 2},
                              .text = std::to_string(n + 1),
                              .color = colors_.text_dim,
                              .face = Face::mono,
                              .size = 15,
                              .align = scene::Align::right});
      label({margin + 68, y_ + height / 2}, file->lines[static_cast<std::size_t>(n)], color, Face::mono, code_size,
            inner_width - 84);
    }
    y_ += 20;
  }

  void step(const Player& player, const Step& step, const std::string& where) {
    open(document_.title, step.title + (where.empty() ? "" : " · " + where));
    y_ = 74;
    code(player, step);
    const float end = step.caption.empty() ? bottom + 12 : bottom - 24;
    pictures(step, end);
    if (!step.caption.empty()) {
      float y = bottom + 4;
      label({margin, y}, step.caption, colors_.text, Face::sans, 18, inner_width);
    }
  }

  /// Below each other or side by side, whichever is larger.
  void pictures(const Step& step, float end) {
    constexpr float heading = 26, gap = 24;
    std::vector<const Picture*> shown;
    for (const Picture& p : step.pictures)
      if (!p.of_before) shown.push_back(&p);
    if (shown.empty()) return;
    float widest = 0, heights = 0, widths = 0, highest = 0;
    for (const Picture* p : shown) {
      const Scene& s = p->scene(look_);
      widest = std::max(widest, s.width), highest = std::max(highest, s.height);
      heights += s.height, widths += s.width;
    }
    const auto count = static_cast<float>(shown.size());
    const float room = end - y_;
    const float below = std::min(inner_width / widest, (room - count * heading) / heights);
    const float beside = std::min((inner_width - (count - 1) * gap) / widths, (room - heading) / highest);
    const float scale = std::max(0.05f, std::min(most_zoom, std::max(below, beside)));
    Point at{margin, y_};
    for (const Picture* p : shown) {
      const Scene& s = p->scene(look_);
      label({at.x, at.y + 10}, p->title, colors_.text_dim, Face::sans_bold, 14);
      place(s, slides_.back(), {at.x, at.y + heading}, scale);
      if (below >= beside)
        at.y += heading + s.height * scale;
      else
        at.x += s.width * scale + gap;
    }
  }

  // --- questions: one slide to think, one with the answer
  void question(const Question& q, const char* title) {
    heading_ = title;
    close();
    need(0);
    block(Text{q.ask});
    for (std::size_t n = 0; n < q.choices.size(); ++n)
      flow(q.choices[n], 32, Face::sans, text_size, colors_.text, std::string(1, static_cast<char>('A' + n % 26)));
    if (q.kind == Question::Kind::code) {
      if (!q.given.empty()) code_block(q.given);
      block(Text{"Change the file until this command succeeds:"});
      code_block(q.command);
    }
  }
  void block(const Question& q) {
    const std::string heading = heading_;
    question(q, "Question");
    if (q.kind == Question::Kind::code && !q.solution.empty()) {
      heading_ = "Solution";
      close();
      code_block(q.solution);
    } else {
      question(q, "Answer");
      y_ += 16;
      flow(q.answer + (q.unit.empty() ? "" : " " + q.unit), 0, Face::sans_bold, 28, colors_.good);
      y_ += 8;
    }
    block(Text{q.why});
    heading_ = heading;
    close();
  }

  void title_slide() {
    slides_.push_back(empty_slide());
    label({margin, 320}, document_.title, colors_.text, Face::sans_bold, 44, inner_width);
    y_ = 372;
    flowing_ = true;
    for (const Paragraph& p : paragraphs_of(document_.summary)) {
      std::string words;
      for (const Run& run : p.runs) words += run.text;
      flow(words, 0, Face::sans, 22, colors_.text_dim);
    }
    label({margin, bottom}, document_.made_by, colors_.text_dim, Face::sans, 14, inner_width);
    close();
  }

  const Document& document_;
  Look look_;
  const Colors& colors_;
  std::vector<Scene> slides_;
  std::string heading_;
  float y_ = 0;
  bool flowing_ = false;
};

}  // namespace

std::vector<Scene> slides(const Document& document, Look look) { return Deck(document, look).all(); }

Scene moment_slide(const Document& document, Look look) { return Deck(document, look).moment(); }

scene::Paper slide_paper(const Document& document, Look look) { return document.of(look).paper; }

}  // namespace lanescope::page
