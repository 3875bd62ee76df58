#pragma once
// How every measurement begins: the library started, the device opened, the name of the chip read.

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "kernels/gpu/program.h"
#include "profiling/cupti/cupti.h"
#include "profiling/cupti/library.h"

namespace lanescope::cupti {

/// Requesting the chip before this call ends in a segmentation fault (measured with CUDA 13.0).
Expected<void> initialize(const Library& library);
/// "GH100"
Expected<std::string> chip_name(const Library& library, int device);
/// The available counters of the device of `context`, in the form for the host side.
Expected<std::vector<std::uint8_t>> availability(const Library& library, gpu::Context context);
/// "NVIDIA H200", "" where there is none
std::string device_name(int device);

/// Library started, device open, nothing loaded yet.
struct Opened {
  const Library* library = nullptr;
  std::unique_ptr<gpu::Program> program;
  std::string device, chip;
};
Expected<Opened> open_device(int device);

/// Loads PTX, launches and buffers of `request` and returns the machine code that the driver made of the PTX, the very
/// code that will run, as a cubin. Errors: those of Program::load(); no code.
Expected<std::string> load_and_report_code(const Opened& opened, const Request& request, std::uint64_t runs);
/// `runs`: gpu::LoadOptions.
gpu::LoadOptions load_options(const Request& request, std::uint64_t runs);

double milliseconds_since(std::chrono::steady_clock::time_point start);

}  // namespace lanescope::cupti
