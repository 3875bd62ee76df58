#include "kernels/source/source.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "kernels/base/byte_order_mark.h"
#include "kernels/base/read_file.h"
#include "kernels/source/cxx/macros.h"
#include "kernels/source/cxx/structural_macros.h"

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

/// Where the headers of a file are.
class Search {
 public:
  Search(std::string_view file, const std::vector<std::string>& options) : folder_(fs::path(file).parent_path()) {
    if (folder_.empty()) folder_ = ".";
    searched_ = searched_folders(folder_, options);
  }
  const fs::path& folder() const { return folder_; }

  std::optional<fs::path> find(std::string_view written, bool quoted, const fs::path& beside) const {
    const fs::path name(written);
    std::error_code ignored;
    fs::path found;
    if (quoted && fs::is_regular_file(beside / name, ignored)) found = (beside / name).lexically_normal();
    for (std::size_t i = 0; i < searched_.size() && found.empty(); ++i)
      if (fs::is_regular_file(searched_[i] / name, ignored)) found = (searched_[i] / name).lexically_normal();
    if (found.empty() || !is_header(found)) return std::nullopt;  // what is read here is also shown
    return found;
  }

 private:
  fs::path folder_;
  std::vector<fs::path> searched_;
};

fs::path folder_of(const fs::path& file) {
  const fs::path folder = file.parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

/// Without its byte-order mark; nothing where it is no text or the budget does not hold it.
std::optional<std::string> read_text(const fs::path& path, std::uintmax_t& bytes_left) {
  std::error_code problem;
  const std::uintmax_t bytes = fs::file_size(path, problem);
  if (problem || bytes > bytes_left) return std::nullopt;
  const Expected<std::string> read = read_file(path.string());
  if (!read || read->find('\0') != std::string::npos) return std::nullopt;
  bytes_left -= bytes;
  return std::string(without_byte_order_mark(*read));
}

/// Whole declarations, so that what comes before and after it does not change what it means.
bool stands_alone(const Lexed& lexed, const Outline& parts) {
  if (!lexed.mistakes.empty() || !parts.reliable || lexed.too_deep >= 0 || parts.too_deep >= 0) return false;
  const int last = lexed.count() - 1;
  return last < 0 || lexed.is(last, ";") || lexed.is(last, "}");
}

class Gatherer {
 public:
  Gatherer(std::string_view file, const Conditionals& active, const std::vector<std::string>& options)
      : file_(file), search_(file, options), active_(active) {
    std::error_code ignored;
    for (std::size_t i = 1; i < active.files.size(); ++i)
      texts_.emplace(fs::weakly_canonical(fs::path(active.files[i].file), ignored), &active.files[i].text);
  }

  ReadHeaders run(const Lexed& lexed, const Outline& parts) {
    add_part(fs::path(file_).filename().string(), std::string(file_), lexed.text, {});
    std::error_code ignored;
    known_.emplace(fs::weakly_canonical(fs::path(file_), ignored), 0);
    follow(0, search_.folder(), lexed, parts);
    if (out_.lines.files.size() < 2) out_.lines.files.clear();
    return std::move(out_);
  }

 private:
  void add_part(std::string name, std::string path, std::string_view text, std::string given) {
    const auto begin = static_cast<std::uint32_t>(out_.text.size());
    out_.text += text;
    const auto end = static_cast<std::uint32_t>(out_.text.size());
    out_.text += '\n';
    out_.given.push_back(std::move(given));
    out_.lines.add(std::move(name), std::move(path), static_cast<int>(std::ranges::count(text, '\n')) + 1);
    out_.parts.push_back({.begin = begin, .end = end, .first_line = out_.lines.files.back().first_line});
    out_.includes.emplace_back();
  }

  void follow(std::size_t includer, const fs::path& folder, const Lexed& lexed, const Outline& parts) {
    for (const Include& i : includes(lexed)) {
      if (parts.function_at(lexed.last_before(i.offset)) >= 0) continue;  // a piece of that function
      const std::optional<fs::path> path = search_.find(i.name, !i.angle, folder);
      if (!path) continue;
      if (const std::optional<std::size_t> target = header(*path, includer, i.line); target && *target > 0)
        out_.includes[includer].emplace(i.written, *target);
    }
  }

  /// Its place in the table; none where it is left to the compiler.
  std::optional<std::size_t> header(const fs::path& path, std::size_t includer, int line) {
    std::error_code problem;
    const fs::path own = fs::weakly_canonical(path, problem);
    if (const auto known = known_.find(own); known != known_.end()) return known->second;
    std::optional<std::size_t>& place = known_[own];  // references stay good
    std::optional<std::string> given = out_.parts.size() > most_headers ? std::nullopt : read_text(path, bytes_left_);
    const auto text = texts_.find(own);
    if (!given || text == texts_.end() || text->second->size() != given->size()) {
      leave(path, includer, line,
            fmt::format("at most {} headers and {} MiB of them are read", most_headers, most_header_bytes >> 20));
      return std::nullopt;
    }
    const Lexed lexed = lex(*text->second, active_.macros);
    const Outline parts = outline(lexed);
    if (!stands_alone(lexed, parts)) {
      leave(path, includer, line, "it is no sequence of whole declarations");
      return std::nullopt;
    }
    place = out_.parts.size();
    const std::size_t index = *place;
    add_part(shown_name(path), path.string(), *text->second, std::move(*given));
    follow(index, folder_of(path), lexed, parts);
    return index;
  }

  std::string shown_name(const fs::path& path) const {
    const fs::path relative = path.lexically_relative(search_.folder().lexically_normal());
    return relative.empty() || *relative.begin() == ".." ? path.string() : relative.string();
  }

  void leave(const fs::path& path, std::size_t includer, int line, std::string_view reason) {
    out_.notes.push_back({.file = out_.lines.files[includer].path,
                          .line = line,
                          .message = fmt::format("claims in {} are not read: {}", shown_name(path), reason),
                          .remedy = {},
                          .severity = Severity::note});
  }

  std::string_view file_;
  Search search_;
  const Conditionals& active_;
  std::map<fs::path, const std::string*> texts_;          ///< active ones, by the path without links and dots
  std::map<fs::path, std::optional<std::size_t>> known_;  ///< by the same
  std::uintmax_t bytes_left_ = most_header_bytes;
  ReadHeaders out_;
};

}  // namespace

ReadInclude header_reader(std::string_view file, const std::vector<std::string>& options) {
  struct State {
    std::string file;
    Search search;
    std::map<fs::path, std::optional<std::string>> texts;  ///< by path
    std::uintmax_t bytes_left = most_header_bytes;
  };
  const auto state = std::make_shared<State>(State{std::string(file), Search(file, options), {}, most_header_bytes});
  return [state](std::string_view name, bool quoted, std::string_view includer) -> std::optional<IncludedText> {
    const fs::path beside = includer == state->file ? state->search.folder() : folder_of(fs::path(includer));
    const std::optional<fs::path> path = state->search.find(name, quoted, beside);
    if (!path) return std::nullopt;
    const auto [known, fresh] = state->texts.try_emplace(*path);
    if (fresh && state->texts.size() <= most_headers) known->second = read_text(*path, state->bytes_left);
    if (!known->second) return std::nullopt;
    return IncludedText{.file = path->string(), .text = *known->second};
  };
}

ReadHeaders read_headers(std::string_view file, const Lexed& lexed, const Outline& parts, const Conditionals& active,
                         const std::vector<std::string>& options) {
  return Gatherer(file, active, options).run(lexed, parts);
}

}  // namespace lanescope::source
