#include "app/document/document.h"

#include <algorithm>
#include <cstdint>

#include "kernels/base/text.h"

namespace lanescope::document {
namespace {

/// Number of the comment or literal that each byte is in; 0: code.
std::vector<std::uint32_t> regions(std::string_view text) {
  std::vector<std::uint32_t> all(text.size(), 0);
  std::uint32_t next = 1;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    if (text.substr(at, 2) == "//") {
      end = std::min(text.find('\n', at), text.size());
    } else if (text.substr(at, 2) == "/*") {
      const std::size_t stop = text.find("*/", at + 2);
      end = stop == std::string_view::npos ? text.size() : stop + 2;
    } else if (text[at] == '"' || text[at] == '\'') {
      end = at + 1;
      while (end < text.size() && text[end] != text[at] && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, text.size());
      // 1'000 is a number.
      if (text[at] == '\'' && at > 0 && is_word(text[at - 1])) end = at;
    }
    if (end == at) {
      ++at;
      continue;
    }
    std::fill(all.begin() + static_cast<std::ptrdiff_t>(at), all.begin() + static_cast<std::ptrdiff_t>(end), next++);
    at = end;
  }
  return all;
}

constexpr std::string_view openers = "([{", closers = ")]}";

std::optional<std::size_t> partner(std::string_view text, std::size_t at) {
  const std::vector<std::uint32_t> region = regions(text);
  const bool forward = openers.find(text[at]) != std::string_view::npos;
  std::string waiting;  // brackets that are open on the way
  for (std::size_t i = at; i < text.size(); forward ? ++i : --i) {
    if (region[i] != region[at]) continue;
    const std::size_t begins = (forward ? openers : closers).find(text[i]);
    const std::size_t ends = (forward ? closers : openers).find(text[i]);
    if (begins != std::string_view::npos) {
      waiting += (forward ? closers : openers)[begins];
    } else if (ends != std::string_view::npos) {
      if (waiting.back() != text[i]) return std::nullopt;
      waiting.pop_back();
      if (waiting.empty()) return i;
    }
    if (!forward && i == 0) break;
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::size_t> find_all(std::string_view text, std::string_view words, bool match_case) {
  std::vector<std::size_t> found;
  if (words.empty()) return found;
  const auto same = [match_case](char a, char b) { return match_case ? a == b : lower(a) == lower(b); };
  for (auto at = text.begin();;) {
    at = std::search(at, text.end(), words.begin(), words.end(), same);
    if (at == text.end()) return found;
    found.push_back(static_cast<std::size_t>(at - text.begin()));
    at += static_cast<std::ptrdiff_t>(words.size());
  }
}

std::string replace_all(std::string_view text, std::string_view words, std::string_view replacement, bool match_case) {
  std::string out;
  std::size_t from = 0;
  for (const std::size_t at : find_all(text, words, match_case)) {
    out += text.substr(from, at - from);
    out += replacement;
    from = at + words.size();
  }
  return out += text.substr(from);
}

std::optional<BracketPair> brackets_at(std::string_view text, std::size_t caret) {
  for (const std::size_t back : {0u, 1u}) {
    if (caret < back || caret - back >= text.size()) continue;
    const std::size_t at = caret - back;
    if ((openers.find(text[at]) == std::string_view::npos) && (closers.find(text[at]) == std::string_view::npos))
      continue;
    if (const auto other = partner(text, at)) return BracketPair{std::min(at, *other), std::max(at, *other)};
  }
  return std::nullopt;
}

}  // namespace lanescope::document
