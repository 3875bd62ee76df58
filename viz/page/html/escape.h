#pragma once
// Text that is written into HTML and into the JSON beside it.

#include <string>
#include <string_view>

namespace lanescope::page {

/// Text of an element or of an attribute in double or single quotes. Invalid UTF-8, characters that HTML excludes and
/// bidirectional marks become U+FFFD.
std::string escaped(std::string_view text);
/// A string of JSON with its quotes, without `<`: it cannot end the script that it is in.
std::string json_text(std::string_view text);
/// Two decimals at most, without trailing zeros.
std::string number(float value);

}  // namespace lanescope::page
