#pragma once
// Where buffers and variables lie in device memory. It depends on nothing but the module and the buffers, so that whoever
// reads a recorded address finds what it belongs to.

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/ptx/program.h"
#include "kernels/trace/launch.h"
#include "kernels/trace/tags.h"

namespace lanescope::emulator {

/// Device addresses that run() gives to the buffers (256-byte aligned, with unmapped gaps between).
std::vector<std::uint64_t> place_buffers(const std::vector<trace::Buffer>& buffers);

/// Whether a kernel of the module synchronises its whole grid: it asks for the workspace that only a cooperative launch
/// has (PTX ISA, %envreg; seen in what NVRTC 13.0 makes of cooperative_groups::grid_group::sync).
bool synchronises_grid(const ptx::Module& module);
/// The workspace: zeros when a launch begins. What NVRTC 13.0 makes of grid_group::sync counts in its second word.
inline constexpr std::uint64_t grid_workspace_address = (std::uint64_t{0x10} << 32) + 49152, grid_workspace_bytes = 64;

/// Where run() puts the module's .global variables, tables of the compiler's libraries included (their names begin with
/// two underscores), and the workspace of a grid that synchronises.
struct VariablePlace {
  std::string name;
  std::uint64_t address = 0, bytes = 0;
  int element_bits = 8;
};
std::vector<VariablePlace> variable_places(const ptx::Module& module);

/// Tag space for the buffers, in order.
trace::TagSpace tag_space(const std::vector<trace::Buffer>& buffers);

/// The module's .global and .const variables, in ascending order of address.
struct DeviceVariable {
  std::size_t index = 0;  ///< in Module::variables
  std::uint64_t address = 0;
};
std::vector<DeviceVariable> device_variables(const ptx::Module& module);

}  // namespace lanescope::emulator
