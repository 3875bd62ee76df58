// Costs of the window: UI thread CPU from NewFrame to Render, a whole redraw in software OpenGL, and an idle window.
// 1600x1000; registers of 16 warps x 32 lanes x 4 registers x 2 halves, or a bank conflict played beside a heat column.

#include <benchmark/benchmark.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <vector>

#include "app/gui/script/script.h"
#include "app/gui/shell/frames.h"
#include "kernels/resources/resources.h"
#include "tests/app/gui/panels/long_run.h"

namespace lanescope::gui {
namespace {

double cpu_seconds(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

std::unique_ptr<Frames> open_all_warps() {
  ExplorerOptions o;
  o.file = (resources::assets_directory() / "kernels" / "half2_transposes.cu").string();
  o.offscreen = o.no_session = o.in_process = true;
  auto frames = Frames::open(o);
  if (!frames || !wait_until_settled(**frames)) return nullptr;
  (*frames)->app().shell.view.warps_shown = 16;
  (*frames)->app().shell.view.maximised = PanelId::registers;
  (*frames)->settle();
  wait_until_settled(**frames);
  return std::move(*frames);
}

double percentile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size()))) - 1];
}

/// Builds the next frame; its CPU time on this thread is the iteration's. In milliseconds.
double timed_frame(Frames& frames, benchmark::State& state) {
  frames.app().update(frames.seconds());
  frames.platform().begin_frame();
  const double before = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
  frames.build_frame();
  const double used = cpu_seconds(CLOCK_THREAD_CPUTIME_ID) - before;
  state.SetIterationTime(used);
  return used * 1e3;
}

/// Argument: zoom in per cent of the fitted picture. Goal: p95 below 8 ms.
void ui_thread(benchmark::State& state) {
  auto frames = open_all_warps();
  if (!frames) return state.SkipWithError("no offscreen OpenGL, or the kernel did not run");
  frames->app().shell.active_panel = PanelId::registers;
  frames->app().shell.zoom_request = static_cast<float>(state.range(0)) / 100;
  frames->settle();
  std::vector<double> milliseconds;
  float wobble = 0;
  for (auto _ : state) {
    // The mouse moves over the cells: hover changes every view.
    ImGui::GetIO().AddMousePosEvent(400 + wobble, 300 + wobble / 2);
    wobble = std::fmod(wobble + 37, 700.0f);
    milliseconds.push_back(timed_frame(*frames, state));
  }
  state.counters["p95_ms"] = percentile(milliseconds, 0.95);
  state.counters["vertices"] = ImGui::GetDrawData()->TotalVtxCount;
}
BENCHMARK(ui_thread)->Arg(50)->Arg(100)->Arg(200)->Arg(400)->Iterations(100)->UseManualTime()->Unit(
    benchmark::kMillisecond);

/// A transpose whose tile has rows of 32 words, at the access that costs 32 wavefronts, with the heat beside its
/// source.
std::unique_ptr<Frames> open_conflict() {
  ExplorerOptions o;
  o.file = (resources::assets_directory() / "kernels" / "shared_transpose_naive.cu").string();
  o.offscreen = o.no_session = o.in_process = true;
  auto frames = Frames::open(o);
  if (!frames || !wait_until_settled(**frames)) return nullptr;
  App& app = (*frames)->app();
  app.shell.view.heat = "shared_wavefronts";
  for (const results::TimelineMark& mark : app.results.summary.timeline) {
    if (mark.warp != 0 || (mark.kind != trace::StepKind::load && mark.kind != trace::StepKind::store)) continue;
    app.navigation.go_to_step(mark.step);
    wait_until_settled(**frames);
    if (app.memory.wavefront_count() == 32) return std::move(*frames);
  }
  return nullptr;
}

/// The next wavefront, and the mouse over another word of the shared memory: every scene that follows either is made
/// again. Returns their number.
struct ConflictPlayer {
  Frames& frames;
  int number = 0;
  std::uint64_t made = 0;
  void next() {
    made = frames.stage().scenes_made;
    frames.app().memory.show_wavefront(number % 32);
    const DrawnScene& drawn = frames.stage().scenes.at("shared");
    const scene::Box& box = drawn.scene.boxes[static_cast<std::size_t>(number * 37) % drawn.scene.boxes.size()];
    const ImVec2 at = drawn.to_screen({box.rect.x + box.rect.w / 2, box.rect.y + box.rect.h / 2});
    ImGui::GetIO().AddMousePosEvent(at.x, at.y);
    ++number;
  }
  std::uint64_t remade() const { return frames.stage().scenes_made - made; }
};

