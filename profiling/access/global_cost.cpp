#include "profiling/access/lanes.h"

namespace lanescope::access {

const MemoryModel& h200_memory() {
  static const MemoryModel model;
  return model;
}

double bus_utilisation_percent(std::uint64_t bytes_wanted, std::uint64_t bytes_moved) {
  return bytes_moved == 0 ? 0 : 100.0 * static_cast<double>(bytes_wanted) / static_cast<double>(bytes_moved);
}

namespace {

struct Pieces {
  std::uint32_t bytes = 0, sectors = 0, lines = 0;
};

/// Any widths and addresses: in ascending order, one sweep for all three.
Pieces swept(GatheredLanes lanes, std::uint64_t width, int sector, int line) {
  lanes.sort();
  Sweep bytes, sectors, lines_touched;
  for (const std::uint64_t first : lanes) {
    const std::uint64_t last = first + width - 1;
    bytes.touch(first, last);
    sectors.touch(first >> sector, last >> sector);
    lines_touched.touch(first >> line, last >> line);
  }
  return {.bytes = bytes.distinct(), .sectors = sectors.distinct(), .lines = lines_touched.distinct()};
}

/// Aligned addresses no wider than a sector: what is new as a line is new as a sector, and so on down.
Pieces hashed(const GatheredLanes& lanes, std::uint64_t width, int sector, int line) {
  DistinctKeys addresses, sectors, lines_touched;
  for (const std::uint64_t a : lanes)
    if (addresses.add(a) && sectors.add(a >> sector)) lines_touched.add(a >> line);
  return {.bytes = addresses.count() * static_cast<std::uint32_t>(width),
          .sectors = sectors.count(),
          .lines = lines_touched.count()};
}

}  // namespace

GlobalCost global_cost(const Pattern& pattern, const MemoryModel& model) {
  GlobalCost cost;
  if (pattern.mask == 0) return cost;
  const int sector = shift_of(model.sector_bytes), line = shift_of(model.line_bytes);
  const auto width = static_cast<std::uint64_t>(pattern.width_bytes);
  const GatheredLanes lanes(pattern);
  const bool hash = !lanes.ascending && lanes.aligned(pattern.width_bytes) && pattern.width_bytes <= model.sector_bytes;
  const Pieces pieces = hash ? hashed(lanes, width, sector, line) : swept(lanes, width, sector, line);
  cost.requests = 1;
  cost.sectors = pieces.sectors;
  cost.lines = cost.tags = pieces.lines;
  cost.bytes_wanted = pieces.bytes;
  cost.bytes_moved = cost.sectors << sector;
  cost.ideal_sectors = (cost.bytes_wanted + (1u << sector) - 1) >> sector;
  if (const int together = lanes_per_request(pattern.width_bytes); together < 32 && cost.lines > 1) {
    cost.tags = 0;
    for (int begin = 0; begin < 32; begin += together)
      cost.tags += distinct_pieces(pattern, line, lane_range(begin, together));
  }
  return cost;
}

std::uint64_t local_to_physical(std::uint64_t offset_bytes, int lane) {
  return offset_bytes / 4 * 128 + static_cast<std::uint64_t>(lane) * 4 + offset_bytes % 4;
}

// Each 4-byte piece of a lane lies 128 bytes further, so a wide access is priced as that many narrow ones, together.
GlobalCost local_cost(const Pattern& pattern, const MemoryModel& model) {
  GlobalCost cost;
  if (pattern.mask == 0) return cost;
  const auto width = static_cast<std::uint64_t>(pattern.width_bytes);
  std::array<std::uint64_t, 32 * 5> words;
  std::size_t count = 0;
  for (int lane = 0; lane < 32; ++lane) {
    if (!(pattern.mask >> lane & 1)) continue;
    const std::uint64_t first = pattern.addresses[static_cast<std::size_t>(lane)];
    for (std::uint64_t word = first / 4; word <= (first + width - 1) / 4; ++word)
      words[count++] = local_to_physical(word * 4, lane);
    cost.bytes_wanted += static_cast<std::uint32_t>(width);  // no two lanes share a byte
  }
  std::sort(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(count));
  const int sector = shift_of(model.sector_bytes), line = shift_of(model.line_bytes);
  Sweep sectors, lines;
  for (std::size_t i = 0; i < count; ++i) {
    sectors.touch(words[i] >> sector, words[i] >> sector);
    lines.touch(words[i] >> line, words[i] >> line);
  }
  cost.requests = 1;
  cost.sectors = sectors.distinct();
  cost.lines = cost.tags = lines.distinct();
  cost.bytes_moved = cost.sectors << sector;
  cost.ideal_sectors = (cost.bytes_wanted + (1u << sector) - 1) >> sector;
  return cost;
}

}  // namespace lanescope::access
