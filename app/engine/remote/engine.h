#pragma once
// One question after another, wherever they are answered: for a program that waits for its answer. The window, which
// must not wait, uses a Channel itself.

#include <functional>
#include <memory>
#include <string>

#include "app/engine/remote/client.h"
#include "app/engine/requests/time_limit.h"

namespace lanescope::engine {

/// Reports on runs, on any thread.
using Watch = std::function<void(const Progress&)>;
using Sentences = std::function<void(const std::string&)>;

class Engine {
 public:
  /// `show`: sentences about a connection that was lost and made again.
  explicit Engine(std::unique_ptr<Channel> channel, Watch watch = {}, Sentences report = {})
      : channel_(std::move(channel)), watch_(std::move(watch)), report_(std::move(report)) {}

  /// Error: the question was refused, or the engine was lost; `ending` is then set.
  template <class Question>
  Expected<typename Question::Answer> ask(typename Question::Request request, Ending* ending = nullptr) {
    Event event = wait_for(channel_->send<Question>(std::move(request)));
    if (auto* there = std::get_if<Answered<Question>>(&event.what)) return std::move(there->value);
    Refusal refusal = refusal_of(event);
    if (ending != nullptr) *ending = refusal.ending;
    return tl::unexpected(std::move(refusal.diagnostics));
  }
  /// Failures of the engine itself are in the diagnostics, too; then the ending is cannot_here.
  RunResult run(const RunRequest& request);
  /// False if there is no engine at the other end, so that another request is useless.
  bool reachable() const { return channel_->reached(); }

 private:
  Event wait_for(Ticket ticket);
  static Refusal refusal_of(Event& event);

  std::unique_ptr<Channel> channel_;
  Watch watch_;
  Sentences report_;
};

/// In this process. `overdue`: of requests over their time limit (time_limit.h).
std::unique_ptr<Engine> engine_here(Overdue overdue = {}, Watch watch = {});
std::unique_ptr<Engine> engine_behind(ClientOptions options, Sentences report = {}, Watch watch = {});

}  // namespace lanescope::engine
