// Building scenes, and writing them as pictures.

#include <benchmark/benchmark.h>

#include "results/moment.h"
#include "results/summary.h"
#include "tests/viz/fixtures.h"
#include "viz/paint/paint.h"
#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"
#include "viz/views/costs/timeline.h"
#include "viz/views/memory/banks.h"
#include "viz/views/memory/global.h"
#include "viz/views/registers/registers.h"

namespace lanescope::views {
namespace {

void registers_scene(benchmark::State& state) {
  const Summary summary = fixtures::summary();
  const Moment moment = fixtures::moment(static_cast<int>(state.range(0)));
  const Selection selection = fixtures::selection_of(0, 1, 0, 11);
  std::size_t cells = 0;
  for (auto _ : state) {
    const scene::Scene scene = registers_view(summary, moment, selection, {}, dark_theme());
    benchmark::DoNotOptimize(cells = scene.boxes.size());
  }
  state.counters["cells"] = static_cast<double>(moment.grids[0].cells.size());
}
BENCHMARK(registers_scene)->Arg(1)->Arg(16)->Unit(benchmark::kMillisecond);

void global_scene(benchmark::State& state) {
  const Summary summary = fixtures::summary();
  const Moment moment = fixtures::moment();
  for (auto _ : state) benchmark::DoNotOptimize(global_view(summary, moment, {}, {}, dark_theme()).boxes.size());
}
BENCHMARK(global_scene)->Unit(benchmark::kMillisecond);

void shared_scene(benchmark::State& state) {
  const auto [summary, moment] = fixtures::shared_tile();
  for (auto _ : state) benchmark::DoNotOptimize(shared_view(summary, moment, {}, {}, dark_theme()).boxes.size());
}
BENCHMARK(shared_scene)->Unit(benchmark::kMillisecond);

// One wavefront of a 32-way conflict beside its cure: what is drawn each time the playhead of wavefronts moves.
void shared_played(benchmark::State& state) {
  const auto [summary, moment] = fixtures::shared_tile();
  SharedOptions options{.width = 840, .most_rows = 32, .wavefront = 0, .what_if = {.kind = WhatIf::Kind::padding}};
  for (auto _ : state) {
    options.wavefront = (options.wavefront + 1) % 32;
    benchmark::DoNotOptimize(shared_view(summary, moment, {}, options, dark_theme()).boxes.size());
  }
}
BENCHMARK(shared_played)->Unit(benchmark::kMillisecond);

void timeline_scene(benchmark::State& state) {
  const Summary summary = fixtures::summary(16, static_cast<int>(state.range(0)) / 16);
  const Moment moment = fixtures::moment();
  const auto axis = static_cast<TimelineAxis>(state.range(1));
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        timeline_view(summary, moment, {}, {.width = 1400, .axis = axis}, dark_theme()).boxes.size());
  }
}
BENCHMARK(timeline_scene)->Args({1088, 0})->Args({1'000'000, 0})->Args({1'000'000, 1})->Unit(benchmark::kMillisecond);

// As the window draws it: the marks have been counted before.
void timeline_scene_of_index(benchmark::State& state) {
  const Summary summary = fixtures::summary(16, static_cast<int>(state.range(0)) / 16);
  const StepIndex index = index_of(summary);
  const Moment moment = fixtures::moment();
  const auto axis = static_cast<TimelineAxis>(state.range(1));
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        timeline_view(summary, index, moment, {}, {.width = 1400, .axis = axis}, dark_theme()).boxes.size());
  }
}
BENCHMARK(timeline_scene_of_index)->Args({500'000, 0})->Args({500'000, 1})->Unit(benchmark::kMillisecond);

void timeline_index(benchmark::State& state) {
  const Summary summary = fixtures::summary(16, static_cast<int>(state.range(0)) / 16);
  for (auto _ : state) benchmark::DoNotOptimize(index_of(summary).longest());
}
BENCHMARK(timeline_index)->Arg(500'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

void json(benchmark::State& state) {
  const scene::Scene scene = registers_view(fixtures::summary(), fixtures::moment(), {}, {}, dark_theme());
  for (auto _ : state) benchmark::DoNotOptimize(scene::to_json(scene).size());
}
BENCHMARK(json)->Unit(benchmark::kMillisecond);

void svg(benchmark::State& state) {
  const scene::Scene scene = registers_view(fixtures::summary(), fixtures::moment(), {}, {}, dark_theme());
  for (auto _ : state) benchmark::DoNotOptimize(paint::to_svg(scene, dark_theme().paper()).size());
}
BENCHMARK(svg)->Unit(benchmark::kMillisecond);

void png(benchmark::State& state) {
  const scene::Scene scene = registers_view(fixtures::summary(), fixtures::moment(), {}, {}, dark_theme());
  for (auto _ : state)
    benchmark::DoNotOptimize(paint::to_png(scene, dark_theme().paper(), static_cast<float>(state.range(0)))->size());
}
BENCHMARK(png)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lanescope::views
