// Conversions through shared memory: right place by place, and without bank conflicts.

#include "kernels/convert/shared_plan.h"

#include <gtest/gtest.h>

#include "tests/kernels/convert/random_pairs.h"

namespace lanescope::convert {
namespace {

TEST(SharedPlan, EveryRandomPairIsRightAndWithoutConflicts) {
  RandomPairs random(2);
  int conflicts = 0, plans = 0;
  for (const Kind kind : {Kind::permutation, Kind::linear, Kind::spare}) {
    for (const int bits : {1, 2, 4, 8, 16, 32, 64, 128}) {
      for (int n = 0; n < 40; ++n) {
        const Pair p = random.pair(kind, bits, 3, random.any(3));
        const Expected<PlaceMap> m = place_map(p.from, p.to, bits);
        ASSERT_TRUE(m.has_value()) << layout::print(p.from) << layout::print(p.to) << m.error().front().message;
        const std::optional<SharedPlan> plan = shared_plan(*m);
        ASSERT_TRUE(plan.has_value()) << layout::print(p.from) << layout::print(p.to);
        ASSERT_EQ(disprove(*plan, *m), "") << bits << " bits\n" << layout::print(p.from) << "\n" << layout::print(p.to);
        ++plans;
        if (plan->cost().conflicts > 0) {
          ++conflicts;
          if (conflicts < 4)
            std::cout << bits << " bits " << plan->cost().conflicts << " unit " << plan->unit_bytes << " v "
                      << plan->vector_bits << "\n"
                      << layout::print(p.from) << "\n"
                      << layout::print(p.to);
        }
      }
    }
  }
  std::cout << conflicts << " of " << plans << "\n";
  EXPECT_EQ(conflicts, 0);
}

}  // namespace
}  // namespace lanescope::convert
