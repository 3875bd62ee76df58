#pragma once
// The CUDA driver, opened at run time. Only this folder has its names; on a machine without a driver an error reports
// that. Prototypes follow the CUDA driver API reference, 13.0; all have been stable since CUDA 11.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/trace/launch.h"

namespace lanescope::gpu {

using Status = int;  ///< CUresult; 0 is success
using DeviceHandle = int;
using DevicePointer = std::uint64_t;
using Context = struct ContextTag*;
using Module = struct ModuleTag*;
using Function = struct FunctionTag*;
using Stream = struct StreamTag*;
using Event = struct EventTag*;
using LinkState = struct LinkTag*;

/// CUlaunchAttribute: an identifier and 64 bytes of value.
struct LaunchAttribute {
  int id = 0;
  char padding[4] = {};
  union {
    char bytes[64];
    struct {
      unsigned x, y, z;
    } cluster;
    int cooperative;
  } value{};
};
inline constexpr int attribute_cooperative = 2;
inline constexpr int attribute_cluster_dimension = 4;

struct LaunchConfig {
  unsigned grid_x = 1, grid_y = 1, grid_z = 1, block_x = 1, block_y = 1, block_z = 1;
  unsigned shared_bytes = 0;
  Stream stream = nullptr;
  LaunchAttribute* attributes = nullptr;
  unsigned attribute_count = 0;
};

struct Driver {
  Status (*cuInit)(unsigned) = nullptr;
  Status (*cuDriverGetVersion)(int*) = nullptr;
  Status (*cuGetErrorName)(Status, const char**) = nullptr;
  Status (*cuGetErrorString)(Status, const char**) = nullptr;
  Status (*cuDeviceGetCount)(int*) = nullptr;
  Status (*cuDeviceGet)(DeviceHandle*, int) = nullptr;
  Status (*cuDeviceGetName)(char*, int, DeviceHandle) = nullptr;
  Status (*cuDeviceGetAttribute)(int*, int, DeviceHandle) = nullptr;
  Status (*cuDeviceTotalMem)(std::size_t*, DeviceHandle) = nullptr;
  Status (*cuDevicePrimaryCtxRetain)(Context*, DeviceHandle) = nullptr;
  Status (*cuDevicePrimaryCtxRelease)(DeviceHandle) = nullptr;
  Status (*cuCtxSetCurrent)(Context) = nullptr;
  Status (*cuCtxSynchronize)() = nullptr;
  Status (*cuCtxSetLimit)(int, std::size_t) = nullptr;
  Status (*cuModuleLoadDataEx)(Module*, const void*, unsigned, int*, void**) = nullptr;
  Status (*cuLinkCreate)(unsigned, int*, void**, LinkState*) = nullptr;
  Status (*cuLinkAddData)(LinkState, int, void*, std::size_t, const char*, unsigned, int*, void**) = nullptr;
  Status (*cuLinkAddFile)(LinkState, int, const char*, unsigned, int*, void**) = nullptr;
  Status (*cuLinkComplete)(LinkState, void**, std::size_t*) = nullptr;
  Status (*cuLinkDestroy)(LinkState) = nullptr;
  Status (*cuModuleUnload)(Module) = nullptr;
  Status (*cuModuleGetFunction)(Function*, Module, const char*) = nullptr;
  Status (*cuModuleGetGlobal)(DevicePointer*, std::size_t*, Module, const char*) = nullptr;
  Status (*cuFuncGetAttribute)(int*, int, Function) = nullptr;
  Status (*cuFuncSetAttribute)(Function, int, int) = nullptr;
  Status (*cuMemGetInfo)(std::size_t*, std::size_t*) = nullptr;
  Status (*cuMemAlloc)(DevicePointer*, std::size_t) = nullptr;
  Status (*cuMemFree)(DevicePointer) = nullptr;
  Status (*cuMemcpyHtoD)(DevicePointer, const void*, std::size_t) = nullptr;
  Status (*cuMemcpyDtoH)(void*, DevicePointer, std::size_t) = nullptr;
  Status (*cuMemcpyDtoD)(DevicePointer, DevicePointer, std::size_t) = nullptr;
  Status (*cuMemsetD8)(DevicePointer, unsigned char, std::size_t) = nullptr;
  Status (*cuStreamCreate)(Stream*, unsigned) = nullptr;
  Status (*cuStreamDestroy)(Stream) = nullptr;
  Status (*cuStreamSynchronize)(Stream) = nullptr;
  Status (*cuStreamWaitEvent)(Stream, Event, unsigned) = nullptr;
  Status (*cuEventCreate)(Event*, unsigned) = nullptr;
  Status (*cuEventDestroy)(Event) = nullptr;
  Status (*cuEventRecord)(Event, Stream) = nullptr;
  Status (*cuEventSynchronize)(Event) = nullptr;
  Status (*cuEventElapsedTime)(float*, Event, Event) = nullptr;
  Status (*cuLaunchKernelEx)(const LaunchConfig*, Function, void**, void**) = nullptr;
};

/// Opens libcuda and initialises it, once per process. Errors: no driver on this machine, no device, not permitted; the
/// remedy says what would change it.
Expected<const Driver*> driver();

/// "CUDA_ERROR_ILLEGAL_ADDRESS (700): an illegal memory access was encountered"
std::string status_words(Status status);

// PTX of kernels that launch kernels calls functions of the device runtime, which is a library of the CUDA Toolkit: the
// driver links both before it loads them.

bool needs_device_runtime(const std::string& ptx);

/// libcudadevrt.a of the toolkit in CUDA_PATH, CUDA_HOME or the usual folder; empty: there is none.
std::string device_runtime_library();

/// Machine code for the current context. Errors: no library, an error of the driver.
Expected<std::vector<char>> linked_with_device_runtime(const Driver& driver, const std::string& ptx);

// The streams of a program, by the numbers that its launches give. Stream 0 is the default stream of the context; the
// others are created where a launch requests them, and do not wait for stream 0 by themselves (CU_STREAM_NON_BLOCKING):
// their waits are expressed by events, so that a list of launches as a whole still begins and ends in stream 0.

inline constexpr std::uint32_t most_streams = 32;

/// Of the context that is current when streams are opened; close() before that context is destroyed.
class Streams {
 public:
  explicit Streams(const Driver& driver) : d_(driver) {}
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  /// Creates the streams that these launches need and that are not there yet. Numbers are below most_streams.
  Status open(const std::vector<trace::Launch>& launches);
  void close();

  /// The driver's handle; null is the default stream.
  Stream handle(std::uint32_t number) const { return handles_[number]; }
  /// Whether the launches that they were opened for use another stream than 0.
  bool several() const { return !used_.empty(); }
  /// Later work in the other streams waits for the queued work of stream 0.
  Status fork() const;
  /// Later work in stream 0 waits for the queued work of the other streams.
  Status join() const;

 private:
  const Driver& d_;
  std::array<Stream, most_streams> handles_{};
  std::vector<Stream> used_;   ///< by the present launches, stream 0 left out; ascending number
  Event forked_ = nullptr;     ///< recorded in stream 0
  std::vector<Event> joined_;  ///< one for each of `used_`, recorded there
};

}  // namespace lanescope::gpu
