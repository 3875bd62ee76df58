#pragma once
// Launches in a process of their own: a kernel that faults poisons the CUDA context of its process, a kernel that hangs
// holds it. The child reads one request from standard input, writes one answer to standard output, both CBOR, and ends.

#include <string>
#include <vector>

#include "kernels/base/deadline.h"
#include "kernels/base/frames.h"
#include "kernels/gpu/gpu.h"

namespace lanescope::gpu {

struct ChildRequest {
  std::string ptx;
  std::vector<trace::Launch> launches;
  std::vector<trace::Buffer> buffers;  ///< initial contents
  RunOptions options{};
};
struct ChildAnswer {
  DeviceInfo device;
  RunResult result;
  std::vector<trace::Buffer> buffers;  ///< names and contents after the launches; empty after a fault
};

/// The whole of the child's main(): returns its exit status, 0 when the answer was written (errors are answers too).
int run_child(int in_fd = 0, int out_fd = 1);

/// Starts `command` (which must end up in run_child), gives it the request, waits for the answer. A child that dies or
/// that has to be killed after the limit of `deadline` is a fault of the launch. Errors: those of run(), a child that
/// does not start, and a run that was cancelled, whose child is killed at once.
Expected<ChildAnswer> run_in_child(const std::vector<std::string>& command, const ChildRequest& request,
                                   const Deadline& deadline);

// Encoding; a round trip is the identity.
Bytes encode(const ChildRequest& request);
Expected<ChildRequest> decode_request(const Bytes& bytes);
Bytes encode(const Expected<ChildAnswer>& answer);
Expected<ChildAnswer> decode_answer(const Bytes& bytes);

}  // namespace lanescope::gpu
