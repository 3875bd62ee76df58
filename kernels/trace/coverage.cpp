#include "kernels/trace/coverage.h"

#include <fmt/format.h>

namespace lanescope::trace {

namespace {

std::string block_words(const Coverage& c) {
  std::string words = fmt::format("{} of {} block{} ran", c.ran(), c.blocks, c.blocks == 1 ? "" : "s");
  if (c.midway == 0) return words;
  if (c.ran() == 1) return words + ", not to its end";
  return words + (c.midway == c.ran()
                      ? ", none of them to its end"
                      : fmt::format(", {} of them not to {} end", c.midway, c.midway == 1 ? "its" : "their"));
}

}  // namespace

std::string words_of(const Coverage& c) {
  if (c.grids_left == 0) return block_words(c);
  return block_words(c) + fmt::format(", and {} grid{} that {} launched from there did not run whole", c.grids_left,
                                      c.grids_left == 1 ? "" : "s", c.grids_left == 1 ? "was" : "were");
}

}  // namespace lanescope::trace
