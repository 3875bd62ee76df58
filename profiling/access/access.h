#pragma once
// What one warp-wide memory access costs: pure arithmetic on 32 addresses.
//
// Facts measured on an H200 (sm_90), tests/data/h200_memory_counters.json: global accesses of any width are one request;
// its sectors are the distinct 32-byte sectors that active lanes touch. Shared memory has 32 banks of 4 bytes; an access
// is cut into groups of lanes (up to 4 bytes: the warp; 8 bytes: two halves; 16 bytes: four quarters) and costs, per
// group, the largest number of distinct 4-byte words in one bank. Loads of 8 and 16 bytes double their group when every
// active lane l has l^1 (or every one has l^2) inactive or at the same address; stores never do.

#include <array>
#include <cstdint>
#include <span>

namespace lanescope::access {

enum class Direction : std::uint8_t { load, store };

struct Pattern {
  Direction direction = Direction::load;
  int width_bytes = 4;                         ///< 1, 2, 4, 8 or 16 per lane
  std::uint32_t mask = 0xffffffffu;            ///< active lanes
  std::array<std::uint64_t, 32> addresses{};   ///< bytes; inactive lanes are ignored
};

struct GlobalCost {
  std::uint32_t requests = 0, sectors = 0, lines = 0;
  std::uint32_t bytes_wanted = 0, bytes_moved = 0;   ///< moved: sectors * 32; wanted: distinct bytes
};
GlobalCost global_cost(const Pattern& pattern);

struct SharedCost {
  std::uint32_t requests = 0, wavefronts = 0;
  std::uint32_t ideal_wavefronts = 0;  ///< distinct words / 32, rounded up: the same data in the best lane order
  std::uint32_t bank_conflicts = 0;    ///< wavefronts beyond one per group that has an active lane (as H200 counts them)
  /// Distinct words per bank in the group that costs most, for drawing.
  std::array<std::uint8_t, 32> words_per_bank{};
};
SharedCost shared_cost(const Pattern& pattern);

}  // namespace lanescope::access
