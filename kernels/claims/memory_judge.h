#pragma once
// Claims about arrays in memory: "shared: uint E[32][256], (time, ns)". Every place of the array that a moment wrote must
// hold the element whose coordinates are those of the place, but for an origin that is one for the whole array: a tile
// begins somewhere. Places between the rows (padding) must hold nothing.
//
// A moment is what the threads of a block write between two barriers; of an array in global memory, what the launch
// writes. A comment below the statements that write the array speaks of the last of them before it; one above them of the
// first that makes it true.
//
// Where nothing says which axes a buffer has, the steps between its elements are taken from what is seen: they must be the
// same everywhere. Names such as row and col also say which of the two is slower; of others it cannot be determined, and the
// claim stays unchecked.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kernels/base/enum_size.h"
#include "kernels/claims/claims.h"
#include "kernels/claims/judge.h"

namespace lanescope::claims {

/// A claim about memory that can be checked, judged by the accesses of a run. All that it gets must outlive it; `setting` may
/// be incomplete until the run begins.
class AccessJudge {
 public:
  AccessJudge(const Setting& setting, const MemoryPlaces& places, int claim)
      : setting_(&setting), places_(&places), claim_(claim) {}
  virtual ~AccessJudge() = default;
  int claim() const { return claim_; }
  virtual void access(const trace::AccessEvent& e) = 0;
  virtual void barrier(const trace::BarrierEvent&) {}
  virtual void block_ended(std::uint32_t) {}
  /// `cut`: the block that accessed last was left before its end; what it did since its last barrier does not count.
  virtual ClaimResult result(bool cut) const = 0;

 protected:
  AccessJudge(const AccessJudge&) = default;
  AccessJudge& operator=(const AccessJudge&) = default;
  const source::Claim& stated() const { return setting_->source->claims[static_cast<std::size_t>(claim_)]; }
  /// The function that the claim is about: of those with its name the one around the comment, or after it.
  const source::Function* around() const;
  /// The kernel that runs; nullptr: several have its name and so many parameters.
  const source::Function* running() const;
  /// Finds the bytes of the pointer that the claim names, an argument of the kernel around it. The buffer; -1: `problem_`
  /// says why there is none.
  int find_buffer(std::int64_t offset_bytes);
  ClaimResult begun() const;
  /// block << 10 | warp << 5 | lane, as far as they distinguish owners.
  static std::uint64_t owner_of(source::Owner owner, const trace::Where& where, std::size_t lane);

  const Setting* setting_;
  const MemoryPlaces* places_;
  int claim_ = 0;
  ClaimReason problem_;                  ///< why it cannot be judged in this run
  std::uint64_t first_ = 0, bytes_ = 0;  ///< of the array, as accesses count
};

/// nullptr: it is about registers.
std::unique_ptr<AccessJudge> access_judge(const Setting& setting, const MemoryPlaces& places, int claim);

class MemoryJudge final : public AccessJudge {
 public:
  MemoryJudge(const Setting& setting, const MemoryPlaces& places, int claim);
  void access(const trace::AccessEvent& e) override;
  void barrier(const trace::BarrierEvent& e) override;
  ClaimResult result(bool cut) const override;

  static constexpr std::size_t most_axes = 8;
  using Numbers = std::array<std::int64_t, most_axes>;

 private:
  /// Contents of a block's array, byte by byte.
  struct Image {
    std::uint32_t block = 0, epoch = 0;
    int line = 0;  ///< the last one in the text that wrote since the barrier
    std::vector<trace::WordTag> tags;
    std::vector<std::uint8_t> first_bit;
    std::vector<bool> dirty;             ///< by place
    std::vector<std::uint32_t> touched;  ///< places written since the barrier
    std::vector<std::uint32_t> arrived;  ///< barriers, by warp
  };
  struct Seen {
    std::int64_t place = 0;  ///< element number in the array, as it is stored
    Numbers index{};         ///< what the claim says
    Numbers at{};            ///< coordinates of the element that is there; where axes are fitted, its number in [0]
    int buffer = -1, part = 0;
    std::uint64_t element = 0;
    bool padding = false, sum = false;
  };
  /// The sum over the moments that end with writes of one line.
  struct Moment {
    std::uint64_t instances = 0, places = 0, left_out = 0;
    bool computed = false, sums = false, torn = false;
    std::string open;  ///< why a place could not be judged
    std::string difference, actual;
    std::optional<Instance> failure;
    bool failed() const { return failure.has_value(); }
  };
  struct Axes {
    std::vector<std::pair<int, int>> bits;  ///< offset and number of bits, by axis of the claim
    std::string problem;                    ///< non-empty: why there are none
  };

