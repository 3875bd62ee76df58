// A measurement as a file: what was written reads back, what is none is refused in words.

#include "app/engine/wire/measured_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "tests/viz/measured_fixtures.h"
#include "viz/views/measured/measured.h"

namespace lanescope::engine {
namespace {

MeasuredFile one() {
  MeasuredFile m{.file = "transpose.cu", .kernel = "transpose", .measured = views::fixtures::measured()};
  m.measured.refused = views::fixtures::refused().refused;
  m.measured.trace = results::TraceInfo{.records = 12, .difference = "line 3: another address", .line = 3};
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

// Earlier files do not contain which samples were of idle schedulers; they read, and are written, as they were.
TEST(MeasuredFile, IdleSamplesAreThereWhereTheyAreKnown) {
  MeasuredFile m = one();
  std::uint64_t idle = 0, read = 0;
  for (const results::StallRow& row : m.measured.stalls) idle += row.idle;
  ASSERT_GT(idle, 0u);
  const auto back = parse_measured_file(to_text(m), "m.json");
  ASSERT_TRUE(back);
  for (const results::StallRow& row : back->measured.stalls) read += row.idle;
  EXPECT_EQ(read, idle);
  for (results::StallRow& row : m.measured.stalls) row.idle = 0;
  EXPECT_EQ(to_text(m).find("\"idle\""), std::string::npos);
  EXPECT_TRUE(parse_measured_file(to_text(m), "m.json"));
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

// Recorded on an H200 by `lanescope measure assets/kernels/shared_transpose_naive.cu`: what memory does is as predicted,
// and every line's machine instructions add up to the total that the hardware counted.
TEST(MeasuredFile, ARecordedOneIsAsPredicted) {
  const std::string path = std::string(LANESCOPE_TEST_DATA_DIR) + "/gpu/shared_transpose_naive.measured.json";
  std::ifstream in(path);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto file = parse_measured_file(text, path);
  ASSERT_TRUE(file) << to_string(file.error().front());
  EXPECT_EQ(to_text(*file), text);
  const results::Measured& m = file->measured;
  int memory = 0;
  double total = 0, sum = 0;
  for (const results::MetricRow& row : m.metrics) {
    if (row.line == 0 && row.name == "smsp__sass_inst_executed.sum") total = row.measured.value_or(0);
    if (row.line != 0 || !row.measured || !row.predicted || !row.name.starts_with("l1tex")) continue;
    EXPECT_EQ(*row.measured, *row.predicted) << row.name;
    memory += *row.measured > 0 ? 1 : 0;
  }
  for (const results::SassRow& row : m.sass) sum += static_cast<double>(row.executed);
  EXPECT_GE(memory, 8);
  EXPECT_GT(total, 0);
  EXPECT_EQ(sum, total);
  EXPECT_FALSE(views::stall_totals(m).empty());
}

TEST(MeasuredFile, TheLimitOfAKnownGpu) {
  EXPECT_EQ(bandwidth_limit_gb_per_s("NVIDIA H200"), 4800);
  EXPECT_EQ(bandwidth_limit_gb_per_s("a GPU that absent has"), 0);
}

}  // namespace
}  // namespace lanescope::engine
