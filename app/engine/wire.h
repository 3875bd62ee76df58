#pragma once
// What crosses the pipe between a window and its worker: frames of 4 bytes length (little-endian, of the payload), 1 byte
// kind, payload. Payloads are CBOR; cells, timeline marks and moves travel as packed bytes inside it, because there are
// tens of thousands of them. Whatever arrives is checked: a frame that is too long, of no known kind or of the wrong
// shape is refused in words and nothing of it is used.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/engine/session.h"
#include "viz/views/model.h"

namespace lanescope::engine::wire {

/// Both ends must agree; a worker says its version in its first frame.
inline constexpr int version = 2;
inline constexpr std::size_t most_payload_bytes = std::size_t{256} << 20;

using Bytes = std::vector<std::uint8_t>;

enum class Kind : std::uint8_t {
  hello = 1,        ///< worker, first: Hello
  run = 2,          ///< to the worker: Run
  moment = 3,       ///< to the worker: AskMoment
  annotate = 4,     ///< to the worker: Run
  cancel = 5,       ///< to the worker: Ticket
  summary = 16,     ///< from the worker: SummaryReply
  moment_is = 17,   ///< MomentReply
  annotation = 18,  ///< AnnotationReply
  progress = 19,    ///< ProgressReply
  refused = 20,     ///< RefusedReply
};
bool is_known(std::uint8_t kind);

struct Frame {
  Kind kind = Kind::hello;
  Bytes payload;
};
Bytes pack(const Frame& frame);

/// Cuts a stream of bytes into frames.
class FrameReader {
 public:
  void feed(std::span<const std::uint8_t> bytes);
  /// The next whole frame; nullopt when more bytes are needed or the stream is broken.
  std::optional<Frame> next();
  /// Why the stream cannot be read on; empty while all is well.
  const std::string& broken() const { return broken_; }

 private:
  Bytes waiting_;
  std::size_t begin_ = 0;
  std::string broken_;
};

struct Hello {
  int version = wire::version;
  std::string program;  ///< "lanescope 0.1.0"
};
struct Ticket {
  std::uint64_t ticket = 0;
};
struct Run {
  std::uint64_t ticket = 0;
  RunRequest request;
};
struct AskMoment {
  std::uint64_t ticket = 0;
  MomentRequest request;
};
struct SummaryReply {
  std::uint64_t ticket = 0;
  views::Summary summary;
};
struct MomentReply {
  std::uint64_t ticket = 0;
  views::Moment moment;
};
struct AnnotationReply {
  std::uint64_t ticket = 0;
  claims::Annotation annotation;
};
struct ProgressReply {
  std::uint64_t ticket = 0;
  std::string stage;  ///< "reading", "compiling", "running", "judging"
};
struct RefusedReply {
  std::uint64_t ticket = 0;
  Diagnostics diagnostics;
};

// encode and decode exist for each of the messages above.
template <class Message>
Bytes encode(const Message& message);
template <class Message>
Expected<Message> decode(std::span<const std::uint8_t> payload);

}  // namespace lanescope::engine::wire
