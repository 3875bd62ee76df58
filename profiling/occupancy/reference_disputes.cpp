// False statements of the references, each beside the value of the table of GPUs or of the model of accesses.

#include <fmt/format.h>

#include "profiling/access/patterns.h"
#include "profiling/access/traffic.h"
#include "profiling/occupancy/gpu_table.h"
#include "profiling/occupancy/reference_figures.h"

namespace lanescope::occupancy {
namespace {

using Disputes = std::vector<ReferenceDispute>;

constexpr double kilo = 1024;

void shared_memory(Disputes& out, const Arch& pascal, const Arch& ampere) {
  const double block = pascal.shared.opt_in_per_block_bytes / kilo,
               multiprocessor = pascal.shared.per_multiprocessor_bytes / kilo;
  out.push_back({.statement = "one block of a P100 can allocate 64 KB of shared memory",
                 .source = "shared slides, block level cooperation",
                 .truth = fmt::format("a block may have {} KB; {} KB are those of the multiprocessor, for two blocks",
                                      block, multiprocessor),
                 .why = pascal.shared.source,
                 .stated = 64,
                 .computed = block,
                 .unit = "KB per block"});
  const double most = ampere.shared.per_multiprocessor_bytes / kilo;
  out.push_back(
      {.statement = "a multiprocessor of an A100 has up to 128 KB of shared memory",
       .source = "shared slides, shared memory",
       .truth = fmt::format("up to {} KB, of {} KB that it shares with L1; a block may have {} KB", most,
                            ampere.shared.l1_and_shared_bytes / kilo, ampere.shared.opt_in_per_block_bytes / kilo),
       .why = ampere.shared.source,
       .stated = 128,
       .computed = most,
       .unit = "KB per multiprocessor"});
}

void bandwidths(Disputes& out, const Gpu& p100, const Gpu& a100) {
  const auto add = [&](const Gpu& gpu, std::string_view name, double stated) {
    const double peak = gpu.bandwidth_gb_per_s;
    out.push_back(
        {.statement = fmt::format("the bandwidth of global memory is {} GB/s on {}", stated, name),
         .source = "shared slides, dissecting the speedup",
         .truth = fmt::format("its peak is {} GB/s; the slides' figure is what a kernel achieves, {:.0f} % of that",
                              peak, stated / peak * 100),
         .why = gpu.source,
         .stated = stated,
         .computed = peak,
         .unit = "GB/s"});
  };
  add(p100, "a P100", 500);
  add(a100, "an A100", 1320);
}

Expected<void> banks(Disputes& out) {
  const auto same = LS_TRY(access::make_pattern(
      {.shape = access::Shape::broadcast, .space = access::MemorySpace::shared, .kind = access::AccessKind::store}));
  const auto cost = access::cost(same);
  out.push_back(
      {.statement = "writes of several threads to one bank are serialised",
       .source = "shared slides, shared memory",
       .truth = fmt::format("only those to different words of it: 32 lanes that write one word take {} wavefront, "
                            "and loads conflict in the same way",
                            cost.wavefronts),
       .why = "counted on an H200 (bench/results/gpu_access_shared_store.json)",
       .stated = 32,
       .computed = static_cast<double>(cost.wavefronts),
       .unit = "wavefronts"});
  return {};
}

void warps(Disputes& out, const GpuTable& table) {
  int lockstep = 0, independent = 0;
  std::string first;
  for (const Arch& a : table.archs) {
    const int number = std::atoi(a.name.c_str() + 3);
    (number >= 70 ? independent : lockstep) += 1;
    if (number >= 70 && first.empty()) first = a.name;
  }
  out.push_back(
      {.statement = "threads of a warp are synchronised after each instruction, so that the last steps of a "
                    "reduction need no barrier but volatile",
       .source = "execution, 5.3",
       .against = "memory slides, implicit warp synchronous programming",
       .truth = fmt::format("the slides are right: from {} on lanes continue independently, and what they read of each "
                            "other needs __syncwarp() or a shuffle",
                            first),
       .why = fmt::format("CUDA C++ Programming Guide, \"Independent Thread Scheduling\"; of the {} architectures of "
                          "the table it held for {}",
                          lockstep + independent, lockstep),
       .stated = static_cast<double>(lockstep + independent),
       .computed = static_cast<double>(lockstep),
       .unit = "architectures"});
}

void l1_of_kepler(Disputes& out, const Arch& kepler) {
  const auto misaligned = access::make_pattern({.shape = access::Shape::misaligned, .amount = 4});
  if (!misaligned) return;
  const auto cached = access::traffic(*misaligned, access::LoadPath::caching, kepler.memory);
  const auto uncached = access::traffic(*misaligned, access::LoadPath::non_caching, kepler.memory);
  out.push_back(
      {.statement = "on compute capability 3.5 all loads behave like non-caching ones",
       .source = "memory slides, caching and non-caching loads",
       .truth = fmt::format("by default; with -Xptxas -dlcm=ca L1 holds them on the boards that allow it, and a "
                            "misaligned warp then moves {} bytes, not {}",
                            cached.bytes_moved, uncached.bytes_moved),
       .why = kepler.memory.source,
       .stated = static_cast<double>(uncached.bytes_moved),
       .computed = static_cast<double>(cached.bytes_moved),
       .unit = "bytes"});
}

}  // namespace

Expected<std::vector<ReferenceDispute>> reference_disputes() {
  const Expected<GpuTable>& table = gpu_table();
  if (!table) return tl::unexpected(table.error());
  const auto pascal = table->arch("sm_60"), ampere = table->arch("sm_80"), kepler = table->arch("sm_35");
  const auto p100 = table->gpu("P100"), a100 = table->gpu("A100");
  for (const auto* arch : {&pascal, &ampere, &kepler})
    if (!*arch) return tl::unexpected(arch->error());
  for (const auto* gpu : {&p100, &a100})
    if (!*gpu) return tl::unexpected(gpu->error());
  Disputes out;
  shared_memory(out, *pascal, *ampere);
  bandwidths(out, *p100, *a100);
  l1_of_kepler(out, *kepler);
  warps(out, *table);
  return banks(out).map([&] { return std::move(out); });
}

std::string to_string(const ReferenceDispute& d) {
  return fmt::format("{} ({}{}); {} [{}]", d.statement, d.source, d.against.empty() ? "" : ", against " + d.against,
                     d.truth, d.why);
}

}  // namespace lanescope::occupancy
