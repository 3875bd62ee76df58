#include <fmt/format.h>

#include <algorithm>

#include "app/engine/wire.h"
#include "app/engine/wire_compression.h"

namespace lanescope::engine::wire {
namespace {

constexpr std::size_t head_bytes = 5;
constexpr std::uint8_t compressed_flag = 128;
constexpr Kind kinds[] = {Kind::hello,       Kind::run,       Kind::moment,     Kind::annotate,    Kind::cancel,
                          Kind::summary,     Kind::moment_is, Kind::annotation, Kind::progress,    Kind::refused,
                          Kind::run_whole,   Kind::result,    Kind::caps,       Kind::caps_are,    Kind::measure,
                          Kind::measured_is, Kind::live,      Kind::contents,   Kind::contents_are};

}  // namespace

bool is_known(std::uint8_t kind) {
  return std::ranges::any_of(kinds, [&](Kind k) { return static_cast<std::uint8_t>(k) == kind; });
}

Bytes pack(const Frame& frame, bool compress) {
  Bytes smaller;
  if (compress && frame.payload.size() >= least_compressed_bytes) smaller = compressed(frame.payload);
  const Bytes& payload = smaller.empty() ? frame.payload : smaller;
  const auto length = static_cast<std::uint32_t>(payload.size());
  Bytes out;
  out.reserve(head_bytes + payload.size());
  for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<std::uint8_t>(length >> shift));
  out.push_back(
      static_cast<std::uint8_t>(static_cast<std::uint8_t>(frame.kind) | (smaller.empty() ? 0 : compressed_flag)));
  out.insert(out.end(), payload.begin(), payload.end());
  return out;
}

void FrameReader::feed(std::span<const std::uint8_t> bytes) {
  if (!broken_.empty()) return;
  if (begin_ > 0) {
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(begin_));
    begin_ = 0;
  }
  waiting_.insert(waiting_.end(), bytes.begin(), bytes.end());
}

std::optional<Frame> FrameReader::next() {
  const std::size_t have = waiting_.size() - begin_;
  if (!broken_.empty() || have < head_bytes) return std::nullopt;
  const std::uint8_t* head = waiting_.data() + begin_;
  std::size_t length = 0;
  for (std::size_t i = 0; i < 4; ++i) length |= static_cast<std::size_t>(head[i]) << (8 * i);
  const bool is_compressed = head[4] & compressed_flag;
  const auto kind = static_cast<std::uint8_t>(head[4] & ~compressed_flag);
  if (!is_known(kind))
    broken_ = fmt::format("a frame is of the unknown kind {}", kind);
  else if (length > most_payload_bytes)
    broken_ = fmt::format("a frame of {} bytes is longer than the {} that are allowed", length, most_payload_bytes);
  if (!broken_.empty() || have < head_bytes + length) return std::nullopt;
  const std::span<const std::uint8_t> payload{head + head_bytes, length};
  begin_ += head_bytes + length;
  if (!is_compressed) return Frame{static_cast<Kind>(kind), Bytes(payload.begin(), payload.end())};
  auto whole = decompressed(payload);
  if (!whole) {
    broken_ = whole.error().front().message;
    return std::nullopt;
  }
  return Frame{static_cast<Kind>(kind), std::move(*whole)};
}

}  // namespace lanescope::engine::wire
