// Words that share their records against words with records of their own: the same races, met in the same order, on random
// kernels whose warps mostly access words side by side.

#include <gtest/gtest.h>

#include <random>

#include <fmt/format.h>

#include "kernels/emulator/emulator.h"
#include "profiling/races/races.h"
#include "tests/rounds.h"

namespace lanescope::races::test {
namespace {

constexpr int memory_words = 256;

class Meetings final : public RaceObserver {
 public:
  using RaceObserver::make_rows_from;
  using RaceObserver::RaceObserver;
  std::vector<std::string> all;

 protected:
  void occurred(const Race& r) override {
    all.push_back(fmt::format("{}.{}.{} {} {} | {}.{}.{} {} {} | {} {} {} {} {} {}", r.first.block, r.first.warp,
                              r.first.lane, r.first.pc, r.first.value, r.second.block, r.second.warp, r.second.lane,
                              r.second.pc, r.second.value, r.shared, r.byte, r.bytes, r.same_value, r.updates,
                              static_cast<int>(r.missing)));
  }
};

/// 128 threads; word (thread or lane) + shift of shared or global memory, by the lanes of a range in some warps.
std::string wide_kernel(std::mt19937_64& random) {
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p0)\n{\n.reg .pred %p<4>;\n"
      ".reg .b32 %r<16>;\n.reg .b64 %rd<4>;\n.shared .align 16 .b8 s[1024];\nld.param.u64 %rd0, [p0];\n"
      "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %laneid;\nmov.u32 %r2, %ctaid.x;\nmad.lo.u32 %r3, %r2, 128, %r0;\n";
  const unsigned length = 4 + below(14);
  for (unsigned n = 0; n < length; ++n) {
    const unsigned what = below(16);
    if (what < 2) {
      text += "bar.sync 0;\n";
    } else if (what == 2) {
      text += "bar.warp.sync -1;\n";
    } else if (what == 3 && below(3) == 0) {
      text += "membar.gl;\n";
    } else {
      const bool shared = below(2) == 0;
      // The thread in the grid, in the block or in the warp, and somewhere else.
      constexpr const char* of[] = {"%r3", "%r0", "%r1"};
      constexpr unsigned shifts[] = {0, 0, 0, 32, 64, 1, 16, 5};
      text += fmt::format("add.u32 %r4, {}, {};\nand.b32 %r4, %r4, {};\nshl.b32 %r4, %r4, 2;\n", of[below(3)],
                          shifts[below(8)], memory_words - 1);
      text +=
          shared ? "mov.u32 %r5, s;\nadd.u32 %r5, %r5, %r4;\n" : "cvt.u64.u32 %rd1, %r4;\nadd.u64 %rd1, %rd1, %rd0;\n";
      const unsigned from = below(3) == 0 ? below(20) : 0, to = below(3) == 0 ? from + 1 + below(31) : 32;
      text += fmt::format("setp.ge.u32 %p1, %r1, {};\nsetp.lt.and.u32 %p1, %r1, {}, %p1;\n", from, to);
      if (below(2) == 0)
        text += fmt::format("shr.u32 %r6, %r0, 5;\nsetp.{}.and.u32 %p1, %r6, {}, %p1;\n", below(2) == 0 ? "eq" : "ge",
                            below(4));
      text += below(2) == 0 ? "mov.u32 %r7, 7;\n" : fmt::format("mad.lo.u32 %r7, %r3, 64, {};\n", n);
      const std::string at = shared ? "[%r5]" : "[%rd1]", space = shared ? "shared" : "global";
      switch (below(12)) {
        case 0:
          text += fmt::format("@%p1 atom.{}.add.u32 %r8, {}, 1;\n", space, at);
          break;
        case 1:
          text += fmt::format("@%p1 st.volatile.{}.u32 {}, %r7;\n", space, at);
          break;
        case 2:
          text += fmt::format("@%p1 st.{}.u8 {}, %r7;\n", space, at);
          break;
        case 3:
          if (shared) {
            text +=
                "cvt.u64.u32 %rd1, %r4;\nadd.u64 %rd1, %rd1, %rd0;\n@%p1 cp.async.ca.shared.global [%r5], [%rd1], 4;\n";
            text += below(2) == 0 ? "cp.async.wait_all;\n" : "cp.async.commit_group;\n";
            break;
          }
          [[fallthrough]];
        case 4:
        case 5:
        case 6:
          text += fmt::format("@%p1 st.{}.u32 {}, %r7;\n", space, at);
          break;
        default:
          text += fmt::format("@%p1 ld.{}.u32 %r8, {};\n", space, at);
      }
    }
  }
  return text + "ret;\n}\n";
}

TEST(RaceRows, SayWhatWordsSay) {
  std::mt19937_64 random(20245);
  std::size_t meetings = 0, clean = 0;
  const int rounds = test_rounds(240);
  for (int i = 0; i < rounds && !HasFailure(); ++i) {
    const std::string text = wide_kernel(random);
    const auto module = ptx::parse(text, "test.ptx");
    ASSERT_TRUE(module) << text;
    trace::Launch launch;
    launch.kernel = "k";
    launch.grid = {2, 1, 1};
    launch.block = {128, 1, 1};
    launch.arguments.emplace_back(trace::BufferArgument{0, 0});
    std::vector<trace::Buffer> buffers{{"q", "u32", 32, std::vector<std::byte>(4 * memory_words), true}};
    const auto code = emulator::code_sites(*module, *module->find_entry("k"), "");
    const std::vector<Area> areas{{emulator::place_buffers(buffers)[0], 4 * memory_words}};
    std::vector<std::uint32_t> barriers;
    for (std::uint32_t pc = 0; pc < code.size(); ++pc)
      if (code[pc].text.starts_with("bar.")) barriers.push_back(pc);
    if (barriers.size() > 1) barriers.resize(1 + random() % (barriers.size() - 1));
    constexpr std::size_t budget = RaceObserver::default_budget;
    Meetings rows(launch, code, areas), by_word(launch, code, areas);
    Meetings rows_without(launch, code, areas, budget, barriers), words_without(launch, code, areas, budget, barriers);
    by_word.make_rows_from(33), words_without.make_rows_from(33);
    if (i % 2 == 0) rows.make_rows_from(1), rows_without.make_rows_from(1);
    const auto result = emulator::run(*module, launch, buffers,
                                      {.seed = random(),
                                       .slice = static_cast<std::uint32_t>(i % 3 == 0 ? 0 : 1),
                                       .observers = {&rows, &by_word, &rows_without, &words_without}});
    ASSERT_TRUE(result && result->faults.empty()) << text;
    EXPECT_EQ(rows.all, by_word.all) << text;
    EXPECT_EQ(rows.dropped_accesses(), by_word.dropped_accesses());
    EXPECT_EQ(rows_without.all, words_without.all) << text;
    EXPECT_EQ(rows_without.lost(), words_without.lost()) << text;
    meetings += rows.all.size();
    clean += rows.all.empty() ? 1 : 0;
  }
  EXPECT_GT(meetings, 12u * static_cast<unsigned>(rounds));
  EXPECT_GT(clean, static_cast<unsigned>(rounds) / 40);
  RecordProperty("meetings", static_cast<int>(meetings));
  RecordProperty("clean", static_cast<int>(clean));
}

}  // namespace
}  // namespace lanescope::races::test
