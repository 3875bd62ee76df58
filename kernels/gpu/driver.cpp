#include "kernels/gpu/driver.h"

#include <fmt/format.h>

#include <dlfcn.h>
#include <cstdlib>
#include <filesystem>

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

constexpr int input_ptx = 1, input_library = 4;    // CUjitInputType
constexpr int error_log = 5, error_log_bytes = 6;  // CUjit_option

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

bool needs_device_runtime(const std::string& ptx) { return ptx.find("__cudaCDP2") != std::string::npos; }

std::string device_runtime_library() {
  std::vector<std::filesystem::path> toolkits;
  for (const char* name : {"CUDA_PATH", "CUDA_HOME"})
    if (const char* value = std::getenv(name)) toolkits.emplace_back(value);
  toolkits.emplace_back("/usr/local/cuda");
  for (const std::filesystem::path& t : toolkits)
    for (const char* folder : {"lib64", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib", "lib"}) {
      std::error_code ignored;
      if (const auto file = t / folder / "libcudadevrt.a"; std::filesystem::exists(file, ignored)) return file.string();
    }
  return {};
}

Expected<std::vector<char>> linked_with_device_runtime(const Driver& d, const std::string& ptx) {
  const std::string library = device_runtime_library();
  if (library.empty())
    return failure("the kernel launches kernels, and libcudadevrt.a, which that needs on a GPU, was not found",
                   "install the CUDA Toolkit, or set CUDA_PATH to it");
  std::array<char, 8192> log{};
  std::array<int, 2> options{error_log, error_log_bytes};
  std::array<void*, 2> values{log.data(), reinterpret_cast<void*>(log.size())};
  LinkState link = nullptr;
  Status s = d.cuLinkCreate(options.size(), options.data(), values.data(), &link);
  if (!s)
    s = d.cuLinkAddData(link, input_ptx, const_cast<char*>(ptx.c_str()), ptx.size() + 1, "k.ptx", 0, nullptr, nullptr);
  if (!s) s = d.cuLinkAddFile(link, input_library, library.c_str(), 0, nullptr, nullptr);
  void* code = nullptr;
  std::size_t bytes = 0;
  if (!s) s = d.cuLinkComplete(link, &code, &bytes);
  std::vector<char> out;
  if (!s) out.assign(static_cast<const char*>(code), static_cast<const char*>(code) + bytes);
  if (link != nullptr) d.cuLinkDestroy(link);
  if (!s) return out;
  return failure(fmt::format("the kernel cannot be linked with the device runtime ({}): {}{}", library, status_words(s),
                             log[0] ? fmt::format("\n{}", log.data()) : ""));
}

}  // namespace lanescope::gpu
