#pragma once
// Why a measured counter is not the predicted one. The list of causes is closed: any other difference is reported as
// unexplained.

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace lanescope::counters {

/// Both values of a counter, where both are known.
struct Pair {
  double predicted = 0, measured = 0;
};
using PairOf = std::function<std::optional<Pair>(std::string_view name)>;

enum class Cause : unsigned char {
  agrees,
  arbitration,  ///< wavefronts lost among many warps, and conflicts: the same count without them (smsp__sass_*) agrees
  system,    ///< code that is not of the module (printf, assert, malloc, launches from the device): its pipeline counts
  compiler,  ///< the machine code has other instructions than the PTX: their counts differ, too
  cache,     ///< the earlier contents of a cache decide it, which no prediction has
  clock,     ///< a time, or a share of one
  unexplained,
};
std::string_view to_string(Cause cause);

struct Explanation {
  Cause cause = Cause::agrees;
  std::string words;  ///< a sentence with the counts that prove it; empty where they agree
};

/// `pair` answers for `name` and for the counters that can prove a cause.
Explanation explain(std::string_view name, const PairOf& pair);

}  // namespace lanescope::counters
