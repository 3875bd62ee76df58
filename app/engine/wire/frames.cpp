#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <array>

#include "app/engine/wire/messages.h"

namespace lanescope::engine::wire {
namespace {

constexpr std::uint8_t compressed_flag = 128;

/// Columns of small numbers shrink about as well as at higher levels, in a third of the time.
constexpr int level = 1;

constexpr std::array<std::uint8_t, 21> mark = {0x89, 'l', 'a', 'n', 'e', 's', 'c',  'o',  'p',  'e', ' ',
                                               'w',  'o', 'r', 'k', 'e', 'r', '\r', '\n', 0x1a, '\n'};
/// Of the mark, up to its line ends.
constexpr std::size_t name_bytes = 17;
constexpr std::size_t shown_bytes = 200;

}  // namespace

bool is_known(std::uint8_t byte) {
  const auto kind = static_cast<Kind>(byte);
  return kind == Kind::hello || kind == Kind::message;
}

FrameReader::FrameReader()
    : frames_(most_payload_bytes,
              [](std::uint8_t byte) { return is_known(static_cast<std::uint8_t>(byte & ~compressed_flag)); }) {}

Bytes pack(const Frame& frame, bool compress) {
  Bytes smaller;
  if (compress && frame.payload.size() >= least_compressed_bytes) smaller = compressed(frame.payload);
  const auto kind = static_cast<std::uint8_t>(frame.kind);
  if (smaller.empty()) return packed_frame(kind, frame.payload);
  return packed_frame(static_cast<std::uint8_t>(kind | compressed_flag), smaller);
}

std::optional<Frame> FrameReader::next() {
  if (!broken_.empty()) return std::nullopt;
  auto read = frames_.next();
  if (!read) return std::nullopt;
  Frame frame{static_cast<Kind>(read->kind & ~compressed_flag), std::move(read->payload)};
  if (read->kind & compressed_flag) {
    auto whole = decompressed(frame.payload);
    if (!whole) return broken_ = whole.error().front().message, std::nullopt;
    frame.payload = std::move(*whole);
  }
  return frame;
}

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

std::span<const std::uint8_t> start_mark() { return mark; }

Bytes GreetingFinder::feed(std::span<const std::uint8_t> bytes) {
  if (found_) return {bytes.begin(), bytes.end()};
  if (!broken_.empty()) return {};
  seen_.insert(seen_.end(), bytes.begin(), bytes.end());
  const auto at = std::search(seen_.begin(), seen_.end(), mark.begin(), mark.end());
  if (at != seen_.end()) {
    found_ = true;
    Bytes rest(at + mark.size(), seen_.end());
    seen_.erase(at, seen_.end());
    return rest;
  }
  const auto name = std::search(seen_.begin(), seen_.end(), mark.begin(), mark.begin() + name_bytes);
  if (seen_.end() - name >= static_cast<std::ptrdiff_t>(mark.size()))
    broken_ = "a terminal in the connection changes line ends; do not use ssh -t";
  else if (seen_.size() > most_noise_bytes)
    broken_ = fmt::format("{} KiB were received without the greeting of a worker", most_noise_bytes >> 10);
  return {};
}

std::string GreetingFinder::noise() const {
  std::string out;
  const std::size_t from = seen_.size() > shown_bytes ? seen_.size() - shown_bytes : 0;
  for (std::size_t i = from; i < seen_.size(); ++i) {
    const bool printable = seen_[i] >= ' ' && seen_[i] < 0x7f;
    if (printable)
      out += static_cast<char>(seen_[i]);
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

}  // namespace lanescope::engine::wire
