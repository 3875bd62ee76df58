#include "app/gui/explorer.h"

#include <cstdio>

#include "app/gui/commands/command.h"
#include "app/gui/model/document.h"
#include "app/gui/script/script.h"
#include "app/gui/shell/frames.h"
#include "kernels/base/standard_streams.h"

namespace lanescope::gui {
namespace {

void complain(const Diagnostics& diagnostics) {
  for (const Diagnostic& d : diagnostics) put_error(to_string(d) + "\n");
}

int run_script_file(Frames& frames, const std::string& path, bool& quit) {
  const auto text = read_text(path);
  if (!text) return complain(text.error()), 2;
  const ScriptResult result = run_script(frames, *text, path);
  quit = result.quit;
  if (result.ok) return 0;
  put_error(result.message + "\n");
  return 1;
}

}  // namespace

int run_explorer(const ExplorerOptions& options) {
  if (options.list_commands) return put(keys_document()), 0;
  // Without a window the notice that it is missing would not be seen.
  if (options.offscreen && !options.file.empty())
    if (const auto text = read_text(options.file); !text) return complain(text.error()), 2;
  auto opened = Frames::open(options);
  if (!opened) return complain(opened.error()), 3;
  Frames& frames = **opened;
  int status = 0;
  bool quit = false;
  if (!options.script.empty()) status = run_script_file(frames, options.script, quit);
  if (!options.screenshot.empty() && status == 0) {
    if (!wait_until_settled(frames)) {
      std::fprintf(stderr, "timeout: no result yet; the picture shows the current state\n");
      status = 1;
    }
    if (const auto written = frames.screenshot(options.screenshot); !written) return complain(written.error()), 3;
    return status;
  }
  if (status != 0 || quit || options.offscreen) return status;
  frames.loop();
  return 0;
}

}  // namespace lanescope::gui
