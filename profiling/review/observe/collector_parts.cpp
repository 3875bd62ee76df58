// Blocks that run beside each other, each with a collector that is joined in its turn. The part collects the data
// of a block alone (its shared and local memory, its barriers, its divergence), sums and extremes. Data that depend
// on earlier blocks (which threads touched a word of global memory) are kept as a log, and evaluated in turn.

#include <algorithm>
#include <bit>

#include "profiling/review/observe/collector.h"

namespace lanescope::review {

/// Passes events of global memory to the whole collector.
class AccessCollector::InTurn final : public trace::Observer {
 public:
  InTurn(AccessCollector& whole, const std::vector<std::int32_t>& epochs) : whole_(whole), epochs_(epochs) {}
  void on_step(const trace::Where& where) override { whole_.races_.on_step(where); }
  void on_barrier(const trace::BarrierEvent& event) override { whole_.races_.on_barrier(event); }
  void on_release(const trace::ReleaseEvent& event) override { whole_.races_.on_release(event); }
  void on_warp_sync(const trace::WarpSyncEvent& event) override { whole_.races_.on_warp_sync(event); }
  void on_access(const trace::AccessEvent& event) override {
    const std::int32_t epoch = epochs_[next_++];
    whole_.pass_to_races(event);
    whole_.loads_.on_access(event);
    const int buffer = whole_.buffer_of(event.addresses[first_bit(event.where.active)]);
    if (whole_.in_library(buffer)) return;
    whole_.writes_.access(event, buffer, epoch);
    whole_.incoherent_.access(event, buffer);
  }

