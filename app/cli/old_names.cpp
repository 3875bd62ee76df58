#include "app/cli/cli.h"

#include <algorithm>

namespace lanescope::cli {
namespace {

struct OldName {
  std::string_view command, old, name;
};
constexpr OldName old_names[] = {{"run", "--out", "--output"},
                                 {"plan", "--emit", "--output"},
                                 {"plan", "--kernel", "--kernel-file"},
                                 {"access", "--arch", "--gpu"},
                                 {"explain", "--arch", "--gpu"}};

}  // namespace

void put_current_names(std::vector<std::string>& words) {
  if (words.empty()) return;
  const auto end = std::find(words.begin() + 1, words.end(), "--");
  for (const OldName& o : old_names) {
    if (words.front() != o.command) continue;
    for (auto word = words.begin() + 1; word != end; ++word)
      if (word->starts_with(o.old) && (word->size() == o.old.size() || (*word)[o.old.size()] == '='))
        word->replace(0, o.old.size(), o.name);
  }
}

}  // namespace lanescope::cli
