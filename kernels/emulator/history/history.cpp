#include "kernels/emulator/history/history.h"

#include <algorithm>
#include <utility>

#include "kernels/emulator/checkpoint/saved.h"
#include "kernels/emulator/machine/schedule.h"

namespace lanescope::emulator {

namespace {

/// A step takes as long as comparing so many bytes, times what checkpoints may cost.
constexpr std::uint64_t bytes_per_step = 64;
/// Steps between two questions whether a replay is done.
constexpr std::uint64_t steps_between = 1u << 12;

template <class T>
std::span<const u8> bytes_of(const std::vector<T>& column) {
  return {reinterpret_cast<const u8*>(column.data()), column.size() * sizeof(T)};
}
template <class T>
void put_back(const Image& image, std::vector<T>& column) {
  column.resize(image.bytes / sizeof(T));
  put_back(image, {}, {reinterpret_cast<u8*>(column.data()), image.bytes});
}

/// The limits of a run that repeats another: those that are no time.
Limits timeless(Limits limits) {
  limits.no_block_after = limits.no_sample_after = limits.leave_at = Limits::Clock::time_point::max();
  return limits;
}

bool is_cut(const Result& result) { return !result.coverage.whole(); }

}  // namespace

/// Notes how many steps blocks have, where the grid is not too large for that.
class History::Ends final : public trace::Observer {
 public:
  Ends(std::uint64_t blocks, Allowance allowance) {
    const std::size_t bytes = blocks * sizeof(std::uint64_t);
    if (blocks > allowance.limit() / 16 / sizeof(std::uint64_t) || !allowance.take(bytes)) return;
    taken_ = Taken(allowance, bytes);
    steps_.resize(blocks);
  }
  void on_block_end(std::uint32_t block, std::uint64_t steps) override {
    if (block < steps_.size()) steps_[block] = steps;
  }
  std::optional<std::uint64_t> of(std::uint32_t block) const {
    if (block >= steps_.size() || steps_[block] == 0) return std::nullopt;
    return steps_[block];
  }

 private:
  Taken taken_;
  std::vector<std::uint64_t> steps_;  ///< by block; 0: it has not ended
};

class History::Thinning final : public Room {
 public:
  explicit Thinning(History& history) : Room(history.allowance_), history_(history) {}

