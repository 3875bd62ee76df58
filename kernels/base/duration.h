#pragma once

#include <string>

namespace lanescope {

/// "40 s", "3 min", "2 h 5 min": rounded, to go into a sentence.
std::string duration_words(double seconds);

}  // namespace lanescope
