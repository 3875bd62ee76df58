// The filter over what a kernel printed.

#include "app/gui/search/printed_output.h"

#include <gtest/gtest.h>

namespace lanescope::gui {
namespace {

results::Summary printing() {
  results::Summary s;
  for (int lane = 0; lane < 4; ++lane)
    for (int line : {9, 12})
      s.printed.push_back({.text = "Sum of lane " + std::to_string(lane) + "\nline " + std::to_string(line) + "\n",
                           .block = static_cast<std::uint32_t>(lane / 2),
                           .warp = 1,
                           .lane = lane,
                           .line = line});
  return s;
}

std::size_t found(const std::string& filter) {
  const results::Summary s = printing();
  PrintedOutput output;
  output.filter = filter;
  const std::size_t lines = output.lines(s, 1).size();
  EXPECT_EQ(output.count(), 16u);
  return lines;
}

TEST(PrintedOutput, FiltersByPlaceAndByWords) {
  EXPECT_EQ(found(""), 16u);
  EXPECT_EQ(found("line 9"), 8u);
  EXPECT_EQ(found("line 9, lane 3"), 2u);
  EXPECT_EQ(found("LANE 3"), 4u);
  EXPECT_EQ(found("thread 33"), 4u);
  EXPECT_EQ(found("warp 1 block 1"), 8u);
  EXPECT_EQ(found("warp 0"), 0u);
  EXPECT_EQ(found("launch 0"), 16u);
  EXPECT_EQ(found("sum"), 8u);
  EXPECT_EQ(found("sum line"), 0u) << "both words in one line";
  EXPECT_EQ(found("line"), 8u) << "a word without a number is a word";
  EXPECT_EQ(found("line 99999999999999999999999"), 0u);
  EXPECT_EQ(found("line nine"), 0u);
  EXPECT_EQ(found(" , ,"), 16u);
}

TEST(PrintedOutput, GoesFromCallToCallAndAround) {
  const results::Summary s = printing();
  PrintedOutput output;
  output.filter = "line 9";
  output.lines(s, 1);
  EXPECT_EQ(output.neighbour(1), 0);
  EXPECT_EQ(output.neighbour(-1), 6);
  output.chosen = 0;
  EXPECT_EQ(output.neighbour(1), 2) << "the call after, not the next line of the same";
  EXPECT_EQ(output.neighbour(-1), 6);
  output.chosen = 6;
  EXPECT_EQ(output.neighbour(1), 0);
  output.filter = "nothing has this";
  output.lines(s, 1);
  EXPECT_EQ(output.neighbour(1), -1);
  output.filter = "";
  EXPECT_EQ(output.lines(s, 1).size(), 16u);
  const results::Summary empty;
  EXPECT_TRUE(output.lines(empty, 2).empty());
  EXPECT_EQ(output.chosen, -1) << "that call is gone";
}

}  // namespace
}  // namespace lanescope::gui
