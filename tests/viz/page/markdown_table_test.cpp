// Tables of Markdown: what was written is read, and a terminal's form of a table is the same table.

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "kernels/base/text.h"
#include "viz/page/markdown.h"
#include "viz/page/slides.h"
#include "viz/paint/paint.h"

namespace lanescope::page {
namespace {

std::optional<MarkdownTable> table_of(const std::string& text) { return table_at(split_lines(text)); }

TEST(MarkdownTable, IsReadAsItWasWritten) {
  std::mt19937 random(7);
  const std::vector<std::string> words{"a", "1,024", "`x | y`", "**bold**", "", "é 字", "p[3]", "a b c", "-"};
  for (int round = 0; round < 300; ++round) {
    const std::size_t columns = 1 + random() % 5, rows = random() % 6;
    std::vector<bool> right;
    std::string text = "|", rule = "|";
    std::vector<std::vector<std::string>> cells(rows + 1);
    for (std::size_t c = 0; c < columns; ++c) {
      right.push_back(random() % 2 == 0);
      cells[0].push_back("h" + std::to_string(c));
      text += " " + cells[0].back() + " |";
      rule += (random() % 2 == 0 ? " " : "") + std::string(1 + random() % 4, '-') + (right.back() ? ":" : "") + "|";
    }
    text += "\n" + rule + "\n";
    for (std::size_t r = 1; r <= rows; ++r) {
      text += "|";
      for (std::size_t c = 0; c < columns; ++c) {
        cells[r].push_back(words[random() % words.size()]);
        text += (random() % 2 == 0 ? " " : "") + cells[r].back() + " |";
      }
      text += "\n";
    }
    const std::string after = random() % 2 == 0 ? "\n| not | of it\n" : "words after\n";
    const auto table = table_of(text + after);
    ASSERT_TRUE(table) << text;
    EXPECT_EQ(table->right, right);
    EXPECT_EQ(table->rows, cells) << text;
    EXPECT_EQ(table->lines, rows + 2);
    const auto again = table_of(with_aligned_tables(text + after));
    ASSERT_TRUE(again) << with_aligned_tables(text);
    EXPECT_EQ(again->rows, cells);
    EXPECT_EQ(again->right, right);
    // All lines of the terminal's form are equally long, in characters.
    std::size_t length = 0;
    const std::string aligned = with_aligned_tables(text);
    for (const std::string_view line : split_lines(aligned)) {
      std::size_t n = 0;
      for (const char each : line) n += (static_cast<unsigned char>(each) & 0xC0) != 0x80 ? 1 : 0;
      if (length == 0) length = n;
      EXPECT_EQ(n, length) << aligned;
    }
  }
}

TEST(MarkdownTable, NeedsItsRule) {
  for (const char* text : {"| a | b |\n| c | d |\n", "| a | b |\n|---|\n", "a | b\n---|---\n", "| a |", "", "||\n||\n",
                           "| a | b |\n|---|-x-|\n"})
    EXPECT_FALSE(table_of(text)) << text;
  EXPECT_EQ(table_of("| a \\| b | c |\n|--|--|\n")->rows[0][0], "a | b");
  EXPECT_EQ(table_of("| a | b |\n|--|--|\n| 1 |\n")->rows[1], (std::vector<std::string>{"1", ""}));
  // Within fenced code it is code.
  const auto all = paragraphs_of("```\n| a |\n|---|\n```\n| b |\n|---|\n| 1 |\nend");
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].kind, Paragraph::Kind::code);
  EXPECT_EQ(all[1].kind, Paragraph::Kind::table);
  EXPECT_EQ(all[2].kind, Paragraph::Kind::plain);
  EXPECT_EQ(with_aligned_tables("```\n| a |\n|---|\n```"), "```\n| a |\n|---|\n```");
}

/// No column gets more than it needs, all together no more than there is, and one that is cut is not narrower than another.
TEST(MarkdownTable, ColumnsShareTheirRoom) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    std::vector<float> natural(1 + random() % 6);
    for (float& w : natural) w = static_cast<float>(random() % 400);
    const float room = static_cast<float>(random() % 900),
                wanted = std::accumulate(natural.begin(), natural.end(), 0.0f);
    const std::vector<float> widths = column_widths(natural, room);
    float sum = 0, widest = 0;
    for (const float w : widths) sum += w, widest = std::max(widest, w);
    EXPECT_LE(sum, room + 0.1f);
    EXPECT_NEAR(sum, std::min(room, wanted), 0.1f);
    for (std::size_t n = 0; n < natural.size(); ++n) {
      EXPECT_LE(widths[n], natural[n]);
      if (widths[n] < natural[n] - 0.01f) {
        EXPECT_NEAR(widths[n], widest, 0.01f);
      }
    }
  }
}

/// On slides every word of a long and wide table is there, in columns that do not run into each other, below headings that come again.
TEST(MarkdownTable, IsWholeOnSlides) {
  std::string text = "| first | second | third |\n|---|--:|---|\n";
  for (int n = 0; n < 70; ++n)
    text += "| a" + std::to_string(n) + " | " + std::to_string(1000 + n) + " | long" + std::to_string(n) +
            std::string(n % 7 == 0 ? 60 : 1, ' ') +
            "words that take more than one line of a slide, and so several of them for " +
            "a cell of this column in any case that comes up here, and some more of them after those, too |\n";
  Document d{.title = "T", .summary = "S.", .made_by = "a test"};
  d.sections.push_back({.heading = "H", .blocks = {Text{text}}});
  const auto all = slides(d, Look::light);
  int headings = 0;
  std::string words;
  for (const scene::Scene& s : all)
    for (const scene::Label& l : s.labels) {
      headings += l.text == "second" ? 1 : 0;
      words += l.text + "\n";
      EXPECT_LT(l.at.y, s.height);
      const float width = paint::text_width(l.face, l.size, l.text);
      EXPECT_LE(l.align == scene::Align::left ? l.at.x + width : l.at.x, s.width) << l.text;
    }
  for (int n = 0; n < 70; ++n)
    for (const std::string& each :
         {"a" + std::to_string(n) + "\n", std::to_string(1000 + n) + "\n", "long" + std::to_string(n) + " "})
      EXPECT_NE(words.find(each), std::string::npos) << each;
  EXPECT_GE(all.size(), 4u);
  EXPECT_EQ(headings, static_cast<int>(all.size()) - 1);
}

}  // namespace
}  // namespace lanescope::page
