// From an edit to PTX: reading the half2 kernel's text and compiling both variants, in a warm process.

#include <benchmark/benchmark.h>

#include <fstream>
#include <sstream>

#include "kernels/compile/compile.h"

namespace lanescope {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  std::stringstream out;
  out << in.rdbuf();
  return out.str();
}

constexpr const char* half2 = "tests/data/source/half2_notes.cu";  // benchmarks run in the repository root

void read_source(benchmark::State& state) {
  const std::string text = text_of(half2);
  for (auto _ : state) benchmark::DoNotOptimize(source::read(half2, text));
}
BENCHMARK(read_source)->Unit(benchmark::kMicrosecond);

void compile_both_variants(benchmark::State& state) {
  if (!compile::toolchain().nvrtc || text_of(half2).empty()) {
    state.SkipWithError("no NVRTC here, or not run in the repository root");
    return;
  }
  int edit = 0;
  for (auto _ : state) {
    // Each round is a text of its own, as after a key press.
    const Expected<source::Source> s = source::read(half2, text_of(half2) + "// edit " + std::to_string(++edit) + "\n");
    if (!s || !compile::compile_both(*s, {.arch = "sm_90", .extra = {}, .forbid_nvrtc = false, .cached = false}))
      state.SkipWithError("does not compile");
  }
}
BENCHMARK(compile_both_variants)->Unit(benchmark::kMillisecond)->UseRealTime();

/// `count` statements or claims of one kernel. The ratio of the times, in one run, says how they grow: 2 for twice as many is
/// linear.
std::string long_kernel(std::int64_t count, bool claims) {
  std::string text =
      "/*\n[lanescope]\nblock = 64\nargs = [\"p\", \"q\"]\n[buffers]\np = \"f32 i:64\"\nq = \"f32 i:64 = zeros\"\n*/\n"
      "__global__ void k(const float *p, float *q)\n{\n    int t = threadIdx.x;\n    float x = p[t], y = 1.0f;\n";
  for (std::int64_t i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    text += claims ? "    float x" + n + " = p[t];\n    // x" + n +
                         " has the following register assignment:\n"
                         "    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0\n"
                         "    //   warp:      w0              <->  i5\n\n    q[t] = x" +
                         n + ";\n"
                   : "    y = y * x + " + n + ".0f;\n";
  }
  return text + "    q[t] = y;\n}\n";
}

void compile_long_kernel(benchmark::State& state) {
  if (!compile::toolchain().nvrtc) {
    state.SkipWithError("no NVRTC here");
    return;
  }
  const Expected<source::Source> s = source::read("k.cu", long_kernel(state.range(0), state.range(1) != 0));
  for (auto _ : state)
    if (!s || !compile::compile_both(*s, {.arch = "sm_90", .extra = {}, .forbid_nvrtc = false, .cached = false}))
      state.SkipWithError("does not compile");
  state.SetComplexityN(state.range(0));
}
BENCHMARK(compile_long_kernel)
    ->ArgsProduct({{625, 1250, 2500, 5000}, {0}})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Complexity();
BENCHMARK(compile_long_kernel)
    ->ArgsProduct({{250, 500, 1000, 2000}, {1}})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Complexity();

}  // namespace
}  // namespace lanescope
