#pragma once
// What a buffer holds after a run, against what the launch header says it should hold.

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "kernels/base/diagnostic.h"
#include "kernels/source/source.h"

namespace lanescope::engine {

/// Output::difference: "element (3,1) is 5, where 7 was expected; 12 of 4096 elements differ". Error: the expected contents
/// cannot be read.
Expected<std::optional<std::string>> judge_expectation(const source::Source& source, const source::BufferSpec& buffer,
                                                       std::span<const std::byte> bytes, const std::string& directory);

}  // namespace lanescope::engine
