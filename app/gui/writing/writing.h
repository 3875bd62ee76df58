#pragma once
// Editing of the source: caret and selection, search, and visible lines. Plain values: the source panel draws and fills
// them, commands change them.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/assist/completion.h"
#include "app/document/document.h"

namespace lanescope::gui {

using document::byte_at_column;
using document::display_column;
using document::LineIndex;
using document::map_line;
using document::Motion;
using document::TextEdit;

struct Search {
  bool open = false, replacing = false;
  bool match_case = false;
  bool take_keys = false;  ///< of the next frame: its field gets the keyboard
  std::string words, replacement;
};

/// The list of suggestions at the caret.
struct Suggestions {
  bool open = false;
  bool asked = false;  ///< by a key: Enter writes the chosen one, too
  int chosen = 0;
  assist::Offers offers;
};

/// A comment that is written as soon as the moment it is about has arrived.
struct Annotation {
  int family = 0;
  std::int64_t step = 0;
  int line = 0;  ///< from 1, of `text`
  std::string name, text;
};

/// The visible part of the source panel in the last frame.
struct Sight {
  int first_line = 1, last_line = 1;  ///< wholly in sight, from 1
  int hidden_columns = 0;             ///< of the caret's line, at its left: it is longer than the panel
  int left_column = 0;                ///< of all lines: the first one shown, from 0
};

class Writing {
 public:
  TextEdit edit;
  bool focused = false;       ///< the source has the keyboard focus
  bool reveal_caret = false;  ///< the next frame scrolls to its line
  Search search;
  Suggestions suggestions;
  std::optional<Annotation> annotation;
  std::optional<int> fix_request;  ///< a line (from 1): its fixes are listed in the next frame
  Sight sight;

  /// Takes the document's text. `kernel`: which one it is, see Navigation. True: it is another kernel's, with the caret
  /// at its start.
  bool follow(const std::string& text, std::uint64_t kernel);
  /// Of the caret, from 1.
  int line() const { return LineIndex(edit.text).line_of(edit.caret) + 1; }
  int column() const;
  /// At the end of a line (from 1), or at a column of it (from 1); beyond the text: at its end.
  void go_to(int line, int column = 0);
  /// Selects bytes of the text and brings them into sight.
  void select(std::size_t begin, std::size_t end);

  /// Starts of the matches, ascending; not overlapping.
  std::vector<std::size_t> matches() const;
  /// Selects the next match after (before) the caret's, going round. False: there is none.
  bool find(bool forward);

 private:
  std::uint64_t kernel_ = 0;
};

}  // namespace lanescope::gui
