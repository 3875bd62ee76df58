#include "app/gui/model/document.h"

#include <algorithm>

#include "kernels/source/options/command_words.h"

namespace lanescope::gui {

void Document::reset(std::string file, std::string text) {
  watch_ = file.empty() ? document::FileWatch() : document::FileWatch(file);
  history_ = document::History(document::Document(std::move(file), std::move(text), true));
}

void Document::restore(std::string file, std::string text, std::string saved_text) {
  reset(std::move(file), std::move(saved_text));
  edit(std::move(text), "edits of the last session", {});
}

void Document::edit(std::string text, const std::string& step_name, const std::string& merge) {
  if (text == this->text()) return;
  history_.push(history_.now().with_text(std::move(text)), step_name, merge);
}

bool Document::changed_on_disk() {
  if (file().empty() || watch_.poll() != document::FileWatch::Change::changed) return false;
  const auto now = read_text(file());
  return now && *now != saved_text();
}

Expected<void> Document::open(const std::string& path) {
  auto text = LS_TRY(read_text(path));
  reset(path, std::move(text));
  return {};
}

Expected<void> Document::save(const std::string& path) {
  if (auto written = write_text(path, text()); !written) return written;
  history_.mark_saved(path);
  watch_ = document::FileWatch(path);
  return {};
}

void RunSettings::put_override(const std::string& name, const std::optional<std::string>& value) {
  std::erase_if(overrides, [&](const engine::Override& o) { return o.name == name; });
  if (value) overrides.push_back({name, *value});
}

std::string RunSettings::override_words() const {
  std::string words;
  for (const engine::Override& o : overrides) words += (words.empty() ? "" : ", ") + o.name + " " + o.value;
  return words;
}

Expected<void> add_options(CompilerChoices& choices, const std::string& typed) {
  const options::CommandWords words = options::command_words(typed);
  if (!words.mistake.empty()) return failure(words.mistake, "close it");
  if (words.words.empty()) return failure("no option was typed", "type options as nvcc takes them, for example -DX=1");
  for (const options::CommandWord& w : words.words) {
    // A macro or a folder may hold what a shell would take for itself.
    if (w.is_operator && !choices.added.empty())
      choices.added.back() += w.text;
    else
      choices.added.push_back(w.text);
  }
  return {};
}

bool remove_option(CompilerChoices& choices, const options::UsedOption& option) {
  if (option.origin == options::Origin::header || option.origin == options::Origin::assumed) return false;
  if (option.origin != options::Origin::window) {
    if (std::ranges::find(choices.removed, option.written) == choices.removed.end())
      choices.removed.push_back(option.written);
    return true;
  }
  const options::CommandWords words = options::command_words(option.written);
  std::vector<std::string> wanted;
  for (const options::CommandWord& w : words.words) wanted.push_back(w.text);
  const auto at = std::search(choices.added.begin(), choices.added.end(), wanted.begin(), wanted.end());
  if (at == choices.added.end() || wanted.empty()) return false;
  choices.added.erase(at, at + static_cast<std::ptrdiff_t>(wanted.size()));
  return true;
}

engine::RunRequest run_request(const Document& document, const RunSettings& settings) {
  engine::RunRequest request{.file = document.file().empty() ? document.title() : document.file(),
                             .text = document.text()};
  if (!settings.launch_of.empty() && settings.launch_of == document.file()) {
    request.launch_file = settings.launch_file;
    request.launch_text = settings.launch_text;
  }
  request.arch = settings.arch;
  request.on_gpu = settings.on_gpu;
  request.device = settings.device;
  request.forbid_nvrtc = settings.forbid_nvrtc;
  request.seed = settings.seed;
  request.kernel = settings.kernel;
  request.record_launch = settings.record_launch;
  request.record_block = settings.record_block;
  request.history_bytes = settings.on_gpu ? 0 : settings.history_bytes;
  request.record_launch = settings.record_launch;
  request.run_seconds = settings.all_blocks ? 0 : settings.run_seconds;
  request.block_as_fits = true;  // the window chose the block, and the grid may have changed since
  request.review = true;
  request.overrides = settings.overrides;
  if (settings.given_for == document.file()) request.given = settings.given;
  if (const auto chosen = settings.choices.find(document.file()); chosen != settings.choices.end()) {
    request.given.window = chosen->second.added;
    request.given.removed = chosen->second.removed;
    if (!chosen->second.nvcc_command.empty()) request.given.nvcc_command = chosen->second.nvcc_command;
  }
  return request;
}

}  // namespace lanescope::gui
