#include "profiling/races/grid_races.h"

#include <algorithm>

#include "kernels/base/set_bits.h"

namespace lanescope::races {

namespace {

const trace::Launch no_launch{};
constexpr std::uint64_t per_thread_stream = 2;  // of the device runtime

}  // namespace

GridRaces::GridRaces(const std::map<std::string, std::vector<trace::CodeSite>>& code, std::vector<Area> areas,
                     std::size_t budget_bytes)
    : RaceObserver(no_launch, std::move(areas), budget_bytes) {
  for (const auto& [kernel, sites] : code) {
    first_pc_[kernel] = append_code(sites);
    for (const trace::CodeSite& site : sites)
      events_ = events_ || site.text.find("__cudaCDP2StreamWaitEvent") != std::string::npos;
  }
}

/// Launches of one queue follow each other.
GridRaces::Queue GridRaces::queue_of(const trace::DeviceLaunch& launch) {
  return {launch.where.block, launch.stream, launch.stream == per_thread_stream ? launch.thread + 1 : 0};
}

/// Accesses that happen before a grid that begins after this one and its child grids.
Known GridRaces::done(Open& open) const {
  const Grid& grid = grids_[open.grid];
  Gathering all;
  all.add(Range{Order::thread(grid.first_block, 0, 0), Order::thread(next_block_, 0, 0), next_step_});
  const Known known = open.known->take();
  open.known->add(known);
  all.add(known);
  return all.take();
}

/// The last one has ended, with all that it launched.
void GridRaces::close() {
  const std::unique_ptr<Open> ended = std::move(open_.back());
  open_.pop_back();
  if (open_.empty()) return;
  Open& parent = *open_.back();
  const Known all = done(*ended);
  parent.known->add(all);
  parent.known->compact();
  if (ended->in_queue) parent.queues[ended->queue] = all;
}

void GridRaces::begin_grid(const trace::Launch& launch, const trace::DeviceLaunch* by) {
  const std::uint32_t depth = by == nullptr ? 0 : launch.depth;
  while (!open_.empty() && open_.back()->depth >= depth) close();
  auto open = std::make_unique<Open>();
  open->grid = grids_.size();
  open->depth = depth;
  open->launch = launch;
  const auto code = first_pc_.find(launch.kernel);
  if (code == first_pc_.end() || launch.grid.count() >= 0xffffffffu - next_block_) return do_not_judge();
  Gathering start;
  if (by != nullptr) {
    if (open_.empty() || open_.back()->depth + 1 != depth) return do_not_judge();
    Open& parent = *open_.back();
    const auto at = parent.launching.find({by->where.step + grids_[parent.grid].first_step, by->lane});
    if (at == parent.launching.end()) return do_not_judge();
    start.add(at->second);
    using Order = trace::DeviceLaunch::Order;
    open->is_tail = by->order == Order::tail;
    open->in_queue = by->order == Order::stream;
    open->queue = queue_of(*by);
    if (open->is_tail) {
      start.add(done(parent));
    } else if (events_) {
      for (const auto& [queue, known] : parent.queues) start.add(known);
    } else if (const auto last = parent.queues.find(open->queue); open->in_queue && last != parent.queues.end()) {
      start.add(last->second);
    }
  }
  Origin origin{.kernel = launch.kernel};
  if (by != nullptr) {
    origin.parent = static_cast<int>(open_.back()->grid);
    origin.block = by->where.block, origin.thread = by->thread, origin.warp = by->where.warp;
    origin.lane = by->lane, origin.line = by->line;
  }
  grids_.push_back({next_step_, next_block_, code->second, std::move(origin)});
  begin_blocks(next_block_);
  next_block_ += static_cast<std::uint32_t>(launch.grid.count());
  open_.push_back(std::move(open));
  order().begin(open_.back()->launch, start.take());
  order().collect_at_exit(open_.back()->known.get());
}

trace::Where GridRaces::numbered_on(trace::Where where) {
  const Grid& grid = grids_.back();
  where.step += grid.first_step;
  where.block += grid.first_block;
  where.pc += grid.first_pc;
  next_step_ = std::max(next_step_, where.step + 1);
  return where;
}

void GridRaces::on_step(const trace::Where& where) {
  if (!judged()) return;
  const trace::Where w = numbered_on(where);
  if (instruction(w.pc).launches)
    for (const std::size_t lane : set_bits(w.active))
      open_.back()->launching[{w.step, static_cast<int>(lane)}] = order().all_known(w, lane);
  RaceObserver::on_step(w);
  if (instruction(w.pc).exits) open_.back()->known->compact();
}

void GridRaces::on_access(const trace::AccessEvent& event) {
  if (judged()) RaceObserver::on_access(numbered(event));
}

void GridRaces::on_barrier(const trace::BarrierEvent& event) {
  if (judged()) RaceObserver::on_barrier(numbered(event));
}

void GridRaces::on_release(const trace::ReleaseEvent& event) {
  if (!judged()) return;
  trace::ReleaseEvent e = event;
  e.block += grids_.back().first_block;
  e.step += grids_.back().first_step;
  RaceObserver::on_release(e);
}

void GridRaces::on_warp_sync(const trace::WarpSyncEvent& event) {
  if (judged()) RaceObserver::on_warp_sync(numbered(event));
}

void GridRaces::on_barrier_object(const trace::BarrierObjectEvent& event) {
  if (!judged()) return;
  trace::BarrierObjectEvent e = numbered(event);
  e.block += grids_.back().first_block;
  RaceObserver::on_barrier_object(e);
}

void GridRaces::on_bulk_copy(const trace::BulkCopyEvent& event) {
  if (!judged()) return;
  trace::BulkCopyEvent e = numbered(event);
  for (std::uint32_t* block : {&e.to.block, &e.from.block, &e.object_block}) *block += grids_.back().first_block;
  RaceObserver::on_bulk_copy(e);
}

void GridRaces::on_matrix_read(const trace::MatrixReadEvent& event) {
  if (judged()) RaceObserver::on_matrix_read(numbered(event));
}

GridRace GridRaces::in_own_numbers(const Race& race) const {
  GridRace out{race, launch_of(race.first.block) - 1, launch_of(race.second.block) - 1};
  const auto own = [&](Side& side) {
    const Grid& grid = grids_[launch_of(side.block) - 1];
    side.block -= grid.first_block;
    side.pc -= grid.first_pc;
    side.step -= grid.first_step;
  };
  own(out.race.first), own(out.race.second);
  std::ranges::for_each(out.race.own_reads, own);
  return out;
}

std::vector<GridRace> GridRaces::found() const {
  std::vector<GridRace> out;
  for (const Race& r : races())
    if (launch_of(r.first.block) != launch_of(r.second.block)) out.push_back(in_own_numbers(r));
  return out;
}

}  // namespace lanescope::races
