#pragma once
// The __device__, __constant__ and __managed__ variables of a text.

#include <string>
#include <vector>

#include "kernels/source/cxx/lexer.h"

namespace lanescope::source {

struct DeviceVariable {
  std::string name;          ///< without namespace
  std::string element_type;  ///< as buffers name it; "" where its type is no number
  int line = 0;
};

/// In the order of the text; declarations of functions are none.
std::vector<DeviceVariable> device_variables(const Lexed& lexed);

/// "filt::more" of "_ZN4filt4moreE", "coef" of "_ZL4coef" and of "coef": the name of a variable of a module in the
/// source. Anonymous namespaces are left out; "" for names that are made in another way (members of templates).
std::string variable_name(std::string_view in_module);

}  // namespace lanescope::source
