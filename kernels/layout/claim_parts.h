#pragma once
// A line of a claim in parts: its arrow, its remarks, the head of a row. Used by `read_line` only.

#include <optional>
#include <string_view>

#include "kernels/layout/claim_line.h"

namespace lanescope::layout {

struct FoundArrow {
  std::size_t at = std::string_view::npos, length = 0;
  explicit operator bool() const { return at != std::string_view::npos; }
  std::size_t end() const { return at + length; }
};

/// `<->`, `<-->`, `<=>`, and the double-headed arrows of Unicode.
FoundArrow next_arrow(std::string_view s, std::size_t from);

/// A part of the line and where it begins.
struct LinePart {
  std::string_view text;
  std::size_t at = 0;
};

LinePart trimmed_part(std::string_view text, std::size_t at);

/// Without remarks: "(...)" at its end, what follows `//` or ` -- `, the word "unchanged"; and without a list's bullet.
LinePart without_remarks(std::string_view line);

/// The head of a row: "register", "register (r1 r0)", "warp bits w1 w0".
struct RowHead {
  std::optional<Place> place;
  LinePart bits;  ///< physical bits in it
};

RowHead read_head(std::string_view text, std::size_t at, const Vocabulary& vocabulary);

}  // namespace lanescope::layout
