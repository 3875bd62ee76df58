#include "kernels/compile/calls/include_names.h"

#include <sys/stat.h>

#include <deque>
#include <map>
#include <mutex>
#include <set>

#include <fmt/format.h>

#include "kernels/base/read_file.h"
#include "kernels/compile/calls/call.h"
#include "kernels/source/data/sha256.h"

namespace lanescope::compile {
namespace {

namespace fs = std::filesystem;

/// The same text says something else later.
bool tells_the_time(std::string_view text) {
  for (const std::string_view word : {"__DATE__", "__TIME__", "__TIMESTAMP__"})
    if (text.find(word) != std::string_view::npos) return true;
  return false;
}

std::string identity_of(const struct stat& file) {
  return fmt::format("{} {} {} {}.{} {}.{}", file.st_dev, file.st_ino, file.st_size, file.st_mtim.tv_sec,
                     file.st_mtim.tv_nsec, file.st_ctim.tv_sec, file.st_ctim.tv_nsec);
}

/// Names in headers of the toolkit, read once for a process as long as the files are unchanged.
class ToolkitHeaders {
 public:
  std::vector<std::string> names(const std::string& path, const std::string& identity) {
    const std::lock_guard guard(mutex_);
    Known& known = known_[path];
    if (known.identity != identity) {
      known.identity = identity;
      known.names = include_names(read_file(path).value_or("")).names;
    }
    return known.names;
  }

 private:
  struct Known {
    std::string identity;
    std::vector<std::string> names;
  };
  std::mutex mutex_;
  std::map<std::string, Known> known_;
};

class Walk {
 public:
  Walk(const Call& call, const Nvrtc& library) : call_(call), library_(library) {
    for (const std::string& o : call.options)
      for (const std::string_view word : {"-I", "--include-path="})
        if (o.starts_with(word)) searched_.push_back(after_number(o.substr(word.size()), call.folders));
    own_ = folder_of(after_number(call.name, call.folders));
    for (const auto& given : call.headers) given_.emplace(last_part(given.first), &given);
  }

  std::optional<std::string> state() {
    text(call_.text, call_.name);
    constexpr std::string_view first = "--pre-include=";
    for (const std::string& o : call_.options)
      if (o.starts_with(first)) open_.push_back({{o.substr(first.size())}, {}});
    while (!open_.empty() && good_) {
      const Open next = std::move(open_.front());
      open_.pop_front();
      for (const std::string& name : next.names) look_for(name, next.folder);
    }
    if (!good_) return std::nullopt;
    std::string all;
    for (const auto& [path, what] : found_) all += path + '\0' + what + '\0';
    return source::sha256(all);
  }

 private:
  struct Open {
    std::vector<std::string> names;
    std::string folder;  ///< of who includes them; empty: none
  };

  /// As it really lies: a header that includes itself through ".." would else have a new name each time.
  static std::string folder_of(const std::string& file) {
    std::error_code problem;
    const fs::path folder = fs::path(file).parent_path();
    return folder.empty() ? std::string() : fs::canonical(folder, problem).string();
  }

  void text(const std::string& words, const std::string& name) {
    IncludeNames included = include_names(words);
    good_ = good_ && included.known && !tells_the_time(words);
    if (!included.names.empty())
      open_.push_back({std::move(included.names), folder_of(after_number(name, call_.folders))});
  }

  static std::string last_part(const std::string& name) { return name.substr(name.rfind('/') + 1); }

  /// Headers that were given are read where something names them, in any folder: there are 150 that stand in for those
  /// of the host, and what they include need not be looked for in each call.
  void read_given(const std::string& name) {
    const auto [begin, end] = given_.equal_range(last_part(name));
    std::vector<const Given*> named;
    for (auto at = begin; at != end; ++at) named.push_back(at->second);
    given_.erase(begin, end);
    for (const Given* given : named) text(given->second, given->first);
  }

  void look_for(const std::string& name, const std::string& folder) {
    read_given(name);
    if (call_.headers.contains(name)) return;
    const std::string meant = after_number(name, call_.folders);
    if (meant.starts_with('/')) return file(meant);
    if (!folder.empty()) file(folder + '/' + meant);
    for (const std::string& searched : searched_) file(searched + '/' + meant);
  }

  /// The name under which the compiler would find it: where a folder lies does not matter.
  std::string known_as(const std::string& path) const {
    for (std::size_t k = 0; k < call_.folders.size(); ++k)
      if (path.starts_with(call_.folders[k]) && path.substr(call_.folders[k].size()).starts_with('/'))
        return numbered_folder(k) + path.substr(call_.folders[k].size());
    return path;
  }

  bool is_of_toolkit(const std::string& path) const {
    const std::string& folder = library_.include_directory;
    return !folder.empty() && path.starts_with(folder) && path.substr(folder.size()).starts_with('/');
  }

  void file(const std::string& path) {
    if (!seen_.insert(path).second) return;
    struct stat found {};
    if (::stat(path.c_str(), &found) != 0 || S_ISDIR(found.st_mode)) return;
    if (!S_ISREG(found.st_mode)) {
      good_ = false;  // a pipe or a device says something else each time
      return;
    }
    // It is no header and perhaps not the project's: what it holds is not looked at here.
    if (!is_header(path) && !is_of_folder(path, own_)) {
      good_ = false;
      return;
    }
    if (is_of_toolkit(path)) {
      std::string identity = identity_of(found);
      static ToolkitHeaders& toolkit = *new ToolkitHeaders;  // to the end of every thread
      open_.push_back({toolkit.names(path, identity), folder_of(path)});
      found_.emplace(known_as(path), path + ' ' + identity);
      return;
    }
    const auto words = read_file(path);
    if (!words) return;  // the compiler cannot read it either
    found_.emplace(known_as(path), source::sha256(*words));
    text(*words, path);
  }

  using Given = std::map<std::string, std::string>::value_type;

  const Call& call_;
  const Nvrtc& library_;
  std::string own_;                                 ///< the folder of the text
  std::multimap<std::string, const Given*> given_;  ///< by the last part of the name; those not read yet
  std::vector<std::string> searched_;
  std::deque<Open> open_;
  std::set<std::string> seen_;
  std::map<std::string, std::string> found_;
  bool good_ = true;
};

}  // namespace

std::optional<std::string> state_of_files(const Call& call, const Nvrtc& library) {
  return Walk(call, library).state();
}

}  // namespace lanescope::compile
