#include "profiling/counters/counters.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "profiling/access/access.h"

namespace lanescope::counters {
namespace {

using trace::AccessKind;
using trace::MemorySpace;

trace::AccessEvent access_event(std::uint32_t pc, std::uint32_t active, MemorySpace space, AccessKind kind, int width,
                                const std::array<std::uint64_t, 32>& addresses) {
  return {.where = {.pc = pc, .active = active},
          .space = space,
          .kind = kind,
          .width_bytes = width,
          .addresses = addresses,
          .values = {},
          .tags = {}};
}

std::array<std::uint64_t, 32> stride(std::uint64_t bytes) {
  std::array<std::uint64_t, 32> a;
  for (std::uint64_t lane = 0; lane < 32; ++lane) a[lane] = 4096 + lane * bytes;
  return a;
}

std::uint64_t value(const Counts& counts, std::string_view name) {
  for (const Metric& metric : metrics())
    if (metric.name == name) return metric.value(counts);
  ADD_FAILURE() << "no metric " << name;
  return 0;
}

TEST(Counters, EachDirectionHasItsOwnCounter) {
  Counter counter;
  const auto column = stride(128), row = stride(4);
  counter.on_access(access_event(0, ~0u, MemorySpace::global, AccessKind::load, 4, column));
  counter.on_access(access_event(1, ~0u, MemorySpace::global, AccessKind::store, 4, row));
  counter.on_access(access_event(2, ~0u, MemorySpace::shared, AccessKind::load, 4, column));
  counter.on_access(access_event(3, 0xffffu, MemorySpace::shared, AccessKind::store, 4, row));
  counter.on_access(
      access_event(3, 0, MemorySpace::shared, AccessKind::store, 4, row));  // off in every lane: no request
  std::vector<trace::CodeSite> code(4);
  code[0].line = code[2].line = 10, code[1].line = 20;
  Report report;
  add(report, counter, code);
  EXPECT_EQ(value(report.total, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), 32u);
  EXPECT_EQ(value(report.total, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"), 4u);
  EXPECT_EQ(value(report.total, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"), 1u);
  EXPECT_EQ(value(report.total, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"), 32u);
  EXPECT_EQ(value(report.total, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"), 31u);
  EXPECT_EQ(value(report.total, "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum"), 1u);
  EXPECT_EQ(report.total.shared_store.requests, 1u);
  EXPECT_EQ(report.lines.at(10).global().sectors, 32u);
  EXPECT_EQ(report.lines.at(10).shared().wavefronts, 32u);
  EXPECT_EQ(report.lines.at(20).global().sectors, 4u);
  EXPECT_EQ(report.lines.at(0).shared().wavefronts, 1u);
}

TEST(Counters, ADivergentBranchIsOneThatSomeLanesTake) {
  Counter counter;
  for (const std::uint32_t taken : {0u, 0xffu, 0xf0u, 0x1u})
    counter.on_branch({.where = {.pc = 5, .active = 0xff}, .taken = taken});
  const Counts& counts = counter.by_instruction()[5];
  EXPECT_EQ(counts.branches, 4u);
  EXPECT_EQ(counts.divergent_branches, 2u);
  EXPECT_EQ(value(counts, "smsp__sass_branch_targets_threads_uniform.sum"), 2u);
}

// Law: what the lines hold adds up to the total, for every metric and any stream of events.
TEST(Counters, LinesAddUpToTheTotal) {
  std::mt19937_64 random(5);
  Counter counter;
  std::vector<trace::CodeSite> code(20);
  for (auto& site : code) site.line = static_cast<int>(random() % 6);
  const std::array<std::int8_t, 32> sources{};
  for (int i = 0; i < 3000; ++i) {
    const trace::Where where{.pc = static_cast<std::uint32_t>(random() % 20),
                             .active = static_cast<std::uint32_t>(random())};
    counter.on_step(where);
    switch (random() % 4) {
      case 0:
        counter.on_shuffle({.where = where, .source_lane = sources});
        break;
      case 1:
        counter.on_barrier({.where = where});
        break;
      case 2:
        counter.on_branch({.where = where, .taken = where.active & static_cast<std::uint32_t>(random())});
        break;
      default:
        counter.on_access(access_event(where.pc, where.active, static_cast<MemorySpace>(random() % 5),
                                       static_cast<AccessKind>(random() % 5), 1 << random() % 5,
                                       stride(random() % 64)));
    }
  }
  Report report;
  add(report, counter, code);
  Counts sum;
  for (const auto& [line, counts] : report.lines) sum += counts;
  EXPECT_EQ(sum, report.total);
  EXPECT_EQ(report.total.instructions, 3000u);
}

// Each space by hand: cp.async writes shared memory under its own counter, local memory is interleaved, a constant
// that two addresses share needs two broadcasts, atomics of a whole warp at one address take 32 turns.
TEST(Counters, EachSpaceIsCountedApart) {
  Counter counter;
  const auto one = stride(0), row = stride(4);
  counter.on_access(access_event(0, ~0u, MemorySpace::shared, AccessKind::async_copy, 16, stride(16)));
  counter.on_access(access_event(0, ~0u, MemorySpace::global, AccessKind::async_copy, 16, stride(16)));
  counter.on_access(access_event(1, ~0u, MemorySpace::local, AccessKind::load, 4, one));
  counter.on_access(access_event(1, ~0u, MemorySpace::local, AccessKind::store, 4, row));
  auto two = one;
  two[7] += 4;
  counter.on_access(access_event(2, ~0u, MemorySpace::constant, AccessKind::load, 4, two));
  counter.on_access(access_event(3, ~0u, MemorySpace::global, AccessKind::atomic, 4, one));
  counter.on_access(access_event(3, ~0u, MemorySpace::shared, AccessKind::reduction, 4, row));
  counter.on_access(access_event(4, ~0u, MemorySpace::param, AccessKind::load, 8, one));
  Report report;
  add(report, counter, {});
  const Counts& c = report.total;
  EXPECT_EQ(c.shared_store, access::Sum{});
  EXPECT_EQ(c.shared_async.wavefronts, 4u);
  EXPECT_EQ(c.global_async.sectors, 16u);
  EXPECT_EQ(c.local_load.sectors, 4u);
  EXPECT_EQ(c.local_store.sectors, 32u);
  EXPECT_EQ(c.local_load.requests + c.local_store.requests, 2u);
  EXPECT_EQ(c.constant.broadcasts, 2u);
  EXPECT_EQ(c.constant.replays(), 1u);
  EXPECT_EQ(c.global_atomic.passes, 32u);
  EXPECT_EQ(c.shared_atomic.wavefronts, 1u);
  EXPECT_EQ(c.global_load, access::Sum{});
  EXPECT_EQ(counter.by_instruction().size(), 4u) << "a parameter costs nothing";
}

TEST(Counters, InstructionsAddUpToTheirLine) {
  Counter counter;
  std::vector<trace::CodeSite> code(3);
  for (std::size_t pc = 0; pc < code.size(); ++pc) code[pc].line = pc == 1 ? 9 : 4, code[pc].text = std::to_string(pc);
  for (const std::uint32_t pc : {0u, 0u, 2u}) counter.on_step({.pc = pc, .active = 0xf});
  Report report;
  add(report, counter, code);
  const auto list = by_instruction(counter, code);
  ASSERT_EQ(list.size(), 2u) << "what never ran is left out";
  EXPECT_EQ(list[1].text, "2");
  Counts sum = list[0].counts;
  EXPECT_EQ(sum += list[1].counts, report.lines.at(4));
}

}  // namespace
}  // namespace lanescope::counters
