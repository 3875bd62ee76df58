#pragma once
// A measurement in a process of its own: a kernel that faults, a library that misbehaves or an interface that does not
// like what was used before it costs that process only.
//
// The child reads one Request from its standard input and writes one answer to its standard output, both CBOR (so that
// buffers and PTX travel as bytes), then ends. Whatever a library prints goes to standard error.

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "profiling/cupti/cupti.h"

namespace lanescope::cupti {

/// The whole of the child's main(): returns its exit status, 0 when the answer was written (errors are answers too).
int measure_child(int in_fd = 0, int out_fd = 1);

/// Starts `command` (which must end up in measure_child), gives it the request, waits for the answer. Errors: those of
/// measure(); a child that died, with its last words; one that took longer than `limit`, which is killed.
Expected<Measurement> measure_in_child(const std::vector<std::string>& command, const Request& request,
                                       std::chrono::seconds limit = std::chrono::seconds(120));

// What travels; a round trip is the identity.
std::vector<std::uint8_t> encode(const Request& request);
Expected<Request> decode_request(const std::vector<std::uint8_t>& bytes);
std::vector<std::uint8_t> encode(const Expected<Measurement>& answer);
Expected<Measurement> decode_answer(const std::vector<std::uint8_t>& bytes);

}  // namespace lanescope::cupti
