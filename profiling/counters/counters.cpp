#include "profiling/counters/counters.h"

#include <algorithm>
#include <bit>
#include <numeric>

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

namespace {

/// Without an instruction of the processor for it, counting takes long.
std::size_t lanes_in(std::uint32_t active) {
  return active == ~0u ? trace::lanes_per_warp : static_cast<std::size_t>(std::popcount(active));
}

}  // namespace

void Counter::on_step(const trace::Where& where) { on_steps(where, {&where.active, 1}); }

void Counter::on_steps(const trace::Where& first, std::span<const std::uint32_t> active) {
  if (active.empty()) return;
  at(first.pc + static_cast<std::uint32_t>(active.size()) - 1);
  Counts* counts = &by_pc_[first.pc];
  std::uint64_t threads = 0;
  for (const std::uint32_t lanes : active) {
    ++counts->instructions;
    counts->thread_instructions += lanes_in(lanes);
    threads += lanes_in(lanes);
    ++counts;
  }
  total_.instructions += active.size(), total_.thread_instructions += threads;
}

void Counter::on_access(const trace::AccessEvent& event) {
  if (event.where.active == 0) return;                   // predicated off everywhere: no request reaches memory
  if (event.space == trace::MemorySpace::param) return;  // the same for all lanes, and in the constant cache
  Counts& counts = at(event.where.pc);
  const auto sum_of_run = event.kind == trace::AccessKind::load ? &Counts::global_load : &Counts::global_store;
  if (access::Sum run; add_cost_of_run(event, run)) {
    counts.*sum_of_run += run, total_.*sum_of_run += run;
    return;
  }
  const access::Access access = access::access_of(event);
  if (access::Sum* const sum = counts.of(access)) {
    const access::Cost cost = access::cost(access);
    *sum += cost, *total_.of(access) += cost;
  }
}

void Counter::on_shuffle(const trace::ShuffleEvent& event) { ++at(event.where.pc).shuffles, ++total_.shuffles; }

void Counter::on_branch(const trace::BranchEvent& event) {
  Counts& counts = at(event.where.pc);
  const bool divergent = event.taken != 0 && event.taken != event.where.active;
  for (Counts* const c : {&counts, &total_}) ++c->branches, c->divergent_branches += divergent ? 1 : 0;
}

void Counter::on_barrier(const trace::BarrierEvent& event) { ++at(event.where.pc).barriers, ++total_.barriers; }

/// Each 128 bytes of the operands are a wavefront, and B is read once for the four warps (measured on an H200:
/// bench/results/gpu_matrix_products.json); here the first of them pays for it.
void Counter::on_matrix_read(const trace::MatrixReadEvent& event) {
  const std::uint64_t bytes = event.a_bytes + (event.where.warp % 4 == 0 ? event.b_bytes : 0);
  const std::uint64_t wavefronts = bytes / 128;
  for (Counts* const c : {&at(event.where.pc), &total_})
    c->matrix_product +=
        {.requests = 1, .wavefronts = wavefronts, .ideal_wavefronts = wavefronts, .bytes_requested = bytes};
}

