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

}  // namespace
}  // namespace lanescope
