#include "viz/page/html/shapes.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/base/enum_size.h"
#include "viz/page/markdown.h"

namespace lanescope::page {
namespace {

std::string runs_markup(const std::vector<Run>& runs) {
  std::string out;
  for (const Run& run : runs) {
    std::string words = escaped(run.text);
    if (run.code) words = "<code>" + words + "</code>";
    if (run.slanted) words = "<em>" + words + "</em>";
    out += run.bold ? "<strong>" + words + "</strong>" : words;
  }
  return out;
}

/// One list or one list within another.
std::string list_markup(const std::vector<Paragraph>& all, std::size_t& n) {
  const Paragraph::Kind kind = all[n].kind;
  const int depth = all[n].depth;
  const std::string tag = kind == Paragraph::Kind::bullet ? "ul" : "ol";
  std::string out = "<" + tag + ">";
  while (n < all.size() && all[n].kind == kind && all[n].depth == depth) {
    out += "<li>" + runs_markup(all[n++].runs);
    const bool inner = n < all.size() && all[n].depth > depth &&
                       (all[n].kind == Paragraph::Kind::bullet || all[n].kind == Paragraph::Kind::numbered);
    out += (inner ? list_markup(all, n) : std::string()) + "</li>";
  }
  return out + "</" + tag + ">\n";
}

/// Whether each character of a line is in a comment, line by line.
class Comments {
 public:
  std::string line(const std::string& text) {
    std::string out;
    std::size_t begin = 0;
    const auto flush = [&](std::size_t end, bool comment) {
      if (end > begin)
        out += (comment ? "<i>" : "") + escaped(text.substr(begin, end - begin)) + (comment ? "</i>" : "");
      begin = end;
    };
    char quote = 0;
    for (std::size_t n = 0; n < text.size(); ++n) {
      if (inside_) {
        if (text.compare(n, 2, "*/") == 0) flush(n += 2, true), inside_ = false, --n;
      } else if (quote != 0) {
        if (text[n] == '\\')
          ++n;
        else if (text[n] == quote)
          quote = 0;
      } else if (text[n] == '"' || text[n] == '\'') {
        quote = text[n];
      } else if (text.compare(n, 2, "//") == 0) {
        flush(n, false);
        return flush(text.size(), true), out;
      } else if (text.compare(n, 2, "/*") == 0) {
        flush(n++, false), inside_ = true;
      }
    }
    flush(text.size(), inside_);
    return out;
  }

