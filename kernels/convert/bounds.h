#pragma once
// How few shuffles a conversion inside a warp can do with.
//
// A program of k shuffles moves elements: in each shuffle every lane shows one register and reads the one that another lane
// shows. Three arguments, for a lane that needs N elements, w of each lane that has some of them, where a register holds c:
//
//   room      a shuffle brings a lane c elements.                                               N <= c k
//   hearing   what a lane shows in shuffle n comes from 2^(n-1) lanes at most, of which the reader needs w elements each:
//                                                                              N <= sum over n of min(c, w 2^(n-1))
//   detours   a lane reads k lanes, so the elements of others arrive by way of a lane that does not need them itself, and
//             take room there, too. Ways of h reads end in a lane in at most C(k, h) manners, one for each choice of the
//             shuffles in which they are read. With the shortest ways for all elements, what they take in all lanes together
//             is no more than the room:
//                        sum over lanes and elements of h  <=  32 c k        w C(k, h) elements of a lane by h reads at most
//
// 16 x 16 bytes across 16 lanes: N = 15, w = 1, c = 4. Room and hearing ask for k = 4 and k = 5. With k = 5 a lane's elements
// take 5 * 1 + 10 * 2 = 25 places, and there are 4 * 5; with k = 6 they take 6 * 1 + 9 * 2 = 24, and there are 24.
//
// Room and hearing hold for all that a program computes from its registers, detours for programs that move elements, or
// parts of them, and do not add them up.

#include <string>

#include "kernels/convert/place_map.h"

namespace lanescope::convert {

/// No program that moves registers by shuffles needs fewer.
struct ShuffleBound {
  int shuffles = 0;
  std::string argument;  ///< in words, with its numbers
};

/// The largest of the three bounds. That of detours is left out where two lanes need one element or hold copies of one: they
/// share what is on its way. `map` is within warps.
ShuffleBound shuffle_bound(const PlaceMap& map);

}  // namespace lanescope::convert
