#include "results/times.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace lanescope::results {
namespace {

constexpr std::size_t least_bins = 5, most_bins = 40;

/// Between the samples around position share * (count - 1).
double quantile(const std::vector<double>& sorted, double share) {
  const double position = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

/// Width after Freedman and Diaconis: two quartile distances over the cube root of the count.
std::size_t bins_for(double range, double quartiles, std::size_t count) {
  if (!(range > 0)) return 1;
  const double width = 2 * quartiles / std::cbrt(static_cast<double>(count));
  if (!(width > 0)) return least_bins;
  return std::clamp(static_cast<std::size_t>(std::ceil(range / width)), least_bins, most_bins);
}

}  // namespace

TimeStatistics statistics(std::span<const double> samples) {
  TimeStatistics s{.count = samples.size()};
  if (samples.empty()) return s;
  std::vector<double> sorted(samples.begin(), samples.end());
  std::ranges::sort(sorted);
  s.least = sorted.front(), s.most = sorted.back();
  s.median = quantile(sorted, 0.5);
  s.first_quartile = quantile(sorted, 0.25), s.third_quartile = quantile(sorted, 0.75);
  double sum = 0;
  for (const double x : sorted) sum += x;
  s.mean = sum / static_cast<double>(sorted.size());
  double squares = 0;
  for (const double x : sorted) squares += (x - s.mean) * (x - s.mean);
  if (sorted.size() > 1) s.deviation = std::sqrt(squares / static_cast<double>(sorted.size() - 1));

  const double quartiles = s.third_quartile - s.first_quartile;
  const double low = s.first_quartile - 1.5 * quartiles, high = s.third_quartile + 1.5 * quartiles;
  const auto first = std::ranges::lower_bound(sorted, low), last = std::ranges::upper_bound(sorted, high);
  s.low_outliers = static_cast<std::size_t>(first - sorted.begin());
  s.high_outliers = static_cast<std::size_t>(sorted.end() - last);
  const std::span<const double> inside(first, last);
  s.first_bin = inside.front();
  const double range = inside.back() - inside.front();
  s.bins.assign(bins_for(range, quartiles, sorted.size()), 0);
  s.bin_width = range / static_cast<double>(s.bins.size());
  for (const double x : inside) {
    const double at = s.bin_width > 0 ? (x - s.first_bin) / s.bin_width : 0;
    ++s.bins[std::min(static_cast<std::size_t>(at), s.bins.size() - 1)];
  }
  return s;
}

std::string words(const TimeStatistics& s) {
  if (s.count == 0) return "no samples";
  std::string text = fmt::format("min {:.2f}, median {:.2f}, mean {:.2f} ± {:.2f}, max {:.2f} us of {}", s.least,
                                 s.median, s.mean, s.deviation, s.most, s.count);
  if (s.outliers() == 0) return text + "; no outliers";
  const double quartiles = s.third_quartile - s.first_quartile;
  text += fmt::format("; {} outlier{}", s.outliers(), s.outliers() == 1 ? "" : "s");
  if (s.high_outliers > 0)
    text += fmt::format(", {} above {:.2f} us", s.high_outliers, s.third_quartile + 1.5 * quartiles);
  if (s.low_outliers > 0)
    text += fmt::format(", {} below {:.2f} us", s.low_outliers, s.first_quartile - 1.5 * quartiles);
  return text;
}

std::string histogram_line(const TimeStatistics& s) {
  static constexpr std::array<std::string_view, 9> heights = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const std::size_t most = s.bins.empty() ? 0 : std::ranges::max(s.bins);
  std::string line;
  for (const std::size_t n : s.bins)  // a bin that is not empty is seen
    line += heights[n == 0 ? 0 : 1 + (n * 7) / most];
  return line;
}

}  // namespace lanescope::results
