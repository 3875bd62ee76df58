#pragma once

#include <cstdint>

namespace lanescope::results {

/// One element-sized part of one register in one lane.
struct Cell {
  std::uint32_t value = 0;    ///< right-aligned bits
  std::uint32_t element = 0;  ///< number of the element in its buffer
  std::int8_t buffer = -1;
  std::uint8_t kind = 0;  ///< trace::ElementTag::Kind
  bool defined = false, changed = false;
  std::uint16_t sources = 0;  ///< distinct elements it depends on
  std::int32_t set = -1;      ///< which ones, if several: into Moment::sets, or Movement::sets
};

}  // namespace lanescope::results
