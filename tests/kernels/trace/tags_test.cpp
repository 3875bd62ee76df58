// Laws of the tag pool, and questions to a recorded run against replaying it from the start.

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "kernels/trace/trace.h"

namespace lanescope::trace {
namespace {

TagPool pool_with(int element_bits, std::uint32_t words) {
  TagPool pool;
  pool.space.buffers = {{0, words, 32, true}, {words, words, element_bits, true}};
  return pool;
}

TEST(TagPool, InterningIsTheInverseOfBits) {
  TagPool pool = pool_with(8, 64);
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    WordBits bits{};
    for (std::size_t b = 0; b < 32; ++b) {
      const auto kind = random() % 8;
      const std::vector<std::uint64_t> pair{random() % 50, 50 + random() % 50};
      if (b != 0 && kind < 4 && bits[b - 1].kind() == BitKind::source)
        bits[b].raw = bits[b - 1].raw + 1;
      else if (kind < 5)
        bits[b] = BitTag::source(random() % 4000, random() % 2 != 0);
      else if (kind == 5)
        bits[b] = BitTag::parity(pool.intern_set(pair), random() % 2 != 0);
      else if (kind == 6)
        bits[b] = BitTag::computed(pool.intern_set(pair));
    }
    const WordTag tag = pool.intern(bits);
    EXPECT_EQ(pool.bits(tag), bits);
    EXPECT_EQ(pool.intern(bits), tag);
    std::uint32_t mask = 0;
    for (std::size_t b = 0; b < 32; ++b) mask |= bits[b].kind() != BitKind::none ? 1u << b : 0u;
    EXPECT_EQ(tag == no_data ? 0u : pool.data_mask(tag), mask);
  }
}

TEST(TagPool, WholeWordsCostNothing) {
  TagPool pool = pool_with(32, 8);
  EXPECT_EQ(pool.intern(WordBits{}), no_data);
  EXPECT_EQ(pool.intern(pool.bits(TagPool::source_word(5))), TagPool::source_word(5));
}

TEST(TagPool, UnionsAreSets) {
  TagPool pool = pool_with(32, 1 << 20);
  std::mt19937_64 random(2);
  std::vector<std::uint64_t> all;
  std::uint32_t sum = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::uint64_t element = random() % 1000;
    const std::uint32_t one = pool.intern_set({&element, 1});
    sum = i == 0 ? one : i % 2 == 0 ? pool.set_union(sum, one) : pool.set_union(one, sum);
    all.push_back(element);
    EXPECT_EQ(pool.set_union(sum, sum), sum);
  }
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  EXPECT_TRUE(std::ranges::equal(pool.set(sum), all));
  EXPECT_EQ(pool.set_union(sum, TagPool::too_many), TagPool::too_many);
}

TEST(TagPool, AddingTheSameAgainMakesNothingNew) {
  TagPool pool = pool_with(32, 64);
  std::uint64_t elements[40];
  for (std::uint64_t i = 0; i < 40; ++i) elements[i] = i;
  std::uint32_t sum = pool.intern_set(elements);
  const std::uint32_t one = pool.intern_set({&elements[7], 1});
  EXPECT_EQ(pool.set_union(sum, one), sum);
}

TEST(TagPool, ElementKinds) {
  TagPool pool = pool_with(16, 8);  // buffer 1: two halves per word, words 8..15
  using Kind = ElementTag::Kind;
  const WordTag word = TagPool::source_word(9);
  EXPECT_EQ(pool.element(no_data, 0, 32).kind, Kind::none);
  EXPECT_EQ(pool.element(TagPool::source_word(3), 0, 32), (ElementTag{Kind::exact, 0, 3, 1}));
  EXPECT_EQ(pool.element(word, 16, 16), (ElementTag{Kind::exact, 1, 3, 1}));
  EXPECT_EQ(pool.element(word, 0, 32).kind, Kind::mixed);
  EXPECT_EQ(pool.element(word, 0, 32).count, 2u);
  EXPECT_EQ(pool.element(TagPool::source_word(3), 0, 8).kind, Kind::partial);
  WordBits bits{};
  std::ranges::copy_n(pool.bits(word).begin(), 16, bits.begin());
  EXPECT_EQ(pool.element(pool.intern(bits), 0, 32).kind, Kind::partial);
  std::ranges::reverse(bits.begin(), bits.begin() + 16);
  EXPECT_EQ(pool.element(pool.intern(bits), 0, 16), (ElementTag{Kind::computed, 1, 2, 1}));
  EXPECT_EQ(pool.sources(word, 0, 32), (std::vector<std::pair<int, std::uint64_t>>{{1, 2}, {1, 3}}));
}

