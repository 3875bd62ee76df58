// Requests and answers as they travel to and from the processes that measure.

#include "kernels/codec/launches.h"
#include "profiling/cupti/child.h"
#include "profiling/cupti/live.h"

namespace lanescope::cupti {
namespace {

/// The contents of a buffer, or nothing where they are those of the request before.
struct BufferChange {
  std::string name;
  std::optional<trace::Bytes> bytes;
};
/// A request against the one before: `rest` has neither PTX nor buffers.
struct Change {
  std::optional<std::string> ptx{};
  std::vector<BufferChange> buffers;
  Request rest;
};

const trace::Bytes* kept_bytes(const Request* before, std::size_t index) {
  return before && index < before->buffers.size() ? &before->buffers[index].bytes : nullptr;
}

}  // namespace

Bytes encode_change(const Request* before, const Request& now) {
  Change change{.rest = now};
  change.rest.ptx.clear(), change.rest.buffers.clear();
  if (!before || before->ptx != now.ptx) change.ptx = now.ptx;
  for (std::size_t i = 0; i < now.buffers.size(); ++i) {
    const auto* kept = kept_bytes(before, i);
    BufferChange& buffer = change.buffers.emplace_back(now.buffers[i].name, std::nullopt);
    if (!kept || *kept != now.buffers[i].bytes) buffer.bytes = now.buffers[i].bytes;
  }
  return codec::encode_message(change);
}

Expected<Request> apply_change(const Request* before, const Bytes& bytes) {
  auto change = LS_TRY(codec::decode_message<Change>(bytes, "the measurement's request"));
  const auto missing = [] { return failure("the measurement's request cannot be read: it lacks PTX or contents"); };
  Request now = std::move(change.rest);
  if (!change.ptx && !before) return missing();
  if (change.ptx)
    now.ptx = std::move(*change.ptx);
  else
    now.ptx = before->ptx;
  for (BufferChange& buffer : change.buffers) {
    const auto* kept = kept_bytes(before, now.buffers.size());
    if (!buffer.bytes && !kept) return missing();
    if (!buffer.bytes) buffer.bytes = *kept;
    now.buffers.push_back({.name = std::move(buffer.name), .bytes = std::move(*buffer.bytes)});
  }
  if (auto good = codec::check_arguments(now.launches, now.buffers); !good) return tl::unexpected(good.error());
  return now;
}

Bytes encode(const Request& request) { return encode_change(nullptr, request); }
Expected<Request> decode_request(const Bytes& bytes) { return apply_change(nullptr, bytes); }

namespace {
constexpr const char* an_answer = "the measurement's answer";
}

Bytes encode(const Expected<Measurement>& answer) { return codec::encode_message(answer); }
Expected<Measurement> decode_answer(const Bytes& bytes) { return codec::decode_answer<Measurement>(bytes, an_answer); }
Bytes encode(const Expected<SassReport>& answer) { return codec::encode_message(answer); }
Expected<SassReport> decode_instructions(const Bytes& bytes) {
  return codec::decode_answer<SassReport>(bytes, an_answer);
}
Bytes encode(const Expected<StallReport>& answer) { return codec::encode_message(answer); }
Expected<StallReport> decode_stalls(const Bytes& bytes) { return codec::decode_answer<StallReport>(bytes, an_answer); }
Bytes encode(const Expected<ActivityReport>& answer) { return codec::encode_message(answer); }
Expected<ActivityReport> decode_activity(const Bytes& bytes) {
  return codec::decode_answer<ActivityReport>(bytes, an_answer);
}

}  // namespace lanescope::cupti
