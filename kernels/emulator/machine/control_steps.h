#pragma once
// Control flow: branches, calls, barriers, system calls, and instructions that cannot be executed.
// By file. Private to the emulator.

#include "kernels/emulator/lanes/op.h"

namespace lanescope::emulator {

// control_steps.cpp
Flow step_branch(Context& c, const Op& op, u32 mask);
Flow step_branch_table(Context& c, const Op& op, u32 mask);
Flow step_call(Context& c, const Op& op, u32 mask);
Flow step_indirect_call(Context& c, const Op& op, u32 mask);
Flow step_stack(Context& c, const Op& op, u32 mask);
Flow step_return(Context& c, const Op& op, u32 mask);
Flow step_exit(Context& c, const Op& op, u32 mask);
Flow step_trap(Context& c, const Op& op, u32 mask);
Flow step_breakpoint(Context& c, const Op& op, u32 mask);
Flow step_refused(Context& c, const Op& op, u32 mask);
Flow step_clock(Context& c, const Op& op, u32 mask);
Flow step_probe(Context& c, const Op& op, u32 mask);
Flow step_nothing(Context& c, const Op& op, u32 mask);
// barrier_steps.cpp
Flow step_barrier(Context& c, const Op& op, u32 mask);
// cluster_steps.cpp
Flow step_cluster_address(Context& c, const Op& op, u32 mask);
Flow step_cluster_barrier(Context& c, const Op& op, u32 mask);
// system_steps.cpp
Flow step_printf(Context& c, const Op& op, u32 mask);
Flow step_assertion(Context& c, const Op& op, u32 mask);
// device_heap.cpp
Flow step_heap_allocate(Context& c, const Op& op, u32 mask);  ///< malloc, and that of new with an alignment
Flow step_heap_free(Context& c, const Op& op, u32 mask);

}  // namespace lanescope::emulator
