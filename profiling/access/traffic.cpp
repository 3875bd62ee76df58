#include "profiling/access/traffic.h"

#include <iterator>

#include "kernels/base/enum_size.h"
#include "profiling/access/lanes.h"

namespace lanescope::access {
namespace {

/// Sum over groups of `lanes` lanes of the distinct pieces that each touches.
std::uint32_t pieces_per_group(const Access& access, int shift, int lanes) {
  std::uint32_t sum = 0;
  for (int begin = 0; begin < 32; begin += lanes) sum += distinct_pieces(access, shift, lane_range(begin, lanes));
  return sum;
}

std::uint32_t groups_with_active_lanes(std::uint32_t mask, int lanes) {
  std::uint32_t groups = 0;
  for (int begin = 0; begin < 32; begin += lanes) groups += (mask & lane_range(begin, lanes)) != 0 ? 1 : 0;
  return groups;
}

Traffic read_only_traffic(Traffic t, const Access& access, const MemoryModel& model) {
  const int bytes = model.read_only_query_bytes > 0 ? model.read_only_query_bytes : model.sector_bytes;
  const int lanes = model.read_only_query_lanes > 0 ? model.read_only_query_lanes : 32;
  const int shift = shift_of(bytes);
  t.requests = 1;
  t.transactions = pieces_per_group(access, shift, lanes);
  t.segments = distinct_pieces(access, shift);
  t.segment_bytes = static_cast<std::uint32_t>(bytes);
  t.bytes_moved = t.segments * t.segment_bytes;
  return t;
}

/// No replays: the guide does not mention any.
Traffic half_warp_traffic(Traffic t, const Access& access, HalfWarps rule) {
  t.requests = groups_with_active_lanes(access.mask, 16);
  for (const Transaction& one : half_warp_transactions(access, rule)) {
    ++t.transactions;
    t.bytes_moved += one.bytes;
    ++t.by_size[static_cast<std::size_t>(std::countr_zero(one.bytes) - 5)];
  }
  t.segments = t.transactions;
  return t;
}

}  // namespace

namespace {
constexpr std::string_view path_names[] = {"caching", "non-caching", "read-only"};
}

std::string_view name_of(LoadPath path) { return entry_for(path_names, path); }

std::optional<LoadPath> load_path_of(std::string_view name) {
  const auto* const at = std::ranges::find(path_names, name);
  return at == std::end(path_names) ? std::nullopt
                                    : std::optional(static_cast<LoadPath>(std::distance(std::begin(path_names), at)));
}

bool exists(LoadPath path, const MemoryModel& model) {
  switch (path) {
    case LoadPath::caching:
      return model.global_loads_in_l1 || model.global_loads_in_l1_on_request;
    case LoadPath::non_caching:
      return true;
    case LoadPath::read_only:
      return model.read_only_path;
  }
  return false;
}

Traffic traffic(const Access& access, LoadPath path, const MemoryModel& model) {
  Traffic t{.bytes_wanted = distinct_pieces(access, 0)};
  if (access.mask == 0 || !exists(path, model)) return t;
  if (path == LoadPath::read_only) return read_only_traffic(t, access, model);
  if (model.half_warps != HalfWarps::none) return half_warp_traffic(t, access, model.half_warps);

  const int bytes =
      path == LoadPath::caching ? model.cached_load_transaction_bytes : model.uncached_load_transaction_bytes;
  t.segment_bytes = static_cast<std::uint32_t>(bytes);
  t.segments = distinct_pieces(access, shift_of(bytes));
  t.bytes_moved = t.segments * t.segment_bytes;
  if (!model.replays) {
    t.requests = 1;
    t.transactions = t.segments;
    return t;
  }
  // A transaction transfers all requested parts of one line: the line itself, or 1 to 4 of its segments.
  const int lanes = lanes_per_request(access.width_bytes);
  t.requests = groups_with_active_lanes(access.mask, lanes);
  t.transactions = pieces_per_group(access, shift_of(model.line_bytes), lanes);
  t.replays = t.transactions - 1;
  return t;
}

const MemoryModel& classic_memory() {
  static const MemoryModel model{.shared_loads_merge = false,
                                 .cached_load_transaction_bytes = 128,
                                 .uncached_load_transaction_bytes = 32,
                                 .replays = true,
                                 .read_only_path = true,
                                 .read_only_query_bytes = 32,
                                 .read_only_query_lanes = 4,
                                 .source = "\"GPU memory and shuffle\" (KAUST): GMEM reads, read-only cache"};
  return model;
}

}  // namespace lanescope::access
