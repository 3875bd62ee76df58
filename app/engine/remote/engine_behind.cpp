#include "app/engine/remote/engine.h"

namespace lanescope::engine {
namespace {

class EngineBehind final : public Engine {
 public:
  EngineBehind(ClientOptions options, std::function<void(const std::string&)> tell, Watch watch)
      : elsewhere_(options.elsewhere), tell_(std::move(tell)), watch_(std::move(watch)), client_(std::move(options)) {}

  RunResult run(const RunRequest& request) override {
    RunResult lost;
    auto result = answer_to<RunResult>(client_.submit_whole(request), lost.ending);
    if (result) return std::move(*result);
    lost.summary.file = request.file;
    lost.summary.diagnostics = std::move(result.error());
    return lost;
  }
  Annotated annotate(const RunRequest& request) override {
    Ending ending = Ending::good;
    auto annotation = answer_to<AnnotatedText>(client_.annotate(request), ending);
    return {std::move(annotation), ending};
  }
  Expected<results::Moment> moment(const MomentRequest& request) override {
    return answer_to<results::Moment>(client_.request_moment(request));
  }
  Expected<std::vector<results::RegisterLimit>> caps(const RunRequest& request, const std::vector<int>& caps) override {
    return answer_to<std::vector<results::RegisterLimit>>(client_.request_caps(request, caps));
  }
  Expected<results::Measured> measure(const MeasureRequest& request) override {
    return answer_to<results::Measured>(client_.request_measure(request));
  }
  Expected<results::Measured> machine_code(const RunRequest& request) override {
    return answer_to<results::Measured>(client_.request_machine_code(request));
  }
  Expected<results::Contents> contents(const ContentsRequest& request) override {
    return answer_to<results::Contents>(client_.request_contents(request));
  }
  Expected<results::Journeys> journeys(const JourneyRequest& request) override {
    return answer_to<results::Journeys>(client_.request_journeys(request));
  }

  bool reachable() const override { return was_greeted_; }

 private:
  template <class Value>
  Expected<Value> answer_to(Ticket ticket) {
    Ending ignored{};
    return answer_to<Value>(ticket, ignored);
  }
  /// `ending` is set where there is no answer.
  template <class Value>
  Expected<Value> answer_to(Ticket ticket, Ending& ending) {
    Event event = wait_for(ticket);
    if (watch_) watch_({});
    if (auto* there = std::get_if<Answered<Value>>(&event)) return std::move(there->value);
    return tl::unexpected(words_of(event, ending));
  }

  Event wait_for(Ticket ticket) {
    constexpr auto patience = std::chrono::milliseconds(500);
    for (;;) {
      auto event = client_.wait(patience);
      was_greeted_ = was_greeted_ || client_.greeted();
      if (!event) continue;
      if (const auto* again = std::get_if<RepeatedEvent>(&*event)) {
        if (tell_) tell_(again->reason + " The request is repeated.");
        continue;
      }
      if (const auto* progress = std::get_if<ProgressEvent>(&*event)) {
        if (watch_) watch_({.stage = progress->stage, .ran = progress->ran});
        continue;
      }
      if (const auto* died = std::get_if<DiedEvent>(&*event)) {
        // Before anything was asked of it, or while it rested: the question goes to the one that was started instead.
        if (died->restarted && died->ticket != ticket && client_.busy()) continue;
        return std::move(*event);
      }
      const Ticket of = std::visit([](const auto& e) { return e.ticket; }, *event);
      if (of == ticket) return std::move(*event);
    }
  }

  Diagnostics words_of(Event& event, Ending& ending) const {
    if (auto* refused = std::get_if<RefusedEvent>(&event)) {
      ending = refused->ending;
      return std::move(refused->diagnostics);
    }
    ending = Ending::cannot_here;
    const auto* died = std::get_if<DiedEvent>(&event);
    std::string reason = died ? died->reason : "The worker sent an unexpected answer.";
    while (reason.ends_with('.')) reason.pop_back();
    return {{.file = {},
             .message = std::move(reason),
             .remedy = elsewhere_ ? "check that the command of --via starts 'lanescope worker' of this version"
                                  : "run it again, or without a worker"}};
  }

  bool elsewhere_ = false, was_greeted_ = false;
  std::function<void(const std::string&)> tell_;
  Watch watch_;
  Client client_;
};

}  // namespace

std::unique_ptr<Engine> engine_behind(ClientOptions options, std::function<void(const std::string&)> tell,
                                      Watch watch) {
  return std::make_unique<EngineBehind>(std::move(options), std::move(tell), std::move(watch));
}

}  // namespace lanescope::engine
