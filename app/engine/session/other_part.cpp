#include "app/engine/session/other_part.h"

#include "app/engine/prepare/execution.h"
#include "app/engine/prepare/recorded_part.h"
#include "app/engine/summary/summarize.h"
#include "app/engine/wire/messages.h"

namespace lanescope::engine {
namespace {

/// Whether a request is another one's but for the part that is recorded, of the launch that is shown.
bool same_run(const RunRequest& a, const RunRequest& b, int shown_launch) {
  const auto without_part = [&](RunRequest r) {
    if (r.record_launch == shown_launch) r.record_launch = -1;
    r.record_block = 0, r.record_step = 0, r.from_history = false;
    return wire::encode(r);
  };
  return without_part(a) == without_part(b);
}

}  // namespace

void record_some_part(RunState& s, const std::atomic<bool>* cancel) {
  const auto shown = static_cast<std::size_t>(s.recorded_launch);
  if (s.request.record_step == 0 || shown >= s.probed.launches.size()) return;
  ProbedLaunch& probed = *s.probed.launches[shown];
  if (!probed.trace.steps.empty()) return;
  record_part(s.prepared.probed, *s.prepared.source, probed, s.request.record_block, s.request.record_step,
              {.seed = s.request.seed, .cancel = cancel});
}

bool record_elsewhere(RunState& s, const RunRequest& given, TimeLimit& limit) {
  if (s.late || !s.summary.ok || given.on_gpu || s.hardware.device.size() > 0) return false;
  if (!same_run(given, s.given, s.recorded_launch)) return false;
  // The run for views may have ended before the fault: a new one comes to it.
  if (!s.plain.faults.empty()) return false;
  const auto shown = static_cast<std::size_t>(s.recorded_launch);
  if (shown >= s.probed.launches.size()) return false;
  ProbedLaunch& probed = *s.probed.launches[shown];
  limit.enter("running");
  if (s.progress) s.progress("running");
  const RecordedPart part =
      record_part(s.prepared.probed, *s.prepared.source, probed, given.record_block, given.record_step,
                  {.seed = given.seed,
                   .cancel = limit.stop(),
                   .times = run_times(RunTimes::Clock::now(), limit.end(), given.run_seconds)});
  if (!part.recorded) return cancelled(limit.stop());
  s.given = given;
  s.request.record_block = given.record_block;
  s.request.record_step = given.record_step;
  refresh_recorded(s);
  s.summary.history.replayed = true;
  s.summary.history.replayed_from = part.from, s.summary.history.replayed_until = part.until;
  s.summary.history.replay_seconds = part.seconds;
  return true;
}

}  // namespace lanescope::engine
