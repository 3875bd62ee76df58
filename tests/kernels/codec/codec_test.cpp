// Values come back as they were written; bytes of another shape are all refused in words.

#include "kernels/codec/launches.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace lanescope::codec_test {

enum class Colour : std::uint8_t { red, green, blue };
struct Row {
  int number = 0;
  std::string text;
  bool operator==(const Row&) const = default;
};
struct Everything {
  bool flag = false;
  std::int8_t small = 0;
  std::uint64_t large = 0;
  double real = 0;
  float single = 0;
  std::string text;
  Colour colour = Colour::red;
  std::optional<int> maybe;
  std::array<int, 3> three{};
  std::vector<std::byte> bytes;
  std::vector<Row> rows;
  std::variant<int, std::string, std::vector<std::byte>> choice;
  bool operator==(const Everything&) const = default;
};

}  // namespace lanescope::codec_test

namespace lanescope::codec {

namespace {

using codec_test::Colour;
using codec_test::Everything;
using codec_test::Row;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  std::uint64_t below(std::uint64_t end) { return engine_() % end; }
  std::string text() {
    std::string out;
    for (auto n = below(9); n > 0; --n) out += static_cast<char>(below(256));
    return out;
  }
  std::vector<std::byte> bytes() {
    std::vector<std::byte> out(below(20));
    for (std::byte& b : out) b = static_cast<std::byte>(below(256));
    return out;
  }
  Everything everything() {
    Everything e;
    e.flag = below(2), e.small = static_cast<std::int8_t>(below(256)), e.large = engine_();
    e.real = static_cast<double>(engine_()) / 3, e.single = static_cast<float>(below(1000)) / 7;
    e.text = text(), e.colour = static_cast<Colour>(below(3)), e.bytes = bytes();
    if (below(2)) e.maybe = static_cast<int>(below(100)) - 50;
    for (int& n : e.three) n = static_cast<int>(below(1000)) - 500;
    for (auto n = below(4); n > 0; --n) e.rows.push_back({static_cast<int>(below(99)), text()});
    if (const auto kind = below(3); kind == 1)
      e.choice = text();
    else if (kind == 2)
      e.choice = bytes();
    else
      e.choice = static_cast<int>(below(7));
    return e;
  }

 private:
  std::mt19937_64 engine_;
};

// Law: decode(encode(x)) == x.
TEST(Codec, ValuesRoundTrip) {
  Random r(1);
  for (int i = 0; i < 500; ++i) {
    const Everything before = r.everything();
    const auto after = decode_message<Everything>(encode_message(before));
    ASSERT_TRUE(after) << to_string(after.error().front());
    ASSERT_TRUE(*after == before);
  }
}

TEST(Codec, NumbersThatAreNoNumbersTravel) {
  for (const double value : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -0.0}) {
    Everything e;
    e.real = value;
    const auto after = decode_message<Everything>(encode_message(e));
    ASSERT_TRUE(after);
    EXPECT_EQ(std::isnan(after->real), std::isnan(value));
    EXPECT_EQ(std::signbit(after->real), std::signbit(value));
    EXPECT_EQ(std::isinf(after->real), std::isinf(value));
  }
}

// An answer is a value, or the errors in its place, whole.
TEST(Codec, AnswersAreValuesOrErrors) {
  const auto value = decode_answer<Row>(encode_message(Expected<Row>(Row{3, "x"})), "an answer");
  ASSERT_TRUE(value);
  EXPECT_EQ(*value, (Row{3, "x"}));
  const Diagnostics why = {{.file = "k.cu", .line = 3, .message = "no", .remedy = "yes", .severity = Severity::note}};
  const auto refused = decode_answer<Row>(encode_message(Expected<Row>(tl::unexpected(why))), "an answer");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().front().file, "k.cu");
  EXPECT_EQ(refused.error().front().severity, Severity::note);
  const auto nonsense = decode_answer<Row>(Bytes{1, 2, 3}, "an answer");
  ASSERT_FALSE(nonsense);
  EXPECT_NE(nonsense.error().front().message.find("an answer cannot be read"), std::string::npos);
}

// Law: no damage is fatal; it is read as something valid, or refused with a reason.
TEST(Codec, DamageIsRefusedInWords) {
  Random r(2);
  const Bytes good = encode_message(r.everything());
  for (std::size_t n = 0; n < good.size(); ++n) EXPECT_FALSE(decode_message<Everything>(std::span(good).first(n))) << n;
  for (int i = 0; i < 5000; ++i) {
    Bytes bad = good;
    bad[r.below(bad.size())] ^= static_cast<std::uint8_t>(1u << r.below(8));
    const auto read = decode_message<Everything>(bad);
    if (!read) {
      ASSERT_FALSE(read.error().front().message.empty());
    } else {
      ASSERT_LE(static_cast<int>(read->colour), 2);
    }
  }
}

TEST(Codec, ValuesOutOfRangeAreRefused) {
  EXPECT_FALSE(decode_message<Row>(json::to_cbor(json::array({1}))));
  EXPECT_FALSE(decode_message<Row>(json::to_cbor(json{{"number", 1}, {"text", ""}}))) << "a row has no names";
  EXPECT_FALSE(decode_message<Row>(json::to_cbor(json::array({std::int64_t{1} << 40, ""}))));
  EXPECT_FALSE((decode_message<std::variant<int, std::string>>(json::to_cbor(json::array({2, 1})))));
  EXPECT_FALSE((decode_message<std::variant<int, std::string>>(json::to_cbor(json::array({0, "1"})))));
  EXPECT_FALSE(decode_message<Colour>(json::to_cbor(json(3))));
}

TEST(Codec, LaunchesTravelWhole) {
  trace::Launch l;
  l.kernel = "k", l.grid = {1, 2, 3}, l.block = {4, 5, 6}, l.cluster = {2, 1, 1}, l.dynamic_shared_bytes = 9;
  l.arguments = {trace::BufferArgument{.buffer = 1, .offset_bytes = -8}, trace::ValueArgument(3, std::byte{7})};
  l.stream = 4;
  l.before = {{.kind = trace::HostStep::Kind::copy, .to = {1, 8}, .from = {0, 16}, .bytes = 32},
              {.kind = trace::HostStep::Kind::write, .to = {0, 4}, .contents = {std::byte{5}}}};
  const auto after = decode_message<trace::Launch>(encode_message(l));
  ASSERT_TRUE(after);
  EXPECT_EQ(after->cluster, l.cluster);
  EXPECT_EQ(after->stream, 4u);
  EXPECT_EQ(std::get<trace::BufferArgument>(after->arguments[0]).offset_bytes, -8);
  EXPECT_EQ(std::get<trace::ValueArgument>(after->arguments[1]), trace::ValueArgument(3, std::byte{7}));
  ASSERT_EQ(after->before.size(), 2u);
  EXPECT_EQ(after->before[0].from.offset_bytes, 16);
  EXPECT_EQ(after->before[1].kind, trace::HostStep::Kind::write);
  EXPECT_EQ(after->before[1].contents, l.before[1].contents);
  EXPECT_FALSE(check_arguments({l}, std::vector<trace::Buffer>(1)));
  l.before[0].from.buffer = 2;
  EXPECT_FALSE(check_arguments({l}, std::vector<trace::Buffer>(2))) << "a step may name no other buffer either";
  l.before.clear();
  EXPECT_TRUE(check_arguments({l}, std::vector<trace::Buffer>(2)));
}

}  // namespace
}  // namespace lanescope::codec
