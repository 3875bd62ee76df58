#pragma once
// What crosses the pipe between a window and its worker: frames of 4 bytes length (little-endian, of the payload), 1 byte
// kind (plus 128 where the payload is compressed), payload. Payloads are CBOR; cells, timeline marks and moves travel as packed bytes inside it, because there are
// tens of thousands of them. Whatever arrives is checked: a frame that is too long, of no known kind or of the wrong
// shape is refused in words and nothing of it is used.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/engine/result.h"
#include "app/engine/session.h"
#include "viz/views/model.h"

namespace lanescope::engine::wire {

/// Both ends must agree; a worker says its version in its first frame.
inline constexpr int version = 4;
inline constexpr std::size_t most_payload_bytes = std::size_t{256} << 20;

using Bytes = std::vector<std::uint8_t>;

enum class Kind : std::uint8_t {
  hello = 1,          ///< each end, first: Hello; the worker begins (behind the mark of wire_greeting.h)
  run = 2,            ///< to the worker: Run
  moment = 3,         ///< to the worker: AskMoment
  annotate = 4,       ///< to the worker: Run
  cancel = 5,         ///< to the worker: Ticket
  run_whole = 8,      ///< to the worker: Run; answered by result instead of summary
  caps = 9,           ///< to the worker: AskCaps
  measure = 10,       ///< to the worker: AskMeasure
  live = 11,          ///< to the worker: Run; only its kernel and numbers matter; answered by measured_is
  contents = 12,      ///< to the worker: AskContents
  summary = 16,       ///< from the worker: SummaryReply
  moment_is = 17,     ///< MomentReply
  annotation = 18,    ///< AnnotationReply
  progress = 19,      ///< ProgressReply
  refused = 20,       ///< RefusedReply
  result = 24,        ///< from the worker: ResultReply
  caps_are = 25,      ///< from the worker: CapsReply
  measured_is = 26,   ///< from the worker: MeasuredReply
  contents_are = 27,  ///< from the worker: ContentsReply
};
bool is_known(std::uint8_t kind);
/// Frames that carry a Run; each takes the place of the one before.
inline bool is_run(Kind kind) { return kind == Kind::run || kind == Kind::run_whole || kind == Kind::annotate; }

struct Frame {
  Kind kind = Kind::hello;
  Bytes payload;
};
/// `compress`: only where the other end said that it can read it (Hello::compression).
Bytes pack(const Frame& frame, bool compress = false);

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
  std::string program;      ///< "lanescope 0.1.0"
  std::string compression;  ///< what this end can read and wants: "zstd"; empty: none
};
/// What is wrong with the other end's greeting, naming both versions and the remedy; empty where both agree.
std::string disagreement(const Hello& theirs, const Hello& ours);
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
struct AskCaps {
  std::uint64_t ticket = 0;
  RunRequest request;
  std::vector<int> caps;
};
/// About the worker's last run.
struct AskContents {
  std::uint64_t ticket = 0;
  ContentsRequest request;
};
struct ContentsReply {
  std::uint64_t ticket = 0;
  views::Contents contents;
};
/// About the worker's last run.
struct AskMeasure {
  std::uint64_t ticket = 0;
  MeasureRequest request;
};
struct MeasuredReply {
  std::uint64_t ticket = 0;
  views::Measured measured;
};
/// Between an engine and its child that judges on a GPU; no frame carries it.
struct JudgedReply {
  Diagnostics refused;
  std::vector<claims::ClaimResult> results;
  std::vector<std::string> notices;
};
struct CapsReply {
  std::uint64_t ticket = 0;
  std::vector<views::CapInfo> rows;
};
struct SummaryReply {
  std::uint64_t ticket = 0;
  views::Summary summary;
  std::vector<std::string> gpus{};  ///< of the worker's machine, by number; only after a run on one
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
  Ending ending = Ending::bad_input;
};
struct ResultReply {
  std::uint64_t ticket = 0;
  RunResult result;
};

// encode and decode exist for each of the messages above.
template <class Message>
Bytes encode(const Message& message);
template <class Message>
Expected<Message> decode(std::span<const std::uint8_t> payload);

}  // namespace lanescope::engine::wire