/// Random writes to one variable and to shared memory; every question must agree with a replay.
TEST(Trace, QuestionsAgreeWithReplaying) {
  Trace t;
  t.launch.block = {64, 1, 1};
  t.shared_bytes = 256;
  t.tags.space.buffers = {{0, 4096, 32, true}};
  Recorder recorder(t, {});
  std::mt19937 random(3);
  constexpr int steps = 3000;
  for (int s = 0; s < steps; ++s) {
    Where where{.step = static_cast<std::uint64_t>(s),
                .block = 0,
                .warp = static_cast<std::uint32_t>(random() % 2),
                .pc = 1,
                .active = static_cast<std::uint32_t>(random())};
    recorder.on_step(where);
    std::array<std::uint32_t, 32> values{};
    std::array<WordTag, 32> tags{};
    std::array<std::uint64_t, 32> addresses{};
    for (std::size_t l = 0; l < 32; ++l) {
      values[l] = static_cast<std::uint32_t>(random());
      tags[l] = random() % 3 == 0 ? no_data : TagPool::source_word(static_cast<std::uint32_t>(random() % 4096));
      addresses[l] = random() % 64 * 4 + (s % 4 == 3 ? 1 : 0);
    }
    if (s % 2 == 0)
      recorder.on_probe({where, 1, s % 4 == 0 ? 1 : 2, 0, values, tags});
    else
      recorder.on_access(
          {where, MemorySpace::shared, AccessKind::store, s % 4 == 3 ? 1 : 4, false, false, addresses, values, tags});
    if (s == 1000) t.registers_at(500, 0, {1, 0});  // the index grows later
  }
  std::vector<WordState> registers(2);
  std::vector<SharedByte> shared(64);
  for (int s = 0; s < steps; ++s) {
    const StepRecord& step = t.steps[static_cast<std::size_t>(s)];
    for (const ProbeRecord& p : t.probes_at(static_cast<std::uint64_t>(s)))
      if (p.variable == 1)
        for (std::size_t l = 0; l < 32; ++l)
          if (p.mask >> l & 1) {
            registers[step.warp].values[l] = p.values[l];
            registers[step.warp].tags[l] = p.tags[l];
            registers[step.warp].defined |= 1u << l;
          }
    if (const auto a = t.access_at(static_cast<std::uint64_t>(s)))
      for (std::size_t l = 0; l < 32; ++l)
        if (a->mask >> l & 1) {
          SharedByte& word = shared[a->addresses[l] / 4];
          const std::uint32_t shift = a->width_bytes == 1 ? 8 * (a->addresses[l] % 4) : 0;
          const std::uint32_t keep = a->width_bytes == 1 ? ~(0xffu << shift) : 0;
          word.value = (word.value & keep) | ((a->values[l] << shift) & ~keep);
        }
    if (s % 37 != 0) continue;
    const auto got = t.registers_at(s, 0, {1, 0});
    for (std::size_t w = 0; w < 2; ++w) {
      ASSERT_EQ(got[w].defined, registers[w].defined);
      ASSERT_EQ(got[w].values, registers[w].values);
      ASSERT_EQ(got[w].tags, registers[w].tags);
    }
    const auto words = t.shared_at(s, 0);
    for (std::size_t w = 0; w < 64; ++w) ASSERT_EQ(words[w].value, shared[w].value) << s << " " << w;
  }
  EXPECT_TRUE(t.registers_at(-1, 0, {1, 0})[0].defined == 0);
}

TEST(Trace, RecorderKeepsToItsBudgetAndBlocks) {
  Trace t;
  Recorder recorder(t, {.first_block = 2, .block_count = 1, .max_steps = 5});
  for (std::uint32_t s = 0; s < 20; ++s) recorder.on_step({.step = s, .block = s / 5, .active = 1});
  EXPECT_EQ(t.steps.size(), 5u);
  EXPECT_FALSE(t.truncated);
  recorder.on_step({.step = 20, .block = 2, .active = 1});
  EXPECT_TRUE(t.truncated);
  EXPECT_EQ(t.total_steps, 21u);
}

/// Words that no two of which are alike, as slow paths of float functions make them.
void fill(TagPool& pool, std::uint64_t words) {
  for (std::uint64_t i = 0; i < words; ++i) {
    WordBits bits{};
    const std::uint64_t element = i;
    bits[i % 32] = BitTag::computed(pool.intern_set({&element, 1}));
    bits[(i + 7) % 32] = BitTag::source(i);
    pool.intern(bits);
  }
}

