// A cache changes no result: after any earlier questions, each key has the result of its own fields.

#include <gtest/gtest.h>

#include <random>

#include "kernels/emulator/tags/cache.h"

namespace lanescope::emulator {
namespace {

using Key = TagCache::Key;

/// Few values for each field, so that keys differ in one field alone, and repeat.
Key random_key(std::mt19937& random) {
  const auto small = [&] { return static_cast<u8>(random() % 2 * 32); };
  const auto tag = [&] { return static_cast<trace::WordTag>(random() % 2); };
  Key k{.function = static_cast<Key::Function>(random() % 5),
        .rule = static_cast<BitRule>(random() % 3),
        .is_signed = random() % 2 == 0,
        .d_bits = small(),
        .a_bits = small(),
        .b_bits = small(),
        .c_bits = small(),
        .mode = small(),
        .first = small(),
        .length = small()};
  for (Key::Operand& o : k.operands) o = {.words = {.low = tag(), .high = tag()}, .known = u64{random() % 2} << 40};
  return k;
}

/// A number that no two of these keys share.
Words number_of(const Key& k) {
  u32 low = 0, high = static_cast<u32>(k.function);
  for (const u8 field : {k.d_bits, k.a_bits, k.b_bits, k.c_bits, k.mode, k.first, k.length}) low = low * 2 + field / 32;
  low = (low * 2 + (k.is_signed ? 1 : 0)) * 3 + static_cast<u32>(k.rule);
  for (const Key::Operand& o : k.operands)
    high = (high * 2 + o.words.low) * 4 + o.words.high * 2 + static_cast<u32>(o.known >> 40);
  return {low, high};
}

TEST(TagCache, EachKeyHasItsOwnResult) {
  TagCache cache;
  std::mt19937 random(9);
  int made = 0;
  for (int i = 0; i < 400'000; ++i) {
    const Key key = random_key(random);
    ASSERT_EQ(cache.result(key,
                           [&] {
                             ++made;
                             return number_of(key);
                           }),
              number_of(key));
    const int before = made;
    ASSERT_EQ(cache.result(key,
                           [&] {
                             ++made;
                             return Words{};
                           }),
              number_of(key));
    ASSERT_EQ(made, before) << "asked again at once, it is remembered";
  }
}

}  // namespace
}  // namespace lanescope::emulator
