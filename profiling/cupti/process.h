#pragma once
// Child processes and what goes to and from them: one message each way and an end (converse), or many (frames).

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::cupti {

using Bytes = std::vector<std::uint8_t>;
using Clock = std::chrono::steady_clock;

/// Everything up to the end of the stream.
Bytes read_all(int fd);
bool write_all(int fd, const Bytes& bytes);

/// A frame: four bytes of length, little-endian, then that many bytes. Nothing at the end of the stream, for a frame
/// that is cut off and for one longer than frame_limit.
std::optional<Bytes> read_frame(int fd);
bool write_frame(int fd, const Bytes& bytes);
inline constexpr std::uint32_t frame_limit = 1u << 31;

/// A running child with its standard streams in our hands; standard error is ours. Ended when this ends.
class Process {
 public:
  Process() = default;
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Starts `command`; returns why it cannot, or "".
  std::string start(const std::vector<std::string>& command);
  bool running() const { return pid_ > 0; }
  /// Writes `request` and closes that end, then reads until the child closes its own; false when the time is up.
  bool converse(const Bytes& request, Clock::time_point end, Bytes& answer);
  enum class Outcome : std::uint8_t { answered, ended, late };
  /// One frame there, one frame back; the child goes on.
  Outcome exchange(const Bytes& request, Clock::time_point end, Bytes& answer);
  void kill();
  /// Waits for its end and tells it: "left with status 7 and no answer".
  std::string ending();

 private:
  enum class Moved : std::uint8_t { some, end, late };
  Moved move(const Bytes& out, std::size_t& sent, Bytes& in, Clock::time_point end);
  void close_streams();

  pid_t pid_ = -1;
  int to_ = -1, from_ = -1;
};

}  // namespace lanescope::cupti
