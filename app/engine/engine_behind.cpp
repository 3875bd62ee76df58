#include "app/engine/engine.h"

namespace lanescope::engine {
namespace {

class EngineBehind final : public Engine {
 public:
  EngineBehind(ClientOptions options, std::function<void(const std::string&)> tell)
      : elsewhere_(options.elsewhere), tell_(std::move(tell)), client_(std::move(options)) {}

  RunResult run(const RunRequest& request) override {
    Answer answer = wait_for(client_.submit_whole(request));
    if (auto* whole = std::get_if<ResultEvent>(&answer.event)) return std::move(whole->result);
    RunResult lost;
    lost.summary.file = request.file;
    lost.summary.diagnostics = words_of(answer, lost.ending);
    return lost;
  }

  Expected<views::Moment> moment(const MomentRequest& request) override {
    Answer answer = wait_for(client_.request_moment(request));
    if (auto* there = std::get_if<MomentEvent>(&answer.event)) return std::move(there->moment);
    Ending ignored{};
    return tl::unexpected(words_of(answer, ignored));
  }

  Annotated annotate(const RunRequest& request) override {
    Answer answer = wait_for(client_.annotate(request));
    if (auto* there = std::get_if<AnnotationEvent>(&answer.event)) return {std::move(there->annotation), Ending::good};
    Ending ending{};
    Diagnostics words = words_of(answer, ending);
    return {tl::unexpected(std::move(words)), ending};
  }

  Expected<std::vector<views::CapInfo>> caps(const RunRequest& request, const std::vector<int>& caps) override {
    Answer answer = wait_for(client_.request_caps(request, caps));
    if (auto* there = std::get_if<CapsEvent>(&answer.event)) return std::move(there->rows);
    Ending ignored{};
    return tl::unexpected(words_of(answer, ignored));
  }

  Expected<views::Measured> measure(const MeasureRequest& request) override {
    Answer answer = wait_for(client_.request_measure(request));
    if (auto* there = std::get_if<MeasuredEvent>(&answer.event)) return std::move(there->measured);
    Ending ignored{};
    return tl::unexpected(words_of(answer, ignored));
  }

  Expected<views::Contents> contents(const ContentsRequest& request) override {
    Answer answer = wait_for(client_.request_contents(request));
    if (auto* there = std::get_if<ContentsEvent>(&answer.event)) return std::move(there->contents);
    Ending ignored{};
    return tl::unexpected(words_of(answer, ignored));
  }

  bool reachable() const override { return was_greeted_; }

 private:
  struct Answer {
    Event event;
  };

  Answer wait_for(Ticket ticket) {
    constexpr auto patience = std::chrono::milliseconds(500);
    for (;;) {
      auto event = client_.wait(patience);
      was_greeted_ = was_greeted_ || client_.greeted();
      if (!event) continue;
      if (const auto* again = std::get_if<RepeatedEvent>(&*event)) {
        if (tell_) tell_(again->reason + " It is asked again.");
        continue;
      }
      if (std::holds_alternative<ProgressEvent>(*event)) continue;
      if (const auto* died = std::get_if<DiedEvent>(&*event)) {
        // Before anything was asked of it, or while it rested: the question goes to the one that was started instead.
        if (died->restarted && died->ticket != ticket && client_.busy()) continue;
        return {std::move(*event)};
      }
      const Ticket of = std::visit([](const auto& e) { return e.ticket; }, *event);
      if (of == ticket) return {std::move(*event)};
    }
  }

  Diagnostics words_of(Answer& answer, Ending& ending) const {
    if (auto* refused = std::get_if<RefusedEvent>(&answer.event)) {
      ending = refused->ending;
      return std::move(refused->diagnostics);
    }
    ending = Ending::cannot_here;
    const auto* died = std::get_if<DiedEvent>(&answer.event);
    std::string reason = died ? died->reason : "The worker answered something else.";
    while (reason.ends_with('.')) reason.pop_back();
    return {{.file = {},
             .message = std::move(reason),
             .remedy = elsewhere_ ? "see that the command of --via starts 'lanescope worker' of this version"
                                  : "run it again, or without a worker"}};
  }

  bool elsewhere_ = false, was_greeted_ = false;
  std::function<void(const std::string&)> tell_;
  Client client_;
};

}  // namespace

std::unique_ptr<Engine> engine_behind(ClientOptions options, std::function<void(const std::string&)> tell) {
  return std::make_unique<EngineBehind>(std::move(options), std::move(tell));
}

}  // namespace lanescope::engine
