#include "app/engine/remote/engine.h"

#include "app/engine/hardware/machine_code.h"
#include "app/engine/prepare/register_caps.h"
#include "app/engine/session/session.h"

namespace lanescope::engine {
namespace {

class EngineHere final : public Engine {
 public:
  EngineHere(Overdue overdue, Watch watch) : overdue_(std::move(overdue)), watch_(std::move(watch)) {
    session_.on_overdue(overdue_);
    if (!watch_) return;
    session_.on_progress([this](std::string_view stage) { watch_({.stage = std::string(stage)}); });
    session_.on_steps([this](const RanSoFar& ran) { watch_({.stage = "running", .ran = ran}); });
  }

  RunResult run(const RunRequest& request) override {
    RunResult result = session_.run_whole(request);
    if (watch_) watch_({});
    return result;
  }
  Expected<results::Moment> moment(const MomentRequest& request) override { return session_.moment(request); }
  Expected<results::Contents> contents(const ContentsRequest& request) override { return session_.contents(request); }
  Expected<results::Journeys> journeys(const JourneyRequest& request) override { return session_.journeys(request); }
  Annotated annotate(const RunRequest& request) override {
    auto annotation = session_.annotate_whole(request);
    if (watch_) watch_({});
    return {std::move(annotation), session_.ending()};
  }

  Expected<std::vector<results::RegisterLimit>> caps(const RunRequest& request, const std::vector<int>& caps) override {
    const TimeLimit limit(request.file, request.limit_seconds, nullptr, overdue_);
    auto rows = register_caps(request, caps, limit.stop());
    if (limit.late()) return failure(limit.words());
    return rows;
  }

  Expected<results::Measured> machine_code(const RunRequest& request) override { return engine::machine_code(request); }

  Expected<results::Measured> measure(const MeasureRequest& request) override { return session_.measure(request); }

 private:
  Overdue overdue_;
  Watch watch_;
  Session session_;
};

}  // namespace

std::unique_ptr<Engine> engine_here(Overdue overdue, Watch watch) {
  return std::make_unique<EngineHere>(std::move(overdue), std::move(watch));
}

}  // namespace lanescope::engine
