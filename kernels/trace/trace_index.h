#pragma once
// Index for queries about a step: per variable word the records that wrote it, per block the accesses that
// wrote shared memory, with checkpoints in between. Private to this folder.

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "kernels/trace/trace.h"

namespace lanescope::trace {

/// The probe records of one variable word in one warp, oldest first. Every `stride` records a checkpoint names, for
/// each lane, the record that wrote it last.
struct WordHistory {
  static constexpr std::size_t stride = 32;
  std::vector<std::uint32_t> records;  ///< index into Trace::probes
  std::array<std::int32_t, lanes_per_warp> last{};
  std::vector<std::array<std::int32_t, lanes_per_warp>> checkpoints;  ///< [k]: before records[k * stride]
  WordHistory() { last.fill(-1); }
};

/// Shared memory of one block. One checkpoint after every max(16384, 4 * words) words written: 3 bytes a word written
/// at most, and a question replays half a millisecond of stores.
struct SharedHistory {
  struct Checkpoint {
    std::size_t before = 0;  ///< index into `records`
    std::vector<SharedByte> words;
  };
  std::vector<std::uint32_t> records;  ///< index into Trace::accesses
  std::vector<Checkpoint> checkpoints;
  std::vector<SharedByte> now;
  std::size_t words_since = 0;
};

struct Trace::Index {
  std::map<std::tuple<std::uint32_t, VariableWord, std::uint32_t>, WordHistory> words;  ///< (block, word, warp)
  std::map<std::uint32_t, SharedHistory> shared;                                        ///< by block
  std::size_t probes_seen = 0, accesses_seen = 0;
  void extend(const Trace& trace);
  std::size_t bytes() const;
};

/// Contents after a store or the like, as in AccessEvent.
struct SharedWrite {
  std::uint32_t mask = 0;
  int width_bytes = 4;
  std::span<const std::uint64_t> addresses;
  std::span<const std::uint32_t> values;
  std::span<const WordTag> tags;
};
/// Writes the lanes of one access into words of shared memory.
void apply_to_shared(TagPool& tags, const SharedWrite& write, std::vector<SharedByte>& words);
void apply_to_shared(TagPool& tags, const AccessRecord& access, std::vector<SharedByte>& words);

}  // namespace lanescope::trace
