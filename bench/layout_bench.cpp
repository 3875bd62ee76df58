// How fast layouts are inferred from a traced variable, parsed and compared.

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "kernels/layout/infer.h"

namespace {

using namespace lanescope::layout;

/// 2^20 places of 2 simd, 3 register, 5 thread, 4 warp and 6 block bits holding a random bijection, in random order.
struct Traced {
  PhysicalShape shape{{2, 3, 5, 4, 6}};
  std::vector<std::string> names;
  std::vector<Observation> observations;

  Traced() {
    std::mt19937_64 random(1);
    AffineMap map{.out_bits = shape.total(), .columns = {}, .constant = 0};
    for (int bit = 0; bit < map.out_bits; ++bit) map.columns.push_back(std::uint64_t{1} << bit);
    for (int step = 0; step < 100; ++step) {
      const std::size_t a = random() % 20;
      const std::size_t b = random() % 20;
      if (a != b) map.columns[a] ^= map.columns[b];
    }
    for (int n = 0; n < shape.total(); ++n) names.push_back("i" + std::to_string(n));
    for (std::uint64_t place = 0; place < 1u << 20; ++place) observations.push_back({place, map(place)});
    std::shuffle(observations.begin(), observations.end(), random);
  }
};

void infer_a_million(benchmark::State& state) {
  const Traced traced;
  for (auto _ : state) benchmark::DoNotOptimize(infer({traced.shape, traced.names, traced.observations}));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(traced.observations.size()));
}
BENCHMARK(infer_a_million)->Unit(benchmark::kMillisecond);

/// The last of the observations is wrong: the whole pass, then the search for a counterexample.
void infer_and_refute_a_million(benchmark::State& state) {
  Traced traced;
  traced.observations.back().element ^= 1;
  for (auto _ : state) benchmark::DoNotOptimize(infer({traced.shape, traced.names, traced.observations}));
}
BENCHMARK(infer_and_refute_a_million)->Unit(benchmark::kMillisecond);

constexpr const char* half2 =
    "//   simd:      s0              <->  k0\n"
    "//   register:  r1 r0           <->  j3 j2\n"
    "//   thread:    t4 t3 t2 t1 t0  <->  j1 j0 k3 k2 k1   (unchanged)\n"
    "//   warp:      w3 w2 w1 w0     <->  i3 i2 i1 i0      (unchanged)\n";

void parse_an_assignment(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(parse(half2));
}
BENCHMARK(parse_an_assignment);

void pass_over_a_prose_line(benchmark::State& state) {
  for (auto _ : state)
    benchmark::DoNotOptimize(parse_row("// Thread with t2=0 keeps its y0, receives partner's y0 into y1"));
}
BENCHMARK(pass_over_a_prose_line);

void compare_and_describe(benchmark::State& state) {
  const Assignment stated = *parse(half2);
  const Assignment real = *parse("simd: j3; register: k0 j2; thread: j0 k3 k2 k1 j1; warp: i3 i2 i1 i0");
  for (auto _ : state) benchmark::DoNotOptimize(describe(compare(stated, real)));
}
BENCHMARK(compare_and_describe);

void map_there_and_back(benchmark::State& state) {
  const Assignment a = *parse(half2);
  for (auto _ : state) benchmark::DoNotOptimize(from_map(*to_map(a)));
}
BENCHMARK(map_there_and_back);

}  // namespace
