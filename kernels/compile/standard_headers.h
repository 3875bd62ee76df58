#pragma once
// The C++ library in device code. NVRTC has none; the toolkit's cuda::std has the same names for it. Where a kernel says
// `std::numeric_limits<float>` under nvcc, it is compiled with
//
//   #include <cuda/std/limits>
//   namespace std { using namespace cuda::std; }
//
// before it. Only what texts mention is included: each of these headers takes time.

#include <string>
#include <string_view>

#include "kernels/compile/texts.h"

namespace lanescope::compile {

inline constexpr std::string_view standard_file = "lanescope-std";

/// Empty: the texts mention nothing that cuda::std has.
std::string standard_text(const Texts& texts);

}  // namespace lanescope::compile
