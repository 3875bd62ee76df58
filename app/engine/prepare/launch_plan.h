#pragma once
// From a launch header and a PTX module to launches: buffers with their contents, arguments packed for the entry's
// parameters; launches that no device accepts are refused.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/ptx/program.h"
#include "kernels/source/source.h"
#include "kernels/trace/launch.h"

namespace lanescope::engine {

/// Halves buffers whose sizes come from the host code, until all fit; false: they fitted already. A buffer of the
/// launch header keeps its size. `memory_bytes`: 0: the budget (kernels/base/memory.h).
bool shrink_to_memory(source::Source& source, std::uint64_t memory_bytes = 0);

/// The buffer that shrink_to_memory() has reduced to a part, if `address` is in none of the buffers and after that one:
/// the rest of the buffer may be there. The buffers of the header lie at `addresses`, in order, ascending. nullptr:
/// none.
const source::BufferSpec* in_missing_part(const source::Source& source, const std::vector<std::uint64_t>& addresses,
                                          std::uint64_t address);

/// Errors found before anything is compiled or allocated: buffers larger than memory, element types that do
/// not exist, grids and blocks beyond the device's limits (CUDA C++ Programming Guide, technical specifications).
/// `memory_bytes`: 0: the budget (kernels/base/memory.h).
Diagnostics refusals(const source::Source& source, const std::string& arch, std::uint64_t memory_bytes = 0);

/// The buffers of the header in order, filled. `directory`: where relative paths start.
Expected<std::vector<trace::Buffer>> make_buffers(const source::Source& source, const std::string& directory);

/// One per LaunchSpec. `entry_names`: their mangled names in `module`.
Expected<std::vector<trace::Launch>> make_launches(const source::Source& source, const ptx::Module& module,
                                                   const std::vector<std::string>& entry_names);

/// The bytes that `what` describes for `buffer`, copies of other buffers' initial contents included.
Expected<std::vector<std::byte>> described_contents(const source::Source& source, const source::BufferSpec& buffer,
                                                    const source::Contents& what, const std::string& directory);

/// Most bytes of shared memory that one block may request on `arch` ("sm_90"); 0 when the architecture is not known.
std::uint32_t shared_limit_bytes(const std::string& arch);

// Numbers of the launch header as bytes for a kernel, and elements of buffers as numbers for people.

/// A scalar of the C++ type `type` ("float", "const unsigned int", "__half", ...) in `bytes` bytes, little-endian.
/// Types that are not known by name are integers. Error: the number does not fit.
Expected<std::vector<std::byte>> scalar_bytes(std::string_view type, std::uint64_t bytes, double value);

/// A vector or struct argument: fields of equal width, of the type that `type` names ("float4", "uint2", "dim3").
Expected<std::vector<std::byte>> field_bytes(std::string_view type, std::uint64_t bytes,
                                             std::span<const double> fields);

/// Element `index` of an array whose element type is a name of the launch header ("f16", "u4", "b1", ...).
double element_value(std::string_view element_type, std::span<const std::byte> data, std::uint64_t index);
/// The same as people write it: as many digits as distinguish it from its neighbours, 64-bit integers in full.
std::string element_words(std::string_view element_type, std::span<const std::byte> data, std::uint64_t index);
bool is_floating(std::string_view element_type);

std::uint16_t half_bits(double value);      ///< round to nearest even
std::uint16_t bfloat16_bits(double value);  ///< round to nearest even
double half_value(std::uint16_t bits);

}  // namespace lanescope::engine
