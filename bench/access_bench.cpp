// Accesses a second on one core; goal: more than a million for either space.

#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "profiling/access/traffic.h"
#include "profiling/access/wavefronts.h"

namespace {

using lanescope::access::Access;
using lanescope::trace::AccessKind;
using lanescope::trace::MemorySpace;

std::vector<Access> patterns(int width_bytes, bool scattered, MemorySpace space) {
  std::mt19937_64 random(3);
  std::vector<Access> out(1024);
  for (Access& p : out) {
    p.space = space;
    p.kind = random() % 2 ? AccessKind::load : AccessKind::store;
    p.width_bytes = width_bytes;
    const auto stride = 1 + random() % 33;
    for (int lane = 0; lane < 32; ++lane)
      p.addresses[lane] = (scattered ? random() % 4096 : lane * stride) * static_cast<std::uint64_t>(width_bytes);
  }
  return out;
}

template <class Cost>
void measure(benchmark::State& state, MemorySpace space, Cost cost) {
  const auto input = patterns(static_cast<int>(state.range(0)), state.range(1) != 0, space);
  for (auto _ : state)
    for (const Access& p : input) benchmark::DoNotOptimize(cost(p));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(input.size()));
}

void global(benchmark::State& state) {
  measure(state, MemorySpace::global, [](const Access& p) { return lanescope::access::cost(p); });
}
void shared(benchmark::State& state) {
  measure(state, MemorySpace::shared, [](const Access& p) { return lanescope::access::cost(p); });
}

void caching(benchmark::State& state) {
  using namespace lanescope::access;
  measure(state, MemorySpace::global, [](const Access& p) { return traffic(p, LoadPath::caching, classic_memory()); });
}
void wavefronts(benchmark::State& state) {
  measure(state, MemorySpace::shared, [](const Access& p) { return lanescope::access::wavefront_groups(p); });
}

BENCHMARK(global)->ArgNames({"width", "scattered"})->ArgsProduct({{4, 16}, {0, 1}});
BENCHMARK(shared)->ArgNames({"width", "scattered"})->ArgsProduct({{1, 4, 8, 16}, {0, 1}});
BENCHMARK(caching)->ArgNames({"width", "scattered"})->ArgsProduct({{4, 16}, {0, 1}});
BENCHMARK(wavefronts)->ArgNames({"width", "scattered"})->ArgsProduct({{4, 16}, {0, 1}});

}  // namespace
