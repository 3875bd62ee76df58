// Requests and answers as they travel to and from the processes that measure.

#include "kernels/codec/launches.h"
#include "profiling/cupti/child.h"
#include "profiling/cupti/live.h"

namespace lanescope::codec {
template <>
inline constexpr bool is_row<cupti::SassRow> = true;
template <>
inline constexpr bool is_row<cupti::SassLine> = true;
template <>
inline constexpr bool is_row<cupti::SourcePlace> = true;
template <>
inline constexpr bool is_row<cupti::StallRow> = true;
template <>
inline constexpr bool is_row<cupti::LaunchRecord> = true;
template <>
inline constexpr bool is_row<cupti::CopyRecord> = true;
template <>
inline constexpr bool is_row<cupti::CallRecord> = true;
}  // namespace lanescope::codec

namespace lanescope::cupti {
namespace {

/// The contents of a buffer, or nothing where they are those of the request before.
struct BufferChange {
  std::string name;
  std::optional<trace::Bytes> bytes;
};
/// A request against the one before: `rest` has neither PTX nor buffers.
struct Change {
  std::optional<std::string> ptx;
  std::vector<BufferChange> buffers;
  Request rest;
};

template <class A>
void describe(A& a, BufferChange& v) {
  a("name", v.name), a("bytes", v.bytes);
}
template <class A>
void describe(A& a, Change& v) {
  a("ptx", v.ptx), a("buffers", v.buffers), a("rest", v.rest);
}

const trace::Bytes* kept_bytes(const Request* before, std::size_t index) {
  return before && index < before->buffers.size() ? &before->buffers[index].bytes : nullptr;
}

}  // namespace

template <class A>
void describe(A& a, Request& v) {
  a("launches", v.launches), a("metrics", v.metrics), a("device", v.device), a("cooperative", v.cooperative);
  a("heap", v.heap_bytes);
  a("replay", v.replay), a("what", v.what), a("counted", v.counted), a("repetitions", v.repetitions);
  a("timed", v.timed), a("enough_samples", v.enough_samples), a("seconds", v.seconds);
}
template <class A>
void describe(A& a, Measurement& v) {
  a("device", v.device), a("chip", v.chip), a("metrics", v.metrics), a("unknown", v.unknown), a("passes", v.passes);
  a("values", v.values), a("milliseconds", v.milliseconds);
  a("setup_milliseconds", v.setup_milliseconds), a("run_milliseconds", v.run_milliseconds);
}
template <class A>
void describe(A& a, SassRow& v) {
  a("offset", v.offset), a("line", v.line), a("file", v.file), a("function", v.function), a("values", v.values);
}
template <class A>
void describe(A& a, SourcePlace& v) {
  a("file", v.file), a("line", v.line);
}
template <class A>
void describe(A& a, SassLine& v) {
  a("function", v.function), a("offset", v.offset), a("text", v.text), a("line", v.line), a("file", v.file);
  a("callers", v.callers), a("ptx_line", v.ptx_line);
}
template <class A>
void describe(A& a, SassReport& v) {
  a("device", v.device), a("chip", v.chip), a("metrics", v.metrics), a("unknown", v.unknown), a("rows", v.rows);
  a("code", v.code), a("no_code", v.no_code), a("dropped", v.dropped);
}
template <class A>
void describe(A& a, StallRow& v) {
  a("line", v.line), a("offset", v.offset), a("file", v.file), a("function", v.function), a("reason", v.reason);
  a("samples", v.samples), a("idle", v.idle);
}
template <class A>
void describe(A& a, StallReport& v) {
  a("device", v.device), a("chip", v.chip), a("rows", v.rows), a("samples", v.samples), a("dropped", v.dropped);
  a("elsewhere", v.elsewhere), a("runs", v.runs), a("period_log2", v.period_log2);
  a("milliseconds", v.milliseconds);
}
template <class A>
void describe(A& a, LaunchRecord& v) {
  a("kernel", v.kernel), a("start", v.start), a("duration", v.duration), a("registers", v.registers);
  a("static_shared", v.static_shared), a("dynamic_shared", v.dynamic_shared), a("local", v.local), a("grid", v.grid);
  a("block", v.block), a("correlation", v.correlation), a("stream", v.stream);
}
template <class A>
void describe(A& a, CopyRecord& v) {
  a("kind", v.kind), a("start", v.start), a("duration", v.duration), a("bytes", v.bytes);
  a("correlation", v.correlation);
}
template <class A>
void describe(A& a, CallRecord& v) {
  a("name", v.name), a("start", v.start), a("duration", v.duration), a("correlation", v.correlation);
}
template <class A>
void describe(A& a, ActivityReport& v) {
  a("device", v.device), a("launches", v.launches), a("copies", v.copies), a("calls", v.calls);
  a("dropped", v.dropped);
}

Bytes encode_change(const Request* before, const Request& now) {
  Change change{.ptx = {}, .buffers = {}, .rest = now};
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
  auto change = codec::decode_message<Change>(bytes, "the measurement's request");
  if (!change) return tl::unexpected(change.error());
  const auto missing = [] { return failure("the measurement's request cannot be read: it lacks PTX or contents"); };
  Request now = std::move(change->rest);
  if (!change->ptx && !before) return missing();
  if (change->ptx)
    now.ptx = std::move(*change->ptx);
  else
    now.ptx = before->ptx;
  for (BufferChange& buffer : change->buffers) {
    const auto* kept = kept_bytes(before, now.buffers.size());
    if (!buffer.bytes && !kept) return missing();
    if (!buffer.bytes) buffer.bytes = *kept;
    now.buffers.push_back({.name = std::move(buffer.name), .element_type = {}, .bytes = std::move(*buffer.bytes)});
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
