#pragma once
// The kernels whose speed published courses and notes compare, at the sizes they used and at sizes that fill a large
// GPU, each with its input and with what a CPU says of its output.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/engine/prepare/prepare.h"

namespace lanescope::gpu_test {

using Buffers = std::vector<trace::Buffer>;

/// One kernel at one size.
struct Variant {
  std::string name;    ///< unique: "rmse_atomic f32, source size"
  std::string size;    ///< in words
  std::string file;    ///< from the repository's root
  std::string header;  ///< TOML that stands in place of the file's own launch header
  std::function<void(Buffers&)> fill;
  /// Describes an error in the buffers after one run, given those before; empty: they are as a CPU computes them.
  std::function<std::string(const Buffers& before, const Buffers& after)> wrong;
  double useful_bytes = 0;  ///< that one run must move at least, from and to the memory under study; 0: not of interest
  std::size_t launched_grids = 0;  ///< by its kernels
};

/// How large everything is. All extents are multiples of 32.
struct Scale {
  std::uint32_t multiprocessors = 1;
  std::uint32_t rmse_side = 2048, axpy_side = 512, large_side = 4096;  ///< of square arrays
  std::uint32_t rounds = 4096;                                         ///< of loops on chip
  std::uint32_t rmse_block = 1024;
};
/// Sizes that the sources name, beside arrays that are larger than any L2 cache of today together.
Scale full_scale(std::uint32_t multiprocessors);
/// Sizes that the emulator runs in a blink.
Scale small_scale();

std::vector<Variant> reference_variants(const Scale& scale);
/// Sums step by step, blocks of a matrix, recursion, exchanges within a warp.
std::vector<Variant> course_variants(const Scale& scale);

/// The kernel compiled, the launches packed, the buffers filled.
engine::Prepared prepare(const Variant& variant, const std::string& arch);

}  // namespace lanescope::gpu_test
