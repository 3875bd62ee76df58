// The lines of what a kernel printed.

#include "results/printed.h"

#include <gtest/gtest.h>

namespace lanescope::results {
namespace {

Summary printing(std::vector<std::string> texts) {
  Summary s;
  for (std::string& text : texts) s.printed.push_back({.text = std::move(text)});
  s.printed_calls = s.printed.size();
  return s;
}

TEST(PrintedLines, AreThoseOfEachCall) {
  const Summary s = printing({"a\nb\n", "", "c", "d\n\n", "e"});
  std::vector<std::pair<std::size_t, std::string>> lines;
  for (const PrintedLine& l : printed_lines(s)) lines.emplace_back(l.call, l.text);
  EXPECT_EQ(lines, (std::vector<std::pair<std::size_t, std::string>>{
                       {0, "a"}, {0, "b"}, {2, "c"}, {3, "d"}, {3, ""}, {4, "e"}}));
  EXPECT_EQ(printed_line_count(s), 5u) << "a terminal shows a, b, cd, an empty line and e";
  EXPECT_EQ(printed_line_count(printing({})), 0u);
  EXPECT_EQ(printed_line_count(printing({"", "x"})), 1u);
}

TEST(PrintedLines, WhatWasLeftOutIsSaid) {
  Summary s = printing({"a"});
  EXPECT_EQ(printed_left_out(s), "");
  s.printed_calls = 7;
  EXPECT_NE(printed_left_out(s).find("called 7 times: only the first 1 "), std::string::npos);
  s.printed_calls = 1, s.printed[0].cut = true, s.printed[0].line = 12;
  EXPECT_NE(printed_left_out(s).find("line 12 is cut"), std::string::npos);
}

TEST(PrintedLines, PlacesNameTheLaunchWhereThereAreSeveral) {
  Summary s = printing({"a", "b"});
  EXPECT_FALSE(prints_in_several_launches(s));
  s.printed[1] = {.text = "b", .launch = 2, .warp = 1, .lane = 3, .thread_index = {35, 0, 0}, .line = 9};
  EXPECT_TRUE(prints_in_several_launches(s));
  EXPECT_EQ(printed_place_words(s.printed[1], s.lines, true),
            "launch 2, block (0,0,0), thread (35,0,0), warp 1, lane 3, line 9");
  EXPECT_EQ(printed_place_words(s.printed[0], s.lines, false), "block (0,0,0), thread (0,0,0), warp 0, lane 0");
}

TEST(PrintedLines, PlacesAndCutsInHeadersNameTheHeader) {
  Summary s = printing({"a"});
  s.lines.add("k.cu", "/k.cu", 20);
  s.lines.add("part.h", "/part.h", 10);
  s.printed[0].line = s.lines.unit_line("/part.h", 4);
  s.printed[0].cut = true;
  EXPECT_EQ(printed_place_words(s.printed[0], s.lines, false),
            "block (0,0,0), thread (0,0,0), warp 0, lane 0, part.h:4");
  EXPECT_NE(printed_left_out(s).find("printf at part.h:4 is cut"), std::string::npos) << printed_left_out(s);
}

}  // namespace
}  // namespace lanescope::results
