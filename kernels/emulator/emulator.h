#pragma once
// The SIMT machine: runs a PTX entry over 32-lane registers, with bit-exact identities of data on request.

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/emulator/machine/placement.h"
#include "kernels/emulator/machine/run.h"
#include "kernels/ptx/program.h"
#include "kernels/trace/launch.h"
#include "kernels/trace/trace.h"

namespace lanescope::emulator {

/// One site per program counter: the entry's code, a site for the exit after it, then the same for each function that
/// it reaches. Static data about each instruction for a reader of the trace. `user_file` chooses the user's .file: the
/// one of its plain name (kernels/base/plain_name.h); empty: every one.
std::vector<trace::CodeSite> code_sites(const ptx::Module& module, const ptx::Entry& entry, std::string_view user_file);

/// Where the arrays of a block's shared memory lie, in bytes from its beginning, as accesses count. Empty where the
/// launch is refused.
struct SharedPlace {
  std::string name;  ///< in the PTX
  std::uint64_t offset = 0, bytes = 0;
  std::uint64_t address = 0;    ///< for the kernel: from sm_90 on the first 1024 bytes are the system's
  std::uint64_t alignment = 1;  ///< declared; that of the address may be less
};
std::vector<SharedPlace> shared_places(const ptx::Module& module, const trace::Launch& launch,
                                       const std::vector<trace::Buffer>& buffers);

/// Error: the local memory of the blocks that run at a time is more than this process may use (kernels/base/memory.h).
Expected<void> check_local_memory(std::uint64_t thread_bytes, std::uint64_t cluster_blocks,
                                  const trace::Launch& launch);

struct AheadCounts;
struct Saved;
class Room;

/// Refusals before anything runs (argument sizes, block too large): Diagnostics. Faults while running: Result::faults,
/// buffers hold their contents at that time. An instruction that the emulator does not know is a fault where a lane
/// executes it, and stops only the lanes that do and those that wait for them (Result::unfinished). Child grids run
/// after the launch, unless Options::grids is `leave`; a fault there ends the run, too.
Expected<Result> run(const ptx::Module& module, const trace::Launch& launch, std::vector<trace::Buffer>& buffers,
                     const Options& options);

/// `module` must outlive the machine. Of one launch: what its kernel launches is reported and left (Result::grids). The
/// same machine step by step, with restorable states (values; copying one is a checkpoint).
class Machine {
 public:
  static Expected<Machine> create(const ptx::Module& module, const trace::Launch& launch,
                                  std::vector<trace::Buffer>& buffers, const Options& options);
  Machine(Machine&&) noexcept;
  Machine& operator=(Machine&&) noexcept;
  ~Machine();
  /// Runs at most `steps` warp instructions; false when the launch has ended (or faulted).
  bool advance(std::uint64_t steps);
  /// Runs blocks on Options::cores as far as that can be done; advance() does the rest. At the beginning of the launch.
  AheadCounts run_ahead();
  const Result& result() const;
  std::uint64_t step_count() const;
  /// Of the launch; one block where there are none.
  trace::Dim3 cluster() const;
  struct Checkpoint;
  std::shared_ptr<const Checkpoint> checkpoint() const;
  void restore(const Checkpoint& checkpoint);
  /// The same within a budget, against an earlier checkpoint of the run and the buffers that it began with: save() and
  /// restore() of checkpoint/saved.h.
  std::shared_ptr<const Saved> save_within(const Saved* before, const std::vector<trace::Buffer>& initial, Room& room);
  void restore(const Saved& saved, const std::vector<trace::Buffer>& initial);
  /// Bytes of the module's variables that are no buffers, for a later launch of the same module.
  std::vector<std::vector<std::uint8_t>> variables() const;
  void set_variables(const std::vector<std::vector<std::uint8_t>>& bytes);

 private:
  struct State;
  explicit Machine(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace lanescope::emulator
