#pragma once
// The state of a block by its events so far: contents of its variables and of its shared memory. A trace that begins
// within a block starts from this state. An observer maintains it for all running blocks; a checkpoint keeps it beside
// the machine.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kernels/trace/observer.h"
#include "kernels/trace/trace.h"

namespace lanescope::trace {

/// One word of a variable in one warp.
struct ShownWord {
  std::array<std::uint32_t, lanes_per_warp> values{};
  std::array<WordTag, lanes_per_warp> tags{};
  std::uint32_t defined = 0;  ///< lanes that have a value; the others are 0
  std::uint32_t times = 0;    ///< probes that have shown it
};

/// Plain columns, which a checkpoint keeps as bytes.
struct BlockState {
  std::uint64_t steps = 0;           ///< warp instructions
  std::vector<ShownWord> words;      ///< [word * warps + warp]; shorter than that where the last ones were never shown
  std::vector<std::uint32_t> times;  ///< [probe word * warps + warp]: times that this probe has shown it
  std::vector<SharedByte> shared;    ///< empty: nothing was written yet
};

class BlockStates final : public Observer {
 public:
  /// `warps` of a block; `tags` may be nullptr.
  BlockStates(std::uint32_t warps, TagPool* tags) : warps_(warps), tags_(tags) {}

  void on_step(const Where&) override;
  void on_probe(const ProbeEvent&) override;
  void on_access(const AccessEvent&) override;
  void on_block_end(std::uint32_t block, std::uint64_t steps) override;

  /// Steps of a block until now; 0: it has not begun, or has ended.
  std::uint64_t steps_of(std::uint32_t block) const;
  /// Of running blocks.
  const std::unordered_map<std::uint32_t, BlockState>& blocks() const { return blocks_; }
  void take(std::unordered_map<std::uint32_t, BlockState> blocks);
  /// As a trace has it that begins now.
  TraceBeginning beginning_of(std::uint32_t block) const;

 private:
  struct Site {  ///< of a probe: the variable that it records
    std::uint32_t word = 0, probe_word = 0;
  };
  BlockState& state_of(std::uint32_t block);
  const Site& site_of(const ProbeEvent& event);

  std::uint32_t warps_;
  TagPool* tags_;
  TagPool no_tags_;  ///< where there are none
  std::unordered_map<std::uint32_t, BlockState> blocks_;
  std::uint32_t last_block_ = 0;
  BlockState* last_ = nullptr;              ///< in blocks_
  std::vector<std::optional<Site>> sites_;  ///< by pc; numbers are given in the order of the first event and stay
  std::map<VariableWord, std::uint32_t> words_;
  std::map<std::pair<int, VariableWord>, std::uint32_t> probe_words_;
};

}  // namespace lanescope::trace
