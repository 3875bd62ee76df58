// Blocks of one launch on several cores, in real time: a loop of fused multiply-adds, a copy, a copy and a histogram that are
// counted as in every run of the program, and the loop and the copy with identities. processor_ms is the time of all threads, own_ms that of the one that requests, which is what a launch
// takes where each thread has a core to itself. Real time says little on a machine under load.

#include <benchmark/benchmark.h>

#include <ctime>

#include "kernels/emulator/ahead/ahead.h"
#include "kernels/emulator/emulator.h"
#include "kernels/emulator/machine/global_view.h"
#include "profiling/counters/counters.h"

namespace {

using namespace lanescope;

const char* const beginning =
    ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u64 q)\n{\n.reg .pred "
    "%p<4>;\n.reg .b32 %r<8>;\n.reg .b64 %rd<8>;\n.reg .f32 %f<8>;\nld.param.u64 %rd0, [p];\nld.param.u64 %rd1, "
    "[q];\nmov.u32 %r0, %tid.x;\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmad.lo.s32 %r3, %r1, %r2, "
    "%r0;\nmul.wide.u32 %rd2, %r3, 4;\nadd.s64 %rd3, %rd0, %rd2;\nadd.s64 %rd4, %rd1, %rd2;\nld.global.f32 %f0, "
    "[%rd3];\n";
const char* const compute =
    "mov.f32 %f4, 0f3F7FF000;\nmov.f32 %f5, 0f3A000000;\nmov.u32 %r4, 0;\nloop:\nfma.rn.f32 %f0, %f0, %f4, "
    "%f5;\nfma.rn.f32 %f1, %f0, %f4, %f5;\nfma.rn.f32 %f2, %f1, %f4, %f5;\nfma.rn.f32 %f0, %f2, %f4, %f5;\nadd.s32 "
    "%r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, 500;\n@%p1 bra loop;\n";
const char* const histogram =
    "and.b32 %r4, %r3, 255;\nmul.wide.u32 %rd5, %r4, 4;\nadd.s64 %rd5, %rd1, %rd5;\nred.global.add.u32 [%rd5], "
    "1;\nret;\n}\n";
const char* const ending = "st.global.f32 [%rd4], %f0;\nret;\n}\n";

double seconds_of(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

enum class Watched : std::uint8_t { no, counted, identities };

void measure(benchmark::State& state, const std::string& text, std::uint32_t blocks, Watched watched) {
  const auto module = ptx::parse(text);
  constexpr std::uint32_t threads = 256;
  trace::Launch launch;
  launch.kernel = "k";
  launch.grid = {blocks, 1, 1};
  launch.block = {threads, 1, 1};
  launch.arguments = {trace::BufferArgument{0, 0}, trace::BufferArgument{1, 0}};
  const std::size_t bytes = std::size_t{blocks} * threads * 4;
  std::uint64_t instructions = 0, pages = 0, ahead = 0;
  double all_threads = 0, one_thread = 0;
  for (auto _ : state) {
    state.PauseTiming();
    std::vector<trace::Buffer> buffers{{"p", "f32", 32, std::vector<std::byte>(bytes), true},
                                       {"q", "f32", 32, std::vector<std::byte>(bytes), true}};
    counters::Counter counter;
    emulator::Options options{
        .max_steps = ~std::uint64_t{0} >> 1, .slice = 0, .cores = static_cast<std::uint32_t>(state.range(0))};
    if (watched == Watched::counted) options.observers = {&counter};
    trace::TagPool tags;
    tags.space = emulator::tag_space(buffers);
    if (watched == Watched::identities) options.tags = &tags;
    auto machine = emulator::Machine::create(*module, launch, buffers, options);
    const double all_before = seconds_of(CLOCK_PROCESS_CPUTIME_ID), one_before = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    state.ResumeTiming();
    const emulator::AheadCounts counts = machine->run_ahead();
    while (machine->advance(std::uint64_t{1} << 40)) {}
    all_threads += seconds_of(CLOCK_PROCESS_CPUTIME_ID) - all_before;
    one_thread += seconds_of(CLOCK_THREAD_CPUTIME_ID) - one_before;
    instructions += machine->result().warp_instructions;
    pages = counts.most_pages, ahead = counts.blocks;
  }
  state.counters["warp_instructions"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
  state.counters["processor_ms"] = benchmark::Counter(all_threads * 1000, benchmark::Counter::kAvgIterations);
  state.counters["own_ms"] = benchmark::Counter(one_thread * 1000, benchmark::Counter::kAvgIterations);
  state.counters["ahead_MiB"] = static_cast<double>(pages * sizeof(emulator::GlobalView::Page)) / (1 << 20);
  state.counters["blocks_ahead"] = static_cast<double>(ahead);
}

void Compute(benchmark::State& state) { measure(state, std::string(beginning) + compute + ending, 1024, Watched::no); }
void Copy(benchmark::State& state) { measure(state, std::string(beginning) + ending, 1 << 14, Watched::no); }
void CopyCounted(benchmark::State& state) {
  measure(state, std::string(beginning) + ending, 1 << 14, Watched::counted);
}

void ComputeIdentities(benchmark::State& state) {
  measure(state, std::string(beginning) + compute + ending, 256, Watched::identities);
}
void CopyIdentities(benchmark::State& state) {
  measure(state, std::string(beginning) + ending, 1 << 14, Watched::identities);
}
void HistogramCounted(benchmark::State& state) {
  measure(state, std::string(beginning) + histogram, 1 << 14, Watched::counted);
}

BENCHMARK(Compute)->ArgName("cores")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(Copy)->ArgName("cores")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(CopyCounted)->ArgName("cores")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(ComputeIdentities)->ArgName("cores")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(CopyIdentities)->ArgName("cores")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(HistogramCounted)->ArgName("cores")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
