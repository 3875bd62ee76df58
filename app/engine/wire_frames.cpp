#include <fmt/format.h>

#include <algorithm>

#include "app/engine/wire.h"

namespace lanescope::engine::wire {
namespace {

constexpr std::size_t head_bytes = 5;
constexpr Kind kinds[] = {Kind::hello,   Kind::run,       Kind::moment,     Kind::annotate, Kind::cancel,
                          Kind::summary, Kind::moment_is, Kind::annotation, Kind::progress, Kind::refused};

}  // namespace

bool is_known(std::uint8_t kind) {
  return std::ranges::any_of(kinds, [&](Kind k) { return static_cast<std::uint8_t>(k) == kind; });
}

Bytes pack(const Frame& frame) {
  const auto length = static_cast<std::uint32_t>(frame.payload.size());
  Bytes out;
  out.reserve(head_bytes + frame.payload.size());
  for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<std::uint8_t>(length >> shift));
  out.push_back(static_cast<std::uint8_t>(frame.kind));
  out.insert(out.end(), frame.payload.begin(), frame.payload.end());
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
  if (!is_known(head[4]))
    broken_ = fmt::format("a frame is of the unknown kind {}", head[4]);
  else if (length > most_payload_bytes)
    broken_ = fmt::format("a frame of {} bytes is longer than the {} that are allowed", length, most_payload_bytes);
  if (!broken_.empty() || have < head_bytes + length) return std::nullopt;
  Frame frame{static_cast<Kind>(head[4]), Bytes(head + head_bytes, head + head_bytes + length)};
  begin_ += head_bytes + length;
  return frame;
}

}  // namespace lanescope::engine::wire
