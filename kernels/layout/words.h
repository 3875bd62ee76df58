#pragma once
// The words of one row of the notation: the meaning or the error of each. Used by the parser only.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/layout/assignment.h"

namespace lanescope::layout {

/// One word of a row's right-hand side: a term, or a problem with a likely correction.
struct Word {
  std::string_view text;
  std::size_t offset = 0;      ///< of `text` in the line
  std::optional<Term> term;    ///< nullopt when the word is no term
  std::size_t bad_offset = 0;  ///< of the part that is wrong, in the line
  std::string problem;         ///< "`10` is not a logical bit"
  std::string remedy;          ///< "did you mean `i0`?"
  bool misspelt = false;       ///< the remedy names the word that is meant
  /// How much a word looks like notation; later ones less. A name without a digit ("ReIm", "pol") may as well be plain
  /// English; `english` is a word that certainly is ("and").
  enum class Look { notation, perhaps, prose, english } look = Look::prose;
};

/// Splits at blanks and commas; blanks around `+` and `^` join. `offset` is that of `side` in its line.
std::vector<Word> read_words(std::string_view side, std::size_t offset);

/// "register", "Lanes": the row that a word names.
std::optional<Place> row_called(std::string_view name);

bool same_word(std::string_view a, std::string_view b);  ///< ASCII, case-insensitive
std::string_view trim(std::string_view s, std::size_t& offset);
/// Number of single-character edits between two words, case-insensitive.
int edit_distance(std::string_view a, std::string_view b);

}  // namespace lanescope::layout
