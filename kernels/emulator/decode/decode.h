#pragma once
// From PTX and a launch to a program that the machine runs.

#include "kernels/base/diagnostic.h"
#include "kernels/emulator/machine/program.h"

namespace lanescope::emulator {

/// `variables` of the module get device addresses; buffers' addresses are needed for the arguments.
Expected<Program> decode(const ptx::Module& module, const trace::Launch& launch,
                         const std::vector<trace::Buffer>& buffers);

}  // namespace lanescope::emulator
