// Unit lines there and back.

#include "kernels/base/source_lines.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace {

SourceLines three() {
  SourceLines lines;
  lines.add("k.cu", "dir/k.cu", 40);
  lines.add("a.hpp", "dir/a.hpp", 7);
  lines.add("sub/b.hpp", "dir/sub/b.hpp", 2'500'000);
  lines.add("c.hpp", "dir/c.hpp", 3);
  return lines;
}

TEST(SourceLines, EveryLineOfEveryFileComesBack) {
  const SourceLines lines = three();
  for (std::size_t file = 0; file < lines.files.size(); ++file)
    for (const int line : {1, 2, 3, lines.files[file].line_count}) {
      const int unit = lines.unit_line(lines.files[file].path, line);
      EXPECT_EQ(lines.place(unit).file, file) << unit;
      EXPECT_EQ(lines.place(unit).line, line) << unit;
      EXPECT_EQ(lines.in_header(unit), file > 0);
    }
  EXPECT_EQ(lines.unit_line("elsewhere.h", 12), 12);
  EXPECT_EQ(lines.unit_line("dir/a.hpp", 0), 0);
}

// The first file may grow without moving the lines of its headers.
TEST(SourceLines, AHeaderKeepsItsNumbersWhileTheFileIsEdited) {
  SourceLines before, after;
  before.add("k.cu", "k.cu", 40), before.add("a.hpp", "a.hpp", 7);
  after.add("k.cu", "k.cu", 41), after.add("a.hpp", "a.hpp", 7);
  EXPECT_EQ(before.unit_line("a.hpp", 3), after.unit_line("a.hpp", 3));
}

TEST(SourceLines, WordsNameTheFile) {
  const SourceLines lines = three();
  const int a4 = lines.unit_line("dir/a.hpp", 4), a6 = lines.unit_line("dir/a.hpp", 6);
  const int b1 = lines.unit_line("dir/sub/b.hpp", 1);
  EXPECT_EQ(lines.words(12), "line 12");
  EXPECT_EQ(lines.words(a4), "a.hpp:4");
  EXPECT_EQ(lines.number(12), "12");
  EXPECT_EQ(lines.range(3, 5), "lines 3 to 5");
  EXPECT_EQ(lines.range(a4, a6), "a.hpp:4 to 6");
  EXPECT_EQ(lines.range(3, b1), "line 3 to sub/b.hpp:1");
  EXPECT_EQ(lines.sentence("warp 1 reads it in line " + std::to_string(a4) + ", line 12 waits"),
            "warp 1 reads it in a.hpp:4, line 12 waits");
  EXPECT_EQ(lines.sentence("lines " + std::to_string(a4) + " to " + std::to_string(a6) + " move x"),
            "a.hpp:4 to 6 move x");
  EXPECT_EQ(lines.sentence("lines " + std::to_string(a4) + " and " + std::to_string(b1)), "a.hpp:4 and sub/b.hpp:1");
  EXPECT_EQ(lines.sentence("called from lines 3, " + std::to_string(a4) + ", " + std::to_string(a6) + ", " +
                           std::to_string(b1) + "; stop"),
            "called from lines 3, a.hpp:4, 6, sub/b.hpp:1; stop");
  EXPECT_EQ(lines.sentence("line 3 and " + std::to_string(a4)), "line 3 and a.hpp:4");
  EXPECT_EQ(lines.sentence("line " + std::to_string(a4) + ", " + std::to_string(a6) + " bytes"),
            "a.hpp:4, " + std::to_string(a6) + " bytes");
  EXPECT_EQ(lines.sentence("a cache line 1 of 128 bytes, outline 1000004, line"),
            "a cache line 1 of 128 bytes, outline 1000004, line");
  EXPECT_EQ(SourceLines{}.sentence("line 1000004"), "line 1000004") << "one file has any number of lines";
}

TEST(SourceLines, DiagnosticsStandInTheirFiles) {
  const SourceLines lines = three();
  Diagnostics all = {{.file = "dir/k.cu", .line = lines.unit_line("dir/a.hpp", 5), .message = "x", .remedy = ""},
                     {.file = "dir/k.cu", .line = 3, .message = "y", .remedy = ""},
                     {.file = "other.toml", .line = 1'000'004, .message = "z", .remedy = ""}};
  put_into_files(all, lines);
  EXPECT_EQ(all[0].file, "dir/a.hpp");
  EXPECT_EQ(all[0].line, 5);
  EXPECT_EQ(all[1].file, "dir/k.cu");
  EXPECT_EQ(all[2].line, 1'000'004) << "of another file";
}

}  // namespace
}  // namespace lanescope
