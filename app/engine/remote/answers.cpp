#include "app/engine/remote/service.h"

#include "app/engine/hardware/device.h"
#include "app/engine/hardware/machine_code.h"
#include "app/engine/prepare/prepare.h"

namespace lanescope::engine {
namespace {

void report_to(const Call& call, Session& session) {
  session.on_progress([report = call.progress](std::string_view stage) { report({.stage = std::string(stage)}); });
  session.on_steps([report = call.progress](const RanSoFar& ran) { report({.stage = "running", .ran = ran}); });
  session.on_overdue(call.overdue);
}

std::shared_ptr<Session> new_session(const Call& call) {
  auto session = std::make_shared<Session>();
  report_to(call, *session);
  return session;
}

/// A measurement may be reading it.
bool is_free(const Call& call) {
  if (!call.session || call.session.use_count() > 1) return false;
  report_to(call, *call.session);
  return true;
}

}  // namespace

Outcome<ask::Run> answer(ask::Run, const RunRequest& request, Call& call) {
  if (is_free(call) && call.session->record(request, call.stop)) return RunSummary{.summary = call.session->summary()};
  if (call.session) call.session->forget_checkpoints();  // room for those of the new run
  const auto next = new_session(call);
  RunSummary out{.summary = next->run(request, call.stop)};
  if (request.on_gpu) out.gpus = gpu_devices();
  if (out.summary.ok) call.session = next;
  return out;
}

Outcome<ask::RunWhole> answer(ask::RunWhole, const RunRequest& request, Call& call) {
  if (!is_free(call)) call.session = new_session(call);
  RunResult result = call.session->run_whole(request, call.stop);
  if (!result.summary.ok) call.session.reset();
  return result;
}

Outcome<ask::Annotate> answer(ask::Annotate, const RunRequest& request, Call& call) {
  const auto session = new_session(call);
  return session->annotate_whole(request).map_error([&](Diagnostics why) {
    return Refusal{std::move(why), session->ending()};
  });
}

Outcome<ask::Moment> answer(ask::Moment, const MomentRequest& request, Call& call) {
  return call.session->moment(request);
}

Outcome<ask::Caps> answer(ask::Caps, const CapsRequest& request, Call& call) {
  const TimeLimit limit(request.run.file, request.run.limit_seconds, call.stop, call.overdue);
  auto rows = register_caps(request.run, request.caps, limit.stop());
  if (limit.late()) return tl::unexpected(Refusal{{limit.words()}, Ending::cannot_here});
  return std::move(rows).map_error([](Diagnostics why) { return Refusal{std::move(why)}; });
}

Outcome<ask::Measure> answer(ask::Measure, const MeasureRequest& request, Call& call) {
  return call.session->measure(request, call.stop);
}

Outcome<ask::Contents> answer(ask::Contents, const ContentsRequest& request, Call& call) {
  return call.session->contents(request);
}

Outcome<ask::Live> answer(ask::Live, const RunRequest& request, Call& call) {
  return call.live->measure(request, call.stop);
}

Outcome<ask::MachineCode> answer(ask::MachineCode, const RunRequest& request, Call&) { return machine_code(request); }

Outcome<ask::Journeys> answer(ask::Journeys, const JourneyRequest& request, Call& call) {
  return call.session->journeys(request);
}

}  // namespace lanescope::engine
