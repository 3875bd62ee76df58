#include "kernels/compile/local_headers.h"

#include <map>
#include <optional>

#include "kernels/base/byte_order_mark.h"
#include "kernels/base/read_file.h"
#include "kernels/base/text.h"
#include "kernels/source/data/sha256.h"

namespace lanescope::compile {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> text_of(const fs::path& path) {
  std::error_code problem;
  if (!fs::is_regular_file(path, problem)) return std::nullopt;
  auto text = read_file(path.string());
  return text ? std::optional(std::move(*text)) : std::nullopt;
}

/// Lines continued with a backslash in one piece.
std::string without_splices(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    if (rest.starts_with("\\\n"))
      ++i;
    else if (rest.starts_with("\\\r\n"))
      i += 2;
    else
      out += text[i];
  }
  return out;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  /// The next name in an #include or a __has_include, also in a comment; "": a name that is no literal.
  std::optional<std::string_view> next() {
    while (at_ < text_.size()) {
      const std::string_view rest = text_.substr(at_);
      if (rest.starts_with("__has_include")) {
        at_ += 13;
        if (take("_next"), skip_blanks(), take("(")) return name();
        return "";
      }
      if (!take("#") && !take("%:") && !take("\?\?=")) {
        ++at_;
        continue;
      }
      skip_blanks();
      if (!take("include") && !take("import")) continue;
      take("_next");
      // "#includes" is no directive.
      if (at_ < text_.size() && is_word(text_[at_])) continue;
      return name();
    }
    return std::nullopt;
  }

 private:
  bool take(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  /// Blanks and comments within a line.
  void skip_blanks() {
    for (;;) {
      while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
      if (!text_.substr(at_).starts_with("/*")) return;
      const std::size_t end = text_.find("*/", at_ + 2);
      at_ = end == std::string_view::npos ? text_.size() : end + 2;
    }
  }
  std::string_view name() {
    skip_blanks();
    if (at_ >= text_.size()) return "";
    const char open = text_[at_];
    if (open != '"' && open != '<') return "";
    const std::size_t from = at_ + 1, end = text_.find_first_of(open == '"' ? "\"\n" : ">\n", from);
    if (end == std::string_view::npos || text_[end] == '\n') return "";
    at_ = end + 1;
    return text_.substr(from, end - from);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

class Gatherer {
 public:
  explicit Gatherer(const std::vector<fs::path>& folders) : folders_(folders) {}

  void follow(std::string_view spliced, const fs::path& folder) {
    const std::string text = without_splices(spliced);
    Reader reader(text);
    while (const auto name = reader.next()) {
      if (name->empty()) {
        known_ = false;
        continue;
      }
      add(folder / *name, *name);
      for (const fs::path& searched : folders_) add(searched / *name, *name);
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
    auto text = text_of(path);
    if (!text) return;
    const std::string& kept = found_.emplace(normal, std::move(*text)).first->second;
    if (!byte_order_mark(kept).empty()) unmarked_.try_emplace(std::string(included_as), without_byte_order_mark(kept));
    follow(kept, path.parent_path());
  }

  const std::vector<fs::path>& folders_;
  std::map<std::string, std::string> found_;  ///< text by path; references stay good
  std::map<std::string, std::string> unmarked_;
  bool known_ = true;
};

}  // namespace

LocalHeaders local_headers(std::string_view text, const fs::path& folder, const std::vector<fs::path>& folders) {
  Gatherer gatherer(folders);
  gatherer.follow(text, folder);
  return gatherer.result(folder);
}

}  // namespace lanescope::compile
