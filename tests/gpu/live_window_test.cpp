// The live mode as the window has it: through a worker and its pipe, and in the window itself, drawn without a display.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/engine/remote/client.h"
#include "tests/app/engine/remote/ssh_daemon.h"
#include "tests/gpu/machine.h"
#include "tests/gpu/program.h"
#include "tests/shell_word.h"

namespace lanescope::gpu_test {
namespace {

using Clock = std::chrono::steady_clock;
using engine::test::shell;
using engine::test::text_of;

const std::string kernel = "assets/kernels/axpy_grid_stride.cu";
const std::string load_instructions = "smsp__sass_inst_executed_op_global_ld.sum";

engine::RunRequest request_with(const std::string& text, int n) {
  engine::RunRequest request;
  request.file = kernel;
  request.text = text;
  request.overrides = {{"n", std::to_string(n)}};
  return request;
}

struct Answer {
  std::optional<results::Measured> measured;
  double milliseconds = 0;
};

Answer ask(engine::Client& client, const engine::RunRequest& request) {
  const auto start = Clock::now();
  const engine::Ticket ticket = client.send<engine::ask::Live>(request);
  while (Clock::now() - start < std::chrono::seconds(60)) {
    auto event = client.wait(std::chrono::milliseconds(1000));
    if (!event) continue;
    if (auto* m = std::get_if<engine::Answered<engine::ask::Live>>(&event->what); m && event->ticket == ticket)
      return {std::move(m->value), std::chrono::duration<double, std::milli>(Clock::now() - start).count()};
    if (std::holds_alternative<engine::Refusal>(event->what) || std::holds_alternative<engine::Stopped>(event->what))
      break;
  }
  return {};
}

const results::MetricRow* row(const results::Measured& m, const std::string& name) {
  for (const results::MetricRow& r : m.metrics)
    if (r.name == name) return &r;
  return nullptr;
}

/// Two loads for each warp that has an element, in each round of the grid-stride loop: 4 blocks of 256 threads.
double expected_loads(int n) {
  double loads = 0;
  for (int first = 0; first < n; first += 32) loads += 2;
  return loads;
}

nlohmann::ordered_json spread_of_times(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return {{"least", times.front()},
          {"median", times[times.size() / 2]},
          {"95 %", times[times.size() * 95 / 100]},
          {"largest", times.back()}};
}

/// Numbers that the script printed as "NAME: VALUE" or alone on their line, in order.
std::vector<double> numbers_in(const std::string& text) {
  std::vector<double> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find_last_of(" :");
    char* end = nullptr;
    const std::string last = at == line.npos ? line : line.substr(at + 1);
    const double value = std::strtod(last.c_str(), &end);
    if (!last.empty() && *end == 0) out.push_back(value);
  }
  return out;
}

TEST(LiveWindow, TheWorkerFollowsNumbersAndEdits) {
  LS_NEEDS_COUNTERS();
  engine::Client client({.command = {std::filesystem::read_symlink("/proc/self/exe").string(), "worker"}});
  const std::string text = text_of(kernel);
  ASSERT_FALSE(text.empty());
  const Answer first = ask(client, request_with(text, 4096));
  ASSERT_TRUE(first.measured) << "no answer";
  ASSERT_TRUE(first.measured->refused.empty()) << to_string(first.measured->refused.front());
  ASSERT_GT(first.measured->metrics.size(), 10u) << first.measured->passes << " passes";
  std::vector<double> moves, edits, compiled;
  std::size_t predicted = 0;
  for (int i = 0; i < 200; ++i) {
    const int n = 1 + 37 * i % 4096;
    const Answer a = ask(client, request_with(text, n));
    ASSERT_TRUE(a.measured);
    const results::MetricRow* loads = row(*a.measured, load_instructions);
    ASSERT_TRUE(loads && loads->measured) << i;
    EXPECT_EQ(*loads->measured, expected_loads(n)) << n;
    if (loads->predicted) {
      EXPECT_EQ(*loads->predicted, expected_loads(n)) << n;
    }
    predicted += loads->predicted.has_value();
    EXPECT_EQ(a.measured->live->compile_ms, 0) << "the text is the same";
    moves.push_back(a.milliseconds);
  }
  // Of code, and of this run alone: answers of the compiler are kept on disk, and comments are not compiled again.
  const auto run = Clock::now().time_since_epoch().count();
  for (int i = 0; i < 20; ++i) {
    const Answer a = ask(client, request_with(text + fmt::format("static_assert({}ll > {}, \"\");\n", run, i), 512));
    ASSERT_TRUE(a.measured && a.measured->live);
    EXPECT_GT(a.measured->live->compile_ms, 0);
    edits.push_back(a.milliseconds), compiled.push_back(a.measured->live->compile_ms);
  }
  const engine::RunRequest broken = request_with("__global__ void f() { this is no code }", 1);
  const Answer refused = ask(client, broken);
  ASSERT_TRUE(refused.measured);
  EXPECT_TRUE(refused.measured->metrics.empty());
  EXPECT_FALSE(refused.measured->refused.empty());
  EXPECT_TRUE(ask(client, request_with(text, 7)).measured->refused.empty()) << "and the next one is counted";
  const double median = spread_of_times(moves)["median"];
  write_results("gpu_live_worker", {{"kernel", kernel},
                                    {"counters", first.measured->metrics.size()},
                                    {"passes", first.measured->passes},
                                    {"with_time", first.measured->timing.has_value()},
                                    {"milliseconds_of_the_first_answer", first.milliseconds},
                                    {"milliseconds_from_a_number_to_its_counters", spread_of_times(moves)},
                                    {"refreshes_a_second_at_the_median", 1000 / median},
                                    {"answers_with_the_emulator_s_prediction_of_200", predicted},
                                    {"milliseconds_from_an_edit_to_its_counters", spread_of_times(edits)},
                                    {"of_these_reading_and_compiling", spread_of_times(compiled)}});
}

TEST(LiveWindow, TheWindowFollowsAHandThatDragsASlider) {
  LS_NEEDS_COUNTERS();
  LS_NEEDS_PROGRAM();
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / fmt::format("lanescope_live_{}", ::getpid());
  fs::create_directories(folder);
  std::ofstream(folder / "drag.txt")
      << "wait\nset arrangement Profile\ncommand panel.live\ncommand measure.live\nwait\n"
         "frames 5\nprint live.refused\ndrag item \"##Slider n\" -10 0 3\nprint live.refused\n"
         "wait\nprint live.refused\ndrag item \"##Slider n\" -100 0 300\n"
         "print live.samples\nprint live.per_second\nprint live.wait_ms\n"
         "print live.refused\nwait\nhover at 20 300\nframes 3\n"
      << fmt::format("screenshot {}\n", (folder / "live.png").string()) << "quit\n";
  const auto [status, said] =
      shell(fmt::format("{} {} --offscreen --no-session --script {} 2>&1", shell_word(lanescope_program()),
                        shell_word(kernel), shell_word((folder / "drag.txt").string())));
  if (status == 3) GTEST_SKIP() << "SKIPPED, the window cannot be drawn here: " << said;
  ASSERT_EQ(status, 0) << said;
  const std::vector<double> numbers = numbers_in(said);
  ASSERT_GE(numbers.size(), 3u) << said;
  EXPECT_GT(numbers[0], 20) << said;
  EXPECT_GT(numbers[1], 0) << said;
  if (const char* results = std::getenv("LANESCOPE_GPU_RESULTS"); results && *results) {
    std::error_code ignored;
    fs::copy_file(folder / "live.png", fs::path(results) / "gpu_live_window.png", fs::copy_options::overwrite_existing,
                  ignored);
  }
  write_results("gpu_live_window", {{"kernel", kernel},
                                    {"what", "a slider dragged over 300 frames of the window, drawn offscreen"},
                                    {"samples", numbers[0]},
                                    {"refreshes_a_second", numbers[1]},
                                    {"median_milliseconds_from_a_move_to_its_counters", numbers[2]}});
  fs::remove_all(folder);
}

}  // namespace
}  // namespace lanescope::gpu_test
