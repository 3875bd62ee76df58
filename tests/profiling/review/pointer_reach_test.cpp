// Stated arrays against a list of their elements.

#include "profiling/review/memory/pointer_reach.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace lanescope::review {
namespace {

TEST(StatedBox, ContainsItsElementsAndNoOthers) {
  std::mt19937 random(20261128);
  const auto up_to = [&](std::int64_t most) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most + 1));
  };
  int contiguous = 0;
  for (int round = 0; round < 2000; ++round) {
    source::StatedArray stated;
    std::int64_t stride = 1;
    for (std::int64_t d = up_to(3); d >= 0; --d) {
      const std::int64_t extent = 1 + up_to(5);
      stated.shape.push_back(extent);
      // Contiguous, with gaps, or any, so that some overlap.
      const std::int64_t gap = round % 3 == 1 ? up_to(4) : 0;
      stated.strides.push_back(round % 3 == 2 ? up_to(9) : stride + gap);
      stride = (stride + gap) * extent;
    }
    const StatedBox box(stated);
    std::set<std::int64_t> elements;
    box.for_each_offset([&](std::int64_t offset) { elements.insert(offset); });
    contiguous += static_cast<std::int64_t>(elements.size()) == box.span() + 1 ? 1 : 0;
    for (std::int64_t offset = -3; offset <= box.span() + 3; ++offset)
      ASSERT_EQ(box.contains(offset), elements.contains(offset)) << "round " << round << ", offset " << offset;
  }
  EXPECT_GT(contiguous, 500);
}

}  // namespace
}  // namespace lanescope::review
