#pragma once
// Every figure that the reference documents state about memory traffic, latency and occupancy, and the computed value
// of the same scenario. Only the stated values are typed in.
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
    derived,  ///< the source gives only its inputs; `stated` is absent
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

/// A false statement of a reference, or a contradiction between two of them.
struct ReferenceDispute {
  std::string statement, source;
  std::string against{};   ///< the other document, where two contradict each other; empty: the statement is false
  std::string truth, why;  ///< the correct statement, with computed numbers; its evidence
  double stated = 0, computed = 0;  ///< the numbers that differ
  std::string unit;
};
/// Error: as above.
Expected<std::vector<ReferenceDispute>> reference_disputes();

/// One line: "caching load, broadcast: 3.125 % (stated: 3.125 %, memory slides, GMEM reads)".
std::string to_string(const ReferenceFigure& figure);
/// "one block of a P100 may allocate 64 KB (shared slides, ...); in fact 48 KB: ..."
std::string to_string(const ReferenceDispute& dispute);

}  // namespace lanescope::occupancy
