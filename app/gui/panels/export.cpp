#include "app/gui/panels/panel.h"

#include <filesystem>

#include "viz/paint/paint.h"

namespace lanescope::gui {
namespace {

/// Pixels to a scene unit: sharp on paper and on screens with small pixels.
constexpr float png_scale = 2;

}  // namespace

Expected<void> export_panel(const App& app, const Stage& stage, const Panel& panel, const std::string& path) {
  const std::string suffix = std::filesystem::path(path).extension().string();
  const std::string title(panel_title(panel.id()));
  const auto refused = [&](std::string why, std::string remedy) {
    return failure(Diagnostic{.file = path, .message = std::move(why), .remedy = std::move(remedy)});
  };
  if (suffix == ".csv") {
    const std::string csv = app.results.have ? panel.csv(app) : std::string();
    if (csv.empty()) return refused("the panel " + title + " has no data now", "save another panel");
    return document::write_file(path, csv);
  }
  if (suffix != ".svg" && suffix != ".png")
    return refused(suffix.empty() ? "the path has no suffix" : "panels are not saved as " + suffix,
                   "use the suffix .svg, .png or .csv");
  const auto drawn = stage.scenes.find(panel_name(panel.id()));
  if (drawn == stage.scenes.end())
    return refused("the panel " + title + " has no picture now", "show a panel with a picture");
  const scene::Paper paper = stage.theme->paper();
  if (suffix == ".svg") return document::write_file(path, paint::to_svg(drawn->second.scene, paper));
  const auto png = paint::to_png(drawn->second.scene, paper, png_scale);
  if (!png) return tl::unexpected(png.error());
  return document::write_file(path, *png);
}

}  // namespace lanescope::gui
