#include "app/engine/client.h"

#include <fmt/format.h>
#include <poll.h>

#include <deque>

#include "app/engine/attachments.h"
#include "app/engine/child.h"
#include "app/engine/wire.h"
#include "app/engine/wire_compression.h"
#include "app/engine/wire_greeting.h"
#include "generated/resources.h"

namespace lanescope::engine {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int most_deaths_in_a_row = 3;

/// Each part of a measurement has the whole limit.
int parts_of(const MeasureRequest& r) {
  return 1 + int{r.timing} + int{r.counters} + int{r.instructions} + int{r.stalls} + int{r.activity} + 3 * int{r.trace};
}

}  // namespace

struct Client::State {
  ClientOptions options;
  Child child;
  wire::FrameReader frames;
  wire::Bytes outgoing;
  std::size_t sent = 0;
  wire::GreetingFinder greeting;
  std::deque<wire::Frame> waiting;  ///< not yet packed
  std::deque<Event> events;
  Ticket last_ticket = 0;
  int deaths_in_a_row = 0;
  bool greeted = false, compress = false;
  bool reached_before = false;  ///< the command has led to a worker
  Clock::time_point hello_until;

  /// A request on its way; ticket 0: none.
  struct InFlight {
    Ticket ticket = 0;
    Clock::time_point until;
  };
  InFlight run, moment, caps, measure, contents, live;
  std::optional<wire::AskContents> next_contents;
  std::optional<wire::Run> next_live;  ///< waits for no run, only for the live one before
  std::chrono::milliseconds live_limit{0};
  std::optional<wire::AskMeasure> next_measure;
  std::optional<wire::AskCaps> next_caps;       ///< waits for the run in flight and for the caps before
  bool replaying = false;                       ///< `run` repeats the last good one for a worker that was started again
  std::optional<wire::AskMoment> next_moment;   ///< waits until the one in flight is answered
  std::optional<wire::AskMoment> asked_moment;  ///< the one in flight
  bool run_repeated = false, moment_repeated = false;
  wire::Kind run_kind = wire::Kind::run;
  std::string stage;  ///< of the run in flight, as its worker said last
  std::optional<RunRequest> running_request, good_request;
  bool worker_has_run = false;  ///< this worker's session is that of good_request

  template <class Message>
  void send(wire::Kind kind, const Message& message) {
    waiting.push_back({kind, wire::encode(message)});
  }

  wire::Hello ours() const {
    return {.program = fmt::format("lanescope {}", resources::version),
            .compression = options.elsewhere ? std::string(wire::compression_name) : ""};
  }

  bool start() {
    frames = {};
    greeting = {};
    waiting.clear();
    outgoing.clear();
    sent = 0;
    greeted = worker_has_run = replaying = compress = false;
    run = moment = {};
    lose_questions();
    hello_until = Clock::now() + options.hello_limit;
    auto started = Child::start(options.command);
    if (!started) {
      events.push_back(DiedEvent{.ticket = 0, .reason = to_string(started.error().front()), .restarted = false});
      return false;
    }
    child = std::move(*started);
    return true;
  }
  /// What goes down with its worker: whoever asked may ask again.
  void lose(InFlight& asked, std::string why) {
    if (asked.ticket)
      events.push_back(RefusedEvent{.ticket = asked.ticket,
                                    .diagnostics = {{.file = {}, .message = std::move(why), .remedy = "ask again"}},
                                    .ending = Ending::cannot_here});
    asked = {};
  }
  void lose_questions() {
    lose(caps, "the worker stopped while compiling");
    lose(measure, "the worker stopped while measuring");
    lose(live, "the worker stopped while measuring");
    lose(contents, "the worker stopped");
  }
  bool ensure_child() { return child.running() || start(); }

  /// A lost connection and a crash look the same from here, so what was going on is asked for once more; what brings the
  /// worker down twice is not. A run on this machine is not repeated: there is no connection to lose.
  /// `spoke`: this worker had greeted. One that had not has seen nothing of the run, and is no second time.
  bool repeat(const std::string& how, bool spoke) {
    const bool was_run = run.ticket && !replaying;
    const bool repeated = spoke && (was_run ? run_repeated : moment_repeated);
    if (repeated || (was_run ? !options.elsewhere : !(replaying || moment.ticket))) return false;
    const Ticket ticket = run.ticket;
    if (!was_run && moment.ticket && !next_moment) next_moment = asked_moment;
    const Ticket told = was_run ? ticket : next_moment ? next_moment->ticket : 0;
    if (!start()) return true;
    if (was_run) {
      run_repeated = true;
      send(run_kind, wire::Run{.ticket = ticket, .request = *running_request});
      run = {ticket, Clock::now() + options.run_limit};
    } else {
      moment_repeated = true;
    }
    if (spoke) events.push_back(RepeatedEvent{told, fmt::format("The worker stopped: {}.", how)});
    return true;
  }

