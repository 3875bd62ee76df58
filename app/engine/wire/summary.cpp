#include "app/engine/wire/shared_descriptions.h"
#include "kernels/codec/launches.h"

namespace lanescope::codec {

template <>
struct Packed<results::TimelineMark> {
  static constexpr std::size_t bytes = 15;
  template <class Cursor, class Value>
  static void each(Cursor& c, Value& v) {
    c(v.step), c(v.warp), c(v.line), c(v.pc);
    if constexpr (std::is_const_v<Value>) {
      c(static_cast<std::uint8_t>(v.kind));
    } else {
      std::uint8_t kind = 0;
      c(kind);
      if (kind > last_of<trace::StepKind>) throw Malformed("a timeline mark is of no known kind");
      v.kind = static_cast<trace::StepKind>(kind);
    }
  }
};

template <>
struct Packed<results::StepAccess> {
  static constexpr std::size_t bytes = 10;
  template <class Cursor, class Value>
  static void each(Cursor& c, Value& v) {
    c(v.step), c(v.cost), c(v.least);
    if constexpr (std::is_const_v<Value>) {
      c(static_cast<std::uint8_t>(v.space)), c(static_cast<std::uint8_t>(v.kind));
    } else {
      std::uint8_t space = 0, kind = 0;
      c(space), c(kind);
      if (space > last_of<trace::MemorySpace> || kind > last_of<trace::AccessKind>)
        throw Malformed("an access of a step is of no known kind");
      v.space = static_cast<trace::MemorySpace>(space), v.kind = static_cast<trace::AccessKind>(kind);
    }
  }
};

template <>
struct Packed<results::GroupChange> {
  static constexpr std::size_t bytes = 15;
  template <class Cursor, class Value>
  static void each(Cursor& c, Value& v) {
    c(v.step), c(v.warp), c(v.lanes), c(v.part);
    if constexpr (std::is_const_v<Value>) {
      c(static_cast<std::uint8_t>(v.meets));
    } else {
      std::uint8_t meets = 0;
      c(meets);
      v.meets = meets != 0;
    }
  }
};

template <>
struct Packed<results::RegisterWrite> {
  static constexpr std::size_t bytes = 12;
  template <class Cursor, class Value>
  static void each(Cursor& c, Value& v) {
    c(v.step), c(v.lanes), c(v.family), c(v.reg);
  }
};

}  // namespace lanescope::codec

namespace lanescope::trace {
template <class A>
void describe(A& a, CodeSite& v) {
  a("line", v.line), a("column", v.column), a("inner", v.inner_line), a("kind", v.kind), a("text", v.text);
}
template <class A>
void describe(A& a, Coverage& v) {
  a("ended", v.ended), a("blocks", v.blocks), a("in_order", v.in_order), a("others", v.others), a("midway", v.midway);
  a("grids_left", v.grids_left);
}
}  // namespace lanescope::trace

namespace lanescope::source {
template <class A>
void describe(A& a, Axis& v) {
  a("name", v.name), a("extent", v.extent), a("stride", v.stride_elements);
}
template <class A>
void describe(A& a, TextPlace& v) {
  a("line", v.line), a("column", v.column);
}
template <class A>
void describe(A& a, WrittenBit& v) {
  a("row", v.bit.place), a("index", v.bit.index), a("physical", v.physical), a("logical", v.logical);
}
template <class A>
void describe(A& a, StatedExtent& v) {
  a("axis", v.axis), a("extent", v.extent), a("at", v.place);
}
template <class A>
void describe(A& a, Claim& v) {
  a("first", v.first_line), a("last", v.last_line), a("rows", v.row_lines), a("variable", v.variable);
  a("registers", v.registers), a("stated", v.stated), a("sentence", v.sentence), a("probe", v.probe);
  a("unchecked", v.unchecked_reason), a("bits", v.bits), a("extents", v.extents), a("read_as", v.read_as);
  a("alternative_of", v.alternative_of), a("assumed", v.assumed);
  a("later", v.later_probes), a("forward", v.forward_words);
  a("kind", v.kind), a("about", v.about), a("written", v.written);
}
template <class A>
void describe(A& a, Assumption& v) {
  a("code", v.code), a("launch", v.launch), a("kernel", v.kernel), a("name", v.name), a("value", v.value);
  a("because", v.because);
}
template <class A>
void describe(A& a, KernelInstance& v) {
  a("kernel", v.kernel), a("launches", v.launches), a("line", v.line), a("grid", v.grid), a("block", v.block);
  a("shared", v.dynamic_shared_bytes), a("certain", v.certain), a("chosen", v.chosen);
}
}  // namespace lanescope::source

