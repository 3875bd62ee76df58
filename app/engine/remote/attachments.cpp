#include "app/engine/remote/attachments.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>

#include "app/engine/wire/messages.h"
#include "kernels/base/read_file.h"
#include "kernels/base/write_file.h"
#include "kernels/source/options/gather.h"
#include "kernels/source/options/header_search.h"
#include "kernels/source/options/nvcc_words.h"

namespace lanescope::engine {
namespace {

namespace fs = std::filesystem;

/// Folders above the kernel's own that a name may lead through.
constexpr int most_folders_up = 16;
constexpr std::size_t most_attached_bytes = wire::most_payload_bytes / 4 * 3;

std::optional<std::vector<std::byte>> bytes_of(const fs::path& path) {
  std::error_code problem;
  if (!fs::is_regular_file(path, problem)) return std::nullopt;
  const auto all = read_file(path.string(), most_attached_bytes);
  if (!all) return std::nullopt;
  const auto raw = std::as_bytes(std::span(*all));
  return std::vector<std::byte>(raw.begin(), raw.end());
}

bool is_file(const fs::path& path) {
  std::error_code problem;
  return fs::is_regular_file(path, problem);
}

std::vector<std::string> matches(const std::string& text, const char* pattern) {
  std::vector<std::string> out;
  const std::regex expression(pattern);
  for (std::sregex_iterator it(text.begin(), text.end(), expression), end; it != end; ++it)
    out.push_back((*it)[1].str());
  return out;
}

class Gatherer {
 public:
  explicit Gatherer(RunRequest& request)
      : request_(request),
        folder_(fs::path(request.launch_file.empty() ? request.file : request.launch_file).parent_path()),
        project_(options::project_folder(request.launch_file.empty() ? request.file : request.launch_file)) {
    request_.files.emplace();
  }

  Diagnostics gather() {
    if (!request_.settings) request_.settings = options::gather(request_.file, request_.given);
    for (const std::string* text : {&request_.text, &request_.launch_text})
      for (const std::string& name : matches(*text, "[\"=][ \\t]*([^\"=\\s][^\"=\\n]*\\.npy)\"")) add(name);
    if (fs::path(request_.file).extension() != ".ptx") {
      for (const char* pattern : {"\"-I([^\"\\n]+)\"", "\"-I\"\\s*,\\s*\"([^\"\\n]+)\""})
        for (const std::string& folder : matches(request_.text, pattern)) searched_.push_back(folder);
      for (const options::UsedOption& o : request_.settings->used) {
        if (o.kind == options::Kind::include_folder) searched_.push_back(o.value);
        if (o.word.starts_with("--pre-include=")) follow("#include \"" + o.word.substr(14) + "\"", "");
      }
      searched_.emplace_back();
      follow(request_.text, "");
      for (const char* variant : {".plain.ptx", ".probed.ptx"})
        add(fs::path(request_.file).filename().replace_extension(variant).string());
    }
    return std::move(refused_);
  }

 private:
  /// True where there is such a file. Names are relative to the kernel's folder.
  bool add(const fs::path& name) {
    const fs::path normal = name.lexically_normal();
    if (!known_.insert(normal.string()).second) return true;
    auto bytes = options::may_include(folder_ / name, project_) ? bytes_of(folder_ / name) : std::nullopt;
    if (!bytes) return known_.erase(normal.string()), false;
    if (normal.is_absolute()) {
      refuse(fmt::format("'{}' cannot be sent to another machine: its path is absolute", normal.string()),
             "use a path relative to the kernel's file");
      return true;
    }
    total_ += bytes->size();
    if (total_ > most_attached_bytes && refused_.empty())
      refuse(fmt::format("the files of this kernel are larger than the {} MiB that can be sent",
                         most_attached_bytes >> 20),
             "make them smaller, or run lanescope on the other machine");
    if (refused_.empty()) request_.files->push_back({normal.string(), std::move(*bytes)});
    return true;
  }

  void follow(const std::string& text, const fs::path& beside) {
    for (const std::string& name : matches(text, "#[ \\t]*include[ \\t]*[\"<]([^\">\\n]+)[\">]")) {
      std::vector<fs::path> places = {beside / name};
      for (const fs::path& folder : searched_) places.push_back(folder / name);
      // Nearly the same search as the compiler's own, there: what lies in the same place is found again.
      if (std::ranges::none_of(places, [&](const fs::path& place) { return is_file(folder_ / place); }))
        if (const auto found = options::find_header_near(request_.file, name))
          places.push_back(fs::path(options::folder_name(found->folder, request_.file)) / name);
      for (const fs::path& place : places) {
        const bool is_new = !known_.contains(place.lexically_normal().string());
        if (!add(place)) continue;
        if (is_new && !place.is_absolute())
          if (const auto bytes = bytes_of(folder_ / place))
            follow({reinterpret_cast<const char*>(bytes->data()), bytes->size()}, place.parent_path());
        break;
      }
    }
  }

  void refuse(std::string message, std::string remedy) {
    refused_.push_back({.file = request_.file, .message = std::move(message), .remedy = std::move(remedy)});
  }

