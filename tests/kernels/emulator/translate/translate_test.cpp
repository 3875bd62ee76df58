// The same launch with and without translation: everything is the same, also where it is paused.

#include "kernels/emulator/lanes/instruction_sets.h"
#include "tests/kernels/emulator/ahead/same_run.h"
#include "tests/kernels/emulator/divergent_programs.h"
#include "tests/kernels/emulator/history/random_programs.h"
#include "tests/kernels/emulator/translate/each_operation.h"
#include "tests/kernels/emulator/translate/one_lane_apart.h"
#include "tests/kernels/emulator/translate/stretches.h"
#include "tests/rounds.h"

namespace lanescope::emulator::test {
namespace {

/// Sums over the events, which do not depend on their order.
struct EventSums final : trace::Observer {
  std::uint64_t sum = 0, together = 0;  ///< together: steps that came with others, as those of translated code do
  void add(std::uint64_t kind, const trace::Where& w, std::uint64_t more) {
    std::uint64_t h = kind;
    for (const std::uint64_t n :
         {std::uint64_t{w.block}, std::uint64_t{w.warp}, std::uint64_t{w.pc}, std::uint64_t{w.active}, more})
      h = (h ^ n) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
    sum += h;
  }
  void on_step(const trace::Where& w) override { add(1, w, 0); }
  void on_steps(const trace::Where& first, std::span<const std::uint32_t> active) override {
    together += active.size() > 1 ? active.size() : 0;
    Observer::on_steps(first, active);
  }
  void on_access(const trace::AccessEvent& e) override { add(2, e.where, e.addresses[0] ^ e.values[0]); }
  void on_branch(const trace::BranchEvent& e) override { add(3, e.where, e.taken); }
  bool needs_turns() const override { return false; }
};

enum class Watched : std::uint8_t { no, in_order, sums };

/// Both machines advance by the same random numbers of steps, and are equal after each. EventSums::together.
std::uint64_t expect_same_steps(const ptx::Module& module, const trace::Launch& launch,
                                const std::vector<trace::Buffer>& initial, Options options, std::uint64_t longest,
                                Watched watched) {
  std::vector<trace::Buffer> buffers[2] = {initial, initial};
  StepLog logs[2];
  EventSums sums[2];
  std::vector<Machine> machines;
  for (int i = 0; i < 2; ++i) {
    options.translate = i == 0;
    options.observers.clear();
    if (watched == Watched::in_order) options.observers.push_back(&logs[i]);
    if (watched == Watched::sums) options.observers.push_back(&sums[i]);
    auto machine = Machine::create(module, launch, buffers[i], options);
    if (!machine) return ADD_FAILURE() << to_string(machine.error().front()), 0;
    machines.push_back(std::move(*machine));
  }
  Numbers numbers(longest);
  for (bool on = true; on && !testing::Test::HasFailure();) {
    const std::uint64_t steps = 1 + numbers.below(longest);
    on = machines[0].advance(steps);
    EXPECT_EQ(machines[1].advance(steps), on);
    expect_same(machines[0].result(), machines[1].result());
    EXPECT_TRUE(logs[0].events == logs[1].events);
    EXPECT_EQ(sums[0].sum, sums[1].sum);
    for (std::size_t b = 0; b < initial.size(); ++b) {
      if (buffers[0][b].bytes == buffers[1][b].bytes) continue;
      const auto on_words = values_of<std::uint32_t>(buffers[0][b]),
                 off_words = values_of<std::uint32_t>(buffers[1][b]);
      const auto at = std::ranges::mismatch(on_words, off_words);
      ADD_FAILURE() << fmt::format("{}[{}] is {:#x} in place of {:#x} after {} steps", initial[b].name,
                                   at.in1 - on_words.begin(), *at.in1, *at.in2, machines[0].step_count());
    }
  }
  EXPECT_EQ(sums[1].together, 0u);
  return sums[0].together;
}

TEST(Translate, RandomStretches) {
  std::uint64_t faulted = 0, together = 0;
  for (std::uint64_t seed = 1, rounds = static_cast<std::uint64_t>(test_rounds(300)); seed <= rounds; ++seed) {
    SCOPED_TRACE(seed);
    const std::string text = RandomStretch(seed).text();
    SCOPED_TRACE(text);
    const ptx::Module module = module_of(text);
    std::vector<trace::Buffer> buffers = buffers_of_stretch(seed, 2);
    if (seed % 8 == 0) buffers[0].bytes.resize(4 * 700);  // some programs read beyond it
    const Options options{.seed = seed % 3,
                          .max_steps = seed % 5 == 0 ? 3000u : 1u << 20,
                          .slice = seed % 7 == 0  ? 40u
                                   : seed % 7 < 3 ? 1u
                                                  : 0u};
    const std::uint64_t longest = seed % 2 == 0 ? 1u << 20 : 200;
    together += expect_same_steps(module, launch_of(2, RandomStretch::threads, 2), buffers, options, longest,
                                  Watched(seed / 2 % 3));
    if (HasFatalFailure() || HasNonfatalFailure()) return;
    std::vector<trace::Buffer> once = buffers;
    faulted += !run(module, launch_of(2, RandomStretch::threads, 2), once, options)->faults.empty() ? 1 : 0;
  }
  EXPECT_GT(faulted, 20u);
#if __has_include(<xbyak/xbyak.h>)
  EXPECT_TRUE(!has_avx2() || together > 50'000) << together;
#endif
}

TEST(Translate, EachOperation) {
  std::uint64_t seed = 0;
  for (const std::string& operation : operations_of_their_own()) {
    SCOPED_TRACE(operation);
    const ptx::Module module = module_of(text_of_operation(operation));
    const std::vector<trace::Buffer> buffers = buffers_of_operation(++seed);
    expect_same_steps(module, launch_of(1, 32, 2), buffers, {.slice = 0}, 1u << 20, Watched::no);
    const std::uint64_t together =
        expect_same_steps(module, launch_of(1, 32, 2), buffers, {.slice = 0}, 1u << 20, Watched::sums);
#if __has_include(<xbyak/xbyak.h>)
    EXPECT_TRUE(!has_avx2() || together > rounds_of_operation * 10) << together;  // there is code
#endif
    if (HasFailure()) return;
  }
}

/// Warps side by side load and store rows of 32 words that they share, without any order but that of their turns: what each
/// loads depends on it.
std::string text_of_shared_rows(std::uint64_t seed) {
  Numbers numbers(seed);
  const auto below = [&](std::uint64_t n) { return static_cast<int>(numbers.below(n)); };
  const auto row = [&](const char* address) {
    const bool shared = below(2) == 0;
    return fmt::format(
        "mad.lo.u32 %r4, %r31, {}, {};\nmad.lo.u32 %r4, %r30, {}, %r4;\nand.b32 %r4, %r4, 3;\nshl.b32 %r4, %r4, 7;\n"
        "mad.lo.u32 %r4, %r32, 4, %r4;\n{}",
        below(4), below(4), below(4),
        shared ? fmt::format("mov.u32 %r5, tile;\nadd.u32 {}, %r4, %r5;\n", address)
               : fmt::format("cvt.u64.u32 %rd4, %r4;\nadd.s64 %rd{}, %rd0, %rd4;\n", address + 2));
  };
  std::string body =
      "mov.u32 %r33, %tid.x;\nshr.u32 %r31, %r33, 5;\nand.b32 %r32, %r33, 31;\nmov.u32 %r1, %tid;\nmov.u32 %r30, 0;\n"
      "L1:\n";
  for (int i = 0, n = 1 + below(4); i < n; ++i) {
    const std::string place = row("%r6");
    const bool shared = place.find("tile") != std::string::npos;
    const std::string at = fmt::format("{}.u32", shared ? "shared" : "global"), address = shared ? "%r6" : "%rd6";
    body += place;
    if (below(2) == 0)
      body += fmt::format("ld.{} %r7, [{}];\nmad.lo.u32 %r1, %r1, 5, %r7;\n", at, address);
    else
      body += fmt::format("st.{} [{}], %r1;\nadd.u32 %r1, %r1, {};\n", at, address, 1 + below(9));
    if (below(5) == 0) body += "bar.sync 0;\n";
    if (below(5) == 0) body += fmt::format("setp.eq.u32 %p3, %r31, {};\n@%p3 add.u32 %r1, %r1, 1;\n", below(5));
  }
  body +=
      "add.u32 %r30, %r30, 1;\nsetp.lt.u32 %p1, %r30, 60;\n@%p1 bra L1;\nmul.wide.u32 %rd4, %tid, 4;\n"
      "add.s64 %rd4, %rd4, %rd1;\nst.global.u32 [%rd4], %r1;\n";
  return kernel(body, 2, ".shared .align 16 .b32 tile[128];\n");
}

TEST(Translate, WarpsSideBySideShareWords) {
  for (std::uint64_t seed = 1, rounds = static_cast<std::uint64_t>(test_rounds(60)); seed <= rounds; ++seed) {
    SCOPED_TRACE(seed);
    const std::string text = text_of_shared_rows(seed);
    SCOPED_TRACE(text);
    const std::vector<trace::Buffer> buffers = {buffer_of("in", std::vector<std::uint32_t>(128, 7)),
                                                buffer_of("out", std::vector<std::uint32_t>(2 * 160))};
    expect_same_steps(module_of(text), launch_of(2, 160, 2), buffers, {.slice = 1}, seed % 2 == 0 ? 1u << 20 : 300,
                      Watched(seed % 3));
    if (HasFailure()) return;
  }
}

TEST(Translate, OneLaneApart) {
  for (std::uint64_t seed = 1, rounds = static_cast<std::uint64_t>(test_rounds(1000)); seed <= rounds; ++seed) {
    SCOPED_TRACE(seed);
    const std::string text = text_of_apart(seed);
    SCOPED_TRACE(text);
    // Of several warps at a time each has the same fault, or none; the first in the order of turns is reported.
    const auto slice = static_cast<std::uint32_t>(seed % 2);
    expect_same_steps(module_of(text), launch_of(1, slice == 0 ? 32 : 96, 2), buffers_of_apart(seed), {.slice = slice},
                      1u << 20, Watched(seed % 3));
    if (HasFailure()) return;
  }
}

TEST(Translate, RandomPrograms) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const ptx::Module module = module_of(RandomProgram(seed).text());
    Numbers numbers(seed);
    std::vector<std::uint32_t> words(64);
    for (std::uint32_t& w : words) w = static_cast<std::uint32_t>(numbers.next());
    const std::vector<trace::Buffer> buffers = {buffer_of("a", words), buffer_of("b", words)};
    expect_same_steps(module, launch_of(2, 64 + 32 * static_cast<std::uint32_t>(seed % 2), 2), buffers,
                      {.seed = seed % 3, .slice = seed % 4 < 2 ? 1u : 0u}, seed % 3 == 0 ? 50 : 1u << 20,
                      Watched(seed / 2 % 3));
  }
}

TEST(Translate, DivergentPrograms) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const ptx::Module module = module_of(DivergentProgram(seed, {}).text());
    const std::vector<trace::Buffer> buffers = {buffer_of("trace", std::vector<std::uint32_t>(trace_bytes / 4)),
                                                buffer_of("zeros", std::vector<std::uint32_t>(1))};
    expect_same_steps(module, launch_of(1, 32, 2), buffers, {.slice = 0}, seed % 3 == 0 ? 50 : 1u << 20,
                      Watched(seed / 2 % 3));
  }
}

