// The report if a GPU left other bytes than the emulator. The GPU's part is made by hand.

#include "app/engine/hardware/run.h"

#include <gtest/gtest.h>

#include <random>

#include "app/engine/prepare/prepare.h"
#include "tests/app/engine/support.h"

namespace lanescope::engine {
namespace {

Prepared prepared(const std::string& kernel) {
  RunRequest request;
  request.file = std::string(LANESCOPE_SOURCE_DIR) + "/assets/kernels/" + kernel + ".cu";
  request.text = test::text_of(request.file);
  request.probed_run = false;
  return prepare(
      request, [](std::string_view) {}, nullptr);
}

/// Every access of the first launch, all blocks.
trace::Trace whole_trace(const Prepared& p) {
  const trace::Launch& launch = p.plain.launches.front();
  trace::Trace out;
  out.code = sites_of(p.plain, launch);
  out.launch = launch;
  out.buffers = p.buffers;
  out.buffer_addresses = emulator::place_buffers(p.buffers);
  trace::Recorder recorder(out, {.first_block = 0, .block_count = static_cast<std::uint32_t>(launch.grid.count())});
  emulator::Options options;
  options.observers = {&recorder};
  auto contents = p.buffers;
  EXPECT_TRUE(emulator::run(p.plain.module, launch, contents, options));
  return out;
}

results::BufferComparison differing(const std::string& name, std::uint64_t first) {
  return {.name = name, .elements = 1000, .different = 5, .first = first, .gpu = "3", .emulator = "2"};
}

class LastStores : public ::testing::TestWithParam<const char*> {};

// Against a walk backwards over a record of everything.
TEST_P(LastStores, AreThoseOfTheWholeRecord) {
  const Prepared p = prepared(GetParam());
  ASSERT_TRUE(p.ready);
  ASSERT_EQ(p.plain.launches.size(), 1u);
  const trace::Trace all = whole_trace(p);
  std::mt19937_64 random(3);
  int found = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const std::size_t buffer = random() % p.buffers.size();
    const auto bits = static_cast<std::uint64_t>(p.buffers[buffer].element_bits);
    const std::uint64_t element = random() % (p.buffers[buffer].bytes.size() * 8 / bits);
    std::vector<results::BufferComparison> comparisons(p.buffers.size());
    comparisons[buffer] = differing(p.buffers[buffer].name, element);
    const auto stores = last_stores(p.plain, p.buffers, comparisons, {});
    ASSERT_EQ(stores.size(), p.buffers.size());
    for (std::size_t b = 0; b < stores.size(); ++b) EXPECT_TRUE(b == buffer || !stores[b]) << "not requested";

    const std::uint64_t begin = all.buffer_addresses[buffer] + element * bits / 8;
    const std::uint64_t end = all.buffer_addresses[buffer] + ((element + 1) * bits + 7) / 8;
    std::optional<LastStore> expected;
    for (std::size_t i = 0; i < all.accesses.size(); ++i) {
      const trace::AccessRecord a = all.accesses[i];
      if (a.space != trace::MemorySpace::global || a.kind == trace::AccessKind::load) continue;
      for (std::size_t lane = 0; lane < 32; ++lane)
        if ((a.mask >> lane & 1) != 0 && a.addresses[lane] < end &&
            a.addresses[lane] + static_cast<std::uint64_t>(a.width_bytes) > begin) {
          const trace::StepRecord& step = all.steps[a.step];
          expected = LastStore{.block = step.block,
                               .warp = step.warp,
                               .pc = step.pc,
                               .lane = static_cast<int>(lane),
                               .line = all.code[step.pc].line,
                               .instruction = all.code[step.pc].text};
        }
    }
    ASSERT_EQ(stores[buffer].has_value(), expected.has_value()) << element;
    if (!expected) continue;
    ++found;
    EXPECT_EQ(stores[buffer]->block, expected->block);
    EXPECT_EQ(stores[buffer]->warp, expected->warp);
    EXPECT_EQ(stores[buffer]->pc, expected->pc);
    EXPECT_EQ(stores[buffer]->lane, expected->lane);
    EXPECT_EQ(stores[buffer]->line, expected->line);
    EXPECT_GT(stores[buffer]->line, 0);
    EXPECT_EQ(stores[buffer]->instruction, expected->instruction);
  }
  EXPECT_GT(found, 0);
}

INSTANTIATE_TEST_SUITE_P(Kernels, LastStores,
                         ::testing::Values("half2_transposes", "shared_transpose_naive", "warp_sum", "copy_int4"));

std::string words_of(const DifferenceEvidence& evidence) {
  const Diagnostic d = difference_words("k.cu", differing("y", 17), evidence);
  EXPECT_EQ(d.severity, Severity::warning);
  EXPECT_EQ(d.file, "k.cu");
  EXPECT_EQ(d.line, evidence.line);
  EXPECT_NE(
      d.message.find("'y' differs from the emulator: element 17 is 3 on the GPU and 2 in the emulator; 5 of 1000"),
      std::string::npos)
      << d.message;
  return d.message + "; " + d.remedy;
}

bool has(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

TEST(DifferenceWords, SpeakOfRacesOnlyWhereSomeWereSeenAmongThreads) {
  for (const std::uint64_t threads : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{4096}})
    for (const std::vector<int>& lines : {std::vector<int>{}, std::vector<int>{12}, std::vector<int>{12, 30}}) {
      const std::string words = words_of({.race_lines = lines, .threads = threads});
      EXPECT_EQ(has(words, "threads race"), threads > 1 && !lines.empty()) << words;
      EXPECT_EQ(has(words, "12"), threads > 1 && !lines.empty()) << words;
    }
}

TEST(DifferenceWords, NameTheFirstInstructionOrSayThatItIsNotKnown) {
  const LastStore store{.launch = 0, .block = 2, .warp = 1, .pc = 1, .lane = 3, .line = 9, .instruction = "st.u32"};
  std::vector<trace::CodeSite> code(2);
  code[0].line = 7, code[0].text = "ld.global.u32 %r1, [%rd1]";

  DifferenceEvidence known{.line = 9, .store = "`st.u32` at line 9"};
  take_trace(store, instrument::Difference{.block = 2, .warp = 1, .pc = 0, .line = 7, .words = "lane 4 was at byte 8"},
             false, code, known);
  const std::string said = words_of(known);
  EXPECT_EQ(known.line, 7);
  EXPECT_TRUE(has(said, "the first differing instruction is `ld.global.u32 %r1, [%rd1]` at line 7")) << said;
  EXPECT_TRUE(has(said, "lane 4 was at byte 8")) << said;
  EXPECT_FALSE(has(said, "not known")) << said;

  DifferenceEvidence equal{.line = 9, .store = "`st.u32` at line 9"}, cut = equal;
  take_trace(store, std::nullopt, false, code, equal);
  EXPECT_TRUE(has(words_of(equal), "not known: all accesses and shuffles of block 2 are equal")) << words_of(equal);
  EXPECT_TRUE(has(words_of(equal), "stored by `st.u32` at line 9")) << words_of(equal);
  EXPECT_EQ(equal.line, 9);
  take_trace(store, std::nullopt, true, code, cut);
  EXPECT_TRUE(has(words_of(cut), "not known: the trace of block 2 ends before")) << words_of(cut);
  EXPECT_TRUE(has(words_of({}), "not known")) << words_of({});
}

TEST(DifferenceWords, SayWhatIsMissingWhereNothingCanBeTraced) {
  if (gpu::devices().has_value()) GTEST_SKIP() << "this machine has a GPU";
  const Prepared p = prepared("copy_int4");
  ASSERT_TRUE(p.ready);
  EXPECT_TRUE(
      has(words_of(difference_evidence({p.plain, p.buffers, {}}, std::nullopt)), "no instruction in the emulator"));
  std::vector<results::BufferComparison> comparisons(p.buffers.size());
  comparisons.back() = differing("y", 0);
  const auto stores = last_stores(p.plain, p.buffers, comparisons, {});
  ASSERT_TRUE(stores.back());
  const DifferenceEvidence evidence = difference_evidence({p.plain, p.buffers, {}}, stores.back());
  EXPECT_EQ(evidence.line, stores.back()->line);
  const std::string words = words_of(evidence);
  EXPECT_TRUE(has(words, "not known: ") && has(words, "driver")) << words;
  EXPECT_TRUE(has(words, "stored by `st.")) << words;
}

}  // namespace
}  // namespace lanescope::engine
