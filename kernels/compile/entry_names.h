#pragma once
// Kernels among the `.entry` lines of a PTX text.

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

std::vector<std::string> entries_of(std::string_view ptx);

/// The entry of the kernel called `name` in the source: extern "C", mangled, or inside a namespace; "" when there is none
/// or more than one. Of overloaded kernels it is the one with so many parameters.
std::string find_entry(std::string_view ptx, std::string_view name, std::size_t parameters);

}  // namespace lanescope::compile
