#pragma once
// "Each thread computes a TM x TN tile of C": the elements that each owner accesses are kept, per array and direction, and
// compared with what the sentence says about their number, their box or their rows.
//
// Which array is meant follows from the verb where none is named: what is written counts, else what is read; arrays that
// do not agree leave the claim unchecked. A box is a set of rows times a set of columns under a pitch that an argument or
// an axis of the buffer has, so that a tile in several pieces is one, too. "8x4" may be rows by columns or the reverse,
// unless its names say which.
//
// An owner that is watched is watched from its first access to its last. Of very many owners only the first are watched.

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kernels/claims/claims.h"
#include "kernels/claims/judge.h"

namespace lanescope::claims {

class WorkJudge {
 public:
  /// The claim has a WorkShare and can be checked. All must outlive this.
  WorkJudge(const Setting& setting, const MemoryPlaces& places, int claim);
  int claim() const { return claim_; }
  void access(const trace::AccessEvent& e);
  void barrier(const trace::BarrierEvent& e);
  /// `cut`: the block that accessed last was left before its end; what the others did counts.
  ClaimResult result(bool cut = false) const;

 private:
  enum class Fit : std::uint8_t { yes, no, open, none };
  struct Answer {
    Fit fit = Fit::none;
    std::string words;  ///< what is really so
    bool more = false;  ///< no: in one line more elements than stated, for all sizes
  };
  /// Elements by owner and, where times are distinguished, by time.
  struct Accesses {
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> of;
    int vector_elements = 0;  ///< of each access; -1: they differ
    int line = 0;             ///< that accesses; -1: several
  };
  using Key = std::pair<int, bool>;  ///< buffer, written

  const source::SubarrayClaim& about() const;
  const source::WorkShare& share() const { return *about().share; }
  std::uint64_t owner_of(const trace::Where& where, std::size_t lane) const;
  bool meant_line(std::uint32_t pc) const;
  void record(const trace::AccessEvent& e, std::size_t lane, bool written);
  std::string name_of(int buffer) const;
  std::string owner_word() const;
  Answer fit(const Key& key, const Accesses& accesses) const;
  Answer fit_count(std::int64_t largest, std::size_t with_largest, std::size_t smallest_same, std::size_t owners,
                   const Accesses& accesses, const std::string& array, bool written) const;
  Answer fit_box(const std::vector<const std::vector<std::uint32_t>*>& sets, const Key& key) const;
  Answer fit_rows(const std::vector<const std::vector<std::uint32_t>*>& sets, const Key& key) const;
  std::vector<std::int64_t> pitches(int buffer) const;
  /// For all sizes, no thread stores as many elements of these arrays as is stated.
  bool never_so_many(const std::vector<Key>& meant) const;
  void leave_out_last_block();
  ClaimResult own_result() const;

  const Setting* setting_;
  const MemoryPlaces* places_;
  int claim_ = 0;
  ClaimReason problem_;
  int named_ = -1;            ///< buffer of the array that the sentence names; -1: none
  std::vector<int> buffers_;  ///< that the kernel gets
  std::vector<int> bytes_;    ///< of an element, by buffer
  std::map<Key, Accesses> accesses_;
  std::unordered_map<std::uint64_t, std::uint32_t> owners_;  ///< watched ones; barriers that their warps have passed
  std::unordered_map<std::uint64_t, std::uint32_t> epochs_;  ///< by block and warp
  std::uint64_t elements_ = 0;
  std::uint32_t last_block_ = 0;
  bool left_out_ = false;
};

}  // namespace lanescope::claims
