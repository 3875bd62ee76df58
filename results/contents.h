#pragma once
// Contents of a buffer, as text: before the launches, after them in the emulator, after them on the GPU.

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::results {

/// In place of a value after the launches that no block changed, where not all blocks ran.
inline constexpr const char* not_computed = "unchanged";

/// A range of elements of one buffer. Columns are as long as `count`, or empty where they are not known.
struct Contents {
  std::string name, element_type;
  int buffer = -1;  ///< index in Summary::buffers; -1: no such buffer
  std::uint64_t first = 0, count = 0, elements = 0;
  std::vector<std::string> before, emulated, gpu;
  std::uint64_t different = 0;  ///< elements of the whole buffer in which GPU and emulator differ
  std::int64_t first_different = -1;
  std::string partial{};      ///< not empty: not all blocks ran, and how many did
  std::uint64_t written = 0;  ///< elements of the whole buffer whose value the launches changed
};

}  // namespace lanescope::results
