#pragma once
// The same launch on one core and on several: everything that a run yields is the same.

#include <array>
#include <set>

#include <gtest/gtest.h>

#include "kernels/emulator/ahead/ahead.h"
#include "kernels/trace/event_log.h"
#include "tests/kernels/emulator/harness.h"
#include "tests/sample.h"

namespace lanescope::emulator::test {

/// Every event with its step, and a part for blocks that run ahead.
class StepLog final : public trace::Observer {
 public:
  /// `values`: of atomics and reductions, too.
  explicit StepLog(bool values = true) : values_(values) {}
  struct Event {
    std::uint64_t step = 0, what = 0;
    bool operator==(const Event&) const = default;
  };
  std::vector<Event> events;

  void on_step(const trace::Where& w) override { begin(1, w); }
  void on_access(const trace::AccessEvent& e) override {
    begin(2, e.where);
    add(static_cast<std::uint64_t>(e.space)), add(static_cast<std::uint64_t>(e.kind));
    add(static_cast<std::uint64_t>(e.width_bytes)), add(e.overwritten);
    for (std::size_t lane = 0; lane < e.addresses.size(); ++lane) {
      if ((e.where.active >> lane & 1) == 0) continue;
      add(e.addresses[lane]);
      if (!values_ && (e.kind == trace::AccessKind::atomic || e.kind == trace::AccessKind::reduction)) continue;
      for (std::size_t i = lane; i < e.values.size(); i += 32) add(e.values[i]);
    }
  }
  void on_shuffle(const trace::ShuffleEvent& e) override {
    begin(3, e.where);
    for (const std::int8_t lane : e.source_lane) add(static_cast<std::uint8_t>(lane));
  }
  void on_branch(const trace::BranchEvent& e) override { begin(4, e.where), add(e.taken); }
  void on_barrier(const trace::BarrierEvent& e) override { begin(5, e.where), add(e.waits); }
  void on_release(const trace::ReleaseEvent& e) override {
    events.push_back({e.step, 6});
    add(e.block);
  }
  void on_block_end(std::uint32_t block, std::uint64_t steps) override {
    events.push_back({0, 7});
    add(block), add(steps);
  }
  std::unique_ptr<trace::Observer> part() const override { return std::make_unique<StepLog>(values_); }
  Atomics needs_atomics() const override { return values_ ? Atomics::at_once : Atomics::never; }
  void take(trace::Observer& part, std::uint64_t first_step) override {
    for (Event e : static_cast<StepLog&>(part).events) {
      if (e.step != 0 || !is_end(e)) e.step += first_step;
      events.push_back(e);
    }
  }

 private:
  bool values_ = true;
  static bool is_end(const Event& e) { return (e.what & 15) == 7; }
  void begin(std::uint64_t kind, const trace::Where& w) {
    events.push_back({w.step, kind});
    add(w.block), add(w.warp), add(w.pc), add(w.active);
  }
  /// The lowest four bits stay: the kind.
  void add(std::uint64_t n) {
    std::uint64_t& h = events.back().what;
    const std::uint64_t kind = h & 15;
    h = (h ^ n << 4) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
    h = (h & ~std::uint64_t{15}) | kind;
  }
};

/// Every identity that is moved or probed, by its number in the pool. A part keeps the events.
class IdentityLog final : public trace::Observer {
 public:
  struct Seen {
    std::uint64_t step = 0;
    std::uint32_t block = 0, pc = 0, steered = 0;
    std::vector<trace::WordTag> tags{};
    bool operator==(const Seen&) const = default;
  };
  std::vector<Seen> seen;

  void on_access(const trace::AccessEvent& e) override { add(e.where, e.tags); }
  void on_probe(const trace::ProbeEvent& e) override { add(e.where, e.tags); }
  void on_steer(const trace::SteerEvent& e) override {
    add(e.where, {}, e.lanes ^ static_cast<std::uint32_t>(e.what) << 8);
  }
  std::unique_ptr<trace::Observer> part() const override { return std::make_unique<trace::EventLog>(); }
  bool can_take(const trace::Observer& part) const override {
    return static_cast<const trace::EventLog&>(part).is_whole();
  }
  void take(trace::Observer& part, std::uint64_t first_step) override {
    static_cast<const trace::EventLog&>(part).report(*this, first_step);
  }