void Counter::add(const Counter& other) {
  by_pc_.resize(std::max(by_pc_.size(), other.by_pc_.size()));
  for (std::size_t pc = 0; pc < other.by_pc_.size(); ++pc) by_pc_[pc] += other.by_pc_[pc];
  total_ += other.total_;
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

LaneHistogram& LaneHistogram::operator+=(const LaneHistogram& o) {
  for (std::size_t lanes = 0; lanes < instructions.size(); ++lanes) instructions[lanes] += o.instructions[lanes];
  return *this;
}

void LaneHistogram::add(std::uint32_t active) { ++instructions[lanes_in(active)]; }

std::uint64_t LaneHistogram::total() const {
  return std::accumulate(instructions.begin(), instructions.end(), std::uint64_t{0});
}

void DivergenceCounter::on_step(const trace::Where& where) { on_steps(where, {&where.active, 1}); }

void DivergenceCounter::on_steps(const trace::Where& first, std::span<const std::uint32_t> active) {
  if (first.pc + active.size() > by_pc_.size()) by_pc_.resize(first.pc + active.size());
  for (std::size_t i = 0; i < active.size(); ++i) by_pc_[first.pc + i].add(active[i]);
}

void DivergenceCounter::take(trace::Observer& part, std::uint64_t) {
  const std::vector<LaneHistogram>& other = static_cast<const DivergenceCounter&>(part).by_pc_;
  by_pc_.resize(std::max(by_pc_.size(), other.size()));
  for (std::size_t pc = 0; pc < other.size(); ++pc) by_pc_[pc] += other[pc];
}

void add(DivergenceReport& report, const DivergenceCounter& counter, std::span<const trace::CodeSite> code) {
  const auto by_pc = counter.by_instruction();
  for (std::size_t pc = 0; pc < by_pc.size(); ++pc) {
    if (by_pc[pc].total() == 0) continue;
    report.total += by_pc[pc];
    report.lines[pc < code.size() ? code[pc].line : 0] += by_pc[pc];
  }
}

namespace {

constexpr std::uint64_t most_entries = 4096;

/// The fields that are shown; the others stay 0.
void add_difference(Counts& sum, const Counts& now, const Counts& before) {
  sum.instructions += now.instructions - before.instructions;
  sum.thread_instructions += now.thread_instructions - before.thread_instructions;
  sum.divergent_branches += now.divergent_branches - before.divergent_branches;
  const access::Sum global_now = now.global(), global_before = before.global();
  sum.global_load.requests += global_now.requests - global_before.requests;
  sum.global_load.sectors += global_now.sectors - global_before.sectors;
  const access::Sum shared_now = now.shared(), shared_before = before.shared();
  sum.shared_load.requests += shared_now.requests - shared_before.requests;
  sum.shared_load.wavefronts += shared_now.wavefronts - shared_before.wavefronts;
  sum.shared_load.bank_conflicts += shared_now.bank_conflicts - shared_before.bank_conflicts;
}

}  // namespace

/// Counts of some blocks, with a counter of their own.
class BlockCounter::Part final : public trace::Observer {
 public:
  explicit Part(std::uint32_t each) : each_(each) {}
  void on_step(const trace::Where& where) override { on_steps(where, {&where.active, 1}); }
  void on_steps(const trace::Where& where, std::span<const std::uint32_t> active) override {
    if (const std::uint32_t next = where.block / each_; closed_.empty() || next != closed_.back().number) {
      close();
      closed_.push_back({next});
    }
    counter_.on_steps(where, active);
  }
  bool needs_turns() const override { return false; }
  void on_access(const trace::AccessEvent& e) override { counter_.on_access(e); }
  void on_shuffle(const trace::ShuffleEvent& e) override { counter_.on_shuffle(e); }
  void on_branch(const trace::BranchEvent& e) override { counter_.on_branch(e); }
  void on_barrier(const trace::BarrierEvent& e) override { counter_.on_barrier(e); }

  struct Entry {
    std::uint32_t number = 0;  ///< of the block / each_
    Counts counts{};
  };
  /// In the order of their runs; no more follow.
  const std::vector<Entry>& entries() {
    close();
    return closed_;
  }
  const Counter& counter() const { return counter_; }

 private:
  void close() {
    if (!closed_.empty()) add_difference(closed_.back().counts, counter_.total(), before_);
    before_ = counter_.total();
  }
  std::uint32_t each_;
  Counter counter_;
  std::vector<Entry> closed_;
  Counts before_;
};

std::unique_ptr<trace::Observer> BlockCounter::part() const { return std::make_unique<Part>(each_); }

void BlockCounter::take(trace::Observer& observer, std::uint64_t) {
  Part& part = static_cast<Part&>(observer);
  const auto& entries = part.entries();
  if (entries.empty()) return;
  if (entries.front().number != current_) change(entries.front().number);
  counter_.add(part.counter());
  before_ += part.counter().total();  // of its own blocks; earlier counts in `current_` stay
  for (const Part::Entry& e : entries)
    if (e.number < blocks_.size()) add_difference(blocks_[e.number], e.counts, {});
  current_ = entries.back().number;
}

BlockCounter::BlockCounter(Counter& counter, std::uint64_t blocks)
    : counter_(counter),
      each_(static_cast<std::uint32_t>(std::max<std::uint64_t>((blocks + most_entries - 1) / most_entries, 1))) {
  blocks_.resize((blocks + each_ - 1) / each_);
}

void BlockCounter::change(std::uint32_t next) {
  if (current_ != none && current_ < blocks_.size()) add_difference(blocks_[current_], counter_.total(), before_);
  before_ = counter_.total();
  current_ = next;
}

}  // namespace lanescope::counters
