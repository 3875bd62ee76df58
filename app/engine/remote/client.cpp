#include "app/engine/remote/client.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <utility>

#include "app/engine/remote/attachments.h"
#include "app/engine/wire/compression.h"
#include "app/engine/wire/greeting.h"
#include "app/engine/wire/messages.h"
#include "generated/resources.h"
#include "kernels/base/process.h"

namespace lanescope::engine {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int most_deaths_in_a_row = 3;

using wire::Question;

using Milliseconds = std::chrono::milliseconds;

Milliseconds milliseconds_of(double seconds) {
  return std::chrono::duration_cast<Milliseconds>(std::chrono::duration<double>(seconds));
}

/// Each part of a measurement has the whole limit.
int parts_of(const MeasureRequest& r) {
  return 1 + int{r.timing} + int{r.counters} + int{r.instructions} + int{r.stalls} + int{r.activity} + 3 * int{r.trace};
}

/// How long each question may take, once it is sent and nothing is before it.
Milliseconds limit_of(const ClientOptions& options, Question question, const RunRequest& request) {
  if (question != Question::live) return options.run_limit;
  return milliseconds_of(request.gpu_limit_seconds) + options.run_limit;
}
Milliseconds limit_of(const ClientOptions& options, Question, const CapsRequest&) { return options.run_limit; }
Milliseconds limit_of(const ClientOptions& options, Question, const MomentRequest&) { return options.answer_limit; }
Milliseconds limit_of(const ClientOptions& options, Question, const ContentsRequest&) { return options.answer_limit; }
Milliseconds limit_of(const ClientOptions& options, Question, const JourneyRequest&) { return options.answer_limit; }
Milliseconds limit_of(const ClientOptions& options, Question, const MeasureRequest& request) {
  return milliseconds_of(request.limit_seconds * parts_of(request)) + options.answer_limit;
}

/// The files that a kernel refers to, where the request has a kernel.
Expected<RunRequest> with_files(RunRequest request) { return attach(std::move(request)); }
Expected<CapsRequest> with_files(CapsRequest request) {
  auto run = attach(std::move(request.run));
  if (!run) return tl::unexpected(std::move(run.error()));
  request.run = std::move(*run);
  return request;
}
template <class Request>
Expected<Request> with_files(Request request) {
  return request;
}

}  // namespace

struct Client::State {
  /// A question of one kind that waits to be sent.
  struct Waiting {
    Ticket ticket = 0;
    Milliseconds limit{};
    std::function<Expected<wire::Bytes>()> encode;  ///< with the files that it needs; error: they cannot be attached
  };
  /// One that was sent; ticket 0: none.
  struct Sent {
    Ticket ticket = 0;
    Clock::time_point until;
    Milliseconds limit{};
  };
  struct Slot {
    std::optional<Waiting> next;
    Sent sent;
    std::optional<Waiting> asked;  ///< what was sent last, where the question is repeated for another worker
    bool repeated = false;
  };

  ClientOptions options;
  Process child;
  wire::FrameReader frames;
  wire::Bytes outgoing;
  std::size_t written = 0;
  wire::GreetingFinder greeting;
  std::deque<wire::Frame> waiting;  ///< not yet packed
  std::deque<Event> events;
  Ticket last_ticket = 0;
  int deaths_in_a_row = 0;
  bool greeted = false, compress = false;
  bool reached_before = false;  ///< the command has led to a worker
  Clock::time_point hello_until;

  std::array<Slot, wire::question_count> slots;  ///< by question; runs are in `run`
  Sent run;
  Question run_question = Question::run;
  bool replaying = false;  ///< `run` repeats the last good one for a worker that was started again
  bool run_repeated = false;
  std::string stage;  ///< of the run in flight, as its worker said last
  std::optional<RunRequest> running_request, good_request;
  bool worker_has_run = false;  ///< this worker's session is that of good_request

  Slot& slot(Question q) { return slots[static_cast<std::size_t>(q)]; }
  Slot& moment() { return slot(Question::moment); }

