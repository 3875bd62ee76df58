#pragma once
// Rows of 32 words (one per lane), kept small. Contents of lanes are mostly regular: addresses step by a stride,
// identities follow the bits of the lane number, loaded values are the ones stored a moment ago. A row is reported by
// the shortest form that gives back every active lane exactly; inactive lanes read 0 afterwards.
//
//   form      words   lane l of it
//   zero        0     0
//   same        1     v
//   stepped     2     v + l * d
//   summed      6     v + the sum of d[b] over the bits b of l      (several strides: a tile)
//   exored      6     v ^ the XOR of d[b] over the bits b of l      (a swizzle)
//   listed    1..32   as they are, active lanes only
//
// Rows put together (all words of a vector access) are one block with 4 bits of form for each; a block that equals one
// of the last few thousand is not kept a second time.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace lanescope::trace {

class RowPool {
 public:
  /// Most rows of one block.
  static constexpr std::size_t most_rows = 64;

  /// `rows` holds a multiple of 32 words, [row][lane]. The handle is 0 when all of them are zero.
  std::uint32_t put(std::span<const std::uint32_t> rows, std::uint32_t mask);
  /// The same mask and number of rows as they were put with.
  void get(std::uint32_t handle, std::uint32_t mask, std::span<std::uint32_t> rows) const;
  /// No more than 2^32 words fit.
  bool full() const { return chunks_.size() >= most_chunks; }
  std::size_t bytes() const;

 private:
  static constexpr std::uint32_t chunk_words = 1u << 16;
  static constexpr std::size_t most_chunks = (std::size_t{1} << 16) - 1;
  struct Recent {
    std::uint32_t hash = 0, handle = 0, words = 0;
  };
  const std::uint32_t* at(std::uint32_t handle) const {
    return chunks_[handle / chunk_words].get() + handle % chunk_words;
  }
  std::uint32_t keep(std::span<const std::uint32_t> block);

  std::vector<std::unique_ptr<std::uint32_t[]>> chunks_;
  std::uint32_t used_ = chunk_words;  ///< of the last chunk
  std::vector<Recent> recent_;
};

}  // namespace lanescope::trace
