#include "app/gui/state/app.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "kernels/resources/resources.h"

namespace lanescope::gui {
namespace {

constexpr std::size_t most_recent = 12;

constexpr std::string_view new_kernel_source = R"(/*
A copy of an array, element by element.

[lanescope]
grid = 4
block = 128

[buffers]
p = "f32 i:512"
q = { type = "f32", axes = "i:512", init = "zeros", expect = "copy of p" }
*/
__global__ void __launch_bounds__(1024) copy(const float *p, float *q)
{
    unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    float x = p[i];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w1 w0           <->  i6 i5
    //   block:     b1 b0           <->  i8 i7

    q[i] = x;
}
)";

std::string first_words(const Diagnostics& diagnostics) {
  return diagnostics.empty() ? std::string("unknown reason") : to_string(diagnostics.front());
}

}  // namespace

void Editor::ask(Pending pending) {
  pending_ = std::move(pending);
  model_.shell.overlay = Overlay::discard;
}

void Editor::open(const std::string& path) {
  if (design::is_design_file(path)) {
    if (model_.designer.edited()) return ask({.path = path, .about_layout = true});
    return open_layout(path);
  }
  if (!model_.document.edited()) return open_now(path);
  ask({.path = path});
}

/// The panels of the designer, all of them.
void Editor::show_layout() {
  if (model_.shell.view.arrangement != Arrangement::design) model_.shell.set_arrangement(Arrangement::design);
  model_.shell.show_panel(PanelId::designer);
}

void Editor::new_layout() {
  if (model_.designer.edited()) return ask({.fresh = true, .about_layout = true});
  model_.designer.start_new();
  show_layout();
}

void Editor::open_layout(std::string path) {
  if (is_open(model_.designer.open(path), path, "layout disk")) show_layout();
}

/// Whether a file was opened; `changed` is the notice that it had changed on disk.
bool Editor::is_open(const Expected<void>& opened, const std::string& path, const std::string& changed) {
  Shell& shell = model_.shell;
  if (!opened) {
    shell.notify({.id = "open",
                  .kind = Notice::Kind::error,
                  .text = "Could not open " + first_words(opened.error()),
                  .buttons = {{"Open another file…", "file.open"}}});
    return false;
  }
  shell.dismiss("open");
  shell.dismiss(changed);
  remember(path);
  return true;
}

/// Of a file that was written, or not; `changed` is the notice that it had changed on disk.
void Editor::report_saved(const Expected<void>& saved, const std::string& path, const std::string& changed) {
  Shell& shell = model_.shell;
  if (!saved) {
    shell.notify({.id = "save",
                  .kind = Notice::Kind::error,
                  .text = "Could not save " + first_words(saved.error()),
                  .buttons = {{"Save as…", "file.save_as"}}});
    return;
  }
  shell.dismiss("save");
  shell.dismiss(changed);
  shell.show_status("Saved " + path + ".");
}

void Editor::save_layout() {
  if (model_.designer.file().empty())
    model_.shell.overlay = Overlay::save_layout;
  else
    save_layout_as(model_.designer.file());
}

void Editor::save_layout_as(std::string path) { report_saved(model_.designer.save(path), path, "layout disk"); }

void Editor::watch_layout() {
  Designer& d = model_.designer;
  if (!d.changed_on_disk()) return;
  if (d.edited()) {
    model_.shell.notify({.id = "layout disk",
                         .kind = Notice::Kind::warning,
                         .text = d.title() + " changed on disk, and the layout in the window has unsaved edits.",
                         .buttons = {{"Reload the layout", "design.reload"}, {"Keep my edits", "design.keep"}}});
  } else if (const auto opened = d.open(d.file()); opened) {
    model_.shell.show_status("The layout changed on disk and was read again.");
  } else {
    model_.shell.show_status("The layout changed on disk and cannot be read: " + first_words(opened.error()) + ".");
  }
}

void Editor::remember(const std::string& path) {
  std::error_code error;
  const std::string absolute = std::filesystem::absolute(path, error).lexically_normal().string();
  std::vector<std::string>& recent = model_.shell.view.recent;
  std::erase(recent, absolute);
  recent.insert(recent.begin(), absolute);
  if (recent.size() > most_recent) recent.resize(most_recent);
}

void Editor::open_now(const std::string& path) {
  if (design::is_design_file(path)) return open_layout(path);
  if (is_open(model_.document.open(path), path, "disk")) start_kernel();
}

/// Another kernel than before is on screen.
void Editor::start_kernel() {
  requests_.forget_kernel();
  model_.navigation.start_over();
  model_.problems.start_over(true);
  model_.settings.record_block = 0;
  model_.settings.kernel.clear();
  model_.settings.all_blocks = false;
  model_.settings.record_launch = -1;
  model_.shell.view.families.clear();
  model_.shell.view.buffer = -1;
  requests_.run();
}