  /// Questions that are no runs, each with its rules and slot.
  template <class Do>
  void each_question(Do act) {
    for (std::size_t i = 0; i < slots.size(); ++i)
      if (!wire::rules[i].is_run) act(static_cast<Question>(i), wire::rules[i], slots[i]);
  }

  void send(wire::Kind kind, Ticket ticket, wire::Bytes payload) {
    waiting.push_back({.kind = kind, .ticket = ticket, .payload = std::move(payload)});
  }
  void refuse(Ticket ticket, std::string_view why, std::string remedy) {
    events.push_back(
        RefusedEvent{.ticket = ticket,
                     .diagnostics = {{.file = {}, .message = std::string(why), .remedy = std::move(remedy)}},
                     .ending = Ending::cannot_here});
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
    written = 0;
    greeted = worker_has_run = replaying = compress = false;
    run = {};
    lose_questions();
    hello_until = Clock::now() + options.hello_limit;
    auto started = Process::start(options.command, Process::StandardError::kept);
    if (!started) {
      events.push_back(DiedEvent{.ticket = 0, .reason = to_string(started.error().front()), .restarted = false});
      return false;
    }
    child = std::move(*started);
    return true;
  }
  /// What goes down with its worker: whoever asked may ask again.
  void lose_questions() {
    each_question([this](Question, const wire::Rules& rules, Slot& slot) {
      if (slot.sent.ticket && !rules.repeated) refuse(slot.sent.ticket, rules.lost, "ask again");
      slot.sent = {};
    });
  }
  bool ensure_child() { return child.running() || start(); }

  void send_run(Question question, Ticket ticket, const RunRequest& request) {
    send(wire::kind_of_question(question), ticket, wire::encode(request));
    run = {ticket, Clock::now() + options.run_limit, options.run_limit};
  }

  /// A lost connection and a crash look the same from here, so what was going on is requested once more; what brings the
  /// worker down twice is not. A run on this machine is not repeated: there is no connection to lose.
  /// `spoke`: this worker had greeted. One that had not has seen nothing of the run, and is no second time.
  bool repeat(const std::string& how, bool spoke) {
    const bool was_run = run.ticket && !replaying;
    const bool repeated = spoke && (was_run ? run_repeated : moment().repeated);
    if (repeated || (was_run ? !options.elsewhere : !(replaying || moment().sent.ticket))) return false;
    const Ticket ticket = run.ticket;
    if (!was_run && moment().sent.ticket && !moment().next) moment().next = moment().asked;
    const Ticket told = was_run ? ticket : moment().next ? moment().next->ticket : 0;
    if (!start()) return true;
    if (was_run) {
      run_repeated = true;
      send_run(run_question, ticket, *running_request);
    } else {
      moment().repeated = true;
    }
    if (spoke) events.push_back(RepeatedEvent{told, fmt::format("The worker stopped: {}.", how)});
    return true;
  }

  void died(const std::string& how, bool late = false) {
    const bool ever_spoke = greeted;
    ++deaths_in_a_row;
    const bool answers = ever_spoke || reached_before;
    if (answers && !late && deaths_in_a_row < most_deaths_in_a_row && repeat(how, ever_spoke)) return;
    const Ticket in_moment = moment().sent.ticket;
    const Ticket during = run.ticket && !replaying ? run.ticket : in_moment;
    // A run that brought the worker down is not repeated for a moment's sake.
    if (replaying || (in_moment && !run.ticket)) good_request.reset();
    // A moment that was not sent yet has nothing to do with it: the worker that is started instead answers.
    if (run.ticket || in_moment) moment().next.reset();
    // A command that leads nowhere is not tried over and over: each time may ask for a password. One that led to a worker
    // before is: a network that went away comes back with a connection or two that are refused.
    const bool again = deaths_in_a_row < most_deaths_in_a_row && (answers || !options.elsewhere);
    DiedEvent event{.ticket = during, .reason = fmt::format("The worker stopped: {}.", how), .restarted = false};
    if (again)
      event.restarted = start();
    else {
      run = {};
      lose_questions();
      moment().next.reset();
    }
    events.push_back(std::move(event));
  }

