// Laws of the statistics of times: against a slow reckoning, under shifts, scales and permutations, and for the samples
// that a benchmark meets: one, equal ones, delayed ones.

#include "results/times.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace lanescope::results {
namespace {

std::size_t in_bins(const TimeStatistics& s) { return std::accumulate(s.bins.begin(), s.bins.end(), std::size_t{0}); }

std::vector<double> drawn(std::mt19937& random) {
  std::vector<double> out(1 + random() % 200);
  std::normal_distribution<double> usual(100, 1 + static_cast<double>(random() % 10));
  for (double& x : out) x = std::abs(usual(random)) + (random() % 25 == 0 ? 300 : 0);
  return out;
}

TEST(Times, AgreesWithASlowReckoning) {
  std::mt19937 random(21);
  for (int round = 0; round < 400; ++round) {
    const std::vector<double> x = drawn(random);
    const TimeStatistics s = statistics(x);
    ASSERT_EQ(s.count, x.size());
    ASSERT_EQ(s.least, *std::min_element(x.begin(), x.end()));
    ASSERT_EQ(s.most, *std::max_element(x.begin(), x.end()));
    // The median has as many samples on either side.
    ASSERT_EQ(std::ranges::count_if(x, [&](double v) { return v < s.median; }),
              std::ranges::count_if(x, [&](double v) { return v > s.median; }));
    const double n = static_cast<double>(x.size()), sum = std::accumulate(x.begin(), x.end(), 0.0);
    ASSERT_NEAR(s.mean, sum / n, 1e-9);
    // Variance as the mean square of all differences between pairs, which needs no mean.
    double pairs = 0;
    for (const double a : x)
      for (const double b : x) pairs += (a - b) * (a - b);
    if (x.size() > 1) {
      ASSERT_NEAR(s.deviation, std::sqrt(pairs / (2 * n * (n - 1))), 1e-6);
    }
    const double fence = 1.5 * (s.third_quartile - s.first_quartile);
    ASSERT_EQ(static_cast<std::ptrdiff_t>(s.high_outliers),
              std::ranges::count_if(x, [&](double v) { return v > s.third_quartile + fence; }));
    ASSERT_EQ(static_cast<std::ptrdiff_t>(s.low_outliers),
              std::ranges::count_if(x, [&](double v) { return v < s.first_quartile - fence; }));
    // Every sample is in a bin or an outlier, and in the bin whose limits hold it.
    ASSERT_EQ(in_bins(s) + s.outliers(), s.count);
    for (std::size_t b = 0; b < s.bins.size() && s.bin_width > 0; ++b) {
      const double from = s.first_bin + static_cast<double>(b) * s.bin_width;
      const auto near = [&](double slack) {
        return static_cast<std::size_t>(
            std::ranges::count_if(x, [&](double v) { return v >= from - slack && v < from + s.bin_width + slack; }));
      };
      ASSERT_LE(s.bins[b], near(1e-9));
    }
  }
}

TEST(Times, OrderDoesNotMatterAndUnitsScale) {
  std::mt19937 random(5);
  for (int round = 0; round < 50; ++round) {
    std::vector<double> x = drawn(random);
    const TimeStatistics s = statistics(x);
    std::ranges::shuffle(x, random);
    const TimeStatistics again = statistics(x);
    EXPECT_EQ(again.bins, s.bins);
    EXPECT_EQ(again.median, s.median);
    for (double& v : x) v *= 1024;  // exact in binary
    const TimeStatistics scaled = statistics(x);
    EXPECT_NEAR(scaled.deviation, 1024 * s.deviation, 1e-6 * (1 + scaled.deviation));
    EXPECT_EQ(scaled.median, 1024 * s.median);
    EXPECT_EQ(scaled.outliers(), s.outliers());
    EXPECT_EQ(scaled.bins, s.bins);
  }
}

TEST(Times, FewEqualAndDelayedSamples) {
  EXPECT_EQ(statistics({}).count, 0u);
  EXPECT_EQ(words(statistics({})), "no samples");
  const std::vector<double> one = {7};
  EXPECT_EQ(statistics(one).median, 7);
  EXPECT_EQ(statistics(one).deviation, 0);
  EXPECT_EQ(statistics(one).bins, (std::vector<std::size_t>{1}));
  const std::vector<double> equal(9, 3.5);
  EXPECT_EQ(statistics(equal).bins, (std::vector<std::size_t>{9}));
  EXPECT_EQ(statistics(equal).outliers(), 0u);
  std::vector<double> delayed;
  for (int i = 0; i < 20; ++i) delayed.push_back(10 + 0.01 * i);
  delayed.push_back(50);
  const TimeStatistics s = statistics(delayed);
  EXPECT_EQ(s.high_outliers, 1u);
  EXPECT_LT(s.first_bin + s.bin_width * static_cast<double>(s.bins.size()), 11);  // the delayed one stretches no bin
  EXPECT_NE(words(s).find("1 outlier, 1 above"), std::string::npos) << words(s);
  const std::vector<double> even = {1, 2, 3, 10};
  EXPECT_EQ(statistics(even).median, 2.5);
}

TEST(Times, EveryBinThatHasSamplesIsSeen) {
  std::mt19937 random(6);
  for (int round = 0; round < 50; ++round) {
    const TimeStatistics s = statistics(drawn(random));
    std::size_t blanks = 0;
    for (const char c : histogram_line(s)) blanks += c == ' ';
    EXPECT_EQ(blanks, static_cast<std::size_t>(std::ranges::count(s.bins, std::size_t{0})));
    EXPECT_NE(histogram_line(s).find("█"), std::string::npos);
  }
}

}  // namespace
}  // namespace lanescope::results
