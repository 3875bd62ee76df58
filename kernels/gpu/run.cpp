#include <algorithm>
#include <array>
#include <memory>

#include <fmt/format.h>

#include "kernels/gpu/driver.h"
#include "kernels/gpu/gpu.h"

namespace lanescope::gpu {
namespace {

// CUfunction_attribute and CUjit_option numbers, CUDA driver API reference.
constexpr int function_max_threads = 0, function_shared = 1, function_constant = 2, function_local = 3,
              function_registers = 4, function_max_dynamic_shared = 8;
constexpr int jit_error_log = 5, jit_error_log_bytes = 6;

/// Everything a run holds on the device, given back in order.
class Device {
 public:
  explicit Device(const Driver& driver) : d_(driver) {}
  ~Device() {
    for (const DevicePointer p : memory_)
      if (p) d_.cuMemFree(p);
    if (module_) d_.cuModuleUnload(module_);
    if (begin_) d_.cuEventDestroy(begin_);
    if (end_) d_.cuEventDestroy(end_);
    if (context_) d_.cuDevicePrimaryCtxRelease(handle_);
  }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  Status open(int index) {
    if (const Status s = d_.cuDeviceGet(&handle_, index)) return s;
    if (const Status s = d_.cuDevicePrimaryCtxRetain(&context_, handle_)) return s;
    if (const Status s = d_.cuCtxSetCurrent(context_)) return s;
    if (const Status s = d_.cuEventCreate(&begin_, 0)) return s;
    return d_.cuEventCreate(&end_, 0);
  }

  Expected<Module> load(const std::string& ptx) {
    std::array<char, 8192> log{};
    std::array<int, 2> options{jit_error_log, jit_error_log_bytes};
    std::array<void*, 2> values{log.data(), reinterpret_cast<void*>(log.size())};
    if (const Status s = d_.cuModuleLoadDataEx(&module_, ptx.c_str(), 2, options.data(), values.data()))
      return failure(fmt::format("the driver refuses the PTX: {}\n{}", status_words(s), log.data()),
                     "choose the architecture of this GPU with --arch");
    return module_;
  }

  Status upload(const std::vector<trace::Buffer>& buffers) {
    memory_.assign(buffers.size(), 0);
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      if (const Status s = d_.cuMemAlloc(&memory_[i], std::max<std::size_t>(buffers[i].bytes.size(), 1))) return s;
      if (buffers[i].bytes.empty()) continue;
      if (const Status s = d_.cuMemcpyHtoD(memory_[i], buffers[i].bytes.data(), buffers[i].bytes.size())) return s;
    }
    return 0;
  }

  Status download(std::vector<trace::Buffer>& buffers) {
    for (std::size_t i = 0; i < buffers.size(); ++i)
      if (!buffers[i].bytes.empty())
        if (const Status s = d_.cuMemcpyDtoH(buffers[i].bytes.data(), memory_[i], buffers[i].bytes.size())) return s;
    return 0;
  }

  DevicePointer address(int buffer) const { return memory_[static_cast<std::size_t>(buffer)]; }
  Event begin() const { return begin_; }
  Event end() const { return end_; }