  Ticket submit(Question question, const RunRequest& request) {
    const Ticket ticket = ++last_ticket;
    Expected<RunRequest> whole = options.elsewhere ? attach(request) : request;
    if (!whole) {
      events.push_back(RefusedEvent{.ticket = ticket, .diagnostics = std::move(whole.error())});
      return ticket;
    }
    if (!ensure_child()) return ticket;
    send_run(question, ticket, *whole);
    run_question = question;
    stage = "reading";
    replaying = run_repeated = false;
    running_request = std::move(*whole);
    each_question([](Question, const wire::Rules& rules, Slot& slot) {
      if (rules.dropped_by_run) slot.next.reset(), slot.sent = {};
    });
    return ticket;
  }

  /// Takes the place of one of its kind that waits.
  template <class Request>
  Ticket request(Question question, Request request) {
    const Ticket ticket = ++last_ticket;
    const Milliseconds limit = limit_of(options, question, request);
    slot(question).repeated = false;
    slot(question).next =
        Waiting{ticket, limit, [elsewhere = options.elsewhere, asked = std::move(request)]() -> Expected<wire::Bytes> {
                  if (!elsewhere) return wire::encode(asked);
                  const auto whole = with_files(asked);
                  if (!whole) return tl::unexpected(whole.error());
                  return wire::encode(*whole);
                }};
    return ticket;
  }

  /// Whether nothing is in flight that is answered first.
  bool may_send(const wire::Rules& rules, const Slot& slot) {
    if (!slot.next || slot.sent.ticket) return false;
    if (rules.dropped_by_run && run.ticket) return false;
    return !(rules.waits_for_caps && this->slot(Question::caps).sent.ticket);
  }

  void send_questions() {
    each_question([this](Question question, const wire::Rules& rules, Slot& slot) {
      if (!may_send(rules, slot)) return;
      if (rules.needs_run && !(worker_has_run && child.running())) {
        if (rules.repeated && good_request) return replay(slot);
        refuse(slot.next->ticket, rules.no_run, "run the kernel first");
        return slot.next.reset();
      }
      auto bytes = slot.next->encode();
      if (!bytes) events.push_back(RefusedEvent{.ticket = slot.next->ticket, .diagnostics = std::move(bytes.error())});
      if (!bytes || !ensure_child()) return slot.next.reset();
      send(wire::kind_of_question(question), slot.next->ticket, std::move(*bytes));
      slot.sent = {slot.next->ticket, begin_of(rules) + slot.next->limit, slot.next->limit};
      slot.asked = std::move(slot.next);
      slot.next.reset();
      if (!rules.repeated) slot.asked.reset();
    });
  }
  void replay(Slot& slot) {
    if (!ensure_child()) return slot.next.reset();
    send_run(Question::run, ++last_ticket, *good_request);
    replaying = true;
  }
  /// Of those that are answered one at a time beside the runs, one that is under way goes first.
  Clock::time_point begin_of(const wire::Rules& rules) {
    auto begin = Clock::now();
    each_question([&](Question, const wire::Rules& other, const Slot& slot) {
      if (rules.beside && other.beside && slot.sent.ticket) begin = std::max(begin, slot.sent.until);
    });
    return begin;
  }

  /// Nothing is sent before the worker has spoken: a shell on the way might read it.
  void send_waiting() {
    if (!greeted) return;
    for (const wire::Frame& frame : waiting) {
      const wire::Bytes bytes = wire::pack(frame, compress);
      outgoing.insert(outgoing.end(), bytes.begin(), bytes.end());
    }
    waiting.clear();
    while (written < outgoing.size()) {
      const auto wrote = child.write_some({outgoing.data() + written, outgoing.size() - written});
      if (wrote <= 0) break;  // full, or gone: then reading finds the end of the stream
      written += static_cast<std::size_t>(wrote);
    }
    if (written == outgoing.size()) outgoing.clear(), written = 0;
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
      died(fmt::format("it does not use the protocol of lanescope: {} ({})", broken, instead(child.end())));
    else if (!open)
      died(instead(child.reap()));
  }

