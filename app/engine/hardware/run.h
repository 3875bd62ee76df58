#pragma once
// The launches of a program on a GPU, each time in a child of this program (`lanescope child run`): a fault or hang
// ends only the child.

#include <atomic>
#include <optional>
#include <vector>

#include "app/engine/prepare/program.h"
#include "kernels/base/deadline.h"
#include "kernels/emulator/emulator.h"
#include "kernels/gpu/child.h"
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

}  // namespace lanescope::engine
