// The emulator against Debian's oclgrind on the same work in the same run, one thread each, in time of the processor: each
// `ratio` is the work a second of the one over that of the other. And how the emulator's own time and memory grow. oclgrind
// runs as a process (oclgrind-kernel); its start and its compiler are measured with next to no work and taken off.
//
//   apt-get install oclgrind; build/default/bench/oclgrind_bench --benchmark_min_time=0.3

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

#include "kernels/emulator/emulator.h"
#include "profiling/races/races.h"

namespace {

using namespace lanescope;

/// One piece of work in both languages. WORK is how often its loop runs; `threads` in blocks of `block`.
struct Work {
  std::string name, opencl, ptx;
  std::uint64_t threads = 32, block = 32;
  std::uint64_t loops_there = 2000, loops_here = 100'000;
};

double seconds_of(const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6; }

/// Processor time of one run of oclgrind-kernel; negative where there is none.
double run_oclgrind(const Work& work, std::uint64_t threads, std::uint64_t loops, bool races) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / fmt::format("lanescope_oclgrind_{}", ::getpid());
  fs::create_directories(folder);
  std::ofstream(folder / "k.cl") << work.opencl;
  std::ofstream(folder / "k.sim") << fmt::format("{}\nk\n{} 1 1\n{} 1 1\n\n<size={} fill=0>\n<size={} fill=0>\n",
                                                 (folder / "k.cl").string(), threads, work.block, threads * 4 + 4096,
                                                 threads * 4 + 4096);
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string sim = (folder / "k.sim").string(), define = fmt::format("-DWORK={}", loops);
    std::vector<const char*> words = {"oclgrind-kernel", "--num-threads", "1", "--build-options", define.c_str()};
    if (races) words.push_back("--data-races");
    words.push_back(sim.c_str());
    words.push_back(nullptr);
    ::execvp(words[0], const_cast<char* const*>(words.data()));
    ::_exit(127);
  }
  int status = 0;
  rusage used{};
  ::wait4(child, &status, 0, &used);
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return -1;
  return seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
}

/// Threads times loops a second of oclgrind; once for each piece of work.
double oclgrind_rate(const Work& work, bool races, bool by_threads) {
  static std::map<std::string, double> known;
  const auto [found, is_new] = known.try_emplace(work.name + (races ? " races" : ""), 0.0);
  if (!is_new) return found->second;
  const std::uint64_t few_loops = by_threads ? work.loops_there : 1,
                      few_threads = by_threads ? work.block : work.threads;
  std::vector<double> taken;
  for (int i = 0; i < 3; ++i) {
    const double start = run_oclgrind(work, few_threads, few_loops, races);
    const double all = run_oclgrind(work, work.threads, work.loops_there, races);
    if (start < 0 || all <= start) return found->second = 0;
    taken.push_back(all - start);
  }
  std::ranges::sort(taken);
  const double done = static_cast<double>(work.threads) * static_cast<double>(work.loops_there) -
                      static_cast<double>(few_threads) * static_cast<double>(few_loops);
  return found->second = done / taken[1];
}

std::string ptx_kernel(const std::string& declarations, const std::string& before, const std::string& body,
                       const std::string& after) {
  return ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u64 q, .param .u32 "
         "work)\n{\n.reg .pred %p<4>;\n.reg .b32 %r<16>;\n.reg .b64 %rd<16>;\n.reg .f32 %f<16>;\n" +
         declarations +
         "ld.param.u64 %rd0, [p];\nld.param.u64 %rd1, [q];\nld.param.u32 %r9, [work];\nmov.u32 %r0, %tid.x;\n"
         "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmad.lo.s32 %r3, %r1, %r2, %r0;\nmul.wide.u32 %rd2, %r3, "
         "4;\nadd.s64 %rd3, %rd0, %rd2;\nadd.s64 %rd4, %rd1, %rd2;\nmov.u32 %r4, 0;\n" +
         before + "loop:\n" + body + "add.s32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, %r9;\n@%p1 bra loop;\n" + after +
         "ret;\n}\n";
}

