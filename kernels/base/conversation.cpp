#include "kernels/base/conversation.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <thread>

namespace lanescope {
namespace {

using Clock = std::chrono::steady_clock;

/// How long nothing may happen before the clock, or the flag, is looked at again.
constexpr std::chrono::milliseconds look_at_clock{1000}, look_at_flag{10};
/// Of a child that nothing reads any more: one that sees it by itself removes its files.
constexpr std::chrono::milliseconds time_to_end{1000};

/// Moves bytes in both directions for one request.
class Exchange {
 public:
  Exchange(Process& child, const Bytes& out, const Deadline& deadline)
      : child_(child), out_(out), deadline_(deadline), end_(Clock::now() + deadline.limit) {}

  bool all_sent() const { return sent_ == out_.size(); }

  /// Waits until something can be written or read and does it; an outcome where there is nothing more to wait for. A child
  /// that reads no more may still have an answer.
  std::optional<Outcome> move(Bytes& in) {
    const auto most = deadline_.cancelled ? look_at_flag : look_at_clock;
    for (;;) {
      if (deadline_.over()) return Outcome::cancelled;
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end_ - Clock::now());
      if (left.count() <= 0) return Outcome::late;
      const bool writing = child_.input_fd() >= 0 && !all_sent();
      // poll() passes over a descriptor of -1.
      pollfd ready[3] = {{.fd = child_.output_fd(), .events = POLLIN, .revents = 0},
                         {.fd = writing ? child_.input_fd() : -1, .events = POLLOUT, .revents = 0},
                         {.fd = child_.error_fd(), .events = POLLIN, .revents = 0}};
      if (::poll(ready, std::size(ready), static_cast<int>(std::min(left, most).count())) <= 0) continue;
      if (ready[2].revents != 0) child_.read_errors();
      if (ready[1].revents != 0) {
        const auto wrote = child_.write_some({out_.data() + sent_, out_.size() - sent_});
        if (wrote < 0)
          child_.close_input();
        else
          sent_ += static_cast<std::size_t>(wrote);
      }
      if (ready[0].revents != 0 && !child_.read_some(in)) return Outcome::ended;
      return std::nullopt;
    }
  }

 private:
  Process& child_;
  const Bytes& out_;
  const Deadline& deadline_;
  Clock::time_point end_;
  std::size_t sent_ = 0;
};

}  // namespace

Outcome converse(Process& child, const Bytes& request, const Deadline& deadline, Bytes& answer) {
  Exchange bytes(child, request, deadline);
  for (;;) {
    if (bytes.all_sent()) child.close_input();
    if (const auto over = bytes.move(answer)) return *over == Outcome::ended ? Outcome::answered : *over;
  }
}

Outcome exchange(Process& child, const Bytes& request, const Deadline& deadline, Bytes& answer) {
  const Bytes out = packed_frame(0, request);
  Exchange bytes(child, out, deadline);
  FrameCutter frames;
  for (;;) {
    if (auto frame = frames.next()) {
      answer = std::move(frame->payload);
      return Outcome::answered;
    }
    if (!frames.broken().empty()) return Outcome::ended;
    Bytes in;
    const auto over = bytes.move(in);
    frames.feed(in);
    if (over && *over != Outcome::ended) return *over;
    if (over) {  // what came before the end of the stream may be whole
      auto last = frames.next();
      if (!last) return Outcome::ended;
      answer = std::move(last->payload);
      return Outcome::answered;
    }
  }
}

void end_with_reader(int fd) {
  const int own = ::fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (own < 0) return;
  std::thread([own] {
    pollfd reader{.fd = own, .events = 0, .revents = 0};  // of a pipe that has no reader: POLLERR
    while (::poll(&reader, 1, -1) <= 0 || (reader.revents & POLLERR) == 0)
      if ((reader.revents & POLLNVAL) != 0) return;
    std::this_thread::sleep_for(time_to_end);
    ::_exit(1);
  }).detach();
}

int take_answer_stream(int out_fd) {
  const int answer_fd = ::dup(out_fd);
  if (answer_fd < 0 || ::dup2(STDERR_FILENO, out_fd) >= 0) return answer_fd;
  ::close(answer_fd);
  return -1;
}

ChildReply ask_child(const std::vector<std::string>& command, const Bytes& question, const std::string& doing,
                     const Deadline& deadline) {
  using End = ChildReply::End;
  const auto without = [](End end, std::string message, std::string remedy = {}) {
    return ChildReply{
        .end = end, .answer = {}, .problem = {.file = {}, .message = std::move(message), .remedy = std::move(remedy)}};
  };
  if (command.empty()) return without(End::not_started, doing + " needs a program");
  if (deadline.over()) return without(End::cancelled, doing + " was cancelled");
  auto child = Process::start(command);
  if (!child) return without(End::not_started, child.error().front().message, child.error().front().remedy);
  ChildReply reply;
  const Outcome outcome = converse(*child, question, deadline, reply.answer);
  const std::string ending = outcome == Outcome::answered ? child->reap() : child->end();
  if (outcome == Outcome::cancelled) return without(End::cancelled, doing + " was cancelled");
  if (outcome == Outcome::late)
    return without(
        End::late,
        fmt::format("timeout: {} was stopped after {} s", doing, static_cast<double>(deadline.limit.count()) / 1e3),
        "check for an endless loop or a barrier that never completes, or raise the timeout");
  if (reply.answer.empty())
    return without(End::died, fmt::format("the process of {} {} without an answer", doing, ending));
  return reply;
}

int answer_parent(const std::function<Bytes(const Bytes&)>& answer, int in_fd, int out_fd) {
  const int answer_fd = take_answer_stream(out_fd);
  return answer_fd >= 0 && write_all(answer_fd, answer(read_all(in_fd))) ? 0 : 1;
}

}  // namespace lanescope
