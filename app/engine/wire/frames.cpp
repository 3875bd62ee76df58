#include "app/engine/wire/compression.h"
#include "app/engine/wire/messages.h"

namespace lanescope::engine::wire {
namespace {

constexpr std::uint8_t compressed_flag = 128;

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

}  // namespace lanescope::engine::wire
