#pragma once
// Messages between a channel and its worker: frames (kernels/base/frames.h) of three kinds, plus 128 where the
// payload is compressed. A payload is a message as CBOR (kernels/codec). All input is checked: a frame that is too
// long, of no known kind or of the wrong shape is refused in words and nothing of it is used.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/engine/requests/questions.h"
#include "kernels/base/frames.h"

namespace lanescope::engine::wire {

/// Both ends must agree; a worker says its version in its first frame.
inline constexpr int version = 13;
inline constexpr std::size_t most_payload_bytes = std::size_t{256} << 20;

using lanescope::Bytes;

enum class Kind : std::uint8_t {
  hello = 1,    ///< each end, first: Hello; the worker begins (after start_mark())
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
/// The error of the other end's greeting, with both versions and the remedy; empty where both agree.
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
Bytes encode(const auto& message);
template <class Message>
Expected<Message> decode(std::span<const std::uint8_t> payload);

// Payloads made smaller (Zstandard). Both ends agree on it in their first frames; a pipe within one machine does without.

inline constexpr std::string_view compression_name = "zstd";
/// Shorter payloads travel as they are.
inline constexpr std::size_t least_compressed_bytes = 4096;

/// Empty where it would not become smaller.
Bytes compressed(std::span<const std::uint8_t> payload);

/// The bytes before compression. Error: the bytes are damaged, do not say how long they become, or become longer than
/// `most_bytes`; nothing is allocated before that is known.
Expected<Bytes> decompressed(std::span<const std::uint8_t> payload, std::size_t most_bytes = most_payload_bytes);

// Where frames begin in what a command prints. A shell on the way may greet, warn or print a message of the day first;
// the worker marks the start of its frames with bytes that no text holds.

/// Printed before the first frame. As in PNG files, the line ends show whether something on the way rewrites them.
std::span<const std::uint8_t> start_mark();

/// Other output before the mark that is accepted.
inline constexpr std::size_t most_noise_bytes = std::size_t{64} << 10;

class GreetingFinder {
 public:
  /// Takes bytes until the mark is found; returns those after it (all of `bytes` once it has been found).
  Bytes feed(std::span<const std::uint8_t> bytes);
  bool found() const { return found_; }
  /// Why frames will never come; empty while they may.
  const std::string& broken() const { return broken_; }
  /// The end of what came instead of a worker, printable and on one line; empty when nothing did.
  std::string noise() const;

 private:
  Bytes seen_;
  bool found_ = false;
  std::string broken_;
};

}  // namespace lanescope::engine::wire
