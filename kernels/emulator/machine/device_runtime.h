#pragma once
// Child grids of a running kernel: parameters that it fills in, launches that wait until it has ended. Private to
// the emulator.

#include <vector>

#include "kernels/emulator/lanes/op.h"
#include "kernels/emulator/machine/memory.h"
#include "kernels/trace/device_launch.h"

namespace lanescope::emulator {

struct Options;
struct Program;

struct DeviceRuntime {
  /// A launch between its two calls: the first one describes it and returns the address of its parameters.
  struct Prepared {
    u64 parameters = 0;  ///< address
    int entry = 0;       ///< index in Module::entries
    trace::Dim3 grid, block;
    u32 dynamic_shared_bytes = 0;
    bool launched = false;
  };
  std::vector<Prepared> prepared;  ///< ascending address
  std::vector<trace::DeviceLaunch> launched;
  u64 parameter_bytes = 0;   ///< of all of them
  u64 handles = 0;           ///< streams and events that were created
  bool uses_events = false;  ///< streams wait for each other
};

/// Streams of device code that are no memory (driver_types.h of the toolkit 13.0). Handles that it creates come after.
inline constexpr u64 stream_of_block = 0, stream_legacy = 1, stream_per_thread = 2, stream_tail_launch = 3,
                     stream_fire_and_forget = 4, first_stream_handle = 0x1000;

/// Memory for the parameters of launches and for the texts of errors, in a program that needs it.
void add_runtime_stores(const Program& program, AddressSpace& global);

/// The order in which launches of one grid run: streams in order, tail launches last. Of seed 1 that in which they were
/// made; other seeds choose between streams.
std::vector<std::size_t> order_of_launches(const DeviceRuntime& runtime, u64 seed);

}  // namespace lanescope::emulator
