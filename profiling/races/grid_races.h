#pragma once
// Races across a tree of grids: accesses of a kernel, its child grids and their child grids to the same memory.
//
// Edges, besides those within each grid (order.h), as CUDA 12 has them:
//
//   accesses of the launching thread before the launch, and accesses before these  -> the child grid
//   the end of a grid and of its child grids                                       -> the next launch of its block into the
//                                                                                    same stream
//   the end of the launching grid and of all its other launches                   -> its tail launches, in their order
//
// No other wait exists: accesses of a thread after a launch, and accesses of other threads of its block without a
// barrier before it, race with the child grid, and so do grids of different streams. Launches of different threads of
// one block into one stream follow each other in some order, here in that of the run; a release and an acquire order
// threads of different grids as they do blocks. Where a kernel uses events between streams, the order that they give is
// not followed: then grids that it launches count as ordered in the order of the run (`events()`).
//
// The grids run one after the other, each watched from begin() to the next begin(), a grid after the one that launched
// it and all that belongs to an earlier launch (emulator::Options::Grids::leave leads to such an order). They share
// their memory, and all are one launch to the observer below: blocks, steps and instructions are numbered on.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "kernels/trace/device_launch.h"
#include "profiling/races/races.h"

namespace lanescope::races {

/// Blocks, steps and pcs are those of each side's own grid, which are numbered from 0 in the order in which they ran.
struct GridRace {
  Race race;
  std::size_t first = 0, second = 0;
};

class GridRaces : public RaceObserver {
 public:
  /// Every kernel that takes part, by its name in Launch::kernel.
  GridRaces(const std::map<std::string, std::vector<trace::CodeSite>>& code, std::vector<Area> areas,
            std::size_t budget_bytes = default_budget);

  /// The grid of the host.
  void begin(const trace::Launch& launch) { begin_grid(launch, nullptr); }
  /// One that the last grid with a depth of one less has launched.
  void begin(const trace::DeviceLaunch& by) { begin_grid(by.launch, &by); }

  void on_step(const trace::Where&) override;
  void on_access(const trace::AccessEvent&) override;
  void on_barrier(const trace::BarrierEvent&) override;
  void on_release(const trace::ReleaseEvent&) override;
  void on_warp_sync(const trace::WarpSyncEvent&) override;
  void on_barrier_object(const trace::BarrierObjectEvent&) override;
  void on_bulk_copy(const trace::BulkCopyEvent&) override;
  void on_matrix_read(const trace::MatrixReadEvent&) override;

  /// The next grid does not belong to the tree: nothing more is judged.
  void give_up() { do_not_judge(); }

  /// Of different grids; those within one grid are found by its own observer.
  std::vector<GridRace> found() const;
  struct Origin {
    int parent = -1;  ///< number of the grid; -1: the host launched it, and nothing below holds
    std::uint32_t block = 0, thread = 0, warp = 0;  ///< of the launching thread; linear
    int lane = 0, line = 0;                         ///< line 0: not known
    std::string kernel{};
  };
  const Origin& origin(std::size_t grid) const { return grids_[grid].origin; }
  std::size_t grids() const { return grids_.size(); }
  /// Some kernel uses events, so that races between grids of different streams may be left out.
  bool events() const { return events_; }

 protected:
  GridRace in_own_numbers(const Race& race) const;

 private:
  struct Grid {
    std::uint64_t first_step = 0;
    std::uint32_t first_block = 0, first_pc = 0;
    Origin origin{};
  };
  using Queue = std::tuple<std::uint32_t, std::uint64_t, std::uint32_t>;  ///< block, stream, thread; see queue_of()
  /// A grid that may still have launches.
  struct Open {
    std::size_t grid = 0;
    std::uint32_t depth = 0;
    trace::Launch launch{};
    bool is_tail = false, in_queue = false;
    Queue queue{};
    std::unique_ptr<Gathering> known = std::make_unique<Gathering>();  ///< at exits, of its launches as well
    std::map<Queue, Known> queues{};                                   ///< of its launches: what the last one left
    std::map<std::pair<std::uint64_t, int>, Known> launching{};        ///< by step and lane
  };

  void begin_grid(const trace::Launch& launch, const trace::DeviceLaunch* by);
  void close();
  Known done(Open& open) const;
  static Queue queue_of(const trace::DeviceLaunch& launch);
  trace::Where numbered_on(trace::Where where);
  template <class Event>
  Event numbered(Event event) {
    event.where = numbered_on(event.where);
    return event;
  }

  std::map<std::string, std::uint32_t> first_pc_;
  std::vector<Grid> grids_;
  std::vector<std::unique_ptr<Open>> open_;  ///< from the host's down
  std::uint64_t next_step_ = 0;
  std::uint32_t next_block_ = 0;
  bool events_ = false;
};

}  // namespace lanescope::races
