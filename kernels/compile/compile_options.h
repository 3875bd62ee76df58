#pragma once
// The options with which NVRTC is called, from the header's and the user's, which may be written for nvcc.

#include <string>
#include <vector>

#include "kernels/compile/compile.h"
#include "kernels/compile/nvrtc_library.h"

namespace lanescope::compile {

struct NvrtcOptions {
  std::vector<std::string> list;
  Diagnostics notes;  ///< options that were left out, architectures that were replaced
};

NvrtcOptions nvrtc_options(const Nvrtc& library, const source::Source& source, const Options& options);

/// The architecture asked for: the header's, else the caller's.
std::string wanted_arch(const source::Source& source, const Options& options);

}  // namespace lanescope::compile
