#pragma once
// The memory budget of this process.
//
// A size that is known beforehand (a buffer, the local memory of a block) is compared with the budget and refused by
// name. For other uses (a compile in this process, a trace that grows) the memory in use is polled every few
// milliseconds; beyond the budget the process ends with a message, before the system's OOM killer chooses a process.

#include <cstddef>
#include <cstdint>
#include <functional>

#include "kernels/base/diagnostic.h"

namespace lanescope {

/// Of this machine, or of the control group where that has less.
std::uint64_t machine_memory_bytes();

/// Half of the machine's memory, unless set by set_memory_budget() (0: half again).
std::uint64_t memory_budget_bytes();
void set_memory_budget(std::uint64_t bytes);

/// In use by this process: its own pages, and those of files without a name (count_shared_pages).
std::uint64_t used_memory_bytes();
/// Bytes that lie in a file without a name, mapped any number of times; negative where they are given back.
void count_shared_pages(std::ptrdiff_t bytes);

/// Must not return. Called on a thread of its own where more than the budget is in use, or on the one whose allocation
/// failed.
using OutOfMemory = std::function<void(const Diagnostic&)>;

/// From now on. The last handler that was given counts.
void watch_memory(OutOfMemory handler);

}  // namespace lanescope
