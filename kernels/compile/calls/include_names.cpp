#include "kernels/compile/calls/include_names.h"

#include <algorithm>
#include <unordered_set>

#include "kernels/base/text.h"

namespace lanescope::compile {
namespace {

/// How many characters continue a line here: a backslash, also as a trigraph and with blanks after it, and the line break.
std::size_t splice_at(std::string_view rest) {
  std::size_t at = rest.starts_with('\\') ? 1 : rest.starts_with("?\?/") ? 3 : 0;
  if (at == 0) return 0;
  while (at < rest.size() && is_blank(rest[at])) ++at;
  return at < rest.size() && rest[at] == '\n' ? at + 1 : 0;
}

bool has_splice(std::string_view text) {
  return text.find('\\') != std::string_view::npos || text.find("?\?/") != std::string_view::npos;
}

/// Lines continued with a backslash in one piece.
std::string without_splices(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (const std::size_t count = splice_at(text.substr(i)); count > 0)
      i += count - 1;
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
      const bool first = is_first(rest);
      const std::string_view found = name();
      if (found.empty() && first) computed_.emplace_back(trimmed(rest_of_line()));
      return found;
    }
    return std::nullopt;
  }
  std::vector<std::string> computed() && { return std::move(computed_); }

  std::optional<Definition> next_definition() {
    while ((at_ = text_.find_first_of("#%?", at_)) < text_.size()) {
      if (!take("#") && !take("%:") && !take("\?\?=")) {
        ++at_;
        continue;
      }
      skip_blanks();
      if (!take("define")) continue;
      skip_blanks();
      const std::size_t from = at_;
      while (at_ < text_.size() && is_word(text_[at_])) ++at_;
      if (at_ == from) continue;
      Definition out{.name = std::string(text_.substr(from, at_ - from)), .value = {}};
      out.has_parameters = at_ < text_.size() && text_[at_] == '(';
      skip_blanks();
      out.value = without_comment(rest_of_line());
      return out;
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
      while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
      if (!text_.substr(at_).starts_with("/*")) return;
      const std::size_t end = text_.find("*/", at_ + 2);
      at_ = end == std::string_view::npos ? text_.size() : end + 2;
    }
  }
  /// Whether a directive has nothing before it in its line but blanks and comments.
  bool is_first(std::string_view from_directive) const {
    const auto at = static_cast<std::size_t>(from_directive.data() - text_.data());
    const std::size_t line = text_.rfind('\n', at == 0 ? 0 : at - 1);
    const std::string_view before = trimmed(text_.substr(line == std::string_view::npos ? 0 : line + 1,
                                                         at - (line == std::string_view::npos ? 0 : line + 1)));
    return at == 0 || before.empty() || before.ends_with("*/");
  }
  /// Of a macro's value. A name may have two slashes in it.
  static std::string without_comment(std::string_view value) {
    value = trimmed(value);
    const char close = value.starts_with('"') ? '"' : value.starts_with('<') ? '>' : '\0';
    const std::size_t end = close == '\0' ? std::string_view::npos : value.find(close, 1);
    if (end != std::string_view::npos)
      if (const std::string_view rest = without_indent(value.substr(end + 1));
          rest.empty() || rest.starts_with("//") || rest.starts_with("/*"))
        return std::string(value.substr(0, end + 1));
    return std::string(trimmed(value.substr(0, std::min(value.find("/*"), value.find("//")))));
  }
  std::string_view rest_of_line() const { return text_.substr(at_, text_.find('\n', at_) - at_); }
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
  std::vector<std::string> computed_;
};

}  // namespace

IncludeNames include_names(std::string_view text) {
  IncludeNames out;
  std::string whole;
  if (has_splice(text)) text = whole = without_splices(text);
  Reader reader(text);
  std::unordered_set<std::string_view> seen;
  while (const auto name = reader.next()) {
    if (name->empty())
      out.known = false;
    else if (seen.insert(*name).second)
      out.names.emplace_back(*name);
  }
  out.computed = std::move(reader).computed();
  return out;
}

std::vector<Definition> definitions(std::string_view text) {
  std::vector<Definition> out;
  std::string whole;
  if (has_splice(text)) text = whole = without_splices(text);
  Reader reader(text);
  while (auto one = reader.next_definition()) out.push_back(std::move(*one));
  return out;
}

std::string name_in(std::string_view value) {
  if (value.size() < 3) return {};
  const char open = value.front(), close = open == '"' ? '"' : open == '<' ? '>' : '\0';
  return close != '\0' && value.find(close, 1) == value.size() - 1 ? std::string(value.substr(1, value.size() - 2))
                                                                   : std::string();
}

}  // namespace lanescope::compile
