#include "kernels/compile/texts.h"

#include <algorithm>

#include "kernels/base/text.h"
#include "kernels/source/cxx/lexer.h"
#include "kernels/source/notation/probes.h"

namespace lanescope::compile {

Texts texts_of(const source::Source& source, Variant variant) {
  const bool plain = variant == Variant::plain;
  Texts out{.main = plain ? source.device_text : source.probed_text, .headers = {}};
  for (const source::SourceHeader& h : source.headers) out.headers.push_back(plain ? h.device_text : h.probed_text);
  return out;
}

bool drop_probes(Texts& texts, const std::vector<int>& ids) {
  bool dropped = false;
  const auto drop = [&](std::string& text) {
    std::string fewer = source::without_probes(text, ids);
    dropped = dropped || fewer != text;
    text = std::move(fewer);
  };
  drop(texts.main);
  for (std::string& text : texts.headers) drop(text);
  return dropped;
}

std::vector<std::string> entries_of(std::string_view ptx) {
  std::vector<std::string> out;
  constexpr std::string_view word = ".entry ";
  for (std::size_t at = ptx.find(word); at != std::string_view::npos; at = ptx.find(word, at + 1)) {
    const std::size_t start = at + word.size();
    out.emplace_back(ptx.substr(start, ptx.find_first_of("( \t\r\n", start) - start));
  }
  return out;
}

namespace {

/// The last name of a mangled one, template arguments and parameters left out; empty where it is none. Itanium C++ ABI,
/// 5.1: a name is written as its length and its letters; those of namespaces stand before it, all between N and E.
std::string_view last_name(std::string_view entry) {
  if (!entry.starts_with("_Z")) return {};
  std::size_t at = 2;
  const bool nested = at < entry.size() && entry[at] == 'N';
  if (nested) ++at;
  std::string_view out;
  while (at < entry.size()) {
    if (entry[at] == 'L') ++at;  // of this file alone
    std::size_t length = 0, digits = 0;
    for (; at + digits < entry.size() && is_digit(entry[at + digits]) && digits < 5; ++digits)
      length = 10 * length + static_cast<std::size_t>(entry[at + digits] - '0');
    if (digits == 0 || at + digits + length > entry.size()) return out;
    out = entry.substr(at + digits, length);
    at += digits + length;
    if (!nested) return out;
  }
  return out;
}

}  // namespace

namespace {

std::size_t parameters_of(std::string_view ptx, std::string_view entry) {
  std::size_t at = ptx.find(".entry " + std::string(entry) + "(");
  if (at == std::string_view::npos) return 0;
  const std::string_view list = ptx.substr(at, ptx.find(')', at) - at);
  std::size_t out = 0;
  for (at = list.find(".param "); at != std::string_view::npos; at = list.find(".param ", at + 1)) ++out;
  return out;
}

}  // namespace

std::vector<std::string> entries_called(std::string_view ptx, std::string_view name, std::size_t parameters) {
  std::vector<std::string> found;
  for (const std::string& entry : entries_of(ptx)) {
    if (entry == name) return {entry};
    if (last_name(entry) == name) found.push_back(entry);
  }
  if (found.size() > 1)
    std::erase_if(found, [&](const auto& entry) { return parameters_of(ptx, entry) != parameters; });
  return found;
}

std::string find_entry(std::string_view ptx, std::string_view name, std::size_t parameters) {
  const std::vector<std::string> found = entries_called(ptx, name, parameters);
  return found.size() == 1 ? found.front() : "";
}

namespace {

constexpr std::string_view blanks = " \t";

/// For each comment: nothing stands after it on its line but such comments.
std::vector<bool> end_lines(const source::Lexed& lexed) {
  std::vector<bool> out(lexed.comments.size());
  for (std::size_t i = out.size(); i-- > 0;) {
    const std::size_t end = lexed.comments[i].offset + lexed.comments[i].length;
    const std::size_t next = lexed.text.find_first_not_of(" \t\r", end);
    out[i] = next == std::string_view::npos || lexed.text[next] == '\n' ||
             (i + 1 < out.size() && out[i + 1] && lexed.comments[i + 1].offset == next);
  }
  return out;
}

/// Where the blanks begin that stand before `at`, not before `from`.
std::size_t before_blanks(std::string_view text, std::size_t at, std::size_t from) {
  while (at > from && blanks.find(text[at - 1]) != std::string_view::npos) --at;
  return at;
}

}  // namespace

std::string without_comments(std::string_view text) {
  const source::Lexed lexed = source::lex_plainly(text);
  if (!lexed.mistakes.empty()) return std::string(text);
  std::string out;
  out.reserve(text.size());
  std::size_t at = 0;
  const std::vector<bool> at_end = end_lines(lexed);
  for (std::size_t i = 0; i < at_end.size(); ++i) {
    const source::Comment& c = lexed.comments[i];
    const std::size_t end = c.offset + c.length;
    const std::size_t begin = before_blanks(text, c.offset, at);
    const bool would_splice = begin > 0 && text[begin - 1] == '\\';
    if (would_splice || !at_end[i]) continue;
    out += text.substr(at, begin - at);
    out.append(static_cast<std::size_t>(std::ranges::count(text.substr(c.offset, c.length), '\n')), '\n');
    at = std::min(text.find_first_not_of(blanks, end), text.size());
  }
  return out += text.substr(at);
}

}  // namespace lanescope::compile
