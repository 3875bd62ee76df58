#pragma once
// The heap of a running launch. Private to the emulator.

#include <string>

#include "kernels/emulator/machine/machine.h"

namespace lanescope::emulator {

/// Adds the memory of the heap to a launch that allocates or finds allocations.
void add_heap_store(Running& launch);
/// Address of an allocation; 0: there is no room. `alignment` in bytes.
u64 allocate_in_heap(Running& launch, u64 bytes, u64 alignment, u32 pc);
/// False after a fault. An address of 0 is no allocation, and no mistake.
bool free_in_heap(Context& c, int lane, u64 address);
/// The place of an access to the heap outside of allocations: "right after the end of the allocation of line 7 (16
/// bytes)".
std::string heap_place_words(const Running& launch, u64 address, u64 bytes);
/// The heap for the next launch; null if there is none.
std::shared_ptr<const HeapState> heap_left_by(const Running& launch);

}  // namespace lanescope::emulator
