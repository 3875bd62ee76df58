#pragma once
// Kinds of memory accesses.

#include <cstdint>

namespace lanescope::trace {

enum class MemorySpace : std::uint8_t { global, shared, local, constant, param };
enum class AccessKind : std::uint8_t { load, store, atomic, reduction, async_copy };
/// Lanes that take turns at a bank in an atomic of shared memory, as the machine code has it
/// (kernels/ptx/value_numbers.h; bench/results/gpu_shared_atomics.json).
enum class AtomicTurns : std::uint8_t {
  lanes,  ///< each lane, also those at one word
  words,  ///< lanes at one word are served together
  one,    ///< one lane executes it for all, which are at one address
};
constexpr bool is_atomic(AccessKind kind) { return kind == AccessKind::atomic || kind == AccessKind::reduction; }

}  // namespace lanescope::trace
