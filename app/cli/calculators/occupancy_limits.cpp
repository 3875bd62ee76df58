#include "app/cli/calculators/calculators.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "app/cli/answers/answer.h"
#include "kernels/base/json_fields.h"
#include "kernels/base/numbers.h"
#include "profiling/occupancy/gpu_table.h"
#include "profiling/occupancy/roofline.h"

namespace lanescope::cli {
namespace {

using nlohmann::json;
using occupancy::Arch;
using occupancy::Gpu;

/// One fact with its unit and its source.
struct Fact {
  std::string group, name;
  json value;  ///< null: not known
  std::string unit{}, source{};
};

class Facts {
 public:
  void from(std::string group, std::string source) { group_ = std::move(group), source_ = std::move(source); }
  void add(std::string name, json value, std::string unit = {}) {
    all_.push_back({group_, std::move(name), std::move(value), std::move(unit), source_});
  }
  void unknown_if(bool unknown, std::string name, json value, std::string unit) {
    const std::string source = std::exchange(source_, unknown ? "no source was found" : source_);
    add(std::move(name), unknown ? json() : std::move(value), std::move(unit));
    source_ = source;
  }
  std::vector<Fact> take() { return std::move(all_); }

 private:
  std::string group_, source_;
  std::vector<Fact> all_;
};

void add_arch(Facts& f, const Arch& a) {
  f.from("block and grid", a.launch.source);
  f.add("largest block, x y z", {a.launch.block_x, a.launch.block_y, a.launch.block_z}, "threads");
  f.add("largest grid, x y z", {a.launch.grid_x, a.launch.grid_y, a.launch.grid_z}, "blocks");
  f.add("constant memory", a.launch.constant_bytes, "bytes");
  f.from("multiprocessor", a.limits.source);
  f.add("lanes of a warp", a.limits.warp_lanes);
  f.add("threads per block", a.limits.threads_per_block);
  f.add("threads per multiprocessor", a.limits.threads_per_multiprocessor);
  f.add("warps per multiprocessor", a.limits.warps_per_multiprocessor);
  f.add("blocks per multiprocessor", a.limits.blocks_per_multiprocessor);
  if (a.limits.barriers_per_multiprocessor > 0)
    f.add("barriers per multiprocessor", a.limits.barriers_per_multiprocessor);
  f.from("registers", a.registers.source);
  f.add("registers per multiprocessor", a.registers.per_multiprocessor, "of 32 bits");
  f.add("registers per block", a.registers.per_block, "of 32 bits");
  f.add("registers per thread", a.registers.per_thread, "of 32 bits");
  f.add(a.registers.per_block_allocation ? "allocation unit of a block's registers" : "allocation unit of a warp",
        a.registers.allocation_unit, "registers");
  f.from("shared memory", a.shared.source);
  f.add("shared memory per multiprocessor", a.shared.per_multiprocessor_bytes, "bytes");
  f.add("shared memory per block", a.shared.per_block_bytes, "bytes");
  f.add("shared memory per block, opt-in", a.shared.opt_in_per_block_bytes, "bytes");
  f.add("reserved by the driver per block", a.shared.reserved_per_block_bytes, "bytes");
  f.add("allocation unit of a block", a.shared.allocation_unit_bytes, "bytes");
  if (!a.shared.split_bytes.empty()) {
    f.add("shared memory and L1 together", a.shared.l1_and_shared_bytes, "bytes");
    f.add("sizes of shared memory (carveout)", a.shared.split_bytes, "bytes");
  }
  const occupancy::TextureLimits& t = a.texture;
  const bool no_texture = t.source.empty();
  f.from("textures", t.source);
  f.unknown_if(no_texture, "largest 1-D texture", t.width_1d, "texels");
  f.unknown_if(no_texture, "largest 2-D texture, x y", {t.width_2d, t.height_2d}, "texels");
  f.unknown_if(no_texture, "largest 3-D texture, x y z", {t.width_3d, t.height_3d, t.depth_3d}, "texels");
  f.unknown_if(no_texture, "largest layered 1-D texture, x and layers", {t.layered_1d_width, t.layered_1d_layers}, {});
  f.unknown_if(no_texture, "largest layered 2-D texture, x y and layers",
               {t.layered_2d_width, t.layered_2d_height, t.layered_2d_layers}, "");
  f.unknown_if(t.memory_pitch_bytes == 0, "largest pitch of a copy", t.memory_pitch_bytes, "bytes");
  f.unknown_if(t.alignment_bytes == 0, "alignment of textures", t.alignment_bytes, "bytes");
  if (a.read_only.per_multiprocessor > 0) {
    f.from("read-only path", a.read_only.source);
    f.add("read-only caches per multiprocessor", a.read_only.per_multiprocessor);
    f.add("each read-only cache", a.read_only.bytes_each, "bytes");
    f.add("read-only caches together", a.read_only.per_multiprocessor * a.read_only.bytes_each, "bytes");
  }
  f.from("memory access", a.memory.source);
  f.add("banks of shared memory", a.memory.banks);
  f.add("width of a bank", a.memory.bank_bytes, "bytes");
  f.add("time of a bank for its word", a.memory.bank_cycles, a.memory.bank_cycles == 1 ? "cycle" : "cycles");
  f.add("sector", a.memory.sector_bytes, "bytes");
  f.add("cache line", a.memory.line_bytes, "bytes");
  f.add("global loads in L1 by default", a.memory.global_loads_in_l1);
  f.from("arithmetic", a.multiprocessor.source);
  f.add("warp schedulers", a.multiprocessor.partitions);
  f.add("cores (single precision) per multiprocessor", a.multiprocessor.fp32_lanes);
  if (a.multiprocessor.fp64_ratio > 0)
    f.add("single-precision operations for one of double precision", a.multiprocessor.fp64_ratio);
  else
    f.add("double precision", false);
  f.from("latency", a.latency.source);
  f.add("latency of arithmetic", a.latency.arithmetic_cycles, "cycles");
  f.add("latency of memory", a.latency.memory_cycles, "cycles");
}

void add_gpu(Facts& f, const Gpu& g) {
  f.from("GPU", g.source);
  f.add("multiprocessors", g.multiprocessors);
  f.add("cores (single precision)", g.multiprocessors * g.arch.multiprocessor.fp32_lanes);
  f.add("clock of the multiprocessors", g.multiprocessor_clock_ghz, "GHz");
  f.add("clock of the memory", g.memory_clock_ghz, "GHz");
  f.add("bandwidth of device memory", g.bandwidth_gb_per_s, "GB/s");
  f.from("memory", g.memory.source.empty() ? "no source was found" : g.memory.source);
  f.unknown_if(g.memory.bytes == 0, "device memory", g.memory.bytes, "bytes");
  f.unknown_if(g.memory.bus_bits == 0, "width of the memory bus", g.memory.bus_bits, "bits");
  if (g.arch.memory.half_warps != access::HalfWarps::none)
    f.from("memory", g.arch.memory.source), f.add("L2", 0, "bytes");
  else
    f.unknown_if(g.memory.l2_bytes == 0, "L2", g.memory.l2_bytes, "bytes");
  const double peak = 2.0 * g.multiprocessors * g.arch.multiprocessor.fp32_lanes * g.multiprocessor_clock_ghz;
  f.from("peak rates", "computed: multiprocessors x cores x 2 (a fused multiply-add) x clock");
  f.add("peak of single precision", peak, "Gop/s");
  if (g.arch.multiprocessor.fp64_ratio > 0)
    f.add("peak of double precision", peak / g.arch.multiprocessor.fp64_ratio, "Gop/s");
  bool l2 = false;
  for (const occupancy::Bandwidth& b : occupancy::bandwidths(g)) {
    if (b.memory == occupancy::Memory::device) continue;
    l2 = l2 || b.memory == occupancy::Memory::l2;
    f.from("peak rates", b.source);
    f.add(fmt::format("bandwidth of {}", occupancy::words(b.memory)), b.gb_per_s, "GB/s");
  }
  if (!l2 && g.arch.memory.half_warps == access::HalfWarps::none)
    f.from("peak rates", "no source was found"), f.add("bandwidth of L2", json(), "GB/s");
}

std::string text_of(const json& value) {
  if (value.is_null()) return "not known";
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
  if (value.is_number()) return spaced(value.get<std::uint64_t>());
  std::vector<std::string> parts;
  for (const json& one : value) parts.push_back(text_of(one));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

int list_limits(const std::string& gpu, const std::string& arch, bool as_json) {
  const auto refuse = [&](const Diagnostics& why) { return print({.status = bad_input, .diagnostics = why}, as_json); };
  const auto& table = occupancy::gpu_table();
  if (!table) return refuse(table.error());
  Facts facts;
  json out;
  if (!gpu.empty() || arch.empty()) {
    const auto found = table->gpu(gpu.empty() ? "H200" : gpu);
    if (!found) return refuse(found.error());
    out = fields("gpu", found->name, "arch", found->arch.name, "generation", found->arch.generation);
    add_gpu(facts, *found);
    add_arch(facts, found->arch);
  } else {
    const auto found = table->arch(arch);
    if (!found) return refuse(found.error());
    out = fields("arch", found->name, "generation", found->generation);
    add_arch(facts, *found);
  }
  const std::vector<Fact> all = facts.take();
  if (as_json) {
    for (const Fact& f : all) {
      json one = fields("group", f.group, "name", f.name, "source", f.source);
      if (!f.value.is_null()) one["value"] = f.value;
      put_known(one, "unit", f.unit);
      out["limits"].push_back(std::move(one));
    }
    say(out);
    return all_good;
  }
  say("{}{} ({})\n", out.contains("gpu") ? out["gpu"].get<std::string>() + ", " : "", out["arch"].get<std::string>(),
      out["generation"].get<std::string>());
  std::string source;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Fact& f = all[i];
    say("  {:<56} {} {}\n", f.name, text_of(f.value), f.value.is_null() ? "" : f.unit);
    if (i + 1 == all.size() || all[i + 1].source != f.source || all[i + 1].group != f.group)
      say("      source: {}\n", f.source);
  }
  return all_good;
}

}  // namespace lanescope::cli
