#pragma once
// A launch at one moment, with all that it needs to continue: save() takes it, restore() returns to it. Small parts
// (groups of lanes, calls, barriers, the schedule's position, printed output) are copied whole as Progress,
// BlockProgress and WarpProgress; memory, registers and identities are images that share pages with the moment before.
// Objects in memory (mbarrier) are memory. The program, the options and the pool of identities are the machine's, and
// not saved.

#include <memory>
#include <vector>

#include "kernels/emulator/checkpoint/pages.h"
#include "kernels/emulator/machine/machine.h"

namespace lanescope::emulator {

struct PrintedPart {
  Taken taken;
  std::shared_ptr<const PrintedPart> before;
  std::size_t first = 0;  ///< calls that are in `before`
  std::vector<Printed> printed;
};

struct SavedStore {
  Image bytes, tags;  ///< no tags: none were there
};
struct SavedWarp {
  WarpProgress progress;
  Image registers, tags, tagged;
  SavedStore local;
};
struct SavedBlock {
  BlockProgress progress;
  SavedStore shared, reserved;
  std::vector<SavedWarp> warps;
};

struct Saved {
  Taken taken;
  Progress progress;  ///< its Result has no printed text
  std::shared_ptr<const PrintedPart> printed;
  std::shared_ptr<Heap> heap;  ///< shared with the machine until it changes
  std::vector<SavedStore> global;
  std::vector<SavedBlock> blocks;  ///< as Running::resident
  bool identifies = false;         ///< identities are followed
};

/// Initial contents of the buffers of a launch, so that unchanged bytes cost nothing.
using Initial = std::vector<trace::Buffer>;

/// `before`: an earlier moment of the same run. nullptr: there is no room. `initial` nullptr: the buffers began with
/// zeros.
std::shared_ptr<const Saved> save(Running& running, const Saved* before, const Initial* initial, Room& room);

/// Moves to a moment of a run of the same program with the same buffers; `initial` as it was saved with. `tags`: the
/// pool that the saved identities are of, or nullptr where they were off.
void restore(const Saved& saved, const Initial* initial, trace::TagPool* tags, Running& running);

}  // namespace lanescope::emulator
