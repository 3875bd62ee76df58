#include "kernels/base/ask_child.h"

#include <fmt/format.h>
#include <unistd.h>

#include "kernels/base/process.h"

namespace lanescope {

ChildReply ask_child(const std::vector<std::string>& command, const std::vector<std::uint8_t>& question,
                     const std::string& doing, const Patience& patience) {
  using End = ChildReply::End;
  const auto without = [](End end, std::string message, std::string remedy = {}) {
    return ChildReply{
        .end = end, .answer = {}, .problem = {.file = {}, .message = std::move(message), .remedy = std::move(remedy)}};
  };
  if (command.empty()) return without(End::not_started, doing + " needs a program, and none was named");
  if (patience.over()) return without(End::cancelled, doing + " was cancelled");
  Process child;
  if (std::string why = child.start(command); !why.empty()) return without(End::not_started, std::move(why));
  ChildReply reply;
  const Process::Outcome outcome = child.converse(question, patience, reply.answer);
  if (outcome != Process::Outcome::answered) child.kill();
  const std::string ending = child.ending();
  if (outcome == Process::Outcome::cancelled) return without(End::cancelled, doing + " was cancelled");
  if (outcome == Process::Outcome::late)
    return without(
        End::late,
        fmt::format("{} took longer than {} s and was ended", doing, static_cast<double>(patience.limit.count()) / 1e3),
        "look for a loop or a barrier that never ends, or raise the time limit");
  if (reply.answer.empty()) return without(End::died, fmt::format("the process of {} {}", doing, ending));
  return reply;
}

int answer_parent(const std::function<std::vector<std::uint8_t>(const std::vector<std::uint8_t>&)>& answer, int in_fd,
                  int out_fd) {
  const int answer_fd = take_answer_stream(out_fd);
  return answer_fd >= 0 && write_all(answer_fd, answer(read_all(in_fd))) ? 0 : 1;
}

}  // namespace lanescope