const Work fma_work = {
    .name = "fma",
    .opencl =
        "__kernel void k(__global float* p, __global float* q) { int i = get_global_id(0); float a = p[i], b = a, c = "
        "a, d = a; for (int n = 0; n < WORK; ++n) { a = fma(a, 0.999755859375f, 0.00048828125f); b = fma(b, "
        "0.999755859375f, 0.00048828125f); c = fma(c, 0.999755859375f, 0.00048828125f); d = fma(d, "
        "0.999755859375f, 0.00048828125f); } p[i] = a + b + c + d; }",
    .ptx =
        ptx_kernel("",
                   "ld.global.f32 %f0, [%rd3];\nmov.f32 %f1, %f0;\nmov.f32 %f2, %f0;\nmov.f32 %f3, %f0;\nmov.f32 %f4, "
                   "0f3F7FF000;\nmov.f32 %f5, 0f3A000000;\n",
                   "fma.rn.f32 %f0, %f0, %f4, %f5;\nfma.rn.f32 %f1, %f1, %f4, %f5;\nfma.rn.f32 %f2, %f2, %f4, "
                   "%f5;\nfma.rn.f32 %f3, %f3, %f4, %f5;\n",
                   "add.f32 %f0, %f0, %f1;\nadd.f32 %f2, %f2, %f3;\nadd.f32 %f0, %f0, %f2;\nst.global.f32 [%rd3], "
                   "%f0;\n"),
    .loops_there = 20'000,
    .loops_here = 300'000};

const Work memory_work = {
    .name = "memory",
    .opencl =
        "__kernel void k(__global volatile float* p, __global float* q) { int i = get_global_id(0); for (int n = 0; n "
        "< "
        "WORK; ++n) { float a = p[i], b = p[i + 1]; p[i] = b; p[i + 1] = a; } }",
    .ptx = ptx_kernel("", "",
                      "ld.global.f32 %f0, [%rd3];\nld.global.f32 %f1, [%rd3+4];\nst.global.f32 [%rd3], "
                      "%f1;\nst.global.f32 [%rd3+4], %f0;\n",
                      ""),
    .loops_there = 20'000,
    .loops_here = 50'000};

const Work shared_work = {
    .name = "shared",
    .opencl =
        "__kernel void k(__global float* p, __global float* q) { __local volatile float s[64]; int i = "
        "get_local_id(0); for (int n = 0; n < WORK; ++n) { float a = s[i], b = s[i + 1]; s[i] = b; s[i + 1] = a; } "
        "p[i] "
        "= s[i]; }",
    .ptx = ptx_kernel(".shared .align 4 .b8 s[256];\n",
                      "mov.u64 %rd5, s;\nmul.wide.u32 %rd6, %r0, 4;\nadd.s64 %rd5, %rd5, %rd6;\n",
                      "ld.shared.f32 %f0, [%rd5];\nld.shared.f32 %f1, [%rd5+4];\nst.shared.f32 [%rd5], "
                      "%f1;\nst.shared.f32 [%rd5+4], %f0;\n",
                      "ld.shared.f32 %f0, [%rd5];\nst.global.f32 [%rd3], %f0;\n"),
    .loops_there = 20'000,
    .loops_here = 50'000};

const Work copy_work = {
    .name = "copy",
    .opencl = "__kernel void k(__global float* p, __global float* q) { int i = get_global_id(0); q[i] = p[i]; }",
    .ptx = ptx_kernel("", "", "ld.global.f32 %f0, [%rd3];\nst.global.f32 [%rd4], %f0;\n", ""),
    .threads = 1 << 16,
    .block = 256,
    .loops_there = 1,
    .loops_here = 1};

/// A sum in each block: halves of the block are added to each other in shared memory, a barrier between.
const Work reduction_work = {
    .name = "reduction",
    .opencl =
        "__kernel void k(__global float* p, __global float* q) { __local float s[256]; int i = get_local_id(0); s[i] = "
        "p[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE); for (int h = 128; h > 0; h >>= 1) { if (i < h) s[i] += s[i "
        "+ h]; barrier(CLK_LOCAL_MEM_FENCE); } if (i == 0) q[get_group_id(0)] = s[0]; }",
    .ptx = ptx_kernel(
        ".shared .align 4 .b8 s[1024];\n",
        "mov.u64 %rd5, s;\nmul.wide.u32 %rd6, %r0, 4;\nadd.s64 %rd5, %rd5, %rd6;\nld.global.f32 %f0, "
        "[%rd3];\nst.shared.f32 [%rd5], %f0;\nbar.sync 0;\nmov.u32 %r5, 128;\nsum:\nsetp.ge.u32 %p2, %r0, "
        "%r5;\n@%p2 bra none;\nmul.wide.u32 %rd7, %r5, 4;\nadd.s64 %rd7, %rd7, %rd5;\nld.shared.f32 %f1, "
        "[%rd7];\nld.shared.f32 %f2, [%rd5];\nadd.f32 %f2, %f2, %f1;\nst.shared.f32 [%rd5], "
        "%f2;\nnone:\nbar.sync 0;\nshr.u32 %r5, %r5, 1;\nsetp.ne.u32 %p2, %r5, 0;\n@%p2 bra sum;\nsetp.ne.u32 "
        "%p2, %r0, 0;\n@%p2 bra end;\nmul.wide.u32 %rd8, %r1, 4;\nadd.s64 %rd8, %rd8, %rd1;\nld.shared.f32 "
        "%f0, [%rd5];\nst.global.f32 [%rd8], %f0;\nend:\n",
        "", ""),
    .threads = 1 << 15,
    .block = 256,
    .loops_there = 1,
    .loops_here = 1};

enum class Watch { nothing, tags, races };

struct Here {
  double seconds = 0;
  std::uint64_t instructions = 0;
};

Here run_here(const ptx::Module& module, const Work& work, std::uint64_t threads, Watch watch) {
  trace::Launch launch;
  launch.kernel = "k";
  launch.block = {static_cast<std::uint32_t>(work.block), 1, 1};
  launch.grid = {static_cast<std::uint32_t>(threads / work.block), 1, 1};
  trace::ValueArgument loops(4);
  for (std::size_t i = 0; i < 4; ++i) loops[i] = static_cast<std::byte>(work.loops_here >> (8 * i));
  launch.arguments = {trace::BufferArgument{0, 0}, trace::BufferArgument{1, 0}, loops};
  const auto buffer = [&](const char* name) {
    return trace::Buffer{name, "f32", 32, std::vector<std::byte>(threads * 4 + 4096), true};
  };
  std::vector<trace::Buffer> buffers = {buffer("p"), buffer("q")};
  trace::TagPool pool;
  if (watch == Watch::tags) pool.space = emulator::tag_space(buffers);
  const std::vector<trace::CodeSite> sites = emulator::code_sites(module, *module.find_entry("k"), "");
  std::vector<races::Area> areas;
  for (const std::uint64_t address : emulator::place_buffers(buffers)) areas.push_back({address, threads * 4 + 4096});
  races::RaceObserver observer(launch, sites, areas);
  emulator::Options options;
  options.max_steps = ~std::uint64_t{0} >> 1;
  options.slice = 0;
  options.tags = watch == Watch::tags ? &pool : nullptr;
  if (watch == Watch::races) options.observers = {&observer};
  const std::clock_t before = std::clock();
  const auto result = emulator::run(module, launch, buffers, options);
  Here out;
  out.seconds = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
  out.instructions = result && result->faults.empty() ? result->warp_instructions : 0;
  return out;
}

void compare(benchmark::State& state, const Work& work, Watch watch) {
  const auto module = ptx::parse(work.ptx);
  if (!module) return state.SkipWithError(to_string(module.error().front()).c_str());
  const bool by_threads = work.loops_there == 1;
  double seconds = 0;
  std::uint64_t runs = 0, instructions = 0;
  for (auto _ : state) {
    const Here here = run_here(*module, work, work.threads, watch);
    if (here.instructions == 0) return state.SkipWithError("the kernel does not run here");
    seconds += here.seconds, instructions += here.instructions, ++runs;
  }
  const double done = static_cast<double>(runs * work.threads * work.loops_here);
  state.counters["warp_instructions_per_s"] = static_cast<double>(instructions) / seconds;
  const double there = oclgrind_rate(work, watch == Watch::races, by_threads);
  if (there > 0) {
    state.counters["oclgrind_thread_loops_per_s"] = there;
    state.counters["ratio"] = done / seconds / there;
  } else {
    state.SetLabel("oclgrind is not installed, or was too quick to be measured");
  }
}

void Fma(benchmark::State& s) { compare(s, fma_work, Watch::nothing); }
void FmaTags(benchmark::State& s) { compare(s, fma_work, Watch::tags); }
void Memory(benchmark::State& s) { compare(s, memory_work, Watch::nothing); }
void Shared(benchmark::State& s) { compare(s, shared_work, Watch::nothing); }
void Copy(benchmark::State& s) { compare(s, copy_work, Watch::nothing); }
void CopyRaces(benchmark::State& s) { compare(s, copy_work, Watch::races); }
void Reduction(benchmark::State& s) { compare(s, reduction_work, Watch::nothing); }
void ReductionRaces(benchmark::State& s) { compare(s, reduction_work, Watch::races); }
BENCHMARK(Fma)->Unit(benchmark::kMillisecond);
BENCHMARK(FmaTags)->Unit(benchmark::kMillisecond);
BENCHMARK(Memory)->Unit(benchmark::kMillisecond);
BENCHMARK(Shared)->Unit(benchmark::kMillisecond);
BENCHMARK(Copy)->Unit(benchmark::kMillisecond);
BENCHMARK(CopyRaces)->Unit(benchmark::kMillisecond);
BENCHMARK(Reduction)->Unit(benchmark::kMillisecond);
BENCHMARK(ReductionRaces)->Unit(benchmark::kMillisecond);

/// A launch runs on one core; runs beside each other (jobs of a sweep, the two variants of a kernel) take one each.
void RunsBesideEachOther(benchmark::State& state) {
  const auto module = ptx::parse(fma_work.ptx);
  std::uint64_t instructions = 0;
  for (auto _ : state) instructions += run_here(*module, fma_work, fma_work.threads, Watch::nothing).instructions;
  state.counters["warp_instructions_per_s"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
}
BENCHMARK(RunsBesideEachOther)
    ->ThreadRange(1, static_cast<int>(std::max(std::thread::hardware_concurrency(), 1u)))
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

/// The most memory that this process has had since the last call, in MiB.
double peak_mebibytes(bool begin) {
  if (begin) {
    std::ofstream("/proc/self/clear_refs") << "5";
    return 0;
  }
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::stod(line.substr(6)) / 1024;
  return 0;
}

/// A copy by 2^10 to 2^24 threads.
void Growth(benchmark::State& state) {
  const auto module = ptx::parse(copy_work.ptx);
  const std::uint64_t threads = std::uint64_t{1} << state.range(0);
  const auto watch = static_cast<Watch>(state.range(1));
  double seconds = 0, runs = 0, peak = 0;
  for (auto _ : state) {
    peak_mebibytes(true);
    seconds += run_here(*module, copy_work, threads, watch).seconds;
    peak = std::max(peak, peak_mebibytes(false));
    ++runs;
  }
  state.counters["ns_per_thread"] = seconds / runs / static_cast<double>(threads) * 1e9;
  state.counters["peak_MiB"] = peak;
}
BENCHMARK(Growth)
    ->ArgNames({"log2_threads", "watch"})
    ->ArgsProduct({{10, 12, 14, 16, 18, 20, 22, 24}, {0, 1, 2}})
    ->Unit(benchmark::kMillisecond);

}  // namespace
