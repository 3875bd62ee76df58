#pragma once
// What can be done by one click about a problem of a line: of a claim, of a finding.

#include <string>
#include <string_view>
#include <vector>

#include "results/summary.h"

namespace lanescope::assist {

struct Fix {
  std::string title;   ///< "Write the true assignment"
  std::string effect;  ///< what it does to the text, one sentence
  std::string text;    ///< the whole text afterwards
};

/// Of a line (from 1) of the text that the run was of. The first one mends most; allowing and expecting come last.
std::vector<Fix> fixes_at(std::string_view text, int line, const results::Summary& summary);

}  // namespace lanescope::assist
