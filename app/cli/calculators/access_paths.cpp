#include "app/cli/calculators/calculators.h"

#include <fmt/compile.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "profiling/occupancy/gpu_table.h"

namespace lanescope::cli {
namespace {

using access::LoadPath;
using trace::MemorySpace;

Expected<void> choose_memory(const std::string& name, AccessRoute& route) {
  const Expected<occupancy::GpuTable>& table = occupancy::gpu_table();
  if (!table) return tl::unexpected(table.error());
  const occupancy::Arch arch = LS_TRY(table->arch_of(name));
  route.arch = arch.name, route.memory = arch.memory;
  return {};
}

Expected<void> choose_path(const AccessOptions& o, AccessRoute& route) {
  if (o.path.empty()) return {};
  if (o.path == "constant") {
    if (!o.space.empty() && o.space != "constant")
      return failure(fmt::format("the path constant is that of constant memory, not of {} memory", o.space),
                     "use --space constant");
    route.space = MemorySpace::constant;
    return {};
  }
  const std::optional<LoadPath> named = access::load_path_of(o.path);
  if (!named)
    return failure(fmt::format("there is no path '{}'", o.path),
                   "the paths are caching, non-caching, read-only and constant");
  if (route.space != MemorySpace::global)
    return failure("paths are of global memory", "leave --path out, or use --space global");
  if (o.op == "st" && *named != LoadPath::non_caching)
    return failure(fmt::format("stores do not take the {} path: they go to L2", o.path), "use --path non-caching");
  if (!access::exists(*named, route.memory))
    return failure(fmt::format("{} has no {} path", route.arch.empty() ? "sm_90" : route.arch, o.path),
                   *named == LoadPath::read_only                        ? "it came with sm_35"
                   : route.memory.half_warps != access::HalfWarps::none ? "it has no L1; use --path non-caching"
                                                                        : "its loads of global memory go to L2");
  route.path = *named;
  return {};
}

void append_path(std::string& out, const AccessRoute& route, const access::Access& p) {
  const access::Traffic t = access::traffic(p, *route.path, route.memory);
  const auto at = std::back_inserter(out);
  if (route.memory.half_warps != access::HalfWarps::none) {
    fmt::format_to(at,
                   FMT_COMPILE(R"("requests":{},"transactions":{},"transactions_of_32":{},"transactions_of_64":{},)"
                               R"("transactions_of_128":{},"bytes_wanted":{},"bytes_moved":{},)"
                               R"("utilisation_percent":{:.4g})"),
                   t.requests, t.transactions, t.by_size[0], t.by_size[1], t.by_size[2], t.bytes_wanted, t.bytes_moved,
                   t.utilisation_percent());
    return;
  }
  // The read-only path requests in queries of a few lanes; each piece is missed once.
  if (*route.path == LoadPath::read_only && route.memory.read_only_query_lanes > 0)
    fmt::format_to(at, FMT_COMPILE(R"("requests":{},"queries":{},"query_lanes":{},"misses":{},"replays":{},)"),
                   t.requests, t.transactions, route.memory.read_only_query_lanes, t.segments, t.replays);
  else
    fmt::format_to(at, FMT_COMPILE(R"("requests":{},"transactions":{},"replays":{},"segments":{},)"), t.requests,
                   t.transactions, t.replays, t.segments);
  fmt::format_to(at,
                 FMT_COMPILE(R"("segment_bytes":{},"bytes_wanted":{},"bytes_moved":{},"utilisation_percent":{:.4g})"),
                 t.segment_bytes, t.bytes_wanted, t.bytes_moved, t.utilisation_percent());
}

}  // namespace

std::optional<MemorySpace> access_space(std::string_view name) {
  if (name == "shared") return MemorySpace::shared;
  if (name == "global") return MemorySpace::global;
  if (name == "constant") return MemorySpace::constant;
  if (name == "local") return MemorySpace::local;
  return std::nullopt;
}

Expected<AccessRoute> access_route(const AccessOptions& o) {
  AccessRoute route;
  const std::string space = o.space.empty() && !o.path.empty() ? "global" : o.space;
  const std::optional<MemorySpace> named = access_space(space);
  if (!named)
    return failure(fmt::format("the space '{}' is neither shared, global, constant nor local", space),
                   "see lanescope access --help");
  route.space = *named;
  if (!o.gpu.empty())
    if (auto chosen = choose_memory(o.gpu, route); !chosen) return tl::unexpected(chosen.error());
  if (auto chosen = choose_path(o, route); !chosen) return tl::unexpected(chosen.error());
  if (route.memory.half_warps != access::HalfWarps::none) {
    if (route.space == MemorySpace::shared || route.space == MemorySpace::local)
      return failure(fmt::format("how {} serves {} memory is not known: {}", route.arch, space,
                                 route.space == MemorySpace::shared
                                     ? "the programming guide leaves open which word is broadcast"
                                     : "the programming guide does not describe how local memory is interleaved"),
                     "use --space global, or a later architecture");
    if (route.space == MemorySpace::global && !route.path) route.path = LoadPath::non_caching;  // the only way
  }
  if (route.space == MemorySpace::constant && o.op == "st")
    return failure("kernels cannot store to constant memory", "use --op ld");
  return route;
}

AccessRoute with_default_path(AccessRoute route, const access::Access& access) {
  if (route.space != MemorySpace::global || route.path || !route.memory.replays) return route;
  route.path = access.reads() && route.memory.global_loads_in_l1 ? LoadPath::caching : LoadPath::non_caching;
  return route;
}

void append_cost(std::string& out, const AccessRoute& route, const access::Access& p) {
  if (route.path) return append_path(out, route, p);
  const access::Cost c = access::cost(p, route.memory);
  const auto at = std::back_inserter(out);
  if (p.space == MemorySpace::shared)
    fmt::format_to(at, FMT_COMPILE(R"("requests":{},"wavefronts":{},"ideal_wavefronts":{},"bank_conflicts":{})"),
                   c.requests, c.wavefronts, c.ideal_wavefronts, c.bank_conflicts);
  else if (p.space == MemorySpace::constant)
    fmt::format_to(at, FMT_COMPILE(R"("requests":{},"words":{},"broadcasts":{},"replays":{})"), c.requests, c.words,
                   c.broadcasts, c.replays());
  else
    fmt::format_to(at,
                   FMT_COMPILE(R"("requests":{},"sectors":{},"lines":{},"ideal_sectors":{},"bytes_wanted":{},)"
                               R"("bytes_moved":{})"),
                   c.requests, c.sectors, c.lines, c.ideal_sectors, c.bytes_wanted, c.bytes_moved);
}

}  // namespace lanescope::cli
