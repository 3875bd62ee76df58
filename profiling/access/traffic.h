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
// Compute capability 1.x has the non-caching way only, and transactions of several sizes (below).

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

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

// Global memory of compute capability 1.x: a request of a warp is two, one for each half, and each half becomes
// transactions of 32, 64 or 128 bytes. Nothing is cached. CUDA C Programming Guide, edition 4.2, F.3.2.1 and F.3.2.2.
//
//   32 lanes read 4 bytes each     1.0 and 1.1 (in order)      1.2 and 1.3 (segments)
//   4*l                            2 of 64 bytes               2 of 64 bytes
//   4*(31-l)                       32 of 32 bytes              2 of 64 bytes
//   4*l + 4                        32 of 32 bytes              128 bytes, then 64 and 32 (the half crosses a segment)
//   4                              32 of 32 bytes              2 of 32 bytes
//
// 1.0, 1.1: lane k of a half has to access word k of a segment that is aligned to the whole of it (64 bytes for words
// of 4, 128 for words of 8, 256 for words of 16, moved as 128 and 128), inactive lanes aside. A half that does not
// moves 32 bytes for each of its lanes; the guide says 16; here inactive lanes move nothing. 1.2, 1.3: the segment of
// the lowest active lane (32 bytes for words of 1, 64 for words of 2, else 128) serves every lane that lies in it; it
// is halved while only one half of it is used, down to 32 bytes. This is repeated for the lanes left.

struct Transaction {
  std::uint64_t address = 0;  ///< a multiple of `bytes`
  std::uint32_t bytes = 0;    ///< 32, 64 or 128
  std::uint32_t lanes = 0;    ///< that it serves
};

/// In the order they are issued. Empty: no lane is active, or the rule is `none`. Addresses are multiples of the width.
std::vector<Transaction> half_warp_transactions(const Access& access, HalfWarps rule);

}  // namespace lanescope::access
