#include "app/engine/result.h"

namespace lanescope::engine {

RunResult result_of(const Session& session) {
  return {.summary = session.summary(),
          .ending = session.ending(),
          .outputs = session.outputs(),
          .counters = session.counters(),
          .findings = session.findings(),
          .faults = session.faults()};
}

}  // namespace lanescope::engine
