#pragma once
// NVRTC has no C library. What nvcc's users take for granted (uint, uint32_t, <cstdint>, assert) is answered here with a
// few typedefs, so that a file that nvcc takes needs no change. Other host headers that a local header may include are
// answered with nothing.

#include <vector>

namespace lanescope::compile {

struct HostHeaders {
  std::vector<const char*> names, texts;
};
const HostHeaders& host_headers();

inline constexpr const char* types_header = "lanescope-types";  ///< included before everything else

}  // namespace lanescope::compile
