// Measuring, and drawing what was measured, as a shell sees them; on machines without a GPU, too.

#include "app/engine/wire/measured_file.h"
#include "kernels/gpu/gpu.h"
#include "tests/app/cli/program.h"
#include "tests/viz/measured_fixtures.h"
#include "viz/views/base/csv.h"
#include "viz/views/measured/compare.h"
#include "viz/views/measured/measured.h"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;

class Measure : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("m.json", engine::to_text({.file = kernel, .kernel = "k", .measured = views::fixtures::measured()}));
    write("slow.json", engine::to_text({.file = kernel, .kernel = "k", .measured = views::fixtures::slower()}));
  }
  std::string kernel = "tests/data/engine/half2.cu";
};

TEST_F(Measure, EveryViewOfAFileIsDrawn) {
  for (const std::string view : {"metrics", "stalls", "compare", "sass", "host-calls"}) {
    for (const std::string ending : {"svg", "csv", "json"}) {
      const std::string out = path(view + "." + ending);
      const Result r = run(fmt::format("render {} --view {} --measured {} --measured {} --theme light -o {}", kernel,
                                       view, path("m.json"), path("slow.json"), out));
      EXPECT_EQ(r.status, 0) << r.err;
      EXPECT_GT(fs::file_size(out), 100u) << view;
    }
  }
  EXPECT_EQ(slurp(path("stalls.csv")), views::stalls_csv(views::fixtures::measured()));
  EXPECT_EQ(views::csv::parse(slurp(path("compare.csv"))).size(), 3u);
  EXPECT_NE(slurp(path("compare.svg")).find("limit"), std::string::npos);
}

/// A kernel that computes with floating-point numbers and has stored PTX, and a measurement said to be of it.
class MeasuredOccupancy : public Measure {
 protected:
  void SetUp() override {
    Measure::SetUp();
    measured_.metrics.push_back({.name = "sm__warps_active.avg.pct_of_peak_sustained_active", .measured = 37.5});
    write("of.json", engine::to_text({.file = file, .kernel = "axpy_grid_stride", .measured = measured_}));
  }
  Result draw(const std::string& view, const std::string& output, const std::string& more) {
    return run(fmt::format("render {} --no-nvrtc --view {} -o {} {}", file, view, path(output), more));
  }
  std::string file = "assets/kernels/axpy_grid_stride.cu";
  results::Measured measured_ = views::fixtures::measured();
};

// The point is bytes and time as measured, under the roofs of the GPU that measured them.
TEST_F(MeasuredOccupancy, StandsBesideWhatIsReckoned) {
  const std::string of = "--measured " + path("of.json");
  for (const std::string view : {"occupancy", "roofline"}) {
    ASSERT_EQ(draw(view, "plain.svg", "").status, 0);
    EXPECT_EQ(slurp(path("plain.svg")).find("ring: measured"), std::string::npos);
    const Result r = draw(view, "measured.svg", of);
    ASSERT_EQ(r.status, 0) << r.err;
    EXPECT_NE(slurp(path("measured.svg")).find("ring: measured"), std::string::npos) << view;
    ASSERT_EQ(draw(view, "measured.png", of + " --theme light").status, 0);
  }
  ASSERT_EQ(draw("occupancy", "o.svg", of).status, 0);
  EXPECT_NE(slurp(path("o.svg")).find("measured: 37.5 %"), std::string::npos);
  ASSERT_EQ(draw("roofline", "r.csv", of).status, 0);
  const auto table = views::csv::parse(slurp(path("r.csv")));
  ASSERT_EQ(table.size(), 7u) << "ridge, attainable, measured, and three memories";
  EXPECT_EQ(table[3][1], "measured");
  EXPECT_EQ(table[6][1], "shared memory");
  EXPECT_EQ(table[3][0], "H200");
  EXPECT_NEAR(std::stod(table[3][3]) / std::stod(table[3][2]), *views::bandwidth_gb_per_s(measured_), 1e-6);
}

TEST_F(MeasuredOccupancy, OfAnotherKernelOrGpuIsRefused) {
  const Result other = draw("roofline", "x.svg", "--measured " + path("m.json"));
  EXPECT_EQ(other.status, 2);
  EXPECT_NE(other.err.find("belongs to k, not to axpy_grid_stride"), std::string::npos) << other.err;
  const Result elsewhere = draw("occupancy", "x.svg", "--gpu A100 --measured " + path("of.json"));
  EXPECT_EQ(elsewhere.status, 2);
  EXPECT_NE(elsewhere.err.find("NVIDIA H200"), std::string::npos) << elsewhere.err;
  EXPECT_EQ(draw("roofline", "x.svg", "--measured " + path("none.json")).status, 2);
  EXPECT_FALSE(fs::exists(path("x.svg")));
}

// Recorded on an H200, of a kernel that computes nothing: it has no roofline, and says so.
TEST_F(MeasuredOccupancy, WithoutFloatingPointThereIsNoRoof) {
  file = "assets/kernels/shared_transpose_naive.cu";
  const Result r = draw("roofline", "r.svg", "--measured tests/data/gpu/shared_transpose_naive.measured.json");
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_NE(slurp(path("r.svg")).find("no roofline"), std::string::npos);
}

TEST_F(Measure, MistakesAreSaid) {
  const std::pair<std::string, std::string> mistakes[] = {
      {"measure " + kernel + " --parts timing,nonsense", "no part 'nonsense'"},
      {fmt::format("render {} --view metrics --measured {} -o {}", kernel, path("none.json"), path("x.svg")),
       "none.json"},
      {fmt::format("render {} --view metrics --measured {} -o {}", kernel, kernel, path("x.svg")), "not a measurement"},
      {fmt::format("render {} --view metrics --measured {} --at banana -o {}", kernel, path("m.json"), path("x.svg")),
       "not a line"}};
  for (const auto& [arguments, words] : mistakes) {
    const Result r = run(arguments);
    EXPECT_EQ(r.status, 2) << arguments;
    EXPECT_NE(r.err.find(words), std::string::npos) << r.err;
  }
}

TEST_F(Measure, WithoutAGpuItSaysWhyAndTheViewSaysIt) {
  if (const auto all = gpu::devices(); all && !all->empty()) GTEST_SKIP() << "there is a GPU";
  const Result measured = run(fmt::format("measure {} -o {}", kernel, path("now.json")));
  EXPECT_EQ(measured.status, 3);
  EXPECT_FALSE(measured.err.empty());
  const auto file = engine::parse_measured_file(slurp(path("now.json")), "now.json");
  ASSERT_TRUE(file);
  EXPECT_FALSE(file->measured.refused.empty());
  const Result drawn = run(fmt::format("render {} --view stalls -o {}", kernel, path("stalls.svg")));
  EXPECT_EQ(drawn.status, 3) << drawn.err;
  EXPECT_NE(slurp(path("stalls.svg")).find("not measured"), std::string::npos);
}

}  // namespace
}  // namespace lanescope::cli
