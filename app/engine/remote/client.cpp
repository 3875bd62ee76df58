#include "app/engine/remote/client.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <deque>
#include <utility>

#include "app/engine/remote/attachments.h"
#include "app/engine/wire/messages.h"
#include "generated/resources.h"
#include "kernels/base/process.h"

namespace lanescope::engine {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;
constexpr int most_deaths_in_a_row = 3;

Milliseconds milliseconds_of(double seconds) {
  return std::chrono::duration_cast<Milliseconds>(std::chrono::duration<double>(seconds));
}

/// Each part of a measurement has the whole limit.
int parts_of(const MeasureRequest& r) {
  return 1 + int{r.timing} + int{r.counters} + int{r.instructions} + int{r.stalls} + int{r.activity} + 3 * int{r.trace};
}

/// How long a question may take if nothing is before it.
Milliseconds limit_of(const ClientOptions& options, const AnyQuestion& question) {
  const Milliseconds usual = rules_of(question).compiles ? options.run_limit : options.answer_limit;
  if (const auto* m = std::get_if<Asked<ask::Measure>>(&question))
    return milliseconds_of(m->request.limit_seconds * parts_of(m->request)) + usual;
  if (const auto* live = std::get_if<Asked<ask::Live>>(&question))
    return milliseconds_of(live->request.gpu_limit_seconds) + usual;
  return usual;
}

}  // namespace

struct Client::State {
  /// A question that has not been answered.
  struct Outstanding {
    Ticket ticket = 0;
    AnyQuestion question;
    bool again = false;   ///< another worker was lost with it
    bool replay = false;  ///< the last good run once more, for a question about it: its answer is of no use
    const Rules& rules() const { return rules_of(question); }
  };

  ClientOptions options;
  Ticket* last_ticket = nullptr;
  Process child;
  wire::FrameReader frames;
  wire::GreetingFinder greeting;
  std::deque<wire::Frame> waiting;  ///< not yet packed
  wire::Bytes outgoing;
  std::size_t written = 0;
  std::deque<Event> events;
  int deaths_in_a_row = 0;
  bool greeted = false, compress = false;
  bool reached = false;  ///< the command has led to a worker
  Clock::time_point hello_until;

  std::vector<Outstanding> outstanding;  ///< in the order in which they were sent
  /// When the worker last began something, of what it answers in turn and beside: since then the oldest one takes time.
  std::array<Clock::time_point, 2> begun;
  std::string stage;  ///< of the current run, by the last message of its worker
  std::optional<RunRequest> good_request;
  bool worker_has_run = false;  ///< this worker's last good run is that of good_request

  auto find(Ticket ticket) { return std::ranges::find(outstanding, ticket, &Outstanding::ticket); }
  bool runs() const {
    return std::ranges::any_of(outstanding, [](const Outstanding& o) { return o.rules().is_run; });
  }
  bool answers(bool beside) const {
    return std::ranges::any_of(outstanding, [&](const Outstanding& o) { return o.rules().beside == beside; });
  }

  void refuse(Ticket ticket, std::string_view why, std::string remedy) {
    events.push_back(
        {ticket, Refusal{{{.message = std::string(why), .remedy = std::move(remedy)}}, Ending::cannot_here}});
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
    greeted = worker_has_run = compress = false;
    hello_until = Clock::now() + options.hello_limit;
    auto started = Process::start(options.command, Process::StandardError::kept);
    if (!started) {
      stopped(0, to_string(started.error().front()), false);
      return false;
    }
    child = std::move(*started);
    return true;
  }
  void stopped(Ticket ticket, std::string reason, bool restarted) {
    events.push_back({ticket, Stopped{.reason = std::move(reason),
                                      .remedy = options.elsewhere ? "check that the command of --via starts 'lanescope "
                                                                    "worker' of this version"
                                                                  : "run it again, or without a worker",
                                      .restarted = restarted}});
  }

  /// A question that waits for the worker's answer, after the run that it is about.
  void post(Outstanding question) {
    const Rules& rules = question.rules();
    if (rules.needs_run && !worker_has_run && !runs())
      post({.ticket = ++*last_ticket, .question = Asked<ask::Run>{*good_request}, .replay = true});
    if (rules.is_run || !answers(rules.beside)) begun[rules.beside] = Clock::now();
    waiting.push_back({wire::Kind::message, wire::encode(wire::Call{question.ticket, question.question})});
    outstanding.push_back(std::move(question));
  }