namespace lanescope::claims {
template <class A>
void describe(A& a, Instance& v) {
  a("block", v.block), a("warp", v.warp), a("iteration", v.iteration), a("caller", v.caller_line);
}
template <class A>
void describe(A& a, ClaimResult& v) {
  a("claim", v.claim), a("verdict", v.verdict), a("reason", v.reason), a("actual", v.actual),
      a("words", v.actual_words);
  a("difference", v.difference), a("failure", v.first_failure), a("false_line", v.first_false_line);
  a("computed", v.computed), a("this_input", v.for_this_input), a("steered", v.steered_line);
  a("instances", v.instances), a("places", v.places), a("inactive", v.inactive_places);
  a("others_hold", v.others_hold), a("behind_line", v.behind_line), a("sums", v.up_to_sums);
  a("outside", v.outside_places), a("judged_at", v.probe), a("others_differ", v.others_differ),
      a("part", v.seen_in_part);
}
}  // namespace lanescope::claims

namespace lanescope::results {
template <class A>
void describe(A& a, BufferInfo& v) {
  a("name", v.name), a("type", v.element_type), a("bits", v.element_bits), a("bytes", v.bytes),
      a("elements", v.elements);
  a("address", v.address), a("axes", v.axes);
}
template <class A>
void describe(A& a, RegisterArray& v) {
  a("name", v.name), a("function", v.function), a("registers", v.registers), a("line", v.first_line);
}
template <class A>
void describe(A& a, ClaimInfo& v) {
  a("claim", v.claim), a("result", v.result), a("step", v.step), a("launch", v.launch);
}
template <class A>
void describe(A& a, Wait& v) {
  a("kind", v.kind), a("warp", v.warp), a("lanes", v.lanes), a("from", v.from), a("until", v.until), a("line", v.line);
  a("object", v.object), a("last_warp", v.last_warp), a("last_lanes", v.last_lanes);
}
template <class A>
void describe(A& a, LineCounters& v) {
  a("line", v.line), a("instructions", v.instructions), a("threads", v.thread_instructions);
  a("global_requests", v.global_requests), a("global_sectors", v.global_sectors),
      a("shared_requests", v.shared_requests);
  a("shared_wavefronts", v.shared_wavefronts), a("conflicts", v.bank_conflicts), a("shuffles", v.shuffles);
  a("barriers", v.barriers);
}
template <class A>
void describe(A& a, Party& v) {
  a("does", v.does), a("line", v.line), a("block", v.block), a("warp", v.warp), a("lane", v.lane), a("step", v.step);
  a("launch", v.launch);
}
template <class A>
void describe(A& a, FaultInfo& v) {
  a("kind", v.kind), a("what", v.what), a("message", v.message), a("remedy", v.remedy), a("line", v.line);
  a("block", v.block), a("warp", v.warp), a("lane", v.lane), a("step", v.step), a("parties", v.parties);
  a("launch", v.launch);
  a("only_cut", v.only_cut), a("assumed", v.assumed);
}
template <class A>
void describe(A& a, InterleavedAccess& v) {
  a("step", v.step), a("block", v.block), a("warp", v.warp), a("lane", v.lane), a("line", v.line), a("does", v.does);
  a("value", v.value);
}
template <class A>
void describe(A& a, FindingInfo& v) {
  a("rule", v.rule), a("message", v.message), a("remedy", v.remedy), a("line", v.line), a("column", v.column);
  a("severity", v.severity), a("block", v.block), a("warp", v.warp), a("lanes", v.lanes), a("shared", v.shared);
  a("width", v.width_bytes), a("matrices", v.matrices), a("buffer", v.buffer), a("offsets", v.offsets);
  a("expected", v.expected), a("saved", v.saved);
  a("saving", v.saving), a("step", v.step), a("parties", v.parties), a("launch", v.launch);
  a("interleaving", v.interleaving);
}
template <class A>
void describe(A& a, PrintedText& v) {
  a("text", v.text), a("launch", v.launch), a("block", v.block), a("warp", v.warp), a("lane", v.lane);
  a("block_index", v.block_index), a("thread_index", v.thread_index), a("line", v.line), a("step", v.step);
  a("cut", v.cut);
}
template <class A>
void describe(A& a, BlockCounters& v) {
  a("instructions", v.instructions), a("threads", v.thread_instructions), a("divergent", v.divergent_branches);
  a("sectors", v.global_sectors), a("wavefronts", v.shared_wavefronts), a("conflicts", v.bank_conflicts);
}
template <class A>
void describe(A& a, LineDivergence& v) {
  a("line", v.line), a("branches", v.branches), a("divergent", v.divergent_branches),
      a("lanes", v.instructions_by_lanes);
}
template <class A>
void describe(A& a, ResourceInfo& v) {
  a("registers", v.registers), a("spills", v.spill_bytes), a("local", v.local_bytes);
  a("static_shared", v.static_shared_bytes), a("dynamic_shared", v.dynamic_shared_bytes);
  a("threads", v.threads_per_block), a("bounds_threads", v.launch_bounds_threads);
  a("bounds_blocks", v.launch_bounds_blocks), a("blocks", v.blocks);
  a.sparse("assembled", v.assembled);
}
template <class A>
void describe(A& a, WorkInfo& v) {
  a("fp32", v.fp32_operations), a("fp64", v.fp64_operations), a("global_bytes", v.global_bytes);
}
template <class A>
void describe(A& a, RegisterLimit& v) {
  a("cap", v.cap), a("registers", v.registers), a("spills", v.spill_bytes), a("local", v.local_bytes);
  a("refused", v.refused);
}
template <class A>
void describe(A& a, LoopInfo& v) {
  a("first", v.first_pc), a("last", v.last_pc), a("line", v.line);
}
template <class A>
void describe(A& a, Rests& v) {
  a("steps", v.steps), a("elements", v.elements), a("bounds", v.bounds), a("others", v.others);
}
template <class A>
void describe(A& a, LaunchInfo& v) {
  a("kernel", v.kernel), a("grid", v.grid), a("block", v.block), a("shared", v.dynamic_shared_bytes);
  a("before", v.before), a("rests", v.rests);
}
template <class A>
void describe(A& a, GridInfo& v) {
  a("kernel", v.kernel), a("grid", v.grid), a("block", v.block), a("shared", v.dynamic_shared_bytes);
  a("parent", v.parent), a("launch", v.launch), a("order", v.order), a("depth", v.depth);
  a("from_block", v.from_block), a("from_thread", v.from_thread), a("lane", v.lane), a("warp", v.warp),
      a("line", v.line);
}
template <class A>
void describe(A& a, LaunchCoverage& v) {
  a("launch", v.launch), a("plain", v.plain), a("probed", v.probed);
}
template <class A>
void describe(A& a, HistoryInfo& v) {
  a("budget", v.budget_bytes), a("used", v.used_bytes), a("most", v.most_bytes), a("checkpoints", v.checkpoints);
  a("thinned", v.thinned), a("refused", v.refused), a("farthest", v.farthest), a("instructions", v.instructions);
  a("replayed", v.replayed), a("from", v.replayed_from), a("until", v.replayed_until), a("seconds", v.replay_seconds);
}
template <class A>
void describe(A& a, Summary& v) {
  a("file", v.file), a("kernel", v.kernel), a("engine", v.engine), a("arch", v.arch), a("compiler", v.compiler);
  a("grid", v.grid), a("block", v.block), a("buffers", v.buffers), a("families", v.families), a("claims", v.claims);
  a("counters", v.counters), a("code", v.code), a("timeline", v.timeline), a("steps", v.steps);
  a("recorded", v.recorded_block), a("warps", v.warps), a("shared", v.shared_bytes), a("inferred", v.inferred);
  a("assumed", v.assumed);
  a("notices", v.notices), a("diagnostics", v.diagnostics), a("ok", v.ok), a("resources", v.resources);
  a("findings", v.findings), a("active", v.active_masks), a("divergence", v.divergence);
  a("pc_counters", v.pc_counters), a("work", v.work), a("plain_code", v.plain_code), a("plain_pcs", v.plain_pcs);
  a("accesses", v.accesses), a("writes", v.writes), a("loops", v.loops);
  a("settings", v.settings), a("faults", v.faults), a("blocks", v.blocks), a("blocks_each", v.blocks_each);
  a("launches", v.launches), a("recorded_launch", v.recorded_launch), a("instances", v.instances);
  a("printed", v.printed), a("printed_calls", v.printed_calls), a("lines", v.lines), a("header_texts", v.header_texts);
  a("coverage", v.coverage), a("grids", v.grids), a("groups", v.group_changes), a("waits", v.waits);
  a("first_step", v.first_step), a("block_steps", v.block_steps), a("history", v.history);
}
}  // namespace lanescope::results

namespace lanescope::engine::wire {

template <class A>
void describe(A& a, RunSummary& v) {
  a("summary", v.summary), a("gpus", v.gpus);
}
template <class A>
void describe(A& a, Judged& v) {
  a("refused", v.refused), a("results", v.results), a("notices", v.notices);
}

LS_WIRE_MESSAGE(results::Summary)
LS_WIRE_MESSAGE(RunSummary)
LS_WIRE_MESSAGE(Judged)
LS_WIRE_MESSAGE(std::vector<results::RegisterLimit>)

}  // namespace lanescope::engine::wire
