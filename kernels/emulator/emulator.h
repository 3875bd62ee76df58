#pragma once
// The SIMT machine: runs a PTX entry over 32-lane registers, with bit-exact identities of data where asked.

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/ptx/program.h"
#include "kernels/trace/observer.h"
#include "kernels/trace/trace.h"

namespace lanescope::emulator {

struct Options {
  std::uint64_t seed = 1;                 ///< fixes the schedule; reruns with a seed are byte-identical
  std::uint64_t max_steps = 200'000'000;  ///< warp instructions; more is reported as a runaway loop
  /// Warp instructions of one warp before the next warp of the block has its turn. 1 shows warps side by side; 0 runs
  /// each to its next barrier, which is fastest. Results of kernels without races do not depend on it.
  std::uint32_t slice = 1;
  /// Null: identities are off. Its `space` must match the buffers. Once it is full, blocks that start run without.
  trace::TagPool* tags = nullptr;
  std::vector<trace::Observer*> observers{};
  const std::atomic<bool>* cancel = nullptr;
};

struct Fault {
  enum class Kind : std::uint8_t {
    out_of_bounds,
    misaligned,
    barrier_never_completes,
    deadlock,
    runaway,
    unsupported,
    trap,
    uninitialised_shuffle,
    member_mask,  ///< a lane executes a `.sync` operation whose member mask does not name it
    cancelled,
  };
  Kind kind = Kind::trap;
  trace::Where where;
  int lane = -1;
  int line = 0;  ///< the user's line; 0 when unknown
  std::uint64_t address = 0;
  std::string message;  ///< complete sentence with block, warp, lane, address, what was expected
};

struct Result {
  std::vector<Fault> faults;  ///< empty: ran to the end
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
  std::uint32_t shared_bytes = 0;
  /// Blocks that ran with identities: all of them unless the pool was full before the last one started.
  std::uint64_t identified_blocks = 0;
};

/// One site per program counter: the entry's code, a site for the exit behind it, then the same for each function that it
/// reaches. Static things a reader of the trace wants to know about each instruction. `user_file` picks which .file is the
/// user's: the one of its plain name (kernels/base/plain_name.h); empty: every one.
std::vector<trace::CodeSite> code_sites(const ptx::Module& module, const ptx::Entry& entry, std::string_view user_file);

/// Device addresses that run() gives to the buffers (256-byte aligned, with unmapped gaps between).
std::vector<std::uint64_t> place_buffers(const std::vector<trace::Buffer>& buffers);
/// Where run() puts the module's .global variables, tables of the compiler's libraries included (their names begin with
/// two underscores).
struct VariablePlace {
  std::string name;
  std::uint64_t address = 0, bytes = 0;
  int element_bits = 8;
};
std::vector<VariablePlace> variable_places(const ptx::Module& module);
/// Tag space for the buffers, in order.
trace::TagSpace tag_space(const std::vector<trace::Buffer>& buffers);

/// Refusals before anything runs (unknown instruction named at the user's line, argument sizes, block too large):
/// Diagnostics. Faults while running: Result::faults, buffers hold what was written until then.
Expected<Result> run(const ptx::Module& module, const trace::Launch& launch, std::vector<trace::Buffer>& buffers,
                     const Options& options);

/// `module` must outlive the machine. The same machine step by step, with restorable states (values; copying one is a checkpoint).
class Machine {
 public:
  static Expected<Machine> create(const ptx::Module& module, const trace::Launch& launch,
                                  std::vector<trace::Buffer>& buffers, const Options& options);
  Machine(Machine&&) noexcept;
  Machine& operator=(Machine&&) noexcept;
  ~Machine();
  /// Runs at most `steps` warp instructions; false when the launch has ended (or faulted).
  bool advance(std::uint64_t steps);
  const Result& result() const;
  std::uint64_t step_count() const;
  struct Checkpoint;
  std::shared_ptr<const Checkpoint> checkpoint() const;
  void restore(const Checkpoint& checkpoint);

 private:
  struct State;
  explicit Machine(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace lanescope::emulator
