#pragma once
// The part of Markdown that texts of handouts use: paragraphs, lists, headings, fenced code, `code`, **bold** and *slanted*. All else is
// plain text.

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::page {

struct Run {
  std::string text;
  bool bold = false, code = false, slanted = false;
  bool operator==(const Run&) const = default;
};

struct Paragraph {
  enum class Kind : std::uint8_t { plain, heading, bullet, numbered, code };
  Kind kind = Kind::plain;
  int depth = 0;          ///< of a list, from 0
  std::vector<Run> runs;  ///< of code: one, with all its lines
};

std::vector<Paragraph> paragraphs_of(std::string_view markdown);

}  // namespace lanescope::page
