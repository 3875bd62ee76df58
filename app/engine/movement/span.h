#pragma once
// The part of a recorded block whose movement is asked for, and what its instructions do.

#include <cstdint>
#include <vector>

#include "app/engine/summary/run_state.h"
#include "app/engine/values/instruction_facts.h"
#include "app/engine/values/span_flow.h"

namespace lanescope::engine {

struct MovementSpan {
  std::int64_t from = -1, to = -1;  ///< states
  std::int64_t written_from = 0;    ///< what was written before that step is on the way only
  std::uint32_t warp = 0;
  int only_family = -1;  ///< -1: of all arrays, and of memory
  bool writes_at(std::uint64_t step) const { return static_cast<std::int64_t>(step) >= written_from; }
};

/// What the instructions of the instrumented program do, by pc.
struct Instructions {
  explicit Instructions(const RunState& s)
      : facts(instruction_facts(s.prepared.probed.module, entry_of(s.prepared.probed, s.recorded()->trace.launch))),
        probed(probed_registers(s.prepared.probed.module, entry_of(s.prepared.probed, s.recorded()->trace.launch))) {}
  SpanFlow flow(const trace::Trace& trace, const MovementSpan& span) const {
    return {trace, facts, probed, span.from, span.to, span.warp};
  }
  std::vector<InstructionFacts> facts;
  std::vector<InstructionFacts::Source> probed;
};

/// How far back the instruction that copied a register is looked for.
inline constexpr std::int64_t most_steps_back = 4096;

}  // namespace lanescope::engine
