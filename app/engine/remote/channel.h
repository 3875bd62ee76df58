#pragma once
// Questions to an engine, in this process or behind a pipe. Only wait() blocks: send() takes questions, poll() returns
// events. Each question is answered by one event with its ticket: Answered, Refusal, or Stopped; a question that a
// newer one replaced (questions.h) is not answered.

#include <chrono>
#include <functional>
#include <optional>
#include <utility>

#include "app/engine/requests/questions.h"

namespace lanescope::engine {

class Channel {
 public:
  virtual ~Channel() = default;

  /// Tickets ascend.
  template <class Question>
  Ticket send(typename Question::Request request) {
    const Ticket ticket = ++last_ticket_;
    deliver(ticket, Asked<Question>{std::move(request)});
    return ticket;
  }
  virtual void deliver(Ticket ticket, AnyQuestion question) = 0;
  /// A run is then answered as cancelled, another question is not answered. Ticket 0 and ended ones are ignored.
  virtual void cancel(Ticket ticket) = 0;
  /// The next event if there is one.
  virtual std::optional<Event> poll() = 0;
  /// poll() until there is an event or the time is over.
  virtual std::optional<Event> wait(std::chrono::milliseconds most) = 0;
  /// A question has not been answered and on_event does not report the answer: poll often.
  virtual bool busy() const = 0;
  /// False if there never was an engine at the other end.
  virtual bool reached() const { return true; }

  std::function<void()> on_event;  ///< called on any thread when poll() has something

 protected:
  Ticket last_ticket_ = 0;
};

}  // namespace lanescope::engine