 private:
  bool make_room() override { return history_.thin(); }
  History& history_;
};

History::History(const ptx::Module& module, const trace::Launch& launch, const std::vector<trace::Buffer>& initial,
                 trace::TagPool* tags, const HistoryOptions& options)
    : module_(module),
      launch_(launch),
      initial_(initial),
      allowance_(options.budget_bytes),
      states_(launch.warps_per_block(), tags),
      ends_(std::make_unique<Ends>(launch.grid.count(), allowance_)) {
  std::uint64_t bytes = 0;
  for (const trace::Buffer& b : initial) bytes += b.bytes.size();
  distance_ = std::max<std::uint64_t>({options.distance, bytes / bytes_per_step, 1});
  thin_to_ = 2 * distance_;
  options_.tags = tags;
}

History::~History() = default;

// ---- running

Expected<Result> History::run(std::vector<trace::Buffer>& buffers, Options options) {
  options.observers.insert(options.observers.begin(), {&states_, ends_.get()});
  options.journal = &journal_;
  auto machine = Machine::create(module_, launch_, buffers, options);
  if (!machine) return tl::unexpected(machine.error());
  cluster_ = machine->cluster();
  run_on(*machine, ~std::uint64_t{0}, nullptr, true);
  journal_.known = journal_.asked;
  options.observers.clear();
  options.cancel = nullptr;
  options.journal = nullptr;
  options_ = options;
  end_ = machine->result();
  end_.printed.clear();
  return machine->result();
}

/// Until the launch ends (true), `until` warp instructions of it have run, or it is done.
bool History::run_on(Machine& machine, std::uint64_t until, const std::function<bool()>& done, bool keeps) {
  while (machine.step_count() < until) {
    const std::uint64_t now = machine.step_count();
    std::uint64_t stop = done ? std::min(until, now + steps_between) : until;
    const std::uint64_t last = kept_.empty() ? 0 : kept_.back().step;
    const bool may_keep = keeps && !is_cut(machine.result());
    if (may_keep && now >= last + distance_) {
      keep(machine);
      continue;
    }
    if (may_keep) stop = std::min(stop, last + distance_);
    if (!machine.advance(stop - now)) return true;
    if (done && done()) return false;
  }
  return false;
}

bool History::has_run(std::uint32_t block) const {
  const trace::Coverage& c = end_.coverage;
  return std::ranges::find(c.others, block) != c.others.end() || place_of(block) < c.in_order;
}

bool History::reaches(std::uint32_t block) const {
  using Ended = trace::Coverage::Ended;
  if (block >= launch_.grid.count()) return false;
  return has_run(block) || (end_.coverage.ended == Ended::asked && end_.faults.empty()) ||
         (end_.coverage.ended == Ended::whole && end_.faults.empty());
}

std::optional<std::uint64_t> History::steps_of(std::uint32_t block) const { return ends_->of(block); }

std::uint64_t History::place_of(std::uint32_t block) const {
  return place_in_order(block, launch_.grid, cluster_, options_.seed);
}

// ---- checkpoints

/// A checkpoint of now. Where it does not fit beside the others, they go; where it does not fit at all, checkpoints get
/// rarer.
void History::keep(Machine& machine) {
  for (;;) {
    Kept next{.step = machine.step_count()};
    if (save(machine, kept_.empty() ? nullptr : &kept_.back(), next)) {
      kept_.push_back(std::move(next));
      return;
    }
    if (kept_.empty()) break;
    thinned_ += kept_.size();
    kept_.clear();
  }
  ++refused_;
  distance_ *= 2;
  thin_to_ = 2 * distance_;
}

bool History::save(Machine& machine, const Kept* before, Kept& kept) {
  Thinning room(*this);
  kept.machine = machine.save_within(before != nullptr ? before->machine.get() : nullptr, initial_, room);
  return kept.machine != nullptr && save_states(before, room, kept);
}

bool History::save_states(const Kept* before, Room& room, Kept& kept) const {
  std::size_t bytes = sizeof(Kept);
  for (const auto& [block, state] : states_.blocks()) {
    const auto old = before != nullptr ? before->blocks.find(block) : SavedStates::const_iterator{};
    const SavedState* const earlier = before != nullptr && old != before->blocks.end() ? &old->second : nullptr;
    auto words = image_of(bytes_of(state.words), {}, earlier ? &earlier->words : nullptr, room);
    auto times = image_of(bytes_of(state.times), {}, earlier ? &earlier->times : nullptr, room);
    auto shared = image_of(bytes_of(state.shared), {}, earlier ? &earlier->shared : nullptr, room);
    if (!words || !times || !shared) return false;
    bytes += sizeof(SavedStates::value_type) + 4 * sizeof(void*) + words->table_bytes() + times->table_bytes() +
             shared->table_bytes();
    kept.blocks.emplace(block, SavedState{state.steps, std::move(*words), std::move(*times), std::move(*shared)});
  }
  auto taken = room.take(bytes);
  if (!taken) return false;
  kept.taken = std::move(*taken);
  return true;
}

void History::restore_states(const Kept& kept) {
  std::unordered_map<std::uint32_t, trace::BlockState> blocks;
  for (const auto& [block, saved] : kept.blocks) {
    trace::BlockState& state = blocks[block];
    state.steps = saved.steps;
    put_back(saved.words, state.words);
    put_back(saved.times, state.times);
    put_back(saved.shared, state.shared);
  }
  states_.take(std::move(blocks));
}

/// Gives up the oldest checkpoint without which the distance there stays within what it is thinned to; the newest one
/// stays. False: there is none.
bool History::thin() {
  while (kept_.size() > 1) {
    std::uint64_t before = 0;
    for (auto k = kept_.begin(); std::next(k) != kept_.end(); ++k) {
      if (std::next(k)->step - before <= thin_to_) {
        kept_.erase(k);
        ++thinned_;
        return true;
      }
      before = k->step;
    }
    distance_ = thin_to_;
    thin_to_ *= 2;
  }
  return false;
}

std::vector<std::uint64_t> History::checkpoints() const {
  std::vector<std::uint64_t> steps;
  for (const Kept& k : kept_) steps.push_back(k.step);
  return steps;
}

HistoryUse History::use() const {
  HistoryUse use{.budget_bytes = allowance_.limit(),
                 .used_bytes = allowance_.used(),
                 .most_bytes = allowance_.most(),
                 .checkpoints = kept_.size(),
                 .thinned = thinned_,
                 .refused = refused_,
                 .instructions = end_.warp_instructions};
  std::uint64_t before = 0;
  for (const Kept& k : kept_) {
    use.farthest = std::max(use.farthest, k.step - before);
    before = k.step;
  }
  use.farthest = std::max(use.farthest, end_.warp_instructions - std::min(before, end_.warp_instructions));
  return use;
}

// ---- running again

/// The last checkpoint at which the block has not passed the step; `beyond`: of those before the cut.
const History::Kept* History::nearest(const Replay& wanted, bool beyond) const {
  const auto before_step = [&](const Kept& k) {
    for (const SavedBlock& b : k.machine->blocks)
      if (b.progress.index == wanted.block) return b.progress.steps <= wanted.first_step;
    const trace::Coverage& c = k.machine->progress.result.coverage;
    return place_of(wanted.block) >= c.in_order && std::ranges::find(c.others, wanted.block) == c.others.end();
  };
  for (auto k = kept_.rbegin(); k != kept_.rend(); ++k)
    if (before_step(*k) && !(beyond && is_cut(k->machine->progress.result))) return &*k;
  return nullptr;
}

Expected<History::Replayed> History::replay(const Replay& wanted) {
  const bool beyond = !has_run(wanted.block);
  Journal journal = journal_;
  Options options = options_;
  options.observers = wanted.observers;
  options.observers.insert(options.observers.begin(), {&states_, ends_.get()});
  options.cancel = wanted.cancel;
  options.journal = &journal;
  options.limits = beyond ? wanted.limits : timeless(options_.limits);
  if (beyond)
    for (Journal::Answer& a : journal.answers) a.said = {.pool_full = a.said.pool_full};
  std::vector<trace::Buffer> buffers = initial_;
  auto machine = Machine::create(module_, launch_, buffers, options);
  if (!machine) return tl::unexpected(machine.error());
  const Kept* const from = nearest(wanted, beyond);
  if (from != nullptr) {
    machine->restore(*from->machine, initial_);
    restore_states(*from);
  } else {
    states_.take({});
  }
  Replayed replayed{.from = machine->step_count(), .from_checkpoint = from != nullptr};
  run_on(*machine, beyond ? ~std::uint64_t{0} : end_.warp_instructions, wanted.done, beyond);
  replayed.until = machine->step_count();
  const Result& now = machine->result();
  const bool cancelled = !now.faults.empty() && now.faults.back().kind == Fault::Kind::cancelled;
  if (beyond && !cancelled && !is_cut(now)) {
    // The run is longer now than it was, and just as it would have been.
    end_ = now;
    end_.printed.clear();
    options_.limits = timeless(wanted.limits);
    journal.known = journal.asked;
    journal_ = journal;
  }
  return replayed;
}

}  // namespace lanescope::emulator
