#include "kernels/compile/compile_options.h"

#include <map>
#include <optional>

#include "kernels/base/read_file.h"
#include "kernels/base/text.h"
#include "kernels/source/cxx/macros.h"
#include "kernels/source/options/project.h"

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

}  // namespace lanescope::compile
