#include "kernels/source/options/header_search.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "kernels/source/options/nvcc_words.h"

namespace lanescope::options {
namespace {

namespace fs = std::filesystem;

constexpr const char* usual[] = {".",          "include",        "inc",    "includes", "common", "Common",
                                 "common/inc", "common/include", "src",    "source",   "utils",  "util",
                                 "lib",        "headers",        "shared", "core",     "kernel", "kernels",
                                 "helper",     "helpers",        "tools"};
constexpr const char* of_others[] = {"third_party", "third-party", "thirdparty", "3rdparty",   "3rd_party", "external",
                                     "extern",      "externals",   "deps",       "submodules", "vendor",    "libs"};
constexpr std::size_t most_reported = 3;

class Search {
 public:
  explicit Search(std::string_view name) : name_(name) {}

  void run(const std::vector<fs::path>& folders) {
    for (const fs::path& folder : folders) {
      for (const char* each : usual) look(folder / each);
      for (const char* each : of_others) look_below(folder / each);
      for (const char* each : {"include", "inc", "src", "common"}) look_below(folder / each);
      // Beside the kernel's own folder: a sibling may hold what all of them share.
      look_below(folder);
    }
  }

  std::optional<FoundHeader> result() && {
    if (found_.empty()) return std::nullopt;
    FoundHeader out{.name = name_, .folder = found_.front(), .others = {}};
    out.others.assign(found_.begin() + 1, found_.end());
    return out;
  }

 private:
  bool look(const fs::path& folder) {
    if (looked_ >= most_searched_folders || found_.size() > most_reported) return false;
    const fs::path normal = folder.lexically_normal();
    if (!seen_.insert(normal.string()).second) return true;
    ++looked_;
    std::error_code problem;
    if (!fs::is_regular_file(normal / name_, problem) || !is_header(normal / name_)) return true;
    // One file under two names is one file.
    const fs::path real = fs::weakly_canonical(normal / name_, problem);
    if (files_.insert(real.string()).second) found_.push_back(normal);
    return true;
  }

  void look_below(const fs::path& folder) {
    std::error_code problem;
    std::vector<fs::path> inside;
    for (auto at = fs::directory_iterator(folder, fs::directory_options::skip_permission_denied, problem);
         !problem && at != fs::directory_iterator(); at.increment(problem)) {
      if (inside.size() >= 256) break;
      std::error_code other;
      if (at->is_directory(other) && !at->path().filename().string().starts_with('.')) inside.push_back(at->path());
    }
    std::ranges::sort(inside);  // the same answer on every file system
    for (const fs::path& each : inside)
      for (const char* below : {".", "include", "inc"})
        if (!look(each / below)) return;
  }

  std::string name_;
  std::set<std::string> seen_, files_;
  std::vector<fs::path> found_;
  std::size_t looked_ = 0;
};

}  // namespace

std::optional<FoundHeader> find_header_near(const fs::path& file, std::string_view name) {
  const fs::path wanted(name);
  if (name.empty() || name.size() > 1024 || wanted.is_absolute()) return std::nullopt;
  if (std::ranges::any_of(wanted, [](const fs::path& part) { return part == ".."; })) return std::nullopt;
  std::vector<fs::path> folders = folders_above(file, most_levels + 1);
  // The root of the file system and the folders right below it (/tmp, /home) belong to the machine.
  if (folders.size() > 1)
    folders.erase(std::remove_if(folders.begin() + 1, folders.end(),
                                 [](const fs::path& folder) { return folder.parent_path() == folder.root_path(); }),
                  folders.end());
  std::erase_if(folders, [](const fs::path& folder) { return folder == folder.root_path(); });
  Search search(name);
  search.run(folders);
  return std::move(search).result();
}

std::string words_of(const FoundHeader& found, const fs::path& file) {
  std::string words = fmt::format("-I {}, where {} is", folder_name(found.folder, file), found.name);
  if (found.others.empty()) return words;
  words += " (the nearest; also in ";
  for (std::size_t i = 0; i < found.others.size(); ++i)
    words += (i > 0 ? ", " : "") + folder_name(found.others[i], file);
  return words + ")";
}

}  // namespace lanescope::options
