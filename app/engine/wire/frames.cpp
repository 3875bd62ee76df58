#include "app/engine/wire/compression.h"
#include "app/engine/wire/messages.h"
#include "kernels/base/enum_size.h"

namespace lanescope::engine::wire {
namespace {

constexpr std::uint8_t compressed_flag = 128;
constexpr std::size_t ticket_bytes = 8;

static_assert(question_count == enum_size<Question>);

std::optional<Question> numbered(Kind kind, Kind first) {
  const int number = static_cast<int>(kind) - static_cast<int>(first);
  if (number < 0 || number >= static_cast<int>(question_count)) return std::nullopt;
  return static_cast<Question>(number);
}

}  // namespace

std::optional<Question> question_in(Kind kind) { return numbered(kind, Kind::question); }
std::optional<Question> answer_in(Kind kind) { return numbered(kind, Kind::answer); }

bool is_known(std::uint8_t byte) {
  const auto kind = static_cast<Kind>(byte);
  return kind == Kind::hello || kind == Kind::cancel || kind == Kind::progress || kind == Kind::refused ||
         question_in(kind) || answer_in(kind);
}

FrameReader::FrameReader()
    : frames_(most_payload_bytes,
              [](std::uint8_t byte) { return is_known(static_cast<std::uint8_t>(byte & ~compressed_flag)); }) {}

Bytes pack(const Frame& frame, bool compress) {
  Bytes payload;
  if (frame.kind != Kind::hello)
    for (std::size_t i = 0; i < ticket_bytes; ++i)
      payload.push_back(static_cast<std::uint8_t>(frame.ticket >> (8 * i)));
  payload.insert(payload.end(), frame.payload.begin(), frame.payload.end());
  Bytes smaller;
  if (compress && payload.size() >= least_compressed_bytes) smaller = compressed(payload);
  const auto kind = static_cast<std::uint8_t>(frame.kind);
  if (smaller.empty()) return packed_frame(kind, payload);
  return packed_frame(static_cast<std::uint8_t>(kind | compressed_flag), smaller);
}

std::optional<Frame> FrameReader::next() {
  if (!broken_.empty()) return std::nullopt;
  auto read = frames_.next();
  if (!read) return std::nullopt;
  Frame frame{.kind = static_cast<Kind>(read->kind & ~compressed_flag), .ticket = 0, .payload = {}};
  Bytes payload = std::move(read->payload);
  if (read->kind & compressed_flag) {
    auto whole = decompressed(payload);
    if (!whole) return broken_ = whole.error().front().message, std::nullopt;
    payload = std::move(*whole);
  }
  if (frame.kind != Kind::hello) {
    if (payload.size() < ticket_bytes) return broken_ = "a message without its ticket", std::nullopt;
    for (std::size_t i = 0; i < ticket_bytes; ++i) frame.ticket |= std::uint64_t{payload[i]} << (8 * i);
    payload.erase(payload.begin(), payload.begin() + ticket_bytes);
  }
  frame.payload = std::move(payload);
  return frame;
}

}  // namespace lanescope::engine::wire