void Editor::new_kernel() { new_kernel(std::string(new_kernel_text())); }

void Editor::new_kernel(const std::string& text) {
  if (model_.document.edited()) return ask({.fresh = true, .text = text});
  model_.document.reset({}, text);
  start_kernel();
}

void Editor::restore(const std::string& file, const std::string& text, const std::string& saved_text,
                     const views::Selection& where) {
  const auto on_disk = file.empty() ? Expected<std::string>(saved_text) : read_text(file);
  // The file may have changed since: what is on screen then counts as edited.
  model_.document.restore(file, text, on_disk ? *on_disk : saved_text);
  if (text == saved_text && on_disk) model_.document.restore(file, *on_disk, *on_disk);
  requests_.forget_kernel();
  model_.navigation.start_over(where);
  model_.problems.start_over(where.step < 0);
  requests_.run();
}

void Editor::save() {
  if (model_.document.file().empty())
    model_.shell.overlay = Overlay::save_path;
  else
    save_as(model_.document.file());
}

void Editor::save_as(std::string path) { report_saved(model_.document.save(path), path, "disk"); }

void Editor::reload() {
  model_.shell.dismiss("disk");
  const std::string file = model_.document.file();
  if (const auto opened = model_.document.open(file); !opened) {
    model_.shell.notify(
        {.id = "open", .kind = Notice::Kind::error, .text = "Could not read " + first_words(opened.error())});
    return;
  }
  requests_.run();
}

bool Editor::header_changed() {
  const auto& files = model_.results.lines.files;
  std::map<std::string, document::FileWatch> watched;
  bool changed = false;
  for (std::size_t k = 1; k < files.size(); ++k) {
    const std::string& path = files[k].path;
    const auto known = headers_.find(path);
    document::FileWatch& watch =
        watched.emplace(path, known == headers_.end() ? document::FileWatch(path) : std::move(known->second))
            .first->second;
    // Between the run that read it and this look it may have changed already.
    const bool other = known == headers_.end() && k <= model_.results.header_texts.size() &&
                       !read_text(path).value_or("").ends_with(model_.results.header_texts[k - 1]);
    changed |= other || watch.poll() != document::FileWatch::Change::none;
  }
  headers_ = std::move(watched);
  return changed;
}

void Editor::watch_file() {
  watch_layout();
  Document& document = model_.document;
  if (!model_.results.running && header_changed()) {
    requests_.text_changed();
    model_.shell.show_status("A header changed on disk; the kernel runs again.");
  }
  if (document.file().empty() || !document.changed_on_disk()) return;
  if (!document.edited()) {
    reload();
    model_.shell.show_status("The file changed on disk and was read again.");
    return;
  }
  model_.shell.notify({.id = "disk",
                       .kind = Notice::Kind::warning,
                       .text = document.title() + " changed on disk, and the text in the window has unsaved edits.",
                       .buttons = {{"Reload the file", "file.reload"}, {"Keep my edits", "file.keep"}}});
}

void Editor::discard_and_go_on() {
  const Pending pending = std::exchange(pending_, {});
  model_.shell.overlay = Overlay::none;
  if (pending.about_layout)
    model_.designer.discard_edits();
  else
    model_.document.reset(model_.document.file(), model_.document.text());
  if (pending.quit) {
    close();  // the other document may have edits, too
  } else if (pending.about_layout) {
    pending.fresh ? new_layout() : open_layout(pending.path);
  } else if (pending.fresh) {
    new_kernel(pending.text);
  } else {
    open_now(pending.path);
  }
}

void Editor::close() {
  if (model_.document.edited()) return ask({.quit = true});
  if (model_.designer.edited()) return ask({.quit = true, .about_layout = true});
  model_.shell.closed = true;
}

void Editor::edit(std::string text, const std::string& step_name, const std::string& merge) {
  model_.document.edit(std::move(text), step_name, merge);
  requests_.text_changed();
}

void Editor::undo() {
  const std::string name = model_.document.undo_name();
  model_.document.undo();
  requests_.text_changed();
  model_.shell.show_status("Undone: " + name + ".");
}

void Editor::redo() {
  const std::string name = model_.document.redo_name();
  model_.document.redo();
  requests_.text_changed();
  model_.shell.show_status("Redone: " + name + ".");
}

std::string_view new_kernel_text() { return new_kernel_source; }

std::vector<std::string> catalogue_kernels() {
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(resources::assets_directory() / "kernels", error))
    if (entry.path().extension() == ".cu") paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace lanescope::gui
