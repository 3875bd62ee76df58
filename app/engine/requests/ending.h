#pragma once

#include <cstdint>

namespace lanescope::engine {

/// How a run ended, for whoever has to answer with one word.
enum class Ending : std::uint8_t {
  good,         ///< ran to the end, and every expected result is there
  unexpected,   ///< ran to the end; a buffer is not what the header expects
  faulted,      ///< the kernel did something that is a fault on a GPU
  bad_input,    ///< a mistake in the file, its header or its code
  cannot_here,  ///< nothing is known to be wrong, but this engine or machine cannot run it
  cancelled,
};

}  // namespace lanescope::engine
