#pragma once
// Short English words that occur in comments at places where a name could be.

#include <string_view>

namespace lanescope {

/// "is", "of", "The": more than one letter, in capitals or not. One letter may always be a name.
bool is_english(std::string_view word);

}  // namespace lanescope
