// Assignment comments as people write them. An oracle writes random assignments in random forms, and each is read back.

#include <algorithm>
#include <map>
#include <random>

#include "tests/kernels/source/source_files.h"
#include "tests/kernels/source/watchdog.h"
#include "tests/rounds.h"

namespace lanescope::source {
namespace {

using layout::Assignment;
using layout::PhysicalBit;
using layout::Place;
using FormRandom = std::mt19937_64;

constexpr std::string_view form_header =
    "/* Title\n[lanescope]\nblock = [32, 8]\n[buffers]\n"
    "p = \"u8 i:32 j:32 k:4 ReIm:2\"\nq = \"u8 i:32 j:32 k:4 ReIm:2 = zeros\"\n*/\n";

std::string form_kernel(const std::string& comment, const std::string& above = {}) {
  return std::string(form_header) + above +
         "__global__ void k(const unsigned *p, unsigned *q) {\n"
         "  unsigned x0 = p[0], x1 = p[1], x2 = p[2], x3 = p[3], x4 = p[4], x5 = p[5], x6 = p[6], x7 = p[7];\n" +
         comment + "  q[0] = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7;\n}\n";
}

/// One pair of a physical and a logical bit, to be written somehow.
struct FormPair {
  PhysicalBit bit;
  std::string logical;
};

class FormWriter {
 public:
  explicit FormWriter(std::uint64_t seed) : random_(seed) {}

  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  bool coin(int one_in = 2) { return below(one_in) == 0; }
  template <class List>
  auto pick(const List& list) {
    return *(std::begin(list) + below(static_cast<int>(std::size(list))));
  }

  Assignment random_assignment() {
    std::vector<std::string> pool;
    for (const char* axis : {"i", "j"})
      for (int b = 0; b < 5; ++b) pool.push_back(axis + std::to_string(b));
    for (const char* name : {"k0", "k1", "ReIm"}) pool.emplace_back(name);
    std::ranges::shuffle(pool, random_);
    Assignment a;
    const int bits[] = {below(3), below(4), 5, below(4), 0};
    for (int p = 0; p < 4; ++p) {
      if (bits[p] == 0) continue;
      auto& row = a.row(static_cast<Place>(p)).emplace();
      for (int b = 0; b < bits[p]; ++b) {
        row.push_back(layout::sum_of({pool.back()}));
        pool.pop_back();
      }
    }
    return a;
  }

  /// The rows of `a` in lines of a comment, each form that this writer has having its chance.
  std::string write(const Assignment& a) {
    std::vector<std::string> lines;
    whole_ = false;
    letters_ = {"s", "r", coin() ? "t" : "l", "w", "b"};
    if (coin(4)) letters_[0] = "b";
    for (int p = 0; p < 4; ++p) {
      const auto place = static_cast<Place>(p);
      if (!a.row(place)) continue;
      std::vector<FormPair> pairs;
      for (int b = a.bits(place) - 1; b >= 0; --b)
        pairs.push_back({{place, b}, layout::print((*a.row(place))[static_cast<std::size_t>(b)])});
      row(pairs, lines);
    }
    std::ranges::shuffle(lines, random_);
    std::string out;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const bool arrows = lines[i].find(':') == std::string::npos;
      const bool join = i + 1 < lines.size() && arrows && lines[i + 1].find(':') == std::string::npos && coin();
      out += (out.empty() || out.ends_with('\n') ? "  //   " : "") + lines[i];
      // After a whole row only more than a comma says where its bits end.
      static const std::vector<std::string> separators = {"     ", "; ", " | ", "    ", ", "};
      out += join ? separators[static_cast<std::size_t>(below(whole_ ? 4 : 5))] : std::string("\n");
    }
    return out;
  }

 private:
  std::string physical(const PhysicalBit& bit) {
    return letters_[static_cast<std::size_t>(bit.place)] + std::to_string(bit.index);
  }

