#include "kernels/compile/local_headers.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <set>

#include "kernels/base/byte_order_mark.h"
#include "kernels/base/read_file.h"
#include "kernels/base/text.h"
#include "kernels/compile/calls/include_names.h"
#include "kernels/source/data/sha256.h"
#include "kernels/source/options/header_search.h"

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

constexpr const char* stand_in = "#error lanescope does not read this file\n";
constexpr std::uintmax_t most_header_bytes = std::uintmax_t{64} << 20;

class Containment {
 public:
  Containment(Call& call, const source::Source& source)
      : call_(call), source_(source), project_(options::project_folder(source.file)) {
    for (const std::string& o : call.options)
      for (const std::string_view word : {"-I", "--include-path="})
        if (o.starts_with(word)) searched_.emplace_back(after_number(o.substr(word.size()), call.folders));
  }

  Contained run(const FileNames& names) {
    add(call_.text, source_.file);
    for (std::size_t k = 0; k < names.headers().size(); ++k)
      if (const std::string& path = source_.lines.files[k + 1].path; is_of_folder(path, project_))
        add(call_.headers[names.headers()[k]], path);
    for (const std::string& o : call_.options)
      if (o.starts_with("-D")) define_option(o.substr(2));
    while (!open_.empty()) {
      const Text next = std::move(open_.front());
      open_.pop_front();
      follow(next);
    }
    out_.computed = computed_names();
    return std::move(out_);
  }

 private:
  struct Text {
    std::string text, file;
  };

  void add(std::string text, std::string file) { open_.push_back({std::move(text), std::move(file)}); }

  void define_option(std::string_view option) {
    const std::size_t equals = option.find('=');
    const std::string_view name = option.substr(0, std::min(equals, option.find('(')));
    define({.name = std::string(name),
            .value = equals == std::string_view::npos ? "1" : std::string(trimmed(option.substr(equals + 1))),
            .has_parameters = name.size() < std::min(option.size(), equals)},
           {.text = {}, .file = source_.file});
  }

  void define(const Definition& d, const Text& where) {
    if (const std::string name = name_in(d.value); !name.empty()) look_for(name, where);
    defined_[d.name].push_back(d);
  }

  void follow(const Text& text) {
    const IncludeNames included = include_names(text.text);
    for (const std::string& name : included.names) look_for(name, text);
    for (const std::string& what : included.computed) computed_.push_back({what, text.file});
    for (const Definition& d : definitions(text.text)) define(d, text);
  }

  void look_for(const std::string& name, const Text& where) {
    const fs::path folder = fs::path(where.file).parent_path();
    if (call_.headers.contains(name)) return;
    const fs::path meant = after_number(name, call_.folders);
    std::vector<fs::path> places = {meant.is_absolute() || folder.empty() ? meant : folder / meant};
    if (meant.is_relative())
      for (const fs::path& each : searched_) places.push_back(each / meant);
    for (const fs::path& place : places) {
      std::error_code problem;
      const fs::file_status status = fs::status(place, problem);
      if (!fs::exists(status) || fs::is_directory(status)) continue;
      const bool readable = fs::is_regular_file(status) && fs::file_size(place, problem) <= most_header_bytes &&
                            options::may_include(place, project_);
      if (!readable)
        refuse(name, where);
      else if (is_of_folder(place, project_) && seen_.insert(real_path(place)).second)
        read(name, place, where);
      return;
    }
  }

  /// A text of wide characters says to the compiler what is not looked for here.
  void read(const std::string& name, const fs::path& place, const Text& where) {
    auto text = read_file(place.string());
    if (!text || text->find('\0') != std::string::npos)
      refuse(name, where);
    else
      add(std::move(*text), place.string());
  }

  void refuse(const std::string& name, const Text& where) {
    call_.headers.emplace(name, stand_in);
    // Of the file as the user has it, which has the same lines.
    const std::string_view text = where.file == source_.file ? std::string_view(source_.text) : where.text;
    const std::vector<std::string_view> lines = split_lines(text);
    const auto line = std::ranges::find_if(lines, [&](std::string_view l) { return l.find(name) != l.npos; });
    out_.refused.emplace(
        name,
        Diagnostic{.file = where.file,
                   .line = line == lines.end() ? 0 : static_cast<int>(line - lines.begin()) + 1,
                   .message = fmt::format("`{}` is not read: it is no C++ header, and not of the project in {}", name,
                                          project_.string()),
                   .remedy = "put it into the folder of the kernel; docs/options.md lists the files that are read"});
  }

  /// Every value of a macro is a name, which was looked for, or a macro of that kind; what no file of the project
  /// defines is another user's.
  bool is_known(const std::string& macro, int depth = 0) const {
    constexpr int deepest = 16;
    if (macro.empty() || is_digit(macro.front()) || !std::ranges::all_of(macro, is_word)) return false;
    const auto values = defined_.find(macro);
    return values == defined_.end() || std::ranges::all_of(values->second, [&](const Definition& d) {
             return !d.has_parameters &&
                    (!name_in(d.value).empty() || (depth < deepest && is_known(d.value, depth + 1)));
           });
  }

  Diagnostics computed_names() const {
    Diagnostics out;
    for (const auto& [what, file] : computed_)
      if (!is_known(what))
        out.push_back({.file = file,
                       .message = fmt::format("the name in `#include {}` is computed, so that it is not known before "
                                              "which file is read",
                                              what),
                       .remedy = "write the name, or a macro whose whole value is one"});
    return out;
  }

  struct Computed {
    std::string what, file;
  };

  Call& call_;
  const source::Source& source_;
  fs::path project_;
  std::vector<fs::path> searched_;
  std::deque<Text> open_;
  std::set<fs::path> seen_;
  std::map<std::string, std::vector<Definition>> defined_;
  std::vector<Computed> computed_;
  Contained out_;
};

}  // namespace

LocalHeaders local_headers(std::string_view text, const fs::path& folder, const std::vector<fs::path>& folders) {
  Gatherer gatherer(folder, folders);
  gatherer.follow(text, folder);
  return gatherer.result(folder);
}

Contained contain(Call& call, const source::Source& source, const FileNames& names) {
  return Containment(call, source).run(names);
}

Diagnostic without_quotes(Diagnostic said, const source::Source& source) {
  if (said.file.empty() || said.file == source.file) return said;
  std::error_code problem;
  fs::path file = said.file;
  if (file.is_relative() && !fs::exists(file, problem)) file = fs::path(source.file).parent_path() / file;
  if (!fs::exists(file, problem) || is_header(file)) return said;
  said.message = "the compiler's message about this file is not shown: it is no C++ header";
  said.line = said.column = 0;
  said.remedy.clear();
  return said;
}

}  // namespace lanescope::compile
