#pragma once
// Which parts may follow an opcode: ".sync", ".bfly" and ".b32" of `shfl.sync.bfly.b32`. Most operations look for the
// parts that they know and would pass over any other; a misspelt one must not run as if it were not there.

#include <string_view>

#include "kernels/ptx/program.h"

namespace lanescope::emulator {

/// The first part of the instruction that its opcode does not have; empty: all are known, or the opcode is not. Source:
/// PTX ISA 9.0, syntax of each instruction.
std::string_view unknown_part(const ptx::Instruction& instruction);

}  // namespace lanescope::emulator