  void deliver(Ticket ticket, AnyQuestion question) {
    const Rules& rules = rules_of(question);
    if (rules.needs_run && !good_request && !runs()) return refuse(ticket, rules.no_run, "run the kernel first");
    if (options.elsewhere)
      if (auto whole = with_files(question); !whole)
        return events.push_back({ticket, Refusal{std::move(whole.error())}});
    if (!child.running() && !start()) return;
    std::erase_if(outstanding, [&](const Outstanding& o) {
      return rules.is_run ? !o.rules().outlives_run : o.question.index() == question.index();
    });
    if (rules.is_run) stage = "reading";
    post({.ticket = ticket, .question = std::move(question)});
    send_waiting();  // at once, not at the next poll()
  }
  static Expected<void> with_files(AnyQuestion& question) {
    RunRequest* kernel = std::visit([](auto& asked) { return kernel_in(asked.request); }, question);
    if (kernel == nullptr) return {};
    *kernel = LS_TRY(attach(std::move(*kernel)));
    return {};
  }

  /// A lost connection and a crash look the same from here, so what was continuing is requested once more; what brings
  /// the worker down twice is not. A run on this machine is not repeated: there is no connection to lose.
  void died(const std::string& how, bool late = false) {
    const bool spoke = greeted, answers = spoke || reached;
    // A command that leads nowhere is not tried over and over: each time may request a password. One that led to a
    // worker before is: a network that went away comes back with a connection or two that are refused.
    const bool restarts = ++deaths_in_a_row < most_deaths_in_a_row && (answers || !options.elsewhere);
    std::vector<Outstanding> lost = std::exchange(outstanding, {});
    auto doing = std::ranges::find_if(lost, [](const Outstanding& o) { return o.rules().is_run && !o.replay; });
    const bool was_run = doing != lost.end();
    if (!was_run) doing = std::ranges::find_if(lost, [](const Outstanding& o) { return o.rules().repeated; });
    // A worker that had not greeted has seen nothing of the question, which is no second time.
    const bool repeats = doing != lost.end() && restarts && answers && !late && !(spoke && doing->again) &&
                         (!was_run || options.elsewhere);
    const Ticket reported = doing == lost.end() ? 0 : doing->ticket;
    // A run that brought the worker down is not repeated for the sake of a question about it.
    if (!repeats && !was_run && (reported != 0 || std::ranges::any_of(lost, &Outstanding::replay)))
      good_request.reset();
    for (const Outstanding& o : lost)
      if (!o.rules().lost.empty()) refuse(o.ticket, o.rules().lost, "ask again");
    const bool restarted = restarts && start();
    if (!repeats) return stopped(reported, fmt::format("The worker stopped: {}.", how), restarted);
    if (!restarted) return;
    for (Outstanding& o : lost) {
      if (o.ticket != reported && !o.rules().repeated) continue;
      o.again = true;
      post(std::move(o));
    }
    if (spoke) events.push_back({reported, Repeated{fmt::format("The worker stopped: {}.", how)}});
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
    else
      send_waiting();  // the greeting may have arrived
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
    for (const bool beside : {false, true}) {
      Milliseconds limit{};
      for (const Outstanding& o : outstanding)
        if (o.rules().beside == beside) limit = std::max(limit, limit_of(options, o.question));
      if (limit.count() == 0 || now <= begun[beside] + limit) continue;
      const std::string what = runs() && !beside && !stage.empty() ? fmt::format(" while {}", stage) : "";
      child.end();
      if (beside) return died("timeout of a measurement: the worker was stopped", true);
      return died(
          fmt::format("timeout: it was stopped after {:.1f} s{}", std::chrono::duration<double>(limit).count(), what),
          true);
    }
  }

