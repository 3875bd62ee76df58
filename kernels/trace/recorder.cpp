#include <algorithm>
#include <bit>
#include <map>

#include "kernels/trace/block_states.h"
#include "kernels/trace/trace.h"

namespace lanescope::trace {

Recorder::Recorder(Trace& trace, RecordOptions options, const BlockStates* states)
    : trace_(trace), options_(options), states_(states), begun_(options.first_step == 0) {
  trace_.first_step = options_.first_step;
}

bool Recorder::is_of(std::uint32_t block) const {
  return block >= options_.first_block && block - options_.first_block < options_.block_count;
}

bool Recorder::recorded(const Where& where) const { return begun_ && is_of(where.block) && !trace_.truncated; }

void Recorder::on_step(const Where& where) {
  ++trace_.total_steps;
  if (!begun_ && states_ != nullptr && is_of(where.block) && states_->steps_of(where.block) > options_.first_step) {
    begun_ = true;
    trace_.beginning = states_->beginning_of(where.block);
  }
  if (!recorded(where)) return;
  const bool full = trace_.accesses.full() || trace_.probes.full();
  if (trace_.steps.size() >= options_.max_steps || full) {
    trace_.truncated = true;
    return;
  }
  trace_.steps.push_back({where.block, where.warp, where.pc, where.active});
}

// Events of a step follow its on_step, so the newest step is theirs.
void Recorder::on_access(const AccessEvent& e) {
  if (!recorded(e.where)) return;
  trace_.accesses.append(trace_.steps.size() - 1, e);
}

void Recorder::on_probe(const ProbeEvent& e) {
  if (!recorded(e.where)) return;
  trace_.probes.append(trace_.steps.size() - 1, e);
}

void Recorder::on_shuffle(const ShuffleEvent& e) {
  if (!recorded(e.where)) return;
  ShuffleRecord& r = trace_.shuffles.emplace_back();
  r.step = trace_.steps.size() - 1;
  std::ranges::copy(e.source_lane, r.source_lane.begin());
}

void Recorder::on_block_end(std::uint32_t block, std::uint64_t steps) {
  if (!is_of(block)) return;
  ++ended_blocks_;
  trace_.block_steps = steps;
}

void Recorder::on_branch(const BranchEvent& e) {
  if (!recorded(e.where) || e.taken == 0 || e.taken == e.where.active) return;
  trace_.branches.push_back({.step = trace_.steps.size() - 1, .taken = e.taken});
}

void Recorder::on_barrier(const BarrierEvent& e) {
  if (!recorded(e.where)) return;
  trace_.barriers.push_back(
      {.step = trace_.steps.size() - 1, .lanes = e.where.active, .barrier = e.barrier, .waits = e.waits});
}

void Recorder::on_release(const ReleaseEvent& e) {
  if (!recorded({.block = e.block}) || trace_.steps.empty()) return;
  trace_.releases.push_back({.step = trace_.steps.size() - 1, .block = e.block, .barrier = e.barrier});
}

void Recorder::on_barrier_object(const BarrierObjectEvent& e) {
  if (!recorded(e.where) || e.block != e.where.block) return;
  const auto lane = static_cast<std::uint8_t>(std::countr_zero(e.where.active));
  ObjectRecord r{.step = trace_.steps.size() - 1, .lane = lane, .address = static_cast<std::uint32_t>(e.address)};
  if (e.kind == BarrierObjectEvent::Kind::test) {
    const Poll poll{e.where.block, e.where.warp, lane, r.address};
    // A lane that polls in a loop fails many times.
    if (e.passes ? failing_.erase(poll) == 0 : !failing_.insert(poll).second) return;
    r.kind = e.passes ? ObjectRecord::Kind::passes : ObjectRecord::Kind::fails;
    trace_.objects.push_back(r);
  }
  if (!e.completes) return;
  r.kind = ObjectRecord::Kind::completes;
  trace_.objects.push_back(r);
}

void Recorder::on_steer(const SteerEvent& e) {
  if (e.where.pc >= steered_.size()) steered_.resize(e.where.pc + 1);
  if (steered_[e.where.pc]) return;
  steered_[e.where.pc] = true;
  trace_.steers.push_back(e);
}

class Recorder::Part final : public Observer {
 public:
  explicit Part(RecordOptions options) : options_(options) {}
  void on_step(const Where& where) override {
    ++steps;
    is_recorded = is_recorded ||
                  (where.block >= options_.first_block && where.block - options_.first_block < options_.block_count);
  }
  void on_steer(const SteerEvent& e) override { steers.try_emplace(e.where.pc, e); }

  std::uint64_t steps = 0;
  bool is_recorded = false;
  std::map<std::uint32_t, SteerEvent> steers;  ///< by pc: the first

 private:
  RecordOptions options_;
};

std::unique_ptr<Observer> Recorder::part() const {
  return options_.first_step == 0 ? std::make_unique<Part>(options_) : nullptr;
}

bool Recorder::can_take(const Observer& part) const { return !static_cast<const Part&>(part).is_recorded; }

void Recorder::take(Observer& part, std::uint64_t first_step) {
  auto& of = static_cast<Part&>(part);
  trace_.total_steps += of.steps;
  std::vector<SteerEvent> steers;
  for (const auto& [pc, e] : of.steers) steers.push_back(e);
  std::ranges::sort(steers, {}, [](const SteerEvent& e) { return e.where.step; });
  for (SteerEvent& e : steers) {
    e.where.step += first_step;
    on_steer(e);
  }
}

}  // namespace lanescope::trace
