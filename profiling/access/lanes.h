#pragma once
// Active lanes' addresses in order, and distinct pieces of memory among them. Private to this folder.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "kernels/base/set_bits.h"
#include "profiling/access/access.h"

namespace lanescope::access {

/// Addresses of the active lanes among `lanes`, in lane order. Most kernels' ascend already.
struct GatheredLanes {
  std::array<std::uint64_t, 32> address;
  int count = 0;
  bool ascending = true;
  std::uint64_t low_bits = 0;  ///< OR of all addresses
  explicit GatheredLanes(const Access& access, std::uint32_t lanes = ~0u) {
    std::uint64_t before = 0;
    for (const std::size_t lane : set_bits(access.mask & lanes)) {
      const std::uint64_t a = access.addresses[lane];
      ascending = ascending && a >= before;
      low_bits |= a;
      address[static_cast<std::size_t>(count++)] = before = a;
    }
  }
  void sort() {
    if (!ascending) std::sort(address.begin(), address.begin() + count);
    ascending = true;
  }
  bool aligned(int width_bytes) const { return (low_bits & (static_cast<std::uint64_t>(width_bytes) - 1)) == 0; }
  const std::uint64_t* begin() const { return address.data(); }
  const std::uint64_t* end() const { return address.data() + count; }
};

/// Up to 32 keys in 64 slots, twice as fast as sorting them where lanes come in no order.
class DistinctKeys {
 public:
  /// True when the key is new.
  bool add(std::uint64_t key) {
    std::uint64_t slot = key * 0x9e3779b97f4a7c15u >> 58;
    for (; used_ >> slot & 1; slot = (slot + 1) & 63)
      if (keys_[slot] == key) return false;
    used_ |= std::uint64_t{1} << slot;
    keys_[slot] = key;
    ++count_;
    return true;
  }
  std::uint32_t count() const { return count_; }

 private:
  std::uint64_t used_ = 0;
  std::array<std::uint64_t, 64> keys_;
  std::uint32_t count_ = 0;
};

/// Counts distinct pieces (bytes, sectors, lines, words) of ranges that arrive in ascending order of their begin and
/// are equally long: a piece counts when it lies above everything counted before.
class Sweep {
 public:
  void touch(std::uint64_t first, std::uint64_t last) {
    const std::uint64_t from = std::max(first, end_);
    if (from > last) return;
    end_ = last + 1;
    distinct_ += static_cast<std::uint32_t>(last - from + 1);
  }
  std::uint32_t distinct() const { return distinct_; }

 private:
  std::uint64_t end_ = 0;
  std::uint32_t distinct_ = 0;
};

inline int shift_of(int power_of_two) { return std::countr_zero(static_cast<unsigned>(power_of_two)); }

/// Distinct pieces of 2^shift bytes that the active lanes among `lanes` touch. An aligned access lies inside one piece
/// or fills whole ones, so unordered lanes need no sorting: distinct addresses (or pieces) are enough.
inline std::uint32_t distinct_pieces(const Access& access, int shift, std::uint32_t lanes = ~0u) {
  GatheredLanes gathered(access, lanes);
  const int width_shift = shift_of(access.width_bytes);
  if (!gathered.ascending && gathered.aligned(access.width_bytes)) {
    DistinctKeys keys;
    for (const std::uint64_t a : gathered) keys.add(a >> std::max(shift, width_shift));
    return keys.count() << std::max(width_shift - shift, 0);
  }
  gathered.sort();
  Sweep sweep;
  for (const std::uint64_t a : gathered)
    sweep.touch(a >> shift, (a + static_cast<std::uint64_t>(access.width_bytes) - 1) >> shift);
  return sweep.distinct();
}

inline std::uint32_t distinct_addresses(const Access& access) {
  DistinctKeys keys;
  for (const std::size_t lane : set_bits(access.mask)) keys.add(access.addresses[lane]);
  return keys.count();
}

/// Lanes [first, first + count).
inline std::uint32_t lane_range(int first, int count) { return count >= 32 ? ~0u : ((1u << count) - 1) << first; }

/// Lanes whose bytes make one request of 128 bytes: 32, 16 for 8 bytes a lane, 8 for 16.
inline int lanes_per_request(int width_bytes) { return width_bytes <= 4 ? 32 : width_bytes <= 8 ? 16 : 8; }

/// Of an access with an active lane: all but requests and bytes_requested.
Cost shared_cost(const Access& access, const MemoryModel& model);

}  // namespace lanescope::access
