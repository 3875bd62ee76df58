#include "app/engine/remote/engine.h"

#include "app/engine/hardware/machine_code.h"
#include "app/engine/prepare/register_caps.h"
#include "app/engine/session/session.h"

namespace lanescope::engine {
namespace {

class EngineHere final : public Engine {
 public:
  explicit EngineHere(Overdue overdue) : overdue_(std::move(overdue)) { session_.on_overdue(overdue_); }

  RunResult run(const RunRequest& request) override { return session_.run_whole(request); }
  Expected<results::Moment> moment(const MomentRequest& request) override { return session_.moment(request); }
  Expected<results::Contents> contents(const ContentsRequest& request) override { return session_.contents(request); }
  Expected<results::Journeys> journeys(const JourneyRequest& request) override { return session_.journeys(request); }
  Annotated annotate(const RunRequest& request) override {
    auto annotation = session_.annotate_whole(request);
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
  Session session_;
};

}  // namespace

std::unique_ptr<Engine> engine_here(Overdue overdue) { return std::make_unique<EngineHere>(std::move(overdue)); }

}  // namespace lanescope::engine
