#include "app/handout/write.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/base/write_file.h"
#include "viz/page/html/html.h"
#include "viz/page/slides.h"
#include "viz/paint/paint.h"

namespace lanescope::handout {
namespace {

constexpr std::string_view endings[] = {".html", ".pdf", ".png", ".svg"};

std::string ending_of(const std::string& output) { return std::filesystem::path(output).extension().string(); }

std::size_t steps_of(const page::Document& document) {
  std::size_t steps = 0;
  for (const page::Section& section : document.sections)
    for (const page::Block& block : section.blocks)
      if (const auto* player = std::get_if<page::Player>(&block)) steps += player->steps.size();
  return steps;
}

template <class Bytes>
Expected<Written> save(const Expected<Bytes>& bytes, const std::string& output, Written written) {
  if (!bytes) return tl::unexpected(bytes.error());
  if (const auto saved = write_file(output, *bytes); !saved) return tl::unexpected(saved.error());
  written.bytes = bytes->size();
  return written;
}

}  // namespace

Diagnostics wrong_handout(const std::string& output, const std::string& theme) {
  if (std::ranges::find(endings, ending_of(output)) == std::end(endings))
    return {{.file = output,
             .message = "a handout ends in .html, .pdf, .png or .svg",
             .remedy = "use .html for a page with all steps, .pdf for slides, .png or .svg for one moment"}};
  if (Diagnostics wrong = wrong_target(output); !wrong.empty()) return wrong;
  if (theme != "light" && theme != "dark")
    return {{.message = fmt::format("a handout has no theme '{}'", theme), .remedy = "use light or dark"}};
  return {};
}

Diagnostics wrong_moments(const page::Document& document, const std::string& output) {
  const std::string kind = ending_of(output);
  const std::size_t steps = steps_of(document);
  if ((kind != ".png" && kind != ".svg") || steps == 1) return {};
  return {{.file = output,
           .message = fmt::format("a picture shows one moment, and there are {}", steps),
           .remedy = "name one with --at, or write .html or .pdf"}};
}

Expected<Written> write(const page::Document& document, const std::string& output, const WriteOptions& options) {
  const std::string kind = ending_of(output);
  Written written{.steps = steps_of(document)};
  if (kind == ".html") return save(page::to_html(document), output, written);
  const page::Look look = options.theme == "dark" ? page::Look::dark : page::Look::light;
  const scene::Paper paper = page::slide_paper(document, look);
  if (kind == ".pdf") {
    const std::vector<scene::Scene> slides = page::slides(document, look);
    written.slides = slides.size();
    return save(paint::to_pdf(slides, paper, document.title), output, written);
  }
  if (Diagnostics wrong = wrong_moments(document, output); !wrong.empty()) return tl::unexpected(std::move(wrong));
  const scene::Scene slide = page::moment_slide(document, look);
  written.slides = 1;
  if (kind == ".svg") return save(Expected<std::string>(paint::to_svg(slide, paper)), output, written);
  return save(paint::to_png(slide, paper, options.scale), output, written);
}

}  // namespace lanescope::handout
