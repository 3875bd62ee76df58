#pragma once
// Numbers in words, as every sentence and every view writes them.

#include <cstdint>
#include <string>
#include <string_view>

namespace lanescope {

/// "16 384"; thousands spaced with a no-break space.
std::string spaced(std::uint64_t number);
/// "1 sector", "4 sectors".
std::string counted(std::uint64_t number, std::string_view singular);
/// "16 384", "3.25", "0.125": integers in full, others with three significant digits.
std::string number_text(double value);

/// "40 s", "3 min", "2 h 5 min": rounded, for a sentence.
std::string duration_words(double seconds);

}  // namespace lanescope
