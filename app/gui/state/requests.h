#pragma once
// Requests to the engine: runs, moments, measurements, register limits, elements of buffers. Their answers are put into
// the values of the model.

#include <chrono>
#include <memory>
#include <string>

#include "app/gui/backend/backend.h"
#include "app/gui/model/model.h"

namespace lanescope::gui {

class Requests {
 public:
  Requests(std::unique_ptr<Backend> backend, Model& model) : backend_(std::move(backend)), model_(model) {}

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
  bool settled() const;  ///< nothing is running, due or under way
  /// The moment that was requested last is the one that is wanted now.
  bool asked_for_moment() const;
  /// When there is something to do without an event, in seconds of `Shell::now`; at most `latest`.
  double next_due(double now, double latest) const;

 private:
  /// `step`: of the block, to go to when it is recorded; -1: none.
  void submit(bool from_history, std::int64_t step);
  void say_recorded();
  void handle(RunFinished& finished);
  void handle(MomentArrived& arrived);
  void handle(MomentRefused& refused);
  void handle(CapsArrived& arrived);
  void handle(MeasuredArrived& arrived);
  void handle_live(MeasuredArrived& arrived);
  void handle_code(MeasuredArrived& arrived);
  void handle(ContentsArrived& arrived);
  void handle(ContentsRefused& refused);
  void handle(JourneysArrived& arrived);
  void handle(RunProgress& progress);
  void handle(EngineStopped& stopped);
  void clear_results();
  engine::MomentRequest moment_request() const;
  bool asked_for(const engine::MomentRequest& wanted) const;
  void request_moment();
  void request_earlier_access();
  void live_changed();
  void send_live();

  std::unique_ptr<Backend> backend_;
  Model& model_;
  std::uint64_t next_ticket_ = 1, run_ticket_ = 0, moment_ticket_ = 0, earlier_ticket_ = 0, limits_ticket_ = 0,
                measure_ticket_ = 0, live_ticket_ = 0, contents_ticket_ = 0, code_ticket_ = 0, journeys_ticket_ = 0;
  std::string running_text_;
  std::int64_t wanted_step_ = -1;  ///< of the block that is being recorded; -1: none
  double run_due_ = -1;            ///< when the edited text is to run; -1: not
  std::optional<engine::MomentRequest> asked_moment_;
  std::uint64_t asked_moment_run_ = 0, good_run_ = 0;  ///< tickets; of the last run that worked
  bool moment_under_way_ = false, earlier_under_way_ = false, contents_under_way_ = false, code_under_way_ = false;
  bool journeys_under_way_ = false;
  engine::JourneyRequest journeys_asked_;
  std::uint64_t journeys_asked_run_ = 0;

  struct LiveRequest {
    bool due = false;  ///< something changed since the last request
    std::chrono::steady_clock::time_point changed{}, asked_changed{};
    std::string words{};  ///< of the one under way
  };
  LiveRequest live_request_;
  struct ContentsAsked {
    std::uint64_t run = 0;
    int buffer = -2;
    std::uint64_t first = 0;
    bool operator==(const ContentsAsked&) const = default;
  };
  ContentsAsked contents_asked_;
  std::string
      code_asked_;  ///< text, architecture and what else the machine code was asked for depends on; empty: nothing
};

}  // namespace lanescope::gui
