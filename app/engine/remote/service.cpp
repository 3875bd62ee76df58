#include "app/engine/remote/service.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <thread>

#include "app/engine/remote/attachments.h"

namespace lanescope::engine {
struct Service::State {
  struct Job {
    Ticket ticket = 0;
    AnyQuestion question;
    bool cancelled = false;  ///< a run that was cancelled before it began
  };

  /// One thread and its questions.
  struct Lane {
    std::vector<Job> waiting;
    std::atomic<Ticket> ticket{0};  ///< of the current question, or of the last one
    const Rules* rules = nullptr;   ///< of the current question; nullptr: none
    std::atomic<bool> stop{false};  ///< of the current question
    bool answered = true;           ///< its answer is needed
    StagedFiles files{};
    std::thread thread{};

    bool runs() const {
      return (rules != nullptr && rules->is_run) ||
             std::ranges::any_of(waiting, [](const Job& job) { return rules_of(job.question).is_run; });
    }
    void end(bool with_answer) {
      stop = true;
      answered = answered && with_answer;
    }
  };

  Service* channel = nullptr;
  Stuck stuck;
  std::mutex mutex;
  std::condition_variable changed;  ///< something waits, or a run has ended
  std::condition_variable arrived;  ///< an event
  std::deque<Event> events;
  std::shared_ptr<Session> session;  ///< of the last good run
  LiveRun live;
  bool ending = false;
  Lane main, beside;

  Lane& lane_of(const Rules& rules) { return rules.beside ? beside : main; }

  void report(Event event) {
    {
      const std::lock_guard lock(mutex);
      events.push_back(std::move(event));
    }
    arrived.notify_all();
    if (channel->on_event) channel->on_event();
  }

  void take(Ticket ticket, AnyQuestion question) {
    const std::lock_guard lock(mutex);
    const Rules& rules = rules_of(question);
    for (Lane* lane : {&main, &beside}) {
      std::erase_if(lane->waiting, [&](const Job& job) {
        return rules.is_run ? !rules_of(job.question).outlives_run : job.question.index() == question.index();
      });
      if (rules.is_run && lane->rules != nullptr && !lane->rules->outlives_run) lane->end(false);
    }
    lane_of(rules).waiting.push_back({ticket, std::move(question)});
    changed.notify_all();
  }

  void cancel(Ticket ticket) {
    const std::lock_guard lock(mutex);
    for (Lane* lane : {&main, &beside}) {
      if (lane->rules != nullptr && lane->ticket == ticket) lane->end(lane->rules->is_run);
      for (Job& job : lane->waiting) job.cancelled = job.cancelled || job.ticket == ticket;
      std::erase_if(lane->waiting, [](const Job& job) { return job.cancelled && !rules_of(job.question).is_run; });
    }
  }

  void work(Lane& lane) {
    std::unique_lock lock(mutex);
    for (;;) {
      auto next = lane.waiting.end();
      changed.wait(lock, [&] {
        next = std::ranges::min_element(lane.waiting, {}, [](const Job& job) { return job.question.index(); });
        return ending ||
               (next != lane.waiting.end() && (&lane == &main || !rules_of(next->question).needs_run || !main.runs()));
      });
      if (ending) return;
      Job job = std::move(*next);
      lane.waiting.erase(next);
      lane.ticket = job.ticket, lane.rules = &rules_of(job.question);
      lane.stop = job.cancelled, lane.answered = true;
      const bool is_run = lane.rules->is_run;
      Call call{.stop = &lane.stop,
                .session = is_run ? std::move(session) : session,
                .live = &live,
                .progress = [this](Progress p) {
                  report({main.ticket, std::move(p)});
                }};
      if (stuck) call.overdue = [this](const Diagnostic& why) { channel->give_up(why); };
      lock.unlock();
      Event event{job.ticket, answer_to(job.question, lane.files, call)};
      if (&lane == &main) lane.files.remove();
      lock.lock();
      if (is_run) session = std::move(call.session);
      lane.rules = nullptr;
      changed.notify_all();
      call = {};
      if (!lane.answered) continue;
      lock.unlock();
      report(std::move(event));
      lock.lock();
    }
  }

  /// With the files of a kernel where the handler finds them.
  static AllQuestions::What answer_to(AnyQuestion& any, StagedFiles& files, Call& call) {
    return std::visit(
        [&]<class Question>(Asked<Question>& asked) -> AllQuestions::What {
          if (Question::rules.needs_run && !call.session)
            return Refusal{{{.message = std::string(Question::rules.no_run), .remedy = "run the kernel first"}},
                           Ending::cannot_here};
          if (RunRequest* kernel = kernel_in(asked.request)) {
            auto here = files.stage(*kernel);
            if (!here) return Refusal{std::move(here.error()), Ending::cannot_here};
            *kernel = std::move(*here);
          }
          auto outcome = answer(Question{}, asked.request, call);
          if (!outcome) {
            files.restore(outcome.error().diagnostics);
            return std::move(outcome.error());
          }
          files.restore(*outcome);
          return Answered<Question>{std::move(*outcome)};
        },
        any);
  }
};

Service::Service(Stuck stuck) : state_(std::make_unique<State>()) {
  state_->channel = this;
  state_->stuck = std::move(stuck);
  for (State::Lane* lane : {&state_->main, &state_->beside})
    lane->thread = std::thread([state = state_.get(), lane] { state->work(*lane); });
}

Service::~Service() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->ending = true;
    for (State::Lane* lane : {&state_->main, &state_->beside}) lane->end(false);
  }
  state_->changed.notify_all();
  for (State::Lane* lane : {&state_->main, &state_->beside}) lane->thread.join();
}

void Service::deliver(Ticket ticket, AnyQuestion question) { state_->take(ticket, std::move(question)); }
void Service::cancel(Ticket ticket) { state_->cancel(ticket); }

std::optional<Event> Service::poll() { return wait({}); }

std::optional<Event> Service::wait(std::chrono::milliseconds most) {
  std::unique_lock lock(state_->mutex);
  state_->arrived.wait_for(lock, most, [this] { return !state_->events.empty(); });
  if (state_->events.empty()) return std::nullopt;
  Event event = std::move(state_->events.front());
  state_->events.pop_front();
  return event;
}

void Service::give_up(const Diagnostic& why) {
  Diagnostics words = {why};
  state_->main.files.restore(words);
  state_->stuck(state_->main.ticket, std::move(words));
}

void Service::remove_files() { state_->main.files.remove(), state_->beside.files.remove(); }

}  // namespace lanescope::engine
