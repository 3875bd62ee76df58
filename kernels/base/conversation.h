#pragma once
// Requests to a child process and its answers, with a time limit: one and the end of the streams (converse), or one of
// many (exchange).

#include <cstdint>

#include "kernels/base/deadline.h"
#include "kernels/base/process.h"

namespace lanescope {

/// After any other outcome than `answered` only Process::end() may be called.
enum class Outcome : std::uint8_t {
  answered,
  ended,      ///< it closed its stream before a whole frame had arrived
  late,       ///< the time limit is over
  cancelled,  ///< the flag was set, before or meanwhile
};

/// Writes `request` and closes that end, then reads until the child closes its own. Never `ended`.
Outcome converse(Process& child, const Bytes& request, const Deadline& deadline, Bytes& answer);
/// One frame there, one frame back; the child continues to run.
Outcome exchange(Process& child, const Bytes& request, const Deadline& deadline, Bytes& answer);

/// The child's side, at its start: this process ends soon after the last reader of `fd` has closed it, during any work.
/// Without effect if `fd` is no pipe.
void end_with_reader(int fd);
/// The child's side: a new descriptor of `out_fd`, for answers only; from now on `out_fd` is standard error, so output
/// of libraries is no part of an answer. -1 on failure.
int take_answer_stream(int out_fd);

}  // namespace lanescope
