// gpu_test is also the child that its tests measure in.

#include <gtest/gtest.h>

#include <cstdio>
#include <string_view>

#include "app/engine/hardware/device.h"
#include "app/engine/remote/service.h"
#include "profiling/cupti/child.h"
#include "profiling/cupti/live.h"
#include "tests/gpu/machine.h"

namespace {

int say_readiness(char what) {
  const auto r = lanescope::cupti::readiness(static_cast<lanescope::cupti::What>(what - '0'));
  std::printf("%s: %s; %s\n", std::string(lanescope::cupti::state_name(r.state)).c_str(), r.words.c_str(),
              r.remedy.c_str());
  return r.state == lanescope::cupti::State::ready ? 0 : 3;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc == 2 ? argv[1] : "";
  if (mode == lanescope::gpu_test::measure_argument) return lanescope::cupti::measure_child();
  if (mode.starts_with(lanescope::gpu_test::readiness_argument)) return say_readiness(mode.back());
  if (argc == 3 && std::string_view(argv[2]) == "live") return lanescope::cupti::live_child();
  // As `lanescope child run`, for the engine that runs in this program.
  if (argc == 3 && std::string_view(argv[1]) == "child") return lanescope::engine::serve_child(argv[2]);
  if (mode == "worker") return lanescope::engine::run_worker();
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
