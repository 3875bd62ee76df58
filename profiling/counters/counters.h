#pragma once
// What the hardware's counters would show, predicted from the addresses and masks of a run.
//
// Memory counters follow profiling/access and are exact for one warp instruction (measured on H200,
// tests/data/h200_memory_counters.json). Instruction counts are of PTX: the machine code has its own, so a ratio near
// but not at 1 is normal there. Counts that no hardware counter shows under one name have names that begin with
// "lanescope__". Every name with its legacy name, formula and source: metrics.h and docs/counters.md.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/trace/observer.h"
#include "kernels/trace/trace.h"
#include "profiling/access/access.h"
#include "profiling/counters/metrics.h"

namespace lanescope::counters {

/// Requests and sectors of one direction of global (or local) memory.
struct GlobalCounts {
  std::uint64_t requests = 0, sectors = 0;
  std::uint64_t bytes_wanted = 0;   ///< distinct bytes of each access
  std::uint64_t ideal_sectors = 0;  ///< that those bytes fill
  std::uint64_t lines = 0;
  std::uint64_t bytes_requested = 0;  ///< lane by lane, as the hardware's data_bytes: one word for all lanes is 128
  bool operator==(const GlobalCounts&) const = default;
  GlobalCounts& operator+=(const GlobalCounts& other);
  std::uint64_t bytes_moved() const { return sectors * 32; }
};
/// Of one direction of shared memory.
struct SharedCounts {
  std::uint64_t requests = 0, wavefronts = 0, ideal_wavefronts = 0, bank_conflicts = 0;
  std::uint64_t bytes_requested = 0;  ///< lane by lane; of atomics once for each address
  bool operator==(const SharedCounts&) const = default;
  SharedCounts& operator+=(const SharedCounts& other);
};
struct ConstantCounts {
  std::uint64_t requests = 0, broadcasts = 0, replays = 0;
  bool operator==(const ConstantCounts&) const = default;
  ConstantCounts& operator+=(const ConstantCounts& other);
};

struct Counts {
  std::uint64_t instructions = 0;         ///< warp instructions
  std::uint64_t thread_instructions = 0;  ///< lanes that executed them, guard predicates applied
  GlobalCounts global_load{}, global_store{}, global_atomic{}, global_async{};
  SharedCounts shared_load{}, shared_store{}, shared_atomic{}, shared_async{};
  SharedCounts matrix_load{}, matrix_store{};  ///< ldmatrix and stmatrix
  SharedCounts matrix_product{};               ///< operands of wgmma in shared memory
  std::uint64_t global_atomic_passes = 0;      ///< turns that lanes take; see AtomicCost. In shared memory: wavefronts
  GlobalCounts local_load{}, local_store{};    ///< in the interleaved layout
  ConstantCounts constant{};                   ///< .const; kernel parameters cost nothing here
  std::uint64_t local_accesses = 0;
  std::uint64_t shuffles = 0, barriers = 0;
  std::uint64_t branches = 0, divergent_branches = 0;  ///< divergent: some active lanes took it and some did not

  bool operator==(const Counts&) const = default;
  Counts& operator+=(const Counts& other);
  GlobalCounts global() const;  ///< all directions
  /// All of these; bytes without those of matrix_product, as the hardware's data_bytes.
  SharedCounts shared() const;
};

/// Counts by instruction; one per launch.
class Counter final : public trace::Observer {
 public:
  void on_step(const trace::Where&) override;
  void on_access(const trace::AccessEvent&) override;
  void on_shuffle(const trace::ShuffleEvent&) override;
  void on_branch(const trace::BranchEvent&) override;
  void on_barrier(const trace::BarrierEvent&) override;
  void on_matrix_read(const trace::MatrixReadEvent&) override;
  std::unique_ptr<trace::Observer> part() const override { return std::make_unique<Counter>(); }
  Atomics needs_atomics() const override { return Atomics::never; }
  void take(trace::Observer& part, std::uint64_t) override { add(static_cast<const Counter&>(part)); }
  /// What another one counted.
  void add(const Counter& other);

  /// Indexed by pc; shorter than the code when its end was never reached.
  std::span<const Counts> by_instruction() const { return by_pc_; }

 private:
  Counts& at(std::uint32_t pc) {
    if (pc >= by_pc_.size()) by_pc_.resize(pc + 1);
    return by_pc_[pc];
  }
  void count_global(Counts& counts, const trace::AccessEvent& event, const access::Pattern& pattern);
  void count_shared(Counts& counts, const trace::AccessEvent& event, const access::Pattern& pattern);
  std::vector<Counts> by_pc_;
  /// What a cp.async.cg reads, until the event of what it writes follows: its sectors depend on both.
  std::optional<access::Pattern> bypassing_;
};

/// By line of the user's file (0: instructions whose line is not known), and in total.
struct Report {
  Counts total;
  std::map<int, Counts> lines;
};
/// Adds a launch to the report. `code` are the sites of that launch's kernel, by pc.
void add(Report& report, const Counter& counter, std::span<const trace::CodeSite> code);

/// One static instruction that ran.
struct InstructionCounts {
  std::uint32_t pc = 0;
  int line = 0;      ///< 0: not known
  std::string text;  ///< canonical PTX; empty where `code` does not reach
  Counts counts;
};
/// Those that ran, ascending pc.
std::vector<InstructionCounts> by_instruction(const Counter& counter, std::span<const trace::CodeSite> code);

}  // namespace lanescope::counters
