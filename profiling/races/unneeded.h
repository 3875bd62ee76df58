#pragma once
// Barriers that order nothing: without one of them (all executions of one place of the source at once) no two conflicting
// accesses are unordered that are ordered with it. That is found by definition: the launch is watched once as it is, and
// once more for each barrier in question as if it were not there.
//
// Conflicting are two accesses of different threads to one byte of which at least one writes, atomics among themselves
// included: a barrier between them may decide which value the later one reads. The barrier of a cluster is also what ensures
// that shared memory of another block is there: where it is the only thing that does, it is needed. Other sizes of block or grid,
// other input, and other purposes of a barrier (order of printed text, time) are not judged.

#include <cstdint>
#include <memory>
#include <vector>

#include "profiling/races/races.h"

namespace lanescope::races {

class Unneeded : public trace::Observer {
 public:
  /// `places`: the barriers in question, each with all its pcs; of the barrier of a cluster those where threads arrive.
  Unneeded(const trace::Launch& launch, const std::vector<trace::CodeSite>& code, const std::vector<Area>& areas,
           std::vector<std::vector<std::uint32_t>> places);

  void on_step(const trace::Where&) override;
  void on_access(const trace::AccessEvent&) override;
  void on_remote_access(const trace::RemoteAccessEvent&) override;
  void on_cluster_barrier(const trace::ClusterBarrierEvent&) override;
  void on_barrier(const trace::BarrierEvent&) override;
  void on_release(const trace::ReleaseEvent&) override;
  void on_warp_sync(const trace::WarpSyncEvent&) override;
  void on_barrier_object(const trace::BarrierObjectEvent&) override;
  void on_bulk_copy(const trace::BulkCopyEvent&) override;
  void on_matrix_read(const trace::MatrixReadEvent&) override;

  struct Found {
    std::size_t place = 0;    ///< index in `places`
    std::uint64_t times = 0;  ///< executions by a block, or by a warp
    trace::Where last;
  };
  /// Empty where the launch has races (of writes of the same value, too), or threads are ordered by means that are not followed, or not all fitted into memory.
  std::vector<Found> found() const;

 private:
  template <class Event>
  void pass_on(void (trace::Observer::*what)(const Event&), const Event& event) {
    (whole_.*what)(event);
    for (const auto& w : without_) (w.get()->*what)(event);
  }
  void note(const trace::Where& where);

  std::vector<std::vector<std::uint32_t>> places_;
  RaceObserver whole_;
  std::vector<std::unique_ptr<RaceObserver>> without_;
  std::vector<trace::Where> last_;
};

}  // namespace lanescope::races
