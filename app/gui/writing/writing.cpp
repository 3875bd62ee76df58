#include "app/gui/writing/writing.h"

#include <algorithm>

namespace lanescope::gui {

bool Writing::follow(const std::string& text, std::uint64_t kernel) {
  if (kernel != kernel_) {
    kernel_ = kernel;
    edit = {.text = text};
    reveal_caret = false;
    suggestions = {}, annotation.reset(), fix_request.reset();
    return true;
  }
  if (edit.text == text) return false;
  edit.replace_text(text);
  suggestions = {};
  reveal_caret |= focused;  // undo and redo show what they changed
  return false;
}

int Writing::column() const {
  const LineIndex index(edit.text);
  const int line = index.line_of(edit.caret);
  return display_column(index.line(edit.text, line), edit.caret - index.start(line)) + 1;
}

void Writing::go_to(int line, int column) {
  const LineIndex index(edit.text);
  const int number = std::clamp(line, 1, index.count()) - 1;
  const std::string_view words = index.line(edit.text, number);
  const std::size_t byte = line > index.count() || column <= 0 ? words.size() : byte_at_column(words, column - 1);
  edit.place(index.start(number) + byte, false);
  reveal_caret = true;
}

void Writing::select(std::size_t begin, std::size_t end) {
  edit.place(begin, false);
  edit.place(end, true);
  reveal_caret = true;
}

std::vector<std::size_t> Writing::matches() const {
  return document::find_all(edit.text, search.words, search.match_case);
}

bool Writing::find(bool forward) {
  const std::vector<std::size_t> all = matches();
  if (all.empty()) return false;
  const auto after = std::upper_bound(all.begin(), all.end(), edit.low());
  const auto at = std::lower_bound(all.begin(), all.end(), edit.low());
  std::size_t begin = all.front();
  if (forward) {
    // A match that is not selected as a whole is still to come.
    const bool here = at != all.end() && *at == edit.low() && edit.high() - edit.low() != search.words.size();
    if (here)
      begin = *at;
    else if (after != all.end())
      begin = *after;
  } else {
    begin = at == all.begin() ? all.back() : *(at - 1);
  }
  select(begin, begin + search.words.size());
  return true;
}

}  // namespace lanescope::gui