/// Goal: p95 below 8 ms. `remade_least`: scenes that were made in the frame in which the fewest were.
void ui_thread_playing_conflict(benchmark::State& state) {
  auto frames = open_conflict();
  if (!frames) return state.SkipWithError("no offscreen OpenGL, or no access of 32 wavefronts");
  ConflictPlayer player{.frames = *frames};
  std::vector<double> milliseconds;
  std::uint64_t least = ~std::uint64_t{0}, all = 0;
  for (auto _ : state) {
    player.next();
    milliseconds.push_back(timed_frame(*frames, state));
    least = std::min(least, player.remade());
    all += player.remade();
  }
  if (least == 0) return state.SkipWithError("a frame was drawn without making a scene");
  state.counters["p95_ms"] = percentile(milliseconds, 0.95);
  state.counters["remade_least"] = static_cast<double>(least);
  state.counters["remade_mean"] = static_cast<double>(all) / static_cast<double>(milliseconds.size());
}
BENCHMARK(ui_thread_playing_conflict)->Iterations(200)->UseManualTime()->Unit(benchmark::kMillisecond);

/// A design of 1,024 halves in one warp, its panels in front.
std::unique_ptr<Frames> open_designer() {
  const std::string path = (std::filesystem::temp_directory_path() / "lanescope_gui_bench.layout").string();
  std::ofstream(path) << "name = \"bench\"\ntype = \"f16\"\n"
                         "from = \"simd: i0; register: j4 j3 j2 j1; thread: j0 i4 i3 i2 i1\"\n"
                         "to = \"simd: j4; register: i3 i2 j2 i0; thread: j1 i4 j0 j3 i1\"\n";
  ExplorerOptions o;
  o.file = path;
  o.offscreen = o.no_session = o.in_process = true;
  auto frames = Frames::open(o);
  if (!frames || !wait_until_settled(**frames)) return nullptr;
  return std::move(*frames);
}

/// UI thread time of the Designer, its update included. 0: a chip is dragged over the others; 1: a plan is
/// played. Goal: p95 below 8 ms.
void ui_thread_designer(benchmark::State& state) {
  auto frames = open_designer();
  if (!frames) return state.SkipWithError("no offscreen OpenGL, or the layout was not opened");
  App& app = frames->app();
  const DrawnScene drawn = frames->stage().scenes.at("designer");
  std::vector<ImVec2> chips;
  for (const scene::Box& b : drawn.scene.boxes)
    if (b.id.kind == scene::Id::Kind::layout_chip && b.id.a == 1)
      chips.push_back(drawn.to_screen({b.rect.x + b.rect.w / 2, b.rect.y + b.rect.h / 2}));
  if (chips.size() != 10) return state.SkipWithError("the design has not ten chips");
  ImGuiIO& io = ImGui::GetIO();
  if (state.range(0) == 0) {
    io.AddMousePosEvent(chips[0].x, chips[0].y);
    frames->frame();
    io.AddMouseButtonEvent(0, true);
    frames->frame();
  }
  std::vector<double> milliseconds;
  std::uint64_t least = ~std::uint64_t{0};
  float along = 0;
  std::size_t number = 0;
  for (auto _ : state) {
    const std::uint64_t made = frames->stage().scenes_made;
    const ImVec2 at = chips[++number % chips.size()];
    if (state.range(0) == 0) {
      io.AddMousePosEvent(at.x, at.y);
    } else {
      const auto end = static_cast<float>(app.designer.path().size()) - 1;
      along = std::fmod(along + 0.04f, end);
      app.designer.along = along;
      ++app.designer.version;
    }
    frames->platform().begin_frame();
    const double before = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
    app.update(frames->seconds());
    frames->build_frame();
    const double used = cpu_seconds(CLOCK_THREAD_CPUTIME_ID) - before;
    state.SetIterationTime(used);
    milliseconds.push_back(used * 1e3);
    least = std::min(least, frames->stage().scenes_made - made);
  }
  if (least == 0) return state.SkipWithError("a frame was drawn without making a scene");
  state.SetLabel(state.range(0) == 0 ? "dragging a chip" : "playing a plan");
  state.counters["p95_ms"] = percentile(milliseconds, 0.95);
}
BENCHMARK(ui_thread_designer)->Arg(0)->Arg(1)->Iterations(200)->UseManualTime()->Unit(benchmark::kMillisecond);

