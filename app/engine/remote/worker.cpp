#include "app/engine/remote/worker.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <mutex>
#include <thread>

#include "app/engine/hardware/device.h"
#include "app/engine/hardware/machine_code.h"
#include "app/engine/prepare/register_caps.h"
#include "app/engine/remote/attachments.h"
#include "app/engine/remote/side_thread.h"
#include "app/engine/session/live_run.h"
#include "app/engine/session/session.h"
#include "app/engine/wire/compression.h"
#include "app/engine/wire/greeting.h"
#include "app/engine/wire/messages.h"
#include "generated/resources.h"
#include "kernels/base/memory.h"
#include "kernels/base/standard_streams.h"

namespace lanescope::engine {
namespace {

using wire::Constant;
using wire::Frame;
using wire::Kind;
using wire::Question;

bool is_run(const Frame& frame) {
  const auto question = wire::question_in(frame.kind);
  return question && wire::rules_of(*question).is_run;
}
bool is_dropped_by_run(const Frame& frame) {
  const auto question = wire::question_in(frame.kind);
  return question && wire::rules_of(*question).dropped_by_run;
}

class Worker {
 public:
  Worker(int in, int out) : in_(in), out_(out) {}

  int serve() {
    write_all(wire::start_mark());
    send(Kind::hello, 0, ours());
    std::thread reader([this] { read_all(); });
    reader.detach();  // it ends with the process: a blocking read cannot be interrupted
    session_.on_progress([this](std::string_view stage) {
      send(Kind::progress, current_, wire::Progress{.stage = std::string(stage)});
    });
    session_.on_steps([this](const RanSoFar& ran) {
      send(Kind::progress, current_, wire::Progress{.stage = "running", .ran = ran});
    });
    const auto refuse_and_leave = [this](const Diagnostic& why) {
      Diagnostics words = {why};
      staged_.restore(words);
      refuse(current_, std::move(words), Ending::cannot_here);
      leave(3);
    };
    session_.on_overdue(refuse_and_leave);
    watch_memory(refuse_and_leave);
    for (;;) {
      const Frame frame = take();
      if (!handle(frame)) return 2;
    }
  }

 private:
  // --- reading thread ---

  void read_all() {
    std::array<std::uint8_t, 1 << 16> bytes;
    wire::FrameReader frames;
    for (;;) {
      const ssize_t got = ::read(in_, bytes.data(), bytes.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) leave(0);
      frames.feed({bytes.data(), static_cast<std::size_t>(got)});
      while (auto frame = frames.next()) arrive(std::move(*frame));
      if (!frames.broken().empty()) {
        put_error(fmt::format("lanescope worker: {}\n", frames.broken()));
        leave(2);
      }
    }
  }

  /// At once, whatever a kernel is doing; but the user's files do not stay behind.
  [[noreturn]] void leave(int status) {
    staged_.remove();
    live_staged_.remove();
    ::_exit(status);
  }

  void greet(const Frame& frame) {
    const auto theirs = wire::decode<wire::Hello>(frame.payload);
    const std::string problem = theirs ? disagreement(*theirs, ours()) : to_string(theirs.error().front());
    if (!problem.empty()) {
      put_error(fmt::format("lanescope worker: {}\n", problem));
      leave(2);
    }
    compress_ = theirs->compression == wire::compression_name;
  }

  void arrive(Frame frame) {
    if (frame.kind == Kind::hello) return greet(frame);
    const std::lock_guard lock(mutex_);
    if (frame.kind == Kind::cancel) return stop(frame.ticket);
    // Of several of a kind that wait only the newest is answered.
    if (is_run(frame)) {
      std::erase_if(waiting_, is_dropped_by_run);
      cancel_ = true;
      measurement_.stop();
    } else {
      std::erase_if(waiting_, [&](const Frame& f) { return f.kind == frame.kind; });
    }
    waiting_.push_back(std::move(frame));
    ready_.notify_one();
  }

