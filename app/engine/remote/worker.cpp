
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <mutex>
#include <thread>

#include "app/engine/remote/service.h"
#include "app/engine/wire/messages.h"
#include "generated/resources.h"
#include "kernels/base/memory.h"
#include "kernels/base/standard_streams.h"

namespace lanescope::engine {
namespace {

class Worker {
 public:
  Worker(int in, int out) : in_(in), out_(out) {}

  [[noreturn]] void serve() {
    write_all(wire::start_mark());
    send(wire::Kind::hello, ours());
    watch_memory([this](const Diagnostic& why) { service_.give_up(why); });
    std::thread([this] { read_all(); }).detach();  // it ends with the process: a blocking read cannot be interrupted
    for (;;)
      if (const auto event = service_.wait(std::chrono::hours(1))) send(wire::Kind::message, *event);
  }

 private:
  // --- reading thread

  void read_all() {
    std::array<std::uint8_t, 1 << 16> bytes;
    wire::FrameReader frames;
    for (;;) {
      const ssize_t got = ::read(in_, bytes.data(), bytes.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) leave(0);
      frames.feed({bytes.data(), static_cast<std::size_t>(got)});
      while (const auto frame = frames.next())
        if (const std::string problem = take(*frame); !problem.empty()) refuse(problem);
      if (!frames.broken().empty()) refuse(frames.broken());
    }
  }

  /// Empty, or why the other end does not keep to the protocol.
  std::string take(const wire::Frame& frame) {
    if (frame.kind == wire::Kind::hello) {
      const auto theirs = wire::decode<wire::Hello>(frame.payload);
      if (!theirs) return to_string(theirs.error().front());
      compress_ = theirs->compression == wire::compression_name;
      return disagreement(*theirs, ours());
    }
    auto call = wire::decode<wire::Call>(frame.payload);
    if (!call) return to_string(call.error().front());
    if (call->question)
      service_.deliver(call->ticket, std::move(*call->question));
    else
      service_.cancel(call->ticket);
    return "";
  }

  [[noreturn]] void refuse(const std::string& problem) {
    put_error(fmt::format("lanescope worker: {}\n", problem));
    leave(2);
  }

  /// At once, even if a kernel runs; but the user's files do not remain.
  [[noreturn]] void leave(int status) {
    service_.remove_files();
    ::_exit(status);
  }

  static wire::Hello ours() {
    return {.program = fmt::format("lanescope {}", resources::version),
            .compression = std::string(wire::compression_name)};
  }

  void send(wire::Kind kind, const auto& message) { write_all(wire::pack({kind, wire::encode(message)}, compress_)); }

  void write_all(std::span<const std::uint8_t> bytes) {
    const std::lock_guard whole_frames(out_mutex_);
    while (!bytes.empty()) {
      const ssize_t wrote = ::write(out_, bytes.data(), bytes.size());
      if (wrote < 0 && errno == EINTR) continue;
      if (wrote <= 0) leave(0);  // the reader is gone
      bytes = bytes.subspan(static_cast<std::size_t>(wrote));
    }
  }

  int in_, out_;
  std::atomic<bool> compress_{false};
  std::mutex out_mutex_;
  Service service_{[this](Ticket ticket, Diagnostics why) {
    send(wire::Kind::message, Event{ticket, Refusal{std::move(why), Ending::cannot_here}});
    leave(3);
  }};
};

}  // namespace

int run_worker() {
  std::signal(SIGPIPE, SIG_IGN);
  const int frames = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (frames < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
    std::perror("lanescope worker");
    return 2;
  }
  // On the heap and never freed: the reading thread may be inside it when the process ends.
  (new Worker(STDIN_FILENO, frames))->serve();
}

}  // namespace lanescope::engine
