#include "kernels/gpu/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lanescope::gpu {
namespace {

// CUfunction_attribute and CUjit_option numbers, CUDA driver API reference.
constexpr int function_max_threads = 0, function_shared = 1, function_constant = 2, function_local = 3,
              function_registers = 4, function_max_dynamic_shared = 8;
constexpr int limit_heap = 2;  // CUlimit
constexpr int jit_error_log = 5, jit_error_log_bytes = 6, jit_line_info = 13;
// CUresult where the code is at fault: invalid image, no binary for this GPU, invalid PTX, unsupported PTX version, no
// compilation here, invalid source; the same reference.
constexpr std::array<Status, 6> code_errors{200, 209, 218, 222, 223, 300};
constexpr std::uint32_t shared_bytes_without_asking = 48 * 1024;  // CUDA C++ Programming Guide, compute capabilities

int function_attribute(const Driver& d, Function f, int which) {
  int value = 0;
  d.cuFuncGetAttribute(&value, which, f);
  return value;
}

}  // namespace

/// One launch with its arguments in place. The driver reads `parameters`, which point into `words`.
struct Program::Prepared {
  Function function = nullptr;
  LaunchConfig config;
  std::vector<LaunchAttribute> attributes;
  std::vector<std::vector<std::byte>> words;
  std::vector<void*> parameters;
  std::vector<trace::HostStep> before;
};

Expected<std::unique_ptr<Program>> Program::open(int device) {
  const auto opened = LS_TRY(gpu::driver());
  const Driver& d = *opened;
  std::unique_ptr<Program> program(new Program(d));
  Status status = d.cuDeviceGet(&program->handle_, device);
  if (!status) status = d.cuDevicePrimaryCtxRetain(&program->context_, program->handle_);
  if (!status) status = d.cuCtxSetCurrent(program->context_);
  if (status) return failure(fmt::format("GPU {} cannot be used: {}", device, status_words(status)));
  return program;
}

Program::Program(const Driver& driver) : d_(driver), streams_(driver) {}

Program::~Program() {
  streams_.close();
  for (std::size_t i = 0; i < memory_.size(); ++i)
    if (memory_[i] && !of_module_[i]) d_.cuMemFree(memory_[i]);
  if (module_ && !keeps_code_) d_.cuModuleUnload(module_);
  if (context_) d_.cuDevicePrimaryCtxRelease(handle_);
}

Expected<void> Program::load_module(const std::string& ptx) {
  std::vector<char> linked;
  if (needs_device_runtime(ptx)) linked = LS_TRY(linked_with_device_runtime(d_, ptx));
  std::array<char, 8192> log{};
  std::array<int, 3> options{jit_error_log, jit_error_log_bytes, jit_line_info};
  std::array<void*, 3> values{log.data(), reinterpret_cast<void*>(log.size()), reinterpret_cast<void*>(1)};
  const Status status = d_.cuModuleLoadDataEx(&module_, linked.empty() ? ptx.c_str() : linked.data(), options.size(),
                                              options.data(), values.data());
  if (!status) return {};
  const std::string said = log[0] ? fmt::format("\n{}", log.data()) : "";
  const bool refused = std::ranges::find(code_errors, status) != code_errors.end();
  return failure(fmt::format("the {}: {}{}", refused ? "the driver rejects the PTX" : "PTX cannot be loaded",
                             status_words(status), said),
                 refused ? "choose the architecture of this GPU with --arch" : "");
}

/// Before the module is loaded: then the heap is made.
Expected<void> Program::size_heap(const LoadOptions& options) {
  if (options.heap_bytes == 0) return {};
  std::size_t free_bytes = 0, all_bytes = 0;
  d_.cuMemGetInfo(&free_bytes, &all_bytes);
  most_runs_ =
      std::clamp<std::uint64_t>(free_bytes / 4 / options.heap_bytes, 1, std::max<std::uint64_t>(options.runs, 1));
  if (const Status s = d_.cuCtxSetLimit(limit_heap, options.heap_bytes * most_runs_))
    return failure(
        fmt::format("the device heap cannot have {} bytes: {}", options.heap_bytes * most_runs_, status_words(s)),
        "ask for a smaller one (cudaDeviceSetLimit)");
  return {};
}

