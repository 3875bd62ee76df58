#pragma once
// The part of Markdown that lessons and handouts use: paragraphs, lists, headings, tables, fenced code, `code`, **bold** and
// *slanted*. All else is plain text.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::page {

struct Run {
  std::string text;
  bool bold = false, code = false, slanted = false;
  bool operator==(const Run&) const = default;
};

/// | a | b |
/// |---|--:|      a colon at the right end: a column of numbers, set at its right edge
/// | x | 1 |
struct MarkdownTable {
  std::vector<bool> right;                     ///< by column
  std::vector<std::vector<std::string>> rows;  ///< Markdown, the headings first; as many cells in each
  std::size_t lines = 0;                       ///< that it takes

  std::size_t columns() const { return right.size(); }
};
/// The table that begins with the first of these lines; nullopt: none does. A | within `code` or after a \ is text.
std::optional<MarkdownTable> table_at(std::span<const std::string_view> lines);
/// Widths of columns of natural widths `natural` in `room`: narrow ones have their natural width, the others share the rest.
std::vector<float> column_widths(std::vector<float> natural, float room);
/// The same text with the columns of its tables below each other, for a terminal.
std::string with_aligned_tables(std::string_view markdown);

struct Paragraph {
  enum class Kind : std::uint8_t { plain, heading, bullet, numbered, code, table };
  Kind kind = Kind::plain;
  int depth = 0;                            ///< of a list, from 0
  std::vector<Run> runs;                    ///< of code: one, with all its lines
  std::optional<MarkdownTable> table = {};  ///< of kind table
};

std::vector<Paragraph> paragraphs_of(std::string_view markdown);
/// **bold**, *slanted* and `code`; a mark without its partner is text.
std::vector<Run> runs_of(std::string_view text);

}  // namespace lanescope::page
