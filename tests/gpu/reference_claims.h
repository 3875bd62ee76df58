#pragma once
// Published statements on the speed of one kernel against another, and how to show whether they hold here.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::gpu_test {

enum class Criterion : std::uint8_t {
  half_of_effect,  ///< at least 1 + (stated ratio - 1) / 2
  same,            ///< within 10 %
  faster,          ///< more than 3 % faster; where no number is stated
  not_slower,      ///< at most 3 % slower
};
/// As words of the results.
std::string criterion_words(Criterion criterion, double stated_ratio);
/// `ratio`: time of the slow one over that of the fast one, as measured.
bool holds(Criterion criterion, double stated_ratio, double ratio);

/// Who says it: the document, and the GPU that it was measured on (empty: none is named).
struct Origin {
  std::string_view document, gpu;
};

struct Claim {
  std::string_view experiment;
  Origin origin;
  std::string_view states;                     ///< in our words
  double slow_us = 0, fast_us = 0, ratio = 0;  ///< as stated; 0: no number
  std::string_view slow, fast;                 ///< names of variants
  Criterion criterion = Criterion::half_of_effect;
  std::vector<std::string_view> reasons{};  ///< counters that could say why, and names of no_counters
};
/// Facts beside the counters: bytes that have to move over the time it took; shared memory of a block in
/// bytes; grids that the kernels launch.
inline constexpr std::string_view useful_rate = "useful_gb_per_s", shared_bytes = "shared_bytes_a_block",
                                  launched_grids = "grids_that_kernels_launch";

std::span<const Claim> claims();
/// About course_variants().
std::span<const Claim> course_claims();

/// Counters of every run, with their suffixes, by name.
std::vector<std::string> reference_counters();
std::vector<std::string> course_counters();

}  // namespace lanescope::gpu_test
