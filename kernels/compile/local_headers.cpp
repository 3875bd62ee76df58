#include "kernels/compile/local_headers.h"

#include <map>
#include <optional>

#include "kernels/base/byte_order_mark.h"
#include "kernels/base/read_file.h"
#include "kernels/compile/calls/include_names.h"
#include "kernels/source/data/sha256.h"
#include "kernels/source/options/project.h"

namespace lanescope::compile {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> text_of(const fs::path& path, const fs::path& project) {
  std::error_code problem;
  if (!fs::is_regular_file(path, problem) || !options::may_include(path, project)) return std::nullopt;
  auto text = read_file(path.string());
  return text ? std::optional(std::move(*text)) : std::nullopt;
}

class Gatherer {
 public:
  Gatherer(const fs::path& folder, const std::vector<fs::path>& folders)
      : folders_(folders), project_(options::project_folder(folder / "k.cu")) {}

  void follow(std::string_view text, const fs::path& folder) {
    const IncludeNames included = include_names(text);
    known_ = known_ && included.known;
    for (const std::string& name : included.names) {
      add(folder / name, name);
      for (const fs::path& searched : folders_) add(searched / name, name);
    }
  }

  LocalHeaders result(const fs::path& folder) const {
    if (found_.empty()) return {.known = known_, .key = {}, .key_by_relative_names = {}, .unmarked = {}};
    std::map<std::string, std::string> relative;  // in the order of these names, which is the same everywhere
    for (const auto& [path, text] : found_) {
      const std::string name = fs::path(path).lexically_relative(folder.lexically_normal()).string();
      relative.emplace(name.empty() ? path : name, text);  // empty: it is named by an absolute path
    }
    return {.known = known_, .key = hash(found_), .key_by_relative_names = hash(relative), .unmarked = unmarked_};
  }

 private:
  static std::string hash(const std::map<std::string, std::string>& texts) {
    std::string all;
    for (const auto& [path, text] : texts) all += path + '\0' + std::to_string(text.size()) + '\0' + text;
    return source::sha256(all);
  }

  void add(const fs::path& path, std::string_view included_as) {
    const std::string normal = path.lexically_normal().string();
    if (found_.contains(normal)) return;
    auto text = text_of(path, project_);
    if (!text) return;
    const std::string& kept = found_.emplace(normal, std::move(*text)).first->second;
    if (!byte_order_mark(kept).empty()) unmarked_.try_emplace(std::string(included_as), without_byte_order_mark(kept));
    follow(kept, path.parent_path());
  }

  const std::vector<fs::path>& folders_;
  fs::path project_;
  std::map<std::string, std::string> found_;  ///< text by path; references stay good
  std::map<std::string, std::string> unmarked_;
  bool known_ = true;
};

}  // namespace

LocalHeaders local_headers(std::string_view text, const fs::path& folder, const std::vector<fs::path>& folders) {
  Gatherer gatherer(folder, folders);
  gatherer.follow(text, folder);
  return gatherer.result(folder);
}

}  // namespace lanescope::compile
