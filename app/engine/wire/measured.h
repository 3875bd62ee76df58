#pragma once
// The names of a measurement's fields, in files and messages.

#include "kernels/codec/codec.h"
#include "results/measured.h"

namespace lanescope::results {

void describe(auto& a, TimingInfo& v) {
  a("warm_up", v.warm_up), a("repetitions", v.repetitions), a("median", v.median_us), a("spread", v.spread_us);
  a("least", v.least_us), a("most", v.most_us);
  a.sparse("samples", v.samples_us);
}
void describe(auto& a, BufferComparison& v) {
  a("name", v.name), a("elements", v.elements), a("different", v.different), a("first", v.first), a("gpu", v.gpu);
  a("emulator", v.emulator);
}
void describe(auto& a, MetricRow& v) {
  a("name", v.name), a("legacy", v.legacy), a("unit", v.unit), a("group", v.group), a("formula", v.formula);
  a("line", v.line), a("predicted", v.predicted), a("measured", v.measured), a("cause", v.cause);
}
void describe(auto& a, SassRow& v) {
  a("function", v.function), a("text", v.text), a("offset", v.offset), a("line", v.line), a("executed", v.executed);
  a("threads", v.threads_executed);
  a.sparse("ptx_line", v.ptx_line), a.sparse("ptx", v.ptx);
}
void describe(auto& a, OpcodeRow& v) { a("kind", v.kind), a("written", v.written), a("executed", v.executed); }
void describe(auto& a, AccessPair& v) {
  a("line", v.line), a("block", v.block), a("warp", v.warp), a("index", v.index);
  a("emulated", v.emulated), a("gpu", v.gpu), a("emulated_mask", v.emulated_mask), a("gpu_mask", v.gpu_mask);
  a("emulated_places", v.emulated_places), a("gpu_places", v.gpu_places);
}
void describe(auto& a, TraceInfo& v) {
  a("records", v.records), a("dropped", v.dropped), a("bytes", v.bytes), a("difference", v.difference);
  a("line", v.line), a("plain", v.plain_us), a("traced", v.traced_us);
  a.sparse("pair", v.pair);
}
void describe(auto& a, StallRow& v) {
  a("line", v.line), a("reason", v.reason), a("words", v.words), a("samples", v.samples);
  a.sparse("idle", v.idle);
}
void describe(auto& a, LaunchRow& v) {
  a("kernel", v.kernel), a("start", v.start_us), a("duration", v.duration_us);
  a("gx", v.grid.x), a("gy", v.grid.y), a("gz", v.grid.z), a("bx", v.block.x), a("by", v.block.y), a("bz", v.block.z);
  a.sparse("stream", v.stream);
  a("registers", v.registers), a("static_shared", v.static_shared_bytes), a("dynamic_shared", v.dynamic_shared_bytes);
  a("local", v.local_bytes);
}
void describe(auto& a, HostCallRow& v) {
  a("name", v.name), a("calls", v.calls), a("total", v.total_us), a("average", v.average_us), a("least", v.least_us);
  a("most", v.most_us);
}
void describe(auto& a, LiveCost& v) { a("compile", v.compile_ms), a("measure", v.measure_ms); }
void describe(auto& a, Measured& v) {
  a("device", v.device), a("arch", v.arch), a("driver", v.driver), a("multiprocessors", v.multiprocessors);
  a("refused", v.refused), a("fault", v.fault), a("fault_line", v.fault_line), a("fault_source", v.fault_source);
  a("timing", v.timing), a("buffers", v.buffers), a("metrics", v.metrics), a("passes", v.passes), a("sass", v.sass);
  a("stalls", v.stalls), a("launches", v.launches), a("host_calls", v.host_calls);
  a("opcodes", v.opcodes), a("trace", v.trace);
  a.sparse("live", v.live);
}

}  // namespace lanescope::results
