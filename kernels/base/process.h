#pragma once
// Child processes and what goes to and from them: one message each way and an end (converse), or many (frames). Most
// callers have one question for a child: ask_child.h.

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/base/patience.h"

namespace lanescope {

using Bytes = std::vector<std::uint8_t>;

/// Everything up to the end of the stream.
Bytes read_all(int fd);
bool write_all(int fd, const Bytes& bytes);

/// A frame: four bytes of length, little-endian, then that many bytes. Nothing at the end of the stream, for a frame
/// that is cut off and for one longer than frame_limit_bytes.
std::optional<Bytes> read_frame(int fd);
bool write_frame(int fd, const Bytes& bytes);
inline constexpr std::uint32_t frame_limit_bytes = 1u << 31;

/// The child's side: another descriptor of `out_fd` for answers alone; what libraries print to `out_fd` from now on goes
/// to standard error. -1 where there is none.
int take_answer_stream(int out_fd);

/// A running child with its standard streams in our hands; standard error is ours. Killed when this ends.
class Process {
 public:
  Process() = default;
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Starts `command` (command[0] is looked up in PATH unless it holds a slash); returns why it cannot, or "".
  std::string start(const std::vector<std::string>& command);
  bool running() const { return pid_ > 0; }

  /// What is not `answered` leaves the child in a state that only kill() ends.
  enum class Outcome : std::uint8_t {
    answered,
    ended,      ///< it closed its stream before a whole frame had come
    late,       ///< the limit of our patience is over
    cancelled,  ///< its flag was set, before or meanwhile
  };
  /// Writes `request` and closes that end, then reads until the child closes its own. Never `ended`.
  Outcome converse(const Bytes& request, const Patience& patience, Bytes& answer);
  /// One frame there, one frame back; the child goes on.
  Outcome exchange(const Bytes& request, const Patience& patience, Bytes& answer);

  void kill() const;
  /// Waits for its end and tells it: "left with status 7 and no answer".
  std::string ending();

 private:
  using Clock = std::chrono::steady_clock;
  struct Waiting {
    Clock::time_point end;
    const Patience& patience;
  };
  std::optional<Outcome> move(const Bytes& out, std::size_t& sent, Bytes& in, const Waiting& waiting);
  void close_streams();

  pid_t pid_ = -1;
  int to_ = -1, from_ = -1;
};

}  // namespace lanescope
