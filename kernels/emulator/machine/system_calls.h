#pragma once
// Arguments and results of system functions. Private to this folder.

#include "kernels/emulator/machine/machine.h"

namespace lanescope::emulator {

/// `bytes` (at most 8) of an argument, `from` bytes after its beginning.
u64 call_argument(Context& c, const SystemCall& call, std::size_t index, int lane, u32 bytes, u32 from = 0);
/// 4 or 8 bytes.
void give_result(Context& c, const SystemCall& call, int lane, u64 value, u32 bytes);

}  // namespace lanescope::emulator
