#pragma once
// Operations on memory, and across lanes; control flow is in machine/control_steps.h. By file. Private to the emulator.

#include "kernels/emulator/lanes/op.h"
#include "kernels/emulator/machine/control_steps.h"

namespace lanescope::emulator {

struct MemoryOp;

Flow step_memory(Context& c, const Op& op, u32 mask);  // memory_steps.cpp
Flow step_atomic(Context& c, const Op& op, u32 mask);  // atomic_steps.cpp
Flow step_async_copy(Context& c, const Op& op, u32 mask);
Flow step_wide_atomic(Context& c, const Op& op, u32 mask);
/// Contents of memory after an atomic operation on m.type.
u64 combine_atomic(const MemoryOp& m, u64 old, u64 operand, u64 swap, bool flushes);
Flow step_barrier_object(Context& c, const Op& op, u32 mask);  // barrier_object_steps.cpp
Flow step_bulk_copy(Context& c, const Op& op, u32 mask);
Flow step_remote_store(Context& c, const Op& op, u32 mask);
Flow step_warpgroup(Context& c, const Op& op, u32 mask);         // warpgroup_steps.cpp
Flow step_parameter_buffer(Context& c, const Op& op, u32 mask);  // device_launch_steps.cpp
Flow step_device_launch(Context& c, const Op& op, u32 mask);
Flow step_new_handle(Context& c, const Op& op, u32 mask);    ///< cudaStreamCreateWithFlags, cudaEventCreateWithFlags
Flow step_device_event(Context& c, const Op& op, u32 mask);  ///< cudaEventRecord, cudaStreamWaitEvent
/// A call that always succeeds: one that would fail has ended the run.
Flow step_no_error(Context& c, const Op& op, u32 mask);
Flow step_error_text(Context& c, const Op& op, u32 mask);
/// cudaMalloc and cudaFree of a kernel: memory of the device heap.
Flow step_runtime_allocate(Context& c, const Op& op, u32 mask);
Flow step_runtime_free(Context& c, const Op& op, u32 mask);
Flow step_device_number(Context& c, const Op& op, u32 mask);  ///< cudaGetDevice, cudaGetDeviceCount
Flow step_shuffle(Context& c, const Op& op, u32 mask);        // warp_steps.cpp
Flow step_vote(Context& c, const Op& op, u32 mask);
Flow step_match(Context& c, const Op& op, u32 mask);
Flow step_activemask(Context& c, const Op& op, u32 mask);
Flow step_reduce(Context& c, const Op& op, u32 mask);
Flow step_elect(Context& c, const Op& op, u32 mask);
Flow step_matrix_memory(Context& c, const Op& op, u32 mask);  // matrix_steps.cpp
Flow step_matrix_move(Context& c, const Op& op, u32 mask);
Flow step_mma(Context& c, const Op& op, u32 mask);        // mma_steps.cpp
Flow step_fragments(Context& c, const Op& op, u32 mask);  // fragment_steps.cpp
Flow step_fragment_memory(Context& c, const Op& op, u32 mask);
/// Every lane of the warp, or a fault.
bool whole_warp(Context& c, u32 mask);  // matrix_steps.cpp

}  // namespace lanescope::emulator
