// Files of the explorer: opening, saving, what to ask first.

#include <algorithm>
#include <filesystem>

#include "app/gui/state/app.h"
#include "kernels/resources/resources.h"

namespace lanescope::gui {
namespace {

constexpr std::size_t most_recent = 12;

constexpr std::string_view new_kernel_text = R"(/* lanescope
title = "A new kernel"

[[launch]]
kernel = "copy"
grid = [1]
block = [32]

[buffers.p]
type = "u32"
axes = [["i", 32]]
*/

extern "C" __global__ void copy(unsigned *p, unsigned *q)
{
    unsigned lane = threadIdx.x;
    unsigned x = p[lane];

    // x has the following register assignment:
    //   thread:  i4 i3 i2 i1 i0

    q[lane] = x;
}
)";

std::string first_words(const Diagnostics& diagnostics) {
  return diagnostics.empty() ? std::string("no reason was given") : to_string(diagnostics.front());
}

}  // namespace

void App::open(const std::string& path) {
  if (!editing.edited()) return open_now(path);
  pending_ = {};
  pending_.path = path;
  overlay = Overlay::discard;
}

void App::open_now(const std::string& path) {
  if (const auto opened = editing.open(path); !opened) {
    notify({.id = "open",
            .kind = Notice::Kind::error,
            .text = "Could not open " + first_words(opened.error()),
            .buttons = {{"Open another file…", "file.open"}}});
    return;
  }
  dismiss("open");
  dismiss("disk");
  std::error_code error;
  const std::string absolute = std::filesystem::absolute(path, error).lexically_normal().string();
  std::erase(view.recent, absolute);
  view.recent.insert(view.recent.begin(), absolute);
  if (view.recent.size() > most_recent) view.recent.resize(most_recent);
  forget_kernel();
  moment = {};
  ++moment_version;
  selection = {};
  record_block_ = 0;
  view.families.clear();
  view.buffer = -1;
  fresh_file_ = true;
  playing = false;
  run();
}

/// Everything that was said of the kernel before.
void App::forget_kernel() {
  results.clear();
  take_back_overrides();
  measurements.live.samples.clear();
  measurements.live.under_way = false, live_ticket_ = 0;  // what is on its way is of the kernel before
  ++measurements.version;
  contents = {};
  ++contents_version;
  look_at_contents(-1, 0);
}

void App::new_kernel() {
  if (editing.edited()) {
    pending_ = {};
    pending_.fresh = true;
    overlay = Overlay::discard;
    return;
  }
  editing.reset({}, std::string(new_kernel_text));
  forget_kernel();
  moment = {};
  ++moment_version;
  selection = {};
  fresh_file_ = true;
  run();
}

void App::restore(const std::string& file, const std::string& text, const std::string& saved_text,
                  const views::Selection& where) {
  const auto on_disk = file.empty() ? Expected<std::string>(saved_text) : read_text(file);
  // The file may have changed since: what is on screen then counts as edited.
  editing.restore(file, text, on_disk ? *on_disk : saved_text);
  if (text == saved_text && on_disk) editing.restore(file, *on_disk, *on_disk);
  forget_kernel();
  selection = where;
  fresh_file_ = where.step < 0;
  run();
}

void App::save() {
  if (editing.file().empty()) {
    overlay = Overlay::save_path;
    return;
  }
  save_as(editing.file());
}

void App::save_as(const std::string& path) {
  if (const auto saved = editing.save(path); !saved) {
    notify({.id = "save",
            .kind = Notice::Kind::error,
            .text = "Could not save " + first_words(saved.error()),
            .buttons = {{"Save as…", "file.save_as"}}});
    return;
  }
  dismiss("save");
  dismiss("disk");
  remark("Saved " + path + ".");
}

void App::reload() {
  dismiss("disk");
  const auto text = read_text(editing.file());
  if (!text) {
    notify({.id = "open",
            .kind = Notice::Kind::error,
            .text = "Could not read " + first_words(text.error()),
            .buttons = {}});
    return;
  }
  const std::string file = editing.file();
  if (const auto opened = editing.open(file); !opened) return;
  run();
}

void App::watch_file() {
  if (editing.file().empty() || !editing.changed_on_disk()) return;
  if (!editing.edited()) {
    reload();
    remark("Read again: the file changed on disk.");
    return;
  }
  notify({.id = "disk",
          .kind = Notice::Kind::warning,
          .text = editing.title() + " changed on disk, and there are edits here that are not saved.",
          .buttons = {{"Read the file again", "file.reload"}, {"Keep my edits", "file.keep"}}});
}

void App::discard_and_go_on() {
  const PendingOpen pending = pending_;
  pending_ = {};
  overlay = Overlay::none;
  editing.reset(editing.file(), editing.text());
  if (pending.quit) {
    closed = true;
  } else if (pending.fresh) {
    new_kernel();
  } else {
    open_now(pending.path);
  }
}

void App::close() {
  if (!editing.edited()) {
    closed = true;
    return;
  }
  pending_ = {};
  pending_.quit = true;
  overlay = Overlay::discard;
}

void App::edit(std::string text, const std::string& step_name, const std::string& merge) {
  editing.edit(std::move(text), step_name, merge);
  text_changed();
}

void App::undo() {
  const std::string name = editing.undo_name();
  editing.undo();
  text_changed();
  remark("Undone: " + name + ".");
}

void App::redo() {
  const std::string name = editing.redo_name();
  editing.redo();
  text_changed();
  remark("Done again: " + name + ".");
}

std::vector<std::string> App::catalogue() const {
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(resources::assets_directory() / "kernels", error)) {
    if (entry.path().extension() == ".cu") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace lanescope::gui
