// Blocks that ran ahead of their turn take it: the launch is then in the same state as if they had run in order.
//
// A block that runs alone to its end, without a fault, a print, a refusal, a launch, a look at the clock and without
// waiting for another block, changes Progress in these numbers only. All other effects end a machine with a view.

#include "kernels/emulator/machine/machine.h"

namespace lanescope::emulator {

bool Running::take_turns(const Progress& unit, u64 count) {
  // At the limit of steps turns are cut short, which a unit contains nothing about.
  if (unit.result.warp_instructions >= step_limit - std::min(step_limit, result.warp_instructions)) return false;
  if (next_block + count > blocks || is_cut()) return false;
  starts_asked += count;
  next_block += count;
  ended_blocks += count;
  acts += unit.acts;
  result.coverage.in_order += count;
  result.identified_blocks += unit.result.identified_blocks;
  result.warp_instructions += unit.result.warp_instructions;
  result.thread_instructions += unit.result.thread_instructions;
  return true;
}

}  // namespace lanescope::emulator