  /// Empty, or why the worker cannot be used any more.
  std::string take(const wire::Frame& frame) {
    if (frame.kind == wire::Kind::hello) return take_hello(frame);
    if (!greeted) return "its first message is not its version";
    auto event = wire::decode<Event>(frame.payload);
    if (!event) return to_string(event.error().front());
    const auto asked = find(event->ticket);
    if (asked == outstanding.end()) return "";
    if (const auto* progress = std::get_if<Progress>(&event->what)) {
      stage = progress->stage;
      if (!asked->replay) events.push_back(std::move(*event));
      return "";
    }
    begun[asked->rules().beside] = Clock::now();
    if (asked->rules().is_run) begun.fill(Clock::now());  // a measurement may have waited for it
    if (!asked->replay) deaths_in_a_row = 0;
    if (asked->rules().is_run) run_ended(*asked, event->what);
    if (!asked->replay) events.push_back(std::move(*event));
    outstanding.erase(asked);
    return "";
  }
  void run_ended(Outstanding& run, const AllQuestions::What& what) {
    const bool ok = std::visit(
        [](const auto& answer) {
          if constexpr (requires { answer.value.summary.ok; }) return answer.value.summary.ok;
          return false;
        },
        what);
    worker_has_run = worker_has_run || ok;
    if (run.replay && !ok) good_request.reset();
    if (run.replay || !ok) return;
    good_request = *std::visit([](auto& asked) { return kernel_in(asked.request); }, run.question);
  }

  std::string take_hello(const wire::Frame& frame) {
    const auto hello = wire::decode<wire::Hello>(frame.payload);
    if (!hello) return to_string(hello.error().front());
    if (std::string problem = disagreement(*hello, ours()); !problem.empty()) return problem;
    greeted = reached = true;
    compress = options.elsewhere && hello->compression == wire::compression_name;
    waiting.push_front({wire::Kind::hello, wire::encode(ours())});
    begun.fill(Clock::now());  // waiting for a worker is not the question's time
    return "";
  }

  void cancel(Ticket ticket) {
    const auto asked = find(ticket);
    if (asked == outstanding.end()) return;
    waiting.push_back({wire::Kind::message, wire::encode(wire::Call{ticket, std::nullopt})});
    if (!asked->rules().is_run) outstanding.erase(asked);
    send_waiting();
  }
};

ClientOptions via_options(const std::string& command) {
  ClientOptions options;
  if (command.empty()) return options;
  // Without it Slurm's srun keeps what a worker says until the end of a line, which frames do not have: no worker would
  // ever be heard (seen with 22.05). The same as its option --unbuffered.
  options.command = {"/usr/bin/env", "SLURM_UNBUFFEREDIO=1", "/bin/sh", "-c", command};
  options.elsewhere = true;
  return options;
}

Client::Client(ClientOptions options) : state_(std::make_unique<State>()) {
  if (options.command.empty()) options.command = {"/proc/self/exe", "worker"};
  state_->options = std::move(options);
  state_->last_ticket = &last_ticket_;
  state_->start();
}
Client::~Client() = default;

void Client::deliver(Ticket ticket, AnyQuestion question) { state_->deliver(ticket, std::move(question)); }
void Client::cancel(Ticket ticket) { state_->cancel(ticket); }

std::optional<Event> Client::poll() {
  State& s = *state_;
  if (s.child.running()) s.move_bytes();
  if (s.child.running()) s.check_time();
  if (s.events.empty()) return std::nullopt;
  Event event = std::move(s.events.front());
  s.events.pop_front();
  return event;
}

std::optional<Event> Client::wait(std::chrono::milliseconds most) {
  const auto until = Clock::now() + most;
  for (;;) {
    if (auto event = poll()) return event;
    const auto left = std::chrono::duration_cast<Milliseconds>(until - Clock::now());
    if (left.count() <= 0) return std::nullopt;
    pollfd fd{.fd = state_->child.output_fd(), .events = POLLIN, .revents = 0};
    ::poll(&fd, fd.fd >= 0 ? 1 : 0, static_cast<int>(std::min<std::int64_t>(left.count(), 20)));
  }
}

bool Client::busy() const { return !state_->outstanding.empty(); }
bool Client::reached() const { return state_->reached; }
int Client::worker_pid() const { return state_->child.running() ? static_cast<int>(state_->child.pid()) : -1; }

}  // namespace lanescope::engine
