#include <fmt/format.h>

#include "kernels/gpu/driver.h"
#include "kernels/gpu/gpu.h"

namespace lanescope::gpu {
namespace {

// CUdevice_attribute numbers, CUDA driver API reference.
enum class Attribute : int {
  clock_khz = 13,
  multiprocessors = 16,
  memory_clock_khz = 36,
  memory_bus_bits = 37,
  l2_bytes = 38,
  major = 75,
  minor = 76,
  shared_per_multiprocessor = 81,
  shared_per_block_optin = 97,
};

int attribute(const Driver& d, Attribute a, DeviceHandle device) {
  int value = 0;
  d.cuDeviceGetAttribute(&value, static_cast<int>(a), device);
  return value;
}

DeviceInfo describe(const Driver& d, int index) {
  DeviceInfo info{.index = index};
  DeviceHandle device = 0;
  d.cuDeviceGet(&device, index);
  char name[256] = {};
  d.cuDeviceGetName(name, sizeof name - 1, device);
  info.name = name;
  std::size_t bytes = 0;
  d.cuDeviceTotalMem(&bytes, device);
  info.memory_bytes = bytes;
  info.major = attribute(d, Attribute::major, device);
  info.minor = attribute(d, Attribute::minor, device);
  info.multiprocessors = attribute(d, Attribute::multiprocessors, device);
  info.clock_khz = attribute(d, Attribute::clock_khz, device);
  info.memory_clock_khz = attribute(d, Attribute::memory_clock_khz, device);
  info.memory_bus_bits = attribute(d, Attribute::memory_bus_bits, device);
  info.l2_bytes = static_cast<std::uint64_t>(attribute(d, Attribute::l2_bytes, device));
  info.shared_bytes_per_block = static_cast<std::uint64_t>(attribute(d, Attribute::shared_per_block_optin, device));
  info.shared_bytes_per_multiprocessor =
      static_cast<std::uint64_t>(attribute(d, Attribute::shared_per_multiprocessor, device));
  d.cuDriverGetVersion(&info.driver_version);
  return info;
}

}  // namespace

std::string DeviceInfo::arch() const { return fmt::format("sm_{}{}", major, minor); }

Expected<std::vector<DeviceInfo>> devices() {
  const auto d = LS_TRY(driver());
  int count = 0;
  if (const Status status = d->cuDeviceGetCount(&count))
    return failure("the driver cannot list the GPUs: " + status_words(status));
  if (count == 0) return failure("the NVIDIA driver is installed, but reports no GPU", "check CUDA_VISIBLE_DEVICES");
  std::vector<DeviceInfo> all;
  for (int i = 0; i < count; ++i) all.push_back(describe(*d, i));
  return all;
}

}  // namespace lanescope::gpu
