// A measurement as a file: what was written reads back, what is none is refused in words.

#include "app/engine/measured_file.h"

#include <gtest/gtest.h>

#include "tests/viz/measured_fixtures.h"
#include "viz/views/host_calls.h"
#include "viz/views/metrics.h"
#include "viz/views/sass.h"
#include "viz/views/stalls.h"

namespace lanescope::engine {
namespace {

MeasuredFile one() {
  MeasuredFile m{.file = "transpose.cu", .kernel = "transpose", .measured = views::fixtures::measured()};
  m.measured.refused = views::fixtures::refused().refused;
  m.measured.trace = views::TraceInfo{.records = 12, .difference = "line 3: another address", .line = 3};
  m.measured.buffers = {{.name = "y", .elements = 4, .different = 1, .first = 2, .gpu = "1", .emulator = "2"}};
  return m;
}

TEST(MeasuredFile, WhatWasWrittenReadsBack) {
  for (const MeasuredFile& m : {one(), MeasuredFile{}}) {
    const std::string text = to_text(m);
    const auto back = parse_measured_file(text, "m.json");
    ASSERT_TRUE(back) << to_string(back.error().front());
    EXPECT_EQ(to_text(*back), text);
    EXPECT_EQ(back->kernel, m.kernel);
    EXPECT_EQ(views::metrics_csv(back->measured, nullptr), views::metrics_csv(m.measured, nullptr));
    EXPECT_EQ(views::stalls_csv(back->measured), views::stalls_csv(m.measured));
    EXPECT_EQ(views::sass_csv(back->measured), views::sass_csv(m.measured));
    EXPECT_EQ(views::host_calls_csv(back->measured), views::host_calls_csv(m.measured));
  }
}

TEST(MeasuredFile, WhatIsNoneIsRefusedWithARemedy) {
  const std::string text = to_text(one());
  std::vector<std::string> bad{"", "[]", "{}", "{\"format\": 3}", "{\"format\": \"lanescope measurement\"}"};
  for (std::size_t end = 1; end < text.size() - 2; end += 97) bad.push_back(text.substr(0, end));
  for (const char* field : {"\"version\"", "\"kernel\"", "\"timing\"", "\"samples\"", "\"legacy\""}) {
    std::string other = text;
    other.replace(other.find(field) + 1, 1, "X");
    bad.push_back(other);
  }
  for (const std::string& b : bad) {
    const auto read = parse_measured_file(b, "m.json");
    ASSERT_FALSE(read) << b.substr(0, 80);
    EXPECT_EQ(read.error().front().file, "m.json");
    EXPECT_FALSE(read.error().front().remedy.empty());
  }
}

TEST(MeasuredFile, TheLimitOfAKnownGpu) {
  EXPECT_EQ(bandwidth_limit_gb_per_s("NVIDIA H200"), 4800);
  EXPECT_EQ(bandwidth_limit_gb_per_s("a GPU that nobody knows"), 0);
}

}  // namespace
}  // namespace lanescope::engine
