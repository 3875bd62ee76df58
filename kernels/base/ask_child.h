#pragma once
// One question to a process of its own, one answer: what a kernel, a driver or a library does there costs that process
// only. The child reads its whole standard input, writes its answer to standard output and ends; its standard error is
// ours.

#include <functional>
#include <string>
#include <vector>

#include "kernels/base/deadline.h"
#include "kernels/base/diagnostic.h"
#include "kernels/base/frames.h"

namespace lanescope {

struct ChildReply {
  enum class End : std::uint8_t { answered, not_started, died, late, cancelled };
  End end = End::answered;
  Bytes answer;
  Diagnostic problem{};  ///< where it did not answer
};

/// Starts `command` (command[0] is looked up in PATH unless it holds a slash), gives it `question`, waits for the answer
/// and kills it when the deadline has passed: at once where its flag is set (beforehand: nothing is started). `doing` goes
/// into sentences: "the measurement".
ChildReply ask_child(const std::vector<std::string>& command, const Bytes& question, const std::string& doing,
                     const Deadline& deadline);

/// The child's side: its exit status, 0 when the answer was written. What libraries print moves to standard error.
int answer_parent(const std::function<Bytes(const Bytes&)>& answer, int in_fd = 0, int out_fd = 1);

}  // namespace lanescope
