#pragma once
// A kernel's text to its findings, as the review is wired up: compiled plain and probed, run by the
// emulator with a collector watching, claims judged.

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "profiling/review/observe/collector.h"
#include "profiling/review/review.h"
#include "tests/sample.h"

namespace lanescope::review {

struct Reviewed {
  std::vector<Finding> findings;
  std::vector<std::string> expected;  ///< of the file's own comments
  std::string problem;                ///< why there is no review; findings of the text alone may still be there
  // Bytes that the last launch's review kept, and the number of its watched blocks.
  std::size_t address_bytes = 0, writer_bytes = 0;
  std::uint64_t watched_blocks = 0;
};

struct Budgets {
  Budget review;
  std::size_t identity_bytes = std::size_t{256} << 20;
  std::uint64_t identified_blocks = ~std::uint64_t{0};
};
Reviewed reviewed(const std::string& text, const std::string& file = "k.cu", const Budgets& budgets = {});

/// Schedules under which a verdict about races must be the same.
inline std::uint64_t schedules() { return test::exhaustive() ? 100 : 25; }

/// The rules of the races that each of the schedules with the seeds 1 .. `seeds` shows.
std::vector<std::set<std::string>> races_by_seed(const std::string& text, std::uint64_t seeds);

std::string file_text(const std::string& path);
/// "rule:line" of each finding, ascending; `notes`: those that only note something, too.
std::vector<std::string> places(const Reviewed& r, bool notes = true);
std::vector<Finding> of_rule(const Reviewed& r, std::string_view rule);
/// All findings, one per line, to print with a failure.
std::string words(const Reviewed& r);

}  // namespace lanescope::review