 private:
  bool inside_ = false;
};

constexpr int lines_around = 4;  ///< of an excerpt

/// First and last line of a file that are shown, from 1; the last one before the first: none.
std::pair<int, int> lines_shown(const Player& player, const SourceFile& file) {
  const int count = static_cast<int>(file.lines.size());
  if (!player.excerpt) return {1, count};
  int low = count + 1, high = 0;
  for (const Step& step : player.steps) {
    const int line = step.line - file.first_line + 1;
    if (line >= 1 && line <= count) low = std::min(low, line), high = std::max(high, line);
  }
  return {std::max(1, low - lines_around), high == 0 ? 0 : std::min(count, high + lines_around)};
}

std::string source_markup(const Player& player, const Source& source) {
  const int current = player.steps.empty() ? 0 : player.steps.front().line;
  std::string out = fmt::format("<div class=\"source\" tabindex=\"0\" role=\"region\" aria-label=\"Source\">");
  for (std::size_t n = 0; n < source.files.size(); ++n) {
    const SourceFile& file = source.files[n];
    const auto [first, last] = lines_shown(player, file);
    if (n > 0 && first <= last) out += "<h3>" + escaped(file.name) + "</h3>";
    Comments comments;
    for (int line = 1; line <= last; ++line) {
      const std::string words = comments.line(file.lines[static_cast<std::size_t>(line) - 1]);
      const int unit_line = file.first_line + line - 1;
      if (line >= first)
        out += fmt::format("<div class=\"line{}\" data-line=\"{}\"><b>{}</b><code>{}</code></div>",
                           unit_line == current ? " current" : "", unit_line, line, words);
    }
  }
  return out + "</div>\n";
}

std::string svg_markup(const Picture& picture, const std::string& inside) {
  const std::string w = number(picture.scene(Look::light).width), h = number(picture.scene(Look::light).height);
  return fmt::format(
      "<div class=\"picture\" data-name=\"{}\"><h3>{}</h3><div class=\"scroll\" tabindex=\"0\" role=\"group\" "
      "aria-label=\"{}\"><svg viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" style=\"--w: {}px\" role=\"img\" "
      "aria-label=\"{}\">{}</svg></div></div>\n",
      escaped(picture.name), escaped(picture.title), escaped(picture.title), w, h, w, h, w, escaped(picture.title),
      inside);
}

std::string markdown_table_markup(const MarkdownTable& table) {
  std::string out = "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table>";
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const std::string cell = r == 0 ? "th" : "td";
    out += r == 0 ? "<thead><tr>" : "<tr>";
    for (std::size_t c = 0; c < table.columns(); ++c)
      out += fmt::format("<{}{}{}>{}</{}>", cell, r == 0 ? " scope=\"col\"" : "",
                         table.right[c] ? " class=\"right\"" : " class=\"left\"",
                         runs_markup(runs_of(table.rows[r][c])), cell);
    out += r == 0 ? "</tr></thead><tbody>\n" : "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::array<scene::Paper, look_count> papers_of(const Document& document) {
  return {document.of(Look::light).paper, document.of(Look::dark).paper};
}

}  // namespace

std::string text_markup(const Text& text) {
  const std::vector<Paragraph> all = paragraphs_of(text.markdown);
  std::string out;
  for (std::size_t n = 0; n < all.size();) {
    switch (all[n].kind) {
      case Paragraph::Kind::plain:
        out += "<p>" + runs_markup(all[n++].runs) + "</p>\n";
        break;
      case Paragraph::Kind::heading:
        out += "<h3>" + runs_markup(all[n++].runs) + "</h3>\n";
        break;
      case Paragraph::Kind::code:
        out += "<pre tabindex=\"0\"><code>" + escaped(all[n++].runs.front().text) + "</code></pre>\n";
        break;
      case Paragraph::Kind::table:
        out += markdown_table_markup(*all[n++].table);
        break;
      case Paragraph::Kind::bullet:
      case Paragraph::Kind::numbered:
        out += list_markup(all, n);
    }
  }
  return out;
}

std::string table_markup(const Table& table) {
  std::string out = "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"" + escaped(table.caption) +
                    "\"><table" + (table.words ? " class=\"words\"" : "") + "><caption>" + escaped(table.caption) +
                    "</caption><thead><tr>";
  for (const std::string& heading : table.headings) out += "<th scope=\"col\">" + escaped(heading) + "</th>";
  out += "</tr></thead><tbody>\n";
  for (const std::vector<std::string>& row : table.rows) {
    out += "<tr>";
    for (const std::string& cell : row) out += "<td>" + escaped(cell) + "</td>";
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string question_markup(const Question& q, int number) {
  using Kind = Question::Kind;
  std::string out = fmt::format(
      "<form class=\"question\" data-question=\"{}\" autocomplete=\"off\"><fieldset><legend>Question {}</legend>{}",
      number, number + 1, text_markup({q.ask}));
  const std::string name = fmt::format("q{}", number);
  if (q.kind == Kind::choice) {
    for (std::size_t n = 0; n < q.choices.size(); ++n)
      out += fmt::format("<label class=\"choice\"><input type=\"radio\" name=\"{}\" value=\"{}\"> {}</label>\n", name,
                         n, escaped(q.choices[n]));
  } else if (q.kind == Kind::code) {
    if (!q.given.empty())
      out += fmt::format("<p>File <code>{}</code>:</p><pre tabindex=\"0\"><code>{}</code></pre>", escaped(q.file),
                         escaped(q.given));
    out += fmt::format("<p>Change it until this command succeeds:</p><pre tabindex=\"0\"><code>{}</code></pre>",
                       escaped(q.command));
  } else {
    out += fmt::format("<label>{} <input name=\"{}\" type=\"text\" spellcheck=\"false\" {}></label>{}\n",
                       q.kind == Kind::row ? "Row" : "Answer", name,
                       q.kind == Kind::row ? "class=\"wide\"" : "inputmode=\"decimal\" class=\"number\"",
                       q.unit.empty() ? "" : " <span class=\"unit\">" + escaped(q.unit) + "</span>");
  }
  out += "<div class=\"buttons\">";
  if (q.kind != Kind::code) out += "<button type=\"submit\">Check</button>";
  if (!q.hint.empty()) out += "<button type=\"button\" class=\"hint\" aria-expanded=\"false\">Hint</button>";
  out += fmt::format("<button type=\"button\" class=\"reveal\" aria-expanded=\"false\">Show the {}</button></div>",
                     q.kind == Kind::code ? "solution" : "answer");
  return out + "<p class=\"graded\" role=\"status\"></p><div class=\"more\"></div></fieldset></form>\n";
}

std::string question_json(const Question& q) {
  static constexpr std::string_view kinds[] = {"number", "choice", "row", "code"};
  const bool code = q.kind == Question::Kind::code;
  std::string why = code && !q.solution.empty()
                        ? fmt::format("<p>File <code>{}</code>:</p><pre tabindex=\"0\"><code>{}</code></pre>",
                                      escaped(q.solution_file), escaped(q.solution))
                        : std::string();
  why += text_markup({q.why});
  std::string choices;
  for (const std::string& choice : q.choices) choices += (choices.empty() ? "" : ",") + json_text(choice);
  return fmt::format("{{\"kind\":\"{}\",\"answer\":{},\"unit\":{},\"choices\":[{}],\"hint\":{},\"why\":{}}}",
                     entry_for(kinds, q.kind), json_text(q.answer), json_text(q.unit), choices,
                     json_text(q.hint.empty() ? "" : text_markup({q.hint})), json_text(why));
}

std::string player_markup(const Player& player, int number, const Document& document, Shapes& shapes) {
  if (player.steps.empty()) return {};
  const Step& first = player.steps.front();
  const std::size_t steps = player.steps.size();
  std::string out = fmt::format("<figure class=\"player{}\" id=\"player{}\" data-player=\"{}\">\n",
                                player.source < 0 ? " alone" : "", number, number);
  out += fmt::format("<div class=\"bar\" role=\"group\" aria-label=\"Steps: {}\">", escaped(player.name));
  if (steps > 1)
    out += fmt::format(
        "<button type=\"button\" class=\"back\" aria-label=\"Step back\" title=\"Step back (left arrow)\">◀</button>"
        "<button type=\"button\" class=\"forward\" aria-label=\"Step forward\" title=\"Step forward (right arrow)\">▶"
        "</button><button type=\"button\" class=\"play\" aria-pressed=\"false\">Play</button><input type=\"range\" "
        "min=\"0\" max=\"{}\" value=\"0\" step=\"1\" aria-label=\"Step\" "
        "aria-valuetext=\"{}\">",
        steps - 1, escaped(first.title));
  out += fmt::format("<output class=\"where\">{}</output></div>\n", escaped(first.title));
  out += fmt::format(
      "<p class=\"caption\" aria-live=\"polite\"><code>{}</code><span>{}</span></p>\n<div class=\"body\">\n",
      escaped(first.code), escaped(first.caption));
  if (player.source >= 0) out += source_markup(player, document.sources[static_cast<std::size_t>(player.source)]);
  out += "<div class=\"pictures\">\n";
  for (const Picture& picture : first.pictures)
    out += svg_markup(picture, shapes.markup(shapes.add(picture, papers_of(document))));
  return out +
         "</div></div>\n<p class=\"fact\">Point at a cell or a line to see where its element is; a click keeps "
         "it.</p></figure>\n";
}

std::string player_json(const Player& player, const Document& document, Shapes& shapes) {
  const auto papers = papers_of(document);
  std::vector<std::pair<std::string, Shapes::List>> last;
  std::string steps;
  for (const Step& step : player.steps) {
    std::string pictures;
    for (const Picture& picture : step.pictures) {
      auto before = std::ranges::find(last, picture.name, &std::pair<std::string, Shapes::List>::first);
      if (before == last.end()) before = last.insert(last.end(), {picture.name, {}});
      const Shapes::List now = shapes.add(picture, papers);
      pictures += fmt::format("{}[{},{},{},{},{}]", pictures.empty() ? "" : ",", shapes.text(picture.name),
                              shapes.text(picture.title), number(picture.scene(Look::light).width),
                              number(picture.scene(Look::light).height), difference(before->second, now));
      before->second = now;
    }
    steps += fmt::format("{}[{},{},{},{},[{}]]", steps.empty() ? "" : ",\n", shapes.text(step.title), step.line,
                         shapes.text(step.code), shapes.text(step.caption), pictures);
  }
  return "{\"steps\":[" + steps + "]}";
}

}  // namespace lanescope::page
