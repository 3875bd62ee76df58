#include "app/engine/worker.h"

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

#include "app/engine/attachments.h"
#include "app/engine/hardware.h"
#include "app/engine/live_run.h"
#include "app/engine/register_caps.h"
#include "app/engine/session.h"
#include "app/engine/side_thread.h"
#include "app/engine/wire.h"
#include "app/engine/wire_compression.h"
#include "app/engine/wire_greeting.h"
#include "generated/resources.h"

namespace lanescope::engine {
namespace {

using wire::Frame;
using wire::Kind;

class Worker {
 public:
  Worker(int in, int out) : in_(in), out_(out) {}

  int serve() {
    write_all(wire::start_mark());
    send(Kind::hello, ours());
    std::thread reader([this] { read_all(); });
    reader.detach();  // it ends with the process: a blocking read cannot be interrupted
    session_.on_progress([this](std::string_view stage) {
      send(Kind::progress, wire::ProgressReply{.ticket = current_, .stage = std::string(stage)});
    });
    session_.on_overdue([this](const Diagnostic& late) {
      Diagnostics words = {late};
      staged_.restore(words);
      send(Kind::refused,
           wire::RefusedReply{.ticket = current_, .diagnostics = std::move(words), .ending = Ending::cannot_here});
      leave(3);
    });
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
        std::fputs(fmt::format("lanescope worker: {}\n", frames.broken()).c_str(), stderr);
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
      std::fputs(fmt::format("lanescope worker: {}\n", problem).c_str(), stderr);
      leave(2);
    }
    compress_ = theirs->compression == wire::compression_name;
  }

  void arrive(Frame frame) {
    if (frame.kind == Kind::hello) return greet(frame);
    const std::lock_guard lock(mutex_);
    if (wire::is_run(frame.kind)) {
      std::erase_if(waiting_, [](const Frame& f) { return wire::is_run(f.kind) || is_about_run(f.kind); });
      cancel_ = true;
      measurement_.stop();
    }
    if (frame.kind == Kind::moment || frame.kind == Kind::contents)
      std::erase_if(waiting_, [&](const Frame& f) { return f.kind == frame.kind; });
    if (frame.kind == Kind::cancel) {
      const auto ticket = wire::decode<wire::Ticket>(frame.payload);
      if (ticket && ticket->ticket == current_) cancel_ = true;
      if (ticket && ticket->ticket == measurement_.ticket) measurement_.stop();
      std::erase_if(waiting_, [&](const Frame& f) {
        if (!ticket || f.kind != Kind::measure) return false;
        const auto waits = wire::decode<wire::AskMeasure>(f.payload);
        return waits && waits->ticket == ticket->ticket;
      });
      return;
    }
    waiting_.push_back(std::move(frame));
    ready_.notify_one();
  }

  // --- working thread ---

  Frame take() {
    std::unique_lock lock(mutex_);
    ready_.wait(lock, [this] { return !waiting_.empty(); });
    Frame frame = std::move(waiting_.front());
    waiting_.pop_front();
    cancel_ = false;
    if (wire::is_run(frame.kind))
      if (const auto ticket = wire::decode<wire::Run>(frame.payload)) current_ = ticket->ticket;
    if (frame.kind == Kind::measure)
      if (const auto asked = wire::decode<wire::AskMeasure>(frame.payload))
        measurement_ = {asked->ticket, std::make_shared<std::atomic<bool>>(false)};
    return frame;
  }

  /// What a new run makes pointless.
  static bool is_about_run(Kind kind) {
    return kind == Kind::moment || kind == Kind::caps || kind == Kind::measure || kind == Kind::contents;
  }

  bool superseded() {
    const std::lock_guard lock(mutex_);
    return std::ranges::any_of(waiting_, [](const Frame& f) { return wire::is_run(f.kind); });
  }

  bool handle(const Frame& frame) {
    switch (frame.kind) {
      case Kind::run:
        return answer<wire::Run>(frame, [this](const wire::Run& m) { run(m); });
      case Kind::run_whole:
        return answer<wire::Run>(frame, [this](const wire::Run& m) { run_whole(m); });
      case Kind::moment:
        return answer<wire::AskMoment>(frame, [this](const wire::AskMoment& m) {
          send(Kind::moment_is, wire::MomentReply{.ticket = m.ticket, .moment = session_.moment(m.request)});
        });
      case Kind::annotate:
        return answer<wire::Run>(frame, [this](const wire::Run& m) { annotate(m); });
      case Kind::contents:
        return answer<wire::AskContents>(frame, [this](const wire::AskContents& m) {
          send(Kind::contents_are, wire::ContentsReply{.ticket = m.ticket, .contents = session_.contents(m.request)});
        });
      case Kind::live:
        return answer<wire::Run>(frame, [this](const wire::Run& m) { live(m); });
      case Kind::measure:
        return answer<wire::AskMeasure>(frame, [this](const wire::AskMeasure& m) { measure(m); });
      case Kind::caps:
        return answer<wire::AskCaps>(frame, [this](const wire::AskCaps& m) { caps(m); });
      default:
        return refuse(0, "a worker takes no such frame");
    }
  }

