#pragma once
// A declaration of a file that a compiler can do without when nothing that is launched needs it.

#include <string>
#include <vector>

namespace lanescope::source {

struct Part {
  std::string name;  ///< "copy"; empty where it has none (`using namespace`)
  int first_line = 0, last_line = 0;
  bool needed = false;     ///< no launch decides about it: an operator, a part that shares its lines with another
  std::vector<int> needs;  ///< parts that it mentions, in rising order
};

/// For each part whether the functions of these names need it, with what these need in turn. A name may be qualified and
/// may have template arguments.
std::vector<bool> needed_parts(const std::vector<Part>& parts, const std::vector<std::string>& roots);

}  // namespace lanescope::source
