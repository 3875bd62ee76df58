#pragma once
// Properties of the machine by the target of a module.

#include <cstdint>
#include <string>

#include "kernels/ptx/program.h"

namespace lanescope::ptx {

/// 90 for "sm_90" and "sm_90a"; 0 where there is no number.
int target_number(const Module& module);
/// The shared address of the first byte that a kernel has for itself: 1024 from sm_90 on
/// (kernels/trace/reserved_shared.h), 0 before.
std::uint32_t first_shared_address(const Module& module);
/// Shared memory is given to blocks in units of so many bytes (PTX ISA, %total_smem_size).
std::uint32_t shared_unit_bytes(const Module& module);

/// "there is no PTX version 4.9": why the module's version is in doubt; empty where lanescope has it. Minor versions of
/// the newest major one may be newer than this program.
std::string version_doubt(const Module& module);

}  // namespace lanescope::ptx
