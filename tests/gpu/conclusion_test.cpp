// Conclusions of `measure` on the GPU at hand: single times, bytes of the memories behind L1, and the final paragraph.

#include <gtest/gtest.h>

#include "app/engine/session/session.h"
#include "app/engine/summary/conclusion_of.h"
#include "app/engine/summary/occupancy_info.h"
#include "kernels/base/read_file.h"
#include "results/measured.h"
#include "results/times.h"
#include "tests/gpu/machine.h"

namespace lanescope::gpu_test {
namespace {

struct MeasuredKernel {
  results::Summary summary;
  results::Measured measured;
};

MeasuredKernel measure_kernel(const std::string& name, int repetitions) {
  engine::RunRequest request;
  request.file = std::string(LANESCOPE_SOURCE_DIR) + "/assets/kernels/" + name;
  request.text = read_file(request.file).value_or("");
  request.probed_run = false, request.review = true;
  engine::Session session;
  const results::Summary summary = session.run(request);
  EXPECT_TRUE(summary.ok) << name;
  engine::MeasureRequest how;
  how.stalls = true, how.repetitions = repetitions;
  return {summary, session.measure(how)};
}

TEST(Conclusions, TimesAreKeptOneByOne) {
  LS_NEEDS_GPU();
  const MeasuredKernel k = measure_kernel("axpy_grid_stride.cu", 50);
  ASSERT_TRUE(k.measured.timing);
  const results::TimeStatistics s = results::statistics(k.measured.timing->samples_us);
  EXPECT_EQ(s.count, 50u);
  EXPECT_NEAR(s.least, k.measured.timing->least_us, 1e-3);
  EXPECT_NEAR(s.most, k.measured.timing->most_us, 1e-3);
  EXPECT_GE(k.measured.timing->median_us, s.first_quartile - 1e-3);
  EXPECT_LE(k.measured.timing->median_us, s.third_quartile + 1e-3);
  EXPECT_GT(s.mean, 0);
}

// No memory moves more than its peak; the transposes of one block are held by the grid.
TEST(Conclusions, RatesStayBelowThePeaksAndTheParagraphHasItsEvidence) {
  LS_NEEDS_COUNTERS();
  for (const char* name : {"shared_transpose_naive.cu", "axpy_grid_stride.cu", "reduce_neighboured.cu"}) {
    const MeasuredKernel k = measure_kernel(name, 20);
    const std::string gpu = engine::table_name(k.measured.device);
    if (gpu.empty()) GTEST_SKIP() << "the table does not have " << k.measured.device;
    const auto info = engine::occupancy_info(k.summary, {.gpu = gpu});
    ASSERT_TRUE(info);
    for (const results::AchievedBandwidth& a : results::achieved_bandwidths(k.measured))
      for (const results::RoofInfo& roof : info->roofs)
        if (roof.memory == a.memory) {
          EXPECT_LE(a.gb_per_s, 1.02 * roof.gb_per_s) << name << " " << a.memory;
        }
    const conclusion::Conclusion c = engine::conclusion_of(k.summary, k.measured);
    EXPECT_NE(c.limit, conclusion::Limit::unknown) << name << ": " << paragraph(c);
    EXPECT_FALSE(c.evidence.empty() || c.remedy.empty() || c.saving.empty()) << name << ": " << paragraph(c);
    std::printf("%s: %s\n", name, paragraph(c).c_str());
  }
}

}  // namespace
}  // namespace lanescope::gpu_test
