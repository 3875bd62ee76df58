// Conversions of random pairs of assignments: how long planning takes, and that every plan is right.
// LANESCOPE_PAIRS is the number of pairs of each stratum (default 40; 1042 make 10^5 in all).

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "kernels/convert/exports/verify.h"
#include "kernels/convert/planner.h"
#include "kernels/convert/warp_moves.h"
#include "tests/kernels/convert/random_pairs.h"

namespace {

using namespace lanescope;
using namespace lanescope::convert;

int pairs_of_a_stratum() {
  const char* const text = std::getenv("LANESCOPE_PAIRS");
  return text == nullptr ? 40 : std::max(1, std::atoi(text));
}

struct Times {
  std::vector<double> ms;
  void report(benchmark::State& state) {
    std::ranges::sort(ms);
    const auto at = [&](double part) {
      return ms[static_cast<std::size_t>(part * static_cast<double>(ms.size() - 1))];
    };
    state.counters["pairs"] = static_cast<double>(ms.size());
    state.counters["p50_ms"] = at(0.5);
    state.counters["p95_ms"] = at(0.95);
    state.counters["max_ms"] = at(1);
  }
};

/// Arguments: kind, element bits, fewest and most bits of a place.
void random_pairs(benchmark::State& state) {
  const auto kind = static_cast<Kind>(state.range(0));
  const auto element_bits = static_cast<int>(state.range(1));
  Times times;
  int wrong = 0, open = 0, inside = 0;
  for (auto _ : state) {
    RandomPairs random(static_cast<unsigned>(1000 * state.range(0) + 10 * state.range(1) + state.range(2)));
    const auto low = static_cast<int>(state.range(2)), high = static_cast<int>(state.range(3));
    while (static_cast<int>(times.ms.size()) < pairs_of_a_stratum()) {
      const Pair p = random.pair(kind, element_bits, 8, random.any(3) == 0 ? 1 + random.any(3) : 0);
      int bits = 0;
      for (const auto& row : p.from.rows) bits += row ? static_cast<int>(row->size()) : 0;
      if (bits < low || bits > high) continue;
      const auto start = std::chrono::steady_clock::now();
      const Expected<Planned> planned = plan(p.from, p.to, element_bits);
      const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
      if (!planned) continue;  // a register array of more than 256 words
      times.ms.push_back(took.count());
      for (const Plan& each : planned->plans) {
        const std::string problem =
            each.program ? disprove(*each.program, planned->map) : disprove(*each.shared, planned->map);
        if (!problem.empty()) ++wrong;
      }
      if (planned->bound) {
        ++inside;
        if (!planned->proved_optimal()) ++open;
      }
    }
  }
  times.report(state);
  state.counters["wrong"] = wrong;
  state.counters["within_warps"] = inside;
  state.counters["not_proved"] = open;
}

void strata(benchmark::internal::Benchmark* b) {
  for (int kind = 0; kind < 3; ++kind) {
    for (const int bits : {1, 2, 4, 8, 16, 32, 64, 128}) {
      for (const auto& [low, high] : {std::pair{5, 9}, {10, 12}, {13, 20}}) {
        const int slots = bits >= 32 ? 0 : bits == 16 ? 1 : bits == 8 ? 2 : bits == 4 ? 3 : bits == 2 ? 4 : 5;
        if (5 + slots + 1 > high) continue;
        b->Args({kind, bits, low, high});
      }
    }
  }
}
BENCHMARK(random_pairs)->Apply(strata)->Iterations(1)->Unit(benchmark::kMillisecond);

/// Larger permutations of 32-bit words: each must need the shuffles of its bound. LANESCOPE_PERMUTATIONS of them (default
/// 10^4).
void larger_permutations(benchmark::State& state) {
  const char* const text = std::getenv("LANESCOPE_PERMUTATIONS");
  const int wanted = text == nullptr ? 10'000 : std::max(1, std::atoi(text));
  Times times;
  int above = 0, wrong = 0;
  for (auto _ : state) {
    RandomPairs random(77);
    while (static_cast<int>(times.ms.size()) < wanted) {
      const Pair p = random.pair(Kind::permutation, 32, 6);
      if (p.from.bits(layout::Place::reg) < 3) continue;
      const auto start = std::chrono::steady_clock::now();
      const Expected<Planned> planned = plan(p.from, p.to, 32);
      const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
      times.ms.push_back(took.count());
      if (!planned || !planned->proved_optimal()) ++above;
      if (!planned || !disprove(*planned->plans.front().program, planned->map).empty()) ++wrong;
    }
  }
  times.report(state);
  state.counters["above_the_bound"] = above;
  state.counters["wrong"] = wrong;
}
BENCHMARK(larger_permutations)->Iterations(1)->Unit(benchmark::kMillisecond);

/// A stratified sample as CUDA: each plan in turn compiled by NVRTC and run in the emulator, every element compared.
/// LANESCOPE_COMPILED is the number of pairs of each stratum (default 2).
void compiled_pairs(benchmark::State& state) {
  const char* const text = std::getenv("LANESCOPE_COMPILED");
  const int each = text == nullptr ? 2 : std::max(1, std::atoi(text));
  const std::vector<std::string> target = {"sm_90"};
  int pairs = 0, wrong = 0;
  double elements = 0;
  for (auto _ : state) {
    for (const Kind kind : {Kind::permutation, Kind::linear, Kind::spare}) {
      for (const int bits : {1, 2, 4, 8, 16, 32, 64, 128}) {
        RandomPairs random(static_cast<unsigned>(5000 + bits));
        for (int n = 0; n < each; ++n) {
          const Pair p = random.pair(kind, bits, 3, random.any(2));
          const Expected<Planned> planned = plan(p.from, p.to, bits);
          if (!planned) continue;
          const Plan& chosen = planned->plans[static_cast<std::size_t>(n) % planned->plans.size()];
          const Verified v = verify_function({*planned, chosen}, target);
          if (!v.compiler) return state.SkipWithError("needs NVRTC");
          ++pairs;
          elements += static_cast<double>(v.elements);
          if (!v.problem.empty()) ++wrong;
        }
      }
    }
  }
  state.counters["pairs"] = pairs;
  state.counters["elements"] = elements;
  state.counters["wrong"] = wrong;
}
BENCHMARK(compiled_pairs)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
