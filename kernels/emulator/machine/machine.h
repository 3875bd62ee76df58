#pragma once
// The running machine, and the context in which an operation runs. Private to the emulator.

#include <atomic>
#include <memory>
#include <vector>

#include "kernels/emulator/machine/block.h"
#include "kernels/emulator/machine/device_runtime.h"
#include "kernels/emulator/machine/heap.h"
#include "kernels/emulator/machine/program.h"
#include "kernels/emulator/machine/run.h"
#include "kernels/emulator/machine/translation.h"
#include "kernels/emulator/tags/rules.h"

namespace lanescope::emulator {

struct Running;
class GlobalView;

/// Where a step runs.
struct Context {
  Running& machine;
  Block& block;
  Warp& warp;
  std::size_t group_index;
  trace::Where where;
  Group& group() { return warp.groups[group_index]; }
  u8* registers() { return warp.registers.data(); }
  /// With identities: the context of operations on them.
  TagContext tags();
};

/// How far a launch is: all that changes while it runs, but its blocks and memory. A checkpoint copies it whole.
struct Progress {
  Result result;
  std::size_t current = 0;  ///< in Running::resident
  u64 next_block = 0;       ///< in the seeded order
  u64 blocks = 0;
  bool ended = false;
  std::vector<Fault> refusals;  ///< one for each instruction
  std::vector<u32> left_at;     ///< where lanes are that never continue, because of those
  u64 polls_after_refusal = 0;  ///< times when a block only polled memory since
  u64 printed_bytes = 0;
  std::vector<u64> samples;  ///< blocks still to run after the cut, in the seeded order; the next one last
  u64 ended_blocks = 0;
  u64 step_limit = 0;  ///< of warp instructions, raised once for running blocks at the cut
  u64 next_look = 0;   ///< at the clock, in warp instructions
  u64 polls_after_cut = 0;
  u64 acts = 0;        ///< stores, atomics that change memory, barriers completed, exits, polls that read something new
  u64 idle_at = 0;     ///< `acts` when a block last had nothing to do but poll
  u64 idle_turns = 0;  ///< such turns since, one after the other
  u64 polls_in_cluster = 0;  ///< turns in a row after which a block only polled
  u64 starts_asked = 0;      ///< number of queries whether a block may start: Journal
  DeviceRuntime runtime;     ///< child grids of its kernel
};

/// A launch that runs, with its blocks and memory, and what it needs to continue.
struct Running : Progress {
  std::shared_ptr<const Program> program;
  std::vector<trace::Buffer>* buffers = nullptr;
  Options options;
  AddressSpace global;                           ///< buffers, module variables, parameters, the device heap
  std::shared_ptr<Heap> heap;                    ///< its allocations; checkpoints share it until it changes
  std::vector<std::unique_ptr<Block>> resident;  ///< blocks that have started and not ended
  std::vector<std::unique_ptr<Block>> spare;     ///< ended ones, kept for their memory
  std::unique_ptr<TagCache> cache;
  trace::WordTag chosen = trace::no_data;  ///< TagContext::chosen
  trace::WordTag absent = trace::no_data;  ///< TagContext::absent
  /// Not null: this machine runs blocks ahead of their turn (kernels/emulator/ahead), and `global` leads to this view.
  GlobalView* view = nullptr;
  std::unique_ptr<Translation> translation{};  ///< null: every operation is executed by itself
  bool defers_atomics = false;    ///< of such a machine: operations whose result is not read are done in their turn
  bool logs_all_atomics = false;  ///< those, one after the other: the contents after each are needed
  const std::atomic<bool>* not_needed = nullptr;  ///< of such a machine: its unit was discarded
  u64 pause_at = ~u64{0};  ///< no block from this one on (in the seeded order) begins; advance() returns when it would

