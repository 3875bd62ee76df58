#pragma once
// Compression of the streams of a PDF file (zlib's format).

#include <string>

namespace lanescope::paint {

/// `text`: below 2 GB.
std::string deflated(std::string text);

}  // namespace lanescope::paint
