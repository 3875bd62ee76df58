#include "kernels/explain/explain.h"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/base/enum_size.h"
#include "kernels/base/numbers.h"
#include "profiling/access/traffic.h"

namespace lanescope::explain {
namespace {

using access::LoadPath;

/// Whose local memory is held in L2 only: compute capability 5.x and 6.x (CUDA C++ Programming Guide, "Local Memory").
constexpr std::array<std::string_view, 4> local_memory_past_l1{"sm_50", "sm_52", "sm_60", "sm_61"};

enum class Stop : std::uint8_t {
  device,
  l2,
  l2_computes,
  l1,
  l1_and_read_only,
  read_only_cache,
  constant_cache,
  texture_cache,
  shared,
  cluster,
  registers,
  addressed
};
constexpr std::string_view stop_words[] = {"device memory",
                                           "L2",
                                           "L2 (computed there)",
                                           "L1",
                                           "L1 (which is the read-only cache)",
                                           "read-only cache",
                                           "constant cache",
                                           "texture cache",
                                           "shared memory",
                                           "shared memory of a block of the cluster",
                                           "registers",
                                           "the memory that the address belongs to"};

/// A route under construction.
struct Draft : Route {
  /// L1 and L2; not on compute capability 1.x (CUDA C Programming Guide, edition 4.2, F.3.1).
  bool has_caches = true;
  std::vector<Stop> way{};