 private:
  const Driver& d_;
  DeviceHandle handle_ = 0;
  Context context_ = nullptr;
  Module module_ = nullptr;
  Event begin_ = nullptr, end_ = nullptr;
  std::vector<DevicePointer> memory_;
};

/// One launch with its arguments in place. The driver reads `parameters`, which point into `words`.
struct Prepared {
  Function function = nullptr;
  LaunchConfig config;
  std::vector<LaunchAttribute> attributes;
  std::vector<std::vector<std::byte>> words;
  std::vector<void*> parameters;
};

std::unique_ptr<Prepared> prepare(const trace::Launch& launch, Function function, const Device& device,
                                  bool cooperative) {
  auto p = std::make_unique<Prepared>();
  p->function = function;
  p->config = {.grid_x = launch.grid.x, .grid_y = launch.grid.y, .grid_z = launch.grid.z,
               .block_x = launch.block.x, .block_y = launch.block.y, .block_z = launch.block.z,
               .shared_bytes = launch.dynamic_shared_bytes};
  if (launch.cluster.x > 0) {
    LaunchAttribute a{.id = attribute_cluster_dimension};
    a.value.cluster = {launch.cluster.x, launch.cluster.y, launch.cluster.z};
    p->attributes.push_back(a);
  }
  if (cooperative) {
    LaunchAttribute a{.id = attribute_cooperative};
    a.value.cooperative = 1;
    p->attributes.push_back(a);
  }
  p->config.attributes = p->attributes.data();
  p->config.attribute_count = static_cast<unsigned>(p->attributes.size());
  for (const trace::Argument& argument : launch.arguments) {
    if (const auto* value = std::get_if<trace::ValueArgument>(&argument)) {
      p->words.push_back(*value);
    } else {
      const auto& b = std::get<trace::BufferArgument>(argument);
      const DevicePointer pointer = device.address(b.buffer) + static_cast<std::uint64_t>(b.offset_bytes);
      const auto* bytes = reinterpret_cast<const std::byte*>(&pointer);
      p->words.emplace_back(bytes, bytes + sizeof pointer);
    }
  }
  for (auto& w : p->words) p->parameters.push_back(w.data());
  return p;
}

int function_attribute(const Driver& d, Function f, int which) {
  int value = 0;
  d.cuFuncGetAttribute(&value, which, f);
  return value;
}

Status launch_all(const Driver& d, const std::vector<std::unique_ptr<Prepared>>& launches) {
  for (const auto& p : launches)
    if (const Status s = d.cuLaunchKernelEx(&p->config, p->function, p->parameters.data(), nullptr)) return s;
  return 0;
}

Status time_repetitions(const Driver& d, const Device& device, const std::vector<std::unique_ptr<Prepared>>& launches,
                        const RunOptions& options, Timing& timing) {
  for (int i = 0; i < options.warm_up; ++i)
    if (const Status s = launch_all(d, launches)) return s;
  for (int i = 0; i < options.repetitions; ++i) {
    d.cuEventRecord(device.begin(), nullptr);
    if (const Status s = launch_all(d, launches)) return s;
    d.cuEventRecord(device.end(), nullptr);
    if (const Status s = d.cuEventSynchronize(device.end())) return s;
    float milliseconds = 0;
    if (const Status s = d.cuEventElapsedTime(&milliseconds, device.begin(), device.end())) return s;
    timing.milliseconds.push_back(milliseconds);
  }
  return 0;
}

}  // namespace

float Timing::median() const {
  if (milliseconds.empty()) return 0;
  std::vector<float> sorted = milliseconds;
  std::sort(sorted.begin(), sorted.end());
  return sorted[sorted.size() / 2];
}

float Timing::spread() const {
  if (milliseconds.size() < 4) return 0;
  std::vector<float> sorted = milliseconds;
  std::sort(sorted.begin(), sorted.end());
  return sorted[sorted.size() * 3 / 4] - sorted[sorted.size() / 4];
}

Expected<RunResult> run(const std::string& ptx, const std::vector<trace::Launch>& launches,
                        std::vector<trace::Buffer>& buffers, const RunOptions& options) {
  const auto opened = driver();
  if (!opened) return tl::unexpected(opened.error());
  const Driver& d = **opened;
  Device device(d);
  if (const Status s = device.open(options.device))
    return failure(fmt::format("GPU {} cannot be used: {}", options.device, status_words(s)));
  const auto module = device.load(ptx);
  if (!module) return tl::unexpected(module.error());
  if (const Status s = device.upload(buffers))
    return failure("the buffers do not fit on the GPU: " + status_words(s), "make them smaller in the launch header");

  RunResult result;
  std::vector<std::unique_ptr<Prepared>> prepared;
  for (const trace::Launch& launch : launches) {
    Function f = nullptr;
    if (const Status s = d.cuModuleGetFunction(&f, *module, launch.kernel.c_str()))
      return failure(fmt::format("the PTX has no kernel {}: {}", launch.kernel, status_words(s)));
    if (launch.dynamic_shared_bytes > 48 * 1024)
      if (const Status s = d.cuFuncSetAttribute(f, function_max_dynamic_shared, static_cast<int>(launch.dynamic_shared_bytes)))
        return failure(fmt::format("{} bytes of dynamic shared memory are refused: {}", launch.dynamic_shared_bytes, status_words(s)));
    if (prepared.empty())
      result.resources = {.registers = function_attribute(d, f, function_registers),
                          .shared_bytes = function_attribute(d, f, function_shared),
                          .local_bytes = function_attribute(d, f, function_local),
                          .constant_bytes = function_attribute(d, f, function_constant),
                          .max_threads = function_attribute(d, f, function_max_threads)};
    prepared.push_back(prepare(launch, f, device, options.cooperative));
  }

  Status status = launch_all(d, prepared);
  if (!status) status = d.cuCtxSynchronize();
  if (!status) status = device.download(buffers);
  if (!status) status = time_repetitions(d, device, prepared, options, result.timing);
  if (status) result.fault = status_words(status);
  return result;
}

}  // namespace lanescope::gpu
