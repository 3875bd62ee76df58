#pragma once
// Payloads made smaller (Zstandard). Both ends agree on it in their first frames; a pipe within one machine does without.

#include <span>
#include <string_view>

#include "app/engine/wire/messages.h"

namespace lanescope::engine::wire {

inline constexpr std::string_view compression_name = "zstd";
/// Shorter payloads travel as they are.
inline constexpr std::size_t least_compressed_bytes = 4096;

/// Empty where it would not become smaller.
Bytes compressed(std::span<const std::uint8_t> payload);

/// What was compressed. Error: the bytes are damaged, do not say how long they become, or become longer than
/// `most_bytes`; nothing is allocated before that is known.
Expected<Bytes> decompressed(std::span<const std::uint8_t> payload, std::size_t most_bytes = most_payload_bytes);

}  // namespace lanescope::engine::wire