Status Program::allocate(const std::vector<trace::Buffer>& buffers) {
  memory_.assign(buffers.size(), 0);
  bytes_.clear();
  for (const trace::Buffer& b : buffers) bytes_.push_back(b.bytes.size());
  of_module_.assign(buffers.size(), false);
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    // A variable that no kernel of this module uses is not in it: then its contents have a place that is never read.
    std::size_t bytes = 0;
    of_module_[i] = !buffers[i].variable.empty() &&
                    d_.cuModuleGetGlobal(&memory_[i], &bytes, module_, buffers[i].variable.c_str()) == 0 &&
                    bytes >= buffers[i].bytes.size();
    if (of_module_[i]) continue;
    if (const Status s = d_.cuMemAlloc(&memory_[i], std::max<std::size_t>(buffers[i].bytes.size(), 1))) return s;
  }
  return 0;
}

Status Program::upload(const std::vector<trace::Buffer>& buffers) const {
  for (std::size_t i = 0; i < buffers.size(); ++i)
    if (!buffers[i].bytes.empty())
      if (const Status s = d_.cuMemcpyHtoD(memory_[i], buffers[i].bytes.data(), buffers[i].bytes.size())) return s;
  // The last bytes may still be on their way in stream 0 (API synchronization behavior, CUDA driver API reference), and
  // the other streams do not wait for it.
  return streams_.several() ? d_.cuStreamSynchronize(nullptr) : 0;
}

Status Program::download(std::vector<trace::Buffer>& buffers) const {
  for (std::size_t i = 0; i < buffers.size(); ++i)
    if (!buffers[i].bytes.empty())
      if (const Status s = d_.cuMemcpyDtoH(buffers[i].bytes.data(), memory_[i], buffers[i].bytes.size())) return s;
  return 0;
}

Expected<std::unique_ptr<Program::Prepared>> Program::prepare(const trace::Launch& launch, bool cooperative) const {
  auto p = std::make_unique<Prepared>();
  if (const Status s = d_.cuModuleGetFunction(&p->function, module_, launch.kernel.c_str()))
    return failure(fmt::format("the PTX has no kernel {}: {}", launch.kernel, status_words(s)));
  if (launch.dynamic_shared_bytes > shared_bytes_without_asking) {
    const auto bytes = static_cast<int>(launch.dynamic_shared_bytes);
    if (const Status s = d_.cuFuncSetAttribute(p->function, function_max_dynamic_shared, bytes))
      return failure(fmt::format("{} bytes of dynamic shared memory are not available: {}", bytes, status_words(s)));
  }
  p->config = {.grid_x = launch.grid.x,
               .grid_y = launch.grid.y,
               .grid_z = launch.grid.z,
               .block_x = launch.block.x,
               .block_y = launch.block.y,
               .block_z = launch.block.z,
               .shared_bytes = launch.dynamic_shared_bytes,
               .stream = streams_.handle(launch.stream)};
  if (launch.cluster.x > 0) {
    LaunchAttribute a{.id = attribute_cluster_dimension};
    a.value.cluster = {launch.cluster.x, launch.cluster.y, launch.cluster.z};
    p->attributes.push_back(a);
  }
  if (cooperative && launch.cooperative) {
    LaunchAttribute a{.id = attribute_cooperative};
    a.value.cooperative = 1;
    p->attributes.push_back(a);
  }
  p->config.attributes = p->attributes.data();
  p->config.attribute_count = static_cast<unsigned>(p->attributes.size());
  for (const trace::Argument& argument : launch.arguments)
    p->words.push_back(trace::bytes_of(
        argument, [&](int buffer) { return static_cast<std::uint64_t>(memory_[static_cast<std::size_t>(buffer)]); }));
  for (auto& w : p->words) p->parameters.push_back(w.data());
  p->before = launch.before;
  return p;
}

Expected<void> Program::load(const std::string& ptx, const std::vector<trace::Launch>& launches,
                             const std::vector<trace::Buffer>& buffers, const LoadOptions& options) {
  if (auto sized = size_heap(options); !sized) return sized;
  if (auto loaded = load_module(ptx); !loaded) return loaded;
  Status status = allocate(buffers);
  if (!status) status = upload(buffers);
  if (status)
    return failure("the buffers do not fit on the GPU: " + status_words(status),
                   "make them smaller in the launch header");
  return set_launches(launches, options.cooperative);
}

/// Work in stream 0 so far, above all copies of buffers, is done before the others begin.
Status Program::open_streams(const std::vector<trace::Launch>& launches) {
  if (const Status s = streams_.open(launches)) return s;
  return streams_.several() ? d_.cuStreamSynchronize(nullptr) : 0;
}

