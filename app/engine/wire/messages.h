#pragma once
// What crosses the pipe between a channel and its worker: frames (kernels/base/frames.h) of three kinds, plus 128 where the
// payload is compressed. A payload is a message as CBOR (kernels/codec). All input is checked: a frame that is too
// long, of no known kind or of the wrong shape is refused in words and nothing of it is used.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/engine/requests/questions.h"
#include "kernels/base/frames.h"

namespace lanescope::engine::wire {

/// Both ends must agree; a worker says its version in its first frame.
inline constexpr int version = 13;
inline constexpr std::size_t most_payload_bytes = std::size_t{256} << 20;

using lanescope::Bytes;

enum class Kind : std::uint8_t {
  hello = 1,    ///< each end, first: Hello; the worker begins (after the mark of greeting.h)
  message = 2,  ///< to the worker: Call; from the worker: Event
};
bool is_known(std::uint8_t byte);

struct Frame {
  Kind kind = Kind::hello;
  Bytes payload;
};
/// `compress`: only where the other end said that it can read it (Hello::compression).
Bytes pack(const Frame& frame, bool compress = false);

/// Cuts a stream of bytes into frames.
class FrameReader {
 public:
  FrameReader();
  void feed(std::span<const std::uint8_t> bytes) { frames_.feed(bytes); }
  /// The next whole frame; nullopt when more bytes are needed or the stream is broken.
  std::optional<Frame> next();
  /// Why the stream cannot be read on; empty while it can.
  const std::string& broken() const { return broken_.empty() ? frames_.broken() : broken_; }

 private:
  FrameCutter frames_;
  std::string broken_;
};

struct Hello {
  int version = wire::version;
  std::string program;      ///< "lanescope 0.1.0"
  std::string compression;  ///< what this end can read and needs: "zstd"; empty: none
};
/// What is wrong with the other end's greeting, naming both versions and the remedy; empty where both agree.
std::string disagreement(const Hello& theirs, const Hello& ours);

/// A question, or the end of the one with this ticket.
struct Call {
  Ticket ticket = 0;
  std::optional<AnyQuestion> question;
};
/// Between an engine and its child that judges on a GPU; no frame carries it.
struct Judged {
  Diagnostics refused{};                       ///< why nothing was judged
  std::vector<claims::ClaimResult> results{};  ///< one per claim of the source
  std::vector<results::Notice> notices{};      ///< buffers that keep their contents, launches left out
};

// encode and decode exist for the messages above, Event, RunRequest, MomentRequest, JourneyRequest, and what a run yields.
template <class Message>
Bytes encode(const Message& message);
template <class Message>
Expected<Message> decode(std::span<const std::uint8_t> payload);

}  // namespace lanescope::engine::wire
