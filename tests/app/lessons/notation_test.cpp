#include "app/lessons/notation.h"

#include <gtest/gtest.h>

namespace lanescope::lessons {
namespace {

TEST(Notation, ReadsWhatItWrites) {
  for (const char* text : {"y1 lane 5", "a[2] #2 part 1 lane 31 warp 3", "q[17]", "q[5, 9, 0]", "shared 64", "q byte 0",
                           "y1 lane 5; q[17]; shared 64"}) {
    const auto read = parse_selection(text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(to_text(*read), text);
  }
}

TEST(Notation, RefusesWhatNamesNothing) {
  for (const char* text : {"y1", "y1 lane", "y1 lane 32", "y1 lane -1", "y1 line 5", "q[", "q[]", "[3]", "q[3..2]",
                           "shared x", "q byte -1", "y1 lane 5;", "y1 lane 5; y2 lane 5", "q[1..2]"})
    EXPECT_FALSE(parse_selection(text)) << text;
}

}  // namespace
}  // namespace lanescope::lessons
