#pragma once
// "Each block processes a shape-(32,1,32) subarray": the elements of the array that a block (warp, thread) accesses, read or
// written, must fit into a box of that shape, and some block must fill it. Boxes are kept while their block runs.

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "kernels/claims/claims.h"
#include "kernels/claims/judge.h"

namespace lanescope::claims {

class SubarrayJudge {
 public:
  /// The claim is about a subarray and can be checked. All must outlive this.
  SubarrayJudge(const Setting& setting, const MemoryPlaces& places, int claim);
  int claim() const { return claim_; }
  void access(const trace::AccessEvent& e);
  void block_ended(std::uint32_t block);
  ClaimResult result() const;

 private:
  struct Box {
    std::int64_t low = 0, high = 0;
  };
  struct Owner {
    std::size_t first = 0;  ///< in Block::boxes
  };
  /// Owners of one block.
  struct Block {
    std::unordered_map<std::uint64_t, Owner> owners;
    std::vector<Box> boxes;  ///< [owner][axis]
  };
  /// What the verdict needs of all owners of blocks that have ended.
  struct Sum {
    std::uint64_t owners = 0;
    std::vector<std::int64_t> largest;         ///< by axis
    std::optional<std::uint64_t> worst_owner;  ///< the first one whose box is larger than stated
    std::vector<Box> worst;                    ///< its box, by axis
  };
  void add(Sum& sum, const Block& block) const;
  const source::SubarrayClaim& about() const;
  void element(Block& block, std::uint64_t owner, std::int64_t number);
  std::string owner_words(std::uint64_t owner) const;

  const Setting* setting_;
  const MemoryPlaces* places_;
  int claim_ = 0;
  ClaimReason problem_;
  std::uint64_t first_ = 0, bytes_ = 0;
  std::int64_t element_bytes_ = 0;
  std::unordered_map<std::uint32_t, Block> running_;
  std::size_t running_boxes_ = 0;
  Sum sum_;
  std::uint64_t accesses_ = 0;
  std::string outside_;  ///< an access outside of the stated array
};

}  // namespace lanescope::claims