  /// How a command ended that printed something else than a worker does.
  std::string instead(const std::string& ending) const {
    const std::string noise = greeting.found() ? "" : greeting.noise();
    return noise.empty() ? "it " + ending : fmt::format("it {}; it printed \"{}\"", ending, noise);
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
    const auto is_late = [&](const Sent& sent) { return sent.ticket && now > sent.until; };
    bool measuring = false;
    std::optional<Milliseconds> limit;
    if (is_late(run)) limit = run.limit;
    each_question([&](Question, const wire::Rules& rules, const Slot& slot) {
      if (!is_late(slot.sent)) return;
      measuring = measuring || rules.beside;
      if (!limit) limit = slot.sent.limit;
    });
    if (!limit) return;
    const std::string what = is_late(run) && !stage.empty() ? fmt::format(" while {}", stage) : "";
    child.end();
    if (measuring) return died("timeout of a measurement: the worker was stopped", true);
    died(fmt::format("timeout: it was stopped after {:.1f} s{}", std::chrono::duration<double>(*limit).count(), what),
         true);
  }

  /// Empty, or why the worker cannot be used any more.
  std::string take(const wire::Frame& frame) {
    if (frame.kind == wire::Kind::hello) return take_hello(frame);
    if (!greeted) return "its first message is not its version";
    if (const auto question = wire::answer_in(frame.kind))
      return wire::dispatch(*question, [&](auto q) {
        return with<typename wire::Types<q()>::Answer>(frame,
                                                       [&](auto& value) { take_answer(q, frame.ticket, value); });
      });
    if (frame.kind == wire::Kind::progress)
      return with<wire::Progress>(frame, [&](wire::Progress& m) {
        if (frame.ticket == run.ticket) stage = m.stage;
        if (frame.ticket == run.ticket && !replaying)
          events.push_back(ProgressEvent{frame.ticket, std::move(m.stage), m.ran});
      });
    if (frame.kind == wire::Kind::refused)
      return with<wire::Refusal>(frame, [&](wire::Refusal& m) {
        if (frame.ticket == run.ticket) run = {};
        each_question([&](Question, const wire::Rules&, Slot& slot) {
          if (frame.ticket == slot.sent.ticket) slot.sent = {};
        });
        events.push_back(RefusedEvent{frame.ticket, std::move(m.diagnostics), m.ending});
      });
    return "it sent a message that only a window sends";
  }

  template <class Message, class Do>
  std::string with(const wire::Frame& frame, Do act) {
    auto message = wire::decode<Message>(frame.payload);
    if (!message) return to_string(message.error().front());
    act(*message);
    return "";
  }

  template <Question q, class Value>
  void take_answer(wire::Constant<q>, Ticket ticket, Value& value) {
    if constexpr (wire::rules_of(q).is_run) {
      if (!finish_run(ticket, value)) return;
    } else {
      if (ticket != slot(q).sent.ticket) return;
      slot(q).sent = {};
      slot(q).repeated = false;
      deaths_in_a_row = 0;
    }
    events.push_back(Answered<Value>{ticket, std::move(value)});
  }

  std::string take_hello(const wire::Frame& frame) {
    const auto hello = wire::decode<wire::Hello>(frame.payload);
    if (!hello) return to_string(hello.error().front());
    if (std::string problem = disagreement(*hello, ours()); !problem.empty()) return problem;
    greeted = reached_before = true;
    compress = options.elsewhere && hello->compression == wire::compression_name;
    waiting.push_front({.kind = wire::Kind::hello, .ticket = 0, .payload = wire::encode(ours())});
    const auto now = Clock::now();  // waiting for a worker is not the question's time
    if (run.ticket) run.until = now + run.limit;
    each_question([&](Question, const wire::Rules&, Slot& slot) {
      if (slot.sent.ticket) slot.sent.until = now + slot.sent.limit;
    });
    return "";
  }

  // True where somebody waits for the answer.

