#pragma once
// A measurement in a separate process: a kernel that faults, a library that fails or interfaces that interfere with
// each other affect only that process.
//
// The child reads one Request from its standard input and writes one answer to its standard output, both CBOR (so that
// buffers and PTX travel as bytes), then ends. Output of a library is standard error. For many measurements
// of a kernel that changes there is a child that stays: live.h.

#include "kernels/base/deadline.h"
#include "kernels/base/frames.h"
#include "profiling/cupti/activity.h"
#include "profiling/cupti/instructions.h"
#include "profiling/cupti/stalls.h"

namespace lanescope::cupti {

/// The whole of the child's main(): performs the request's `what`. Returns its exit status, 0 if the answer was written
/// (errors are answers too).
int measure_child(int in_fd = 0, int out_fd = 1);

// Each starts `command` (which must end up in measure_child), gives it the request, waits for the answer; `what` is set
// as the name says. Instructions are counted by a child for each kernel that is launched, and each has the whole limit.
// Errors: those of the measurement; a child that died, with its last words; one that took longer than the limit, or
// whose answer is no longer needed ("the measurement was cancelled"): it is killed at once.
Expected<Measurement> measure_in_child(const std::vector<std::string>& command, const Request& request,
                                       const Deadline& deadline = std::chrono::seconds(120));
Expected<SassReport> count_instructions_in_child(const std::vector<std::string>& command, const Request& request,
                                                 const Deadline& deadline = std::chrono::seconds(120));
Expected<StallReport> sample_stalls_in_child(const std::vector<std::string>& command, const Request& request,
                                             const Deadline& deadline = std::chrono::seconds(120));
Expected<ActivityReport> record_activity_in_child(const std::vector<std::string>& command, const Request& request,
                                                  const Deadline& deadline = std::chrono::seconds(120));

// Encoding; a round trip is the identity.
Bytes encode(const Request& request);
Expected<Request> decode_request(const Bytes& bytes);
Bytes encode(const Expected<Measurement>& answer);
Expected<Measurement> decode_answer(const Bytes& bytes);
Bytes encode(const Expected<SassReport>& answer);
Expected<SassReport> decode_instructions(const Bytes& bytes);
Bytes encode(const Expected<StallReport>& answer);
Expected<StallReport> decode_stalls(const Bytes& bytes);
Bytes encode(const Expected<ActivityReport>& answer);
Expected<ActivityReport> decode_activity(const Bytes& bytes);

}  // namespace lanescope::cupti
