#pragma once
// Floating-point operations as data sheets and rooflines count them: a fused multiply-add is two, every other
// arithmetic instruction is one a lane and component. Copies, comparisons, conversions and changes of sign are none,
// and neither are the matrix instructions of tensor cores, which have another peak.

#include <string_view>

namespace lanescope::counters {

struct FloatOperations {
  int fp32 = 0, fp64 = 0;  ///< of one lane
  bool operator==(const FloatOperations&) const = default;
};

/// `text`: canonical PTX of one instruction, as trace::CodeSite::text: "@%p1 fma.rn.f32 %f3, %f1, %f2, %f3;" is {2, 0}.
FloatOperations operations_of(std::string_view text);

}  // namespace lanescope::counters
