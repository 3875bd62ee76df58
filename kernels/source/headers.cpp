#include "kernels/source/headers.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "kernels/base/byte_order_mark.h"
#include "kernels/base/read_file.h"
#include "kernels/source/cxx/includes.h"

namespace lanescope::source {
namespace {

namespace fs = std::filesystem;

bool is_toolkit(const fs::path& folder) {
  std::error_code ignored;
  return std::ranges::any_of(
      std::initializer_list<const char*>{"cuda_runtime_api.h", "cub/cub.cuh", "cuda/std/version"},
      [&](const char* name) { return fs::exists(folder / name, ignored); });
}

/// Relative folders are meant from the file's own, else from where the program runs.
std::vector<fs::path> searched_folders(const fs::path& beside, const std::vector<std::string>& options) {
  std::vector<fs::path> out;
  const auto add = [&](std::string_view name) {
    std::error_code ignored;
    const fs::path folder(name);
    const fs::path meant = folder.is_relative() && fs::exists(beside / folder, ignored) ? beside / folder : folder;
    if (!name.empty() && !is_toolkit(meant)) out.push_back(meant);
  };
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::string_view option = options[i];
    constexpr std::string_view longer = "--include-path=";
    if (option == "-I" && i + 1 < options.size())
      add(options[++i]);
    else if (option.starts_with("-I"))
      add(option.substr(2));
    else if (option.starts_with(longer))
      add(option.substr(longer.size()));
  }
  out.push_back(beside);
  return out;
}

/// Whole declarations, so that what comes before and behind it does not change what it means.
bool stands_alone(const Lexed& lexed, const Outline& parts) {
  if (!lexed.mistakes.empty() || !parts.reliable || lexed.too_deep >= 0 || parts.too_deep >= 0) return false;
  const int last = lexed.count() - 1;
  return last < 0 || lexed.is(last, ";") || lexed.is(last, "}");
}

class Gatherer {
 public:
  Gatherer(std::string_view file, const std::vector<std::string>& options) : file_(file) {
    folder_ = fs::path(file).parent_path();
    if (folder_.empty()) folder_ = ".";
    searched_ = searched_folders(folder_, options);
  }

  ReadHeaders run(const Lexed& lexed, const Outline& parts) {
    add_part(fs::path(file_).filename().string(), std::string(file_), lexed.text);
    std::error_code ignored;
    known_.emplace(fs::weakly_canonical(fs::path(file_), ignored), 0);
    follow(0, folder_, lexed, parts);
    if (out_.lines.files.size() < 2) out_.lines.files.clear();
    return std::move(out_);
  }

 private:
  void add_part(std::string name, std::string path, std::string_view text) {
    const auto begin = static_cast<std::uint32_t>(out_.text.size());
    out_.text += text;
    const auto end = static_cast<std::uint32_t>(out_.text.size());
    out_.text += '\n';
    out_.lines.add(std::move(name), std::move(path), static_cast<int>(std::ranges::count(text, '\n')) + 1);
    out_.parts.push_back({.begin = begin, .end = end, .first_line = out_.lines.files.back().first_line});
    out_.includes.emplace_back();
  }

  void follow(std::size_t includer, const fs::path& folder, const Lexed& lexed, const Outline& parts) {
    for (const Include& i : includes(lexed)) {
      if (parts.function_at(lexed.last_before(i.offset)) >= 0) continue;  // a piece of that function
      const std::optional<fs::path> path = find(i, folder);
      if (!path) continue;
      if (const std::optional<std::size_t> target = header(*path, includer, i.line); target && *target > 0)
        out_.includes[includer].emplace(i.written, *target);
    }
  }

  std::optional<fs::path> find(const Include& include, const fs::path& beside) const {
    const fs::path name(include.name);
    std::error_code ignored;
    if (!include.angle && fs::is_regular_file(beside / name, ignored)) return (beside / name).lexically_normal();
    for (const fs::path& folder : searched_)
      if (fs::is_regular_file(folder / name, ignored)) return (folder / name).lexically_normal();
    return std::nullopt;
  }

  /// Its place in the table; none where it is left to the compiler.
  std::optional<std::size_t> header(const fs::path& path, std::size_t includer, int line) {
    std::error_code problem;
    const fs::path own = fs::weakly_canonical(path, problem);
    if (const auto known = known_.find(own); known != known_.end()) return known->second;
    std::optional<std::size_t>& place = known_[own];  // references stay good
    const std::uintmax_t bytes = fs::file_size(path, problem);
    if (problem) return std::nullopt;
    if (out_.parts.size() > most_headers || bytes > most_header_bytes || bytes_ + bytes > most_header_bytes) {
      leave(path, includer, line,
            fmt::format("at most {} headers and {} MiB of them are read", most_headers, most_header_bytes >> 20));
      return std::nullopt;
    }
    const Expected<std::string> read = read_file(path.string());
    if (!read || read->find('\0') != std::string::npos) return std::nullopt;
    bytes_ += bytes;
    const std::string text(without_byte_order_mark(*read));
    const Lexed lexed = lex(text);
    const Outline parts = outline(lexed);
    if (!stands_alone(lexed, parts)) {
      leave(path, includer, line, "it is no sequence of whole declarations");
      return std::nullopt;
    }
    place = out_.parts.size();
    const std::size_t index = *place;
    add_part(shown_name(path), path.string(), text);
    follow(index, path.parent_path().empty() ? fs::path(".") : path.parent_path(), lexed, parts);
    return index;
  }

  std::string shown_name(const fs::path& path) const {
    const fs::path relative = path.lexically_relative(folder_.lexically_normal());
    return relative.empty() || *relative.begin() == ".." ? path.string() : relative.string();
  }

  void leave(const fs::path& path, std::size_t includer, int line, std::string_view reason) {
    out_.notes.push_back({.file = out_.lines.files[includer].path,
                          .line = line,
                          .message = fmt::format("claims in {} are not looked for: {}", shown_name(path), reason),
                          .remedy = {},
                          .severity = Severity::note});
  }

  std::string_view file_;
  fs::path folder_;
  std::vector<fs::path> searched_;
  std::map<fs::path, std::optional<std::size_t>> known_;  ///< by the path without links and dots
  std::uintmax_t bytes_ = 0;                              ///< read
  ReadHeaders out_;
};

}  // namespace

ReadHeaders read_headers(std::string_view file, const Lexed& lexed, const Outline& parts,
                         const std::vector<std::string>& options) {
  return Gatherer(file, options).run(lexed, parts);
}

}  // namespace lanescope::source
