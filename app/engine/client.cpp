#include "app/engine/client.h"

#include <fmt/format.h>
#include <poll.h>

#include <deque>

#include "app/engine/child.h"
#include "app/engine/wire.h"

namespace lanescope::engine {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int most_deaths_in_a_row = 3;

}  // namespace

struct Client::State {
  ClientOptions options;
  Child child;
  wire::FrameReader frames;
  wire::Bytes outgoing;
  std::size_t sent = 0;
  std::deque<Event> events;
  Ticket last_ticket = 0;
  int deaths_in_a_row = 0;
  bool greeted = false;

  /// A request on its way; ticket 0: none.
  struct InFlight {
    Ticket ticket = 0;
    Clock::time_point until;
  };
  InFlight run, moment;
  bool replaying = false;                      ///< `run` repeats the last good one for a worker that was started again
  std::optional<wire::AskMoment> next_moment;  ///< waits until the one in flight is answered
  std::optional<RunRequest> running_request, good_request;
  bool worker_has_run = false;  ///< this worker's session is that of good_request

  template <class Message>
  void send(wire::Kind kind, const Message& message) {
    const wire::Bytes bytes = wire::pack({kind, wire::encode(message)});
    outgoing.insert(outgoing.end(), bytes.begin(), bytes.end());
  }

  bool start() {
    frames = {};
    outgoing.clear();
    sent = 0;
    greeted = worker_has_run = replaying = false;
    run = moment = {};
    auto started = Child::start(options.command);
    if (!started) {
      events.push_back(DiedEvent{.ticket = 0, .reason = to_string(started.error().front()), .restarted = false});
      return false;
    }
    child = std::move(*started);
    return true;
  }
  bool ensure_child() { return child.running() || start(); }

  void died(const std::string& how) {
    const Ticket during = run.ticket && !replaying ? run.ticket : moment.ticket;
    // A run that brought the worker down is not repeated for a moment's sake.
    if (replaying || (moment.ticket && !run.ticket)) good_request.reset();
    next_moment.reset();
    const bool again = ++deaths_in_a_row < most_deaths_in_a_row;
    DiedEvent event{.ticket = during, .reason = fmt::format("The worker stopped: {}.", how), .restarted = false};
    if (again)
      event.restarted = start();
    else
      run = moment = {};
    events.push_back(std::move(event));
  }

  void submit(wire::Kind kind, Ticket ticket, const RunRequest& request) {
    if (!ensure_child()) return;
    send(kind, wire::Run{.ticket = ticket, .request = request});
    run = {ticket, Clock::now() + options.run_limit};
    replaying = false;
    running_request = request;
    next_moment.reset();
    moment = {};
  }

  void ask_moment() {
    if (!next_moment || run.ticket || moment.ticket) return;
    if (!worker_has_run) {
      if (!good_request) {
        events.push_back(RefusedEvent{
            .ticket = next_moment->ticket,
            .diagnostics = {{.file = {}, .message = "there is no run to look at", .remedy = "run the kernel first"}}});
        next_moment.reset();
        return;
      }
      if (!ensure_child()) return next_moment.reset();
      const Ticket ticket = ++last_ticket;
      send(wire::Kind::run, wire::Run{.ticket = ticket, .request = *good_request});
      run = {ticket, Clock::now() + options.run_limit};
      replaying = true;
      return;
    }
    send(wire::Kind::moment, *next_moment);
    moment = {next_moment->ticket, Clock::now() + options.answer_limit};
    next_moment.reset();
  }

  void move_bytes() {
    while (sent < outgoing.size()) {
      const auto wrote = child.write_some({outgoing.data() + sent, outgoing.size() - sent});
      if (wrote <= 0) break;  // full, or gone: then reading finds the end of the stream
      sent += static_cast<std::size_t>(wrote);
    }
    if (sent == outgoing.size()) outgoing.clear(), sent = 0;
    wire::Bytes arrived;
    const bool open = child.read_some(arrived);
    frames.feed(arrived);
    while (child.running()) {
      auto frame = frames.next();
      if (!frame) break;
      if (const std::string problem = take(*frame); !problem.empty()) {
        child.end();
        return died(problem);
      }
    }
    if (!frames.broken().empty()) {
      child.end();
      died("it does not speak our language: " + frames.broken());
    } else if (!open) {
      died(child.reap());
    }
  }

  void check_time() {
    const auto now = Clock::now();
    const bool run_late = run.ticket && now > run.until, moment_late = moment.ticket && now > moment.until;
    if (!run_late && !moment_late) return;
    child.end();
    const auto limit = run_late ? options.run_limit : options.answer_limit;
    died(fmt::format("it took longer than {:.1f} s and was ended", std::chrono::duration<double>(limit).count()));
  }

