#include "app/gui/model/document.h"

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
  auto text = read_text(path);
  if (!text) return tl::unexpected(text.error());
  reset(path, std::move(*text));
  return {};
}

Expected<void> Document::save(const std::string& path) {
  if (auto written = write_text(path, text()); !written) return written;
  history_.mark_saved(path);
  watch_ = document::FileWatch(path);
  return {};
}

}  // namespace lanescope::gui
