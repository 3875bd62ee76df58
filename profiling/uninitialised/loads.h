#pragma once
// Whether a launch loads bytes that no thread has written, in shared, local or global memory: a table of written bytes,
// and one look at it for each load; or shuffles values out of lanes that do not take part. It only finds whether there
// is one. A second run (reads.h), which only few launches need, follows such bytes.
//
// False positives are possible, false negatives are not.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "kernels/trace/observer.h"
#include "kernels/trace/pages.h"

namespace lanescope::uninitialised {

/// Bytes of the buffers that no store has written: by buffer of the launch and byte, 1 where none has. Empty: all are
/// written. It lives as long as the buffers do, from launch to launch. One entry more than buffers is that of the
/// device heap, of which the first bytes are followed: reused heap memory counts as written.
using UnwrittenBytes = std::vector<trace::Pages<std::uint8_t>>;
inline constexpr std::uint64_t followed_heap_bytes = std::uint64_t{4} << 20;

struct Area {
  std::uint64_t address = 0, bytes = 0;
};

class Loads final : public trace::Observer {
 public:
  /// `buffers`: where those of `unwritten` are; both must outlive it. Stores take bytes out of `unwritten`; nullptr:
  /// every byte of global memory is written.
  Loads(const std::vector<Area>& buffers, UnwrittenBytes* unwritten);

  void on_access(const trace::AccessEvent&) override;
  void on_remote_access(const trace::RemoteAccessEvent&) override;
  void on_shuffle(const trace::ShuffleEvent&) override;
  void on_barrier_object(const trace::BarrierObjectEvent&) override;
  void on_bulk_copy(const trace::BulkCopyEvent&) override;
  /// The block has ended: its shared and local memory are dropped.
  void block_ended(std::uint32_t block);

  /// Observations of a part about the shared and local memory of other blocks.
  void take(const Loads& part) { any_ = any_ || part.any_; }
  /// Some load or shuffle may have read unwritten bytes.
  bool any() const { return any_; }

 private:
  using Written = std::vector<std::uint8_t>;
  void touch(Written& written, std::uint64_t at, std::uint64_t bytes, bool reads, bool writes);
  void global(const trace::AccessEvent& event, bool reads, bool writes);
  void global_range(std::uint64_t address, std::uint64_t bytes, bool reads, bool writes);

  std::vector<Area> buffers_;
  std::size_t last_buffer_ = 0;
  UnwrittenBytes* unwritten_ = nullptr;
  bool some_global_ = false, any_ = false;
  struct Block {
    Written shared;
    std::unordered_map<std::uint32_t, Written> local;  ///< by warp: offset * 32 + lane
  };
  std::unordered_map<std::uint32_t, Block> blocks_;
  std::uint32_t last_number_ = 0;
  Block* last_ = nullptr;
};

}  // namespace lanescope::uninitialised
