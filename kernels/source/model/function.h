#pragma once
// A function of a .cu file by its head.

#include <string>
#include <vector>

namespace lanescope::source {

struct Parameter {
  std::string type, name;
  std::string extents = {};  ///< "[4][2]" as written, of an array or a reference to one
  std::string initial = {};  ///< its default argument as written; empty: it has none
};

struct Function {
  std::string name;
  bool is_kernel = false, is_device = false, is_template = false;
  std::vector<Parameter> parameters;
  std::vector<std::string> launch_bounds;  ///< texts between the parentheses; empty when absent
  int first_line = 0, last_line = 0;
};

}  // namespace lanescope::source
