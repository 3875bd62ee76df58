// Every form of an instruction that computes registers from registers, on a real GPU against the emulator: 2,048 inputs
// each, random ones and the corners of every type, bit for bit. Approximations are compared within two units of their last
// documented place by the tests of the emulator, and not here.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "kernels/emulator/emulator.h"
#include "tests/gpu/instrumented.h"
#include "tests/gpu/machine.h"
#include "tests/kernels/emulator/forms/lane_forms.h"

namespace lanescope::gpu_test {
namespace {

using emulator::Form;
using emulator::test::LaneInputs;

constexpr std::size_t form_threads = 2048, form_batch = 64;

/// "sm_100a" only runs on that architecture, "sm_80" on later ones, too.
bool runs_here(std::string_view target) {
  const int here = device().major * 10 + device().minor;
  const int least = std::atoi(target.data() + 3);
  return target.back() == 'a' ? least == here : least <= here;
}

struct FormBatch {
  std::vector<std::string> instances;
  bool accelerated = false;
};

/// The same buffers on both; the first thread that differs for each instance, in words.
void compare_batch(const FormBatch& batch, LaneInputs& numbers, std::size_t& differ) {
  const std::string arch = device().arch() + (batch.accelerated ? "a" : "");
  const std::string text = emulator::test::lane_kernel(batch.instances, arch, "8.4");
  std::vector<trace::Buffer> on_gpu(4);
  for (std::size_t b = 0; b < 3; ++b) {
    on_gpu[b] = {fmt::format("in{}", b), "u64", 64, std::vector<std::byte>(form_threads * 8), true};
    for (std::size_t i = 0; i < form_threads; ++i) {
      const std::uint64_t x = numbers.next();
      std::memcpy(on_gpu[b].bytes.data() + i * 8, &x, 8);
    }
  }
  on_gpu[3] = {"out", "u64", 64, std::vector<std::byte>(batch.instances.size() * form_threads * 16), true};
  std::vector<trace::Buffer> emulated = on_gpu;
  trace::Launch launch;
  launch.kernel = "forms";
  launch.grid = {form_threads / 256, 1, 1};
  launch.block = {256, 1, 1};
  for (int i = 0; i < 4; ++i) launch.arguments.emplace_back(std::in_place_type<trace::BufferArgument>, i);
  const auto module = ptx::parse(text);
  ASSERT_TRUE(module) << to_string(module.error().front());
  const auto launcher = Launcher::load(text, launch, on_gpu);
  ASSERT_TRUE(launcher) << to_string(launcher.error().front());
  const auto ran = launcher->run(on_gpu);
  ASSERT_TRUE(ran) << to_string(ran.error().front());
  const auto result = emulator::run(*module, launch, emulated, {});
  ASSERT_TRUE(result) << to_string(result.error().front());
  ASSERT_TRUE(result->faults.empty()) << result->faults.front().message;
  const auto word = [](const trace::Buffer& b, std::size_t at) {
    std::uint64_t x;
    std::memcpy(&x, b.bytes.data() + at * 8, 8);
    return x;
  };
  for (std::size_t k = 0; k < batch.instances.size(); ++k) {
    std::size_t count = 0, first = 0;
    for (std::size_t i = 0; i < form_threads; ++i) {
      const std::size_t at = 2 * (k * form_threads + i);
      if (word(on_gpu[3], at) == word(emulated[3], at) && word(on_gpu[3], at + 1) == word(emulated[3], at + 1))
        continue;
      if (count++ == 0) first = i;
    }
    if (count == 0) continue;
    ++differ;
    const std::size_t at = 2 * (k * form_threads + first);
    ADD_FAILURE() << fmt::format(
        "{}: {} of {} differ, the first for a={:#x} b={:#x} c={:#x}: GPU {:#x} {:#x}, emulator {:#x} {:#x}",
        batch.instances[k], count, form_threads, word(on_gpu[0], first), word(on_gpu[1], first), word(on_gpu[2], first),
        word(on_gpu[3], at), word(on_gpu[3], at + 1), word(emulated[3], at), word(emulated[3], at + 1));
  }
}

TEST(FormsOnGpu, AreBitForBitWhatTheEmulatorComputes) {
  LS_NEEDS_GPU();
  LaneInputs numbers(seed());
  nlohmann::ordered_json results;
  std::size_t differ = 0, compared = 0;
  for (const bool accelerated : {false, true}) {
    FormBatch batch{{}, accelerated};
    const auto flush = [&] {
      if (!batch.instances.empty()) compare_batch(batch, numbers, differ);
      compared += batch.instances.size();
      batch.instances.clear();
    };
    for (const Form& form : emulator::forms()) {
      if (!emulator::test::is_lane_form(form) || form.test == "LaneForms.Approximations" || !runs_here(form.target) ||
          (form.target.back() == 'a') != accelerated)
        continue;
      for (std::string& i : emulator::instances(form)) {
        batch.instances.push_back(std::move(i));
        if (batch.instances.size() == form_batch) flush();
      }
    }
    flush();
  }
  EXPECT_GT(compared, 1000u);
  results["instances"] = compared;
  results["inputs_each"] = form_threads;
  results["instances_that_differ"] = differ;
  write_results("gpu_forms", std::move(results));
}

}  // namespace
}  // namespace lanescope::gpu_test
