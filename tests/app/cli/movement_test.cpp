// `render --view movement`: a statement at a position between before and after, as picture and as table.

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/app/cli/program.h"

namespace lanescope::cli {
namespace {

using nlohmann::json;

class MovementPictures : public ProgramTest {
 protected:
  const std::string tile = "assets/kernels/shared_transpose_naive.cu";
  Result render(const std::string& more) const {
    return run("render " + tile + " --no-nvrtc --view movement --width 1000 --height 600 " + more);
  }
  /// By value: where its middle is. Line 28 reads a column, bank 5, into the lanes of warp 5.
  std::map<std::string, std::pair<double, double>> chips(const std::string& share) const {
    const Result r = render("--at 28 --warp 5 --share " + share + " -o " + path("m.json"));
    EXPECT_EQ(r.status, 0) << r.err;
    std::map<std::string, std::pair<double, double>> at;
    const json scene = json::parse(slurp(path("m.json")));
    for (const json& box : scene["boxes"]) {
      const std::string id = box.value("id", "");
      if (!id.starts_with("movement_chip/")) continue;
      const auto& rect = box["rect"];
      at[id] = {rect[0].get<double>() + rect[2].get<double>() / 2, rect[1].get<double>() + rect[3].get<double>() / 2};
    }
    return at;
  }
};

TEST_F(MovementPictures, AColumnOfSharedMemoryBecomesARowOfLanes) {
  const auto half = chips("0.5"), end = chips("1");
  ASSERT_EQ(half.size(), 32u);
  ASSERT_EQ(end.size(), 32u);
  const double row = end.begin()->second.second;
  for (const auto& [id, at] : end) EXPECT_NEAR(at.second, row, 0.5) << id;
  int on_the_way = 0;
  for (const auto& [id, at] : half) on_the_way += at.second < row - 1;
  EXPECT_EQ(on_the_way, 32);
  EXPECT_TRUE(chips("0").empty()) << "nothing has left yet";
}

TEST_F(MovementPictures, AsATableAndInRefusals) {
  EXPECT_EQ(render("--at 28 --warp 5 -o " + path("m.csv")).status, 0);
  const std::string table = slurp(path("m.csv"));
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 33);
  EXPECT_NE(table.find("y in lane 7,moved,7,p[229],"), std::string::npos) << table;
  for (const char* bad : {"--share 1.5", "--share half", "--warp 32", "--at 99", "--colour banana"})
    EXPECT_EQ(render(std::string(bad) + " -o " + path("x.svg")).status, 2) << bad;
  // Without --at a statement that moves something.
  EXPECT_EQ(render("-o " + path("d.svg")).status, 0);
  EXPECT_NE(slurp(path("d.svg")).find("movement_chip"), std::string::npos);
  const Result other = run("render " + tile + " --no-nvrtc --view registers --share 0.5 -o " + path("r.svg"));
  EXPECT_NE(other.err.find("--share has no effect on the view registers; it belongs to movement"), std::string::npos);
}

class JourneyText : public ProgramTest {};

// Of an element that block 0 does not access, the block that does is recorded by itself; not where a block was requested.
TEST_F(JourneyText, OfAnotherBlockIsShownThere) {
  const std::string kernel = "assets/kernels/axpy_rows.cu --no-nvrtc ";
  const json both = json::parse(run("journey --json " + kernel + "x[0] x[4072]").out);
  EXPECT_EQ(both["block"], 0);
  ASSERT_EQ(both["journeys"].size(), 2u);
  EXPECT_FALSE(both["journeys"][0].contains("block"));
  EXPECT_EQ(both["journeys"][1]["block"], 15);
  EXPECT_GT(both["journeys"][1]["path"].size(), 1u);
  const Result only = run("journey " + kernel + "x[4072] --block 0");
  EXPECT_NE(only.out.find("block 15 does"), std::string::npos) << only.out << only.err;
}

}  // namespace
}  // namespace lanescope::cli
