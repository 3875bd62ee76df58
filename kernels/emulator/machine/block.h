#pragma once
// Blocks, warps and groups of lanes while they run. Private to the emulator.
//
// Every lane has its own program counter, as on the hardware since Volta. Lanes of a warp with the same counter (and
// the same stack of calls) form a group. The group deepest in calls and lowest in the code runs first, which is where
// others can catch up with it; a group that only polls memory, or runs very long while others wait, yields. Lanes that
// name different members at one `.sync` operation are groups of their own until it is done (convergence.cpp).

#include <array>
#include <vector>

#include "kernels/emulator/lanes/op.h"
#include "kernels/emulator/machine/memory.h"
#include "kernels/trace/tags.h"

namespace lanescope::emulator {

struct Frame {
  u32 return_pc = 0;
  u32 call = 0;               ///< index in Program::calls
  std::vector<u8> registers;  ///< of the callee's earlier activation, when it calls itself
  std::vector<u8> register_tags;
  std::vector<u8> params;
  std::vector<trace::WordTag> param_tags;
  std::vector<u64> stack, base;  ///< of the caller: Program::stack_row, Function::frame_row of the callee
  bool operator==(const Frame& o) const { return return_pc == o.return_pc && call == o.call; }
};

enum class Wait : u8 {
  none,
  warp,
  barrier,
  cluster,  ///< at the barrier of the cluster
  refused,  ///< for ever: its instruction cannot be executed
};

struct Group {
  u32 mask = 0, pc = 0;
  Wait wait = Wait::none;
  bool forced = false;       ///< runs its warp-wide operation: all lanes of its member mask have arrived at one
  u32 peers = 0;             ///< when forced: the lanes that execute this very instruction, those of other groups too
  u64 together = 0;          ///< common key of lanes separated at an operation (convergence.cpp); 0: not separated
  int barrier = 0;           ///< when waiting at one
  u32 penalty = 0, run = 0;  ///< times it yielded; instructions since
  u32 polls = 0, poll_pc = 0;
  u64 poll_value = 0;
  std::vector<Frame> frames;
};

/// All of a warp but its registers and memory. A checkpoint copies it whole.
struct WarpProgress {
  u32 index = 0;
  u32 exists = 0;  ///< lanes that are threads of the block
  std::vector<Group> groups;
  u32 cluster_arrived = 0;  ///< lanes that arrived in this phase of the cluster's barrier
  u32 cluster_owed = 0;     ///< lanes that arrived and have not waited yet
  bool blocked = false;     ///< no group can run
  bool polling = false;     ///< it has read the same values again and again and done nothing else since
};

struct Warp : WarpProgress {
  std::vector<u8> registers, tags;
  std::vector<u8> tagged;  ///< by row (128 bytes): some lane carries data
  Store local;
  u32 live() const {
    u32 m = 0;
    for (const Group& g : groups) m |= g.mask;
    return m;
  }
};

struct Barrier {
  std::vector<u32> arrived;  ///< by warp: lanes that arrived without waiting
  u32 threads = 0;           ///< expected; 0: all
  u32 ones = 0, voters = 0;  ///< bar.red
};

/// All of a block but its memory and its warps. A checkpoint copies it whole.
struct BlockProgress {
  u32 index = 0;
  u32 cluster = 0, rank = 0;  ///< number of its cluster, and its own in there
  std::array<Barrier, 16> barriers;
  u32 warp = 0;       ///< the warp that runs next
  u32 turn_left = 0;  ///< instructions left of that turn
  bool turn_open = false;
  std::size_t turn_groups = 0;  ///< of its warp when the turn began
  u64 random = 0;
  u64 steps = 0;  ///< warp instructions that it has executed
};

struct Block : BlockProgress {
  Store shared;
  Store reserved;  ///< shared memory of the system (kernels/trace/reserved_shared.h); empty if it is not used
  std::vector<Warp> warps;
  bool done() const {
    for (const Warp& w : warps)
      if (!w.groups.empty()) return false;
    return true;
  }
};

}  // namespace lanescope::emulator
