#pragma once
// The launches of a program on a GPU, each time in a child of this program (`lanescope child run`): a fault or hang
// ends only the child.

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/engine/prepare/execution.h"
#include "app/engine/prepare/program.h"
#include "app/engine/requests/requests.h"
#include "app/engine/summary/access_info.h"
#include "app/engine/wire/messages.h"
#include "kernels/base/deadline.h"
#include "kernels/emulator/emulator.h"
#include "kernels/gpu/child.h"
#include "kernels/instrument/decode.h"
#include "results/measured.h"

namespace lanescope::engine {

/// Which GPU and how long it may take.
struct HardwareOptions {
  int device = 0;
  int warm_up = 0, repetitions = 0;  ///< of timed launches, after the one whose results are kept
  double limit_seconds = 30;
  const std::atomic<bool>* cancel = nullptr;
  Deadline deadline() const;
};
/// The launches of a program from these contents, on a GPU.
struct HardwareRun {
  const Program& program;
  const std::vector<trace::Buffer>& buffers;
  HardwareOptions options;
};

/// Runs every launch once and brings the buffers back. Errors: no GPU, PTX that the driver refuses.
Expected<gpu::ChildAnswer> run_on_gpu(const HardwareRun& run);

/// Element by element; one entry per buffer, equal ones included. Both have the same buffers. Where the emulator left
/// the address of an allocation of its device heap, any address is equal. `heap`: as the emulator left it; may be null.
std::vector<results::BufferComparison> compare_buffers(const std::vector<trace::Buffer>& on_gpu,
                                                       const std::vector<trace::Buffer>& emulated,
                                                       const emulator::HeapState* heap);

/// The GPU's bytes with the names and types of `like`.
void take_contents(std::vector<trace::Buffer>&& on_gpu, const std::vector<trace::Buffer>& like,
                   std::vector<trace::Buffer>& into);

/// A GPU shows that a kernel faulted, not where; the emulator that stops in the same kernel does.
void locate_fault(const std::vector<emulator::Fault>& emulated, results::Measured& measured);

/// A part that could not be measured: why.
void add_refusal(const Diagnostics& why, results::Measured& measured);

/// nullopt: nothing was timed.
std::optional<results::TimingInfo> timing_info(const gpu::Timing& timing, int warm_up);
/// Device, timing, resources or fault of an answer.
void describe_answer(const gpu::ChildAnswer& answer, int warm_up, results::Measured& measured);

// Claims judged by a run on a GPU: element ids as data, in a child of this program (kernels/instrument/by_ids.h).

using JudgedOnGpu = wire::Judged;
/// `request` as Session::run takes it. A child that dies, is late or is no longer needed is a refusal.
JudgedOnGpu judge_on_gpu(const RunRequest& request, const std::atomic<bool>* cancel = nullptr);

/// The whole of the child's main().
int judge_child(int in_fd = 0, int out_fd = 1);

// A launch that records what its warps access, compared with the same program in the emulator.

/// One block of one launch of a run.
struct TracedRun {
  HardwareRun run;
  std::size_t launch = 0;
  std::uint32_t block = 0;
};

/// The recorded accesses of the block compared with the emulator's; the launch timed against the plain one.
void measure_trace(const TracedRun& what, results::Measured& measured);

/// The accesses of one block as a GPU makes them, in the numbering of `emulated`, the same program's record.
struct WatchedOnGpu {
  SeenAccesses seen{};
  std::string difference{};  ///< the first one, in words; empty: none
};
Expected<WatchedOnGpu> watch_on_gpu(const TracedRun& what, const trace::Trace& emulated);

/// The first access or shuffle of one block in which the GPU and the emulator differ, each from the contents that the
/// GPU has before the launch. Error: it cannot be traced.
struct TracedBlock {
  std::optional<instrument::Difference> difference{};
  std::uint64_t dropped = 0;  ///< records that did not fit
};
Expected<TracedBlock> trace_block(const TracedRun& what);

// Why a GPU left other bytes than the emulator, by evidence only. A buffer shows only that they differ. The
// emulator shows which store wrote the element last, and a traced launch of that store's block reports the first access
// or shuffle that the two machines do not do alike. Traces hold addresses and lanes, not values: where they are all
// equal, a computed value differs, and which instruction computed it first is not known.

/// The last instruction of the emulator's run that stored a byte of an element.
struct LastStore {
  std::size_t launch = 0;
  std::uint32_t block = 0, warp = 0, pc = 0;
  int lane = 0;
  int line = 0;             ///< in the user's file; 0: not known
  std::string instruction;  ///< canonical PTX
};
/// By differing buffer of `comparisons`, of its first element that differs; nullopt: nothing stores it. Runs the
/// launches in the emulator once more, from `buffers`, their contents before.
std::vector<std::optional<LastStore>> last_stores(const Program& program, const std::vector<trace::Buffer>& buffers,
                                                  const std::vector<results::BufferComparison>& comparisons,
                                                  const ExecutionOptions& options);

struct DifferenceEvidence {
  std::string first{};            ///< the first instruction that differs, in words; empty: not known
  std::string unknown{};          ///< where `first` is empty: why
  int line = 0;                   ///< of the first instruction, else of the store; 0: not known
  std::string store{};            ///< the store of the element; empty: not known
  std::vector<int> race_lines{};  ///< where threads conflicted without an order between them
  std::uint64_t threads = 1;      ///< of the largest launch
};

/// The evidence of a traced launch of the store's block; `difference` as instrument::compare() says it. `code`: of the
/// launch's program.
void take_trace(const LastStore& store, const std::optional<instrument::Difference>& difference, bool cut_off,
                const std::vector<trace::CodeSite>& code, DifferenceEvidence& evidence);

/// The evidence of one buffer that differs: runs a traced launch on the GPU if the emulator has a store of the element.
DifferenceEvidence difference_evidence(const HardwareRun& run, const std::optional<LastStore>& store);

/// "'y' differs from the emulator's: element 17 is 3 on the GPU, 2 there; 5 of 100 elements differ; the first
/// instruction that differs is ...", a warning. Races are named only if some were found and more than one thread ran.
Diagnostic difference_words(const std::string& file, const results::BufferComparison& comparison,
                            const DifferenceEvidence& evidence);

}  // namespace lanescope::engine