  void stop(std::uint64_t ticket) {
    if (ticket == current_) cancel_ = true;
    // A run that still waits is answered as one that was under way.
    if (std::ranges::any_of(waiting_, [&](const Frame& f) { return f.ticket == ticket && is_run(f); }))
      cancelled_run_ = ticket;
    if (ticket == measurement_.ticket) measurement_.stop();
    std::erase_if(waiting_, [&](const Frame& f) { return f.ticket == ticket && !is_run(f); });
  }

  // --- working thread ---

  Frame take() {
    std::unique_lock lock(mutex_);
    ready_.wait(lock, [this] { return !waiting_.empty(); });
    Frame frame = std::move(waiting_.front());
    waiting_.pop_front();
    cancel_ = is_run(frame) && frame.ticket == cancelled_run_;
    if (is_run(frame)) current_ = frame.ticket;
    if (frame.kind == wire::kind_of_question(Question::measure))
      measurement_ = {frame.ticket, std::make_shared<std::atomic<bool>>(false)};
    return frame;
  }

  bool superseded() {
    const std::lock_guard lock(mutex_);
    return std::ranges::any_of(waiting_, is_run);
  }

  /// False: the other end does not keep to the protocol.
  bool handle(const Frame& frame) {
    const auto question = wire::question_in(frame.kind);
    const auto broken = [this](std::string why) {
      refuse(0, {{.file = {}, .message = std::move(why), .remedy = {}}}, Ending::bad_input);
      return false;
    };
    if (!question) return broken("a worker does not accept this message");
    return wire::dispatch(*question, [&](auto q) {
      const auto request = wire::decode<typename wire::Types<q()>::Request>(frame.payload);
      if (!request) return broken(to_string(request.error().front()));
      serve(q, frame.ticket, *request);
      return true;
    });
  }

  template <Question q>
  void answer(Constant<q>, std::uint64_t ticket, const typename wire::Types<q>::Answer& value) {
    send(wire::kind_of_answer(q), ticket, value);
  }
  void refuse(std::uint64_t ticket, Diagnostics diagnostics, Ending ending) {
    send(Kind::refused, ticket, wire::Refusal{.diagnostics = std::move(diagnostics), .ending = ending});
  }

  // One function for each question.

  void serve(Constant<Question::run> q, std::uint64_t ticket, const RunRequest& request) {
    with_files(ticket, request, [&](const RunRequest& here) {
      wire::RunSummary result{.summary = session_.run(here, &cancel_)};
      if (request.on_gpu) result.gpus = gpu_devices();
      staged_.restore(result.summary);
      staged_.remove();
      if (!superseded()) answer(q, ticket, result);
    });
  }

  void serve(Constant<Question::run_whole> q, std::uint64_t ticket, const RunRequest& request) {
    with_files(ticket, request, [&](const RunRequest& here) {
      RunResult result = session_.run_whole(here, &cancel_);
      staged_.restore(result);
      staged_.remove();
      if (!superseded()) answer(q, ticket, result);
    });
  }

  void serve(Constant<Question::annotate> q, std::uint64_t ticket, const RunRequest& request) {
    with_files(ticket, request, [&](const RunRequest& here) {
      answer_or_refuse(q, ticket, session_.annotate_whole(here), [this] { return session_.ending(); });
    });
  }

  /// Leaves the session and its run alone.
  void serve(Constant<Question::caps> q, std::uint64_t ticket, const CapsRequest& request) {
    with_files(ticket, request.run, [&](const RunRequest& here) {
      answer_or_refuse(q, ticket, register_caps(here, request.caps, &cancel_), [] { return Ending::bad_input; });
    });
  }

  /// As caps.
  void serve(Constant<Question::machine_code> q, std::uint64_t ticket, const RunRequest& request) {
    with_files(ticket, request, [&](const RunRequest& here) {
      results::Measured code = machine_code(here);
      staged_.restore(code.refused);
      staged_.remove();
      answer(q, ticket, code);
    });
  }

  void serve(Constant<Question::moment> q, std::uint64_t ticket, const MomentRequest& request) {
    answer(q, ticket, session_.moment(request));
  }

  void serve(Constant<Question::contents> q, std::uint64_t ticket, const ContentsRequest& request) {
    answer(q, ticket, session_.contents(request));
  }

