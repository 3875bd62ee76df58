#include "kernels/emulator/ahead/ahead.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
#include <thread>

#include "kernels/emulator/ahead/strand.h"

namespace lanescope::emulator {

namespace {

/// Warp instructions of a unit: few at first and after one that came to nothing, then more and more.
constexpr u64 first_unit_steps = 1u << 12, longest_unit_steps = 1u << 17;
constexpr u64 most_unit_steps = 1u << 24;  ///< then one block is longer than what is worth repeating
constexpr u64 blocks_until_full = 8;       ///< that run in turn before the pool is looked at again
constexpr u64 units_of_thread = 4;         ///< in a wave, so that threads end at about the same time
constexpr u64 pages_of_wave = (u64{128} << 20) / sizeof(GlobalView::Page), bytes_of_parts = u64{128} << 20,
              bytes_of_tags = u64{128} << 20;

class Ahead {
 public:
  Ahead(Running& launch, u32 threads) : launch_(launch), threads_(threads) {}

  AheadCounts run() {
    run_in_turn(1);
    while (!launch_.ended && launch_.result.warp_instructions < launch_.options.alone_steps && blocks_left() > 1)
      run_in_turn(1);
    std::shared_ptr<const Program> program;
    while (!launch_.ended && worthwhile()) {
      if (launch_.tags() && nearly_full_) {
        run_in_turn(blocks_until_full);
        continue;
      }
      if (!plan()) break;
      if (program == nullptr) program = independent_program(*launch_.program);
      if (!stores_) stores_.emplace(launch_.global);
      for (std::size_t i = strands_.size(); i < threads_of_wave_; ++i)
        strands_.push_back(std::make_unique<Strand>(launch_, program));
      run_wave();
      const std::size_t counted = take_turns();
      if (counted == units_.size()) {
        unit_steps_ = std::min(2 * unit_steps_, longest_unit_steps);
        continue;
      }
      unit_steps_ = first_unit_steps;
      run_in_turn(units_[counted].count);
    }
    return counts_;
  }

 private:
  /// Blocks run one after the other, as without any of this.
  void run_in_turn(u64 count) {
    launch_.pause_at = launch_.next_block + count;
    launch_.advance(~u64{0});
    launch_.pause_at = ~u64{0};
  }

  u64 blocks_left() const {
    const u64 asked = launch_.options.limits.blocks;
    const u64 end = asked > 0 ? std::min(asked, launch_.blocks) : launch_.blocks;
    return end - std::min(end, launch_.next_block);
  }

  u64 steps_left() const { return launch_.step_limit - std::min(launch_.step_limit, launch_.result.warp_instructions); }

  bool worthwhile() const {
    return launch_.resident.empty() && launch_.result.coverage.whole() && launch_.refusals.empty() &&
           counts_.discarded <= counts_.units / 4 + 2 * units_of_thread * threads_;
  }

  bool have_parts() {
    if (!have_parts_)
      have_parts_ =
          std::ranges::all_of(launch_.options.observers, [](const trace::Observer* o) { return o->part() != nullptr; });
    return *have_parts_;
  }

  /// The units of the next wave; false where there are too few blocks for one.
  bool plan() {
    if (Limits::Clock::now() >= launch_.options.limits.no_block_after) return false;
    const u64 each = std::max<u64>(launch_.result.warp_instructions / std::max<u64>(launch_.ended_blocks, 1), 1);
    // Blocks that would run beyond the limit of steps are not begun.
    u64 left = std::min(blocks_left(), steps_left() / each);
    if (launch_.tags()) {
      const u64 identified = launch_.options.identified_blocks;
      left = std::min(left, identified - std::min(identified, launch_.result.identified_blocks));
    }
    if (left < 2) return false;
    // A thread, and its view of memory, are worth some instructions.
    const u64 worth = launch_.options.alone_steps;
    threads_of_wave_ = worth > 0 ? static_cast<u32>(std::min<u64>(threads_, left * each / worth)) : threads_;
    if (threads_of_wave_ < 2 || !have_parts()) return false;
    // Of long blocks each thread has one: no block begins much later than it would alone, once time is up.
    const u64 most = (each < longest_unit_steps ? units_of_thread : 1) * threads_of_wave_;
    u64 count = std::max<u64>(unit_steps_ / each, 1);
    // Pages of the last wave say how many fit.
    if (pages_of_block_ > 0) count = std::clamp<u64>(pages_of_wave / most / 2 / pages_of_block_, 1, count);
    count = std::clamp<u64>((left + most - 1) / most, 1, count);
    units_.clear();
    for (u64 first = launch_.next_block, end = first + left; first < end && units_.size() < most; first += count) {
      Unit& u = units_.emplace_back();
      u.first = first;
      u.count = std::min(count, end - first);
    }
    return true;
  }