 private:
  void add(const trace::Where& w, std::span<const trace::WordTag> tags, std::uint32_t steered = 0) {
    seen.push_back({w.step, w.block, w.pc, steered, {tags.begin(), tags.end()}});
  }
};

inline bool operator==(const trace::Where& a, const trace::Where& b) {
  return a.step == b.step && a.block == b.block && a.warp == b.warp && a.pc == b.pc && a.active == b.active;
}

inline void expect_same(const Result& a, const Result& b) {
  ASSERT_EQ(a.faults.size(), b.faults.size());
  for (std::size_t i = 0; i < a.faults.size(); ++i) {
    EXPECT_EQ(a.faults[i].message, b.faults[i].message);
    EXPECT_EQ(a.faults[i].kind, b.faults[i].kind);
    EXPECT_EQ(a.faults[i].lane, b.faults[i].lane);
    EXPECT_EQ(a.faults[i].address, b.faults[i].address);
    EXPECT_TRUE(test::operator==(a.faults[i].where, b.faults[i].where)) << a.faults[i].message;
  }
  ASSERT_EQ(a.printed.size(), b.printed.size());
  for (std::size_t i = 0; i < a.printed.size(); ++i) {
    EXPECT_EQ(a.printed[i].text, b.printed[i].text);
    EXPECT_EQ(a.printed[i].lane, b.printed[i].lane);
    EXPECT_TRUE(test::operator==(a.printed[i].where, b.printed[i].where)) << a.printed[i].text;
  }
  EXPECT_EQ(a.printed_calls, b.printed_calls);
  EXPECT_EQ(a.warp_instructions, b.warp_instructions);
  EXPECT_EQ(a.thread_instructions, b.thread_instructions);
  EXPECT_EQ(a.shared_bytes, b.shared_bytes);
  EXPECT_EQ(a.identified_blocks, b.identified_blocks);
  EXPECT_TRUE(a.coverage == b.coverage);
  EXPECT_EQ(a.unfinished.blocks, b.unfinished.blocks);
  EXPECT_EQ(a.unfinished.probes, b.unfinished.probes);
  EXPECT_EQ(a.grids.size(), b.grids.size());
}

struct Ended {
  Result result;
  std::vector<trace::Buffer> buffers;
  std::vector<std::vector<std::uint8_t>> variables;
  std::vector<StepLog::Event> events;
  AheadCounts ahead;
  // With identities
  std::shared_ptr<trace::TagPool> tags{};
  std::vector<IdentityLog::Seen> identities{};
};

enum class Observed : std::uint8_t { no, all, no_values_of_atomics };

inline Ended run_on(const ptx::Module& module, const trace::Launch& launch, std::vector<trace::Buffer> buffers,
                    Options options, std::uint32_t cores, Observed observed) {
  Ended out;
  StepLog log(observed == Observed::all);
  options.cores = cores;
  options.alone_steps = std::min<std::uint64_t>(options.alone_steps, 1u << 11);
  if (observed != Observed::no) options.observers.push_back(&log);
  IdentityLog identities;
  if (options.tags != nullptr) {
    const std::size_t budget = options.tags->budget_bytes();
    options.tags = (out.tags = std::make_shared<trace::TagPool>()).get();
    options.tags->keep_at_most(budget);
    options.tags->space = tag_space(buffers);
    options.observers.push_back(&identities);
  }
  auto machine = Machine::create(module, launch, buffers, options);
  if (!machine) {
    for (const Diagnostic& d : machine.error()) ADD_FAILURE() << to_string(d);
    return out;
  }
  out.ahead = machine->run_ahead();
  while (machine->advance(std::uint64_t{1} << 40)) {}
  out.result = machine->result();
  out.variables = machine->variables();
  out.buffers = std::move(buffers);
  out.events = std::move(log.events);
  out.identities = std::move(identities.seen);
  return out;
}

/// The same identities at the same places, with the same numbers, which stand for the same elements.
inline void expect_same_identities(const Ended& a, const Ended& b) {
  ASSERT_TRUE(a.identities == b.identities);
  EXPECT_EQ(a.tags->bytes(), b.tags->bytes()) << "the same words and sets";
  std::set<trace::WordTag> some;
  for (std::size_t i = 0; i < a.identities.size(); ++i)
    if (lanescope::test::in_sample(i, 601)) some.insert(a.identities[i].tags.begin(), a.identities[i].tags.end());
  for (const trace::WordTag tag : some) {
    ASSERT_TRUE(a.tags->bits(tag) == b.tags->bits(tag)) << tag;
    ASSERT_TRUE(a.tags->sources(tag, 0, 32) == b.tags->sources(tag, 0, 32)) << tag;
  }
}

/// Runs on one core, and on 2, 3 and 8, with equal results. Returns counts of blocks that ran ahead, and the one run. Of
/// Options::tags only the budget counts: each run has a pool of its own.
inline std::pair<AheadCounts, Ended> same_on_all_cores(const ptx::Module& module, const trace::Launch& launch,
                                                       const std::vector<trace::Buffer>& buffers,
                                                       const Options& options = {}, Observed observed = Observed::all) {
  const Ended one = run_on(module, launch, buffers, options, 1, observed);
  EXPECT_EQ(one.ahead.units + one.ahead.discarded, 0u);
  AheadCounts sum;
  for (const std::uint32_t cores : {2u, 3u, 8u}) {
    const Ended several = run_on(module, launch, buffers, options, cores, observed);
    const auto where = testing::ScopedTrace(__FILE__, __LINE__, std::to_string(cores) + " cores");
    expect_same(several.result, one.result);
    for (std::size_t b = 0; b < one.buffers.size(); ++b)
      EXPECT_TRUE(several.buffers[b].bytes == one.buffers[b].bytes) << one.buffers[b].name;
    EXPECT_TRUE(several.variables == one.variables);
    EXPECT_TRUE(several.events == one.events);
    if (one.tags != nullptr) expect_same_identities(several, one);
    sum.blocks += several.ahead.blocks;
    sum.units += several.ahead.units;
    sum.discarded += several.ahead.discarded;
    sum.waves += several.ahead.waves;
  }
  return {sum, one};
}

}  // namespace lanescope::emulator::test