  const source::ArrayLayout& about() const { return std::get<source::ArrayLayout>(stated().about); }
  void find_array();
  Image& image_of(std::uint32_t block);
  int line_of(std::uint32_t pc) const;
  void write(Image& image, std::uint64_t offset, const trace::AccessEvent& e, std::size_t lane);
  void close(Image& image);
  void close_all();
  bool decompose(std::int64_t place, Numbers& index) const;
  const Axes& axes_of(int buffer);
  bool fitted(int buffer) const;
  void read_place(const Image& image, std::uint32_t place, Reader& reader, std::vector<Seen>& out, Moment& moment);
  void add_seen(Seen seen, const Held& held, Moment& moment, std::vector<Seen>& out,
                std::span<const trace::WordTag> words, int first_bit, int bits);
  void judge(const Image& image, std::vector<Seen>& seen, Moment& moment);
  void fit_steps(const std::vector<Seen>& seen);
  std::string actual_of(const std::vector<Seen>& seen, std::string& difference) const;
  std::string where(const Seen& seen, bool stated) const;
  ClaimResult verdict() const;
  void of_moment(ClaimResult& r, const Moment& moment) const;
  void initial_contents();

  bool global_ = false;
  int element_bytes_ = 0;
  int buffer_ = -1;  ///< global: of the launch
  bool untagged_ = false, odd_ = false;
  std::uint32_t last_block_ = 0;
  std::uint64_t judged_ = 0;  ///< places
  std::vector<Image> images_;
  std::map<int, Moment> moments_;                   ///< by line
  std::map<int, Axes> axes_;                        ///< by buffer
  std::vector<std::optional<std::int64_t>> steps_;  ///< fitted: of each axis, in elements of the buffer
  bool fits_ = true;
  int fitted_buffer_ = -1;
};

// "Each block processes a shape-(32,1,32) subarray": the elements of the array that a block (warp, thread) accesses, read or
// written, must fit into a box of that shape, and some block must fill it. Boxes are kept while their block runs.

class SubarrayJudge final : public AccessJudge {
 public:
  SubarrayJudge(const Setting& setting, const MemoryPlaces& places, int claim);
  void access(const trace::AccessEvent& e) override;
  void block_ended(std::uint32_t block) override;
  ClaimResult result(bool cut) const override;

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
  /// Data that the verdict needs of all owners of blocks that have ended.
  struct Sum {
    std::uint64_t owners = 0;
    std::vector<std::int64_t> largest;         ///< by axis
    std::optional<std::uint64_t> worst_owner;  ///< the first one whose box is larger than stated
    std::vector<Box> worst;                    ///< its box, by axis
  };
  void add(Sum& sum, const Block& block) const;
  const source::ArrayPart& about() const { return std::get<source::ArrayPart>(stated().about); }
  void element(Block& block, std::uint64_t owner, std::int64_t number);
  std::string owner_words(std::uint64_t owner) const;

  std::int64_t element_bytes_ = 0;
  std::unordered_map<std::uint32_t, Block> running_;
  std::size_t running_boxes_ = 0;
  Sum sum_;
  std::uint64_t accesses_ = 0;
  std::string outside_;  ///< an access outside of the stated array
};

// "Each thread computes a TM x TN tile of C": the elements that each owner accesses are kept, per array and direction, and
// compared with what the sentence says about their number, their box or their rows.
//
// Which array is meant follows from the verb where none is named: what is written counts, else what is read; arrays that
// do not agree leave the claim unchecked. A box is a set of rows times a set of columns under a pitch that an argument or
// an axis of the buffer has, so that a tile in several pieces is one, too. "8x4" may be rows by columns or the reverse,
// unless its names say which.
//
// An owner that is watched is watched from its first access to its last. Of very many owners only the first are watched.

class WorkJudge final : public AccessJudge {
 public:
  WorkJudge(const Setting& setting, const MemoryPlaces& places, int claim);
  void access(const trace::AccessEvent& e) override;
  void barrier(const trace::BarrierEvent& e) override;
  ClaimResult result(bool cut) const override;

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

  const source::WorkShare& share() const { return std::get<source::WorkShare>(stated().about); }
  bool meant_line(std::uint32_t pc) const;
  void record(const trace::AccessEvent& e, std::size_t lane, bool written);
  std::string name_of(int buffer) const;
  std::string_view owner_word() const { return enum_name(share().owner); }
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
