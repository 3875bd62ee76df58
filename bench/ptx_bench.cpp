// How fast PTX text becomes a program: bytes of text per second.

#include <fstream>
#include <iterator>
#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "kernels/ptx/program.h"

namespace {

/// A kernel as NVRTC writes it, with `count` groups of typical instructions.
std::string long_kernel(int count) {
  std::string text =
      ".version 9.0\n.target sm_90\n.address_size 64\n\n.visible .entry k(\n\t.param .u64 k_param_0\n)\n{\n"
      "\t.reg .pred \t%p<9>;\n\t.reg .f32 \t%f<65>;\n\t.reg .b32 \t%r<103>;\n\t.reg .b64 \t%rd<63>;\n";
  for (int i = 0; i < count; ++i)
    text += fmt::format(
        "\t.loc\t1 {} 3\n\tmul.wide.s32 \t%rd31, %r54, 4;\n\tadd.s64 \t%rd32, %rd2, %rd31;\n"
        "\tld.global.nc.v4.u32 \t{{%r1, %r2, %r3, %r4}}, [%rd32+-16];\n"
        "\tfma.rn.f32 \t%f26, %f25, %f24, 0f3F800000;\n\tsetp.ne.s32 \t%p7, %r99, 6;\n"
        "\t@%p7 bra \t$L__BB1_{};\n\tst.shared.f32 \t[%r84], %f64;\n\n$L__BB1_{}:\n",
        i + 1, i, i);
  return text + "\tret;\n}\n\t.file\t1 \"k.cu\"\n";
}

void parse_long_kernel(benchmark::State& state) {
  const std::string text = long_kernel(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    auto module = lanescope::ptx::parse(text);
    if (!module) state.SkipWithError(to_string(module.error()[0]).c_str());
    benchmark::DoNotOptimize(module);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
// The rate must not fall with the length.
BENCHMARK(parse_long_kernel)->Arg(100)->Arg(1000)->Arg(10000);

void parse_stored(benchmark::State& state, const char* path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  for (auto _ : state) {
    auto module = lanescope::ptx::parse(text);
    if (!module) state.SkipWithError("cannot parse; run in the repository root");
    benchmark::DoNotOptimize(module);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK_CAPTURE(parse_stored, lineinfo, "tests/data/ptx/language_sm90.ptx");
BENCHMARK_CAPTURE(parse_stored, debug, "tests/data/ptx/language_sm90_debug.ptx");

}  // namespace
