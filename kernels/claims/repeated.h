#pragma once
// Blocks that did not run, because each does what another block does, with other elements of the buffers.

#include <cstdint>
#include <map>
#include <vector>

namespace lanescope::claims {

struct RepeatedBlocks {
  std::vector<std::uint32_t> ran;   ///< ascending
  std::vector<std::uint32_t> like;  ///< by block: the one that ran and that it repeats; itself if it ran
  /// By buffer that is read, then by block: bytes by which its elements lie further than those of the repeated block.
  std::map<int, std::vector<std::int64_t>> moved_bytes;
};

}  // namespace lanescope::claims
