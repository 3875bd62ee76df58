#pragma once
// Where a comment goes in a source text, and how it is written there.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/source/source.h"

namespace lanescope::claims {

struct CommentPlace {
  int line = 0;             ///< the comment is placed after this line (1-based)
  std::string indentation;  ///< of the statement
};

/// Lines of a text, and where statements end in it.
class TextPlaces {
 public:
  explicit TextPlaces(std::string_view text);
  /// After the last line of the statement that the probe follows; nullopt inside a macro.
  std::optional<CommentPlace> after_statement(const source::ProbePoint& probe) const;
  std::string indentation(int line) const;
  std::string_view line(int number) const;  ///< without its line break; empty beyond the end
  int count() const { return static_cast<int>(lines_.size()); }

 private:
  std::string_view text_;
  std::vector<std::string_view> lines_;
};

/// Writes comments after lines of a text. A sentence about the same name that stands there without rows gets the rows.
class CommentWriter {
 public:
  explicit CommentWriter(std::string_view text);
  void add(const CommentPlace& place, const std::string& name, const std::string& rows);
  std::string text() const;

 private:
  struct Edit {
    std::vector<std::string> lines;  ///< written after the line
    int drop_blank = 0;              ///< blank lines after it that these replace
    bool own_paragraph = false;      ///< kept apart from code after it by a blank line
  };
  int waiting_sentence(const CommentPlace& place, const std::string& name) const;
  TextPlaces places_;
  bool ends_with_break_ = true;
  std::map<int, Edit> edits_;  ///< by line
  std::vector<int> used_sentences_;
  bool first_ = true;  ///< the first comment of the file is worded in full
};

}  // namespace lanescope::claims