/// NewFrame to pixels. 0: the explorer as it opens; 1: registers of 16 warps alone; 2: a conflict being played. Goal:
/// below 50 ms.
void whole_redraw(benchmark::State& state) {
  auto frames = state.range(0) == 2 ? open_conflict() : open_all_warps();
  if (!frames) return state.SkipWithError("no offscreen OpenGL, or the kernel did not run");
  if (state.range(0) == 0)
    frames->app().shell.view.maximised.reset(), frames->app().shell.view.warps_shown = 1, wait_until_settled(*frames);
  state.SetLabel(frames->platform().renderer());
  ConflictPlayer player{.frames = *frames};
  std::vector<double> milliseconds;
  const double cpu_before = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
  for (auto _ : state) {
    if (state.range(0) == 2) player.next();
    const double before = frames->seconds();
    frames->frame();
    frames->platform().finish();
    milliseconds.push_back((frames->seconds() - before) * 1e3);
  }
  // Of all threads: what a machine that does something else besides has to give.
  state.counters["process_cpu_ms"] =
      (cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu_before) * 1e3 / static_cast<double>(milliseconds.size());
  state.counters["p95_ms"] = percentile(milliseconds, 0.95);
}
BENCHMARK(whole_redraw)->Arg(0)->Arg(1)->Arg(2)->Iterations(100)->UseRealTime()->Unit(benchmark::kMillisecond);

/// The explorer whose next poll brings this many steps, as bytes that a worker sent.
struct LongRun {
  LongRunChannel* channel = nullptr;
  std::unique_ptr<Frames> frames;
};
LongRun open_long_run(std::size_t steps) {
  ExplorerOptions o;
  o.file = (resources::assets_directory() / "kernels" / "copy_float.cu").string();
  o.offscreen = o.no_session = o.in_process = true;
  auto channel = std::make_unique<LongRunChannel>(steps);
  LongRun run{.channel = channel.get(), .frames = nullptr};
  run.channel->held = true;
  auto frames = Frames::open(o, std::move(channel));
  if (!frames) return run;
  run.frames = std::move(*frames);
  run.frames->settle();
  return run;
}

