#pragma once
// Blocks, warps and groups of lanes while they run. Private to the emulator.
//
// Every lane has its own program counter, as on the hardware since Volta. Lanes of a warp that run together are a group.
// A branch parts a group; its parts wait for each other at the join of the branch, unless lanes yield or wait elsewhere
// (convergence.cpp). Of several groups that can run, the one deepest in calls and lowest in the code is first; a group
// that only polls memory, or runs very long while others wait, gives way.

#include <array>
#include <memory>
#include <optional>
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

/// A place where lanes that have parted wait for each other.
struct Join {
  u32 pc = 0, depth = 0;  ///< `depth`: frames of the lanes there
  s32 rank = 0;           ///< Meeting::join_rank
  u32 mask = 0;           ///< the lanes
  bool operator==(const Join&) const = default;
};

enum class Wait : u8 {
  none,
  join,  ///< at the last of Group::joins
  warp,
  barrier,
  cluster,  ///< at the barrier of the cluster
  refused,  ///< for ever: its instruction cannot be executed
};

/// An operation that lanes execute together from several instructions, in several calls of a function, or with several
/// member masks.
struct Joint {
  u32 mask = 0;                              ///< the lanes that execute it
  u32 readable = 0;                          ///< those and others that execute it at once: a shuffle reads them
  u32 votes = 0;                             ///< of a vote
  std::array<u64, lanes> values{};           ///< what each lane brings
  std::array<trace::WordTag, lanes> tags{};  ///< its identity
};

struct Group {
  u32 mask = 0, pc = 0;
  Wait wait = Wait::none;
  bool forced = false;  ///< runs its warp-wide operation: all lanes of its member mask have arrived at one
  u64 together = 0;     ///< common key of lanes separated at an operation (convergence.cpp); 0: not separated
  std::shared_ptr<const Joint> joint{};  ///< when forced: the operation that it executes with other groups
  int barrier = 0;                       ///< when waiting at one
  u32 penalty = 0, run = 0;              ///< times it yielded; instructions since
  u32 polls = 0, poll_pc = 0;
  u64 poll_value = 0;
  bool yields = false;  ///< it lets others continue first, also those that wait for it at a join
  std::vector<Frame> frames;
  std::vector<Join> joins;  ///< that are still to come, outer ones first
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
  std::optional<u32> first;  ///< where the first lanes of this round came
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