  /// Runs at most `steps` warp instructions; false when the launch has ended.
  bool advance(u64 steps);
  void fault(Fault f);
  /// Lanes reached an instruction that cannot be executed. The launch continues without them.
  void refuse_at(Context& context, const RefusedOp& refused, int lane);
  /// "block (0,0,0), warp 1, lane 3, line 12".
  std::string place(const trace::Where& where, int lane) const;
  void fault_at(Context& context, Fault::Kind kind, int lane, u64 address, const std::string& what,
                const std::string& remedy = {});
  void steer(const trace::Where& where, trace::SteerEvent::What what, u32 steered);
  bool observed() const { return !options.observers.empty(); }
  bool tags() const { return options.tags != nullptr; }
  void release_barrier(Block& block, int number);
  // Blocks ahead of their turn (turns.cpp)
  /// Of a machine with a view: the next step may depend on other blocks, or is to be reported only once. It ends.
  void wait_for_turn() { ended = true; }
  /// Whether blocks that ran ahead as `unit` may take their turn now, and how far the launch is then; `count` blocks.
  /// They began while blocks were to begin: the clock is not queried. False: nothing has changed.
  bool take_turns(const Progress& unit, u64 count);
  // Clusters (cluster_steps.cpp)
  u32 cluster_blocks() const { return static_cast<u32>(program->cluster.count()); }
  /// The block of this rank in the cluster of `of`; nullptr where it has exited, or there is none.
  Block* block_of_cluster(const Block& of, u32 rank);
  /// The block of the shared memory; `otherwise` if it belongs to none.
  const Block& owner_of(const Store& shared, const Block& otherwise) const;
  void release_cluster_barrier(const Block& of);
  // Checkpoints (kernels/emulator/checkpoint)
  /// A new block, whose memory and registers are still to be restored.
  std::unique_ptr<Block> blank_block(const BlockProgress& at);

 private:
  /// One run of a group of lanes.
  struct Ran {
    u32 instructions = 0;
    Flow flow = Flow::next;
    bool only_budget = false;  ///< it ended because its budget was used up, and for no other reason
  };

  // Blocks: whose turn it is (machine.cpp; schedule.h says who comes next)
  Block* open_turn();
  void close_turn(Block& block, Warp& warp);
  void start_blocks();
  u32 block_at(u64 n) const;
  bool go_on_elsewhere();
  void end_block();
  void reset(Block& block);
  void set_specials(const Block& block, Warp& warp, bool is_new) const;  // specials.cpp
  void stuck(Block& block);
  void stuck_polling();  ///< all running blocks read the same values again and again
  void stuck_in_cluster(Context& context, int lane);
  void abandon(Block& block);
  void abandon_all();
  void end();
  bool may_start();  ///< whether there is a block to start; may cut the launch
  Outside outside();
  void cut(trace::Coverage::Ended why, u32 samples_wanted);
  void leave_all();
  void look_at_clock();
  bool is_cut() const { return !result.coverage.whole(); }
  bool cancelled();                        ///< which is a fault
  void runaway(Block& block, Warp& warp);  ///< the limit of steps is reached

  // Warps
  /// A turn of a warp, or a part of one.
  struct Turn {
    u32 instructions = 0;
    bool goes_on = false;  ///< it ended because its budget was used up, and for no other reason
  };
  /// `interrupts`: the budget is less than the turn, which is to continue as if nothing had been.
  Turn turn(Block& block, Warp& warp, u32 budget, bool interrupts);
  u64 round(Block& block, u64 steps);
  bool has_rounds() const;
  template <bool with_tags, bool with_observers>
  Turn run_warp(Block& block, Warp& warp, u32 budget, bool interrupts);
  template <bool with_tags, bool with_observers>
  Ran run_group(Context& context, u32 budget);
  bool gather(Context& context, const Op& op, u32 mask);  // convergence.cpp
  bool shuffle_at_once(Context& context, const Op& op, u32 mask);
  void execute_together(Context& context, u32 pc, u64 together);
  bool joins(u32 pc, u32 other) const;  ///< lanes that wait for each other there execute one operation
  void does_not_join(Context& context, const Group& here, const Group& other);
  void report_sync(Context& context, u32 pc, u32 together, bool one_place);
  void stuck_in_warp(Block& block, Warp& warp);
  void release_barriers_of_exited(Block& block);  // barrier_steps.cpp
};

// unfinished.cpp
/// Probes that lanes at these instructions might still reach, ascending.
std::vector<int> probes_ahead(const Program& program, const std::vector<u32>& from);

// convergence.cpp
/// Lanes of the group beyond `mask` become a group of their own, at `pc`.
void part_group(Context& context, u32 mask, u32 pc);
/// The lanes of the group are about to part at this operation: they will wait for each other at its join.
void expect_join(Context& context);
/// The same, at `pc`.
void expect_join_at(Context& context, u32 pc);
/// Lanes of the group, at the header of a loop, begin its next round: joins of the last one are not waited for.
void begin_round(const Program& program, Group& group);
/// Lanes at joins wait, or continue together.
void reconverge(const Program& program, Warp& warp);
/// Lanes exited: wakes lanes that wait for them.
void wake_waiting(Warp& warp);

}  // namespace lanescope::emulator
