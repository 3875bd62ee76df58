// Laws of the algebra on random maps, against enumeration, and the published compositions.

#include "tests/kernels/layout/basis_list.h"
#include "tests/kernels/layout/support.h"

namespace lanescope::layout::test {
namespace {

TEST(AffineMap, EvaluationIsAffine) {
  // f(x) + f(y) + f(0) = f(x + y): the constant is counted three times on the left, once on the right.
  Random random(10);
  for (int n = 0; n < 200; ++n) {
    const AffineMap f = random_map(random, 64, 64);
    const std::uint64_t x = random();
    const std::uint64_t y = random();
    EXPECT_EQ(f(x) ^ f(y) ^ f(0), f(x ^ y));
  }
}

/// x -> outer(inner(x)). inner.out_bits == outer.in_bits().
AffineMap compose(const AffineMap& outer, const AffineMap& inner) {
  AffineMap f{.out_bits = outer.out_bits, .columns = {}, .constant = outer(inner.constant)};
  for (const std::uint64_t column : inner.columns) f.columns.push_back(outer(column) ^ outer.constant);
  return f;
}

TEST(AffineMap, ComposeIsApplicationInTurn) {
  Random random(11);
  for (int n = 0; n < 300; ++n) {
    const int a = below(random, 7);
    const int b = below(random, 7);
    const AffineMap inner = random_map(random, a, b);
    const AffineMap outer = random_map(random, b, below(random, 7));
    const AffineMap both = compose(outer, inner);
    for (std::uint64_t x = 0; x < std::uint64_t{1} << a; ++x) EXPECT_EQ(both(x), outer(inner(x)));
  }
}

TEST(AffineMap, InverseExistsExactlyForBijections) {
  Random random(12);
  int bijections = 0;
  for (int n = 0; n < 500; ++n) {
    const int bits = below(random, 6);
    const AffineMap f = random_map(random, bits, below(random, 4) == 0 ? below(random, 6) : bits);
    std::vector<std::uint64_t> images;
    for (const Observation& o : observe_all(f)) images.push_back(o.element);
    std::sort(images.begin(), images.end());
    const bool injective = std::adjacent_find(images.begin(), images.end()) == images.end();
    const std::optional<AffineMap> g = invert(f);
    ASSERT_EQ(g.has_value(), injective && f.out_bits == bits);
    if (!g) continue;
    ++bijections;
    EXPECT_EQ(compose(*g, f), identity_map(bits));
    EXPECT_EQ(compose(f, *g), identity_map(bits));
    EXPECT_EQ(invert(*g), f);
  }
  EXPECT_GT(bijections, 50);
}

TEST(AffineMap, RankIsTheLogarithmOfTheNumberOfImages) {
  Random random(13);
  for (int n = 0; n < 200; ++n) {
    const AffineMap f = random_map(random, below(random, 8), below(random, 8));
    std::vector<std::uint64_t> images;
    for (const Observation& o : observe_all(f)) images.push_back(o.element);
    std::sort(images.begin(), images.end());
    images.erase(std::unique(images.begin(), images.end()), images.end());
    EXPECT_EQ(std::uint64_t{1} << rank(f), images.size());
  }
}

/// The smallest z with outer(z) == y, by looking at all of them.
std::optional<std::uint64_t> smallest_preimage(const AffineMap& outer, std::uint64_t y) {
  for (std::uint64_t z = 0; z < std::uint64_t{1} << outer.in_bits(); ++z) {
    if (outer(z) == y) return z;
  }
  return std::nullopt;
}

TEST(AffineMap, RightInverseIsTheSmallestPreimage) {
  Random random(14);
  for (int n = 0; n < 300; ++n) {
    const AffineMap f = random_map(random, below(random, 7), below(random, 6));
    const std::optional<AffineMap> g = right_inverse(f);
    ASSERT_TRUE(g);
    for (const Observation& o : observe_all(f)) {
      EXPECT_EQ(f((*g)(o.element)), o.element);
      EXPECT_EQ((*g)(o.element), *smallest_preimage(f, o.element));
    }
  }
}

using Bases = std::vector<std::vector<int>>;

/// The lists of one published layout in the order of `order`, all in one.
Bases joined(const nlohmann::json& lists, const std::vector<std::string>& order) {
  Bases out;
  for (const std::string& key : order) {
    for (const auto& basis : lists[key]) out.push_back(basis.get<std::vector<int>>());
  }
  return out;
}

/// Input bit counts of a layout, first list lowest: what `unpack` needs to turn its inputs back into coordinates.
std::vector<int> sizes(const nlohmann::json& lists, const std::vector<std::string>& order) {
  std::vector<int> out;
  for (const std::string& key : order) out.push_back(static_cast<int>(lists[key].size()));
  return out;
}

TEST(PublishedAlgebra, Compose) {
  // l1 answers in (out1, out2), which are the inputs of l2: its coordinates are packed so that out1 lies lowest.
  int checked = 0;
  for (const auto& row : published()["algebra"]) {
    if (row["op"] != "compose") continue;
    Bases inner_bases = joined(row["l1"], {"in1", "in2"});
    for (auto& basis : inner_bases) std::reverse(basis.begin(), basis.end());
    const std::vector<int> in_sizes = sizes(row["l2"], {"out2", "out1"});
    const Bases outer_bases = joined(row["l2"], {"out1", "out2"});
    const Bases expected = joined(row["expect"], {"in1", "in2"});
    Bases both = outer_bases;
    both.insert(both.end(), expected.begin(), expected.end());
    const Packing result = packing_for(both);
    const AffineMap f = compose(*map_of_bases(outer_bases, result), *map_of_bases(inner_bases, Packing{in_sizes}));
    EXPECT_EQ(f, *map_of_bases(expected, result));
    EXPECT_EQ(rank(f) == f.out_bits, row["surjective"].get<bool>());
    ++checked;
  }
  EXPECT_EQ(checked, 1);
}

TEST(Packing, UnpackAfterPackIsTheIdentity) {
  Random random(16);
  for (int n = 0; n < 300; ++n) {
    Packing p;
    std::vector<int> coordinates;
    for (int axis = below(random, 5); axis > 0; --axis) {
      p.bits.push_back(below(random, 9));
      coordinates.push_back(below(random, 1 << p.bits.back()));
    }
    const std::optional<std::uint64_t> word = p.pack(coordinates);
    ASSERT_TRUE(word);
    EXPECT_EQ(p.unpack(*word), coordinates);
  }
  EXPECT_FALSE((Packing{{2}}.pack(std::vector<int>{4})));
  EXPECT_FALSE((Packing{{2}}.pack(std::vector<int>{-1})));
  EXPECT_FALSE((Packing{{2}}.pack(std::vector<int>{1, 1})));
}

TEST(PhysicalShape, BitsOfAPlace) {
  const PhysicalShape s{{1, 2, 5, 0, 3}};
  EXPECT_EQ(s.total(), 11);
  EXPECT_EQ(s.offset(Place::thread), 3);
  EXPECT_EQ(to_string(s.bit_at(0)), "s0");
  EXPECT_EQ(to_string(s.bit_at(2)), "r1");
  EXPECT_EQ(to_string(s.bit_at(8)), "b0") << "rows of no bits are passed over";
}

}  // namespace
}  // namespace lanescope::layout::test
