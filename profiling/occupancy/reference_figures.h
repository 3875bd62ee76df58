#pragma once
// Every figure that the reference documents state about memory traffic, latency and occupancy, and what this program
// computes for the same scenario. Nothing here is typed in but what is stated.
//
//   memory slides   "GPU memory and shuffle", KAUST        shared slides   "Shared memory" course, CSCS
//   execution       "CUDA execution model", section 3.4    kernel notes    "Kernel optimization", CUDA.jl

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/base/diagnostic.h"

namespace lanescope::occupancy {

struct ReferenceFigure {
  enum class Relation : std::uint8_t {
    equal,     ///< the source gives the number
    at_least,  ///< the source gives a bound
    at_most,
    derived,  ///< the source gives only what it follows from; `stated` is absent
  };
  std::string name, source, unit;
  double computed = 0;
  std::optional<double> stated;
  Relation relation = Relation::equal;
  /// Within a millionth; always true of a derived one.
  bool holds() const;
};

/// Error: the table of GPUs cannot be read.
Expected<std::vector<ReferenceFigure>> reference_figures();

/// One line: "caching load, broadcast: 3.125 % (stated: 3.125 %, memory slides, GMEM reads)".
std::string to_string(const ReferenceFigure& figure);

}  // namespace lanescope::occupancy
