// From an edit to its verdict against the slower of the two compiles alone, in one run: 100 edits of four kernels with a warm
// session, each compile of the same text measured beside them. Goal: 95 of 100 within 1.3 times that compile.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "app/engine/session/session.h"
#include "kernels/base/read_file.h"
#include "kernels/compile/calls/self_worker.h"
#include "kernels/compile/compile.h"
#include "kernels/resources/resources.h"
#include "kernels/source/source.h"

namespace {

using namespace lanescope;
__attribute__((constructor)) void begin(int argc, char** argv) {
  compile::be_worker_if_asked(argc, argv);
  compile::use_self_as_worker();
}

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double percentile(std::vector<double> values, double part) {
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1) + 0.5)];
}

/// Of one variant, with nothing else going on; 0 where it does not compile.
double compile_alone(const source::Source& source, compile::Variant variant) {
  const auto start = Clock::now();
  const auto compiled =
      compile::compile(source, variant, {.arch = "sm_90", .extra = {}, .forbid_nvrtc = false, .cached = false});
  return compiled ? milliseconds_since(start) : 0;
}

void edits_of_four_kernels(benchmark::State& state) {
  constexpr const char* names[] = {"half2_transposes", "mma_product", "reduce_unrolled_warp", "copy_float4"};
  struct Kernel {
    engine::RunRequest request;
    std::string text;
    engine::Session session;
    std::vector<double> runs, slower;
  };
  std::vector<Kernel> kernels(std::size(names));
  for (std::size_t k = 0; k < std::size(names); ++k) {
    kernels[k].request.file = (resources::assets_directory() / "kernels" / fmt::format("{}.cu", names[k])).string();
    kernels[k].text = read_file(kernels[k].request.file).value_or("");
    kernels[k].request.text = kernels[k].text;
    if (!kernels[k].session.run(kernels[k].request).ok) return state.SkipWithError("a kernel does not run here");
  }
  // A text that nobody ever compiled: nothing may come from a cache, not even what an earlier run of this has left there.
  const auto this_run = std::chrono::system_clock::now().time_since_epoch().count();
  // Where the time goes: what begins when.
  std::map<std::string, std::vector<double>, std::less<>> stages;
  std::string stage;
  auto stage_begin = Clock::now();
  const auto enter = [&](std::string_view next) {
    if (!stage.empty()) stages[stage].push_back(milliseconds_since(stage_begin));
    stage = next;
    stage_begin = Clock::now();
  };
  for (Kernel& kernel : kernels) kernel.session.on_progress(enter);
  std::vector<double> ratios;
  int edit = 0;
  for (auto _ : state) {
    Kernel& kernel = kernels[static_cast<std::size_t>(edit) % kernels.size()];
    kernel.request.text = kernel.text + fmt::format("\n// edit {} of {}\n", ++edit, this_run);
    const auto start = Clock::now();
    const bool ok = kernel.session.run(kernel.request).ok;
    const double run = milliseconds_since(start);
    enter("");
    state.SetIterationTime(run / 1000);
    const auto source = source::read(kernel.request.file, kernel.request.text);
    if (!ok || !source) return state.SkipWithError("a kernel does not run here");
    const double slower =
        std::max(compile_alone(*source, compile::Variant::plain), compile_alone(*source, compile::Variant::probed));
    if (slower <= 0) return state.SkipWithError("NVRTC is not installed");
    kernel.runs.push_back(run), kernel.slower.push_back(slower);
    ratios.push_back(run / slower);
  }
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    if (kernels[k].runs.empty()) continue;
    state.counters[fmt::format("{}_p95_ms", names[k])] = percentile(kernels[k].runs, 0.95);
    state.counters[fmt::format("{}_slower_compile_p50_ms", names[k])] = percentile(kernels[k].slower, 0.5);
  }
  for (const auto& [name, times] : stages) state.counters[fmt::format("{}_p50_ms", name)] = percentile(times, 0.5);
  state.counters["ratio_p50"] = percentile(ratios, 0.5);
  state.counters["ratio_p95"] = percentile(ratios, 0.95);
}
BENCHMARK(edits_of_four_kernels)->Iterations(100)->Unit(benchmark::kMillisecond)->UseManualTime();

}  // namespace
