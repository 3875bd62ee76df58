// A trace of 10^7 lane accesses, scrubbed: how long one step to a random place takes (eight words of registers in every
// warp, the access of the step, shared memory), and how many bytes it all keeps. Two runs: a tiled transpose that loops
// in one block of eight warps, and the catalogue's padded transpose over many blocks.

#include <algorithm>
#include <bit>
#include <chrono>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>

#include <benchmark/benchmark.h>

#include "kernels/emulator/emulator.h"

namespace {

using namespace lanescope;

constexpr std::uint64_t lane_accesses = 10'000'000;

/// Loads eight words a thread, writes them to shared memory by rows, reads them by columns, stores them. 32 accesses of
/// 256 lanes each turn.
std::string looping_transpose(std::uint64_t turns) {
  std::string t =
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u64 q)\n{\n.reg .pred "
      "%p<4>;\n"
      ".reg .b32 %r<40>;\n.reg .b64 %rd<8>;\n.shared .align 16 .b8 tile[9216];\n"
      "ld.param.u64 %rd0, [p];\nld.param.u64 %rd1, [q];\nmov.u32 %r0, %tid.x;\nmul.wide.u32 %rd2, %r0, 4;\nadd.s64 "
      "%rd0, %rd0, %rd2;\n"
      "add.s64 %rd1, %rd1, %rd2;\nmov.u32 %r1, tile;\nand.b32 %r2, %r0, 31;\nshr.u32 %r3, %r0, 5;\n"
      "mad.lo.u32 %r4, %r3, 1056, %r1;\nshl.b32 %r5, %r2, 2;\nadd.u32 %r4, %r4, %r5;\n"  // row = warp, +132 a word
      "mad.lo.u32 %r6, %r2, 132, %r1;\nmad.lo.u32 %r6, %r3, 16, %r6;\nmov.u32 %r7, 0;\nloop:\n";
  const auto probe = [](int id, int word, int reg) {
    return "// lanescope.probe " + std::to_string(id) + " var=" + std::to_string(id) +
           " off=" + std::to_string(word * 4) + " size=32 %r" + std::to_string(reg) + "\n";
  };
  for (int w = 0; w < 8; ++w)
    t += "ld.global.u32 %r" + std::to_string(10 + w) + ", [%rd0+" + std::to_string(w * 1024) + "];\n" +
         probe(0, w, 10 + w);
  for (int w = 0; w < 8; ++w)
    t += "st.shared.u32 [%r4+" + std::to_string(w * 132) + "], %r" + std::to_string(10 + w) + ";\n";
  t += "bar.sync 0;\n";
  for (int w = 0; w < 8; ++w)
    t += "ld.shared.u32 %r" + std::to_string(20 + w) + ", [%r6+" + std::to_string(w % 4 * 4 + w / 4 * 4224) + "];\n" +
         probe(1, w, 20 + w);
  t += "bar.sync 0;\n";
  for (int w = 0; w < 8; ++w)
    t += "st.global.u32 [%rd1+" + std::to_string(w * 1024) + "], %r" + std::to_string(20 + w) + ";\n";
  return t + "add.s64 %rd0, %rd0, 8192;\nadd.s64 %rd1, %rd1, 8192;\nadd.u32 %r7, %r7, 1;\nsetp.lt.u32 %p0, %r7, " +
         std::to_string(turns) + ";\n@%p0 bra loop;\nret;\n}\n";
}

struct Case {
  std::string ptx, kernel;
  std::uint32_t blocks = 1;
  trace::Dim3 threads;
  std::size_t buffer_bytes = 0;
  std::vector<trace::VariableWord> words;
};

std::unique_ptr<trace::Trace> record(const Case& c) {
  auto t = std::make_unique<trace::Trace>();
  const auto module = ptx::parse(c.ptx);
  t->launch.kernel = c.kernel;
  t->launch.grid = {c.blocks, 1, 1};
  t->launch.block = c.threads;
  t->launch.arguments = {trace::BufferArgument{0, 0}, trace::BufferArgument{1, 0}};
  std::vector<trace::Buffer> buffers{{"p", "u32", 32, std::vector<std::byte>(c.buffer_bytes), true},
                                     {"q", "u32", 32, std::vector<std::byte>(c.buffer_bytes), true}};
  std::mt19937 random(5);
  for (std::byte& b : buffers[0].bytes) b = static_cast<std::byte>(random());
  t->tags.space = emulator::tag_space(buffers);
  trace::Recorder recorder(*t, {.block_count = c.blocks});
  emulator::Options options;
  options.tags = &t->tags;
  options.observers = {&recorder};
  const auto result = emulator::run(*module, t->launch, buffers, options);
  t->shared_bytes = result->shared_bytes;
  return t;
}

void scrub(benchmark::State& state, const Case& c) {
  using Clock = std::chrono::steady_clock;
  const auto milliseconds = [](Clock::time_point since) {
    return std::chrono::duration<double, std::milli>(Clock::now() - since).count();
  };
  const auto before_run = Clock::now();
  const auto t = record(c);
  state.counters["record_ms"] = milliseconds(before_run);
  const auto before_index = Clock::now();
  t->prepare();
  state.counters["prepare_ms"] = milliseconds(before_index);
  std::mt19937_64 random(7);
  std::vector<double> times;
  for (auto _ : state) {
    const std::uint64_t step = random() % t->steps.size();
    const std::uint32_t block = t->steps[step].block;
    const auto begin = Clock::now();
    for (const trace::VariableWord& w : c.words)
      benchmark::DoNotOptimize(t->registers_at(static_cast<std::int64_t>(step), block, w));
    benchmark::DoNotOptimize(t->access_at(step));
    benchmark::DoNotOptimize(t->shared_at(static_cast<std::int64_t>(step), block));
    times.push_back(milliseconds(begin));
  }
  std::ranges::sort(times);
  std::uint64_t lanes = 0;
  for (const trace::AccessRecord& a : t->accesses) lanes += static_cast<std::uint64_t>(std::popcount(a.mask));
  const double accesses = static_cast<double>(lanes);
  state.counters["lane_accesses"] = accesses;
  state.counters["step_p95_ms"] = times[times.size() * 95 / 100];
  state.counters["step_worst_ms"] = times.back();
  state.counters["bytes_per_lane_access"] = static_cast<double>(t->accesses.bytes()) / accesses;
  state.counters["bytes_per_probe_lane"] =
      static_cast<double>(t->probes.bytes()) / static_cast<double>(std::max<std::size_t>(t->probes.size() * 32, 1));
  state.counters["trace_MB"] = static_cast<double>(t->memory_bytes()) / 1e6;
}

void OneLongBlock(benchmark::State& state) {
  const std::uint64_t turns = lane_accesses / 8192 + 1;
  Case c{looping_transpose(turns), "k", 1, {256, 1, 1}, turns * 8192, {}};
  for (int w = 0; w < 8; ++w) c.words.push_back({w % 2, w * 4});
  scrub(state, c);
}

void ManyBlocks(benchmark::State& state) {
  std::ifstream file("assets/kernels/shared_transpose_padded.probed.ptx");
  Case c{{std::istreambuf_iterator<char>(file), {}},
         "_Z23shared_transpose_paddedPKfPf",
         lane_accesses / 4096 + 1,
         {32, 32, 1},
         4096,
         {}};
  if (c.ptx.empty()) return state.SkipWithError("run it in the repository's root");
  for (int w = 0; w < 8; ++w) c.words.push_back({w % 2, 0});
  scrub(state, c);
}

BENCHMARK(OneLongBlock)->Unit(benchmark::kMillisecond)->Iterations(2000);
BENCHMARK(ManyBlocks)->Unit(benchmark::kMillisecond)->Iterations(2000);

}  // namespace
