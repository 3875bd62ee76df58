#pragma once
// How few shuffles a conversion inside a warp can do with.

#include <string>

#include "kernels/convert/place_map.h"

namespace lanescope::convert {

/// No program that moves registers by shuffles needs fewer.
struct ShuffleBound {
  int shuffles = 0;
  std::string argument;  ///< in words, with its numbers
};

/// The larger of two bounds, for the lane that needs most:
///  - a shuffle brings 32 bits to a lane: bits of elements that no register of the lane holds, over 32;
///  - after k shuffles a lane knows of at most 2^k lanes: the logarithm of the number of lanes that it must hear of.
/// `map` is within warps.
ShuffleBound shuffle_bound(const PlaceMap& map);

}  // namespace lanescope::convert
