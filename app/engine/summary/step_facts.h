#pragma once
// What a timeline and a search over steps want to know of the recorded block beyond its marks: the cost of each access,
// the registers that each step wrote, the loops of the program.

#include "app/engine/summary/run_state.h"

namespace lanescope::engine {

/// Of the kernel of a launch, by pc of its sites: every backward branch, those to the same instruction as one loop.
std::vector<results::LoopInfo> loops_of(const ptx::Module& module, const ptx::Entry& entry,
                                        const std::vector<trace::CodeSite>& code);

/// Fills Summary::accesses, writes and loops of a run that is summarized. Some tenths of a microsecond for each access.
void fill_step_facts(RunState& run);

}  // namespace lanescope::engine
