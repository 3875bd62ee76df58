// Checkpoints and the past of a launch. One law: a run that is interrupted anywhere, saved, and continues in another machine
// is the run that was not interrupted, in every byte of registers and memory, every event, and every count.

#include <algorithm>
#include <map>
#include <set>

#include "kernels/emulator/checkpoint/saved.h"
#include "kernels/emulator/history/history.h"
#include "kernels/emulator/machine/schedule.h"
#include "tests/kernels/emulator/harness.h"
#include "tests/kernels/emulator/history/event_log.h"
#include "tests/kernels/emulator/history/random_programs.h"

namespace lanescope::emulator::test {
namespace {

std::vector<trace::Buffer> two_buffers() {
  std::vector<u32> words(64);
  for (u32 i = 0; i < 64; ++i) words[i] = i * 2654435761u;
  return {buffer_of("a", words), buffer_of("b", words)};
}

// ---- pages

/// The use that an allowance reports is the actual one: each page and each table of pages once, however many share it.
TEST(Pages, AreCountedOnceAndComeBackAsTheyWere) {
  Numbers numbers(3);
  for (int trial = 0; trial < 40; ++trial) {
    const std::size_t bytes = 1 + numbers.below(trial % 4 == 0 ? 3u << 20 : 40'000u);
    std::vector<u8> began(numbers.below(2) == 0 ? bytes : numbers.below(bytes));
    for (u8& b : began) b = static_cast<u8>(numbers.next());
    std::vector<u8> now = began;
    now.resize(bytes);
    Allowance allowance;
    Room room(allowance);
    std::vector<std::pair<Image, std::vector<u8>>> moments;
    for (int step = 0; step < 12; ++step) {
      for (u64 n = numbers.below(4); n > 0; --n) now[numbers.below(bytes)] ^= static_cast<u8>(1 + numbers.below(255));
      const Image* before = moments.empty() ? nullptr : &moments.back().first;
      auto image = image_of(now, {.bytes = began}, before, room);
      ASSERT_TRUE(image);
      moments.emplace_back(std::move(*image), now);
      if (moments.size() > 2 && numbers.below(3) == 0)
        moments.erase(moments.begin() + static_cast<std::ptrdiff_t>(numbers.below(moments.size())));
      std::set<const Chunk*> chunks;
      std::set<const Page*> pages;
      for (const auto& [kept, content] : moments) {
        std::vector<u8> back(bytes);
        put_back(kept, {.bytes = began}, back);
        ASSERT_EQ(back, content);
        for (const auto& c : kept.chunks)
          if (c) chunks.insert(c.get());
      }
      for (const Chunk* c : chunks)
        for (const auto& p : c->pages)
          if (p) pages.insert(p.get());
      std::size_t sum = 0;
      for (const Chunk* c : chunks) sum += c->taken.bytes();
      for (const Page* p : pages) {
        sum += p->taken.bytes();
        ASSERT_GE(p->taken.bytes(), sizeof(Page) + p->bytes.capacity());
      }
      ASSERT_EQ(allowance.used(), sum);
      ASSERT_LE(pages.size(), 12u * 4);  // what did not change is not kept
    }
    moments.clear();
    EXPECT_EQ(allowance.used(), 0u);
  }
}

TEST(Pages, WhatDoesNotFitLeavesNothingBehind) {
  const std::vector<u8> memory(100'000, 7);
  Allowance allowance(30'000);
  Room room(allowance);
  EXPECT_FALSE(image_of(memory, {}, nullptr, room));
  EXPECT_EQ(allowance.used(), 0u);
  EXPECT_LE(allowance.most(), 30'000u);
}

TEST(Pages, IdentitiesBeginAsSourceWords) {
  std::vector<u32> tags(5000);
  for (u32 i = 0; i < tags.size(); ++i) tags[i] = trace::TagPool::source_word(700 + i);
  tags[4321] = 9;
  Allowance allowance;
  Room room(allowance);
  const std::span<const u8> bytes{reinterpret_cast<const u8*>(tags.data()), tags.size() * 4};
  const auto image = image_of(bytes, {.first_word = 700}, nullptr, room);
  ASSERT_TRUE(image);
  EXPECT_LT(allowance.used(), 3 * page_bytes);
  std::vector<u32> back(tags.size());
  put_back(*image, {.first_word = 700}, {reinterpret_cast<u8*>(back.data()), back.size() * 4});
  EXPECT_EQ(back, tags);
}

// ---- checkpoints

void add(const Image& image, std::vector<u8>& to, const Beginning& beginning = {}) {
  std::vector<u8> bytes(image.bytes);
  put_back(image, beginning, bytes);
  to.insert(to.end(), bytes.begin(), bytes.end());
}

/// Every byte of a checkpoint that the law is about.
std::vector<u8> content(const Saved& s, const Initial& initial, std::size_t variables) {
  std::vector<u8> out;
  const auto number = [&](u64 n) {
    for (int i = 0; i < 8; ++i) out.push_back(static_cast<u8>(n >> (8 * i)));
  };
  for (std::size_t i = 0; i < s.global.size(); ++i) {
    Beginning began;
    if (i >= variables) {
      const auto& bytes = initial[i - variables].bytes;
      began.bytes = {reinterpret_cast<const u8*>(bytes.data()), bytes.size()};
    }
    add(s.global[i].bytes, out, began);
    number(s.global[i].tags.bytes);
  }
  const Progress& p = s.progress;
  for (const u64 n : {u64{p.current}, p.next_block, p.blocks, u64{p.ended}, p.polls_after_refusal, p.printed_bytes,
                      p.ended_blocks, p.step_limit, p.acts, p.idle_at, p.idle_turns, p.polls_in_cluster, p.starts_asked,
                      p.result.warp_instructions, p.result.thread_instructions, p.result.identified_blocks})
    number(n);
  for (const SavedBlock& b : s.blocks) {
    for (const u64 n : {u64{b.progress.index}, u64{b.progress.warp}, u64{b.progress.turn_left},
                        u64{b.progress.turn_open}, u64{b.progress.turn_groups}, b.progress.random, b.progress.steps})
      number(n);
    for (const Barrier& barrier : b.progress.barriers) {
      number(barrier.threads), number(barrier.ones), number(barrier.voters);
      for (const u32 lanes : barrier.arrived) number(lanes);
    }
    add(b.shared.bytes, out), add(b.shared.tags, out), add(b.reserved.bytes, out);
    for (const SavedWarp& w : b.warps) {
      add(w.registers, out), add(w.tags, out), add(w.tagged, out), add(w.local.bytes, out), add(w.local.tags, out);
      for (const u64 n : {u64{w.progress.exists}, u64{w.progress.blocked}, u64{w.progress.polling}}) number(n);
      for (const Group& g : w.progress.groups)
        for (const u64 n : {u64{g.mask}, u64{g.pc}, static_cast<u64>(g.wait), u64{g.forced}, u64{g.yields},
                            u64{g.joint ? g.joint->mask : 0}, u64{g.joins.size()}, g.together, u64{g.penalty},
                            u64{g.run}, u64{g.polls}, u64{g.poll_pc}, g.poll_value, u64{g.frames.size()}})
          number(n);
    }
  }
  return out;
}

void expect_same(const Result& a, const Result& b) {
  EXPECT_EQ(a.warp_instructions, b.warp_instructions);
  EXPECT_EQ(a.thread_instructions, b.thread_instructions);
  EXPECT_EQ(a.identified_blocks, b.identified_blocks);
  EXPECT_EQ(a.coverage, b.coverage);
  ASSERT_EQ(a.faults.size(), b.faults.size());
  for (std::size_t i = 0; i < a.faults.size(); ++i) EXPECT_EQ(a.faults[i].message, b.faults[i].message);
  ASSERT_EQ(a.printed.size(), b.printed.size());
  for (std::size_t i = 0; i < a.printed.size(); ++i) EXPECT_EQ(a.printed[i].text, b.printed[i].text);
}

/// Interrupts a run at random steps. At each it is saved against the moment before, and continues in a machine of its own to
/// a later step, where all of both machines is compared, and to the end.
void check_law(const ptx::Module& module, const trace::Launch& launch, const Initial& initial, Options options,
               Numbers& numbers, int stops) {
  std::vector<trace::Buffer> straight_buffers = initial;
  EventLog straight;
  options.observers = {&straight};
  const auto expected = run(module, launch, straight_buffers, options);
  ASSERT_TRUE(expected);
  const u64 steps = expected->warp_instructions;

  std::vector<trace::Buffer> buffers = initial;
  options.observers = {};
  auto machine = Machine::create(module, launch, buffers, options);
  ASSERT_TRUE(machine);
  std::vector<u64> at;
  for (int i = 0; i < stops; ++i) at.push_back(numbers.below(steps + 1));
  std::ranges::sort(at);
  Room room{Allowance()};
  std::map<u64, std::shared_ptr<const Saved>> saved;
  const Saved* before = nullptr;
  for (const u64 stop : at) {
    while (machine->step_count() < stop &&
           machine->advance(std::min(stop - machine->step_count(), 1 + numbers.below(3000)))) {}
    saved[stop] = machine->save_within(before, initial, room);
    before = saved[stop].get();
  }
  while (machine->advance(1 + numbers.below(5000))) {}
  expect_same(*expected, machine->result());
  for (std::size_t b = 0; b < buffers.size(); ++b) ASSERT_EQ(buffers[b].bytes, straight_buffers[b].bytes);

  for (auto it = saved.begin(); it != saved.end(); ++it) {
    std::vector<trace::Buffer> other = initial;
    EventLog log;
    options.observers = {&log};
    auto again = Machine::create(module, launch, other, options);
    again->restore(*it->second, initial);
    EXPECT_EQ(again->step_count(), it->first);
    if (const auto next = std::next(it); next != saved.end() && next->first < steps) {
      while (again->step_count() < next->first && again->advance(next->first - again->step_count())) {}
      const std::size_t variables = it->second->global.size() - initial.size();
      ASSERT_EQ(content(*again->save_within(nullptr, initial, room), initial, variables),
                content(*next->second, initial, variables))
          << "from " << it->first << " to " << next->first;
    }
    while (again->advance(1 + numbers.below(5000))) {}
    expect_same(*expected, again->result());
    for (std::size_t b = 0; b < other.size(); ++b) ASSERT_EQ(other[b].bytes, straight_buffers[b].bytes);
    ASSERT_TRUE(straight.ends_with(log)) << "events from step " << it->first;
  }
}

TEST(Checkpoints, ARandomProgramGoesOnAsIfNothingHadBeen) {
  Numbers numbers(11);
  for (u64 trial = 0; trial < 60; ++trial) {
    SCOPED_TRACE(trial);
    const auto module = module_of(RandomProgram(1000 + trial).text());
    const trace::Launch launch =
        launch_of(1 + static_cast<u32>(numbers.below(4)), 32 * (1 + static_cast<u32>(numbers.below(3))), 2);
    const Initial initial = two_buffers();
    trace::TagPool tags;
    tags.space = tag_space(initial);
    static constexpr u32 slices[] = {1, 0, 7};
    Options options{
        .seed = 1 + trial % 3, .max_steps = 400'000, .slice = slices[trial % 3 == 0 ? 0 : numbers.below(3)]};
    if (trial % 2 == 0) options.tags = &tags;
    check_law(module, launch, initial, options, numbers, 6);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

/// A block polls for what another one writes, and a warp for what another one of its block writes: who gives way when must
/// not depend on where the run was interrupted.
TEST(Checkpoints, PollingGivesWayWhereItWouldHave) {
  const std::string body =
      "setp.eq.u32 %p1, %r63, 0;\n@!%p1 bra write;\n"
      "poll:\nadd.u32 %r9, %r9, 1;\nld.volatile.global.u32 %r1, [%rd0];\nadd.u32 %r8, %r8, %r1;\nxor.b32 %r7, %r8, "
      "%r9;\n"
      "setp.ne.u32 %p2, %r1, 77;\n@%p2 bra poll;\n"
      "mul.wide.u32 %rd20, %tid, 4;\nadd.s64 %rd21, %rd1, %rd20;\nst.global.u32 [%rd21], %r9;\nbra end;\n"
      "write:\nmov.u32 %r2, 0;\nwork:\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %p3, %r2, 3000;\n@%p3 bra work;\n"
      "mov.u32 %r3, 77;\nst.volatile.global.u32 [%rd0], %r3;\nend:\n";
  const auto module = module_of(kernel(body, 2));
  Numbers numbers(5);
  for (const u32 slice : {0u, 1u, 5u, 100u})
    for (const u64 seed : {1, 2}) {
      SCOPED_TRACE(slice);
      check_law(module, launch_of(2, 64, 2), two_buffers(), {.seed = seed, .slice = slice}, numbers, 12);
      if (::testing::Test::HasFatalFailure()) return;
    }
}

TEST(Checkpoints, ClustersAndBarriersGoOn) {
  const std::string body =
      "mov.u32 %r9, 0;\nagain:\nbarrier.cluster.arrive;\nadd.u32 %r9, %r9, %r63;\nbarrier.cluster.wait;\nbar.sync 0;\n"
      "mov.u32 %r10, s;\nst.shared.u32 [%r10], %r9;\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 40;\n@%p1 bra again;\n"
      "and.b32 %r50, %tid, 63;\nmul.wide.u32 %rd20, %r50, 4;\nadd.s64 %rd21, %rd1, %rd20;\nred.global.add.u32 [%rd21], "
      "%r9;\n";
  const auto module = module_of(kernel(body, 2, ".shared .align 4 .b8 s[64];\n"));
  trace::Launch launch = launch_of(8, 64, 2);
  launch.cluster = {4, 1, 1};
  Numbers numbers(6);
  for (const u64 seed : {1, 4}) check_law(module, launch, two_buffers(), {.seed = seed}, numbers, 8);
}

/// A launch that is cut runs again as it ran: the clock is not queried a second time.
TEST(Checkpoints, WhatTheClockSaidIsWrittenDown) {
  const auto module = module_of(RandomProgram(4).text());
  const trace::Launch launch = launch_of(200, 32, 2);
  const Initial initial = two_buffers();
  Options options;
  options.limits.no_block_after = Limits::Clock::now() + std::chrono::milliseconds(2);
  options.limits.no_sample_after = options.limits.no_block_after;
  options.limits.samples = 5;
  Journal journal;
  options.journal = &journal;
  EventLog first, second;
  std::vector<trace::Buffer> buffers = initial, again = initial;
  options.observers = {&first};
  const Result cut = run_ok(module, launch, buffers, options);
  journal.known = journal.asked;
  options.observers = {&second};
  options.limits.no_block_after = options.limits.no_sample_after = Limits::Clock::time_point::max();
  const Result repeated = run_ok(module, launch, again, options);
  expect_same(cut, repeated);
  EXPECT_EQ(first, second);
  EXPECT_EQ(buffers[0].bytes, again[0].bytes);
}

TEST(Checkpoints, TheOrderOfBlocksCanBeAskedBothWays) {
  Numbers numbers(8);
  for (int trial = 0; trial < 200; ++trial) {
    const u64 blocks = 1 + numbers.below(5000), seed = 1 + numbers.below(5), n = numbers.below(blocks);
    EXPECT_EQ(place_in_order(block_in_order(n, blocks, seed), blocks, seed), n);
  }
  const auto module = module_of(kernel("", 1));
  for (const trace::Dim3 cluster : {trace::Dim3{1, 1, 1}, trace::Dim3{2, 1, 1}, trace::Dim3{2, 3, 2}})
    for (const u64 seed : {1, 9}) {
      trace::Launch launch = launch_of(1, 32, 1);
      launch.grid = {4, 6, 4}, launch.cluster = cluster;
      std::vector<trace::Buffer> buffers{buffer_of("a", std::vector<u32>(64))};
      EventLog log;
      run_ok(module, launch, buffers, {.seed = seed, .observers = {&log}});
      std::vector<u64> by_place(96, ~u64{0});
      for (u32 b = 0; b < 96; ++b) by_place[place_in_order(b, launch.grid, cluster, seed)] = b;
      // Blocks of a cluster begin together; clusters follow each other.
      const u64 together = cluster.count();
      for (std::size_t i = 0; i < log.ended.size(); ++i) {
        const auto place = static_cast<u64>(std::ranges::find(by_place, u64{log.ended[i]}) - by_place.begin());
        EXPECT_EQ(place / together, i / together);
      }
    }
}

// ---- history

/// All of one block, recorded by a run from its beginning.
trace::Trace record(const ptx::Module& module, const trace::Launch& launch, const Initial& initial, u32 block,
                    trace::TagPool& tags, const Options& given) {
  trace::Trace t;
  t.launch = launch;
  trace::Recorder recorder(t, {.first_block = block});
  Options options = given;
  options.tags = &tags;
  options.observers = {&recorder};
  auto buffers = initial;
  const Result result = run_ok(module, launch, buffers, options);
  t.shared_bytes = result.shared_bytes;
  return t;
}

/// A part of a block's record, from the past, against the same part of the whole record.
void expect_part(const trace::Trace& whole, const trace::Trace& part, u32 block) {
  const u64 first = part.first_step;
  ASSERT_LE(first + part.steps.size(), whole.steps.size());
  for (std::size_t i = 0; i < part.steps.size(); ++i) {
    const trace::StepRecord &a = part.steps[i], &b = whole.steps[first + i];
    ASSERT_TRUE(a.block == b.block && a.warp == b.warp && a.pc == b.pc && a.active == b.active) << i;
  }
  const std::size_t skipped = whole.accesses.count_until(static_cast<std::int64_t>(first) - 1);
  for (std::size_t i = 0; i < part.accesses.size(); ++i) {
    const trace::AccessRecord a = part.accesses[i], b = whole.accesses[skipped + i];
    ASSERT_EQ(a.step + first, b.step);
    ASSERT_TRUE(a.addresses == b.addresses && a.values == b.values && a.tags == b.tags && a.mask == b.mask);
  }
  Numbers numbers(first);
  for (int n = 0; n < 12 && !part.steps.empty(); ++n) {
    const auto step = static_cast<std::int64_t>(numbers.below(part.steps.size() + 1)) - 1;
    const auto there = step + static_cast<std::int64_t>(first);
    for (int variable = 0; variable < 8; ++variable) {
      const auto a = part.registers_at(step, block, {variable, 0}), b = whole.registers_at(there, block, {variable, 0});
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t w = 0; w < a.size(); ++w) {
        ASSERT_EQ(a[w].values, b[w].values) << "step " << there << ", variable " << variable;
        ASSERT_EQ(a[w].tags, b[w].tags);
        ASSERT_EQ(a[w].defined, b[w].defined);
        if (step >= 0) {
          ASSERT_EQ(a[w].changed, b[w].changed);
        }
      }
    }
    const auto a = part.shared_at(step, block), b = whole.shared_at(there, block);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t w = 0; w < a.size(); ++w)
      ASSERT_TRUE(a[w].value == b[w].value && a[w].tag == b[w].tag && a[w].written == b[w].written) << w;
  }
}

trace::Trace part_of(History& history, const trace::Launch& launch, u32 shared_bytes, u32 block, u64 first, u64 most,
                     History::Replayed* how = nullptr) {
  trace::Trace t;
  t.launch = launch;
  t.shared_bytes = shared_bytes;
  trace::Recorder recorder(t, {.first_block = block, .max_steps = most, .first_step = first}, &history.states());
  const auto replayed = history.replay(
      {.block = block, .first_step = first, .observers = {&recorder}, .done = [&] { return recorder.done(); }});
  EXPECT_TRUE(replayed);
  if (how != nullptr && replayed) *how = *replayed;
  return t;
}

TEST(History, EveryStepOfEveryBlockIsAsItWas) {
  Numbers numbers(21);
  for (u64 trial = 0; trial < 25; ++trial) {
    SCOPED_TRACE(trial);
    const auto module = module_of(RandomProgram(7000 + trial).text());
    const u32 blocks = 2 + static_cast<u32>(numbers.below(6));
    const trace::Launch launch = launch_of(blocks, 64, 2);
    const Initial initial = two_buffers();
    trace::TagPool tags;
    tags.space = tag_space(initial);
    const Options options{.seed = 1 + trial % 2, .tags = &tags};
    static constexpr std::size_t budgets[] = {std::size_t{1} << 30, 400'000, 60'000, 0};
    History history(module, launch, initial, &tags,
                    {.budget_bytes = budgets[trial % 4], .distance = 1 + numbers.below(700)});
    auto buffers = initial;
    const auto result = history.run(buffers, options);
    ASSERT_TRUE(result);
    EXPECT_LE(history.use().most_bytes, budgets[trial % 4]);
    for (int n = 0; n < 6; ++n) {
      const auto block = static_cast<u32>(numbers.below(blocks));
      const trace::Trace whole = record(module, launch, initial, block, tags, options);
      EXPECT_EQ(history.steps_of(block).value_or(whole.steps.size()), whole.steps.size());
      const u64 first = numbers.below(whole.steps.size());
      const trace::Trace part = part_of(history, launch, result->shared_bytes, block, first, 1 + numbers.below(3000));
      ASSERT_FALSE(part.steps.empty());
      expect_part(whole, part, block);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

/// Blocks after the one with which the first run ended.
TEST(History, GoesOnWhereTheFirstRunWasCut) {
  const auto module = module_of(RandomProgram(31).text());
  const trace::Launch launch = launch_of(12, 64, 2);
  const Initial initial = two_buffers();
  trace::TagPool tags;
  tags.space = tag_space(initial);
  Options options{.tags = &tags};
  options.limits = {.blocks = 3, .samples = 0};
  History history(module, launch, initial, &tags, {.distance = 100});
  auto buffers = initial;
  ASSERT_TRUE(history.run(buffers, options));
  EXPECT_TRUE(history.has_run(2));
  EXPECT_FALSE(history.has_run(7));
  for (const u32 block : {7u, 1u, 11u, 8u}) {
    ASSERT_TRUE(history.reaches(block));
    const trace::Trace whole = record(module, launch, initial, block, tags, {});
    for (const u64 first : {u64{0}, u64{whole.steps.size() / 2}}) {
      const trace::Trace part = part_of(history, launch, whole.shared_bytes, block, first, 500);
      ASSERT_FALSE(part.steps.empty());
      expect_part(whole, part, block);
    }
    EXPECT_TRUE(history.has_run(block));
  }
  EXPECT_FALSE(history.reaches(12));
}

/// Some millions of steps of one block: no byte beyond the budget, and every part is reached.
TEST(History, ALongLoopKeepsToATinyBudget) {
  const std::string body =
      "and.b32 %r10, %r0, 0;\nloop:\nadd.u32 %r1, %r1, %tid;\nxor.b32 %r2, %r1, %r10;\n"
      "// lanescope.probe 1 var=1 off=0 size=4 %r2\n"
      "and.b32 %r50, %r2, 63;\nmul.wide.u32 %rd40, %r50, 4;\nadd.s64 %rd41, %rd0, %rd40;\nst.global.u32 [%rd41], %r2;\n"
      "add.u32 %r10, %r10, 1;\nsetp.lt.u32 %p1, %r10, 100000;\n@%p1 bra loop;\n";
  const auto module = module_of(kernel(body, 2));
  const trace::Launch launch = launch_of(1, 128, 2);
  const Initial initial = two_buffers();
  for (const std::size_t budget : {std::size_t{600'000}, std::size_t{90'000}, std::size_t{20'000}, std::size_t{0}}) {
    SCOPED_TRACE(budget);
    History history(module, launch, initial, nullptr, {.budget_bytes = budget, .distance = 1 << 13});
    auto buffers = initial;
    const auto result = history.run(buffers, {});
    ASSERT_TRUE(result);
    const HistoryUse use = history.use();
    EXPECT_GT(use.instructions, 3'000'000u);
    EXPECT_LE(use.used_bytes, use.most_bytes);
    EXPECT_LE(use.most_bytes, budget);
    EXPECT_EQ(use.budget_bytes, budget);
    if (budget == 600'000) {
      EXPECT_GT(use.checkpoints, 4u);
      EXPECT_GT(use.thinned, 10u);
    }
    if (budget == 0) {
      EXPECT_EQ(use.checkpoints, 0u);
      EXPECT_GT(use.refused, 0u);
      EXPECT_EQ(use.farthest, use.instructions);
    }
    if (budget != 600'000) continue;
    const u64 first = use.instructions - 5000;
    History::Replayed how;
    const trace::Trace part = part_of(history, launch, result->shared_bytes, 0, first, 1000, &how);
    EXPECT_TRUE(how.from_checkpoint);
    EXPECT_LT(how.until - how.from, use.farthest + 8192);
    EXPECT_EQ(part.steps.size(), 1000u);
    // The same step by another way: the whole run, recorded from there.
    trace::Trace direct;
    direct.launch = launch;
    trace::BlockStates states(4, nullptr);
    trace::Recorder recorder(direct, {.max_steps = 1000, .first_step = first}, &states);
    auto other = initial;
    run_ok(module, launch, other, {.observers = {&states, &recorder}});
    direct.first_step = 0;
    trace::Trace same = part_of(history, launch, result->shared_bytes, 0, first, 1000);
    same.first_step = 0;
    expect_part(direct, same, 0);
    EXPECT_FALSE(direct.beginning.words.empty());
  }
}

/// Distances double from the oldest on: nowhere is an older part finer than a newer one by more than the last halving.
TEST(History, TheOldestIsThinnedFirst) {
  const auto module =
      module_of(kernel("loop:\nadd.u32 %r10, %r10, 1;\nsetp.lt.u32 %p1, %r10, 20000;\n@%p1 bra loop;\n", 2));
  const trace::Launch launch = launch_of(1, 32, 2);
  const Initial initial = two_buffers();
  for (const std::size_t budget : {std::size_t{40'000}, std::size_t{70'000}, std::size_t{120'000}}) {
    History history(module, launch, initial, nullptr, {.budget_bytes = budget, .distance = 256});
    auto buffers = initial;
    ASSERT_TRUE(history.run(buffers, {}));
    const std::vector<u64> steps = history.checkpoints();
    ASSERT_GT(steps.size(), 2u);
    u64 before = 0, last = ~u64{0};
    for (const u64 step : steps) {
      const u64 gap = step - before;
      EXPECT_EQ(gap % 256, 0u);
      EXPECT_LE(gap / 2, last) << "a newer part is no more than twice as coarse as an older one";
      last = gap, before = step;
    }
    EXPECT_GT(history.use().thinned, 0u);
  }
}

}  // namespace
}  // namespace lanescope::emulator::test