Expected<void> Program::set_launches(const std::vector<trace::Launch>& launches, bool cooperative) {
  prepared_.clear();
  for (const trace::Launch& launch : launches)
    if (launch.stream >= most_streams)
      return failure(fmt::format("there is no stream {}", launch.stream),
                     fmt::format("the last one is {}", most_streams - 1));
  if (const Status s = open_streams(launches)) return failure("streams cannot be opened: " + status_words(s));
  for (const trace::Launch& launch : launches) prepared_.push_back(LS_TRY(prepare(launch, cooperative)));
  return {};
}

/// Which bytes of a buffer are meant; none where it is not there.
Program::Bytes Program::bytes_at(const trace::BufferArgument& at, std::uint64_t bytes) const {
  if (at.buffer < 0 || static_cast<std::size_t>(at.buffer) >= memory_.size() || at.offset_bytes < 0) return {};
  const std::uint64_t all = bytes_[static_cast<std::size_t>(at.buffer)];
  const std::uint64_t from = std::min(static_cast<std::uint64_t>(at.offset_bytes), all);
  return {memory_[static_cast<std::size_t>(at.buffer)] + from, std::min(bytes, all - from)};
}

/// The host's steps between launches, after the earlier ones have ended; done when this returns.
Status Program::perform(const std::vector<trace::HostStep>& steps) const {
  if (steps.empty()) return 0;
  if (const Status s = d_.cuCtxSynchronize()) return s;
  for (const trace::HostStep& step : steps) {
    Status status = 0;
    switch (step.kind) {
      case trace::HostStep::Kind::copy: {
        const Bytes to = bytes_at(step.to, step.bytes), from = bytes_at(step.from, step.bytes);
        if (const std::uint64_t n = std::min(to.count, from.count); n > 0)
          status = d_.cuMemcpyDtoD(to.begin, from.begin, n);
        break;
      }
      case trace::HostStep::Kind::set:
        if (const Bytes to = bytes_at(step.to, step.bytes); to.count > 0)
          status = d_.cuMemsetD8(to.begin, step.value, to.count);
        break;
      case trace::HostStep::Kind::write:
        if (const Bytes to = bytes_at(step.to, step.contents.size()); to.count > 0)
          status = d_.cuMemcpyHtoD(to.begin, step.contents.data(), to.count);
        break;
      case trace::HostStep::Kind::address: {
        const Bytes to = bytes_at(step.to, sizeof(DevicePointer));
        const std::uint64_t address =
            bytes_at(step.from, 0).begin;  // of a place after the last byte, too: it is within the buffer
        if (to.count == sizeof address) status = d_.cuMemcpyHtoD(to.begin, &address, sizeof address);
        break;
      }
    }
    if (status) return status;
  }
  return d_.cuCtxSynchronize();
}

Status Program::launch_kernel(std::size_t index) const {
  Prepared& p = *prepared_[index];
  return d_.cuLaunchKernelEx(&p.config, p.function, p.parameters.data(), nullptr);
}

Status Program::launch(std::size_t index) const {
  if (const Status s = perform(prepared_[index]->before)) return s;
  return launch_kernel(index);
}

std::size_t Program::end_of_stretch(std::size_t first) const {
  std::size_t last = first + 1;
  while (last < prepared_.size() && prepared_[last]->before.empty()) ++last;
  return std::min(last, prepared_.size());
}

Status Program::perform_before(std::size_t index) const { return perform(prepared_[index]->before); }

Status Program::launch_stretch(std::size_t first, std::size_t last) const {
  if (const Status s = streams_.fork()) return s;
  for (std::size_t i = first; i < last; ++i)
    if (const Status s = launch_kernel(i)) return s;
  return streams_.join();
}

Status Program::launch_all() const {
  for (std::size_t first = 0, last = 0; first < prepared_.size(); first = last) {
    last = end_of_stretch(first);
    if (const Status s = perform_before(first)) return s;
    if (const Status s = launch_stretch(first, last)) return s;
  }
  return 0;
}

Resources Program::resources() const {
  if (prepared_.empty()) return {};
  const Function f = prepared_.front()->function;
  return {.registers = function_attribute(d_, f, function_registers),
          .shared_bytes = function_attribute(d_, f, function_shared),
          .local_bytes = function_attribute(d_, f, function_local),
          .constant_bytes = function_attribute(d_, f, function_constant),
          .max_threads = function_attribute(d_, f, function_max_threads)};
}

}  // namespace lanescope::gpu
