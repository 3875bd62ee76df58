// The engine on a thread of this process: for tests and for machines where a child cannot be started.

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "app/engine/hardware/device.h"
#include "app/engine/hardware/machine_code.h"
#include "app/engine/prepare/register_caps.h"
#include "app/engine/session/live_run.h"
#include "app/engine/session/session.h"
#include "app/gui/backend/backend.h"

namespace lanescope::gui {
namespace {

class ThreadBackend final : public Backend {
 public:
  ThreadBackend() : thread_([this] { work(); }) {}
  ~ThreadBackend() override {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
      cancel_ = measure_cancel_ = live_cancel_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  void submit(std::uint64_t ticket, const engine::RunRequest& request) override {
    const std::lock_guard lock(mutex_);
    run_ = {ticket, request};
    measure_.reset();
    cancel_ = measure_cancel_ = true;
    changed_.notify_all();
  }
  void cancel() override {
    const std::lock_guard lock(mutex_);
    run_.reset();
    cancel_ = true;
  }
  void request_moment(std::uint64_t ticket, const engine::MomentRequest& request) override {
    const std::lock_guard lock(mutex_);
    moment_ = {ticket, request};
    changed_.notify_all();
  }
  void request_caps(std::uint64_t ticket, const engine::RunRequest& request, const std::vector<int>& caps) override {
    const std::lock_guard lock(mutex_);
    caps_ = {ticket, request, caps};
    changed_.notify_all();
  }
  void request_measure(std::uint64_t ticket, const engine::MeasureRequest& request) override {
    const std::lock_guard lock(mutex_);
    measure_ = {ticket, request};
    changed_.notify_all();
  }
  void cancel_measure() override {
    const std::lock_guard lock(mutex_);
    measure_.reset();
    measure_cancel_ = true;
  }
  void request_live(std::uint64_t ticket, const engine::RunRequest& request) override {
    const std::lock_guard lock(mutex_);
    live_ = {ticket, request};
    changed_.notify_all();
  }
  void request_contents(std::uint64_t ticket, const engine::ContentsRequest& request) override {
    const std::lock_guard lock(mutex_);
    contents_ = {ticket, request};
    changed_.notify_all();
  }
  void request_machine_code(std::uint64_t ticket, const engine::RunRequest& request) override {
    const std::lock_guard lock(mutex_);
    code_ = {ticket, request};
    changed_.notify_all();
  }
  void request_journeys(std::uint64_t ticket, const engine::JourneyRequest& request) override {
    const std::lock_guard lock(mutex_);
    journeys_ = {ticket, request};
    changed_.notify_all();
  }
  std::vector<BackendEvent> poll() override {
    const std::lock_guard lock(mutex_);
    return std::exchange(events_, {});
  }
  bool busy() const override { return false; }  // on_event tells

 private:
  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] {
        return ending_ || run_ || moment_ || caps_ || measure_ || live_ || contents_ || code_ || journeys_;
      });
      if (ending_) return;
      if (run_) {
        const auto [ticket, request] = *std::exchange(run_, std::nullopt);
        cancel_ = false;
        lock.unlock();
        if (session_->record(request, &cancel_)) {
          results::Summary summary = session_->summary();
          lock.lock();
          if (!cancel_) events_.emplace_back(RunFinished{ticket, std::move(summary), {}});
          if (!cancel_ && on_event) on_event();
          continue;
        }
        auto next =
            std::make_unique<engine::Session>();  // a run that fails leaves the good one to answer about moments
        next->on_progress(
            [this, t = ticket](std::string_view stage) { tell({.ticket = t, .stage = std::string(stage)}); });
        next->on_steps([this, t = ticket](const engine::RanSoFar& ran) {
          tell({.ticket = t, .stage = "running", .steps = ran.steps});
        });
        results::Summary summary = next->run(request, &cancel_);
        std::vector<std::string> gpus = request.on_gpu ? engine::gpu_devices() : std::vector<std::string>{};
        lock.lock();
        if (cancel_) continue;
        if (summary.ok) session_ = std::move(next);
        events_.emplace_back(RunFinished{ticket, std::move(summary), std::move(gpus)});
      } else if (caps_) {
        const CapsQuestion asked = *std::exchange(caps_, std::nullopt);
        lock.unlock();
        auto rows = engine::register_caps(asked.request, asked.caps, &cancel_);
        lock.lock();
        CapsArrived answer{.ticket = asked.ticket, .rows = {}};
        if (rows)
          answer.rows = std::move(*rows);
        else
          answer.refused = to_string(rows.error().front()) + ".";
        events_.emplace_back(std::move(answer));
      } else if (measure_) {
        const auto [ticket, request] = *std::exchange(measure_, std::nullopt);
        measure_cancel_ = false;
        lock.unlock();
        results::Measured measured = session_->measure(request, &measure_cancel_);
        lock.lock();
        if (measure_cancel_) continue;
        events_.emplace_back(MeasuredArrived{.ticket = ticket, .measured = std::move(measured)});
      } else if (live_) {
        const auto [ticket, request] = *std::exchange(live_, std::nullopt);
        lock.unlock();
        results::Measured measured = live_run_.measure(request, &live_cancel_);
        lock.lock();
        events_.emplace_back(MeasuredArrived{.ticket = ticket, .measured = std::move(measured)});
      } else if (code_) {
        const auto [ticket, request] = *std::exchange(code_, std::nullopt);
        lock.unlock();
        results::Measured code = engine::machine_code(request);
        lock.lock();
        events_.emplace_back(MeasuredArrived{.ticket = ticket, .measured = std::move(code)});
      } else if (contents_) {
        const auto [ticket, request] = *std::exchange(contents_, std::nullopt);
        lock.unlock();
        results::Contents contents = session_->contents(request);
        lock.lock();
        events_.emplace_back(ContentsArrived{.ticket = ticket, .contents = std::move(contents)});
      } else if (journeys_ && !moment_) {
        const auto [ticket, request] = *std::exchange(journeys_, std::nullopt);
        lock.unlock();
        results::Journeys journeys = session_->journeys(request);
        lock.lock();
        events_.emplace_back(JourneysArrived{.ticket = ticket, .journeys = std::move(journeys)});
      } else {
        const auto [ticket, request] = *std::exchange(moment_, std::nullopt);
        lock.unlock();
        results::Moment moment = session_->moment(request);
        lock.lock();
        events_.emplace_back(std::in_place_type<MomentArrived>, ticket, std::move(moment));
      }
      if (on_event) on_event();
    }
  }

  /// On any of the threads that a run has.
  void tell(RunProgress progress) {
    {
      const std::lock_guard lock(mutex_);
      events_.emplace_back(std::move(progress));
    }
    if (on_event) on_event();
  }

  struct CapsQuestion {
    std::uint64_t ticket = 0;
    engine::RunRequest request;
    std::vector<int> caps;
  };

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<std::pair<std::uint64_t, engine::RunRequest>> run_;
  std::optional<std::pair<std::uint64_t, engine::MomentRequest>> moment_;
  std::optional<std::pair<std::uint64_t, engine::MeasureRequest>> measure_;
  std::optional<std::pair<std::uint64_t, engine::RunRequest>> live_, code_;
  std::optional<std::pair<std::uint64_t, engine::ContentsRequest>> contents_;
  std::optional<std::pair<std::uint64_t, engine::JourneyRequest>> journeys_;
  std::optional<CapsQuestion> caps_;
  std::vector<BackendEvent> events_;
  std::unique_ptr<engine::Session> session_ = std::make_unique<engine::Session>();
  engine::LiveRun live_run_;
  std::atomic<bool> cancel_ = false, measure_cancel_ = false, live_cancel_ = false;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<Backend> make_thread_backend() { return std::make_unique<ThreadBackend>(); }

}  // namespace lanescope::gui
