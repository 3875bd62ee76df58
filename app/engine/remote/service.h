#pragma once
// The engine in this process, on threads of its own: one answers everything about runs in the order of the table, one
// measures beside it. A worker (worker.h) is such a service with its events written into a pipe.

#include "app/engine/remote/channel.h"

namespace lanescope::engine {

class Service final : public Channel {
 public:
  /// Must not return: the thread that answers the question is stuck.
  using Stuck = std::function<void(Ticket, Diagnostics)>;
  /// `stuck`: of requests over their time limit (time_limit.h); empty: they are waited for.
  explicit Service(Stuck stuck = {});
  ~Service() override;

  void deliver(Ticket ticket, AnyQuestion question) override;
  void cancel(Ticket ticket) override;
  std::optional<Event> poll() override;
  std::optional<Event> wait(std::chrono::milliseconds most) override;
  bool busy() const override { return false; }  // on_event reports answers

  /// Aborts the current question, with `stuck`.
  void give_up(const Diagnostic& why);
  /// Removes the files of requests, even if a run is using them: the process is about to end.
  void remove_files();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lanescope::engine
