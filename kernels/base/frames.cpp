#include "kernels/base/frames.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace lanescope {
namespace {

std::array<std::uint8_t, frame_head_bytes> head_of(std::uint8_t kind, std::size_t payload_bytes) {
  std::array<std::uint8_t, frame_head_bytes> head{};
  for (std::size_t i = 0; i < 4; ++i) head[i] = static_cast<std::uint8_t>(payload_bytes >> (8 * i));
  head[4] = kind;
  return head;
}

std::size_t payload_bytes_of(const std::uint8_t* head) {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < 4; ++i) bytes |= std::size_t{head[i]} << (8 * i);
  return bytes;
}

bool read_exactly(int fd, std::uint8_t* into, std::size_t bytes) {
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t n = ::read(fd, into + done, bytes - done);
    if (n == 0 || (n < 0 && errno != EINTR)) return false;
    if (n > 0) done += static_cast<std::size_t>(n);
  }
  return true;
}

}  // namespace

Bytes packed_frame(std::uint8_t kind, std::span<const std::uint8_t> payload) {
  const auto head = head_of(kind, payload.size());
  Bytes out;
  out.reserve(head.size() + payload.size());
  out.insert(out.end(), head.begin(), head.end());
  out.insert(out.end(), payload.begin(), payload.end());
  return out;
}

void FrameCutter::feed(std::span<const std::uint8_t> bytes) {
  if (!broken_.empty()) return;
  if (begin_ > 0) {
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(begin_));
    begin_ = 0;
  }
  waiting_.insert(waiting_.end(), bytes.begin(), bytes.end());
}

std::optional<Frame> FrameCutter::next() {
  const std::size_t have = waiting_.size() - begin_;
  if (!broken_.empty() || have < frame_head_bytes) return std::nullopt;
  const std::uint8_t* head = waiting_.data() + begin_;
  const std::size_t length = payload_bytes_of(head);
  const std::uint8_t kind = head[4];
  if (is_known_ && !is_known_(kind))
    broken_ = fmt::format("a message has the unknown kind {}", kind);
  else if (length > most_payload_bytes_)
    broken_ = fmt::format("a message of {} bytes exceeds the limit of {}", length, most_payload_bytes_);
  if (!broken_.empty() || have < frame_head_bytes + length) return std::nullopt;
  begin_ += frame_head_bytes + length;
  return Frame{kind, Bytes(head + frame_head_bytes, head + frame_head_bytes + length)};
}

std::optional<Bytes> read_frame(int fd) {
  std::array<std::uint8_t, frame_head_bytes> head{};
  if (!read_exactly(fd, head.data(), head.size())) return std::nullopt;
  const std::size_t length = payload_bytes_of(head.data());
  if (length > frame_limit_bytes) return std::nullopt;
  Bytes bytes(length);
  if (!read_exactly(fd, bytes.data(), bytes.size())) return std::nullopt;
  return bytes;
}

bool write_frame(int fd, const Bytes& payload) {
  return payload.size() <= frame_limit_bytes && write_all(fd, packed_frame(0, payload));
}

Bytes read_all(int fd) {
  Bytes bytes;
  std::uint8_t chunk[1 << 16];
  for (;;) {
    const ssize_t n = ::read(fd, chunk, sizeof chunk);
    if (n > 0) bytes.insert(bytes.end(), chunk, chunk + n);
    if (n == 0 || (n < 0 && errno != EINTR)) return bytes;
  }
}

bool write_all(int fd, const Bytes& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::write(fd, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) done += static_cast<std::size_t>(n);
  }
  return true;
}

}  // namespace lanescope
