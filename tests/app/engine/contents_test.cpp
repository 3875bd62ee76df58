// Elements of buffers before and after: every range against the elements one by one, differences against a count of what
// was changed, for each element type.

#include "app/engine/summary/contents.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <set>

#include "app/engine/prepare/launch_plan.h"

namespace lanescope::engine {
namespace {

struct Type {
  const char* name;
  int bits;
};
constexpr Type types[] = {{"b1", 1},    {"u4", 4},   {"s4", 4},   {"u8", 8},   {"s8", 8},   {"u16", 16}, {"f16", 16},
                          {"bf16", 16}, {"u32", 32}, {"s32", 32}, {"f32", 32}, {"u64", 64}, {"s64", 64}, {"f64", 64}};

trace::Buffer random_buffer(const Type& type, std::uint64_t elements, std::mt19937_64& random) {
  trace::Buffer out{.name = "p", .element_type = type.name, .element_bits = type.bits, .bytes = {}};
  out.bytes.resize((elements * static_cast<std::uint64_t>(type.bits) + 7) / 8);
  for (std::byte& b : out.bytes) b = static_cast<std::byte>(random());
  return out;
}

void flip_element(trace::Buffer& buffer, std::uint64_t element) {
  const auto bit = element * static_cast<std::uint64_t>(buffer.element_bits);
  buffer.bytes[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
}

TEST(Contents, ARangeIsItsElementsAndDifferencesAreThoseThatWereMade) {
  std::mt19937_64 random(7);
  for (const Type& type : types) {
    constexpr std::uint64_t elements = 96;
    const std::vector<trace::Buffer> before{random_buffer(type, elements, random)};
    std::vector<trace::Buffer> emulated = before, gpu;
    std::set<std::uint64_t> written, different;
    for (int i = 0; i < 9; ++i)
      if (const std::uint64_t e = random() % elements; written.insert(e).second) flip_element(emulated[0], e);
    gpu = emulated;
    for (int i = 0; i < 4; ++i)
      if (const std::uint64_t e = random() % elements; different.insert(e).second) flip_element(gpu[0], e);
    std::set<std::uint64_t> changed_on_gpu;  // a flip that is flipped back is none
    for (std::uint64_t e = 0; e < elements; ++e)
      if (written.contains(e) != different.contains(e)) changed_on_gpu.insert(e);

    const BufferTimes times{.before = before, .emulated = emulated, .gpu = gpu};
    const results::Contents c = contents_of(times, {.buffer = 0, .first = 10, .count = 32});
    EXPECT_EQ(c.elements, elements) << type.name;
    EXPECT_EQ(c.first, 10u);
    ASSERT_EQ(c.before.size(), 32u);
    ASSERT_EQ(c.emulated.size(), 32u);
    ASSERT_EQ(c.gpu.size(), 32u);
    for (std::uint64_t i = 0; i < c.count; ++i) {
      EXPECT_EQ(c.before[i], element_words(type.name, before[0].bytes, 10 + i)) << type.name << " " << i;
      EXPECT_EQ(c.gpu[i], element_words(type.name, gpu[0].bytes, 10 + i)) << type.name << " " << i;
      if (type.bits < 16) {
        EXPECT_EQ(c.emulated[i] != c.gpu[i], different.contains(10 + i)) << type.name << " " << i;
      }
    }
    EXPECT_EQ(c.different, different.size()) << type.name;
    EXPECT_EQ(c.first_different, static_cast<std::int64_t>(*different.begin())) << type.name;
    EXPECT_EQ(c.written, changed_on_gpu.size()) << type.name;

    const results::Contents emulator_only =
        contents_of({.before = before, .emulated = emulated, .gpu = {}}, {.buffer = 0});
    EXPECT_TRUE(emulator_only.gpu.empty());
    EXPECT_EQ(emulator_only.written, written.size()) << type.name;
    EXPECT_EQ(emulator_only.first_different, -1);
  }
}

TEST(Contents, ARangeBeyondTheEndIsMovedBackAndABufferThatIsNotThereHasNone) {
  std::mt19937_64 random(1);
  const std::vector<trace::Buffer> before{random_buffer({"u8", 8}, 40, random)};
  const BufferTimes times{.before = before, .emulated = before, .gpu = {}};
  const results::Contents end = contents_of(times, {.buffer = 0, .first = 1000, .count = 16});
  EXPECT_EQ(end.first, 24u);
  EXPECT_EQ(end.count, 16u);
  const results::Contents all = contents_of(times, {.buffer = 0, .first = 3, .count = ~std::uint64_t{0}});
  EXPECT_EQ(all.first, 0u);
  EXPECT_EQ(all.count, 40u);
  EXPECT_EQ(contents_of(times, {.buffer = 5}).buffer, -1);
  EXPECT_EQ(contents_of({.before = {}, .emulated = {}, .gpu = {}}, {}).buffer, -1);
}

TEST(Contents, TheBufferThatTellsMostIsChosen) {
  std::mt19937_64 random(3);
  std::vector<trace::Buffer> before;
  for (int i = 0; i < 3; ++i) before.push_back(random_buffer({"f32", 32}, 8, random));
  std::vector<trace::Buffer> emulated = before;
  EXPECT_EQ(contents_of({.before = before, .emulated = emulated, .gpu = {}}, {}).buffer, 0);
  flip_element(emulated[1], 2);
  EXPECT_EQ(contents_of({.before = before, .emulated = emulated, .gpu = {}}, {}).buffer, 1);
  std::vector<trace::Buffer> gpu = emulated;
  flip_element(gpu[2], 0);
  EXPECT_EQ(contents_of({.before = before, .emulated = emulated, .gpu = gpu}, {}).buffer, 2);
}

TEST(Contents, IntegersOfAllWidthsInFullAndFloatsAsShortAsTheyCanBeToldApart) {
  const auto words = [](const char* type, auto value) {
    std::vector<std::byte> bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    return element_words(type, bytes, 0);
  };
  EXPECT_EQ(words("u64", ~std::uint64_t{0}), "18446744073709551615");
  EXPECT_EQ(words("s64", std::int64_t{-9007199254740993}), "-9007199254740993");
  EXPECT_EQ(words("u32", 4294967295u), "4294967295");
  EXPECT_EQ(words("f32", 0.1f), "0.1");
  EXPECT_EQ(words("f64", 0.1), "0.1");
  EXPECT_EQ(words("f16", half_bits(0.1)), "0.099976");
}

}  // namespace
}  // namespace lanescope::engine
