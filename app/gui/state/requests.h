#pragma once
// Requests to the engine: runs, moments, measurements, register limits, elements of buffers. Their answers are put into
// the values of the model.

#include <chrono>
#include <memory>
#include <string>

#include "app/engine/remote/channel.h"
#include "app/gui/model/model.h"

namespace lanescope::gui {

class Requests {
 public:
  Requests(std::unique_ptr<engine::Channel> channel, Model& model) : channel_(std::move(channel)), model_(model) {}

  void run() { submit(false, -1); }
  /// Ends a run; the last result stays.
  void stop();
  /// The text changed: it runs by itself after a pause.
  void text_changed();
  /// Discards all results of the kernel before.
  void forget_kernel();
  /// Shows the steps of this block, from checkpoints of the last run where they reach; else it runs again.
  void record(const Recording& wanted);
  void record_block(std::uint32_t block) { record({block, -1}); }
  /// Adds an override or removes it, and runs.
  void put_override(const std::string& name, const std::optional<std::string>& value);
  void take_back_overrides();
  /// Compiles the kernel again under lower and lower register limits.
  void register_limits();
  /// Measures the last successful run on a GPU; `what` is shown while it runs: "counters".
  void measure(const engine::MeasureRequest& request, std::string what);
  void stop_measuring();
  /// The live mode, on or off (requests_live.cpp).
  void measure_live(bool on);
  /// Requests the elements that `view` names, of the last successful run, unless they were requested. Called in each
  /// frame that shows them (requests_live.cpp).
  void request_contents();

  /// Requests the machine code of the last successful run's program, unless it was requested. Called in each frame that
  /// shows it (requests_live.cpp).
  void request_machine_code();
  /// Requests the journeys of the pinned elements through the last successful run, unless they were requested.
  void request_journeys();

  /// Takes the answers that are there and puts them into the model.
  void handle_answers();
  void send_pending();
  bool settled() const;  ///< nothing is running, due or pending
  /// The last requested moment is the one that is needed now.
  bool asked_for_moment() const;
  /// When there is something to do without an event, in seconds of `Shell::now`; at most `latest`.
  double next_due(double now, double latest) const;

 private:
  /// `step`: of the block, to select when it is recorded; -1: none.
  void submit(bool from_history, std::int64_t step);
  void say_recorded();
  // Events. `ticket` is that of the question.
  void take(engine::Ticket ticket, engine::RunSummary& run);
  void take(engine::Ticket ticket, results::Moment& moment);
  void take(engine::Ticket ticket, std::vector<results::RegisterLimit>& rows);
  void take(engine::Ticket ticket, results::Measured& measured);
  void take(engine::Ticket ticket, results::Contents& contents);
  void take(engine::Ticket ticket, results::Journeys& journeys);
  void take(engine::Ticket ticket, engine::Refusal& refusal);
  void take(engine::Ticket ticket, engine::Progress& progress);
  void take(engine::Ticket ticket, engine::Repeated& repeated);
  void take(engine::Ticket ticket, engine::Stopped& stopped);
  template <class Other>
  void take(engine::Ticket, Other&) {}  // not requested here
  /// `refused`: a sentence; empty: it was measured.
  void take_live(results::Measured measured, std::string refused);
  void take_code(results::Measured code);
  /// True: `ticket` is that of the pending question, and now none is pending.
  static bool ended(engine::Ticket& under_way, engine::Ticket ticket);
  void forget_questions();
  void clear_results();
  engine::MomentRequest moment_request() const;
  bool asked_for(const engine::MomentRequest& wanted) const;
  void request_moment();
  void request_earlier_access();
  void live_changed();
  void send_live();

  std::unique_ptr<engine::Channel> channel_;
  Model& model_;
  engine::Ticket run_ticket_ = 0, good_run_ = 0;  ///< of the last run, and of the last one that worked
  /// Of the pending question; 0: none.
  engine::Ticket moment_ = 0, earlier_ = 0, limits_ = 0, measure_ = 0, live_ = 0, contents_ = 0, code_ = 0,
                 journeys_ = 0;
  std::string running_text_;
  std::int64_t wanted_step_ = -1;  ///< of the block that is being recorded; -1: none
  double run_due_ = -1;            ///< when the edited text is to run; -1: not
  std::optional<engine::MomentRequest> asked_moment_;
  engine::Ticket asked_moment_run_ = 0;
  engine::JourneyRequest journeys_asked_;
  std::uint64_t journeys_asked_run_ = 0;

  struct LiveRequest {
    bool due = false;  ///< something changed since the last request
    std::chrono::steady_clock::time_point changed{}, asked_changed{};
    std::string words{};  ///< of the pending one
  };
  LiveRequest live_request_;
  struct ContentsAsked {
    std::uint64_t run = 0;
    int buffer = -2;
    std::uint64_t first = 0;
    bool operator==(const ContentsAsked&) const = default;
  };
  ContentsAsked contents_asked_;
  std::string code_asked_;  ///< text, architecture and other inputs of the requested machine code; empty: none
};

}  // namespace lanescope::gui
