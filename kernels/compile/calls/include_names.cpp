#include "kernels/compile/calls/include_names.h"

#include <optional>
#include <unordered_set>

#include "kernels/base/text.h"

namespace lanescope::compile {
namespace {

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
    // Headers of a toolkit have megabytes, few of which begin any of these.
    while ((at_ = text_.find_first_of("#%?_", at_)) < text_.size()) {
      const std::string_view rest = text_.substr(at_);
      if (rest.starts_with("__has_include")) {
        at_ += 13;
        if (take("_next"), skip_blanks(), take("(")) return name();
        return "";
      }
      if (rest.starts_with("__has_embed")) {
        at_ += 11;
        return "";
      }
      if (!take("#") && !take("%:") && !take("\?\?=")) {
        ++at_;
        continue;
      }
      skip_blanks();
      if (take("embed")) return "";  // a file of bytes, in later standards
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

}  // namespace

IncludeNames include_names(std::string_view text) {
  IncludeNames out;
  std::string whole;
  if (text.find('\\') != std::string_view::npos) text = whole = without_splices(text);
  Reader reader(text);
  std::unordered_set<std::string_view> seen;
  while (const auto name = reader.next()) {
    if (name->empty())
      out.known = false;
    else if (seen.insert(*name).second)
      out.names.emplace_back(*name);
  }
  return out;
}

}  // namespace lanescope::compile
