#pragma once
// A declaration of a file or of one of its headers that a compiler may do without. Parts lie within each other: the
// functions of a class are parts in it.

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::source {

struct Part {
  std::string name;  ///< "copy"; empty where it has none (`using namespace`)
  int first_line = 0, last_line = 0;
  bool needed = false;               ///< no launch decides about it: an operator
  std::vector<int> needs = {};       ///< parts that it mentions, in rising order
  std::uint32_t begin = 0, end = 0;  ///< in the text of all files (Source::unit_text, else the file's)
  /// A function's braces, and the initialisers of a constructor before them; equal: it has none.
  std::uint32_t body_begin = 0, body_end = 0;
  int inside = -1;  ///< the part around it
  bool is_function = false;
  bool implicit = false;  ///< called without being named: constructor, destructor, operator
};

/// For each part whether the functions of these names need it, directly or not. A name may be qualified and
/// may have template arguments. Overloads of one name are needed together.
std::vector<bool> needed_parts(const std::vector<Part>& parts, const std::vector<std::string>& roots);

/// Whether a kernel of these names is the part itself.
bool is_one_of(const Part& part, const std::vector<std::string>& roots);

}  // namespace lanescope::source
