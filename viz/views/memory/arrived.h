#pragma once
// Which elements a store has put into the words of a buffer, in words.

#include <cstdint>
#include <string>
#include <vector>

#include "viz/views/base/elements.h"

namespace lanescope::views {

/// What arrived in one word of a buffer with this step's store; none where it did not write there.
std::vector<const results::ArrivedCell*> arrived_in_word(const Moment& moment, int buffer, std::uint64_t word);

/// "q[0..31] holds p[31..0]", one for each run of elements in equal strides; at most `most`, then how many more.
std::vector<std::string> arrived_words(const Summary& summary, const Moment& moment, int buffer, std::size_t most = 3);

}  // namespace lanescope::views
