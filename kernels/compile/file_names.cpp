#include "kernels/compile/file_names.h"

#include <algorithm>

#include "kernels/base/plain_name.h"
#include "kernels/compile/calls/call.h"
#include "kernels/source/cxx/macros.h"
#include "kernels/source/notation/probes.h"

namespace lanescope::compile {
namespace {

namespace fs = std::filesystem;

/// A folder that cannot exist: descriptors are numbers.
constexpr std::string_view nowhere = "/proc/self/fd/-";

/// A name for the user's file that nothing else in its folder has.
std::string fresh_name(const fs::path& folder, const std::string& file_name) {
  std::string name = file_name.empty() ? "kernel.cu" : plain_name(file_name);
  std::error_code problem;
  while (name != file_name && fs::exists(folder / name, problem)) name += '_';
  return name;
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

/// Where the name in a `.file` line ends: at a quote that no backslash stands before.
std::size_t closing_quote(std::string_view line, std::size_t from) {
  for (std::size_t i = from; i < line.size(); ++i) {
    if (line[i] == '\\')
      ++i;
    else if (line[i] == '"')
      return i;
  }
  return std::string_view::npos;
}

/// A macro right after a string literal is a macro to host compilers; NVRTC takes it as a suffix of the literal.
void add_line(std::string_view line, std::string& out) {
  for (const std::string_view language : {"\"C\"__", "\"C++\"__"})
    if (const std::size_t at = line.find(language); at != std::string_view::npos) {
      const std::size_t after = at + language.size() - 2;
      out += line.substr(0, after);
      out += ' ';
      out += line.substr(after);
      return;
    }
  out += line;
}

}  // namespace

FileNames::FileNames(const source::Source& source, const std::vector<std::string>& options) : file_(source.file) {
  main_ = name_of(file_);
  for (std::size_t k = 0; k < source.headers.size(); ++k) {
    header_paths_.push_back(source.lines.files[k + 1].path);
    headers_.push_back(name_of(header_paths_.back()));
  }
  for (const std::string& option : options) {
    options_.push_back(option);
    for (const std::string_view word : {"-I", "--include-path="}) {
      if (!option.starts_with(word)) continue;
      if (const std::string number = open(option.substr(word.size())); !number.empty())
        options_.back() = std::string(word) + number;
    }
  }
}

std::string FileNames::name_of(const std::string& file) {
  fs::path folder = fs::path(file).parent_path();
  if (folder.empty()) folder = ".";
  const std::string own = file.empty() ? std::string() : open(folder);
  return (own.empty() ? std::string(nowhere) : own) + '/' + fresh_name(folder, fs::path(file).filename().string());
}

std::string FileNames::open(const fs::path& folder) {
  std::error_code problem;
  const std::string really = fs::canonical(folder, problem).string();
  if (problem || !fs::is_directory(really, problem) || !can_number_folders()) return {};
  auto known = std::ranges::find(opened_, really);
  if (known == opened_.end()) {
    if (opened_.size() == most_folders) return {};
    known = opened_.insert(known, really);
  }
  const std::string number = numbered_folder(static_cast<std::size_t>(known - opened_.begin()));
  folders_.push_back({folder, number});
  return number;
}

std::string FileNames::users_name(std::string_view way_back) const {
  if (way_back == source::way_back_name(0)) return main_;
  for (std::size_t k = 0; k < headers_.size(); ++k)
    if (way_back == source::way_back_name(k + 1)) return headers_[k];
  return {};
}

std::string FileNames::text(std::string_view text, const source::IncludeTargets& includes) const {
  std::string out;
  constexpr std::string_view directive = "#line ", own = "\"lanescope-";
  while (!text.empty()) {
    const std::size_t stop = std::min(text.find('\n'), text.size() - 1);
    const std::string_view line = text.substr(0, stop + 1);
    text.remove_prefix(stop + 1);
    const std::size_t name = line.starts_with(directive) ? line.find('"') : std::string_view::npos;
    if (name != std::string_view::npos && line.substr(name).starts_with(own)) {
      out += line.substr(0, name + 1);
      out += nowhere;
      out += '/';
      out += line.substr(name + 1);
      continue;
    }
    const std::size_t close = name == std::string_view::npos ? name : line.find('"', name + 1);
    const std::string user =
        close == std::string_view::npos ? std::string() : users_name(line.substr(name + 1, close - name - 1));
    const source::Include include = includes.empty() ? source::Include{} : source::include_on(line);
    if (!user.empty()) {
      out += line.substr(0, name + 1);
      out += user;
      out += line.substr(close);
    } else if (const auto target = includes.find(include.written);
               !include.name.empty() && target != includes.end() && target->second <= headers_.size()) {
      const auto at = static_cast<std::size_t>(include.written.data() - line.data());
      out += line.substr(0, at);
      out += '"' + headers_[target->second - 1] + '"';
      out += line.substr(at + include.written.size());
    } else {
      add_line(line, out);
    }
  }
  return out;
}

std::string FileNames::real(std::string_view said) const {
  if (said == main_) return file_;
  for (std::size_t k = 0; k < headers_.size(); ++k)
    if (said == headers_[k]) return header_paths_[k];
  if (said.starts_with(nowhere) && said.substr(nowhere.size()).starts_with('/'))
    return std::string(said.substr(nowhere.size() + 1));
  std::string name(said);
  for (const Folder& folder : folders_) {
    const std::string& alias = folder.number;
    if (!said.starts_with(alias) || !said.substr(alias.size()).starts_with('/')) continue;
    name = (folder.real / said.substr(alias.size() + 1)).lexically_normal().string();
    break;
  }
  // A #line directive of the user's, or the file included by itself.
  std::error_code problem;
  const fs::path here = fs::current_path(problem);
  const bool own = (here / name).lexically_normal() == (here / file_).lexically_normal();
  return own ? file_ : name;
}

std::string FileNames::words(std::string_view said) const {
  std::string out(said);
  replace_all(out, main_, file_);
  for (std::size_t k = 0; k < headers_.size(); ++k) replace_all(out, headers_[k], header_paths_[k]);
  for (const Folder& folder : folders_)
    replace_all(out, folder.number + '/', folder.real == "." ? "" : (folder.real / "").string());
  return out;
}

std::string FileNames::log(std::string_view said) {
  std::string out(said);
  replace_all(out, std::string(nowhere) + "/lanescope-", "lanescope-");
  return out;
}

std::string FileNames::ptx(std::string_view ptx) const {
  return rename_files(ptx, [&](std::string_view said) {
    const std::string name = without_escapes(said);
    std::string meant = real(name);
    const bool own = name.starts_with(nowhere) && name != main_;
    return own ? meant : plain_name(meant);
  });
}

std::string rename_files(std::string_view ptx, const std::function<std::string(std::string_view)>& rename) {
  std::string out;
  out.reserve(ptx.size());
  while (!ptx.empty()) {
    const std::size_t stop = std::min(ptx.find('\n'), ptx.size() - 1);
    const std::string_view line = ptx.substr(0, stop + 1);
    ptx.remove_prefix(stop + 1);
    const std::size_t word = line.find_first_not_of(" \t");
    const std::size_t open = line.find('"');
    const std::size_t close = open == std::string_view::npos ? open : closing_quote(line, open + 1);
    if (word == std::string_view::npos || !line.substr(word).starts_with(".file") || close == std::string_view::npos) {
      out += line;
      continue;
    }
    out += line.substr(0, open + 1);
    out += rename(line.substr(open + 1, close - open - 1));
    out += line.substr(close);
  }
  return out;
}

}  // namespace lanescope::compile
