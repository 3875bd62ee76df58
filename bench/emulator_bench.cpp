// Warp instructions a second: a loop of fused multiply-adds and a loop over memory, with identities off and on, translated
// and interpreted.
// LANESCOPE_ISA=baseline|avx2|avx512 limits the instruction set.

#include <array>
#include <ctime>

#include <benchmark/benchmark.h>

#include "kernels/emulator/emulator.h"
#include "profiling/counters/counters.h"

namespace {

using namespace lanescope;

const char* const head =
    ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .pred %p<4>;\n.reg .b32 "
    "%r<8>;\n"
    ".reg .b64 %rd<8>;\n.reg .f32 %f<12>;\nld.param.u64 %rd0, [p];\nmov.u32 %r0, %tid.x;\nmul.wide.u32 %rd1, %r0, "
    "4;\nadd.s64 %rd2, %rd0, %rd1;\n"
    "ld.global.f32 %f0, [%rd2];\nmov.f32 %f1, %f0;\nmov.f32 %f2, %f0;\nmov.f32 %f3, %f0;\nmov.f32 %f4, "
    "0f3F7FF000;\nmov.f32 %f5, 0f3A000000;\nmov.u32 %r1, 0;\n";
const char* const fma_loop =
    "loop:\nfma.rn.f32 %f0, %f0, %f4, %f5;\nfma.rn.f32 %f1, %f1, %f4, %f5;\nfma.rn.f32 %f2, %f2, %f4, %f5;\nfma.rn.f32 "
    "%f3, %f3, %f4, %f5;\n"
    "fma.rn.f32 %f0, %f0, %f4, %f5;\nfma.rn.f32 %f1, %f1, %f4, %f5;\nfma.rn.f32 %f2, %f2, %f4, %f5;\nfma.rn.f32 %f3, "
    "%f3, %f4, %f5;\n"
    "add.s32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 20000;\n@%p1 bra loop;\n";
const char* const memory_loop =
    "loop:\nld.global.f32 %f0, [%rd2];\nld.global.f32 %f1, [%rd2+4];\nst.global.f32 [%rd2], %f1;\nst.global.f32 "
    "[%rd2+4], %f0;\n"
    "add.s32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 20000;\n@%p1 bra loop;\n";
/// Sums of two registers that both carry data, of one element each (its own in every lane) and of several.
const char* const sum_loop =
    "ld.global.f32 %f1, [%rd2+128];\nld.global.f32 %f3, [%rd2+256];\nloop:\nadd.f32 %f2, %f0, %f1;\nmul.f32 %f6, %f1, "
    "%f3;\nfma.rn.f32 %f7, %f0, %f3, %f1;\n"
    "add.f32 %f8, %f2, %f6;\nadd.f32 %f9, %f7, %f8;\nadd.s32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 20000;\n@%p1 bra "
    "loop;\nmov.f32 %f2, %f9;\n";
const char* const tail =
    "add.f32 %f0, %f0, %f1;\nadd.f32 %f2, %f2, %f3;\nadd.f32 %f0, %f0, %f2;\nst.global.f32 [%rd2], %f0;\nret;\n}\n";

void measure(benchmark::State& state, const char* loop, trace::Observer* observer = nullptr) {
  const auto module = ptx::parse(std::string(head) + loop + tail);
  trace::Launch launch;
  launch.kernel = "k";
  launch.block = {static_cast<std::uint32_t>(state.range(1)), 1, 1};
  launch.arguments = {trace::BufferArgument{0, 0}};
  std::uint64_t instructions = 0;
  for (auto _ : state) {
    std::vector<trace::Buffer> buffers{{"x", "f32", 32, std::vector<std::byte>(8192), true}};
    trace::TagPool pool;
    pool.space = emulator::tag_space(buffers);
    emulator::Options options;
    options.slice = static_cast<std::uint32_t>(state.range(2));
    options.tags = state.range(0) != 0 ? &pool : nullptr;
    if (observer != nullptr) options.observers = {observer};
    const auto result = emulator::run(*module, launch, buffers, options);
    instructions += result->warp_instructions;
  }
  state.counters["warp_instructions"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
}

void Fma(benchmark::State& state) { measure(state, fma_loop); }
void Memory(benchmark::State& state) { measure(state, memory_loop); }
void Sums(benchmark::State& state) { measure(state, sum_loop); }
/// The same with an observer, as in every run that counts.
struct Listener : trace::Observer {
  std::uint64_t bytes = 0;
  void on_access(const trace::AccessEvent& e) override { bytes += e.values.size_bytes(); }
};
void MemoryObserved(benchmark::State& state) {
  Listener listener;
  measure(state, memory_loop, &listener);
  benchmark::DoNotOptimize(listener.bytes);
}

/// The same launch with translation and without, in turns: how many times as fast it is with it.
void compare(benchmark::State& state, const char* loop, bool counted) {
  const auto module = ptx::parse(std::string(head) + loop + tail);
  trace::Launch launch;
  launch.kernel = "k";
  launch.block = {static_cast<std::uint32_t>(state.range(0)), 1, 1};
  launch.arguments = {trace::BufferArgument{0, 0}};
  counters::Counter counter;
  std::array<double, 2> seconds{};
  std::uint64_t instructions = 0;
  for (auto _ : state)
    for (const bool translate : {false, true}) {
      std::vector<trace::Buffer> buffers{{"x", "f32", 32, std::vector<std::byte>(8192), true}};
      emulator::Options options{.slice = static_cast<std::uint32_t>(state.range(1)), .translate = translate};
      if (counted) options.observers = {&counter};
      const std::clock_t begun = std::clock();  // of the processor: other programs run, too
      const auto result = emulator::run(*module, launch, buffers, options);
      seconds[translate] += static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
      instructions += translate ? result->warp_instructions : 0;
    }
  state.counters["warp_instructions"] = static_cast<double>(instructions) / seconds[1];
  state.counters["interpreted"] = static_cast<double>(instructions) / seconds[0];
  state.counters["ratio"] = seconds[0] / seconds[1];
}
void TranslatedFma(benchmark::State& state) { compare(state, fma_loop, false); }
void TranslatedMemory(benchmark::State& state) { compare(state, memory_loop, false); }
void TranslatedFmaCounted(benchmark::State& state) { compare(state, fma_loop, true); }
void TranslatedMemoryCounted(benchmark::State& state) { compare(state, memory_loop, true); }

BENCHMARK(Fma)
    ->ArgNames({"tags", "threads", "slice"})
    ->Args({0, 32, 0})
    ->Args({1, 32, 0})
    ->Args({0, 256, 0})
    ->Args({0, 256, 1})
    ->Args({1, 256, 1});
BENCHMARK(Memory)
    ->ArgNames({"tags", "threads", "slice"})
    ->Args({0, 32, 0})
    ->Args({1, 32, 0})
    ->Args({0, 256, 1})
    ->Args({1, 256, 1});
BENCHMARK(MemoryObserved)->ArgNames({"tags", "threads", "slice"})->Args({0, 32, 0})->Args({1, 32, 0});
BENCHMARK(Sums)->ArgNames({"tags", "threads", "slice"})->Args({0, 32, 0})->Args({1, 32, 0})->Args({1, 256, 1});
BENCHMARK(TranslatedFma)->ArgNames({"threads", "slice"})->Args({32, 0})->Args({256, 0})->Args({256, 1});
BENCHMARK(TranslatedMemory)->ArgNames({"threads", "slice"})->Args({32, 0})->Args({256, 0})->Args({256, 1});
BENCHMARK(TranslatedFmaCounted)->ArgNames({"threads", "slice"})->Args({32, 0})->Args({256, 1});
BENCHMARK(TranslatedMemoryCounted)->ArgNames({"threads", "slice"})->Args({32, 0})->Args({256, 1});

}  // namespace
