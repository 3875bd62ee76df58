#include "profiling/counters/counters.h"

#include <algorithm>
#include <array>
#include <bit>

namespace lanescope::counters {

Counts& Counts::operator+=(const Counts& o) {
  instructions += o.instructions, thread_instructions += o.thread_instructions;
  global_load += o.global_load, global_store += o.global_store;
  global_atomic += o.global_atomic, global_async += o.global_async;
  shared_load += o.shared_load, shared_store += o.shared_store;
  shared_atomic += o.shared_atomic, shared_async += o.shared_async;
  matrix_load += o.matrix_load, matrix_store += o.matrix_store;
  matrix_product += o.matrix_product;
  local_load += o.local_load, local_store += o.local_store, constant += o.constant;
  shuffles += o.shuffles, barriers += o.barriers;
  branches += o.branches, divergent_branches += o.divergent_branches;
  return *this;
}

access::Sum Counts::global() const {
  access::Sum all = global_load;
  return ((all += global_store) += global_atomic) += global_async;
}

access::Sum Counts::shared() const {
  access::Sum all = shared_load;
  ((((all += shared_store) += shared_atomic) += shared_async) += matrix_load) += matrix_store;
  const std::uint64_t bytes = all.bytes_requested;
  all += matrix_product;
  all.bytes_requested = bytes;
  return all;
}

access::Sum* Counts::of(const access::Access& a) {
  const bool load = a.kind == trace::AccessKind::load, store = a.kind == trace::AccessKind::store;
  const bool copy = a.kind == trace::AccessKind::async_copy;
  switch (a.space) {
    case trace::MemorySpace::global:
      return load ? &global_load : store ? &global_store : copy ? &global_async : &global_atomic;
    case trace::MemorySpace::shared:
      if (a.matrices > 0) return load ? &matrix_load : &matrix_store;
      return load ? &shared_load : store ? &shared_store : copy ? &shared_async : &shared_atomic;
    case trace::MemorySpace::local:
      return load ? &local_load : &local_store;
    case trace::MemorySpace::constant:
      return &constant;
    case trace::MemorySpace::param:
      break;  // the same for all lanes, and in the constant cache
  }
  return nullptr;
}

void Counter::on_step(const trace::Where& where) {
  Counts& counts = at(where.pc);
  ++counts.instructions;
  counts.thread_instructions += static_cast<std::uint64_t>(std::popcount(where.active));
}

void Counter::on_access(const trace::AccessEvent& event) {
  if (event.where.active == 0) return;                   // predicated off everywhere: no request reaches memory
  if (event.space == trace::MemorySpace::param) return;  // the same for all lanes, and in the constant cache
  const access::Access access = access::access_of(event);
  if (access::Sum* const sum = at(event.where.pc).of(access)) *sum += access::cost(access);
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

namespace {

/// "fma.rn.f32" of the whole instruction.
std::string_view first_word(std::string_view text) {
  if (text.starts_with('@')) text.remove_prefix(std::min(text.find(' '), text.size() - 1) + 1);
  return text.substr(0, text.find_first_of(" ;"));
}

int operations_by_name(std::string_view opcode) {
  static constexpr std::array<std::string_view, 11> single = {"add",   "sub", "mul", "div", "sqrt", "rcp",
                                                              "rsqrt", "sin", "cos", "ex2", "lg2"};
  if (opcode == "fma" || opcode == "mad") return 2;
  return opcode == "tanh" || std::find(single.begin(), single.end(), opcode) != single.end() ? 1 : 0;
}

}  // namespace

FloatOperations operations_of(std::string_view text) {
  const std::string_view word = first_word(text);
  const int operations = operations_by_name(word.substr(0, word.find('.')));
  if (word.ends_with(".f32")) return {.fp32 = operations};
  if (word.ends_with(".f32x2")) return {.fp32 = 2 * operations};
  if (word.ends_with(".f64")) return {.fp64 = operations};
  return {};
}

}  // namespace lanescope::counters
