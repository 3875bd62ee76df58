#pragma once
// Launches and buffers as JSON, for requests that travel to child processes (as CBOR, so that bytes stay bytes).

#include <nlohmann/json.hpp>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/trace/launch.h"

namespace lanescope::gpu::wire {

nlohmann::json binary(const std::vector<std::byte>& bytes);
nlohmann::json to_json(const trace::Dim3& d);
nlohmann::json to_json(const std::vector<trace::Launch>& launches);
nlohmann::json to_json(const std::vector<trace::Buffer>& buffers);  ///< names and contents
nlohmann::json to_json(const Diagnostics& diagnostics);             ///< messages and remedies

// These throw nlohmann::json::exception for the wrong shape.
std::vector<std::byte> bytes_of(const nlohmann::json& j);
trace::Dim3 dim_of(const nlohmann::json& j);
std::vector<trace::Launch> launches_of(const nlohmann::json& j);
std::vector<trace::Buffer> buffers_of(const nlohmann::json& j);
Diagnostics diagnostics_of(const nlohmann::json& j);

/// Error: a launch names a buffer that is not there.
Expected<void> check(const std::vector<trace::Launch>& launches, const std::vector<trace::Buffer>& buffers);

}  // namespace lanescope::gpu::wire
