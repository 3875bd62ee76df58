#include "app/engine/result.h"

namespace lanescope::engine {

RunResult run_whole(Session& session, const RunRequest& request, const std::atomic<bool>* cancel) {
  session.run(request, cancel);
  RunResult result{.summary = session.summary(),
                   .ending = session.ending(),
                   .outputs = session.outputs(),
                   .counters = session.counters(),
                   .findings = session.findings(),
                   .faults = session.faults(),
                   .hardware = session.hardware(),
                   .measured = {}};
  if (request.on_gpu && request.measure && result.summary.ok)
    result.measured = session.measure({.device = request.device});
  return result;
}

}  // namespace lanescope::engine
