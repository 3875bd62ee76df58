#pragma once
// "Each block processes a shape-(32,1,32) subarray": the elements of the array that a block (warp, thread) accesses, read or
// written, must fit into a box of that shape, and some block must fill it.

#include <cstdint>
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
  ClaimResult result() const;

 private:
  struct Box {
    std::int64_t low = 0, high = 0;
  };
  struct Owner {
    std::size_t first = 0;  ///< in boxes_
    std::uint32_t pc = 0;   ///< of the first access
  };
  const source::SubarrayClaim& about() const;
  void element(std::uint64_t owner, std::int64_t number, std::uint32_t pc);
  std::string owner_words(std::uint64_t owner) const;

  const Setting* setting_;
  const MemoryPlaces* places_;
  int claim_ = 0;
  std::string problem_;
  std::uint64_t first_ = 0, bytes_ = 0;
  std::int64_t element_bytes_ = 0;
  std::unordered_map<std::uint64_t, Owner> owners_;
  std::vector<Box> boxes_;  ///< [owner][axis]
  std::uint64_t accesses_ = 0;
  std::string outside_;  ///< an access outside of the stated array
};

}  // namespace lanescope::claims
