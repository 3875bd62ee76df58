#pragma once
// Blocks of one launch on several cores, where the result is provably that of running them one after the other.
//
// Blocks run in waves. During a wave the memory of the launch does not change. Each thread takes units, which are some
// blocks that follow each other in the order of the seed, and runs them on a view of memory of its own
// (machine/global_view.h) that notes which words they read from memory and which they store. When all units of the wave
// have run they take their turns in that order: a unit counts if it read no word that an earlier unit of the wave has
// stored. Then each value that it read is the one that it would have read in its turn; a block is a function of its
// number, the seed and what it reads, so it is the run that would have been, and its stores, counts and events are put
// where that run would have put them.
//
//   wave of 4 units    reads     stores
//   blocks  0.. 7      a         b0          counts
//   blocks  8..15      a         b1          counts
//   blocks 16..23      a, b1     b2          read b1 before it was stored there: runs again, one block after the other
//   blocks 24..31      a         b3          comes after: next wave
//
// A unit counts only if all its blocks came to their ends by what is known to depend on nothing else: operations on
// registers and the steps that strand.cpp lists. Any other event makes the unit run again in its turn, the usual way:
// a fault, a print, the clock, a launch, waiting for a value in memory, a step that is not listed, an instruction that
// is not known, too many warp instructions, too much memory. So faults, prints and deadlocks are always those of the
// serial run. Where too many units come to nothing the rest of the launch runs on one core.
//
// Atomic operations whose result the kernel reads read and store: blocks that access a ticket run one after the other.
// Where is not read (`red`, atomicAdd(&x, 1) alone) they are noted, and done when the unit counts (global_view.h), so
// that histograms and sums of blocks do not conflict. An observer that needs to know what they leave in memory gets to
// know it then, or has them done in order (trace::Observer::needs_atomics()).
//
// Identities are numbers of a pool. Those that a unit adds are numbered on top of the launch's (trace::TagPool); in its
// turn they get the numbers that they would have had, in memory and in the events of its parts. The block at which the
// pool is full is found by running the blocks around it one after the other.
//
// The whole launch runs on one core where it is written down for checkpoints (Options::journal), where blocks form
// clusters, where the kernel can launch kernels, where it allocates memory of the device heap or frees some, and where
// an observer has no part for a unit (trace::Observer::part()).
//
// Memory: of a wave, the touched pages, at most 128 MiB, as much for what parts of observers keep, and as much for
// identities (four times that within one block of each unit); 4 bytes for each KiB of buffers, on each core and once more.

#include "kernels/emulator/machine/machine.h"

namespace lanescope::emulator {

/// Outcomes of the blocks, for tests and figures.
struct AheadCounts {
  u64 blocks = 0;  ///< that ran ahead and counted
  u64 units = 0, discarded = 0;
  u64 waves = 0;
  u64 most_pages = 0;  ///< of one wave
};

/// `threads` 0: as many as there are cores, 64 at most. `launch` is between two blocks. Afterwards it is, too,
/// somewhere later, or has ended; advance() does the rest.
AheadCounts run_ahead(Running& launch, u32 threads);

}  // namespace lanescope::emulator
