#pragma once
// Names of numbers that the headers of a CUDA Toolkit give host code: enumerators of the runtime and the driver API, and flags
// that are macros. Values: those that cuda.h and cuda_runtime_api.h of CUDA 13.0 have; they are part of the binary interface
// and do not change. The tests compare them with the headers where there are some.

#include <cstdint>
#include <span>
#include <string_view>

namespace lanescope::source::host {

struct Enumerator {
  std::string_view name;
  std::int32_t value = 0;
};
/// In the order of their names.
std::span<const Enumerator> cuda_enumerators();
/// nullptr: no such name.
const Enumerator* cuda_enumerator(std::string_view name);
/// Names of the types that have enumerators here.
std::span<const std::string_view> cuda_enumerations();

}  // namespace lanescope::source::host
