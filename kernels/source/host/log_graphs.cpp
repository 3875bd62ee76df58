// Graphs that streams are captured into (CUDA C++ Programming Guide, "Creating a Graph Using Stream Capture"): nothing of
// what is captured happens before the graph is launched, and all of it happens in each launch. A stream that waits for an
// event of a captured one is captured into the same graph. Measured on an H200: two additions captured, and the graph
// launched five times, are ten.
//
// Not followed: graphs that are built node by node.

#include "kernels/source/host/log.h"

namespace lanescope::source::host {

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
