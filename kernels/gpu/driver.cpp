#include "kernels/gpu/driver.h"

#include <dlfcn.h>

#include <fmt/format.h>

namespace lanescope::gpu {
namespace {

struct Opened {
  Driver driver;
  std::string problem, remedy;  ///< problem empty: usable
};

/// Looks the symbols up; returns the first one that is missing, or "".
std::string fill(Driver& d, void* library) {
  const char* missing = nullptr;
  auto find = [&](auto& slot, const char* name) {
    slot = reinterpret_cast<std::remove_reference_t<decltype(slot)>>(dlsym(library, name));
    if (!slot && !missing) missing = name;
  };
  find(d.cuInit, "cuInit");
  find(d.cuDriverGetVersion, "cuDriverGetVersion");
  find(d.cuGetErrorName, "cuGetErrorName");
  find(d.cuGetErrorString, "cuGetErrorString");
  find(d.cuDeviceGetCount, "cuDeviceGetCount");
  find(d.cuDeviceGet, "cuDeviceGet");
  find(d.cuDeviceGetName, "cuDeviceGetName");
  find(d.cuDeviceGetAttribute, "cuDeviceGetAttribute");
  find(d.cuDeviceTotalMem, "cuDeviceTotalMem_v2");
  find(d.cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain");
  find(d.cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2");
  find(d.cuCtxSetCurrent, "cuCtxSetCurrent");
  find(d.cuCtxSynchronize, "cuCtxSynchronize");
  find(d.cuCtxSetLimit, "cuCtxSetLimit");
  find(d.cuModuleLoadDataEx, "cuModuleLoadDataEx");
  find(d.cuLinkCreate, "cuLinkCreate_v2");
  find(d.cuLinkAddData, "cuLinkAddData_v2");
  find(d.cuLinkAddFile, "cuLinkAddFile_v2");
  find(d.cuLinkComplete, "cuLinkComplete");
  find(d.cuLinkDestroy, "cuLinkDestroy");
  find(d.cuModuleUnload, "cuModuleUnload");
  find(d.cuModuleGetFunction, "cuModuleGetFunction");
  find(d.cuModuleGetGlobal, "cuModuleGetGlobal_v2");
  find(d.cuFuncGetAttribute, "cuFuncGetAttribute");
  find(d.cuFuncSetAttribute, "cuFuncSetAttribute");
  find(d.cuMemGetInfo, "cuMemGetInfo_v2");
  find(d.cuMemAlloc, "cuMemAlloc_v2");
  find(d.cuMemFree, "cuMemFree_v2");
  find(d.cuMemcpyHtoD, "cuMemcpyHtoD_v2");
  find(d.cuMemcpyDtoH, "cuMemcpyDtoH_v2");
  find(d.cuMemcpyDtoD, "cuMemcpyDtoD_v2");
  find(d.cuMemsetD8, "cuMemsetD8_v2");
  find(d.cuStreamCreate, "cuStreamCreate");
  find(d.cuStreamDestroy, "cuStreamDestroy_v2");
  find(d.cuStreamSynchronize, "cuStreamSynchronize");
  find(d.cuStreamWaitEvent, "cuStreamWaitEvent");
  find(d.cuEventCreate, "cuEventCreate");
  find(d.cuEventDestroy, "cuEventDestroy_v2");
  find(d.cuEventRecord, "cuEventRecord");
  find(d.cuEventSynchronize, "cuEventSynchronize");
  find(d.cuEventElapsedTime, "cuEventElapsedTime");
  find(d.cuLaunchKernelEx, "cuLaunchKernelEx");
  return missing ? missing : "";
}

Opened open_driver() {
  Opened o;
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    o.problem = "there is no NVIDIA driver on this machine (libcuda.so.1 was not found)";
    o.remedy = "install the NVIDIA driver; the emulator needs none";
    return o;
  }
  if (const std::string missing = fill(o.driver, library); !missing.empty()) {
    o.problem = fmt::format("the NVIDIA driver is too old: it has no {}", missing);
    o.remedy = "install a driver for CUDA 12 or newer";
    return o;
  }
  if (const Status status = o.driver.cuInit(0)) {
    const char* words = nullptr;
    o.driver.cuGetErrorString(status, &words);
    o.problem =
        fmt::format("the NVIDIA driver cannot be initialised: {} (error {})", words ? words : "unknown error", status);
    o.remedy = "check that a GPU is present and that nvidia-smi lists it";
  }
  return o;
}

const Opened& opened() {
  static const Opened o = open_driver();
  return o;
}

}  // namespace

Expected<const Driver*> driver() {
  const Opened& o = opened();
  if (!o.problem.empty()) return failure(o.problem, o.remedy);
  return &o.driver;
}

std::string status_words(Status status) {
  const Opened& o = opened();
  const char *name = nullptr, *words = nullptr;
  if (o.driver.cuGetErrorName) o.driver.cuGetErrorName(status, &name);
  if (o.driver.cuGetErrorString) o.driver.cuGetErrorString(status, &words);
  return fmt::format("{} ({}): {}", name ? name : "CUDA error", status, words ? words : "unknown error");
}

}  // namespace lanescope::gpu