  void remark(std::string words) { remarks.push_back(std::move(words)); }
  void cache_remark(std::string words) {
    if (has_caches) remark(std::move(words));
  }
  void name_stops() {
    for (const Stop stop : way) {
      if (!has_caches && stop == Stop::l2_computes)
        stops.emplace_back("device memory (computed there)");
      else if (has_caches || (stop != Stop::l1 && stop != Stop::l2))
        stops.emplace_back(entry_for(stop_words, stop));
    }
  }
};

/// Lanes side by side from an aligned start.
access::Access side_by_side(const AccessWords& a, trace::MemorySpace space = trace::MemorySpace::global) {
  access::Access p{.space = space,
                   .kind = a.motion == Motion::store ? trace::AccessKind::store : trace::AccessKind::load,
                   .width_bytes = a.width_bytes};
  for (std::size_t lane = 0; lane < 32; ++lane) p.addresses[lane] = lane * static_cast<std::uint64_t>(a.width_bytes);
  return p;
}

bool usual_width(int bytes) { return bytes >= 1 && bytes <= 16 && std::has_single_bit(static_cast<unsigned>(bytes)); }

std::string pieces_words(int bytes, const access::MemoryModel& m) {
  return fmt::format("{} of {} bytes", bytes == m.line_bytes ? "lines" : "sectors", bytes);
}

/// Bytes that a warp moves in pieces of so many bytes if its lanes are side by side.
std::string warp_words(const AccessWords& a, LoadPath path, int piece_bytes, const access::MemoryModel& m) {
  if (a.width_bytes <= 0) return {};
  const int bytes = 32 * a.width_bytes;
  std::string words = fmt::format("32 lanes side by side: {} bytes, ", spaced(static_cast<std::uint64_t>(bytes)));
  if (!usual_width(a.width_bytes))
    return words + counted(static_cast<std::uint64_t>((bytes + piece_bytes - 1) / piece_bytes), "sector");
  const access::Traffic t = access::traffic(side_by_side(a), path, m);
  if (m.half_warps != access::HalfWarps::none) {
    std::vector<std::string> sizes;
    for (std::size_t n = 0; n < t.by_size.size(); ++n)
      if (t.by_size[n] > 0)
        sizes.push_back(fmt::format("{} of {} bytes", counted(t.by_size[n], "transaction"), 32 << n));
    return words + fmt::format("{}", fmt::join(sizes, " and "));
  }
  words += counted(t.segments, piece_bytes == m.line_bytes ? "line" : "sector");
  if (m.replays && path != LoadPath::read_only) words += fmt::format(" in {}", counted(t.transactions, "transaction"));
  if (t.replays > 0) words += fmt::format(", {}", counted(t.replays, "replay"));
  return words;
}

void in_pieces(Draft& route, const AccessWords& a, LoadPath path, const access::MemoryModel& m) {
  const int bytes = path == LoadPath::caching     ? m.cached_load_transaction_bytes
                    : path == LoadPath::read_only ? std::max(m.read_only_query_bytes, 0)
                                                  : m.uncached_load_transaction_bytes;
  route.transaction_bytes = bytes > 0 ? bytes : m.sector_bytes;
  route.transaction = m.half_warps != access::HalfWarps::none ? "transactions of 32, 64 and 128 bytes, by half warp"
                                                              : pieces_words(route.transaction_bytes, m);
  route.warp = warp_words(a, path, route.transaction_bytes, m);
  route.source = m.source;
}

/// "Hopper (sm_90)"
std::string here(const Generation& g) { return fmt::format("{} ({})", g.name, g.arch); }

void load_from_global(Draft& route, const AccessWords& a, const Generation& g) {
  const access::MemoryModel& m = g.memory;
  if (a.read_only && m.read_only_path) {
    // Where L1 holds global loads, it and the read-only cache are one.
    const bool one_cache = m.global_loads_in_l1 && m.read_only_query_bytes == 0;
    route.way = {Stop::device, Stop::l2, one_cache ? Stop::l1_and_read_only : Stop::read_only_cache, Stop::registers};
    in_pieces(route, a, LoadPath::read_only, m);
    return;
  }
  if (a.read_only) route.remark(fmt::format("{} has no read-only path: an ordinary load", here(g)));
  const bool asked = a.cache_operator == "ca";
  const bool past = a.cache_operator == "cg" || a.cache_operator == "cv" || a.strong;
  const bool in_l1 = !past && (m.global_loads_in_l1 || (asked && m.global_loads_in_l1_on_request));
  route.way = {Stop::device, Stop::l2};
  if (in_l1) route.way.push_back(Stop::l1);
  route.way.push_back(Stop::registers);
  in_pieces(route, a, in_l1 ? LoadPath::caching : LoadPath::non_caching, m);
  if (past && a.strong && a.cache_operator.empty()) route.cache_remark("L1 may hold an old value, so it is bypassed");
  if (!past && !in_l1 && m.half_warps == access::HalfWarps::none)
    route.remark(m.global_loads_in_l1_on_request
                     ? fmt::format("{} keeps global loads in L1 only on request (ld.ca, -Xptxas -dlcm=ca)", here(g))
                     : fmt::format("{} does not keep global loads in L1", here(g)));
  if (in_l1 && a.cache_operator.empty())
    route.cache_remark("without a cache operator -Xptxas -dlcm=cg would send it past L1");
  if (in_l1 && a.no_allocate) route.cache_remark("a miss makes no room in L1");
  if (a.cache_operator == "cs" || a.cache_operator == "lu") route.remark("its lines are the first to be evicted");
  if (a.cache_operator == "cv") route.cache_remark("memory of the host is fetched again, past a matching line of L2");
}

void global(Draft& route, const AccessWords& a, const Generation& g) {
  const access::MemoryModel& m = g.memory;
  switch (a.motion) {
    case Motion::load:
      return load_from_global(route, a, g);
    case Motion::store:
      route.way = {Stop::registers, Stop::l2, Stop::device};
      in_pieces(route, a, LoadPath::non_caching, m);
      route.cache_remark(a.cache_operator == "wt" ? "written through L2 to memory"
                                                  : "stores go to L2; device memory gets them when L2 evicts them");
      if (a.cache_operator == "cs") route.remark("its lines are the first to be evicted");
      return;
    case Motion::atomic:
    case Motion::reduction:
      route.way = a.motion == Motion::atomic ? std::vector{Stop::registers, Stop::l2_computes, Stop::registers}
                                             : std::vector{Stop::registers, Stop::l2_computes};
      in_pieces(route, a, LoadPath::non_caching, m);
      route.warp.clear();
      route.remark("lanes that access one address take turns");
      return;
    case Motion::copy_to_shared: {
      const bool l1 = !a.bulk && a.cache_operator != "cg";
      route.way = {Stop::device, Stop::l2};
      if (l1) route.way.push_back(Stop::l1);
      route.way.push_back(Stop::shared);
      in_pieces(route, a, l1 ? LoadPath::caching : LoadPath::non_caching, m);
      route.remark(a.bulk ? "the copy engine moves it; no register and no lane takes part" : "no register takes part");
      return;
    }
    case Motion::prefetch:
      route.way = {Stop::device, Stop::l2};
      if (a.cache_operator == "L1") route.way.push_back(Stop::l1);
      in_pieces(route, a, LoadPath::non_caching, m);
      route.warp.clear();
      return;
  }
}

void shared(Draft& route, const AccessWords& a, const access::MemoryModel& m) {
  const Stop memory = a.memory == Memory::cluster ? Stop::cluster : Stop::shared;
  const bool in = a.motion == Motion::load;
  route.way = in ? std::vector{memory, Stop::registers} : std::vector{Stop::registers, memory};
  if (a.motion == Motion::atomic) route.way.push_back(Stop::registers);
  route.transaction_bytes = m.banks * m.bank_bytes;
  route.transaction = fmt::format("wavefronts of {} banks of {} bytes", m.banks, m.bank_bytes);
  route.source = m.source;
  route.remark(a.motion == Motion::atomic || a.motion == Motion::reduction
                   ? "lanes that access one bank take turns"
                   : "lanes that need different words of one bank take turns (bank conflict)");
  if (usual_width(a.width_bytes) && (a.motion == Motion::load || a.motion == Motion::store))
    route.warp =
        fmt::format("32 lanes side by side: {} bytes, {}", 32 * a.width_bytes,
                    counted(access::cost(side_by_side(a, trace::MemorySpace::shared), m).wavefronts, "wavefront"));
}

void local(Draft& route, const AccessWords& a, const Generation& g) {
  const access::MemoryModel& m = g.memory;
  const bool in_l1 = std::ranges::find(local_memory_past_l1, g.arch) == local_memory_past_l1.end();
  route.way = in_l1 ? std::vector{Stop::device, Stop::l2, Stop::l1, Stop::registers}
                    : std::vector{Stop::device, Stop::l2, Stop::registers};
  if (a.motion != Motion::load) std::ranges::reverse(route.way);
  route.transaction_bytes = in_l1 ? m.cached_load_transaction_bytes : m.uncached_load_transaction_bytes;
  route.transaction = pieces_words(route.transaction_bytes, m);
  if (usual_width(a.width_bytes)) {
    access::Access p = side_by_side(a, trace::MemorySpace::local);
    p.addresses.fill(0);
    route.warp = fmt::format("32 lanes at the same offset: {} bytes, {}", 32 * a.width_bytes,
                             counted(access::cost(p, m).sectors, "sector"));
  }
  route.remark("word w of all lanes lies side by side, so lanes at the same offset are neighbours");
  route.source = m.source;
}

}  // namespace

std::string Route::words() const { return fmt::format("{}", fmt::join(stops, " → ")); }

Route route_of(const AccessWords& a, const Generation& g) {
  const bool half_warps = g.memory.half_warps != access::HalfWarps::none;
  Draft route{{}, !half_warps};
  switch (a.memory) {
    case Memory::global:
      global(route, a, g);
      break;
    case Memory::shared:
    case Memory::cluster:
      shared(route, a, g.memory);
      break;
    case Memory::local:
      local(route, a, g);
      break;
    case Memory::constant:
      route.way = {Stop::device, Stop::l2, Stop::constant_cache, Stop::registers};
      route.transaction = "one address at a time, given to all lanes that request it";
      route.remark(a.parameter ? "arguments of a kernel lie in constant memory; those of a function are "
                                 "registers or on its stack"
                               : "lanes with different addresses take turns");
      break;
    case Memory::texture:
      route.way = {Stop::device, Stop::l2, Stop::texture_cache, Stop::registers};
      route.remark("the coordinates decide which texels are read");
      break;
    case Memory::generic:
      route.way = {Stop::addressed};
      route.remark("a generic address: windows of it stand for shared and local memory, all else is global memory");
      break;
  }
  const bool on_chip = a.memory == Memory::shared || a.memory == Memory::cluster || a.memory == Memory::generic;
  route.name_stops();
  if (half_warps && !on_chip) route.remark(fmt::format("{} has neither L1 nor L2", here(g)));
  // Which word is broadcast is left open there (access/traffic.h): no count.
  if (half_warps && on_chip) route.warp.clear();
  return route;
}

}  // namespace lanescope::explain
