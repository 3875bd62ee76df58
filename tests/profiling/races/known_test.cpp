// Ranges of threads with what is known of each: united ones know the most of all, thread by thread.

#include "profiling/races/order.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace lanescope::races {
namespace {

TEST(Known, UnitedRangesKnowTheMostOfEachThread) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 2000; ++round) {
    Gathering gathering;
    std::map<std::uint64_t, std::uint64_t> most;
    for (int g = 0; g < 3; ++g) {
      Ranges ranges;
      for (int i = static_cast<int>(random() % 6); i >= 0; --i) {
        const std::uint64_t first = random() % 20;
        const Range r{first, first + random() % 8, random() % 5};
        for (std::uint64_t t = r.first; t < r.end; ++t) most[t] = std::max(most[t], r.before);
        if (g == 0)
          gathering.add(r);
        else
          ranges.push_back(r);
      }
      if (g != 0) gathering.add(std::make_shared<const Ranges>(united(ranges)));
    }
    const Known all = gathering.take();
    for (std::uint64_t t = 0; t < 32; ++t) ASSERT_EQ(known_before(all, t), most[t]) << round << " " << t;
    for (std::size_t i = 1; all != nullptr && i < all->size(); ++i) {
      ASSERT_LE((*all)[i - 1].end, (*all)[i].first);
      ASSERT_TRUE((*all)[i - 1].end < (*all)[i].first || (*all)[i - 1].before != (*all)[i].before) << "not joined";
    }
  }
}

TEST(Known, OneValueIsNotCopied) {
  const Known one = std::make_shared<const Ranges>(Ranges{{0, 32, 9}});
  Gathering gathering;
  gathering.add(one);
  gathering.add(one);
  gathering.add(Known{});
  EXPECT_EQ(gathering.take(), one);
  EXPECT_EQ(Gathering{}.take(), nullptr);
  EXPECT_EQ(known_before(nullptr, 3), 0u);
}

}  // namespace
}  // namespace lanescope::races
