#pragma once
// Everything that a run leaves behind, as one value that can cross a pipe.

#include <vector>

#include "app/engine/session.h"

namespace lanescope::engine {

struct RunResult {
  views::Summary summary;
  Ending ending = Ending::bad_input;
  std::vector<Output> outputs;            ///< in the order of Summary::buffers
  counters::Report counters;              ///< predicted, of the plain run
  std::vector<review::Finding> findings;  ///< where a review was asked for; ascending line
  std::vector<emulator::Fault> faults;
  views::Measured hardware;  ///< of a run on a GPU: Session::hardware()
  views::Measured measured;  ///< where it was to be measured: Session::measure()
};
/// Runs, measures where the request says so, and keeps everything.
RunResult run_whole(Session& session, const RunRequest& request, const std::atomic<bool>* cancel = nullptr);

/// Where the assignment comments could not be written: why, and how the run ended.
struct Annotated {
  Expected<claims::Annotation> annotation;
  Ending ending = Ending::good;
};

}  // namespace lanescope::engine
