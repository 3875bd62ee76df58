#pragma once
// The running machine: groups of lanes, warps, blocks, and the context in which an operation runs. Private.
//
// Every lane has its own program counter, as on the hardware since Volta. Lanes of a warp with the same counter (and the
// same stack of calls) form a group. The group deepest in calls and lowest in the code runs first, which is where others
// can catch up with it; a group that only polls memory, or runs very long while others wait, gives way. Lanes that name
// different members at one `.sync` operation are groups of their own until it is done (convergence.cpp).

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "kernels/emulator/emulator.h"
#include "kernels/emulator/program.h"
#include "kernels/emulator/tag_rules.h"

namespace lanescope::emulator {

struct Frame {
  u32 return_pc = 0;
  u32 call = 0;               ///< index in Program::calls
  std::vector<u8> registers;  ///< of the callee's earlier activation, when it calls itself
  std::vector<u8> register_tags;
  std::vector<u8> params;
  std::vector<trace::WordTag> param_tags;
  bool operator==(const Frame& o) const { return return_pc == o.return_pc && call == o.call; }
};

enum class Wait : u8 { none, warp, barrier };

struct Group {
  u32 mask = 0, pc = 0;
  Wait wait = Wait::none;
  bool forced = false;       ///< runs its warp-wide operation: whoever its member mask names has come to one
  u64 together = 0;          ///< what lanes that were parted at an operation agree in (convergence.cpp); 0: not parted
  int barrier = 0;           ///< when waiting at one
  u32 penalty = 0, run = 0;  ///< times it gave way; instructions since
  u32 polls = 0, poll_pc = 0;
  u64 poll_value = 0;
  std::vector<Frame> frames;
};

struct Warp {
  u32 index = 0;
  u32 exists = 0;  ///< lanes that are threads of the block
  std::vector<Group> groups;
  std::vector<u8> registers, tags;
  std::vector<u8> tagged;  ///< by row (128 bytes): some lane carries data
  Store local;
  bool blocked = false;  ///< no group can run
  bool polling = false;  ///< it has read the same values again and again and done nothing else since
  u32 live() const {
    u32 m = 0;
    for (const Group& g : groups) m |= g.mask;
    return m;
  }
};

struct Barrier {
  std::vector<u32> arrived;  ///< by warp: lanes that arrived without waiting
  u32 threads = 0;           ///< asked for; 0: all
  u32 ones = 0, voters = 0;  ///< bar.red
};

struct Block {
  u32 index = 0;
  Store shared;
  Store reserved;  ///< shared memory of the system (kernels/trace/reserved_shared.h); empty where nobody asks for it
  std::vector<Warp> warps;
  std::array<Barrier, 16> barriers;
  u32 warp = 0;       ///< whose turn it is
  u32 turn_left = 0;  ///< instructions left of that turn
  bool turn_open = false;
  u64 random = 0;
  bool done() const {
    for (const Warp& w : warps)
      if (!w.groups.empty()) return false;
    return true;
  }
};

struct Running;

/// Where a step runs.
struct Context {
  Running& machine;
  Block& block;
  Warp& warp;
  std::size_t group_index;
  trace::Where where;
  Group& group() { return warp.groups[group_index]; }
  u8* registers() { return warp.registers.data(); }
};

/// Everything that changes while a launch runs, and what it needs to go on. Copyable but for the references.
struct Running {
  std::shared_ptr<const Program> program;
  std::vector<trace::Buffer>* buffers = nullptr;
  Options options;
  Result result;
  AddressSpace global;                           ///< buffers, module variables, parameters
  std::vector<std::unique_ptr<Block>> resident;  ///< blocks that have started and not ended
  std::vector<std::unique_ptr<Block>> spare;     ///< ended ones, kept for their memory
  std::size_t current = 0;                       ///< in resident
  u64 next_block = 0;                            ///< in the seeded order
  u64 blocks = 0;
  bool ended = false;
  std::unique_ptr<TagCache> cache;

  bool advance(u64 steps);
  void fault(Fault f);
  /// "block (0,0,0), warp 1, lane 3, line 12".
  std::string place(const trace::Where& where, int lane) const;
  void fault_at(Context& context, Fault::Kind kind, int lane, u64 address, std::string what);
  void steer(const trace::Where& where, trace::SteerEvent::What what);
  bool observed() const { return !options.observers.empty(); }
  bool tags() const { return options.tags != nullptr; }
  void release_barriers(Block& block, int number);

 private:
  friend struct Turn;
  u32 turn(Block& block, Warp& warp, u32 budget);
  template <bool with_tags, bool with_observers>
  u32 run_warp(Block& block, Warp& warp, u32 budget);
  void start_block();
  void reset(Block& block);
  bool pick_warp(Block& block);
  void stuck(Block& block);
  bool gather(Context& context, const Op& op, u32 mask);
  void stuck_in_warp(Block& block, Warp& warp);
};

// convergence.cpp
/// Lanes that came to the same place go on together.
void merge_groups(Warp& warp);
/// Lanes exited: who waits for them looks again.
void wake_waiting(Warp& warp);

/// Warp instructions per turn where nothing else is asked for.
u32 turn_length(const Options& options);

void set_specials(const Program& program, const Block& block, Warp& warp, u64 grid_seed);

// Steps, by file.
Flow step_memory(Context& c, const Op& op, u32 mask);  // memory_steps.cpp
Flow step_atomic(Context& c, const Op& op, u32 mask);  // atomic_steps.cpp
Flow step_async_copy(Context& c, const Op& op, u32 mask);
Flow step_branch(Context& c, const Op& op, u32 mask);  // control_steps.cpp
Flow step_branch_table(Context& c, const Op& op, u32 mask);
Flow step_call(Context& c, const Op& op, u32 mask);
Flow step_return(Context& c, const Op& op, u32 mask);
Flow step_exit(Context& c, const Op& op, u32 mask);
Flow step_trap(Context& c, const Op& op, u32 mask);
Flow step_barrier(Context& c, const Op& op, u32 mask);  // barrier_steps.cpp
Flow step_clock(Context& c, const Op& op, u32 mask);
Flow step_probe(Context& c, const Op& op, u32 mask);
Flow step_nothing(Context& c, const Op& op, u32 mask);
Flow step_shuffle(Context& c, const Op& op, u32 mask);  // warp_steps.cpp
Flow step_vote(Context& c, const Op& op, u32 mask);
Flow step_match(Context& c, const Op& op, u32 mask);
Flow step_activemask(Context& c, const Op& op, u32 mask);
Flow step_reduce(Context& c, const Op& op, u32 mask);
Flow step_elect(Context& c, const Op& op, u32 mask);
Flow step_matrix_memory(Context& c, const Op& op, u32 mask);  // matrix_steps.cpp
Flow step_matrix_move(Context& c, const Op& op, u32 mask);

}  // namespace lanescope::emulator
