// Every permutation of up to 5 bits: the planner's number of shuffles against an exhaustive search that shares no code
// with it. The search contains nothing about assignments, words or linear maps: a lane has a set of elements, in one
// shuffle each lane shows a word of elements that it has and each lane reads the word of one lane, and what a lane does
// on its own is free.

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "kernels/convert/planner.h"
#include "tests/sample.h"

namespace lanescope::convert {
namespace {

using Set = std::uint32_t;  ///< of at most 32 elements

/// Whether some program of `shuffles` shuffles gives every lane what it needs.
class Search {
 public:
  Search(std::vector<Set> has, std::vector<Set> wants, int word)
      : wants_(std::move(wants)), word_(word), start_(std::move(has)) {}

  bool can(int shuffles) {
    seen_.clear();
    return reach(start_, shuffles);
  }

 private:
  Set missing(const std::vector<Set>& has, std::size_t lane) const { return wants_[lane] & ~has[lane]; }

  bool reach(const std::vector<Set>& has, int left) {
    bool done = true;
    for (std::size_t lane = 0; lane < has.size(); ++lane) {
      const int lacks = std::popcount(missing(has, lane));
      if (lacks > left * word_) return false;  // a shuffle brings one word
      done = done && lacks == 0;
    }
    if (done) return true;
    if (left == 0 || !seen_.insert({left, has}).second) return false;
    return left == 1 ? last(has) : every_word(has, std::vector<Set>(has.size(), 0), 0, left);
  }

  /// The last shuffle: each lane that lacks something reads it all from one lane, and the readers of a lane together
  /// need no more than a word.
  bool last(const std::vector<Set>& has) const {
    std::vector<Set> shown(has.size(), 0);
    return assign(has, shown, 0);
  }
  bool assign(const std::vector<Set>& has, std::vector<Set>& shown, std::size_t lane) const {
    while (lane < has.size() && missing(has, lane) == 0) ++lane;
    if (lane == has.size()) return true;
    const Set lacks = missing(has, lane);
    for (std::size_t from = 0; from < has.size(); ++from) {
      if ((lacks & ~has[from]) != 0 || std::popcount(shown[from] | lacks) > word_) continue;
      const Set before = shown[from];
      shown[from] |= lacks;
      if (assign(has, shown, lane + 1)) return true;
      shown[from] = before;
    }
    return false;
  }

  /// Every choice of the register that each lane offers, then of the lane that each lane reads.
  bool every_word(const std::vector<Set>& has, std::vector<Set> shown, std::size_t lane, int left) {
    if (lane == has.size()) return every_reader(has, shown, has, 0, left);
    const Set all = has[lane];
    const int count = std::min(word_, std::popcount(all));
    for (Set part = all;; part = (part - 1) & all) {  // more is never worse: full words only
      if (std::popcount(part) == count) {
        shown[lane] = part;
        if (every_word(has, shown, lane + 1, left)) return true;
      }
      if (part == 0) return false;
    }
  }
  bool every_reader(const std::vector<Set>& has, const std::vector<Set>& shown, std::vector<Set> next, std::size_t lane,
                    int left) {
    if (lane == has.size()) return reach(next, left - 1);
    std::set<Set> tried;
    for (std::size_t from = 0; from < has.size(); ++from) {
      const Set after = has[lane] | shown[from];
      if (!tried.insert(after).second) continue;
      if (std::popcount(wants_[lane] & ~after) > (left - 1) * word_) continue;
      if (left == 2 && !some_lane_could_have(has, shown, wants_[lane] & ~after)) continue;
      next[lane] = after;
      if (every_reader(has, shown, next, lane + 1, left)) return true;
    }
    return false;
  }

  /// Looks ahead: whether some choice of a reader and its source would bring all missing elements in one word.
  static bool some_lane_could_have(const std::vector<Set>& has, const std::vector<Set>& shown, Set lacks) {
    return std::ranges::any_of(has, [&](Set own) {
      return std::ranges::any_of(shown, [&](Set word) { return (lacks & ~(own | word)) == 0; });
    });
  }