  void died(const std::string& how, bool late = false) {
    const bool ever_spoke = greeted;
    ++deaths_in_a_row;
    const bool answers = ever_spoke || reached_before;
    if (answers && !late && deaths_in_a_row < most_deaths_in_a_row && repeat(how, ever_spoke)) return;
    const Ticket during = run.ticket && !replaying ? run.ticket : moment.ticket;
    // A run that brought the worker down is not repeated for a moment's sake.
    if (replaying || (moment.ticket && !run.ticket)) good_request.reset();
    // A moment that was not sent yet has nothing to do with it: the worker that is started instead answers.
    if (run.ticket || moment.ticket) next_moment.reset();
    // A command that leads nowhere is not tried over and over: each time may ask for a password. One that led to a worker
    // before is: a network that went away comes back with a connection or two that are refused.
    const bool again = deaths_in_a_row < most_deaths_in_a_row && (answers || !options.elsewhere);
    DiedEvent event{.ticket = during, .reason = fmt::format("The worker stopped: {}.", how), .restarted = false};
    if (again)
      event.restarted = start();
    else {
      run = moment = {};
      next_moment.reset();
      lose_questions();
    }
    events.push_back(std::move(event));
  }

  void submit(wire::Kind kind, Ticket ticket, const RunRequest& request) {
    Expected<RunRequest> whole = options.elsewhere ? attach(request) : request;
    if (!whole) {
      events.push_back(RefusedEvent{.ticket = ticket, .diagnostics = std::move(whole.error())});
      return;
    }
    if (!ensure_child()) return;
    send(kind, wire::Run{.ticket = ticket, .request = *whole});
    run = {ticket, Clock::now() + options.run_limit};
    run_kind = kind;
    stage = "reading";
    replaying = run_repeated = false;
    running_request = std::move(*whole);
    next_moment.reset();
    next_caps.reset();
    next_measure.reset();
    next_contents.reset();
    moment = caps = measure = contents = {};
  }

  void ask_caps() {
    if (!next_caps || run.ticket || caps.ticket) return;
    Expected<RunRequest> whole = options.elsewhere ? attach(next_caps->request) : next_caps->request;
    if (!whole) {
      events.push_back(RefusedEvent{.ticket = next_caps->ticket, .diagnostics = std::move(whole.error())});
      return next_caps.reset();
    }
    if (!ensure_child()) return next_caps.reset();
    next_caps->request = std::move(*whole);
    send(wire::Kind::caps, *next_caps);
    caps = {next_caps->ticket, Clock::now() + options.run_limit};
    next_caps.reset();
  }

