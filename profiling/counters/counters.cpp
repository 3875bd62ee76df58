#include "profiling/counters/counters.h"

#include <algorithm>
#include <bit>

#include "profiling/access/access.h"
#include "profiling/access/bypass_copy.h"
#include "profiling/counters/pattern.h"

namespace lanescope::counters {
namespace {

GlobalCounts& global_of(Counts& counts, trace::AccessKind kind) {
  switch (kind) {
    case trace::AccessKind::load:
      return counts.global_load;
    case trace::AccessKind::store:
      return counts.global_store;
    case trace::AccessKind::async_copy:
      return counts.global_async;
    default:
      return counts.global_atomic;
  }
}

SharedCounts& shared_of(Counts& counts, trace::AccessKind kind, bool matrix) {
  switch (kind) {
    case trace::AccessKind::load:
      return matrix ? counts.matrix_load : counts.shared_load;
    case trace::AccessKind::store:
      return matrix ? counts.matrix_store : counts.shared_store;
    case trace::AccessKind::async_copy:
      return counts.shared_async;
    default:
      return counts.shared_atomic;
  }
}

std::uint64_t requested(const access::Pattern& pattern) {
  return static_cast<std::uint64_t>(std::popcount(pattern.mask)) * static_cast<std::uint64_t>(pattern.width_bytes);
}

GlobalCounts counts_of(const access::GlobalCost& cost, const access::Pattern& pattern) {
  return {.requests = cost.requests,
          .sectors = cost.sectors,
          .bytes_wanted = cost.bytes_wanted,
          .ideal_sectors = cost.ideal_sectors,
          .lines = cost.lines,
          .bytes_requested = requested(pattern)};
}

SharedCounts counts_of(const access::SharedCost& cost) {
  return {.requests = cost.requests,
          .wavefronts = cost.wavefronts,
          .ideal_wavefronts = cost.ideal_wavefronts,
          .bank_conflicts = cost.bank_conflicts,
          .bytes_requested = cost.bytes_requested};
}

void count_constant(ConstantCounts& counts, const access::Pattern& pattern) {
  const access::ConstantCost cost = access::constant_cost(pattern);
  counts += {.requests = cost.requests, .broadcasts = cost.broadcasts, .replays = cost.replays};
}

void count_local(Counts& counts, trace::AccessKind kind, const access::Pattern& pattern) {
  ++counts.local_accesses;
  (kind == trace::AccessKind::load ? counts.local_load : counts.local_store) +=
      counts_of(access::local_cost(pattern), pattern);
}

}  // namespace

GlobalCounts& GlobalCounts::operator+=(const GlobalCounts& o) {
  requests += o.requests, sectors += o.sectors, bytes_wanted += o.bytes_wanted;
  ideal_sectors += o.ideal_sectors, lines += o.lines, bytes_requested += o.bytes_requested;
  return *this;
}

ConstantCounts& ConstantCounts::operator+=(const ConstantCounts& o) {
  requests += o.requests, broadcasts += o.broadcasts, replays += o.replays;
  return *this;
}

SharedCounts& SharedCounts::operator+=(const SharedCounts& o) {
  requests += o.requests, wavefronts += o.wavefronts;
  ideal_wavefronts += o.ideal_wavefronts, bank_conflicts += o.bank_conflicts;
  bytes_requested += o.bytes_requested;
  return *this;
}

Counts& Counts::operator+=(const Counts& o) {
  instructions += o.instructions, thread_instructions += o.thread_instructions;
  global_load += o.global_load, global_store += o.global_store;
  global_atomic += o.global_atomic, global_async += o.global_async;
  shared_load += o.shared_load, shared_store += o.shared_store;
  shared_atomic += o.shared_atomic, shared_async += o.shared_async;
  matrix_load += o.matrix_load, matrix_store += o.matrix_store;
  matrix_product += o.matrix_product;
  global_atomic_passes += o.global_atomic_passes;
  local_load += o.local_load, local_store += o.local_store, constant += o.constant;
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
  ((((all += shared_store) += shared_atomic) += shared_async) += matrix_load) += matrix_store;
  const std::uint64_t bytes = all.bytes_requested;
  all += matrix_product;
  all.bytes_requested = bytes;
  return all;
}

void Counter::on_step(const trace::Where& where) {
  Counts& counts = at(where.pc);
  ++counts.instructions;
  counts.thread_instructions += static_cast<std::uint64_t>(std::popcount(where.active));
}

void Counter::count_global(Counts& counts, const trace::AccessEvent& event, const access::Pattern& pattern) {
  if (event.past_l1) {
    bypassing_ = pattern;
    return;
  }
  global_of(counts, event.kind) += counts_of(access::global_cost(pattern), pattern);
  if (is_atomic(event.kind)) counts.global_atomic_passes += access::global_atomic_cost(pattern).serial_passes;
}

void Counter::count_shared(Counts& counts, const trace::AccessEvent& event, const access::Pattern& pattern) {
  shared_of(counts, event.kind, event.matrix > 0) += counts_of(access::shared_cost(pattern));
  if (!bypassing_) return;
  GlobalCounts read = counts_of(access::global_cost(*bypassing_), *bypassing_);
  read.sectors = access::bypass_copy_sectors(bypassing_->mask, bypassing_->addresses, pattern.addresses);
  counts.global_async += read;
  bypassing_.reset();
}

void Counter::on_access(const trace::AccessEvent& event) {
  if (event.where.active == 0) return;                   // predicated off everywhere: no request reaches memory
  if (event.space == trace::MemorySpace::param) return;  // the same for all lanes, and in the constant cache
  Counts& counts = at(event.where.pc);
  const access::Pattern pattern = pattern_of(event);
  switch (event.space) {
    case trace::MemorySpace::global:
      count_global(counts, event, pattern);
      break;
    case trace::MemorySpace::shared:
      count_shared(counts, event, pattern);
      break;
    case trace::MemorySpace::local:
      count_local(counts, event.kind, pattern);
      break;
    case trace::MemorySpace::constant:
      count_constant(counts.constant, pattern);
      break;
    case trace::MemorySpace::param:
      break;
  }
}

void Counter::on_shuffle(const trace::ShuffleEvent& event) { ++at(event.where.pc).shuffles; }

void Counter::on_branch(const trace::BranchEvent& event) {
  Counts& counts = at(event.where.pc);
  ++counts.branches;
  if (event.taken != 0 && event.taken != event.where.active) ++counts.divergent_branches;
}

void Counter::on_barrier(const trace::BarrierEvent& event) { ++at(event.where.pc).barriers; }

/// Each 128 bytes of the operands are a wavefront, and B is read once for the four warps (measured on an H200:
/// bench/results/gpu_matrix_products.json); here the first of them pays for it.
void Counter::on_matrix_read(const trace::MatrixReadEvent& event) {
  const std::uint64_t bytes = event.a_bytes + (event.where.warp % 4 == 0 ? event.b_bytes : 0);
  const std::uint64_t wavefronts = bytes / 128;
  at(event.where.pc).matrix_product +=
      {.requests = 1, .wavefronts = wavefronts, .ideal_wavefronts = wavefronts, .bytes_requested = bytes};
}

void Counter::add(const Counter& other) {
  by_pc_.resize(std::max(by_pc_.size(), other.by_pc_.size()));
  for (std::size_t pc = 0; pc < other.by_pc_.size(); ++pc) by_pc_[pc] += other.by_pc_[pc];
}

void add(Report& report, const Counter& counter, std::span<const trace::CodeSite> code) {
  const auto by_pc = counter.by_instruction();
  for (std::size_t pc = 0; pc < by_pc.size(); ++pc) {
    if (by_pc[pc] == Counts{}) continue;
    report.total += by_pc[pc];
    report.lines[pc < code.size() ? code[pc].line : 0] += by_pc[pc];
  }
}

std::vector<InstructionCounts> by_instruction(const Counter& counter, std::span<const trace::CodeSite> code) {
  std::vector<InstructionCounts> out;
  const auto by_pc = counter.by_instruction();
  for (std::size_t pc = 0; pc < by_pc.size(); ++pc) {
    if (by_pc[pc] == Counts{}) continue;
    const bool known = pc < code.size();
    out.push_back({.pc = static_cast<std::uint32_t>(pc),
                   .line = known ? code[pc].line : 0,
                   .text = known ? code[pc].text : "",
                   .counts = by_pc[pc]});
  }
  return out;
}

}  // namespace lanescope::counters
