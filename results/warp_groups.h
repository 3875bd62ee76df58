#pragma once
// When lanes of a warp run apart, when they reconverge, and when they wait, of the recorded block. Everything is read
// from its events: branches, the active lanes of each step, and arrivals at barriers.

#include <cstdint>
#include <string>

namespace lanescope::results {

/// A group of lanes that ran together parts in two, or groups become one.
struct GroupChange {
  std::uint32_t step = 0;  ///< parts: of the branch, or of the first instruction that only some of them ran; meets: of
                           ///< the first instruction that they ran together
  std::uint16_t warp = 0;
  bool meets = false;
  std::uint32_t lanes = 0;  ///< all of them
  std::uint32_t part = 0;   ///< parts: those that jump, or run first; meets: those that came last
  bool operator==(const GroupChange&) const = default;
};

/// Lanes of a warp wait. Lanes that are ready and that another group of the warp keeps from running do not.
struct Wait {
  enum class Kind : std::uint8_t {
    block_barrier,   ///< bar.sync, barrier.sync and their like
    warp_sync,       ///< bar.warp.sync, or shuffle, vote, match or redux with a member mask
    barrier_object,  ///< an mbarrier that is polled
  };
  Kind kind = Kind::block_barrier;
  std::uint16_t warp = 0;
  std::uint32_t lanes = 0;
  std::uint32_t from = 0;  ///< the step of their arrival
  std::int64_t until =
      -1;  ///< the last step that others ran before they could continue; -1: they never do in this record
  std::int32_t line = 0;  ///< of the operation; 0: not known
  std::uint32_t object =
      0;  ///< number of the barrier of the block; of an mbarrier its offset in shared memory, in bytes
  std::int32_t last_warp = -1;   ///< the last to arrive; -1: none, or not known
  std::uint32_t last_lanes = 0;  ///< of that warp
  bool operator==(const Wait&) const = default;
};

struct Summary;
/// "lanes 0–15, 24", "lanes 0–30 step 2", "all lanes".
std::string lanes_words(std::uint32_t lanes);
/// "lanes 0–15 of warp 1 wait at barrier 0 of line 16 from step 50 to step 96: the last to come are warp 3, all lanes".
std::string wait_words(const Summary& summary, const Wait& wait);
/// "lanes 0–15 and lanes 16–31 of warp 0 part at line 14, step 12".
std::string change_words(const Summary& summary, const GroupChange& change);

}  // namespace lanescope::results
