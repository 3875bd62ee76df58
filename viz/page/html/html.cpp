#include "viz/page/html/html.h"

#include <fmt/format.h>

#include <filesystem>

#include "kernels/base/read_file.h"
#include "kernels/resources/resources.h"
#include "viz/page/html/shapes.h"
#include "viz/paint/paint.h"

namespace lanescope::page {
namespace {

Expected<std::string> asset(const char* name) {
  const std::filesystem::path path = resources::assets_directory() / "handout" / name;
  auto text = read_file(path.string());
  if (!text || text->empty())
    return failure(Diagnostic{.file = path.string(),
                              .message = "this part of every handout cannot be read",
                              .remedy = "install lanescope again, or set LANESCOPE_ASSETS"});
  return text;
}

std::string with_alpha(scene::Color c) { return fmt::format("#{:08x}", c.rgba); }

std::string variables(const Colors& c) {
  return fmt::format(
      "--background:{};--panel:{};--border:{};--text:{};--text-dim:{};--accent:{};--row:{};--good:{};--bad:{};"
      "--selected:{};--hatch:{};",
      with_alpha(c.background), with_alpha(c.panel), with_alpha(c.border), with_alpha(c.text), with_alpha(c.text_dim),
      with_alpha(c.accent), with_alpha(c.row_highlight), with_alpha(c.good), with_alpha(c.bad), with_alpha(c.selected),
      with_alpha(c.paper.hatch));
}

/// Text by which fonts are measured. The script compares its width with that of the font that is there, and makes the
/// letters smaller where they would be wider.
constexpr std::string_view sample = "Registers of warp 0, line 58: 128 bytes of p[0, 4, 6]";

class HtmlPage {
 public:
  explicit HtmlPage(const Document& document) : document_(document) {}

  Expected<std::string> write() {
    const auto css = asset("page.css"), script = asset("page.js");
    if (!css) return tl::unexpected(css.error());
    if (!script) return tl::unexpected(script.error());
    const std::string main = sections();  // before the style sheet, whose rules it makes
    std::string out = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"{}\">\n"
        "<link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n<style>\n",
        escaped(document_.made_by), escaped(document_.title));
    out += fmt::format(":root{{{}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{}}}}}\n",
                       variables(document_.of(Look::light)), variables(document_.of(Look::dark)));
    out += *css + shapes_.style_sheet() + "</style></head>\n<body>\n";
    out +=
        "<svg width=\"0\" height=\"0\" class=\"defs\" aria-hidden=\"true\"><defs><pattern id=\"hatch\" width=\"5\" "
        "height=\"5\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><line x1=\"0\" y1=\"0\" x2=\"0\" "
        "y2=\"5\"></line></pattern></defs></svg>\n";
    out += header() + "<main>\n" + main + "</main>\n";
    if (!document_.made_by.empty()) out += "<footer>Made by " + escaped(document_.made_by) + "</footer>\n";
    out += "<script type=\"application/json\" id=\"data\">\n{" + shapes_.json() + ",\n\"players\":[" + players_ +
           "],\n\"questions\":[" + questions_ + "],\n\"sample\":" + json_text(sample) +
           fmt::format(",\"widths\":[{:.4f},{:.4f}]}}\n</script>\n", paint::text_width(scene::Face::sans, 1, sample),
                       paint::text_width(scene::Face::mono, 1, sample));
    return out + "<script>\n" + *script + "</script>\n</body></html>\n";
  }

 private:
  std::string header() const {
    std::string out = "<header><div><h1>" + escaped(document_.title) + "</h1>\n";
    if (!document_.summary.empty()) out += text_markup({document_.summary});
    out += "</div>\n";
    std::string links;
    int headings = 0;
    for (std::size_t n = 0; n < document_.sections.size(); ++n) {
      if (document_.sections[n].heading.empty()) continue;
      links += fmt::format("<li><a href=\"#section{}\">{}</a></li>", n, escaped(document_.sections[n].heading));
      ++headings;
    }
    if (headings > 1) out += "<nav aria-label=\"Sections\"><ol>" + links + "</ol></nav>\n";
    return out + "</header>\n";
  }

  std::string sections() {
    std::string out;
    for (std::size_t n = 0; n < document_.sections.size(); ++n) {
      const Section& section = document_.sections[n];
      out += fmt::format("<section id=\"section{}\">\n", n);
      if (!section.heading.empty()) out += "<h2>" + escaped(section.heading) + "</h2>\n";
      for (const Block& each : section.blocks) out += std::visit([&](const auto& b) { return block(b); }, each);
      out += "</section>\n";
    }
    return out;
  }

  std::string block(const Text& text) { return text_markup(text); }
  std::string block(const Table& table) { return table_markup(table); }
  std::string block(const Question& question) {
    questions_ += (questions_.empty() ? "" : ",\n") + question_json(question);
    return question_markup(question, question_count_++);
  }
  std::string block(const Player& player) {
    if (player.steps.empty()) return {};
    players_ += (players_.empty() ? "" : ",\n") + player_json(player, document_, shapes_);
    return player_markup(player, player_count_++, document_, shapes_);
  }

  const Document& document_;
  Shapes shapes_;
  std::string players_, questions_;
  int player_count_ = 0, question_count_ = 0;
};

}  // namespace

Expected<std::string> to_html(const Document& document) { return HtmlPage(document).write(); }

}  // namespace lanescope::page
