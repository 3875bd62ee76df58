// Blocks that ran ahead of their turn take it: the launch is then where it would be, had it run them one after the other.
//
// What a block changes in Progress when it runs alone, to its end, without a fault, a print, a refusal, a launch, a look at
// the clock and without waiting for another block, is this and nothing more. All else ends a machine with a view.

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
  result.warp_instructions += unit.result.warp_instructions;
  result.thread_instructions += unit.result.thread_instructions;
  return true;
}

}  // namespace lanescope::emulator
