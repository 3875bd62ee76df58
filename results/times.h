#pragma once
// Repeated times as a benchmark tool reports them: a few numbers, a histogram, and the outliers by themselves.
//
// An outlier lies more than 1.5 times the distance of the quartiles beyond one of them (Tukey's fences). The histogram covers
// the samples between the fences, so that one launch that another process delayed does not flatten all others into one bar.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "results/measured.h"

namespace lanescope::results {

struct TimeStatistics {
  std::size_t count = 0;
  double least = 0, most = 0, mean = 0;
  double median = 0;     ///< of an even number of samples, the mean of the two in the middle
  double deviation = 0;  ///< standard deviation of the samples (divisor count - 1); 0 below two
  double first_quartile = 0, third_quartile = 0;  ///< interpolated between samples
  std::size_t low_outliers = 0, high_outliers = 0;
  double first_bin = 0, bin_width = 0;  ///< bins from first_bin on; 0: all samples in one bin are equal
  std::vector<std::size_t> bins{};      ///< samples of each, the outliers left out

  std::size_t outliers() const { return low_outliers + high_outliers; }
};
/// Units are those of the samples. Without samples everything is 0.
TimeStatistics statistics(std::span<const double> samples);

/// "min 10.21, median 10.40, mean 10.52 ± 0.31 us; 2 of 20 outliers (above 11.2 us)".
std::string words(const TimeStatistics& s);
/// The bins as eight heights of one line: "▁▂█▆▃▁".
std::string histogram_line(const TimeStatistics& s);

}  // namespace lanescope::results