TEST(TagPool, SaysWhenItsBudgetIsSpentAndStopsGrowingAtTheOverrun) {
  TagPool pool;
  constexpr std::size_t budget = std::size_t{1} << 20;
  pool.keep_at_most(budget);
  EXPECT_FALSE(pool.full());
  fill(pool, 100);
  EXPECT_FALSE(pool.full());
  fill(pool, 40'000);
  EXPECT_TRUE(pool.full());
  const std::uint64_t known = 17;
  WordBits before{};
  before[17] = BitTag::computed(pool.intern_set({&known, 1}));
  before[24] = BitTag::source(17);  // the 17th word of fill()
  const WordTag kept = pool.intern(before);
  EXPECT_EQ(pool.bits(kept), before);

  fill(pool, 1'000'000);
  EXPECT_LE(pool.bytes(), 4 * TagPool::overrun * budget);  // words, and sets, whose vectors double
  // New words depend on more than can be listed; old ones are what they were.
  WordBits fresh{};
  fresh[3] = BitTag::source(12'345'678);
  const WordTag beyond = pool.intern(fresh);
  EXPECT_EQ(pool.element(beyond, 0, 32).kind, ElementTag::Kind::mixed);
  EXPECT_EQ(pool.data_mask(beyond), ~0u);
  EXPECT_EQ(pool.intern(before), kept);
  EXPECT_EQ(pool.bits(kept), before);
}

TEST(TagPool, WordsBeyondTheOverrunTakeNoMemory) {
  TagPool pool;
  pool.keep_at_most(std::size_t{1} << 16);
  const auto add = [&](std::uint64_t first, std::uint64_t count) {
    for (std::uint64_t i = first; i < first + count; ++i) {
      WordBits bits{};
      bits[i % 32] = BitTag::source(64 * i);
      bits[(i + 9) % 32] = BitTag::source(64 * i + 40);
      pool.intern(bits);
    }
  };
  add(1, 20'000);
  const std::size_t at_end = pool.bytes();
  EXPECT_LE(at_end, 2 * TagPool::overrun * (std::size_t{1} << 16));
  add(20'001, 200'000);
  EXPECT_EQ(pool.bytes(), at_end);
}

/// Random words from words and sets that are there already; the same ones in each pool that holds the same.
class Additions {
 public:
  explicit Additions(std::vector<WordTag> words) : words_(std::move(words)) {}
  void add(TagPool& pool, std::mt19937_64& random, int count) {
    for (int i = 0; i < count; ++i) {
      const std::uint64_t element = random() % 300;
      const WordTag a = words_[random() % words_.size()], b = words_[random() % words_.size()];
      switch (random() % 4) {
        case 0:
          words_.push_back(TagPool::source_word(static_cast<std::uint32_t>(random() % 128)));
          break;
        case 1:
          words_.push_back(pool.computed_word(pool.set_union(pool.element_set(a), pool.element_set(b))));
          break;
        case 2: {
          const std::vector<std::uint64_t> some{element, element + 1 + random() % 40};
          const std::vector<std::uint64_t> others{element, element + 50};
          WordBits bits = pool.bits(a);
          bits[random() % 32] = BitTag::parity(
              pool.set_symmetric_difference(pool.intern_set(some), pool.intern_set(others)), random() % 2 != 0);
          words_.push_back(pool.intern(bits));
          break;
        }
        default: {
          WordBits bits = pool.bits(a);
          const WordBits other = pool.bits(b);
          for (std::size_t k = random() % 32; k < 32; ++k) bits[k] = other[(k + 5) % 32];
          words_.push_back(pool.intern(bits));
        }
      }
      if (words_.back() == no_data) words_.pop_back();
    }
  }
  std::vector<WordTag> words_;
};

TEST(TagPool, PoolsOnTopOfOneAreTakenAsIfItHadMadeTheirWords) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    TagPool whole = pool_with(16, 128), below = pool_with(16, 128);
    const Additions start({TagPool::source_word(3), TagPool::source_word(200)});
    Additions in_whole = start, in_below = start;
    std::mt19937_64 random(seed), again(seed);
    in_whole.add(whole, random, 60);
    in_below.add(below, again, 60);
    // Three pools side by side; each begins with what was below them.
    std::vector<TagPool> on_top;
    std::vector<Additions> in_top;
    for (std::uint64_t p = 0; p < 3; ++p) {
      std::mt19937_64 one(seed * 10 + p), same(seed * 10 + p);
      Additions& mine = in_top.emplace_back(in_below);
      mine.add(on_top.emplace_back(below, TagPool::OnTop{}), one, 80);
      Additions serial = in_below;
      serial.add(whole, same, 80);
      in_whole.words_.insert(in_whole.words_.end(), serial.words_.begin() + std::ssize(in_below.words_),
                             serial.words_.end());
    }
    std::vector<WordTag> taken = in_below.words_;
    for (std::size_t p = 0; p < 3; ++p) {
      ASSERT_TRUE(below.has_room_for(on_top[p]));
      // The pool below has the same elements afterwards.
      const WordTag last = in_top[p].words_.back();
      const auto sources = on_top[p].sources(last, 0, 32);
      const TagPool::Renumbered numbers = below.take(on_top[p]);
      EXPECT_EQ(below.sources(numbers[last], 0, 32), sources);
      for (std::size_t i = in_below.words_.size(); i < in_top[p].words_.size(); ++i)
        taken.push_back(numbers[in_top[p].words_[i]]);
    }
    ASSERT_EQ(taken, in_whole.words_) << "the same numbers";
    EXPECT_EQ(below.bytes(), whole.bytes());
    for (const WordTag tag : taken) {
      ASSERT_EQ(below.bits(tag), whole.bits(tag));
      ASSERT_EQ(below.sources(tag, 0, 32), whole.sources(tag, 0, 32));
    }
  }
}

}  // namespace
}  // namespace lanescope::trace
