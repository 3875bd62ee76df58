// Heat beside the source, traffic of global memory, wavefronts and what-ifs of shared memory, evidence of findings.

#include <set>

#include "app/gui/model/results.h"
#include "app/gui/state/session_file.h"
#include "tests/app/gui/fixture.h"
#include "viz/views/costs/heat.h"
#include "viz/views/memory/what_if.h"

namespace lanescope::gui {
namespace {

class MemoryPanelsTest : public ExplorerTest {
 protected:
  /// Labels of a panel's scene, one after the other.
  std::string words_of(const std::string& panel) {
    std::string all;
    for (const scene::Label& l : frames->stage().scenes.at(panel).scene.labels) all += l.text + "\n";
    return all;
  }
};

TEST_F(MemoryPanelsTest, EveryCounterCanStandBesideTheSource) {
  open_kernel("shared_transpose_naive.cu");
  script("key H\nexpect heat instructions\nkey H\nexpect heat global_sectors\nkey H\nexpect heat shared_wavefronts");
  for (const views::HeatCounter& c : views::heat_counters()) {
    script("set heat " + std::string(c.name));
    const views::HeatColumn column = views::heat(app().results.summary, c.name, app().shell.theme());
    for (const views::HeatCell& cell : column.cells)
      script("line " + std::to_string(cell.line) + "\nexpect text \"" + cell.words + "\"");
  }
  script("set heat bank_conflicts\nkey H\nexpect heat none");
  script("click item Heat\nclick item \"bank conflicts\"\nexpect heat bank_conflicts");
}

// A 32-way conflict has a word in each of 32 rows: Learn shows them all, and the played one is in sight everywhere.
TEST_F(MemoryPanelsTest, TheRowsOfAConflictAreInSight) {
  for (const auto& [width, height] : {std::pair{1280, 800}, std::pair{1600, 1000}}) {
    for (const char* arrangement : {"Learn", "Debug", "Profile"}) {
      frames.reset();
      ExplorerOptions options = options_for(kernel("shared_transpose_naive.cu"));
      options.width = width, options.height = height;
      open(options);
      script("wait\nset arrangement " + std::string(arrangement) + "\nline 28\nwait");
      const auto rows = [&] {
        const scene::Scene& shown = frames->stage().scenes.at("shared").scene;
        std::set<std::int64_t> out;
        for (const scene::Box& box : shown.boxes)
          if (box.id.kind == scene::Id::Kind::shared_word && box.rect.y + box.rect.h <= shown.height)
            out.insert(static_cast<std::int64_t>(box.id.a) / 32);
        return out;
      };
      const std::size_t least = arrangement == std::string("Debug") ? 1 : 32;
      EXPECT_GE(rows().size(), least) << arrangement << " " << width;
      for (const int wavefront : {0, 8, 9, 20, 31}) {
        script("set wavefront " + std::to_string(wavefront) + "\nframes 3");
        EXPECT_TRUE(rows().contains(wavefront)) << arrangement << " " << width << ", wavefront " << wavefront;
      }
    }
  }
}

TEST_F(MemoryPanelsTest, SessionsOfBeforeNumberedTheirHeat) {
  open_kernel("copy_float.cu");
  const std::string path = folder() + "/session.json";
  app().shell.view.heat = "bank_conflicts";
  app().shell.view.global_mode = GlobalMode::transactions;
  app().shell.view.what_if = {
      .kind = views::WhatIf::Kind::swizzle, .row_words = 64, .unit_words = 4, .rows_per_step = 2};
  ASSERT_TRUE(write_session(path, app()));
  const auto again = read_session(path);
  ASSERT_TRUE(again) << to_string(again.error().front());
  EXPECT_EQ(again->view.heat, "bank_conflicts");
  EXPECT_EQ(again->view.global_mode, GlobalMode::transactions);
  EXPECT_EQ(again->view.what_if, app().shell.view.what_if);
  std::string text = *read_text(path);
  const std::string now = "\"heat\": \"bank_conflicts\"";
  ASSERT_NE(text.find(now), std::string::npos);
  ASSERT_TRUE(write_text(path, std::string(text).replace(text.find(now), now.size(), "\"heat\": 2")));
  EXPECT_EQ(read_session(path)->view.heat, "global_sectors");
  ASSERT_TRUE(write_text(path, std::string(text).replace(text.find(now), now.size(), "\"heat\": \"no such\"")));
  EXPECT_EQ(read_session(path)->view.heat, "");
}

TEST_F(MemoryPanelsTest, GlobalMemoryShowsBytesTransactionsAndSums) {
  open_kernel("shared_transpose_naive.cu");
  script(
      "line 20\nwait\nexpect scene global contains memory_sector/0/0/0\nkey G\nexpect global.mode transactions\nwait");
  EXPECT_NE(words_of("global").find("4 sectors in 1 line · 128 bytes transferred"), std::string::npos)
      << words_of("global");
  script("key G\nwait\nexpect global.mode line total");
  ASSERT_TRUE(app().results.moment.totals);
  EXPECT_EQ(app().results.moment.totals->requests, 32u) << "one load of each warp";
  EXPECT_EQ(app().results.moment.totals->code_line, 20);
  script("key G\nwait\nexpect global.mode block total\nexpect scene global contains traffic_sector/0/0/0");
  EXPECT_EQ(app().results.moment.totals->code_line, 0);
  script("key G\nwait\nexpect global.mode bytes");
  EXPECT_FALSE(app().results.moment.totals) << "it is no longer requested";
}

// The path of a real access is chosen in the panel, and a session keeps it; a store has no choice of paths.
TEST_F(MemoryPanelsTest, TransactionsByGenerationAndPath) {
  open_kernel("shared_transpose_naive.cu");
  script("line 20\nwait\nset global transactions\nwait\nexpect text 4 sectors in 1 line");
  script("click item Generation\nclick item \"sm_35 (Kepler)\"\nwait\nexpect text Cached in L1, sm_35");
  script("click item Path\nclick item read-only\nwait\nexpect text 8 queries, 4 misses");
  EXPECT_EQ(words_of("global").find("Cached"), std::string::npos);
  const std::string path = folder() + "/route.json";
  ASSERT_TRUE(write_session(path, app()));
  EXPECT_EQ(read_session(path)->view.memory_arch, "sm_35");
  EXPECT_EQ(read_session(path)->view.load_path, "read-only");
  script("click item Generation\nclick item \"sm_10 (Tesla)\"\nwait\nexpect text 2 transactions: 2 of 64 bytes");
  script("set global block total\nwait\nexpect text 64 transactions on sm_10: 64 of 64 bytes");
  script("line 34\nwait\nset global transactions\nclick item Generation\nclick item \"sm_35 (Kepler)\"\nwait");
  EXPECT_NE(words_of("global").find("Stores, sm_35"), std::string::npos) << words_of("global");
}

TEST_F(MemoryPanelsTest, AStepWithoutGlobalAccessKeepsTheLastOne) {
  open_kernel("shared_transpose_naive.cu");
  script("line 28\nwait");
  std::string note;
  const results::AccessInfo* access = app().memory.global_access(note);
  ASSERT_NE(access, nullptr);
  EXPECT_EQ(access->line, 20);
  EXPECT_EQ(note, "earlier access");
  EXPECT_NE(words_of("global").find("earlier access · load of line 20"), std::string::npos) << words_of("global");
  script("key End\nwait");
  access = app().memory.global_access(note);
  ASSERT_NE(access, nullptr);
  EXPECT_EQ(access->line, 34);
}

TEST_F(MemoryPanelsTest, WavefrontsArePlayedAndScrubbed) {
  open_kernel("shared_transpose_naive.cu");
  script(
      "line 28\nwait\nexpect wavefront.count 32\nexpect wavefront -1\nkey ]\nexpect wavefront 0\nkey ] 3\n"
      "expect wavefront 3\nkey [\nexpect wavefront 2\nexpect scene shared contains wavefront/31");
  script("click scene shared wavefront/9\nexpect wavefront 9\nclick item Wavefronts");
  EXPECT_NEAR(app().memory.wavefront, 16, 1) << "the middle";
  script("key V\nexpect wavefront.playing yes\nkey V\nexpect wavefront.playing no\nkey Shift+V\nexpect wavefront -1");
  // Played to its end by the clock it stops by itself, and then nothing is due but the watch of the file.
  app().memory.play_wavefronts(true);
  for (double now = app().shell.now; app().memory.wavefronts_playing; now += 0.3) {
    ASSERT_LT(app().memory.wavefront, 32);
    app().update(now);
  }
  EXPECT_EQ(app().memory.wavefront, 31);
  EXPECT_FALSE(app().update(app().shell.now + 0.01)) << "nothing is left to draw";
  script("key Home\nwait\nexpect wavefront -1\nexpect wavefront.count 0");
}

TEST_F(MemoryPanelsTest, WhatIfsAreAppliedLive) {
  open_kernel("shared_transpose_naive.cu");
  script("line 28\nwait\nkey X\nexpect what_if padding 32 1\nwait\nexpect scene shared contains what_if_word/0");
  EXPECT_NE(words_of("shared").find("32 wavefronts → 1 wavefront"), std::string::npos) << words_of("shared");
  script("key Ctrl+]\nexpect what_if padding 33 1\nkey Ctrl+[\nkey Shift+]\nexpect what_if padding 32 2\nwait");
  const int twice = views::bank_costs(*app().results.moment.access, app().shell.view.what_if).after.wavefronts;
  EXPECT_NE(words_of("shared").find("→ " + std::to_string(twice) + " wavefront"), std::string::npos);
  script("key X\nexpect what_if swizzle 32 1 1\nkey Alt+]\nexpect what_if swizzle 32 1 2\nkey X\nexpect what_if none");
  script("set what_if padding 0 99\nexpect what_if padding 1 32");
}

TEST_F(MemoryPanelsTest, TheLastStepStillHasTheBlocksSharedMemory) {
  open_kernel("shared_transpose_naive.cu");
  app().navigation.go_to_step(static_cast<std::int64_t>(app().results.summary.steps) - 1);
  script("wait");
  ASSERT_EQ(app().results.moment.shared_cells.size(), 1024u);
  for (const results::Cell& cell : app().results.moment.shared_cells) EXPECT_TRUE(cell.defined && cell.buffer == 0);
}

TEST_F(MemoryPanelsTest, AFindingShowsItsEvidenceUntilOneMovesOn) {
  open_kernel("shared_transpose_naive.cu");
  ASSERT_FALSE(app().results.summary.findings.empty());
  const results::FindingInfo finding = app().results.summary.findings.front();
  ASSERT_EQ(finding.rule, "bank-conflict");
  script(
      "key Home\nwait\ncommand panel.problems\nclick item \"problem 1 bank-conflict\"\nwait\nexpect selection.line 28\n"
      "expect evidence evidence for bank-conflict\nexpect active shared");
  EXPECT_EQ(app().navigation.selection.warp, finding.warp);
  ASSERT_TRUE(app().results.moment.access);
  EXPECT_EQ(app().results.moment.access->addresses, finding.offsets);
  EXPECT_EQ(app().results.moment.access->mask, finding.lanes);
  EXPECT_EQ(app().results.moment.access->cost.wavefronts, 32u);
  script("expect text \"evidence for bank-conflict\"\nkey Left\nwait\nexpect evidence none");
  // Escape forgets it, too, and the moment has its own access again.
  script("click item \"problem 1 bank-conflict\"\nwait\nkey Escape\nwait\nexpect evidence none");
}

TEST_F(MemoryPanelsTest, EvidenceCostsWhatTheEngineSays) {
  open_kernel("shared_transpose_naive.cu");
  for (const int line : {20, 26, 28, 34}) {
    script("line " + std::to_string(line) + "\nwait");
    ASSERT_TRUE(app().results.moment.access) << line;
    const results::AccessInfo& access = *app().results.moment.access;
    results::FindingInfo finding{.rule = "any", .message = {}, .remedy = {}, .line = line, .buffer = {}};
    finding.lanes = access.mask;
    finding.width_bytes = access.width_bytes;
    finding.shared = access.space == trace::MemorySpace::shared;
    finding.offsets = access.addresses;
    if (access.buffer >= 0) finding.buffer = app().results.summary.buffers[access.buffer].name;
    const results::Summary& summary = app().results.summary;
    const auto evidence = evidence_access(summary, finding, step_of_finding(summary, finding, 0));
    ASSERT_TRUE(evidence);
    EXPECT_EQ(evidence->buffer, access.buffer);
    EXPECT_EQ(evidence->cost, access.cost);
  }
  EXPECT_FALSE(evidence_access(app().results.summary, results::FindingInfo{}, -1));
}

}  // namespace
}  // namespace lanescope::gui
