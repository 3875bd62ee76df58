#include "app/engine/hardware/device.h"

#include <fmt/format.h>

#include <unistd.h>

#include "app/engine/hardware/run.h"
#include "kernels/base/conversation.h"
#include "kernels/compile/calls/workers.h"
#include "kernels/gpu/child.h"
#include "profiling/cupti/child.h"
#include "profiling/cupti/live.h"

namespace lanescope::engine {

Expected<void> need_device(int device) {
  const auto all = LS_TRY(gpu::devices());
  if (device < 0 || static_cast<std::size_t>(device) >= all.size())
    return failure(fmt::format("there is no GPU {}", device),
                   fmt::format("this machine has {}; the first is 0", all.size()));
  return {};
}

std::vector<std::string> gpu_devices() {
  std::vector<std::string> names;
  if (const auto all = gpu::devices())
    for (const gpu::DeviceInfo& d : *all) names.push_back(d.name);
  return names;
}

void describe_device(const gpu::DeviceInfo& device, results::Measured& measured) {
  if (device.name.empty()) return;
  measured.device = device.name;
  measured.arch = device.arch();
  measured.driver = fmt::format("{}.{}", device.driver_version / 1000, device.driver_version % 1000 / 10);
  measured.multiprocessors = device.multiprocessors;
}

bool have_device(int device, results::Measured& measured) {
  const auto there = need_device(device);
  if (!there) {
    measured.refused.insert(measured.refused.end(), there.error().begin(), there.error().end());
    return false;
  }
  if (const auto all = gpu::devices(); all && measured.device.empty())
    describe_device((*all)[static_cast<std::size_t>(device)], measured);
  return true;
}

int serve_child(std::string_view task) {
  // A kernel or a compile that never ends must not outlive the program that requested it.
  end_with_reader(STDOUT_FILENO);
  if (task == "compile") return compile::serve_calls();
  if (task == "run") return gpu::run_child();
  if (task == "measure") return cupti::measure_child();
  if (task == "live") return cupti::live_child();
  if (task == "judge") return judge_child();
  return 2;
}

}  // namespace lanescope::engine
