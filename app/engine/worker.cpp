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

#include "app/engine/session.h"
#include "app/engine/wire.h"
#include "generated/resources.h"

namespace lanescope::engine {
namespace {

using wire::Frame;
using wire::Kind;

class Worker {
 public:
  Worker(int in, int out) : in_(in), out_(out) {}

  int serve() {
    send(Kind::hello, wire::Hello{.program = fmt::format("lanescope {}", resources::version)});
    std::thread reader([this] { read_all(); });
    reader.detach();  // it ends with the process: a blocking read cannot be interrupted
    session_.on_progress([this](std::string_view stage) {
      send(Kind::progress, wire::ProgressReply{.ticket = current_, .stage = std::string(stage)});
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
      if (got <= 0) ::_exit(0);
      frames.feed({bytes.data(), static_cast<std::size_t>(got)});
      while (auto frame = frames.next()) arrive(std::move(*frame));
      if (!frames.broken().empty()) {
        std::fputs(fmt::format("lanescope worker: {}\n", frames.broken()).c_str(), stderr);
        ::_exit(2);
      }
    }
  }

  void arrive(Frame frame) {
    const std::lock_guard lock(mutex_);
    const bool is_run = frame.kind == Kind::run || frame.kind == Kind::annotate;
    if (is_run) {
      std::erase_if(waiting_, [](const Frame& f) { return f.kind == Kind::run || f.kind == Kind::moment; });
      cancel_ = true;
    }
    if (frame.kind == Kind::moment) std::erase_if(waiting_, [](const Frame& f) { return f.kind == Kind::moment; });
    if (frame.kind == Kind::cancel) {
      const auto ticket = wire::decode<wire::Ticket>(frame.payload);
      if (ticket && ticket->ticket == current_) cancel_ = true;
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
    if (frame.kind == Kind::run || frame.kind == Kind::annotate)
      if (const auto ticket = wire::decode<wire::Run>(frame.payload)) current_ = ticket->ticket;
    return frame;
  }

  bool superseded() {
    const std::lock_guard lock(mutex_);
    return std::ranges::any_of(waiting_,
                               [](const Frame& f) { return f.kind == Kind::run || f.kind == Kind::annotate; });
  }

  bool handle(const Frame& frame) {
    switch (frame.kind) {
      case Kind::run:
        return answer<wire::Run>(frame, [this](const wire::Run& m) { run(m); });
      case Kind::moment:
        return answer<wire::AskMoment>(frame, [this](const wire::AskMoment& m) {
          send(Kind::moment_is, wire::MomentReply{.ticket = m.ticket, .moment = session_.moment(m.request)});
        });
      case Kind::annotate:
        return answer<wire::Run>(frame, [this](const wire::Run& m) { annotate(m); });
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

  void run(const wire::Run& message) {
    const views::Summary& summary = session_.run(message.request, &cancel_);
    if (!superseded()) send(Kind::summary, wire::SummaryReply{.ticket = message.ticket, .summary = summary});
  }

  void annotate(const wire::Run& message) {
    auto annotation = session_.annotate(message.request);
    if (annotation)
      send(Kind::annotation, wire::AnnotationReply{.ticket = message.ticket, .annotation = std::move(*annotation)});
    else
      send(Kind::refused, wire::RefusedReply{.ticket = message.ticket, .diagnostics = std::move(annotation.error())});
  }

  bool refuse(std::uint64_t ticket, std::string why) {
    send(Kind::refused,
         wire::RefusedReply{.ticket = ticket, .diagnostics = {{.file = {}, .message = std::move(why), .remedy = {}}}});
    return false;
  }

  template <class Message>
  void send(Kind kind, const Message& message) {
    const wire::Bytes bytes = wire::pack({kind, wire::encode(message)});
    std::size_t sent = 0;
    while (sent < bytes.size()) {
      const ssize_t wrote = ::write(out_, bytes.data() + sent, bytes.size() - sent);
      if (wrote < 0 && errno == EINTR) continue;
      if (wrote <= 0) ::_exit(0);  // nobody listens any more
      sent += static_cast<std::size_t>(wrote);
    }
  }

  int in_, out_;
  Session session_;
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