  void ask_measure() {
    if (!next_measure || run.ticket || measure.ticket) return;
    if (!worker_has_run || !child.running()) {
      measure.ticket = next_measure->ticket;
      next_measure.reset();
      return lose(measure, "there is no run to measure");
    }
    send(wire::Kind::measure, *next_measure);
    const auto limit = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::duration<double>(next_measure->request.limit_seconds * parts_of(next_measure->request)));
    // A live one that is under way goes first.
    measure = {next_measure->ticket, (live.ticket ? live.until : Clock::now()) + limit + options.answer_limit};
    next_measure.reset();
  }

  void ask_contents() {
    if (!next_contents || run.ticket || contents.ticket || caps.ticket || !child.running()) return;
    if (!worker_has_run) {
      contents.ticket = next_contents->ticket;
      next_contents.reset();
      return lose(contents, "there is no run to look at");
    }
    send(wire::Kind::contents, *next_contents);
    contents = {next_contents->ticket, Clock::now() + options.answer_limit};
    next_contents.reset();
  }

  void ask_live() {
    if (!next_live || live.ticket) return;
    const Ticket ticket = next_live->ticket;
    Expected<RunRequest> whole = options.elsewhere ? attach(next_live->request) : std::move(next_live->request);
    next_live.reset();
    if (!whole) {
      events.push_back(RefusedEvent{.ticket = ticket, .diagnostics = std::move(whole.error())});
      return;
    }
    if (!ensure_child()) return;
    const auto limit =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::duration<double>(whole->gpu_limit_seconds));
    send(wire::Kind::live, wire::Run{.ticket = ticket, .request = std::move(*whole)});
    live_limit = limit + options.run_limit;
    // A measurement that is under way goes first.
    live = {ticket, (measure.ticket ? measure.until : Clock::now()) + live_limit};
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
    asked_moment = std::move(next_moment);
    next_moment.reset();
  }

  /// Nothing is sent before the worker has spoken: a shell on the way might read it.
  void send_waiting() {
    if (!greeted) return;
    for (const wire::Frame& frame : waiting) {
      const wire::Bytes bytes = wire::pack(frame, compress);
      outgoing.insert(outgoing.end(), bytes.begin(), bytes.end());
    }
    waiting.clear();
    while (sent < outgoing.size()) {
      const auto wrote = child.write_some({outgoing.data() + sent, outgoing.size() - sent});
      if (wrote <= 0) break;  // full, or gone: then reading finds the end of the stream
      sent += static_cast<std::size_t>(wrote);
    }
    if (sent == outgoing.size()) outgoing.clear(), sent = 0;
  }

  void move_bytes() {
    send_waiting();
    wire::Bytes arrived;
    const bool open = child.read_some(arrived);
    frames.feed(greeting.feed(arrived));
    while (child.running()) {
      auto frame = frames.next();
      if (!frame) break;
      if (const std::string problem = take(*frame); !problem.empty()) {
        child.end();
        return died(problem);
      }
    }
    const std::string& broken = greeting.broken().empty() ? frames.broken() : greeting.broken();
    if (!broken.empty())
      died(fmt::format("it does not speak our language: {} ({})", broken, instead(child.end())));
    else if (!open)
      died(greeting.found() ? child.reap() : instead(child.reap()));
  }

  /// How a command ended that printed something else than a worker does.
  std::string instead(const std::string& how) const {
    const std::string noise = greeting.found() ? "" : greeting.noise();
    return noise.empty() ? how : fmt::format("{}; it printed \"{}\"", how, noise);
  }

  void check_time() {
    const auto now = Clock::now();
    if (!greeted && now > hello_until) {
      const std::string end = instead(child.end());
      return died(fmt::format("no worker answered within {:.1f} s ({})",
                              std::chrono::duration<double>(options.hello_limit).count(), end),
                  true);
    }
    if (!greeted) return;
    const bool run_late = run.ticket && now > run.until, moment_late = moment.ticket && now > moment.until;
    const bool caps_late = caps.ticket && now > caps.until, measure_late = measure.ticket && now > measure.until;
    const bool contents_late = contents.ticket && now > contents.until, live_late = live.ticket && now > live.until;
    if (!run_late && !moment_late && !caps_late && !measure_late && !contents_late && !live_late) return;
    child.end();
    if (live_late || measure_late) return died("a measurement took longer than it may, and the worker was ended", true);
    const auto limit = run_late || caps_late ? options.run_limit : options.answer_limit;
    const std::string what = run_late && !stage.empty() ? fmt::format(" while {}", stage) : "";
    died(
        fmt::format("it took longer than {:.1f} s and was ended{}", std::chrono::duration<double>(limit).count(), what),
        true);
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
          moment_repeated = false;
          deaths_in_a_row = 0;
          events.push_back(MomentEvent{m.ticket, std::move(m.moment)});
        });
      case wire::Kind::annotation:
        return with<wire::AnnotationReply>(frame, [this](wire::AnnotationReply& m) {
          if (m.ticket != run.ticket) return;
          run = {};
          deaths_in_a_row = 0;
          events.push_back(AnnotationEvent{m.ticket, std::move(m.annotation)});
        });
      case wire::Kind::result:
        return with<wire::ResultReply>(frame, [this](wire::ResultReply& m) {
          if (!finish_run(m.ticket, m.result.summary.ok)) return;
          events.push_back(ResultEvent{m.ticket, std::move(m.result)});
        });
      case wire::Kind::caps_are:
        return with<wire::CapsReply>(frame, [this](wire::CapsReply& m) {
          if (m.ticket != caps.ticket) return;
          caps = {};
          deaths_in_a_row = 0;
          events.push_back(CapsEvent{m.ticket, std::move(m.rows)});
        });
      case wire::Kind::measured_is:
        return with<wire::MeasuredReply>(frame, [this](wire::MeasuredReply& m) {
          if (m.ticket != measure.ticket && m.ticket != live.ticket) return;
          (m.ticket == live.ticket ? live : measure) = {};
          deaths_in_a_row = 0;
          events.push_back(MeasuredEvent{m.ticket, std::move(m.measured)});
        });
      case wire::Kind::contents_are:
        return with<wire::ContentsReply>(frame, [this](wire::ContentsReply& m) {
          if (m.ticket != contents.ticket) return;
          contents = {};
          deaths_in_a_row = 0;
          events.push_back(ContentsEvent{m.ticket, std::move(m.contents)});
        });
      case wire::Kind::progress:
        return with<wire::ProgressReply>(frame, [this](wire::ProgressReply& m) {
          if (m.ticket == run.ticket) stage = m.stage;
          if (m.ticket == run.ticket && !replaying) events.push_back(ProgressEvent{m.ticket, std::move(m.stage)});
        });
      case wire::Kind::refused:
        return with<wire::RefusedReply>(frame, [this](wire::RefusedReply& m) {
          if (m.ticket == run.ticket) run = {};
          if (m.ticket == caps.ticket) caps = {};
          if (m.ticket == measure.ticket) measure = {};
          if (m.ticket == contents.ticket) contents = {};
          if (m.ticket == live.ticket) live = {};
          events.push_back(RefusedEvent{m.ticket, std::move(m.diagnostics), m.ending});
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
    if (const std::string problem = disagreement(*hello, ours()); !problem.empty()) return problem;
    greeted = reached_before = true;
    compress = options.elsewhere && hello->compression == wire::compression_name;
    waiting.push_front({wire::Kind::hello, wire::encode(ours())});
    const auto now = Clock::now();  // waiting for a worker is not the run's time
    if (run.ticket) run.until = now + options.run_limit;
    if (moment.ticket) moment.until = now + options.answer_limit;
    if (caps.ticket) caps.until = now + options.run_limit;
    if (live.ticket) live.until = now + live_limit;
    return "";
  }

  /// True where somebody waits for the answer.
  bool finish_run(Ticket ticket, bool ok) {
    if (ticket != run.ticket) return false;
    run = {};
    if (!replaying) deaths_in_a_row = 0;
    worker_has_run = ok;
    const bool silent = replaying;
    replaying = false;
    if (silent) {
      if (!ok) good_request.reset();
      return false;
    }
    good_request.reset();
    if (ok) good_request = running_request;
    return true;
  }

  void take_summary(wire::SummaryReply& m) {
    if (finish_run(m.ticket, m.summary.ok))
      events.push_back(SummaryEvent{m.ticket, std::move(m.summary), std::move(m.gpus)});
  }

  std::optional<Event> pop() {
    if (events.empty()) return std::nullopt;
    Event event = std::move(events.front());
    events.pop_front();
    return event;
  }
};

