// Kernels in the corners of the machine's semantics on a GPU (tests/corners.h): three runs each, equal to the recorded
// results. LANESCOPE_RECORD_CORNERS=FOLDER writes FOLDER/FILE.tsv in place of the comparison; all of them together are
// tests/data/corners/results.tsv.

#include "tests/corners.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "app/engine/hardware/run.h"
#include "tests/gpu/instrumented.h"
#include "tests/gpu/machine.h"

namespace lanescope::gpu_test {
namespace {

class CornersOnGpu : public ::testing::TestWithParam<std::string> {};

/// Prints of the kernels, each launch alone and in this process: a child's standard output is its answer.
std::string printed_by(const engine::Prepared& prepared) {
  std::string text;
  for (const trace::Launch& launch : prepared.plain.launches) {
    std::vector<trace::Buffer> buffers = prepared.buffers;
    const auto launcher = Launcher::load(prepared.plain.ptx, launch, buffers);
    if (!launcher) return to_string(launcher.error().front());
    ::testing::internal::CaptureStdout();
    const auto ran = launcher->run(buffers);
    std::fflush(stdout);
    text += ::testing::internal::GetCapturedStdout();
    if (!ran) return to_string(ran.error().front());
  }
  return text;
}

corners::Results measured(const std::string& file) {
  engine::Prepared prepared = gpu_test::prepared(corners::folder() / file);
  corners::Results out;
  if (!prepared.ready) {
    ADD_FAILURE() << to_string(prepared.diagnostics.front());
    return out;
  }
  engine::HardwareOptions options;
  options.limit_seconds = 8;
  if (file.starts_with("prints")) out["*"] = corners::printed_words(printed_by(prepared));
  const auto answer = engine::run_on_gpu({prepared.plain, prepared.buffers, options});
  if (!answer) {
    ADD_FAILURE() << to_string(answer.error().front());
  } else if (!answer->result.fault.empty()) {
    out["*"] = file.starts_with("hang") ? "hang" : "fault";
    std::printf("%s: %s\n", file.c_str(), answer->result.fault.c_str());
  } else {
    for (const trace::Buffer& b : answer->buffers) out[b.name] = corners::contents_words(b.bytes);
  }
  return out;
}

TEST_P(CornersOnGpu, AreAsRecorded) {
  LS_NEEDS_GPU();
  const std::string& file = GetParam();
  const corners::Results first = measured(file);
  const char* record = std::getenv("LANESCOPE_RECORD_CORNERS");
  if (record != nullptr) {
    std::ofstream out(std::filesystem::path(record) / (file + ".tsv"));
    for (const auto& [buffer, contents] : first) out << file << '\t' << buffer << '\t' << contents << '\n';
  } else {
    EXPECT_EQ(first, corners::rows_of(corners::folder() / "results.tsv", file));
  }
  for (int again = 0; again < 2; ++again) EXPECT_EQ(measured(file), first);
}

INSTANTIATE_TEST_SUITE_P(Files, CornersOnGpu, ::testing::ValuesIn(corners::files()),
                         [](const auto& info) { return corners::test_name(info.param); });

}  // namespace
}  // namespace lanescope::gpu_test
