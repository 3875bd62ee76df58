#include "profiling/races/unneeded.h"

#include <algorithm>

namespace lanescope::races {

namespace {

/// Of each watcher; a launch that needs more is not judged.
constexpr std::size_t budget_bytes = std::size_t{64} << 20;

bool is_complete(const RaceObserver& seen) {
  return seen.judged() && seen.unwatched_words() == 0 && seen.dropped_accesses() == 0;
}

/// Shared memory of a block may not be there.
bool has_no_block(const RaceObserver& seen) {
  return std::ranges::any_of(seen.races(),
                             [](const Race& r) { return r.missing == Missing::begin || r.missing == Missing::end; });
}

/// Of writes of the same value, too: such a pair can hide another one that loses its order.
bool has_race(const RaceObserver& seen) { return !seen.races().empty(); }

}  // namespace

Unneeded::Unneeded(const trace::Launch& launch, const std::vector<trace::CodeSite>& code,
                   const std::vector<Area>& areas, std::vector<std::vector<std::uint32_t>> places)
    : places_(std::move(places)), whole_(launch, code, areas, budget_bytes), last_(places_.size()) {
  for (const auto& pcs : places_)
    without_.push_back(std::make_unique<RaceObserver>(launch, code, areas, budget_bytes, pcs));
}

void Unneeded::note(const trace::Where& where) {
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (std::ranges::find(places_[i], where.pc) != places_[i].end()) last_[i] = where;
}

void Unneeded::on_step(const trace::Where& where) { pass_on(&trace::Observer::on_step, where); }
void Unneeded::on_access(const trace::AccessEvent& event) { pass_on(&trace::Observer::on_access, event); }
void Unneeded::on_remote_access(const trace::RemoteAccessEvent& event) {
  pass_on(&trace::Observer::on_remote_access, event);
}
void Unneeded::on_cluster_barrier(const trace::ClusterBarrierEvent& event) {
  if (event.kind == trace::ClusterBarrierEvent::Kind::arrive) note(event.where);
  pass_on(&trace::Observer::on_cluster_barrier, event);
}
void Unneeded::on_barrier(const trace::BarrierEvent& event) {
  note(event.where);
  pass_on(&trace::Observer::on_barrier, event);
}
void Unneeded::on_release(const trace::ReleaseEvent& event) { pass_on(&trace::Observer::on_release, event); }
void Unneeded::on_warp_sync(const trace::WarpSyncEvent& event) {
  note(event.where);
  pass_on(&trace::Observer::on_warp_sync, event);
}

void Unneeded::on_barrier_object(const trace::BarrierObjectEvent& event) {
  pass_on(&trace::Observer::on_barrier_object, event);
}
void Unneeded::on_bulk_copy(const trace::BulkCopyEvent& event) { pass_on(&trace::Observer::on_bulk_copy, event); }
void Unneeded::on_matrix_read(const trace::MatrixReadEvent& event) { pass_on(&trace::Observer::on_matrix_read, event); }

std::vector<Unneeded::Found> Unneeded::found() const {
  std::vector<Found> out;
  if (!is_complete(whole_) || has_race(whole_)) return out;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const RaceObserver& without = *without_[i];
    if (!is_complete(without) || without.without_is_mixed() || without.left_out() == 0) continue;
    if (without.lost() == 0 && !has_no_block(without)) out.push_back({i, without.left_out(), last_[i]});
  }
  return out;
}

}  // namespace lanescope::races
