#pragma once
// The hardware's counters, predicted from the addresses and masks of a run.
//
// Memory counters follow profiling/access and are exact for one warp instruction (measured on H200,
// tests/data/h200_memory_counters.json). Instruction counts are of PTX: the machine code has its own, so a ratio near
// but not at 1 is normal there. Counts that no hardware counter shows under one name have names that begin with
// "lanescope__". Every name with its legacy name, formula and source: metrics.h and docs/counters.md.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/trace/observer.h"
#include "kernels/trace/trace.h"
#include "profiling/access/access.h"
#include "profiling/counters/metrics.h"

namespace lanescope::counters {

struct Counts {
  std::uint64_t instructions = 0;         ///< warp instructions
  std::uint64_t thread_instructions = 0;  ///< lanes that executed them, guard predicates applied
  access::Sum global_load{}, global_store{}, global_atomic{}, global_async{};
  access::Sum shared_load{}, shared_store{}, shared_atomic{}, shared_async{};
  access::Sum matrix_load{}, matrix_store{};  ///< ldmatrix and stmatrix
  access::Sum matrix_product{};               ///< operands of wgmma in shared memory
  access::Sum local_load{}, local_store{};    ///< in the interleaved layout
  access::Sum constant{};                     ///< .const; kernel parameters cost nothing here
  std::uint64_t shuffles = 0, barriers = 0;
  std::uint64_t branches = 0, divergent_branches = 0;  ///< divergent: some active lanes took it and some did not

  bool operator==(const Counts&) const = default;
  Counts& operator+=(const Counts& other);
  access::Sum global() const;  ///< all directions
  /// All of these; bytes without those of matrix_product, as the hardware's data_bytes.
  access::Sum shared() const;
  /// The sum that has accesses of this kind; nullptr: kernel parameters.
  access::Sum* of(const access::Access& access);
};

/// Counts by instruction; one per launch.
class Counter final : public trace::Observer {
 public:
  void on_step(const trace::Where&) override;
  void on_steps(const trace::Where& first, std::span<const std::uint32_t> active) override;
  void on_access(const trace::AccessEvent&) override;
  void on_shuffle(const trace::ShuffleEvent&) override;
  void on_branch(const trace::BranchEvent&) override;
  void on_barrier(const trace::BarrierEvent&) override;
  void on_matrix_read(const trace::MatrixReadEvent&) override;
  std::unique_ptr<trace::Observer> part() const override { return std::make_unique<Counter>(); }
  Atomics needs_atomics() const override { return Atomics::never; }
  bool needs_turns() const override { return false; }
  void take(trace::Observer& part, std::uint64_t) override { add(static_cast<const Counter&>(part)); }
  void add(const Counter& other);

  /// Indexed by pc; shorter than the code when its end was never reached.
  std::span<const Counts> by_instruction() const { return by_pc_; }
  /// Their sum.
  const Counts& total() const { return total_; }

