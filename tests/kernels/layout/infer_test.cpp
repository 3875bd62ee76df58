// infer finds every affine map and only those; its counterexamples are real and as small as promised.

#include "kernels/layout/infer.h"
#include "tests/kernels/layout/support.h"

namespace lanescope::layout::test {
namespace {

/// The law that makes a set of observations a counterexample.
void expect_contradiction(const Counterexample& c, const std::vector<Observation>& seen) {
  std::uint64_t place = 0;
  std::uint64_t element = 0;
  for (const Observation& o : c.observations) {
    place ^= o.place;
    element ^= o.element;
    const auto same = [&](const Observation& s) { return s.place == o.place && s.element == o.element; };
    EXPECT_TRUE(std::any_of(seen.begin(), seen.end(), same)) << "it was never observed";
  }
  EXPECT_EQ(c.observations.size() % 2, 0u);
  EXPECT_EQ(place, 0u);
  EXPECT_NE(element, 0u);
  EXPECT_FALSE(c.words.empty());
}

/// All subsets of an even number of observations: the size of the smallest contradiction, 0 when there is none.
/// That is the definition itself: affine fits fail exactly where some even set has places XOR 0 and elements not.
std::size_t smallest_contradiction(const std::vector<Observation>& seen) {
  std::size_t best = 0;
  for (std::uint32_t set = 1; set < std::uint32_t{1} << seen.size(); ++set) {
    const auto count = static_cast<std::size_t>(std::popcount(set));
    if (count % 2 != 0 || (best != 0 && count >= best)) continue;
    std::uint64_t place = 0;
    std::uint64_t element = 0;
    for (std::size_t n = 0; n < seen.size(); ++n) {
      if ((set >> n & 1) == 0) continue;
      place ^= seen[n].place;
      element ^= seen[n].element;
    }
    if (place == 0 && element != 0) best = count;
  }
  return best;
}

/// No affine map with these few bits agrees, by trying all of them.
bool some_map_fits(const std::vector<Observation>& seen, int place_bits, int names) {
  const int digits = names * (place_bits + 1);
  for (std::uint64_t code = 0; code < std::uint64_t{1} << digits; ++code) {
    AffineMap f{.out_bits = names, .columns = {}, .constant = code & ((std::uint64_t{1} << names) - 1)};
    for (int p = 1; p <= place_bits; ++p) f.columns.push_back(code >> (p * names) & ((std::uint64_t{1} << names) - 1));
    if (std::all_of(seen.begin(), seen.end(), [&](const Observation& o) { return f(o.place) == o.element; }))
      return true;
  }
  return false;
}

TEST(Infer, RecoversRandomMapsFromRandomSubsets) {
  Random random(40);
  int complete = 0;
  for (int n = 0; n < 500; ++n) {
    const PhysicalShape shape = random_shape(random, 3);
    const AffineMap truth = random_map(random, shape.total(), below(random, 9));
    std::vector<Observation> seen;
    for (int k = below(random, 40); k > 0; --k) {
      const std::uint64_t place = random() & ((std::uint64_t{1} << shape.total()) - 1);
      seen.push_back({place, truth(place)});
    }
    const auto result = infer({shape, numbered("i", truth.out_bits), seen});
    ASSERT_TRUE(std::holds_alternative<Inference>(result));
    const Inference& found = std::get<Inference>(result);
    for (const Observation& o : seen) EXPECT_EQ(found.map(o.place), o.element);
    EXPECT_EQ(found.complete, found.unobserved.empty());
    EXPECT_EQ(found.map(0), found.constant);
    if (found.complete && !seen.empty()) {
      EXPECT_EQ(found.map, truth);
    }
    complete += found.complete;
  }
  EXPECT_GT(complete, 100);
}

TEST(Infer, AgreesWithTryingEveryMap) {
  // Two place bits and two names have 64 maps, three and two 256: try them all on arbitrary observations.
  Random random(41);
  int fits = 0;
  for (int n = 0; n < 1500; ++n) {
    const int place_bits = 2 + below(random, 2);
    std::vector<Observation> seen;
    for (int k = 1 + below(random, 7); k > 0; --k) {
      seen.push_back({random() & ((std::uint64_t{1} << place_bits) - 1), random() & 3});
    }
    const auto result = infer({PhysicalShape{{0, place_bits, 0, 0, 0}}, {"i0", "i1"}, seen});
    const bool fit = some_map_fits(seen, place_bits, 2);
    ASSERT_EQ(std::holds_alternative<Inference>(result), fit);
    EXPECT_EQ(smallest_contradiction(seen) == 0, fit) << "the two definitions agree";
    fits += fit;
  }
  EXPECT_GT(fits, 100);
}

TEST(Infer, CounterexamplesAreRealAndSmall) {
  Random random(42);
  std::map<std::size_t, int> sizes;
  for (int n = 0; n < 1500; ++n) {
    const int place_bits = 3 + below(random, 4);
    const AffineMap truth = random_map(random, place_bits, 3);
    std::vector<Observation> seen;
    for (int k = 4 + below(random, 8); k > 0; --k) {
      const std::uint64_t place = random() & ((std::uint64_t{1} << place_bits) - 1);
      seen.push_back({place, truth(place) ^ (below(random, 8) == 0 ? 1u + random() % 7 : 0)});
    }
    const auto result = infer({PhysicalShape{{0, 1, place_bits - 1, 0, 0}}, {"i0", "i1", "j0"}, seen});
    const std::size_t smallest = smallest_contradiction(seen);
    ASSERT_EQ(std::holds_alternative<Counterexample>(result), smallest != 0);
    if (smallest == 0) continue;
    const auto& c = std::get<Counterexample>(result);
    expect_contradiction(c, seen);
    ++sizes[c.observations.size()];
    if (smallest <= 4) {
      EXPECT_EQ(c.observations.size(), smallest) << c.words;
    }
    EXPECT_EQ(smallest_contradiction(c.observations), c.observations.size())
        << "something can be left out: " << c.words;
  }
  EXPECT_GT(sizes[2], 50);
  EXPECT_GT(sizes[4], 50);
  EXPECT_GT(sizes[6], 5) << "don't-care places can hide every parallelogram";
}

TEST(Infer, OneWrongPlaceAmongManyGivesAParallelogram) {
  Random random(43);
  for (int n = 0; n < 20; ++n) {
    const AffineMap truth = random_map(random, 14, 10);
    std::vector<Observation> seen = observe_all(truth);
    std::shuffle(seen.begin(), seen.end(), random);
    seen[static_cast<std::size_t>(below(random, 16384))].element ^= 1;
    const auto result = infer({PhysicalShape{{2, 3, 5, 4, 0}}, numbered("i", 10), seen});
    ASSERT_TRUE(std::holds_alternative<Counterexample>(result));
    EXPECT_EQ(std::get<Counterexample>(result).observations.size(), 4u);
    expect_contradiction(std::get<Counterexample>(result), seen);
  }
}

TEST(Infer, SaysCounterexamplesInCoordinates) {
  const PhysicalShape shape{{0, 1, 1, 0, 0}};
  const std::vector<std::string> names = {"j0", "j1", "j2", "i0", "i1"};
  const auto at = [](std::uint64_t i, std::uint64_t j) { return i << 3 | j; };
  const std::vector<Observation> square = {{0, at(0, 0)}, {1, at(0, 1)}, {2, at(3, 4)}, {3, at(3, 1)}};
  const auto odd = infer({shape, names, square});
  ASSERT_TRUE(std::holds_alternative<Counterexample>(odd));
  EXPECT_EQ(
      std::get<Counterexample>(odd).words,
      "lane 1, register 1 holds (j=1, i=3), where 3 other places predict (j=5, i=3): "
      "lane 0, register 0 holds (j=0, i=0); lane 0, register 1 holds (j=1, i=0); lane 1, register 0 holds (j=4, i=3)");
  const std::vector<Observation> twice = {{0, 0}, {1, 1}, {0, at(2, 5)}};
  EXPECT_EQ(std::get<Counterexample>(infer({shape, names, twice})).words,
            "lane 0, register 0 holds both (j=0, i=0) and (j=5, i=2)");
}

TEST(Infer, ConstantsBroadcastsAndWhatFollows) {
  const PhysicalShape shape{{1, 1, 2, 0, 0}};
  // s0 = k0 inverted; r0 = j0; t0 flips i0 and i1 together; t1 changes nothing; k1 is always 1.
  const AffineMap truth{5, {1, 4, 8 | 16, 0}, 1 | 2};
  const auto seen = observe_all(truth);
  const auto result = infer({shape, {"k0", "k1", "j0", "i0", "i1"}, seen});
  ASSERT_TRUE(std::holds_alternative<Inference>(result));
  const Inference& found = std::get<Inference>(result);
  EXPECT_EQ(print_line(found.assignment), "simd: k0+1; register: j0; thread: [unused] i0");
  EXPECT_EQ(found.constant_bits, std::vector<std::string>{"k1"});
  EXPECT_EQ(found.unsaid, std::vector<std::string>{"i1"});
  EXPECT_EQ(found.constant, 3u);
}

TEST(Infer, PlacesNotSeenAreNotClaimed) {
  const PhysicalShape shape{{0, 0, 3, 0, 0}};
  const std::vector<Observation> lower_half = {{0, 0}, {1, 1}, {2, 2}, {3, 3}};
  const auto result = infer({shape, numbered("i", 3), lower_half});
  const Inference& found = std::get<Inference>(result);
  EXPECT_FALSE(found.complete);
  ASSERT_EQ(found.unobserved.size(), 1u);
  EXPECT_EQ(to_string(found.unobserved[0]), "t2");
}

TEST(Infer, NothingObservedIsNothingKnown) {
  const auto result = infer({PhysicalShape{{0, 2, 0, 0, 0}}, {"i0"}, {}});
  ASSERT_TRUE(std::holds_alternative<Inference>(result));
  EXPECT_FALSE(std::get<Inference>(result).complete);
}

TEST(Infer, SixtyFourBitsOnEitherSide) {
  Random random(44);
  const AffineMap truth = random_map(random, 64, 64);
  std::vector<Observation> seen;
  for (int n = 0; n < 300; ++n) {
    const std::uint64_t place = random();
    seen.push_back({place, truth(place)});
  }
  const PhysicalShape shape{{5, 14, 5, 10, 30}};
  const auto result = infer({shape, numbered("i", 64), seen});
  ASSERT_TRUE(std::holds_alternative<Inference>(result));
  EXPECT_EQ(std::get<Inference>(result).map, truth);
  seen.back().element ^= 1;
  expect_contradiction(std::get<Counterexample>(infer({shape, numbered("i", 64), seen})), seen);
}

}  // namespace
}  // namespace lanescope::layout::test