TEST(Translate, BlocksOnSeveralCores) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    const ptx::Module module = module_of(RandomStretch(seed).text());
    const trace::Launch launch = launch_of(40, RandomStretch::threads, 2);
    const Observed observed = seed % 2 == 0 ? Observed::all : Observed::no;
    const Ended off =
        run_on(module, launch, buffers_of_stretch(seed, 40), {.slice = 0, .translate = false}, 1, observed);
    for (const std::uint32_t cores : {1u, 3u}) {
      const Ended on = run_on(module, launch, buffers_of_stretch(seed, 40), {.slice = 0}, cores, observed);
      expect_same(on.result, off.result);
      EXPECT_TRUE(on.buffers[1].bytes == off.buffers[1].bytes);
      EXPECT_TRUE(on.events == off.events);
    }
  }
}

TEST(Translate, StoresToTheAddressesOfLaterLoads) {
  // The row of addresses is loaded itself, and changes in each round; the last round is beyond the buffer.
  const ptx::Module module = module_of(
      kernel("mul.wide.u32 %rd2, %tid, 4;\nadd.s64 %rd2, %rd0, %rd2;\nmov.u32 %r0, 0;\nL1:\nld.global.u32 %r1, "
             "[%rd2];\nadd.u32 %r1, %r1, %r0;\nst.global.u32 [%rd2+128], %r1;\nadd.s64 %rd2, %rd2, 128;\nadd.u32 %r0, "
             "%r0, 1;\nsetp.lt.u32 %p1, %r0, 1000;\n@%p1 bra L1;\n",
             1));
  const std::vector<trace::Buffer> buffers = {buffer_of("a", std::vector<std::uint32_t>(64 * 32, 5))};
  std::vector<trace::Buffer> once = buffers;
  const auto result = run(module, launch_of(1, 32, 1), once, {.slice = 0});
  ASSERT_EQ(result->faults.size(), 1u);
  EXPECT_EQ(values_of<std::uint32_t>(once[0]).back(), 5u + 63 * 62 / 2);
  expect_same_steps(module, launch_of(1, 32, 1), buffers, {.slice = 0}, 1u << 20, Watched::no);
}

}  // namespace
}  // namespace lanescope::emulator::test
