// How long planning takes: random pairs of assignments by the bits of a place (slots, registers, lanes, warps), of every
// element width and kind. LANESCOPE_PAIRS is the number of pairs of all (default 4000). Times are those of the processor
// that this thread used, so that a loaded machine says little else; `wall` ones are given, too.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <vector>

#include <benchmark/benchmark.h>

#include "kernels/convert/planner.h"
#include "tests/kernels/convert/random_pairs.h"

namespace {

using namespace lanescope;
using namespace lanescope::convert;

double processor_ms() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e3 * static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_nsec);
}

double part(std::vector<double>& ms, double p) {
  std::ranges::sort(ms);
  return ms.empty() ? 0 : ms[static_cast<std::size_t>(p * static_cast<double>(ms.size() - 1))];
}

/// Arguments: fewest and most bits of a place.
void planning(benchmark::State& state) {
  const char* const text = std::getenv("LANESCOPE_PAIRS");
  const int wanted = std::max(1, (text == nullptr ? 4000 : std::atoi(text)) / 4);
  const auto low = static_cast<int>(state.range(0)), high = static_cast<int>(state.range(1));
  std::vector<double> ms, wall;
  int ended = 0, open = 0, inside = 0;
  for (auto _ : state) {
    RandomPairs random(static_cast<unsigned>(31 * low + high));
    while (static_cast<int>(ms.size()) < wanted) {
      const int element_bits = 1 << random.any(8);
      const auto kind = static_cast<Kind>(random.any(3));
      const Pair p = random.pair(kind, element_bits, 8, random.any(3) == 0 ? 1 + random.any(3) : 0);
      int bits = 0;
      for (const auto& row : p.from.rows) bits += row ? static_cast<int>(row->size()) : 0;
      if (bits < low || bits > high) continue;
      const auto start = std::chrono::steady_clock::now();
      const double before = processor_ms();
      const Expected<Planned> planned = plan(p.from, p.to, element_bits);
      const double took = processor_ms() - before;
      if (!planned) continue;  // a register array of more than 256 words
      ms.push_back(took);
      wall.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
      if (!planned->complete) ++ended;
      if (planned->bound) {
        ++inside;
        if (!planned->proved_optimal()) ++open;
      }
    }
  }
  state.counters["pairs"] = static_cast<double>(ms.size());
  state.counters["p50_ms"] = part(ms, 0.5);
  state.counters["p95_ms"] = part(ms, 0.95);
  state.counters["p99_ms"] = part(ms, 0.99);
  state.counters["max_ms"] = part(ms, 1);
  state.counters["wall_p95_ms"] = part(wall, 0.95);
  state.counters["wall_max_ms"] = part(wall, 1);
  state.counters["within_warps"] = inside;
  state.counters["not_proved"] = open;
  state.counters["ended"] = ended;
}
BENCHMARK(planning)->Args({6, 9})->Args({10, 12})->Args({13, 16})->Args({17, 20})->Iterations(1)->Unit(
    benchmark::kMillisecond);

}  // namespace
