#pragma once
// Requests to a child process and its answers, with a time limit: one and the end of the streams (converse), or one of
// many (exchange).

#include <cstdint>

#include "kernels/base/deadline.h"
#include "kernels/base/process.h"

namespace lanescope {

/// What is not `answered` leaves the child in a state in which only Process::end() is of use.
enum class Outcome : std::uint8_t {
  answered,
  ended,      ///< it closed its stream before a whole frame had come
  late,       ///< the time limit is over
  cancelled,  ///< the flag was set, before or meanwhile
};

/// Writes `request` and closes that end, then reads until the child closes its own. Never `ended`.
Outcome converse(Process& child, const Bytes& request, const Deadline& deadline, Bytes& answer);
/// One frame there, one frame back; the child continues to run.
Outcome exchange(Process& child, const Bytes& request, const Deadline& deadline, Bytes& answer);

/// The child's side, at its start: this process ends soon after the last reader of `fd` has gone, during any work. Without
/// effect where `fd` is no pipe.
void end_with_reader(int fd);
/// The child's side: another descriptor of `out_fd` for answers alone; what libraries print to `out_fd` from now on goes
/// to standard error. -1 where there is none.
int take_answer_stream(int out_fd);

}  // namespace lanescope