ClientOptions via_options(const std::string& command) {
  ClientOptions options;
  options.command = {"/bin/sh", "-c", command};
  options.elsewhere = true;
  return options;
}

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

Ticket Client::submit_whole(const RunRequest& request) {
  const Ticket ticket = ++state_->last_ticket;
  state_->submit(wire::Kind::run_whole, ticket, request);
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
  state_->moment_repeated = false;
  return ticket;
}

Ticket Client::request_caps(const RunRequest& request, std::vector<int> caps) {
  const Ticket ticket = ++state_->last_ticket;
  state_->next_caps = wire::AskCaps{.ticket = ticket, .request = request, .caps = std::move(caps)};
  return ticket;
}

Ticket Client::request_measure(const MeasureRequest& request) {
  const Ticket ticket = ++state_->last_ticket;
  state_->next_measure = wire::AskMeasure{.ticket = ticket, .request = request};
  return ticket;
}

Ticket Client::request_contents(const ContentsRequest& request) {
  const Ticket ticket = ++state_->last_ticket;
  state_->next_contents = wire::AskContents{.ticket = ticket, .request = request};
  return ticket;
}

Ticket Client::request_live(const RunRequest& request) {
  const Ticket ticket = ++state_->last_ticket;
  state_->next_live = wire::Run{.ticket = ticket, .request = request};
  return ticket;
}

void Client::cancel(Ticket ticket) {
  State& s = *state_;
  if (s.next_live && s.next_live->ticket == ticket) s.next_live.reset();
  if (s.next_contents && s.next_contents->ticket == ticket) s.next_contents.reset();
  if (s.measure.ticket == ticket && ticket != 0) {
    s.measure = {};
    if (s.child.running()) s.send(wire::Kind::cancel, wire::Ticket{ticket});
  }
  if (s.next_measure && s.next_measure->ticket == ticket) s.next_measure.reset();
  if (s.next_caps && s.next_caps->ticket == ticket) s.next_caps.reset();
  if (s.next_moment && s.next_moment->ticket == ticket) s.next_moment.reset();
  if (s.run.ticket == ticket && s.child.running()) s.send(wire::Kind::cancel, wire::Ticket{ticket});
}

std::optional<Event> Client::poll() {
  State& s = *state_;
  if (s.child.running()) s.move_bytes();
  if (s.child.running()) s.check_time();
  s.ask_moment();
  s.ask_caps();
  s.ask_measure();
  s.ask_contents();
  s.ask_live();
  if (s.child.running()) s.send_waiting();  // not only when somebody looks again
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

bool Client::busy() const {
  const State& s = *state_;
  return s.run.ticket || s.moment.ticket || s.next_moment || s.caps.ticket || s.next_caps || s.measure.ticket ||
         s.next_measure || s.contents.ticket || s.next_contents || s.live.ticket || s.next_live;
}
bool Client::greeted() const { return state_->greeted; }
int Client::worker_pid() const { return state_->child.running() ? static_cast<int>(state_->child.pid()) : -1; }

}  // namespace lanescope::engine
