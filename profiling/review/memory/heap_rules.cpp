// The device heap when the program has ended.

#include <map>

#include <fmt/format.h>

#include "profiling/review/findings/rule_set.h"

namespace lanescope::review {

void heap_rules(const ReviewInput& input, std::vector<Finding>& out) {
  struct Leak {
    std::uint64_t allocations = 0, bytes = 0;
  };
  std::map<int, Leak> lines;
  for (const LaunchReview::Allocation& a : input.left_in_heap) {
    Leak& leak = lines[a.line];
    ++leak.allocations;
    leak.bytes += a.bytes;
  }
  for (const auto& [line, leak] : lines) {
    Finding f = finding("heap-leak", line, 0,
                        fmt::format("{} of the device heap ({} bytes) {} never freed",
                                    counted(leak.allocations, "allocation", "allocations"), leak.bytes,
                                    leak.allocations == 1 ? "is" : "are"));
    f.evidence.numbers = {{"allocations", static_cast<double>(leak.allocations)},
                          {"bytes", static_cast<double>(leak.bytes)}};
    out.push_back(std::move(f));
  }
}

}  // namespace lanescope::review