  std::vector<Set> wants_;
  int word_;
  std::vector<Set> start_;
  std::set<std::pair<int, std::vector<Set>>> seen_;
};

/// Bits: slots, registers, then lanes that take part.
struct SmallCase {
  int slots, registers, lanes;
  int total() const { return slots + registers + lanes; }
};

struct Found {
  int shuffles = 0, bound = 0;
};

Found planned_case(const SmallCase& c, const std::vector<int>& order) {
  const auto text = [&](bool to) {
    const auto name = [&](int i) {
      return i < c.total() ? fmt::format(" e{}", to ? order[static_cast<std::size_t>(i)] : i) : fmt::format(" f{}", i);
    };
    std::string out = "simd:";
    for (int i = c.slots; i-- > 0;) out += name(i);
    out += "; register:";
    for (int i = c.slots + c.registers; i-- > c.slots;) out += name(i);
    out += "; thread:";
    for (int i = c.slots + c.registers + 5; i-- > c.slots + c.registers;) out += name(i);
    return out;
  };
  const Expected<Planned> p = plan(*layout::parse(text(false)), *layout::parse(text(true)), 32 >> c.slots);
  if (!p || !p->bound) {
    ADD_FAILURE() << text(true);
    return {};
  }
  return {p->plans.front().counts.shuffles, p->bound->shuffles};
}

bool search_can(const SmallCase& c, const std::vector<int>& order, int shuffles) {
  const int local = c.slots + c.registers;
  std::vector<Set> has(std::size_t{1} << c.lanes, 0), wants = has;
  for (unsigned place = 0; place < 1U << c.total(); ++place) {
    // Bit i of a place of the source is bit i of the element; of the destination it is bit order[i].
    unsigned element = 0;
    for (int i = 0; i < c.total(); ++i) {
      if ((place >> i & 1) != 0) element |= 1U << order[static_cast<std::size_t>(i)];
    }
    has[place >> local] |= Set{1} << place;
    wants[place >> local] |= Set{1} << element;
  }
  // Local bits in another order are the same question.
  static std::map<std::tuple<std::vector<Set>, std::vector<Set>, int, int>, bool> known;
  const auto [answer, fresh] = known.try_emplace({has, wants, c.slots, shuffles});
  if (fresh) answer->second = Search(has, wants, 1 << c.slots).can(shuffles);
  return answer->second;
}

TEST(SmallCases, NoProgramNeedsFewerShuffles) {
  int cases = 0, proved = 0, searched = 0;
  for (int slots = 0; slots <= 5; ++slots) {
    for (int registers = 0; slots + registers <= 5; ++registers) {
      for (int moving = 0; slots + registers + moving <= 5; ++moving) {
        const SmallCase c{slots, registers, moving};
        // 5 bits have ten times as many permutations as 4: a share of them, unless LANESCOPE_EXHAUSTIVE is set.
        const std::size_t every = c.total() < 5 ? 1 : 29;  // not a divisor of 5!
        std::size_t permutation = static_cast<std::size_t>(slots + 3 * registers);
        std::vector<int> order;
        for (int i = 0; i < c.total(); ++i) order.push_back(i);
        do {
          if (!lanescope::test::in_sample(++permutation, every)) continue;
          const Found f = planned_case(c, order);
          ++cases;
          proved += f.shuffles == f.bound ? 1 : 0;
          // Which element is where does not matter to the search where a lane holds the same sets: it is queried once
          // for each way in which local and lane bits change sides.
          if (f.shuffles > 0) {
            ++searched;
            EXPECT_FALSE(search_can(c, order, f.shuffles - 1))
                << slots << " slots, " << registers << " registers, " << moving << " lanes: " << f.shuffles
                << " shuffles, order " << fmt::format("{}", fmt::join(order, " "));
          }
        } while (std::ranges::next_permutation(order).found);
      }
    }
  }
  fmt::print("{} permutations, {} proved by the bound, {} searched\n", cases, proved, searched);
  EXPECT_EQ(proved, cases);
}

/// The search finds programs where there are some, and does not where a word too many is needed.
TEST(SmallCases, TheSearchKnowsWhatIsPossible) {
  EXPECT_TRUE(search_can({0, 1, 1}, {1, 0}, 1));  // one exchange
  EXPECT_FALSE(search_can({0, 1, 1}, {1, 0}, 0));
  EXPECT_TRUE(search_can({0, 2, 2}, {2, 3, 0, 1}, 3));  // 4 x 4 words
  EXPECT_FALSE(search_can({0, 2, 2}, {2, 3, 0, 1}, 2));
  EXPECT_TRUE(search_can({2, 0, 2}, {2, 3, 0, 1}, 2));  // 4 x 4 bytes
  EXPECT_FALSE(search_can({2, 0, 2}, {2, 3, 0, 1}, 1));
}

}  // namespace
}  // namespace lanescope::convert
