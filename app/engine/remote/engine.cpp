#include "app/engine/remote/engine.h"

#include "app/engine/remote/service.h"

namespace lanescope::engine {

RunResult Engine::run(const RunRequest& request) {
  RunResult lost;
  auto result = ask<ask::RunWhole>(request, &lost.ending);
  if (result) return std::move(*result);
  lost.summary.file = request.file;
  lost.summary.diagnostics = std::move(result.error());
  return lost;
}

Event Engine::wait_for(Ticket ticket) {
  constexpr auto deadline = std::chrono::seconds(1);
  for (;;) {
    auto event = channel_->wait(deadline);
    if (!event) continue;
    if (const auto* again = std::get_if<Repeated>(&event->what)) {
      if (report_) report_(again->reason + " The request is repeated.");
      continue;
    }
    if (const auto* progress = std::get_if<Progress>(&event->what)) {
      if (watch_) watch_(*progress);
      continue;
    }
    const auto* stopped = std::get_if<Stopped>(&event->what);
    // While it rested: the question moves to the one that was started instead.
    if (stopped ? stopped->restarted && event->ticket != ticket && channel_->busy() : event->ticket != ticket) continue;
    if (watch_) watch_({});
    return std::move(*event);
  }
}

Refusal Engine::refusal_of(Event& event) {
  if (auto* refused = std::get_if<Refusal>(&event.what)) return std::move(*refused);
  const auto* stopped = std::get_if<Stopped>(&event.what);
  std::string reason = stopped ? stopped->reason : "the engine sent an unexpected answer";
  while (reason.ends_with('.')) reason.pop_back();
  return {{{.message = std::move(reason), .remedy = stopped ? stopped->remedy : ""}}, Ending::cannot_here};
}

std::unique_ptr<Engine> engine_here(Overdue overdue, Watch watch) {
  Service::Stuck stuck;
  if (overdue) stuck = [overdue](Ticket, const Diagnostics& why) { overdue(why.front()); };
  return std::make_unique<Engine>(std::make_unique<Service>(std::move(stuck)), std::move(watch));
}

std::unique_ptr<Engine> engine_behind(ClientOptions options, Sentences report, Watch watch) {
  return std::make_unique<Engine>(std::make_unique<Client>(std::move(options)), std::move(watch), std::move(report));
}

}  // namespace lanescope::engine
