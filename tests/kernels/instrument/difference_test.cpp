// A trace with one access changed: the comparison points at exactly that access in both traces.

#include <algorithm>
#include <bit>
#include <random>

#include "kernels/trace/trace.h"
#include "tests/kernels/instrument/support.h"

namespace lanescope::instrument::test {
namespace {

using emulator::test::buffer_of;
using emulator::test::value_of;

/// Transposes 70 x 45 words through shared memory, in 6 blocks of 8 warps.
Program transpose() {
  Program p{"transpose", emulator::test::module_of(text_of(LANESCOPE_TEST_DATA_DIR "/emulator/kernels.ptx")), {}, {}};
  p.launch.kernel = "transpose", p.launch.grid = {3, 2, 1}, p.launch.block = {32, 8, 1};
  p.launch.arguments = {trace::BufferArgument{0, 0}, trace::BufferArgument{1, 0}, value_of(70), value_of(45)};
  p.buffers = {buffer_of("in", std::vector<std::uint32_t>(70 * 45)),
               buffer_of("out", std::vector<std::uint32_t>(70 * 45))};
  return p;
}

using Records = std::vector<trace::AccessRecord>;

Records records_of(const trace::Trace& t) { return {t.accesses.begin(), t.accesses.end()}; }

void put(trace::Trace& t, const Records& records) {
  t.accesses = {};
  for (const trace::AccessRecord& r : records) {
    const trace::StepRecord& s = t.steps[r.step];
    t.accesses.append(r.step, {.where = {.block = s.block, .warp = s.warp, .pc = s.pc, .active = r.mask},
                               .space = r.space,
                               .kind = r.kind,
                               .width_bytes = r.width_bytes,
                               .read_only = r.read_only,
                               .addresses = r.addresses,
                               .values = r.values,
                               .tags = r.tags,
                               .matrix = r.matrix});
  }
}

class Mutated : public ::testing::Test {
 protected:
  Mutated() {
    std::vector<trace::Buffer> contents = program.buffers;
    expected = recorded(program, contents);
    decoded = run_traced(program, {}, std::uint64_t{64} << 20).decoded;
    whole = records_of(decoded.trace);
  }
  std::size_t any() { return random() % whole.size(); }

  Program program = transpose();
  trace::Trace expected;
  Decoded decoded;
  Records whole;  ///< of the decoded trace, as it was
  std::mt19937 random{9};
};

TEST_F(Mutated, APlaceOfOneLane) {
  put(decoded.trace, whole);
  EXPECT_FALSE(compare(expected, decoded));
  for (int round = 0; round < 12; ++round) {
    const std::size_t at = any();
    Records changed = whole;
    const std::uint32_t mask = changed[at].mask;
    ASSERT_NE(mask, 0u);
    std::size_t lane = random() % 32;
    while ((mask >> lane & 1) == 0) lane = (lane + 1) % 32;
    changed[at].addresses[lane] += 8;
    put(decoded.trace, changed);
    const auto d = compare(expected, decoded);
    ASSERT_TRUE(d);
    EXPECT_EQ(d->found_access, static_cast<std::int64_t>(at));
    EXPECT_EQ(d->lane, static_cast<int>(lane));
    ASSERT_GE(d->expected_access, 0);
    const trace::AccessRecord e = expected.accesses[static_cast<std::size_t>(d->expected_access)];
    const trace::AccessRecord& f = changed[at];
    EXPECT_EQ(expected.steps[e.step].pc, decoded.trace.steps[f.step].pc);
    EXPECT_EQ(expected.steps[e.step].block, d->block);
    EXPECT_EQ(expected.steps[e.step].warp, d->warp);
    EXPECT_EQ(e.mask, f.mask);
    // Words that both machines share: the same place but for that lane, 8 bytes on.
    for (std::size_t l = 0; l < 32; ++l) {
      if ((e.mask >> l & 1) == 0) continue;
      EXPECT_EQ(trace::place_words(expected, e, l) == trace::place_words(decoded.trace, f, l), l != lane) << l;
    }
  }
}

TEST_F(Mutated, ALaneThatTakesNoPart) {
  const std::size_t at = any();
  Records changed = whole;
  changed[at].mask &= changed[at].mask - 1;
  put(decoded.trace, changed);
  const auto d = compare(expected, decoded);
  ASSERT_TRUE(d);
  EXPECT_EQ(d->found_access, static_cast<std::int64_t>(at));
  const trace::AccessRecord e = expected.accesses[static_cast<std::size_t>(d->expected_access)];
  EXPECT_EQ(std::popcount(e.mask ^ changed[at].mask), 1);
}

TEST_F(Mutated, AnAccessThatOneSideDoesNotMake) {
  Records changed = whole;  // the last one of all: there is none beside it
  changed.pop_back();
  put(decoded.trace, changed);
  auto d = compare(expected, decoded);
  ASSERT_TRUE(d);
  EXPECT_EQ(d->found_access, -1);
  EXPECT_GE(d->expected_access, 0);
  changed = whole;
  changed.push_back(whole.back());
  put(decoded.trace, changed);
  d = compare(expected, decoded);
  ASSERT_TRUE(d);
  EXPECT_EQ(d->expected_access, -1);
  EXPECT_EQ(d->found_access, static_cast<std::int64_t>(whole.size()));
}

/// How often a warp looks until another has written is left to time; what it looks at, and by which lanes, is not.
TEST_F(Mutated, LoadsThatWaitAreOneHoweverOftenTheyAreMade) {
  std::size_t at = any();
  while (whole[at].kind != trace::AccessKind::load || std::popcount(whole[at].mask) < 4) at = any();
  const std::uint32_t pc = decoded.trace.steps[whole[at].step].pc;
  const auto differs = [&](const Records& again) {
    Records changed = whole;
    changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(at));
    changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(at), again.begin(), again.end());
    put(decoded.trace, changed);
    return compare(expected, decoded).has_value();
  };
  const trace::AccessRecord once = whole[at];
  trace::AccessRecord low = once, high = once, elsewhere = once;
  low.mask &= low.mask - 1, high.mask &= ~low.mask;
  elsewhere.addresses[static_cast<std::size_t>(std::countr_zero(once.mask))] += 4;
  expected.code.resize(std::max<std::size_t>(expected.code.size(), pc + 1));
  for (const char* text : {"ld.global.u32 %r1, [%rd1];", "ld.volatile.global.u32 %r1, [%rd1];",
                           "@%p1 ld.acquire.gpu.u32 %r1, [%rd1];", "ld.relaxed.sys.u32 %r1, [%rd1];"}) {
    expected.code[pc].text = text;
    const bool waits = !std::string_view(text).starts_with("ld.global");
    EXPECT_FALSE(differs({once})) << text;
    EXPECT_EQ(differs({once, once}), !waits) << text;
    EXPECT_EQ(differs({once, once, low, high, once}), !waits) << text;
    EXPECT_EQ(differs({high, low}), !waits) << text;
    EXPECT_TRUE(differs({once, elsewhere})) << text;
    EXPECT_TRUE(differs({low})) << text;
    EXPECT_TRUE(differs({})) << text;
  }
}