  /// Empty, or why the worker cannot be used any more.
  std::string take(const wire::Frame& frame) {
    switch (frame.kind) {
      case wire::Kind::hello:
        return take_hello(frame);
      case wire::Kind::summary:
        return with<wire::SummaryReply>(frame, [this](wire::SummaryReply& m) { take_summary(m); });
      case wire::Kind::moment_is:
        return with<wire::MomentReply>(frame, [this](wire::MomentReply& m) {
          if (m.ticket != moment.ticket) return;
          moment = {};
          deaths_in_a_row = 0;
          events.push_back(MomentEvent{m.ticket, std::move(m.moment)});
        });
      case wire::Kind::annotation:
        return with<wire::AnnotationReply>(frame, [this](wire::AnnotationReply& m) {
          if (m.ticket != run.ticket) return;
          run = {};
          events.push_back(AnnotationEvent{m.ticket, std::move(m.annotation)});
        });
      case wire::Kind::progress:
        return with<wire::ProgressReply>(frame, [this](wire::ProgressReply& m) {
          if (m.ticket == run.ticket && !replaying) events.push_back(ProgressEvent{m.ticket, std::move(m.stage)});
        });
      case wire::Kind::refused:
        return with<wire::RefusedReply>(frame, [this](wire::RefusedReply& m) {
          if (m.ticket == run.ticket) run = {};
          events.push_back(RefusedEvent{m.ticket, std::move(m.diagnostics)});
        });
      default:
        return "it sent a frame that only a window sends";
    }
  }

  template <class Message, class Do>
  std::string with(const wire::Frame& frame, Do act) {
    if (!greeted) return "its first word is not its version";
    auto message = wire::decode<Message>(frame.payload);
    if (!message) return to_string(message.error().front());
    act(*message);
    return "";
  }

  std::string take_hello(const wire::Frame& frame) {
    const auto hello = wire::decode<wire::Hello>(frame.payload);
    if (!hello) return to_string(hello.error().front());
    if (hello->version != wire::version)
      return fmt::format("{} speaks version {} of the protocol and this window version {}", hello->program,
                         hello->version, wire::version);
    greeted = true;
    return "";
  }

  void take_summary(wire::SummaryReply& m) {
    if (m.ticket != run.ticket) return;
    run = {};
    deaths_in_a_row = 0;
    worker_has_run = m.summary.ok;
    if (replaying) {
      replaying = false;
      if (!worker_has_run) good_request.reset();
      return;
    }
    good_request.reset();
    if (m.summary.ok) good_request = running_request;
    events.push_back(SummaryEvent{m.ticket, std::move(m.summary)});
  }

  std::optional<Event> pop() {
    if (events.empty()) return std::nullopt;
    Event event = std::move(events.front());
    events.pop_front();
    return event;
  }
};

Client::Client(ClientOptions options) : state_(std::make_unique<State>()) {
  if (options.command.empty()) options.command = {"/proc/self/exe", "worker"};
  state_->options = std::move(options);
  state_->start();
}
Client::~Client() = default;
Client::Client(Client&&) noexcept = default;
Client& Client::operator=(Client&&) noexcept = default;

Ticket Client::submit(const RunRequest& request) {
  const Ticket ticket = ++state_->last_ticket;
  state_->submit(wire::Kind::run, ticket, request);
  return ticket;
}

Ticket Client::annotate(const RunRequest& request) {
  const Ticket ticket = ++state_->last_ticket;
  state_->submit(wire::Kind::annotate, ticket, request);
  state_->worker_has_run = false;  // its session is another run's now
  return ticket;
}

Ticket Client::request_moment(const MomentRequest& request) {
  const Ticket ticket = ++state_->last_ticket;
  state_->next_moment = wire::AskMoment{.ticket = ticket, .request = request};
  return ticket;
}

void Client::cancel(Ticket ticket) {
  State& s = *state_;
  if (s.next_moment && s.next_moment->ticket == ticket) s.next_moment.reset();
  if (s.run.ticket == ticket && s.child.running()) s.send(wire::Kind::cancel, wire::Ticket{ticket});
}

std::optional<Event> Client::poll() {
  State& s = *state_;
  if (s.child.running()) s.move_bytes();
  if (s.child.running()) s.check_time();
  s.ask_moment();
  return s.pop();
}

std::optional<Event> Client::wait(std::chrono::milliseconds most) {
  const auto until = Clock::now() + most;
  for (;;) {
    if (auto event = poll()) return event;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
    if (left.count() <= 0) return std::nullopt;
    pollfd fd{.fd = state_->child.out_fd(), .events = POLLIN, .revents = 0};
    ::poll(&fd, fd.fd >= 0 ? 1 : 0, static_cast<int>(std::min<std::int64_t>(left.count(), 20)));
  }
}

bool Client::busy() const { return state_->run.ticket || state_->moment.ticket || state_->next_moment; }
int Client::worker_pid() const { return state_->child.running() ? static_cast<int>(state_->child.pid()) : -1; }

}  // namespace lanescope::engine