 private:
  Counts& at(std::uint32_t pc) {
    if (pc >= by_pc_.size()) by_pc_.resize(pc + 1);
    return by_pc_[pc];
  }
  std::vector<Counts> by_pc_;
  Counts total_;
};

/// By line of the user's file (0: instructions whose line is not known), and in total.
struct Report {
  Counts total;
  std::map<int, Counts> lines;
};
/// Adds a launch to the report. `code` are the sites of that launch's kernel, by pc.
void add(Report& report, const Counter& counter, std::span<const trace::CodeSite> code);

struct InstructionCounts {
  std::uint32_t pc = 0;
  int line = 0;      ///< 0: not known
  std::string text;  ///< canonical PTX; empty where `code` does not reach
  Counts counts;
};
/// Those that ran, ascending pc.
std::vector<InstructionCounts> by_instruction(const Counter& counter, std::span<const trace::CodeSite> code);

// Floating-point operations as data sheets and rooflines count them: a fused multiply-add is two, every other
// arithmetic instruction is one a lane and component. Copies, comparisons, conversions and changes of sign are none,
// and neither are the matrix instructions of tensor cores, which have another peak.

struct FloatOperations {
  int fp32 = 0, fp64 = 0;  ///< of one lane
  bool operator==(const FloatOperations&) const = default;
};

/// `text`: canonical PTX of one instruction, as trace::CodeSite::text: "@%p1 fma.rn.f32 %f3, %f1, %f2, %f3;" is {2, 0}.
FloatOperations operations_of(std::string_view text);

// How full warps are: of every warp instruction, the number of lanes that execute it; by instruction and by line.

struct LaneHistogram {
  std::array<std::uint64_t, trace::lanes_per_warp + 1> instructions{};  ///< by number of active lanes, 0 to 32
  bool operator==(const LaneHistogram&) const = default;
  LaneHistogram& operator+=(const LaneHistogram& other);
  void add(std::uint32_t active);
  std::uint64_t total() const;  ///< warp instructions
};

class DivergenceCounter final : public trace::Observer {
 public:
  void on_step(const trace::Where&) override;
  void on_steps(const trace::Where& first, std::span<const std::uint32_t> active) override;
  std::unique_ptr<trace::Observer> part() const override { return std::make_unique<DivergenceCounter>(); }
  Atomics needs_atomics() const override { return Atomics::never; }
  bool needs_turns() const override { return false; }
  void take(trace::Observer& part, std::uint64_t first_step) override;

  /// Indexed by pc; shorter than the code when its end was never reached.
  std::span<const LaneHistogram> by_instruction() const { return by_pc_; }

 private:
  std::vector<LaneHistogram> by_pc_;
};

struct DivergenceReport {
  LaneHistogram total;
  std::map<int, LaneHistogram> lines;  ///< 0: instructions whose line is not known
};
/// Adds a launch to the report. `code` are the sites of that launch's kernel, by pc.
void add(DivergenceReport& report, const DivergenceCounter& counter, std::span<const trace::CodeSite> code);

// Costs of each block of a launch. A Counter, which receives every event through this one, counts: at each change of
// block the difference of its sums belongs to the previous block, so that nothing is computed twice.

class BlockCounter final : public trace::Observer {
 public:
  /// `counter` outlives it, and receives events of the launch from no other observer. `blocks`: of the whole launch.
  BlockCounter(Counter& counter, std::uint64_t blocks);
  void on_step(const trace::Where& where) override {
    if (where.block / each_ != current_) change(where.block / each_);
    counter_.on_step(where);
  }
  void on_steps(const trace::Where& first, std::span<const std::uint32_t> active) override {
    if (first.block / each_ != current_) change(first.block / each_);
    counter_.on_steps(first, active);
  }
  void on_access(const trace::AccessEvent& e) override { counter_.on_access(e); }
  void on_shuffle(const trace::ShuffleEvent& e) override { counter_.on_shuffle(e); }
  void on_branch(const trace::BranchEvent& e) override { counter_.on_branch(e); }
  void on_barrier(const trace::BarrierEvent& e) override { counter_.on_barrier(e); }
  void on_matrix_read(const trace::MatrixReadEvent& e) override { counter_.on_matrix_read(e); }
  std::unique_ptr<trace::Observer> part() const override;
  Atomics needs_atomics() const override { return Atomics::never; }
  bool needs_turns() const override { return false; }
  void take(trace::Observer& part, std::uint64_t first_step) override;
  void launch_ended() { change(none); }

  /// By block / blocks_each().
  const std::vector<Counts>& blocks() const { return blocks_; }
  std::uint32_t blocks_each() const { return each_; }

 private:
  class Part;
  static constexpr std::uint32_t none = ~0u;
  void change(std::uint32_t next);

  Counter& counter_;
  std::uint32_t each_ = 1, current_ = none;
  std::vector<Counts> blocks_;
  Counts before_;  ///< the counter's total when `current_` began
};

}  // namespace lanescope::counters
