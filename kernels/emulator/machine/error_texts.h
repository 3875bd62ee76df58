#pragma once
// Errors of the CUDA runtime that device code may query: numbers and names of driver_types.h of the toolkit 13.0, and
// their texts of cudaGetErrorString of its runtime. Private to the emulator.

#include <array>
#include <string_view>

#include "kernels/emulator/lanes/op.h"

namespace lanescope::emulator {

struct ErrorText {
  int number = 0;
  std::string_view name, words;
};
inline constexpr std::array error_texts{
    ErrorText{0, "cudaSuccess", "no error"},
    ErrorText{1, "cudaErrorInvalidValue", "invalid argument"},
    ErrorText{2, "cudaErrorMemoryAllocation", "out of memory"},
    ErrorText{9, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    ErrorText{65, "cudaErrorLaunchMaxDepthExceeded", "launch would exceed maximum depth of nested launches"},
    ErrorText{69, "cudaErrorLaunchPendingCountExceeded",
              "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount"},
    ErrorText{98, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    ErrorText{400, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    ErrorText{801, "cudaErrorNotSupported", "operation not supported"},
    ErrorText{999, "cudaErrorUnknown", "unknown error"},
    ErrorText{-1, "unrecognized error code", "unrecognized error code"},  // of every other number
};
inline constexpr u64 error_text_bytes = 96;  ///< of each name and each text, with zeros after

}  // namespace lanescope::emulator
