#include "app/engine/wire/compression.h"

#include <fmt/format.h>
#include <zstd.h>

namespace lanescope::engine::wire {
namespace {

/// Columns of small numbers shrink about as well as at higher levels, in a third of the time.
constexpr int level = 1;

}  // namespace

Bytes compressed(std::span<const std::uint8_t> payload) {
  Bytes out(ZSTD_compressBound(payload.size()));
  const std::size_t bytes = ZSTD_compress(out.data(), out.size(), payload.data(), payload.size(), level);
  if (ZSTD_isError(bytes) || bytes >= payload.size()) return {};
  out.resize(bytes);
  return out;
}

Expected<Bytes> decompressed(std::span<const std::uint8_t> payload, std::size_t most_bytes) {
  const unsigned long long bytes = ZSTD_getFrameContentSize(payload.data(), payload.size());
  if (bytes == ZSTD_CONTENTSIZE_ERROR || bytes == ZSTD_CONTENTSIZE_UNKNOWN)
    return failure("a compressed message does not state its size");
  if (bytes > most_bytes)
    return failure(fmt::format("a compressed message expands to {} bytes; {} are allowed", bytes, most_bytes));
  Bytes out(static_cast<std::size_t>(bytes));
  const std::size_t got = ZSTD_decompress(out.data(), out.size(), payload.data(), payload.size());
  if (ZSTD_isError(got) || got != out.size()) return failure("a compressed message is damaged");
  return out;
}

}  // namespace lanescope::engine::wire