  RunRequest& request_;
  fs::path folder_, project_;
  std::vector<fs::path> searched_;
  std::set<std::string> known_;
  std::size_t total_ = 0;
  Diagnostics refused_;
};

std::string with_slash(const fs::path& folder) {
  const std::string name = folder.string();
  return name.empty() || name.ends_with('/') ? name : name + "/";
}

/// "a" of "a/b", ".." of "", "/" of "/a".
fs::path folder_above(const fs::path& folder) {
  const fs::path above = (folder / "..").lexically_normal();
  if (above == ".") return {};
  return above.has_filename() || above == above.root_path() ? above : above.parent_path();
}

/// How many folders up a relative, normal name leads; nullopt: it is no such name.
std::optional<int> folders_up(const fs::path& name) {
  if (name.empty() || name.is_absolute() || name != name.lexically_normal() || !name.has_filename())
    return std::nullopt;
  int up = 0;
  for (const fs::path& part : name) up += part == "..";
  return up <= most_folders_up && name.filename() != ".." ? std::optional(up) : std::nullopt;
}

}  // namespace

Expected<RunRequest> attach(RunRequest request) {
  Diagnostics refused = Gatherer(request).gather();
  if (!refused.empty()) return tl::unexpected(std::move(refused));
  return request;
}

StagedFiles::~StagedFiles() { remove(); }

void StagedFiles::remove() {
  const std::lock_guard lock(mutex_);
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
  folder_.clear();
  base_.clear();
}

Expected<void> StagedFiles::lay_out(const std::vector<AttachedFile>& files) {
  remove();
  int deepest = 0;
  for (const AttachedFile& file : files) {
    const auto up = folders_up(file.name);
    if (!up) return failure(fmt::format("a file sent with the kernel has the invalid name '{}'", file.name));
    deepest = std::max(deepest, *up);
  }
  std::error_code problem;
  std::string pattern = (fs::temp_directory_path(problem) / "lanescope-XXXXXX").string();
  if (problem || !::mkdtemp(pattern.data()))
    return failure("the files of the kernel cannot be written on this machine", "free some space in TMPDIR");
  {
    const std::lock_guard lock(mutex_);
    folder_ = pattern;
  }
  fs::path base = folder_;
  for (int i = 0; i <= deepest; ++i) base /= "kernel";
  fs::create_directories(base, problem);
  fs::create_directories(fs::path(folder_) / ".git", problem);  // all of it is one project (header_search.h)
  for (const AttachedFile& file : files) {
    const fs::path path = (base / file.name).lexically_normal();
    fs::create_directories(path.parent_path(), problem);
    if (!write_file(path.string(), file.bytes))
      return failure(fmt::format("'{}' cannot be written on the machine of the engine", file.name),
                     "free some space in its TMPDIR");
  }
  base_ = base.string();
  laid_out_ = files;
  return {};
}

Expected<RunRequest> StagedFiles::stage(const RunRequest& request) {
  renamed_.clear();
  if (!request.files) {
    remove();
    return request;
  }
  // A request that follows another with the same files finds them where they were, and so does a program that stays
  // compiled.
  if (base_.empty() || laid_out_ != *request.files)
    if (auto done = lay_out(*request.files); !done) return tl::unexpected(done.error());
  RunRequest here = request;
  here.files.reset();
  const auto move_in = [&](std::string& name, const fs::path& folder) {
    // Files in the folders above are reported by a name without "..", the longest prefix first.
    fs::path original = fs::path(name).parent_path();
    for (fs::path staged = folder; staged != folder_; staged = staged.parent_path()) {
      renamed_.push_back({with_slash(staged), with_slash(original)});
      original = folder_above(original);
    }
    name = (folder / fs::path(name).filename()).string();
  };
  if (request.launch_file.empty()) {
    move_in(here.file, base_);
  } else {
    move_in(here.launch_file, base_);
    move_in(here.file, fs::path(folder_) / "ptx");
  }
  return here;
}

void StagedFiles::restore(std::string& words) const {
  for (const Renamed& r : renamed_)
    for (std::size_t at = 0; (at = words.find(r.staged, at)) != std::string::npos; at += r.original.size())
      words.replace(at, r.staged.size(), r.original);
}

void StagedFiles::restore(Diagnostics& diagnostics) const {
  for (Diagnostic& d : diagnostics) restore(d.file), restore(d.message), restore(d.remedy);
}

void StagedFiles::restore(results::Summary& s) const {
  if (renamed_.empty()) return;
  restore(s.file);
  restore(s.diagnostics);
  for (std::string& words : s.inferred) restore(words);
  for (results::Notice& notice : s.notices)
    for (std::string& words : notice.operands) restore(words);
  for (results::FindingInfo& f : s.findings) restore(f.message), restore(f.remedy);
  for (SourceFileLines& f : s.lines.files) restore(f.name), restore(f.path);
  for (options::UsedOption& o : s.settings.used) restore(o.place.file), restore(o.value), restore(o.word);
  for (options::LeftOut& o : s.settings.left_out) restore(o.place.file), restore(o.reason);
}

void StagedFiles::restore(RunResult& r) const {
  if (renamed_.empty()) return;
  restore(r.summary);
  for (Output& o : r.outputs)
    if (o.difference) restore(*o.difference);
  for (review::Finding& f : r.findings) restore(f.message), restore(f.remedy);
  for (emulator::Fault& f : r.faults) restore(f.what), restore(f.message);
}

}  // namespace lanescope::engine