  void serve(Constant<Question::journey> q, std::uint64_t ticket, const JourneyRequest& request) {
    answer(q, ticket, session_.journeys(request));
  }

  /// Seconds, most of them a child's: moments are answered meanwhile. One that is stopped is not answered.
  void serve(Constant<Question::measure> q, std::uint64_t ticket, const MeasureRequest& request) {
    std::shared_ptr<std::atomic<bool>> stopped;
    {
      const std::lock_guard lock(mutex_);
      stopped = measurement_.stopped;
    }
    beside_.start([this, q, ticket, stopped, task = session_.measurement(request, &*stopped)] {
      const std::lock_guard alone(counting_);
      const results::Measured measured = task();
      if (!*stopped) answer(q, ticket, measured);
    });
  }

  /// Beside the runs, which may take longer than the interval between two requests.
  void serve(Constant<Question::live> q, std::uint64_t ticket, const RunRequest& request) {
    live_beside_.start([this, q, ticket, request] {
      const std::lock_guard alone(counting_);
      auto here = live_staged_.stage(request);
      results::Measured measured;
      if (here)
        measured = live_run_.measure(*here);
      else
        measured.refused = std::move(here.error());
      live_staged_.restore(measured.refused);
      answer(q, ticket, measured);
    });
  }

  /// Calls act with the request's files where the session finds them; where that fails the question is refused.
  template <class Do>
  void with_files(std::uint64_t ticket, const RunRequest& request, Do act) {
    auto here = staged_.stage(request);
    if (!here) return refuse(ticket, std::move(here.error()), Ending::cannot_here);
    act(*here);
  }

  template <Question q, class Value, class EndingOf>
  void answer_or_refuse(Constant<q> question, std::uint64_t ticket, Expected<Value> value, EndingOf ending) {
    if (!value) staged_.restore(value.error());
    staged_.remove();
    if (value) return answer(question, ticket, *value);
    refuse(ticket, std::move(value.error()), ending());
  }

  static wire::Hello ours() {
    return {.program = fmt::format("lanescope {}", resources::version),
            .compression = std::string(wire::compression_name)};
  }

  template <class Message>
  void send(Kind kind, std::uint64_t ticket, const Message& message) {
    write_all(wire::pack({kind, ticket, wire::encode(message)}, compress_));
  }

  void write_all(std::span<const std::uint8_t> bytes) {
    const std::lock_guard whole_frames(out_mutex_);
    while (!bytes.empty()) {
      const ssize_t wrote = ::write(out_, bytes.data(), bytes.size());
      if (wrote < 0 && errno == EINTR) continue;
      if (wrote <= 0) leave(0);  // nobody listens any more
      bytes = bytes.subspan(static_cast<std::size_t>(wrote));
    }
  }

  int in_, out_;
  Session session_;
  StagedFiles staged_;
  std::atomic<bool> compress_{false};
  std::mutex out_mutex_;
  SideThread beside_, live_beside_;  ///< measurements; the live mode
  std::mutex counting_;              ///< two processes that count at once disturb each other
  LiveRun live_run_;
  StagedFiles live_staged_;
  /// The one under way, or the last.
  struct Measurement {
    std::uint64_t ticket = 0;
    std::shared_ptr<std::atomic<bool>> stopped{};
    void stop() const {
      if (stopped) *stopped = true;
    }
  };
  Measurement measurement_;  ///< guarded by mutex_
  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<Frame> waiting_;
  std::atomic<bool> cancel_{false};
  std::uint64_t cancelled_run_ = 0;  ///< ticket of the run that was last cancelled before it began; under mutex_
  std::atomic<std::uint64_t> current_{0};
};

}  // namespace

int serve(int in, int out) {
  // On the heap and never freed: the reading thread may be inside it when the process ends.
  return (new Worker(in, out))->serve();
}

int run_worker() {
  std::signal(SIGPIPE, SIG_IGN);
  const int frames = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (frames < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
    std::perror("lanescope worker");
    return 2;
  }
  return serve(STDIN_FILENO, frames);
}

}  // namespace lanescope::engine
