#include "kernels/base/process.h"

#include <fmt/format.h>

#include "kernels/base/conversation.h"

namespace lanescope {

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
