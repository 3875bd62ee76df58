#pragma once
// What a buffer holds: "zeros", "random 7", "copy of p" in words, and its bytes.

#include <cstddef>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/source/model/buffer.h"

namespace lanescope::source {

/// Initial or expected bytes of a buffer; elements narrower than a byte are packed, low bits first. `directory` is where
/// relative .npy paths start; `others` resolves copy_of (the other buffer's initial bytes). A sha256 has no bytes: error.
Expected<std::vector<std::byte>> contents(const BufferSpec& buffer, const Contents& what, std::string_view directory);
Expected<std::vector<std::byte>> contents(const BufferSpec& buffer, const Contents& what, std::string_view directory,
                                          const std::vector<BufferSpec>& others);

/// The error carries a message and a remedy, no place.
Expected<Contents> contents_from_text(std::string_view text);

}  // namespace lanescope::source
