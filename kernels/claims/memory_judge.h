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
#include <optional>
#include <string>
#include <vector>

#include "kernels/claims/claims.h"
#include "kernels/claims/judge.h"

namespace lanescope::claims {

class MemoryJudge {
 public:
  /// The claim is about memory and can be checked. All must outlive this; `setting` may be incomplete until the run begins.
  MemoryJudge(const Setting& setting, const MemoryPlaces& places, int claim);
  int claim() const { return claim_; }
  void access(const trace::AccessEvent& e);
  void barrier(const trace::BarrierEvent& e);
  /// `cut`: the block that wrote last was left before its end; what it wrote since its last barrier does not count.
  ClaimResult result(bool cut = false) const;

  static constexpr std::size_t most_axes = 8;
  using Numbers = std::array<std::int64_t, most_axes>;

 private:
  /// What a block's array holds, byte by byte.
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
  /// What the moments that end with writes of one line add up to.
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

  const source::MemoryClaim& about() const;
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

  const Setting* setting_;
  const MemoryPlaces* places_;
  int claim_ = 0;
  bool global_ = false;
  int element_bytes_ = 0;
  ClaimReason problem_;                  ///< why it cannot be judged in this run
  std::uint64_t first_ = 0, bytes_ = 0;  ///< of the array, as accesses count
  int buffer_ = -1;                      ///< global: of the launch
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

}  // namespace lanescope::claims
