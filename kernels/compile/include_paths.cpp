#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>

#include "kernels/base/read_file.h"
#include "kernels/base/text.h"
#include "kernels/compile/compile_options.h"
#include "kernels/source/cxx/macros.h"
#include "kernels/source/options/header_search.h"

namespace lanescope::compile {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t longest_header = std::uintmax_t{8} << 20;

class IncludeFollower {
 public:
  IncludeFollower(fs::path header, const fs::path& folder, const std::vector<fs::path>& folders)
      : header_(std::move(header)), folders_(folders), project_(options::project_folder(folder / "k.cu")) {}

  /// Whether the file is the header, or includes it in any way.
  bool brings(const fs::path& first) {
    std::vector<fs::path> to_read = {first};
    std::map<fs::path, bool> seen;
    bool found = false;
    while (!to_read.empty() && !found) {
      const fs::path at = std::move(to_read.back());
      to_read.pop_back();
      if (at == header_) found = true;
      if (!seen.emplace(at, true).second || seen.size() > most_followed) continue;
      for (const fs::path& next : included(at)) to_read.push_back(next);
    }
    return found;
  }

  std::optional<fs::path> find(const source::Include& include, const fs::path& beside) const {
    std::error_code problem;
    const fs::path name{std::string(include.name)};
    if (!include.angle && fs::is_regular_file(beside / name, problem))
      return fs::weakly_canonical(beside / name, problem);
    for (const fs::path& folder : folders_)
      if (fs::is_regular_file(folder / name, problem)) return fs::weakly_canonical(folder / name, problem);
    return std::nullopt;
  }

 private:
  const std::vector<fs::path>& included(const fs::path& file) {
    const auto [known, fresh] = includes_.try_emplace(file);
    std::error_code problem;
    if (!fresh || includes_.size() > most_followed || fs::file_size(file, problem) > longest_header)
      return known->second;
    if (!options::may_include(file, project_)) return known->second;
    if (const auto text = read_file(file.string()))
      for (const std::string_view line : split_lines(*text))
        if (const source::Include i = source::include_on(line); !i.name.empty())
          if (auto path = find(i, file.parent_path())) known->second.push_back(std::move(*path));
    return known->second;
  }

  fs::path header_;
  const std::vector<fs::path>& folders_;
  fs::path project_;
  std::map<fs::path, std::vector<fs::path>> includes_;
};

constexpr std::size_t most_remembered = 64, most_found = 32;

struct Memory {
  std::mutex mutex;
  std::map<std::string, std::vector<options::FoundHeader>> found;
};
Memory& header_memory() {
  static Memory memory;
  return memory;
}

std::string include_lines(const std::string& text) {
  std::string out;
  for (const std::string_view line : split_lines(text))
    if (without_indent(line).starts_with('#') && line.find("include") != std::string_view::npos)
      out += std::string(line) + '\n';
  return out;
}

}  // namespace

std::vector<BringingInclude> includes_that_bring(const fs::path& header, std::string_view text, const fs::path& folder,
                                                 const std::vector<fs::path>& folders) {
  std::error_code problem;
  IncludeFollower follower(fs::weakly_canonical(header, problem), folder, folders);
  std::vector<BringingInclude> out;
  for (const std::string_view line : split_lines(text)) {
    const source::Include i = source::include_on(line);
    if (i.name.empty()) continue;
    const std::optional<fs::path> path = follower.find(i, folder);
    if (path && follower.brings(*path))
      out.push_back({std::string(i.name), static_cast<std::uint32_t>(line.data() - text.data())});
  }
  return out;
}

HeaderFolders::HeaderFolders(std::string file, const std::string& text, std::vector<options::FoundHeader> found)
    : file_(std::move(file)), key_(file_ + '\n' + include_lines(text)), found_(std::move(found)) {
  Memory& memory = header_memory();
  const std::lock_guard lock(memory.mutex);
  const auto known = memory.found.find(key_);
  if (known == memory.found.end()) return;
  std::error_code problem;
  const bool holds = std::ranges::all_of(
      known->second, [&](const options::FoundHeader& f) { return fs::is_regular_file(f.folder / f.name, problem); });
  if (!holds) {
    memory.found.erase(known);
    return;
  }
  for (const options::FoundHeader& f : known->second)
    if (std::ranges::find(found_, f.name, &options::FoundHeader::name) == found_.end()) found_.push_back(f);
}

std::vector<std::string> HeaderFolders::folders() const {
  std::vector<std::string> out;
  for (const options::FoundHeader& f : found_)
    if (std::ranges::find(out, f.folder.string()) == out.end()) out.push_back(f.folder.string());
  return out;
}

bool HeaderFolders::look_for(const std::vector<CompileLog::MissingHeader>& missing) {
  bool more = false;
  for (const CompileLog::MissingHeader& m : missing) {
    if (found_.size() >= most_found) break;
    auto found = options::find_header_near(file_, m.name);
    if (!found && m.includer != file_) found = options::find_header_near(m.includer, m.name);
    if (!found || std::ranges::find(found_, found->name, &options::FoundHeader::name) != found_.end()) continue;
    found_.push_back(std::move(*found));
    more = true;
  }
  if (more) remember();
  return more;
}

void HeaderFolders::remember() const {
  Memory& memory = header_memory();
  const std::lock_guard lock(memory.mutex);
  if (memory.found.size() >= most_remembered) memory.found.clear();
  memory.found[key_] = found_;
}

}  // namespace lanescope::compile
