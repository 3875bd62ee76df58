#include "app/document/document.h"

#include <sys/stat.h>
#include <filesystem>
#include <utility>

#include "app/document/file_io.h"
#include "kernels/base/read_file.h"
#include "kernels/source/data/sha256.h"

namespace lanescope::document {

Document::Document(std::string file, std::string text, bool saved)
    : file_(std::move(file)),
      text_(std::make_shared<const std::string>(std::move(text))),
      saved_text_(saved ? text_ : std::make_shared<const std::string>()) {}

std::string Document::title() const {
  return file_.empty() ? "untitled.cu" : std::filesystem::path(file_).filename().string();
}

Document Document::with_text(std::string text) const {
  Document next = *this;
  next.text_ = std::make_shared<const std::string>(std::move(text));
  return next;
}

Document Document::saved_as(std::string file) const {
  Document next = *this;
  next.file_ = std::move(file);
  next.saved_text_ = next.text_;
  return next;
}

Expected<Document> open(const std::string& path) {
  auto text = LS_TRY(read_text(path));
  return Document(path, std::move(text), true);
}

Expected<Document> save(const Document& document, const std::string& path) {
  if (auto written = write_file(path, document.text()); !written) return tl::unexpected(written.error());
  return document.saved_as(path);
}

History::History(Document first) { states_.push_back({std::move(first), ""}); }

void History::push(Document document, std::string step_name, const std::string& merge) {
  states_.resize(cursor_ + 1);
  if (!merge.empty() && merge == merge_ && cursor_ > 0) {
    states_[cursor_].document = std::move(document);
    return;
  }
  merge_ = merge;
  states_.push_back({std::move(document), std::move(step_name)});
  ++cursor_;
}

void History::mark_saved(const std::string& file) {
  const Document saved = now().saved_as(file);
  for (State& state : states_) state.document = saved.with_text(state.document.text());
  end_merge();
}

const Document& History::undo() {
  if (can_undo()) --cursor_;
  end_merge();
  return now();
}

const Document& History::redo() {
  if (can_redo()) ++cursor_;
  end_merge();
  return now();
}

FileWatch::FileWatch(std::string path) : path_(std::move(path)) { seen_ = look({}); }

FileWatch::Seen FileWatch::look(const Seen& before) const {
  Seen now;
  struct stat status {};
  if (path_.empty() || ::stat(path_.c_str(), &status) != 0) return now;
  now.nanoseconds = status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec;
  now.bytes = status.st_size;
  if (now.nanoseconds == before.nanoseconds && now.bytes == before.bytes) {
    now.digest = before.digest;
    return now;
  }
  now.digest = source::sha256(read_file(path_).value_or(""));
  return now;
}

FileWatch::Change FileWatch::poll() {
  Seen now = look(seen_);
  const Seen before = std::exchange(seen_, std::move(now));
  if (seen_.bytes < 0) return before.bytes < 0 ? Change::none : Change::gone;
  return seen_.digest == before.digest ? Change::none : Change::changed;
}

}  // namespace lanescope::document
