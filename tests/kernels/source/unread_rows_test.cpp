// Rows that cannot be read: the claim is not checked on the rest of it, and each of them is named.

#include <algorithm>
#include <filesystem>
#include <random>

#include "kernels/source/notation/comment_readers.h"
#include "tests/kernels/source/source_files.h"

namespace lanescope::source {
namespace {

/// A kernel with `comment` after the declaration of x, at line 4.
Source with_comment(const std::string& comment) {
  return read_well(
      "/*\n[lanescope]\nblock = [32]\n*/\n__global__ void k(const float *p, float *q) {\n  float x = "
      "p[threadIdx.x];\n" +
      comment + "  q[threadIdx.x] = x;\n}\n");
}

TEST(UnreadRows, TheFileOfAStranger) {
  const Source s = read_well(file_text(LANESCOPE_TEST_DATA_DIR "/strangers/unread_rows.cu"));
  ASSERT_EQ(s.claims.size(), 1U);
  EXPECT_EQ(s.claims[0].variable, "x");
  EXPECT_EQ(s.claims[0].probe, -1);
  EXPECT_EQ(s.claims[0].row_lines, (std::vector<int>{11}));
  EXPECT_EQ(s.claims[0].unchecked_reason.words(),
            "3 rows could not be read: line 12 `w0* <-> k7 nonsense`, line 13 `r <-> nonsense`, "
            "line 14 `xy r1 r0 <-> q9 q8 ReIm`");
}

TEST(UnreadRows, WhereverTheyStand) {
  const std::string row = "  //   l4 l3 l2 l1 l0 <-> j4 j3 j2 j1 j0\n", bad = "  //   w0* <-> k7\n",
                    mark =
                        " (`w0*` is marked with *, and no comment explains the mark; write for example `* marks "
                        "a spectator` or `* counts to 3`)";
  const std::string sentence = "  // x has register assignment:\n";
  const struct {
    std::string comment;
    std::string reason;
  } cases[] = {
      {sentence + row + bad, "1 row could not be read: line 9 `w0* <-> k7`" + mark},
      {sentence + bad + row, "1 row could not be read: line 8 `w0* <-> k7`" + mark},
      {sentence + bad, "1 row could not be read: line 8 `w0* <-> k7`" + mark},
      {sentence + bad + bad, "2 rows could not be read: line 8 `w0* <-> k7`" + mark + ", line 9 `w0* <-> k7`" + mark},
      {sentence + row + "  //   block: one of each array\n  //   warp: i0\n",
       "1 row could not be read: line 9 `block: one of each array`"},
      {sentence + row + "  //   pos \u2194 i9\n", "1 row could not be read: line 9 `pos \u2194 i9`"},
      // Numbers in place of bits, whichever the row's place is.
      {sentence + row + "  //   register: 10\n",
       "1 row could not be read: line 9 `register: 10` (register row: `10` is not a logical bit; did you mean `i0`?)"},
      {sentence + "  //   register: 10\n" + row,
       "1 row could not be read: line 8 `register: 10` (register row: `10` is not a logical bit; did you mean `i0`?)"},
      {sentence + row + "  //   register: 42\n",
       "1 row could not be read: line 9 `register: 42` (register row: `42` is not a logical bit; a logical bit is an "
       "axis and a bit number, such as `i3`)"},
      {sentence + row + "  //   register: i0  and more words\n",
       "1 row could not be read: line 9 `register: i0  and more words` (it begins as a row and is none; write a row "
       "such as `register: j3 j2`, or a remark in parentheses)"},
      {sentence + "  //   warp: 15\n  //   register: 10\n" + row,
       "2 rows could not be read: line 8 `warp: 15` (warp row: `15` is not a logical bit; did you mean `i5`?), line 9 "
       "`register: 10` (register row: `10` is not a logical bit; did you mean `i0`?)"},
      {sentence + "  //   register: 10\n",
       "1 row could not be read: line 8 `register: 10` (register row: `10` is not a logical bit; did you mean `i0`?)"},
      {"  /* x has register assignment:\n   *   l0 <-> j0\n   *   ?? <=> j1\n   */\n",
       "1 row could not be read: line 9 `?? <=> j1`"},
  };
  for (const auto& c : cases) {
    const Source s = with_comment(c.comment);
    ASSERT_EQ(s.claims.size(), 1U) << c.comment;
    EXPECT_EQ(s.claims[0].unchecked_reason.words(), c.reason) << c.comment;
    EXPECT_EQ(s.claims[0].variable, "x") << c.comment;
    EXPECT_TRUE(s.claims[0].registers.empty()) << c.comment;
    EXPECT_GT(s.claims[0].first_line, 0) << c.comment;
  }
}

TEST(UnreadRows, ProseIsNone) {
  const std::string row = "  //   l4 l3 l2 l1 l0 <-> j4 j3 j2 j1 j0\n", sentence = "  // x has register assignment:\n";
  const struct {
    std::string comment;
    std::size_t claims;
  } cases[] = {
      {"  // swap a <-> b\n", 0},
      {"  // swap a <-> b\n" + sentence + row, 1},
      {sentence + row + "  // block: each copies a tile\n", 1},
      {sentence + row + "  // (and so j <-> k below)\n", 1},
      {sentence + row + "  //\n  // swap a <-> b\n", 1},
      {sentence + row + "\n  // swap a <-> b\n", 1},
      {sentence + row + "  // Local transpose s0 <-> r0.\n", 1},
      {sentence + row + "  // local transpose s0 <-> r0\n", 1},
      {"  // After s0 <-> r0, x has register assignment:\n" + row, 1},
      {"  // registers swap here, x has nothing: \n  // a <-> b\n", 0},
  };
  for (const auto& c : cases) {
    const Source s = with_comment(c.comment);
    ASSERT_EQ(s.claims.size(), c.claims) << c.comment;
    for (const Claim& claim : s.claims) EXPECT_EQ(claim.unchecked_reason.words(), "") << c.comment;
  }
}

std::vector<TextClaim> claims_of(const std::string& text) {
  const std::vector<CommentLine> lines = comment_lines(lex(text));
  return find_claims(
             lines, [](std::string_view) { return true; }, read_vocabulary(lines, {}))
      .claims;
}

/// The line `number` of a text with `row` in place of what stands from `column` on; `before`: in a line of its own.
std::string with_row(const std::string& text, int number, int column, const std::string& row, bool before) {
  std::size_t at = 0;
  for (int n = 1; n < number; ++n) at = text.find('\n', at) + 1;
  const std::size_t end = std::min(text.find('\n', at), text.size());
  const std::string own = text.substr(at, end - at), start = own.substr(0, static_cast<std::size_t>(column - 1));
  const std::string closing = own.ends_with("*/") && !before ? " */" : "";
  return text.substr(0, at) + start + row + closing + (before ? "\n" + own : "") + text.substr(end);
}

// Of every claim of every file each row is made unreadable, and an unreadable row is put before each: the claim is never
// judged without it.
TEST(UnreadRows, NoPlaceOfAnyFileHidesOne) {
  constexpr std::string_view names[] = {"register", "reg", "thread", "lane", "warp", "block", "simd"};
  constexpr std::string_view rests[] = {
      ": 10",   ": 42",          ": i0  and more words", ": 15",    ": j3 j2 ???", ": 3 2",
      " = 7 0", " (r0): 1",      " bits: 0x10",          ": -1 -2", " 10",         ": i0 10",
      ": #",    ": the same one"};
  std::mt19937_64 random(20261124);
  const auto pick = [&](const auto& list) { return std::string(list[random() % std::size(list)]); };
  std::size_t mutants = 0;
  for (const char* folder : {"assets/kernels", "tests/data/strangers", "tests/data/references", "tests/data/catalogue",
                             "tests/data/review/claim-typo", "tests/data/review/claim-unchecked"})
    for (const auto& entry : std::filesystem::directory_iterator(std::string(LANESCOPE_SOURCE_DIR "/") + folder)) {
      if (entry.path().extension() != ".cu") continue;
      const std::string text = file_text(entry.path().string());
      std::vector<CommentLine> lines = comment_lines(lex(text));
      for (const TextClaim& claim : claims_of(text))
        for (const int number : claim.row_lines) {
          const auto line = std::ranges::find(lines, number, &CommentLine::line);
          if (line == lines.end() || claim.other_notation) continue;
          for (const bool before : {false, true}) {
            if (before && text.find("/*", line->offset - static_cast<std::uint32_t>(line->column)) < line->offset)
              continue;
            const std::string row = pick(names) + pick(rests);
            const std::vector<TextClaim> now = claims_of(with_row(text, number, line->column, row, before));
            const auto has = [&](const TextClaim& c) {
              return std::ranges::find(c.unread, number, &UnreadRow::line) != c.unread.end();
            };
            // Of one row alone nothing is left that could be judged.
            const auto judged = [&](const TextClaim& c) { return std::ranges::count(c.row_lines, number) > 0; };
            const bool alone = !before && claim.row_lines.size() == 1 && std::ranges::none_of(now, judged);
            EXPECT_TRUE(alone || std::ranges::any_of(now, has))
                << entry.path() << ":" << number << (before ? " before: " : ": ") << row;
            ++mutants;
          }
        }
    }
  EXPECT_GT(mutants, 800U);
}

}  // namespace
}  // namespace lanescope::source
