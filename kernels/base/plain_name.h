#pragma once
// Names of files for tools that do not take every name. NVRTC writes a name into PTX as a C string, ptxas stops at a
// quote in one, and drivers and disassemblers have their own ideas of the rest. In PTX that is made here a file is
// therefore called by its plain name, the way an URI would write it:
//
//   kernels/half2.cu         kernels/half2.cu
//   grün 1.cu                gr%C3%BCn%201.cu
//   lanescope-probe          %6Canescope-probe       (names that start like this are our own)
//
// Different names have different plain names, so that names are compared as plain ones.

#include <string>
#include <string_view>

namespace lanescope {

/// Letters, digits and "/._+-" as they are; of all other bytes their value, as in "%20".
std::string plain_name(std::string_view name);

/// The bytes of a C string literal with \" \\ \n \303 and the like. Other text stays.
std::string without_escapes(std::string_view literal);

}  // namespace lanescope
