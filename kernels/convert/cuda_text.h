#pragma once
// A conversion as CUDA C++.

#include <string>

#include "kernels/convert/bounds.h"
#include "kernels/convert/place_map.h"
#include "kernels/convert/word_program.h"

namespace lanescope::convert {

/// A conversion that was planned: what the text says and does.
struct Conversion {
  layout::Assignment from, to;
  PlaceMap map;
  WordProgram program;
  ShuffleBound bound;
};

struct CodeNames {
  std::string function = "convert";
  std::string name_space;  ///< "" or "a::b"
};

/// "3 shuffles, 16 selects"; "moves nothing" where there is nothing to execute.
std::string counts_in_words(const Counts& counts);

/// `template <class Word> __device__ __forceinline__ void NAME(const Word (&from)[A], Word (&to)[B])` with a comment on
/// what it does and the assignment after each step. `Word` has 4 bytes (8 or 16 for elements of 64 or 128 bits).
std::string device_function(const Conversion& conversion, const CodeNames& names);

/// A header that includes nothing and needs nothing.
std::string header_file(const Conversion& conversion, const CodeNames& names);

/// A kernel file: one warp reads the array `p` into registers by `from`, converts them, and writes the array `q` by `to`.
/// Its claims say what is where, and `q` must equal `p`. "" for elements of 2 or 128 bits, which no buffer has.
std::string kernel_file(const Conversion& conversion, const CodeNames& names);

}  // namespace lanescope::convert
