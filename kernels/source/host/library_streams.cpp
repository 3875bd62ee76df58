// Streams, events and launches of the CUDA runtime.

#include "kernels/source/host/library.h"

namespace lanescope::source::host {
namespace {

constexpr std::int64_t non_blocking_flag = 1;  ///< cudaStreamNonBlocking

/// Puts a new handle into an argument, which is evaluated.
Address new_handle(Call& c, std::size_t argument = 0) {
  const Value target = c.value(argument);
  const Address handle = c.in.m.make(1, Space::code, c.line, 0);
  const Type* pointer = c.types().pointer_to(c.types().void_);
  if (target.is(Kind::pointer) && handle != 0) c.store(target, pointer, at_address(handle, pointer));
  return handle;
}

/// The event's address; 0: unknown.
Address event_of(const Value& v) { return v.is(Kind::pointer) ? v.address() : 0; }

std::optional<Value> create_stream(Call& c) {
  const Value flags = c.size() > 1 ? c.whole(1) : number(0, c.types().i64);
  const Address handle = new_handle(c);
  c.in.log.stream_handles[handle] = c.in.log.streams.make(flags.unknown != 0 || (flags.i & non_blocking_flag) == 0);
  c.eval_all(2);
  return c.success();
}

std::optional<Value> create_event(Call& c) {
  new_handle(c);
  c.eval_all(1);
  return c.success();
}

std::optional<Value> record_event(Call& c) {
  Log& log = c.in.log;
  const Address event = event_of(c.value(0));
  const auto stream = c.size() > 1 ? log.stream_of(c.value(1)) : std::optional(log.default_stream);
  if (!stream) log.streams.host_waits_for_all();
  log.record(event, stream.value_or(StreamOrder::legacy));
  c.eval_all(2);
  return c.success();
}

std::optional<Value> wait_for_event(Call& c) {
  StreamOrder& streams = c.in.log.streams;
  const auto stream = c.in.log.stream_of(c.value(0));
  const Address event = event_of(c.value(1));
  if (!stream || event == 0)
    streams.host_waits_for_all();  // the wait is for something unknown: nothing is claimed to be out of order
  else
    c.in.log.wait(*stream, event);
  c.eval_all(2);
  return c.success();
}

std::optional<Value> synchronize_stream(Call& c) {
  const auto stream = c.in.log.stream_of(c.value(0));
  stream ? c.in.log.streams.host_waits(*stream) : c.in.log.streams.host_waits_for_all();
  return c.success();
}

std::optional<Value> synchronize_event(Call& c) {
  const Address event = event_of(c.value(0));
  event != 0 ? c.in.log.streams.host_waits_for_event(event) : c.in.log.streams.host_waits_for_all();
  return c.success();
}

std::optional<Value> synchronize_all(Call& c) {
  c.eval_all();
  c.in.log.streams.host_waits_for_all();
  return c.success();
}

std::optional<Value> begin_capture(Call& c) {
  if (const auto stream = c.in.log.stream_of(c.value(0))) c.in.log.begin_capture(*stream);
  c.eval_all(1);
  return c.success();
}

std::optional<Value> end_capture(Call& c) {
  const auto stream = c.in.log.stream_of(c.value(0));
  const auto graph = stream ? c.in.log.end_capture(*stream) : std::nullopt;
  if (const Address handle = new_handle(c, 1); graph) c.in.log.graph_handles[handle] = *graph;
  return c.success();
}

/// The graph that a handle leads to; nullopt: it is not known.
std::optional<int> graph_of(Call& c, const Value& v) {
  const auto found = v.is(Kind::pointer) ? c.in.log.graph_handles.find(v.address()) : c.in.log.graph_handles.end();
  return found == c.in.log.graph_handles.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Value> instantiate_graph(Call& c) {
  const Address handle = new_handle(c);
  if (const auto graph = graph_of(c, c.value(1))) c.in.log.graph_handles[handle] = *graph;
  return c.success();
}

std::optional<Value> update_graph(Call& c) {
  const Value made = c.value(0);
  if (const auto graph = graph_of(c, c.value(1)); graph && made.is(Kind::pointer))
    c.in.log.graph_handles[made.address()] = *graph;
  return c.success();
}

std::optional<Value> launch_graph(Call& c) {
  const auto graph = graph_of(c, c.value(0));
  const auto stream = c.in.log.stream_of(c.value(1));
  if (graph)
    c.in.log.launch_graph(*graph, stream.value_or(StreamOrder::legacy));
  else if (c.in.log.certainty.depth == 0)
    c.in.notes.assume(Assumption::Code::host_action, c.line, "launches a graph, which is left out",
                      "only graphs of captured streams are followed");
  return c.success();
}

std::optional<Value> pin(Call& c) {
  if (const Value at = c.value(0); at.known()) c.in.log.pinned.insert(Memory::begin(at.address()));
  c.eval_all(1);
  return c.success();
}

std::optional<Value> launch_by_pointers(Call& c) {
  return c.in.launch_by_pointers(c.arguments, c.name == "cudaLaunchCooperativeKernel", c.line);
}
std::optional<Value> launch_by_configuration(Call& c) { return c.in.launch_by_configuration(c.arguments, c.line); }

}  // namespace

std::span<const LibraryFunction> stream_functions() {
  static constexpr LibraryFunction rows[] = {
      {"cudaStreamCreate cudaStreamCreateWithFlags cudaStreamCreateWithPriority", 1, 255, create_stream},
      {"cudaStreamDestroy cudaEventDestroy cudaHostUnregister", 0, 255, no_effect},
      {"cudaStreamWaitEvent", 2, 255, wait_for_event},
      {"cudaStreamBeginCapture", 1, 2, begin_capture},
      {"cudaStreamEndCapture", 2, 2, end_capture},
      {"cudaGraphInstantiate cudaGraphInstantiateWithFlags", 2, 255, instantiate_graph},
      {"cudaGraphExecUpdate", 2, 255, update_graph},
      {"cudaGraphLaunch", 2, 2, launch_graph},
      {"cudaGraphDestroy cudaGraphExecDestroy", 1, 1, no_effect},
      {"cudaStreamSynchronize", 1, 1, synchronize_stream, true},
      {"cudaStreamQuery", 1, 1, synchronize_stream},
      {"cudaEventCreate cudaEventCreateWithFlags", 1, 255, create_event},
      {"cudaEventRecord cudaEventRecordWithFlags", 1, 255, record_event},
      {"cudaEventSynchronize", 1, 1, synchronize_event, true},
      {"cudaEventQuery", 1, 1, synchronize_event},
      {"cudaDeviceSynchronize cudaThreadSynchronize", 0, 255, synchronize_all, true},
      {"cudaDeviceReset", 0, 255, synchronize_all},
      {"cudaHostRegister", 1, 255, pin},
      {"cudaLaunchKernel cudaLaunchCooperativeKernel", 2, 255, launch_by_pointers},
      {"cudaLaunchKernelEx", 2, 255, launch_by_configuration},
  };
  return rows;
}

}  // namespace lanescope::source::host
