#include "app/engine/summary/occupancy_info.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "kernels/base/numbers.h"
#include "profiling/access/formula.h"
#include "profiling/occupancy/curves.h"
#include "profiling/occupancy/latency.h"
#include "profiling/occupancy/occupancy.h"
#include "profiling/occupancy/roofline.h"

namespace lanescope::engine {
namespace {

using occupancy::Gpu;
using occupancy::KernelUse;
using occupancy::Occupancy;
using occupancy::Resource;

/// Between two points of the curve over shared memory.
constexpr int shared_step_bytes = 1024;
/// More block sizes with the same occupancy are not listed.
constexpr std::size_t most_suggested = 4;

std::string number(std::int64_t n) { return spaced(static_cast<std::uint64_t>(std::max<std::int64_t>(n, 0))); }

std::string joined(const std::vector<Resource>& resources) {
  std::vector<std::string_view> names;
  for (const Resource r : resources) names.push_back(words(r));
  return fmt::format("{}", fmt::join(names, ", "));
}

Expected<Gpu> find_gpu(const results::Summary& summary, const OccupancyChoice& choice) {
  const auto& table = occupancy::gpu_table();
  if (!table) return tl::unexpected(table.error());
  if (!choice.gpu.empty()) return table->gpu(choice.gpu);
  return default_gpu(summary.arch).and_then([&](const std::string& name) { return table->gpu(name); });
}

Expected<KernelUse> use_of(const results::ResourceInfo& r, const OccupancyChoice& choice) {
  const int registers = choice.registers.value_or(r.registers);
  if (registers < 0)
    return failure("the number of registers is not known, because the kernel was not assembled",
                   "give the registers per thread");
  return KernelUse{.threads_per_block = choice.threads.value_or(r.threads_per_block),
                   .registers_per_thread = registers,
                   .static_shared_bytes = r.static_shared_bytes,
                   .dynamic_shared_bytes = choice.dynamic_shared_bytes.value_or(r.dynamic_shared_bytes),
                   .launch_bounds_threads = r.launch_bounds_threads,
                   .carveout_percent = choice.carveout_percent};
}

/// Bytes of dynamic shared memory of a block with so many threads. Error: a formula that is none, or that gives a
/// negative or an absurd number for a size that any block can have.
Expected<occupancy::SharedBytesOfBlock> shared_by_threads(const std::string& text, int own_threads) {
  if (text.empty()) return occupancy::SharedBytesOfBlock{};
  const auto formula = access::Formula::parse(text, {"threads", ""});
  if (!formula) return tl::unexpected(formula.error());
  constexpr int most_threads = 2048, most_bytes = 1 << 26;
  for (int threads = 1; threads <= std::max(most_threads, own_threads); ++threads) {
    const auto bytes = LS_TRY(formula->value(threads, 0));
    if (bytes < 0 || bytes > most_bytes)
      return failure(fmt::format("{} gives {} bytes for {} threads", text, bytes, threads),
                     "give the dynamic shared bytes of a block as a function of `threads`");
  }
  return occupancy::SharedBytesOfBlock(
      [formula = *formula](int threads) { return static_cast<int>(formula.value(threads, 0).value_or(0)); });
}

std::string detail(Resource resource, const Gpu& gpu, const KernelUse& use, const Occupancy& o) {
  switch (resource) {
    case Resource::warps:
      return fmt::format("{} per block, {} in total", counted(static_cast<std::uint64_t>(o.warps_per_block), "warp"),
                         number(gpu.arch.limits.warps_per_multiprocessor));
    case Resource::blocks:
      return fmt::format("{} in total", number(gpu.arch.limits.blocks_per_multiprocessor));
    case Resource::registers:
      return fmt::format("{} per thread, {} per warp, {} in total", number(use.registers_per_thread),
                         number(o.registers_per_warp), number(gpu.arch.registers.per_multiprocessor));
    case Resource::shared_memory: {
      const int reserved = gpu.arch.shared.reserved_per_block_bytes;
      // The size that nvcc prints comes first; the driver adds its part to it, and of a block that is too large none is taken.
      const int asked = use.static_shared_bytes + use.dynamic_shared_bytes;
      return fmt::format("{} bytes per block ({} static, {} dynamic){}; {} in total", number(asked),
                         number(use.static_shared_bytes), number(use.dynamic_shared_bytes),
                         reserved > 0 ? fmt::format(", with {} reserved by the driver {}", number(reserved),
                                                    number(std::max(o.shared_bytes_per_block, asked + reserved)))
                                      : "",
                         number(o.shared_capacity_bytes));
    }
    case Resource::barriers:
      break;
  }
  return {};
}

void fill_limiters(const Gpu& gpu, const KernelUse& use, const Occupancy& o, results::OccupancyInfo& info) {
  for (std::size_t i = 0; i < occupancy::resource_count; ++i) {
    const auto resource = static_cast<Resource>(i);
    if (resource == Resource::barriers && !o.blocks_by_resource[i]) continue;
    const bool limiting = std::find(o.limiting.begin(), o.limiting.end(), resource) != o.limiting.end();
    info.limiters.push_back({.resource = std::string(words(resource)),
                             .blocks = o.blocks_by_resource[i],
                             .limiting = limiting,
                             .detail = detail(resource, gpu, use, o)});
  }
}

results::OccupancyCurveInfo curve_info(std::string title, std::string unit, const occupancy::Curve& curve, int current,
                                       int suggested) {
  results::OccupancyCurveInfo out{.title = std::move(title), .unit = std::move(unit)};
  for (const occupancy::CurvePoint& p : curve)
    out.dots.push_back({.x = p.x,
                        .blocks = p.blocks_per_multiprocessor,
                        .warps = p.warps_per_multiprocessor,
                        .percent = p.percent,
                        .limiting = joined(p.limiting)});
  out.current = current;
  out.suggested = suggested == current ? -1 : suggested;
  return out;
}

/// The largest block that runs, and the sizes with the most resident threads, the largest first: whole numbers of warps, and
/// the largest block, which need not be one.
void fill_suggested(const Gpu& gpu, const KernelUse& use, occupancy::Curve sizes,
                    const occupancy::SharedBytesOfBlock& by_threads, results::OccupancyInfo& info) {
  info.most_threads = largest_block(gpu.arch, use, sizes, by_threads);
  if (info.most_threads % gpu.arch.limits.warp_lanes != 0) {
    KernelUse largest = use;
    largest.threads_per_block = info.most_threads;
    if (by_threads) largest.dynamic_shared_bytes = by_threads(info.most_threads);
    if (const auto o = occupancy::occupancy(gpu.arch, largest))
      sizes.push_back({.x = info.most_threads,
                       .blocks_per_multiprocessor = o->blocks_per_multiprocessor,
                       .warps_per_multiprocessor = o->warps_per_multiprocessor,
                       .percent = o->percent,
                       .limiting = o->limiting});
    std::ranges::sort(sizes, {}, &occupancy::CurvePoint::x);
  }
  int most = 0;
  for (const occupancy::CurvePoint& p : sizes) most = std::max(most, p.blocks_per_multiprocessor * p.x);
  if (most == 0) return;
  for (auto p = sizes.rbegin(); p != sizes.rend() && info.suggested.size() < most_suggested; ++p) {
    if (p->blocks_per_multiprocessor * p->x < most) continue;
    info.suggested.push_back({.threads = p->x,
                              .blocks = p->blocks_per_multiprocessor,
                              .warps = p->warps_per_multiprocessor,
                              .percent = p->percent,
                              .shared_bytes = by_threads ? by_threads(p->x) : use.dynamic_shared_bytes,
                              .blocks_to_fill = std::int64_t{p->blocks_per_multiprocessor} * gpu.multiprocessors});
  }
}

/// Suggested: the largest number with which one more block is resident.
Expected<void> fill_curves(const Gpu& gpu, const KernelUse& use, const Occupancy& o,
                           const occupancy::SharedBytesOfBlock& by_threads, results::OccupancyInfo& info) {
  const auto registers = curve_over_registers(gpu.arch, use);
  const auto shared = curve_over_shared_memory(gpu.arch, use, shared_step_bytes);
  const auto block = curve_over_block_size(gpu.arch, use, by_threads);
  const auto best = suggest_block(gpu.arch, gpu.multiprocessors, use, by_threads);
  for (const auto* curve : {&registers, &shared, &block})
    if (!*curve) return tl::unexpected(curve->error());
  if (!best) return tl::unexpected(best.error());
  const auto limited_by = [&](Resource r) {
    return std::find(o.limiting.begin(), o.limiting.end(), r) != o.limiting.end();
  };
  const int more = o.blocks_per_multiprocessor + 1;
  const int fewer_registers =
      limited_by(Resource::registers) ? register_ceiling(gpu.arch, use.threads_per_block, more) : 0;
  const int less_shared =
      limited_by(Resource::shared_memory) ? shared_ceiling_bytes(gpu.arch, use, more).value_or(-1) : -1;
  info.curves.push_back(curve_info("registers per thread", "registers", *registers, use.registers_per_thread,
                                   fewer_registers > 0 ? fewer_registers : -1));
  info.curves.push_back(curve_info("shared memory per block", "bytes", *shared,
                                   use.static_shared_bytes + use.dynamic_shared_bytes, less_shared));
  info.curves.push_back(curve_info("threads per block", "threads", *block, use.threads_per_block,
                                   best->threads_per_block > 0 ? best->threads_per_block : -1));
  info.suggested_threads = best->threads_per_block;
  info.suggested_percent = best->percent;
  fill_suggested(gpu, use, *block, by_threads, info);
  return {};
}

void fill_waves(const Gpu& gpu, std::int64_t blocks, const Occupancy& o, results::OccupancyInfo& info) {
  const auto waves = occupancy::lay_out(blocks, gpu.multiprocessors, o.blocks_per_multiprocessor);
  if (!waves) return;  // no grid, or a block that is nowhere resident: `cannot_run` says so
  info.waves = results::WavesInfo{.blocks = waves->blocks,
                                  .waves = waves->waves,
                                  .tail_blocks = waves->tail_blocks,
                                  .multiprocessors = waves->multiprocessors,
                                  .blocks_per_multiprocessor = waves->blocks_per_multiprocessor,
                                  .used_percent = waves->used_percent};
}

Expected<void> fill_in_flight(const Gpu& gpu, const Occupancy& o, const OccupancyChoice& choice,
                              results::OccupancyInfo& info) {
  const auto arithmetic = arithmetic_concurrency(gpu.arch, 1, choice.arithmetic_cycles.value_or(0));
  const auto memory = LS_TRY(memory_concurrency(gpu, choice.bytes_per_thread,
                                                {.latency_cycles = choice.latency_cycles.value_or(0),
                                                 .bandwidth_gb_per_s = choice.bandwidth_gb_per_s.value_or(0)}));
  info.flight = {.arithmetic_cycles = arithmetic.latency_cycles,
                 .memory_cycles = memory.latency_cycles,
                 .bandwidth_gb_per_s = choice.bandwidth_gb_per_s.value_or(gpu.bandwidth_gb_per_s),
                 .bytes_per_thread = choice.bytes_per_thread};
  const auto add = [&](std::string what, bool of_memory, std::string law, std::int64_t needed) {
    const auto h = occupancy::hiding(needed, o.warps_per_multiprocessor);
    info.in_flight.push_back({.what = std::move(what),
                              .of_memory = of_memory,
                              .law = std::move(law),
                              .needed_warps = h.needed_warps,
                              .resident_warps = h.resident_warps,
                              .independent_needed = h.independent_needed});
  };
  add("arithmetic", false,
      fmt::format("{} cycles × {} operations per cycle = {} operations", arithmetic.latency_cycles,
                  arithmetic.operations_per_cycle, number(arithmetic.operations_in_flight)),
      arithmetic.warps_per_multiprocessor);
  add(fmt::format("memory, {} per thread", counted(static_cast<std::uint64_t>(choice.bytes_per_thread), "byte")), true,
      fmt::format("{} cycles × {} bytes per cycle = {} bytes on {} multiprocessors", memory.latency_cycles,
                  number(memory.bytes_per_cycle), number(memory.bytes_in_flight), gpu.multiprocessors),
      memory.warps_per_multiprocessor);
  return {};
}

/// Of the precision that most operations have: their peaks differ.
void fill_roofline(const Gpu& gpu, const results::WorkInfo& work, results::OccupancyInfo& info) {
  const bool wide = work.fp64_operations > work.fp32_operations;
  const std::uint64_t operations = wide ? work.fp64_operations : work.fp32_operations;
  if (operations == 0 || work.global_bytes == 0) return;
  const auto r = occupancy::roofline(gpu, static_cast<double>(operations), static_cast<double>(work.global_bytes),
                                     wide ? occupancy::Precision::fp64 : occupancy::Precision::fp32);
  if (!r) return;
  info.roofline = results::RooflineInfo{.operations_per_byte = r->intensity_operations_per_byte,
                                        .ridge_operations_per_byte = r->ridge_operations_per_byte,
                                        .peak_gop_per_s = r->peak_gop_per_s,
                                        .bandwidth_gb_per_s = r->bandwidth_gb_per_s,
                                        .attainable_gop_per_s = r->attainable_gop_per_s,
                                        .compute_bound = r->bound == occupancy::Bound::compute};
}

void fill_split(const Gpu& gpu, const KernelUse& use, const Occupancy& o, results::OccupancyInfo& info) {
  const occupancy::SharedMemory& s = gpu.arch.shared;
  if (s.split_bytes.empty() || !o.shared_split_bytes) return;
  info.split = results::SplitInfo{.carveout_percent = use.carveout_percent,
                                  .shared_bytes = *o.shared_split_bytes,
                                  .l1_bytes = s.l1_and_shared_bytes - *o.shared_split_bytes,
                                  .choices_bytes = s.split_bytes};
}

/// Wavefronts of the shown launch; each keeps all banks of a multiprocessor for one cycle, however many bytes it serves.
double shared_bytes_moved(const results::Summary& summary, const Gpu& gpu) {
  std::uint64_t wavefronts = 0;
  for (const results::BlockCounters& b : summary.blocks) wavefronts += b.shared_wavefronts;
  return static_cast<double>(wavefronts) * gpu.arch.memory.banks * gpu.arch.memory.bank_bytes;
}

/// The roofs of every memory, and which of them leaves the fewest operations a second.
void fill_roofs(const Gpu& gpu, const results::Summary& summary, results::OccupancyInfo& info) {
  info.peak_gop_per_s = gpu.multiprocessors * gpu.arch.multiprocessor.fp32_lanes * 2 * gpu.multiprocessor_clock_ghz;
  const results::WorkInfo& work = summary.work;
  const auto operations = static_cast<double>(std::max(work.fp32_operations, work.fp64_operations));
  const double peak = info.roofline ? info.roofline->peak_gop_per_s : info.peak_gop_per_s;
  results::RoofInfo* lowest = nullptr;
  for (const occupancy::Bandwidth& b : occupancy::bandwidths(gpu)) {
    results::RoofInfo roof{
        .memory = std::string(occupancy::words(b.memory)), .gb_per_s = b.gb_per_s, .source = b.source};
    // No model of the caches: every sector is taken to come from device memory, through L2.
    roof.bytes = b.memory == occupancy::Memory::shared ? shared_bytes_moved(summary, gpu)
                                                       : static_cast<double>(work.global_bytes);
    if (roof.bytes > 0) roof.operations_per_byte = operations / roof.bytes;
    if (roof.operations_per_byte > 0) roof.attainable_gop_per_s = std::min(peak, roof.operations_per_byte * b.gb_per_s);
    info.roofs.push_back(std::move(roof));
  }
  for (results::RoofInfo& roof : info.roofs)
    if (roof.attainable_gop_per_s > 0 &&
        (lowest == nullptr || roof.attainable_gop_per_s < lowest->attainable_gop_per_s))
      lowest = &roof;
  if (lowest != nullptr) lowest->lowest = true;
}

std::int64_t blocks_of(const results::ResourceInfo& r, const KernelUse& use) {
  const std::uint64_t threads = r.blocks * static_cast<std::uint64_t>(std::max(r.threads_per_block, 0));
  const auto per_block = static_cast<std::uint64_t>(use.threads_per_block);
  return static_cast<std::int64_t>((threads + per_block - 1) / per_block);
}

}  // namespace

Expected<results::OccupancyInfo> occupancy_info(const results::Summary& summary, const OccupancyChoice& choice) {
  const auto gpu = LS_TRY(find_gpu(summary, choice));
  auto use = LS_TRY(use_of(summary.resources, choice));
  const auto by_threads = LS_TRY(shared_by_threads(choice.shared_formula, use.threads_per_block));
  if (by_threads) use.dynamic_shared_bytes = by_threads(use.threads_per_block);
  if (choice.carveout_percent && gpu.arch.shared.split_bytes.empty())
    return failure(fmt::format("shared memory of {} is not part of L1, so it has no carveout", gpu.arch.name),
                   "leave out the carveout, or choose another GPU");
  const auto o = LS_TRY(occupancy::occupancy(gpu.arch, use));
  results::OccupancyInfo info{.gpu = gpu.name,
                              .summary = o.summary,
                              .cannot_run = o.cannot_run,
                              .warps = o.warps_per_multiprocessor,
                              .most_warps = gpu.arch.limits.warps_per_multiprocessor,
                              .warps_per_block = o.warps_per_block,
                              .blocks = o.blocks_per_multiprocessor,
                              .percent = o.percent};
  fill_limiters(gpu, use, o, info);
  if (auto curves = fill_curves(gpu, use, o, by_threads, info); !curves) return tl::unexpected(curves.error());
  fill_waves(gpu, blocks_of(summary.resources, use), o, info);
  if (auto flight = fill_in_flight(gpu, o, choice, info); !flight) return tl::unexpected(flight.error());
  fill_roofline(gpu, summary.work, info);
  fill_roofs(gpu, summary, info);
  fill_split(gpu, use, o, info);
  return info;
}

std::vector<std::string> gpu_names() {
  std::vector<std::string> names;
  if (const auto& table = occupancy::gpu_table())
    for (const Gpu& g : table->gpus) names.push_back(g.name);
  return names;
}

std::vector<std::string> arch_names() {
  std::vector<std::string> names;
  if (const auto& table = occupancy::gpu_table())
    for (const occupancy::Arch& a : table->archs) names.push_back(a.name);
  return names;
}

std::string table_name(const std::string& device) {
  const auto& table = occupancy::gpu_table();
  if (!table || device.empty()) return {};
  const auto gpu = table->gpu(device);
  return gpu ? gpu->name : std::string();
}

Expected<std::string> default_gpu(const std::string& arch) {
  const auto& table = occupancy::gpu_table();
  if (!table) return tl::unexpected(table.error());
  const auto wanted = LS_TRY(table->arch(arch));
  const Gpu* best = nullptr;
  for (const Gpu& g : table->gpus)
    if (g.arch.name == wanted.name && (best == nullptr || g.bandwidth_gb_per_s > best->bandwidth_gb_per_s)) best = &g;
  if (best == nullptr)
    return failure(fmt::format("the table has no GPU with architecture {}", wanted.name),
                   fmt::format("choose one of: {}", fmt::join(gpu_names(), ", ")));
  return best->name;
}

ShownMemory shown_memory(const std::string& arch, const std::string& gpu) {
  const Expected<occupancy::GpuTable>& table = occupancy::gpu_table();
  if (!table) return {.memory = access::h200_memory()};
  if (gpu.starts_with("sm_"))
    if (const Expected<occupancy::Arch> named = table->arch(gpu)) return {.arch = named->name, .memory = named->memory};
  if (!gpu.empty())
    if (const Expected<occupancy::Gpu> named = table->gpu(gpu))
      return {.arch = named->arch.name, .memory = named->arch.memory};
  if (const Expected<occupancy::Arch> named = table->arch(arch)) return {.arch = named->name, .memory = named->memory};
  return {.memory = access::h200_memory()};
}

}  // namespace lanescope::engine
