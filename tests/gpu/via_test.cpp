// A GPU behind a pipe says what it says here: through a plain command and through ssh to this machine.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/app/engine/remote/ssh_daemon.h"
#include "tests/gpu/machine.h"
#include "tests/gpu/program.h"
#include "tests/shell_word.h"

namespace lanescope::gpu_test {
namespace {

using engine::test::Daemon;
using engine::test::shell;

/// A worker where the environment of this process is not known.
std::string worker_words() {
  std::string words = "env";
  for (const char* name : {"LD_LIBRARY_PATH", "LANESCOPE_ASSETS", "CUDA_HOME", "CUDA_VISIBLE_DEVICES"})
    if (const char* value = std::getenv(name)) words += fmt::format(" {}={}", name, shell_word(value));
  return fmt::format("{} {} worker", words, shell_word(lanescope_program()));
}

/// Counters as the hardware counted them, by name: only those that do not change from run to run.
std::map<std::string, double> exact_counts(const std::string& json_text) {
  std::map<std::string, double> out;
  const auto json = nlohmann::json::parse(json_text, nullptr, false);
  if (json.is_discarded()) return out;
  for (const auto& row : json.at("measured").at("metrics")) {
    const std::string name = row.at("name");
    const bool exact = name.starts_with("smsp__sass_") && name.ends_with(".sum") && row.at("line") == 0;
    if (exact && row.at("measured").is_number()) out.emplace(name, row.at("measured"));
  }
  return out;
}

void expect_same_everywhere(const std::string& via) {
  for (const char* command : {"check assets/kernels/half2_transposes.cu --engine gpu",
                              "check assets/kernels/shared_transpose_padded.cu --engine gpu --json",
                              "check assets/kernels/rmse_modulo.cu --engine gpu"}) {
    const auto here = shell(fmt::format("{} {} 2>&1", shell_word(lanescope_program()), command));
    const auto there =
        shell(fmt::format("{} {} --via {} 2>&1", shell_word(lanescope_program()), command, shell_word(via)));
    EXPECT_EQ(here, there) << command;
    EXPECT_EQ(here.first, 0) << command << "\n" << here.second;
  }
  const std::string measure = "measure assets/kernels/shared_transpose_padded.cu --json";
  const auto here = shell(fmt::format("{} {}", shell_word(lanescope_program()), measure));
  const auto there = shell(fmt::format("{} {} --via {}", shell_word(lanescope_program()), measure, shell_word(via)));
  EXPECT_EQ(here.first, 0);
  EXPECT_EQ(there.first, 0) << there.second;
  EXPECT_GT(exact_counts(here.second).size(), 10u) << here.second.substr(0, 400);
  EXPECT_EQ(exact_counts(here.second), exact_counts(there.second));
}

TEST(Via, APlainPipeToAGpuSaysTheSame) {
  LS_NEEDS_COUNTERS();
  LS_NEEDS_PROGRAM();
  expect_same_everywhere(worker_words());
}

TEST(Via, SshToAGpuSaysTheSame) {
  LS_NEEDS_COUNTERS();
  LS_NEEDS_PROGRAM();
  const Daemon daemon;
  if (!daemon.problem().empty()) GTEST_SKIP() << "SKIPPED, needs ssh: " << daemon.problem();
  expect_same_everywhere(daemon.to(worker_words()));
}

}  // namespace
}  // namespace lanescope::gpu_test
