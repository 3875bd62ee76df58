#pragma once
// A real .cu file has host code, too. Code that the device compiler cannot compile is overwritten with blanks, so that
// lines and columns stay: host functions, host includes, declarations that use the host's library.
//
// Device code consists of kernels, __device__ functions, __device__ and __constant__ variables, and everything that
// these mention, directly or not. A function without __device__ or __global__ is host code unless device code mentions
// it (it is then compiled as device code) or a macro in its head may hide the qualifier; with __host__ alone it always
// is. The name of a member means a class only where the class is named, too. A variable or type without a qualifier
// that no device code mentions is removed if it uses the host's library or a removed name; so is a variable whose
// initialiser has addresses in it (strings, tables of functions).

#include <string>
#include <vector>

#include "kernels/source/cxx/outline.h"
#include "kernels/source/model/part.h"

namespace lanescope::source {

struct DevicePart {
  std::string text;
  std::vector<bool> host;   ///< for each function of the outline
  bool cut = false;         ///< host functions or declarations were blanked
  std::vector<Part> parts;  ///< the remaining ones, member functions with their classes
  Diagnostics notes;
};

DevicePart device_part(const Lexed& lexed, const Outline& outline);

}  // namespace lanescope::source
