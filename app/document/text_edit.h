#pragma once
// A caret in a text and what keys do to both. Offsets are bytes; the text is UTF-8 and never cut inside a character.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::document {

enum class Motion : std::uint8_t {
  left,
  right,
  word_left,
  word_right,
  up,
  down,
  line_start,
  line_end,
  text_start,
  text_end
};

/// Where lines begin. Lines are counted from 0 here.
class LineIndex {
 public:
  explicit LineIndex(std::string_view text);
  int count() const { return static_cast<int>(starts_.size()); }
  std::size_t start(int line) const { return starts_[line]; }
  int line_of(std::size_t offset) const;
  /// Without its line break.
  std::string_view line(std::string_view text, int line) const;

 private:
  std::vector<std::size_t> starts_;
};

struct TextEdit {
  std::string text;
  std::size_t caret = 0, anchor = 0;  ///< what lies between them is selected
  int wanted_column = -1;             ///< kept while moving up and down; -1: the caret's own

  bool has_selection() const { return caret != anchor; }
  std::size_t low() const { return caret < anchor ? caret : anchor; }
  std::size_t high() const { return caret < anchor ? anchor : caret; }
  std::string selected() const { return text.substr(low(), high() - low()); }
  void select_all() { anchor = 0, caret = text.size(); }
  void select_word();
  void place(std::size_t offset, bool extend);
  void move(Motion motion, bool extend, int lines = 1);

  void insert(std::string_view words);  ///< in place of the selection
  void erase_selection() { insert({}); }
  void erase(Motion motion);  ///< the selection, or what lies between the caret and where the motion leads
  void new_line();            ///< with the indentation of this one
  void indent(bool deeper);   ///< selected lines by four blanks; without a selection inserts blanks
  void toggle_comment();      ///< "//" before the selected lines

  /// Takes another text (undo, reload) and puts the caret where the two differ.
  void replace_text(std::string_view other);

 private:
  std::size_t target(Motion motion, int lines);
  void change_lines(const auto& change);
};

/// Where a line of the old text is in the new one, both from 1; 0 when that line was changed. Lines before and after the
/// changed part keep their identity.
int map_line(std::string_view old_text, std::string_view new_text, int line);

/// Column (bytes) of a character position in a line and back, tabs being four wide.
int display_column(std::string_view line, std::size_t byte);
std::size_t byte_at_column(std::string_view line, int column);

}  // namespace lanescope::document
