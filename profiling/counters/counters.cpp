#include "profiling/counters/counters.h"

#include <algorithm>
#include <bit>

#include "profiling/access/access.h"

namespace lanescope::counters {
namespace {

access::Pattern pattern_of(const trace::AccessEvent& event) {
  access::Pattern pattern;
  pattern.direction =
      event.kind == trace::AccessKind::load ? access::Direction::load : access::Direction::store;
  pattern.width_bytes = event.width_bytes;
  pattern.mask = event.where.active;
  std::copy_n(event.addresses.begin(), std::min<std::size_t>(event.addresses.size(), 32), pattern.addresses.begin());
  return pattern;
}

GlobalCounts& global_of(Counts& counts, trace::AccessKind kind) {
  switch (kind) {
    case trace::AccessKind::load: return counts.global_load;
    case trace::AccessKind::store: return counts.global_store;
    case trace::AccessKind::async_copy: return counts.global_async;
    default: return counts.global_atomic;
  }
}

SharedCounts& shared_of(Counts& counts, trace::AccessKind kind) {
  switch (kind) {
    case trace::AccessKind::load: return counts.shared_load;
    case trace::AccessKind::store:
    case trace::AccessKind::async_copy: return counts.shared_store;
    default: return counts.shared_atomic;
  }
}

}  // namespace

GlobalCounts& GlobalCounts::operator+=(const GlobalCounts& o) {
  requests += o.requests, sectors += o.sectors, bytes_wanted += o.bytes_wanted;
  return *this;
}

SharedCounts& SharedCounts::operator+=(const SharedCounts& o) {
  requests += o.requests, wavefronts += o.wavefronts;
  ideal_wavefronts += o.ideal_wavefronts, bank_conflicts += o.bank_conflicts;
  return *this;
}

Counts& Counts::operator+=(const Counts& o) {
  instructions += o.instructions, thread_instructions += o.thread_instructions;
  global_load += o.global_load, global_store += o.global_store;
  global_atomic += o.global_atomic, global_async += o.global_async;
  shared_load += o.shared_load, shared_store += o.shared_store, shared_atomic += o.shared_atomic;
  local_accesses += o.local_accesses;
  shuffles += o.shuffles, barriers += o.barriers;
  branches += o.branches, divergent_branches += o.divergent_branches;
  return *this;
}

GlobalCounts Counts::global() const {
  GlobalCounts all = global_load;
  return ((all += global_store) += global_atomic) += global_async;
}

SharedCounts Counts::shared() const {
  SharedCounts all = shared_load;
  return (all += shared_store) += shared_atomic;
}

void Counter::on_step(const trace::Where& where) {
  Counts& counts = at(where.pc);
  ++counts.instructions;
  counts.thread_instructions += static_cast<std::uint64_t>(std::popcount(where.active));
}

void Counter::on_access(const trace::AccessEvent& event) {
  if (event.where.active == 0) return;  // predicated off everywhere: no request reaches memory
  Counts& counts = at(event.where.pc);
  switch (event.space) {
    case trace::MemorySpace::global: {
      const access::GlobalCost cost = access::global_cost(pattern_of(event));
      global_of(counts, event.kind) +=
          {.requests = cost.requests, .sectors = cost.sectors, .bytes_wanted = cost.bytes_wanted};
      break;
    }
    case trace::MemorySpace::shared: {
      const access::SharedCost cost = access::shared_cost(pattern_of(event));
      shared_of(counts, event.kind) +=
          {.requests = cost.requests,
           .wavefronts = cost.wavefronts,
           .ideal_wavefronts = cost.ideal_wavefronts,
           .bank_conflicts = cost.bank_conflicts};
      break;
    }
    case trace::MemorySpace::local: ++counts.local_accesses; break;
    default: break;  // constants and parameters cost nothing that is counted here
  }
}

void Counter::on_shuffle(const trace::ShuffleEvent& event) { ++at(event.where.pc).shuffles; }

void Counter::on_branch(const trace::BranchEvent& event) {
  Counts& counts = at(event.where.pc);
  ++counts.branches;
  if (event.taken != 0 && event.taken != event.where.active) ++counts.divergent_branches;
}

void Counter::on_barrier(const trace::BarrierEvent& event) { ++at(event.where.pc).barriers; }

void add(Report& report, const Counter& counter, std::span<const trace::CodeSite> code) {
  const auto by_pc = counter.by_instruction();
  for (std::size_t pc = 0; pc < by_pc.size(); ++pc) {
    if (by_pc[pc] == Counts{}) continue;
    report.total += by_pc[pc];
    report.lines[pc < code.size() ? code[pc].line : 0] += by_pc[pc];
  }
}

}  // namespace lanescope::counters
