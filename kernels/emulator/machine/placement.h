#pragma once
// Addresses of buffers and variables in device memory. They depend only on the module and the buffers, so that a caller
// can find the owner of a recorded address.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/ptx/program.h"
#include "kernels/trace/launch.h"
#include "kernels/trace/tags.h"

namespace lanescope::emulator {

/// Device addresses that run() gives to the buffers (256-byte aligned, with unmapped gaps between).
std::vector<std::uint64_t> place_buffers(const std::vector<trace::Buffer>& buffers);

/// Whether a kernel of the module synchronises its whole grid, and must be launched cooperatively: it uses the
/// workspace that only such a launch has (PTX ISA, %envreg; as in NVRTC 13.0's code for
/// cooperative_groups::grid_group::sync).
bool synchronises_grid(const ptx::Module& module);
/// The same of one kernel, with the functions of the module.
bool synchronises_grid(const ptx::Module& module, const ptx::Entry& kernel);

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

/// Tag space of Options::unwritten: an element is a byte. After the buffers, in order: `heap_bytes` of the device heap
/// where it is followed (nullopt: it is not, and has no place), the shared memory of a block (every block has the same
/// numbers), the local memory of a warp ([lane][byte]), one word that stands for what an unwritten value has chosen
/// between (which of them it was is not followed), and one for what a shuffle takes from a lane that does not take part
/// in it.
trace::TagSpace unwritten_space(const std::vector<trace::Buffer>& buffers, std::optional<std::uint64_t> heap_bytes,
                                std::uint64_t shared_bytes, std::uint64_t local_bytes);

/// The module's .global and .const variables, in ascending order of address.
struct DeviceVariable {
  std::size_t index = 0;  ///< in Module::variables
  std::uint64_t address = 0;
};
std::vector<DeviceVariable> device_variables(const ptx::Module& module);

}  // namespace lanescope::emulator
