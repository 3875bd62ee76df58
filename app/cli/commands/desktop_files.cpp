#include "app/cli/commands/commands.h"

#include <filesystem>

#include "app/cli/answers/report.h"
#include "app/desktop/icon.h"
#include "kernels/base/standard_streams.h"
#include "kernels/base/write_file.h"
#include "viz/paint/paint.h"

namespace lanescope::cli {
namespace {

int status_of_writing(const Expected<void>& written) {
  if (written) return all_good;
  report(written.error());
  return not_here;
}

}  // namespace

int write_text(const DesktopOptions& options, std::string_view text) {
  if (!options.output.empty()) return status_of_writing(write_file(options.output, text));
  put_content(text);
  return all_good;
}

int write_icon(const DesktopOptions& options) {
  const std::string ending = std::filesystem::path(options.output).extension().string();
  if (ending == ".svg")
    return status_of_writing(write_file(options.output, paint::to_svg(desktop::icon(), desktop::icon_paper())));
  if (ending != ".png") {
    report("", "the name '" + options.output + "' is no format of an icon", "use .svg or .png");
    return bad_input;
  }
  const float scale = static_cast<float>(options.icon_size) / desktop::icon_side;
  return status_of_writing(
      paint::to_png(desktop::icon(), desktop::icon_paper(), scale).and_then([&](const std::vector<std::byte>& png) {
        return write_file(options.output, png);
      }));
}

}  // namespace lanescope::cli
