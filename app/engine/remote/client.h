#pragma once
// The end of the pipe to a worker. A crash of the worker is only an event here: a worker that crashes, exceeds its time
// or breaks the protocol is ended and started again.

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "app/engine/remote/channel.h"

namespace lanescope::engine {

struct ClientOptions {
  /// Words of the command; empty: this program with the argument `worker`.
  std::vector<std::string> command;
  std::chrono::milliseconds run_limit{60'000};     ///< for a run, compile included
  std::chrono::milliseconds answer_limit{20'000};  ///< for a moment or contents
  std::chrono::milliseconds hello_limit{20'000};   ///< for the worker's first word
  /// The command starts a worker on another machine: files that a kernel refers to are sent with it, frames are
  /// compressed, and a run whose worker was lost is requested once more.
  bool elsewhere = false;
};
/// For `--via COMMAND`: a command of the user's shell that starts a worker somewhere; empty: a worker of this program.
ClientOptions via_options(const std::string& command);

class Client final : public Channel {
 public:
  explicit Client(ClientOptions options = {});
  ~Client() override;

  void deliver(Ticket ticket, AnyQuestion question) override;
  void cancel(Ticket ticket) override;
  std::optional<Event> poll() override;
  std::optional<Event> wait(std::chrono::milliseconds most) override;
  bool busy() const override;
  bool reached() const override;
  int worker_pid() const;  ///< -1: none

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lanescope::engine
