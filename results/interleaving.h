#pragma once
// What two threads did at one place in memory, as a table that is read from top to bottom, and what another order would do.

#include <string>
#include <vector>

#include "results/summary.h"

namespace lanescope::results {

struct Interleaving {
  std::string first, second;  ///< "warp 0, lane 3"; with the block where it is another one
  struct Row {
    bool of_second = false;
    std::string does;  ///< "writes 5"
    int line = 0;      ///< 0: not known
    bool operator==(const Row&) const = default;
  };
  std::vector<Row> rows;    ///< in the order of this run; empty: there is no table
  std::string consequence;  ///< a sentence
};

/// Of a finding about two threads; without rows where it has no two.
Interleaving interleaving_of(const FindingInfo& finding);

}  // namespace lanescope::results