  template <class Message, class Do>
  bool answer(const Frame& frame, Do act) {
    const auto message = wire::decode<Message>(frame.payload);
    if (!message) return refuse(0, to_string(message.error().front()));
    act(*message);
    return true;
  }

  /// The request with its files where the session finds them; where that fails it is refused.
  std::optional<RunRequest> stage(const wire::Run& message) {
    auto here = staged_.stage(message.request);
    if (here) return std::move(*here);
    send(Kind::refused,
         wire::RefusedReply{
             .ticket = message.ticket, .diagnostics = std::move(here.error()), .ending = Ending::cannot_here});
    return std::nullopt;
  }

  void run(const wire::Run& message) {
    const auto here = stage(message);
    if (!here) return;
    wire::SummaryReply reply{.ticket = message.ticket, .summary = session_.run(*here, &cancel_)};
    if (message.request.on_gpu) reply.gpus = gpu_devices();
    staged_.restore(reply.summary);
    staged_.remove();
    if (!superseded()) send(Kind::summary, reply);
  }

  void run_whole(const wire::Run& message) {
    const auto here = stage(message);
    if (!here) return;
    wire::ResultReply reply{.ticket = message.ticket, .result = engine::run_whole(session_, *here, &cancel_)};
    staged_.restore(reply.result);
    staged_.remove();
    if (!superseded()) send(Kind::result, reply);
  }

  void annotate(const wire::Run& message) {
    const auto here = stage(message);
    if (!here) return;
    auto annotation = session_.annotate(*here);
    if (annotation) {
      staged_.remove();
      return send(Kind::annotation,
                  wire::AnnotationReply{.ticket = message.ticket, .annotation = std::move(*annotation)});
    }
    wire::RefusedReply reply{
        .ticket = message.ticket, .diagnostics = std::move(annotation.error()), .ending = session_.ending()};
    staged_.restore(reply.diagnostics);
    staged_.remove();
    send(Kind::refused, reply);
  }

  /// Leaves the session and its run alone.
  void caps(const wire::AskCaps& message) {
    const auto here = stage({.ticket = message.ticket, .request = message.request});
    if (!here) return;
    auto rows = register_caps(*here, message.caps, &cancel_);
    if (rows) {
      staged_.remove();
      return send(Kind::caps_are, wire::CapsReply{.ticket = message.ticket, .rows = std::move(*rows)});
    }
    wire::RefusedReply reply{.ticket = message.ticket, .diagnostics = std::move(rows.error())};
    staged_.restore(reply.diagnostics);
    staged_.remove();
    send(Kind::refused, reply);
  }

  /// Seconds, most of them a child's: moments are answered meanwhile. One that is stopped is not answered.
  void measure(const wire::AskMeasure& message) {
    std::shared_ptr<std::atomic<bool>> stopped;
    {
      const std::lock_guard lock(mutex_);
      stopped = measurement_.stopped;
    }
    beside_.start([this, stopped, ticket = message.ticket, task = session_.measurement(message.request, &*stopped)] {
      const std::lock_guard alone(counting_);
      wire::MeasuredReply reply{.ticket = ticket, .measured = task()};
      if (!*stopped) send(Kind::measured_is, reply);
    });
  }

  /// Beside the runs, which may take longer than a hand moves.
  void live(const wire::Run& message) {
    live_beside_.start([this, message] {
      const std::lock_guard alone(counting_);
      auto here = live_staged_.stage(message.request);
      wire::MeasuredReply reply{.ticket = message.ticket, .measured = {}};
      if (here)
        reply.measured = live_run_.measure(*here);
      else
        reply.measured.refused = std::move(here.error());
      live_staged_.restore(reply.measured.refused);
      send(Kind::measured_is, reply);
    });
  }

  bool refuse(std::uint64_t ticket, std::string why) {
    send(Kind::refused,
         wire::RefusedReply{.ticket = ticket, .diagnostics = {{.file = {}, .message = std::move(why), .remedy = {}}}});
    return false;
  }

  static wire::Hello ours() {
    return {.program = fmt::format("lanescope {}", resources::version),
            .compression = std::string(wire::compression_name)};
  }

  template <class Message>
  void send(Kind kind, const Message& message) {
    write_all(wire::pack({kind, wire::encode(message)}, compress_));
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
