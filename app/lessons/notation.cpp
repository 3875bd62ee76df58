#include "app/lessons/notation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/base/numbers.h"
#include "kernels/base/text.h"

namespace lanescope::lessons {
namespace {

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  return number_in<Number>(trimmed(text));
}

std::vector<std::string_view> pieces(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    out.push_back(trimmed(text.substr(at, end - at)));
    at = end + 1;
  }
  return out;
}

constexpr const char* select_remedy = "write y1 lane 5, q[17], shared 64 or q byte 64";

Expected<ByteText> parse_byte(std::string_view buffer, std::string_view number, std::string_view whole) {
  const auto byte = number_of<std::uint64_t>(number);
  if (!byte) return failure(fmt::format("`{}` has no byte of memory", whole), select_remedy);
  return ByteText{.buffer = std::string(buffer), .byte = *byte};
}

/// "y1 #2 part 1 lane 5 warp 3", after the name in any order.
Expected<RegisterText> parse_place(std::string_view text) {
  const auto words = words_between(text);
  const auto wrong = [&] { return failure(fmt::format("`{}` is no place of a register", text), select_remedy); };
  RegisterText out{.name = std::string(words.front())};
  bool lane = false;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i].starts_with('#')) {
      const auto n = number_of<int>(words[i].substr(1));
      if (!n || *n < 1) return wrong();
      out.number = *n;
      continue;
    }
    const auto n = i + 1 < words.size() ? number_of<int>(words[i + 1]) : std::nullopt;
    if (!n || *n < 0) return wrong();
    if (words[i] == "lane" && *n < 32)
      out.lane = *n, lane = true;
    else if (words[i] == "part" && *n < 32)
      out.part = *n;
    else if (words[i] == "warp")
      out.warp = *n;
    else
      return wrong();
    ++i;
  }
  if (!lane) return wrong();
  return out;
}

std::string to_text(const ElementText& e) {
  if (e.last) return fmt::format("{}[{}..{}]", e.buffer, e.indices.front(), *e.last);
  return fmt::format("{}[{}]", e.buffer, fmt::join(e.indices, ", "));
}

}  // namespace

Expected<ElementText> parse_elements(std::string_view text) {
  text = trimmed(text);
  const std::size_t open = text.find('[');
  const auto wrong = [&] {
    return failure(fmt::format("`{}` is no element", text), "write p[17], p[5, 9] or p[64..67]");
  };
  if (open == std::string_view::npos || open == 0 || !text.ends_with(']')) return wrong();
  ElementText out{.buffer = std::string(trimmed(text.substr(0, open)))};
  const std::string_view inside = text.substr(open + 1, text.size() - open - 2);
  if (const std::size_t dots = inside.find(".."); dots != std::string_view::npos) {
    const auto first = number_of<std::uint64_t>(inside.substr(0, dots)),
               last = number_of<std::uint64_t>(inside.substr(dots + 2));
    if (!first || !last || *last < *first) return wrong();
    out.indices = {*first}, out.last = *last;
    return out;
  }
  for (const std::string_view piece : pieces(inside, ',')) {
    const auto index = number_of<std::uint64_t>(piece);
    if (!index) return wrong();
    out.indices.push_back(*index);
  }
  return out;
}

Expected<SelectionText> parse_selection(std::string_view text) {
  SelectionText out;
  if (is_blank(text)) return out;
  for (const std::string_view piece : pieces(text, ';')) {
    const auto words = words_between(piece);
    const auto twice = [&] { return failure(fmt::format("`{}` selects two of a kind", text), select_remedy); };
    if (words.empty()) return failure(fmt::format("`{}` selects nothing between two ;", text), select_remedy);
    if (words.front() == "shared" && words.size() == 2) {
      const auto byte = LS_TRY(parse_byte({}, words[1], piece));
      if (out.address) return twice();
      out.address = byte;
    } else if (words.size() == 3 && words[1] == "byte") {
      const auto byte = LS_TRY(parse_byte(words[0], words[2], piece));
      if (out.address) return twice();
      out.address = byte;
    } else if (piece.ends_with(']')) {
      const auto element = LS_TRY(parse_elements(piece));
      if (out.element) return twice();
      if (element.last) return failure(fmt::format("`{}` is several elements", piece), "one can be selected");
      out.element = element;
    } else {
      const auto place = LS_TRY(parse_place(piece));
      if (out.place) return twice();
      out.place = place;
    }
  }
  return out;
}

std::string to_text(const SelectionText& s) {
  std::vector<std::string> parts;
  if (s.place) {
    std::string place = s.place->name;
    if (s.place->number > 1) place += fmt::format(" #{}", s.place->number);
    if (s.place->part > 0) place += fmt::format(" part {}", s.place->part);
    place += fmt::format(" lane {}", s.place->lane);
    if (s.place->warp >= 0) place += fmt::format(" warp {}", s.place->warp);
    parts.push_back(place);
  }
  if (s.element) parts.push_back(to_text(*s.element));
  if (s.address)
    parts.push_back(s.address->buffer.empty() ? fmt::format("shared {}", s.address->byte)
                                              : fmt::format("{} byte {}", s.address->buffer, s.address->byte));
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace lanescope::lessons
