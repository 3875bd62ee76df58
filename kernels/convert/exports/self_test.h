#pragma once
// A program that tests conversions on the GPU that it finds.

#include <span>
#include <string>

#include "kernels/convert/cuda_text.h"

namespace lanescope::convert {

struct NamedConversion {
  Conversion conversion;
  std::string name;
};

/// A .cu file of the functions and a main() of its own, which needs nothing but the CUDA runtime: it runs each conversion
/// on registers of random contents and compares every element with the F2-affine map of the two assignments. It prints one
/// line for each, "pass NAME: n elements" or "fail NAME: why", and returns 0 when all pass, 1 when one does not, 2 when
/// there is no GPU.
std::string self_test_file(std::span<const NamedConversion> conversions, const std::string& name_space);

}  // namespace lanescope::convert
