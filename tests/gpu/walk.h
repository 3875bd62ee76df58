#pragma once
// A kernel whose costs per line are known from its addresses, compiled from CUDA as an edit is.

#include <string>

#include "profiling/cupti/cupti.h"

namespace lanescope::gpu_test {

/// Why the kernel cannot be compiled here; empty where it can.
std::string no_compiler();

namespace walk {

/// Lines of the source at which each thing happens.
inline constexpr int shared_store_line = 9, global_load_line = 10, shared_load_line = 12, global_store_line = 15;
inline constexpr unsigned input_elements = 8192, tile_elements = 1024;

/// PTX with line information for the first GPU. `bias` is a constant of the kernel: another one is another PTX.
std::string ptx(int bias = 0);

/// One launch: in every round each of a block's threads loads in[(thread * step + 32 * round) % 8192], stores it to
/// tile[thread] and adds up tile[(thread * step) % 1024].
struct Shape {
  unsigned blocks = 1, threads = 32;
  int step = 1, rounds = 1;
};
trace::Launch launch(const Shape& shape);
/// Input and output for as many threads.
std::vector<trace::Buffer> buffers(unsigned threads);
cupti::Request request(const std::vector<Shape>& shapes, std::vector<std::string> metrics = {});

/// Costs of the launch, counted from its addresses alone.
struct Costs {
  double load_sectors = 0, store_sectors = 0, store_wavefronts = 0, load_wavefronts = 0;
};
Costs costs(const Shape& shape);

}  // namespace walk
}  // namespace lanescope::gpu_test

#define LS_NEEDS_COMPILER() \
  if (const std::string why = ::lanescope::gpu_test::no_compiler(); !why.empty()) GTEST_SKIP() << why