 private:
  AccessCollector& whole_;
  const std::vector<std::int32_t>& epochs_;
  std::size_t next_ = 0;
};

AccessCollector::AccessCollector(const AccessCollector& whole, OfBlocks)
    : launch_(whole.launch_),
      piece_(whole.piece_),
      beside_(whole.beside_),
      predicated_(whole.predicated_),
      exits_(whole.exits_),
      combinable_(whole.combinable_),
      watched_(whole.watched_),
      budget_(whole.budget_),
      leader_of_(whole.leader_of_),
      variable_(whole.variable_),
      like_(whole.like_),
      ended_repeated_(whole.ended_repeated_),
      order_(whole.order_.part()),
      barriers_(whole.barriers_.part()),
      writes_(whole.launch_),
      discarded_(whole.discarded_),
      races_(whole.races_, whole.launch_.launch, races::RaceObserver::OfSharedMemory()),
      loads_({}, nullptr),
      lockstep_(whole.lockstep_.part()),
      incoherent_(whole.launch_),
      later_(std::make_unique<Later>()) {
  for (const auto& [block, counts] : whole.of_repeated_) of_repeated_[block];
}

std::unique_ptr<trace::Observer> AccessCollector::part() const {
  if (!races_.parts_are_possible()) return nullptr;
  return std::unique_ptr<trace::Observer>(new AccessCollector(*this, OfBlocks()));
}

void AccessCollector::keep_to(std::size_t bytes) { later_->log.keep_to(bytes); }

void AccessCollector::settle(std::span<const std::uint64_t> values) {
  if (later_->log.is_whole()) later_->log.settle(values);
}

std::size_t AccessCollector::part_bytes() const {
  return later_->log.part_bytes() + later_->epochs.capacity() * sizeof(std::int32_t) + address_bytes_;
}

void AccessCollector::keep_for_later(const trace::AccessEvent& event) {
  later_->log.on_access(event);
  later_->epochs.push_back(order_.epoch(event.where.block));
}

bool AccessCollector::can_take(const trace::Observer& observer) const {
  const auto& part = static_cast<const AccessCollector&>(observer);
  if (!part.later_->log.is_whole() || part.later_->unknown || part.truncated_) return false;
  if (!truncated_ && address_bytes_ + part.address_bytes_ >= budget_.addresses) return false;
  // Which access others are measured from is the first of the launch.
  return std::ranges::all_of(part.leader_of_, [&](const auto& theirs) {
    const auto mine = leader_of_.find(theirs.first);
    return mine == leader_of_.end() || mine->second == theirs.second;
  });
}

namespace {

trace::Where later(trace::Where where, std::uint64_t steps) {
  where.step += steps;
  return where;
}

}  // namespace

void AccessCollector::take(trace::Observer& observer, std::uint64_t first_step) {
  auto& part = static_cast<AccessCollector&>(observer);
  InTurn in_turn(*this, part.later_->epochs);
  part.later_->log.report(in_turn, first_step);
  races_.take_shared(part.races_, first_step);
  loads_.take(part.loads_);
  order_.take(part.order_, first_step);
  barriers_.take(part.barriers_, first_step);
  lockstep_.take(part.lockstep_, first_step);
  instructions_ += part.instructions_;
  leader_of_.insert(part.leader_of_.begin(), part.leader_of_.end());
  for (const auto& [key, theirs] : part.totals_) take_totals(totals_[key], theirs, first_step);
  for (const auto& [pc, theirs] : part.atomics_) {
    AtomicTotals moved = theirs;
    moved.worst = later(theirs.worst, first_step);
    atomics_[pc].add(moved);
  }
  for (const auto& [pc, theirs] : part.neighbours_) take_neighbour(neighbours_[pc], theirs, first_step);
  for (const auto& [pc, theirs] : part.divergences_) {
    Divergence& p = divergences_[pc];
    if (p.times == 0 && theirs.times > 0) p.first = later(theirs.first, first_step);
    p.at_border = p.at_border && theirs.at_border;
    p.times += theirs.times, p.instructions += theirs.instructions, p.idle_lanes += theirs.idle_lanes;
  }
  for (const auto& [pc, theirs] : part.overruns_) {
    Overrun& o = overruns_[pc];
    const std::uint64_t times = o.times + theirs.times;
    if (o.times == 0) o = theirs, o.first = later(theirs.first, first_step);
    o.times = times;
  }
  for (const auto& [block, times] : part.repeats_) repeats_[block] += times;
  for (const std::uint32_t block : part.ended_repeated_)
    if (ended_repeated_.insert(block).second) of_repeated_[block] = std::move(part.of_repeated_[block]);
  if (truncated_) return;
  ended_blocks_ += part.ended_blocks_;
  address_bytes_ += part.address_bytes_;
  const auto first_irregular = static_cast<std::int32_t>(irregular_.size());
  irregular_.insert(irregular_.end(), part.irregular_.begin(), part.irregular_.end());
  for (const auto& [buffer, theirs] : part.reaches_)
    for (Reach r : theirs) {
      if (r.irregular >= 0) r.irregular += first_irregular;
      reaches_[buffer].push_back(r);
    }
}

void AccessTotals::add(const AccessTotals& other) {
  const AccessTotals before = *this;
  if (before.sum.requests == 0 || other.worst_excess > before.worst_excess) *this = other;
  bad_accesses = before.bad_accesses + other.bad_accesses;
  sum = before.sum;
  sum += other.sum;
}

void AtomicTotals::add(const AtomicTotals& other) {
  if (executions == 0 || std::popcount(other.worst.active) > std::popcount(worst.active))
    worst = other.worst, access = other.access, buffer = other.buffer;
  executions += other.executions, updates += other.updates, spread += other.spread;
}

void AccessCollector::take_totals(AccessTotals& t, AccessTotals theirs, std::uint64_t first_step) {
  theirs.worst = later(theirs.worst, first_step);
  t.add(theirs);
}

void AccessCollector::take_neighbour(Neighbour& n, const Neighbour& theirs, std::uint64_t first_step) {
  if (n.times == 0) {
    n = theirs;
    n.first = later(theirs.first, first_step);
    return;
  }
  n.constant = n.constant && theirs.constant && n.leader == theirs.leader && n.buffer == theirs.buffer &&
               n.distance_bytes == theirs.distance_bytes;
  n.times += theirs.times;
  n.residues |= theirs.residues;
  n.base_residues |= theirs.base_residues;
  n.consecutive = n.consecutive && theirs.consecutive;
}

}  // namespace lanescope::review