/// After a wait lanes may continue apart; before it, and without one, they may not.
TEST_F(Mutated, LanesThatWaitedMayGoOnApart) {
  const auto warp_of = [&](std::size_t n) {
    const trace::StepRecord& s = decoded.trace.steps[whole[n].step];
    return std::pair(s.block, s.warp);
  };
  const auto pc_of = [&](std::size_t n) { return decoded.trace.steps[whole[n].step].pc; };
  std::size_t at = 0, later = 0;
  const auto follows = [&] {
    for (later = at + 1; later < whole.size(); ++later)
      if (warp_of(later) == warp_of(at) && pc_of(later) != pc_of(at) && std::popcount(whole[later].mask) > 3)
        return true;
    return false;
  };
  do at = any();
  while (whole[at].kind != trace::AccessKind::load || whole[at].space != trace::MemorySpace::global || !follows());
  trace::AccessRecord low = whole[later], high = whole[later];
  low.mask &= low.mask - 1, high.mask &= ~low.mask;
  trace::AccessRecord elsewhere = high;
  elsewhere.addresses[static_cast<std::size_t>(std::countr_zero(high.mask))] += 4;
  const std::uint32_t pc = pc_of(at);
  expected.code.resize(std::max<std::size_t>(expected.code.size(), pc + 1));
  const auto difference = [&](const Records& instead, int loads) {
    Records changed = whole;
    const auto place = changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(later));
    changed.insert(place, instead.begin(), instead.end());
    changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(at), static_cast<std::size_t>(loads - 1), whole[at]);
    put(decoded.trace, changed);
    return compare(expected, decoded);
  };
  expected.code[pc].text = "ld.global.u32 %r1, [%rd1];";
  EXPECT_TRUE(difference({high, low}, 1));
  expected.code[pc].text = "ld.volatile.global.u32 %r1, [%rd1];";  // once: no wait
  EXPECT_TRUE(difference({high, low}, 1));
  EXPECT_FALSE(difference({high, low}, 3));
  expected.code[pc].text = "ld.acquire.gpu.u32 %r1, [%rd1];";
  for (const int loads : {1, 2, 5}) {
    EXPECT_FALSE(difference({whole[later]}, loads));
    EXPECT_FALSE(difference({high, low}, loads));
    EXPECT_FALSE(difference({low, high}, loads));
    EXPECT_TRUE(difference({low}, loads));
    EXPECT_TRUE(difference({low, high, high}, loads));
    const auto d = difference({elsewhere, low}, loads);
    ASSERT_TRUE(d);
    EXPECT_EQ(d->lane, std::countr_zero(high.mask));
  }
}

TEST(AccessWords, SayWhatAndWhereInWordsThatMachinesShare) {
  trace::Trace t;
  t.buffers = {buffer_of("x", std::vector<std::uint32_t>(4)), buffer_of("y", std::vector<std::uint32_t>(64))};
  t.buffer_addresses = {4096, 8192};
  trace::AccessRecord a{
      .kind = trace::AccessKind::store, .mask = 7, .addresses = {8192 + 64, 4096, 100}, .values = {}, .tags = {}};
  EXPECT_EQ(trace::access_words(a), "store of 4 bytes to global memory");
  EXPECT_EQ(trace::place_words(t, a, 0), "y + 64");
  EXPECT_EQ(trace::place_words(t, a, 1), "x + 0");
  EXPECT_EQ(trace::place_words(t, a, 2), "outside of all buffers");
  a.space = trace::MemorySpace::shared, a.kind = trace::AccessKind::load, a.width_bytes = 1;
  EXPECT_EQ(trace::access_words(a), "load of 1 byte from shared memory");
  EXPECT_EQ(trace::place_words(t, a, 2), "shared + 100");
  EXPECT_EQ(trace::kind_words(trace::AccessKind::async_copy), "asynchronous copy");
}

}  // namespace
}  // namespace lanescope::instrument::test
