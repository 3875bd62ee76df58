#include <algorithm>

#include "kernels/trace/trace.h"

namespace lanescope::trace {

Recorder::Recorder(Trace& trace, RecordOptions options) : trace_(trace), options_(options) {}

bool Recorder::recorded(const Where& where) const {
  return where.block >= options_.first_block && where.block - options_.first_block < options_.block_count &&
         !trace_.truncated;
}

void Recorder::on_step(const Where& where) {
  ++trace_.total_steps;
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

void Recorder::on_steer(const SteerEvent& e) {
  if (e.where.pc >= steered_.size()) steered_.resize(e.where.pc + 1);
  if (steered_[e.where.pc]) return;
  steered_[e.where.pc] = true;
  trace_.steers.push_back(e);
}

}  // namespace lanescope::trace
