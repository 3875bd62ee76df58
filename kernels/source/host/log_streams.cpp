// Streams and events of the host code, and which of its launches and copies are in order.
//
// A handle is the address of an object of its own, so that it is followed through arrays and structures like any
// pointer. An operation in a stream that is not known is taken as in order with all others, which a note reports.
//
// Accesses of the host to managed and pinned memory are operations of their own where others that use it may still run.
//
// Not followed: callbacks, allocations in the order of a stream, and memory that the host has registered. A copy from
// pageable memory by cudaMemcpy is taken as ended when the call returns.

#include <algorithm>

#include "kernels/source/host/log.h"

namespace lanescope::source::host {
namespace {

constexpr std::size_t most_operations = 4096, most_host_operations = 256;
constexpr std::int64_t legacy_handle = 1, handle_of_thread = 2;  ///< cudaStreamLegacy, cudaStreamPerThread

}  // namespace

std::optional<StreamOrder::Stream> Log::stream_of(const Value& v) const {
  if (!v.known()) return std::nullopt;
  if (v.type->kind != Kind::pointer && !v.type->is_whole()) return std::nullopt;
  if (v.i == 0) return default_stream;
  if (v.i == legacy_handle) return StreamOrder::legacy;
  if (v.i == handle_of_thread) return StreamOrder::of_thread;
  const auto known = stream_handles.find(v.address());
  if (known == stream_handles.end()) return std::nullopt;
  return known->second;
}

/// A launch or a copy begins: where it stands among the others.
HostOperation Log::issue(const IssuedIn& in, int line) {
  HostOperation out{.line = line, .call = std::string(in.call), .stream = std::string(in.text)};
  if (!in.stream) {
    if (!stream_handles.empty())
      notes_.add(fmt::format(
          "line {}: the stream `{}` is unknown; launches and copies in it count as in order with all others", line,
          in.text));
    streams.host_waits_for_all();
  }
  out.in = in.stream.value_or(StreamOrder::legacy);
  if (out.stream.empty() && out.in > StreamOrder::of_thread) out.stream = fmt::format("#{}", out.in);
  StreamOrder::Issued issued = streams.issue(out.in);
  out.number = issued.number;
  out.after = std::move(issued.after);
  if (!in.stream) streams.host_waits_for_all();
  return out;
}

void Log::note_use(Address a, const HostOperation& operation) {
  const Object* o = m.object(a);
  if (o != nullptr && o->space == Space::managed) pending_[Memory::begin(a)][operation.in] = operation.number;
}

void Log::host_accesses(Address a, std::uint64_t bytes, bool writes, int line) {
  const auto pending = pending_.find(Memory::begin(a));
  if (pending == pending_.end() || certainty.depth > certainty.sure) return;
  std::erase_if(pending->second, [&](const auto& each) { return streams.has_ended(each.first, each.second); });
  if (pending->second.empty()) return void(pending_.erase(pending));
  const HostPointer at = pointer(a);
  if (at.buffer < 0 || at.offset_bytes < 0) return;
  if (!out_.operations.empty() && out_.operations.back().by_host) {  // a loop over an array is one operation
    HostOperation& last = out_.operations.back();
    HostOperation::Use& use = last.uses.front();
    const std::int64_t distance = at.offset_bytes - use.at.offset_bytes;
    const bool continues = distance >= 0 && static_cast<std::uint64_t>(distance) <= use.bytes;
    if (last.line == line && use.at.buffer == at.buffer && use.writes == writes && continues) {
      use.bytes = std::max(use.bytes, static_cast<std::uint64_t>(distance) + bytes);
      return;
    }
  }
  if (host_operations_ >= most_host_operations) return;
  ++host_operations_;
  if (!host_stream_) host_stream_ = streams.make(false);
  StreamOrder::Issued issued = streams.issue_by_host(*host_stream_);
  HostOperation access{.line = line,
                       .by_host = true,
                       .in = *host_stream_,
                       .number = issued.number,
                       .after = std::move(issued.after),
                       .uses = {{.at = at, .bytes = bytes, .writes = writes}}};
  if (!of_kernels_.contains(Memory::begin(a))) check_copies(access, m.object(a)->name);
  keep(std::move(access));
}

/// Of memory that no kernel gets: copies that may still run and use the same bytes.
void Log::check_copies(const HostOperation& access, const std::string& name) {
  const HostOperation::Use& own = access.uses.front();
  for (const HostOperation& o : out_.operations)
    for (const HostOperation::Use& u : o.uses) {
      const bool meets = u.at.buffer == own.at.buffer &&
                         u.at.offset_bytes < own.at.offset_bytes + static_cast<std::int64_t>(own.bytes) &&
                         own.at.offset_bytes < u.at.offset_bytes + static_cast<std::int64_t>(u.bytes);
      if (!meets || o.by_host || !(u.writes || own.writes) || access.is_after(o)) continue;
      return error(
          {.code = HostError::Code::unordered,
           .line = access.line,
           .message = fmt::format("the host code {} `{}` while `{}` (line {}), which {} it, may still run",
                                  own.writes ? "writes" : "reads", name, o.call, o.line, u.writes ? "writes" : "reads"),
           .remedy = "wait before: cudaStreamSynchronize(), cudaEventSynchronize() or cudaDeviceSynchronize()"});
    }
}

void Log::keep(HostOperation operation) {
  if (out_.operations.size() < most_operations) out_.operations.push_back(std::move(operation));
}

/// A copy or a memset by the runtime.
void Log::transfer(const IssuedIn& in, std::span<const Touched> touched, int line) {
  HostOperation operation = issue(in, line);
  bool on_device = true, pageable_target = false;
  for (const Touched& t : touched) {
    Object* o = m.object(t.at);
    if (o == nullptr) continue;
    on_device = on_device && o->space != Space::host && o->space != Space::managed;
    pageable_target = pageable_target || (t.writes && o->space == Space::host && !pinned.contains(Memory::begin(t.at)));
    if (o->space != Space::device && o->space != Space::managed) continue;
    note_use(t.at, operation);
    if (const HostPointer p = pointer(t.at); p.buffer >= 0 && t.bytes > 0)
      operation.uses.push_back({.at = p, .bytes = t.bytes, .writes = t.writes});
  }
  const auto stream = in.stream.value_or(StreamOrder::legacy);
  keep(std::move(operation));
  // cudaMemcpy returns when the copy has ended, unless it stays on the device; so does a copy into pageable memory.
  const bool waits = !in.asynchronous && !on_device;
  if (waits || pageable_target) streams.host_waits(stream);
}

void StreamOrder::join(Clock& into, const Clock& from) {
  if (into.size() < from.size()) into.resize(from.size());
  for (std::size_t s = 0; s < from.size(); ++s) into[s] = std::max(into[s], from[s]);
}

StreamOrder::Stream StreamOrder::make(bool blocking) {
  streams_.push_back({.blocking = blocking, .before = {}});
  issued_.push_back(0);
  return static_cast<Stream>(streams_.size() - 1);
}

StreamOrder::Clock StreamOrder::beginning(Stream stream) const {
  Clock clock = host_;
  join(clock, streams_[stream].before);
  if (stream == legacy) {
    for (const State& s : streams_)
      if (s.blocking) join(clock, s.before);
  } else if (streams_[stream].blocking) {
    join(clock, streams_[legacy].before);
  }
  return clock;
}

StreamOrder::Issued StreamOrder::issue(Stream stream) {
  Issued out{.number = ++issued_[stream], .after = beginning(stream)};
  Clock& before = streams_[stream].before;
  before = out.after;
  if (before.size() <= stream) before.resize(stream + 1);
  before[stream] = out.number;
  return out;
}

StreamOrder::Issued StreamOrder::issue_by_host(Stream stream) {
  Issued out{.number = ++issued_[stream], .after = host_};
  if (host_.size() <= stream) host_.resize(stream + 1);
  host_[stream] = out.number;
  return out;
}

void StreamOrder::record(std::uint64_t event, Stream stream) {
  streams_[stream].before = beginning(stream);
  events_[event] = streams_[stream].before;
}

void StreamOrder::wait(Stream stream, std::uint64_t event) {
  streams_[stream].before = beginning(stream);
  if (const auto known = events_.find(event); known != events_.end()) join(streams_[stream].before, known->second);
}

void StreamOrder::host_waits(Stream stream) { host_ = beginning(stream); }

void StreamOrder::host_waits_for_event(std::uint64_t event) {
  if (const auto known = events_.find(event); known != events_.end()) join(host_, known->second);
}

void StreamOrder::host_waits_for_all() {
  for (const State& s : streams_) join(host_, s.before);
}

// Graphs that streams are captured into (CUDA C++ Programming Guide, "Creating a Graph Using Stream Capture"): nothing of
// what is captured happens before the graph is launched, and all of it happens in each launch. A stream that waits for an
// event of a captured one is captured into the same graph. Measured on an H200: two additions captured, and the graph
// launched five times, are ten.
//
// Not followed: graphs that are built node by node.

Log::Graph* Log::graph_of(std::optional<Stream> stream) {
  const auto found = stream ? capturing_.find(*stream) : capturing_.end();
  return found == capturing_.end() ? nullptr : &graphs_[static_cast<std::size_t>(found->second)];
}

void Log::perform(const IssuedIn& in, Operation operation) {
  Graph* graph = graph_of(in.stream);
  if (graph == nullptr) return operation(in);
  const bool certain = certainty.depth <= certainty.sure;
  graph->operations.push_back([this, in, certain, operation = std::move(operation)](const StreamsOfLaunch& stream_of) {
    IssuedIn now = in;
    now.stream = stream_of(*in.stream);
    if (!certain) ++certainty.depth;
    operation(now);
    if (!certain) --certainty.depth;
  });
}

void Log::begin_capture(Stream stream) {
  capturing_[stream] = static_cast<int>(graphs_.size());
  graphs_.push_back({.origin = stream});
}

std::optional<int> Log::end_capture(Stream stream) {
  const auto found = capturing_.find(stream);
  if (found == capturing_.end()) return std::nullopt;
  const int graph = found->second;
  std::erase_if(capturing_, [&](const auto& each) { return each.second == graph; });
  std::erase_if(captured_events_, [&](const auto& each) { return each.second == graph; });
  return graph;
}

void Log::record(Address event, Stream stream) {
  captured_events_.erase(event);
  Graph* graph = graph_of(stream);
  if (graph == nullptr) return streams.record(event, stream);
  captured_events_[event] = capturing_.at(stream);
  graph->operations.push_back(
      [this, event, stream](const StreamsOfLaunch& stream_of) { streams.record(event, stream_of(stream)); });
}

void Log::wait(Stream stream, Address event) {
  if (const auto captured = captured_events_.find(event); captured != captured_events_.end())
    capturing_[stream] = captured->second;
  Graph* graph = graph_of(stream);
  if (graph == nullptr) return streams.wait(stream, event);
  graph->operations.push_back(
      [this, event, stream](const StreamsOfLaunch& stream_of) { streams.wait(stream_of(stream), event); });
}

void Log::launch_graph(int graph, Stream stream) {
  const Graph& g = graphs_[static_cast<std::size_t>(graph)];
  std::map<Stream, Stream> now{{g.origin, stream}};
  const StreamsOfLaunch stream_of = [&](Stream captured) {
    const auto [at, fresh] = now.try_emplace(captured, stream);
    if (fresh) at->second = streams.make(false);
    return at->second;
  };
  budget_.spend(g.operations.size());
  for (const auto& operation : g.operations) operation(stream_of);
}

}  // namespace lanescope::source::host
