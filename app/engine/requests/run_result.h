#pragma once
// Everything that a run yields, as one value that can cross a pipe.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/engine/requests/requests.h"
#include "kernels/claims/claims.h"
#include "kernels/emulator/emulator.h"
#include "profiling/counters/counters.h"
#include "profiling/review/findings/finding.h"
#include "results/measured.h"
#include "results/summary.h"

namespace lanescope::engine {

struct Output {
  std::string name, element_type;
  std::vector<std::uint64_t> shape;
  trace::Bytes bytes;
  std::string partial{};  ///< not empty: not all blocks ran; then there are no bytes
  /// Difference from the expected contents, in words; empty: none; nullopt: there is no expectation.
  std::optional<std::string> difference{};
  bool undecided = false;  ///< it differs, and the expectation is stated for another launch

  bool differs() const { return difference && !difference->empty(); }
};

struct RunResult {
  results::Summary summary;
  Ending ending = Ending::bad_input;
  std::vector<Output> outputs;            ///< in the order of Summary::buffers
  counters::Report counters;              ///< predicted, of the plain run
  std::vector<review::Finding> findings;  ///< where a review was requested; ascending line
  std::vector<emulator::Fault> faults;
  results::Measured hardware;  ///< of a run on a GPU: its results and the differences of its buffers
  results::Measured measured;  ///< where it was to be measured: the measurement
};

/// The text with its comments, and the results of their run.
struct AnnotatedText {
  std::string text;
  int claims_written = 0;
  std::string kernel, arch, compiler;    ///< as in Summary
  std::vector<std::string> inferred;     ///< as in Summary
  std::vector<results::Notice> notices;  ///< as in Summary
  Diagnostics warnings;
  Ending ending = Ending::good;
};

}  // namespace lanescope::engine
