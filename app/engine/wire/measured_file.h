#pragma once
// A measurement as a file: JSON that `lanescope measure` writes on a machine with a GPU and that views draw anywhere.

#include <string>
#include <string_view>

#include "kernels/base/diagnostic.h"
#include "results/measured.h"

namespace lanescope::engine {

struct MeasuredFile {
  std::string file{}, kernel{};  ///< what was measured
  results::Measured measured{};
};
/// Reading what was written is the identity.
std::string to_text(const MeasuredFile& measured);
/// Error: no JSON, another kind of file, or of a newer version.
Expected<MeasuredFile> parse_measured_file(std::string_view text, const std::string& path);

/// Bandwidth of the memory of a GPU by the name that its driver gives it; 0 where the table does not have it.
double bandwidth_limit_gb_per_s(const std::string& device);

}  // namespace lanescope::engine
