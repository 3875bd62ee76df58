// Patterns a second on one core; goal: more than a million for either space.

#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "profiling/access/traffic.h"
#include "profiling/access/wavefronts.h"

namespace {

using lanescope::access::Direction;
using lanescope::access::Pattern;

std::vector<Pattern> patterns(int width_bytes, bool scattered) {
  std::mt19937_64 random(3);
  std::vector<Pattern> out(1024);
  for (Pattern& p : out) {
    p.direction = random() % 2 ? Direction::load : Direction::store;
    p.width_bytes = width_bytes;
    const auto stride = 1 + random() % 33;
    for (int lane = 0; lane < 32; ++lane)
      p.addresses[lane] = (scattered ? random() % 4096 : lane * stride) * static_cast<std::uint64_t>(width_bytes);
  }
  return out;
}

template <class Cost>
void measure(benchmark::State& state, Cost cost) {
  const auto input = patterns(static_cast<int>(state.range(0)), state.range(1) != 0);
  for (auto _ : state)
    for (const Pattern& p : input) benchmark::DoNotOptimize(cost(p));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(input.size()));
}

void global(benchmark::State& state) {
  measure(state, [](const Pattern& p) { return lanescope::access::global_cost(p); });
}
void shared(benchmark::State& state) {
  measure(state, [](const Pattern& p) { return lanescope::access::shared_cost(p); });
}

void caching(benchmark::State& state) {
  using namespace lanescope::access;
  measure(state, [](const Pattern& p) { return traffic(p, LoadPath::caching, classic_memory()); });
}
void wavefronts(benchmark::State& state) {
  measure(state, [](const Pattern& p) { return lanescope::access::wavefront_groups(p); });
}

BENCHMARK(global)->ArgNames({"width", "scattered"})->ArgsProduct({{4, 16}, {0, 1}});
BENCHMARK(shared)->ArgNames({"width", "scattered"})->ArgsProduct({{1, 4, 8, 16}, {0, 1}});
BENCHMARK(caching)->ArgNames({"width", "scattered"})->ArgsProduct({{4, 16}, {0, 1}});
BENCHMARK(wavefronts)->ArgNames({"width", "scattered"})->ArgsProduct({{4, 16}, {0, 1}});

}  // namespace
