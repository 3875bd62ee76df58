#pragma once
// Inputs of a launch that steer its execution, found in the PTX without running it.
//
// A value steers when it may reach a branch, a guard, an address, a length, a barrier or the choice of a lane. A value
// that does not steer changes only results: the same threads execute the same instructions at the same addresses, so
// that a race, an access beyond an array or a deadlock is there for any such value.
//
//   y[i] = a * x[i] + y[i], for i < n:    n steers (a guard), i does by itself; a and the contents of x and y do not
//
// It is the analysis of slice.h, with scalar parameters as sources beside buffers, and with selects and votes that pass
// their condition on instead of being steered by it. The result is the union over all paths.

#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/ptx/program.h"
#include "kernels/trace/launch.h"

namespace lanescope::instrument {

struct Steers {
  bool control = false;  ///< the threads that execute an instruction, how often, or waits
  bool element = false;  ///< an address, a length or a lane: which element it is
  bool any() const { return control || element; }
};

struct Steering {
  std::vector<Steers> buffers;     ///< contents, by buffer of the launch
  std::vector<Steers> parameters;  ///< by parameter of the kernel; pointers do not count
  /// By buffer: possible origins of its contents afterwards.
  struct Origin {
    std::vector<bool> buffers, parameters;
  };
  std::vector<Origin> results;
  bool block_number = false;  ///< the kernel reads blockIdx, or a number made of it
  bool grid_size = false;     ///< it reads gridDim
};

/// Error: the program has something that the analysis does not follow.
Expected<Steering> steering(const ptx::Module& module, const trace::Launch& launch,
                            const std::vector<trace::Buffer>& buffers);

}  // namespace lanescope::instrument
