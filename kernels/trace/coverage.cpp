#include "kernels/trace/coverage.h"

#include <fmt/format.h>

namespace lanescope::trace {

std::string words_of(const Coverage& c) {
  std::string words = fmt::format("{} of {} block{} ran", c.ran(), c.blocks, c.blocks == 1 ? "" : "s");
  if (c.midway == 0) return words;
  if (c.ran() == 1) return words + ", not to its end";
  return words + (c.midway == c.ran()
                      ? ", none of them to its end"
                      : fmt::format(", {} of them not to {} end", c.midway, c.midway == 1 ? "its" : "their"));
}

}  // namespace lanescope::trace
