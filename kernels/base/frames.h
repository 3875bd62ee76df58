#pragma once
// Messages on a stream of bytes. A frame: four bytes of length (little-endian, of the payload), one byte of kind, the
// payload. The two ends define the kinds.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lanescope {

using Bytes = std::vector<std::uint8_t>;

struct Frame {
  std::uint8_t kind = 0;
  Bytes payload;
};

inline constexpr std::size_t frame_head_bytes = 5;
inline constexpr std::size_t frame_limit_bytes = std::size_t{1} << 31;

Bytes packed_frame(std::uint8_t kind, std::span<const std::uint8_t> payload);

/// Cuts a stream of bytes into frames.
class FrameCutter {
 public:
  /// `is_known`: kinds that the stream may have; nullptr: all.
  explicit FrameCutter(std::size_t most_payload_bytes = frame_limit_bytes, bool (*is_known)(std::uint8_t) = nullptr)
      : most_payload_bytes_(most_payload_bytes), is_known_(is_known) {}
  void feed(std::span<const std::uint8_t> bytes);
  /// The next whole frame; nullopt when more bytes are needed or the stream is broken.
  std::optional<Frame> next();
  /// Why the stream cannot be read on; empty while it can.
  const std::string& broken() const { return broken_; }

 private:
  std::size_t most_payload_bytes_;
  bool (*is_known_)(std::uint8_t);
  Bytes waiting_;
  std::size_t begin_ = 0;
  std::string broken_;
};

/// The next payload of a blocking stream. Nothing at its end, for a frame that is cut off and for one that is too long.
std::optional<Bytes> read_frame(int fd);
bool write_frame(int fd, const Bytes& payload);

/// Everything up to the end of a blocking stream.
Bytes read_all(int fd);
bool write_all(int fd, const Bytes& bytes);

}  // namespace lanescope