  /// Takes the turn of the unit, if its results hold in that turn.
  bool take_turn(Unit& u) {
    if (!u.whole || stores_->read_before(u.pages)) return false;
    if (u.tags && u.tags->full()) return false;  // of its share: a smaller one is next
    if (u.tags && !launch_.options.tags->has_room_for(*u.tags)) {
      nearly_full_ = true;
      return false;
    }
    for (std::size_t i = 0; i < u.observers.size(); ++i)
      if (!launch_.options.observers[i]->can_take(*u.observers[i])) return false;
    return launch_.take_turns(u.progress, u.count);
  }

  void run_wave() {
    ++counts_.waves;
    next_ = 0;
    failed_ = units_.size();
    now_.assign(strands_.size(), units_.size());
    std::vector<std::jthread> helpers;
    try {
      for (std::size_t s = 1; s < std::min<std::size_t>(threads_of_wave_, units_.size()); ++s)
        helpers.emplace_back([this, s] { work(s); });
    } catch (const std::system_error&) {  // no more threads: those that there are do all
    }
    work(0);
  }

  /// Takes units in ascending order, until there are no more or all that are left come to nothing.
  void work(std::size_t strand) {
    const u64 steps = std::min(most_unit_steps, steps_left());
    for (;;) {
      std::size_t u = 0;
      {
        const std::scoped_lock alone(mutex_);
        if (next_ >= failed_) {
          now_[strand] = units_.size();
          return;
        }
        u = next_++;
        now_[strand] = u;
        strands_[strand]->begin();
      }
      units_[u].strand = strand;
      run_unit(units_[u], steps);
      if (units_[u].whole) continue;
      const std::scoped_lock alone(mutex_);
      failed_ = std::min(failed_, u);
      for (std::size_t s = 0; s < strands_.size(); ++s)
        if (now_[s] > failed_ && now_[s] < units_.size()) strands_[s]->stop();
    }
  }

  void run_unit(Unit& unit, u64 steps) {
    try {
      for (const trace::Observer* o : launch_.options.observers) {
        unit.observers.push_back(o->part());
        unit.observers.back()->keep_to(bytes_of_parts / units_.size() / launch_.options.observers.size());
      }
      strands_[unit.strand]->run(unit, steps, pages_of_wave / units_.size(), bytes_of_tags / units_.size());
    } catch (const std::bad_alloc&) {
      // The unit runs again in its turn, alone and with less memory. An exception that left a thread would end the program.
      strands_[unit.strand]->discard();
      unit.whole = false;
    }
  }

  /// How many units count.
  std::size_t take_turns() {
    std::size_t counted = 0;
    u64 pages = 0;
    stores_->clear();
    for (; counted < units_.size(); ++counted) {
      Unit& u = units_[counted];
      pages += u.memory();
      if (!take_turn(u)) break;
      std::optional<trace::TagPool::Renumbered> tags;
      if (u.tags) tags = launch_.options.tags->take(*u.tags);
      launch_.acts += stores_->put(u.pages, u.log, tags ? &*tags : nullptr, *launch_.program, launch_.global, results_);
      for (const auto& o : u.observers) {
        o->settle(results_);
        if (tags) o->renumber(*tags);
      }
      for (std::size_t i = 0; i < u.observers.size(); ++i)
        launch_.options.observers[i]->take(*u.observers[i],
                                           launch_.result.warp_instructions - u.progress.result.warp_instructions);
      counts_.blocks += u.count;
      pages_of_block_ = std::max<u64>(pages_of_block_, u.memory() / u.count);
    }
    for (std::size_t i = counted + 1; i < units_.size(); ++i) pages += units_[i].memory();
    counts_.units += counted;
    counts_.discarded += units_.size() - counted;
    counts_.most_pages = std::max(counts_.most_pages, pages);
    for (Unit& u : units_) strands_[u.strand]->view().give_back(std::move(u.pages), pages_of_wave / threads_);
    return counted;
  }

  Running& launch_;
  u32 threads_, threads_of_wave_ = 1;
  std::optional<WaveStores> stores_;
  std::optional<bool> have_parts_;
  std::vector<std::unique_ptr<Strand>> strands_;
  std::vector<Unit> units_;
  std::vector<u64> results_;  ///< of the unit that takes its turn: WaveStores::put()
  bool nearly_full_ = false;  ///< the pool of identities
  u64 unit_steps_ = first_unit_steps;
  u64 pages_of_block_ = 0;
  AheadCounts counts_;
  // Of a wave, under the mutex
  std::mutex mutex_;
  std::size_t next_ = 0, failed_ = 0;  ///< units; none begins after the first that came to nothing
  std::vector<std::size_t> now_;       ///< by strand: its unit
};

}  // namespace

AheadCounts run_ahead(Running& launch, u32 threads) {
  constexpr u32 most_threads = 64;
  if (threads == 0) threads = std::thread::hardware_concurrency();
  threads = std::min(threads, most_threads);
  const Options& o = launch.options;
  const bool possible = threads > 1 && launch.blocks > 2 && !launch.ended && launch.resident.empty() &&
                        o.journal == nullptr && launch.cluster_blocks() == 1 && !launch.program->launches &&
                        !launch.program->allocates;
  if (!possible) return {};
  return Ahead(launch, threads).run();
}

}  // namespace lanescope::emulator
