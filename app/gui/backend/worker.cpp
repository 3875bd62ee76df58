// The engine in a worker child.

#include "app/engine/remote/client.h"
#include "app/gui/backend/backend.h"

namespace lanescope::gui {
namespace {

class WorkerBackend final : public Backend {
 public:
  explicit WorkerBackend(engine::ClientOptions options) : client_(std::move(options)) {}

  void submit(std::uint64_t ticket, const engine::RunRequest& request) override {
    run_ = ticket;
    client_run_ = client_.submit(request);
  }
  void cancel() override { client_.cancel(client_run_); }
  void request_moment(std::uint64_t ticket, const engine::MomentRequest& request) override {
    moment_ = ticket;
    client_moment_ = client_.request_moment(request);
  }
  void request_caps(std::uint64_t ticket, const engine::RunRequest& request, const std::vector<int>& caps) override {
    caps_ = ticket;
    client_caps_ = client_.request_caps(request, caps);
  }
  void request_measure(std::uint64_t ticket, const engine::MeasureRequest& request) override {
    measure_ = ticket;
    client_measure_ = client_.request_measure(request);
  }
  void cancel_measure() override { client_.cancel(client_measure_); }
  void request_live(std::uint64_t ticket, const engine::RunRequest& request) override {
    live_ = ticket;
    client_live_ = client_.request_live(request);
  }
  void request_contents(std::uint64_t ticket, const engine::ContentsRequest& request) override {
    contents_ = ticket;
    client_contents_ = client_.request_contents(request);
  }
  void request_machine_code(std::uint64_t ticket, const engine::RunRequest& request) override {
    code_ = ticket;
    client_code_ = client_.request_machine_code(request);
  }
  void request_journeys(std::uint64_t ticket, const engine::JourneyRequest& request) override {
    journeys_ = ticket;
    client_journeys_ = client_.request_journeys(request);
  }
  bool busy() const override { return client_.busy(); }

  std::vector<BackendEvent> poll() override {
    std::vector<BackendEvent> events;
    while (std::optional<engine::Event> event = client_.poll()) {
      std::visit([&](auto& e) { take(e, events); }, *event);
    }
    return events;
  }

 private:
  void take(engine::SummaryEvent& e, std::vector<BackendEvent>& out) {
    if (e.ticket == client_run_) out.push_back(RunFinished{run_, std::move(e.value.summary), std::move(e.value.gpus)});
  }
  void take(engine::MomentEvent& e, std::vector<BackendEvent>& out) {
    if (e.ticket == client_moment_) out.push_back(MomentArrived{moment_, std::move(e.value)});
  }
  void take(engine::AnnotationEvent&, std::vector<BackendEvent>&) {}
  void take(engine::MeasuredEvent& e, std::vector<BackendEvent>& out) {
    if (e.ticket == client_measure_) out.push_back(MeasuredArrived{measure_, std::move(e.value)});
    if (e.ticket == client_live_) out.push_back(MeasuredArrived{live_, std::move(e.value)});
    if (e.ticket == client_code_) out.push_back(MeasuredArrived{code_, std::move(e.value)});
  }
  void take(engine::ContentsEvent& e, std::vector<BackendEvent>& out) {
    if (e.ticket == client_contents_) out.push_back(ContentsArrived{contents_, std::move(e.value)});
  }
  void take(engine::JourneysEvent& e, std::vector<BackendEvent>& out) {
    if (e.ticket == client_journeys_) out.push_back(JourneysArrived{journeys_, std::move(e.value)});
  }
  void take(engine::CapsEvent& e, std::vector<BackendEvent>& out) {
    if (e.ticket == client_caps_) out.push_back(CapsArrived{.ticket = caps_, .rows = std::move(e.value)});
  }
  void take(engine::ProgressEvent& e, std::vector<BackendEvent>& out) {
    if (e.ticket == client_run_) out.push_back(RunProgress{run_, e.stage, e.ran.steps});
  }
  void take(engine::RefusedEvent& e, std::vector<BackendEvent>& out) {
    if (e.ticket == client_moment_) {
      out.push_back(MomentRefused{moment_});
    } else if (e.ticket == client_caps_) {
      out.push_back(CapsArrived{.ticket = caps_, .rows = {}, .refused = words_of(e.diagnostics)});
    } else if (e.ticket == client_measure_) {
      out.push_back(MeasuredArrived{.ticket = measure_, .measured = {}, .refused = words_of(e.diagnostics)});
    } else if (e.ticket == client_contents_) {
      out.push_back(ContentsRefused{contents_});
    } else if (e.ticket == client_journeys_) {
      out.push_back(JourneysArrived{journeys_, std::nullopt});
    } else if (e.ticket == client_live_) {
      out.push_back(MeasuredArrived{.ticket = live_, .measured = {}, .refused = words_of(e.diagnostics)});
    } else if (e.ticket == client_code_) {
      out.push_back(MeasuredArrived{.ticket = code_, .measured = {}, .refused = words_of(e.diagnostics)});
    } else if (e.ticket == client_run_) {
      RunFinished finished{.ticket = run_, .summary = {}};
      finished.summary.diagnostics = std::move(e.diagnostics);
      out.push_back(std::move(finished));
    }
  }
  void take(engine::ResultEvent&, std::vector<BackendEvent>&) {}
  void take(engine::RepeatedEvent& e, std::vector<BackendEvent>& out) {
    if (e.ticket == client_run_) out.push_back(RunProgress{run_, "connecting again", 0});
  }
  void take(engine::DiedEvent& e, std::vector<BackendEvent>& out) { out.push_back(EngineStopped{e.reason}); }

  static std::string words_of(const Diagnostics& diagnostics) {
    return diagnostics.empty() ? "The engine rejected the request." : to_string(diagnostics.front()) + ".";
  }

  engine::Client client_;
  std::uint64_t run_ = 0, moment_ = 0, caps_ = 0, measure_ = 0, live_ = 0, contents_ = 0, code_ = 0, journeys_ = 0;
  engine::Ticket client_run_ = 0, client_moment_ = 0, client_caps_ = 0, client_measure_ = 0, client_live_ = 0,
                 client_code_ = 0, client_contents_ = 0, client_journeys_ = 0;
};

}  // namespace

std::unique_ptr<Backend> make_worker_backend(const std::string& via) {
  return std::make_unique<WorkerBackend>(via.empty() ? engine::ClientOptions{} : engine::via_options(via));
}

}  // namespace lanescope::gui
