#pragma once
// Which local variables the statement of a source line reads and writes.

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::source {

/// A local variable as a statement names it.
struct NamedLocal {
  std::string name, function;
  int declared_line = 0;
  bool written = false;  ///< the statement gives it a value; it may read it as well
  bool operator==(const NamedLocal&) const = default;
};

/// By line (from 1): the locals of every statement that has a token on this line, in text order, each once. A statement
/// over several lines counts to all of them; the head of a loop or branch has the writes of its body. Lines without a
/// local are absent; so is everything of a text that is no C++ or whose brackets do not pair up.
using LineNames = std::map<int, std::vector<NamedLocal>>;
LineNames names_by_line(std::string_view text);

}  // namespace lanescope::source
