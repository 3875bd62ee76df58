#include "app/gui/editing.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace lanescope::gui {

Expected<std::string> read_text(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    return failure(Diagnostic{.file = path, .message = "is a folder", .remedy = "name a .cu or .ptx file in it"});
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) return failure(Diagnostic{.file = path, .message = std::strerror(errno), .remedy = "check the path"});
  std::ostringstream text;
  text << in.rdbuf();
  if (in.bad()) return failure(Diagnostic{.file = path, .message = std::strerror(errno), .remedy = {}});
  return text.str();
}

Expected<void> write_text(const std::string& path, std::string_view text) {
  const std::string temporary = path + ".part" + std::to_string(::getpid());
  std::FILE* out = std::fopen(temporary.c_str(), "wb");
  if (out == nullptr) {
    return failure(Diagnostic{.file = path, .message = std::strerror(errno), .remedy = "save under another name"});
  }
  const bool written = std::fwrite(text.data(), 1, text.size(), out) == text.size();
  const bool closed = std::fclose(out) == 0;
  if (!written || !closed || std::rename(temporary.c_str(), path.c_str()) != 0) {
    const std::string reason = std::strerror(errno);
    std::remove(temporary.c_str());
    return failure(Diagnostic{.file = path, .message = reason, .remedy = "save under another name"});
  }
  return {};
}

Editing::Editing() { reset({}, {}); }

std::string Editing::title() const {
  return file_.empty() ? "untitled.cu" : std::filesystem::path(file_).filename().string();
}

void Editing::reset(std::string file, std::string text) {
  file_ = std::move(file);
  saved_text_ = text;
  states_ = {{std::move(text), {}}};
  cursor_ = 0;
  merge_.clear();
  remember_disk();
}

void Editing::restore(std::string file, std::string text, std::string saved_text) {
  reset(std::move(file), std::move(saved_text));
  if (text != saved_text_) edit(std::move(text), "edits of last time", {});
}

void Editing::edit(std::string text, const std::string& step_name, const std::string& merge) {
  if (text == this->text()) return;
  const bool merged = !merge.empty() && merge == merge_ && cursor_ > 0 && cursor_ + 1 == states_.size();
  if (merged) {
    states_[cursor_].text = std::move(text);
  } else {
    states_.resize(cursor_ + 1);
    states_.push_back({std::move(text), step_name});
    ++cursor_;
  }
  merge_ = merge;
}

void Editing::undo() {
  if (can_undo()) --cursor_;
  merge_.clear();
}

void Editing::redo() {
  if (can_redo()) ++cursor_;
  merge_.clear();
}

void Editing::remember_disk() {
  struct stat info {};
  if (file_.empty() || ::stat(file_.c_str(), &info) != 0) {
    disk_bytes_ = -1;
    return;
  }
  disk_time_ = info.st_mtim.tv_sec * 1'000'000'000LL + info.st_mtim.tv_nsec;
  disk_bytes_ = info.st_size;
}

bool Editing::changed_on_disk() {
  const long long time = disk_time_, bytes = disk_bytes_;
  remember_disk();
  if (disk_bytes_ < 0 || bytes < 0 || (time == disk_time_ && bytes == disk_bytes_)) return false;
  const auto now = read_text(file_);
  return now && *now != saved_text_;
}

Expected<void> Editing::open(const std::string& path) {
  auto text = read_text(path);
  if (!text) return tl::unexpected(text.error());
  reset(path, std::move(*text));
  return {};
}

Expected<void> Editing::save(const std::string& path) {
  if (auto written = write_text(path, text()); !written) return written;
  file_ = path;
  saved_text_ = text();
  merge_.clear();
  remember_disk();
  return {};
}

}  // namespace lanescope::gui
