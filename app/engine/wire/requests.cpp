#include <fmt/format.h>

#include "app/engine/wire/codec.h"
#include "app/engine/wire/shared_descriptions.h"

namespace lanescope::engine {

template <class A>
void describe(A& a, AttachedFile& v) {
  a("name", v.name), a("bytes", v.bytes);
}
template <class A>
void describe(A& a, Override& v) {
  a("name", v.name), a("value", v.value);
}
template <class A>
void describe(A& a, RunRequest& v) {
  a("file", v.file), a("text", v.text), a("arch", v.arch), a("forbid_nvrtc", v.forbid_nvrtc), a("seed", v.seed);
  a("block", v.record_block), a("max_steps", v.max_steps), a("plain", v.plain_run), a("probed", v.probed_run);
  a("only_for_claims", v.only_for_claims);
  a("launch_file", v.launch_file), a("launch_text", v.launch_text), a("launch", v.record_launch), a("review", v.review);
  a("overrides", v.overrides), a("files", v.files), a("kernel", v.kernel);
  a("on_gpu", v.on_gpu), a("device", v.device), a("gpu_limit", v.gpu_limit_seconds);
  a("limit", v.limit_seconds), a("run_limit", v.run_seconds), a("memory", v.memory_bytes);
  a("measure", v.measure), a("block_as_fits", v.block_as_fits);
  a("step", v.record_step), a("history", v.history_bytes), a("from_history", v.from_history);
  a("given", v.given), a("settings", v.settings);
  a("cores", v.cores);
}
template <class A>
void describe(A& a, TreeRequest& v) {
  a("of", v.of), a("buffer", v.buffer), a("element", v.element), a("family", v.family), a("warp", v.warp);
  a("register", v.reg), a("part", v.part), a("lane", v.lane), a("all_lanes", v.all_lanes), a("step", v.step);
}
template <class A>
void describe(A& a, MomentRequest& v) {
  a("step", v.step), a("families", v.families), a("first_warp", v.first_warp), a("warps", v.warp_count);
  a("moves_from", v.moves_from), a("assignment", v.assignment_family);
  a("totals_line", v.totals_line), a("totals_buffer", v.totals_buffer), a("tree", v.tree);
  a("movement", v.movement);
}

template <class A>
void describe(A& a, MeasureRequest& v) {
  a("timing", v.timing), a("counters", v.counters), a("instructions", v.instructions), a("stalls", v.stalls);
  a("activity", v.activity), a("trace", v.trace), a("metrics", v.metrics), a("device", v.device);
  a("warm_up", v.warm_up), a("repetitions", v.repetitions), a("limit", v.limit_seconds);
}

template <class A>
void describe(A& a, ContentsRequest& v) {
  a("buffer", v.buffer), a("first", v.first), a("count", v.count);
}

template <class A>
void describe(A& a, JourneyRequest::Element& v) {
  a("buffer", v.buffer), a("element", v.element);
}
template <class A>
void describe(A& a, JourneyRequest& v) {
  a("elements", v.elements);
}

template <class A>
void describe(A& a, CapsRequest& v) {
  a("run", v.run), a("caps", v.caps);
}

namespace wire {

template <class A>
void describe(A& a, Hello& v) {
  a("version", v.version), a("program", v.program), a.optional("compression", v.compression);
}
template <class A>
void describe(A& a, Progress& v) {
  a("stage", v.stage), a("steps", v.ran.steps);
  a.optional("blocks", v.ran.blocks), a.optional("all_blocks", v.ran.all_blocks);
}

std::string disagreement(const Hello& theirs, const Hello& ours) {
  if (theirs.version == ours.version) return "";
  return fmt::format(
      "{} at the other end uses version {} of the protocol, {} on this machine version {}; install the same version of "
      "lanescope on both",
      theirs.program.empty() ? "the worker" : theirs.program, theirs.version, ours.program, ours.version);
}

LS_WIRE_MESSAGE(Hello)
LS_WIRE_MESSAGE(Progress)
LS_WIRE_MESSAGE(RunRequest)
LS_WIRE_MESSAGE(MomentRequest)
LS_WIRE_MESSAGE(ContentsRequest)
LS_WIRE_MESSAGE(CapsRequest)
LS_WIRE_MESSAGE(JourneyRequest)
LS_WIRE_MESSAGE(MeasureRequest)

}  // namespace wire
}  // namespace lanescope::engine
