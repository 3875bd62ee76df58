#include "profiling/review/observe/collector.h"

#include <algorithm>
#include <bit>

#include "kernels/base/set_bits.h"
#include "profiling/review/observe/atomic_code.h"

namespace lanescope::review {
namespace {

/// All lanes at one address: nothing can be moved less.
bool uniform(const access::Access& a) {
  const std::uint64_t first = a.addresses[first_bit(a.mask)];
  for (const std::size_t lane : set_bits(a.mask))
    if (a.addresses[lane] != first) return false;
  return true;
}

/// Of global memory: moved bytes that no lane requests. A full warp is held to entire lines; if lanes are inactive (a
/// tail, one lane that writes a sum), sectors are held to the fewest that hold the bytes.
std::uint64_t excess_of(const access::Access& a, const access::Cost& cost) {
  if (a.space == trace::MemorySpace::shared) return cost.bank_conflicts;
  if (a.space == trace::MemorySpace::constant) return cost.replays();
  if (uniform(a)) return 0;
  if (a.mask == ~0u) return cost.lines * 128 - cost.bytes_wanted;
  return (cost.sectors - std::min(cost.sectors, cost.ideal_sectors)) * 32;
}

std::vector<uninitialised::Area> buffer_areas(const LaunchReview& launch) {
  std::vector<uninitialised::Area> areas;
  for (const LaunchReview::Buffer& b : launch.buffers) areas.push_back({b.address, b.bytes});
  return areas;
}

}  // namespace

std::vector<races::Area> watched_areas(const LaunchReview& launch) {
  std::vector<races::Area> areas;
  for (const LaunchReview::Buffer& b : launch.buffers) areas.push_back({b.address, b.library ? 0 : b.bytes});
  return areas;
}

AccessCollector::AccessCollector(const LaunchReview& launch, const std::vector<int>& watched, Budget budget,
                                 uninitialised::UnwrittenBytes* unwritten)
    : launch_(launch),
      combinable_(combinable_atomics(*launch.entry)),
      watched_(launch.buffers.size(), false),
      budget_(budget),
      order_(launch),
      barriers_(launch),
      writes_(launch, budget.writers),
      discarded_(std::make_shared<const DiscardedLoads>(*launch.entry, launch.launch)),
      races_(launch.launch, launch.code, watched_areas(launch), budget.races),
      loads_(buffer_areas(launch), unwritten),
      lockstep_(launch),
      incoherent_(launch, budget.incoherent) {
  for (const int b : watched) watched_.at(static_cast<std::size_t>(b)) = true;
  for (const trace::CodeSite& site : launch.code) {
    predicated_.push_back(site.text.starts_with('@'));
    exits_.push_back(site.kind == trace::StepKind::exit);
  }
  find_pieces();
  find_variables();
}

void AccessCollector::find_variables() {
  variable_.assign(launch_.code.size(), -1);
  for (std::size_t pc = 0; pc < std::min(launch_.shared_bases.size(), variable_.size()); ++pc) {
    if (launch_.shared_bases[pc].empty()) continue;
    const auto v = std::ranges::find(launch_.shared, launch_.shared_bases[pc], &LaunchReview::SharedVariable::name);
    if (v != launch_.shared.end()) variable_[pc] = static_cast<int>(v - launch_.shared.begin());
  }
}

void AccessCollector::overrun(const trace::AccessEvent& event) {
  const std::uint32_t pc = event.where.pc;
  if (pc >= variable_.size() || variable_[pc] < 0) return;
  const LaunchReview::SharedVariable& v = launch_.shared[static_cast<std::size_t>(variable_[pc])];
  const auto width = static_cast<std::uint64_t>(event.width_bytes);
  const std::uint32_t lanes =
      event.kind == trace::AccessKind::load ? discarded_->kept(event.where) : event.where.active;
  for (const std::size_t l : set_bits(lanes)) {
    const std::uint64_t from = event.addresses[l] - v.offset;  // wraps before the array
    if (width <= v.bytes && from <= v.bytes - width) continue;
    Overrun& o = overruns_[pc];
    if (SharedCounts* r = repeated(event)) ++r->overruns;
    if (o.times++ == 0)
      o.pc = pc, o.variable = variable_[pc], o.first = event.where, o.lane = static_cast<int>(l),
      o.access = access::access_of(event);
  }
}

/// Straight pieces end at labels, branches, barriers, atomics and fences: within one, the accesses of a lane follow each
/// other whenever the first is executed.
void AccessCollector::find_pieces() {
  piece_.assign(launch_.code.size(), -1);
  beside_.assign(launch_.code.size(), false);
  std::vector<bool> label(launch_.code.size() + 1, false);
  for (const ptx::Label& l : launch_.entry->labels)
    if (static_cast<std::size_t>(l.instruction) < label.size()) label[static_cast<std::size_t>(l.instruction)] = true;
  int piece = 0;
  std::map<std::pair<int, trace::StepKind>, std::vector<std::size_t>> plain_ones;
  for (std::size_t pc = 0; pc < launch_.entry->code.size() && pc < launch_.code.size(); ++pc) {
    const trace::CodeSite& site = launch_.code[pc];
    using trace::StepKind;
    const auto has = [&](std::string_view part) { return site.text.find(part) != std::string::npos; };
    if (label[pc] || site.kind == StepKind::branch || site.kind == StepKind::barrier || site.kind == StepKind::atomic ||
        has("membar") || has("fence"))
      ++piece;
    piece_[pc] = piece;
    const bool memory = site.kind == StepKind::load || site.kind == StepKind::store;
    if (memory && !predicated_[pc] && !has(".volatile") && !has(".relaxed") && !has(".acquire") && !has(".release"))
      plain_ones[{piece, site.kind}].push_back(pc);
  }
  for (const auto& [key, pcs] : plain_ones)
    for (const std::size_t pc : pcs) beside_[pc] = pcs.size() > 1;
}

AccessCollector::WarpState& AccessCollector::warp(const trace::Where& where) {
  if (last_block_ != nullptr && last_number_ == where.block) return last_block_->warps[where.warp];
  const auto [at, fresh] = blocks_.try_emplace(where.block);
  BlockState& b = at->second;
  last_number_ = where.block;
  last_block_ = &b;
  if (fresh) {
    const std::uint64_t threads = launch_.launch.block.count();
    b.warps.resize(launch_.launch.warps_per_block());
    for (std::size_t w = 0; w < b.warps.size(); ++w) {
      const std::uint64_t lanes = std::min<std::uint64_t>(32, threads - w * 32);
      b.warps[w].live = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
    }
    b.living = threads;
    if (const auto own = of_repeated_.find(where.block); own != of_repeated_.end()) b.counts = &own->second;
    b.skips =
        like_ != nullptr && (*like_)[where.block] != where.block && ended_repeated_.contains((*like_)[where.block]);
  }
  return b.warps[where.warp];
}

void AccessCollector::leave(const trace::Where& where) {
  order_.lanes_exit(where.block, where.warp, where.active);
  WarpState& w = warp(where);
  BlockState& b = *last_block_;
  b.living -= static_cast<std::uint64_t>(std::popcount(w.live & where.active));
  w.live &= ~where.active;
  if (b.living > 0) return;
  barriers_.block_ends(where.block);
  loads_.block_ended(where.block);
  lockstep_.block_ended(where.block);
  if (!truncated_) ++ended_blocks_;
  if (b.skips) ++repeats_[(*like_)[where.block]];
  if (b.counts != nullptr) ended_repeated_.insert(where.block);
  blocks_.erase(where.block);
  last_block_ = nullptr;
}

void AccessCollector::repeat(std::vector<std::uint32_t> like) {
  // Else shared memory orders what threads do to global memory, and all of it has to be seen.
  if (like.empty() || !races_.parts_are_possible()) return;
  for (std::uint32_t block = 0; block < like.size(); ++block)
    if (like[block] != block) of_repeated_.try_emplace(like[block]);
  like_ = std::make_shared<const std::vector<std::uint32_t>>(std::move(like));
}

void AccessCollector::add_repeated() {
  for (const auto& [block, times] : repeats_)
    for (const auto& [pc, counts] : of_repeated_.at(block)) {
      if (counts.sum.requests > 0) {
        AccessTotals& t = totals_.at({pc, trace::MemorySpace::shared});
        t.sum += access::times(counts.sum, times);
        t.bad_accesses += counts.bad_accesses * times;
      }
      if (counts.executions > 0) {
        AtomicTotals& a = atomics_.at(pc);
        a.executions += counts.executions * times, a.updates += counts.updates * times;
        a.spread += counts.spread * times;
      }
      if (counts.neighbours > 0) neighbours_.at(pc).times += counts.neighbours * times;
      if (counts.overruns > 0) overruns_.at(pc).times += counts.overruns * times;
    }
  repeats_.clear();
}

void AccessCollector::launch_ended() {
  add_repeated();
  writes_.launch_ended();
  races_.launch_ended();
}

void AccessCollector::on_release(const trace::ReleaseEvent& event) {
  if (later_ != nullptr) later_->log.on_release(event);
  races_.on_release(event);
}
void AccessCollector::on_shuffle(const trace::ShuffleEvent& event) { loads_.on_shuffle(event); }
void AccessCollector::on_barrier_object(const trace::BarrierObjectEvent& event) {
  has_no_part();
  races_.on_barrier_object(event);
  loads_.on_barrier_object(event);
}
void AccessCollector::on_bulk_copy(const trace::BulkCopyEvent& event) {
  has_no_part();
  races_.on_bulk_copy(event);
  loads_.on_bulk_copy(event);
}
void AccessCollector::on_warp_sync(const trace::WarpSyncEvent& event) {
  if (later_ != nullptr) later_->log.on_warp_sync(event);
  races_.on_warp_sync(event);
}

void AccessCollector::on_step(const trace::Where& where) {
  ++instructions_;
  if (where.pc >= launch_.code.size()) return;
  races_.on_step(where);
  if (later_ != nullptr && exits_[where.pc]) later_->log.on_step(where);
  WarpState& w = warp(where);
  if (!predicated_[where.pc] || launch_.code[where.pc].kind == trace::StepKind::branch) {
    if (where.active == w.live) {
      w.diverged_at = -1;
    } else if (w.diverged_at >= 0 && where.active != 0) {
      Divergence& p = divergences_[static_cast<std::uint32_t>(w.diverged_at)];
      ++p.instructions;
      p.idle_lanes += static_cast<std::uint64_t>(std::popcount(w.live & ~where.active));
    }
  }
  if (exits_[where.pc]) leave(where);
}

void AccessCollector::on_branch(const trace::BranchEvent& event) {
  const bool table = event.where.pc < launch_.code.size() && launch_.code[event.where.pc].text.starts_with("brx");
  if (event.taken == 0 || (event.taken == event.where.active && !table)) return;
  warp(event.where).diverged_at = event.where.pc;
  if (table) return;  // which of its targets are taken shows in what follows
  Divergence& p = divergences_[event.where.pc];
  if (p.times++ == 0) p.first = event.where;
  const std::uint32_t others = event.where.active & ~event.taken;
  const auto below = [](std::uint32_t low, std::uint32_t high) { return low < (high & (~high + 1)); };
  const bool runs = below(event.taken, others) || below(others, event.taken);
  const std::pair now(order_.epoch(event.where.block), event.where.warp);
  const auto [before, fresh] = last_block_->divided.try_emplace(event.where.pc, now);
  p.at_border = p.at_border && runs && (fresh || before->second.first != now.first || before->second == now);
  before->second = now;
}

void AccessCollector::on_barrier(const trace::BarrierEvent& event) {
  if (later_ != nullptr) later_->log.on_barrier(event);
  races_.on_barrier(event);
  order_.barrier(event.where);
  barriers_.barrier(event.where);
}

int AccessCollector::buffer_of(std::uint64_t address) const {
  for (std::size_t i = 0; i < launch_.buffers.size(); ++i)
    if (address - launch_.buffers[i].address < launch_.buffers[i].bytes) return static_cast<int>(i);
  return -1;
}

void AccessCollector::on_access(const trace::AccessEvent& event) {
  if (event.where.active == 0) return;
  if (event.deferred != 0 && (event.space != trace::MemorySpace::global || lockstep_.reads_value(event.where.pc)))
    has_no_part();
  barriers_.access(event.where);
  if (like_ != nullptr && event.space == trace::MemorySpace::shared) {
    warp(event.where);
    if (last_block_->skips) return;
  }
  if (later_ != nullptr && event.space == trace::MemorySpace::global) {
    keep_for_later(event);
  } else {
    pass_to_races(event);
    loads_.on_access(event);
  }
  lockstep_.access(event);
  if (event.space == trace::MemorySpace::shared) {
    order_.access(event);
    overrun(event);
    count(event, Neighbour::in_shared);
  } else if (event.space == trace::MemorySpace::global || event.space == trace::MemorySpace::constant) {
    const int buffer = buffer_of(event.addresses[first_bit(event.where.active)]);
    if (in_library(buffer)) return;
    if (event.space == trace::MemorySpace::global) global(event, buffer);
    count(event, buffer);
  }
}

void AccessCollector::pass_to_races(const trace::AccessEvent& event) {
  const std::uint32_t kept = event.kind == trace::AccessKind::load ? discarded_->kept(event.where) : event.where.active;
  if (kept == event.where.active) return races_.on_access(event);
  if (kept == 0) return;
  trace::AccessEvent part = event;
  part.where.active = kept;
  races_.on_access(part);
}

void AccessCollector::global(const trace::AccessEvent& event, int buffer) {
  order_.note_global(buffer, event.kind != trace::AccessKind::load && event.kind != trace::AccessKind::async_copy);
  if (trace::is_atomic(event.kind)) order_.note_global(buffer, false);
  const bool in_heap = buffer >= 0 && launch_.buffers[static_cast<std::size_t>(buffer)].heap;
  if (later_ == nullptr && !in_heap) {
    writes_.access(event, buffer, order_.epoch(event.where.block));
    incoherent_.access(event, buffer);
  }
  if (buffer >= 0 && watched_[static_cast<std::size_t>(buffer)]) reach(event, buffer);
}

void AccessCollector::count(const trace::AccessEvent& event, int buffer) {
  if (trace::is_atomic(event.kind)) return count_atomic(event, buffer);
  const access::Access access = access::access_of(event);
  const access::Cost cost = access::cost(access);
  const std::uint64_t excess = excess_of(access, cost);
  AccessTotals& t = totals_[{event.where.pc, event.space}];
  if (t.sum.requests == 0 || excess > t.worst_excess) {
    t.pc = event.where.pc, t.worst = event.where, t.worst_excess = excess, t.access = access, t.cost = cost;
    t.buffer = std::max(buffer, -1);
  }
  t.bad_accesses += excess > 0 ? 1 : 0;
  t.sum += cost;
  if (SharedCounts* r = repeated(event)) r->sum += cost, r->bad_accesses += excess > 0 ? 1 : 0;
  if (event.space != trace::MemorySpace::constant) neighbour(event, buffer);
}

void AccessCollector::count_atomic(const trace::AccessEvent& event, int buffer) {
  if (event.where.pc >= combinable_.size() || !combinable_[event.where.pc]) return;
  AtomicTotals one{.executions = 1,
                   .updates = static_cast<std::uint64_t>(std::popcount(event.where.active)),
                   .buffer = std::max(buffer, -1),
                   .worst = event.where,
                   .access = access::access_of(event)};
  one.spread = uniform(one.access) ? 0 : 1;
  atomics_[event.where.pc].add(one);
  if (SharedCounts* r = repeated(event)) r->executions += 1, r->updates += one.updates, r->spread += one.spread;
}

/// Distances to the first access of the same kind, piece and buffer, lane by lane.
void AccessCollector::neighbour(const trace::AccessEvent& event, int buffer) {
  const std::uint32_t pc = event.where.pc;
  if (buffer == -1 || event.width_bytes > 4 || pc >= beside_.size() || !beside_[pc]) return;
  const std::uint32_t leader = leader_of_.try_emplace({piece_[pc], buffer, event.kind}, pc).first->second;
  Neighbour& n = neighbours_[pc];
  WarpState& w = warp(event.where);
  const std::uint32_t mask = event.where.active;
  if (n.times == 0) {
    n.pc = pc, n.leader = leader, n.kind = event.kind, n.mask = mask, n.first = event.where;
    n.width_bytes = event.width_bytes, n.buffer = buffer;
    std::copy_n(event.addresses.begin(), 32, n.addresses.begin());
  }
  if (n.leader != leader || n.buffer != buffer) n.constant = false;
  if (leader == pc) {
    auto& kept = w.leaders[pc];
    kept.first = mask;
    std::copy_n(event.addresses.begin(), 32, kept.second.begin());
  }
  const auto kept = w.leaders.find(leader);
  const bool fits = kept != w.leaders.end() && kept->second.first == mask;
  bool first = n.times++ == 0;
  if (SharedCounts* r = repeated(event)) ++r->neighbours;
  std::uint64_t previous = 0;
  if (mask != 0xffffffffu) n.consecutive = false;
  for (const std::size_t l : set_bits(mask)) {
    const std::uint64_t address = event.addresses[l];
    n.residues |= 1u << address % 16;
    if (l > 0 && address != previous + static_cast<std::uint64_t>(n.width_bytes)) n.consecutive = false;
    if (l == 0) n.base_residues |= 1u << address % 16;
    previous = address;
    const auto distance = fits ? static_cast<std::int64_t>(address - kept->second.second[l]) : 0;
    if (first) n.distance_bytes = distance;
    first = false;
    if (!fits || distance != n.distance_bytes) n.constant = false;
  }
}

void AccessCollector::reach(const trace::AccessEvent& event, int buffer) {
  if (truncated_) return;
  const std::uint64_t start = launch_.buffers[static_cast<std::size_t>(buffer)].address;
  Reach r{.block = event.where.block,
          .pc = event.where.pc,
          .mask = event.where.active,
          .warp = static_cast<std::uint8_t>(event.where.warp),
          .width_bytes = static_cast<std::uint8_t>(event.width_bytes),
          .writes = event.kind != trace::AccessKind::load && event.kind != trace::AccessKind::async_copy};
  const int low = std::countr_zero(r.mask);
  const auto at = [&](int lane) {
    return static_cast<std::int64_t>(event.addresses[static_cast<std::size_t>(lane)] - start);
  };
  const std::uint32_t rest = r.mask & (r.mask - 1);
  if (rest != 0 && (at(std::countr_zero(rest)) - at(low)) % (std::countr_zero(rest) - low) == 0)
    r.stride = (at(std::countr_zero(rest)) - at(low)) / (std::countr_zero(rest) - low);
  r.base = at(low) - low * r.stride;
  bool regular = true;
  for (const std::size_t lane : set_bits(r.mask)) {
    const int l = static_cast<int>(lane);
    if (at(l) != r.base + l * r.stride) regular = false;
  }
  if (!regular) {
    r.irregular = static_cast<std::int32_t>(irregular_.size());
    auto& kept = irregular_.emplace_back();
    for (int l = 0; l < 32; ++l) kept[static_cast<std::size_t>(l)] = at(l);
  }
  reaches_[buffer].push_back(r);
  address_bytes_ += sizeof(Reach) + (regular ? 0 : sizeof(irregular_.front()));
  if (address_bytes_ >= budget_.addresses) forget_unfinished();
}

/// The budget is spent. Part of a block's addresses would look like a block that reaches less.
void AccessCollector::forget_unfinished() {
  truncated_ = true;
  for (auto& [buffer, kept] : reaches_) std::erase_if(kept, [&](const Reach& r) { return blocks_.contains(r.block); });
}

}  // namespace lanescope::review
