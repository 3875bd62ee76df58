#pragma once
// The words of one side of a row as people write them: ranges written out, brackets and marks taken off. Used by
// `read_line` only.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/layout/claim_line.h"

namespace lanescope::layout {

struct SideItem {
  std::string text;                 ///< "j4", "i5+i0", "[unused]"
  std::size_t at = 0;               ///< in the line; of the dots for those that a range stands for
  std::size_t gap = 0;              ///< blanks before it
  bool comma = false, bar = false;  ///< before it
  char mark = '\0';
  bool written = true;  ///< false: stands in a range
};

struct Side {
  std::vector<SideItem> items;
  bool ranged = false;  ///< a range, a mark or a bracket was read
  std::string problem;  ///< non-empty: why it cannot be read
  std::size_t problem_at = 0;
};

/// At most `most_items`. `offset` is that of `side` in its line.
Side side_items(std::string_view side, std::size_t offset);
inline constexpr std::size_t most_items = 64;

/// A physical bit, or a whole row of them.
struct Physical {
  Place place = Place::simd;
  int index = -1;      ///< -1: the whole row
  int dimension = -1;  ///< of `wx wy wz`
  bool bare_b = false;
  bool letter = true;  ///< one letter, not a row's name
};
/// "r1", "l", "wx0", "lane4", "warp"; what the vocabulary says comes first. `row`: the row that the line names.
std::optional<Physical> physical(std::string_view word, const Vocabulary& vocabulary, std::optional<Place> row);

/// The row that a word names: those of the notation, and "byte", "laneId", "cta".
std::optional<Place> row_named(std::string_view word);

}  // namespace lanescope::layout
