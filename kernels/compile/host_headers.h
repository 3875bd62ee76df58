#pragma once
// NVRTC has no C library. What nvcc's users take for granted (uint, uint32_t, <cstdint>, assert) is answered here with a
// few typedefs, so that a file that nvcc takes needs no change. Headers of host libraries are answered with what device
// code takes from them: the types of complex numbers, cub without its launches, else nothing.

#include <vector>

namespace lanescope::compile {

struct HostHeaders {
  std::vector<const char*> names, texts;
};
const HostHeaders& host_headers();

inline constexpr const char* types_header = "lanescope-types";  ///< included before everything else

}  // namespace lanescope::compile
