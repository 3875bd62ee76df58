#pragma once
// The same launches on a GPU, each time in a child of this program (`lanescope child ...`): what faults or hangs there
// ends there.

#include <array>
#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "app/engine/access_info.h"
#include "app/engine/execution.h"
#include "app/engine/session.h"
#include "kernels/base/patience.h"
#include "kernels/gpu/child.h"
#include "kernels/instrument/decode.h"

namespace lanescope::engine {

/// Which GPU and how long it may take.
struct HardwareOptions {
  int device = 0;
  int warm_up = 0, repetitions = 0;  ///< of timed launches, after the one whose results are kept
  double limit_seconds = 30;
  const std::atomic<bool>* cancel = nullptr;
};
Patience patience_of(double limit_seconds, const std::atomic<bool>* cancel);

/// Runs every launch once and brings the buffers back. Errors: no GPU, PTX that the driver refuses.
Expected<gpu::ChildAnswer> run_on_gpu(const Program& program, const std::vector<trace::Buffer>& buffers,
                                      const HardwareOptions& options);

/// Element by element; one entry per buffer, equal ones included. Both have the same buffers.
std::vector<views::BufferComparison> compare_buffers(const std::vector<trace::Buffer>& on_gpu,
                                                     const std::vector<trace::Buffer>& emulated);

/// The GPU's bytes with the names and types of `like`, which say what the bytes mean.
void take_contents(std::vector<trace::Buffer>&& on_gpu, const std::vector<trace::Buffer>& like,
                   std::vector<trace::Buffer>& into);

/// A GPU tells that a kernel faulted, not where; the emulator that stops in the same kernel does.
void locate_fault(const std::vector<emulator::Fault>& emulated, views::Measured& measured);

/// nullopt: nothing was timed.
std::optional<views::TimingInfo> timing_info(const gpu::Timing& timing, int warm_up);
/// Device, timing, resources or fault of an answer.
void describe_answer(const gpu::ChildAnswer& answer, int warm_up, views::Measured& measured);

/// Counters of all launches together, predicted beside measured, each difference with its cause.
void measure_counters(const Program& program, const std::vector<trace::Buffer>& buffers,
                      const counters::Report& predicted, const MeasureRequest& request, const std::atomic<bool>* cancel,
                      views::Measured& measured);

/// Nothing is predicted of a run that the emulator did not do to its end; a note says why.
void forget_predictions(const std::string& why, views::Measured& measured);

/// Counts per machine instruction; their sums by line join `measured.metrics`, beside what is predicted of each line.
void measure_instructions(const Program& program, const std::vector<trace::Buffer>& buffers,
                          const counters::Report& predicted, const MeasureRequest& request,
                          const std::atomic<bool>* cancel, views::Measured& measured);
/// Samples of the program counter, by line and reason.
void measure_stalls(const Program& program, const std::vector<trace::Buffer>& buffers, const MeasureRequest& request,
                    const std::atomic<bool>* cancel, views::Measured& measured);
/// Launches and calls of the driver, with their times.
void measure_activity(const Program& program, const std::vector<trace::Buffer>& buffers, const MeasureRequest& request,
                      const std::atomic<bool>* cancel, views::Measured& measured);
/// One launch whose warps of `block` record their accesses, compared with the emulator's; timed against the plain one.
void measure_trace(const Program& program, std::size_t launch, std::uint32_t block,
                   const std::vector<trace::Buffer>& buffers, const MeasureRequest& request,
                   const std::atomic<bool>* cancel, views::Measured& measured);

/// The accesses of one block as a GPU makes them, in the numbering of `emulated`, the same program's record.
struct WatchedOnGpu {
  SeenAccesses seen{};
  std::string difference{};  ///< the first one, in words; empty: the GPU does what the emulator does
};
Expected<WatchedOnGpu> watch_on_gpu(const Program& program, std::size_t launch, std::uint32_t block,
                                    const std::vector<trace::Buffer>& buffers, const trace::Trace& emulated,
                                    const HardwareOptions& how);

/// The first access or shuffle of one block in which the GPU and the emulator differ, each from the contents that the GPU
/// has before the launch. Error: it cannot be traced.
struct TracedBlock {
  std::optional<instrument::Difference> difference{};
  std::uint64_t dropped = 0;  ///< records that did not fit
};
Expected<TracedBlock> trace_block(const Program& program, std::size_t launch, std::uint32_t block,
                                  const std::vector<trace::Buffer>& buffers, const HardwareOptions& how);

/// A kernel that synchronises its whole grid must be launched cooperatively: it reads the workspace that only such a
/// launch has (PTX ISA, %envreg; seen in what NVRTC 13.0 makes of cooperative_groups::grid_group::sync).
bool needs_cooperative_launch(const std::string& ptx);

/// Fills the cause of each row whose two numbers differ.
void explain_rows(std::vector<views::MetricRow>& rows);

/// "instructions", "global memory", ...: by what a counter's name says it counts.
std::string metric_group(std::string_view name);

/// "NVIDIA H200" and others of this machine, by number; empty without a GPU.
std::vector<std::string> gpu_devices();
/// False, and why in `measured.refused`: there is no such GPU. Quick, and asked before a child is started.
bool have_device(int device, views::Measured& measured);

/// What this program does as a child: "run" (kernels/gpu/child.h), "measure" and "live" (profiling/cupti), "judge"
/// (hardware_claims.h).
inline constexpr std::array<std::string_view, 4> child_tasks{"run", "measure", "live", "judge"};
/// The words of a command that starts this program as a child that does one of them.
std::vector<std::string> child_command(const std::string& task);
/// The whole of such a child's main(), on standard input and output: its exit status; 2 for a task that is none.
int serve_child(std::string_view task);

}  // namespace lanescope::engine
