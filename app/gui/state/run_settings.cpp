#include "app/gui/state/run_settings.h"

namespace lanescope::gui {

void RunSettings::put_override(const std::string& name, const std::optional<std::string>& value) {
  std::erase_if(overrides, [&](const engine::Override& o) { return o.name == name; });
  if (value) overrides.push_back({name, *value});
}

std::string RunSettings::override_words() const {
  std::string words;
  for (const engine::Override& o : overrides) words += (words.empty() ? "" : ", ") + o.name + " " + o.value;
  return words;
}

engine::RunRequest run_request(const Document& document, const RunSettings& settings) {
  engine::RunRequest request;
  request.file = document.file().empty() ? document.title() : document.file();
  request.text = document.text();
  if (!settings.launch_of.empty() && settings.launch_of == document.file()) {
    request.launch_file = settings.launch_file;
    request.launch_text = settings.launch_text;
  }
  request.arch = settings.arch;
  request.on_gpu = settings.on_gpu;
  request.device = settings.device;
  request.forbid_nvrtc = settings.forbid_nvrtc;
  request.seed = settings.seed;
  request.record_block = settings.record_block;
  request.record_launch = settings.record_launch;
  request.block_as_fits = true;  // the window chose the block, and the grid may have changed since
  request.review = true;
  request.overrides = settings.overrides;
  return request;
}

}  // namespace lanescope::gui
