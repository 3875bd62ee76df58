#pragma once
// Shared memory that belongs to the system, not to the kernel (PTX ISA, %reserved_smem_offset_*). Cooperative groups keep
// the barriers and words of tiles of more than one warp there.
//
// From sm_90 on it is the first 1024 bytes of a block's shared memory, and the kernel's own begin after it (ptxas 13.0
// puts the first static variable at 0x400, and %reserved_smem_offset_begin, _cap and _0 are the constants 0, 0x400 and 0).
// Events count from the kernel's first byte, so reserved bytes have offsets that end just below 2^32.

#include <cstdint>

namespace lanescope::trace {

inline constexpr std::uint32_t reserved_shared_bytes = 1024;
inline constexpr std::uint64_t first_reserved_shared = (std::uint64_t{1} << 32) - reserved_shared_bytes;

constexpr bool is_reserved_shared(std::uint64_t address) { return address >= first_reserved_shared; }

}  // namespace lanescope::trace
