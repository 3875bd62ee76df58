#include <tuple>

#include "profiling/access/lanes.h"

namespace lanescope::access {

const MemoryModel& h200_memory() {
  static const MemoryModel model;
  return model;
}

double bus_utilisation_percent(std::uint64_t bytes_wanted, std::uint64_t bytes_moved) {
  return bytes_moved == 0 ? 0 : 100.0 * static_cast<double>(bytes_wanted) / static_cast<double>(bytes_moved);
}

Sum& Sum::operator+=(const Sum& o) {
  requests += o.requests, sectors += o.sectors, ideal_sectors += o.ideal_sectors, lines += o.lines;
  bytes_wanted += o.bytes_wanted, bytes_moved += o.bytes_moved, passes += o.passes;
  wavefronts += o.wavefronts, ideal_wavefronts += o.ideal_wavefronts, bank_conflicts += o.bank_conflicts;
  bytes_requested += o.bytes_requested, broadcasts += o.broadcasts;
  return *this;
}

Sum times(Sum sum, std::uint64_t number) {
  Sum out;
  for (; number > 0; number >>= 1) {
    if ((number & 1) != 0) out += sum;
    sum += Sum(sum);
  }
  return out;
}

namespace {

/// Of an event or of a record of it.
Access from(const auto& r, std::uint32_t mask) {
  Access a{.space = r.space, .kind = r.kind, .width_bytes = r.width_bytes, .mask = mask, .matrices = r.matrix};
  a.turns = r.turns;
  std::copy_n(r.addresses.begin(), std::min<std::size_t>(r.addresses.size(), 32), a.addresses.begin());
  return a;
}

}  // namespace

Access access_of(const trace::AccessEvent& event) {
  Access a = from(event, event.where.active);
  if (!event.destinations.empty()) std::copy_n(event.destinations.begin(), 32, a.destinations.emplace().begin());
  return a;
}

Access access_of(const trace::AccessRecord& record) {
  Access a = from(record, record.mask);
  a.destinations = record.destinations;
  return a;
}

namespace {

/// Any widths and addresses: in ascending order, one sweep for all three.
void sweep(Cost& cost, GatheredLanes lanes, std::uint64_t width, int sector, int line) {
  lanes.sort();
  Sweep bytes, sectors, lines;
  for (const std::uint64_t first : lanes) {
    const std::uint64_t last = first + width - 1;
    bytes.touch(first, last);
    sectors.touch(first >> sector, last >> sector);
    lines.touch(first >> line, last >> line);
  }
  cost.bytes_wanted = bytes.distinct(), cost.sectors = sectors.distinct(), cost.lines = lines.distinct();
}

/// Aligned addresses no wider than a sector: a new line is a new sector, and a new sector a new address.
void hash(Cost& cost, const GatheredLanes& lanes, std::uint64_t width, int sector, int line) {
  DistinctKeys addresses, sectors, lines;
  for (const std::uint64_t a : lanes)
    if (addresses.add(a) && sectors.add(a >> sector)) lines.add(a >> line);
  cost.bytes_wanted = addresses.count() * width, cost.sectors = sectors.count(), cost.lines = lines.count();
}

/// Of the fullest address.
std::uint32_t most_lanes_at_one(const Access& access) {
  GatheredLanes sorted(access);
  sorted.sort();
  std::uint32_t most = 0, run = 0;
  for (const std::uint64_t* a = sorted.begin(); a != sorted.end(); ++a) {
    run = a != sorted.begin() && a[-1] == *a ? run + 1 : 1;
    most = std::max(most, run);
  }
  return most;
}

/// Of a cp.async.cg.
std::uint64_t fetches(const Access& access) {
  using Fetch = std::tuple<std::uint64_t, std::uint64_t, bool>;  // sector from, sector to, halves swapped
  const auto &global = access.addresses, &shared = *access.destinations;
  std::array<Fetch, 32> all;
  auto end = all.begin();
  for (const std::size_t lane : set_bits(access.mask)) {
    bool overwritten = false;
    for (const std::size_t later : set_bits(access.mask & ~((2u << lane) - 1)))
      overwritten |= shared[later] == shared[lane];
    if (!overwritten) *end++ = {global[lane] / 32, shared[lane] / 32, ((global[lane] ^ shared[lane]) & 16) != 0};
  }
  std::sort(all.begin(), end);
  return static_cast<std::uint64_t>(std::unique(all.begin(), end) - all.begin());
}

Cost global_cost(const Access& access, const MemoryModel& model) {
  Cost cost;
  const int sector = shift_of(model.sector_bytes), line = shift_of(model.line_bytes);
  const auto width = static_cast<std::uint64_t>(access.width_bytes);
  const GatheredLanes lanes(access);
  const bool hashes = !lanes.ascending && lanes.aligned(access.width_bytes) && access.width_bytes <= model.sector_bytes;
  hashes ? hash(cost, lanes, width, sector, line) : sweep(cost, lanes, width, sector, line);
  if (trace::is_atomic(access.kind)) cost.passes = most_lanes_at_one(access);
  if (access.destinations) cost.sectors = fetches(access);
  return cost;
}

// Each 4-byte piece of a lane lies 128 bytes further, so a wide access is priced as that many narrow ones, together.
Cost local_cost(const Access& access, const MemoryModel& model) {
  Cost cost;
  const auto width = static_cast<std::uint64_t>(access.width_bytes);
  std::array<std::uint64_t, 32 * 5> words;
  auto end = words.begin();
  for (const std::size_t lane : set_bits(access.mask)) {
    const std::uint64_t first = access.addresses[lane];
    for (std::uint64_t word = first / 4; word <= (first + width - 1) / 4; ++word)
      *end++ = local_to_physical(word * 4, static_cast<int>(lane));
    cost.bytes_wanted += width;  // no two lanes share a byte
  }
  std::sort(words.begin(), end);
  const int sector = shift_of(model.sector_bytes), line = shift_of(model.line_bytes);
  Sweep sectors, lines;
  for (auto word = words.begin(); word != end; ++word) {
    sectors.touch(*word >> sector, *word >> sector);
    lines.touch(*word >> line, *word >> line);
  }
  cost.sectors = sectors.distinct(), cost.lines = lines.distinct();
  cost.wavefronts = (width + 3) / 4;
  return cost;
}

}  // namespace

std::uint64_t local_to_physical(std::uint64_t offset_bytes, int lane) {
  return offset_bytes / 4 * 128 + static_cast<std::uint64_t>(lane) * 4 + offset_bytes % 4;
}

Cost cost(const Access& access, const MemoryModel& model) {
  if (access.mask == 0 || access.space == MemorySpace::param) return {};
  Cost cost;
  if (access.space == MemorySpace::shared) {
    cost = shared_cost(access, model);
  } else if (access.space == MemorySpace::constant) {
    cost.broadcasts = distinct_addresses(access), cost.words = distinct_pieces(access, 2);
  } else {
    cost = access.space == MemorySpace::local ? local_cost(access, model) : global_cost(access, model);
    const auto sector = static_cast<std::uint64_t>(model.sector_bytes);
    cost.bytes_moved = cost.sectors * sector;
    cost.ideal_sectors = (cost.bytes_wanted + sector - 1) / sector;
  }
  cost.requests = 1;
  const auto width = static_cast<std::uint64_t>(access.width_bytes);
  const bool lane_by_lane = access.matrices > 0 || access.destinations || access.space == MemorySpace::constant;
  const std::uint64_t lanes = lane_by_lane ? static_cast<std::uint64_t>(std::popcount(access.mask))
                              : access.space == MemorySpace::shared ? distinct_addresses(access)
                                                                    : cost.bytes_wanted / width;
  cost.bytes_requested = lanes * width;
  return cost;
}

bool add_cost_of_run(const trace::AccessEvent& event, Sum& sum, const MemoryModel& model) {
  const bool moves = event.kind == AccessKind::load || event.kind == AccessKind::store;
  if (!event.is_run || event.where.active != ~0u || !moves || event.space != MemorySpace::global) return false;
  const int sector = shift_of(model.sector_bytes), line = shift_of(model.line_bytes);
  const std::uint64_t bytes = 32 * static_cast<std::uint64_t>(event.width_bytes);
  const std::uint64_t first = event.addresses[0], last = first + bytes - 1;
  const std::uint64_t sectors = (last >> sector) - (first >> sector) + 1;
  ++sum.requests;
  sum.sectors += sectors, sum.ideal_sectors += (bytes + (1u << sector) - 1) >> sector;
  sum.lines += (last >> line) - (first >> line) + 1;
  sum.bytes_wanted += bytes, sum.bytes_moved += sectors << sector, sum.bytes_requested += bytes;
  return true;
}

}  // namespace lanescope::access
