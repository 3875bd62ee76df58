#pragma once
// The edited document as a value: the text, its file, and whether the file has the same text. History is a cursor over
// such values; nothing here draws or runs.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"

namespace lanescope::document {

/// Copies share their text, so the cost of a history is that of the typed text.
class Document {
 public:
  Document() : Document("", "", true) {}
  Document(std::string file, std::string text, bool saved);

  const std::string& file() const { return file_; }  ///< empty: never saved
  const std::string& text() const { return *text_; }
  const std::string& saved_text() const { return *saved_text_; }
  bool dirty() const { return *text_ != *saved_text_; }
  std::string title() const;  ///< file name, or "untitled.cu"

  Document with_text(std::string text) const;
  /// As it is once written to `file`.
  Document saved_as(std::string file) const;

 private:
  std::string file_;
  std::shared_ptr<const std::string> text_, saved_text_;
};

Expected<Document> open(const std::string& path);
/// Atomic: the file is the old text or the new one, never half of either.
Expected<Document> save(const Document& document, const std::string& path);

/// Undo and redo. Each step has a name: "Undo typing", "Redo annotate".
class History {
 public:
  explicit History(Document first = {});

  const Document& now() const { return states_[cursor_].document; }
  /// A new state after the present one; redo steps are discarded. Steps of the same non-empty `merge` that follow
  /// each other directly become one (typing).
  void push(Document document, std::string step_name, const std::string& merge = "");
  /// The present state is on disk now: no step, and every other state is dirty against the new saved text.
  void mark_saved(const std::string& file);
  void end_merge() { merge_.clear(); }

  bool can_undo() const { return cursor_ > 0; }
  bool can_redo() const { return cursor_ + 1 < states_.size(); }
  std::string undo_name() const { return can_undo() ? states_[cursor_].step_name : ""; }
  std::string redo_name() const { return can_redo() ? states_[cursor_ + 1].step_name : ""; }
  const Document& undo();
  const Document& redo();
  std::size_t steps() const { return states_.size() - 1; }

 private:
  struct State {
    Document document;
    std::string step_name;  ///< of the step that led here
  };
  std::vector<State> states_;
  std::size_t cursor_ = 0;
  std::string merge_;
};

// Notices changes of a file by others: by time and size first, then by content.

class FileWatch {
 public:
  enum class Change : std::uint8_t { none, changed, gone };

  FileWatch() = default;
  /// The present contents of the file count as known.
  explicit FileWatch(std::string path);
  /// Cheap enough for once a second: a stat, and a read only when that differs. Reports each change once.
  Change poll();
  const std::string& path() const { return path_; }

 private:
  struct Seen {
    std::int64_t nanoseconds = 0, bytes = -1;  ///< bytes -1: there is no file
    std::string digest;
  };
  Seen look(const Seen& before) const;

  std::string path_;
  Seen seen_;
};

// A caret in a text and what keys do to both. Offsets are bytes; the text is UTF-8 and never cut inside a character.

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
  std::size_t caret = 0, anchor = 0;  ///< the text between them is selected
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
  void erase(Motion motion);  ///< the selection, or the text between the caret and the target of the motion
  void new_line();            ///< with the indentation of this one
  void indent(bool deeper);   ///< selected lines by four blanks; without a selection inserts blanks
  void toggle_comment();      ///< "//" before the selected lines

  /// Takes another text (undo, reload) and puts the caret where the two differ.
  void replace_text(std::string_view other);

 private:
  std::size_t target(Motion motion, int lines);
  void change_lines(const auto& change);
};

/// Where a line of the old text is in the new one, both from 1; 0 when that line was changed. Lines before and after
/// the changed part keep their identity.
int map_line(std::string_view old_text, std::string_view new_text, int line);

/// Column (bytes) of a character position in a line and back, tabs being four wide.
int display_column(std::string_view line, std::size_t byte);
std::size_t byte_at_column(std::string_view line, int column);

// Words in a text, and brackets that belong together.

/// Where `words` begin in `text`, ascending, none overlapping the one before. Without `match_case` the letters of ASCII
/// are equal in both cases. Nothing for empty `words`.
std::vector<std::size_t> find_all(std::string_view text, std::string_view words, bool match_case);

/// The text with every one of them replaced.
std::string replace_all(std::string_view text, std::string_view words, std::string_view replacement, bool match_case);

/// Two brackets that belong together, `open` before `close`; bytes of the text.
struct BracketPair {
  std::size_t open = 0, close = 0;
  bool operator==(const BracketPair&) const = default;
};

/// The pair with a bracket at `caret` or just before it; (), [] and {}. Brackets in comments and literals pair among
/// themselves within the same one. nullopt: there is no bracket, or it has no partner.
std::optional<BracketPair> brackets_at(std::string_view text, std::size_t caret);

}  // namespace lanescope::document
