// printf of device code against the C library's own, for random formats and arguments; and what the library leaves open.

#include <cstdio>
#include <cstring>
#include <map>
#include <variant>

#include "kernels/emulator/machine/print_format.h"
#include "tests/kernels/emulator/harness.h"

namespace lanescope::emulator::test {
namespace {

using Value = std::variant<int, long long, double, const char*, void*>;

/// Arguments as a compiler packs them: each at a multiple of its size. Strings are memory at their own addresses.
struct Packed {
  std::vector<std::uint8_t> bytes;
  void add(const Value& v) {
    std::visit(
        [&](auto value) {
          const std::size_t at = (bytes.size() + sizeof(value) - 1) / sizeof(value) * sizeof(value);
          bytes.resize(at + sizeof(value));
          std::memcpy(bytes.data() + at, &value, sizeof(value));
        },
        v);
  }
};

std::span<const std::uint8_t> string_memory(std::uint64_t address) {
  const auto* text = reinterpret_cast<const char*>(address);
  return {reinterpret_cast<const std::uint8_t*>(text), std::strlen(text) + 1};
}

PrintedText printed(const std::string& format, const std::vector<Value>& values) {
  Packed packed;
  for (const Value& v : values) packed.add(v);
  return print_text(format, packed.bytes, string_memory);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
template <class... Taken>
std::string of_library(const std::string& format, std::span<const Value> rest, Taken... taken) {
  if constexpr (sizeof...(Taken) < 3) {
    if (!rest.empty())
      return std::visit([&](auto value) { return of_library(format, rest.subspan(1), taken..., value); }, rest[0]);
  }
  const int length = std::snprintf(nullptr, 0, format.c_str(), taken...);
  std::string text(static_cast<std::size_t>(std::max(length, 0)) + 1, '\0');
  std::snprintf(text.data(), text.size(), format.c_str(), taken...);
  text.pop_back();
  return text;
}
#pragma GCC diagnostic pop

class Formats {
 public:
  explicit Formats(std::uint64_t seed) : numbers_(seed) {}

  struct Trial {
    std::string format;
    std::vector<Value> values;
  };
  /// At most three arguments, those of `*` counted.
  Trial next() {
    Trial t;
    while (t.values.size() < 3 && numbers_.below(5) != 0) {
      static constexpr const char* words[] = {"", "x=", " ", "%%", "é ", "\n"};
      t.format += words[numbers_.below(std::size(words))];
      add_conversion(t);
    }
    return t;
  }

 private:
  void add_conversion(Trial& t) {
    t.format += '%';
    static constexpr char types[] = {'d', 'i', 'u', 'o', 'x', 'X', 'c', 's', 'p',
                                     'f', 'F', 'e', 'E', 'g', 'G', 'a', 'A'};
    const char type = types[numbers_.below(std::size(types))];
    for (const char flag : {'-', '+', ' ', '#', '0'})
      if (numbers_.below(4) == 0) t.format += flag;
    const bool room = t.values.size() < 2;
    if (const auto kind = numbers_.below(4); kind == 0)
      t.format += std::to_string(1 + numbers_.below(20));
    else if (kind == 1 && room)
      t.format += '*', t.values.emplace_back(static_cast<int>(numbers_.below(25)) - 12);
    if (const auto kind = numbers_.below(4); kind == 0)
      t.format += "." + std::to_string(numbers_.below(12));
    else if (kind == 1)
      t.format += '.';
    static constexpr const char* strings[] = {"", "a", "warp", "a longer string", "tab\tand é"};
    switch (type) {
      case 's':
        t.values.emplace_back(strings[numbers_.below(std::size(strings))]);
        break;
      case 'c':
        t.values.emplace_back(static_cast<int>(1 + numbers_.below(255)));
        break;
      case 'p':
        t.values.emplace_back(reinterpret_cast<void*>(numbers_.below(3) == 0 ? 0 : numbers_.corner()));
        break;
      case 'd':
      case 'i':
      case 'u':
      case 'o':
      case 'x':
      case 'X':
        if (numbers_.below(2) == 0) {
          static constexpr const char* sizes[] = {"", "h"};
          t.format += sizes[numbers_.below(2)];
          t.values.emplace_back(static_cast<int>(numbers_.corner()));
        } else {
          static constexpr const char* sizes[] = {"l", "ll"};
          t.format += sizes[numbers_.below(2)];
          t.values.emplace_back(static_cast<long long>(numbers_.corner()));
        }
        break;
      default:
        t.values.emplace_back(value());
    }
    t.format += type;
  }

  double value() {
    if (numbers_.below(3) != 0) return (static_cast<double>(numbers_.below(2'000'001)) - 1e6) / 128;
    const std::uint64_t bits = numbers_.corner();
    double d = 0;
    std::memcpy(&d, &bits, 8);
    return d;
  }

  Numbers numbers_;
};

TEST(PrintFormat, RandomFormatsAreAsTheCLibrarys) {
  Formats formats(11);
  for (int i = 0; i < 30'000; ++i) {
    const Formats::Trial t = formats.next();
    const PrintedText got = printed(t.format, t.values);
    ASSERT_EQ(got.text, of_library(t.format, t.values)) << t.format;
    ASSERT_EQ(got.arguments, static_cast<int>(t.values.size())) << t.format;
    ASSERT_EQ(got.missing, PrintedText::Missing::nothing) << t.format;
  }
}

TEST(PrintFormat, NoTextOfAFormatIsLost) {
  EXPECT_EQ(printed("", {}).text, "");
  EXPECT_EQ(printed("100 %", {}).text, "100 %");
  EXPECT_EQ(printed("%%|%5%|", {}).text, "%|%|");
  EXPECT_EQ(printed("%y %d", {7}).text, "%y 7") << "an unknown conversion stands as it is and takes no argument";
  EXPECT_EQ(printed("%-08.3q", {}).text, "%-08.3q");
  EXPECT_EQ(printed("%1$d", {7}).text, "%1$d");
  EXPECT_EQ(printed("%n%d", {static_cast<long long>(64), 7}).text, "%n7") << "memory is not written";
  EXPECT_EQ(printed("%d%c%d", {1, 0, 2}).text, std::string("1\0002", 3));
}

TEST(PrintFormat, SizesThatDoNotFitATypeAreLeftOut) {
  EXPECT_EQ(printed("%hd", {70'000}).text, "4464");
  EXPECT_EQ(printed("%lf %hf", {1.5, 2.5}).text, "1.500000 2.500000");
  EXPECT_EQ(printed("%s", {static_cast<const char*>(nullptr)}).text, "(null)");
}

// As an H200 with driver 580 printed them, if no other conversion follows.
TEST(PrintFormat, ConversionsOfTheHostOnlyStandAsTheyAre) {
  const struct {
    const char* format;
    std::vector<Value> values;
    const char *text, *first;
  } cases[] = {
      {"%zu", {5ll}, "%zu", "%zu"},
      {"%lld %zu", {5ll, 6ll}, "5 %zu", "%zu"},
      {"%5zu|%-5zu|", {5ll, 6ll}, "%5zu|%-5zu|", "%5zu"},
      {"%td", {5ll}, "%td", "%td"},
      {"%jd", {5ll}, "%jd", "%jd"},
      {"%qd", {5ll}, "%qd", "%qd"},
      {"%Lf", {1.5}, "%Lf", "%Lf"},
      {"%.*f", {2, 3.5}, "%.*f", "%.*f"},
      {"%.*d|", {3, 7}, "%.*d|", "%.*d"},
      {"%I64d", {5ll}, "%I64d", "%I64d"},
      {"%*.2f|%d", {8, 3.14159, 7}, "    3.14|7", ""},
      {"%lc|%hs|%.3hd", {static_cast<int>('c'), "text", 5}, "c|text|005", ""},
  };
  for (const auto& c : cases) {
    const PrintedText got = printed(c.format, c.values);
    EXPECT_EQ(got.text, c.text);
    EXPECT_EQ(got.of_host_only, c.first);
    EXPECT_FALSE(got.string_after);
  }
  EXPECT_TRUE(printed("%d %zd %d %s", {1, 5ll, 7, "text"}).string_after);
  EXPECT_FALSE(printed("%s %zd", {"text", 5ll}).string_after);
  EXPECT_EQ(printed("%d %hhd %d", {1, 5, 7}).text, "1 %hhd 7");
}

TEST(PrintFormat, ArgumentsLieAtMultiplesOfTheirSizes) {
  EXPECT_EQ(printed("%d %lld %c %f %d", {1, 2ll, 'c', 4.0, 5}).text, "1 2 c 4.000000 5");
}

TEST(PrintFormat, AtMost32ArgumentsAreUsed) {
  std::string format, expected;
  std::vector<Value> values;
  for (int i = 0; i < 40; ++i) {
    format += "%d ";
    expected += i < 32 ? std::to_string(i) + " " : "%d ";
    values.emplace_back(i);
  }
  EXPECT_EQ(printed(format, values).text, expected);
  EXPECT_EQ(printed(format, values).arguments, 32);
}

TEST(PrintFormat, LongTextsAreCut) {
  const PrintedText wide = printed("%*d!", {2'000'000'000, 7});
  EXPECT_EQ(wide.text.size(), longest_print);
  EXPECT_TRUE(wide.cut);
  EXPECT_EQ(printed("%99999999999999999999d", {7}).text.size(), longest_print);
  EXPECT_EQ(printed("%-*d", {-2'147'483'647 - 1, 7}).text.size(), longest_print);
  std::string many;
  for (int i = 0; i < 30; ++i) many += "%60000d";
  const PrintedText cut = printed(many, std::vector<Value>(30, 1));
  EXPECT_EQ(cut.text.size(), longest_print);
  EXPECT_TRUE(cut.cut);
}

TEST(PrintFormat, WhatCannotBeReadIsSaid) {
  using Missing = PrintedText::Missing;
  const std::vector<std::uint8_t> few(6);
  const auto none = [](std::uint64_t) { return std::span<const std::uint8_t>(); };
  EXPECT_EQ(print_text("%d", {}, none).missing, Missing::argument);
  EXPECT_EQ(print_text("%d", few, none).missing, Missing::nothing);
  EXPECT_EQ(print_text("%d %d", few, none).missing, Missing::argument);
  EXPECT_EQ(print_text("%lld", few, none).bytes, 8u);
  EXPECT_EQ(print_text("%s", std::vector<std::uint8_t>(8, 1), none).missing, Missing::string);
  const std::vector<std::uint8_t> open{'a', 'b', 'c'};  // no zero byte
  const auto text = [&](std::uint64_t) { return std::span(open); };
  EXPECT_EQ(print_text("%s", std::vector<std::uint8_t>(8, 1), text).missing, Missing::string);
  EXPECT_EQ(print_text("%.3s|", std::vector<std::uint8_t>(8, 1), text).text, "abc|");
  EXPECT_EQ(print_text("%.4s|", std::vector<std::uint8_t>(8, 1), text).missing, Missing::string);
}

/// For any format, it ends, and no byte outside of what was given is read (the sanitizers watch).
TEST(PrintFormat, RandomBytesDoNoHarm) {
  Numbers numbers(5);
  const std::string alphabet = "%%%%%d*.-+ #0lhzs$cfpxn123456789\n\xff";
  for (int i = 0; i < 20'000; ++i) {
    std::string format;
    for (std::uint64_t n = numbers.below(40); n > 0; --n) format += alphabet[numbers.below(alphabet.size())];
    std::vector<std::uint8_t> arguments(numbers.below(64));
    for (std::uint8_t& b : arguments) b = static_cast<std::uint8_t>(numbers.next());
    const std::vector<std::uint8_t> memory{'x', 0};
    const PrintedText got = print_text(format, arguments, [&](std::uint64_t) { return std::span(memory); });
    ASSERT_LE(got.text.size(), longest_print);
    ASSERT_LE(got.arguments, most_print_arguments);
  }
}

}  // namespace
}  // namespace lanescope::emulator::test
