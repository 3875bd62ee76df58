#pragma once
// What crosses the pipe between a window and its worker: frames (kernels/base/frames.h) whose kind is a question, its
// answer or one of the few others below, plus 128 where the payload is compressed. A payload is the ticket (8 bytes,
// little-endian; not of a hello) and a message as CBOR (kernels/codec). Whatever arrives is checked: a frame that is too long, of no known kind or
// of the wrong shape is refused in words and nothing of it is used.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/engine/requests/requests.h"
#include "app/engine/wire/questions.h"
#include "kernels/base/frames.h"

namespace lanescope::engine::wire {

/// Both ends must agree; a worker says its version in its first frame.
inline constexpr int version = 13;
inline constexpr std::size_t most_payload_bytes = std::size_t{256} << 20;

using lanescope::Bytes;

enum class Kind : std::uint8_t {
  hello = 1,      ///< each end, first: Hello; the worker begins (behind the mark of greeting.h)
  cancel = 2,     ///< to the worker, of the question with this ticket; no message
  progress = 3,   ///< from the worker, of a run: Progress
  refused = 4,    ///< from the worker, instead of an answer: Refusal
  question = 16,  ///< to the worker: this plus the number of a Question
  answer = 32,    ///< from the worker: this plus the number of a Question
};
constexpr Kind kind_of_question(Question q) {
  return static_cast<Kind>(static_cast<int>(Kind::question) + static_cast<int>(q));
}
constexpr Kind kind_of_answer(Question q) {
  return static_cast<Kind>(static_cast<int>(Kind::answer) + static_cast<int>(q));
}
std::optional<Question> question_in(Kind kind);
std::optional<Question> answer_in(Kind kind);
bool is_known(std::uint8_t byte);

struct Frame {
  Kind kind = Kind::hello;
  std::uint64_t ticket = 0;  ///< of the question; 0: none
  Bytes payload;             ///< a message
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
  std::string compression;  ///< what this end can read and wants: "zstd"; empty: none
};
/// What is wrong with the other end's greeting, naming both versions and the remedy; empty where both agree.
std::string disagreement(const Hello& theirs, const Hello& ours);

struct Progress {
  std::string stage;  ///< "reading", "compiling", "running", "judging"
  RanSoFar ran{};
};
struct Refusal {
  Diagnostics diagnostics;
  Ending ending = Ending::bad_input;
};
/// Between an engine and its child that judges on a GPU; no frame carries it.
struct Judged {
  Diagnostics refused{};                       ///< why nothing was judged
  std::vector<claims::ClaimResult> results{};  ///< one per claim of the source
  std::vector<results::Notice> notices{};      ///< buffers that keep their contents, launches left out
};

// encode and decode exist for the messages above and for the requests and answers of every question.
template <class Message>
Bytes encode(const Message& message);
template <class Message>
Expected<Message> decode(std::span<const std::uint8_t> payload);

}  // namespace lanescope::engine::wire