  /// Names side by side, runs of them perhaps as a range.
  std::string side(const std::vector<std::string>& names) {
    std::string out;
    const std::string separator = coin(5) ? ", " : " ";
    for (std::size_t i = 0; i < names.size();) {
      std::size_t end = i + 1;
      const auto stem = [](const std::string& n) { return n.substr(0, n.find_first_of("0123456789")); };
      const auto number = [&](const std::string& n) {
        return n.size() > stem(n).size() ? std::stoi(n.substr(stem(n).size())) : -9;
      };
      int step = 0;
      while (end < names.size() && stem(names[end]) == stem(names[i]) && number(names[end]) >= 0) {
        const int by = number(names[end]) - number(names[end - 1]);
        if ((by != 1 && by != -1) || (step != 0 && by != step)) break;
        step = by;
        ++end;
      }
      if (!out.empty()) out += separator;
      if (end - i >= 3 && coin()) {
        static const std::vector<std::string> dots = {" ... ", "..", " .. ", "...", " \u2026 ", ", ..., "};
        if (coin(4)) {
          out += stem(names[i]) + "[" + std::to_string(number(names[i])) + ":" +
                 std::to_string(number(names[end - 1])) + "]";
        } else {
          out += names[i] + pick(dots) + names[end - 1];
        }
        i = end;
      } else {
        out += names[i++];
      }
    }
    return out;
  }

  std::string arrow() { return pick(std::vector<std::string>{" <-> ", " <=> ", "  <-->  ", " \u2194 ", "<->"}); }

  void arrow_line(std::vector<FormPair> pairs, std::vector<std::string>& lines) {
    if (coin(3)) std::ranges::shuffle(pairs, random_);
    if (coin(4)) std::ranges::reverse(pairs);
    std::vector<std::string> left, right;
    for (const FormPair& p : pairs) left.push_back(physical(p.bit)), right.push_back(p.logical);
    lines.push_back(coin(4) ? side(right) + arrow() + side(left) : side(left) + arrow() + side(right));
  }

  void row(const std::vector<FormPair>& pairs, std::vector<std::string>& lines) {
    static const std::vector<std::vector<std::string>> labels = {
        {"simd", "SIMD", "byte"}, {"register", "reg", "registers"}, {"thread", "lane", "Lane"}, {"warp", "warps"}};
    const Place place = pairs.front().bit.place;
    const std::string label = pick(labels[static_cast<std::size_t>(place)]);
    std::vector<std::string> left, right;
    for (const FormPair& p : pairs) left.push_back(physical(p.bit)), right.push_back(p.logical);
    const bool standard_letter = letters_[0] != "b" || place != Place::simd;
    switch (below(7)) {
      case 0:
        lines.push_back(label + ": " + side(right));
        break;
      case 1:
        lines.push_back(label + ":  " + (standard_letter ? side(left) + arrow() : "") + side(right));
        break;
      case 2:
        lines.push_back(label + " (" + side(left) + "): " + side(right));
        break;
      case 3:
        if (pairs.size() > 1 && coin()) {  // subsets on lines of their own
          const std::size_t cut = 1 + static_cast<std::size_t>(below(static_cast<int>(pairs.size()) - 1));
          arrow_line({pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(cut)}, lines);
          arrow_line({pairs.begin() + static_cast<std::ptrdiff_t>(cut), pairs.end()}, lines);
          break;
        }
        [[fallthrough]];
      case 4:
        if (letters_[static_cast<std::size_t>(place)] != "b" && (pairs.size() > 1 || place != Place::thread)) {
          lines.push_back(letters_[static_cast<std::size_t>(place)] + arrow() + side(right));
          whole_ = true;
          break;
        }
        [[fallthrough]];
      default:
        arrow_line(pairs, lines);
    }
  }

