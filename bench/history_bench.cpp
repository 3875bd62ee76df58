// Going to any step of any block: from checkpoints against a run that records the block, and what keeping checkpoints
// costs a run. Kernels: the files named in LANESCOPE_KERNELS, separated by colons; else a grid of blocks with a long loop.
// Each place that is gone to is compared with a run of its own.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>

#include "app/engine/session/session.h"
#include "app/engine/wire/messages.h"

namespace {

using namespace lanescope;
using Clock = std::chrono::steady_clock;

constexpr const char* own_kernel = R"(/*
[lanescope]
grid = 8
block = 128

[buffers]
p = "u32 i:1024"
q = "u32 i:1024 = zeros"
*/
__global__ void spin(const unsigned *p, unsigned *q)
{
    __shared__ unsigned tile[128];
    unsigned sum = blockIdx.x;
#pragma unroll 1
    for (unsigned k = 0; k < 40000u; ++k) {
        tile[(threadIdx.x + k) & 127] = sum = sum * 3 + k;
        __syncthreads();
        sum += tile[threadIdx.x];
        __syncthreads();
    }
    q[blockIdx.x * 128 + threadIdx.x] = sum + p[threadIdx.x];
}
)";

std::vector<engine::RunRequest> requests() {
  std::vector<engine::RunRequest> all;
  const char* named = std::getenv("LANESCOPE_KERNELS");
  std::istringstream files(named != nullptr ? named : "");
  for (std::string file; std::getline(files, file, ':');) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    all.emplace_back().file = file;
    all.back().text = text.str();
  }
  if (all.empty()) {
    all.emplace_back().file = "spin.cu";
    all.back().text = own_kernel;
  }
  for (engine::RunRequest& r : all) r.run_seconds = 4;
  return all;
}

double milliseconds(Clock::time_point since) {
  return std::chrono::duration<double, std::milli>(Clock::now() - since).count();
}

/// All that is shown of a step, and of the recorded part.
std::vector<std::uint8_t> shown(const engine::Session& session, std::int64_t step) {
  const results::Summary& all = session.summary();
  results::Summary s;  // without what a run that is cut by time says of its blocks
  s.timeline = all.timeline, s.active_masks = all.active_masks, s.accesses = all.accesses, s.writes = all.writes;
  s.steps = all.steps, s.first_step = all.first_step, s.recorded_block = all.recorded_block;
  engine::MomentRequest at{.step = step, .families = {}, .first_warp = 0, .warp_count = 64};
  for (std::size_t f = 0; f < all.families.size(); ++f) at.families.push_back(static_cast<int>(f));
  auto bytes = engine::wire::encode(engine::RunSummary{.summary = std::move(s)});
  const auto moment = engine::wire::encode(session.moment(at));
  bytes.insert(bytes.end(), moment.begin(), moment.end());
  return bytes;
}

void run_once(benchmark::State& state) {
  std::vector<engine::RunRequest> all = requests();
  for (auto _ : state)
    for (engine::RunRequest& r : all) {
      r.history_bytes = static_cast<std::uint64_t>(state.range(0)) << 20;
      engine::Session session;
      benchmark::DoNotOptimize(session.run(r).ok);
    }
}

void go_elsewhere(benchmark::State& state) {
  constexpr int places = 6;
  bool all_same = true;
  for (auto _ : state)
    for (engine::RunRequest r : requests()) {
      r.history_bytes = static_cast<std::uint64_t>(state.range(0)) << 20;
      engine::Session session;
      session.run(r);
      const auto summary = [&]() -> const results::Summary& { return session.summary(); };  // a run makes a new one
      if (!summary().ok || summary().steps == 0) {
        std::fprintf(stderr, "%s: not run\n", r.file.c_str());
        continue;
      }
      std::mt19937_64 random(1);
      std::vector<double> there, again;
      int same = 0, replayed = 0;
      for (int n = 0; n < places; ++n) {
        r.from_history = true;
        r.record_block = static_cast<std::uint32_t>(random() % summary().grid.count());
        r.record_step = 0;
        session.run(r);
        const std::uint64_t steps = std::max(summary().block_steps, summary().steps);
        r.record_step = random() % std::max<std::uint64_t>(steps, 1);
        auto began = Clock::now();
        session.run(r);
        there.push_back(milliseconds(began));
        replayed += summary().history.replayed ? 1 : 0;
        const auto step = static_cast<std::int64_t>(r.record_step - std::min(r.record_step, summary().first_step));
        engine::RunRequest direct = r;
        direct.from_history = false, direct.history_bytes = 0;
        engine::Session fresh;
        began = Clock::now();
        fresh.run(direct);
        again.push_back(milliseconds(began));
        same += shown(session, step) == shown(fresh, step) ? 1 : 0;
      }
      std::ranges::sort(there), std::ranges::sort(again);
      const results::HistoryInfo& h = summary().history;
      std::fprintf(
          stderr,
          "%s: %llu blocks, %llu instructions, %llu checkpoints (%llu thinned) in %.1f MiB: %d of %d places the "
          "same, %d from checkpoints; median %.1f ms, most %.1f ms; a run median %.1f ms, most %.1f ms\n",
          r.file.c_str(), static_cast<unsigned long long>(summary().grid.count()),
          static_cast<unsigned long long>(h.instructions), static_cast<unsigned long long>(h.checkpoints),
          static_cast<unsigned long long>(h.thinned), static_cast<double>(h.used_bytes) / 1048576, same, places,
          replayed, there[places / 2], there.back(), again[places / 2], again.back());
      all_same = all_same && same == places;
    }
  if (!all_same) state.SkipWithError("a place from checkpoints is not what a run shows");
}

BENCHMARK(run_once)->ArgNames({"MiB"})->Arg(0)->Arg(1024)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(go_elsewhere)
    ->ArgNames({"MiB"})
    ->Arg(1024)
    ->Arg(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(1);

}  // namespace
