#pragma once
// The layout of the generic address space.
//
// The low halves of the windows are zero, so that a generic address of shared memory cut to 32
// bits is the shared address itself; hand-written PTX relies on this.

#include "kernels/emulator/lanes/op.h"

namespace lanescope::emulator {

inline constexpr u64 shared_window = u64{0x7e} << 32;
inline constexpr u64 local_window = u64{0x7d} << 32;
inline constexpr u64 window_bytes = u64{1} << 32;
/// A shared address (and so the low word of a generic one) has above these bits the rank of a block of the cluster,
/// plus one; 0 means the own block.
inline constexpr u32 cluster_rank_shift = 24;
inline constexpr u32 most_cluster_blocks = 16;
inline constexpr u32 cluster_offset_mask = (1u << cluster_rank_shift) - 1;
inline constexpr u64 first_variable_address = u64{0x10} << 32;  ///< .global and .const variables, parameters
/// Of a function, by its index in the module. Nothing can be read there.
constexpr u64 function_address(int index) { return (u64{1} << 32) + static_cast<u64>(index) * 16; }
/// Workspace of a cooperative launch: the address in %envreg1 (high half) and %envreg2 for cooperative groups.
inline constexpr u64 grid_workspace_address = (u64{0x80} << 32) + 0x1000;
inline constexpr u64 grid_workspace_bytes = 64;
/// Parameters of the kernels that a kernel launches, and the texts of errors that it requests.
inline constexpr u64 launch_parameters_address = u64{0x90} << 32;
inline constexpr u64 error_texts_address = u64{0x98} << 32;
inline constexpr u64 heap_address = u64{0xa0} << 32, heap_window_bytes = u64{0x40} << 32;
inline constexpr u64 first_buffer_address = u64{0x100} << 32;

}  // namespace lanescope::emulator
