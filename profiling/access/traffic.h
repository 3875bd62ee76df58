#pragma once
// The same load by the three ways of documents of the older generations. "GPU memory and shuffle" (KAUST),
// GMEM reads: caching loads move 128-byte lines, non-caching loads 32-byte segments, 1 to 4 of one line in a
// transaction; N transactions mean N-1 replays. The read-only path turns addresses into 32-byte queries of 4 lanes at a
// time, needs no replay, and misses each segment at most once.
//
//   32 consecutive words, 4 bytes off      caching: 2 transactions, 256 bytes, 50 %
//                                      non-caching: 2 transactions of 5 segments, 160 bytes, 80 %
//                                        read-only: 12 queries, 5 of them miss
//
// Compute capability 1.x has the non-caching way only, and transactions of several sizes (half_warps.h).

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "profiling/access/access.h"

namespace lanescope::access {

enum class LoadPath : std::uint8_t { caching, non_caching, read_only };

struct Traffic {
  std::uint32_t requests = 0;      ///< of 128 bytes on generations that split wide accesses, else 1
  std::uint32_t transactions = 0;  ///< read-only path: queries
  std::uint32_t replays = 0;
  std::uint32_t segments = 0;  ///< distinct pieces moved, each `segment_bytes` wide
  std::uint32_t segment_bytes = 0;
  std::uint32_t bytes_wanted = 0, bytes_moved = 0;  ///< moved: on misses
  /// Compute capability 1.x: transactions of 32, 64 and 128 bytes; segment_bytes is then 0, and segments counts them.
  std::array<std::uint32_t, 3> by_size{};
  double utilisation_percent() const { return bus_utilisation_percent(bytes_wanted, bytes_moved); }
};

/// "caching", "non-caching", "read-only".
std::string_view name_of(LoadPath path);
std::optional<LoadPath> load_path_of(std::string_view name);
/// Whether loads of the generation can take it.
bool exists(LoadPath path, const MemoryModel& model);

/// A path that the generation lacks: all zero but bytes_wanted.
Traffic traffic(const Access& access, LoadPath path, const MemoryModel& model);

/// Fermi as the KAUST document describes it, with the read-only path of compute capability 3.5.
const MemoryModel& classic_memory();

}  // namespace lanescope::access