  FormRandom random_;
  std::vector<std::string> letters_;
  bool whole_ = false;
};

Assignment stated_in(const std::string& comment) {
  const Source s = read_well(form_kernel("  // x has register assignment:\n" + comment));
  EXPECT_EQ(s.claims.size(), 1U) << comment;
  if (s.claims.size() != 1) return {};
  EXPECT_EQ(s.claims[0].unchecked_reason.words(), "") << comment;
  return s.claims[0].stated;
}

TEST(ClaimForms, WhatIsWrittenInAnyFormIsReadBack) {
  const auto rounds = static_cast<std::uint64_t>(test_rounds(500));
  for (std::uint64_t seed = 0; seed < rounds; ++seed) {
    FormWriter writer(seed);
    const Assignment a = writer.random_assignment();
    const std::string comment = writer.write(a);
    const Assignment read = stated_in(comment);
    ASSERT_EQ(layout::print_line(read), layout::print_line(a)) << "seed " << seed << "\n" << comment;
  }
}

TEST(ClaimForms, EverySwapOfTwoBitsChangesWhatIsRead) {
  for (std::uint64_t seed = 5000; seed < 5020; ++seed) {
    FormWriter writer(seed);
    const Assignment a = writer.random_assignment();
    std::vector<layout::Term*> terms;
    Assignment swapped = a;
    for (auto& row : swapped.rows)
      if (row)
        for (layout::Term& t : *row) terms.push_back(&t);
    for (std::size_t x = 0; x < terms.size(); ++x) {
      for (std::size_t y = x + 1; y < terms.size(); ++y) {
        std::swap(*terms[x], *terms[y]);
        FormWriter same(seed);
        (void)same.random_assignment();
        const std::string comment = same.write(swapped);
        EXPECT_EQ(layout::print_line(stated_in(comment)), layout::print_line(swapped)) << comment;
        EXPECT_FALSE(layout::compare(stated_in(comment), a).empty()) << comment;
        std::swap(*terms[x], *terms[y]);
      }
    }
  }
}

/// The text at the place of each bit is the bit.
TEST(ClaimForms, EachBitKeepsItsPlaceInTheText) {
  int places = 0;
  for (std::uint64_t seed = 9000; seed < 9300; ++seed) {
    FormWriter writer(seed);
    const Assignment a = writer.random_assignment();
    const std::string text = form_kernel("  // x has register assignment:\n" + writer.write(a));
    const Source s = read_well(text);
    ASSERT_EQ(s.claims.size(), 1U);
    const std::vector<std::string_view> lines = split_lines(text);
    std::size_t bits = 0;
    for (const auto& row : s.claims[0].stated.rows) bits += row ? row->size() : 0;
    EXPECT_EQ(s.claims[0].bits.size(), bits) << text;
    for (const WrittenBit& bit : s.claims[0].bits) {
      const auto& row = *s.claims[0].stated.row(bit.bit.place);
      const std::string logical = layout::print(row[static_cast<std::size_t>(bit.bit.index)]);
      ASSERT_GT(bit.logical.line, 0) << text;
      const std::string_view there = lines[static_cast<std::size_t>(bit.logical.line - 1)].substr(
          static_cast<std::size_t>(bit.logical.column - 1));
      // Inside a range the dots stand for it.
      const bool dots =
          there.starts_with(".") || there.starts_with("\u2026") || there.find(':') < 4 || there.starts_with(", ...");
      EXPECT_TRUE(there.starts_with(logical) || dots) << logical << " at " << there << "\n" << text;
      places += there.starts_with(logical) ? 1 : 0;
    }
  }
  EXPECT_GT(places, 2000);
}

struct Reads {
  std::string comment;
  std::string stated;
  std::string assumed{};  ///< a part of the words
  std::string above{};    ///< before the kernel
};

class OneForm : public testing::TestWithParam<Reads> {};

TEST_P(OneForm, IsReadAs) {
  const Reads& c = GetParam();
  std::string comment;
  for (const std::string_view line : split_lines(c.comment)) comment += "  // " + std::string(line) + "\n";
  const Source s = read_well(form_kernel(comment, c.above));
  ASSERT_GE(s.claims.size(), 1U) << comment;
  EXPECT_EQ(s.claims[0].unchecked_reason.words(), "") << comment;
  EXPECT_EQ(layout::print_line(s.claims[0].stated), c.stated) << comment;
  std::string assumed;
  for (const std::string& a : s.claims[0].read_as) assumed += a + "\n";
  EXPECT_NE(assumed.find(c.assumed), std::string::npos) << assumed;
}

INSTANTIATE_TEST_SUITE_P(
    Forms, OneForm,
    testing::Values(
        Reads{"x has register assignment:\nb1 b0 <-> k1 k0     r <-> ReIm\nt4 t3 t2 t1 t0 <-> j4 j3 j2 j1 j0",
              "simd: k1 k0; register: ReIm; thread: j4 j3 j2 j1 j0", "b1 b0 are read as bits of the register"},
        Reads{"x has register assignment:\nb4 b3 <-> k1 k0", "simd: k1 k0", "whose elements have 8 bits"},
        Reads{"x has register assignment:\nsimd: k1 k0\nb1 b0 <-> i4 i3", "simd: k1 k0; block: i4 i3"},
        Reads{"x has register assignment:\nblock: b1 b0 <-> i4 i3\nl <-> j", "thread: j4 j3 j2 j1 j0; block: i4 i3",
              "`j` is read as j4 to j0"},
        Reads{"x has register assignment:\nlane <-> j\nwarp <-> i2 i1 i0", "thread: j4 j3 j2 j1 j0; warp: i2 i1 i0"},
        Reads{"x has register assignment:\nl <-> y\nr0 <-> i0", "register: i0; thread: y4 y3 y2 y1 y0",
              "`y` is read as y4 to y0"},
        Reads{"x has register assignment:\nt3 t4 <-> i1 i2\nr0 <-> i0", "register: i0; thread: i2 i1 [any] [any] [any]",
              "t2 t1 t0 are not named, so nothing is claimed about them"},
        Reads{"x has register assignment:\nt3 t4 <-> i1 i2\nt0..t2 <-> j0 j1 j2", "thread: i2 i1 j2 j1 j0"},
        Reads{"x has register assignment:\nj4..j0 <-> l4..l0\nk1 k0 <-> s1 s0", "simd: k1 k0; thread: j4 j3 j2 j1 j0"},
        Reads{"x has register assignment:\nw0* <-> i0*\nt[4:0] <-> j[4:0]", "thread: j4 j3 j2 j1 j0; warp: i0",
              "spectator", "// The starred bits are spectators.\n"},
        Reads{"x has register assignment:\nw1* w0 <-> i1* i0", "warp: i2 i1 i0", "counts to 3", "// w1* counts to 3\n"},
        Reads{"x has register assignment:\nq4..q0 <-> j4..j0", "thread: j4 j3 j2 j1 j0",
              "q is read as the thread (line 8)", "// q = lane, w = warp\n"},
        Reads{"x has register assignment:\np1 p0 <-> k1 k0", "simd: k1 k0", "p is read as the simd",
              "// p: byte within the register\n"},
        Reads{"x has register assignment:\nu4 .. u0 <-> j4 .. j0", "thread: j4 j3 j2 j1 j0", "u is read as the thread",
              "// where u denotes the lane.\n"},
        Reads{"x has register assignment:\nx1 x0 <-> j1 j0\nt0 <-> i0", "register: j1 j0; thread: i0",
              "bits of x are read as bits of its register's number"},
        Reads{"x has register assignment:\nx01 <-> j1\nx02 <-> j0", "register: j0 j1"},
        Reads{"x has register assignment:\nwy2 wy1 wy0 <-> i2 i1 i0", "warp: i2 i1 i0",
              "in a block of 32 x 8 x 1 threads"},
        Reads{"x has register assignment:\nregister (r1 r0): eo0 ei0", "register: e1 e0", "eo0 is e1",
              "// From here, write e = 2*eo + ei\n"},
        Reads{"x has register assignment:\nregister: r1 r0 <-> eo ei", "register: e1 e0", "ei is e0",
              "// from here e splits into eo ei.\n"},
        Reads{"x has register assignment:\nr2..r0 <-> m2..m0", "register: j4 j3 j2", "m2 is j4",
              "// call j4..j2 m2..m0\n"},
        Reads{"x has register assignment:\nthread: (unchanged)\nwarp: i2 i1 i0", "warp: i2 i1 i0"},
        Reads{"x has register assignment:\nsimd: k1 k0 | register: j1 j0 | warp: w0 <-> i0",
              "simd: k1 k0; register: j1 j0; warp: i0"},
        Reads{"x has register assignment:\nw1 w0 | t1 t0 <-> i1 i0 | j1 j0", "thread: j1 j0; warp: i1 i0"},
        Reads{"x has register assignment:\n- lane: j4 ... j0\n- register r1 r0: i1 i0",
              "register: i1 i0; thread: j4 j3 j2 j1 j0"},
        Reads{"x has register assignment:\nw <-> e   (e in 0..5)\nt0 <-> j0", "thread: j0; warp: e2 e1 e0",
              "all bits"}));

TEST(ClaimForms, ExtentsAreCarried) {
  for (const char* words : {"e in 0..5", "0 <= e < 6", "(e:6, f:32)", "e in {0,...,5}", "e in [0,6)"}) {
    const Source s = read_well(
        form_kernel(std::string("  // x has register assignment, ") + words + "\n  //   w2 w1 w0 <-> e2 e1 e0\n"));
    ASSERT_EQ(s.claims.size(), 1U) << words;
    ASSERT_EQ(s.claims[0].extents.size(), 1U) << words;
    EXPECT_EQ(s.claims[0].extents[0].axis, "e") << words;
    EXPECT_EQ(s.claims[0].extents[0].extent, 6U) << words;
    EXPECT_GT(s.claims[0].extents[0].place.line, 0) << words;
  }
}

TEST(ClaimForms, ExtentsGiveTheBuffersTheirSize) {
  const Source s = read_well(
      "__global__ void k(float *p) {\n  float x = p[threadIdx.x];\n  // x has register assignment, e in 0..5\n"
      "  //   l4 .. l0 <-> j4 .. j0\n  //   w2 w1 w0 <-> e2 e1 e0\n  p[threadIdx.x] = x;\n}\n");
  ASSERT_EQ(s.header.buffers.size(), 1U);
  ASSERT_EQ(s.header.buffers[0].axes.size(), 2U);
  EXPECT_EQ(s.header.buffers[0].axes[0].name, "e");
  EXPECT_EQ(s.header.buffers[0].axes[0].extent, 6U);
  EXPECT_EQ(s.header.buffers[0].axes[1].extent, 32U);
}

TEST(ClaimForms, BitsCalledBAreOfTheBlockWhereARegisterHasNoParts) {
  const std::string rows = "  // x has register assignment:\n  //   b0 <-> i5\n  //   l4..l0 <-> i4..i0\n";
  const auto stated = [&](const std::string& type, const std::string& above) {
    const Source s = read_well(above + "__global__ void k(const " + type + " *p, " + type + " *q) {\n  " + type +
                               " x = p[threadIdx.x];\n" + rows + "  q[threadIdx.x] = x;\n}\n");
    return layout::print_line(s.claims.at(0).stated);
  };
  EXPECT_EQ(stated("float", ""), "thread: i4 i3 i2 i1 i0; block: i5");
  EXPECT_EQ(stated("unsigned", ""), "simd: i5; thread: i4 i3 i2 i1 i0");
  const std::string header = "/*\n[lanescope]\n[buffers]\np = \"u32 i:64\"\nq = \"u32 i:64 = zeros\"\n*/\n";
  EXPECT_EQ(stated("unsigned", header), "thread: i4 i3 i2 i1 i0; block: i5");
  std::string bytes = "/*\n[lanescope]\ngrid = 2\n[buffers]\np = \"u8 k:4 i:64\"\nq = \"u8 k:4 i:64 = zeros\"\n*/\n";
  EXPECT_EQ(stated("unsigned", bytes), "thread: i4 i3 i2 i1 i0; block: i5");
  bytes.replace(bytes.find("grid = 2"), 8, "grid = 3");
  EXPECT_EQ(stated("unsigned", bytes), "simd: i5; thread: i4 i3 i2 i1 i0");
  EXPECT_EQ(stated("float", "// b: bit within the register\n"), "simd: i5; thread: i4 i3 i2 i1 i0");
}

TEST(ClaimForms, AlternativesAreClaimsOfTheirOwn) {
  const Source s = read_well(
      form_kernel("  // x has register assignment:\n  //   r1 r0 <-> i1 i0\n  // or\n  //   r1 r0 <-> i0 i1\n"));
  ASSERT_EQ(s.claims.size(), 2U);
  EXPECT_EQ(s.claims[0].alternative_of, -1);
  EXPECT_EQ(s.claims[1].alternative_of, 0);
  EXPECT_EQ(s.claims[1].variable, "x");
  EXPECT_EQ(layout::print_line(s.claims[1].stated), "register: i0 i1");
}

TEST(ClaimForms, WhatCannotBeSettledIsUncheckedWithItsReason) {
  const struct {
    std::string row, reason, above{};
  } cases[] = {
      {"w0* <-> i0", "no comment explains the mark"},
      {"r1 r0 <-> i1 i0 j0", "2 physical bits, 3 logical bits"},
      {"r1 r1 <-> i1 i0", "r1 occurs twice"},
      {"w1 w0* <-> i1 i0*", "counts to 3, but w1 is above it", "// w0* counts to 3\n"},
      {"wy3 wy2 wy1 wy0 <-> i3 i2 i1 i0", "has 4 bits here, but the block has 8 warps in that direction"},
      {"t4 ... w0 <-> j4 ... j0", "is not a range"},
      {"r1 r0 <-> i1 10", "`10` is not a logical bit"},
  };
  for (const auto& c : cases) {
    const Source s =
        read_well(form_kernel("  // x has register assignment:\n  //   t0 <-> j0\n  //   " + c.row + "\n", c.above));
    ASSERT_EQ(s.claims.size(), 1U) << c.row;
    EXPECT_NE(s.claims[0].unchecked_reason.words().find(c.reason), std::string::npos)
        << c.row << ": " << s.claims[0].unchecked_reason.words();
    EXPECT_NE(s.claims[0].unchecked_reason.words().find("`" + c.row + "`"), std::string::npos)
        << s.claims[0].unchecked_reason.words();
    EXPECT_EQ(s.claims[0].probe, -1);
  }
}

TEST(ClaimForms, NearMissesAreNoClaims) {
  for (const char* line : {"swap a <-> b",
                           "a <-> b swap",
                           "r <-> i",
                           "i <-> j",
                           "exchange s0 <-> r0",
                           "s0 <-> r0",
                           "Left <-> Right symmetry",
                           "CPU <-> GPU",
                           "FP32<->FP16",
                           "memory <-> files",
                           "registers <-> shared memory",
                           "thread <-> data mapping below",
                           "l = lane & 3; w <-> r",
                           "t = threadIdx.x",
                           "if (w0 < r0) -> skip",
                           "device: 0 host: 1",
                           "lane: the low five bits",
                           "thread: x + 32 * y",
                           "warp: one per row",
                           "block: 256 threads",
                           "register: see above",
                           "register pressure is high",
                           "t4 is the top bit",
                           "r0, r1 = x, y",
                           "w0 w1 w2",
                           "std::swap(r0, r1); // r0 <-> r1",
                           "b <-> a",
                           "simd lane of the word",
                           "0 <-> 1",
                           "<->",
                           "r <-> s <-> t",
                           "lane 0 <-> lane 16",
                           "x[r0] <-> y[t0]",
                           "threads: 128/8 * 128/8 = 256",
                           "j4 <-> k4, the butterfly",
                           "exchange register and lane: r <-> l",
                           "A <-> B^T",
                           "lane i <-> lane i^1"}) {
    const Source s = read_well(form_kernel(std::string("  // ") + line + "\n"));
    EXPECT_TRUE(s.claims.empty()) << line << ": " << (s.claims.empty() ? "" : layout::print_line(s.claims[0].stated));
  }
}

/// The same of comments that say what names mean, or speak of memory.
TEST(ClaimForms, MutatedSayingsAreNeverFatal) {
  const std::vector<std::string> sayings = {"l = lane, w = warp, b: bit within the register",
                                            "where u denotes the lane.",
                                            "Starred bits are spectators.",
                                            "w0* counts to 3",
                                            "From here, write e = 2*eo + ei",
                                            "from here e splits into eo ei.",
                                            "call j4..j2 m2..m0",
                                            "i in 0..5, 0 <= e < 6, (e:6, f:32), g in {0,...,5}, h in [0,6)",
                                            "shared: uint E[32][256], (time, ns)",
                                            "smem layout: [j][i]",
                                            "layout of E: (32,8):(1,32)",
                                            "p[i,j,k], shape (8,4,64); each block processes a shape-(8,1,32) subarray.",
                                            "bank conflict here is intentional",
                                            "t4..t0 <-> j4..j0  r <-> i",
                                            "or",
                                            "register: eo0 ei0",
                                            "m2 m1 <-> s1 s0"};
  FormRandom random(8);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (int n = 0, rounds = test_rounds(400); n < rounds; ++n) {
    std::string comment;
    for (std::size_t lines = 1 + below(6); lines > 0; --lines) {
      std::string line = sayings[below(sayings.size())];
      for (std::size_t m = below(4); m > 0 && !line.empty(); --m) {
        const std::string& other = sayings[below(sayings.size())];
        const std::size_t at = below(line.size()), from = below(other.size());
        if (below(2) == 0) line.erase(at, below(6));
        line.insert(std::min(at, line.size()), other.substr(from, below(10)));
      }
      comment += "  // " + line + "\n";
    }
    const std::string text = below(2) == 0 ? form_kernel(comment)
                                           : form_kernel("  // x has register assignment:\n  // r0 <-> e0\n", comment);
    const Watchdog watchdog("mutated saying", text);
    const Expected<Source> s = read("k.cu", text);
    ASSERT_TRUE(s.has_value()) << text << words(s.error());
  }
}

/// docs/claims.md: each example is read as the page says.
TEST(ClaimsPage, EachExampleIsReadAsItSays) {
  const std::string page = file_text(std::string(LANESCOPE_SOURCE_DIR) + "/docs/claims.md");
  int examples = 0;
  for (std::size_t at = page.find("```cuda\n"); at != std::string::npos; at = page.find("```cuda\n", at + 1)) {
    const std::size_t begin = at + 8, end = page.find("```", begin), says = page.find("Read as `", end);
    const std::string code = page.substr(begin, end - begin);
    ASSERT_LT(says, end + 6) << code;
    const std::size_t close = page.find('`', says + 9);
    const std::string stated = page.substr(says + 9, close - says - 9);
    const bool unread = page.substr(close, 40).find("unread") < 20;
    const std::size_t gap = code.find("//\n");
    const std::string above = gap == std::string::npos ? "" : code.substr(0, gap);
    const Source s = read_well(form_kernel(gap == std::string::npos ? code : code.substr(gap + 3), above + "\n"));
    ASSERT_EQ(s.claims.size(), 1U) << code;
    EXPECT_EQ(layout::print_line(s.claims[0].stated), stated) << code;
    EXPECT_EQ(s.claims[0].unchecked_reason.empty(), !unread) << code << s.claims[0].unchecked_reason.words();
    ++examples;
  }
  EXPECT_EQ(examples, 18);
}

/// Damaged comments: never an error for the file, never a crash or a hang.
TEST(ClaimForms, MutatedCommentsAreNeverFatal) {
  FormRandom random(7);
  const std::string alphabet = "srtlwbijk0123456789<->:;,|.()[]*'+^~ \n=";
  int claims = 0;
  const int rounds = test_rounds(800);
  for (int n = 0; n < rounds; ++n) {
    FormWriter writer(random());
    std::string comment = writer.write(writer.random_assignment());
    for (int m = 1 + writer.below(6); m > 0 && !comment.empty(); --m) {
      const auto at = static_cast<std::size_t>(writer.below(static_cast<int>(comment.size())));
      const char c = alphabet[static_cast<std::size_t>(writer.below(static_cast<int>(alphabet.size())))];
      switch (writer.below(4)) {
        case 0:
          comment.erase(at, static_cast<std::size_t>(1 + writer.below(8)));
          break;
        case 1:
          comment.insert(at, 1, c);
          break;
        case 2:
          comment[at] = c;
          break;
        default:
          comment.insert(at, comment.substr(static_cast<std::size_t>(writer.below(static_cast<int>(at) + 1)), 12));
      }
    }
    // A line break ends the comment: what follows is to be commented, too.
    std::string lines = "  // x has register assignment:\n";
    for (const std::string_view line : split_lines(comment)) lines += "  // " + std::string(line) + "\n";
    if (lines.find("\\\n") != std::string::npos) continue;
    const std::string text = form_kernel(lines);
    const Watchdog watchdog("mutated comment", text);
    const Expected<Source> s = read("k.cu", text);
    ASSERT_TRUE(s.has_value()) << lines << words(s.error());
    claims += static_cast<int>(s->claims.size());
    for (const Claim& c : s->claims)
      for (const WrittenBit& bit : c.bits) {
        EXPECT_LE(bit.physical.line, 200);
        EXPECT_LE(bit.logical.column, 2000);
      }
  }
  EXPECT_GT(claims, rounds / 2);
}

}  // namespace
}  // namespace lanescope::source
