// The device heap when the program has ended.

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "profiling/review/findings/rule_set.h"

namespace lanescope::review {

void heap_rules(const ReviewInput& input, std::vector<Finding>& out) {
  struct Leak {
    std::uint64_t allocations = 0, bytes = 0;
    int launch = -1;  ///< the first that makes one of them
  };
  std::map<int, Leak> lines;
  for (const LaunchReview::Allocation& a : input.left_in_heap) {
    Leak& leak = lines[a.line];
    ++leak.allocations;
    leak.bytes += a.bytes;
    const auto made = std::ranges::find_if(input.launches, [&](const ReviewInput::Ran& ran) {
      return std::ranges::any_of(ran.launch->allocations, [&](const LaunchReview::Allocation& known) {
        return known.at == a.at && known.line == a.line && !known.freed;
      });
    });
    const auto launch = static_cast<int>(made - input.launches.begin());
    if (made != input.launches.end() && (leak.launch < 0 || launch < leak.launch)) leak.launch = launch;
  }
  for (const auto& [line, leak] : lines) {
    Finding f = finding("heap-leak", line, 0,
                        fmt::format("{} of the device heap ({} bytes) {} never freed",
                                    counted(leak.allocations, "allocation", "allocations"), leak.bytes,
                                    leak.allocations == 1 ? "is" : "are"));
    f.evidence.launch = leak.launch;
    f.evidence.numbers = {{"allocations", static_cast<double>(leak.allocations)},
                          {"bytes", static_cast<double>(leak.bytes)}};
    out.push_back(std::move(f));
  }
}

}  // namespace lanescope::review
