#pragma once
// The past of a launch: checkpoints at a distance of some hundred thousand warp instructions, within a budget of bytes.
// Any step of any block is reached from the nearest checkpoint before it, by running again from there.
//
// When the budget is used up the oldest part of the past is thinned: every second checkpoint of it goes, so that it
// takes up to twice as long to come to a step there. When all of the past is that thin, new checkpoints keep that
// distance, too, and the next thinning begins with the oldest again. With room for four:
//
//   steps / distance   0   1   2   3   4   5   6   7   8
//   after 4            .   x   x   x   x
//   after 5            .       x       x   x
//   after 6, 7         .       x       x   x   x            x at 5 and 7 are the next to go
//   after 8            .       x       x       x       x
//
// The launch's beginning (.) is always there and costs nothing. If not even one checkpoint fits, every step is
// reached from there. The repeated run is the same run: the answers of clock and pool are written down (Journal), and
// identities are of the same pool.

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "kernels/emulator/checkpoint/pages.h"
#include "kernels/emulator/emulator.h"
#include "kernels/trace/block_states.h"

namespace lanescope::emulator {

struct HistoryOptions {
  std::size_t budget_bytes = std::size_t{1} << 30;
  /// Warp instructions between checkpoints, before any thinning; more where comparing memory with the last one would
  /// take long.
  std::uint64_t distance = std::uint64_t{1} << 18;
};

/// Contents of a history, in numbers for display.
struct HistoryUse {
  std::size_t budget_bytes = 0, used_bytes = 0;
  std::size_t most_bytes = 0;      ///< that were ever in use at once
  std::uint64_t checkpoints = 0;   ///< that are kept
  std::uint64_t thinned = 0;       ///< that were given up again
  std::uint64_t refused = 0;       ///< for which there was no room
  std::uint64_t farthest = 0;      ///< the most warp instructions from a checkpoint to the next
  std::uint64_t instructions = 0;  ///< of the launch, as far as it ran
};

class History {
 public:
  /// `module` and `initial` (the buffers that the launch begins with) must outlive it and stay as they are.
  /// `tags`: of the run's options.
  History(const ptx::Module& module, const trace::Launch& launch, const std::vector<trace::Buffer>& initial,
          trace::TagPool* tags, const HistoryOptions& options);
  ~History();

  /// States of the blocks by their events; for a recorder of run() or replay(), which receives events after it.
  const trace::BlockStates& states() const { return states_; }

  /// emulator::run(), with checkpoints. Once.
  Expected<Result> run(std::vector<trace::Buffer>& buffers, Options options);

  /// Whether the block ran, or began to.
  bool has_run(std::uint32_t block) const;
  /// Whether replay() can reach it: it has run, or the first run was not cut by time or by a fault.
  bool reaches(std::uint32_t block) const;
  /// Warp instructions of a block; nullopt: it did not end, or the grid is too large to note it.
  std::optional<std::uint64_t> steps_of(std::uint32_t block) const;

  struct Replayed {
    std::uint64_t from = 0, until = 0;  ///< warp instructions of the launch
    bool from_checkpoint = false;       ///< else from the beginning
  };
  struct Replay {
    std::uint32_t block = 0;
    std::uint64_t first_step = 0;  ///< of the block
    std::vector<trace::Observer*>
        observers;               ///< for these; Receives the events between the checkpoint and that step, too
    std::function<bool()> done;  ///< polled: nothing more is needed
    const std::atomic<bool>* cancel = nullptr;
    Limits limits{};  ///< of continuing beyond the first run
  };
  /// Runs again from the last checkpoint before that step until it is done or the first run ended. A block that did not
  /// run is reached by continuing from there, unless the first run was cut by time.
  Expected<Replayed> replay(const Replay& wanted);

  HistoryUse use() const;
  /// Where the checkpoints are, in warp instructions of the launch; ascending.
  std::vector<std::uint64_t> checkpoints() const;

 private:
  struct SavedState {  ///< of a trace::BlockState
    std::uint64_t steps = 0;
    Image words{}, times{}, shared{};
  };
  using SavedStates = std::unordered_map<std::uint32_t, SavedState>;
  struct Kept {
    std::uint64_t step = 0;
    std::shared_ptr<const Saved> machine{};
    SavedStates blocks{};
    Taken taken{};
  };
  class Thinning;
  class Ends;

  bool run_on(Machine& machine, std::uint64_t until, const std::function<bool()>& done, bool keeps);
  void keep(Machine& machine);
  bool save(Machine& machine, const Kept* before, Kept& kept);
  bool save_states(const Kept* before, Room& room, Kept& kept) const;
  void restore_states(const Kept& kept);
  bool thin();
  const Kept* nearest(const Replay& wanted, bool beyond) const;
  std::uint64_t place_of(std::uint32_t block) const;

  const ptx::Module& module_;
  trace::Launch launch_;
  const std::vector<trace::Buffer>& initial_;
  Allowance allowance_;
  trace::BlockStates states_;
  std::unique_ptr<Ends> ends_;
  std::list<Kept> kept_;  ///< ascending step
  std::uint64_t distance_ = 0, thin_to_ = 0;
  std::uint64_t thinned_ = 0, refused_ = 0;
  Options options_{};  ///< of the first run
  Journal journal_{};
  Result end_{};  ///< of the first run, without its output
  trace::Dim3 cluster_{};
};

}  // namespace lanescope::emulator