/// From the arrival of an answer with so many steps until they are drawn: reading it, counting, all frames until then,
/// on the UI thread. Goal: below 100 ms.
void opening_long_run(benchmark::State& state) {
  LongRun run = open_long_run(static_cast<std::size_t>(state.range(0)));
  if (!run.frames) return state.SkipWithError("no offscreen OpenGL");
  double frames = 0;
  for (auto _ : state) {
    run.frames->app().requests.run();
    run.channel->held = false;
    const double before = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
    do {
      run.frames->app().update(run.frames->seconds());
      run.frames->platform().begin_frame();
      run.frames->build_frame();
      ++frames;
    } while (!run.frames->app().results.index_complete());
    state.SetIterationTime(cpu_seconds(CLOCK_THREAD_CPUTIME_ID) - before);
    run.channel->held = true;
    const scene::Scene& drawn = run.frames->stage().scenes.at("timeline").scene;
    if (drawn.boxes.size() < 500) return state.SkipWithError("the timeline is not drawn");
  }
  state.counters["frames"] = frames / static_cast<double>(state.iterations());
}
BENCHMARK(opening_long_run)
    ->Arg(500'000)
    ->Arg(1'000'000)
    ->Iterations(10)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

/// A frame while the timeline of 500,000 steps is zoomed (0), scrolled (1) or scrubbed (2), alone in the window: every
/// frame rebuilds its scene. Goal: p95 below 8 ms.
void ui_thread_long_run(benchmark::State& state) {
  LongRun run = open_long_run(500'000);
  if (!run.frames) return state.SkipWithError("no offscreen OpenGL");
  Frames& frames = *run.frames;
  run.channel->held = false;
  wait_until_settled(frames);
  frames.app().shell.view.maximised = PanelId::timeline;
  frames.app().shell.active_panel = PanelId::timeline;
  frames.settle();
  ImGuiIO& io = ImGui::GetIO();
  io.AddMousePosEvent(800, 500);
  std::vector<double> milliseconds;
  std::uint64_t least = ~std::uint64_t{0};
  int n = 0;
  for (auto _ : state) {
    const std::uint64_t made = frames.stage().scenes_made;
    if (state.range(0) == 0) io.AddMouseWheelEvent(0, n % 80 < 40 ? 1.0f : -1.0f);
    if (state.range(0) == 1) {
      if (n < 20) io.AddMouseWheelEvent(0, 1);
      io.AddMouseWheelEvent(n % 40 < 20 ? 1.0f : -1.0f, 0);
    }
    if (state.range(0) == 2) frames.app().navigation.go_to_step((n * 7919) % 500'000);
    milliseconds.push_back(timed_frame(frames, state));
    if (n > 1) least = std::min(least, frames.stage().scenes_made - made);
    ++n;
  }
  state.counters["p95_ms"] = percentile(milliseconds, 0.95);
  state.counters["most_ms"] = percentile(milliseconds, 1);
  state.counters["remade_least"] = static_cast<double>(least);
  state.counters["boxes"] = static_cast<double>(frames.stage().scenes.at("timeline").scene.boxes.size());
}
BENCHMARK(ui_thread_long_run)->Arg(0)->Arg(1)->Arg(2)->Iterations(200)->UseManualTime()->Unit(benchmark::kMillisecond);

/// A statement that moves 1,024 elements across the lanes, its movement alone in the window.
std::unique_ptr<Frames> open_movement() {
  const std::string path = (std::filesystem::temp_directory_path() / "lanescope_movement_bench.cu").string();
  std::ofstream(path) << "/*\n[lanescope]\nblock = 32\n\n[buffers]\np = \"u32 i:1024\"\nq = \"u32 i:1024\"\n*/\n"
                         "__global__ void many(const uint *p, uint *q)\n{\n    uint x[32], y[32];\n"
                         "    for (int i = 0; i < 32; ++i) x[i] = p[32 * i + threadIdx.x];\n"
                         "    for (int i = 0; i < 32; ++i) y[i] = __shfl_xor_sync(~0u, x[i], 31);\n"
                         "    for (int i = 0; i < 32; ++i) q[32 * i + threadIdx.x] = y[i];\n}\n";
  ExplorerOptions o;
  o.file = path;
  o.offscreen = o.no_session = o.in_process = true;
  auto frames = Frames::open(o);
  if (!frames || !wait_until_settled(**frames)) return nullptr;
  App& app = (*frames)->app();
  app.shell.show_panel(PanelId::movement);
  app.shell.view.maximised = PanelId::movement;
  app.navigation.go_to_line(12);
  (*frames)->settle();
  wait_until_settled(**frames);
  return std::move(*frames);
}

/// A frame while 1,024 elements are scrubbed from before to after, and the mouse moves over them. Goal: p95 below 8 ms.
void ui_thread_movement(benchmark::State& state) {
  auto frames = open_movement();
  if (!frames) return state.SkipWithError("no offscreen OpenGL, or the kernel did not run");
  const auto& movement = frames->app().results.moment.movement;
  if (!movement || movement->flows.size() != 1024)
    return state.SkipWithError("the statement does not move 1,024 elements");
  std::vector<double> milliseconds;
  std::uint64_t least = ~std::uint64_t{0};
  int n = 0;
  for (auto _ : state) {
    const std::uint64_t made = frames->stage().scenes_made;
    ++n;
    frames->app().movement.go_to(static_cast<float>(n % 97) / 97);
    ImGui::GetIO().AddMousePosEvent(300.0f + static_cast<float>(n * 37 % 1000),
                                    200.0f + static_cast<float>(n * 13 % 600));
    milliseconds.push_back(timed_frame(*frames, state));
    least = std::min(least, frames->stage().scenes_made - made);
  }
  if (least == 0) return state.SkipWithError("a frame was drawn without making a scene");
  state.counters["p50_ms"] = percentile(milliseconds, 0.5);
  state.counters["p95_ms"] = percentile(milliseconds, 0.95);
  state.counters["most_ms"] = percentile(milliseconds, 1);
  state.counters["boxes"] = static_cast<double>(frames->stage().scenes.at("movement").scene.boxes.size());
}
BENCHMARK(ui_thread_movement)->Iterations(300)->UseManualTime()->Unit(benchmark::kMillisecond);

/// CPU of the whole process without input for ten seconds. 1: with a movement halfway. Goal: below 20 ms.
void idle(benchmark::State& state) {
  auto frames = state.range(0) == 1 ? open_movement() : open_all_warps();
  if (!frames) return state.SkipWithError("no offscreen OpenGL, or the kernel did not run");
  if (state.range(0) == 1) frames->app().movement.go_to(0.5f), frames->settle();
  for (auto _ : state) {
    const double before = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID), until = frames->seconds() + 10;
    while (frames->seconds() < until) {
      if (frames->app().update(frames->seconds())) frames->frame();
      frames->wait();
    }
    state.counters["cpu_ms"] = (cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - before) * 1e3;
  }
}
BENCHMARK(idle)->Arg(0)->Arg(1)->Iterations(1)->UseRealTime()->Unit(benchmark::kSecond);

}  // namespace
}  // namespace lanescope::gui
