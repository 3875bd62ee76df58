// Panels of what a GPU measured, with answers made by hand where a GPU would answer; and a machine without one.

#include <algorithm>
#include <deque>
#include <fstream>
#include <set>

#include "app/engine/remote/service.h"
#include "app/engine/wire/measured_file.h"
#include "app/gui/commands/command.h"
#include "app/gui/state/session_file.h"
#include "kernels/base/numbers.h"
#include "kernels/base/read_file.h"
#include "kernels/compile/compile.h"
#include "kernels/gpu/gpu.h"
#include "profiling/cupti/machine_code.h"
#include "tests/app/gui/fixture.h"
#include "tests/stand_in_disassembler.h"
#include "tests/viz/measured_fixtures.h"
#include "viz/views/base/csv.h"
#include "viz/views/tooltips.h"

namespace lanescope::gui {
namespace {

/// An engine whose GPU answers with what is put here.
class MeasuringChannel final : public engine::Channel {
 public:
  void deliver(engine::Ticket ticket, engine::AnyQuestion question) override {
    if (const auto* measure = std::get_if<engine::Asked<engine::ask::Measure>>(&question)) {
      asked.push_back(measure->request);
      measuring_ = ticket;
      if (answers) answer_with<engine::ask::Measure>(ticket);
    } else if (const auto* of_live = std::get_if<engine::Asked<engine::ask::Live>>(&question)) {
      live.push_back(of_live->request);
      answer_with<engine::ask::Live>(ticket);
    } else {
      real_.deliver(ticket, std::move(question));
    }
  }
  void cancel(engine::Ticket ticket) override {
    if (ticket == measuring_)
      ++cancelled;
    else
      real_.cancel(ticket);
  }
  std::optional<engine::Event> poll() override {
    if (auto event = real_.poll()) return event;
    if (events_.empty()) return std::nullopt;
    engine::Event event = std::move(events_.front());
    events_.pop_front();
    return event;
  }
  std::optional<engine::Event> wait(std::chrono::milliseconds) override { return poll(); }
  bool busy() const override { return true; }

  std::vector<engine::MeasureRequest> asked;
  std::vector<engine::RunRequest> live;
  bool answers = true;
  int cancelled = 0;
  results::Measured answer = views::fixtures::measured();
  std::string refusal;

 private:
  template <class Question>
  void answer_with(engine::Ticket ticket) {
    if (refusal.empty())
      events_.push_back({ticket, engine::Answered<Question>{answer}});
    else
      events_.push_back({ticket, engine::Refusal{{{.file = {}, .message = refusal, .remedy = {}}}}});
  }

