#pragma once
// The heap of the device: memory that kernels allocate with malloc and new and free with free and delete. It outlives
// the launch and is passed to the next one (Options::heap, Result::heap).
//
// An allocation lies between gaps, and its place is not reused while there is fresh address space: an overrun, or a use
// after free, hits no other allocation, and is reported with the lines of both.
//
//   malloc(16), line 7     |-gap-|16 bytes|-gap-|
//   malloc(100), line 9    |-gap-|16 bytes|-gap-|100 bytes  |-gap-|
//   free of the first      |-gap-| freed  |-gap-|100 bytes  |-gap-|      its record stays
//   malloc(16)             ...                              |-gap-|16 bytes|-gap-|
//
// The limit counts bytes in use, rounded up to 16 each. A GPU's own bookkeeping takes more, so its heap is full
// somewhat earlier (CUDA C++ Programming Guide, dynamic global memory allocation, gives 8 MiB, alignment to 16 bytes
// and null).

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace lanescope::emulator {

inline constexpr std::uint64_t default_heap_bytes = std::uint64_t{8} << 20;

/// One allocation, also after it was freed.
struct HeapBlock {
  std::uint64_t at = 0, bytes = 0;  ///< from the beginning of the heap; as requested
  int line = 0, freed_line = 0;     ///< the user's; 0 unknown
  bool freed = false;
  std::uint64_t end() const { return at + bytes; }
};

class Heap {
 public:
  static constexpr std::uint64_t alignment_bytes = 16, gap_bytes = 48;

  explicit Heap(std::uint64_t limit_bytes = default_heap_bytes);
  /// Where it begins, a multiple of 16 and of `alignment`; nullopt: the limit is reached.
  std::optional<std::uint64_t> allocate(std::uint64_t bytes, std::uint64_t alignment, int line);
  enum class Freed : std::uint8_t { done, twice, not_allocated };
  Freed free(std::uint64_t at, int line);
  /// The last allocation that begins at or before a place; nullptr: none does.
  const HeapBlock* before(std::uint64_t at) const;
  /// The first one that begins after it.
  const HeapBlock* after(std::uint64_t at) const;
  /// All bytes belong to one allocation that is not freed.
  bool holds(std::uint64_t at, std::uint64_t bytes) const;
  const std::vector<HeapBlock>& blocks() const { return blocks_; }  ///< ascending
  std::uint64_t limit_bytes() const { return limit_; }
  std::uint64_t range_bytes() const { return range_; }  ///< of addresses
  std::uint64_t used_bytes() const { return used_; }
  /// Addresses of freed memory were given out again: accesses to one address need not be to one allocation.
  bool reused() const { return reused_; }

 private:
  std::vector<HeapBlock> blocks_;
  std::uint64_t limit_, used_ = 0;
  std::uint64_t next_ = 0;   ///< from here on nothing is allocated, up to the next block
  std::uint64_t range_ = 0;  ///< of addresses
  bool reused_ = false;
};

struct HeapState {
  Heap heap{};
  std::vector<std::uint8_t> bytes{};  ///< its memory; zero beyond
};

/// An empty heap; `limit_bytes` 0: the default.
std::shared_ptr<const HeapState> empty_heap(std::uint64_t limit_bytes);

std::uint64_t heap_begin();
/// Whether a value is an address in the heap.
bool is_heap_address(std::uint64_t value);

}  // namespace lanescope::emulator