  bool finish_run(Ticket ticket, const AnnotatedText&) {
    if (ticket != run.ticket) return false;
    run = {};
    deaths_in_a_row = 0;
    return true;
  }
  bool finish_run(Ticket ticket, const wire::RunSummary& answer) { return finish_run(ticket, answer.summary.ok); }
  bool finish_run(Ticket ticket, const RunResult& answer) { return finish_run(ticket, answer.summary.ok); }
  bool finish_run(Ticket ticket, bool ok) {
    if (ticket != run.ticket) return false;
    run = {};
    if (!replaying) deaths_in_a_row = 0;
    worker_has_run = ok;
    if (std::exchange(replaying, false)) {
      if (!ok) good_request.reset();
      return false;
    }
    good_request.reset();
    if (ok) good_request = running_request;
    return true;
  }

  void cancel(Ticket ticket) {
    if (ticket == 0) return;
    const auto tell = [&] {
      if (child.running()) send(wire::Kind::cancel, ticket, {});
    };
    if (run.ticket == ticket) tell();
    each_question([&](Question, const wire::Rules& rules, Slot& slot) {
      if (slot.next && slot.next->ticket == ticket) slot.next.reset();
      if (!rules.cancelled_there || slot.sent.ticket != ticket) return;
      slot.sent = {};
      tell();
    });
  }

  bool busy() {
    bool any = run.ticket != 0;
    each_question(
        [&](Question, const wire::Rules&, const Slot& slot) { any = any || slot.next || slot.sent.ticket != 0; });
    return any;
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
  // Without it Slurm's srun keeps what a worker says until the end of a line, which frames do not have: no worker would ever
  // be heard (seen with 22.05). The same as its option --unbuffered.
  options.command = {"/usr/bin/env", "SLURM_UNBUFFEREDIO=1", "/bin/sh", "-c", command};
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

Ticket Client::submit(const RunRequest& request) { return state_->submit(Question::run, request); }
Ticket Client::submit_whole(const RunRequest& request) { return state_->submit(Question::run_whole, request); }
Ticket Client::annotate(const RunRequest& request) {
  const Ticket ticket = state_->submit(Question::annotate, request);
  state_->worker_has_run = false;  // its session is another run's now
  return ticket;
}

Ticket Client::request_moment(const MomentRequest& request) { return state_->request(Question::moment, request); }
Ticket Client::request_caps(const RunRequest& request, std::vector<int> caps) {
  return state_->request(Question::caps, CapsRequest{.run = request, .caps = std::move(caps)});
}
Ticket Client::request_measure(const MeasureRequest& request) { return state_->request(Question::measure, request); }
Ticket Client::request_contents(const ContentsRequest& request) { return state_->request(Question::contents, request); }
Ticket Client::request_machine_code(const RunRequest& request) {
  return state_->request(Question::machine_code, request);
}
Ticket Client::request_journeys(const JourneyRequest& request) { return state_->request(Question::journey, request); }
Ticket Client::request_live(const RunRequest& request) { return state_->request(Question::live, request); }

void Client::cancel(Ticket ticket) { state_->cancel(ticket); }

std::optional<Event> Client::poll() {
  State& s = *state_;
  if (s.child.running()) s.move_bytes();
  if (s.child.running()) s.check_time();
  s.send_questions();
  if (s.child.running()) s.send_waiting();  // not only when somebody looks again
  return s.pop();
}

std::optional<Event> Client::wait(std::chrono::milliseconds most) {
  const auto until = Clock::now() + most;
  for (;;) {
    if (auto event = poll()) return event;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
    if (left.count() <= 0) return std::nullopt;
    pollfd fd{.fd = state_->child.output_fd(), .events = POLLIN, .revents = 0};
    ::poll(&fd, fd.fd >= 0 ? 1 : 0, static_cast<int>(std::min<std::int64_t>(left.count(), 20)));
  }
}

bool Client::busy() const { return state_->busy(); }
bool Client::greeted() const { return state_->greeted; }
int Client::worker_pid() const { return state_->child.running() ? static_cast<int>(state_->child.pid()) : -1; }

}  // namespace lanescope::engine