  engine::Service real_;
  engine::Ticket measuring_ = 0;
  std::deque<engine::Event> events_;
};

class MeasuredPanels : public ExplorerTest {
 protected:
  void open_measuring() {
    auto channel = std::make_unique<MeasuringChannel>();
    gpu = channel.get();
    open(options_for(kernel("shared_transpose_naive.cu")), std::move(channel));
    app().shell.set_arrangement(Arrangement::profile);
  }
  MeasuringChannel* gpu = nullptr;
};

TEST_F(MeasuredPanels, EachCommandAsksForItsPartAndShowsItsPanel) {
  open_measuring();
  const struct {
    const char* command;
    PanelId panel;
    bool engine::MeasureRequest::*part;
    const char* words;
  } all[] = {
      {"measure.counters", PanelId::metrics, &engine::MeasureRequest::counters, "gld_transactions"},
      {"measure.instructions", PanelId::sass, &engine::MeasureRequest::instructions, "BAR.SYNC"},
      {"measure.stalls", PanelId::stalls, &engine::MeasureRequest::stalls, "long_scoreboard"},
      {"measure.activity", PanelId::host_calls, &engine::MeasureRequest::activity, "cuModuleLoadDataEx"},
  };
  for (const auto& one : all) {
    script(std::string("command ") + one.command + "\nwait\nexpect text " + one.words);
    EXPECT_TRUE(app().shell.in_front(one.panel)) << one.command;
    EXPECT_TRUE(gpu->asked.back().*one.part) << one.command;
    for (const auto& other : all) {
      if (other.part != one.part) {
        EXPECT_FALSE(gpu->asked.back().*other.part) << one.command;
      }
    }
  }
}

// Without a measurement the panel shows the machine code as it was assembled, linked to the source, or what to install.
TEST_F(MeasuredPanels, MachineCodeIsShownWithoutAGpu) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "SKIPPED, needs NVRTC";
  {
    const test::StandInDisassembler program(folder());
    if (cupti::find_nvdisasm() != folder() + "/bin/nvdisasm") GTEST_SKIP() << "SKIPPED, nvdisasm itself is on PATH";
    open_kernel("copy_float4.cu");
    script(
        "command panel.sass\ncommand view.maximise\nwait\nexpect text LDG.E.128\nexpect text from this PTX\nexpect "
        "text st.global.v4.u32");
    script("expect text sm_90, not run on a GPU\nclick scene sass sass_row/8/23\nwait");
    EXPECT_EQ(app().navigation.selection.line, 23);
    const std::string calls = read_file((program.calls()).string()).value_or("");
    EXPECT_EQ(std::count(calls.begin(), calls.end(), '\n'), 1) << "asked once\n" << calls;
    // Another text is another program.
    script("edit q[i] = x => q[i + 0] = x\nwait\nframes 3\nwait");
    const std::string again = read_file((program.calls()).string()).value_or("");
    EXPECT_EQ(std::count(again.begin(), again.end(), '\n'), 2) << again;
  }
  if (!cupti::find_nvdisasm().empty()) return;
  open_kernel("copy_float4.cu");
  script("command panel.sass\nwait\nexpect text install nvdisasm\nexpect text code without it");
}

TEST_F(MeasuredPanels, BaselineComparisonAndStaleness) {
  open_measuring();
  EXPECT_FALSE(refusal_of(app(), *find_command("measure.baseline")).empty());
  EXPECT_FALSE(refusal_of(app(), *find_command("measure.compare")).empty());
  script("command measure.counters\nwait\ncommand measure.baseline\ncommand measure.compare");
  gpu->answer = views::fixtures::slower();
  script("command measure.counters\nwait\nexpect text +100.0 %\ncommand measure.compare\nexpect text limit, 4");
  ASSERT_EQ(app().measurements.variants.size(), 2u);
  EXPECT_NE(app().measurements.variants[0].name, app().measurements.variants[1].name);
  EXPECT_EQ(app().measurements.variants[1].limit_gb_per_s, 4800);
  script("frames 2\nexpect text not before the last edits\nedit __syncthreads() => __syncthreads( )\nwait");
  script("expect text before the last edits\ncommand measure.counters\nwait\nexpect text not before the last edits");
  script("command measure.no_baseline\ncommand measure.clear\nframes 2\nexpect text Nothing to compare");
}

// Any counter that some variant measured can be drawn, found by either of its names; picture and table follow.
TEST_F(MeasuredPanels, TheComparisonDrawsTheCountersThatAreChosen) {
  open_measuring();
  const auto columns = [&] {
    const std::string path = folder() + "/compare.csv";
    app().shell.export_request = ExportRequest{.panel = PanelId::compare, .path = path};
    script("frames 2");
    std::ifstream in(path);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    return views::csv::parse(text).at(0);
  };
  const auto drawn = [&](const std::string& name) { return std::ranges::count(columns(), name) == 1; };
  const std::string load = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", bytes = "dram__bytes_read.sum";
  script("command panel.compare\nframes 2\nclick item Counters\nframes 2");
  script("expect text not counters drawn");  // nothing was measured yet
  script("command measure.counters\nwait\ncommand measure.compare\nframes 2");
  const auto usual = columns();
  EXPECT_TRUE(drawn(load));
  EXPECT_FALSE(drawn(bytes));
  // By the older name; the keyboard is in the filter when the list opens.
  const std::string idle = "smsp__sass_branch_targets.sum";
  script("click item Counters\nframes 2\nexpect text 3 of 6 counters drawn\nexpect text " + idle);
  script("type dram_read\nframes 2\nexpect text not " + idle);
  script("click item " + bytes + "\nframes 2\nexpect text 4 of 6 counters drawn");
  EXPECT_TRUE(drawn(bytes));
  EXPECT_TRUE(drawn(load));
  script("key Escape\nframes 2\nexpect text not counters drawn\nexpect scene compare contains variant_bar/0/5");
  // A counter less; the list is in the order of the measurements.
  script("click item Counters\nframes 2\ntype op_ld gld\nframes 2\nclick item " + load + "\nframes 2\nkey Escape");
  EXPECT_FALSE(drawn(load));
  EXPECT_EQ(*app().shell.view.compare_counters,
            (std::vector<std::string>{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                                      "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", bytes}));
  // It outlives the program.
  const std::string path = folder() + "/session.json";
  ASSERT_TRUE(write_session(path, app()));
  EXPECT_EQ(read_session(path)->view.compare_counters, app().shell.view.compare_counters);
  script("click item Counters\nframes 2\nclick item \"Default counters\"\nframes 2\nkey Escape\nframes 2");
  EXPECT_FALSE(app().shell.view.compare_counters);
  EXPECT_EQ(columns(), usual);
  ASSERT_TRUE(write_session(path, app()));
  EXPECT_EQ(read_session(path)->view.compare_counters, std::nullopt);
}

TEST_F(MeasuredPanels, RowsLeadToTheirLineAndHeatIsMeasured) {
  open_measuring();
  script("command measure.instructions\nwait");
  for (const int line : {20, 21, 22}) {
    script("click scene sass sass_row/" + std::to_string(6 * (line - 19) + 1) + "/" + std::to_string(line));
    EXPECT_EQ(app().navigation.selection.line, line);
  }
  // Wherever the selection goes, its instructions are in sight; and the wheel reaches the others.
  script("line 19\nframes 2\nexpect scene sass contains sass_row/0/19\nline 25\nframes 2");
  script("expect scene sass contains sass_row/36/25\nscroll scene sass sass_row/36/25 40\nframes 2");
  script("expect scene sass contains sass_row/0/19");
  script("command measure.stalls\nwait\nclick scene stalls stall_row/22");
  EXPECT_EQ(app().navigation.selection.line, 22);
  script("set heat measured stall samples\nset heat measured smsp__sass_inst_executed.sum\nframes 2");
  app().shell.show_panel(PanelId::source);
  script("frames 3");
  EXPECT_EQ(fact("heat"), "measured smsp__sass_inst_executed.sum");
  // Both numbers of each line that has one, side by side.
  std::string both = "line,counter,predicted,measured\n";
  for (const results::MetricRow& row : gpu->answer.metrics)
    if (row.line > 0 && row.name == "smsp__sass_inst_executed.sum")
      both += std::to_string(row.line) + "," + row.name + "," + std::to_string(static_cast<int>(*row.predicted)) + "," +
              std::to_string(static_cast<int>(*row.measured)) + "\n";
  EXPECT_EQ(frames->window().panel(PanelId::source).csv(app()), both);
}

TEST_F(MeasuredPanels, AnAnswerThatIsNoneSaysWhy) {
  open_measuring();
  gpu->answer = {}, gpu->refusal = "The worker stopped while measuring.";
  script("command measure.stalls\nwait\nexpect text stopped while measuring\nexpect text To do:");
  gpu->refusal.clear(), gpu->answer = views::fixtures::measured();
  script("command measure.stalls\nwait\nexpect text not stopped while measuring");
}

TEST_F(MeasuredPanels, WithoutAGpuThePanelSaysSoAndTheRestWorks) {
  if (const auto all = gpu::devices(); all && !all->empty()) GTEST_SKIP() << "there is a GPU";
  open_kernel("shared_transpose_naive.cu");
  script("command measure.counters\nwait\nexpect text Counters: not measured\nexpect text To do:\nkey Home\nwait");
  EXPECT_TRUE(app().results.have);
  EXPECT_FALSE(app().measurements.under_way);
}

// Predictions are shown without a GPU: every counter of the run, with its predicted value.
TEST_F(MeasuredPanels, MetricsShowPredictionsBeforeAnythingIsMeasured) {
  open_kernel("shared_transpose_naive.cu");
  script("command panel.metrics\nframes 2\nexpect text shared_wavefronts\nexpect text \"Counters: not measured\"");
  const results::LineCounters& total = app().results.summary.counters.front();
  ASSERT_EQ(total.line, 0);
  std::set<std::string> numbers;
  for (const scene::Label& l : frames->stage().scenes.at("metrics").scene.labels) numbers.insert(l.text);
  EXPECT_TRUE(numbers.contains(number_text(static_cast<double>(total.shared_wavefronts))));
  EXPECT_TRUE(numbers.contains(number_text(static_cast<double>(total.global_sectors))));
  app().measurements.line_only = true;
  ++app().measurements.version;
  script("line 28\nwait\nexpect text shared_wavefronts\nexpect text not global_sectors");
}

TEST_F(MeasuredPanels, AMeasurementThatIsStoppedLeavesWhatWasThere) {
  open_measuring();
  script("command measure.counters\nwait");
  EXPECT_FALSE(refusal_of(app(), *find_command("measure.stop")).empty());
  gpu->answers = false;
  script("command measure.counters\nframes 3\nclick item \"Stop measuring\"\nwait\nexpect text gld_transactions");
  EXPECT_EQ(gpu->cancelled, 1);
  EXPECT_FALSE(app().measurements.under_way);
}

// Each move of a slider is a run with that number. In the live mode the GPU is queried about each at once, and the run
// waits until the hand rests.
TEST_F(MeasuredPanels, SlidersRunAndMeasureAgain) {
  auto channel = std::make_unique<MeasuringChannel>();
  gpu = channel.get();
  open(options_for(kernel("axpy_grid_stride.cu")), std::move(channel));
  app().shell.set_arrangement(Arrangement::profile);
  script("command panel.live\nframes 2\nexpect text Move a slider");
  const std::string before = views::counters_csv(app().results.summary);
  script("drag item \"##Slider n\" -60 0\nwait");
  ASSERT_EQ(app().settings.overrides.size(), 1u);
  EXPECT_EQ(app().settings.overrides[0].name, "n");
  EXPECT_FALSE(app().results.failed);
  EXPECT_NE(views::counters_csv(app().results.summary), before);
  EXPECT_TRUE(gpu->live.empty());
  const std::vector<views::LiveSample>& samples = app().measurements.live.samples;
  script("command measure.live\nwait");
  EXPECT_EQ(samples.size(), 1u);
  EXPECT_EQ(samples.back().words, app().settings.override_words());
  EXPECT_EQ(gpu->live.back().overrides.at(0).value, app().settings.overrides[0].value);
  script("expect text 1 measurement on NVIDIA H200");
  script("drag item \"##Slider n\" 40 0 20");
  const std::size_t moved = samples.size();
  EXPECT_GT(moved, 5u) << "the GPU follows the hand";
  script("wait");
  EXPECT_EQ(gpu->live.back().overrides.at(0).value, app().settings.overrides[0].value) << "and ends where it does";
  script("command measure.own_numbers\nwait");
  EXPECT_TRUE(app().settings.overrides.empty());
  EXPECT_EQ(views::counters_csv(app().results.summary), before);
  EXPECT_TRUE(gpu->live.back().overrides.empty());
  const std::size_t all = samples.size();
  script("command measure.live\nwait\ncommand run.now\nwait");
  EXPECT_EQ(samples.size(), all);
  gpu->refusal = "the driver refuses the PTX";
  script("command measure.live\nwait\nexpect text the driver refuses the PTX");
  EXPECT_EQ(samples.size(), all) << "what was measured before stays";
}

TEST_F(MeasuredPanels, AFileStandsInForAGpu) {
  open_kernel("shared_transpose_naive.cu");
  const std::string path = folder() + "/m.json";
  std::ofstream(path) << engine::to_text({.file = "a.cu", .kernel = "k", .measured = views::fixtures::measured()});
  script("measurement " + path + "\ncommand panel.metrics\nframes 2\nexpect text gld_transactions");
  EXPECT_FALSE(run_script(*frames, "measurement " + folder() + "/none.json").ok);
}

// Parts arrive one by one; each replaces only itself, in any order.
TEST(Measurements, PartsOfOneTextAddUp) {
  const results::Measured whole = views::fixtures::measured();
  std::vector<results::Measured> parts(4);
  parts[0].timing = whole.timing, parts[0].device = whole.device, parts[0].passes = whole.passes;
  parts[1].sass = whole.sass, parts[1].opcodes = whole.opcodes;
  for (const results::MetricRow& row : whole.metrics) parts[row.line == 0 ? 0 : 1].metrics.push_back(row);
  parts[2].stalls = whole.stalls;
  parts[3].launches = whole.launches, parts[3].host_calls = whole.host_calls;
  std::vector<int> order{0, 1, 2, 3};
  do {
    Measurements m;
    m.asked_text = "a";
    for (const int n : order) m.take(parts[static_cast<std::size_t>(n)]);
    EXPECT_EQ(m.last.metrics.size(), whole.metrics.size());
    EXPECT_EQ(m.last.sass.size(), whole.sass.size());
    EXPECT_EQ(m.last.stalls.size(), whole.stalls.size());
    EXPECT_EQ(m.last.host_calls.size(), whole.host_calls.size());
    EXPECT_EQ(m.last.timing->median_us, whole.timing->median_us);
    m.take(parts[0]);
    EXPECT_EQ(m.last.metrics.size(), whole.metrics.size());
    m.asked_text = "b";  // another text: nothing of the first one is left
    m.take(parts[2]);
    EXPECT_TRUE(m.last.metrics.empty());
    EXPECT_FALSE(m.last.timing);
    EXPECT_TRUE(m.stale_words("b").empty());
    EXPECT_FALSE(m.stale_words("a").empty());
  } while (std::next_permutation(order.begin(), order.end()));
}

}  // namespace
}  // namespace lanescope::gui
