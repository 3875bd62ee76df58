#include "profiling/cupti/device.h"

#include "kernels/gpu/gpu.h"
#include "profiling/cupti/interfaces.h"

namespace lanescope::cupti {

Expected<void> initialize(const Library& l) {
  PlainArguments a;
  if (const Result r = l.cuptiProfilerInitialize(&a)) return refusal(l, r, "starting CUPTI");
  return {};
}

Expected<std::string> chip_name(const Library& l, int device) {
  ChipNameArguments a{.device_index = static_cast<std::size_t>(device)};
  if (const Result r = l.cuptiDeviceGetChipName(&a)) return refusal(l, r, "asking the GPU for its chip");
  return std::string(a.chip ? a.chip : "");
}

Expected<std::vector<std::uint8_t>> availability(const Library& l, gpu::Context context) {
  std::vector<std::uint8_t> image;
  AvailabilityArguments a{.context = context};
  if (const Result r = l.cuptiProfilerGetCounterAvailability(&a))
    return refusal(l, r, "asking which counters are available");
  image.resize(a.image_bytes);
  a.image = image.data();
  if (const Result r = l.cuptiProfilerGetCounterAvailability(&a))
    return refusal(l, r, "asking which counters are available");
  return image;
}

std::string device_name(int device) {
  const auto all = gpu::devices();
  const auto index = static_cast<std::size_t>(device);
  return all && index < all->size() ? (*all)[index].name : "";
}

Expected<Opened> open_device(int device) {
  const auto l = LS_TRY(library());
  auto program = LS_TRY(gpu::Program::open(device));
  if (auto begun = initialize(*l); !begun) return tl::unexpected(begun.error());
  auto chip = LS_TRY(chip_name(*l, device));
  return Opened{.library = l, .program = std::move(program), .device = device_name(device), .chip = std::move(chip)};
}

namespace {

void keep_code(void* user, int domain, std::uint32_t id, const void* event) {
  if (domain != resource_domain || id != module_loaded) return;
  const LoadedModule* module = static_cast<const ResourceEvent*>(event)->module;
  if (module && module->cubin) static_cast<std::string*>(user)->assign(module->cubin, module->cubin_bytes);
}

}  // namespace

gpu::LoadOptions load_options(const Request& request, std::uint64_t runs) {
  return {.cooperative = request.cooperative, .heap_bytes = request.heap_bytes, .runs = runs};
}

Expected<std::string> load_and_report_code(const Opened& opened, const Request& request, std::uint64_t runs) {
  const auto api = LS_TRY(source_interface());
  std::string cubin;
  Subscriber subscriber = nullptr;
  Result r = api->cuptiSubscribe(&subscriber, keep_code, &cubin);
  if (!r) r = api->cuptiEnableCallback(1, subscriber, resource_domain, module_loaded);
  Expected<void> loaded;
  if (r)
    loaded = refusal(*opened.library, r, "requesting the machine code");
  else
    loaded = opened.program->load(request.ptx, request.launches, request.buffers, load_options(request, runs));
  if (subscriber) api->cuptiUnsubscribe(subscriber);
  if (!loaded) return tl::unexpected(loaded.error());
  if (cubin.empty()) return failure("CUPTI does not report the machine code of the kernel");
  return cubin;
}

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace lanescope::cupti
