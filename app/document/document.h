#pragma once
// What is edited, as a value: the text, where it lives, and whether the disk has the same. History is a cursor over such
// values; nothing here draws or runs.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "kernels/base/diagnostic.h"

namespace lanescope::document {

/// Copies share their text, so a history of thousands of states costs what was typed.
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

/// Undo and redo. Each step says what it did: "Undo typing", "Redo annotate".
class History {
 public:
  explicit History(Document first = {});

  const Document& now() const { return states_[cursor_].document; }
  /// A new state after the present one; what could be redone is forgotten. Steps of the same non-empty `merge` that follow
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

}  // namespace lanescope::document
